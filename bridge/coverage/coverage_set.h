/* Sets of coverage: points of the specification that several runs exercised, and their holes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The report of a run, `heddle coverage`, and campaigns that aim at holes use it. The caller owns a
 * set. A set of all zeros is empty. A set may be copied.
 */
#ifndef HD_COVERAGE_SET_H
#define HD_COVERAGE_SET_H

#include "../../cmodel/switch/coverage.h"
#include "../render/render.h"

struct hd_coverage_set {
  uint32_t runs;
  uint64_t count[HD_POINTS];
  bool reachable[HD_POINTS]; /* at least one run could reach the point */
};

/** Adds a run: its counts, and the parameters of its switches, which decide what points it could
 *  reach. */
void hd_coverage_add(struct hd_coverage_set *set, const struct hd_coverage *counts,
                     const struct hd_switch_params *params);

/** Adds the counts of a stream into one switch. A stream can reach points that no run can,
 *  because no network interface or management does so. */
void hd_coverage_add_stream(struct hd_coverage_set *set, const struct hd_coverage *counts,
                            const struct hd_switch_params *params);

/** Adds the runs of another set. */
void hd_coverage_merge(struct hd_coverage_set *set, const struct hd_coverage_set *other);

/** hd_coverage_word writes a run's counts as a word without blanks. hd_coverage_add_word adds
 *  such a word to a set; it returns false and adds nothing if the text is not such a word, or
 *  belongs to other points. */
void hd_coverage_word(const struct hd_coverage_set *run, struct hd_text *text);
bool hd_coverage_add_word(struct hd_coverage_set *set, const char *word);

/** Tests whether a point is a hole: a run could have reached it, and none did. */
bool hd_coverage_is_hole(const struct hd_coverage_set *set, enum hd_spec_point point);

/** Finds the first hole at or after `from`; HD_POINTS: there is none. */
enum hd_spec_point hd_coverage_next_hole(const struct hd_coverage_set *set,
                                         enum hd_spec_point from);

/** Count the points that runs could reach, and the holes among them. */
uint32_t hd_coverage_reachable_points(const struct hd_coverage_set *set);
uint32_t hd_coverage_holes(const struct hd_coverage_set *set);

/** Adds "41 of 187 points of the specification, such as …" without a newline. Adds nothing if no
 *  point could be reached. */
void hd_coverage_summary(const struct hd_coverage_set *set, struct hd_text *text);

/** Write all points of the specification, or only the `holes`: as a table, as CSV with a header
 *  line, as a JSON object. */
void hd_coverage_table(const struct hd_coverage_set *set, bool holes, struct hd_text *text);
void hd_coverage_csv(const struct hd_coverage_set *set, bool holes, struct hd_text *text);
json_t *hd_coverage_json(const struct hd_coverage_set *set, bool holes);

/** Writes the list of points of docs/coverage.md. */
void hd_coverage_markdown(struct hd_text *text);

#endif
