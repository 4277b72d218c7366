/* Draws mutants and plays them, record after record.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most mutants are found early, and a batch ends when all of its mutants are found. So all mutants
 * are first played for some hundred cycles. Those that are left form new batches and are played
 * from the beginning for eight times as many cycles, and so on.
 */
#include "mutation_internal.h"

#include "../host/memory.h"
#include "../sweep/sweep.h"
#include "../../sw/runtime/random.h"

#include <pthread.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FIRST_CYCLES = 256, LONGER = 8, MOST_THREADS = 64, MOST_PASSES = 8 };

struct run {
  struct hd_mutation *m;
  const struct hd_mutation_options *options;
  struct hd_mutant_pool_bench *benches[MOST_THREADS];
  uint32_t *left; /* [n_left], indices in m->tried of mutants that are not found */
  uint32_t n_left;
  size_t cap_records;
  double started;
  struct hd_prover *prover;       /* NULL: no proofs are wanted */
  struct hd_mutation_right right; /* the DUT with which mutants are compared */
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ── choice of mutants and switches ────────────────────────────────────────── */

static int by_number(const void *a, const void *b)
{
  const struct hd_mutation_tried *x = a, *y = b;
  return x->mutant < y->mutant ? -1 : x->mutant > y->mutant;
}

/* Tests whether a file's name begins with one of the names in a list, which are separated by
 * commas. */
static bool is_file_of(const char *path, const char *names)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t n; *names; names += n + (names[n] == ',')) {
    n = strcspn(names, ",");
    if (n && !strncmp(name, names, n))
      return true;
  }
  return false;
}

/* Lists all mutants in the files that the options name. Returns their number. */
static uint32_t list_all(struct hd_mutation *m, const char *within, const char *files)
{
  const struct hd_mutants *mutants = hd_mutant_pool_mutants(m->pool);
  uint32_t n = 0;
  m->tried = hd_xcalloc(mutants->n + 1, sizeof *m->tried);
  for (uint32_t i = 0; i < mutants->n; i++) {
    const char *file = mutants->cells[mutants->list[i].cell].file;
    if ((!within || (file && !strncmp(file, within, strlen(within)))) &&
        (!files || (file && is_file_of(file, files))))
      m->tried[n++].mutant = i;
  }
  return m->possible = n;
}

/* Draws the mutants to try. They are sorted by number, because mutants with neighbouring numbers
 * are in the same functions of the lane code, and batches of them are faster. */
static void draw(struct run *r)
{
  struct hd_mutation *m = r->m;
  const uint32_t all = list_all(m, r->options->within, r->options->files);
  const uint64_t wanted = r->options->mutants;
  struct hd_random random;
  hd_random_seed(&random, m->seed, 0);
  r->left = hd_xmalloc((all + 1) * sizeof *r->left);
  m->files = r->options->files;
  m->drawn = wanted && wanted < all;
  m->n = m->drawn ? (uint32_t)wanted : all;
  for (uint32_t i = 0; m->drawn && i < m->n; i++) {
    const uint32_t other = i + (uint32_t)(hd_random_next(&random) % (all - i));
    const uint32_t mutant = m->tried[i].mutant;
    m->tried[i].mutant = m->tried[other].mutant;
    m->tried[other].mutant = mutant;
  }
  qsort(m->tried, m->n, sizeof *m->tried, by_number);
  m->by_words = (m->n_sources + 63) / 64;
  m->by = hd_xcalloc((size_t)m->n * m->by_words + 1, sizeof *m->by);
  for (uint32_t i = 0; i < m->n; i++)
    if (hd_mutant_pool_mutants(m->pool)->list[m->tried[i].mutant].equivalent)
      m->tried[i].proof = HD_PROOF_STRUCTURE;
  for (r->n_left = 0; r->n_left < m->n; r->n_left++)
    r->left[r->n_left] = r->n_left;
}

static int by_inputs(const void *a, const void *b)
{
  const struct hd_mutation_record *x = a, *y = b;
  if (x->inputs != y->inputs)
    return x->inputs > y->inputs ? -1 : 1;
  return x->sw < y->sw ? -1 : x->sw > y->sw;
}

