/* Reads GOAL, the language of LogGOPSim's programs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An example: `rank 0 { l1: calc 100 l2: send 8b to 1 tag 0 l2 requires l1 }`. An operation may
 * require one that is written after it. So the operations of a rank are sorted such that each comes
 * after those that it requires. Among the operations that could be next, the one that is written
 * first is taken.
 */
#include "ops.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24 };
#define SIZE_MAX_GOAL (UINT64_C(1) << 50)
#define NONE UINT32_MAX

struct goal_op {
  uint64_t amount;
  uint32_t peer, tag, line;
  /** index in goal->required of the n_after operations that must have ended; the n_begun ones that
   *  must have begun follow */
  uint32_t after, n_after, n_begun;
  uint8_t kind;
};

struct hd_goal {
  struct goal_op *ops; /* the operations of all ranks */
  uint32_t *required;  /* indices within the rank */
};

struct label {
  const char *at;
  size_t n;
  uint32_t op;
};

struct require {
  uint32_t op, required;
  bool begun;
};

struct parser {
  struct hd_ops *trace;
  struct hd_csv_error *error;
  const char *at, *end, *word;
  size_t n; /* of the word */
  uint32_t line;
  struct hd_goal *goal;
  size_t n_ops, cap_ops, n_required, cap_required;
  /* the current rank */
  size_t first;
  struct label *labels; /* [cap_labels] hash table with open addressing */
  size_t n_labels, cap_labels;
  struct require *requires;
  size_t n_requires, cap_requires;
  bool *seen;
};

/* Makes room for one more item. The old memory is freed only with the trace, so an array takes at
 * most twice its final size. */
static void *make_room(struct parser *p, void *items, size_t *capacity, size_t n, size_t size)
{
  if (n < *capacity)
    return items;
  *capacity = *capacity ? 2 * *capacity : 64;
  void *larger = p->trace->allocate(p->trace->context, *capacity * size);
  if (n)
    memcpy(larger, items, n * size);
  return larger;
}

/* ── words ────────────────────────────────────────────────────────────────── */

/* Reads the next word. Blanks and semicolons separate words; each brace and colon is a word.
 * Comments are those of C. */
static bool next_word(struct parser *p)
{
  for (;; p->at++) {
    if (p->at == p->end)
      return p->n = 0, p->word = p->end, false;
    if (*p->at == '\n')
      p->line++;
    if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '/') {
      while (p->at + 1 < p->end && p->at[1] != '\n')
        p->at++;
    } else if (p->end - p->at >= 2 && p->at[0] == '/' && p->at[1] == '*') {
      for (p->at += 2; p->at < p->end && !(p->at[-1] == '*' && p->at[0] == '/'); p->at++)
        p->line += *p->at == '\n';
      if (p->at == p->end)
        return p->n = 0, p->word = p->end, false;
    } else if (!isspace((unsigned char)*p->at) && *p->at != ';') {
      break;
    }
  }
  p->word = p->at++;
  if (!strchr("{}:", *p->word) || !*p->word)
    while (p->at < p->end && !isspace((unsigned char)*p->at) && *p->at && !strchr("{}:;", *p->at))
      p->at++;
  p->n = (size_t)(p->at - p->word);
  return true;
}

static bool word_is(const struct parser *p, const char *text)
{
  return p->n == strlen(text) && !memcmp(p->word, text, p->n);
}

static int fail_word(struct parser *p, const char *legal)
{
  char shown[SHOWN];
  size_t n = p->n < SHOWN - 1 ? p->n : SHOWN - 1;
  for (size_t i = 0; i < n; i++)
    shown[i] = p->word[i] < ' ' || p->word[i] > '~' ? '?' : p->word[i];
  shown[n] = '\0';
  return hd_ops_fail(p->error, p->line, "\"%s\"; legal: %s", n ? shown : "end of the file", legal);
}

/* Reads the next word, which must be a number. `unit` may follow it. */
static int read_number(struct parser *p, const char *unit, uint64_t most, uint64_t *value,
                       const char *legal)
{
  size_t i = 0;
  next_word(p);
  *value = 0;
  for (; i < p->n && i < 16 && isdigit((unsigned char)p->word[i]); i++)
    *value = 10 * *value + (uint64_t)(p->word[i] - '0');
  size_t rest = p->n - i;
  bool whole = i && (!rest || (rest == strlen(unit) && !memcmp(p->word + i, unit, rest)));
  return whole && *value <= most ? 0 : fail_word(p, legal);
}

