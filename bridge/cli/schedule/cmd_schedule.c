/* heddle schedule SCENARIO: tests whether messages contend; with a collective: finds the shortest schedule.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../cli.h"
#include "schedule.h"
#include "schedule_find.h"

#include "../../render/render.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char doc[] =
    "Shows before a run which messages of a schedule contend: which two, in which slot, for which "
    "link. With a COLLECTIVE, finds the fewest steps in which the collective can be done without "
    "contention.\v"
    "With a scenario alone, the schedule is that of program shuffle with the scenario's "
    "parameters, or your own file for the scenario's fabric (--messages). The command follows the "
    "messages through the fabric by its routing tables. A schedule without contention blocks no "
    "flit if slots are long enough, all ways have the same number of hops, and buffers are deep "
    "enough (docs/endpoint.md).\n"
    "\n"
    "NETWORK is a scenario, or a topology with its keys. COLLECTIVE is one-to-all-broadcast (oab), "
    "one-to-all-scatter (oas), all-to-one-gather (aog), all-to-all-broadcast (aab), "
    "all-to-all-scatter (aas), or a CSV file. Each line of the file has the source and the "
    "destinations of a message. docs/schedules.md says more.\n"
    "\n"
    "With --by evolution, an evolutionary algorithm searches for the schedule, as in the paper, "
    "instead of constructions and the solver. It proves nothing. The same seed always gives the "
    "same result. Ctrl-C ends the search and shows the best schedule so far.\n"
    "\n"
    "Exit codes: 0 nothing contends, or no schedule has fewer steps; 1 messages contend; 4 there "
    "may be a schedule of fewer steps.\n"
    "\n"
    "Examples:\n"
    "  heddle schedule tests/scenarios/shuffle-6-to-10.yaml\n"
    "  heddle schedule docs/examples/m-to-n.yaml --set routing.algorithm=d-mod-k\n"
    "  heddle schedule docs/examples/m-to-n.yaml --slots >slots.csv\n"
    "  heddle schedule docs/examples/m-to-n.yaml --messages slots.csv --format csv\n"
    "  heddle schedule omega:k=2,n=3 all-to-all-broadcast\n"
    "  heddle schedule full-binary-tree:n=3 oab --ports all --format svg >oab.svg\n"
    "  heddle schedule clos:n=4,m=3,r=4 pairs.csv --time 60\n"
    "  heddle schedule omega:k=2,n=3 aab --by evolution --seed 7";

enum {
  KEY_SET = 256,
  KEY_ROOT,
  KEY_PORTS,
  KEY_ROUTES,
  KEY_TIME,
  KEY_FAILED,
  KEY_BY,
  KEY_SEED,
  KEY_EVALUATIONS,
  KEY_STEPS,
  SHOWN = 10
};
/* Groups of options that are for one of the requests only. */
enum { FOR_SLOTS = 1, FOR_COLLECTIVES, FOR_EVOLUTION };

/* Options of the command. It checks slots, or finds a schedule; options for the other of these
 * are errors. */
struct choice {
  const char *scenario, *messages, *format;
  /* name of the last option that is only for one of these; NULL: none */
  const char *slots_only, *find_only;
  const char *evolve_only, *search_only;
  bool slots, timed;
  struct schedule_request find;
};

