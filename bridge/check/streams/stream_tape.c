/* Keeps a tape's items, reads and writes them as text, and records them in front of a DUT.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_tape.h"

#include "../../host/file.h"
#include "../../host/text.h"
#include "../../job_cursor.h"
#include "../../host/memory.h"

#include <inttypes.h>

struct hd_tape *hd_tape_create(const struct hd_switch_params *params)
{
  struct hd_tape *tape = hd_xcalloc(1, sizeof *tape);
  tape->params = *params;
  return tape;
}

void hd_tape_destroy(struct hd_tape *tape)
{
  if (tape)
    free(tape->items);
  free(tape);
}

const struct hd_switch_params *hd_tape_params(const struct hd_tape *tape)
{
  return &tape->params;
}

void hd_tape_set_reference(struct hd_tape *tape, const struct hd_tape_dut *original)
{
  tape->original = original;
}

struct hd_tape_size hd_tape_size(const struct hd_tape *tape)
{
  struct hd_tape_size size = {0, 0};
  for (size_t i = 0; i < tape->n; i++) {
    size.inputs += tape->items[i].kind != TAPE_RUN;
    size.cycles += tape->items[i].cycles;
  }
  return size;
}

void hd_tape_add(struct hd_tape *t, const struct tape_item *item)
{
  struct tape_item *last = t->n ? &t->items[t->n - 1] : NULL;
  if (item->kind == TAPE_RUN && last && last->kind == TAPE_RUN &&
      last->every_cycle == item->every_cycle && last->cycles + item->cycles > last->cycles) {
    last->cycles += item->cycles;
    return;
  }
  HD_XROOM(t->items, t->capacity, t->n, 1);
  t->items[t->n++] = *item;
}

/* ── as text ───────────────────────────────────────────────────────────────── */

static const char head[] = "# A stream into one switch: heddle check RTL_DIR --stream THIS_FILE";

static void item_text(const struct tape_item *i, struct hd_text *text)
{
  switch ((enum tape_kind)i->kind) {
  case TAPE_RESET:
    hd_text_add(text, "reset\n");
    return;
  case TAPE_WRITE:
    hd_text_add(text, "write 0x%05" PRIx32 " 0x%04" PRIx64 "\n", i->address, i->data);
    return;
  case TAPE_READ:
    hd_text_add(text, "read 0x%05" PRIx32 "\n", i->address);
    return;
  case TAPE_SAVE:
    hd_text_add(text, "save\n");
    return;
  case TAPE_RESTORE:
    hd_text_add(text, "restore\n");
    return;
  case TAPE_FLIT:
    hd_text_add(text, "flit port %u vc %u kind %u data 0x%" PRIx64 "\n", i->port, i->vc, i->is,
                i->data);
    return;
  case TAPE_CREDIT:
    hd_text_add(text, "credit port %u channels 0x%" PRIx64 "\n", i->port, i->data);
    return;
  case TAPE_CONFIG:
    hd_text_add(text, "config 0x%05" PRIx32 " 0x%04" PRIx64 "\n", i->address, i->data);
    return;
  case TAPE_RUN:
    hd_text_add(text, "%s %" PRIu32 "\n", i->every_cycle ? "every" : "run", i->cycles);
    return;
  }
}

int hd_tape_write(const struct hd_tape *t, const char *path, struct hd_error *err)
{
  struct hd_text text = {0};
  hd_text_add(&text, "%s\n", head);
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    hd_text_add(&text, "%s %" PRIu32 "\n", hd_switch_param_list[i].name,
                hd_switch_param_get(&t->params, i));
  for (size_t i = 0; i < t->n; i++)
    item_text(&t->items[i], &text);
  return hd_text_write(NULL, path, &text, err);
}