/* Adds `n` records of a source. */
static struct hd_mutation_record *add_records(struct run *r, uint32_t source, uint32_t n)
{
  struct hd_mutation *m = r->m;
  size_t have = m->records_wanted;
  HD_XROOM(m->records, r->cap_records, have, n);
  struct hd_mutation_record *const first = &m->records[have];
  for (uint32_t i = 0; i < n; i++)
    first[i] = (struct hd_mutation_record){.source = source, .sw = i};
  m->records_wanted += n;
  return first;
}

/* Adds records for the switches of a scenario that the options ask for, the busiest first. */
static int order_switches(struct run *r, uint32_t source, struct hd_error *err)
{
  const struct hd_mutation_options *o = r->options;
  struct hd_mutation *m = r->m;
  const uint32_t n = m->sources[source].topology.n_switches, before = m->records_wanted;
  if (!o->switches)
    return HD_OK;
  struct hd_mutation_record *const records = add_records(r, source, n);
  uint64_t *const inputs = hd_xcalloc(n, sizeof *inputs);
  const int status = hd_mutation_count_inputs(&m->sources[source], o, &r->right, inputs, err);
  for (uint32_t i = 0; i < n; i++)
    records[i].inputs = inputs[i];
  free(inputs);
  if (status)
    return status;
  if (o->has_switch)
    records[0] = records[o->sw];
  else
    qsort(records, n, sizeof *records, by_inputs);
  m->records_wanted = before + (o->has_switch ? 1 : o->switches < n ? o->switches : n);
  return HD_OK;
}

static int order_records(struct run *r, struct hd_error *err)
{
  const struct hd_mutation *m = r->m;
  int status = HD_OK;
  for (uint32_t i = 0; i < m->n_sources && !status; i++)
    if (!m->sources[i].is_stream)
      status = order_switches(r, i, err);
    else
      add_records(r, i, r->options->streams);
  return status;
}

/* ── play ──────────────────────────────────────────────────────────────────── */

/* A round: all threads play the first `steps` steps of a tape on all mutants that are left. */
struct round {
  struct run *run;
  const struct hd_mutant_tape *tape;
  struct hd_mutation_record *of;
  uint64_t steps;
  uint32_t lanes, place; /* place: index of the record in the order */
  _Atomic uint32_t next; /* next batch */
  _Atomic bool stopped;
  pthread_mutex_t lock; /* guards the members below, and the results */
  int status;
  struct hd_error err;
  uint64_t played; /* number of mutant-steps */
  double started;
};

static bool asked_to_stop(void *context)
{
  struct round *round = context;
  const struct hd_mutation_options *o = round->run->options;
  if (o->stop && o->stop(o->context))
    atomic_store(&round->stopped, true);
  return atomic_load(&round->stopped);
}

static void report_progress(const struct round *round)
{
  const struct hd_mutation_options *o = round->run->options;
  const struct hd_mutation *m = round->run->m;
  const double seconds = now() - round->started;
  const double rate = seconds > 0 ? (double)round->played / seconds : 0;
  const double steps = (double)hd_mutant_tape_steps(round->tape);
  char phase[80];
  const struct hd_mutation_source *source = &m->sources[round->of->source];
  if (!o->progress)
    return;
  /* Assumes that no further mutant is found. */
  uint64_t found = 0;
  for (uint32_t i = 0; i < m->n; i++)
    found += m->tried[i].found.found;
  const double ahead = (double)(m->n - found) * steps * (m->records_wanted - round->place);
  snprintf(phase, sizeof phase, "%s %u, %u of %u", source->is_stream ? "stream" : "switch",
           round->of->sw, round->place + 1, m->records_wanted);
  o->progress(o->context,
              &(struct hd_mutation_progress){.phase = phase,
                                             .found = found,
                                             .mutants = m->n,
                                             .played_per_second = rate,
                                             .seconds_left = rate > 0 ? ahead / rate : -1});
}

