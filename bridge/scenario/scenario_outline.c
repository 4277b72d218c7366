/* Reads a YAML text into a flat list of keys with lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_outline.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define TOP UINT32_MAX

struct reader {
  struct hd_outline *outline;
  const char *name;
  struct hd_error *err;
  uint32_t around[HD_SCENARIO_DEPTH]; /* open mappings and sequences; [0] is the top */
  uint32_t depth;
  bool awaits_value; /* a key was read, and its value comes next */
};

struct hd_quote hd_quote(const char *value)
{
  struct hd_quote q;
  size_t n = 0;
  while (value[n] && n < sizeof q.text - 4) {
    unsigned char c = (unsigned char)value[n];
    q.text[n++] = c < ' ' || c == 0x7f ? '?' : (char)c;
  }
  if (value[n]) {
    while (n && (q.text[n - 1] & 0xc0) == 0x80) /* do not cut a character in two */
      n--;
    if (n && (q.text[n - 1] & 0x80))
      n--;
    memcpy(q.text + n, "...", 3);
    n += 3;
  }
  q.text[n] = '\0';
  return q;
}

static int refuse(const struct reader *r, const yaml_event_t *event, const char *what)
{
  return hd_fail(r->err, HD_E_INPUT, "%s:%zu: %s", r->name, event->start_mark.line + 1, what);
}

static struct hd_outline_entry *open_entry(const struct reader *r)
{
  return r->depth ? &r->outline->entries[r->around[r->depth - 1]] : NULL;
}

static int add_entry(struct reader *r, const yaml_event_t *event, const char *key)
{
  struct hd_outline *o = r->outline;
  if (o->n == HD_SCENARIO_KEYS)
    return hd_fail(r->err, HD_E_INPUT, "%s:%zu: too many keys; a file has at most %d", r->name,
                   event->start_mark.line + 1, HD_SCENARIO_KEYS);
  HD_XROOM(o->entries, o->capacity, o->n, 1);
  const struct hd_outline_entry *parent = open_entry(r);
  const char *before = parent ? parent->path : "";
  size_t size = strlen(before) + (key ? strlen(key) : 0) + 16;
  char *path = hd_xmalloc(size);
  if (key)
    snprintf(path, size, "%s%s%s", before, *before ? "." : "", key);
  else
    snprintf(path, size, "%s[%" PRIu32 "]", before, parent ? parent->children : 0);
  if (key && hd_outline_find(o, path)) {
    int status =
        hd_fail(r->err, HD_E_INPUT, "%s:%zu: %s: given twice, first in line %" PRIu32, r->name,
                event->start_mark.line + 1, hd_quote(path).text, hd_outline_find(o, path)->line);
    free(path);
    return status;
  }
  o->entries[o->n++] = (struct hd_outline_entry){.path = path,
                                                 .line = (uint32_t)event->start_mark.line + 1,
                                                 .parent = parent ? r->around[r->depth - 1] : TOP};
  return 0;
}

/* Returns the entry that a value belongs to: the key just read, or a new item. */
static int value_entry(struct reader *r, const yaml_event_t *event, uint32_t *index)
{
  struct hd_outline_entry *parent = open_entry(r);
  int status = 0;
  if (!parent && r->outline->n == 0) { /* top level: the path is empty */
    status = add_entry(r, event, "");
  } else if (parent && parent->kind == HD_OUTLINE_SEQUENCE) {
    status = add_entry(r, event, NULL);
    if (status == 0)
      open_entry(r)->children++;
  }
  r->awaits_value = false;
  *index = r->outline->n - 1;
  return status;
}

static int read_scalar(struct reader *r, const yaml_event_t *event)
{
  const char *text = (const char *)event->data.scalar.value;
  struct hd_outline_entry *parent = open_entry(r);
  uint32_t index;
  if (strlen(text) != event->data.scalar.length)
    return refuse(r, event, "a character of code 0; write text without it");
  if (parent && parent->kind == HD_OUTLINE_MAPPING && !r->awaits_value) {
    /* Keys with these characters would make paths ambiguous; Heddle has none. */
    if (!*text || strpbrk(text, ".[]"))
      return hd_fail(r->err, HD_E_INPUT, "%s:%zu: unknown key \"%s\"", r->name,
                     event->start_mark.line + 1, hd_quote(text).text);
    int status = add_entry(r, event, text);
    if (status == 0)
      open_entry(r)->children++;
    r->awaits_value = true;
    return status;
  }
  int status = value_entry(r, event, &index);
  if (status)
    return status;
  struct hd_outline_entry *entry = &r->outline->entries[index];
  entry->kind = HD_OUTLINE_SCALAR;
  entry->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  entry->value = hd_xstrdup(text);
  return 0;
}

