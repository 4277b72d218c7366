/* Reads traces of programs in Heddle's own format: one line for each operation (docs/traces.md).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The file is read twice: once from beginning to end, to check every line and to find where each
 * rank begins; and then by each rank for itself, one chunk at a time.
 */
#include "ops.h"

#include "common.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = HD_OPS_AFTER + 16, BYTES_DIGITS = 15 };
/* Largest amount: a double can represent it exactly. */
#define AMOUNT_MAX (UINT64_C(1) << 50)

struct word {
  const char *at;
  size_t n;
};

/* The state of the first reading: the current line, and what the trace has said so far. */
struct scan {
  struct hd_ops *ops;
  struct hd_ops_reader reader;
  struct hd_csv_error *error;
  struct word words[WORDS];
  size_t n_words;
  uint32_t rank; /* current rank; UINT32_MAX: before the first one */
  bool *seen;    /* [n_ranks] */
  bool *labelled;
};

int hd_ops_fail(struct hd_csv_error *error, uint32_t line, const char *format, ...)
{
  va_list args;
  error->line = line;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return -1;
}

/* ── lines ────────────────────────────────────────────────────────────────── */

/* Moves the unread rest of the chunk to its beginning, and reads more after it. */
static void fill_chunk(struct hd_ops_reader *r)
{
  const struct hd_ops *ops = r->ops;
  size_t kept = r->end - r->begin, room = HD_OPS_CHUNK - kept, n = 0;
  memmove(r->chunk, r->chunk + r->begin, kept);
  if (ops->text) {
    n = r->offset < ops->length ? ops->length - r->offset : 0;
    n = n < room ? n : room;
    memcpy(r->chunk + kept, ops->text + r->offset, n);
  } else {
    FILE *file = fopen(ops->path, "rb");
    if (file && !fseek(file, (long)r->offset, SEEK_SET))
      n = fread(r->chunk + kept, 1, room, file);
    if (file)
      fclose(file);
  }
  r->offset += n;
  r->begin = 0;
  r->end = kept + n;
}

/* Returns the next line without its end. 1; 0: end of the file; -1: the line is too long. */
static int next_line(struct hd_ops_reader *r, const char **at, size_t *n,
                     struct hd_csv_error *error)
{
  const char *newline = memchr(r->chunk + r->begin, '\n', r->end - r->begin);
  if (!newline) {
    fill_chunk(r);
    newline = memchr(r->chunk, '\n', r->end);
  }
  r->line++;
  if (!newline && r->end == HD_OPS_CHUNK)
    return hd_ops_fail(error, r->line, "a line of more than %d bytes", HD_OPS_CHUNK);
  if (!newline && r->begin == r->end)
    return 0;
  *at = r->chunk + r->begin;
  *n = newline ? (size_t)(newline - *at) : r->end - r->begin;
  r->begin += *n + (newline != NULL);
  return 1;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Splits a line into words, at most WORDS of them; a legal line has fewer. */
static size_t split_words(const char *at, size_t n, struct word *words)
{
  const char *end = at + n;
  size_t count = 0;
  while (count < WORDS) {
    while (at < end && is_blank(*at))
      at++;
    if (at == end || (!count && *at == '#'))
      break;
    words[count].at = at;
    while (at < end && !is_blank(*at))
      at++;
    words[count].n = (size_t)(at - words[count].at);
    count++;
  }
  return count;
}

static bool word_is(const struct word *word, const char *text)
{
  return word->n == strlen(text) && !memcmp(word->at, text, word->n);
}

static bool parse_number(const struct word *word, uint64_t most, uint64_t *value)
{
  *value = 0;
  if (!word->n || word->n > BYTES_DIGITS + 1)
    return false;
  for (size_t i = 0; i < word->n; i++) {
    if (word->at[i] < '0' || word->at[i] > '9')
      return false;
    *value = 10 * *value + (uint64_t)(word->at[i] - '0');
  }
  return *value <= most;
}

/* ── operations ───────────────────────────────────────────────────────────── */

static const struct {
  const char *word;
  uint8_t kind;
  bool is_nonblocking;
} kinds[] = {{"send", HD_OP_SEND, false},       {"isend", HD_OP_SEND, true},
             {"recv", HD_OP_RECEIVE, false},    {"irecv", HD_OP_RECEIVE, true},
             {"compute", HD_OP_COMPUTE, false}, {"wait", HD_OP_WAIT, false}};

static int fail_word(const struct hd_ops_reader *r, const struct word *word,
                     struct hd_csv_error *error, const char *what, uint64_t most)
{
  char shown[40];
  size_t n = word->n < sizeof shown - 1 ? word->n : sizeof shown - 1;
  for (size_t i = 0; i < n; i++)
    shown[i] = word->at[i] < ' ' || word->at[i] > '~' ? '?' : word->at[i];
  shown[n] = '\0';
  return hd_ops_fail(error, r->line, "\"%s\" is no %s; legal: 0 … %" PRIu64, shown, what, most);
}

static bool find_kind(const struct word *word, struct hd_op *op)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (word_is(word, kinds[i].word)) {
      op->kind = kinds[i].kind;
      op->is_nonblocking = kinds[i].is_nonblocking;
      return true;
    }
  op->kind = HD_OP_COLLECTIVE;
  for (unsigned c = 0; hd_collective_info(c).name; c++)
    if (c != HD_COLLECTIVE_ALLTOALLV && word_is(word, hd_collective_info(c).name)) {
      op->collective = (uint8_t)c;
      return true;
    }
  return false;
}

