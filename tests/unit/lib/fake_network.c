/* A network for tests of endpoint software: delays and reorders packets at random.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake_network.h"

#include "../../../cmodel/grow.h"

static bool fake_before(const struct fake_packet *a, const struct fake_packet *b)
{
  return a->due != b->due ? a->due < b->due : a->order < b->order;
}

int fake_send(void *context, const struct hd_world_packet *sent)
{
  struct fake_network *net = context;
  const uint32_t source = sent->source, destination = sent->destination, flits = sent->flits;
  const uint64_t *payload = sent->payload;
  if (net->refuse)
    return net->refuse;
  net->sent_in[sent->network]++;
  uint64_t delay =
      net->max_delay ? 1 + hd_random_next(&net->random) % net->max_delay : net->fixed_delay;
  struct fake_packet packet = {.due = net->now + delay,
                               .order = net->n_sent++,
                               .source = source,
                               .destination = destination,
                               .flits = flits,
                               .bare = sent->bare,
                               .header = sent->header ^ (sent->bare ? net->flip : 0)};
  net->flits_sent += flits;
  uint64_t mix = net->digest ^ (net->now << 32 ^ source << 20 ^ destination << 8 ^ flits);
  for (uint32_t i = 0; payload && i + 1 < flits; i++)
    mix = (mix ^ payload[i]) * UINT64_C(0x9e3779b97f4a7c15);
  net->digest = hd_splitmix(&mix);
  if (payload) {
    packet.payload = malloc((flits - 1) * sizeof *payload);
    if (!packet.payload)
      return HD_E_NOMEM;
    memcpy(packet.payload, payload, (flits - 1) * sizeof *payload);
    packet.payload[flits - 2] ^= sent->bare ? net->flip_word : 0;
  }
  if (!HD_ROOM(net->heap, net->capacity, net->n, 1)) {
    free(packet.payload);
    return HD_E_NOMEM;
  }
  size_t i = net->n++;
  for (; i && fake_before(&packet, &net->heap[(i - 1) / 2]); i = (i - 1) / 2)
    net->heap[i] = net->heap[(i - 1) / 2];
  net->heap[i] = packet;
  return 0;
}

static struct fake_packet fake_pop(struct fake_network *net)
{
  struct fake_packet first = net->heap[0], last = net->heap[--net->n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < net->n; i = child) {
    if (child + 1 < net->n && fake_before(&net->heap[child + 1], &net->heap[child]))
      child++;
    if (!fake_before(&net->heap[child], &last))
      break;
    net->heap[i] = net->heap[child];
  }
  net->heap[i] = last;
  return first;
}

struct hd_world_params fake_params(struct fake_network *net, uint32_t nodes,
                                   const struct hd_program *program)
{
  return (struct hd_world_params){.nodes = nodes,
                                  .data_bits = 16,
                                  .packet_bytes = 64,
                                  .seed = 1,
                                  .program = program,
                                  .send = fake_send,
                                  .context = net};
}

static int deliver_bare(struct fake_network *net, const struct fake_packet *p, uint64_t cycle,
                        struct hd_error *err)
{
  uint64_t *words = malloc(p->flits * sizeof *words);
  if (!words)
    return HD_E_NOMEM;
  words[0] = p->header;
  if (p->flits > 1)
    memcpy(words + 1, p->payload, (p->flits - 1) * sizeof *words);
  int status = hd_world_deliver_packet(net->world, p->destination, words, p->flits, cycle, err);
  free(words);
  return status;
}

int fake_run(struct fake_network *net, uint64_t limit, uint64_t *ended, struct hd_error *err)
{
  uint64_t cycle = net->now;
  int status = 0;
  while (!status && cycle < limit) {
    net->now = cycle;
    *ended = cycle;
    status = hd_world_step(net->world, cycle, err);
    while (!status && net->n && net->heap[0].due <= cycle) {
      struct fake_packet p = fake_pop(net);
      if (p.bare) {
        status = deliver_bare(net, &p, cycle, err);
        net->n_delivered++;
      } else if (p.payload) {
        status = hd_world_deliver(net->world, p.destination, p.payload, p.flits - 1, cycle, err);
        net->n_delivered++;
      }
      free(p.payload);
    }
    if (hd_world_finished(net->world) && !net->n)
      break;
    uint64_t next = hd_world_next_cycle(net->world);
    if (net->n && net->heap[0].due < next)
      next = net->heap[0].due;
    cycle = next > cycle ? next : cycle + 1;
  }
  return status;
}

void fake_fini(struct fake_network *net)
{
  hd_world_destroy(net->world);
  for (size_t i = 0; i < net->n; i++)
    free(net->heap[i].payload);
  free(net->heap);
  memset(net, 0, sizeof *net);
}
