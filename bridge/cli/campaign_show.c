/* Carries out a campaign for a command: workers, progress, signals, MPI.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_show.h"
#include "cli.h"

#include "../host/install_root.h"
#include "../page/campaign_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_WORKERS = 2000, KEY_BUDGET, KEY_FAILURES };

static const struct argp_option options[] = {
    {"workers", KEY_WORKERS, "N", 0,
     "do N runs at a time, 1 to 64 (one for each core; one for each process of mpirun)", 10},
    {"minutes", KEY_BUDGET, "M", 0, "end after M minutes; runs that have ended are kept", 10},
    {"failures", KEY_FAILURES, "N", 0, "end after N runs have failed", 10},
    {"out", HD_CLI_TEXT(struct hd_cli_campaign, out), "DIR", 0,
     "write into DIR; continue the campaign that DIR already has", 10},
    {"no-html", HD_CLI_FLAG(struct hd_cli_campaign, no_page), NULL, 0, "do not write report.html",
     10},
    {"progress", HD_CLI_FLAG(struct hd_cli_campaign, show_progress), NULL, 0,
     "show progress even if stderr is not a terminal", 10},
    {"quiet", 'q', NULL, 0, "print errors only", 10},
    {0},
};

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct hd_cli_campaign, quiet)),
    HD_CLI_NUMBER(KEY_WORKERS, struct hd_cli_campaign, campaign.workers, "--workers", 1, 64),
    HD_CLI_NUMBER(KEY_FAILURES, struct hd_cli_campaign, campaign.most_failures, "--failures", 1,
                  UINT32_MAX),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct hd_cli_campaign *c = state->input;
  char *end;
  switch (key) {
  case KEY_BUDGET:
    c->campaign.seconds = 60 * strtod(arg, &end);
    if (end == arg || *end || !(c->campaign.seconds > 0 && c->campaign.seconds < 1e9))
      argp_error(state, "--minutes %s: must be a number above 0", arg);
    return 0;
  default:
    return hd_cli_store(stores, c, key, arg, state);
  }
}

const struct argp hd_cli_campaign_argp = {.options = options, .parser = parse};

/* ── progress ──────────────────────────────────────────────────────────────── */

struct display {
  bool terminal, shown;
};

static void progress(void *context, const struct hd_campaign_progress *p)
{
  struct display *d = context;
  struct hd_text line = {0};
  hd_campaign_progress_add(p, &line);
  fprintf(stderr, "%s%s%s", d->terminal ? "\r\033[K" : "", hd_text_chars(&line),
          d->terminal ? "" : "\n");
  hd_text_fini(&line);
  d->shown = true;
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

static int open_ranks(struct hd_ranks **ranks, struct hd_error *err)
{
  char plugin[4096];
  *ranks = NULL;
  int status = hd_install_plugin("hd_mpi.so", plugin, sizeof plugin, err);
  return status ? status : hd_ranks_open(ranks, plugin, err);
}

int hd_cli_campaign(struct hd_cli_campaign *c, const char *directory,
                    struct hd_campaign_result *result, struct hd_error *err)
{
  struct display display = {.terminal = isatty(STDERR_FILENO)};
  *result = (struct hd_campaign_result){0};
  c->out = c->out ? c->out : directory;
  c->campaign.directory = c->out;
  c->campaign.context = &display;
  if (!c->quiet && (display.terminal || c->show_progress))
    c->campaign.progress = progress;
  c->campaign.progress_seconds = display.terminal ? 0.5 : 10;
  c->campaign.stop = stop;
  int status = open_ranks(&c->campaign.ranks, err);
  if (status)
    return status;
  hd_cli_catch_signals();
  if (c->campaign.ranks && hd_ranks_self(c->campaign.ranks)) {
    status = hd_ranks_serve(c->campaign.ranks, &c->campaign, err);
    int code = status ? hd_cli_fail(status, err) : HD_EXIT_OK;
    hd_ranks_close(c->campaign.ranks, code);
    exit(code);
  }
  status = hd_campaign_run(&c->campaign, result, err);
  if (display.shown && display.terminal)
    fprintf(stderr, "\r\033[K");
  return status;
}

int hd_cli_campaign_page(const struct hd_cli_campaign *c, struct hd_error *err)
{
  struct hd_text path = {0};
  if (c->no_page)
    return HD_OK;
  hd_text_add(&path, "%s/report.html", c->out);
  int status = hd_campaign_page_write(c->out, path.chars, err);
  if (!status && !c->quiet)
    printf("  %-20s%s\n", "page", path.chars);
  hd_text_fini(&path);
  return status;
}

int hd_cli_campaign_close(struct hd_cli_campaign *c, int code)
{
  hd_ranks_close(c->campaign.ranks, code);
  return code;
}
