/* Handles pins that hold several of a port's signals, such as structs: which bits hold which signal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include "../host/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── reading ───────────────────────────────────────────────────────────────── */

static int refuse(const struct hd_wrap *w, uint32_t bundle, const char *text, const char *what,
                  struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": ports.bundles[%" PRIu32 "]: %s%s", w->path,
                 w->bundle_texts.items[bundle].line, bundle, hd_quote(text).text, what);
}

static char *trim(char *text)
{
  text += strspn(text, " ");
  size_t n = strlen(text);
  while (n && text[n - 1] == ' ')
    n--;
  text[n] = '\0';
  return text;
}

static int read_part(struct hd_wrap *w, uint32_t number, char *text, struct hd_error *err)
{
  struct hd_wrap_bundle *bundle = &w->bundles[number];
  struct hd_wrap_part *part = &bundle->parts[bundle->n];
  if (bundle->n == HD_WRAP_PARTS)
    return refuse(w, number, text, ": more than 16 parts", err);
  bundle->n++;
  const uint32_t constant = hd_wrap_constant_bits(text);
  snprintf(part->width, sizeof part->width, "%" PRIu32, constant);
  part->text = hd_xstrdup(text);
  part->is_constant = constant != 0;
  if (constant)
    return HD_OK;
  const bool inverted = *text == '~', out = !strncmp(text + inverted, "out.", 4);
  const char *name = text + inverted + (out ? 4 : 3);
  if (!out && strncmp(text + inverted, "in.", 3) != 0)
    return refuse(w, number, text,
                  " is no part; legal: in.PIN and out.PIN, as in.valid, with [{vc}] and bits where "
                  "ports.in has them, and constants, as 4'd0",
                  err);
  part->side = out ? HD_WRAP_OUT : HD_WRAP_IN;
  const size_t n = strcspn(name, "[:.");
  part->pin = 0;
  while (part->pin < HD_WRAP_PINS && (strlen(hd_wrap_pin_name(part->pin)) != n ||
                                      strncmp(hd_wrap_pin_name(part->pin), name, n) != 0))
    part->pin++;
  if (part->pin == HD_WRAP_PINS)
    return refuse(w, number, text, " is no pin; heddle wrap --keys lists them", err);
  struct hd_wrap_pattern *pattern = &w->pin[part->side][part->pin];
  if (pattern->text)
    return refuse(w, number, text, " is there twice", err);
  free(part->text);
  part->text = hd_xasprintf("%s%s", inverted ? "~" : "", name);
  if (!hd_wrap_pattern_read(pattern, part->text, part->pin) || strstr(name, "{port}"))
    return refuse(w, number, part->text, " is no part, as in.valid, in.ready[{vc}], out.data:40",
                  err);
  pattern->bundled = true;
  pattern->line = w->bundle_texts.items[number].line;
  memcpy(part->width, pattern->width, sizeof part->width);
  const bool driven = hd_wrap_goes_back(part->pin) == (part->side == HD_WRAP_IN);
  if (bundle->has_signal && driven != bundle->driven)
    return refuse(w, number, text, ": the router drives it, or does not, unlike the parts before",
                  err);
  bundle->has_signal = true;
  bundle->driven = driven;
  return HD_OK;
}

static int read_bundle(struct hd_wrap *w, uint32_t number, struct hd_error *err)
{
  struct hd_wrap_bundle *bundle = &w->bundles[number];
  bundle->copy = hd_xstrdup(w->bundle_texts.items[number].value);
  char *parts = strchr(bundle->copy, '='), *save = NULL;
  if (parts)
    *parts++ = '\0';
  const char *name = trim(bundle->copy);
  if (!parts || !hd_wrap_pattern_read(&bundle->pattern, name, HD_WRAP_SIGNAL_FLIT) ||
      *bundle->pattern.member || *bundle->pattern.bits || bundle->pattern.each_vc ||
      bundle->pattern.inverted)
    return refuse(w, number, w->bundle_texts.items[number].value,
                  " is no bundle; legal: \"link[{port}] = in.valid, out.ready, in.flit\", the "
                  "highest bits first",
                  err);
  if (bundle->pattern.by_port && !w->count)
    return refuse(w, number, name, ": a pin a port needs ports.count or ports.names", err);
  for (char *text = strtok_r(parts, ",", &save); text; text = strtok_r(NULL, ",", &save)) {
    const int status = read_part(w, number, trim(text), err);
    if (status)
      return status;
  }
  snprintf(bundle->pattern.width, sizeof bundle->pattern.width, "BUNDLE_%" PRIu32 "_W", number);
  snprintf(bundle->pattern.one, sizeof bundle->pattern.one, "%.39s", bundle->pattern.width);
  return bundle->has_signal ? HD_OK : refuse(w, number, name, " has no signal", err);
}

