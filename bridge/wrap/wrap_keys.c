/* All keys of a description: legal values, default, meaning.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_internal.h"

#include "../host/suggest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct hd_wrap_key keys[] = {
    {"top", HD_WRAP_NAME, .required = true, .help = "the router's module"},
    {"files", HD_WRAP_TEXTS, .required = true,
     .help = "files, directories and lists of files (`-f list.f`), relative to the description, in "
             "the order in which "
             "tools read them: packages first"},
    {"include", HD_WRAP_TEXTS, .otherwise = "none",
     .help = "directories of files that are included"},
    {"defines", HD_WRAP_PAIRS, .otherwise = "none", .help = "macros and their values"},
    {"parameters", HD_WRAP_PAIRS, .otherwise = "the router's own values",
     .help = "parameters of the module: numbers, or expressions over PORTS, VCS, DATA_W, DEPTH, "
             "NODES, NODE_W, VC_W "
             "and FLIT_W (bits of packet.flit)"},
    {"clock", HD_WRAP_NAME, .otherwise = "clk", .help = "pin of the clock"},
    {"reset", HD_WRAP_SECTION, .required = true, .help = "how the router is reset"},
    {"reset.pin", HD_WRAP_NAME, .required = true, .help = "pin of the reset, synchronous or not"},
    {"reset.active", HD_WRAP_CHOICE, .choices = "high low", .otherwise = "high",
     .help = "its level that resets"},
    {"reset.cycles", HD_WRAP_NUMBER, .high = 1000, .otherwise = "8; with native 0",
     .help = "cycles that it lasts longer than Heddle's, which lasts one; flits wait meanwhile"},
    {"reset.settle", HD_WRAP_NUMBER, .high = 60000, .otherwise = "8; with native 0",
     .help = "cycles after it in which all pins stay idle, for routers that register their reset"},
    {"ports", HD_WRAP_SECTION, .required = true, .help = "pins of the ports"},
    {"ports.count", HD_WRAP_NUMBER, .low = 2, .high = HD_WRAP_PORTS,
     .otherwise = "as many as the scenario has (PORTS)",
     .help = "ports of the router, at most 16, or endpoints of the network; needed where pins have "
             "{port} in their name"},
    {"ports.first", HD_WRAP_NUMBER, .high = 16, .otherwise = "0",
     .help = "number of the first port in names of pins"},
    {"ports.names", HD_WRAP_TEXTS, .otherwise = "numbers",
     .help = "what stands for {port}, Heddle's port 0 first: in a mesh the node, then x+1, x-1, "
             "y+1, y-1"},
    {"ports.order", HD_WRAP_TEXTS, .otherwise = "0, 1, 2, …",
     .help = "numbers of the router's ports, Heddle's port 0 first, where the router has another "
             "order: places in vectors, and "
             "{port} without ports.names"},
    {"ports.array", HD_WRAP_CHOICE, .choices = "packed unpacked", .otherwise = "packed",
     .help = "unpacked: pins with [{port}] are unpacked arrays of SystemVerilog"},
    {"ports.interface", HD_WRAP_NAME, .otherwise = "pins",
     .help = "an interface of SystemVerilog; patterns are {port}_NAME.MEMBER then, an interface "
             "for each port"},
    {"ports.bundles", HD_WRAP_TEXTS, .otherwise = "none",
     .help = "pins with several signals in them, as structs have: `NAME[{port}] = in.valid, "
             "out.ready, in.flit`, the highest bits first; ports.in and ports.out have the others"},
    {"ports.in", HD_WRAP_PATTERNS, .otherwise = "needed, unless ports.bundles has all of them",
     .help = "pins through which flits enter"},
    {"ports.out", HD_WRAP_PATTERNS, .otherwise = "likewise",
     .help = "pins through which they leave"},
    {"flow", HD_WRAP_SECTION, .required = true, .help = "flow control"},
    {"flow.kind", HD_WRAP_CHOICE, .required = true,
#define FLOW_NAME(name, text, about) text " "
     .choices = HD_WRAP_FLOW_LIST(FLOW_NAME),
#undef FLOW_NAME
     .help = "how receivers hold senders back"},
    {"flow.slots", HD_WRAP_EXPRESSION, .otherwise = "needed by credit",
     .help = "credit: slots of each channel of the router's inputs, an expression"},
    {"flow.next_slots", HD_WRAP_NUMBER, .low = 1, .high = 256,
     .otherwise = "needed by credit and count",
     .help = "credit: slots that the router counts on behind each channel of its outputs; count: "
             "slots that are there"},
    {"flow.late", HD_WRAP_NUMBER, .high = 16, .otherwise = "1",
     .help = "count: cycles by which numbers of free slots are late; 0: a flit is counted in the "
             "cycle after it was sent. Heddle's are as late as the router's"},
    {"flow.slack", HD_WRAP_NUMBER, .low = 1, .high = 64, .otherwise = "4",
     .help = "onoff: flits that may still leave an output after the level has turned"},
    {"flow.on", HD_WRAP_CHOICE, .choices = "high low", .otherwise = "high",
     .help = "onoff: the level that lets flits come"},
    {"channels", HD_WRAP_EXPRESSION, .otherwise = "1",
     .help =
         "virtual channels of a port: a number, 1 to 8, or VCS for as many as the scenario has"},
    {"packet", HD_WRAP_SECTION, .otherwise = "one pin for each field", .help = "format of packets"},
    {"packet.flit", HD_WRAP_TEXTS, .otherwise = "none",
     .help = "fields of a flit, the highest bits first: a field, `field:bits`, or a constant such "
             "as `4'd0`"},
    {"packet.type", HD_WRAP_PAIRS, .otherwise = "body 0, tail 1, head 2, single 3",
     .help = "codes of the field type: head, body, tail, single"},
    {"packet.length", HD_WRAP_CHOICE, .choices = "whole rest", .otherwise = "whole",
     .help = "what the field length counts, all flits of a packet or those after the head"},
    {"packet.changed", HD_WRAP_TEXTS, .otherwise = "none",
     .help = "fields dest, x, y that the router changes on the way; otherwise a packet that leaves "
             "with others goes to the node that they name, which breaks a rule"},
    {"packet.longest", HD_WRAP_NUMBER, .low = 1, .high = 4096,
     .otherwise = "any number; needed by the field length",
     .help = "flits of a packet, at most, for routers that store whole packets; heddle check sends "
             "no longer ones"},
    {"packet.shortest", HD_WRAP_NUMBER, .low = 2, .high = 64, .otherwise = "any number",
     .help = "flits of a packet, at least, for routers without packets of one flit; heddle check "
             "sends no shorter ones"},
    {"packet.single", HD_WRAP_FLAG, .otherwise = "false",
     .help = "every packet is one flit; a run needs software that sends such packets"},
    {"position", HD_WRAP_SECTION, .otherwise = "not needed",
     .help = "gives `parameters` and `pins` the node of the switch: hd_node, hd_x, hd_y"},
    {"position.port", HD_WRAP_NUMBER, .high = HD_MAX_PORTS - 1, .otherwise = "0",
     .help = "port to the node; the wrapper learns the node's number from the routing tables"},
    {"position.columns", HD_WRAP_EXPRESSION, .otherwise = "needed by x, y, hd_x, hd_y",
     .help = "columns of the grid: a number or an expression"},
    {"network", HD_WRAP_INSIDE, .otherwise = "it is a router",
     .help = "it is a whole network, whose ports are endpoints, port i that of node i, and this is "
             "inside of it: " HD_INSIDE_LEGAL},
    {"links", HD_WRAP_SECTION, .otherwise = "not watched",
     .help =
         "links inside of a network, by hierarchical path from its top module: expressions with "
         "{from}, {from_port}, {to}, {to_port}, numbers of the switches inside and of their "
         "ports (specification 5)"},
    {"links.valid", HD_WRAP_TEXTS, .otherwise = "needed by links", .help = "a flit is offered"},
    {"links.ready", HD_WRAP_TEXTS, .otherwise = "needed by links", .help = "it is taken"},
    {"links.tail", HD_WRAP_TEXTS, .otherwise = "needed by links",
     .help = "it is the last one of its packet"},
    {"links.data", HD_WRAP_TEXTS, .otherwise = "needed by links",
     .help = "DATA_W bits: data of Heddle's flit"},
    {"links.dest", HD_WRAP_TEXTS, .otherwise = "not compared",
     .help = "destination in the router's own flit: it must be that of the packet, in each flit"},
    {"links.x", HD_WRAP_TEXTS, .otherwise = "not compared",
     .help = "likewise its column, together with links.y"},
    {"links.y", HD_WRAP_TEXTS, .otherwise = "not compared", .help = "and its row"},
    {"links.ports", HD_WRAP_TEXTS, .otherwise = "numbers",
     .help = "what stands for {from_port} and {to_port}, names or numbers of the network's own: in "
             "a mesh those of the ports to the node, x+1, x-1, y+1, y-1"},
    {"links.channels", HD_WRAP_NUMBER, .low = 1, .high = HD_WRAP_CHANNELS, .otherwise = "1",
     .help = "virtual channels of a link"},
    {"links.vc", HD_WRAP_TEXTS, .otherwise = "needed by several channels",
     .help = "the flit's channel; 3 bits are read"},
    {"routing", HD_WRAP_SECTION, .otherwise = "not said", .help = "who says which way packets go"},
    {"routing.tables", HD_WRAP_CHOICE, .choices = "cfg replay none", .otherwise = "none",
     .help = "cfg: the router has tables, which `pins` connects with hd_cfg_write, hd_cfg_addr and "
             "hd_cfg_data "
             "(specification 3); replay: likewise, but its reset clears them, so the wrapper "
             "writes them again after it; "
             "none: it routes by itself"},
    {"routing.promises", HD_WRAP_CHOICE, .choices = "dimension-order minimal nearer none",
     .otherwise = "none", .help = "ways that the router's own routing keeps to"},
    {"routing.order", HD_WRAP_CHOICE, .choices = "channels flows pairs none",
     .otherwise = "what is usual", .help = "packets that it keeps in order, as run.order says"},
    {"pins", HD_WRAP_PAIRS, .otherwise = "none",
     .help = "further input pins and their values: expressions over hd_cfg_write, hd_cfg_addr, "
             "hd_cfg_data, hd_node, hd_x, hd_y, "
             "rst and parameters"},
    {"idle", HD_WRAP_NAME, .otherwise = "the switch is evaluated in every cycle",
     .help = "an output pin that is 1 when nothing changes until a flit or credit comes"},
};
enum { KEYS = sizeof keys / sizeof *keys };

bool hd_wrap_is_name(const char *text)
{
  static const char words[] =
      " always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config "
      "deassign default defparam design disable edge else end endcase endconfig endfunction "
      "endgenerate endmodule endprimitive endspecify endtable endtask event for force forever "
      "fork function generate genvar highz0 highz1 if ifnone incdir include initial inout "
      "input instance integer join large liblist library localparam logic macromodule medium "
      "module nand negedge nmos nor noshowcancelled not notif0 notif1 or output parameter "
      "pmos posedge primitive pull0 pull1 pulldown pullup pulsestyle_ondetect "
      "pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 "
      "rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 "
      "supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg "
      "unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor xor ";
  if (!isalpha((unsigned char)*text) && *text != '_')
    return false;
  for (const char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_' && *c != '$')
      return false;
  if (strlen(text) >= 90)
    return false;
  char word[92];
  snprintf(word, sizeof word, " %s ", text);
  return !strstr(words, word);
}

/* True if the text is safe as an expression, which is copied into the wrapper: it must not end
 * the statement or hide the text after it, and it must be on one line. */