/* Reads a line as an item; false: the whole line has none of the formats, or a number is too large. */
static bool item_of(const char *line, struct tape_item *item)
{
  unsigned a = 0, b = 0, c = 0;
  unsigned long long data = 0;
  int end = 0;
  *item = (struct tape_item){.kind = TAPE_RESET};
#define WHOLE(kind_, ...) \
  (end = 0, sscanf(line, __VA_ARGS__), end && !line[end] && (item->kind = (kind_), true))
  if (WHOLE(TAPE_RESET, "reset%n", &end) || WHOLE(TAPE_SAVE, "save%n", &end) ||
      WHOLE(TAPE_RESTORE, "restore%n", &end))
    return true;
  if (WHOLE(TAPE_WRITE, "write %x %llx%n", &a, &data, &end) ||
      WHOLE(TAPE_READ, "read %x%n", &a, &end) ||
      WHOLE(TAPE_CONFIG, "config %x %llx%n", &a, &data, &end)) {
    item->address = a;
    item->data = data;
    return !(a >> 20) && data <= UINT16_MAX;
  }
  if (WHOLE(TAPE_FLIT, "flit port %u vc %u kind %u data %llx%n", &a, &b, &c, &data, &end) ||
      WHOLE(TAPE_CREDIT, "credit port %u channels %llx%n", &a, &data, &end)) {
    item->port = (uint8_t)a;
    item->vc = (uint8_t)b;
    item->is = (uint8_t)c;
    item->data = data;
    return a < HD_MAX_PORTS && b < HD_MAX_VCS && c < 8 &&
           (item->kind == TAPE_FLIT || !(data >> (HD_COUNT_WIRES + HD_COUNT_BITS)));
  }
  if (WHOLE(TAPE_RUN, "run %u%n", &a, &end) || WHOLE(TAPE_RUN, "every %u%n", &a, &end)) {
    item->cycles = a;
    item->every_cycle = line[0] == 'e';
    return a > 0;
  }
#undef WHOLE
  return false;
}

static bool param_of(const char *line, struct hd_switch_params *params)
{
  char name[32];
  unsigned value;
  int end = 0;
  if (sscanf(line, "%31s %u%n", name, &value, &end) != 2 || line[end])
    return false;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (!strcmp(name, hd_switch_param_list[i].name)) {
      hd_switch_param_set(params, i, value);
      return true;
    }
  return false;
}

/* Does the item need a port, channel or pin that the switch does not have? */
static bool exceeds_switch(const struct hd_switch_params *p, const struct tape_item *item)
{
  if (item->kind == TAPE_FLIT)
    return item->port >= p->ports || item->vc >> hd_log2_ceil(p->vcs) ||
           (p->data_bits < 64 && item->data >> p->data_bits);
  return item->kind == TAPE_CREDIT &&
         (item->port >= p->ports || (item->data & 0xff) >> p->vcs ||
          (item->data >> HD_BARRIER_CREDIT & 1 && !p->barrier) ||
          !hd_count_is_legal(p, (unsigned)(item->data >> HD_COUNT_WIRES)));
}

static int read_lines(struct hd_tape *t, char *text, const char *path, struct hd_error *err)
{
  unsigned number = 1;
  int status = HD_OK;
  for (char *line = text, *next; !status && line; line = next, number++) {
    struct tape_item item;
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    const size_t n = strlen(line);
    if (n && line[n - 1] == '\r') /* an editor may end lines with \r\n */
      line[n - 1] = '\0';
    if (!*line || *line == '#' || (!t->n && param_of(line, &t->params)))
      continue;
    if (!t->n)
      status = hd_switch_params_check(&t->params, err);
    if (!status && (!item_of(line, &item) || exceeds_switch(&t->params, &item)))
      status =
          hd_fail(err, HD_E_INPUT, "%s:%u: this switch cannot take '%.80s'", path, number, line);
    if (!status)
      hd_tape_add(t, &item);
  }
  return status;
}

static bool has_head(const char *text)
{
  const size_t n = strlen(head);
  return !strncmp(text, head, n) && (text[n] == '\n' || !strncmp(text + n, "\r\n", 2));
}

int hd_tape_read(struct hd_tape **tape, const char *path, struct hd_error *err)
{
  static const struct hd_switch_params none = {0};
  char *text = NULL;
  size_t length;
  *tape = NULL;
  int status = hd_file_read(path, &text, &length, err);
  if (!status && !has_head(text))
    status =
        hd_fail(err, HD_E_INPUT,
                "%s:1: this is no stream of heddle check; its first line must be\n%s", path, head);
  if (!status && strlen(text) != length)
    status = hd_fail(err, HD_E_INPUT, "%s: this is no text file: it has a zero byte", path);
  if (!status) {
    *tape = hd_tape_create(&none);
    status = read_lines(*tape, text, path, err);
  }
  if (!status && !(*tape)->n)
    status = hd_fail(err, HD_E_INPUT, "%s: the stream has no items", path);
  free(text);
  if (status) {
    hd_tape_destroy(*tape);
    *tape = NULL;
  }
  return status;
}