bool hd_mutation_by(const struct hd_mutation *m, uint32_t tried, uint32_t source)
{
  return m->by[(size_t)tried * m->by_words + source / 64] >> source % 64 & 1;
}

static void found_by(struct hd_mutation *m, uint32_t tried, uint32_t source)
{
  m->by[(size_t)tried * m->by_words + source / 64] |= UINT64_C(1) << source % 64;
}

static void note_found(struct round *round, const uint32_t *places, uint32_t n,
                       const struct hd_mutant_found *found, uint64_t done)
{
  struct run *r = round->run;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_mutation_tried *t = &r->m->tried[places[i]];
    if (!found[i].found)
      continue;
    found_by(r->m, places[i], round->of->source);
    if (t->found.found)
      continue;
    t->found = found[i];
    t->record = round->place;
    round->of->found++;
  }
  round->played += (uint64_t)n * done;
  report_progress(round);
}

struct player {
  struct round *round;
  struct hd_mutant_pool_bench *bench;
};

static void *play_batches(void *context)
{
  const struct player *player = context;
  struct round *round = player->round;
  struct run *r = round->run;
  uint32_t mutants[1024];
  struct hd_mutant_found found[1024];
  struct hd_error err = {""};
  for (;;) {
    const uint32_t from = atomic_fetch_add(&round->next, 1) * round->lanes;
    uint64_t done = 0;
    if (from >= r->n_left || atomic_load(&round->stopped))
      return NULL;
    const uint32_t n = r->n_left - from < round->lanes ? r->n_left - from : round->lanes;
    for (uint32_t i = 0; i < n; i++)
      mutants[i] = r->m->tried[r->left[from + i]].mutant;
    int status = hd_mutant_pool_play(player->bench, round->tape, round->steps, mutants, n, found,
                                     &done, asked_to_stop, round, &err);
    pthread_mutex_lock(&round->lock);
    note_found(round, r->left + from, n, found, done);
    if (status && !round->status) {
      round->status = status;
      round->err = err;
    }
    pthread_mutex_unlock(&round->lock);
  }
}

static int play_round(struct round *round, struct hd_error *err)
{
  struct run *r = round->run;
  pthread_t threads[MOST_THREADS];
  struct player players[MOST_THREADS];
  uint32_t started = 1;
  atomic_store(&round->next, 0);
  for (uint32_t i = 0; i < r->options->threads; i++)
    players[i] = (struct player){.round = round, .bench = r->benches[i]};
  while (started < r->options->threads &&
         !pthread_create(&threads[started], NULL, play_batches, &players[started]))
    started++;
  play_batches(&players[0]);
  while (--started)
    pthread_join(threads[started], NULL);
  /* Keeps the mutants that this source has not found. They have survived if the whole tape was
   * played. */
  const bool whole = round->steps >= hd_mutant_tape_steps(round->tape) && !round->status &&
                     !atomic_load(&round->stopped);
  uint32_t left = 0;
  for (uint32_t i = 0; i < r->n_left; i++) {
    struct hd_mutation_tried *t = &r->m->tried[r->left[i]];
    if (!hd_mutation_by(r->m, r->left[i], round->of->source)) {
      t->survived += whole;
      r->left[left++] = r->left[i];
    }
  }
  r->n_left = left;
  if (round->status)
    return hd_fail(err, round->status, "%s", round->err.text);
  return atomic_load(&round->stopped) ? hd_fail(err, HD_E_INTERRUPTED, "interrupted") : HD_OK;
}

/* Plays the tape on the switch without a mutant. It must not differ, as all mutants would then
 * differ, too. */
