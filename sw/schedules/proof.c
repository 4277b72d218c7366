/* Checks proofs of unsatisfiability: each lemma by unit propagation, forwards.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The proof is DRAT in binary form: 'a' adds a lemma, 'd' deletes a clause. Literals are numbers
 * with 7 bits in each byte: 2·v for v, 2·v + 1 for ¬v, and 0 at the end. A lemma follows if the
 * negation of all its literals leads to a conflict by unit propagation. (Lemmas that follow only by
 * DRAT's other rule, RAT, are refused; the solver writes none with the methods that it uses by
 * default.) Like other checkers, this one keeps a clause that is the reason of a literal, even if
 * the proof deletes it.
 */
#include "proof.h"

#include "../../bridge/host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 100000000, NO_CLAUSE = 0, ASK_EVERY = 256 };

/* Clauses. Literals are 2·v and 2·v + 1. A clause is its length, then its literals, of which the
 * first two are watched. clauses[0] is not a clause. Length 0: the clause was deleted, but its
 * literals are still there. */
struct watches {
  size_t *clauses;
  size_t n, capacity;
};

struct slot {
  size_t clause;
  size_t next;
};

struct checker {
  uint32_t variables;
  uint32_t *pool;
  size_t n_pool, cap_pool;
  struct watches *watches; /* [literals] the clauses that watch the literal */
  int8_t *value;           /* [literals] 1: true, −1: false, 0: open */
  size_t *reason;          /* [variables] */
  uint32_t *trail;
  size_t n_trail, propagated;
  size_t *buckets; /* index of a slot: hash table of the clauses, for deletion */
  struct slot *slots;
  size_t n_slots, cap_slots, n_buckets;
  uint32_t *clause; /* the clause that is being read */
  size_t n_clause, cap_clause;
  uint8_t *mark; /* [literals] */
  bool conflict; /* there is a conflict at level 0: the formula is proved unsatisfiable */
};

static uint32_t opposite(uint32_t literal)
{
  return literal ^ 1;
}

static void assign_literal(struct checker *c, uint32_t literal, size_t reason)
{
  c->value[literal] = 1;
  c->value[opposite(literal)] = -1;
  c->reason[literal / 2] = reason;
  c->trail[c->n_trail++] = literal;
}

static void watch(struct checker *c, uint32_t literal, size_t clause)
{
  struct watches *w = &c->watches[literal];
  HD_XROOM(w->clauses, w->capacity, w->n, 1);
  w->clauses[w->n++] = clause;
}

/* Propagates all assigned literals. Returns false if there is a conflict. */
static bool propagate(struct checker *c)
{
  while (c->propagated < c->n_trail) {
    uint32_t wrong = opposite(c->trail[c->propagated++]);
    struct watches *w = &c->watches[wrong];
    size_t kept = 0, i = 0;
    for (; i < w->n; i++) {
      size_t clause = w->clauses[i];
      uint32_t length = c->pool[clause], *l = &c->pool[clause + 1], k = 2;
      if (!length)
        continue; /* deleted */
      if (l[0] == wrong) {
        l[0] = l[1];
        l[1] = wrong;
      }
      if (c->value[l[0]] > 0) {
        w->clauses[kept++] = clause;
        continue;
      }
      while (k < length && c->value[l[k]] < 0)
        k++;
      if (k < length) {
        l[1] = l[k];
        l[k] = wrong;
        watch(c, l[1], clause);
        continue;
      }
      w->clauses[kept++] = clause;
      if (c->value[l[0]] < 0) {
        for (i++; i < w->n; i++)
          w->clauses[kept++] = w->clauses[i];
        w->n = kept;
        return false;
      }
      assign_literal(c, l[0], clause);
    }
    w->n = kept;
  }
  return true;
}

/* ── clauses ───────────────────────────────────────────────────────────────── */

static uint64_t hash_of(const uint32_t *literals, size_t n)
{
  uint64_t sum = 0, product = 1;
  for (size_t i = 0; i < n; i++) {
    sum += literals[i] * UINT64_C(0x9e3779b97f4a7c15);
    product *= 2 * (uint64_t)literals[i] + 3;
  }
  return (sum ^ product) * UINT64_C(0xd1342543de82ef95) + n;
}

static void grow_buckets(struct checker *c)
{
  size_t n = c->n_buckets ? 2 * c->n_buckets : 1024;
  size_t *buckets = hd_xcalloc(n, sizeof *buckets);
  for (size_t i = 1; i < c->n_slots; i++) {
    size_t clause = c->slots[i].clause;
    if (!c->pool[clause])
      continue;
    size_t bucket = hash_of(&c->pool[clause + 1], c->pool[clause]) >> 20 & (n - 1);
    c->slots[i].next = buckets[bucket];
    buckets[bucket] = i;
  }
  free(c->buckets);
  c->buckets = buckets;
  c->n_buckets = n;
}

