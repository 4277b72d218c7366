/* Implements the hooks of endpoint software with a fabric and its manager.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "software.h"
#include "../host/memory.h"
#include "software_network.h"

#include <stdlib.h>

struct hd_software {
  struct hd_world *world;
  struct hd_manager *manager;
  struct hd_barrier_watch *watch;
  const struct hd_topology *topology;
  uint32_t data_bits;
  struct hd_fabric *fabric; /* the fabric of the current cycle; NULL before the first one */
  struct hd_error error;    /* error of a hook that cannot return one */
  void *context;
  int (*sent)(void *context, const struct hd_packet *packet, uint32_t number, uint64_t cycle,
              struct hd_error *err);
  void (*full)(void *context, const struct hd_full_table *table);
};

/* ── packets ──────────────────────────────────────────────────────────────── */

/* Tests that nodes can send to themselves if the software needs it; tables may have no route for
 * that (§4.3). */
static int check_return(struct hd_software *s, const struct hd_world_packet *sent)
{
  uint16_t path[64];
  if (!sent->bare || sent->source != sent->destination ||
      hd_routing_path(hd_manager_tables(s->manager), s->topology, sent->source, sent->source, path,
                      64, NULL) >= 0)
    return HD_OK;
  return hd_fail(&s->error, HD_E_INPUT,
                 "node %u sends a packet to itself, and its switch has no table entry for that",
                 sent->source);
}

_Static_assert((int)HD_PRIORITIES == HD_EP_PRIORITIES, "as software knows them");

static int send(void *context, const struct hd_world_packet *sent)
{
  struct hd_software *s = context;
  struct hd_packet packet = {.source = sent->source,
                             .destination = sent->destination,
                             .network = sent->network,
                             .traffic_class = sent->traffic_class,
                             .priority = sent->priority,
                             .flits = sent->flits,
                             .payload = sent->payload,
                             .header = sent->header,
                             .raw_header = sent->way || sent->to,
                             .to = sent->to,
                             .bare = sent->bare};
  uint32_t number;
  int status = check_return(s, sent);
  if (!status && sent->way)
    status = hd_routing_way_header(s->topology, s->data_bits, sent->source, sent->destination,
                                   sent->way->ports, sent->way->n, &packet.header, &s->error);
  if (!status)
    status = hd_fabric_send(s->fabric, &packet, &number, &s->error);
  if (status || !s->sent)
    return status;
  return s->sent(s->context, &packet, number, hd_fabric_cycle(s->fabric), &s->error);
}

static int hold_node(void *context, uint32_t node, uint64_t cycles)
{
  struct hd_software *s = context;
  return hd_fabric_hold(s->fabric, node, cycles, &s->error);
}

static bool describe_sending(void *context, uint32_t node, struct hd_world_sending *sending)
{
  const struct hd_software *s = context;
  struct hd_sending first;
  if (!s->fabric || !hd_fabric_sending(s->fabric, node, &first))
    return false;
  *sending = (struct hd_world_sending){first.destination, first.packets, first.starved};
  return true;
}

/* ── the network ──────────────────────────────────────────────────────────── */

static int describe_link(void *context, uint32_t source, uint32_t destination,
                         struct hd_ep_link *link)
{
  const struct hd_software *s = context;
  hd_manager_link(s->manager, source, destination, link);
  return HD_OK;
}

static int describe_barrier_link(void *context, const uint32_t *members, uint32_t n,
                                 uint32_t center, uint32_t member, struct hd_ep_link *link)
{
  const struct hd_software *s = context;
  hd_manager_barrier_link(s->manager, members, n, center, member, link);
  return HD_OK;
}

static int order_nodes(void *context, int *nodes)
{
  const struct hd_software *s = context;
  hd_manager_order(s->manager, nodes);
  return HD_OK;
}

static bool describe_grid(void *context, struct hd_ep_grid *grid)
{
  const struct hd_software *s = context;
  return hd_run_grid(s->topology, grid);
}

