/* The explanation of a divergence as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

static void text_peer(struct hd_text *text, const struct hd_peer *peer)
{
  if (peer->kind == HD_PEER_SWITCH)
    hd_text_add(text, " (link to switch %u, port %u)", peer->index, peer->port);
  else if (peer->kind == HD_PEER_NODE)
    hd_text_add(text, " (link to node %u)", peer->index);
}

static void text_credits(struct hd_text *text, bool has, const struct hd_credit_event *credit)
{
  if (!has || !hd_credit_set(credit)) {
    hd_text_add(text, "no credit\n");
    return;
  }
  if (credit->count)
    hd_text_add(text, "count %u%s", credit->count & HD_COUNT_MOST,
                credit->vcs || credit->barrier ? " and " : "");
  if (credit->vcs)
    hd_text_add(text, "a credit for vc");
  for (unsigned v = 0; v < HD_MAX_VCS; v++)
    if (credit->vcs >> v & 1)
      hd_text_add(text, " %u", v);
  hd_text_add(text, "%s\n",
              !credit->barrier ? ""
              : credit->vcs    ? " and a barrier credit"
                               : "a barrier credit");
}

static void text_error_bits(struct hd_text *text, unsigned errors)
{
  hd_text_add(text, "0x%02x", errors);
  for (unsigned i = 0; i < HD_ERROR_BITS; i++)
    if (errors >> i & 1)
      hd_text_add(text, " %s", hd_error_bit_name(i));
  hd_text_add(text, "\n");
}

/* Says where a missing packet was last seen. */
static void text_lost(struct hd_text *text, const struct hd_divergence *d)
{
  const struct hd_lost *l = &d->lost;
  if (!l->sent)
    hd_text_add(text, "it waits at node %u for credits of switch %u", l->source, d->sw);
  else if (l->inside)
    hd_text_add(
        text, "%s to node %u went into switch %u and did not come out, the last in cycle %llu",
        hd_count(l->inside, "packet").text, l->destination, d->sw, (unsigned long long)l->last);
  else
    hd_text_add(text, "%u of %s left node %u; where they are is not known", l->sent,
                hd_count(l->flits, "flit").text, l->source);
}

static void text_side(struct hd_text *text, const struct hd_explanation *e, bool model)
{
  const struct hd_divergence *d = &e->divergence;
  const struct hd_flit_event *flit = model ? &d->expected : &d->got;
  bool has = model ? d->has_expected : d->has_got;
  hd_text_add(text, d->reference ? "  %-8s " : "  %-7s ",
              model ? hd_reference_name(d->reference) : "DUT");
  switch (d->difference) {
  case HD_DIFF_CREDIT:
    text_credits(text, has, model ? &d->expected_credit : &d->got_credit);
    break;
  case HD_DIFF_BARRIER:
    if (has)
      hd_text_add(text, "group %u %s\n", (unsigned)(flit->data >> 4 & 31),
                  (flit->data & 3) == HD_FAIL ? "refused" : "released");
    else
      hd_text_add(text, "no message\n");
    break;
  case HD_DIFF_QUIESCENT:
    hd_text_add(text, "quiescent_o = %d\n", model ? d->expected_quiescent : d->got_quiescent);
    break;
  case HD_DIFF_UNKNOWN:
  case HD_DIFF_NOT_RESET:
    if (model)
      hd_text_add(text, "0 or 1, as every %s (§6.6)\n",
                  d->difference == HD_DIFF_UNKNOWN ? "output after reset"
                                                   : "state that reset sets");
    else
      hd_text_add(text, "%c in %s\n", d->unknown.seen, d->unknown.name);
    break;
  case HD_DIFF_LOST:
    if (model)
      hd_text_add(text, "node %u received it", d->lost.destination);
    else
      text_lost(text, d);
    hd_text_add(text, "\n");
    break;
  case HD_DIFF_ASSERTION:
    if (model)
      hd_text_add(text, d->reference ? "no assertion failed\n" : "has no such assertion\n");
    else
      hd_text_add(text, "assertion failed at %s\n", d->assertion);
    break;
  case HD_DIFF_REGISTER:
    hd_text_add(text, "register %s (address 0x%05x) reads 0x%04x\n", hd_register_name(d->address),
                d->address, model ? d->expected_errors : d->got_errors);
    break;
  case HD_DIFF_ERRORS:
    hd_text_add(text, "error register ");
    text_error_bits(text, model ? d->expected_errors : d->got_errors);
    break;
  default:
    if (!has || flit->kind == 0xff)
      hd_text_add(text, "no flit\n");
    else {
      hd_explain_flit(text, flit, &e->sw);
      hd_text_add(text, "\n");
    }
  }
}

