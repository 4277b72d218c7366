/* Fuzzes the files of streams: any bytes give a tape that plays and is written as it was read, or an error.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Short tapes are played with the model on both sides, which agree or refuse them.
 */
#include "../../bridge/backends/backend.h"
#include "../../bridge/check/streams/tape.h"
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CYCLES = 2000 };

/* A file in memory with these bytes; the caller closes it. */
static int file(const void *bytes, size_t size, char path[64])
{
  int fd = memfd_create("tape", 0);
  require(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
  snprintf(path, 64, "/proc/self/fd/%d", fd);
  return fd;
}

static void check_same(const struct hd_tape *tape, const char *path)
{
  struct hd_tape *again;
  struct hd_error err = {""};
  require(!hd_tape_write(tape, path, &err));
  require(!hd_tape_read(&again, path, &err));
  struct hd_tape_size one = hd_tape_size(tape), two = hd_tape_size(again);
  require(one.inputs == two.inputs && one.cycles == two.cycles);
  hd_tape_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64], written[64];
  struct hd_tape *tape;
  struct hd_error err = {""};
  struct hd_stream_result result;
  int fd = file(data, size, path), out = file("", 0, written);
  int status = hd_tape_read(&tape, path, &err);
  if (status)
    require(status == HD_E_INPUT && !tape && err.text[0]);
  else {
    require(!memchr(data, 0, size)); /* nothing of it was passed over */
    check_same(tape, written);
    if (hd_tape_size(tape).cycles <= CYCLES) {
      status = hd_tape_play(tape, hd_dut_model_backend(), &result, &err);
      require(status == HD_OK || status == HD_E_NOTHING || (status == HD_E_INPUT && err.text[0]));
    }
    hd_tape_destroy(tape);
  }
  close(fd);
  close(out);
  return 0;
}
