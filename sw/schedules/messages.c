/* Messages of a collective, or from a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <strings.h>

#define NAME(KIND, name, abbreviation, help) name,
static const char *const names[] = {HD_EXCHANGE_LIST(NAME) NULL};
#undef NAME
#define NAME(KIND, name, abbreviation, help) abbreviation,
static const char *const short_names[] = {HD_EXCHANGE_LIST(NAME) NULL};
#undef NAME

const char *hd_exchange_name(unsigned kind)
{
  return kind < HD_EXCHANGES ? names[kind] : NULL;
}

enum hd_exchange hd_exchange_find(const char *name)
{
  unsigned kind = 0;
  while (kind < HD_EXCHANGES && strcasecmp(name, names[kind]) &&
         strcasecmp(name, short_names[kind]))
    kind++;
  return (enum hd_exchange)kind;
}

static void begin_message(struct hd_messages *m, uint32_t source)
{
  HD_XROOM(m->all, m->capacity, m->n, 1);
  m->all[m->n++] = (struct hd_message){.source = source, .first = m->n_destinations};
}

static void add_destination(struct hd_messages *m, uint32_t destination)
{
  HD_XROOM(m->destinations, m->room, m->n_destinations, 1);
  m->destinations[m->n_destinations++] = destination;
  m->all[m->n - 1].n++;
}

static void add_broadcast(struct hd_messages *m, uint32_t source)
{
  begin_message(m, source);
  for (uint32_t i = 0; i < m->n_members; i++)
    if (m->members[i] != source)
      add_destination(m, m->members[i]);
}

static void add_single(struct hd_messages *m, uint32_t source, uint32_t to)
{
  if (source == to)
    return;
  begin_message(m, source);
  add_destination(m, to);
}

static void all_messages(struct hd_messages *m)
{
  for (uint32_t i = 0; i < m->n_members; i++) {
    uint32_t a = m->members[i];
    switch (m->kind) {
    case HD_EXCHANGE_ONE_TO_ALL_BROADCAST:
      if (a == m->root)
        add_broadcast(m, a);
      break;
    case HD_EXCHANGE_ONE_TO_ALL_SCATTER:
      add_single(m, m->root, a);
      break;
    case HD_EXCHANGE_ALL_TO_ONE_GATHER:
      add_single(m, a, m->root);
      break;
    case HD_EXCHANGE_ALL_TO_ALL_BROADCAST:
      add_broadcast(m, a);
      break;
    case HD_EXCHANGE_ALL_TO_ALL_SCATTER:
    case HD_EXCHANGES:
      for (uint32_t j = 0; j < m->n_members; j++)
        add_single(m, a, m->members[j]);
    }
  }
}

/* Makes the messages. If `members` is NULL, the members are nodes 0 … n − 1. */
static void make_messages(struct hd_messages *m, enum hd_exchange kind, const uint32_t *members,
                          uint32_t n, uint32_t root)
{
  *m =
      (struct hd_messages){.kind = kind, .n_members = n, .members = hd_xcalloc(n, sizeof *members)};
  for (uint32_t i = 0; i < n; i++)
    m->members[i] = members ? members[i] : i;
  m->root = m->members[root];
  all_messages(m);
}

int hd_messages_make(struct hd_messages *m, enum hd_exchange kind, uint32_t nodes, uint32_t root,
                     struct hd_error *err)
{
  *m = (struct hd_messages){.kind = kind, .root = root};
  if (root >= nodes)
    return hd_fail(err, HD_E_INPUT, "node %" PRIu32 " cannot be the root; nodes are 0 … %" PRIu32,
                   root, nodes - 1);
  make_messages(m, kind, NULL, nodes, root);
  return HD_OK;
}