static int play_right(struct round *round, struct hd_error *err)
{
  const uint32_t none[2] = {UINT32_MAX, UINT32_MAX};
  const struct hd_mutation_source *source = &round->run->m->sources[round->of->source];
  struct hd_mutant_found found[2];
  uint64_t done;
  int status = hd_mutant_pool_play(round->run->benches[0], round->tape, UINT64_MAX, none, 2, found,
                                   &done, asked_to_stop, round, err);
  if (status || !found[0].found)
    return status;
  return hd_fail(
      err, HD_E_DIVERGENCE,
      "%s, %s %u: without any mutant the switch differs from %s in cycle %llu (%s), "
      "so mutants cannot be distinguished from it; heddle %s says what is wrong",
      hd_mutation_source_name(source), source->is_stream ? "stream" : "switch", round->of->sw,
      round->run->m->foreign ? "what it did before, in another state at power-up" : "its model",
      (unsigned long long)found[0].cycle, hd_mutant_wire_name((enum hd_mutant_wire)found[0].wire),
      source->is_stream ? "check" : "run");
}

static int play_record(struct run *r, uint32_t place, struct hd_error *err)
{
  struct hd_mutation *m = r->m;
  struct hd_mutation_record *of = &m->records[place];
  struct hd_mutant_tape *tape = hd_mutant_tape_create(&m->sources[0].scenario.sw);
  if (m->foreign)
    hd_mutant_tape_foreign(tape);
  int status =
      hd_mutation_record_inputs(&m->sources[of->source], r->options, &r->right, of, tape, err);
  const uint64_t steps = hd_mutant_tape_steps(tape);
  of->cycles = hd_mutant_tape_cycles(tape);
  struct round round = {.run = r,
                        .tape = tape,
                        .of = of,
                        .place = place,
                        .lanes = hd_mutant_pool_lanes(m->pool),
                        .started = now()};
  pthread_mutex_init(&round.lock, NULL);
  if (!status)
    status = play_right(&round, err);
  if (!status && r->prover)
    hd_mutant_pool_watch(r->benches[0], tape, r->prover);
  round.steps = hd_mutant_tape_lead(tape) + FIRST_CYCLES;
  for (bool last = false; !status && !last && r->n_left; round.steps *= LONGER) {
    last = round.steps >= steps;
    status = play_round(&round, err);
  }
  pthread_mutex_destroy(&round.lock);
  hd_mutant_tape_destroy(tape);
  m->n_records = place + 1;
  return status;
}

/* ── proofs ────────────────────────────────────────────────────────────────── */

struct proofs {
  struct run *run;
  double until;
  _Atomic uint32_t next, done, proved; /* next index in m->tried; mutants tried, and proved */
  _Atomic bool stopped;
  bool *wanted_again; /* [m->n]: mutants to try in the next pass */
  uint32_t wanted, pass;
  pthread_mutex_t lock; /* guards the progress */
  double started;
};

static bool stop_proofs(void *context)
{
  struct proofs *p = context;
  const struct hd_mutation_options *o = p->run->options;
  if (now() > p->until || (o->stop && o->stop(o->context)))
    atomic_store(&p->stopped, true);
  return atomic_load(&p->stopped);
}

static bool to_prove(const struct run *r, const struct hd_mutation_tried *t)
{
  return t->found.found ? r->options->prove_found : !t->proof;
}

static void report_proofs(struct proofs *p)
{
  const struct hd_mutation_options *o = p->run->options;
  const double seconds = now() - p->started;
  const uint32_t done = atomic_load(&p->done);
  char phase[80];
  if (!o->progress)
    return;
  snprintf(phase, sizeof phase, "proofs, round %u, %u of %u tried", p->pass + 1, done, p->wanted);
  const double left = done ? seconds / done * (p->wanted - done) : -1;
  o->progress(o->context, &(struct hd_mutation_progress){
                              .phase = phase,
                              .proved = true,
                              .found = atomic_load(&p->proved),
                              .mutants = p->run->m->wanted_to_prove,
                              .seconds_left = left < p->until - now() ? left : p->until - now()});
}

static void *prove_some(void *context)
{
  struct proofs *p = context;
  struct hd_mutation *m = p->run->m;
  while (!atomic_load(&p->stopped)) {
    const uint32_t i = atomic_fetch_add(&p->next, 1);
    if (i >= m->n)
      return NULL;
    if (!p->wanted_again[i])
      continue;
    m->tried[i].proof = hd_prover_prove_equivalent(p->run->prover, m->tried[i].mutant,
                                                   &p->wanted_again[i], stop_proofs, p);
    atomic_fetch_add(&p->proved, m->tried[i].proof != HD_PROOF_NONE);
    atomic_fetch_add(&p->done, 1);
    pthread_mutex_lock(&p->lock);
    report_proofs(p);
    pthread_mutex_unlock(&p->lock);
  }
  return NULL;
}

