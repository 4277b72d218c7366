/* Reading a stimulus: lines of words, KEY=VALUE where the order would be hard to remember.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diagram.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24 };

struct line {
  const char *path;
  uint32_t number, n_words;
  char *words[MAX_WORDS];
  const char *rest[MAX_WORDS]; /* the line from this word on, as it was written */
  uint32_t used;               /* bits: words that something asked for */
  struct hd_error *err;
};

static int wrong(struct line *line, const char *what, const char *value)
{
  return hd_fail(line->err, HD_E_INPUT, "%s:%u: %s: '%s'", line->path, line->number, what, value);
}

static bool to_number(const char *text, uint64_t most, uint64_t *value)
{
  char *end = NULL;
  *value = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end && *value <= most;
}

/* KEY=VALUE of a line; `fallback` where the key is not there, unless that is UINT32_MAX. */
static int key(struct line *line, const char *name, uint64_t most, uint32_t fallback,
               uint32_t *value)
{
  size_t n = strlen(name);
  uint64_t read = 0;
  for (uint32_t i = 1; i < line->n_words; i++) {
    if (strncmp(line->words[i], name, n) || line->words[i][n] != '=')
      continue;
    line->used |= 1u << i;
    if (!to_number(line->words[i] + n + 1, most, &read))
      return wrong(line, "a number is expected that fits", line->words[i]);
    *value = (uint32_t)read;
    return 0;
  }
  if (fallback == UINT32_MAX)
    return wrong(line, "this is missing", name);
  *value = fallback;
  return 0;
}

static const char *word(struct line *line, uint32_t i)
{
  if (i >= line->n_words)
    return "";
  line->used |= 1u << i;
  return line->words[i];
}

static int spare(struct line *line)
{
  for (uint32_t i = 1; i < line->n_words; i++)
    if (!(line->used >> i & 1))
      return wrong(line, "unknown word", line->words[i]);
  return 0;
}

/* "0.2" or "0.2.1": switch, port, virtual channel; a switch alone where `ports` is false. */
static int place(struct line *line, const struct diagram *d, uint32_t i, bool ports,
                 struct place *at)
{
  unsigned sw = 0, port = 0, vc = NO_VC;
  int length = 0;
  const char *text = word(line, i);
  int n = ports ? sscanf(text, "%u.%u%n.%u%n", &sw, &port, &length, &vc, &length)
                : sscanf(text, "%u%n", &sw, &length) + 1;
  if (n < 2 || text[length] || sw >= d->n_switches || port >= d->params.ports ||
      (vc != NO_VC && vc >= d->params.vcs))
    return wrong(line,
                 ports ? "SWITCH.PORT or SWITCH.PORT.VC of this diagram is expected"
                       : "a switch of this diagram is expected",
                 text);
  *at = (struct place){(uint8_t)sw, (uint8_t)port, (uint8_t)vc};
  return 0;
}

/* ── the kinds of lines ─────────────────────────────────────────────────────── */

static int read_switch(struct line *line, struct diagram *d)
{
  static const struct hd_switch_params small = {.ports = 3,
                                                .vcs = 1,
                                                .data_bits = 16,
                                                .depth_flits = 4,
                                                .nodes = 4,
                                                .route_cycles = 1,
                                                .arb_cycles = 1,
                                                .groups = 4,
                                                .switches = 4};
  struct hd_switch_params *p = &d->params;
  const struct {
    const char *name;
    uint32_t *value, fallback;
  } keys[] = {{"chain", &d->n_switches, 1}, {"link_cycles", &d->link_cycles, 1}};
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    uint32_t value = 0;
    const char *name = hd_switch_param_list[i].name;
    int status = key(line, name, 65535, hd_switch_param_get(&small, i), &value);
    if (status)
      return status;
    hd_switch_param_set(p, i, value);
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    int status = key(line, keys[i].name, 65535, keys[i].fallback, keys[i].value);
    if (status)
      return status;
  }
  if (d->n_switches < 1 || d->n_switches > MAX_SWITCHES || d->link_cycles < 1 ||
      d->link_cycles > MAX_LINK)
    return wrong(line, "chain is 1 to 4 switches, link_cycles is 1 to 4", line->rest[0]);
  return hd_switch_params_check(p, line->err);
}

