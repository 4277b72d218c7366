/* Outcome of each fault, and the score made from it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "outcome.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *const verdicts[] = {"not tried", "found", "two places", "MISSED", "FAILED"};
#define NAME(enum_name, name, ...) [HD_DIFF_##enum_name] = name,
static const char *const differences[] = {HD_DIFFERENCE_LIST(NAME)};
#undef NAME

void outcome_judge(struct outcome *o, int status, const struct hd_error *err)
{
  const struct place *d = &o->finding.decoupled, *c = &o->finding.closed;
  if (status) {
    o->verdict = VERDICT_FAILED;
    o->status = status;
    snprintf(o->text, sizeof o->text, "%s: %.550s", hd_status_text(status), err->text);
    for (char *at = o->text; (at = strchr(at, '\n'));)
      *at = ' ';
  } else if (!o->finding.stimulus) {
    o->verdict = VERDICT_SURVIVED;
  } else if (d->difference == c->difference && d->cycle == c->cycle && d->sw == c->sw) {
    o->verdict = VERDICT_FOUND;
  } else {
    o->verdict = VERDICT_TWO_PLACES;
    snprintf(o->text, sizeof o->text,
             "decoupled: %s, cycle %" PRIu64 ", switch %" PRIu32 "; closed loop: %s, cycle %" PRIu64
             ", switch %" PRIu32,
             differences[d->difference], d->cycle, d->sw, differences[c->difference], c->cycle,
             c->sw);
  }
}

/* ── between processes ──────────────────────────────────────────────────────── */

static void put_count(struct hd_task_outcome *to, const char *key, uint64_t n)
{
  hd_task_outcome_add(to, key, NULL, &(struct hd_value){.type = HD_VALUE_COUNT, .number = n});
}

static void put_text(struct hd_task_outcome *to, const char *key, const char *text)
{
  hd_task_outcome_add(to, key, NULL, &(struct hd_value){.type = HD_VALUE_TEXT, .text = text});
}

static uint64_t count_of(const struct hd_task_outcome *from, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(from, key);
  return value && value->type == HD_VALUE_COUNT ? value->number : 0;
}

static void take_text(const struct hd_task_outcome *from, const char *key, char *text, size_t size)
{
  const struct hd_value *value = hd_task_outcome_find(from, key);
  snprintf(text, size, "%s", value && value->type == HD_VALUE_TEXT ? value->text : "");
}

void outcome_put(const struct outcome *o, struct hd_task_outcome *to)
{
  const struct place *d = &o->finding.decoupled, *c = &o->finding.closed;
  if (o->verdict == VERDICT_FAILED)
    hd_task_outcome_fail(to, o->status, o->text, NULL);
  put_count(to, "verdict", o->verdict);
  put_text(to, "text", o->text);
  put_count(to, "compared", o->finding.compared);
  if (!o->finding.stimulus)
    return;
  put_text(to, "stimulus", o->finding.stimulus);
  put_count(to, "difference", d->difference);
  put_count(to, "cycle", d->cycle);
  put_count(to, "switch", d->sw);
  put_count(to, "closed_difference", c->difference);
  put_count(to, "closed_cycle", c->cycle);
  put_count(to, "closed_switch", c->sw);
}

void outcome_take(struct outcome *o, const struct hd_task_outcome *from)
{
  o->verdict = count_of(from, "verdict");
  o->status = from->status;
  o->seconds = from->seconds;
  take_text(from, "text", o->text, sizeof o->text);
  take_text(from, "stimulus", o->stimulus, sizeof o->stimulus);
  o->finding = (struct finding){
      .stimulus = *o->stimulus ? o->stimulus : NULL,
      .compared = count_of(from, "compared"),
      .decoupled = {.difference = count_of(from, "difference"),
                    .cycle = count_of(from, "cycle"),
                    .sw = (uint32_t)count_of(from, "switch")},
      .closed = {.difference = count_of(from, "closed_difference"),
                 .cycle = count_of(from, "closed_cycle"),
                 .sw = (uint32_t)count_of(from, "closed_switch")},
  };
  if (o->verdict != VERDICT_NONE)
    return;
  o->verdict = VERDICT_FAILED; /* the process died */
  snprintf(o->text, sizeof o->text, "%.590s", from->message ? from->message : "it says nothing");
}

/* ── tables ─────────────────────────────────────────────────────────────────── */

