/* Data and parts of the page of a campaign. Private to this room.
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
  struct hd_text beside; /* path from the page to the directory, for links */
  double seconds;        /* sum of the times of all tasks */
};

/** Reads a campaign for a page at the path `page`. Errors: HD_E_IO, HD_E_INPUT. Call
 *  hd_campaign_data_fini in any case. */
int hd_campaign_data_read(struct hd_campaign_data *data, const char *directory, const char *page,
                          struct hd_error *err);
void hd_campaign_data_fini(struct hd_campaign_data *data);

/* Return a member of an object; NULL, 0 or NAN if it is missing or of another type. The file may
 * come from anyone. */
const char *hd_json_text(const json_t *object, const char *key);
uint64_t hd_json_count(const json_t *object, const char *key);
double hd_json_real(const json_t *object, const char *key);
/** Adds a number or a text in a form for readers. */
void hd_json_words(const json_t *value, struct hd_text *text);

/** Failures with the same signature. */
struct hd_campaign_group {
  const char *signature, *inside, *first_wrong, *example, *small; /* NULL: none */
  /* cause: sentence on the first wrong signal. causes: the other wrong signals, with lines of
   * RTL. before: the example before it was made smaller. */
  const char *cause, *causes, *before;
  /* reason: why no switch may do that. warning: Verilator's warning on one of these lines. */
  const char *reason, *warning;
  const json_t *also; /* other failures of the group, as in check.json; NULL: none */
  const char *command, *wave_command; /* wave_command may be NULL */
  uint64_t n;
  /* Directory of a run inside the campaign's; gets a link if it has a page. Names with other
   * characters than letters, digits and "._-" are ignored. */
  const char *run;
};
void hd_campaign_group(struct hd_text *text, const struct hd_campaign_data *data,
                       const struct hd_campaign_group *group, unsigned number);

/** Adds a number for readers with its noun, such as "1 run" or "7 runs". */
void hd_campaign_number(struct hd_text *text, uint64_t n, const char *what);

/** Adds a tile with a count. */
void hd_campaign_tile(struct hd_text *text, const char *what, uint64_t n, const char *unit);

/* ── pages ─────────────────────────────────────────────────────────────────── */

/** Add the page's head and sections, and its title to *title. */
void hd_sweep_page(struct hd_page *page, const struct hd_campaign_data *data,
                   struct hd_text *title);
void hd_check_page(struct hd_page *page, const struct hd_campaign_data *data,
                   struct hd_text *title);

/** Adds the points of the specification, from the member "coverage" of the JSON. Adds nothing if
 *  it is missing. */
void hd_campaign_coverage_section(struct hd_page *page, const struct hd_campaign_data *data);

#endif
