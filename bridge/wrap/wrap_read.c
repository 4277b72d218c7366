/* A description from its text: values of keys, patterns of pins, fields of flits, and whether they fit together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"
#include "wrap_vhdl.h"

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

static int refuse(const struct hd_wrap *w, const char *path, struct hd_error *err,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports an error at the line of the key, or of the key around it. */
static int refuse(const struct hd_wrap *w, const char *path, struct hd_error *err,
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

static const char *text_of(const struct hd_wrap *w, const char *path, const char *otherwise)
{
  const struct hd_outline_entry *entry = hd_outline_find(&w->outline, path);
  return entry && entry->kind == HD_OUTLINE_SCALAR ? entry->value : otherwise;
}

static uint32_t number_of(const struct hd_wrap *w, const char *path, uint32_t otherwise)
{
  const char *text = text_of(w, path, NULL);
  return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static bool is(const struct hd_wrap *w, const char *path, const char *value)
{
  const char *text = text_of(w, path, NULL);
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

static bool is_vhdl_file(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".vhd") || !strcmp(dot, ".vhdl"));
}

static void fill_values(struct hd_wrap *w)
{
  w->top = text_of(w, "top", "");
  w->clock = text_of(w, "clock", "clk");
  w->idle = text_of(w, "idle", NULL);
  w->channels = text_of(w, "channels", "1");
  w->network = text_of(w, "network", NULL);
  if (w->network && hd_inside_parse(&w->inside, w->network) && w->inside.is == HD_INSIDE_GRID)
    snprintf(w->inside_columns, sizeof w->inside_columns, "%" PRIu32, w->inside.dims[0]);
  w->columns = text_of(w, "position.columns", *w->inside_columns ? w->inside_columns : NULL);
  w->node_port = number_of(w, "position.port", 0);
  w->reset_pin = text_of(w, "reset.pin", "");
  w->reset_low = is(w, "reset.active", "low");
  w->reset_cycles = number_of(w, "reset.cycles", w->flow == HD_WRAP_NATIVE ? 0 : 8);
  w->settle_cycles = number_of(w, "reset.settle", w->flow == HD_WRAP_NATIVE ? 0 : 8);
  w->waits = w->reset_cycles || w->settle_cycles;
  w->first = number_of(w, "ports.first", 0);
  w->interface = text_of(w, "ports.interface", NULL);
  w->unpacked = is(w, "ports.array", "unpacked");
  w->slots = text_of(w, "flow.slots", NULL);
  w->slots_out = number_of(w, "flow.next_slots", 0);
  w->slack = number_of(w, "flow.slack", 4);
  w->late = number_of(w, "flow.late", 1);
  w->on_low = is(w, "flow.on", "low");
  w->single = is(w, "packet.single", "true");
  w->longest = number_of(w, "packet.longest", 0);
  w->length_is_rest = is(w, "packet.length", "rest");
  w->promise = text_of(w, "routing.promises", "none");
  w->order_promise = text_of(w, "routing.order", NULL);
  w->tables = text_of(w, "routing.tables", "none");
  w->replays = is(w, "routing.tables", "replay");
  static const char *const links[] = {"links.valid", "links.ready", "links.tail", "links.data",
                                      "links.dest",  "links.x",     "links.y",    "links.vc"};
  for (unsigned i = 0; i < HD_WRAP_LINK_KEYS; i++)
    w->links[i] = text_of(w, links[i], NULL);
  w->link_channels = number_of(w, "links.channels", 1);
  fill_pairs(w, "files", &w->files);
  for (uint32_t i = 0; i < w->files.n; i++)
    w->vhdl |= is_vhdl_file(w->files.items[i].value);
  fill_pairs(w, "include", &w->include);
  fill_pairs(w, "defines", &w->defines);
  fill_pairs(w, "parameters", &w->parameters);
  fill_pairs(w, "pins", &w->pins);
  fill_pairs(w, "ports.names", &w->names);
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
          return refuse(w, key, err,
                        "%s is no pattern of pins; legal: data_{port} for a pin a port, "
                        "data[{port}] or data for a "
                        "vector, {vc} likewise for each channel, data:32 where a field has other "
                        "bits than usual, ~ before a pin whose level is the other one",
                        hd_quote(given.items[i].value).text);
        if (*side[pin].member && (!w->interface || !side[pin].by_port || side[pin].by_vc))
          return refuse(w, key, err,
                        "a member of an interface needs ports.interface, {port} in the interface's "
                        "name and no {vc} there");
        if (side[pin].by_port && !w->count)
          return refuse(w, key, err, "a pin a port needs ports.count or ports.names");
        if (side[pin].by_vc && !strcmp(w->channels, "VCS"))
          return refuse(w, key, err, "a pin for each channel needs a number of channels");
        if (side[pin].by_vc && !side[pin].by_port && !w->count)
          return refuse(w, key, err,
                        "a vector of ports for each channel needs ports.count or ports.names");
        if (*side[pin].bits && pin < HD_WRAP_SIGNALS &&
            (pin < HD_WRAP_SIGNAL_CREDIT || pin > HD_WRAP_SIGNAL_CREDIT_VC))
          return refuse(w, key, err, "bits are for fields, credit, credit_vc and free");
        if (side[pin].each_vc &&
            (pin == HD_WRAP_SIGNAL_CREDIT_VC || pin == HD_WRAP_SIGNALS + HD_WRAP_FIELD_VC ||
             pin == HD_WRAP_SIGNALS + HD_WRAP_FIELD_VC_ONEHOT))
          return refuse(w, key, err, "names a channel, so it is no pin for each channel");
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
  return refuse(w, path, err,
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
        status = refuse(w, "packet.flit", err, "%s is there twice",
                        hd_wrap_pin_name(HD_WRAP_SIGNALS + kind));
    w->n_fields++;
  }
  return status;
}

/* ── checks of keys that depend on each other ──────────────────────────────── */

static const char *code_of(const struct hd_wrap *w, const char *kind)
{
  for (uint32_t i = 0; i < w->type.n; i++)
    if (!strcmp(w->type.items[i].name, kind))
      return w->type.items[i].value;
  return kind; /* Heddle's names of kinds, which all differ */
}

bool hd_wrap_types_tell(const struct hd_wrap *w, const char *end)
{
  const char *const yes[] = {code_of(w, end), code_of(w, "single")};
  const char *const no[] = {code_of(w, "body"), code_of(w, strcmp(end, "head") ? "head" : "tail")};
  for (size_t i = 0; i < 4; i++)
    if (!strcmp(yes[i / 2], no[i % 2]))
      return false;
  return true;
}

/* True if a field of a side's flits shows which flit is the last one of a packet. */
static bool marks_tails(const struct hd_wrap *w, unsigned side)
{
  return w->single || hd_wrap_has_field(w, side, HD_WRAP_FIELD_KIND) ||
         hd_wrap_has_field(w, side, HD_WRAP_FIELD_TAIL) ||
         hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH) ||
         (hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) && hd_wrap_types_tell(w, "tail"));
}

