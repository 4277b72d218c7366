/* Writes the question whether some number of steps is enough, as a formula for a SAT solver.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Variables: candidate c = (message, from, to) is transferred in step t; it then takes link l, for
 * each link that some of its ways have and others do not; and node v has message m after step t,
 * for messages with several destinations.
 *
 * Clauses: each destination gets its message. A node that sends a message has it. A node that has a
 * message had it before, or gets it in the step. A transfer that comes to a switch leaves it by a
 * link that leads nearer to its destination. No two transfers of a step share a link.
 *
 * If no message is relayed, steps can be exchanged. Then messages that all need one link are in
 * different steps, and the formula says in which: the first of them in the first step, and so on.
 *
 * With `alike`, messages with the same number are in the same step. That leaves far fewer choices,
 * and a network that looks the same from several nodes often has such a schedule. If it has none,
 * nothing is proved.
 */
#include "schedules_internal.h"
#include "proof.h"

#include "../../bridge/host/file.h"
#include "../../bridge/host/memory.h"
#include "../../bridge/sat/sat.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_VARIABLES = 3000000, MOST_LITERALS = 60000000, PAIRWISE = 5 };

struct candidate {
  uint32_t message, from, to;
  uint32_t from_at; /* index of `from` among the destinations; UINT32_MAX: the source */
  uint32_t to_at;
  /** the only way; SIZE_MAX: there are several, given by branches */
  size_t way;
  /** index in branches[]; the link out of the source is not among them */
  size_t first_branch, n_branches;
};

/* A link that a candidate may take. */
struct branch {
  uint32_t link;
  bool alone;    /* all ways of the candidate have the link */
  int32_t first; /* variable for step 0; the candidate's own if `alone` */
  size_t next;   /* index of the first branch of the candidate that continues from the link's end */
};

/* A candidate that may take a link. `first` is the variable for step 0; it is the candidate's own
 * if all its ways have this link. */
struct user {
  uint32_t candidate;
  int32_t first;
};

struct formula {
  struct problem *p;
  uint32_t steps;
  struct candidate *candidates;
  size_t n, capacity;
  struct branch *branches;
  size_t n_branches, branch_room;
  int32_t *literals; /* the clauses, each ended by 0 */
  size_t n_literals, room;
  uint64_t clauses;
  int32_t variables;
  int32_t *has; /* [destinations of all messages] variable for step 0; 0: a message to one node */
  struct user *users; /* of links */
  size_t *first_user; /* [links + 1] index of the first user of each link */
  int32_t *group;     /* scratch */
  const uint32_t *alike;
  bool too_large;
};

/* ── clauses ───────────────────────────────────────────────────────────────── */

static void add_literal(struct formula *f, int32_t literal)
{
  if (f->n_literals >= MOST_LITERALS)
    f->too_large = true;
  else {
    HD_XROOM(f->literals, f->room, f->n_literals, 1);
    f->literals[f->n_literals++] = literal;
  }
  f->clauses += !literal;
}

static void add_pair_clause(struct formula *f, int32_t a, int32_t b)
{
  add_literal(f, a);
  add_literal(f, b);
  add_literal(f, 0);
}

/* Adds clauses that at most one of x is true: by pairs, or with variables that mean that one of the
 * first i is true. */
static void at_most_one(struct formula *f, const int32_t *x, size_t n)
{
  if (n <= PAIRWISE) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = i + 1; j < n; j++)
        add_pair_clause(f, -x[i], -x[j]);
    return;
  }
  int32_t before = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t now = i + 1 < n ? ++f->variables : 0;
    if (now)
      add_pair_clause(f, -x[i], now);
    if (before && now)
      add_pair_clause(f, -before, now);
    if (before)
      add_pair_clause(f, -before, -x[i]);
    before = now;
  }
}

static int32_t transfer_variable(const struct formula *f, size_t candidate, uint32_t step)
{
  return (int32_t)(candidate * f->steps + step + 1);
}

/* ── candidates ────────────────────────────────────────────────────────────── */