/* ── recording ─────────────────────────────────────────────────────────────── */

struct hd_dut {
  struct hd_dut_ops ops;
  struct stream_side inner;
  struct hd_tape *tape;
};

static void recorder_destroy(struct hd_dut *r)
{
  r->inner.ops->destroy(r->inner.dut);
  free(r);
}

static int recorder_reset(struct hd_dut *r, struct hd_error *err)
{
  hd_tape_add(r->tape, &(struct tape_item){.kind = TAPE_RESET});
  return r->inner.ops->reset(r->inner.dut, err);
}

static int recorder_write(struct hd_dut *r, uint32_t sw, uint32_t addr, uint16_t data,
                          struct hd_error *err)
{
  hd_tape_add(r->tape, &(struct tape_item){.kind = TAPE_WRITE, .address = addr, .data = data});
  return r->inner.ops->config_write(r->inner.dut, sw, addr, data, err);
}

static int recorder_read(struct hd_dut *r, uint32_t sw, uint32_t addr, uint16_t *data,
                         struct hd_error *err)
{
  hd_tape_add(r->tape, &(struct tape_item){.kind = TAPE_READ, .address = addr});
  return r->inner.ops->config_read(r->inner.dut, sw, addr, data, err);
}

static int recorder_save(struct hd_dut *r, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  hd_tape_add(r->tape, &(struct tape_item){.kind = TAPE_SAVE});
  return r->inner.ops->snapshot_save(r->inner.dut, sw, buffer, err);
}

static int recorder_restore(struct hd_dut *r, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  hd_tape_add(r->tape, &(struct tape_item){.kind = TAPE_RESTORE});
  return r->inner.ops->snapshot_restore(r->inner.dut, sw, buffer, err);
}

static void record_job(struct hd_tape *t, const struct hd_dut_job *job)
{
  struct hd_cursor at = {0};
  for (uint32_t cycle = 0, next; cycle < job->cycles; cycle = next) {
    for (const struct hd_flit_event *e; (e = hd_cursor_flit(&at, job, cycle));)
      hd_tape_add(
          t, &(struct tape_item){
                 .kind = TAPE_FLIT, .port = e->port, .vc = e->vc, .is = e->kind, .data = e->data});
    for (const struct hd_credit_event *e; (e = hd_cursor_credit(&at, job, cycle));)
      hd_tape_add(
          t, &(struct tape_item){.kind = TAPE_CREDIT, .port = e->port, .data = hd_credit_set(e)});
    for (const struct hd_config_event *e; (e = hd_cursor_config(&at, job, cycle));)
      hd_tape_add(t, &(struct tape_item){.kind = TAPE_CONFIG, .address = e->addr, .data = e->data});
    next = hd_cursor_next(&at, job, job->cycles);
    hd_tape_add(t, &(struct tape_item){
                       .kind = TAPE_RUN, .cycles = next - cycle, .every_cycle = job->every_cycle});
  }
}

static int recorder_run(struct hd_dut *r, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  for (size_t i = 0; i < n; i++)
    record_job(r->tape, &jobs[i]);
  return r->inner.ops->run(r->inner.dut, jobs, n, err);
}

void hd_tape_recorder(struct hd_tape *tape, struct stream_side *side)
{
  struct hd_dut *r = hd_xmalloc(sizeof *r);
  *r = (struct hd_dut){.inner = *side, .tape = tape};
  r->ops = (struct hd_dut_ops){.abi = HD_DUT_ABI,
                               .name = side->ops->name,
                               .about = side->ops->about,
                               .capabilities =
                                   side->ops->capabilities & (HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT),
                               .destroy = recorder_destroy,
                               .reset = recorder_reset,
                               .config_write = recorder_write,
                               .config_read = recorder_read,
                               .run = recorder_run,
                               .snapshot_save = recorder_save,
                               .snapshot_restore = recorder_restore};
  *side = (struct stream_side){&r->ops, r};
}