/* Refuses descriptions for which a wrapper of wires (flow.kind native) would have to know which
 * packet is under way, or its destination. */
static int check_native(const struct hd_wrap *w, unsigned side, const char *path,
                        struct hd_error *err)
{
  static const unsigned of_packets[] = {HD_WRAP_FIELD_DEST, HD_WRAP_FIELD_COLUMN,
                                        HD_WRAP_FIELD_ROW};
  for (size_t i = 0; side == HD_WRAP_IN && i < 3; i++)
    if (hd_wrap_has_field(w, side, of_packets[i]))
      return refuse(w, path, err,
                    "native is wires alone and cannot give %s to all flits of a packet; legal: "
                    "flow.kind credit",
                    hd_wrap_pin_name(HD_WRAP_SIGNALS + of_packets[i]));
  if (side == HD_WRAP_OUT && !w->single && !hd_wrap_has_field(w, side, HD_WRAP_FIELD_KIND) &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_HEAD) &&
      !(hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) && hd_wrap_types_tell(w, "head")))
    return refuse(w, path, err, "native is wires alone: give kind, head or type%s",
                  hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE)
                      ? " whose codes tell first flits from others"
                      : "");
  return HD_OK;
}

/* Refuses a side whose flits have pins for each channel ({vc}), if another of its pins is shared by channels. */
static int check_lanes(const struct hd_wrap *w, unsigned side, const char *path,
                       struct hd_error *err)
{
  const struct hd_wrap_pattern *pin = w->pin[side];
  if (w->flow == HD_WRAP_NATIVE)
    return refuse(w, path, err,
                  "flow.kind native sends one flit a cycle; pins with {vc} need flow.kind credit");
  for (unsigned i = 0; i < HD_WRAP_PINS; i++)
    if (pin[i].text && !pin[i].each_vc && i != HD_WRAP_SIGNAL_CREDIT_VC &&
        !(i == HD_WRAP_SIGNAL_READY && side == HD_WRAP_IN) &&
        !(i == HD_WRAP_SIGNAL_CREDIT && pin[HD_WRAP_SIGNAL_CREDIT_VC].text))
      return refuse(w, path, err, "where flits have a pin for each channel, %s needs {vc}, too",
                    hd_wrap_pin_name(i));
  return HD_OK;
}

