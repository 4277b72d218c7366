/* Collects the events of an MPI process and writes them as a trace; starts and ends with MPI.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpi.h>

#include "recorder_mpi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct hd_event *events;
static size_t n_events, cap_events;
static const char *call_now;
static int depth; /* depth of calls, since MPI may call itself */
static uint64_t left_at;
static int keyval = MPI_KEYVAL_INVALID;
static struct hd_members *all_members;

static _Noreturn void no_memory(void)
{
  fprintf(stderr, "heddle record: out of memory\n");
  abort();
}

static uint64_t processor_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

size_t hd_event_add(const struct hd_event *event)
{
  if (n_events == cap_events) {
    cap_events = cap_events ? 2 * cap_events : 4096;
    events = realloc(events, cap_events * sizeof *events);
    if (!events)
      no_memory();
  }
  events[n_events] = *event;
  events[n_events].call = call_now;
  return n_events++;
}

struct hd_event *hd_event_at(size_t number)
{
  return &events[number];
}

void hd_enter(const char *call)
{
  if (depth++)
    return;
  const uint64_t now = processor_time();
  call_now = "computing";
  if (left_at && now > left_at)
    hd_event_add(&(struct hd_event){.kind = HD_EVENT_COMPUTE, .amount = now - left_at});
  call_now = call;
}

void hd_leave(void)
{
  if (!--depth)
    left_at = processor_time();
}

/* ── communicators ────────────────────────────────────────────────────────── */

static uint64_t mix(uint64_t z)
{
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static struct hd_members *find_members(MPI_Comm comm)
{
  MPI_Group group, world;
  int n, is_inter;
  struct hd_members *m = calloc(1, sizeof *m);
  PMPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) {
    fprintf(stderr, "heddle record: communicators between groups cannot be recorded\n");
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, &n);
  int *own = malloc((size_t)n * sizeof *own), *there = malloc((size_t)n * sizeof *there);
  if (!m || !own || !there)
    no_memory();
  for (int i = 0; i < n; i++)
    own[i] = i;
  PMPI_Group_translate_ranks(group, n, own, world, there);
  PMPI_Comm_rank(comm, &m->self);
  m->n = n;
  m->world = there;
  for (int i = 0; i < n; i++)
    m->identity = mix(m->identity * 31 + (uint64_t)there[i] + 1);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  free(own);
  m->next = all_members;
  return all_members = m;
}

