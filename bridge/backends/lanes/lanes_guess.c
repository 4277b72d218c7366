/* Guesses of invariants: values of three registers that were never seen together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There are too many triples of registers to look at all. Those of the registers which an assignment follows from that
 * speaks against a proof are few; one that never comes excludes the assignment.
 */
#include "lanes_prove_internal.h"

#include "../../../cmodel/grow.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_BITS = 21 };

uint64_t prover_key(const struct invariant *v)
{
  uint64_t literals[MOST_LITERALS] = {0};
  for (unsigned i = 0; i < v->n; i++)
    literals[i] = ((uint64_t)v->registers[i] << 1 | v->values[i]) + 1;
  uint64_t key = 0, last = UINT64_MAX;
  for (unsigned k = 0; k < v->n; k++) { /* the largest first */
    uint64_t next = 0;
    for (unsigned i = 0; i < v->n; i++)
      if (literals[i] < last && literals[i] > next)
        next = literals[i];
    key = key << KEY_BITS | next;
    last = next;
  }
  return key;
}

/* Guesses come from several threads: whichever was the first, its registers are in one order. */
static struct invariant of_key(uint64_t key)
{
  struct invariant v = {.n = MOST_LITERALS};
  for (unsigned i = 0; i < MOST_LITERALS; i++, key >>= KEY_BITS) {
    const uint64_t literal = (key & ((UINT64_C(1) << KEY_BITS) - 1)) - 1;
    v.registers[i] = (uint32_t)(literal >> 1);
    v.values[i] = literal & 1;
  }
  return v;
}

static int by_key(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static int by_its_key(const void *a, const void *b)
{
  const uint64_t x = prover_key(a), y = prover_key(b);
  return x < y ? -1 : x > y;
}

bool prover_drop(struct hd_prover *p, const struct invariant *v)
{
  if (!HD_ROOM(p->dropped, p->cap_dropped, p->n_dropped, 1))
    return false;
  p->dropped[p->n_dropped++] = prover_key(v);
  return true;
}

void prover_sort_dropped(struct hd_prover *p)
{
  if (p->n_dropped)
    qsort(p->dropped, p->n_dropped, sizeof *p->dropped, by_key);
}

static bool was_dropped(const struct hd_prover *p, uint64_t key)
{
  return p->n_dropped && bsearch(&key, p->dropped, p->n_dropped, sizeof key, by_key);
}

bool prover_take_guesses(struct hd_prover *p)
{
  if (p->n_guesses)
    qsort(p->guesses, p->n_guesses, sizeof *p->guesses, by_its_key);
  for (size_t i = 0; i < p->n_guesses; i++) {
    const uint64_t key = prover_key(&p->guesses[i]);
    if ((i && key == prover_key(&p->guesses[i - 1])) || was_dropped(p, key))
      continue;
    if (!HD_ROOM(p->invariants, p->cap_invariants, p->n_invariants, 1))
      return false;
    p->invariants[p->n_invariants++] = of_key(key);
  }
  p->n_guesses = 0;
  return true;
}

/* ── what was never seen ───────────────────────────────────────────────────── */

struct search {
  const struct hd_prover *p;
  const struct causes *causes;
  size_t words;
  uint64_t *pair;  /* words of samples that have two of them, without those that are 0 */
  uint32_t *where; /* [words] which these are */
  uint32_t n_pair;
  double share[MOST_CAUSES]; /* of the samples that have its value */
  bool moved[MOST_CAUSES];   /* it has not what a reset gives it */
  struct invariant *best;
  double *worth;
  uint32_t n, most;
};

static uint64_t word_of(const struct search *s, uint32_t i, size_t w)
{
  const uint64_t all =
      w < s->p->n_samples / 64 ? UINT64_MAX : (UINT64_C(1) << s->p->n_samples % 64) - 1;
  const uint64_t x = s->p->samples[s->causes->registers[i]][w];
  return (s->causes->values[i] ? x : ~x) & all;
}

static void look_at(struct search *s, uint32_t i)
{
  const uint8_t after = s->p->resets[s->causes->registers[i]];
  uint64_t count = 0;
  for (size_t w = 0; w < s->words; w++)
    count += (uint64_t)__builtin_popcountll(word_of(s, i, w));
  s->share[i] = (double)count / (double)s->p->n_samples;
  s->moved[i] = after == (s->causes->values[i] ? 1 : 2);
}

static void pair_up(struct search *s, uint32_t i, uint32_t k)
{
  s->n_pair = 0;
  for (size_t w = 0; w < s->words; w++) {
    const uint64_t both = word_of(s, i, w) & word_of(s, k, w);
    s->pair[s->n_pair] = both;
    s->where[s->n_pair] = (uint32_t)w;
    s->n_pair += both != 0;
  }
}

static bool seen_with(const struct search *s, uint32_t j)
{
  for (uint32_t i = 0; i < s->n_pair; i++)
    if (s->pair[i] & word_of(s, j, s->where[i]))
      return true;
  return false;
}

static void add_guess(struct search *s, const uint32_t at[MOST_LITERALS])
{
  struct invariant v = {.n = MOST_LITERALS};
  double worth = 1;
  for (unsigned i = 0; i < MOST_LITERALS; i++) {
    v.registers[i] = s->causes->registers[at[i]];
    v.values[i] = s->causes->values[at[i]];
    worth *= s->share[at[i]];
  }
  if (was_dropped(s->p, prover_key(&v)))
    return;
  uint32_t place = s->n;
  while (place && s->worth[place - 1] < worth)
    place--;
  if (place == s->most)
    return;
  s->n += s->n < s->most;
  for (uint32_t i = s->n - 1; i > place; i--) {
    s->best[i] = s->best[i - 1];
    s->worth[i] = s->worth[i - 1];
  }
  s->best[place] = v;
  s->worth[place] = worth;
}

uint32_t prover_guess(const struct hd_prover *p, const struct causes *causes,
                      struct invariant *guesses, uint32_t most)
{
  struct search s = {.p = p, .causes = causes, .best = guesses, .most = most};
  if (!p->n_samples || !most)
    return 0;
  s.words = (p->n_samples + 63) / 64;
  s.pair = malloc(s.words * sizeof *s.pair);
  s.where = malloc(s.words * sizeof *s.where);
  s.worth = malloc(most * sizeof *s.worth);
  const bool made = s.pair && s.where && s.worth;
  for (uint32_t i = 0; i < causes->n && made; i++)
    look_at(&s, i);
  for (uint32_t i = 0; i < causes->n && made; i++)
    for (uint32_t k = i + 1; k < causes->n; k++) {
      pair_up(&s, i, k);
      for (uint32_t j = k + 1; j < causes->n; j++)
        if ((s.moved[i] || s.moved[k] || s.moved[j]) && !seen_with(&s, j))
          add_guess(&s, (const uint32_t[]){i, k, j});
    }
  free(s.pair);
  free(s.where);
  free(s.worth);
  return s.n;
}