static int check_side(const struct hd_wrap *w, unsigned side, struct hd_error *err)
{
  static const char *const paths[] = {"ports.in", "ports.out"};
  static const unsigned back[] = {[HD_WRAP_READY] = HD_WRAP_SIGNAL_READY,
                                  [HD_WRAP_ONOFF] = HD_WRAP_SIGNAL_ON,
                                  [HD_WRAP_CREDIT] = HD_WRAP_SIGNAL_CREDIT,
                                  [HD_WRAP_COUNT] = HD_WRAP_SIGNAL_FREE,
                                  [HD_WRAP_NATIVE] = HD_WRAP_SIGNAL_CREDIT};
  const struct hd_wrap_pattern *pin = w->pin[side];
  const bool several = strcmp(w->channels, "1") != 0;
  if (!pin[HD_WRAP_SIGNAL_VALID].text)
    return refuse(w, paths[side], err, "the pin valid is missing");
  for (unsigned s = HD_WRAP_SIGNAL_READY; s <= HD_WRAP_SIGNAL_FREE; s++)
    if (!pin[s].text != (s != back[w->flow]))
      return refuse(w, paths[side], err, "flow.kind %s %s the pin %s", text_of(w, "flow.kind", ""),
                    s == back[w->flow] ? "needs" : "has no use for", hd_wrap_pin_name(s));
  if (pin[HD_WRAP_SIGNAL_FLIT].text && !w->n_fields)
    return refuse(w, paths[side], err, "the pin flit needs packet.flit, the list of its fields");
  if (!hd_wrap_has_field(w, side, HD_WRAP_FIELD_DATA))
    return refuse(w, paths[side], err,
                  "the router must carry Heddle's data: give a pin data, or a pin flit with data "
                  "in packet.flit");
  if (several && !pin[HD_WRAP_SIGNAL_VALID].each_vc &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_VC) &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_VC_ONEHOT))
    return refuse(
        w, paths[side], err,
        "with several channels, a flit needs its channel: vc, vc_onehot, or valid with {vc}");
  if (pin[HD_WRAP_SIGNAL_CREDIT_VC].text &&
      (w->flow != HD_WRAP_CREDIT || !several || pin[HD_WRAP_SIGNAL_CREDIT].each_vc))
    return refuse(
        w, paths[side], err,
        "credit_vc is for flow.kind credit, several channels and a pin credit without {vc}");
  if (pin[HD_WRAP_SIGNAL_FREED].text && w->flow != HD_WRAP_ONOFF && w->flow != HD_WRAP_CREDIT &&
      w->flow != HD_WRAP_COUNT)
    return refuse(w, paths[side], err, "freed is for flow.kind onoff, credit and count");
  if (several && pin[HD_WRAP_SIGNAL_FREED].text && !pin[HD_WRAP_SIGNAL_FREED].each_vc)
    return refuse(w, paths[side], err, "with several channels, the pin freed needs {vc}");
  if (several && w->flow != HD_WRAP_READY && !pin[back[w->flow]].each_vc &&
      !pin[HD_WRAP_SIGNAL_CREDIT_VC].text)
    return refuse(w, paths[side], err, "with several channels, the pin %s needs {vc}%s",
                  hd_wrap_pin_name(back[w->flow]),
                  w->flow == HD_WRAP_CREDIT ? ", or a pin credit_vc" : "");
  if (side == HD_WRAP_OUT && !marks_tails(w, side))
    return refuse(
        w, hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) ? "packet.type" : paths[side], err,
        hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE)
            ? "a last flit has the code of one that is not the last: give tail or length, too"
            : "the end of a packet is not marked: give kind, tail, type or length, or "
              "packet.single");
  if (hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH) &&
      (!w->longest || w->flow == HD_WRAP_NATIVE))
    return refuse(w, w->longest ? "flow.kind" : "packet.longest", err,
                  w->longest ? "native is wires alone, and a packet with its length in the head "
                               "waits until it is whole; legal: flow.kind credit"
                             : "is missing; the field length needs it, as the wrapper keeps a "
                               "packet until it knows how long it is");
  if (w->flow == HD_WRAP_COUNT && !*pin[HD_WRAP_SIGNAL_FREE].bits)
    return refuse(w, paths[side], err, "the pin free needs its bits, as free_{port}:4");
  if (w->flow == HD_WRAP_NATIVE && *pin[HD_WRAP_SIGNAL_CREDIT].bits)
    return refuse(w, paths[side], err, "native has pulses; legal: flow.kind credit");
  if (hd_wrap_has_lanes(w, side))
    return check_lanes(w, side, paths[side], err);
  return w->flow == HD_WRAP_NATIVE ? check_native(w, side, paths[side], err) : HD_OK;
}

