/* The list of formats of graph files, and the test which format a text has.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graphs.h"

#include "../host/install_root.h"
#include "../host/memory.h"
#include "graph_links.h"
#include "graph_reader.h"

#include <ctype.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ── readers that use a library ───────────────────────────────────────────── */

static int read_by(const char *plugin, const char *package, const char *format,
                   const struct hd_topology_text *text, const struct hd_graph_sink *sink,
                   struct hd_error *err)
{
  char path[PATH_MAX], message[600] = "";
  int status = hd_install_plugin(plugin, path, sizeof path, err);
  if (status)
    return status;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  hd_graph_library_fn *read = NULL;
  if (library)
    *(void **)&read = dlsym(library, HD_GRAPH_SYMBOL);
  if (!read)
    return hd_fail(
        err, HD_E_TOOL,
        "%.200s: to read %s takes %s, which cannot be loaded (%.300s); install %s and build "
        "Heddle again",
        text->name, format, plugin, dlerror(), package);
  if (read(format, text->chars, text->length, sink, message, sizeof message))
    status = hd_fail(err, HD_E_INPUT, "%.200s: %s", text->name, message);
  return status; /* it stays loaded, since igraph's exit handlers run at the end of the process */
}

static int read_gml(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                    struct hd_error *err)
{
  return read_by("hd_igraph.so", "libigraph-dev", "GML", text, sink, err);
}

static int read_graphml(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                        struct hd_error *err)
{
  return read_by("hd_igraph.so", "libigraph-dev", "GraphML", text, sink, err);
}

static int read_dot(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                    struct hd_error *err)
{
  return read_by("hd_cgraph.so", "libgraphviz-dev", "dot", text, sink, err);
}

/* ── the list ─────────────────────────────────────────────────────────────── */

static bool is_xml(const char *word, char next)
{
  (void)next;
  return *word == '<';
}

static bool is_json(const char *word, char next)
{
  (void)next;
  return *word == '{';
}

static bool is_dot(const char *word, char next)
{
  bool graph = !strcasecmp(word, "graph") || !strcasecmp(word, "digraph");
  return (graph && next != '[') || !strcasecmp(word, "strict");
}

static bool is_gml(const char *word, char next)
{
  return (!strcasecmp(word, "graph") && next == '[') || !strcasecmp(word, "creator") ||
         !strcasecmp(word, "version") || !strcasecmp(word, "comment");
}

static bool is_anynet(const char *word, char next)
{
  (void)next;
  return !strcmp(word, "router") || !strcmp(word, "node");
}

static bool is_ns3(const char *word, char next)
{
  return isdigit((unsigned char)*word) && isdigit((unsigned char)next);
}

static bool is_csv(const char *word, char next)
{
  (void)word, (void)next;
  return true;
}

#define FORMAT(id, NAME, HELP, READ)                  \
  static const struct hd_graph_format format_##id = { \
      .name = NAME, .help = HELP, .begins = is_##id, .read = READ}
FORMAT(xml, "GraphML", "XML of yEd, NetworkX and others; read by igraph", read_graphml);
FORMAT(gml, "GML", "of the Internet Topology Zoo, NetworkX and others; read by igraph", read_gml);
FORMAT(dot, "dot", "of Graphviz, and of `heddle topo --links dot`; read by its library", read_dot);
FORMAT(json, "JSON", "of `heddle topo --links json`", hd_graph_read_json);
FORMAT(anynet, "anynet", "of BookSim: lines `router 0 node 0 router 1`", hd_graph_read_anynet);
FORMAT(ns3, "ns-3", "of ASTRA-sim and HPCC's ns-3: `nodes switches links`, then a line a link",
       hd_graph_read_ns3);
FORMAT(csv, "CSV", "Heddle's own: a line `s0,s1` a link, and routing tables", NULL);

const struct hd_graph_format *const hd_graph_formats[] = {
    &format_xml,    &format_gml, &format_dot, &format_json,
    &format_anynet, &format_ns3, &format_csv, NULL};

/* Skips blanks, and the comments of GML, dot and anynet. */
static size_t skip(const char *chars, size_t length, size_t at)
{
  for (;;) {
    while (at < length && isspace((unsigned char)chars[at]))
      at++;
    bool line = at < length &&
                (chars[at] == '#' || (chars[at] == '/' && at + 1 < length && chars[at + 1] == '/'));
    bool block = at + 1 < length && chars[at] == '/' && chars[at + 1] == '*';
    if (!line && !block)
      return at;
    const char *end = line ? memchr(chars + at, '\n', length - at)
                           : memmem(chars + at + 2, length - at - 2, "*/", 2);
    if (!end)
      return length;
    at = (size_t)(end - chars) + (line ? 1 : 2);
  }
}

const struct hd_graph_format *hd_graph_format_of(const char *chars, size_t length)
{
  char word[16] = "";
  size_t n = 0, at = length >= 3 && !memcmp(chars, "\xef\xbb\xbf", 3) ? 3 : 0;
  at = skip(chars, length, at);
  if (at < length && !isalnum((unsigned char)chars[at]))
    word[n++] = chars[at++];
  else
    for (; at < length && isalnum((unsigned char)chars[at]); at++)
      if (n + 1 < sizeof word)
        word[n++] = chars[at];
  word[n] = '\0';
  at = skip(chars, length, at);
  size_t i = 0;
  while (!hd_graph_formats[i]->begins(word, at < length ? chars[at] : '\0'))
    i++;
  return hd_graph_formats[i];
}

int hd_graph_as_csv(const struct hd_topology_text *text, struct hd_text *csv, struct hd_error *err)
{
  const struct hd_graph_format *format = hd_graph_format_of(text->chars, text->length);
  if (!format->read)
    return HD_OK;
  if (memchr(text->chars, '\0', text->length))
    return hd_fail(err, HD_E_INPUT, "%.200s: no graph file: it is not text", text->name);
  struct hd_graph_links *links = hd_graph_links_create(text->name);
  struct hd_graph_sink sink = {links, hd_graph_links_vertex, hd_graph_links_edge};
  int status = format->read(text, &sink, err);
  if (!status)
    status = hd_graph_links_write(links, csv, err);
  hd_graph_links_destroy(links);
  if (status)
    hd_text_fini(csv);
  return status;
}

/* ── words ────────────────────────────────────────────────────────────────── */

bool hd_graph_word(struct hd_graph_words *w)
{
  const char *chars = w->text->chars;
  w->begins = w->at == 0;
  w->line += w->at == 0;
  while (w->at < w->text->length && isspace((unsigned char)chars[w->at])) {
    w->line += chars[w->at] == '\n';
    w->begins |= chars[w->at++] == '\n';
  }
  size_t n = 0;
  for (; w->at < w->text->length && !isspace((unsigned char)chars[w->at]); w->at++)
    if (n + 1 < sizeof w->word)
      w->word[n++] = chars[w->at];
  w->word[n] = '\0';
  return n != 0;
}

bool hd_graph_number(const struct hd_graph_words *w, uint32_t most, uint32_t *number)
{
  size_t digits = strspn(w->word, "0123456789");
  if (!digits || digits > 9 || w->word[digits])
    return false;
  *number = 0;
  for (size_t i = 0; i < digits; i++)
    *number = 10 * *number + (uint32_t)(w->word[i] - '0');
  return *number <= most;
}

int hd_graph_fail(const struct hd_graph_words *w, struct hd_error *err, const char *format, ...)
{
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return hd_fail(err, HD_E_INPUT, "%.200s:%" PRIu32 ": %s", w->text->name, w->line, text);
}
