/* Finds the packet of a difference in a stream: where it came in, and when its head was granted an output.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tape_way.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = HD_MAX_DEPTH + 2, NEVER = 0, OPEN = 1 /* hd_vc_state_name */ };

/* A flit in a buffer, and its packet. */
struct inside {
  struct hd_flit_event flit, head;
  uint64_t head_cycle; /* cycle in which the head came */
  uint32_t number;     /* number of the flit in its packet; the head is 0 */
};

struct channel {
  struct inside flits[ROOM]; /* [n], the front first */
  uint32_t n;
  struct inside last; /* the last flit that came */
  uint64_t granted;   /* cycle after the pop of the front packet's head; NEVER: it was not popped */
  struct inside front_then; /* flit at the front in the deciding cycle */
  uint64_t was_granted;     /* `granted` in that cycle */
  bool is_known, is_open, popped;
};

struct tape_way {
  struct hd_explanation *e;
  struct channel in[HD_MAX_PORTS][HD_MAX_VCS];
  struct hd_switch_view view; /* the model in the deciding cycle */
  bool lost; /* a state was restored since the last reset, so that the buffers are not known */
};

struct tape_way *hd_tape_way_create(struct hd_explanation *e)
{
  struct tape_way *way = calloc(1, sizeof *way);
  if (way)
    way->e = e;
  return way;
}

void hd_tape_way_destroy(struct tape_way *way)
{
  free(way);
}

void hd_tape_way_forget(struct tape_way *way)
{
  way->lost = true;
}

static bool is_head(const struct hd_flit_event *flit)
{
  return flit->kind == HD_KIND_HEAD || flit->kind == HD_KIND_SINGLE;
}

static void pop_flit(struct channel *in, uint64_t cycle)
{
  if (!in->n)
    return;
  if (is_head(&in->flits[0].flit))
    in->granted = cycle;
  in->n--;
  memmove(in->flits, in->flits + 1, in->n * sizeof *in->flits);
}

static void push_flit(struct channel *in, const struct hd_flit_event *flit, uint64_t cycle)
{
  struct inside *last = &in->last;
  const bool first = is_head(flit);
  if (in->n == ROOM)
    return;
  *last = (struct inside){.flit = *flit,
                          .head = first ? *flit : last->head,
                          .head_cycle = first ? cycle : last->head_cycle,
                          .number = first ? 0 : last->number + 1};
  in->flits[in->n++] = *last;
}

/* Notes the flit at the front of each channel in the deciding cycle. */
static void note_fronts(struct tape_way *way, const struct hd_replay_cycle *c)
{
  way->view = *c->model;
  for (unsigned p = 0; p < way->e->sw.ports; p++)
    for (unsigned v = 0; v < way->e->sw.vcs; v++) {
      struct channel *in = &way->in[p][v];
      /* Flits that no buffer takes, such as padding, are counted here, but the model does not have them. */
      in->is_known = in->n && in->n == c->model->in[p][v].occupancy;
      in->is_open = c->model->in[p][v].state == OPEN;
      in->front_then = in->flits[0];
      in->was_granted = in->granted;
    }
}

/* Rates how likely the flit at an output came from a channel; 0: it cannot have come from it. */
static unsigned likeness(const struct tape_way *way, unsigned port, unsigned vc,
                         const struct hd_flit_event *flit, bool by_model)
{
  const struct channel *in = &way->in[port][vc];
  const struct hd_flit_event *front = &in->front_then.flit;
  if (!in->is_known || front->kind != flit->kind)
    return 0;
  const bool goes = in->is_open && way->view.in[port][vc].oport == flit->port;
  if (in->is_open && (!goes || way->view.in[port][vc].ovc != flit->vc))
    return 0;
  return 1u + (goes ? 2u : 0u) + (front->data == flit->data ? 4u : 0u) +
         (by_model && in->popped ? 8u : 0u);
}

/* Returns the channel that the differing flit came from. NULL: there is none, or several are equally likely. */
static const struct channel *find_channel(const struct tape_way *way)
{
  const struct hd_divergence *d = &way->e->divergence;
  const struct hd_explanation *e = way->e;
  const struct channel *best = NULL;
  unsigned most = 0;
  if (d->difference == HD_DIFF_CREDIT)
    return d->port < e->sw.ports && d->vc < e->sw.vcs && way->in[d->port][d->vc].is_known
               ? &way->in[d->port][d->vc]
               : NULL;
  if (d->difference != HD_DIFF_FLIT || !(d->has_expected || d->has_got))
    return NULL;
  for (unsigned p = 0; p < e->sw.ports; p++)
    for (unsigned v = 0; v < e->sw.vcs; v++) {
      const unsigned n =
          likeness(way, p, v, d->has_expected ? &d->expected : &d->got, d->has_expected);
      if (n && n == most)
        best = NULL;
      if (n > most) {
        best = &way->in[p][v];
        most = n;
      }
    }
  return best;
}

static void describe_way(struct tape_way *way)
{
  const struct channel *in = find_channel(way);
  struct hd_explain_way *found = &way->e->way;
  if (!in || !is_head(&in->front_then.head))
    return;
  const struct hd_switch_view *view = &way->view;
  *found = (struct hd_explain_way){.known = true,
                                   .head = in->front_then.head,
                                   .came = in->front_then.head_cycle,
                                   .flit = in->front_then.number};
  if (in->front_then.number && in->was_granted != NEVER)
    found->granted = in->was_granted - 1;
  else if (!in->front_then.number && in->popped)
    found->granted = way->e->state_cycle;
  else
    return;
  const struct hd_divergence *d = &way->e->divergence;
  const bool leaves = d->difference == HD_DIFF_FLIT && d->has_expected;
  found->is_granted = true;
  found->has_output = leaves || in->is_open;
  found->port = leaves ? d->expected.port : view->in[found->head.port][found->head.vc].oport;
  found->vc = leaves ? d->expected.vc : view->in[found->head.port][found->head.vc].ovc;
}

void hd_tape_way_look(struct tape_way *way, const struct hd_replay_cycle *c)
{
  const uint64_t decided = way->e->state_cycle;
  if (!c->cycle) {
    way->lost = false;
    memset(way->in, 0, sizeof way->in);
  }
  for (uint32_t i = 0; i < c->n_model_credits; i++)
    for (unsigned v = 0; v < way->e->sw.vcs; v++)
      if (c->model_credits[i].vcs >> v & 1) {
        struct channel *in = &way->in[c->model_credits[i].port][v];
        in->popped = c->cycle == decided + 1;
        pop_flit(in, c->cycle);
      }
  if (c->cycle == decided + 1 && !way->lost)
    describe_way(way);
  if (c->cycle == decided)
    note_fronts(way, c);
  for (uint32_t i = 0; i < c->n_flits_in; i++)
    if (c->flits_in[i].port < way->e->sw.ports && c->flits_in[i].vc < way->e->sw.vcs)
      push_flit(&way->in[c->flits_in[i].port][c->flits_in[i].vc], &c->flits_in[i], c->cycle);
}