static bool uses(const struct hd_wrap_pairs *pairs, const char *word)
{
  for (uint32_t i = 0; i < pairs->n; i++)
    if (strstr(pairs->items[i].value, word))
      return true;
  return false;
}

static bool uses_grid(const struct hd_wrap *w)
{
  return uses(&w->pins, "hd_x") || uses(&w->pins, "hd_y") || uses(&w->parameters, "hd_x") ||
         uses(&w->parameters, "hd_y") || hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_COLUMN) ||
         hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_ROW);
}

static int check_position(const struct hd_wrap *w, struct hd_error *err)
{
  if (uses_grid(w) && !w->columns)
    return refuse(w, "position.columns", err,
                  "is missing; x, y, hd_x and hd_y need the columns of the grid");
  return HD_OK;
}

/* Tests whether both sides have pins for data and for tails. */
static bool has_tails(const struct hd_wrap *w)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    if (!w->pin[side][HD_WRAP_SIGNALS + HD_WRAP_FIELD_DATA].text ||
        !w->pin[side][HD_WRAP_SIGNALS + HD_WRAP_FIELD_TAIL].text)
      return false;
  return true;
}

/* Checks `links`: the topology inside must be known, and endpoints must use valid and ready. */
static int check_links(const struct hd_wrap *w, struct hd_error *err)
{
  if (!hd_outline_find(&w->outline, "links"))
    return HD_OK;
  for (unsigned i = 0; i < HD_WRAP_LINK_SIGNALS; i++)
    if (!w->links[i])
      return refuse(w, "links", err, "needs valid, ready, tail and data");
  const char *const *l = w->links;
  if (!l[HD_WRAP_LINK_COLUMN] != !l[HD_WRAP_LINK_ROW] ||
      (l[HD_WRAP_LINK_DEST] && l[HD_WRAP_LINK_ROW]))
    return refuse(w, "links", err, "x and y go together, and in place of dest");
  if ((w->link_channels > 1) != (l[HD_WRAP_LINK_VC] != NULL))
    return refuse(w, "links", err, "vc and channels (2 to %d) go together", HD_WRAP_CHANNELS);
  if (w->inside.is == HD_INSIDE_UNKNOWN || w->vhdl || w->flow != HD_WRAP_READY ||
      strcmp(w->channels, "1") || !has_tails(w))
    return refuse(
        w, "links", err,
        "is done for a mesh, a torus or a graph file in Verilog, with flow.kind ready, one "
        "channel at the endpoints, and data and tail as pins of ports.in and ports.out");
  if (w->inside.is == HD_INSIDE_FILE && !strcmp(w->promise, "dimension-order"))
    return refuse(w, "routing.promises", err, "dimension-order is for a mesh or torus");
  struct hd_topology inside;
  const int status = hd_wrap_inside(w, &inside, err);
  if (status)
    return status;
  const uint32_t nodes = inside.n_nodes;
  hd_topology_fini(&inside);
  if (nodes != w->count)
    return refuse(w, "network", err,
                  "%s has %" PRIu32 " nodes, and there are %" PRIu32 " endpoints", w->network,
                  nodes, w->count);
  return HD_OK;
}

