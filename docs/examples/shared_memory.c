/* A foreign switch behind the DUT contract: one shared memory, whole packets at a time.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The worked example of docs/add-a-backend.md. It takes every flit at once, keeps packets in
 * one queue for each output port and sends them one after the other, so its timing has nothing
 * to do with Heddle's switch; what it has in common is ports, headers, tables and credits.
 */
#include "../../bridge/dut.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flit {
  uint64_t data;
  uint8_t kind;
};

struct queue {
  struct flit *flits; /* [capacity], a ring */
  uint32_t first, n, capacity;
};

struct ports {
  struct queue packet[HD_MAX_VCS]; /* input: the packet that is coming in */
  struct queue out;                /* output: packets that are complete */
  uint8_t credit[HD_MAX_VCS];      /* output */
  uint8_t vc;                      /* output: of the packet under way */
  bool under_way;
  uint16_t *destination, *source; /* input: routing tables (§2.7) */
};

struct hd_dut {
  struct hd_switch_params params;
  uint32_t count;
  struct ports *ports; /* [count][params.ports] */
};

/* A backend is a library of its own: it does not call the program's functions. */
static int fail(struct hd_error *err, int status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (err)
    vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  return status;
}

static struct ports *ports_of(const struct hd_dut *dut, uint32_t sw)
{
  return dut->ports + (size_t)sw * dut->params.ports;
}

/* ── packets ────────────────────────────────────────────────────────────────── */

static int push(struct queue *q, struct flit flit)
{
  if (q->n == q->capacity) {
    uint32_t capacity = q->capacity ? 2 * q->capacity : 8;
    struct flit *grown = malloc(capacity * sizeof *grown);
    if (!grown)
      return HD_E_NOMEM;
    for (uint32_t i = 0; i < q->n; i++)
      grown[i] = q->flits[(q->first + i) % q->capacity];
    free(q->flits);
    *q = (struct queue){.flits = grown, .n = q->n, .capacity = capacity};
  }
  q->flits[(q->first + q->n++) % q->capacity] = flit;
  return 0;
}

static struct flit pop(struct queue *q)
{
  struct flit flit = q->flits[q->first];
  q->first = (q->first + 1) % q->capacity;
  q->n--;
  return flit;
}

static uint32_t width(uint32_t n) /* of a number below n */
{
  uint32_t bits = 1;
  while (1u << bits < n)
    bits++;
  return bits;
}

/* Output port of a head (§2.7); a mode-2 head is shifted, a mode-3 head turns (§1.3). Returns the number of ports where
 * there is no way. */
static uint32_t route(const struct hd_dut *dut, const struct ports *in, struct flit *head)
{
  const struct hd_switch_params *p = &dut->params;
  uint32_t node_bits = width(p->nodes), port_bits = width(p->ports), mode = head->data & 3;
  uint64_t fields = head->data >> 2;
  uint32_t destination = (uint32_t)fields & ((1u << node_bits) - 1);
  uint32_t source = (uint32_t)(fields >> node_bits) & ((1u << node_bits) - 1);
  uint16_t entry = 0;
  if (mode == 2) {
    head->data = fields >> port_bits << 2 | mode;
    return (uint32_t)fields & ((1u << port_bits) - 1);
  }
  if (mode == 3 && (!p->source_table || source >= p->nodes))
    return p->ports;
  if (mode == 3)
    entry = in->source[source]; /* to the node to go by */
  if (mode == 3 && !(entry >> 12 & 1)) {
    mode = 0;
    head->data = fields << 2;
  }
  if (mode < 2 && destination < p->nodes)
    entry = in->destination[destination];
  if (mode == 1 && !(entry >> 12 & 1) && p->source_table && source < p->nodes)
    entry = in->source[source];
  return entry >> 12 & 1 ? entry & 15 : p->ports;
}

/* A whole packet has come in: it goes to its output port, or nowhere. */
static int forward(struct hd_dut *dut, struct ports *all, struct ports *in, struct queue *packet)
{
  int status = 0;
  uint32_t o = route(dut, in, &packet->flits[packet->first]);
  while (packet->n && !status) {
    struct flit flit = pop(packet);
    if (o < dut->params.ports)
      status = push(&all[o].out, flit);
  }
  return status;
}

/* ── the operations ─────────────────────────────────────────────────────────── */

static void destroy(struct hd_dut *dut)
{
  for (uint32_t i = 0; dut && dut->ports && i < dut->count * dut->params.ports; i++) {
    for (uint32_t v = 0; v < HD_MAX_VCS; v++)
      free(dut->ports[i].packet[v].flits);
    free(dut->ports[i].out.flits);
    free(dut->ports[i].destination);
  }
  if (dut)
    free(dut->ports);
  free(dut);
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < dut->count * dut->params.ports; i++) {
    struct ports *p = &dut->ports[i];
    for (uint32_t v = 0; v < HD_MAX_VCS; v++)
      p->packet[v].n = 0;
    p->out.n = 0;
    p->under_way = false;
    memset(p->credit, (int)dut->params.depth_flits, sizeof p->credit);
  }
  return 0;
}