/* ── labels ───────────────────────────────────────────────────────────────── */

static struct label *find_label_slot(const struct parser *p, const char *at, size_t n)
{
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (unsigned char)at[i]) * 1099511628211u;
  size_t i = hash & (p->cap_labels - 1);
  while (p->labels[i].at && (p->labels[i].n != n || memcmp(p->labels[i].at, at, n)))
    i = (i + 1) & (p->cap_labels - 1);
  return &p->labels[i];
}

static int add_label(struct parser *p, const char *at, size_t n, uint32_t op)
{
  if (2 * (p->n_labels + 1) > p->cap_labels) {
    struct label *old = p->labels;
    size_t count = p->cap_labels;
    p->cap_labels = count ? 2 * count : 1024;
    p->labels = p->trace->allocate(p->trace->context, p->cap_labels * sizeof *p->labels);
    for (size_t i = 0; i < count; i++)
      if (old[i].at)
        *find_label_slot(p, old[i].at, old[i].n) = old[i];
  }
  struct label *label = find_label_slot(p, at, n);
  if (label->at)
    return hd_ops_fail(p->error, p->line, "the label \"%.*s\" is there twice in this rank",
                       n < 40 ? (int)n : 40, at);
  *label = (struct label){at, n, op};
  p->n_labels++;
  return 0;
}

static uint32_t find_label(const struct parser *p, const char *at, size_t n)
{
  const struct label *label = p->cap_labels ? find_label_slot(p, at, n) : NULL;
  return label && label->at ? label->op : NONE;
}

/* ── statements ───────────────────────────────────────────────────────────── */

static int read_message(struct parser *p, struct goal_op *op)
{
  uint64_t value;
  const char *towards = op->kind == HD_OP_SEND ? "to" : "from";
  if (read_number(p, "b", SIZE_MAX_GOAL, &op->amount, "a number of bytes, as 8b"))
    return -1;
  next_word(p);
  if (!word_is(p, towards))
    return fail_word(p, op->kind == HD_OP_SEND ? "to RANK" : "from RANK");
  if (read_number(p, "", p->trace->n_ranks - 1, &value, "a rank of this trace"))
    return -1;
  op->peer = (uint32_t)value;
  return 0;
}

/* Reads the options of an operation. The word after them is then the current one. */
static int read_options(struct parser *p, struct goal_op *op)
{
  uint64_t value;
  for (;;) {
    next_word(p);
    if (word_is(p, "tag")) {
      if (read_number(p, "", UINT32_MAX, &value, "a tag, 0 … 4294967295"))
        return -1;
      op->tag = (uint32_t)value;
    } else if (word_is(p, "cpu")) {
      if (read_number(p, "", 0, &value, "cpu 0: a rank computes on one processor here"))
        return -1;
    } else if (word_is(p, "nic")) {
      if (read_number(p, "", 0, &value, "nic 0: a node has one interface here"))
        return -1;
    } else {
      return 0;
    }
  }
}

/* Reads an operation, whose name is the current word. The word after the operation is then the
 * current one. */
static int read_op(struct parser *p)
{
  struct goal_op op = {.line = p->line};
  int status;
  if (word_is(p, "calc")) {
    op.kind = HD_OP_COMPUTE;
    status = read_number(p, "", SIZE_MAX_GOAL, &op.amount, "a time in nanoseconds");
  } else if (word_is(p, "send") || word_is(p, "recv")) {
    op.kind = word_is(p, "send") ? HD_OP_SEND : HD_OP_RECEIVE;
    status = read_message(p, &op);
  } else {
    return fail_word(p, "send, recv or calc");
  }
  if (p->n_ops - p->first == NONE - 1)
    return hd_ops_fail(p->error, p->line, "too many operations");
  p->goal->ops = make_room(p, p->goal->ops, &p->cap_ops, p->n_ops, sizeof op);
  status = status ? status : read_options(p, &op);
  p->goal->ops[p->n_ops++] = op;
  return status;
}