/* The flit that only the DUT sent. If a credit differs, this is the flit that was popped, which
 * becomes visible later than the credit. */
static const struct hd_flit_event *sent_by_dut(const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  if (d->difference == HD_DIFF_FLIT)
    return d->has_got && (!d->has_expected || d->expected.vc != d->got.vc) ? &d->got : NULL;
  for (uint32_t i = 0; d->difference == HD_DIFF_CREDIT && i < e->n_grants; i++)
    if (e->has_dut && e->grants[i].by_dut && !e->grants[i].by_model)
      return &e->grants[i].flit;
  return NULL;
}

void hd_explain_reason(const struct hd_explanation *e, struct hd_text *text)
{
  const struct hd_divergence *d = &e->divergence;
  const struct hd_flit_event *flit = e->has_replay ? sent_by_dut(e) : NULL;
  if (flit && flit->kind < 4 && flit->port < e->sw.ports && flit->vc < e->sw.vcs &&
      !e->state.out[flit->port][flit->vc].credit) {
    hd_text_add(text, "output %u sent a flit of channel %u with 0 credits", flit->port, flit->vc);
    return;
  }
  const bool credit = e->has_replay && d->difference == HD_DIFF_CREDIT && d->vc < e->sw.vcs &&
                      d->port < e->sw.ports && d->has_got && d->got_credit.vcs >> d->vc & 1 &&
                      !(d->has_expected && d->expected_credit.vcs >> d->vc & 1);
  if (credit && !e->state.in[d->port][d->vc].occupancy)
    hd_text_add(text, "input %u gave back a credit of channel %u, which was empty", d->port, d->vc);
}

void hd_explain_place(const struct hd_divergence *d, struct hd_text *text)
{
  if (d->port != 0xff)
    hd_text_add(text, ", port %u, %s", d->port, hd_explain_channel(d->vc).text);
}

void hd_explain_message(const struct hd_divergence *d, struct hd_text *text)
{
  if (d->difference == HD_DIFF_UNKNOWN || d->difference == HD_DIFF_NOT_RESET) {
    hd_text_add(text, "%c in %s", d->unknown.seen, d->unknown.name);
    hd_text_add(text,
                d->difference == HD_DIFF_UNKNOWN ? " of switch %u" : " after reset, switch %u",
                d->sw);
    hd_explain_place(d, text);
    hd_text_add(text, ", cycle %llu", (unsigned long long)d->cycle);
  } else if (d->difference == HD_DIFF_LOST) {
    hd_text_add(text, "packet %u from node %u to node %u was never received (lost): ", d->packet,
                d->lost.source, d->lost.destination);
    text_lost(text, d);
  } else if (d->difference == HD_DIFF_ASSERTION) {
    hd_text_add(text, "assertion of the RTL failed in cycle %llu: switch %u, %s",
                (unsigned long long)d->cycle, d->sw, d->assertion);
  } else if (d->difference == HD_DIFF_REGISTER) {
    hd_text_add(
        text,
        "register %s (address 0x%05x) of switch %u differs by cycle %llu: %s 0x%04x, DUT 0x%04x",
        hd_register_name(d->address), d->address, d->sw, (unsigned long long)d->cycle,
        hd_reference_name(d->reference), d->expected_errors, d->got_errors);
  } else if (d->difference == HD_DIFF_RULE) {
    hd_text_add(text, "in cycle %llu, switch %u: %s (rule %s of specification 6.7: %s)",
                (unsigned long long)d->cycle, d->sw, d->broken.what,
                hd_port_rule_number(d->broken.rule), hd_port_rule_sentence(d->broken.rule));
  } else {
    hd_text_add(text, "RTL and %s differ first in cycle %llu: switch %u",
                hd_reference_name(d->reference), (unsigned long long)d->cycle, d->sw);
    hd_explain_place(d, text);
    hd_text_add(text, " (%s)", hd_divergence_name(d));
  }
}

