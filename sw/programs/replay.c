/* Program replay: sends the messages of a trace, or does what a program did (replay_ops.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each message of a trace of messages is sent in its cycle. The first node that runs reads the file
 * for all. Each node sends its messages in the order of their cycles. It calls send in the
 * message's cycle, or, if an earlier message takes longer, as soon as it can. Afterwards it
 * receives all messages for it and checks every byte.
 */
#include "common.h"
#include "ops.h"
#include "programs.h"
#include "replay_ops.h"
#include "trace.h"

#include <inttypes.h>
#include <string.h>

enum { TAGS = 4096 };

struct replay {
  const struct hd_trace_row *rows; /* sorted by source, then cycle */
  size_t n_rows;
  size_t *first;      /* [nodes + 1] index of each source's first row */
  uint64_t *expected; /* [nodes] number of messages for each destination */
  size_t largest;     /* bytes of the largest message */
  uint32_t networks;
};

/* Returns the tag of a message. Messages of a pair arrive in order only within a virtual network.
 * So they are numbered in each network, and each network has tags of its own. */
static int tag_of(const struct replay *replay, uint32_t network, uint64_t number)
{
  const uint32_t tags = TAGS / replay->networks;
  return (int)(network * tags + number % tags);
}

/* Returns a number that no other message of the pair has. */
static uint64_t number_in_pair(const struct replay *replay, uint32_t network, uint64_t number)
{
  return number * replay->networks + network;
}

/* The file, in any format. The first node that asks for it reads it. */
struct file {
  const char *path; /* NULL: it was not read yet */
  char *text;
  size_t length;
  bool stopped; /* only the beginning was read */
};

static bool is_own(const char *text, size_t length)
{
  return hd_ops_format_of(text, length) == HD_OPS_OWN;
}

static const struct file *read_file(struct hd_ep *ep)
{
  struct file *file = hd_ep_shared(ep, "replay file", sizeof *file);
  if (file->path)
    return file;
  const char *path = hd_ep_text(ep, "file", NULL);
  if (!path)
    hd_ep_reject(ep, "file", "none; program replay needs a trace");
  file->text =
      hd_program_read_beginning(ep, "file", "trace", path, is_own, &file->length, &file->stopped);
  file->path = path;
  return file;
}

static const struct replay *load_messages(struct hd_ep *ep, const struct file *file)
{
  const char *path = file->path, *text = file->text;
  const size_t length = file->length;
  struct replay *replay = hd_ep_shared(ep, "replay", sizeof *replay);
  if (replay->rows)
    return replay;
  uint32_t nodes = (uint32_t)hd_ep_size(ep);
  replay->networks = hd_ep_networks(ep);
  struct hd_trace_row *rows = hd_ep_alloc(ep, hd_csv_lines_max(text, length) * sizeof *rows);
  struct hd_csv_error error;
  if (hd_trace_parse(text, length, nodes, replay->networks, rows, &replay->n_rows, &error))
    hd_ep_reject(ep, "file", "%s:%" PRIu32 ": %s", path, error.line, error.text);
  hd_trace_sort(rows, replay->n_rows);
  replay->first = hd_ep_alloc(ep, (nodes + 1) * sizeof *replay->first);
  replay->expected = hd_ep_alloc(ep, nodes * sizeof *replay->expected);
  for (size_t i = 0; i < replay->n_rows; i++) {
    replay->first[rows[i].source + 1] = i + 1;
    replay->expected[rows[i].destination]++;
    if (rows[i].bytes > replay->largest)
      replay->largest = rows[i].bytes;
  }
  for (uint32_t i = 1; i <= nodes; i++)
    if (replay->first[i] < replay->first[i - 1])
      replay->first[i] = replay->first[i - 1];
  replay->rows = rows;
  return replay;
}

static void replay_messages(struct hd_ep *ep, const struct file *file)
{
  const struct replay *replay = load_messages(ep, file);
  int rank = hd_ep_rank(ep), size = hd_ep_size(ep);
  uint64_t expected = replay->expected[rank];
  unsigned char *bytes = hd_ep_alloc(ep, replay->largest);
  /* Number of messages to, and then from, each node in each virtual network. */
  const size_t pairs = (size_t)size * replay->networks;
  uint64_t *numbers = hd_ep_alloc(ep, pairs * sizeof *numbers);

  for (size_t i = replay->first[rank]; i < replay->first[rank + 1]; i++) {
    const struct hd_trace_row *row = &replay->rows[i];
    const uint64_t number = numbers[row->destination * replay->networks + row->network]++;
    hd_program_fill(bytes, row->bytes, rank, (int)row->destination,
                    number_in_pair(replay, row->network, number));
    hd_ep_wait_until(ep, row->cycle);
    hd_ep_use_network(ep, row->network);
    hd_ep_send(ep, (int)row->destination, tag_of(replay, row->network, number), bytes, row->bytes);
  }
  memset(numbers, 0, pairs * sizeof *numbers);
  for (uint64_t i = 0; i < expected; i++) {
    struct hd_ep_status status;
    hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, bytes, replay->largest, &status);
    const uint32_t network = (uint32_t)status.tag / (TAGS / replay->networks);
    if (network >= replay->networks)
      hd_ep_abort(ep, "a message from node %d has tag %d", status.source, status.tag);
    const uint64_t number = numbers[(uint32_t)status.source * replay->networks + network]++;
    if (status.tag != tag_of(replay, network, number))
      hd_ep_abort(ep, "message %" PRIu64 " from node %d has tag %d", number, status.source,
                  status.tag);
    hd_program_verify(ep, bytes, status.bytes, status.source, rank,
                      number_in_pair(replay, network, number));
  }
}

static void run(struct hd_ep *ep)
{
  const struct file *file = read_file(ep);
  if (hd_ops_format_of(file->text, file->length) == HD_OPS_NEITHER)
    replay_messages(ep, file);
  else
    hd_replay_ops(ep, file->path, file->stopped ? NULL : file->text, file->length);
}

static const char *const parameters[] = {
    "file: the trace: CSV of cycle,source,destination,bytes and, where there are several virtual "
    "networks, network; or a program's, in Heddle's format or in GOAL (none, must be given)",
    HD_REPLAY_OPS_PARAMETERS,
    NULL,
};

const struct hd_program hd_program_replay = {
    .name = "replay",
    .about =
        "the messages of a trace (CSV of cycle,source,destination,bytes[,network]), each at its "
        "cycle, or what a program does, each message when its rank has come to it "
        "(docs/traces.md); "
        "parameters file, cycle_ns, scale, algorithm",
    .main = run,
    .parameters = parameters,
};