/* Adds c->clause, whose literals all differ, and propagates at level 0. */
static void add_clause(struct checker *c)
{
  size_t n = c->n_clause, open = 0, clause = c->n_pool;
  uint32_t *l = c->clause;
  bool satisfied = false;
  for (size_t i = 0; i < n; i++) /* moves literals that are not false to the front */
    if (c->value[l[i]] >= 0) {
      uint32_t swap = l[open];
      satisfied = satisfied || c->value[l[i]] > 0;
      l[open++] = l[i];
      l[i] = swap;
    }
  if (!open) {
    c->conflict = true;
    return;
  }
  if (!c->n_slots)
    c->n_slots = 1;
  HD_XROOM(c->pool, c->cap_pool, c->n_pool, n + 1);
  HD_XROOM(c->slots, c->cap_slots, c->n_slots, 1);
  if (c->n_slots >= c->n_buckets)
    grow_buckets(c);
  c->pool[clause] = (uint32_t)n;
  memcpy(&c->pool[clause + 1], l, n * sizeof *l);
  c->n_pool += n + 1;
  size_t bucket = hash_of(l, n) >> 20 & (c->n_buckets - 1);
  c->slots[c->n_slots] = (struct slot){clause, c->buckets[bucket]};
  c->buckets[bucket] = c->n_slots++;
  if (n > 1) {
    watch(c, l[0], clause);
    watch(c, l[1], clause);
  }
  if (open == 1 && !satisfied) {
    assign_literal(c, l[0], clause);
    c->conflict = !propagate(c);
  }
}

static bool is_same_clause(struct checker *c, size_t clause)
{
  bool all = c->pool[clause] == c->n_clause;
  for (size_t i = 0; i < c->n_clause; i++)
    c->mark[c->clause[i]] = 1;
  for (size_t i = 0; all && i < c->n_clause; i++)
    all = c->mark[c->pool[clause + 1 + i]];
  for (size_t i = 0; i < c->n_clause; i++)
    c->mark[c->clause[i]] = 0;
  return all;
}

static bool is_reason(const struct checker *c, size_t clause)
{
  for (uint32_t i = 0; i < c->pool[clause]; i++) {
    uint32_t literal = c->pool[clause + 1 + i];
    if (c->value[literal] > 0 && c->reason[literal / 2] == clause)
      return true;
  }
  return false;
}

static void delete_clause(struct checker *c)
{
  if (!c->n_buckets)
    return;
  size_t *at = &c->buckets[hash_of(c->clause, c->n_clause) >> 20 & (c->n_buckets - 1)];
  for (; *at; at = &c->slots[*at].next) {
    size_t clause = c->slots[*at].clause;
    if (!is_same_clause(c, clause))
      continue;
    if (!is_reason(c, clause)) {
      c->pool[clause] = 0;
      *at = c->slots[*at].next;
    }
    return;
  }
}

/* Returns true if c->clause follows by unit propagation. */
static bool follows(struct checker *c)
{
  size_t top = c->n_trail;
  bool conflict = false;
  for (size_t i = 0; i < c->n_clause && !conflict; i++) {
    conflict = c->value[c->clause[i]] > 0;
    if (!c->value[c->clause[i]])
      assign_literal(c, opposite(c->clause[i]), NO_CLAUSE);
  }
  conflict = conflict || !propagate(c);
  while (c->n_trail > top) {
    uint32_t literal = c->trail[--c->n_trail];
    c->value[literal] = c->value[opposite(literal)] = 0;
  }
  c->propagated = top;
  return conflict;
}

/* ── reading ───────────────────────────────────────────────────────────────── */

/* Adds a literal to c->clause, unless it is there already. Returns false if there is no such
 * variable. */
static bool put_literal(struct checker *c, uint32_t literal)
{
  if (literal / 2 < 1 || literal / 2 > c->variables)
    return false;
  if (c->mark[literal])
    return true;
  HD_XROOM(c->clause, c->cap_clause, c->n_clause, 1);
  c->mark[literal] = 1;
  c->clause[c->n_clause++] = literal;
  return true;
}

/* Ends the clause that put_literal has built. Returns true if it has v and ¬v and so is always
 * true. */
static bool end_clause(struct checker *c)
{
  bool always = false;
  for (size_t i = 0; i < c->n_clause; i++)
    always = always || c->mark[opposite(c->clause[i])];
  for (size_t i = 0; i < c->n_clause; i++)
    c->mark[c->clause[i]] = 0;
  return always;
}

static void open_checker(struct checker *c, uint32_t variables)
{
  size_t literals = 2 * ((size_t)variables + 1);
  c->variables = variables;
  c->watches = hd_xcalloc(literals, sizeof *c->watches);
  c->value = hd_xcalloc(literals, sizeof *c->value);
  c->mark = hd_xcalloc(literals, sizeof *c->mark);
  c->reason = hd_xcalloc((size_t)variables + 1, sizeof *c->reason);
  c->trail = hd_xcalloc((size_t)variables + 1, sizeof *c->trail);
  c->pool = hd_xcalloc(64, sizeof *c->pool);
  c->cap_pool = 64;
  c->n_pool = 1; /* NO_CLAUSE */
}

