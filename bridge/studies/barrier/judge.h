/* Functions that the judges of statements share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPRODUCE_JUDGE_H
#define HD_REPRODUCE_JUDGE_H

#include "reproduce.h"

#include <string.h>

typedef struct hd_study_statement statement;

/* Limits that stand for words of the paper. */
static const double almost_constant = 1.1; /* largest value over smallest */
/* A measured number agrees with the paper's number if it differs by at most this share of it. */
static const double tenth = 0.1;
static const double dramatic = 2; /* smallest ratio that counts as a dramatic change */

/** Begins a loop over the panels `p` of a figure. */
#define EACH_PANEL(r, p, name)                                                            \
  for (const struct barrier_panel *p = (r)->panels; p < (r)->panels + (r)->n_panels; p++) \
    if (!strcmp(p->figure, name))

static inline struct barrier_value at(const struct barrier_results *r,
                                      const struct barrier_panel *p, enum barrier_scheme scheme,
                                      enum barrier_measure measure, uint32_t x)
{
  struct barrier_config config = barrier_panel_config(p, scheme, x);
  return barrier_book_value(r->book, &config, measure);
}

static inline double ratio_over(struct barrier_value a, struct barrier_value b)
{
  return b.mean > 0 ? a.mean / b.mean : 0;
}

static inline uint32_t largest_x(const struct barrier_panel *p)
{
  return p->xs[p->n_xs - 1];
}

#endif
