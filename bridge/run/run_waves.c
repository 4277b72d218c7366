/* Writes the waves of a divergence, and the command that makes waves of a broken rule.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/install_root.h"
#include "../report/report.h"
#include "../waves/suspects.h"
#include "run_internal.h"

#include <stdio.h>
#include <string.h>

/* Cycles that the waves of a broken rule show before the first cycle that matters, and after the
 * last one. */
enum { BEFORE_RULE = 20, AFTER_RULE = 20 };

/* Names the first signal of the DUT that differs from the original's. */
static int find_suspect(const struct hd_run *run, struct hd_text *sentence, struct hd_error *err)
{
  const struct hd_run_report *report = run->report;
  char rtl[4096];
  if (report->result.divergence.difference == HD_DIFF_RULE)
    return hd_fail(err, HD_E_NOTHING, "the original does the same");
  if (!report->of_rtl)
    return hd_fail(err, HD_E_UNSUPPORTED, "the DUT is not made of RTL");
  snprintf(rtl, sizeof rtl, "%s", run->rtl_dir);
  int status = *rtl ? HD_OK : hd_install_root(rtl, sizeof rtl - sizeof "/rtl", err);
  if (!*run->rtl_dir)
    strcat(rtl, "/rtl");
  return status ? status
                : hd_waves_find_suspect(run->lockstep, rtl, run->against, report->directory,
                                        sentence, err);
}

static void explain_cause(struct hd_run *run)
{
  struct hd_explanation *e = &run->report->explanation;
  struct hd_text sentence = {0};
  struct hd_error err = {""};
  const int status = find_suspect(run, &sentence, &err);
  if (status)
    snprintf(e->inside.why, sizeof e->inside.why, "%.180s",
             err.text[0] ? err.text : hd_status_text(status));
  else
    snprintf(e->cause, sizeof e->cause, "%s", hd_text_chars(&sentence));
  hd_text_fini(&sentence);
}

void hd_run_find_inside(struct hd_run *run)
{
  struct hd_run_report *report = run->report;
  struct hd_explain_inside *inside = &report->explanation.inside;
  if (run->original.ops)
    explain_cause(run);
  else if (run->scenario.run.compare == HD_COMPARE_EXACT)
    hd_waves_find_inside(run->lockstep, &run->scenario.sw, report->directory, inside);
  else
    snprintf(inside->why, sizeof inside->why,
             "with run.compare: %s the DUT has a timing of its own",
             hd_compare_name(run->scenario.run.compare));
}

/* Returns how many cycles before the divergence the waves show: those that the scenario asks
 * for, or more, so that they show the first wrong state and the first cycle of a broken rule. */
static uint32_t cycles_before(const struct hd_run *run)
{
  const struct hd_explain_inside *inside = &run->report->explanation.inside;
  const struct hd_divergence *d = &run->report->result.divergence;
  uint64_t back = run->scenario.trace.wave_cycles;
  if (inside->known && !inside->or_before && d->cycle - inside->cycle + 2 > back)
    back = d->cycle - inside->cycle + 2;
  if (d->broken.rule && d->cycle - d->broken.since + BEFORE_RULE > back)
    back = d->cycle - d->broken.since + BEFORE_RULE;
  return (uint32_t)(back < HD_WAVES_BACK_CYCLES ? back : HD_WAVES_BACK_CYCLES);
}

/* Adds the options with which `heddle wave` shows internal signals. The lanes backend has none
 * in its waves, so Verilator simulates its RTL instead. */
static void add_signals(const char *dut, struct hd_text *command)
{
  static const struct {
    const char *backend, *options;
  } all[] = {{"verilator", " --all-signals"}, {"lanes", " --dut verilator --all-signals"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcspn(dut, ":") == strlen(all[i].backend) &&
        !strncmp(dut, all[i].backend, strlen(all[i].backend)))
      hd_text_add(command, "%s", all[i].options);
}

void hd_run_add_rule_waves(struct hd_run_report *report)
{
  const struct hd_port_break *b = &report->result.divergence.broken;
  struct hd_text *command = &report->rule_waves;
  const uint64_t from = b->since > BEFORE_RULE ? b->since - BEFORE_RULE : 0;
  uint64_t to = (b->cycle > b->since ? b->cycle : b->since) + AFTER_RULE;
  if (b->rule == HD_PORT_NONE || !report->directory)
    return;
  if (to - from >= HD_RUN_WINDOW_CYCLES)
    to = from + HD_RUN_WINDOW_CYCLES - 1;
  hd_text_add_option(command, "heddle wave ", report->directory);
  hd_text_add(command, " --switch %u --from %llu --to %llu",
              report->result.divergence.inside ? 0 : b->sw, (unsigned long long)from,
              (unsigned long long)to);
  hd_report_add_dut(report, command);
  add_signals(report->dut, command);
}

void hd_run_write_waves(struct hd_run *run, struct hd_waves_watcher *watcher)
{
  struct hd_run_report *report = run->report;
  const struct hd_divergence *d = &report->result.divergence;
  struct hd_error err = {0};
  struct hd_text title = {0};
  hd_text_add(&title, "%s, seed %llu, %s against the %s", report->name,
              (unsigned long long)report->seed, report->dut, hd_run_reference(report));
  int status =
      hd_waves_write(run->lockstep, d, &run->scenario.sw, hd_text_chars(&title), report->directory,
                     cycles_before(run), run->scenario.trace.wave_cycles, watcher, &err);
  hd_text_fini(&title);
  report->has_waves = !status;
  if (!status && d->broken.rule && watcher->begins > d->broken.since)
    hd_text_add(
        &report->notes,
        "waves.fst begins with cycle %llu; what broke rule %s began in cycle %llu: see waves of "
        "the rule\n",
        (unsigned long long)watcher->begins, hd_port_rule_number(d->broken.rule),
        (unsigned long long)d->broken.since);
  const char *why = err.text[0] ? err.text : hd_status_text(status);
  if (status == HD_E_IO)
    hd_text_add(&report->message, "; no waves: %s", why);
  else if (status)
    hd_text_add(&report->notes, "no waves: %s\n", why);
}