struct text {
  const char *at, *end;
};

static void skip_blanks(struct text *t)
{
  for (; t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\r' || *t->at == '\t');
       t->at++)
    ;
}

static bool read_number(struct text *t, int64_t *value)
{
  bool minus, any = false;
  skip_blanks(t);
  minus = t->at < t->end && *t->at == '-';
  t->at += minus;
  for (*value = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9' && *value <= MOST_VARIABLES;
       t->at++, any = true)
    *value = *value * 10 + (*t->at - '0');
  *value = minus ? -*value : *value;
  return any;
}

static int read_formula(struct checker *c, const char *chars, size_t length, struct hd_error *err)
{
  struct text t = {chars, chars + length};
  int64_t variables, clauses, value;
  for (skip_blanks(&t); t.at < t.end && *t.at == 'c'; skip_blanks(&t))
    while (t.at < t.end && *t.at != '\n')
      t.at++;
  if (t.end - t.at < 6 || memcmp(t.at, "p cnf ", 6))
    return hd_fail(err, HD_E_INPUT, "the formula does not begin with 'p cnf'");
  t.at += 6;
  if (!read_number(&t, &variables) || !read_number(&t, &clauses) || variables < 0 ||
      variables > MOST_VARIABLES)
    return hd_fail(err, HD_E_INPUT, "the formula's numbers of variables and clauses are missing");
  /* The memory depends on the length of the file, not on the numbers in its first line. */
  if ((uint64_t)variables > length)
    return hd_fail(err, HD_E_INPUT, "the formula has %" PRId64 " variables in %zu characters",
                   variables, length);
  open_checker(c, (uint32_t)variables);
  for (int64_t i = 0; i < clauses && !c->conflict; i++) {
    c->n_clause = 0;
    for (;;) {
      if (!read_number(&t, &value) ||
          (value && !put_literal(c, value > 0 ? 2 * (uint32_t)value : 2 * (uint32_t)-value + 1)))
        return hd_fail(err, HD_E_INPUT, "clause %" PRId64 " of the formula cannot be read", i + 1);
      if (!value)
        break;
    }
    if (!end_clause(c))
      add_clause(c);
  }
  return HD_OK;
}

/* Reads a line of the proof. *kind is 0 at the end. Returns false if it cannot be read. */
static bool read_line(struct checker *c, const uint8_t *proof, size_t size, size_t *at, char *kind)
{
  *kind = 0;
  c->n_clause = 0;
  if (*at == size)
    return true;
  *kind = (char)proof[(*at)++];
  if (*kind != 'a' && *kind != 'd')
    return false;
  for (;;) {
    uint64_t literal = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
      if (*at == size || shift > 28)
        return false;
      byte = proof[(*at)++];
      literal |= (uint64_t)(byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    if (!literal)
      return true;
    if (literal > UINT32_MAX || !put_literal(c, (uint32_t)literal))
      return false;
  }
}

static int read_proof(struct checker *c, const uint8_t *proof, size_t size,
                      bool (*stop)(void *context), void *context, struct hd_proof_result *result,
                      struct hd_error *err)
{
  size_t at = 0;
  while (!c->conflict) {
    char kind;
    if (!read_line(c, proof, size, &at, &kind))
      return hd_fail(err, HD_E_INPUT, "the proof cannot be read at byte %zu", at);
    if (!kind)
      return hd_fail(err, HD_E_TOOL, "the proof ends without the empty clause");
    bool always = end_clause(c);
    if (kind == 'd')
      delete_clause(c);
    else {
      if (!always && !follows(c))
        return hd_fail(err, HD_E_TOOL, "lemma %" PRIu64 " of the proof does not follow",
                       result->lemmas + 1);
      result->lemmas++;
      if (!always)
        add_clause(c);
    }
    if (stop && !(result->lemmas % ASK_EVERY) && stop(context))
      return HD_OK;
  }
  result->proved = true;
  return HD_OK;
}

int hd_proof_check(const char *formula, size_t length, const uint8_t *proof, size_t size,
                   bool (*stop)(void *context), void *context, struct hd_proof_result *result,
                   struct hd_error *err)
{
  struct checker c = {0};
  *result = (struct hd_proof_result){0};
  int status = read_formula(&c, formula, length, err);
  if (!status)
    status = read_proof(&c, proof, size, stop, context, result, err);
  for (size_t i = 0; c.watches && i < 2 * ((size_t)c.variables + 1); i++)
    free(c.watches[i].clauses);
  free(c.watches);
  free(c.value);
  free(c.mark);
  free(c.reason);
  free(c.trail);
  free(c.pool);
  free(c.buckets);
  free(c.slots);
  free(c.clause);
  return status;
}
