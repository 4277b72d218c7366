/* heddle study: measures claims of papers and judges them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/suggest.h"
#include "../studies/studies.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *about;
  int (*main)(int argc, char **argv);
} studies[] = {
    {"barrier", "Barrier Synchronization on Wormhole-Routed Networks: Figs. 11 to 15",
     hd_study_barrier},
    {"m-to-n", "Many-to-Many Personalized Concurrent Communication in Fat-trees", hd_study_mton},
    {"fat-tree", "Adaptive FatTree: latency and reception over the load", hd_study_fattree},
    {"schedules", "schedules for multistage networks: the fewest steps, proved",
     hd_study_schedules},
    {"coding", "Network Coding for Collective Communication: hops and time", hd_study_coding},
};

static const char doc[] =
    "Measures what a paper states about switches and networks, and judges each statement.\v"
    "Without STUDY, lists the studies. `heddle study STUDY --help` says more.\n"
    "\n"
    "Examples:\n"
    "  heddle study barrier --quick\n"
    "  heddle study coding --hops-only --out build/reproduce/mine";

struct choice {
  int argc;
  char **argv; /* arguments of the study; NULL: none is named */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  choice->argc = state->argc - state->next + 1;
  choice->argv = state->argv + state->next - 1;
  state->next = state->argc;
  (void)arg;
  return 0;
}

int hd_cmd_study(int argc, char **argv)
{
  const struct argp argp = {.parser = parse, .args_doc = "[STUDY [OPTION...]]", .doc = doc};
  struct choice choice = {0};
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
  struct hd_suggestion suggestion = {.given = choice.argv ? choice.argv[0] : ""};
  suggestion.length = strlen(suggestion.given);
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
    if (!choice.argv)
      printf("%-10s %s\n", studies[i].name, studies[i].about);
    else if (!strcmp(choice.argv[0], studies[i].name))
      return hd_cli_exit(studies[i].main(choice.argc, choice.argv));
    hd_suggest(&suggestion, studies[i].name);
  }
  if (!choice.argv)
    return HD_EXIT_OK;
  fprintf(stderr, "heddle study: there is no study '");
  hd_cli_print_escaped(stderr, choice.argv[0]);
  fprintf(stderr, "'%s; `heddle study` lists all\n", suggestion.text);
  return HD_EXIT_INPUT;
}
