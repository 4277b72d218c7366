/* The rigs, and the order in which their stimuli are tried.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rig.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tree_2_3(struct hd_topology *t, struct hd_error *err)
{
  return hd_topology_tree(t, 2, 3, err);
}

/* Two switches with a link at port 11 and eleven nodes each. */
static int two_stars(struct hd_topology *t, struct hd_error *err)
{
  char text[512] = "s0:11,s1:11\n";
  size_t used = strlen(text);
  for (unsigned node = 0; node < 22; node++)
    used += (size_t)snprintf(text + used, sizeof text - used, "s%u,n%u\n", node / 11, node);
  return hd_topology_graph(t, text, used, "two stars", err);
}

/* Six switches, two without nodes, in a ring with a chord: branches meet where no member is. */
static int ring(struct hd_topology *t, struct hd_error *err)
{
  static const char text[] = "s0,s1\ns1,s2\ns2,s3\ns3,s4\ns4,s5\ns5,s0\ns1,s4\n"
                             "n0,s0\nn1,s2\nn2,s3\nn3,s5\nn4,s5\n";
  return hd_topology_graph(t, text, sizeof text - 1, "ring", err);
}

/* ── the list ──────────────────────────────────────────────────────────────── */

static const struct {
  const char *name;
  int (*build)(struct hd_topology *t, struct hd_error *err);
} topologies[] = {{"tree-2-3", tree_2_3}, {"two-stars", two_stars}, {"ring", ring}};

static struct rig *rigs;
static unsigned n_rigs;
static size_t capacity;

/* The number of the word in the list of names that `name` gives, UINT32_MAX: it is not there. */
static uint32_t word(const char *value, const char *(*name)(uint32_t number))
{
  for (uint32_t i = 0; name(i); i++)
    if (!strcmp(name(i), value))
      return i;
  return UINT32_MAX;
}

static const char *routing_name(uint32_t number)
{
  return number < HD_ROUTINGS ? hd_routing_kind_name(number) : NULL;
}

static const char *adaptive_name(uint32_t number)
{
  return number ? hd_congestion_name(number - HD_ADAPTIVE_CREDITS) : "none";
}

static uint32_t value_of(const char *key, const char *value)
{
  char *end;
  const uint32_t number = (uint32_t)strtoul(value, &end, 10);
  return !*end                     ? number
         : !strcmp(key, "barrier") ? word(value, hd_barrier_name)
                                   : word(value, adaptive_name);
}

/* False: there is no such key or value. */
static bool set(struct rig *r, const char *key, const char *value)
{
  const struct {
    const char *key;
    uint32_t *at;
  } numbers[] = {{"link_cycles", &r->link_cycles},
                 {"longest_flits", &r->longest_flits},
                 {"barrier_idle_cycles", &r->barrier_idle_cycles}};
  if (!strcmp(key, "mesh"))
    return sscanf(value, "%" SCNu32 "x%" SCNu32, &r->mesh[0], &r->mesh[1]) > 0;
  for (size_t i = 0; !strcmp(key, "topology") && i < sizeof topologies / sizeof *topologies; i++)
    if (!strcmp(value, topologies[i].name))
      r->topology = topologies[i].build;
  if (!strcmp(key, "topology"))
    return r->topology != NULL;
  if (!strcmp(key, "routing")) {
    const uint32_t routing = word(value, routing_name);
    r->routing = (enum hd_routing_kind)routing;
    return routing != UINT32_MAX;
  }
  const uint32_t number = value_of(key, value);
  bool is_known = false;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!strcmp(key, numbers[i].key)) {
      *numbers[i].at = number;
      is_known = true;
    }
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (!strcmp(key, hd_switch_param_list[i].name)) {
      hd_switch_param_set(&r->sw, i, number);
      is_known = true;
    }
  return is_known && number != UINT32_MAX;
}

static void begin_rig(char *line)
{
  const size_t name = strcspn(line, " ");
  HD_XROOM(rigs, capacity, n_rigs, 1);
  rigs[n_rigs++] =
      (struct rig){.name = hd_xstrndup(line, name), .about = hd_xstrdup(line + name + 1)};
}

int rigs_read(const char *path, struct hd_error *err)
{
  char *text = NULL, *rest = NULL;
  size_t length;
  int status = hd_file_read(path, &text, &length, err);
  for (char *line = status ? NULL : strtok_r(text, "\n", &rest); line && !status;
       line = strtok_r(NULL, "\n", &rest)) {
    char *words = NULL;
    if (!strncmp(line, "rig ", 4))
      begin_rig(line + 4);
    for (char *w = *line == ' ' && n_rigs ? strtok_r(line, " ", &words) : NULL; w && !status;
         w = strtok_r(NULL, " ", &words)) {
      char *value = strchr(w, '=');
      if (value)
        *value++ = '\0';
      if (!value || !set(&rigs[n_rigs - 1], w, value))
        status = hd_fail(err, HD_E_INPUT, "%s: rig %s: %s=%s", path, rigs[n_rigs - 1].name, w,
                         value ? value : "");
    }
  }
  free(text);
  return status;
}

const struct rig *rig_at(unsigned index)
{
  return index < n_rigs ? &rigs[index] : NULL;
}

const struct rig *rig_find(const char *name)
{
  for (unsigned i = 0; i < n_rigs; i++)
    if (!strcmp(rigs[i].name, name))
      return &rigs[i];
  return NULL;
}

/* ── stimuli ───────────────────────────────────────────────────────────────── */

/* Some are for hardware that only some rigs have. */
static bool fits(const struct rig *rig, enum stream_kind kind)
{
  return kind == STREAM_NARROW || kind == STREAM_WIDE ? rig->sw.barrier != 0
         : kind == STREAM_CODER                       ? rig->sw.code_places != 0
         : kind == STREAM_TREES                       ? rig->sw.values != 0
                                                      : true;
}

int rig_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options, uint64_t seed,
            struct finding *finding, struct hd_error *err)
{
  static const char *const names[] = {"fabric",       "stream", "illegal stream", "narrow stream",
                                      "wide stream",  "errors", "clears",         "edges",
                                      "coder stream", "sinks",  "trees",          "registers"};
  static const enum stream_kind kinds[] = {
      STREAM_LEGAL,  STREAM_ILLEGAL, STREAM_NARROW, STREAM_WIDE,  STREAM_ERRORS,
      STREAM_CLEARS, STREAM_EDGES,   STREAM_CODER,  STREAM_SINKS, STREAM_TREES};
  enum { STREAMS = sizeof kinds / sizeof *kinds };
  uint64_t compared = 0;
  int status = 0;
  for (unsigned i = 0; !status && i < sizeof names / sizeof *names; i++) {
    *finding = (struct finding){0};
    if (i == 0)
      status =
          rig->topology || rig->mesh[0] ? fabric_try(rig, dut, options, seed, finding, err) : 0;
    else if (i > STREAMS)
      status = registers_try(rig, dut, options, finding, err);
    else if (fits(rig, kinds[i - 1]))
      status = stream_try(rig, dut, options, seed, kinds[i - 1], finding, err);
    compared += finding->compared;
    if (finding->decoupled.difference || finding->closed.difference) {
      finding->stimulus = names[i];
      break;
    }
  }
  finding->compared = compared;
  return status;
}