/* Reads the numbers that must follow the word of this kind of operation. */
static int read_arguments(const struct hd_ops_reader *r, struct hd_op *op, const struct word *words,
                          size_t n, size_t *used, struct hd_csv_error *error)
{
  const uint64_t ranks = r->ops->n_ranks - 1;
  const struct word none = {"", 0};
  uint64_t value;
  bool peer = op->kind == HD_OP_SEND || op->kind == HD_OP_RECEIVE;
  bool amount = op->kind != HD_OP_WAIT &&
                !(op->kind == HD_OP_COLLECTIVE && op->collective == HD_COLLECTIVE_BARRIER);
  *used = 0;
  if (peer) {
    if (n < 1 || !parse_number(&words[0], ranks, &value))
      return fail_word(r, n ? &words[0] : &none, error, "rank", ranks);
    op->peer = (uint32_t)value;
    ++*used;
  }
  if (amount) {
    if (n <= *used || !parse_number(&words[*used], AMOUNT_MAX, &op->amount))
      return fail_word(r, n > *used ? &words[*used] : &none, error,
                       op->kind == HD_OP_COMPUTE ? "time in nanoseconds" : "number of bytes",
                       AMOUNT_MAX);
    ++*used;
  }
  return 0;
}

/* Reads an option: a word (tag, root, group) and its number. */
static int read_option(const struct hd_ops_reader *r, struct hd_op *op, const struct word *words,
                       size_t n, struct hd_csv_error *error)
{
  uint64_t value = 0;
  const bool message = op->kind == HD_OP_SEND || op->kind == HD_OP_RECEIVE;
  const struct {
    const char *word, *what;
    bool fits;
    uint64_t most;
    uint32_t *into;
  } options[] = {
      {"tag", "tag", message, UINT32_MAX, &op->tag},
      {"root", "root", op->kind == HD_OP_COLLECTIVE && hd_collective_info(op->collective).rooted,
       r->ops->n_ranks - 1, &op->peer},
      {"group", "group", op->kind == HD_OP_COLLECTIVE, HD_OPS_GROUPS - 1, &op->group},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (word_is(&words[0], options[i].word) && options[i].fits) {
      if (n < 2 || !parse_number(&words[1], options[i].most, &value))
        return fail_word(r, &words[n > 1], error, options[i].what, options[i].most);
      *options[i].into = (uint32_t)value;
      return 0;
    }
  char shown[24];
  snprintf(shown, sizeof shown, "%.*s", words[0].n < 20 ? (int)words[0].n : 20, words[0].at);
  for (char *c = shown; *c; c++)
    *c = *c < ' ' || *c > '~' ? '?' : *c;
  return hd_ops_fail(error, r->line, "\"%s\" cannot follow here; legal: %safter LABEL …", shown,
                     message                        ? "tag NUMBER, "
                     : op->kind == HD_OP_COLLECTIVE ? "root RANK, group NUMBER, "
                                                    : "");
}

static int read_labels(struct hd_ops_reader *r, struct hd_op *op, const struct word *words,
                       size_t n, struct hd_csv_error *error)
{
  uint64_t value;
  if (n > HD_OPS_AFTER)
    return hd_ops_fail(error, r->line, "more than %d labels in a line; use several lines wait",
                       HD_OPS_AFTER);
  for (size_t i = 0; i < n; i++) {
    if (!parse_number(&words[i], HD_OPS_LABELS - 1, &value))
      return fail_word(r, &words[i], error, "label", HD_OPS_LABELS - 1);
    r->after[i] = (uint32_t)value;
  }
  op->after = r->after;
  op->n_after = (uint32_t)n;
  return 0;
}

/* Reads an operation from a line of `n` words, at least one. */
static int parse(struct hd_ops_reader *r, struct hd_op *op, struct word *words, size_t n,
                 struct hd_csv_error *error)
{
  size_t used;
  uint64_t value;
  *op = (struct hd_op){.label = HD_OPS_NO_LABEL, .line = r->line, .call = r->call};
  if (words[0].at[words[0].n - 1] == ':') {
    struct word label = {words[0].at, words[0].n - 1};
    if (!parse_number(&label, HD_OPS_LABELS - 1, &value))
      return fail_word(r, &label, error, "label", HD_OPS_LABELS - 1);
    op->label = (uint32_t)value;
    words++;
    n--;
  }
  if (!n || !find_kind(words, op))
    return hd_ops_fail(
        error, r->line,
        "no operation; legal: send, isend, recv, irecv, compute, wait, a collective, "
        "call, rank");
  words++;
  n--;
  if (op->kind == HD_OP_WAIT)
    return read_labels(r, op, words, n, error);
  int status = read_arguments(r, op, words, n, &used, error);
  for (; !status && used < n; used += 2) {
    if (word_is(&words[used], "after")) {
      op->has_after = true;
      return read_labels(r, op, words + used + 1, n - used - 1, error);
    }
    status = read_option(r, op, words + used, n - used, error);
  }
  return status;
}

/* ── the first reading ────────────────────────────────────────────────────── */

/* Reads a line `group`. A group may have several such lines. */
static int read_group(struct scan *s)
{
  struct hd_ops *ops = s->ops;
  uint64_t g, rank;
  if (s->n_words < 3 || !parse_number(&s->words[1], HD_OPS_GROUPS - 1, &g) || !g)
    return hd_ops_fail(s->error, s->reader.line,
                       "a group is: group NUMBER RANK …; numbers are 1 … %d", HD_OPS_GROUPS - 1);
  struct hd_ops_group *group = ops->groups[g];
  if (!group) {
    group = ops->groups[g] = ops->allocate(ops->context, sizeof *group);
    group->ranks = ops->allocate(ops->context, ops->n_ranks * sizeof *group->ranks);
  }
  for (size_t i = 2; i < s->n_words; i++) {
    if (!parse_number(&s->words[i], ops->n_ranks - 1, &rank))
      return fail_word(&s->reader, &s->words[i], s->error, "rank", ops->n_ranks - 1);
    for (uint32_t j = 0; j < group->n; j++)
      if (group->ranks[j] == (int)rank)
        return hd_ops_fail(s->error, s->reader.line, "rank %" PRIu64 " is in the group twice",
                           rank);
    group->ranks[group->n++] = (int)rank;
  }
  return 0;
}

static int read_ranks(struct scan *s)
{
  struct hd_ops *ops = s->ops;
  uint64_t n;
  if (s->n_words != 2 || !word_is(&s->words[0], "ranks") ||
      !parse_number(&s->words[1], UINT32_MAX, &n) || !n)
    return hd_ops_fail(s->error, s->reader.line, "the first line is: ranks NUMBER");
  if (n > ops->most_ranks)
    return hd_ops_fail(s->error, s->reader.line,
                       "%" PRIu64 " ranks; the fabric has %" PRIu32 " nodes, one for each rank", n,
                       ops->most_ranks);
  ops->n_ranks = (uint32_t)n;
  ops->ranks = ops->allocate(ops->context, n * sizeof *ops->ranks);
  s->seen = ops->allocate(ops->context, n);
  ops->groups[0] = ops->allocate(ops->context, sizeof *ops->groups[0]);
  ops->groups[0]->n = ops->n_ranks;
  ops->groups[0]->ranks = ops->allocate(ops->context, n * sizeof(int));
  for (uint32_t i = 0; i < ops->n_ranks; i++)
    ops->groups[0]->ranks[i] = (int)i;
  return 0;
}

static int read_rank(struct scan *s)
{
  uint64_t rank;
  if (s->n_words != 2 || !parse_number(&s->words[1], s->ops->n_ranks - 1, &rank))
    return hd_ops_fail(s->error, s->reader.line,
                       "a rank begins with: rank NUMBER; legal: 0 … %" PRIu32, s->ops->n_ranks - 1);
  if (s->seen[rank])
    return hd_ops_fail(s->error, s->reader.line, "rank %" PRIu64 " was there before", rank);
  s->seen[rank] = true;
  s->rank = (uint32_t)rank;
  s->reader.call = 0;
  memset(s->labelled, 0, HD_OPS_LABELS * sizeof *s->labelled);
  s->ops->ranks[rank] = (struct hd_ops_rank){
      .offset = s->reader.offset - (s->reader.end - s->reader.begin), .line = s->reader.line};
  return 0;
}

/* Returns the index of a name of a call; UINT16_MAX: there is none. */
static uint16_t find_call(const struct hd_ops *ops, const struct word *word)
{
  for (uint16_t i = 0; i < ops->n_calls; i++)
    if (word_is(word, ops->calls[i]))
      return i;
  return UINT16_MAX;
}

static int read_call(struct scan *s)
{
  struct hd_ops *ops = s->ops;
  if (s->n_words != 2 || s->words[1].n > 64)
    return hd_ops_fail(s->error, s->reader.line, "a call is: call NAME, of at most 64 letters");
  s->reader.call = find_call(ops, &s->words[1]);
  if (s->reader.call != UINT16_MAX)
    return 0;
  if (ops->n_calls == HD_OPS_CALLS)
    return hd_ops_fail(s->error, s->reader.line, "more than %d names of calls", HD_OPS_CALLS - 1);
  char *name = ops->allocate(ops->context, s->words[1].n + 1);
  for (size_t i = 0; i < s->words[1].n; i++) {
    if (s->words[1].at[i] < ' ' || s->words[1].at[i] > '~')
      return hd_ops_fail(s->error, s->reader.line, "a name of a call is of ASCII letters");
    name[i] = s->words[1].at[i];
  }
  s->reader.call = (uint16_t)ops->n_calls;
  ops->calls[ops->n_calls++] = name;
  return 0;
}

static int check_collective(const struct scan *s, const struct hd_op *op)
{
  const struct hd_ops_group *group = s->ops->groups[op->group];
  bool member = false, root = !hd_collective_info(op->collective).rooted;
  for (uint32_t i = 0; group && i < group->n; i++) {
    member |= group->ranks[i] == (int)s->rank;
    root |= group->ranks[i] == (int)op->peer;
  }
  if (!member)
    return hd_ops_fail(s->error, op->line, "rank %" PRIu32 " is not in group %" PRIu32, s->rank,
                       op->group);
  return root ? 0
              : hd_ops_fail(s->error, op->line, "root %" PRIu32 " is not in group %" PRIu32,
                            op->peer, op->group);
}

static int check_op(struct scan *s, const struct hd_op *op, struct hd_ops_balance *balance)
{
  struct hd_ops_rank *rank = &s->ops->ranks[s->rank];
  if (op->kind == HD_OP_COLLECTIVE && check_collective(s, op))
    return -1;
  for (uint32_t i = 0; i < op->n_after; i++)
    if (!s->labelled[op->after[i]])
      return hd_ops_fail(s->error, op->line,
                         "no line above of rank %" PRIu32 " has the label %" PRIu32, s->rank,
                         op->after[i]);
  if (op->label != HD_OPS_NO_LABEL) {
    s->labelled[op->label] = true;
    rank->labels = op->label >= rank->labels ? op->label + 1 : rank->labels;
  }
  rank->has_after |= op->has_after;
  rank->n++;
  hd_ops_balance_add(balance, s->rank, op);
  return 0;
}

static int read_line(struct scan *s, struct hd_ops_balance *balance)
{
  struct hd_op op;
  if (!s->ops->n_ranks) {
    int status = read_ranks(s);
    balance->n = s->ops->n_ranks;
    if (!status)
      balance->sums = s->ops->allocate(s->ops->context,
                                       (size_t)balance->n * balance->n * sizeof *balance->sums);
    return status;
  }
  if (word_is(&s->words[0], "rank"))
    return read_rank(s);
  if (word_is(&s->words[0], "group"))
    return read_group(s);
  if (s->rank == UINT32_MAX)
    return hd_ops_fail(s->error, s->reader.line,
                       "an operation of no rank; write rank NUMBER before it");
  if (word_is(&s->words[0], "call"))
    return read_call(s);
  if (parse(&s->reader, &op, s->words, s->n_words, s->error))
    return -1;
  return check_op(s, &op, balance);
}

static int scan_trace(struct hd_ops *ops, struct hd_csv_error *error)
{
  struct scan s = {.ops = ops, .error = error, .rank = UINT32_MAX, .reader = {.ops = ops}};
  struct hd_ops_balance balance = {0};
  const char *at;
  size_t n;
  int more, status = 0;
  s.reader.chunk = ops->allocate(ops->context, HD_OPS_CHUNK);
  s.labelled = ops->allocate(ops->context, HD_OPS_LABELS * sizeof *s.labelled);
  ops->calls[0] = ops->allocate(ops->context, 1);
  ops->n_calls = 1;
  while (!status && (more = next_line(&s.reader, &at, &n, error)) != 0) {
    if (more < 0)
      return -1;
    s.n_words = split_words(at, n, s.words);
    if (s.n_words == WORDS)
      return hd_ops_fail(error, s.reader.line, "more than %d words", WORDS - 1);
    if (s.n_words)
      status = read_line(&s, &balance);
  }
  if (!status && !ops->n_ranks)
    return hd_ops_fail(error, 1, "no trace; the first line is: ranks NUMBER");
  return status ? status : hd_ops_balance_check(&balance, error);
}

/* ── sends and receives ───────────────────────────────────────────────────── */

void hd_ops_balance_add(struct hd_ops_balance *b, uint32_t rank, const struct hd_op *op)
{
  const uint64_t message =
      hd_program_mix64(hd_program_mix64(op->tag + UINT64_C(0x9e3779b97f4a7c15)) + op->amount);
  if (op->kind == HD_OP_SEND)
    b->sums[(size_t)rank * b->n + op->peer] += message;
  else if (op->kind == HD_OP_RECEIVE)
    b->sums[(size_t)op->peer * b->n + rank] -= message;
}

int hd_ops_balance_check(const struct hd_ops_balance *b, struct hd_csv_error *error)
{
  for (uint32_t from = 0; from < b->n; from++)
    for (uint32_t to = 0; to < b->n; to++)
      if (b->sums[(size_t)from * b->n + to])
        return hd_ops_fail(error, 1,
                           "rank %" PRIu32 " sends other messages to rank %" PRIu32
                           " than rank %" PRIu32 " receives: number, tags or sizes differ",
                           from, to, to);
  return 0;
}

/* ── the interface for replay ────────────────────────────────────────────── */

/* Returns the first word of a text, after blank lines and comments that begin with # or //. */
static struct word first_word(const char *text, size_t length)
{
  const char *end = text + length;
  struct word words[WORDS];
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    size_t n = split_words(text, (size_t)((newline ? newline : end) - text), words);
    if (n && !(words[0].n >= 2 && !memcmp(words[0].at, "//", 2)))
      return words[0];
    text = newline ? newline + 1 : end;
  }
  return (struct word){"", 0};
}