struct hd_members *hd_members_of(MPI_Comm comm)
{
  void *value;
  int there = 0;
  if (keyval == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  PMPI_Comm_get_attr(comm, keyval, &value, &there);
  if (there)
    return value;
  struct hd_members *members = find_members(comm);
  PMPI_Comm_set_attr(comm, keyval, members);
  return members;
}

int hd_world_rank(const struct hd_members *members, int rank)
{
  return rank >= 0 && rank < members->n ? members->world[rank] : -1;
}

uint64_t hd_bytes(int count, MPI_Datatype type)
{
  int size;
  PMPI_Type_size(type, &size);
  return (uint64_t)count * (uint64_t)size;
}

/* ── the files ────────────────────────────────────────────────────────────── */

static int compare(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The identities of all communicators with two or more members, over all ranks, ascending,
 * without repeats. */
static uint64_t *gather_identities(int ranks, size_t *n)
{
  int own = 0, total = 0;
  int *counts = malloc((size_t)ranks * sizeof *counts), *at = malloc((size_t)ranks * sizeof *at);
  for (const struct hd_members *m = all_members; m; m = m->next)
    own += m->n > 1;
  uint64_t *mine = malloc(((size_t)own + 1) * sizeof *mine);
  if (!counts || !at || !mine)
    no_memory();
  own = 0;
  for (const struct hd_members *m = all_members; m; m = m->next)
    if (m->n > 1)
      mine[own++] = m->identity;
  PMPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < ranks; i++) {
    at[i] = total;
    total += counts[i];
  }
  uint64_t *all = malloc(((size_t)total + 1) * sizeof *all);
  if (!all)
    no_memory();
  PMPI_Allgatherv(mine, own, MPI_UINT64_T, all, counts, at, MPI_UINT64_T, MPI_COMM_WORLD);
  qsort(all, (size_t)total, sizeof *all, compare);
  *n = 0;
  for (int i = 0; i < total; i++)
    if (!i || all[i] != all[*n - 1])
      all[(*n)++] = all[i];
  free(counts);
  free(at);
  free(mine);
  return all;
}

/* Number of the communicator, from 1; 0: all ranks. */
static uint32_t number_of(const uint64_t *all, size_t n, uint64_t identity, uint64_t world)
{
  const uint64_t *at = bsearch(&identity, all, n, sizeof *all, compare);
  return identity == world || !at ? 0 : (uint32_t)(at - all) + 1;
}

static FILE *open_part(const char *name, int rank)
{
  char path[4096];
  const char *directory = getenv(HD_RECORD_DIRECTORY);
  snprintf(path, sizeof path, rank < 0 ? "%s/%s" : "%s/%s.%d", directory ? directory : ".", name,
           rank);
  FILE *file = fopen(path, "w");
  if (!file) {
    fprintf(stderr, "heddle record: cannot write %s\n", path);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  return file;
}

static void write_groups(int rank, const uint64_t *all, size_t n, uint64_t world)
{
  enum { A_LINE = 40 };
  FILE *out = open_part("groups", rank);
  for (const struct hd_members *m = all_members; m; m = m->next) {
    const uint32_t group = number_of(all, n, m->identity, world);
    bool again = false;
    for (const struct hd_members *other = all_members; other != m; other = other->next)
      again |= other->identity == m->identity;
    if (!group || again || m->world[0] != rank)
      continue;
    for (int i = 0; i < m->n; i++) {
      if (i % A_LINE == 0)
        fprintf(out, "%sgroup %" PRIu32, i ? "\n" : "", group);
      fprintf(out, " %d", m->world[i]);
    }
    fprintf(out, "\n");
  }
  fclose(out);
}

static void write_event(FILE *out, const struct hd_event *e, uint32_t group)
{
  static const char *const words[] = {"compute", "send", "isend", "recv", "irecv", "wait"};
  /* Tags are shifted by the group's number, so messages of two communicators do not match. */
  const uint32_t tag = e->tag + group * UINT32_C(0x9e3779b1);
  if (e->has_label && e->kind != HD_EVENT_WAIT)
    fprintf(out, "%u: ", e->label);
  switch ((enum hd_event_kind)e->kind) {
  case HD_EVENT_COMPUTE:
    fprintf(out, "compute %" PRIu64 "\n", e->amount);
    break;
  case HD_EVENT_WAIT:
    fprintf(out, "wait %u\n", e->label);
    break;
  case HD_EVENT_COLLECTIVE:
    fprintf(out, "%s", e->collective);
    if (strcmp(e->collective, "barrier"))
      fprintf(out, " %" PRIu64, e->amount);
    if (e->has_root)
      fprintf(out, " root %" PRId32, e->peer);
    fprintf(out, group ? " group %" PRIu32 "\n" : "\n", group);
    break;
  case HD_EVENT_NOTHING:
    break;
  default:
    fprintf(out, "%s %" PRId32 " %" PRIu64 " tag %" PRIu32 "\n", words[e->kind], e->peer, e->amount,
            tag);
  }
}

static void write_all(void)
{
  int rank, ranks;
  size_t n;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const uint64_t world = hd_members_of(MPI_COMM_WORLD)->identity;
  uint64_t *all = gather_identities(ranks, &n);
  write_groups(rank, all, n, world);
  FILE *out = open_part("rank", rank);
  const char *call = NULL;
  fprintf(out, "rank %d\n", rank);
  for (size_t i = 0; i < n_events; i++) {
    const struct hd_event *e = &events[i];
    if (e->kind == HD_EVENT_NOTHING)
      continue;
    if (e->kind != HD_EVENT_COMPUTE && (!call || strcmp(e->call, call)))
      fprintf(out, "call %s\n", call = e->call);
    write_event(out, e, number_of(all, n, e->comm, world));
  }
  bool failed = ferror(out) != 0;
  failed |= fclose(out) != 0;
  if (failed)
    PMPI_Abort(MPI_COMM_WORLD, 1);
  free(all);
  if (!rank) {
    out = open_part("ranks", -1);
    fprintf(out, "%d\n", ranks);
    fclose(out);
  }
}

int MPI_Init(int *argc, char ***argv)
{
  int status = PMPI_Init(argc, argv);
  left_at = processor_time();
  return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  int status = PMPI_Init_thread(argc, argv, required, provided);
  left_at = processor_time();
  return status;
}

int MPI_Finalize(void)
{
  hd_enter("MPI_Finalize");
  if (getenv(HD_RECORD_DIRECTORY))
    write_all();
  return PMPI_Finalize();
}