static int create(struct hd_dut **out, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  if (options && *options)
    return fail(err, HD_E_INPUT, "the shared-memory switch has no options, got '%s'", options);
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (dut) {
    dut->params = *params;
    dut->count = count;
    dut->ports = calloc((size_t)count * params->ports + 1, sizeof *dut->ports);
  }
  bool whole = dut && dut->ports;
  for (uint32_t i = 0; whole && i < count * params->ports; i++) {
    uint16_t *tables = calloc(2 * (size_t)params->nodes, sizeof *tables);
    dut->ports[i].destination = tables;
    dut->ports[i].source = tables ? tables + params->nodes : NULL;
    whole = tables != NULL;
  }
  if (!whole) {
    destroy(dut);
    return fail(err, HD_E_NOMEM, "out of memory for %u switches", count);
  }
  *out = dut;
  return reset(dut, err);
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  (void)err;
  uint32_t port = addr >> 12 & 15, index = addr & 0xfff; /* §3.2 */
  if (port < dut->params.ports && index < dut->params.nodes) {
    if (addr >> 16 == 1)
      ports_of(dut, sw)[port].destination[index] = data;
    else if (addr >> 16 == 2)
      ports_of(dut, sw)[port].source[index] = data;
  }
  return 0;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  (void)dut, (void)sw, (void)addr, (void)err;
  *data = 0; /* it records no errors */
  return 0;
}

/* One flit of output port `o`, visible in `cycle`. */
static void send(struct hd_dut *dut, struct ports *p, struct hd_dut_job *job, uint32_t cycle,
                 uint32_t o)
{
  for (uint32_t v = 0; !p->under_way && v < dut->params.vcs; v++)
    if (p->credit[v]) { /* a new packet takes the first free channel */
      p->vc = (uint8_t)v;
      break;
    }
  if (!p->out.n || !p->credit[p->vc])
    return;
  struct flit flit = pop(&p->out);
  p->under_way = !(flit.kind & HD_KIND_TAIL);
  p->credit[p->vc]--;
  if (job->n_flits_out == job->cap_flits_out)
    job->lost++;
  else
    job->flits_out[job->n_flits_out++] = (struct hd_flit_event){
        .data = flit.data, .cycle = cycle, .port = (uint8_t)o, .vc = p->vc, .kind = flit.kind};
}

static int run_job(struct hd_dut *dut, struct hd_dut_job *job, struct hd_error *err)
{
  struct ports *all = ports_of(dut, job->sw);
  uint32_t f = 0, c = 0, w = 0;
  job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = 0;
  job->evaluated_cycles = job->cycles;
  for (uint32_t cycle = 0; cycle < job->cycles; cycle++) {
    uint8_t freed[HD_MAX_PORTS] = {0};
    for (; w < job->n_configs_in && job->configs_in[w].cycle == cycle; w++)
      config_write(dut, job->sw, job->configs_in[w].addr, job->configs_in[w].data, err);
    for (; c < job->n_credits_in && job->credits_in[c].cycle == cycle; c++)
      for (uint32_t v = 0; v < dut->params.vcs; v++)
        all[job->credits_in[c].port].credit[v] += job->credits_in[c].vcs >> v & 1;
    for (uint32_t o = 0; o < dut->params.ports; o++)
      send(dut, &all[o], job, cycle + 1, o);
    for (; f < job->n_flits_in && job->flits_in[f].cycle == cycle; f++) {
      const struct hd_flit_event *e = &job->flits_in[f];
      struct queue *packet = &all[e->port].packet[e->vc];
      int status = push(packet, (struct flit){.data = e->data, .kind = e->kind});
      if (!status && e->kind & HD_KIND_TAIL)
        status = forward(dut, all, &all[e->port], packet);
      if (status)
        return fail(err, status, "out of memory for packets");
      freed[e->port] |= (uint8_t)(1u << e->vc); /* its slot is free again at once */
    }
    for (uint32_t p = 0; p < dut->params.ports; p++)
      if (freed[p] && job->n_credits_out == job->cap_credits_out)
        job->lost++;
      else if (freed[p])
        job->credits_out[job->n_credits_out++] =
            (struct hd_credit_event){.cycle = cycle + 1, .port = (uint8_t)p, .vcs = freed[p]};
  }
  return 0;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  int status = 0;
  for (size_t i = 0; !status && i < n_jobs; i++)
    status = run_job(dut, &jobs[i], err);
  return status;
}

const struct hd_dut_ops *hd_dut_backend(void)
{
  static const struct hd_dut_ops ops = {
      .abi = HD_DUT_ABI,
      .name = "shared-memory",
      .about = "shared-memory switch, the example of docs/add-a-backend.md",
      .create = create,
      .destroy = destroy,
      .reset = reset,
      .config_write = config_write,
      .config_read = config_read,
      .run = run,
  };
  return &ops;
}