enum {
  PROOF = HD_CLI_TEXT(struct choice, find.proof),
  NO_SOLVER = HD_CLI_FLAG(struct choice, find.no_solver)
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "print text, csv or json; with a collective svg, too (text)", 0},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "set a key of the scenario, such as software.parameters.schedule=padded; may be repeated", 0},
    {NULL, 0, NULL, 0, "Of a scenario's schedule:", FOR_SLOTS},
    {"messages", 'm', "FILE", 0, "check these messages: CSV of slot,source,destination", FOR_SLOTS},
    {"slots", HD_CLI_FLAG(struct choice, slots), NULL, 0,
     "print all messages in the format that --messages reads", FOR_SLOTS},
    {NULL, 0, NULL, 0, "With a collective:", FOR_COLLECTIVES},
    {"root", KEY_ROOT, "NODE", 0, "set the root of one-to-all and all-to-one (0)", FOR_COLLECTIVES},
    {"ports", KEY_PORTS, "PORTS", 0,
     "say how many messages a node sends, and receives, in a step: one, or all: as many as its "
     "switch has links (one)",
     FOR_COLLECTIVES},
    {"routes", KEY_ROUTES, "ROUTES", 0,
     "choose the ways of messages: free (any shortest way) or tables (the way of the network's "
     "routing tables) (free)",
     FOR_COLLECTIVES},
    {"failed", KEY_FAILED, "LINK", 0,
     "leave out this link, such as s3:1, in both directions; may be repeated; needs --routes "
     "free",
     FOR_COLLECTIVES},
    {"time", KEY_TIME, "SECONDS", 0,
     "search for SECONDS after the constructions and a first list schedule (60; 0: no search; "
     "evolution: no limit)",
     FOR_COLLECTIVES},
    {"no-solver", NO_SOLVER, NULL, 0, "do not ask the SAT solver", FOR_COLLECTIVES},
    {"proof", PROOF, "DIR", 0, "keep formulas and proofs in DIR", FOR_COLLECTIVES},
    {"check", HD_CLI_TEXT(struct choice, find.check), "FILE", 0,
     "check the schedule in the CSV file FILE instead of finding one", FOR_COLLECTIVES},
    {"quiet", 'q', NULL, 0, "do not show progress", FOR_COLLECTIVES},
    {NULL, 0, NULL, 0, "With a collective, by evolution:", FOR_EVOLUTION},
    {"by", KEY_BY, "WAY", 0,
     "choose how to find a schedule: search (constructions and solver) or evolution (search)",
     FOR_EVOLUTION},
    {"seed", KEY_SEED, "N", 0, "set the seed of the evolution (1)", FOR_EVOLUTION},
    {"evaluations", KEY_EVALUATIONS, "N", 0,
     "evaluate N schedules for each number of steps (100000); only --time ends this earlier",
     FOR_EVOLUTION},
    {"steps", KEY_STEPS, "N", 0,
     "find a schedule of N steps; without --steps, from the lower bound upwards", FOR_EVOLUTION},
    {0}};

static bool one_of(const char *text, const char *first, const char *second, const char *third,
                   const char *fourth)
{
  return !strcmp(text, first) || !strcmp(text, second) || (third && !strcmp(text, third)) ||
         (fourth && !strcmp(text, fourth));
}

/* Refuses options that do not apply to the request. */
static void check_choice(const struct choice *choice, struct argp_state *state)
{
  if (!choice->find.collective && choice->find_only)
    argp_error(state, "--%s is for finding a schedule; give a collective after the network",
               choice->find_only);
  if (!choice->find.collective && !strcmp(choice->format, "svg"))
    argp_error(state,
               "--format svg is for finding a schedule; give a collective after the network");
  if (choice->evolve_only && !choice->find.by_evolution)
    argp_error(state, "--%s is for an evolution; add --by evolution", choice->evolve_only);
  if (choice->search_only && choice->find.by_evolution)
    argp_error(state, "--%s is for the search; an evolution asks no solver and proves nothing",
               choice->search_only);
  if (choice->find.by_evolution && choice->timed && choice->find.seconds < 1)
    argp_error(state, "--time 0: an evolution needs time; without --time its evaluations end it");
  if (choice->find.by_evolution && choice->find.check)
    argp_error(state, "--check finds nothing, so --by evolution says nothing");
  if (choice->find.collective && choice->slots_only)
    argp_error(state, "--%s is for the schedule of a scenario, without a collective",
               choice->slots_only);
}