/* Describes a broken rule. A rule needs no model, so only the DUT's side is shown. */
static void text_rule(struct hd_text *text, const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  const char *port = d->has_got ? "output" : "input";
  hd_text_add(text, "DIVERGENCE in cycle %llu, switch %u, %s port %u, %s",
              (unsigned long long)d->cycle, d->sw, port, d->port, hd_explain_channel(d->vc).text);
  text_peer(text, &e->peer);
  if (d->broken.since < d->cycle)
    hd_text_add(text, ", since cycle %llu", (unsigned long long)d->broken.since);
  hd_text_add(text, ": %s\n  rule    %s (specification 6.7): %s\n",
              hd_difference_sentence(d->difference), hd_port_rule_number(d->broken.rule),
              hd_port_rule_sentence(d->broken.rule));
  hd_text_add(text, "  seen    %s\n", d->broken.what);
  if (e->broken_way[0])
    hd_text_add(text, "  way     %s\n", e->broken_way);
  if (d->has_got)
    text_side(text, e, false);
  if (d->reference == HD_REFERENCE_ORIGINAL)
    hd_text_add(text, "  original the same events: it breaks the rule, too\n");
}

void hd_explain_headline(const struct hd_explanation *e, struct hd_text *text)
{
  const struct hd_divergence *d = &e->divergence;
  if (d->difference == HD_DIFF_RULE) {
    text_rule(text, e);
    return;
  }
  hd_text_add(text, "DIVERGENCE in cycle %llu, switch %u", (unsigned long long)d->cycle, d->sw);
  if (d->difference == HD_DIFF_BARRIER) {
    hd_text_add(text, ", port %u", d->port);
    text_peer(text, &e->peer);
  }
  if (d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_CREDIT) {
    hd_text_add(text, ", %s port %u, %s", d->difference == HD_DIFF_FLIT ? "output" : "input",
                d->port, hd_explain_channel(d->vc).text);
    text_peer(text, &e->peer);
  }
  if (d->difference == HD_DIFF_UNKNOWN || d->difference == HD_DIFF_NOT_RESET)
    hd_explain_place(d, text);
  hd_text_add(text, ": %s\n", hd_difference_sentence(d->difference));
  text_side(text, e, true);
  text_side(text, e, false);
  struct hd_text reason = {0};
  hd_explain_reason(e, &reason);
  if (reason.length)
    hd_text_add(text, "  reason  %s\n", reason.chars);
  hd_text_fini(&reason);
  if (d->broken.rule) /* an exact difference is described first */
    hd_text_add(text, "  rule    %s (specification 6.7): %s: %s\n",
                hd_port_rule_number(d->broken.rule), hd_port_rule_sentence(d->broken.rule),
                d->broken.what);
  if (d->unknown.seen && d->unknown.registers[0])
    hd_text_add(text, "  unknown registers in it: %s\n", d->unknown.registers);
  if (!d->cycle && d->has_got && !d->has_expected &&
      (d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_CREDIT))
    hd_text_add(
        text, "  it stood there before the run, after a reset or while tables were written, where "
              "all outputs are idle (§2.9); waves begin after that\n");
  if (d->four_state_only)
    hd_text_add(text,
                "  four-state only: with 0 for every X in the switch it answers as the %s "
                "does (§6.6)\n",
                hd_reference_name(d->reference));
}