static int read_cycles(struct line *line, struct diagram *d)
{
  uint64_t n = 0;
  if (!to_number(word(line, 1), MAX_CYCLES, &n) || n < 1)
    return wrong(line, "1 to 64 cycles", line->rest[0]);
  d->cycles = (uint32_t)n;
  return 0;
}

static int read_table(struct line *line, struct diagram *d)
{
  struct place at;
  uint32_t to, port, vcs;
  int status = place(line, d, 1, true, &at);
  if (status || (status = key(line, "to", d->params.nodes - 1, UINT32_MAX, &to)) ||
      (status = key(line, "port", 15, UINT32_MAX, &port)) ||
      (status = key(line, "vcs", 255, (1u << d->params.vcs) - 1, &vcs)))
    return status;
  d->tables[d->n_tables++] = (struct access){.sw = at.sw,
                                             .write = true,
                                             .addr = HD_CFG_DESTINATION(at.port, to),
                                             .data = hd_table_entry(port, vcs)};
  return 0;
}

/* setup 0 addr=9 data=4: a register or a table of any kind, written before cycle 0. */
static int read_setup(struct line *line, struct diagram *d)
{
  struct place at;
  uint32_t addr, data;
  int status = place(line, d, 1, false, &at);
  if (status || (status = key(line, "addr", 0xfffff, UINT32_MAX, &addr)) ||
      (status = key(line, "data", 0xffff, UINT32_MAX, &data)))
    return status;
  d->tables[d->n_tables++] =
      (struct access){.sw = at.sw, .write = true, .addr = addr, .data = (uint16_t)data};
  return 0;
}

static int name_flit(struct line *line, struct diagram *d, const struct named_flit *flit)
{
  for (uint32_t i = 0; i < d->n_flits; i++)
    if (d->flits[i].kind == flit->kind && d->flits[i].data == flit->data &&
        strcmp(d->flits[i].text, flit->text))
      return wrong(line, "cannot be told apart from an earlier flit", flit->text);
  if (d->n_flits == MAX_FLITS)
    return wrong(line, "too many flits", flit->text);
  d->flits[d->n_flits++] = *flit;
  return 0;
}

/* packet A 0.0 at=0 flits=4 to=2: A's header carries the letter's number above the destination,
 * its other flits in their upper byte, so that every flit is known wherever it appears. */
static int read_packet(struct line *line, struct diagram *d, bool queued)
{
  struct sending s = {.queued = queued, .first = d->n_flits};
  uint32_t to, vc, mode, from;
  const char *name = word(line, 1);
  if (name[0] < 'A' || name[0] > 'Z' || name[1])
    return wrong(line, "a packet's name is one capital letter", name);
  int status = place(line, d, 2, true, &s.at);
  if (status || (status = key(line, "at", MAX_CYCLES - 1, 0, &s.cycle)) ||
      (status = key(line, "flits", 64, UINT32_MAX, &s.n_flits)) ||
      (status = key(line, "to", d->params.nodes - 1, UINT32_MAX, &to)) ||
      (status = key(line, "mode", 1, 0, &mode)) ||
      (status = key(line, "from", d->params.nodes - 1, 0, &from)) ||
      (status = key(line, "vc", d->params.vcs - 1, 0, &vc)))
    return status;
  if (s.n_flits < 1)
    return wrong(line, "a packet has a flit at least", line->rest[0]);
  uint32_t number = (uint32_t)(name[0] - 'A'), node_bits = hd_log2_ceil(d->params.nodes);
  uint32_t free_bit = 2 + node_bits * (mode ? 2 : 1);
  s.at.vc = (uint8_t)vc;
  for (uint32_t i = 0; i < s.n_flits && !status; i++) {
    bool first = i == 0, last = i == s.n_flits - 1;
    struct named_flit flit = {.kind =
                                  (uint8_t)((first ? HD_KIND_HEAD : 0) | (last ? HD_KIND_TAIL : 0)),
                              .colour = (char)('3' + number % 4)};
    flit.data =
        first ? (mode | to << 2 | (mode ? from << (2 + node_bits) : 0) | (number + 1) << free_bit)
              : ((number + 1) << 8 | i);
    if (flit.data >> (d->params.data_bits - 1) >> 1)
      return wrong(line, "the packet's number does not fit above the destination", name);
    snprintf(flit.text, sizeof flit.text,
             first && last ? "%cS"
             : first       ? "%cH"
             : last        ? "%cT"
                           : "%c%u",
             name[0], i);
    status = name_flit(line, d, &flit);
  }
  d->sendings[d->n_sendings++] = s;
  return status;
}

