/* Data of the page of a campaign. For bridge/page/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAMPAIGN_DATA_H
#define HD_CAMPAIGN_DATA_H

#include "../campaign/campaign.h"
#include "../render/render.h"
#include "page.h"

struct hd_campaign_data {
  const char *directory; /* borrowed */
  struct hd_campaign_about about;
  json_t *json;          /* the command's result file */
  bool check;            /* heddle check; otherwise a sweep */
  struct hd_text beside; /* path from the page to the directory; links begin with it */
  double seconds;        /* seconds of all workers together */
};

/** Reads a campaign; `page` is the path of the page. Freed by hd_campaign_data_fini, after failures
 *  too. */
int hd_campaign_data_read(struct hd_campaign_data *data, const char *directory, const char *page,
                          struct hd_error *err);
void hd_campaign_data_fini(struct hd_campaign_data *data);

/* Members of objects, whose text may come from anybody: NULL, 0 and NAN if there is no such member. */
const char *hd_json_text(const json_t *object, const char *key);
uint64_t hd_json_count(const json_t *object, const char *key);
double hd_json_real(const json_t *object, const char *key);
/** A number or a text, as people read it. */
void hd_json_words(const json_t *value, struct hd_text *text);

/** Failures alike. */
struct hd_campaign_group {
  const char *signature, *inside, *first_wrong, *example, *small; /* NULL: none */
  /* A sentence on the first wrong signal; the others, with lines of RTL; the example before it was made small. */
  const char *cause, *causes, *before;
  const char *reason, *warning; /* what no switch may do; of Verilator, at one of these lines */
  const json_t *also;           /* other failures of the kind, as check.json has them; NULL: none */
  const char *command, *wave_command; /* the latter may be NULL */
  uint64_t n;
  const char
      *run; /* directory of a run, in the campaign's: a link to its page, if it has one. Letters,
                      digits, "._-"; any other name is left out */
};
void hd_campaign_group(struct hd_text *text, const struct hd_campaign_data *data,
                       const struct hd_campaign_group *group, unsigned number);

/** "1 run", "7 runs" with the number as people read it. */
void hd_campaign_number(struct hd_text *text, uint64_t n, const char *what);

/** A tile with a count. */
void hd_campaign_tile(struct hd_text *text, const char *what, uint64_t n, const char *unit);

/* ── pages ─────────────────────────────────────────────────────────────────── */

/** Head and sections; *title: of the page. */
void hd_sweep_page(struct hd_page *page, const struct hd_campaign_data *data,
                   struct hd_text *title);
void hd_check_page(struct hd_page *page, const struct hd_campaign_data *data,
                   struct hd_text *title);

/** Writes the points of the specification from the member "coverage" of the JSON; nothing if it is
 *  missing. */
void hd_campaign_coverage_section(struct hd_page *page, const struct hd_campaign_data *data);

#endif