static int find_schedule(void *context, const struct hd_ep_schedule_request *request,
                         struct hd_ep_schedule *schedule, struct hd_ep_transfer **transfers)
{
  struct hd_software *s = context;
  struct hd_error err = {""}; /* a search that succeeds can write a message, too */
  int status = hd_run_schedule(s->topology, hd_manager_tables(s->manager), request, schedule,
                               transfers, &err);
  if (status)
    s->error = err;
  return status;
}

/* ── barriers ─────────────────────────────────────────────────────────────── */

static int find_middle(void *context, const uint32_t *members, uint32_t n, uint32_t *place)
{
  struct hd_software *s = context;
  return hd_manager_middle(s->manager, members, n, place, &s->error);
}

static int open_group(void *context, uint32_t number, const uint32_t *members, uint32_t n,
                      uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *opened)
{
  struct hd_software *s = context;
  int status = hd_manager_open(s->manager, number, members, n, center, ready, opened, &s->error);
  if (status || *opened != HD_EP_BARRIER_PASSED)
    return status;
  const struct hd_manager_group group = hd_manager_group(s->manager, number);
  hd_barrier_watch_open(s->watch, number, &group);
  return HD_OK;
}

static int close_group(void *context, uint32_t number, uint64_t *done)
{
  struct hd_software *s = context;
  hd_barrier_watch_close(s->watch, number);
  return hd_manager_close(s->manager, number, done, &s->error);
}

_Static_assert((int)HD_EP_REDUCE_SUM == HD_BARRIER_SUM &&
                   (int)HD_EP_REDUCE_MINIMUM == HD_BARRIER_MINIMUM &&
                   (int)HD_EP_REDUCE_MAXIMUM == HD_BARRIER_MAXIMUM,
               "software names what switches do (specification §8.14)");

static int send_arrival(void *context, uint32_t node, uint32_t number,
                        enum hd_ep_reduction reduction, uint32_t value)
{
  struct hd_software *s = context;
  const uint64_t message = hd_barrier_valued(hd_barrier_local(HD_REDUCE, number), reduction, value);
  int status = hd_fabric_barrier_send(s->fabric, node, message, &s->error);
  if (!status)
    hd_barrier_watch_arrive(s->watch, s->fabric, number);
  return status;
}

static uint64_t software_barrier_ready(void *context)
{
  const struct hd_software *s = context;
  return hd_manager_ready(s->manager);
}

static int answer_barrier(struct hd_software *s, const struct hd_fabric *fabric, uint32_t node,
                          uint32_t group, const struct hd_world_answer *answer, uint64_t cycle,
                          struct hd_error *err)
{
  int status = hd_world_barrier(s->world, node, group, answer, cycle, err);
  if (!status)
    hd_barrier_watch_release(s->watch, fabric, group, answer->failed, cycle);
  return status;
}

static int release_member(struct hd_software *s, const struct hd_fabric *fabric,
                          const struct hd_barrier_delivery *d, uint64_t cycle, struct hd_error *err)
{
  uint32_t group = (uint32_t)d->message >> 4 & 31;
  const struct hd_world_answer answer = {
      .failed = (d->message & 3) == HD_FAIL,
      .reduction = (enum hd_ep_reduction)hd_barrier_operator_of(d->message),
      .result = hd_barrier_value_of(d->message)};
  if (answer.failed && hd_manager_renews(s->manager, group))
    return HD_OK; /* the group is created anew, and the member arrives again */
  return answer_barrier(s, fabric, d->node, group, &answer, cycle, err);
}

/* ── chains of coders ──────────────────────────────────────────────────────── */

static int open_chain(void *context, uint32_t node, uint32_t places, uint32_t *first,
                      uint64_t *ready, enum hd_ep_chain_status *opened)
{
  struct hd_software *s = context;
  return hd_manager_chain_open(s->manager, node, places, first, ready, opened, &s->error);
}

static int close_chain(void *context, uint32_t node, uint32_t first, uint32_t places,
                       uint64_t *done, bool *open)
{
  struct hd_software *s = context;
  return hd_manager_chain_close(s->manager, node, first, places, done, open, &s->error);
}

/* ── multicast ────────────────────────────────────────────────────────────── */

