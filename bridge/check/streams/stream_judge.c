/* Describes a stream's first difference.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_judge.h"

const char *hd_stream_difference_name(enum hd_stream_difference difference)
{
#define NAME(NAME, name) name,
  static const char *const names[] = {HD_STREAM_DIFFERENCE_LIST(NAME)};
#undef NAME
  return names[difference];
}

static void set_difference(struct hd_stream_result *result, enum hd_stream_difference difference,
                           uint32_t cycle, uint8_t port, uint8_t vc)
{
  result->difference = difference;
  result->cycle = cycle;
  result->port = port;
  result->vc = vc;
}

void hd_stream_judge_register(struct hd_stream_result *result, uint32_t cycle, uint32_t address,
                              uint16_t want, uint16_t got)
{
  char name[40] = "a table's place";
  set_difference(result, HD_STREAM_REGISTER, cycle, 0xff, 0xff);
  result->address = address;
  result->expected.word = want;
  result->got.word = got;
  if (address < HD_REGISTERS)
    snprintf(name, sizeof name, "register %s", hd_register_name(address));
  int n = snprintf(result->text, sizeof result->text,
                   "a read of 0x%05x (%s) after cycle %u gave 0x%04x; expected 0x%04x", address,
                   name, cycle, got, want);
  for (unsigned bit = 0; address == HD_CFG_ERRORS && bit < HD_ERROR_BITS; bit++)
    if ((want ^ got) >> bit & 1)
      n += snprintf(result->text + n, sizeof result->text - (size_t)n, "%s '%s'",
                    got >> bit & 1 ? "; without reason" : "; missing", hd_error_bit_name(bit));
}

void hd_stream_judge(struct hd_stream_result *result, const struct stream *want,
                     const struct answer *answer, uint32_t from, uint32_t to)
{
  static const enum hd_stream_difference kinds[] = {[STREAM_FLIT] = HD_STREAM_FLIT,
                                                    [STREAM_CREDIT] = HD_STREAM_CREDIT,
                                                    [STREAM_QUIESCENT] = HD_STREAM_QUIESCENT};
  struct stream_difference first;
  result->compared += hd_stream_find_difference(want, answer, from, to, &first);
  if (answer->assertion.failed && (!first.kind || answer->assertion.cycle <= first.cycle)) {
    set_difference(result, HD_STREAM_ASSERTION, answer->assertion.cycle, 0xff, 0xff);
    snprintf(result->text, sizeof result->text, "the assertion at %s failed in cycle %u",
             answer->assertion.where, answer->assertion.cycle);
    memcpy(result->assertion, answer->assertion.where, sizeof result->assertion);
  } else if (first.kind) {
    set_difference(result, kinds[first.kind], first.cycle, first.port, first.vc);
    result->expected = first.expected;
    result->got = first.got;
    snprintf(result->text, sizeof result->text, "%s", first.text);
  }
}