/* flit REQ 0.0 at=3 kind=4 data=0x12 vc=0: any flit, legal or not. */
static int read_flit(struct line *line, struct diagram *d)
{
  struct sending s = {.n_flits = 1, .first = d->n_flits};
  struct named_flit flit = {.colour = '2'};
  uint32_t kind, data, vc, colour;
  snprintf(flit.text, sizeof flit.text, "%s", word(line, 1));
  int status = place(line, d, 2, true, &s.at);
  if (status || (status = key(line, "at", MAX_CYCLES - 1, UINT32_MAX, &s.cycle)) ||
      (status = key(line, "kind", 7, UINT32_MAX, &kind)) ||
      (status = key(line, "data", UINT32_MAX, 0, &data)) ||
      (status = key(line, "colour", 9, 2, &colour)) || (status = key(line, "vc", 7, 0, &vc)))
    return status;
  flit.kind = (uint8_t)kind;
  flit.data = data;
  flit.colour = (char)('0' + colour);
  s.at.vc = (uint8_t)vc;
  d->sendings[d->n_sendings++] = s;
  return name_flit(line, d, &flit);
}

/* made NAME kind=2 data=0x12: what a flit is called that the switch itself makes. */
static int read_made(struct line *line, struct diagram *d)
{
  struct named_flit flit = {.colour = '2'};
  uint32_t kind, data, colour;
  snprintf(flit.text, sizeof flit.text, "%s", word(line, 1));
  int status = key(line, "kind", 7, UINT32_MAX, &kind);
  if (status || (status = key(line, "data", UINT32_MAX, UINT32_MAX, &data)) ||
      (status = key(line, "colour", 9, 7, &colour)))
    return status;
  flit.kind = (uint8_t)kind;
  flit.data = data;
  flit.colour = (char)('0' + colour);
  return name_flit(line, d, &flit);
}

static int read_credit(struct line *line, struct diagram *d)
{
  struct given_credit *c = &d->credits[d->n_credits++];
  int status = place(line, d, 1, true, &c->at);
  if (!status && c->at.vc == NO_VC)
    c->at.vc = 0;
  return status ? status : key(line, "at", MAX_CYCLES - 1, UINT32_MAX, &c->cycle);
}

static int read_access(struct line *line, struct diagram *d, bool write)
{
  struct access *a = &d->accesses[d->n_accesses++];
  struct place at;
  uint32_t data = 0;
  int status = place(line, d, 1, false, &at);
  if (status || (status = key(line, "at", MAX_CYCLES - 1, UINT32_MAX, &a->cycle)) ||
      (status = key(line, "addr", 0xfffff, UINT32_MAX, &a->addr)) ||
      (write && (status = key(line, "data", 0xffff, UINT32_MAX, &data))))
    return status;
  a->sw = at.sw;
  a->write = write;
  a->data = (uint16_t)data;
  return 0;
}

