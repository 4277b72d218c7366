/* heddle topo SCENARIO: describes the fabric and its ways.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../backends/rtl/dut_sources.h"
#include "../graphs/graphs.h"
#include "../page/topo_svg.h"
#include "../report/report_topo.h"

#include <string.h>

static const char doc[] =
    "Shows a scenario's fabric: counts, diameter, bisection and deadlock rule. With options, shows "
    "its links, a drawing, or the way of a packet.\v"
    "--links writes a graph file, and --routes writes one with routing tables. You can change such "
    "a file and use it as a fabric, with fabric.topology: graph. `heddle scenario fabric.file` "
    "lists all formats.\n"
    "\n"
    "Examples:\n"
    "  heddle topo tests/scenarios/mesh-8x8-uniform.yaml\n"
    "  heddle topo tests/scenarios/shuffle-6-to-10.yaml --path 0:13\n"
    "  heddle topo tests/scenarios/shuffle-6-to-10.yaml --links dot\n"
    "  heddle topo tests/scenarios/shuffle-6-to-10.yaml --routes >tree.csv\n"
    "  heddle topo tests/scenarios/shuffle-6-to-10.yaml --svg >tree.svg";

struct choice {
  const char *scenario, *links;
  bool path, parameters, svg, routes;
  uint32_t source, by, destination;
};

static void parse_path(struct choice *choice, const char *text, struct argp_state *state)
{
  unsigned n[3];
  char end;
  int numbers = sscanf(text, "%u:%u:%u%c", &n[0], &n[1], &n[2], &end);
  if (numbers < 2 || numbers > 3 || strspn(text, "0123456789:") != strlen(text) ||
      text[strlen(text) - 1] == ':')
    argp_error(state,
               "--path %s: must be node numbers, SOURCE:DESTINATION or SOURCE:BY:DESTINATION",
               text);
  choice->source = n[0];
  choice->by = numbers == 3 ? n[1] : n[0];
  choice->destination = n[numbers - 1];
  choice->path = true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case 'p':
    parse_path(choice, arg, state);
    return 0;
  case 'l':
    if (strcmp(arg, "csv") && strcmp(arg, "dot") && strcmp(arg, "json"))
      argp_error(state, "--links %s: must be csv, dot or json", arg);
    choice->links = arg;
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "scenario", "its file", &choice->scenario, arg);
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

/* Adds the parameters in one line, for the command line of Verilator and other tools. */
static void list_parameters(const struct hd_switch_params *params, struct hd_text *text)
{
  char parameters[HD_SWITCH_PARAMS][32];
  size_t n = hd_switch_parameters(params, parameters);
  for (size_t i = 0; i < n; i++)
    hd_text_add(text, "%s%s", parameters[i], i + 1 < n ? " " : "\n");
}

static int print_topology(const struct choice *choice, const struct hd_scenario *scenario,
                          const struct hd_topology *topology, const struct hd_tables *tables,
                          struct hd_error *err)
{
  struct hd_text text = {0};
  int status = HD_OK;
  if (choice->path)
    status = hd_topo_path(topology, tables, scenario->sw.vcs, choice->source, choice->by,
                          choice->destination, &text, err);
  else if (choice->parameters)
    list_parameters(&scenario->sw, &text);
  else if (choice->svg)
    hd_topo_svg(topology, scenario->name, &text);
  else if (choice->routes && topology->n_nodes > HD_MAX_NODES)
    status = hd_fail(err, HD_E_INPUT,
                     "--routes: the fabric has %u nodes; a graph file has routes to at most %d",
                     topology->n_nodes, HD_MAX_NODES);
  else if (choice->routes)
    hd_topo_routes(topology, tables, scenario->sw.vcs, &text);
  else if (!choice->links)
    status = hd_topo_summary(scenario, topology, tables, &text, err);
  else if (!strcmp(choice->links, "csv"))
    hd_graph_add_csv(topology, &text);
  else if (!strcmp(choice->links, "dot"))
    hd_topo_dot(topology, scenario->name, &text);
  else
    status = hd_topo_json(topology, scenario->name, &text, err);
  return hd_cli_print(status, &text);
}

int hd_cmd_topo(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"path", 'p', "SOURCE:DESTINATION", 0,
       "show the way of a packet between two nodes; SOURCE:BY:DESTINATION for routings that send "
       "packets by way of a third node",
       0},
      {"links", 'l', "FORMAT", 0, "print all links as csv, dot or json", 0},
      {"routes", HD_CLI_FLAG(struct choice, routes), NULL, 0,
       "print all links and routing table entries as a graph file", 0},
      {"svg", HD_CLI_FLAG(struct choice, svg), NULL, 0,
       "draw switches, links and nodes; for routing tables see --routes and --path", 0},
      {"parameters", HD_CLI_FLAG(struct choice, parameters), NULL, 0,
       "print the parameters of the switch's Verilog, on one line", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "SCENARIO", .doc = doc};
  struct choice choice = {0};
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = hd_scenario_read(&scenario, choice.scenario, &err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, &err);
  if (!status)
    status = print_topology(&choice, &scenario, &topology, &tables, &err);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
