/* History of a board's switch since reset: append, read, save and restore it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_history.h"

#include "../../../cmodel/grow.h"
#include "../../host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Content of a snapshot: which log, and the position of the history's last piece in it. */
struct snapshot {
  char magic[8];
  uint64_t log, last;
};
static const char k_magic[8] = "hd_past2";
/* The log begins at position 8, because position 0 means "no piece". */
enum { BEGIN = 8, HASH_SEED = 9 };

static int fail_file(const char *what, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "the file of all stimuli cannot be %s ($TMPDIR, or /tmp): %s", what,
                 errno ? strerror(errno) : "it is too short");
}

int hd_board_log_open(struct hd_board_log *log, struct hd_error *err)
{
  const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
  char path[PATH_MAX];
  struct timespec t;
  log->fd = -1;
  if ((size_t)snprintf(path, sizeof path, "%s/heddle-board-XXXXXX", parent) >= sizeof path)
    return hd_fail(err, HD_E_INPUT, "TMPDIR is too long: %.200s…", parent);
  int fd = mkostemp(path, O_CLOEXEC);
  if (fd < 0)
    return hd_fail(err, HD_E_IO, "cannot create a file for the stimuli in %s (TMPDIR): %s", parent,
                   strerror(errno));
  unlink(path);
  clock_gettime(CLOCK_MONOTONIC, &t);
  log->fd = fd;
  log->id = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
  log->end = BEGIN;
  pthread_mutex_init(&log->walk, NULL);
  return 0;
}

void hd_board_log_close(struct hd_board_log *log)
{
  if (log->fd < 0)
    return;
  close(log->fd);
  pthread_mutex_destroy(&log->walk);
  log->fd = -1;
}

static int write_at(const struct hd_board_log *log, uint64_t position, const void *bytes, size_t n,
                    struct hd_error *err)
{
  for (size_t done = 0; done < n;) {
    ssize_t now =
        pwrite(log->fd, (const char *)bytes + done, n - done, (off_t)(position + (uint64_t)done));
    if (now < 0 && errno == EINTR)
      continue;
    if (now <= 0)
      return fail_file("kept", err);
    done += (size_t)now;
  }
  return 0;
}

static int read_at(const struct hd_board_log *log, uint64_t position, void *bytes, size_t n,
                   struct hd_error *err)
{
  for (size_t done = 0; done < n;) {
    errno = 0;
    ssize_t now =
        pread(log->fd, (char *)bytes + done, n - done, (off_t)(position + (uint64_t)done));
    if (now < 0 && errno == EINTR)
      continue;
    if (now <= 0)
      return fail_file("read", err);
    done += (size_t)now;
  }
  return 0;
}

static uint64_t hash_of(const uint32_t *signatures, uint32_t n)
{
  return hd_hash_bytes(signatures, n * sizeof *signatures, HASH_SEED);
}

int hd_board_history_append(struct hd_board_history *history, struct hd_board_log *log,
                            const uint16_t *words, size_t n, const uint32_t *signatures,
                            uint32_t n_signatures, struct hd_error *err)
{
  const struct hd_board_piece piece = {
      .before = history->last, .signatures = hash_of(signatures, n_signatures), .n = n};
  uint64_t position = atomic_fetch_add(&log->end, sizeof piece + n * sizeof *words);
  int status = write_at(log, position, &piece, sizeof piece, err);
  if (!status)
    status = write_at(log, position + sizeof piece, words, n * sizeof *words, err);
  if (!status)
    history->last = position;
  return status;
}

bool hd_board_history_matches(const struct hd_board_piece *piece, const uint32_t *signatures,
                              uint32_t n_signatures)
{
  return piece->signatures == hash_of(signatures, n_signatures);
}

int hd_board_history_first(const struct hd_board_history *history, struct hd_board_log *log,
                           uint64_t *first, struct hd_error *err)
{
  struct hd_board_piece piece;
  *first = 0;
  for (uint64_t at = history->last; at; at = piece.before) {
    int status = read_at(log, at, &piece, sizeof piece, err);
    piece.next = *first;
    if (!status)
      status = write_at(log, at, &piece, sizeof piece, err);
    if (status)
      return status;
    *first = at;
  }
  return 0;
}

int hd_board_history_read(const struct hd_board_log *log, uint64_t position,
                          struct hd_board_piece *piece, uint16_t *words, size_t room,
                          struct hd_error *err)
{
  int status = read_at(log, position, piece, sizeof *piece, err);
  if (!status && piece->n > room)
    status = hd_fail(err, HD_E_INPUT, "this stimulus was played on a board with a larger memory");
  return status ? status
                : read_at(log, position + sizeof *piece, words, piece->n * sizeof *words, err);
}

int hd_board_history_save(const struct hd_board_history *history, const struct hd_board_log *log,
                          struct hd_dut_buffer *buffer, struct hd_error *err)
{
  struct snapshot snapshot = {.log = log->id, .last = history->last};
  memcpy(snapshot.magic, k_magic, sizeof snapshot.magic);
  if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, sizeof snapshot))
    return hd_fail(err, HD_E_NOMEM, "out of memory for a snapshot");
  memcpy(buffer->bytes + buffer->length, &snapshot, sizeof snapshot);
  buffer->length += sizeof snapshot;
  return 0;
}

int hd_board_history_restore(struct hd_board_history *history, const struct hd_board_log *log,
                             const struct hd_dut_buffer *buffer, struct hd_error *err)
{
  struct snapshot snapshot = {.last = 0};
  if (buffer->length == sizeof snapshot)
    memcpy(&snapshot, buffer->bytes, sizeof snapshot);
  if (memcmp(snapshot.magic, k_magic, sizeof snapshot.magic) || snapshot.log != log->id ||
      snapshot.last >= log->end)
    return hd_fail(err, HD_E_INPUT, "this is no snapshot of these boards' switches");
  history->last = snapshot.last;
  history->n_writes = 0;
  history->configured = false;
  history->needs_replay = true;
  /* Tables may hold writes that came after the snapshot and are not in this history. */
  history->rewritten = true;
  return 0;
}