/* Checks keys that only a router, or only a whole network, may have. */
static int check_network(const struct hd_wrap *w, struct hd_error *err)
{
  if (!w->network && w->count > HD_MAX_PORTS)
    return refuse(w,
                  w->names.n      ? "ports.names"
                  : w->is_ordered ? "ports.order"
                                  : "ports.count",
                  err, "%" PRIu32 " ports; a router has 2 to %d, a network (network: …) up to %d",
                  w->count, HD_MAX_PORTS, HD_WRAP_PORTS);
  if (!w->network && hd_outline_find(&w->outline, "links"))
    return refuse(w, "links", err, "is for a network (network: …)");
  if (!w->network)
    return HD_OK;
  if (!w->count)
    return refuse(w, "ports.count", err, "is missing; a network needs its endpoints");
  if (w->inside.is == HD_INSIDE_GRID && w->inside.nodes != w->count)
    return refuse(w, "network", err,
                  "%s has %" PRIu32 " nodes, and there are %" PRIu32 " endpoints", w->network,
                  w->inside.nodes, w->count);
  const int status = check_links(w, err);
  if (status)
    return status;
  if (strcmp(w->tables, "none") || (strcmp(w->promise, "none") && !w->links[0]))
    return refuse(w, strcmp(w->tables, "none") ? "routing.tables" : "routing.promises", err,
                  "is for a router, or a network with links; ways inside of this network are not "
                  "looked at");
  if (hd_outline_find(&w->outline, "position.port") || uses(&w->pins, "hd_node") ||
      uses(&w->pins, "hd_x") || uses(&w->pins, "hd_y") || uses(&w->parameters, "hd_"))
    return refuse(w, "position", err, "a network has no place; legal: position.columns");
  return HD_OK;
}

static int check_numbers(const struct hd_wrap *w, struct hd_error *err)
{
  const char *c = w->channels;
  if (strcmp(c, "VCS") && (strlen(c) != 1 || *c < '1' || *c > '0' + HD_WRAP_CHANNELS))
    return refuse(w, "channels", err, "%s; legal: 1 to %d, or VCS", hd_quote(c).text,
                  HD_WRAP_CHANNELS);
  if (w->names.n && w->names.n != w->count)
    return refuse(w, "ports.names", err, "%" PRIu32 " names for %" PRIu32 " ports", w->names.n,
                  w->count);
  if (w->names.n && (w->names.n < 2 || w->names.n > HD_WRAP_PORTS))
    return refuse(w, "ports.names", err, "%" PRIu32 " names; legal: 2 to %d", w->names.n,
                  HD_WRAP_PORTS);
  if (w->flow == HD_WRAP_CREDIT && !w->slots)
    return refuse(w, "flow.slots", err, "is missing; flow.kind credit needs it");
  if ((w->flow == HD_WRAP_CREDIT || w->flow == HD_WRAP_COUNT) && !w->slots_out)
    return refuse(w, "flow.next_slots", err, "is missing; flow.kind %s needs it",
                  text_of(w, "flow.kind", ""));
  if (w->flow == HD_WRAP_NATIVE && w->replays)
    return refuse(w, "routing.tables", err,
                  "native is wires alone, in which no flit can wait; legal: cfg, none");
  if (w->flow == HD_WRAP_NATIVE && w->waits)
    return refuse(
        w, w->reset_cycles ? "reset.cycles" : "reset.settle", err,
        "native is wires alone, in which no flit can wait; legal: 0, or flow.kind credit");
  for (uint32_t i = 0; i < w->names.n; i++)
    if (!hd_wrap_is_name(w->names.items[i].value))
      return refuse(w, "ports.names", err, "%s is no name of Verilog",
                    hd_quote(w->names.items[i].value).text);
  return HD_OK;
}

