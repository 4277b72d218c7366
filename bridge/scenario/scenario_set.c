/* Sets keys of a scenario in the tree that libyaml reads, and writes the text anew.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_set.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"
#include "scenario.h"
#include "scenario_outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct setter {
  yaml_document_t document;
  const char *name;
  struct hd_error *err;
};

/* Ends the program if a function of libyaml returned 0, because there is no memory. */
static int must_succeed(int made)
{
  if (!made)
    hd_memory_end();
  return made;
}

/* Loads the first document of a text. False: there is none, and *problem tells why. */
static bool load_document(yaml_document_t *document, const char *text, size_t length,
                          struct hd_text *problem)
{
  yaml_parser_t parser;
  must_succeed(yaml_parser_initialize(&parser));
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  bool ok = yaml_parser_load(&parser, document);
  if (!ok)
    hd_text_add(problem, "%zu: not YAML: %s", parser.problem_mark.line + 1,
                parser.problem ? parser.problem : "cannot be read");
  yaml_parser_delete(&parser);
  return ok;
}

/* Appends a copy of a node and of all nodes in it. Returns 0 if they are nested too deep. */
static int copy_node(yaml_document_t *to, yaml_document_t *from, int index, int depth)
{
  const yaml_node_t *node = yaml_document_get_node(from, index);
  int made = 0;
  if (!node || depth > HD_SCENARIO_DEPTH)
    return 0;
  if (node->type == YAML_SCALAR_NODE)
    return yaml_document_add_scalar(to, NULL, node->data.scalar.value,
                                    (int)node->data.scalar.length, node->data.scalar.style);
  if (node->type == YAML_SEQUENCE_NODE) {
    made = yaml_document_add_sequence(to, NULL, YAML_FLOW_SEQUENCE_STYLE);
    for (yaml_node_item_t *i = node->data.sequence.items.start;
         made && i < node->data.sequence.items.top; i++) {
      int item = copy_node(to, from, *i, depth + 1);
      if (!item || !yaml_document_append_sequence_item(to, made, item))
        return 0;
    }
    return made;
  }
  made = yaml_document_add_mapping(to, NULL, YAML_FLOW_MAPPING_STYLE);
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start;
       made && p < node->data.mapping.pairs.top; p++) {
    int key = copy_node(to, from, p->key, depth + 1);
    int value = copy_node(to, from, p->value, depth + 1);
    if (!key || !value || !yaml_document_append_mapping_pair(to, made, key, value))
      return 0;
  }
  return made;
}

/* Makes a node of the scenario's document from the setting's value. */
static int value_node(struct setter *s, const struct hd_setting *setting, int *node)
{
  yaml_document_t document;
  struct hd_text problem = {0};
  if (!load_document(&document, setting->value, strlen(setting->value), &problem)) {
    hd_text_fini(&problem);
    return hd_fail(s->err, HD_E_INPUT, "%s=%s: the value is no YAML", hd_quote(setting->path).text,
                   hd_quote(setting->value).text);
  }
  /* An empty value becomes the empty text. */
  *node = yaml_document_get_root_node(&document)
              ? copy_node(&s->document, &document, 1, 0)
              : yaml_document_add_scalar(&s->document, NULL, (const yaml_char_t *)"", 0,
                                         YAML_DOUBLE_QUOTED_SCALAR_STYLE);
  yaml_document_delete(&document);
  if (!*node)
    return hd_fail(s->err, HD_E_INPUT, "%s=%s: the value is nested too deep",
                   hd_quote(setting->path).text, hd_quote(setting->value).text);
  return HD_OK;
}

/* Finds the pair of a key in a mapping; NULL: there is no such pair. */
static yaml_node_pair_t *find_pair(struct setter *s, int mapping, const char *key, size_t length)
{
  const yaml_node_t *node = yaml_document_get_node(&s->document, mapping);
  for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
       p++) {
    const yaml_node_t *k = yaml_document_get_node(&s->document, p->key);
    if (k && k->type == YAML_SCALAR_NODE && k->data.scalar.length == length &&
        !memcmp(k->data.scalar.value, key, length))
      return p;
  }
  return NULL;
}

static void add_pair(struct setter *s, int mapping, const char *key, size_t length, int value)
{
  const int node = must_succeed(yaml_document_add_scalar(
      &s->document, NULL, (const yaml_char_t *)key, (int)length, YAML_ANY_SCALAR_STYLE));
  must_succeed(yaml_document_append_mapping_pair(&s->document, mapping, node, value));
}

/* Moves *mapping to the mapping of a section, which is created if it does not exist. */
static int enter_section(struct setter *s, const struct hd_setting *setting, const char *key,
                         size_t length, int *mapping)
{
  const yaml_node_pair_t *pair = find_pair(s, *mapping, key, length);
  if (!pair) {
    const int made =
        must_succeed(yaml_document_add_mapping(&s->document, NULL, YAML_ANY_MAPPING_STYLE));
    add_pair(s, *mapping, key, length, made);
    *mapping = made;
    return HD_OK;
  }
  *mapping = pair->value;
  const yaml_node_t *node = yaml_document_get_node(&s->document, *mapping);
  if (node->type == YAML_MAPPING_NODE)
    return HD_OK;
  return hd_fail(s->err, HD_E_INPUT, "%s=%s: %.*s is a value in %s, and no section with keys in it",
                 hd_quote(setting->path).text, hd_quote(setting->value).text,
                 (int)(key + length - setting->path), setting->path, s->name);
}