static bool is_expression(const char *text)
{
  int depth = 0;
  for (const char *c = text; *c && depth >= 0; c++) {
    if (!isprint((unsigned char)*c) || strchr(";`\"\\", *c) ||
        (*c == '/' && (c[1] == '/' || c[1] == '*')))
      return false;
    depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
  }
  return *text && !depth && strlen(text) < 400;
}

static bool has_word(const char *words, const char *word, size_t n)
{
  for (const char *w = words; n && *w; w += strcspn(w, " "), w += strspn(w, " "))
    if (strcspn(w, " ") == n && !strncmp(w, word, n))
      return true;
  return false;
}

/* ── what is legal ─────────────────────────────────────────────────────────── */

static const char *in_section(const struct hd_wrap_key *key, const char *section)
{
  const size_t n = strlen(section);
  if (n && (strncmp(key->path, section, n) || key->path[n] != '.'))
    return NULL;
  const char *name = key->path + (n ? n + 1 : 0);
  return strchr(name, '.') ? NULL : name;
}

static void add_names(const char *section, struct hd_text *text)
{
  const char *comma = "";
  for (size_t i = 0; i < KEYS; i++) {
    const char *name = in_section(&keys[i], section);
    if (name)
      hd_text_add(text, "%s%s", comma, name);
    comma = name ? ", " : comma;
  }
}