void outcome_print(const struct outcome *o, FILE *out)
{
  const struct place *d = &o->finding.decoupled;
  if (o->verdict == VERDICT_FOUND)
    fprintf(out, "%-29s %-8s %-10s %-14s %-9s %6" PRIu64 " %6" PRIu32 "  %s\n", o->name, o->rig,
            verdicts[o->verdict], o->finding.stimulus, differences[d->difference], d->cycle, d->sw,
            o->what);
  else
    fprintf(out, "%-29s %-8s %s (%" PRIu64 " compared)  %s%s%s\n", o->name, o->rig,
            verdicts[o->verdict], o->finding.compared, o->what, *o->text ? ": " : "", o->text);
}

struct score outcomes_score(const struct outcome *outcomes, size_t n, FILE *out)
{
  struct score s = {0};
  for (size_t i = 0; i < n; i++)
    switch (outcomes[i].verdict) {
    case VERDICT_FOUND:
      s.found++;
      break;
    case VERDICT_SURVIVED:
      s.missed++;
      break;
    case VERDICT_NONE:
      s.untried++;
      break;
    default:
      s.failed++;
      break;
    }
  fprintf(out,
          "faults: %zu planted, %u found at one cycle and switch in both modes, %u missed, "
          "%u failed\n",
          n - s.untried, s.found, s.missed, s.failed);
  return s;
}

static void json_text(FILE *out, const char *text)
{
  putc('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      putc(*text, out);
  putc('"', out);
}

static void csv_text(FILE *out, const char *text)
{
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

static void json_one(const struct outcome *o, FILE *out)
{
  const struct place *d = &o->finding.decoupled, *c = &o->finding.closed;
  fprintf(out, "  {\"name\": ");
  json_text(out, o->name);
  fprintf(out, ", \"rig\": \"%s\", \"what\": ", o->rig);
  json_text(out, o->what);
  fprintf(out, ", \"verdict\": \"%s\", \"compared\": %" PRIu64 ", \"seconds\": %.2f",
          verdicts[o->verdict], o->finding.compared, o->seconds);
  if (o->finding.stimulus)
    fprintf(out,
            ", \"stimulus\": \"%s\", \"difference\": \"%s\", \"cycle\": %" PRIu64
            ", \"switch\": %" PRIu32 ", \"closed_cycle\": %" PRIu64 ", \"closed_switch\": %" PRIu32,
            o->finding.stimulus, differences[d->difference], d->cycle, d->sw, c->cycle, c->sw);
  if (*o->text) {
    fprintf(out, ", \"text\": ");
    json_text(out, o->text);
  }
  fprintf(out, "}");
}

static void csv_one(const struct outcome *o, FILE *out)
{
  const struct place *d = &o->finding.decoupled, *c = &o->finding.closed;
  csv_text(out, o->name);
  fprintf(out, ",%s,", o->rig);
  csv_text(out, o->what);
  fprintf(out, ",%s,", verdicts[o->verdict]);
  if (o->finding.stimulus)
    fprintf(out, "%s,%s,%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu32, o->finding.stimulus,
            differences[d->difference], d->cycle, d->sw, c->cycle, c->sw);
  else
    fprintf(out, ",,,,,");
  fprintf(out, ",%" PRIu64 ",%.2f\n", o->finding.compared, o->seconds);
}

static FILE *create(const char *directory, const char *ending, struct hd_error *err)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/faults.%s", directory, ending);
  FILE *out = fopen(path, "w");
  if (!out)
    hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  return out;
}

static int finish(FILE *out, struct hd_error *err)
{
  bool bad = ferror(out) != 0;
  bad |= fclose(out) != 0;
  return bad ? hd_fail(err, HD_E_IO, "cannot write the score: %s", strerror(errno)) : 0;
}

int outcomes_write(const struct outcome *outcomes, size_t n, const char *directory, uint64_t seed,
                   struct hd_error *err)
{
  FILE *json = create(directory, "json", err);
  if (!json)
    return HD_E_IO;
  fprintf(json, "{\"seed\": %" PRIu64 ", \"outcomes\": [\n", seed);
  for (size_t i = 0; i < n; i++) {
    json_one(&outcomes[i], json);
    fputs(i + 1 < n ? ",\n" : "\n", json);
  }
  fputs("]}\n", json);
  int status = finish(json, err);
  FILE *csv = status ? NULL : create(directory, "csv", err);
  if (!csv)
    return HD_E_IO;
  fputs("name,rig,what,verdict,stimulus,difference,cycle,switch,closed_cycle,closed_switch,"
        "compared,seconds\n",
        csv);
  for (size_t i = 0; i < n; i++)
    csv_one(&outcomes[i], csv);
  return finish(csv, err);
}