/* Lists all links of all shortest ways, switch by switch, beginning with the first. */
static void add_branches(struct formula *f, struct candidate *c)
{
  const struct hd_topology *t = f->p->network->topology;
  bool *reached = hd_xcalloc(t->n_switches, sizeof *reached);
  uint32_t *queue = hd_xmalloc(t->n_switches * sizeof *queue), head = 0, tail = 0;
  size_t *begin = hd_xcalloc(t->n_switches, sizeof *begin);
  c->first_branch = f->n_branches;
  queue[tail++] = t->node_peers[c->from].index;
  reached[queue[0]] = true;
  while (head < tail) { /* the switches at one distance */
    const uint32_t end = tail;
    const size_t first = f->n_branches;
    for (; head < end; head++) {
      begin[queue[head]] = f->n_branches;
      for (uint32_t port = 0; port < t->ports; port++) {
        const uint32_t link = queue[head] * t->ports + port, next = t->peers[link].index;
        if (!hd_ways_lead(&f->p->ways, link, c->to))
          continue;
        HD_XROOM(f->branches, f->branch_room, f->n_branches, 1);
        f->branches[f->n_branches++] = (struct branch){.link = link};
        if (t->peers[link].kind != HD_PEER_SWITCH || reached[next])
          continue;
        reached[next] = true;
        queue[tail++] = next;
      }
    }
    if (f->n_branches - first == 1)
      f->branches[first].alone = true;
  }
  c->n_branches = f->n_branches - c->first_branch;
  for (size_t i = c->first_branch; i < f->n_branches; i++)
    if (t->peers[f->branches[i].link].kind == HD_PEER_SWITCH)
      f->branches[i].next = begin[t->peers[f->branches[i].link].index];
  free(reached);
  free(queue);
  free(begin);
}

static int add_pair(struct formula *f, uint32_t message, uint32_t from_at, uint32_t to_at,
                    struct hd_error *err)
{
  const struct hd_message *m = &f->p->messages->all[message];
  const uint32_t *to = problem_to(f->p, message);
  struct candidate c = {.message = message,
                        .from = from_at == UINT32_MAX ? m->source : to[from_at],
                        .to = to[to_at],
                        .from_at = from_at,
                        .to_at = to_at};
  int n = hd_ways_of(&f->p->ways, c.from, c.to, &c.way, err);
  if (n < 1)
    return n;
  if (n > 1) {
    c.way = SIZE_MAX;
    add_branches(f, &c);
  }
  f->too_large = (f->n + 1 + f->n_branches) * f->steps > MOST_VARIABLES;
  HD_XROOM(f->candidates, f->capacity, f->n, 1);
  f->candidates[f->n++] = c;
  return HD_OK;
}

static int add_candidates(struct formula *f, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; !status && i < f->p->messages->n; i++) {
    uint32_t n = f->p->messages->all[i].n;
    for (uint32_t to = 0; !status && to < n && !f->too_large; to++) {
      status = add_pair(f, i, UINT32_MAX, to, err);
      for (uint32_t from = 0; !status && from < n; from++)
        if (from != to)
          status = add_pair(f, i, from, to, err);
    }
  }
  return status;
}

/* Calls visit(f, link, user) for each link that a candidate may take. */
static void visit_links(struct formula *f, size_t candidate,
                        void (*visit)(struct formula *f, uint32_t link, struct user user))
{
  const struct hd_topology *t = f->p->network->topology;
  const struct candidate *c = &f->candidates[candidate];
  const struct user whole = {(uint32_t)candidate, transfer_variable(f, candidate, 0)};
  const struct way *way = c->way == SIZE_MAX ? NULL : &f->p->ways.all[c->way];
  for (uint32_t l = 0; way && l < way->n; l++)
    visit(f, f->p->ways.links[way->first + l], whole);
  if (!way)
    visit(f, t->n_switches * t->ports + c->from, whole);
  for (size_t i = 0; !way && i < c->n_branches; i++) {
    const struct branch *b = &f->branches[c->first_branch + i];
    visit(f, b->link, (struct user){(uint32_t)candidate, b->first});
  }
}

static void count_user(struct formula *f, uint32_t link, struct user user)
{
  (void)user;
  f->first_user[link + 2]++;
}

static void keep_user(struct formula *f, uint32_t link, struct user user)
{
  f->users[f->first_user[link + 1]++] = user;
}

/* Lists the candidates by the links that they may take. */
static void index_links(struct formula *f)
{
  const size_t links = hd_schedule_links(f->p->network->topology);
  f->first_user = hd_xcalloc(links + 2, sizeof *f->first_user);
  f->group = hd_xcalloc(f->n + f->steps + 1, sizeof *f->group);
  for (size_t c = 0; c < f->n; c++)
    visit_links(f, c, count_user);
  for (size_t l = 2; l < links + 2; l++)
    f->first_user[l] += f->first_user[l - 1];
  f->users = hd_xcalloc(f->first_user[links + 1] + 1, sizeof *f->users);
  for (size_t c = 0; c < f->n; c++)
    visit_links(f, c, keep_user);
}