static void add_words(const char *words, struct hd_text *text)
{
  const char *comma = "";
  for (const char *w = words; *w; w += strcspn(w, " "), w += strspn(w, " ")) {
    hd_text_add(text, "%s%.*s", comma, (int)strcspn(w, " "), w);
    comma = ", ";
  }
}

static void add_legal(const struct hd_wrap_key *key, struct hd_text *text)
{
  switch (key->type) {
  case HD_WRAP_SECTION:
    hd_text_add(text, "keys ");
    add_names(key->path, text);
    return;
  case HD_WRAP_NAME:
    hd_text_add(text, "a name of Verilog");
    return;
  case HD_WRAP_NUMBER:
    hd_text_add(text, "a whole number, %" PRIu32 " … %" PRIu32, key->low, key->high);
    return;
  case HD_WRAP_FLAG:
    hd_text_add(text, "true, false");
    return;
  case HD_WRAP_CHOICE:
    add_words(key->choices, text);
    return;
  case HD_WRAP_EXPRESSION:
    hd_text_add(text, "an expression of Verilog on one line, as VCS or 2*DEPTH");
    return;
  case HD_WRAP_INSIDE:
    hd_text_add(text, HD_INSIDE_LEGAL);
    return;
  case HD_WRAP_TEXTS:
    hd_text_add(text, "a text, or a list of at most %d texts", HD_WRAP_ITEMS);
    return;
  case HD_WRAP_PAIRS:
    hd_text_add(text, "names and expressions of Verilog, as {WIDTH: DATA_W + 2}");
    return;
  case HD_WRAP_PATTERNS:
    for (unsigned i = 0; i < HD_WRAP_PINS; i++)
      hd_text_add(text, "%s%s", i ? ", " : "", hd_wrap_pin_name(i));
    hd_text_add(text, ", each with a pin such as data_{port}, data[{port}] or data");
    return;
  }
}

