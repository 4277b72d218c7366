/* Compares the packets that nodes receive from their switches' coders, in comparison by order and by packets (specification §11.13).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each node must receive equal packets on both sides, at any time. A packet that one side has
 * received waits for the other side.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdlib.h>
#include <string.h>

struct coder_packet {
  uint64_t digest, cycle, header;
  unsigned side;
};

struct coder_packets {
  struct packets_of_node {
    struct coder_packet *waiting; /* in the order in which they came */
    uint32_t n;
    size_t capacity;
  } * nodes;
  uint32_t n_nodes;
};

static bool are_there(const struct hd_lockstep *ls)
{
  return ls->fabric_params.sw.code_places;
}

static int create(struct hd_lockstep *ls, struct hd_error *err)
{
  const uint32_t nodes = ls->params.topology->n_nodes;
  ls->coder_packets = calloc(1, sizeof *ls->coder_packets);
  if (ls->coder_packets)
    ls->coder_packets->nodes = calloc(nodes, sizeof *ls->coder_packets->nodes);
  if (!ls->coder_packets || !ls->coder_packets->nodes)
    return hd_fail(err, HD_E_NOMEM, "no memory to compare packets that coders made, %u nodes",
                   nodes);
  ls->coder_packets->n_nodes = nodes;
  return HD_OK;
}

static void destroy(struct hd_lockstep *ls)
{
  for (uint32_t node = 0; ls->coder_packets && node < ls->coder_packets->n_nodes; node++)
    free(ls->coder_packets->nodes[node].waiting);
  if (ls->coder_packets)
    free(ls->coder_packets->nodes);
  free(ls->coder_packets);
}

static int add_one(struct packets_of_node *of, unsigned side, const struct hd_delivery *d,
                   uint64_t cycle)
{
  struct coder_packet packet = {
      .digest = d->flits, .cycle = cycle, .header = d->words[0], .side = side};
  for (uint32_t i = 0; i < d->flits; i++)
    packet.digest = hd_mix64(packet.digest ^ d->words[i]);
  for (uint32_t i = 0; i < of->n; i++) {
    if (of->waiting[i].side == side || of->waiting[i].digest != packet.digest)
      continue;
    memmove(of->waiting + i, of->waiting + i + 1, (--of->n - i) * sizeof *of->waiting);
    return HD_OK;
  }
  if (!HD_ROOM(of->waiting, of->capacity, of->n, 1))
    return HD_E_NOMEM;
  of->waiting[of->n++] = packet;
  return HD_OK;
}

static int add(struct hd_lockstep *ls, uint64_t cycle, struct hd_divergence *first)
{
  const struct hd_fabric *sides[] = {ls->reference, ls->loop};
  int status = HD_OK;
  (void)first; /* not an error: the other side may receive the packet later */
  for (unsigned side = 0; side < 2; side++) {
    uint32_t n;
    const struct hd_delivery *d = hd_fabric_deliveries(sides[side], &n);
    for (uint32_t i = 0; i < n && !status; i++)
      if (d[i].made)
        status = add_one(&ls->coder_packets->nodes[d[i].node], side, &d[i], cycle);
  }
  return status;
}

static void find_packet(const struct hd_lockstep *ls, unsigned sides, uint64_t since,
                        struct hd_divergence *first)
{
  for (uint32_t node = 0; node < ls->coder_packets->n_nodes; node++) {
    const struct packets_of_node *of = &ls->coder_packets->nodes[node];
    uint32_t i = 0;
    while (i < of->n && (of->waiting[i].cycle < since || !(sides >> of->waiting[i].side & 1)))
      i++;
    if (i == of->n)
      continue;
    struct hd_peer at = ls->params.topology->node_exits[node];
    struct hd_flit_event head = {.data = of->waiting[i].header, .port = at.port, .vc = 0xff};
    struct hd_divergence d = {.difference = HD_DIFF_PACKET,
                              .cycle = of->waiting[i].cycle,
                              .sw = at.index,
                              .port = at.port,
                              .vc = 0xff,
                              .packet = HD_PACKET_MADE,
                              .has_expected = of->waiting[i].side == 0,
                              .has_got = of->waiting[i].side == 1,
                              .expected = head,
                              .got = head};
    hd_divergence_keep(first, &d);
  }
}

const struct comparator hd_compare_coder_packets = {.is_needed = are_there,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .cycle = add,
                                                    .rest = find_packet,
                                                    .rest_place = HD_REST_NODES};