/* ── the formula ───────────────────────────────────────────────────────────── */

static int32_t has_variable(const struct formula *f, const struct hd_message *m, uint32_t at,
                            uint32_t step)
{
  return f->has[m->first + at] + (int32_t)step;
}

/* Adds clauses that each destination gets its message. The candidates of a message and a
 * destination are adjacent. */
static size_t add_arrivals(struct formula *f, size_t begin)
{
  const struct candidate *first = &f->candidates[begin];
  const struct hd_message *m = &f->p->messages->all[first->message];
  size_t end = begin;
  while (end < f->n && f->candidates[end].message == first->message &&
         f->candidates[end].to_at == first->to_at)
    end++;
  for (uint32_t t = 0; t < f->steps; t++) {
    if (m->n > 1) {
      add_literal(f, -has_variable(f, m, first->to_at, t));
      if (t)
        add_literal(f, has_variable(f, m, first->to_at, t - 1));
    }
    for (size_t c = begin; c < end; c++)
      add_literal(f, transfer_variable(f, c, t));
    if (m->n > 1 || t + 1 == f->steps)
      add_literal(f, 0);
  }
  if (m->n > 1) {
    add_literal(f, has_variable(f, m, first->to_at, f->steps - 1));
    add_literal(f, 0);
  }
  return end;
}

static void add_sender_clauses(struct formula *f, size_t c)
{
  const struct candidate *candidate = &f->candidates[c];
  if (candidate->from_at == UINT32_MAX)
    return;
  for (uint32_t t = 0; t < f->steps; t++) {
    add_literal(f, -transfer_variable(f, c, t));
    if (t)
      add_literal(
          f, has_variable(f, &f->p->messages->all[candidate->message], candidate->from_at, t - 1));
    add_literal(f, 0);
  }
}

/* Adds clauses that a transfer that comes to a switch leaves it by one of the branches that begin
 * with `next`. */
static void add_forwarding(struct formula *f, const struct candidate *c, int32_t comes, size_t next)
{
  const uint32_t ports = f->p->network->topology->ports, at = f->branches[next].link / ports;
  const size_t end = c->first_branch + c->n_branches;
  /* the candidate always takes this branch */
  if (f->branches[next].alone)
    return;
  for (uint32_t t = 0; t < f->steps; t++) {
    add_literal(f, -(comes + (int32_t)t));
    for (size_t i = next; i < end && f->branches[i].link / ports == at; i++)
      add_literal(f, f->branches[i].first + (int32_t)t);
    add_literal(f, 0);
  }
}

static void add_routes(struct formula *f, size_t candidate)
{
  const struct hd_topology *t = f->p->network->topology;
  const struct candidate *c = &f->candidates[candidate];
  if (c->way != SIZE_MAX)
    return;
  add_forwarding(f, c, transfer_variable(f, candidate, 0), c->first_branch);
  for (size_t i = 0; i < c->n_branches; i++) {
    const struct branch *b = &f->branches[c->first_branch + i];
    if (t->peers[b->link].kind == HD_PEER_SWITCH)
      add_forwarding(f, c, b->first, b->next);
  }
}

static void add_link_limits(struct formula *f)
{
  size_t links = hd_schedule_links(f->p->network->topology);
  for (uint32_t link = 0; link < links; link++) {
    size_t first = f->first_user[link], end = f->first_user[link + 1];
    if (end - first < 2 || !hd_way_link_counts(f->p->network, link))
      continue;
    for (uint32_t t = 0; t < f->steps; t++) {
      for (size_t i = first; i < end; i++)
        f->group[i - first] = f->users[i].first + (int32_t)t;
      at_most_one(f, f->group, end - first);
    }
  }
}

/* Adds clauses that put the messages whose ways all have one link into steps, in order. Here, each
 * message is one candidate. */
static void add_step_order(struct formula *f)
{
  size_t links = hd_schedule_links(f->p->network->topology);
  uint32_t best = 0, most = 0;
  for (size_t i = 0; i < f->p->messages->n; i++)
    if (f->p->messages->all[i].n > 1)
      return;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t link = pass ? best : 0; link < (pass ? best + 1 : links); link++) {
      uint32_t number = 0;
      if (!hd_way_link_counts(f->p->network, link))
        continue;
      for (size_t i = f->first_user[link]; i < f->first_user[link + 1]; i++) {
        const int32_t whole = transfer_variable(f, f->users[i].candidate, 0);
        if (f->users[i].first != whole)
          continue;
        for (uint32_t t = 0; pass && t < f->steps; t++)
          if (t != number) {
            add_literal(f, -(whole + (int32_t)t));
            add_literal(f, 0);
          }
        number++;
      }
      if (!pass && number > most) {
        most = number;
        best = link;
      }
    }
}