/* Notes for which request the option is, by its group. */
static void note_request(struct choice *choice, int key)
{
  const struct argp_option *option = options;
  while (option->key != key && (option->name || option->doc))
    option++;
  if (!option->name)
    return;
  if (option->group == FOR_SLOTS)
    choice->slots_only = option->name;
  if (option->group >= FOR_COLLECTIVES)
    choice->find_only = option->name;
  if (option->group == FOR_EVOLUTION && key != KEY_BY)
    choice->evolve_only = option->name;
  if (key == PROOF || key == NO_SOLVER)
    choice->search_only = option->name;
}

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('m', HD_CLI_TEXT(struct choice, messages)),
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct choice, find.quiet)),
    HD_CLI_NUMBER(KEY_SEED, struct choice, find.seed, "--seed", 0, UINT32_MAX),
    HD_CLI_NUMBER(KEY_EVALUATIONS, struct choice, find.evaluations, "--evaluations", 1,
                  1000000000000),
    HD_CLI_NUMBER(KEY_STEPS, struct choice, find.steps, "--steps", 1, UINT16_MAX),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  struct schedule_request *find = &choice->find;
  note_request(choice, key);
  switch (key) {
  case 'f':
    if (!one_of(arg, "text", "csv", "json", "svg"))
      argp_error(state, "--format %s: must be text, csv or json, or svg with a collective", arg);
    choice->format = arg;
    return 0;
  case KEY_ROOT:
    find->root = (uint32_t)hd_cli_number(state, "--root", arg, 0, UINT16_MAX);
    find->root_given = true;
    return 0;
  case KEY_PORTS:
    if (!one_of(arg, "one", "all", NULL, NULL))
      argp_error(state, "--ports %s: must be one or all", arg);
    find->all_port = !strcmp(arg, "all");
    return 0;
  case KEY_ROUTES:
    if (!one_of(arg, "free", "tables", NULL, NULL))
      argp_error(state, "--routes %s: must be free or tables", arg);
    find->by_tables = !strcmp(arg, "tables");
    return 0;
  case KEY_TIME:
    find->seconds = (double)hd_cli_number(state, "--time", arg, 0, 10000000);
    choice->timed = true;
    return 0;
  case KEY_FAILED:
    if (find->n_failed == SCHEDULE_MOST_FAILED)
      argp_error(state, "--failed %s: at most %d links can be given", arg, SCHEDULE_MOST_FAILED);
    find->failed[find->n_failed++] = arg;
    return 0;
  case KEY_BY:
    if (!one_of(arg, "search", "evolution", NULL, NULL))
      argp_error(state, "--by %s: must be search or evolution", arg);
    find->by_evolution = !strcmp(arg, "evolution");
    return 0;
  case KEY_SET:
    hd_cli_setting(state, arg, find->settings, &find->n_settings);
    return 0;
  case ARGP_KEY_ARG:
    if (choice->scenario && !find->collective) {
      find->collective = arg;
      return 0;
    }
    /* fall through */
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "scenario", "its file", &choice->scenario, arg);
    return 0;
  case ARGP_KEY_SUCCESS:
    check_choice(choice, state);
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

/* ── output ──────────────────────────────────────────────────────────────────── */

static void add_slots(const struct schedule *s, struct hd_text *text)
{
  hd_text_add(text, "slot,source,destination\n");
  for (size_t i = 0; i < s->n_messages; i++)
    hd_text_add(text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", s->messages[i].slot,
                s->messages[i].source, s->messages[i].destination);
}

static void add_csv(const struct schedule *s, const struct hd_topology *t, struct hd_text *text)
{
  hd_text_add(text, "slot,link,source,destination,other_source,other_destination\n");
  for (size_t i = 0; i < s->n_contention; i++) {
    const struct hd_contention *c = &s->contention[i];
    const struct hd_slot_message *a = &s->messages[c->first], *b = &s->messages[c->second];
    hd_text_add(text, "%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", a->slot,
                hd_contention_link(t, &c->link).text, a->source, a->destination, b->source,
                b->destination);
  }
}

static int add_json(const struct schedule *s, const char *name, const struct hd_topology *t,
                    struct hd_text *text, struct hd_error *err)
{
  json_t *contention = json_array();
  for (size_t i = 0; i < s->n_contention; i++) {
    const struct hd_contention *c = &s->contention[i];
    const struct hd_slot_message *a = &s->messages[c->first], *b = &s->messages[c->second];
    json_array_append_new(contention,
                          json_pack("{s:i,s:s,s:[{s:i,s:i},{s:i,s:i}]}", "slot", (int)a->slot,
                                    "link", hd_contention_link(t, &c->link).text, "messages",
                                    "source", (int)a->source, "destination", (int)a->destination,
                                    "source", (int)b->source, "destination", (int)b->destination));
  }
  json_t *json = json_pack("{s:o,s:o,s:i,s:I,s:i,s:o}", "scenario", hd_json_string(name),
                           "schedule", hd_json_string(s->about), "slots", (int)s->slots, "messages",
                           (json_int_t)s->n_messages, "contended_slots", (int)s->contended_slots,
                           "contention", contention);
  if (s->least_slots)
    json_object_set_new(json, "least_slots", json_integer(s->least_slots));
  return hd_json_add(json, 0, text, err);
}

