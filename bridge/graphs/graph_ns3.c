/* Reads networks of ASTRA-sim and of HPCC's ns-3: `nodes switches links`, then the switches' numbers, then a line for each link with ends, rate, delay and error rate.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A machine with one link, to a switch, is a node. Any other machine is a switch with a node on it.
 * A link that is N times as fast as the slowest one becomes N links, unless it leads to a node or N
 * is not whole.
 */
#include "graph_reader.h"

#include "../../cmodel/switch/params.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link {
  uint32_t end[2];
  double rate; /* bits per second */
};

struct network {
  struct hd_graph_words words;
  uint32_t n, n_links;
  bool *is_switch;
  uint32_t *degree, *neighbour;
  struct link *links;
  double slowest;
};

static int next_number(struct network *net, const char *what, uint32_t most, uint32_t *number,
                       struct hd_error *err)
{
  if (!hd_graph_word(&net->words))
    return hd_graph_fail(&net->words, err, "the file ends before %s", what);
  if (!hd_graph_number(&net->words, most, number))
    return hd_graph_fail(&net->words, err, "\"%s\": %s; legal: a whole number, 0 … %" PRIu32,
                         net->words.word, what, most);
  return HD_OK;
}

/* "400Gbps" */
static bool parse_rate(const char *word, double *rate)
{
  static const struct {
    const char *unit;
    double bits;
  } units[] = {{"bps", 1}, {"Kbps", 1e3}, {"Mbps", 1e6}, {"Gbps", 1e9}, {"Tbps", 1e12}};
  char *unit;
  *rate = strtod(word, &unit);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (!strcmp(unit, units[i].unit)) {
      *rate *= units[i].bits;
      return *rate > 0;
    }
  return false;
}

static int read_head(struct network *net, struct hd_error *err)
{
  uint32_t switches = 0, number;
  int status =
      next_number(net, "the number of machines and switches", HD_MAX_SWITCHES, &net->n, err);
  if (!status && !net->n)
    status = hd_graph_fail(&net->words, err, "no machine and no switch");
  if (!status)
    status = next_number(net, "the number of switches", net->n, &switches, err);
  if (!status)
    status =
        next_number(net, "the number of links", HD_MAX_SWITCHES * HD_MAX_PORTS, &net->n_links, err);
  net->is_switch = hd_xcalloc(net->n + 1, sizeof *net->is_switch);
  net->degree = hd_xcalloc(net->n + 1, sizeof *net->degree);
  net->neighbour = hd_xcalloc(net->n + 1, sizeof *net->neighbour);
  for (uint32_t i = 0; i < switches && !status; i++) {
    status = next_number(net, "the number of a switch", net->n - 1, &number, err);
    if (!status)
      net->is_switch[number] = true;
  }
  return status;
}

static int read_link(struct network *net, struct link *link, struct hd_error *err)
{
  for (int e = 0; e < 2; e++) {
    int status = next_number(net, "an end of a link", net->n - 1, &link->end[e], err);
    if (status)
      return status;
    net->degree[link->end[e]]++;
  }
  for (int e = 0; e < 2; e++)
    net->neighbour[link->end[e]] = link->end[!e];
  if (!hd_graph_word(&net->words) || !parse_rate(net->words.word, &link->rate))
    return hd_graph_fail(&net->words, err, "\"%s\": the rate of a link; legal: as 400Gbps",
                         net->words.word);
  for (int i = 0; i < 2; i++)
    if (!hd_graph_word(&net->words) || net->words.begins)
      return hd_graph_fail(&net->words, err,
                           "a line is: two ends, rate, delay and error rate of a link");
  if (!net->slowest || link->rate < net->slowest)
    net->slowest = link->rate;
  return HD_OK;
}

static int read_links(struct network *net, struct hd_error *err)
{
  size_t capacity = 0;
  for (uint32_t i = 0; i < net->n_links; i++) {
    HD_XROOM(net->links, capacity, i, 1);
    int status = read_link(net, &net->links[i], err);
    if (status)
      return status;
  }
  return hd_graph_word(&net->words)
             ? hd_graph_fail(&net->words, err, "line 1 says %s, and more follows",
                             hd_count(net->n_links, "link").text)
             : HD_OK;
}

static void give_vertices(const struct network *net, const struct hd_graph_sink *sink)
{
  char name[24];
  for (uint32_t i = 0; i < net->n; i++) {
    bool is_node = !net->is_switch[i] && net->degree[i] == 1 && net->is_switch[net->neighbour[i]];
    snprintf(name, sizeof name, "%s %" PRIu32, net->is_switch[i] ? "switch" : "machine", i);
    sink->vertex(sink->context, &(struct hd_graph_vertex){name, is_node ? "node" : NULL,
                                                          is_node || net->is_switch[i] ? 0 : 1});
  }
}

/* Returns the number of links of the fabric that this link becomes. */
static uint32_t copies(const struct network *net, const struct link *link)
{
  double times = link->rate / net->slowest;
  uint32_t whole = times < HD_MAX_PORTS ? (uint32_t)(times + 0.5) : 1;
  bool at_node = !net->is_switch[link->end[0]] && net->degree[link->end[0]] == 1;
  at_node |= !net->is_switch[link->end[1]] && net->degree[link->end[1]] == 1;
  return at_node || times - whole > 1e-6 || whole - times > 1e-6 ? 1 : whole;
}

int hd_graph_read_ns3(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                      struct hd_error *err)
{
  struct network net = {.words = {.text = text}};
  int status = read_head(&net, err);
  if (!status)
    status = read_links(&net, err);
  if (!status)
    give_vertices(&net, sink);
  for (uint32_t i = 0; i < net.n_links && !status; i++)
    for (uint32_t c = copies(&net, &net.links[i]); c; c--)
      sink->edge(sink->context, &(struct hd_graph_edge){net.links[i].end[0], net.links[i].end[1],
                                                        -1, -1, false, false, 0});
  free(net.is_switch);
  free(net.degree);
  free(net.neighbour);
  free(net.links);
  return status;
}
