/* A description from its text: values of keys, patterns of pins, and fields of flits.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include "../host/file.h"
#include "../host/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hd_wrap_pin_name(unsigned pin)
{
  static const char *const names[] = {
#define NAME(name, text, ...) text,
      HD_WRAP_SIGNAL_LIST(NAME) HD_WRAP_FIELD_LIST(NAME)
#undef NAME
  };
  return names[pin];
}

static const char *const k_widths[] = {
#define WIDTH(name, text, width, about) width,
    HD_WRAP_FIELD_LIST(WIDTH)
#undef WIDTH
};

int hd_wrap_refuse(const struct hd_wrap *w, const char *path, struct hd_error *err,
                   const char *format, ...)
{
  char what[700], key[64];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  snprintf(key, sizeof key, "%s", path);
  const struct hd_outline_entry *entry = hd_outline_find(&w->outline, key);
  for (char *dot; !entry && (dot = strrchr(key, '.')); entry = hd_outline_find(&w->outline, key))
    *dot = '\0';
  return hd_fail(err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s", w->path, entry ? entry->line : 1, path,
                 what);
}

/* ── values of keys ────────────────────────────────────────────────────────── */

const char *hd_wrap_text(const struct hd_wrap *w, const char *path, const char *otherwise)
{
  const struct hd_outline_entry *entry = hd_outline_find(&w->outline, path);
  return entry && entry->kind == HD_OUTLINE_SCALAR ? entry->value : otherwise;
}

static uint32_t number_of(const struct hd_wrap *w, const char *path, uint32_t otherwise)
{
  const char *text = hd_wrap_text(w, path, NULL);
  return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static bool is(const struct hd_wrap *w, const char *path, const char *value)
{
  const char *text = hd_wrap_text(w, path, NULL);
  return text && !strcmp(text, value);
}

static void fill_pairs(const struct hd_wrap *w, const char *path, struct hd_wrap_pairs *pairs)
{
  const struct hd_outline_entry *around = hd_outline_find(&w->outline, path);
  if (around && around->kind == HD_OUTLINE_SCALAR) /* one text instead of a list */
    pairs->items[pairs->n++] =
        (struct hd_wrap_pair){.name = "", .value = around->value, .line = around->line};
  for (uint32_t i = 0; around && i < w->outline.n; i++) {
    const struct hd_outline_entry *e = &w->outline.entries[i];
    if (e->parent == (uint32_t)(around - w->outline.entries) && e != around)
      pairs->items[pairs->n++] = (struct hd_wrap_pair){
          .name = e->path + strlen(path) + 1, .value = e->value, .line = e->line};
  }
}

bool hd_wrap_any_has(const struct hd_wrap_pairs *pairs, const char *word)
{
  for (uint32_t i = 0; i < pairs->n; i++)
    if (strstr(pairs->items[i].value, word))
      return true;
  return false;
}

static bool is_vhdl_file(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".vhd") || !strcmp(dot, ".vhdl"));
}

static void fill_values(struct hd_wrap *w)
{
  w->top = hd_wrap_text(w, "top", "");
  w->clock = hd_wrap_text(w, "clock", "clk");
  w->idle = hd_wrap_text(w, "idle", NULL);
  w->channels = hd_wrap_text(w, "channels", "1");
  w->network = hd_wrap_text(w, "network", NULL);
  if (w->network && hd_inside_parse(&w->inside, w->network) && w->inside.is == HD_INSIDE_GRID)
    snprintf(w->inside_columns, sizeof w->inside_columns, "%" PRIu32, w->inside.dims[0]);
  w->columns = hd_wrap_text(w, "position.columns", *w->inside_columns ? w->inside_columns : NULL);
  w->node_port = number_of(w, "position.port", 0);
  w->reset_pin = hd_wrap_text(w, "reset.pin", "");
  w->reset_low = is(w, "reset.active", "low");
  w->reset_cycles = number_of(w, "reset.cycles", w->flow == HD_WRAP_NATIVE ? 0 : 8);
  w->settle_cycles = number_of(w, "reset.settle", w->flow == HD_WRAP_NATIVE ? 0 : 8);
  w->waits = w->reset_cycles || w->settle_cycles;
  w->first = number_of(w, "ports.first", 0);
  w->interface = hd_wrap_text(w, "ports.interface", NULL);
  w->unpacked = is(w, "ports.array", "unpacked");
  w->slots = hd_wrap_text(w, "flow.slots", NULL);
  w->slots_out = number_of(w, "flow.next_slots", 0);
  w->slack = number_of(w, "flow.slack", 4);
  w->late = number_of(w, "flow.late", 1);
  w->on_low = is(w, "flow.on", "low");
  w->single = is(w, "packet.single", "true");
  w->longest = number_of(w, "packet.longest", 0);
  w->shortest = number_of(w, "packet.shortest", 0);
  w->length_is_rest = is(w, "packet.length", "rest");
  w->promise = hd_wrap_text(w, "routing.promises", "none");
  w->order_promise = hd_wrap_text(w, "routing.order", NULL);
  w->tables = hd_wrap_text(w, "routing.tables", "none");
  w->replays = is(w, "routing.tables", "replay");
  static const char *const links[] = {"links.valid", "links.ready", "links.tail", "links.data",
                                      "links.dest",  "links.x",     "links.y",    "links.vc"};
  for (unsigned i = 0; i < HD_WRAP_LINK_KEYS; i++)
    w->links[i] = hd_wrap_text(w, links[i], NULL);
  w->link_channels = number_of(w, "links.channels", 1);
  fill_pairs(w, "files", &w->files);
  for (uint32_t i = 0; i < w->files.n; i++)
    w->vhdl |= is_vhdl_file(w->files.items[i].value);
  fill_pairs(w, "include", &w->include);
  fill_pairs(w, "defines", &w->defines);
  fill_pairs(w, "parameters", &w->parameters);
  fill_pairs(w, "pins", &w->pins);
  fill_pairs(w, "ports.names", &w->names);
  fill_pairs(w, "links.ports", &w->link_ports);
  fill_pairs(w, "ports.bundles", &w->bundle_texts);
  fill_pairs(w, "packet.flit", &w->flit);
  fill_pairs(w, "packet.type", &w->type);
  fill_pairs(w, "packet.changed", &w->changed);
  w->count = number_of(w, "ports.count", w->names.n);
  for (uint32_t i = 0; i < HD_WRAP_PORTS; i++)
    w->order[i] = i;
}

