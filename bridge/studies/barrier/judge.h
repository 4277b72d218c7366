/* Functions that the judges of statements share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPRODUCE_JUDGE_H
#define HD_REPRODUCE_JUDGE_H

#include "reproduce.h"

#include <string.h>

typedef struct study_statement statement;

/* Meaning of words of the paper, as numbers. */
static const double almost_constant = 1.25; /* most over least */
static const double dramatic = 2;           /* likewise, at least */

/** The loop body for each panel `p` of a figure. */
#define EACH_PANEL(r, p, name)                                                        \
  for (const struct rep_panel *p = (r)->panels; p < (r)->panels + (r)->n_panels; p++) \
    if (!strcmp(p->figure, name))

static inline struct rep_value at(const struct rep_results *r, const struct rep_panel *p,
                                  enum rep_scheme scheme, enum rep_measure measure, uint32_t x)
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

#endif