int hd_messages_make_among(struct hd_messages *m, enum hd_exchange kind, const uint32_t *members,
                           uint32_t n, uint32_t root, struct hd_error *err)
{
  *m = (struct hd_messages){.kind = kind};
  if (root >= n)
    return hd_fail(err, HD_E_INPUT, "member %" PRIu32 " cannot be the root; there are %" PRIu32,
                   root, n);
  make_messages(m, kind, members, n, root);
  return HD_OK;
}

/* ── from a file ───────────────────────────────────────────────────────────── */

struct reader {
  struct hd_messages *messages;
  const char *at, *end, *name;
  uint32_t line, nodes;
  struct hd_error *err;
};

static int fail_line(const struct reader *r, const char *what)
{
  return hd_fail(r->err, HD_E_INPUT,
                 "%.300s:%" PRIu32 ": %s; a line is a source and its destinations, as 0,3 or 0,3,5",
                 r->name, r->line, what);
}

static void skip_blanks(struct reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
}

static int read_node(struct reader *r, uint32_t *value)
{
  uint32_t digits = 0;
  skip_blanks(r);
  const char *begin = r->at;
  for (*value = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9' && digits < 9; digits++)
    *value = *value * 10 + (uint32_t)(*r->at++ - '0');
  const bool longer = r->at < r->end && *r->at >= '0' && *r->at <= '9';
  const int length = (int)(r->at - begin);
  skip_blanks(r);
  if (!digits)
    return fail_line(r, "a node's number is missing");
  if (*value < r->nodes && !longer)
    return HD_OK;
  return hd_fail(r->err, HD_E_INPUT,
                 "%.300s:%" PRIu32 ": there is no node %.*s%s; nodes are 0 … %" PRIu32, r->name,
                 r->line, length, begin, longer ? "…" : "", r->nodes - 1);
}

static int read_destination(struct reader *r)
{
  struct hd_messages *m = r->messages;
  const struct hd_message *message = &m->all[m->n - 1];
  uint32_t to;
  int status = read_node(r, &to);
  if (status)
    return status;
  if (to == message->source)
    return fail_line(r, "the source is a destination, too");
  for (uint32_t i = 0; i < message->n; i++)
    if (m->destinations[message->first + i] == to)
      return fail_line(r, "a destination stands there twice");
  add_destination(m, to);
  return HD_OK;
}

static int read_line(struct reader *r)
{
  uint32_t source;
  int status = read_node(r, &source);
  if (status)
    return status;
  if (r->at == r->end || *r->at == '\n')
    return fail_line(r, "there is no destination");
  begin_message(r->messages, source);
  while (!status && r->at < r->end && *r->at == ',') {
    r->at++;
    status = read_destination(r);
  }
  if (!status && r->at < r->end && *r->at != '\n')
    status = fail_line(r, "there is something else than numbers of nodes");
  return status;
}

int hd_messages_parse(struct hd_messages *m, const char *text, size_t length, const char *name,
                      uint32_t nodes, struct hd_error *err)
{
  static const char header[] = "source";
  struct reader r = {m, text, text + length, name, 1, nodes, err};
  int status = HD_OK;
  *m = (struct hd_messages){.kind = HD_EXCHANGES};
  if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* byte-order mark */
    r.at += 3;
  for (; !status && r.at < r.end; r.line++) {
    skip_blanks(&r);
    bool skipped =
        r.at == r.end || *r.at == '\n' || *r.at == '#' ||
        ((size_t)(r.end - r.at) >= sizeof header - 1 && !memcmp(r.at, header, sizeof header - 1));
    if (!skipped)
      status = read_line(&r);
    while (r.at < r.end && *r.at != '\n' && !status)
      r.at++;
    if (r.at < r.end && !status)
      r.at++;
  }
  if (!status && !m->n)
    status = hd_fail(err, HD_E_INPUT,
                     "%.300s: no message; a line is a source and its destinations, as 0,3 or 0,3,5",
                     name);
  return status;
}

void hd_messages_fini(struct hd_messages *m)
{
  free(m->all);
  free(m->destinations);
  free(m->members);
  *m = (struct hd_messages){0};
}
