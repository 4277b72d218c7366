/* The explanation of a divergence for report.json.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <stdio.h>

static json_t *json_u64(uint64_t value)
{
  return json_integer((json_int_t)value);
}

static json_t *json_flit(const struct hd_flit_event *flit, const struct hd_switch_params *params)
{
  struct hd_text text = {0};
  char data[24];
  snprintf(data, sizeof data, "0x%llx", (unsigned long long)flit->data);
  hd_explain_flit(&text, flit, params);
  json_t *json = json_pack("{s:i,s:i,s:i,s:s,s:s}", "port", (int)flit->port, "vc", (int)flit->vc,
                           "kind", (int)flit->kind, "data", data, "text", hd_text_chars(&text));
  hd_text_fini(&text);
  return json;
}

static json_t *json_side(const struct hd_explanation *e, bool model)
{
  const struct hd_divergence *d = &e->divergence;
  bool has = model ? d->has_expected : d->has_got;
  const struct hd_flit_event *flit = model ? &d->expected : &d->got;
  switch (d->difference) {
  case HD_DIFF_CREDIT:
    return json_pack("{s:i}", "credits",
                     has ? (int)hd_credit_set(model ? &d->expected_credit : &d->got_credit) : 0);
  case HD_DIFF_BARRIER:
    return has ? json_pack("{s:i,s:b}", "group", (int)(flit->data >> 4 & 31), "released",
                           (flit->data & 3) != HD_FAIL)
               : json_null();
  case HD_DIFF_QUIESCENT:
    return json_pack("{s:b}", "quiescent", model ? d->expected_quiescent : d->got_quiescent);
  case HD_DIFF_UNKNOWN:
  case HD_DIFF_NOT_RESET:
    return model ? json_null()
                 : json_pack("{s:s,s:s%,s:s}", "name", d->unknown.name, "value", &d->unknown.seen,
                             (size_t)1, "registers", d->unknown.registers);
  case HD_DIFF_ASSERTION:
    return model ? json_null() : json_pack("{s:s}", "assertion", d->assertion);
  case HD_DIFF_RULE:
    return model || !has ? json_null() : json_pack("{s:o}", "flit", json_flit(flit, &e->sw));
  case HD_DIFF_ERRORS:
    return json_pack("{s:i}", "errors", (int)(model ? d->expected_errors : d->got_errors));
  case HD_DIFF_REGISTER:
    return json_pack("{s:s,s:i,s:i}", "register", hd_register_name(d->address), "address",
                     (int)d->address, "value", (int)(model ? d->expected_errors : d->got_errors));
  default:
    return has && flit->kind != 0xff ? json_pack("{s:o}", "flit", json_flit(flit, &e->sw))
                                     : json_null();
  }
}

static json_t *json_packet(const struct hd_explanation *e)
{
  if (!e->has_packet)
    return json_null();
  json_t *path = json_array(), *hops = json_array();
  for (uint32_t i = 0; i < e->n_path; i++)
    json_array_append_new(path, json_integer(e->path[i]));
  for (uint32_t i = 0; i < e->n_hops; i++) {
    const struct hd_rundb_hop *h = &e->hops[i];
    json_array_append_new(hops, json_pack("{s:i,s:i,s:i,s:o}", "switch", (int)h->sw, "out_port",
                                          (int)h->out_port, "vc", (int)h->vc, "cycle",
                                          json_u64(h->cycle)));
  }
  return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "number", json_u64(e->divergence.packet),
                   "source", json_u64(e->packet.source), "destination",
                   json_u64(e->packet.destination), "flits", json_u64(e->packet.flits), "created",
                   json_u64(e->created), "path", path, "hops", hops);
}

static json_t *json_grants(const struct hd_explanation *e)
{
  json_t *grants = json_array();
  for (uint32_t i = 0; i < e->n_grants; i++) {
    const struct hd_explain_grant *g = &e->grants[i];
    if (!hd_explain_tells(e, g))
      continue;
    json_array_append_new(grants,
                          json_pack("{s:o,s:b,s:o,s:o}", "cycle", json_u64(g->cycle),
                                    hd_reference_name(e->divergence.reference), g->by_model, "dut",
                                    e->has_dut ? json_boolean(g->by_dut) : json_null(), "flit",
                                    json_flit(&g->flit, &e->sw)));
  }
  return grants;
}

static json_t *json_writes(const struct hd_explanation *e)
{
  json_t *writes = json_array();
  for (uint32_t i = 0; i < e->n_writes; i++)
    json_array_append_new(writes, json_pack("{s:o,s:i,s:i}", "cycle", json_u64(e->writes[i].cycle),
                                            "address", (int)e->writes[i].address, "data",
                                            (int)e->writes[i].data));
  return writes;
}

/* Names as in specification §6.5. */
static json_t *json_state(const struct hd_explanation *e)
{
  if (!e->has_replay || e->own_timing) /* the state is the model's */
    return json_null();
  json_t *in = json_array(), *out = json_array();
  for (uint32_t p = 0; p < e->sw.ports; p++) {
    json_t *in_vcs = json_array(), *out_vcs = json_array();
    for (uint32_t v = 0; v < e->sw.vcs; v++) {
      const struct hd_switch_view *s = &e->state;
      json_array_append_new(in_vcs,
                            json_pack("{s:i,s:i,s:i,s:i}", "occupancy", (int)s->in[p][v].occupancy,
                                      "state", (int)s->in[p][v].state, "oport",
                                      (int)s->in[p][v].oport, "ovc", (int)s->in[p][v].ovc));
      json_array_append_new(out_vcs, json_pack("{s:i,s:i}", "credit", (int)s->out[p][v].credit,
                                               "owned", (int)s->out[p][v].owned));
    }
    json_t *port = json_pack("{s:o,s:i}", "vc", in_vcs, "next", (int)e->state.in_next[p]);
    if (hd_switch_has_sets(&e->sw))
      json_object_set_new(port, "generator", json_integer(e->state.generator[p]));
    json_array_append_new(in, port);
    port = json_pack("{s:o,s:i,s:i}", "vc", out_vcs, "next", (int)e->state.out_next[p], "vc_next",
                     (int)e->state.vc_next[p]);
    if (hd_switch_counts(&e->sw))
      json_object_set_new(port, "count", json_integer(e->state.count[p]));
    json_array_append_new(out, port);
  }
  json_t *state = json_pack("{s:o,s:o,s:o,s:i}", "cycle", json_u64(e->state_cycle), "in", in, "out",
                            out, "errors", (int)e->state.errors);
  if (hd_switch_counts(&e->sw))
    json_object_set_new(state, "packets", json_integer(e->state.packets));
  return state;
}

json_t *hd_explain_json(const struct hd_explanation *e)
{
  const struct hd_divergence *d = &e->divergence;
  const bool rule = d->broken.rule != HD_PORT_NONE;
  return json_pack("{s:o,s:o,s:i,s:i,s:s,s:s,s:s?,s:s?,s:s?,s:o,s:o,s:o,s:o,s:o,s:o,s:s?}", "cycle",
                   json_u64(d->cycle), "switch", json_u64(d->sw), "port", (int)d->port, "vc",
                   (int)d->vc, "channel", hd_explain_channel(d->vc).text, "difference",
                   hd_divergence_name(d), "rule", rule ? hd_port_rule_number(d->broken.rule) : NULL,
                   "broken", rule ? d->broken.what : NULL, "broken_way",
                   e->broken_way[0] ? e->broken_way : NULL, hd_reference_name(d->reference),
                   json_side(e, true), "dut", json_side(e, false), "packet", json_packet(e),
                   "grants", json_grants(e), "writes", json_writes(e), "state", json_state(e),
                   "reproduce", e->replay_command);
}