/* Reads ports.order, which must name each port of the router once. */
static int fill_order(struct hd_wrap *w, struct hd_error *err)
{
  struct hd_wrap_pairs given = {.n = 0};
  bool seen[HD_WRAP_PORTS] = {false};
  fill_pairs(w, "ports.order", &given);
  if (given.n == 1 || given.n > HD_WRAP_PORTS)
    return refuse(w, "ports.order", err, "%" PRIu32 " numbers; legal: 2 to %d", given.n,
                  HD_WRAP_PORTS);
  w->is_ordered = given.n != 0;
  if (!w->count)
    w->count = given.n;
  if (given.n && given.n != w->count)
    return refuse(w, "ports.order", err, "%" PRIu32 " numbers for %" PRIu32 " ports", given.n,
                  w->count);
  for (uint32_t i = 0; i < given.n; i++) {
    const char *text = given.items[i].value;
    w->order[i] = strspn(text, "0123456789") == strlen(text) && strlen(text) < 4
                      ? (uint32_t)strtoul(text, NULL, 10)
                      : HD_WRAP_PORTS;
    if (w->order[i] >= w->count || seen[w->order[i]])
      return refuse(w, "ports.order", err, "%s; legal: each number from 0 to %" PRIu32 " once",
                    hd_quote(text).text, w->count - 1);
    seen[w->order[i]] = true;
  }
  return HD_OK;
}

static int check_types(const struct hd_wrap *w, struct hd_error *err)
{
  for (uint32_t i = 0; i < w->type.n; i++) {
    const char *name = w->type.items[i].name;
    if (strcmp(name, "head") && strcmp(name, "body") && strcmp(name, "tail") &&
        strcmp(name, "single"))
      return refuse(w, "packet.type", err, "%s is no kind of flit; legal: head, body, tail, single",
                    hd_quote(name).text);
  }
  for (uint32_t i = 0; i < w->changed.n; i++) {
    const char *name = w->changed.items[i].value;
    if (strcmp(name, "dest") && strcmp(name, "x") && strcmp(name, "y"))
      return refuse(w, "packet.changed", err, "%s; legal: dest, x, y", hd_quote(name).text);
  }
  if (w->type.n && w->type.n != 4)
    return refuse(w, "packet.type", err, "needs all of head, body, tail and single");
  return HD_OK;
}

/* Fills in which parts the wrapper needs. */
static void fill_needs(struct hd_wrap *w)
{
  w->copies = uses(&w->parameters, "hd_");
  w->has_position = !w->network &&
                    (hd_outline_find(&w->outline, "position") || w->copies ||
                     uses(&w->pins, "hd_node") || uses(&w->pins, "hd_x") || uses(&w->pins, "hd_y"));
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    w->type_is_used |= hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE);
}

static int check_vhdl_pairs(const struct hd_wrap *w, const char *path,
                            const struct hd_wrap_pairs *pairs, struct hd_error *err)
{
  for (uint32_t i = 0; i < pairs->n; i++)
    if (!hd_wrap_is_vhdl_expression(pairs->items[i].value))
      return refuse(w, path, err,
                    "%s is no expression that VHDL has, too; legal: names, numbers, constants such "
                    "as 4'd0, NAME[a:b], + - * /, $clog2",
                    hd_quote(pairs->items[i].value).text);
  return HD_OK;
}

/* docs/wrap.md describes this in "A router in VHDL". */
#define ANOTHER_SHAPE "; write an entity of another shape around the router (docs/wrap.md)"

