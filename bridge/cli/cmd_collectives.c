/* heddle collectives: lists the collectives, their algorithms, and costs in the α–β model.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/suggest.h"
#include "../../sw/collectives/collectives.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEY_MEMBERS = 256,
  KEY_BYTES,
  KEY_ALPHA,
  KEY_BETA,
  KEY_SCHEDULE,
  KEY_CODED,
  KEY_ROUND,
  KEY_VALUES,
  KEY_CAST
};

enum { STEPS_MAX = 1 << 24 };

static const char doc[] =
    "Lists the collectives of endpoint software, the algorithms for each, and their costs in the "
    "alpha-beta model. For one collective: the cycles of each algorithm, and the one that is "
    "chosen.\v"
    "Examples:\n"
    "  heddle collectives\n"
    "  heddle collectives allreduce --members 64 --bytes 4096 --alpha 50 --beta 0.5\n"
    "  heddle collectives alltoall --members 16 --schedule-steps 15";

struct choice {
  unsigned collective; /* HD_COLLECTIVES: all */
  struct hd_collective_shape shape;
  bool given, markdown; /* given: the user gave a number of the shape */
};

static double read_cost(struct argp_state *state, const char *option, const char *text)
{
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value) || value < 0)
    argp_error(state, "%s: '%s'; legal: a number of cycles, at least 0", option, text);
  return value;
}

static void find_collective(struct argp_state *state, struct choice *choice, const char *name)
{
  if (choice->collective < HD_COLLECTIVES)
    argp_error(state, "unexpected argument '%s'; give one collective, or none for all", name);
  struct hd_suggestion suggestion = {.given = name, .length = strlen(name)};
  for (unsigned i = 0; i < HD_COLLECTIVES; i++) {
    hd_suggest(&suggestion, hd_collective_info(i).name);
    if (!strcmp(hd_collective_info(i).name, name))
      choice->collective = i;
  }
  if (choice->collective == HD_COLLECTIVES)
    argp_error(state, "there is no collective '%s'%s; `heddle collectives` lists all", name,
               suggestion.text);
}

static const struct hd_cli_store stores[] = {
    HD_CLI_NUMBER(KEY_BYTES, struct choice, shape.bytes, "--bytes", 0, 1 << 20),
    HD_CLI_NUMBER(KEY_SCHEDULE, struct choice, shape.schedule_steps, "--schedule-steps", 1,
                  STEPS_MAX),
    HD_CLI_NUMBER(KEY_VALUES, struct choice, shape.values, "--at-once", 1, HD_COMM_LANES),
    HD_CLI_NUMBER(KEY_CAST, struct choice, shape.cast_bytes, "--cast-bytes", 1, 8),
    HD_CLI_NUMBER(KEY_CODED, struct choice, shape.coded_steps, "--coded-steps", 1, STEPS_MAX),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case KEY_MEMBERS:
    choice->shape.members = (int)hd_cli_number(state, "--members", arg, 1, 2048);
    break;
  case KEY_ALPHA:
    choice->shape.alpha = read_cost(state, "--alpha", arg);
    break;
  case KEY_BETA:
    choice->shape.beta = read_cost(state, "--beta", arg);
    break;
  case KEY_ROUND:
    choice->shape.round_cycles = read_cost(state, "--round-cycles", arg);
    choice->shape.values += !choice->shape.values;
    break;
  case ARGP_KEY_ARG:
    find_collective(state, choice, arg);
    return 0;
  case ARGP_KEY_END:
    if (choice->given && choice->collective == HD_COLLECTIVES)
      argp_error(state, "cycles are of one collective; name it");
    if (choice->shape.values && choice->shape.round_cycles <= 0)
      argp_error(state, "--at-once needs --round-cycles");
    if (choice->markdown && choice->collective < HD_COLLECTIVES)
      argp_error(state, "--markdown makes all tables of docs/collectives.md; give it alone");
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
  choice->given = true;
  return 0;
}

static void list_methods(unsigned collective, struct hd_text *text)
{
  struct hd_collective_info info = hd_collective_info(collective);
  struct hd_method_info m;
  hd_text_add(text, "%-16s %s\n", info.name, info.about);
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    if (m.collective == collective)
      hd_text_add(text, "    %-20s steps %s, bytes %s%s%s\n", hd_algorithm_info(m.algorithm).name,
                  m.steps, m.bytes, m.needs ? "; p: " : "",
                  m.needs ? hd_method_needs_text(m.needs) : "");
  hd_text_add(text, "    %-20s steps %s, bytes %s\n", "lower bound", info.least_steps,
              info.least_bytes);
}

/* Says why another method than the fastest is chosen. */
static void explain_choice(enum hd_collective collective, const struct hd_collective_shape *shape,
                           enum hd_algorithm chosen, struct hd_text *text)
{
  struct hd_method_info m;
  enum hd_algorithm fastest = chosen;
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    if (m.collective == collective && hd_method_known(collective, m.algorithm, shape) &&
        hd_method_cycles(collective, m.algorithm, shape) <
            hd_method_cycles(collective, fastest, shape))
      fastest = m.algorithm;
  if (fastest != chosen)
    hd_text_add(
        text,
        "%s is chosen, not %s, because this model does not know that messages share "
        "links:\nthe choice is the first method of the list that takes at most %d %% of the "
        "fewest cycles.\n",
        hd_algorithm_info(chosen).name, hd_algorithm_info(fastest).name, HD_CHOICE_PERCENT);
}

