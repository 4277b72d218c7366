/* Says how much of its plan a check carried out, and whether that is what --require asks for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"

#include "../host/clock.h"
#include "../host/suggest.h"

#include <inttypes.h>
#include <string.h>

/* Returns the number of parameter sets whose short streams have all ended; *of gets the number of all sets. */
static uint32_t sets_reached(const struct hd_check *c, uint32_t *of)
{
  uint32_t left[CHECK_NO_SET] = {0}, n = 0;
  *of = 0;
  for (uint32_t i = c->first_short; i < c->first_aimed; i++) {
    uint32_t set = hd_check_stream_run(c, i).set;
    *of += !left[set]++;
  }
  for (uint64_t i = 0; i < c->n_runs; i++)
    if (c->runs[i].ended && c->runs[i].kind == CHECK_STREAM && c->runs[i].index >= c->first_short &&
        c->runs[i].index < c->first_aimed)
      n += !--left[c->runs[i].set];
  return n;
}

struct check_reached hd_check_reached(const struct hd_check *c, uint32_t stage)
{
  struct check_reached r = {.name = c->judge->stages[stage].name,
                            .item = c->judge->stages[stage].item,
                            .ended = c->stages[stage].ended,
                            .size = c->stages[stage].size,
                            .required = c->required >> stage & 1};
  if (!strcmp(r.name, "ends"))
    r.size = hd_check_ends(c);
  r.complete = r.size && r.ended == r.size;
  if (!strcmp(r.name, "sets")) {
    r.item = "parameter set";
    r.ended = sets_reached(c, &r.size);
  }
  return r;
}

int hd_check_read_require(struct hd_check *c, struct hd_error *err)
{
  const char *word = c->params->require;
  while (word && (*word || !c->required)) { /* "" is an error: maybe an empty variable of CI */
    size_t n = strcspn(word, ",");
    uint32_t s = 0;
    while (s < hd_check_stages(c) &&
           (strlen(c->judge->stages[s].name) != n ||
            strncmp(c->judge->stages[s].name, word, n) != 0 || c->stages[s].size == UINT32_MAX))
      s++;
    if (s == hd_check_stages(c)) {
      struct hd_text names = {0};
      struct hd_suggestion suggestion = {.given = word, .length = n};
      for (s = 0; s < hd_check_stages(c); s++)
        if (c->stages[s].size < UINT32_MAX) {
          hd_suggest(&suggestion, c->judge->stages[s].name);
          hd_text_add(&names, "%s%s", s ? ", " : "", c->judge->stages[s].name);
        }
      int status =
          hd_fail(err, HD_E_INPUT, "--require %.*s: there is no such stage%s; there are %s", (int)n,
                  word, suggestion.text, hd_text_chars(&names));
      hd_text_fini(&names);
      return status;
    }
    c->required |= 1u << s;
    word += n + (word[n] == ',');
  }
  return HD_OK;
}

bool hd_check_falls_short(const struct hd_check *c)
{
  for (uint32_t s = 0; s < hd_check_stages(c); s++)
    if (c->required >> s & 1 && !hd_check_reached(c, s).complete)
      return true;
  return false;
}

static void add_part(const struct check_reached *r, const char *before, struct hd_text *text)
{
  hd_text_add(text, "%s%" PRIu32 " of %s", before, r->ended, hd_count(r->size, r->item).text);
}

void hd_check_add_short(const struct hd_check *c, struct hd_text *text)
{
  const char *before = "";
  for (uint32_t s = 0; s < hd_check_stages(c); s++) {
    struct check_reached r = hd_check_reached(c, s);
    if (!r.required || r.complete)
      continue;
    if (r.size)
      add_part(&r, before, text);
    else
      hd_text_add(text, "%sno %s can be carried out here", before, r.item);
    before = ", ";
  }
}

/* Returns the seconds of work that are left of a stage; 0: not known, because no run of its kind has ended. */
static double work_left(const struct hd_check *c, uint32_t stage, const struct check_reached *r)
{
  uint32_t unbuilt = 0, left = r->size > r->ended ? r->size - r->ended : 0;
  double seconds = 0;
  uint32_t ended = 0;
  bool counted[CHECK_NO_SET] = {false};
  for (uint64_t i = 0; i < c->n_runs; i++) {
    const struct check_run *run = &c->runs[i];
    if (run->stage != stage)
      continue;
    ended = (uint32_t)c->kinds[run->kind].ended;
    seconds = c->kinds[run->kind].seconds;
    if (run->ended || run->set == CHECK_NO_SET || counted[run->set])
      continue;
    counted[run->set] = true;
    unbuilt += c->built[run->set] < CHECK_BUILT;
  }
  if (!ended || (unbuilt && !c->n_built))
    return 0;
  return left * seconds / ended + (unbuilt ? unbuilt * c->build_seconds / c->n_built : 0);
}

/* Adds an estimate of the time that a stage still needs, from the work of all workers until now. */
static void add_time_left(const struct hd_check *c, uint32_t stage, const struct check_reached *r,
                          struct hd_text *text)
{
  double wall = hd_seconds_now() - c->started, busy = c->build_seconds + c->step_seconds;
  for (int k = 0; k < CHECK_KINDS; k++)
    busy += c->kinds[k].seconds;
  double left = work_left(c, stage, r);
  if (left <= 0 || busy <= 0)
    return;
  double minutes = left * wall / busy / 60;
  if (minutes < 1)
    hd_text_add(text, "; about a minute more would reach every %s", r->item);
  else
    hd_text_add(text, "; about %s more would reach every %s",
                hd_count((uint64_t)(minutes + 0.5), "minute").text, r->item);
}

void hd_check_reached_text(const struct hd_check *c, struct hd_text *text)
{
  const char *before = "plan: ";
  uint32_t first = UINT32_MAX;
  if (c->has_only)
    return;
  for (uint32_t s = 0; s < hd_check_stages(c); s++) {
    struct check_reached r = hd_check_reached(c, s);
    if (!r.size || r.size == UINT32_MAX || (r.complete && strcmp(r.name, "sets") != 0))
      continue;
    add_part(&r, before, text);
    before = ", ";
    if (!r.complete && (first == UINT32_MAX || !strcmp(r.name, "sets")))
      first = s;
  }
  if (first < UINT32_MAX && c->events) {
    struct check_reached r = hd_check_reached(c, first);
    add_time_left(c, first, &r, text);
  }
  hd_text_add(text, "\n");
}