/* Formal parts of a port map must be static: elements have an index, slices would have bounds by generics. */
static int check_vhdl_pin(const struct hd_wrap *w, unsigned side, unsigned number,
                          struct hd_error *err)
{
  const struct hd_wrap_pattern *pin = &w->pin[side][number];
  const char *path = side == HD_WRAP_IN ? "ports.in" : "ports.out";
  const bool is_array = w->unpacked && pin->text && strstr(pin->text, "[{port}]");
  if (pin->text && (number == HD_WRAP_SIGNAL_FREED || number == HD_WRAP_SIGNAL_FREE))
    return refuse(w, path, err, "the pin %s is not done for VHDL" ANOTHER_SHAPE,
                  hd_wrap_pin_name(number));
  if (pin->text && number == HD_WRAP_SIGNAL_CREDIT && *pin->bits)
    return refuse(w, path, err, "credits as numbers are not done for VHDL" ANOTHER_SHAPE);
  if (pin->inverted)
    return refuse(w, path, err, "a pin with ~ is not done for VHDL");
  if (is_array && !w->count)
    return refuse(w, path, err, "an array of ports needs ports.count or ports.names in VHDL");
  if (w->is_ordered && pin->text && !pin->by_port && !is_array)
    return refuse(w, path, err,
                  "ports.order in VHDL needs a pin for each port, or ports.array: unpacked");
  return HD_OK;
}

/* Refuses what the wrapper in VHDL does not have. */
static int check_vhdl(const struct hd_wrap *w, struct hd_error *err)
{
  int status = HD_OK;
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    if (hd_wrap_has_lanes(w, side) || hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH))
      return refuse(w, side ? "ports.out" : "ports.in", err, "%s not done for VHDL" ANOTHER_SHAPE,
                    hd_wrap_has_lanes(w, side) ? "a pin for the flits of each channel is"
                                               : "the field length is");
  if (w->copies)
    return refuse(w, "parameters", err,
                  "a position as a generic is not done for VHDL; give the router pins for it");
  if (w->replays)
    return refuse(w, "routing.tables", err, "replay is not done for VHDL; legal: cfg, none");
  if (w->include.n || w->defines.n || w->interface || w->bundle_texts.n)
    return refuse(w,
                  w->interface        ? "ports.interface"
                  : w->bundle_texts.n ? "ports.bundles"
                  : w->include.n      ? "include"
                                      : "defines",
                  err, "is for Verilog alone");
  const struct hd_wrap_pairs numbers = {
      .items = {{.value = w->columns ? w->columns : "0"}, {.value = w->slots ? w->slots : "0"}},
      .n = 2};
  status = check_vhdl_pairs(w, w->columns ? "position.columns" : "flow.slots", &numbers, err);
  if (!status)
    status = check_vhdl_pairs(w, "parameters", &w->parameters, err);
  if (!status)
    status = check_vhdl_pairs(w, "packet.type", &w->type, err);
  if (!status)
    status = check_vhdl_pairs(w, "pins", &w->pins, err);
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; !status && pin < HD_WRAP_PINS; pin++)
      status = check_vhdl_pin(w, side, pin, err);
  return status;
}

/* Fills a zeroed description, whose outline is checked, and refuses what does not fit together. */
static int fill(struct hd_wrap *w, struct hd_error *err)
{
  fill_flow(w);
  fill_values(w);
  int status = fill_order(w, err);
  if (!status)
    status = check_numbers(w, err);
  if (!status)
    status = check_types(w, err);
  if (!status)
    status = fill_fields(w, err);
  if (!status)
    status = fill_side(w, "ports.in", w->pin[HD_WRAP_IN], err);
  if (!status)
    status = fill_side(w, "ports.out", w->pin[HD_WRAP_OUT], err);
  if (!status)
    status = hd_wrap_bundles_read(w, err);
  for (unsigned side = 0; !status && side < HD_WRAP_SIDES; side++)
    status = check_side(w, side, err);
  if (!status)
    status = check_network(w, err);
  if (!status)
    fill_needs(w);
  if (!status)
    status = check_position(w, err);
  return status || !w->vhdl ? status : check_vhdl(w, err);
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