static void add_text(const struct schedule *s, const char *name, const struct hd_topology *t,
                     struct hd_text *text)
{
  hd_text_add(text, "%s: %s\n  slots               %" PRIu32, name, s->about, s->slots);
  if (s->least_slots)
    hd_text_add(text, "; no schedule takes fewer than %" PRIu32, s->least_slots);
  hd_text_add(text, "\n  messages            %zu\n  contention          ", s->n_messages);
  if (!s->n_contention) {
    hd_text_add(text, "none\n");
    return;
  }
  hd_text_add(text, "%zu times, in %" PRIu32 " of %" PRIu32 " slots\n", s->n_contention,
              s->contended_slots, s->slots);
  for (size_t i = 0; i < s->n_contention && i < SHOWN; i++) {
    const struct hd_contention *c = &s->contention[i];
    const struct hd_slot_message *a = &s->messages[c->first], *b = &s->messages[c->second];
    hd_text_add(text,
                "    slot %-14" PRIu32 " n%" PRIu32 " to n%" PRIu32 " and n%" PRIu32 " to n%" PRIu32
                ": link %s\n",
                a->slot, a->source, a->destination, b->source, b->destination,
                hd_contention_link(t, &c->link).text);
  }
  if (s->n_contention > SHOWN)
    hd_text_add(text, "    and %zu more; --format csv lists all\n", s->n_contention - SHOWN);
}

static int print_schedule(const struct choice *choice, const struct schedule *s, const char *name,
                          const struct hd_topology *topology, struct hd_error *err)
{
  struct hd_text text = {0};
  int status = HD_OK;
  if (choice->slots)
    add_slots(s, &text);
  else if (!strcmp(choice->format, "csv"))
    add_csv(s, topology, &text);
  else if (!strcmp(choice->format, "json"))
    status = add_json(s, name, topology, &text, err);
  else
    add_text(s, name, topology, &text);
  return hd_cli_print(status, &text);
}

/* ── the command ───────────────────────────────────────────────────────────── */

/* Refuses a network without fixed routes, since which links its messages share is not known. */
static int no_links(const struct hd_scenario *scenario, const struct hd_tables *tables,
                    struct hd_error *err)
{
  return hd_fail(
      err, HD_E_INPUT,
      "%s:%" PRIu32
      ": routing.algorithm: with %s, %s; so contention is not known before a run; run it "
      "and see its blocked flit-cycles, or take a routing by which all packets of two "
      "nodes go the same way",
      scenario->path, hd_scenario_line(scenario, "routing.algorithm"),
      hd_routing_kind_name(scenario->routing.algorithm),
      !tables->sets ? "each packet goes by a node that it draws" : "packets choose among links");
}

static int check_slots(const struct choice *choice)
{
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct schedule schedule = {0};
  struct hd_error err = {0};
  int status = schedule_scenario(&scenario, choice->scenario, choice->find.settings,
                                 choice->find.n_settings, &err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, &err);
  if (!status)
    status = choice->messages ? schedule_read(&schedule, choice->messages, &err)
                              : schedule_make(&schedule, &scenario, topology.n_nodes, &err);
  if (!status && !hd_routing_is_fixed(&tables))
    status = no_links(&scenario, &tables, &err);
  if (!status)
    status = schedule_check(&schedule, &topology, &tables, &err);
  if (!status)
    status = print_schedule(choice, &schedule, scenario.name, &topology, &err);
  int code = status                  ? hd_cli_fail(status, &err)
             : schedule.n_contention ? HD_EXIT_DIFFERENT
                                     : HD_EXIT_OK;
  schedule_fini(&schedule);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return code;
}

int hd_cmd_schedule(int argc, char **argv)
{
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "SCENARIO\nNETWORK COLLECTIVE", .doc = doc};
  struct choice choice = {.format = "text",
                          .find = {.seconds = 60, .seed = 1, .evaluations = 100000}};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.find.by_evolution && !choice.timed)
    choice.find.seconds = 0;
  choice.find.network = choice.scenario;
  choice.find.format = choice.format;
  return choice.find.collective ? schedule_find(&choice.find) : check_slots(&choice);
}
