/* heddle schedule SCENARIO: do messages of one slot need the same link?
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char doc[] =
    "Says before a run which messages of a schedule contend: which two, in which slot, for which "
    "link.\v"
    "The schedule is that of program shuffle, by the scenario's parameters, or a file of your own "
    "for the scenario's fabric. The messages are followed through the fabric by its routing "
    "tables. "
    "A schedule without contention blocks no flit, if slots are long enough, all ways have equally "
    "many hops, and buffers are deep enough (docs/endpoint.md).\n"
    "\n"
    "Ends with 0 when nothing contends, 1 when something does.\n"
    "\n"
    "Examples:\n"
    "  heddle schedule tests/scenarios/shuffle-6-to-10.yaml\n"
    "  heddle schedule docs/examples/m-to-n.yaml --set routing.algorithm=d-mod-k\n"
    "  heddle schedule docs/examples/m-to-n.yaml --slots >slots.csv\n"
    "  heddle schedule docs/examples/m-to-n.yaml --messages slots.csv --format csv";

enum { KEY_SET = 256, KEY_SLOTS, SHOWN = 10 };

struct choice {
  const char *scenario, *messages, *format;
  bool slots;
  struct hd_setting settings[HD_CLI_SETTINGS];
  size_t n_settings;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  struct hd_error err = {""};
  switch (key) {
  case 'm':
    choice->messages = arg;
    return 0;
  case 'f':
    if (strcmp(arg, "text") && strcmp(arg, "csv") && strcmp(arg, "json"))
      argp_error(state, "--format %s: must be text, csv or json", arg);
    choice->format = arg;
    return 0;
  case KEY_SLOTS:
    choice->slots = true;
    return 0;
  case KEY_SET:
    if (choice->n_settings == HD_CLI_SETTINGS)
      argp_error(state, "--set %s: at most %d keys can be set", arg, HD_CLI_SETTINGS);
    if (hd_setting_parse(arg, &choice->settings[choice->n_settings++], &err))
      argp_error(state, "--set %s", err.text);
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_one(state, "scenario", "its file", &choice->scenario, arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ── what is printed ───────────────────────────────────────────────────────── */

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

static void add_json(const struct schedule *s, const char *name, const struct hd_topology *t,
                     struct hd_text *text)
{
  hd_text_add(text, "{\"scenario\": ");
  hd_text_add_json(text, name, strlen(name));
  hd_text_add(text, ", \"schedule\": ");
  hd_text_add_json(text, s->about, strlen(s->about));
  hd_text_add(text, ", \"slots\": %" PRIu32 ", \"messages\": %zu, \"contended_slots\": %" PRIu32,
              s->slots, s->n_messages, s->contended_slots);
  if (s->least_slots)
    hd_text_add(text, ", \"least_slots\": %" PRIu32, s->least_slots);
  hd_text_add(text, ",\n \"contention\": [");
  for (size_t i = 0; i < s->n_contention; i++) {
    const struct hd_contention *c = &s->contention[i];
    const struct hd_slot_message *a = &s->messages[c->first], *b = &s->messages[c->second];
    hd_text_add(text,
                "%s\n  {\"slot\": %" PRIu32
                ", \"link\": \"%s\", \"messages\": [{\"source\": %" PRIu32
                ", \"destination\": %" PRIu32 "}, {\"source\": %" PRIu32
                ", \"destination\": %" PRIu32 "}]}",
                i ? "," : "", a->slot, hd_contention_link(t, &c->link).text, a->source,
                a->destination, b->source, b->destination);
  }
  hd_text_add(text, "]}\n");
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

static int show(const struct choice *choice, const struct schedule *s, const char *name,
                const struct hd_topology *topology, struct hd_error *err)
{
  struct hd_text text = {0};
  if (choice->slots)
    add_slots(s, &text);
  else if (!strcmp(choice->format, "csv"))
    add_csv(s, topology, &text);
  else if (!strcmp(choice->format, "json"))
    add_json(s, name, topology, &text);
  else
    add_text(s, name, topology, &text);
  return hd_cli_print("schedule", HD_OK, &text, err);
}

/* ── the command ───────────────────────────────────────────────────────────── */

static int read_scenario(const struct choice *choice, struct hd_scenario *scenario,
                         struct hd_error *err)
{
  char *text = NULL;
  if (!choice->n_settings)
    return hd_scenario_read(scenario, choice->scenario, err);
  int status =
      hd_scenario_set_file(choice->scenario, choice->settings, choice->n_settings, &text, err);
  if (!status)
    status = hd_scenario_parse(scenario, text, strlen(text), choice->scenario, err);
  free(text);
  return status;
}

int hd_cmd_schedule(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"messages", 'm', "FILE", 0, "check these messages: CSV of slot,source,destination", 0},
      {"slots", KEY_SLOTS, NULL, 0, "print all messages as such a file", 0},
      {"format", 'f', "FORMAT", 0, "what contends as text, csv or json (text)", 0},
      {"set", KEY_SET, "KEY=VALUE", 0,
       "set a key of the scenario, as software.parameters.schedule=padded; may be repeated", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "SCENARIO", .doc = doc};
  struct choice choice = {.format = "text"};
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct schedule schedule = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = read_scenario(&choice, &scenario, &err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, &err);
  if (!status)
    status = choice.messages ? schedule_read(&schedule, choice.messages, &err)
                             : schedule_make(&schedule, &scenario, topology.n_nodes, &err);
  if (!status)
    status = schedule_check(&schedule, &topology, &tables, &err);
  if (!status)
    status = show(&choice, &schedule, scenario.name, &topology, &err);
  int code = status                  ? hd_cli_fail(status, &err)
             : schedule.n_contention ? HD_EXIT_DIFFERENT
                                     : HD_EXIT_OK;
  schedule_fini(&schedule);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return code;
}