int hd_wrap_bundles_read(struct hd_wrap *w, struct hd_error *err)
{
  int status = HD_OK;
  if (w->bundle_texts.n > HD_WRAP_BUNDLES)
    return refuse(w, HD_WRAP_BUNDLES, w->bundle_texts.items[HD_WRAP_BUNDLES].value,
                  ": more than 8 bundles", err);
  for (uint32_t i = 0; i < w->bundle_texts.n && !status; i++)
    status = read_bundle(w, i, err);
  return status;
}

void hd_wrap_bundles_fini(struct hd_wrap *w)
{
  for (uint32_t i = 0; i < HD_WRAP_BUNDLES; i++) {
    free(w->bundles[i].copy);
    for (uint32_t k = 0; k < HD_WRAP_PARTS; k++)
      free(w->bundles[i].parts[k].text);
  }
}

/* ── Verilog ───────────────────────────────────────────────────────────────── */

/* Appends part `k` of a bundle, at port bundle_N_p. Constants that the router drives become unused
 * wires. */
static void add_part(const struct hd_wrap *w, uint32_t number, uint32_t k, struct hd_text *t)
{
  const struct hd_wrap_bundle *bundle = &w->bundles[number];
  const struct hd_wrap_part *part = &bundle->parts[k];
  char vector[64];
  if (part->is_constant && bundle->driven) {
    hd_text_add(t, "unread_%" PRIu32, k);
  } else if (part->is_constant) {
    hd_text_add(t, "%s", part->text);
  } else {
    hd_wrap_name_vector(w, part->side, part->pin, vector);
    if (strcmp(part->width, "1"))
      hd_text_add(t, "%s[bundle_%" PRIu32 "_p*(%s)+:%s]", vector, number, part->width, part->width);
    else
      hd_text_add(t, "%s[bundle_%" PRIu32 "_p]", vector, number);
  }
}

void hd_wrap_add_bundles(const struct hd_wrap *w, struct hd_text *t)
{
  for (uint32_t i = 0; i < w->bundle_texts.n; i++) {
    const struct hd_wrap_bundle *bundle = &w->bundles[i];
    char whole[80];
    snprintf(whole, sizeof whole,
             "bundle_%" PRIu32 "[bundle_%" PRIu32 "_p*BUNDLE_%" PRIu32 "_W+:BUNDLE_%" PRIu32 "_W]",
             i, i, i, i);
    hd_text_add(t, "  localparam BUNDLE_%" PRIu32 "_W = ", i);
    for (uint32_t k = 0; k < bundle->n; k++)
      hd_text_add(t, "%s%s", k ? " + " : "", bundle->parts[k].width);
    hd_text_add(t,
                ";\n  wire [N*BUNDLE_%" PRIu32 "_W-1:0] bundle_%" PRIu32
                ";\n  genvar bundle_%" PRIu32 "_p;\n  for (bundle_%" PRIu32
                "_p = 0; bundle_%" PRIu32 "_p < N; bundle_%" PRIu32 "_p = bundle_%" PRIu32
                "_p + 1) begin : bundle_%" PRIu32 "_port\n",
                i, i, i, i, i, i, i, i);
    for (uint32_t k = 0; k < bundle->n && bundle->driven; k++)
      if (bundle->parts[k].is_constant)
        hd_text_add(t, "    wire [%s-1:0] unread_%" PRIu32 ";\n", bundle->parts[k].width, k);
    if (bundle->driven)
      hd_text_add(t, "    assign {");
    else
      hd_text_add(t, "    assign %s = {", whole);
    for (uint32_t k = 0; k < bundle->n; k++) {
      hd_text_add(t, "%s", k ? ", " : "");
      add_part(w, i, k, t);
    }
    if (bundle->driven)
      hd_text_add(t, "} = %s;\n  end\n", whole);
    else
      hd_text_add(t, "};\n  end\n");
  }
}