/* Tries to prove the mutants in p->wanted_again. Afterwards these are the mutants that further
 * invariants could prove. */
static void prove_pass(struct proofs *p)
{
  const struct hd_mutation *m = p->run->m;
  pthread_t threads[MOST_THREADS];
  uint32_t started = 1;
  p->wanted = 0;
  for (uint32_t i = 0; i < m->n; i++)
    p->wanted += p->wanted_again[i];
  atomic_store(&p->next, 0);
  atomic_store(&p->done, 0);
  while (started < p->run->options->threads &&
         !pthread_create(&threads[started], NULL, prove_some, p))
    started++;
  prove_some(p);
  while (--started)
    pthread_join(threads[started], NULL);
}

static int prove_passes(struct proofs *p, struct hd_error *err)
{
  struct hd_mutation *m = p->run->m;
  for (p->pass = 0; p->pass < MOST_PASSES; p->pass++) {
    const uint64_t before = m->invariants;
    const int status = hd_prover_learn_invariants(p->run->prover, stop_proofs, p, err);
    if (status && status != HD_E_INTERRUPTED)
      return status;
    m->invariants = hd_prover_invariants(p->run->prover);
    if (p->pass && m->invariants == before)
      break;
    prove_pass(p);
    if (!p->pass)
      m->tried_to_prove = atomic_load(&p->done);
  }
  return HD_OK;
}

static int prove_all(struct run *r, struct hd_error *err)
{
  const struct hd_mutation_options *o = r->options;
  struct proofs p = {.run = r, .until = now() + 60 * o->prove, .started = now()};
  p.wanted_again = hd_xcalloc((size_t)r->m->n + 1, sizeof *p.wanted_again);
  for (uint32_t i = 0; i < r->m->n; i++) {
    p.wanted_again[i] = to_prove(r, &r->m->tried[i]);
    r->m->wanted_to_prove += p.wanted_again[i];
  }
  pthread_mutex_init(&p.lock, NULL);
  const int status = prove_passes(&p, err);
  pthread_mutex_destroy(&p.lock);
  free(p.wanted_again);
  if (status)
    return status;
  return o->stop && o->stop(o->context) ? hd_fail(err, HD_E_INTERRUPTED, "interrupted") : HD_OK;
}

/* ── run ───────────────────────────────────────────────────────────────────── */

static int open_pool(struct run *r, struct hd_error *err)
{
  const struct hd_mutation_options *o = r->options;
  const struct hd_backend_options options = {.rtl_dir = o->rtl_dir,
                                             .cache_dir = o->cache_dir,
                                             .rtl_files = &r->m->rtl_files,
                                             .say = o->say,
                                             .stop = o->stop,
                                             .building = o->building,
                                             .context = o->context};
  struct hd_error why = {""};
  int status = hd_mutant_pool_open(&r->m->pool, &r->m->sources[0].scenario.sw, &options, &why);
  if (status && o->foreign && (status == HD_E_TOOL || status == HD_E_INPUT))
    return hd_fail(err, status,
                   "a mutant is a wrong gate, and Yosys makes no gates of this RTL (heddle run and "
                   "heddle check need none): %.800s",
                   why.text);
  if (status)
    return hd_fail(err, status, "%s", why.text);
  for (uint32_t i = 0; i < o->threads && !status; i++)
    r->benches[i] = hd_mutant_pool_bench_create(r->m->pool);
  r->right = (struct hd_mutation_right){hd_dut_model_backend(), ""};
  if (!status && o->foreign)
    r->right.dut = hd_mutant_pool_fabric(r->benches[0], UINT32_MAX, &r->right.options);
  return status;
}