static int read_start(struct reader *r, const yaml_event_t *event, enum hd_outline_kind kind)
{
  struct hd_outline_entry *parent = open_entry(r);
  uint32_t index;
  if (parent && parent->kind == HD_OUTLINE_MAPPING && !r->awaits_value)
    return refuse(r, event, "a key must be plain text");
  if (r->depth == HD_SCENARIO_DEPTH)
    return refuse(r, event, "nested too deep");
  int status = value_entry(r, event, &index);
  if (status)
    return status;
  r->outline->entries[index].kind = kind;
  r->around[r->depth++] = index;
  return 0;
}

static int read_event(struct reader *r, const yaml_event_t *event)
{
  switch (event->type) {
  case YAML_ALIAS_EVENT:
    return refuse(r, event, "an alias (*); write the value out");
  case YAML_SCALAR_EVENT:
    if (event->data.scalar.anchor)
      return refuse(r, event, "an anchor (&); write the value without it");
    if (event->data.scalar.tag)
      return refuse(r, event, "a tag (!); write the value without it");
    return read_scalar(r, event);
  case YAML_SEQUENCE_START_EVENT:
    if (event->data.sequence_start.anchor || event->data.sequence_start.tag)
      return refuse(r, event, "an anchor (&) or tag (!); write the value without it");
    return read_start(r, event, HD_OUTLINE_SEQUENCE);
  case YAML_MAPPING_START_EVENT:
    if (event->data.mapping_start.anchor || event->data.mapping_start.tag)
      return refuse(r, event, "an anchor (&) or tag (!); write the value without it");
    return read_start(r, event, HD_OUTLINE_MAPPING);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    r->depth--;
    return 0;
  case YAML_DOCUMENT_START_EVENT:
    return r->outline->n == 0 ? 0 : refuse(r, event, "a second document; a file has one");
  default:
    return 0;
  }
}

static int read_events(struct reader *r, yaml_parser_t *parser)
{
  for (bool more = true; more;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
      if (parser->error == YAML_MEMORY_ERROR)
        hd_memory_end();
      /* Errors of encoding have an offset, but no line. */
      if (parser->error == YAML_READER_ERROR)
        return hd_fail(r->err, HD_E_INPUT, "%s: not YAML: %s at byte %zu", r->name, parser->problem,
                       parser->problem_offset);
      return hd_fail(r->err, HD_E_INPUT, "%s:%zu: not YAML: %s%s%s", r->name,
                     parser->problem_mark.line + 1, parser->problem, parser->context ? ", " : "",
                     parser->context ? parser->context : "");
    }
    more = event.type != YAML_STREAM_END_EVENT;
    int status = read_event(r, &event);
    yaml_event_delete(&event);
    if (status)
      return status;
  }
  return 0;
}

int hd_outline_read(struct hd_outline *outline, const char *text, size_t length, const char *name,
                    struct hd_error *err)
{
  struct reader r = {.outline = outline, .name = name, .err = err};
  yaml_parser_t parser;
  memset(outline, 0, sizeof *outline);
  if (length > HD_SCENARIO_BYTES)
    return hd_fail(err, HD_E_INPUT, "%s: %zu bytes are too many; a file has at most %d", name,
                   length, HD_SCENARIO_BYTES);
  if (length && memchr(text, 0, length))
    return hd_fail(err, HD_E_INPUT, "%s: a byte of code 0; it is UTF-8 text", name);
  if (!yaml_parser_initialize(&parser))
    hd_memory_end();
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  int status = read_events(&r, &parser);
  yaml_parser_delete(&parser);
  return status;
}

void hd_outline_fini(struct hd_outline *outline)
{
  for (uint32_t i = 0; i < outline->n; i++) {
    free(outline->entries[i].path);
    free(outline->entries[i].value);
  }
  free(outline->entries);
  memset(outline, 0, sizeof *outline);
}

const struct hd_outline_entry *hd_outline_find(const struct hd_outline *outline, const char *path)
{
  for (uint32_t i = 0; i < outline->n; i++)
    if (strcmp(outline->entries[i].path, path) == 0)
      return &outline->entries[i];
  return NULL;
}
