/* Fuzzes sizes of M-to-N messages: any bytes give units in range, of which every schedule sends each once, or an
 * error.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/mton/mton.h"
#include "fuzz.h"

enum { SOURCES = 2, DESTINATIONS = 3, UNIT_BYTES = 7, FEW = 24 };

/* Virtual destinations of one node may be sent to in the same slot: only sources have one message at a time. */
static uint32_t least_slots(const struct hd_mton *mton, enum hd_mton_kind kind)
{
  uint32_t most = 0;
  if (kind != HD_MTON_VIRTUAL)
    return hd_mton_least_slots(mton);
  for (int i = 0; i < SOURCES; i++) {
    uint32_t sum = 0;
    for (int j = 0; j < DESTINATIONS; j++)
      sum += mton->units[i * DESTINATIONS + j];
    most = sum > most ? sum : most;
  }
  return most;
}

static void schedule(const uint16_t *units, uint32_t sum, enum hd_mton_kind kind)
{
  const struct hd_mton mton = {SOURCES, DESTINATIONS, 0, SOURCES, kind, {2, 3, false}, units};
  struct hd_mton_schedule s;
  struct hd_mton_message *messages;
  size_t n;
  require(!hd_mton_schedule(&s, &mton, NULL));
  messages = hd_mton_messages(&mton, &s, &n);
  require(n == sum);
  require(kind == HD_MTON_UNSCHEDULED || s.slots >= least_slots(&mton, kind));
  free(messages);
  hd_mton_schedule_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = exact_copy(data, size);
  uint16_t units[SOURCES * DESTINATIONS];
  struct hd_error err;
  uint32_t sum = 0;
  memset(&err, 0xff, sizeof err);
  if (hd_mton_sizes(text, size, SOURCES, DESTINATIONS, UNIT_BYTES, units, &err))
    require(memchr(err.text, 0, sizeof err.text) != NULL && strlen(err.text) > 10);
  else {
    for (int i = 0; i < SOURCES * DESTINATIONS; i++) {
      require(units[i] <= HD_MTON_MAX_UNITS);
      sum += units[i];
    }
    for (unsigned kind = 0; sum <= FEW && kind < HD_MTON_KINDS; kind++)
      schedule(units, sum, (enum hd_mton_kind)kind);
  }
  free(text);
  return 0;
}