static void fill_flow(struct hd_wrap *w)
{
  static const char *const kinds[] = {
#define FLOW_NAME(name, text, about) text,
      HD_WRAP_FLOW_LIST(FLOW_NAME)
#undef FLOW_NAME
  };
  for (unsigned i = 0; i < HD_WRAP_FLOWS; i++)
    if (is(w, "flow.kind", kinds[i]))
      w->flow = (enum hd_wrap_flow)i;
}

/* ── pins ──────────────────────────────────────────────────────────────────── */

/* True if the text gives a width: a number or an expression without brackets, and not 0. */
static bool is_bits(const char *bits)
{
  const size_t n = strlen(bits);
  return n && n < 40 && strcmp(bits, "0") &&
         strspn(bits, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+-* ") == n;
}

/* True if the first n characters are .NAME or .NAME.NAME. */
static bool is_member(const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (text[i] == '.' ? i + 1 == n || text[i + 1] == '.'
                       : !isalnum((unsigned char)text[i]) && text[i] != '_')
      return false;
  return true;
}

/* Parses a pattern: NAME with {port} and {vc} in it, perhaps ~ before it and .MEMBER after it, then
 * perhaps [{port}], [{vc}] and :bits. False: the text is no pattern. */
static bool read_pattern(struct hd_wrap_pattern *p, const char *text)
{
  char bare[sizeof p->base];
  p->inverted = *text == '~';
  text += p->inverted;
  const size_t n = strcspn(text, ".[:"), member = strcspn(text + n, "[:");
  if (!n || n >= sizeof p->base || member >= sizeof p->member ||
      (member && !is_member(text + n, member)))
    return false;
  snprintf(p->member, sizeof p->member, "%.*s", (int)member, text + n);
  snprintf(p->base, sizeof p->base, "%.*s", (int)n, text);
  const char *rest = text + n + member;
  if (!strncmp(rest, "[{port}]", 8))
    rest += 8;
  if (!strncmp(rest, "[{vc}]", 6)) {
    p->each_vc = true;
    rest += 6;
  }
  size_t used = 0;
  for (const char *c = p->base; *c && used < sizeof bare - 1; c++) {
    if (!strncmp(c, "{port}", 6)) {
      p->by_port = true;
      c += 5;
    } else if (!strncmp(c, "{vc}", 4)) {
      p->by_vc = p->each_vc = true;
      c += 3;
    }
    bare[used++] = *c == '}' ? '0' : *c;
  }
  bare[used] = '\0';
  if (bare[0] == '0') /* the pattern begins with {port}, here a name */
    bare[0] = 'p';
  p->text = text;
  if (*rest == ':' && is_bits(rest + 1)) {
    snprintf(p->bits, sizeof p->bits, "%s", rest + 1);
    rest += strlen(rest);
  }
  return !*rest && hd_wrap_is_name(bare);
}

/* Fills in the widths `one` and `width` of a pin. */
static void fill_width(struct hd_wrap_pattern *p, unsigned pin)
{
  const char *one = *p->bits                          ? p->bits
                    : pin == HD_WRAP_SIGNAL_FLIT      ? "FLIT_W"
                    : pin == HD_WRAP_SIGNAL_CREDIT_VC ? "VC_W"
                    : pin < HD_WRAP_SIGNALS           ? "1"
                                                      : k_widths[pin - HD_WRAP_SIGNALS];
  snprintf(p->one, sizeof p->one, "%s", one);
  if (!p->each_vc)
    snprintf(p->width, sizeof p->width, "%s", one);
  else
    snprintf(p->width, sizeof p->width, strcmp(one, "1") ? "CHANNELS*(%s)" : "CHANNELS", one);
}

bool hd_wrap_pattern_read(struct hd_wrap_pattern *p, const char *text, unsigned pin)
{
  const bool is = read_pattern(p, text);
  fill_width(p, pin);
  return is;
}

static int fill_side(struct hd_wrap *w, const char *path, struct hd_wrap_pattern *side,
                     struct hd_error *err)
{
  struct hd_wrap_pairs given = {.n = 0};
  fill_pairs(w, path, &given);
  for (uint32_t i = 0; i < given.n; i++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (!strcmp(given.items[i].name, hd_wrap_pin_name(pin))) {
        char key[80];
        snprintf(key, sizeof key, "%s.%s", path, given.items[i].name);
        side[pin].line = given.items[i].line;
        if (!read_pattern(&side[pin], given.items[i].value))
          return hd_wrap_refuse(
              w, key, err,
              "%s is no pattern of pins; legal: data_{port} for a pin a port, "
              "data[{port}] or data for a "
              "vector, {vc} likewise for each channel, data:32 where a field has other "
              "bits than usual, ~ before a pin whose level is the other one",
              hd_quote(given.items[i].value).text);
        if (*side[pin].member && (!w->interface || !side[pin].by_port || side[pin].by_vc))
          return hd_wrap_refuse(
              w, key, err,
              "a member of an interface needs ports.interface, {port} in the interface's "
              "name and no {vc} there");
        if (side[pin].by_port && !w->count)
          return hd_wrap_refuse(w, key, err, "a pin a port needs ports.count or ports.names");
        if (side[pin].by_vc && !strcmp(w->channels, "VCS"))
          return hd_wrap_refuse(w, key, err, "a pin for each channel needs a number of channels");
        if (side[pin].by_vc && !side[pin].by_port && !w->count)
          return hd_wrap_refuse(
              w, key, err, "a vector of ports for each channel needs ports.count or ports.names");
        if (*side[pin].bits && pin < HD_WRAP_SIGNALS &&
            (pin < HD_WRAP_SIGNAL_CREDIT || pin > HD_WRAP_SIGNAL_CREDIT_VC))
          return hd_wrap_refuse(w, key, err, "bits are for fields, credit, credit_vc and free");
        if (side[pin].each_vc &&
            (pin == HD_WRAP_SIGNAL_CREDIT_VC || pin == HD_WRAP_SIGNALS + HD_WRAP_FIELD_VC ||
             pin == HD_WRAP_SIGNALS + HD_WRAP_FIELD_VC_ONEHOT))
          return hd_wrap_refuse(w, key, err, "names a channel, so it is no pin for each channel");
        fill_width(&side[pin], pin);
      }
  return HD_OK;
}

/* ── fields ────────────────────────────────────────────────────────────────── */

uint32_t hd_wrap_constant_bits(const char *text)
{
  const size_t n = strspn(text, "0123456789");
  const bool ok = n && n < 4 && text[n] == '\'' && text[n + 1] && strchr("bdh", text[n + 1]) &&
                  text[n + 2] &&
                  strspn(text + n + 2, "0123456789abcdefABCDEF_") == strlen(text + n + 2);
  return ok ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static int field_of(const struct hd_wrap *w, const struct hd_wrap_pair *item,
                    struct hd_wrap_field *field, struct hd_error *err)
{
  char path[64];
  const size_t n = strcspn(item->value, ":");
  const char *bits = item->value[n] ? item->value + n + 1 : NULL;
  snprintf(path, sizeof path, "packet.flit[%s", item->name);
  if (hd_wrap_constant_bits(item->value)) {
    *field = (struct hd_wrap_field){.kind = HD_WRAP_FIELD_CONSTANT, .text = item->value};
    snprintf(field->width, sizeof field->width, "%" PRIu32, hd_wrap_constant_bits(item->value));
    return HD_OK;
  }
  for (unsigned k = 0; k < HD_WRAP_FIELD_KINDS; k++) {
    const char *name = hd_wrap_pin_name(HD_WRAP_SIGNALS + k);
    if (strlen(name) != n || strncmp(name, item->value, n))
      continue;
    if (bits && !is_bits(bits))
      break;
    *field = (struct hd_wrap_field){.kind = k};
    snprintf(field->width, sizeof field->width, "%s", bits ? bits : k_widths[k]);
    return HD_OK;
  }
  return hd_wrap_refuse(
      w, path, err,
      "%s is no field; legal: data, kind, head, tail, type, length, vc, vc_onehot, dest, "
      "x, y, each also with its "
      "bits, as dest:6, and constants, as 4'd0",
      hd_quote(item->value).text);
}

static int fill_fields(struct hd_wrap *w, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; !status && i < w->flit.n; i++) {
    status = field_of(w, &w->flit.items[i], &w->fields[w->n_fields], err);
    const unsigned kind = w->fields[w->n_fields].kind;
    for (uint32_t j = 0; !status && kind != HD_WRAP_FIELD_CONSTANT && j < w->n_fields; j++)
      if (w->fields[j].kind == kind)
        status = hd_wrap_refuse(w, "packet.flit", err, "%s is there twice",
                                hd_wrap_pin_name(HD_WRAP_SIGNALS + kind));
    w->n_fields++;
  }
  return status;
}

/* Reads ports.order, which must name each port of the router once. */
static int fill_order(struct hd_wrap *w, struct hd_error *err)
{
  struct hd_wrap_pairs given = {.n = 0};
  bool seen[HD_WRAP_PORTS] = {false};
  fill_pairs(w, "ports.order", &given);
  if (given.n == 1 || given.n > HD_WRAP_PORTS)
    return hd_wrap_refuse(w, "ports.order", err, "%" PRIu32 " numbers; legal: 2 to %d", given.n,
                          HD_WRAP_PORTS);
  w->is_ordered = given.n != 0;
  if (!w->count)
    w->count = given.n;
  if (given.n && given.n != w->count)
    return hd_wrap_refuse(w, "ports.order", err, "%" PRIu32 " numbers for %" PRIu32 " ports",
                          given.n, w->count);
  for (uint32_t i = 0; i < given.n; i++) {
    const char *text = given.items[i].value;
    w->order[i] = strspn(text, "0123456789") == strlen(text) && strlen(text) < 4
                      ? (uint32_t)strtoul(text, NULL, 10)
                      : HD_WRAP_PORTS;
    if (w->order[i] >= w->count || seen[w->order[i]])
      return hd_wrap_refuse(w, "ports.order", err,
                            "%s; legal: each number from 0 to %" PRIu32 " once",
                            hd_quote(text).text, w->count - 1);
    seen[w->order[i]] = true;
  }
  return HD_OK;
}

/* Fills in which parts the wrapper needs. */
static void fill_needs(struct hd_wrap *w)
{
  w->copies = hd_wrap_any_has(&w->parameters, "hd_");
  w->has_position =
      !w->network && (hd_outline_find(&w->outline, "position") || w->copies ||
                      hd_wrap_any_has(&w->pins, "hd_node") || hd_wrap_any_has(&w->pins, "hd_x") ||
                      hd_wrap_any_has(&w->pins, "hd_y"));
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    w->type_is_used |= hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE);
}

/* Fills a zeroed description, whose outline is checked, and refuses what does not fit together. */
static int fill(struct hd_wrap *w, struct hd_error *err)
{
  fill_flow(w);
  fill_values(w);
  int status = fill_order(w, err);
  if (!status)
    status = hd_wrap_check_values(w, err);
  if (!status)
    status = fill_fields(w, err);
  if (!status)
    status = fill_side(w, "ports.in", w->pin[HD_WRAP_IN], err);
  if (!status)
    status = fill_side(w, "ports.out", w->pin[HD_WRAP_OUT], err);
  if (!status)
    status = hd_wrap_bundles_read(w, err);
  if (status)
    return status;
  fill_needs(w);
  return hd_wrap_check(w, err);
}

/* ── reading ───────────────────────────────────────────────────────────────── */

int hd_wrap_parse(struct hd_wrap **wrap, const char *text, size_t length, const char *path,
                  struct hd_error *err)
{
  struct hd_wrap *w = hd_xcalloc(1, sizeof *w);
  *wrap = w;
  w->path = hd_xstrdup(path);
  int status = hd_outline_read(&w->outline, text, length, path, err);
  if (!status)
    status = hd_wrap_check_keys(&w->outline, path, err);
  return status ? status : fill(w, err);
}

int hd_wrap_read(struct hd_wrap **wrap, const char *path, struct hd_error *err)
{
  char *text = NULL;
  size_t length = 0;
  *wrap = NULL;
  int status = hd_file_regular(path, HD_SCENARIO_BYTES, &text, &length, err);
  if (!status)
    status = hd_wrap_parse(wrap, text, length, path, err);
  free(text);
  return status;
}

void hd_wrap_destroy(struct hd_wrap *wrap)
{
  if (!wrap)
    return;
  hd_wrap_bundles_fini(wrap);
  hd_outline_fini(&wrap->outline);
  free(wrap->path);
  free(wrap);
}
