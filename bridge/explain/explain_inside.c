/* The first wrong state inside the divergent switch, as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <stdlib.h>
#include <string.h>

/* The value as text: "1"; for in[p].vc[v].state its word, such as "open". */
static const char *value(const struct hd_explain_state *s, const char *number)
{
  const char *leaf = strrchr(s->name, '.');
  if (!leaf || strcmp(leaf, ".state") != 0 || *number == 'x')
    return number;
  return hd_vc_state_name((uint32_t)strtoul(number, NULL, 10));
}

static void text_delay(const struct hd_explanation *e, struct hd_text *text)
{
  const struct hd_divergence *d = &e->divergence;
  bool port = d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_CREDIT;
  uint64_t cycles = d->cycle - e->inside.cycle;
  if (cycles)
    hd_text_add(text, "%s before %s\n", hd_count(cycles, "cycle").text,
                port ? "the port" : "it showed");
  else
    hd_text_add(text, "in the cycle in which %s\n", port ? "the port differs" : "it showed");
}

void hd_explain_inside(const struct hd_explanation *e, struct hd_text *text)
{
  const struct hd_explain_inside *in = &e->inside;
  int width = 0;
  if (!in->known) {
    if (in->why[0] && e->divergence.reference)
      hd_text_add(text, "  first signal that differs: not known: %s\n", in->why);
    else if (in->why[0])
      hd_text_add(text, "  no state inside %s: %s\n", in->observed ? "differs" : "is known",
                  in->why);
    return;
  }
  const struct hd_explain_state *first = &in->states[in->first];
  hd_text_add(text, "  first wrong inside: cycle %llu%s, %s: RTL %s, model %s; ",
              (unsigned long long)in->cycle, in->or_before ? " or before" : "", first->name,
              value(first, first->rtl), value(first, first->model));
  text_delay(e, text);
  for (uint32_t i = 0; i < in->n_states; i++)
    if ((int)strlen(in->states[i].name) > width)
      width = (int)strlen(in->states[i].name);
  hd_text_add(text, "    %-*s  %6s  %6s\n", width, "at its start", "RTL", "model");
  for (uint32_t i = 0; i < in->n_states; i++) {
    const struct hd_explain_state *s = &in->states[i];
    hd_text_add(text, "    %-*s  %6s  %6s%s\n", width, s->name, value(s, s->rtl),
                value(s, s->model), s->differs ? "  differs" : "");
  }
}
