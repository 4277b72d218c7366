/* Guesses invariants: values of a few registers that no sample of the switch has together.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There are too many triples of registers to test all. So only registers are used from which an
 * assignment of the solver follows that refutes a proof: these are few, and values of them that
 * never occur exclude the assignment. If no triple is found, a larger set may never occur: the
 * search begins with all of them and leaves out as many as it can.
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>

enum { ORDERS = 6 /* number of orders in which registers are left out */ };

int hd_prover_compare(const void *a, const void *b)
{
  const struct invariant *x = a, *y = b;
  if (x->n != y->n)
    return x->n < y->n ? -1 : 1;
  for (unsigned i = 0; i < x->n; i++)
    if (x->registers[i] != y->registers[i])
      return x->registers[i] < y->registers[i] ? -1 : 1;
    else if (x->values[i] != y->values[i])
      return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

void hd_prover_drop(struct hd_prover *p, const struct invariant *v)
{
  HD_XROOM(p->dropped, p->cap_dropped, p->n_dropped, 1);
  p->dropped[p->n_dropped++] = *v;
}

void hd_prover_sort_dropped(struct hd_prover *p)
{
  if (p->n_dropped)
    qsort(p->dropped, p->n_dropped, sizeof *p->dropped, hd_prover_compare);
}

static bool was_dropped(const struct hd_prover *p, const struct invariant *v)
{
  return p->n_dropped && bsearch(v, p->dropped, p->n_dropped, sizeof *v, hd_prover_compare);
}

void hd_prover_take_guesses(struct hd_prover *p)
{
  if (p->n_guesses) /* threads have added them in any order */
    qsort(p->guesses, p->n_guesses, sizeof *p->guesses, hd_prover_compare);
  for (size_t i = 0; i < p->n_guesses; i++) {
    const struct invariant *v = &p->guesses[i];
    if ((i && !hd_prover_compare(v, v - 1)) || was_dropped(p, v))
      continue;
    HD_XROOM(p->invariants, p->cap_invariants, p->n_invariants, 1);
    p->invariants[p->n_invariants++] = *v;
  }
  p->n_guesses = 0;
}

/* ── search for values without a sample ────────────────────────────────────── */

struct search {
  const struct hd_prover *p;
  const struct causes *causes;
  size_t words;
  uint64_t *pair;  /* samples that have two of the values: the words that are not 0 */
  uint32_t *where; /* [words], index of each of these words */
  uint32_t n_pair;
  uint64_t seen[MOST_CAUSES]; /* number of samples that have the value */
  bool moved[MOST_CAUSES];    /* the value is not the one that a reset sets */
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

static void count_samples(struct search *s, uint32_t i)
{
  const uint8_t after = s->p->resets[s->causes->registers[i]];
  s->seen[i] = 0;
  for (size_t w = 0; w < s->words; w++)
    s->seen[i] += (uint64_t)__builtin_popcountll(word_of(s, i, w));
  s->moved[i] = after == (s->causes->values[i] ? 1 : 2);
}

static void find_pair_samples(struct search *s, uint32_t i, uint32_t k)
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

static void add_guess(struct search *s, const uint32_t *at, uint32_t n)
{
  struct invariant v = {.n = 0};
  double worth = 1;
  for (unsigned i = 0; i < n; i++) {
    const uint32_t reg = s->causes->registers[at[i]];
    unsigned place = v.n++;
    for (; place && v.registers[place - 1] > reg; place--) {
      v.registers[place] = v.registers[place - 1];
      v.values[place] = v.values[place - 1];
    }
    v.registers[place] = reg;
    v.values[place] = s->causes->values[at[i]];
    worth *= (double)(s->seen[at[i]] + 1) / (double)s->p->n_samples;
  }
  if (was_dropped(s->p, &v))
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

/* Guesses pairs with a value that no sample of its register has. All other pairs without a sample
 * were guessed before. */
static void guess_pairs(struct search *s)
{
  const uint32_t n = s->causes->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n && s->seen[i] == 0; k++)
      if ((k > i || s->seen[k]) && k != i && (s->moved[i] || s->moved[k]))
        add_guess(s, (const uint32_t[]){i, k}, 2);
}

static void guess_triples(struct search *s)
{
  const uint32_t n = s->causes->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++) {
      find_pair_samples(s, i, k);
      for (uint32_t j = k + 1; j < n; j++)
        if ((s->moved[i] || s->moved[k] || s->moved[j]) && !seen_with(s, j))
          add_guess(s, (const uint32_t[]){i, k, j}, 3);
    }
}

/* Tests whether no sample has all values that are marked in `taken`. */
static bool never_together(const struct search *s, const bool *taken)
{
  for (size_t w = 0; w < s->words; w++) {
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < s->causes->n && all; i++)
      all &= taken[i] ? word_of(s, i, w) : UINT64_MAX;
    if (all)
      return false;
  }
  return true;
}

/* Leaves out one value after the other as long as no sample has all that remain. Tries the rarest
 * values first, in the order of `seldom` from index `from` on. */
static void guess_smallest(struct search *s, const uint32_t *seldom, uint32_t from)
{
  const uint32_t n = s->causes->n;
  bool taken[MOST_CAUSES], moved = false;
  uint32_t at[MOST_CAUSES], left = 0;
  for (uint32_t i = 0; i < n; i++)
    taken[i] = true;
  if (!never_together(s, taken))
    return;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t its = seldom[(from + i) % n];
    taken[its] = false;
    taken[its] = !never_together(s, taken);
  }
  for (uint32_t i = 0; i < n; i++)
    if (taken[i]) {
      at[left++] = i;
      moved |= s->moved[i];
    }
  if (moved && left > 3 && left <= MOST_LITERALS)
    add_guess(s, at, left);
}

/* Guesses sets of more than three values. */
static void guess_larger_sets(struct search *s)
{
  const uint32_t n = s->causes->n;
  uint32_t seldom[MOST_CAUSES];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t place = i;
    for (; place && s->seen[seldom[place - 1]] > s->seen[i]; place--)
      seldom[place] = seldom[place - 1];
    seldom[place] = i;
  }
  for (uint32_t from = 0; from < n && s->n < s->most; from += n / ORDERS + 1)
    guess_smallest(s, seldom, from);
}

uint32_t hd_prover_guess(const struct hd_prover *p, const struct causes *causes,
                         struct invariant *guesses, uint32_t most)
{
  struct search s = {.p = p, .causes = causes, .best = guesses, .most = most};
  if (!p->n_samples || !most)
    return 0;
  s.words = (p->n_samples + 63) / 64;
  s.pair = hd_xmalloc(s.words * sizeof *s.pair);
  s.where = hd_xmalloc(s.words * sizeof *s.where);
  s.worth = hd_xmalloc(most * sizeof *s.worth);
  for (uint32_t i = 0; i < causes->n; i++)
    count_samples(&s, i);
  guess_pairs(&s);
  if (!s.n)
    guess_triples(&s);
  if (!s.n)
    guess_larger_sets(&s);
  free(s.pair);
  free(s.where);
  free(s.worth);
  return s.n;
}
