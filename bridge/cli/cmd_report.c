/* heddle report RUN|CAMPAIGN: writes the page of a run or of a campaign from its files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../page/campaign_page.h"
#include "../page/run_page.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char doc[] =
    "Writes the page of a run, or of a campaign of heddle sweep or heddle check, report.html, from "
    "the files in its directory, and prints its path. run, sweep and check write it themselves, "
    "unless --no-html is given.\v"
    "The page is one file that needs no network. For runs of an older Heddle, and for runs that "
    "were killed, it shows what run.db has.\n"
    "\n"
    "Examples:\n"
    "  heddle report runs/mesh-8x8-uniform-1\n"
    "  heddle report runs/mesh-8x8-uniform-1 --out page.html\n"
    "  heddle report runs/check-1a2b3c4d";

struct choice {
  const char *run, *out;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "run or campaign", "its directory, such as runs/NAME-1",
                           &choice->run, arg);
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

/* Adds the path of the report beside the database. `run` names the run's directory or the database. */
static void add_path(struct hd_text *path, const char *run)
{
  struct stat st;
  const char *slash = strrchr(run, '/');
  if (!stat(run, &st) && S_ISDIR(st.st_mode))
    hd_text_add(path, "%s%sreport.html", run, slash && !slash[1] ? "" : "/");
  else
    hd_text_add(path, "%.*sreport.html", slash ? (int)(slash - run) + 1 : 0, run);
}

static int write_page(const char *run, const char *path, struct hd_error *err)
{
  return (hd_is_campaign(run) ? hd_campaign_page_write : hd_run_page_write)(run, path, err);
}

int hd_cmd_report(int argc, char **argv)
{
  static const struct argp_option options[] = {{"out", HD_CLI_TEXT(struct choice, out), "FILE", 0,
                                                "write the page to FILE (DIR/report.html)", 0},
                                               {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN|CAMPAIGN", .doc = doc};
  struct choice choice = {0};
  struct hd_text path = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.out)
    hd_text_add(&path, "%s", choice.out);
  else
    add_path(&path, choice.run);
  int status = write_page(choice.run, hd_text_chars(&path), &err);
  if (!status) {
    hd_cli_print_escaped(stdout, hd_text_chars(&path));
    fputc('\n', stdout);
  }
  hd_text_fini(&path);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