/* ── the check ─────────────────────────────────────────────────────────────── */

struct check {
  const struct hd_outline *outline;
  const char *name;
  struct hd_error *err;
};

static const struct hd_wrap_key *find_key(const char *path)
{
  for (size_t i = 0; i < KEYS; i++)
    if (!strcmp(keys[i].path, path))
      return &keys[i];
  return NULL;
}

static int refuse(const struct check *c, const struct hd_outline_entry *entry, const char *value,
                  const struct hd_suggestion *meant, const struct hd_wrap_key *key)
{
  struct hd_text legal = {0};
  add_legal(key, &legal);
  int status =
      hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": %s: %s%s; legal: %.500s", c->name, entry->line,
              hd_quote(entry->path).text, value, meant ? meant->text : "", hd_text_chars(&legal));
  hd_text_fini(&legal);
  return status;
}

static int refuse_value(const struct check *c, const struct hd_outline_entry *entry,
                        const struct hd_wrap_key *key)
{
  static const char *const shapes[] = {"text", "a mapping", "a list"};
  struct hd_suggestion meant = {.given = entry->value};
  if (entry->kind != HD_OUTLINE_SCALAR)
    return refuse(c, entry, shapes[entry->kind], NULL, key);
  meant.length = strlen(entry->value);
  for (const char *w = key->type == HD_WRAP_CHOICE ? key->choices : ""; *w;
       w += strcspn(w, " "), w += strspn(w, " ")) {
    char word[HD_SUGGEST_NAME];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(w, " "), w);
    hd_suggest(&meant, word);
  }
  return refuse(c, entry, *entry->value ? hd_quote(entry->value).text : "nothing", &meant, key);
}