static const char *why_no_packet(const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  if (e->of_stream)
    return d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_CREDIT
               ? "it cannot be distinguished from others inside the switch"
               : NULL;
  const bool original = d->reference == HD_REFERENCE_ORIGINAL;
  if (d->packet != HD_PACKET_NONE)
    return original ? "it was received before, and forgotten"
                    : "the model has received and forgotten it";
  if (original)
    return d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_CREDIT
               ? "it cannot be distinguished from others by what crossed the ports"
               : NULL;
  switch (d->difference) {
  case HD_DIFF_CREDIT:
    if (d->vc == HD_BARRIER_CREDIT)
      return "a barrier credit is for a message that left the barrier queue (§8.5)";
    if (d->vc == HD_COUNT_WIRES)
      return "a count is of all packets inside the switch (§10.8)";
    if (!e->has_replay)
      return "the switch's state when the credit was decided could not be replayed";
    return "the channel was empty in the model when the credit was decided";
  case HD_DIFF_FLIT:
    return d->has_expected ? "the model does not know it"
                           : "the model has no flit to set against the DUT's";
  case HD_DIFF_PACKET:
    return "no packet under way to this node looks like it";
  default:
    return NULL;
  }
}

static void text_credit(struct hd_text *text, const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  if (d->difference != HD_DIFF_CREDIT)
    return;
  bool model = d->has_expected && (d->expected_credit.vcs >> d->vc & 1);
  hd_text_add(text, "  credit  for its flit at the front of in[%u].vc[%u], which the %s took out\n",
              d->port, d->vc,
              !model         ? "DUT alone"
              : d->reference ? "original alone"
                             : "model alone");
}

/* Adds the way of a packet through one switch, for streams. */
static void text_way(struct hd_text *text, const struct hd_explanation *e)
{
  const struct hd_explain_way *w = &e->way;
  hd_text_add(text, "  packet  ");
  hd_explain_flit(text, &w->head, &e->sw);
  hd_text_add(text, "\n          came in by port %u in cycle %llu\n", w->head.port,
              (unsigned long long)w->came);
  hd_text_add(text, "  so far  ");
  if (!w->is_granted)
    hd_text_add(text, "it waits there: its head was granted no output\n");
  else if (w->has_output)
    hd_text_add(text, "its head was granted output port %u, vc %u, in cycle %llu\n", w->port, w->vc,
                (unsigned long long)w->granted);
  else
    hd_text_add(text, "its head was granted an output in cycle %llu\n",
                (unsigned long long)w->granted);
  if (w->flit)
    hd_text_add(text, "          the flit that differs is number %u behind the head\n", w->flit);
  text_credit(text, e);
}

static void text_packet(struct hd_text *text, const struct hd_explanation *e)
{
  if (e->way.known) {
    text_way(text, e);
    return;
  }
  if (e->divergence.packet == HD_PACKET_MADE) {
    hd_text_add(text, "  packet  made by the coder of switch %u (§11.7); nobody sent it\n",
                e->divergence.sw);
    return;
  }
  if (!e->has_packet) {
    const char *why = why_no_packet(e);
    if (why)
      hd_text_add(text, "  packet  not known: %s\n", why);
    return;
  }
  hd_text_add(text, "  packet  %u: node %u to node %u, %s, handed over in cycle %llu\n",
              e->divergence.packet, e->packet.source, e->packet.destination,
              hd_count(e->packet.flits, "flit").text, (unsigned long long)e->created);
  text_credit(text, e);
  hd_text_add(text, "  way     n%u", e->packet.source);
  for (uint32_t i = 0; i < e->n_path; i++)
    hd_text_add(text, e->path[i] == e->divergence.sw ? " [s%u]" : " s%u", e->path[i]);
  hd_text_add(text,
              !e->n_path   ? " to n%u, not settled by the tables: packets choose among ports\n"
              : e->goes_by ? " n%u, by the tables, by node %u\n"
                           : " n%u, by the tables\n",
              e->packet.destination, e->by);
  if (e->own_timing)
    return;
  if (!e->n_hops) {
    hd_text_add(text, "  so far  %s\n",
                e->all_hops ? "it has left no switch"
                            : "no hop in this window; trace.hops: true keeps all of them");
    return;
  }
  for (uint32_t i = 0; i < e->n_hops; i++) {
    const struct hd_rundb_hop *h = &e->hops[i];
    hd_text_add(text, "  %-7s left switch %u by port %u, vc %u, in cycle %llu\n", i ? "" : "so far",
                h->sw, h->out_port, h->vc, (unsigned long long)h->cycle);
  }
}