static void remove_pair(struct setter *s, int mapping, yaml_node_pair_t *pair)
{
  yaml_node_t *node = yaml_document_get_node(&s->document, mapping);
  memmove(pair, pair + 1, (size_t)(node->data.mapping.pairs.top - pair - 1) * sizeof *pair);
  node->data.mapping.pairs.top--;
}

static int apply_setting(struct setter *s, const struct hd_setting *setting)
{
  int mapping = 1, value = 0, status = setting->value ? value_node(s, setting, &value) : HD_OK;
  const char *key = setting->path;
  for (const char *dot; !status && (dot = strchr(key, '.')); key = dot + 1)
    status = enter_section(s, setting, key, (size_t)(dot - key), &mapping);
  if (status)
    return status;
  yaml_node_pair_t *pair = find_pair(s, mapping, key, strlen(key));
  if (pair && !setting->value)
    remove_pair(s, mapping, pair);
  else if (pair)
    pair->value = value;
  else if (setting->value)
    add_pair(s, mapping, key, strlen(key), value);
  return HD_OK;
}

static int append(void *context, unsigned char *bytes, size_t size)
{
  hd_text_add(context, "%.*s", (int)size, (const char *)bytes);
  return true;
}

/* Returns the document as a text, and frees the document. */
static char *emit_document(struct setter *s)
{
  struct hd_text text = {0};
  yaml_emitter_t emitter;
  must_succeed(yaml_emitter_initialize(&emitter));
  yaml_emitter_set_output(&emitter, append, &text);
  yaml_emitter_set_unicode(&emitter, 1);
  yaml_emitter_set_width(&emitter, -1);
  s->document.start_implicit = s->document.end_implicit = 1;
  must_succeed(yaml_emitter_dump(&emitter, &s->document) && yaml_emitter_close(&emitter));
  yaml_emitter_delete(&emitter);
  return text.chars;
}

int hd_scenario_set(const char *text, size_t length, const char *name,
                    const struct hd_setting *settings, size_t n, char **result,
                    struct hd_error *err)
{
  struct setter s = {.name = name, .err = err};
  struct hd_text problem = {0};
  int status = HD_OK;
  *result = NULL;
  if (length > HD_SCENARIO_BYTES)
    return hd_fail(err, HD_E_INPUT, "%s: %zu bytes are too many; a scenario has at most %d", name,
                   length, HD_SCENARIO_BYTES);
  if (!load_document(&s.document, text, length, &problem)) {
    status = hd_fail(err, HD_E_INPUT, "%s:%s", name, hd_text_chars(&problem));
    hd_text_fini(&problem);
    return status;
  }
  const yaml_node_t *root = yaml_document_get_root_node(&s.document);
  if (!root || root->type != YAML_MAPPING_NODE)
    status = hd_fail(err, HD_E_INPUT, "%s: must be keys and values, as `name: mine`", name);
  for (size_t i = 0; !status && i < n; i++)
    status = apply_setting(&s, &settings[i]);
  if (!status)
    *result = emit_document(&s);
  else
    yaml_document_delete(&s.document);
  return status;
}

int hd_scenario_read_set(struct hd_scenario *scenario, const char *text, const char *path,
                         const struct hd_setting *settings, size_t n, struct hd_error *err)
{
  char *file = NULL, *result = NULL;
  size_t length = text ? strlen(text) : 0;
  struct hd_error why = {""};
  memset(scenario, 0, sizeof *scenario); /* lets hd_scenario_fini() run even if nothing is read */
  if (!n)
    return text ? hd_scenario_parse(scenario, text, length, path, err)
                : hd_scenario_read(scenario, path, err);
  int status = text ? HD_OK : hd_file_regular(path, HD_SCENARIO_BYTES, &file, &length, err);
  if (!status)
    status = hd_scenario_set(text ? text : file, length, path, settings, n, &result, err);
  if (!status) {
    status = hd_scenario_parse(scenario, result, strlen(result), path, &why);
    if (status)
      hd_fail(err, status, "%.900s (lines are those of the scenario after --set)", why.text);
  }
  free(file);
  free(result);
  return status;
}

/* Tests for names joined by dots, at most as many as a scenario is deep. */
static bool is_path(const char *path, const char *end)
{
  int depth = 1;
  bool any = false;
  for (const char *c = path; c < end; c++) {
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                  (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
    if (!letter && (*c != '.' || !any))
      return false;
    any = letter;
    depth += !letter;
  }
  return any && depth < HD_SCENARIO_DEPTH;
}

int hd_setting_parse(char *argument, struct hd_setting *setting, struct hd_error *err)
{
  char *equals = strchr(argument, '=');
  if (!equals || !is_path(argument, equals))
    return hd_fail(err, HD_E_INPUT, "%s: must be KEY=VALUE, as software.parameters.load=0.1",
                   hd_quote(argument).text);
  *equals = '\0';
  *setting = (struct hd_setting){argument, equals + 1};
  return HD_OK;
}
