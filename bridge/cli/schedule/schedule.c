/* Reads or makes schedules of messages, and checks them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedule.h"

#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../../cmodel/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── schedules of the program shuffle ────────────────────────────────────────── */

static const struct hd_parameter *parameter(const struct hd_scenario *scenario, const char *key)
{
  for (uint32_t i = 0; i < scenario->software.n_parameters; i++)
    if (!strcmp(scenario->software.parameters[i].key, key))
      return &scenario->software.parameters[i];
  return NULL;
}

/* Returns a parameter. hd_scenario_check has refused those of the wrong type. */
static double number_parameter(void *context, const char *key, double fallback)
{
  const struct hd_parameter *p = parameter(context, key);
  return p && !p->text ? p->number : fallback;
}

static const char *text_parameter(void *context, const char *key, const char *fallback)
{
  const struct hd_parameter *p = parameter(context, key);
  return p && p->text ? p->text : fallback;
}

static int read_sizes(const struct hd_mton_request *request, uint16_t **units, struct hd_error *err)
{
  const struct hd_mton *m = &request->mton;
  struct hd_error inner;
  char *csv;
  size_t length;
  if (!request->file)
    return HD_OK;
  int status = hd_file_read(request->file, &csv, &length, err);
  if (status)
    return status;
  *units = hd_xcalloc((size_t)m->sources * m->destinations, sizeof **units);
  if (hd_mton_sizes(csv, length, m->sources, m->destinations, request->bytes, *units, &inner))
    status = hd_fail(err, HD_E_INPUT, "%.300s: %.600s", request->file, inner.text);
  free(csv);
  return status;
}

/* Copies a schedule of sw/mton into the form that sw/contention reads. */
static void copy_messages(struct schedule *s, const struct hd_mton *m,
                          const struct hd_mton_schedule *made)
{
  struct hd_mton_message *messages = hd_mton_messages(m, made, &s->n_messages);
  s->messages = hd_xcalloc(s->n_messages + 1, sizeof *s->messages);
  for (size_t i = 0; i < s->n_messages; i++)
    s->messages[i] =
        (struct hd_slot_message){messages[i].slot, messages[i].source, messages[i].destination};
  free(messages);
  s->slots = made->slots;
  s->least_slots = hd_mton_least_slots(m);
}

int schedule_make(struct schedule *s, const struct hd_scenario *scenario, uint32_t nodes,
                  struct hd_error *err)
{
  const struct hd_mton_reader reader = {(void *)scenario, number_parameter, text_parameter};
  struct hd_mton_request request;
  struct hd_mton_schedule made = {0};
  struct hd_error inner;
  uint16_t *units = NULL;
  const char *key;
  if (!scenario->software.program || strcmp(scenario->software.program->name, "shuffle"))
    return hd_fail(err, HD_E_INPUT,
                   "%s: its program is not shuffle, so it has no schedule; --messages FILE checks "
                   "one on its fabric",
                   scenario->path);
  int status = hd_scenario_check(scenario, nodes, err);
  if (!status && hd_mton_read(&request, &reader, nodes, &key, &inner))
    status = hd_fail(err, HD_E_INPUT, "%.300s: software.parameters.%s: %.500s", scenario->path, key,
                     inner.text);
  if (!status)
    status = read_sizes(&request, &units, err);
  request.mton.units = units;
  if (!status)
    status = hd_mton_schedule(&made, &request.mton, err);
  if (!status)
    copy_messages(s, &request.mton, &made);
  if (!status)
    snprintf(s->about, sizeof s->about, "%" PRIu32 "-to-%" PRIu32 ", %s", request.mton.sources,
             request.mton.destinations, hd_mton_kind_name(request.mton.kind));
  hd_mton_schedule_fini(&made);
  free(units);
  return status;
}

/* ── from a file ───────────────────────────────────────────────────────────── */

/* Reads one line; false: the line is no message. */
static bool message_of(const char *line, struct hd_slot_message *m)
{
  int end = 0;
  /* sscanf would accept a sign, and spaces before it */
  if (strspn(line, "0123456789, \t\r") != strlen(line))
    return false;
  return sscanf(line, "%9" SCNu32 " ,%9" SCNu32 " ,%9" SCNu32 " %n", &m->slot, &m->source,
                &m->destination, &end) == 3 &&
         !line[end];
}

static int parse(struct schedule *s, const char *path, char *csv, struct hd_error *err)
{
  static const char header[] = "slot,source,destination";
  size_t capacity = 0;
  uint32_t number = 0;
  for (char *line = csv, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    number++;
    line += strspn(line, " \t\r");
    if (!*line || *line == '#' || !strncmp(line, header, sizeof header - 1))
      continue;
    HD_XROOM(s->messages, capacity, s->n_messages, 1);
    struct hd_slot_message *m = &s->messages[s->n_messages++];
    if (!message_of(line, m))
      return hd_fail(err, HD_E_INPUT,
                     "%.300s:%" PRIu32 ": '%.60s' is no message; a line is slot,source,destination",
                     path, number, line);
    s->slots = m->slot >= s->slots ? m->slot + 1 : s->slots;
  }
  if (!s->n_messages)
    return hd_fail(err, HD_E_INPUT, "%s: no message; a line is slot,source,destination", path);
  return HD_OK;
}

int schedule_read(struct schedule *s, const char *path, struct hd_error *err)
{
  char *csv;
  size_t length;
  int status = hd_file_read(path, &csv, &length, err);
  if (status)
    return status;
  if (memchr(csv, '\0', length))
    status = hd_fail(err, HD_E_INPUT, "%s is no schedule: it is not text", path);
  if (!status)
    status = parse(s, path, csv, err);
  snprintf(s->about, sizeof s->about, "%.120s", path);
  free(csv);
  return status;
}

/* ── check ─────────────────────────────────────────────────────────────────── */

static void add_contention(void *context, const struct hd_contention *contention)
{
  struct schedule *s = context;
  uint32_t slot = s->messages[contention->first].slot;
  HD_XROOM(s->contention, s->capacity, s->n_contention, 1);
  if (!s->n_contention || s->messages[s->contention[s->n_contention - 1].first].slot != slot)
    s->contended_slots++;
  s->contention[s->n_contention++] = *contention;
}

int schedule_check(struct schedule *s, const struct hd_topology *topology,
                   const struct hd_tables *tables, struct hd_error *err)
{
  uint64_t n;
  int status =
      hd_contention_find(topology, tables, s->messages, s->n_messages, add_contention, s, &n, err);
  return status;
}

void schedule_fini(struct schedule *s)
{
  free(s->messages);
  free(s->contention);
  *s = (struct schedule){0};
}
