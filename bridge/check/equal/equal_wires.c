/* Finds the pairs that a proof has left open: their names, and their lines in the changed text.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It reads a dump of Yosys (RTLIL): wires "name_gate" and "name_gold" with the line of their declaration, the $equiv cells
 * that are left, and the black boxes that some of these feed.
 */
#include "equal_internal.h"

#include "../../host/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the rest of a line after blanks and `start`; NULL: the line does not begin so. */
static const char *text_after(const char *line, const char *start)
{
  line += strspn(line, " ");
  size_t n = strlen(start);
  return strncmp(line, start, n) ? NULL : line + n;
}

/* Reads file and line from "hd_output_port.v:88.5-91.4" or "…hd_output_port.v:88$502_Y". */
static bool parse_place(const char *text, size_t n, struct hd_equal_wire *wire)
{
  for (const char *colon = text; (colon = memchr(colon, ':', n - (size_t)(colon - text)));
       colon++) {
    const char *from = colon;
    while (from > text && !strchr("$\"|\\ ", from[-1]))
      from--;
    if (!isdigit((unsigned char)colon[1]) || !memchr(from, '.', (size_t)(colon - from)) ||
        (colon - from > 3 && !strncmp(colon - 3, ".cc", 3)))
      continue;
    snprintf(wire->file, sizeof wire->file, "%.*s", (int)(colon - from), from);
    wire->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    return true;
  }
  return false;
}

struct declared {
  const char *src, *init; /* attributes of a wire, up to the end of the line; NULL: none */
};

static struct declared declared(const char *dump, const char *name)
{
  struct declared now = {NULL, NULL};
  size_t n = strlen(name);
  for (const char *line = dump; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *attribute = text_after(line, "attribute \\"), *wire = text_after(line, "wire ");
    if (attribute && !strncmp(attribute, "src ", 4))
      now.src = attribute + 4;
    else if (attribute && !strncmp(attribute, "init ", 5))
      now.init = attribute + 5;
    else if (wire) {
      const char *end = wire + strcspn(wire, "\n");
      if ((size_t)(end - wire) >= n && !memcmp(end - n, name, n) &&
          (end - n == wire || end[-(ptrdiff_t)n - 1] == ' '))
        return now;
      now = (struct declared){NULL, NULL};
    } else if (!attribute && *line != '\n')
      now = (struct declared){NULL, NULL};
  }
  return (struct declared){NULL, NULL};
}

/* Names the input of a submodule or memory that the signal feeds, and finds its line. */
static bool name_input(const char *dump, const char *signal, struct hd_equal_wire *wire)
{
  const char *cell = NULL, *src = NULL;
  size_t n = strlen(signal);
  for (const char *line = dump; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *attribute = text_after(line, "attribute \\src "),
               *begun = text_after(line, "cell ");
    const char *port = text_after(line, "connect \\");
    if (attribute)
      src = attribute;
    else if (begun)
      cell = strncmp(begun, "$equiv ", 7) ? strchr(begun, '\\') : NULL;
    else if (port && cell) {
      size_t length = strcspn(port, "\n");
      const char *at = memmem(port, length, signal, n);
      if (!at || isdigit((unsigned char)at[n]))
        continue;
      for (const char *next = strchr(cell + 1, '\\'); /* the type may begin with one, too */
           next && next < cell + strcspn(cell, "\n"); next = strchr(next + 1, '\\'))
        cell = next;
      snprintf(wire->wire, sizeof wire->wire, "%.*s.%.*s", (int)strcspn(cell + 1, "\n"), cell + 1,
               (int)strcspn(port, " "), port);
      if (src && !*wire->file)
        parse_place(src, strcspn(src, "\n"), wire);
      return true;
    }
  }
  return false;
}