/* Adds clauses that messages with the same number are in the same step, whichever ways they
 * take. */
static void add_alike(struct formula *f)
{
  int32_t first = f->variables + 1;
  uint32_t n = 0;
  for (size_t i = 0; i < f->p->messages->n; i++)
    n = f->alike[i] >= n ? f->alike[i] + 1 : n;
  f->variables += (int32_t)(n * f->steps);
  for (size_t c = 0; c < f->n; c++)
    for (uint32_t t = 0; t < f->steps; t++)
      add_pair_clause(f, -transfer_variable(f, c, t),
                      first + (int32_t)(f->alike[f->candidates[c].message] * f->steps + t));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t t = 0; t < f->steps; t++)
      f->group[t] = first + (int32_t)(i * f->steps + t);
    at_most_one(f, f->group, f->steps);
  }
}

static void number_branches(struct formula *f, size_t candidate)
{
  const struct candidate *c = &f->candidates[candidate];
  for (size_t i = c->first_branch; i < c->first_branch + c->n_branches; i++) {
    struct branch *b = &f->branches[i];
    b->first = b->alone ? transfer_variable(f, candidate, 0) : f->variables + 1;
    f->variables += b->alone ? 0 : (int32_t)f->steps;
  }
}

static int make_formula(struct formula *f, struct hd_error *err)
{
  const struct hd_messages *m = f->p->messages;
  f->has = hd_xcalloc(m->n_destinations + 1, sizeof *f->has);
  const int status = add_candidates(f, err);
  f->variables = (int32_t)(f->n * f->steps);
  for (size_t c = 0; c < f->n && !f->too_large; c++)
    number_branches(f, c);
  if (status || f->too_large)
    return status;
  index_links(f);
  for (size_t i = 0; i < m->n; i++)
    for (uint32_t d = 0; m->all[i].n > 1 && d < m->all[i].n; d++) {
      f->has[m->all[i].first + d] = f->variables + 1;
      f->variables += (int32_t)f->steps;
    }
  for (size_t c = 0; c < f->n;)
    c = add_arrivals(f, c);
  for (size_t c = 0; c < f->n; c++)
    add_sender_clauses(f, c);
  for (size_t c = 0; c < f->n; c++)
    add_routes(f, c);
  add_link_limits(f);
  add_step_order(f);
  if (f->alike)
    add_alike(f);
  f->too_large = f->too_large || f->variables > 10 * MOST_VARIABLES;
  return HD_OK;
}

/* ── the solver ────────────────────────────────────────────────────────────── */

static void write_formula(const struct formula *f, struct hd_text *text)
{
  hd_text_add(text, "c steps: %" PRIu32 "\np cnf %" PRId32 " %" PRIu64 "\n", f->steps, f->variables,
              f->clauses);
  for (size_t i = 0; i < f->n_literals; i++)
    hd_text_add(text, "%" PRId32 "%c", f->literals[i], f->literals[i] ? ' ' : '\n');
}

static struct hd_sat *give_formula(const struct formula *f)
{
  struct hd_sat *sat = hd_sat_create(0, !f->alike);
  for (int32_t i = 0; i < f->variables; i++)
    hd_sat_variable(sat);
  for (size_t i = 0, begin = 0; i < f->n_literals; i++)
    if (!f->literals[i]) {
      hd_sat_clause(sat, f->literals + begin, (uint32_t)(i - begin));
      begin = i + 1;
    }
  return sat;
}

static bool must_stop(void *context)
{
  return hd_problem_over(context);
}

/* Returns the way that a candidate takes in step t of the solver's model. */
static size_t way_of(struct formula *f, const struct candidate *c, const struct hd_sat *sat,
                     uint32_t t)
{
  const struct hd_topology *topology = f->p->network->topology;
  if (c->way != SIZE_MAX)
    return c->way;
  uint32_t *links = hd_xmalloc((topology->n_switches + 2) * sizeof *links), n = 0;
  uint32_t at = topology->node_peers[c->from].index;
  links[n++] = topology->n_switches * topology->ports + c->from;
  /* Branches are sorted by switch; each switch is at least as near as the ones before it. */
  for (size_t i = 0; i < c->n_branches; i++) {
    const struct branch *b = &f->branches[c->first_branch + i];
    if (b->link / topology->ports != at || !hd_sat_true(sat, b->first + (int32_t)t))
      continue;
    links[n++] = b->link;
    at = topology->peers[b->link].kind == HD_PEER_SWITCH ? topology->peers[b->link].index
                                                         : UINT32_MAX;
  }
  const size_t way = hd_ways_add(&f->p->ways, links, n);
  free(links);
  return way;
}