bool hd_explain_tells(const struct hd_explanation *e, const struct hd_explain_grant *grant)
{
  return !e->own_timing || (e->has_dut && grant->by_dut);
}

static void text_grants(struct hd_text *text, const struct hd_explanation *e)
{
  const char *more = "", *reference = hd_reference_name(e->divergence.reference);
  const char *reference_only = e->divergence.reference ? "original only" : "model only";
  const int width = e->divergence.reference ? 13 : 10;
  if (e->divergence.difference == HD_DIFF_FLIT)
    more = ", and before them of the port that differs";
  else if (e->n_grants && e->grants[e->n_grants - 1].cycle > e->divergence.cycle)
    more = ", and those popped when the credit was decided";
  if (e->divergence.inside)
    hd_text_add(text, "  flits to endpoints in the last %d cycles, by endpoint\n",
                HD_EXPLAIN_CYCLES);
  else
    hd_text_add(text, "  output flits of switch %u in the last %d cycles%s\n", e->divergence.sw,
                HD_EXPLAIN_CYCLES, more);
  if (!e->n_grants)
    hd_text_add(text, "    none\n");
  else if (e->own_timing && !e->has_dut)
    hd_text_add(text, "    not known: the DUT cannot be replayed\n");
  else if (!e->has_dut)
    hd_text_add(text, "    by the %s alone: the DUT cannot be replayed\n", reference);
  for (uint32_t i = 0; i < e->n_grants; i++) {
    const struct hd_explain_grant *g = &e->grants[i];
    if (!hd_explain_tells(e, g))
      continue;
    hd_text_add(text, "    %10llu  port %-2u  %-*s ", (unsigned long long)g->cycle, g->flit.port,
                width,
                !e->has_dut                ? reference
                : e->own_timing            ? "DUT"
                : g->by_model && g->by_dut ? "both"
                : g->by_model              ? reference_only
                                           : "DUT only");
    hd_explain_flit(text, &g->flit, &e->sw);
    hd_text_add(text, "\n");
  }
}

/* Lists configuration writes. A write changes what the switch does, but no flit shows the write. */
static void text_writes(struct hd_text *text, const struct hd_explanation *e)
{
  if (e->n_writes)
    hd_text_add(text, "  configuration writes to switch %u in the last %d cycles\n",
                e->divergence.sw, HD_EXPLAIN_WRITES_BACK);
  for (uint32_t i = 0; i < e->n_writes; i++) {
    const struct hd_explain_write *w = &e->writes[i];
    unsigned select = w->address >> 16 & 15, port = w->address >> 12 & 15,
             index = w->address & 0xfff;
    hd_text_add(text, "    %10llu  0x%05x <- 0x%04x", (unsigned long long)w->cycle, w->address,
                w->data);
    if (!select)
      hd_text_add(text, "  %s\n", hd_register_name(w->address));
    else if (select < 3)
      hd_text_add(text, "  %s table of input %u, node %u\n", select == 1 ? "destination" : "source",
                  port, index);
    else if (select == 3)
      hd_text_add(text, "  ways to switch %u\n", index);
    else if (select == 4)
      hd_text_add(text, "  port set of input %u, node %u\n", port, index);
    else if (select == 5)
      hd_text_add(text, "  generator of input %u\n", port);
    else
      hd_text_add(text, "\n");
  }
}

static void text_output(struct hd_text *text, const struct hd_explanation *e, unsigned port)
{
  const struct hd_switch_view *v = &e->state;
  for (unsigned c = 0; c < e->sw.vcs; c++)
    hd_text_add(text, "    out[%u].vc[%u] credit %u, owned %u\n", port, c, v->out[port][c].credit,
                v->out[port][c].owned);
  hd_text_add(text, "    out[%u].next %u, out[%u].vc_next %u\n", port, v->out_next[port], port,
              v->vc_next[port]);
  if (hd_switch_counts(&e->sw))
    hd_text_add(text, "    out[%u].count %u\n", port, v->count[port]);
  if (e->sw.barrier)
    hd_text_add(
        text,
        "    out[%u].slot %u, .second %u, .preempting %u, .preempt_vc %u, .burst %u, .rest %u, "
        ".barrier_credit %u\n",
        port, v->barrier[port].slot, v->barrier[port].second, v->barrier[port].preempting,
        v->barrier[port].preempt_vc, v->barrier[port].burst, v->barrier[port].rest,
        v->barrier[port].barrier_credit);
}