static void name_wire(const char *dump, const char *y, const char *b, struct hd_equal_wire *wire)
{
  *wire = (struct hd_equal_wire){.bits = 1};
  if (*y != '\\') {
    char signal[200];
    snprintf(signal, sizeof signal, "%.*s", (int)strcspn(y, " \n"), y);
    parse_place(b, strcspn(b, "\n"), wire);
    if (!name_input(dump, signal, wire))
      snprintf(wire->wire, sizeof wire->wire, "%.*s", (int)strcspn(b, " \n"), b);
    return;
  }
  char name[160];
  snprintf(wire->wire, sizeof wire->wire, "%.*s", (int)strcspn(y + 1, " \n"), y + 1);
  snprintf(name, sizeof name, "\\%s_gate", wire->wire);
  const struct declared place = declared(dump, name);
  if (place.src)
    parse_place(place.src, strcspn(place.src, "\n"), wire);
}

static void add_wire(struct hd_equal_outcome *outcome, const struct hd_equal_wire *wire)
{
  uint32_t listed = outcome->n_wires < HD_EQUAL_WIRES ? outcome->n_wires : HD_EQUAL_WIRES;
  for (uint32_t i = 0; i < listed; i++)
    if (!strcmp(outcome->wires[i].wire, wire->wire)) {
      outcome->wires[i].bits++;
      return;
    }
  if (outcome->n_wires < HD_EQUAL_WIRES)
    outcome->wires[outcome->n_wires] = *wire;
  outcome->n_wires++;
}

static void read_pairs(const char *dump, struct hd_equal_outcome *outcome)
{
  const char *y = NULL, *b = NULL;
  bool pair = false;
  for (const char *line = dump; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *begun = text_after(line, "cell "), *signal;
    if (begun) {
      pair = !strncmp(begun, "$equiv ", 7);
      y = b = NULL;
    } else if (pair && (signal = text_after(line, "connect \\Y ")))
      y = signal;
    else if (pair && (signal = text_after(line, "connect \\B ")))
      b = signal;
    else if (pair && text_after(line, "end") && y && b) {
      struct hd_equal_wire wire;
      name_wire(dump, y, b, &wire);
      add_wire(outcome, &wire);
      pair = false;
    }
  }
}

/* Adds registers whose values before the first clock differ, because the pairs do not show that. */
static void read_starts(const char *dump, struct hd_equal_outcome *outcome)
{
  static const char *const ends[] = {"_gate", "_gold"};
  const char *init = NULL;
  for (const char *line = dump; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *attribute = text_after(line, "attribute \\init "),
               *begun = text_after(line, "wire ");
    if (attribute)
      init = attribute;
    else if (begun && init) {
      const char *end = begun + strcspn(begun, "\n"), *name = end;
      char partner[200];
      while (name > begun && name[-1] != ' ')
        name--;
      bool gate = end - name > 5 && !strncmp(end - 5, ends[0], 5);
      snprintf(partner, sizeof partner, "%.*s%s", (int)(end - name - 5), name, ends[gate]);
      const char *other = declared(dump, partner).init;
      size_t n = strcspn(init, "\n") + 1;
      if (!other || strncmp(init, other, n)) {
        struct hd_equal_wire wire = {.bits = 1};
        snprintf(wire.wire, sizeof wire.wire, "%.*s", (int)(end - name - 6), name + 1);
        add_wire(outcome, &wire);
      }
      init = NULL;
    }
  }
}

static int by_place(const void *a, const void *b)
{
  const struct hd_equal_wire *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

int hd_equal_wires_read(const char *dump_path, const char *start_path,
                        struct hd_equal_outcome *outcome, struct hd_error *err)
{
  char *dump = NULL, *start = NULL;
  size_t length;
  int status = hd_file_read(dump_path, &dump, &length, err);
  if (!status)
    status = hd_file_read(start_path, &start, &length, err);
  if (!status) {
    read_pairs(dump, outcome);
    read_starts(start, outcome);
    uint32_t listed = outcome->n_wires < HD_EQUAL_WIRES ? outcome->n_wires : HD_EQUAL_WIRES;
    qsort(outcome->wires, listed, sizeof *outcome->wires, by_place);
  }
  free(dump);
  free(start);
  return status;
}
