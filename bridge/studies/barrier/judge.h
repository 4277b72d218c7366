/* Functions that the judges of statements share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPRODUCE_JUDGE_H
#define HD_REPRODUCE_JUDGE_H

#include "reproduce.h"

#include <string.h>

typedef const struct rep_results results;
typedef struct study_statement statement;

/* Meaning of words of the paper, as numbers. */
static const double almost_constant = 1.25; /* most over least */
static const double dramatic = 2;           /* likewise, at least */

/** The loop body for each panel `p` of a figure. */
#define EACH_PANEL(r, p, name)                                                        \
  for (const struct rep_panel *p = (r)->panels; p < (r)->panels + (r)->n_panels; p++) \
    if (!strcmp(p->figure, name))

static inline struct rep_value at(results *r, const struct rep_panel *p, enum rep_scheme scheme,
                                  enum rep_measure measure, uint32_t x)
{
  struct rep_config config = rep_panel_config(p, scheme, x);
  return rep_book_value(r->book, &config, measure);
}

static inline double over(struct rep_value a, struct rep_value b)
{
  return b.mean > 0 ? a.mean / b.mean : 0;
}

static inline uint32_t last_x(const struct rep_panel *p)
{
  return p->xs[p->n_xs - 1];
}

void judge_printed_is_theorem_2(results *r, statement *s);
void judge_two_do_not_depend_on_delta(results *r, statement *s);
void judge_tree_grows_faster(results *r, statement *s);
void judge_formulas_outperform(results *r, statement *s);
void judge_measured_by_theorem_2(results *r, statement *s);
void judge_formula_printed(results *r, statement *s);
void judge_formula_once(results *r, statement *s);
void judge_congestion_adds_up(results *r, statement *s);

void judge_small_groups_start_cheaply(results *r, statement *s);
void judge_large_groups_of_fig12(results *r, statement *s);
void judge_large_groups_of_fig14(results *r, statement *s);
void judge_first_is_twice_at_most(results *r, statement *s);
void judge_first_is_less_than_tree(results *r, statement *s);
void judge_star_is_worse(results *r, statement *s);
void judge_trees_saturate(results *r, statement *s);
void judge_ours_does_not_saturate(results *r, statement *s);
void judge_startup_of_fig12(results *r, statement *s);
void judge_startup_of_fig14(results *r, statement *s);
void judge_ours_approaches_cs(results *r, statement *s);

void judge_short_congestion_of_fig13(results *r, statement *s);
void judge_short_congestion_of_fig15(results *r, statement *s);
void judge_ours_is_flat_in_fig13(results *r, statement *s);
void judge_ours_is_flat_in_fig15(results *r, statement *s);
void judge_simpler_switches_are_flat(results *r, statement *s);
void judge_trees_change_in_fig13(results *r, statement *s);
void judge_trees_change_in_fig15(results *r, statement *s);
void judge_number_of_congested(results *r, statement *s);
void judge_independent_of_data(results *r, statement *s);
void judge_rtl_is_the_model(results *r, statement *s);

#endif