static int unknown(const struct check *c, const struct hd_outline_entry *entry)
{
  const struct hd_outline_entry *parent = &c->outline->entries[entry->parent];
  struct hd_suggestion meant = {.given = entry->path, .length = strlen(entry->path)};
  struct hd_text legal = {0};
  for (size_t i = 0; i < KEYS; i++)
    if (in_section(&keys[i], parent->path))
      hd_suggest(&meant, keys[i].path);
  add_names(parent->path, &legal);
  int status = hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": unknown key %s%s; legal%s%s: %s",
                       c->name, entry->line, hd_quote(entry->path).text, meant.text,
                       *parent->path ? " in " : "", parent->path, hd_text_chars(&legal));
  hd_text_fini(&legal);
  return status;
}

static bool number_legal(const struct hd_wrap_key *key, const char *text)
{
  const size_t n = strlen(text);
  if (!n || n > 5 || strspn(text, "0123456789") != n || (*text == '0' && n > 1))
    return false;
  const unsigned long value = strtoul(text, NULL, 10);
  return value >= key->low && value <= key->high;
}

static bool scalar_legal(const struct hd_wrap_key *key, const char *text)
{
  struct hd_inside inside;
  switch (key->type) {
  case HD_WRAP_NAME:
    return hd_wrap_is_name(text);
  case HD_WRAP_NUMBER:
    return number_legal(key, text);
  case HD_WRAP_FLAG:
    return has_word("true false", text, strlen(text));
  case HD_WRAP_CHOICE:
    return has_word(key->choices, text, strlen(text));
  case HD_WRAP_EXPRESSION:
    return is_expression(text);
  case HD_WRAP_INSIDE:
    return hd_inside_parse(&inside, text);
  case HD_WRAP_TEXTS: /* a single text */
    return *text && strlen(text) < 1024;
  default:
    return false;
  }
}

static bool value_legal(const struct hd_wrap_key *key, const struct hd_outline_entry *entry)
{
  const bool mapping =
      key->type == HD_WRAP_SECTION || key->type == HD_WRAP_PAIRS || key->type == HD_WRAP_PATTERNS;
  if (entry->kind == HD_OUTLINE_MAPPING)
    return mapping && entry->children <= HD_WRAP_ITEMS;
  if (entry->kind == HD_OUTLINE_SEQUENCE)
    return key->type == HD_WRAP_TEXTS && entry->children && entry->children <= HD_WRAP_ITEMS;
  return scalar_legal(key, entry->value);
}

static bool is_pin_name(const char *name)
{
  for (unsigned i = 0; i < HD_WRAP_PINS; i++)
    if (!strcmp(name, hd_wrap_pin_name(i)))
      return true;
  return false;
}

/* Checks a line below a key whose value is pairs, patterns or texts. */
static int check_item(const struct check *c, const struct hd_outline_entry *entry,
                      const struct hd_outline_entry *parent, const struct hd_wrap_key *key)
{
  const char *name = entry->path + strlen(parent->path) + 1;
  if (entry->kind != HD_OUTLINE_SCALAR)
    return refuse_value(c, entry, key);
  if (key->type == HD_WRAP_TEXTS)
    return scalar_legal(key, entry->value) ? HD_OK : refuse_value(c, entry, key);
  if (key->type == HD_WRAP_PATTERNS)
    return is_pin_name(name) ? HD_OK : refuse(c, entry, "no such pin", NULL, key);
  const bool may_be_empty = !strcmp(key->path, "defines");
  const bool ok =
      hd_wrap_is_name(name) && ((may_be_empty && !*entry->value) || is_expression(entry->value));
  return ok ? HD_OK : refuse_value(c, entry, key);
}

static int check_entry(const struct check *c, const struct hd_outline_entry *entry)
{
  const struct hd_outline_entry *parent = &c->outline->entries[entry->parent];
  const struct hd_wrap_key *around = find_key(parent->path), *key = find_key(entry->path);
  if (around && around->type != HD_WRAP_SECTION)
    return check_item(c, entry, parent, around);
  if (!key)
    return unknown(c, entry);
  return value_legal(key, entry) ? HD_OK : refuse_value(c, entry, key);
}

static int fail_missing(const struct check *c, const struct hd_wrap_key *key,
                        const struct hd_outline_entry *section)
{
  struct hd_text legal = {0};
  add_legal(key, &legal);
  int status =
      hd_fail(c->err, HD_E_INPUT, "%s:%" PRIu32 ": key %s is missing; legal: %.500s", c->name,
              section->line ? section->line : 1, key->path, hd_text_chars(&legal));
  hd_text_fini(&legal);
  return status;
}

