/* Judges of RTL: a table of plans, and of words that each verdict may use.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle's own switch has a model, so its judge may say "the same switch". For any other router only the rules at ports
 * (§6.7) and the delivery of packets are known, so its judge says at most "no rule broken". With an original the
 * scenarios are the same: the original runs and records, the RTL replays, and every cycle is compared.
 */
#include "check_internal.h"
#include "check_write_any.h"

#include <inttypes.h>

static bool only_alike(const struct hd_check *c)
{
  return c->alike && c->alike == c->failed;
}

static const char *model_failed(const struct hd_check *c)
{
  (void)c;
  return "different";
}

static const char *rules_failed(const struct hd_check *c)
{
  return hd_check_only_budget(c) ? "budget missed" : "rule broken";
}

static const char *original_failed(const struct hd_check *c)
{
  return hd_check_only_budget(c) ? "budget missed"
         : only_alike(c)         ? "rule broken by both"
                                 : "different";
}

static void pass_model(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text, "the same switch, as far as %s and %" PRIu64 " compared events can tell",
              hd_count(hd_check_compared(c), "run").text, c->events);
  if (c->proved)
    hd_text_add(text, "; %s of its modules hold", hd_count(c->proved, "proof").text);
  if (hd_check_equal_count(c, HD_EQUAL_OPEN) || c->equal.left_out)
    hd_text_add(text, "; a changed module is not proved equal");
}

static void add_unused(void *lines, const char *file)
{
  hd_check_line(lines, "%s: no module of the switch names it", file);
}

static void missing_model(const struct hd_check *c, const struct check_lines *lines)
{
  hd_equal_unused_files(c->rtl_dir, "hd_switch", add_unused, (void *)(uintptr_t)lines, NULL);
}

static void fail_model(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text, "NOT the switch: %s of difference in %s",
              hd_count(hd_check_groups_kinds(c), "kind").text,
              hd_count(hd_check_compared(c), "run").text);
}

static uint64_t count_beside(const struct hd_check *c)
{
  uint64_t n = 0;
  for (int k = 0; k < CHECK_KINDS; k++)
    n += hd_check_kinds[k].compares && hd_check_is_beside(c, (enum check_kind)k) ? c->kinds[k].ended
                                                                                 : 0;
  return n;
}

static void pass_original(const struct hd_check *c, struct hd_text *text)
{
  hd_text_add(text,
              "as the original in every cycle of %s: %" PRIu64
              " events compared%s; the model was not used",
              hd_count(count_beside(c), "run").text, c->events,
              c->ports.of[HD_PORT_LINK] ? "; no rule at ports is broken" : "");
  if (c->kinds[CHECK_SPEED].ended)
    hd_text_add(text, "; speed was measured alone");
}

static void fail_original(const struct hd_check *c, struct hd_text *text)
{
  if (hd_check_only_budget(c)) {
    hd_check_any_fail(c, text);
    return;
  }
  if (only_alike(c)) {
    hd_text_add(text,
                "does what the original does, but both break a rule: %" PRIu64 " of %s failed",
                c->failed, hd_count(hd_check_compared(c), "run").text);
    return;
  }
  hd_text_add(text, "NOT as the original: %" PRIu64 " of %s failed", c->failed,
              hd_count(hd_check_compared(c), "run").text);
}

static const struct check_judge judges[CHECK_JUDGES] = {
    [CHECK_BY_MODEL] = {.prepare = hd_check_prepare_model,
                        .stages = hd_check_model_stages,
                        .passed = "same",
                        .failed = model_failed,
                        .question = "Is this RTL the switch?",
                        .not_looked_at = "synthesis, boards: not part of this check",
                        .pass = pass_model,
                        .fail = fail_model,
                        .missing = missing_model},
    [CHECK_BY_RULES] = {.prepare = hd_check_prepare_any,
                        .stages = hd_check_rules_stages,
                        .passed = "no rule broken",
                        .failed = rules_failed,
                        .question = "Does this router keep the rules at its ports?",
                        .not_looked_at =
                            "timing, registers, barrier messages, choice among ports, synthesis, "
                            "boards: not part of this check",
                        .pass = hd_check_any_pass,
                        .fail = hd_check_any_fail,
                        .missing = hd_check_any_missing,
                        .notes = hd_check_any_notes,
                        .json = hd_check_any_json},
    [CHECK_BY_ORIGINAL] = {.prepare = hd_check_prepare_original,
                           .stages = hd_check_rules_stages,
                           .passed = "as the original",
                           .failed = original_failed,
                           .question = "Does this router do what the original does?",
                           .not_looked_at =
                               "barrier messages, synthesis, boards, proofs that modules are "
                               "equal: not part of this check",
                           .pass = pass_original,
                           .fail = fail_original,
                           .missing = hd_check_any_missing,
                           .notes = hd_check_any_notes,
                           .json = hd_check_any_json},
};

const struct check_judge *hd_check_judge_of(const struct hd_check_params *params)
{
  return &judges[!params->foreign  ? CHECK_BY_MODEL
                 : params->against ? CHECK_BY_ORIGINAL
                                   : CHECK_BY_RULES];
}

/* Speed is measured without the original, in closed loop. */
const char *hd_check_against(const struct hd_check *c, enum check_kind kind)
{
  return c->judge == &judges[CHECK_BY_ORIGINAL] && kind != CHECK_SPEED ? c->original_dir : NULL;
}

bool hd_check_is_beside(const struct hd_check *c, enum check_kind kind)
{
  return c->judge != &judges[CHECK_BY_ORIGINAL] || hd_check_against(c, kind);
}

bool hd_check_kind_is_used(const struct hd_check *c, enum check_kind kind)
{
  return hd_check_kinds[kind].judges >> (c->judge - judges) & 1;
}

uint32_t hd_check_stages(const struct hd_check *c)
{
  uint32_t n = 0;
  while (c->judge->stages[n].name)
    n++;
  return n;
}