static void list_cycles(const struct choice *choice, struct hd_text *text)
{
  enum hd_collective collective = (enum hd_collective)choice->collective;
  struct hd_collective_shape shape = choice->shape;
  struct hd_collective_info info = hd_collective_info(collective);
  struct hd_method_info m;
  shape.most = (size_t)(shape.members - 1) * shape.bytes;
  enum hd_algorithm chosen = hd_method_choose(collective, &shape);
  hd_text_add(text, "%s, %d members", info.name, shape.members);
  if (collective != HD_COLLECTIVE_BARRIER)
    hd_text_add(text, ", blocks of %zu bytes", shape.bytes);
  hd_text_add(text, ", alpha %g, beta %g\n", shape.alpha, shape.beta);
  for (unsigned i = 0; hd_method_info(i, &m); i++) {
    if (m.collective != collective)
      continue;
    hd_text_add(text, "    %-20s ", hd_algorithm_info(m.algorithm).name);
    if (hd_method_known(collective, m.algorithm, &shape))
      hd_text_add(text, "%12.0f cycles%s\n", hd_method_cycles(collective, m.algorithm, &shape),
                  m.algorithm == chosen ? ", chosen" : "");
    else
      hd_text_add(text, "%s\n",
                  m.needs == HD_NEEDS_POWER    ? "only for powers of two"
                  : m.needs == HD_NEEDS_ROUTES ? "depends on the network; --schedule-steps"
                  : m.needs == HD_NEEDS_BOX    ? "depends on the network; --coded-steps"
                  : m.needs == HD_NEEDS_TREES  ? "depends on the network; --cast-bytes"
                                               : "depends on the network; --round-cycles");
  }
  hd_text_add(text, "    %-20s %12.0f cycles\n", "lower bound",
              hd_collective_least_cycles(collective, &shape));
  explain_choice(collective, &shape, chosen, text);
}

static void write_markdown(struct hd_text *text)
{
  struct hd_method_info m;
  hd_text_add(text, "<!-- keys: collectives -->\n| collective | what it does | least steps | least "
                    "bytes |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < HD_COLLECTIVES; i++) {
    struct hd_collective_info c = hd_collective_info(i);
    hd_text_add(text, "| `%s` | %s | `%s` | `%s` |\n", c.name, c.about, c.least_steps,
                c.least_bytes);
  }
  hd_text_add(text, "<!-- end of keys -->\n<!-- keys: algorithms -->\n| algorithm | how |\n"
                    "|---|---|\n");
  for (unsigned i = 0; i < HD_ALGORITHMS; i++)
    hd_text_add(text, "| `%s` | %s |\n", hd_algorithm_info(i).name, hd_algorithm_info(i).about);
  hd_text_add(text, "<!-- end of keys -->\n<!-- keys: methods -->\n| collective | algorithm | p | "
                    "steps | bytes |\n|---|---|---|---|---|\n");
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    hd_text_add(text, "| `%s` | `%s` | %s | `%s` | `%s` |\n", hd_collective_info(m.collective).name,
                hd_algorithm_info(m.algorithm).name, hd_method_needs_text(m.needs), m.steps,
                m.bytes);
  hd_text_add(text, "<!-- end of keys -->\n<!-- keys: operators -->\n| operator | bytes of an "
                    "element |\n|---|---|\n");
  for (unsigned i = 0; hd_operator_at(i); i++)
    hd_text_add(text, "| `%s` | %zu |\n", hd_operator_at(i)->name,
                hd_operator_at(i)->element_bytes);
  hd_text_add(text, "<!-- end of keys -->\n");
}

int hd_cmd_collectives(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"members", KEY_MEMBERS, "N", 0, "set the number of members of the group (16)", 0},
      {"bytes", KEY_BYTES, "N", 0, "set the length of a block (256)", 0},
      {"alpha", KEY_ALPHA, "CYCLES", 0, "set the time of an empty message (100)", 0},
      {"beta", KEY_BETA, "CYCLES", 0, "set the time that each byte adds (0.5)", 0},
      {"schedule-steps", KEY_SCHEDULE, "N", 0,
       "set the steps of a schedule, as heddle schedule finds it (not known)", 0},
      {"coded-steps", KEY_CODED, "N", 0,
       "set the steps of a plan of network coding, as a run reports them (not known)", 0},
      {"round-cycles", KEY_ROUND, "CYCLES", 0,
       "set the time of a round of a barrier in the network, as a run reports it (not known)", 0},
      {"at-once", KEY_VALUES, "N", 0, "set how many values such a round combines (1)", 0},
      {"cast-bytes", KEY_CAST, "N", 0,
       "set the bytes of a message that a multicast flit carries (not known)", 0},
      {"markdown", HD_CLI_FLAG(struct choice, markdown), NULL, 0,
       "print the tables of docs/collectives.md", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "[COLLECTIVE]", .doc = doc};
  struct choice choice = {.collective = HD_COLLECTIVES,
                          .shape = {.members = 16, .bytes = 256, .alpha = 100, .beta = 0.5}};
  struct hd_text text = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.markdown)
    write_markdown(&text);
  else if (choice.collective < HD_COLLECTIVES)
    list_cycles(&choice, &text);
  for (unsigned i = 0;
       !choice.markdown && choice.collective == HD_COLLECTIVES && i < HD_COLLECTIVES; i++)
    list_methods(i, &text);
  hd_cli_print(HD_OK, &text);
  return HD_EXIT_OK;
}