static int open_multicast(void *context, uint32_t tree, const uint32_t *members, uint32_t n,
                          uint64_t *ready)
{
  struct hd_software *s = context;
  return hd_manager_multicast_open(s->manager, tree, members, n, ready, &s->error);
}

static int close_multicast(void *context, uint32_t tree)
{
  struct hd_software *s = context;
  return hd_manager_multicast_close(s->manager, tree, &s->error);
}

/* ── callbacks of the manager ───────────────────────────────────────────────── */

static uint64_t barriers_over(void *context)
{
  const struct hd_software *s = context;
  struct hd_world_counters counters;
  hd_world_counters(s->world, &counters);
  return counters.barriers;
}

static void end_group(void *context, uint32_t group, enum hd_ep_barrier_status why, uint64_t cycle)
{
  struct hd_software *s = context;
  hd_world_barrier_end(s->world, group, why, cycle);
}

static bool software_first_round_over(void *context, uint32_t group)
{
  const struct hd_software *s = context;
  return hd_world_first_round_over(s->world, group);
}

static int renew_group(void *context, uint32_t number, uint64_t cycle, struct hd_error *err)
{
  struct hd_software *s = context;
  const struct hd_manager_group group = hd_manager_group(s->manager, number);
  const struct hd_world_answer released = {.failed = false}; /* the first round has no value */
  int status = HD_OK;
  for (uint32_t i = 0; i < group.n && !status; i++)
    switch (hd_world_owed(s->world, number, group.members[i])) {
    case HD_WORLD_OWED_RELEASE:
      status = answer_barrier(s, s->fabric, group.members[i], number, &released, cycle, err);
      break;
    case HD_WORLD_OWED_ARRIVAL:
      status = hd_fabric_barrier_send(s->fabric, group.members[i],
                                      hd_barrier_local(HD_REDUCE, number), err);
      break;
    case HD_WORLD_OWED_NOTHING:
      break;
    }
  hd_world_first_round_restart(s->world, number);
  return status;
}

static void report_full_table(void *context, const struct hd_full_table *table)
{
  const struct hd_software *s = context;
  if (s->full)
    s->full(s->context, table);
}

/* ── creation ───────────────────────────────────────────────────────────────── */

void hd_software_of_scenario(struct hd_software_params *params, const struct hd_scenario *s,
                             const struct hd_topology *topology, const struct hd_tables *tables)
{
  *params = (struct hd_software_params){
      .manager = {.topology = topology,
                  .tables = tables,
                  .sw = s->sw,
                  .link_cycles = s->fabric.link_cycles,
                  .goes_around = hd_routings[s->routing.algorithm]->goes_around},
      .faults = s->faults,
      .n_faults = s->n_faults,
  };
  hd_scenario_world(s, topology->n_nodes, &params->world);
}

void hd_lockstep_of_scenario(struct hd_lockstep_params *params, const struct hd_scenario *s,
                             const struct hd_fabric_params *fabric,
                             const struct hd_topology *topology, const struct hd_tables *tables,
                             enum hd_quiescence quiescence)
{
  *params = (struct hd_lockstep_params){.fabric = fabric,
                                        .topology = topology,
                                        .tables = tables,
                                        .dut_options = "",
                                        .mode = s->run.mode,
                                        .compare = s->run.compare,
                                        .window_cycles = s->run.window_cycles,
                                        .threads = s->run.threads,
                                        .sample_quiescence = quiescence == HD_QUIESCENCE_SAMPLED,
                                        .seed = s->seed,
                                        .watchdog_cycles = s->run.watchdog_cycles,
                                        .rules = s->run.rules,
                                        .order = s->run.order,
                                        .routes = s->run.routes,
                                        .is_network = s->fabric.inside != NULL,
                                        .held_cycles = s->run.held_cycles,
                                        .used_cycles = s->run.used_cycles};
}

