/* All runs that are wanted, and what came out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

struct rep_cell *rep_book_find(const struct rep_book *book, const struct rep_config *config)
{
  for (uint32_t i = 0; i < book->n; i++)
    if (!memcmp(&book->cells[i].config, config, sizeof *config))
      return &book->cells[i];
  return NULL;
}

void rep_book_want(struct rep_book *book, const struct rep_config *config)
{
  if (rep_book_find(book, config))
    return;
  HD_XROOM(book->cells, book->capacity, book->n, 1);
  book->cells[book->n++] = (struct rep_cell){.config = *config};
}

void rep_book_fini(struct rep_book *book)
{
  free(book->cells);
  *book = (struct rep_book){0};
}

static double measured(const struct rep_outcome *o, enum rep_measure measure)
{
  switch (measure) {
  case REP_FIRST:
    return o->first;
  case REP_LATER:
    return o->later;
  case REP_MOST:
    break;
  }
  return o->most;
}

struct rep_value rep_book_value(const struct rep_book *book, const struct rep_config *config,
                                enum rep_measure measure)
{
  struct rep_value value = {0};
  const struct rep_cell *cell = rep_book_find(book, config);
  double sum = 0;
  for (uint32_t i = 0; cell && i < book->seeds; i++) {
    const struct rep_outcome *o = &cell->outcomes[i];
    value.endless += o->done && !o->finished;
    if (!o->done || !o->finished)
      continue;
    double x = measured(o, measure);
    sum += x;
    value.least = value.n && value.least < x ? value.least : x;
    value.most = value.n && value.most > x ? value.most : x;
    value.n++;
  }
  value.mean = value.n ? sum / value.n : 0;
  return value;
}
