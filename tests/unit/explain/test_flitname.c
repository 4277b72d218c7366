/* Flits as words: every kind and every header mode.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/explain/explain.h"
#include "../lib/test.h"

static const struct hd_switch_params params = {.ports = 3, .vcs = 2, .data_bits = 16, .nodes = 16};

TEST(flits_are_written_as_words)
{
  static const struct {
    struct hd_flit_event flit;
    const char *words;
  } all[] = {
      {{.kind = HD_KIND_HEAD, .vc = 1, .data = 13 << 2}, "H13 vc1 0x0034"},
      {{.kind = HD_KIND_SINGLE, .data = 15 << 2}, "S15 vc0 0x003c"},
      {{.kind = HD_KIND_HEAD, .data = 1 | 13 << 2 | 4 << 6}, "H13<4 vc0 0x0135"},
      {{.kind = HD_KIND_HEAD, .data = 2 | 2 << 2 | 1 << 4}, "Hp2 vc0 0x001a"},
      {{.kind = HD_KIND_SINGLE, .data = 3 | 13 << 2 | 4 << 6}, "S13@4 vc0 0x0137"},
      {{.kind = HD_KIND_BODY, .vc = 1, .data = 0x2a7f}, "B 2a7f vc1"},
      {{.kind = HD_KIND_TAIL, .data = 0xffff}, "T ffff vc0"},
      {{.kind = 5, .data = 1}, "R5 vc0 0x0001"},
  };
  char words[HD_FLIT_NAME_SIZE];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    hd_flit_name(words, &all[i].flit, &params);
    assert_string_equal(words, all[i].words);
  }
}

TEST(wide_data_is_written_in_full)
{
  const struct hd_switch_params wide = {.ports = 16, .vcs = 8, .data_bits = 64, .nodes = 2048};
  const struct hd_flit_event tail = {.kind = HD_KIND_TAIL, .vc = 7, .data = UINT64_MAX};
  const struct hd_flit_event head = {
      .kind = HD_KIND_HEAD, .vc = 7, .data = 1 | UINT64_C(2047) << 2 | UINT64_C(2046) << 13};
  char words[HD_FLIT_NAME_SIZE];
  hd_flit_name(words, &tail, &wide);
  assert_string_equal(words, "T ffffffffffffffff vc7");
  hd_flit_name(words, &head, &wide);
  assert_string_equal(words, "H2047<2046 vc7 0x0000000000ffdffd");
}

TEST(barrier_flits_are_written_as_words)
{
  struct hd_switch_params p = params;
  const uint32_t initial = hd_barrier_message(HD_INITIAL_REDUCE, 1, 3, 7, 4);
  const uint32_t fail = hd_barrier_local(HD_FAIL, 31);
  const struct {
    struct hd_flit_event flit;
    const char *words;
  } all[] = {
      {{.kind = HD_KIND_NULL, .vc = 1}, "null vc1"},
      {{.kind = HD_KIND_PADDING}, "request vc0"},
      {{.kind = HD_KIND_PADDING, .vc = 1, .data = 1}, "end vc1"},
      {{.kind = HD_KIND_BARRIER, .data = initial & 0xffff}, "M initial1 g3 vc0 0x0e36"},
      {{.kind = HD_KIND_BARRIER_LAST, .data = initial >> 16}, "M.bsr4 vc0 0x0040"},
      {{.kind = HD_KIND_BARRIER_LAST, .data = fail >> 16}, "M.local0 vc0 0x8000"},
  };
  const struct hd_flit_event whole = {.kind = HD_KIND_BARRIER_LAST, .data = initial};
  char words[HD_FLIT_NAME_SIZE];
  p.barrier = HD_BARRIER_ANY;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    hd_flit_name(words, &all[i].flit, &p);
    assert_string_equal(words, all[i].words);
  }
  p.data_bits = 32;
  hd_flit_name(words, &whole, &p);
  assert_string_equal(words, "M initial1 g3 to7 bsr4 vc0");
}

TEST(reports_describe_barrier_flits_in_full)
{
  struct hd_switch_params p = params;
  const uint32_t initial = hd_barrier_message(HD_INITIAL_REDUCE, 1, 3, 7, 4);
  const struct {
    uint32_t data_bits;
    struct hd_flit_event flit;
    const char *words;
  } all[] = {
      {16, {.kind = HD_KIND_NULL, .vc = 1}, "null flit, vc 1, data 0x0000"},
      {16, {.kind = HD_KIND_PADDING}, "padding request, vc 0, data 0x0000"},
      {16, {.kind = HD_KIND_PADDING, .data = 1}, "padding end, vc 0, data 0x0001"},
      {16,
       {.kind = HD_KIND_BARRIER, .data = initial & 0xffff},
       "message initial reduce, group 3, tag 1, vc 0, data 0x0e36"},
      {16,
       {.kind = HD_KIND_BARRIER_LAST, .data = initial >> 16},
       "message's second flit, bsr 4, vc 0, data 0x0040"},
      {16,
       {.kind = HD_KIND_BARRIER_LAST, .data = 0x8000},
       "local message's second flit, vc 0, data 0x8000"},
      {32,
       {.kind = HD_KIND_BARRIER_LAST, .data = initial},
       "message initial reduce, group 3, tag 1, to 7, bsr 4, vc 0, data 0x00400e36"},
      {32,
       {.kind = HD_KIND_BARRIER_LAST, .data = hd_barrier_local(HD_FAIL, 31)},
       "local message fail, group 31, vc 0, data 0x800001f3"},
  };
  p.barrier = HD_BARRIER_ANY;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    CLEANUP(hd_text_fini) struct hd_text text = {0};
    p.data_bits = all[i].data_bits;
    hd_explain_flit(&text, &all[i].flit, &p);
    assert_string_equal(hd_text_chars(&text), all[i].words);
  }
}

/* The headers of the first table of §11.10, and one of mode 2, which has no code field. */
TEST(reports_describe_the_coder_fields_of_a_head)
{
  struct hd_switch_params p = params;
  const struct {
    struct hd_flit_event flit;
    const char *words;
  } all[] = {
      {{.kind = HD_KIND_HEAD, .data = 0x480002c4},
       ", native, place 1, length field 0, vc 0, data 0x480002c4"},
      {{.kind = HD_KIND_SINGLE, .data = 0x80800044},
       ", coded, place 0, length field 1, vc 0, data 0x80800044"},
      {{.kind = HD_KIND_HEAD, .data = 0xc0000004},
       ", code 3, place 0, length field 0, vc 0, data 0xc0000004"},
      {{.kind = HD_KIND_HEAD, .data = 0x00000004},
       " to node 1 (mode 0, destination), vc 0, data 0x00000004"},
      {{.kind = HD_KIND_HEAD, .data = 0x80000006},
       " by output port 1 here (mode 2, source-routed), vc 0, data 0x80000006"},
  };
  p.data_bits = 32;
  p.code_places = 8;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    CLEANUP(hd_text_fini) struct hd_text text = {0};
    hd_explain_flit(&text, &all[i].flit, &p);
    const char *end = strstr(hd_text_chars(&text), all[i].words);
    if (!end || strcmp(end, all[i].words) != 0)
      fail_msg("%s does not end with %s", hd_text_chars(&text), all[i].words);
  }
}

/* A packet that a coder made has no number: a report says whose it is. */
TEST(reports_name_the_coder_that_made_a_packet)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  struct hd_explanation e = {.sw = params,
                             .divergence = {.difference = HD_DIFF_FLIT,
                                            .sw = 3,
                                            .packet = HD_PACKET_MADE,
                                            .has_expected = true,
                                            .expected = {.kind = HD_KIND_SINGLE}}};
  hd_explain_divergence(&e, &text);
  assert_non_null(strstr(hd_text_chars(&text),
                         "\n  packet  made by the coder of switch 3 (§11.7); nobody sent it\n"));
}