/* Makes the solver's model a schedule. If a node gets a message twice, only the first transfer is
 * kept. Steps without a transfer are left out. */
static void take_model(struct formula *f, struct hd_schedule *s, const struct hd_sat *sat)
{
  struct plan plan = {0};
  bool *got = hd_xcalloc(f->p->messages->n_destinations + 1, sizeof *got);
  snprintf(plan.how, sizeof plan.how, "found by the SAT solver %s", HD_SAT_NAME);
  for (uint32_t t = 0, step = 0; t < f->steps; t++, step = plan.steps)
    for (size_t c = 0; c < f->n; c++) {
      const struct candidate *k = &f->candidates[c];
      size_t destination = f->p->messages->all[k->message].first + k->to_at;
      if (!hd_sat_true(sat, transfer_variable(f, c, t)) || got[destination])
        continue;
      got[destination] = true;
      hd_plan_add(&plan, step, k->message, k->from, k->to);
      plan.moves[plan.n - 1].way = way_of(f, k, sat, t);
    }
  hd_schedule_take_ways(f->p, s, &plan);
  free(plan.moves);
  free(got);
}

static int keep_file(const struct formula *f, const char *directory, const char *kind,
                     const void *bytes, size_t size, struct hd_error *err)
{
  char path[700];
  snprintf(path, sizeof path, "%.600s/steps-%" PRIu32 ".%s", directory, f->steps, kind);
  return hd_file_write(path, bytes, size, err);
}

static int check_proof(const struct formula *f, const struct hd_sat *sat, const char *directory,
                       uint64_t *lemmas, struct hd_error *err)
{
  struct hd_text text = {0};
  struct hd_proof_result result = {0};
  size_t size;
  const uint8_t *proof = hd_sat_proof(sat, &size);
  if (!proof) /* the proof was too long to be kept, so it is not checked */
    return HD_OK;
  hd_problem_say(f->p, "checking the proof");
  int status = directory ? keep_file(f, directory, "drat", proof, size, err) : HD_OK;
  write_formula(f, &text);
  if (!status)
    status = hd_proof_check(text.chars, text.length, proof, size, must_stop, f->p, &result, err);
  *lemmas = result.proved ? result.lemmas + 1 : 0;
  hd_text_fini(&text);
  return status;
}

static int keep_formula(const struct formula *f, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  write_formula(f, &text);
  const int status = keep_file(f, directory, "cnf", text.chars, text.length, err);
  hd_text_fini(&text);
  return status;
}

static int solve(struct formula *f, struct hd_schedule *s, enum answer *answer, uint64_t *lemmas,
                 struct hd_error *err)
{
  static const enum answer answers[] = {
      [HD_SAT_NO] = ANSWER_NO, [HD_SAT_YES] = ANSWER_YES, [HD_SAT_GAVE_UP] = ANSWER_OPEN};
  const char *directory = f->alike ? NULL : f->p->options->proof_directory;
  struct hd_sat *sat = give_formula(f);
  int status = directory ? keep_formula(f, directory, err) : HD_OK;
  if (!status)
    *answer = answers[hd_sat_solve(sat, f->p->conflicts, must_stop, f->p)];
  if (!status && *answer == ANSWER_YES)
    take_model(f, s, sat);
  if (!status && *answer == ANSWER_NO && !f->alike)
    status = check_proof(f, sat, directory, lemmas, err);
  hd_sat_destroy(sat);
  return status;
}

int hd_solver_ask(struct problem *p, struct hd_schedule *s, uint32_t steps, const uint32_t *alike,
                  enum answer *answer, uint64_t *lemmas, struct hd_error *err)
{
  struct formula f = {.p = p, .steps = steps, .alike = alike};
  int status = make_formula(&f, err);
  *answer = f.too_large ? ANSWER_TOO_LARGE : ANSWER_OPEN;
  *lemmas = 0;
  if (!status && !f.too_large) {
    hd_problem_say(
        p, "are %" PRIu32 " steps enough? formula of %" PRId32 " variables, %" PRIu64 " clauses",
        steps, f.variables, f.clauses);
    status = solve(&f, s, answer, lemmas, err);
  }
  free(f.candidates);
  free(f.branches);
  free(f.literals);
  free(f.has);
  free(f.users);
  free(f.first_user);
  free(f.group);
  return status;
}