const char *hd_mutation_source_name(const struct hd_mutation_source *source)
{
  return source->is_stream     ? hd_stream_style_about(source->style)
         : source->run         ? source->run
         : source->shares_name ? source->scenario.path
                               : source->scenario.name;
}

/* Marks scenarios of different files that have the same name, so that reports give their paths.
 * Runs of a sweep have names of their own. */
static void mark_equal_names(struct hd_mutation *m)
{
  for (uint32_t i = 0; i < m->n_sources; i++)
    for (uint32_t k = 0; k < m->n_sources && !m->sources[i].run; k++)
      m->sources[i].shares_name |=
          !strcmp(m->sources[i].scenario.name, m->sources[k].scenario.name) &&
          strcmp(m->sources[i].scenario.path, m->sources[k].scenario.path) != 0;
}

static int too_many(struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "at most %d scenarios, runs of sweeps and styles of streams can be played at once",
                 HD_MUTATION_SOURCES);
}

/* All scenarios must have the same switch, since mutants are gates of one netlist. */
static int same_switch(const struct hd_mutation *m, struct hd_error *err)
{
  const struct hd_mutation_source *first = &m->sources[0], *last = &m->sources[m->n_sources - 1];
  const struct hd_switch_params *a = &first->scenario.sw, *b = &last->scenario.sw;
#define SAME(name, ...)                                                                           \
  if (a->name != b->name)                                                                         \
    return hd_fail(err, HD_E_INPUT,                                                               \
                   "%s and %s have not the same switch: " #name " is %u and %u; a mutant is one " \
                   "of one switch; choose scenarios of the same parameters",                      \
                   first->run ? first->run : first->scenario.path,                                \
                   last->run ? last->run : last->scenario.path, a->name, b->name);
  HD_SWITCH_PARAM_LIST(SAME)
#undef SAME
  return HD_OK;
}

/* Adds a scenario as a source. `text`: see hd_mutation_scenario. `run`: see struct
 * hd_mutation_source. */
static int open_scenario(struct hd_mutation *m, const struct hd_mutation_options *o,
                         const char *path, const char *text, const char *run, struct hd_error *err)
{
  if (m->n_sources == HD_MUTATION_SOURCES)
    return too_many(err);
  struct hd_mutation_source *const source = &m->sources[m->n_sources++];
  source->run = run ? hd_xstrdup(run) : NULL;
  const int status = hd_mutation_scenario(source, path, text, o, err);
  return status ? status : same_switch(m, err);
}

struct opening {
  struct hd_mutation *m;
  const struct hd_mutation_options *o;
  const char *directory;
};

static int open_run(void *context, const char *path, const char *text, uint64_t number,
                    uint64_t cycles, struct hd_error *err)
{
  const struct opening *opening = context;
  struct hd_text name = {0};
  struct hd_error why = {""};
  hd_text_add(&name, "%s/runs.csv: run %" PRIu64, opening->directory, number);
  const int status = open_scenario(opening->m, opening->o, path, text, name.chars, &why);
  if (!status && cycles && !opening->o->cycles)
    opening->m->sources[opening->m->n_sources - 1].cycles = cycles;
  if (status)
    hd_fail(err, status, "%.300s: %.600s", hd_text_chars(&name), why.text);
  hd_text_fini(&name);
  return status;
}

/* Adds a scenario, or all runs of a sweep, as sources. */
static int open_given(struct hd_mutation *m, const struct hd_mutation_options *o, const char *given,
                      struct hd_error *err)
{
  struct opening opening = {m, o, given};
  const uint32_t before = m->n_sources;
  struct stat info;
  if (stat(given, &info) || !S_ISDIR(info.st_mode))
    return open_scenario(m, o, given, NULL, NULL, err);
  int status = hd_sweep_each_run(given, open_run, &opening, err);
  return status || m->n_sources > before
             ? status
             : hd_fail(err, HD_E_INPUT, "%s: no run of this sweep has ended without a failure",
                       given);
}