/* Reads the rest of "LABEL requires LABEL". The first label is `at`. */
static int read_require(struct parser *p, const char *at, size_t n, bool begun)
{
  struct require r = {find_label(p, at, n), 0, begun};
  if (r.op == NONE)
    return hd_ops_fail(p->error, p->line, "\"%.*s\": no label above in this rank",
                       n < 40 ? (int)n : 40, at);
  next_word(p);
  r.required = find_label(p, p->word, p->n);
  if (r.required == NONE)
    return fail_word(p, "a label of an operation above in this rank");
  p->requires = make_room(p, p->requires, &p->cap_requires, p->n_requires, sizeof r);
  p->requires[p->n_requires++] = r;
  next_word(p);
  return 0;
}

/* ── the order of a rank ──────────────────────────────────────────────────── */

/* A heap of numbers; the smallest comes first. */
static void heap_push(uint32_t *heap, size_t *n, uint32_t value)
{
  size_t i = (*n)++;
  for (; i && heap[(i - 1) / 2] > value; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = value;
}

static uint32_t heap_pop(uint32_t *heap, size_t *n)
{
  const uint32_t top = heap[0], value = heap[--*n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < *n; i = child) {
    child += child + 1 < *n && heap[child + 1] < heap[child];
    if (heap[child] >= value)
      break;
    heap[i] = heap[child];
  }
  heap[i] = value;
  return top;
}

struct order {
  uint32_t n;
  uint32_t *missing, *place, *first, *next_of, *heap;
};

/* Sorts the operations: place[op] becomes its index in the order. Returns the number of operations
 * that have one; the others require themselves. */
static uint32_t sort_rank(const struct parser *p, struct order *o)
{
  size_t in_heap = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < o->n; i++)
    o->first[i] = NONE;
  for (uint32_t i = 0; i < p->n_requires; i++) {
    o->missing[p->requires[i].op]++;
    o->next_of[i] = o->first[p->requires[i].required];
    o->first[p->requires[i].required] = i;
  }
  for (uint32_t i = 0; i < o->n; i++)
    if (!o->missing[i])
      heap_push(o->heap, &in_heap, i);
  while (in_heap) {
    const uint32_t op = heap_pop(o->heap, &in_heap);
    o->place[op] = n++;
    for (uint32_t r = o->first[op]; r != NONE; r = o->next_of[r])
      if (!--o->missing[p->requires[r].op])
        heap_push(o->heap, &in_heap, p->requires[r].op);
  }
  return n;
}

/* Puts the rank's operations in the order, and fills goal->required. */
static void sort_operations(struct parser *p, const struct order *o)
{
  struct hd_ops *trace = p->trace;
  struct goal_op *ops = p->goal->ops + p->first;
  struct goal_op *sorted = trace->allocate(trace->context, (o->n + 1) * sizeof *sorted);
  for (int begun = 0; begun < 2; begun++) /* count */
    for (size_t i = 0; i < p->n_requires; i++)
      if (p->requires[i].begun == begun)
        *(begun ? &ops[p->requires[i].op].n_begun : &ops[p->requires[i].op].n_after) += 1;
  for (uint32_t i = 0; i < o->n; i++) {
    ops[i].after = (uint32_t)p->n_required;
    p->n_required += ops[i].n_after + ops[i].n_begun;
    while (p->n_required > p->cap_required)
      p->goal->required =
          make_room(p, p->goal->required, &p->cap_required, p->cap_required, sizeof(uint32_t));
    sorted[o->place[i]] = ops[i];
  }
  for (int begun = 0; begun < 2; begun++)
    for (size_t i = 0; i < p->n_requires; i++)
      if (p->requires[i].begun == begun)
        p->goal->required[ops[p->requires[i].op].after++] = o->place[p->requires[i].required];
  memcpy(ops, sorted, o->n * sizeof *ops);
}