static int read_row(struct line *line, struct diagram *d)
{
  static const char *const words[] = {
#define ROW_WORD(name, word, label) word,
      ROW_LIST(ROW_WORD)
#undef ROW_WORD
  };
  static const char *const labels[] = {
#define ROW_LABEL(name, word, label) label,
      ROW_LIST(ROW_LABEL)
#undef ROW_LABEL
  };
  const char *kind = word(line, 1);
  uint32_t label = 3;
  int status = 0;
  size_t k = 0;
  while (k < sizeof words / sizeof *words && strcmp(words[k], kind))
    k++;
  if (k == sizeof words / sizeof *words)
    return wrong(line, "a row of this kind does not exist", kind);
  if (d->n_rows == MAX_ROWS)
    return wrong(line, "too many rows", kind);
  struct row *r = &d->rows[d->n_rows++];
  r->kind = (enum row_kind)k;
  if (r->kind == ROW_GAP) {
    label = 2;
  } else {
    bool whole = r->kind >= ROW_QUIESCENT && r->kind <= ROW_STATE;
    status = place(line, d, 2, !whole, &r->at);
  }
  if (r->kind == ROW_STATE)
    snprintf(r->state, sizeof r->state, "%s", word(line, label++));
  r->holds = r->kind == ROW_STATE || r->kind == ROW_CREDITS || r->kind == ROW_CFG_RDATA;
  snprintf(r->label, sizeof r->label, "%s",
           label < line->n_words  ? line->rest[label]
           : r->kind == ROW_STATE ? r->state
                                  : labels[k]);
  line->used = UINT32_MAX;
  return status;
}

static int read_line(struct line *line, struct diagram *d)
{
  const char *w = line->words[0];
  int status = 0;
  struct place ends[2];
#define IS(name) (!strcmp(w, name))
  if (d->n_tables == MAX_LINES || d->n_accesses == MAX_LINES || d->n_sendings == MAX_LINES ||
      d->n_credits == MAX_LINES || d->n_joints == MAX_LINES || d->n_drains == MAX_LINES)
    return wrong(line, "too many lines of one kind", w);
  if (IS("title") || IS("note")) {
    char *to = IS("title") ? d->title : d->note;
    snprintf(to, IS("title") ? sizeof d->title : sizeof d->note, "%s",
             line->n_words > 1 ? line->rest[1] : "");
    line->used = UINT32_MAX;
  } else if (IS("switch")) {
    status = read_switch(line, d);
  } else if (!d->n_switches) {
    return wrong(line, "the line 'switch' comes first", w);
  } else if (IS("cycles")) {
    status = read_cycles(line, d);
  } else if (IS("table")) {
    status = read_table(line, d);
  } else if (IS("setup")) {
    status = read_setup(line, d);
  } else if (IS("packet") || IS("queue")) {
    status = read_packet(line, d, IS("queue"));
  } else if (IS("flit")) {
    status = read_flit(line, d);
  } else if (IS("made")) {
    status = read_made(line, d);
  } else if (IS("credit")) {
    status = read_credit(line, d);
  } else if (IS("write") || IS("read")) {
    status = read_access(line, d, IS("write"));
  } else if (IS("drain")) {
    status = place(line, d, 1, true, &d->drains[d->n_drains++]);
  } else if (IS("link")) {
    if (!(status = place(line, d, 1, true, &ends[0])) &&
        !(status = place(line, d, 2, true, &ends[1])))
      d->joints[d->n_joints++] = (struct joint){ends[0], ends[1]};
  } else if (IS("row")) {
    status = read_row(line, d);
  } else {
    return wrong(line, "unknown line", w);
  }
#undef IS
  return status ? status : spare(line);
}

int diagram_read(struct diagram *d, const char *path, struct hd_error *err)
{
  char text[512], copy[512];
  struct line line = {.path = path, .err = err};
  int status = 0;
  *d = (struct diagram){0};
  const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  snprintf(d->name, sizeof d->name, "%.*s", (int)strcspn(base, "."), base);
  FILE *f = fopen(path, "r");
  if (!f)
    return hd_fail(err, HD_E_IO, "%s cannot be read", path);
  while (!status && fgets(text, sizeof text, f)) {
    line.number++;
    line.n_words = line.used = 0;
    text[strcspn(text, "\n")] = 0;
    memcpy(copy, text, sizeof copy);
    for (char *p = strtok(copy, " "); p && *p != '#' && line.n_words < MAX_WORDS;
         p = strtok(NULL, " ")) {
      line.rest[line.n_words] = text + (p - copy);
      line.words[line.n_words++] = p;
    }
    if (line.n_words)
      status = read_line(&line, d);
  }
  fclose(f);
  if (!status && (!d->cycles || !d->n_rows || !d->title[0]))
    status = hd_fail(err, HD_E_INPUT, "%s: a diagram has a title, cycles and rows", path);
  return status;
}