/* Describes the barrier unit with the names of §8.10: waiting messages, and whose turn it is. */
static void text_unit(struct hd_text *text, const struct hd_explanation *e)
{
  const struct hd_switch_view *v = &e->state;
  for (unsigned p = 0; p < e->sw.ports; p++)
    if (v->barrier[p].queued)
      hd_text_add(text, "    in[%u].queued %u\n", p, v->barrier[p].queued);
  hd_text_add(text, "    unit.act %u, .turn %u, .spread %u\n", v->unit_act, v->unit_turn,
              v->unit_spread);
}

/* Describes the outputs that the open packets of the differing input want. The credits there
 * decide whether a flit is popped. */
static void text_wanted(struct hd_text *text, const struct hd_explanation *e)
{
  unsigned shown = 0;
  for (unsigned c = 0; c < e->sw.vcs; c++) {
    unsigned port = e->divergence.port, output = e->state.in[port][c].oport;
    if (!e->state.in[port][c].state || output >= e->sw.ports || (shown >> output & 1))
      continue;
    shown |= 1u << output;
    text_output(text, e, output);
  }
}

static void text_state(struct hd_text *text, const struct hd_explanation *e)
{
  const struct hd_switch_view *v = &e->state;
  unsigned port = e->divergence.port;
  hd_text_add(text, "  model's state at the start of cycle %llu, in which this was decided\n",
              (unsigned long long)e->state_cycle);
  bool some = false;
  for (unsigned p = 0; p < e->sw.ports; p++)
    for (unsigned c = 0; c < e->sw.vcs; c++) {
      bool here = e->divergence.difference == HD_DIFF_CREDIT && p == port;
      if (!here && !v->in[p][c].occupancy && !v->in[p][c].state)
        continue;
      some = true;
      hd_text_add(text,
                  "    in[%u].vc[%u]  occupancy %u, state %s, oport %u, ovc %u; in[%u].next %u\n",
                  p, c, v->in[p][c].occupancy, hd_vc_state_name(v->in[p][c].state),
                  v->in[p][c].oport, v->in[p][c].ovc, p, v->in_next[p]);
    }
  if (!some)
    hd_text_add(text, "    all input virtual channels empty and idle\n");
  for (unsigned p = 0; hd_switch_has_sets(&e->sw) && p < e->sw.ports; p++)
    hd_text_add(text, "    in[%u].generator 0x%04x\n", p, v->generator[p]);
  if (hd_switch_counts(&e->sw))
    hd_text_add(text, "    packets %u\n", v->packets);
  if (e->divergence.difference == HD_DIFF_FLIT && port < e->sw.ports)
    text_output(text, e, port);
  if (e->divergence.difference == HD_DIFF_CREDIT && port < e->sw.ports)
    text_wanted(text, e);
  if (e->sw.barrier)
    text_unit(text, e);
  hd_text_add(text, "    errors ");
  text_error_bits(text, v->errors);
}

void hd_explain_divergence(const struct hd_explanation *e, struct hd_text *text)
{
  hd_explain_headline(e, text);
  text_packet(text, e);
  if (e->cause[0])
    hd_text_add(text, "  first signal that differs: %s\n", e->cause);
  hd_explain_inside(e, text);
  if (e->replay_missing[0])
    hd_text_add(text, "  grants and state are not known: %s\n", e->replay_missing);
  else {
    text_grants(text, e);
    text_writes(text, e);
    if (e->has_replay && !e->own_timing)
      text_state(text, e);
  }
  if (e->replay_command)
    hd_text_add(text, "  reproduce it by\n    %s\n", e->replay_command);
}