enum hd_ops_format hd_ops_format_of(const char *text, size_t length)
{
  const struct word word = first_word(text, length);
  return word_is(&word, "ranks")       ? HD_OPS_OWN
         : word_is(&word, "num_ranks") ? HD_OPS_GOAL
                                       : HD_OPS_NEITHER;
}

int hd_ops_open(struct hd_ops *ops, struct hd_csv_error *error)
{
  bool goal = ops->text && hd_ops_format_of(ops->text, ops->length) == HD_OPS_GOAL;
  return goal ? hd_goal_open(ops, error) : scan_trace(ops, error);
}

void hd_ops_reader_init(struct hd_ops_reader *reader, const struct hd_ops *ops, uint32_t rank)
{
  const struct hd_ops_rank *from = &ops->ranks[rank];
  *reader = (struct hd_ops_reader){
      .ops = ops, .n = from->n, .left = from->n, .offset = from->offset, .line = from->line};
  if (!ops->goal && from->n)
    reader->chunk = ops->allocate(ops->context, HD_OPS_CHUNK);
}

int hd_ops_next(struct hd_ops_reader *r, struct hd_op *op, struct hd_csv_error *error)
{
  struct word words[WORDS];
  const char *at;
  size_t n;
  if (!r->left)
    return 0;
  if (r->ops->goal) {
    hd_goal_operation(r->ops, r->offset++, op);
    op->label = (uint32_t)(r->n - r->left--);
    return 1;
  }
  for (;;) {
    if (next_line(r, &at, &n, error) <= 0)
      return hd_ops_fail(error, r->line, "the file has changed while it was read");
    size_t n_words = split_words(at, n, words);
    if (!n_words || word_is(&words[0], "group"))
      continue;
    if (word_is(&words[0], "call")) {
      r->call = n_words == 2 ? find_call(r->ops, &words[1]) : UINT16_MAX;
      if (r->call == UINT16_MAX)
        return hd_ops_fail(error, r->line, "the file has changed while it was read");
      continue;
    }
    r->left--;
    return parse(r, op, words, n_words, error) ? -1 : 1;
  }
}