static int open_sources(struct hd_mutation *m, const struct hd_mutation_options *o,
                        struct hd_error *err)
{
  int status = HD_OK;
  m->sources = hd_xcalloc(HD_MUTATION_SOURCES, sizeof *m->sources);
  for (size_t i = 0; i < o->n_scenarios && !status; i++)
    status = open_given(m, o, o->scenarios[i], err);
  if (!status)
    mark_equal_names(m);
  for (unsigned style = 0; style < HD_STREAM_STYLES && o->streams && !status; style++) {
    if (!hd_stream_fits(&m->sources[0].scenario.sw, (enum hd_stream_style)style))
      continue;
    if (m->n_sources == HD_MUTATION_SOURCES)
      return too_many(err);
    m->sources[m->n_sources++] =
        (struct hd_mutation_source){.is_stream = true, .style = (enum hd_stream_style)style};
  }
  /* This error must come before the switch is built, which takes minutes. */
  return status || o->switches || m->sources[m->n_sources - 1].is_stream
             ? status
             : hd_fail(err, HD_E_NOTHING, "neither switches nor streams are to be played");
}

/* Plays record after record. With .each, all mutants are played on each source. */
static int play_all(struct run *r, struct hd_error *err)
{
  const struct hd_mutation *m = r->m;
  int status = HD_OK;
  for (uint32_t i = 0; i < m->records_wanted && !status; i++) {
    const bool first = !i || m->records[i].source != m->records[i - 1].source;
    if (m->each && first)
      for (r->n_left = 0; r->n_left < m->n; r->n_left++)
        r->left[r->n_left] = r->n_left;
    if (r->n_left || !i)
      status = play_record(r, i, err);
  }
  return status;
}

static int run_all(struct run *r, struct hd_error *err)
{
  struct hd_mutation *m = r->m;
  int status = open_sources(m, r->options, err);
  if (!status)
    status = open_pool(r, err);
  if (!status && r->options->prove > 0)
    r->prover = hd_mutant_pool_prover(m->pool);
  if (!status)
    draw(r);
  if (!status && r->options->files && !m->n)
    status = hd_fail(err, HD_E_INPUT, "--files: no gate is of a file whose name begins with %s",
                     r->options->files);
  r->started = now();
  if (!status)
    status = order_records(r, err);
  if (!status)
    status = play_all(r, err);
  if (!status && m->foreign)
    status = hd_mutation_judge_by_rules(m, r->options, r->benches, err);
  if (!status && r->prover)
    status = prove_all(r, err);
  /* Mutants with a proof are played, too, so that a wrong proof is noticed. */
  for (uint32_t i = 0; i < m->n && !status; i++)
    if (m->tried[i].proof && m->tried[i].found.found)
      status =
          hd_fail(err, HD_E_INTERNAL, "mutant %u was proved equivalent and found in cycle %llu",
                  m->tried[i].mutant, (unsigned long long)m->tried[i].found.cycle);
  m->seconds = now() - r->started;
  m->interrupted = status == HD_E_INTERRUPTED;
  return status;
}

int hd_mutation_run(struct hd_mutation *mutation, const struct hd_mutation_options *options,
                    struct hd_error *err)
{
  struct run r = {.m = mutation, .options = options};
  *mutation = (struct hd_mutation){
      .seed = options->seed, .each = options->each, .foreign = options->foreign};
  int status = run_all(&r, err);
  for (uint32_t i = 0; i < options->threads; i++)
    hd_mutant_pool_bench_destroy(r.benches[i]);
  hd_prover_destroy(r.prover);
  free(r.left);
  return status;
}

void hd_mutation_fini(struct hd_mutation *m)
{
  hd_mutant_pool_close(m->pool);
  for (uint32_t i = 0; i < m->n_sources; i++) {
    hd_scenario_fini(&m->sources[i].scenario);
    hd_topology_fini(&m->sources[i].topology);
    hd_tables_fini(&m->sources[i].tables);
    free(m->sources[i].run);
  }
  hd_text_fini(&m->rtl_files);
  free(m->sources);
  free(m->records);
  free(m->tried);
  free(m->by);
}
