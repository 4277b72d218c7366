/* The book: all runs that the figures need, and their results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

struct barrier_cell *barrier_book_find(const struct barrier_book *book,
                                       const struct barrier_config *config)
{
  for (uint32_t i = 0; i < book->n; i++)
    if (!memcmp(&book->cells[i].config, config, sizeof *config))
      return &book->cells[i];
  return NULL;
}

void barrier_book_want(struct barrier_book *book, const struct barrier_config *config)
{
  if (barrier_book_find(book, config))
    return;
  HD_XROOM(book->cells, book->capacity, book->n, 1);
  book->cells[book->n++] = (struct barrier_cell){.config = *config};
}

void barrier_book_fini(struct barrier_book *book)
{
  free(book->cells);
  *book = (struct barrier_book){0};
}

double barrier_outcome_value(const struct barrier_outcome *o, enum barrier_measure measure)
{
  switch (measure) {
  case BARRIER_FIRST:
    return o->first;
  case BARRIER_LATER:
    return o->later;
  case BARRIER_RENEWED:
    return o->renewed;
  case BARRIER_DATA:
    return o->data;
  case BARRIER_MOST:
    break;
  }
  return o->most;
}

struct barrier_value barrier_book_value(const struct barrier_book *book,
                                        const struct barrier_config *config,
                                        enum barrier_measure measure)
{
  struct barrier_value value = {0};
  const struct barrier_cell *cell = barrier_book_find(book, config);
  double sum = 0;
  for (uint32_t i = 0; cell && i < book->seeds; i++) {
    const struct barrier_outcome *o = &cell->outcomes[i];
    value.endless += o->done && !o->finished;
    if (!o->done || !o->finished)
      continue;
    double x = barrier_outcome_value(o, measure);
    sum += x;
    value.least = value.n && value.least < x ? value.least : x;
    value.most = value.n && value.most > x ? value.most : x;
    value.n++;
  }
  value.mean = value.n ? sum / value.n : 0;
  return value;
}