static int finish_rank(struct parser *p, uint32_t rank, struct hd_ops_balance *balance)
{
  struct hd_ops *trace = p->trace;
  struct order o = {.n = (uint32_t)(p->n_ops - p->first)};
  uint32_t *words =
      trace->allocate(trace->context, (4 * (size_t)o.n + p->n_requires + 1) * sizeof *words);
  o.missing = words;
  o.place = words + o.n;
  o.first = words + 2 * (size_t)o.n;
  o.heap = words + 3 * (size_t)o.n;
  o.next_of = words + 4 * (size_t)o.n;
  if (sort_rank(p, &o) != o.n) {
    uint32_t i = 0;
    while (!o.missing[i])
      i++;
    return hd_ops_fail(p->error, p->goal->ops[p->first + i].line,
                       "this operation of rank %" PRIu32 " requires itself, by others in a circle",
                       rank);
  }
  sort_operations(p, &o);
  trace->ranks[rank] = (struct hd_ops_rank){
      .offset = p->first, .n = o.n, .labels = o.n, .has_after = true, .line = p->line};
  for (uint32_t i = 0; i < o.n; i++) {
    struct hd_op op;
    hd_goal_operation(trace, p->first + i, &op);
    hd_ops_balance_add(balance, rank, &op);
  }
  return 0;
}

static int read_rank(struct parser *p, struct hd_ops_balance *balance)
{
  uint64_t rank;
  if (!word_is(p, "rank"))
    return fail_word(p, "rank NUMBER {");
  if (read_number(p, "", p->trace->n_ranks - 1, &rank, "a rank, less than num_ranks"))
    return -1;
  if (p->seen[rank])
    return fail_word(p, "each rank once");
  p->seen[rank] = true;
  next_word(p);
  if (!word_is(p, "{"))
    return fail_word(p, "{");
  p->first = p->n_ops;
  p->n_requires = p->n_labels = 0;
  if (p->cap_labels)
    memset(p->labels, 0, p->cap_labels * sizeof *p->labels);
  int status = 0;
  for (next_word(p); !status && !word_is(p, "}");) {
    const char *at = p->word;
    const size_t n = p->n;
    if (!n)
      return fail_word(p, "}");
    if (word_is(p, "calc") || word_is(p, "send") || word_is(p, "recv")) {
      status = read_op(p);
      continue;
    }
    next_word(p);
    if (word_is(p, ":")) {
      status = add_label(p, at, n, (uint32_t)(p->n_ops - p->first));
      next_word(p);
      status = status ? status : read_op(p);
    } else if (word_is(p, "requires") || word_is(p, "irequires")) {
      status = read_require(p, at, n, word_is(p, "irequires"));
    } else {
      return fail_word(p, "LABEL: operation, or LABEL requires LABEL");
    }
  }
  return status ? status : finish_rank(p, (uint32_t)rank, balance);
}

int hd_goal_open(struct hd_ops *trace, struct hd_csv_error *error)
{
  struct parser p = {.trace = trace, .error = error, .at = trace->text, .line = 1};
  struct hd_ops_balance balance;
  uint64_t n;
  p.end = trace->text + trace->length;
  next_word(&p);
  if (!word_is(&p, "num_ranks"))
    return fail_word(&p, "num_ranks NUMBER");
  if (read_number(&p, "", trace->most_ranks, &n, "a rank for each node of the fabric at most") ||
      !n)
    return n ? -1 : fail_word(&p, "one rank or more");
  trace->n_ranks = (uint32_t)n;
  trace->ranks = trace->allocate(trace->context, n * sizeof *trace->ranks);
  trace->calls[0] = trace->allocate(trace->context, 1);
  trace->n_calls = 1;
  trace->goal = p.goal = trace->allocate(trace->context, sizeof *p.goal);
  p.goal->ops = make_room(&p, NULL, &p.cap_ops, 0, sizeof *p.goal->ops);
  p.goal->required = make_room(&p, NULL, &p.cap_required, 0, sizeof *p.goal->required);
  p.seen = trace->allocate(trace->context, n);
  balance = (struct hd_ops_balance){trace->n_ranks,
                                    trace->allocate(trace->context, n * n * sizeof(uint64_t))};
  while (next_word(&p))
    if (read_rank(&p, &balance))
      return -1;
  return hd_ops_balance_check(&balance, error);
}

void hd_goal_operation(const struct hd_ops *trace, uint64_t i, struct hd_op *op)
{
  const struct goal_op *from = &trace->goal->ops[i];
  *op = (struct hd_op){.kind = from->kind,
                       .has_after = true,
                       .peer = from->peer,
                       .tag = from->tag,
                       .line = from->line,
                       .amount = from->amount,
                       .n_after = from->n_after,
                       .n_begun = from->n_begun,
                       .after = trace->goal->required + from->after,
                       .begun = trace->goal->required + from->after + from->n_after};
}