static void create_manager(struct hd_software *s, const struct hd_software_params *params)
{
  struct hd_manager_params manager = params->manager;
  struct hd_fault *faults = hd_xcalloc((size_t)params->n_faults + 1, sizeof *faults);
  for (uint32_t i = 0; i < params->n_faults; i++) {
    const struct hd_scenario_fault *f = &params->faults[i];
    faults[i] = (struct hd_fault){f->after_barrier, f->whole_switch, f->when, f->sw, f->port};
  }
  manager.faults = faults;
  manager.n_faults = params->n_faults;
  manager.context = s;
  manager.barriers_over = barriers_over;
  manager.ended = end_group;
  manager.first_round_over = software_first_round_over;
  manager.renewed = renew_group;
  manager.full = report_full_table;
  s->manager = hd_manager_create(&manager);
  free(faults);
}

static int create_world(struct hd_software *s, const struct hd_software_params *params,
                        struct hd_error *err)
{
  struct hd_world_params world = params->world;
  world.context = s;
  world.send = send;
  world.hold = hold_node;
  world.sending = describe_sending;
  world.link = describe_link;
  world.barrier_link = describe_barrier_link;
  world.order = order_nodes;
  world.grid = describe_grid;
  world.schedule = find_schedule;
  world.barrier_middle = find_middle;
  world.barrier_open = open_group;
  world.barrier_close = close_group;
  world.barrier_arrive = send_arrival;
  world.barrier_ready = software_barrier_ready;
  world.chain_open = open_chain;
  world.chain_close = close_chain;
  world.multicast_open = open_multicast;
  world.multicast_close = close_multicast;
  return hd_world_create(&s->world, &world, err);
}

int hd_software_create(struct hd_software **software, const struct hd_software_params *params,
                       struct hd_error *err)
{
  *software = NULL;
  struct hd_software *s = hd_xcalloc(1, sizeof *s);
  s->topology = params->manager.topology;
  s->data_bits = params->manager.sw.data_bits;
  s->watch = params->watch;
  s->context = params->context;
  s->sent = params->sent;
  s->full = params->full;
  create_manager(s, params);
  int status = create_world(s, params, err);
  if (status) {
    hd_software_destroy(s);
    return status;
  }
  *software = s;
  return HD_OK;
}

void hd_software_destroy(struct hd_software *s)
{
  if (!s)
    return;
  if (s->world)
    hd_world_destroy(s->world);
  hd_manager_destroy(s->manager);
  free(s);
}

/* ── cycles ───────────────────────────────────────────────────────────────── */

int hd_software_begin(struct hd_software *s, struct hd_fabric *fabric, uint64_t cycle,
                      struct hd_error *err)
{
  s->fabric = fabric;
  s->error.text[0] = '\0';
  int status = hd_manager_begin(s->manager, fabric, cycle, err);
  if (!status)
    status = hd_world_step(s->world, cycle, err);
  if (status && s->error.text[0])
    *err = s->error;
  return status;
}

int hd_software_end(struct hd_software *s, const struct hd_fabric *fabric, uint64_t cycle,
                    struct hd_error *err)
{
  uint32_t n, n_barriers;
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  const struct hd_barrier_delivery *b = hd_fabric_barrier_deliveries(fabric, &n_barriers);
  int status = HD_OK;
  for (uint32_t i = 0; i < n && !status; i++)
    if (d[i].intact && d[i].cast)
      status = hd_world_deliver_multicast(s->world, d[i].node, d[i].words[0], cycle, err);
    else if (d[i].intact && (d[i].bare || d[i].made))
      status = hd_world_deliver_packet(s->world, d[i].node, d[i].words, d[i].flits, cycle, err);
    else if (d[i].number != HD_PACKET_NONE && d[i].intact && !d[i].synthetic)
      status = hd_world_deliver(s->world, d[i].node, d[i].words + 1, d[i].flits - 1, cycle, err);
  if (!status)
    hd_manager_end(s->manager, fabric, cycle);
  for (uint32_t i = 0; i < n_barriers && !status; i++)
    status = release_member(s, fabric, &b[i], cycle, err);
  return status;
}

uint64_t hd_software_next(const struct hd_software *s)
{
  uint64_t software = hd_world_next_cycle(s->world), fault = hd_manager_next(s->manager);
  return software < fault ? software : fault;
}

const struct hd_world *hd_software_world(const struct hd_software *s)
{
  return s->world;
}

const struct hd_manager *hd_software_manager(const struct hd_software *s)
{
  return s->manager;
}