static int check_required(const struct check *c, const struct hd_wrap_key *key)
{
  char around[64];
  const char *dot = strchr(key->path, '.');
  if (!key->required || hd_outline_find(c->outline, key->path))
    return HD_OK;
  snprintf(around, sizeof around, "%.*s", dot ? (int)(dot - key->path) : 0, key->path);
  const struct hd_outline_entry *section = hd_outline_find(c->outline, around);
  return section ? fail_missing(c, key, section) : HD_OK;
}

int hd_wrap_check_keys(const struct hd_outline *outline, const char *name, struct hd_error *err)
{
  const struct check c = {outline, name, err};
  int status = HD_OK;
  if (!outline->n || outline->entries[0].kind != HD_OUTLINE_MAPPING)
    return hd_fail(err, HD_E_INPUT,
                   "%s:1: a description of a router is a mapping of keys; it needs top, files, "
                   "reset, ports and flow",
                   name);
  for (uint32_t i = 1; !status && i < outline->n; i++)
    status = check_entry(&c, &outline->entries[i]);
  for (size_t i = 0; !status && i < KEYS; i++)
    status = check_required(&c, &keys[i]);
  return status;
}

/* ── the tables ────────────────────────────────────────────────────────────── */

static void add_row(const char *name, const char *about, const char *otherwise, bool markdown,
                    struct hd_text *text)
{
  if (!markdown)
    hd_text_add(text, "%-17s %s%s%s%s\n", name, about, otherwise ? " (" : "",
                otherwise ? otherwise : "", otherwise ? ")" : "");
  else if (otherwise)
    hd_text_add(text, "| `%s` | %s | %s |\n", name, about, otherwise);
  else
    hd_text_add(text, "| `%s` | %s |\n", name, about);
}

static void add_key_rows(struct hd_text *text, bool markdown)
{
  for (size_t i = 0; i < KEYS; i++) {
    struct hd_text about = {0};
    hd_text_add(&about, "%s%s", keys[i].help, keys[i].type == HD_WRAP_CHOICE ? ": " : "");
    if (keys[i].type == HD_WRAP_CHOICE)
      add_words(keys[i].choices, &about);
    add_row(keys[i].path, hd_text_chars(&about),
            keys[i].required ? "must be given" : keys[i].otherwise, markdown, text);
    hd_text_fini(&about);
  }
}

static void begin_table(const char *name, const char *heads, const char *title, bool markdown,
                        struct hd_text *text)
{
  if (!markdown)
    hd_text_add(text, "%s\n", title);
  else
    hd_text_add(text, "<!-- keys: %s -->\n%s\n", name, heads);
}

void hd_wrap_tables(struct hd_text *text, bool markdown)
{
  const char *end = markdown ? "<!-- end of keys -->\n" : "\n";
  begin_table("description", "| key | meaning | without it |\n|---|---|---|", "Keys:", markdown,
              text);
  add_key_rows(text, markdown);
  hd_text_add(text, "%s", end);
  begin_table("flow", "| `flow.kind` | meaning |\n|---|---|", "Kinds of flow control:", markdown,
              text);
#define FLOW_ROW(name, kind, about) add_row(kind, about, NULL, markdown, text);
  HD_WRAP_FLOW_LIST(FLOW_ROW)
#undef FLOW_ROW
  hd_text_add(text, "%s", end);
  begin_table("signals", "| pin of a port | meaning |\n|---|---|",
              "Pins of a port, besides fields:", markdown, text);
#define SIGNAL_ROW(name, signal, about) add_row(signal, about, NULL, markdown, text);
  HD_WRAP_SIGNAL_LIST(SIGNAL_ROW)
#undef SIGNAL_ROW
  hd_text_add(text, "%s", end);
  begin_table("fields", "| field | meaning | bits |\n|---|---|---|",
              "Fields of a flit (bits):", markdown, text);
#define FIELD_ROW(name, field, width, about) add_row(field, about, width, markdown, text);
  HD_WRAP_FIELD_LIST(FIELD_ROW)
#undef FIELD_ROW
  hd_text_add(text, "%s", end);
}
