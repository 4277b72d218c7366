/* Records messages of an MPI process: sends, receives, requests and their ends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Source and size of a receive are those of the message that came. They are put into its event when
 * the receive has ended.
 */
#include <mpi.h>

#include "recorder_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 65536, PLACES = 1 << 18 };

/* A request under way; persistent ones are kept until they are freed. */
struct request {
  MPI_Request handle;
  const struct hd_members *members;
  size_t event;
  uint64_t bytes;
  int peer, tag;
  bool receives, persistent, active;
  uint16_t label;
};

static struct request requests[LABELS];
/* number of the request + 1; open addressing, UINT32_MAX: was used */
static uint32_t n_requests, places[PLACES];
static uint16_t free_labels[LABELS];
static uint32_t n_free, next_label;
static uint32_t free_requests[LABELS], n_free_requests, n_deleted;

static _Noreturn void too_many(void)
{
  fprintf(stderr, "heddle record: more than %d requests under way\n", LABELS - 1);
  abort();
}

uint16_t hd_label_take(void)
{
  if (n_free)
    return free_labels[--n_free];
  if (next_label == LABELS)
    too_many();
  return (uint16_t)next_label++;
}

void hd_label_give(uint16_t label)
{
  free_labels[n_free++] = label;
}

/* ── requests by their handles ────────────────────────────────────────────── */

static uint32_t hash(MPI_Request handle)
{
  uint64_t z = (uint64_t)(uintptr_t)handle * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(z >> 40) & (PLACES - 1);
}

static uint32_t place_of(MPI_Request handle)
{
  uint32_t at = hash(handle);
  while (places[at] && (places[at] == UINT32_MAX || requests[places[at] - 1].handle != handle))
    at = (at + 1) & (PLACES - 1);
  return at;
}

static struct request *find(MPI_Request handle)
{
  const uint32_t at = place_of(handle);
  return places[at] ? &requests[places[at] - 1] : NULL;
}

/* Rebuilds the table without the marks of forgotten requests, which make searches long. */
static void clean_places(void)
{
  static uint32_t old[PLACES];
  memcpy(old, places, sizeof old);
  memset(places, 0, sizeof places);
  for (uint32_t i = 0; i < PLACES; i++)
    if (old[i] && old[i] != UINT32_MAX)
      places[place_of(requests[old[i] - 1].handle)] = old[i];
  n_deleted = 0;
}

static struct request *add(MPI_Request handle)
{
  uint32_t number = n_free_requests ? free_requests[--n_free_requests] : n_requests++;
  if (number >= LABELS)
    too_many();
  if (n_deleted > PLACES / 4)
    clean_places();
  requests[number] = (struct request){.handle = handle};
  places[place_of(handle)] = number + 1;
  return &requests[number];
}

static void forget(struct request *r)
{
  places[place_of(r->handle)] = UINT32_MAX;
  free_requests[n_free_requests++] = (uint32_t)(r - requests);
  n_deleted++;
}

/* ── events ───────────────────────────────────────────────────────────────── */

static void sent(enum hd_event_kind kind, MPI_Comm comm, int to, int tag, uint64_t bytes)
{
  const struct hd_members *members = hd_members_of(comm);
  const int peer = hd_world_rank(members, to);
  if (peer >= 0)
    hd_event_add(&(struct hd_event){.kind = (uint8_t)kind,
                                    .peer = peer,
                                    .tag = (uint32_t)tag,
                                    .amount = bytes,
                                    .comm = members->identity});
}

/* Fills in sender, tag and size of a received message from its status. */
static void fill(struct hd_event *event, const struct hd_members *members, const MPI_Status *status)
{
  MPI_Count bytes;
  PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
  event->peer = hd_world_rank(members, status->MPI_SOURCE);
  event->tag = (uint32_t)status->MPI_TAG;
  event->amount = (uint64_t)bytes;
}

static void came(MPI_Comm comm, const MPI_Status *status)
{
  const struct hd_members *members = hd_members_of(comm);
  struct hd_event event = {.kind = HD_EVENT_RECV, .comm = members->identity};
  fill(&event, members, status);
  if (event.peer >= 0)
    hd_event_add(&event);
}

/* Records the start of a request. A receive is recorded only when it has ended. */
static void start(struct request *r)
{
  struct hd_event event = {
      .kind = HD_EVENT_NOTHING, .has_label = true, .comm = r->members->identity};
  event.label = r->label = hd_label_take();
  if (!r->receives && r->peer >= 0) {
    event.kind = HD_EVENT_ISEND;
    event.peer = r->peer;
    event.tag = (uint32_t)r->tag;
    event.amount = r->bytes;
  }
  r->active = true;
  r->event = hd_event_add(&event);
}

static void request(MPI_Request handle, bool receives, MPI_Comm comm, int peer, int tag,
                    uint64_t bytes, bool persistent)
{
  if (handle == MPI_REQUEST_NULL)
    return;
  struct request *r = find(handle);
  if (r) /* the request was freed, and its handle is used again */
    forget(r);
  r = add(handle);
  r->members = hd_members_of(comm);
  r->receives = receives;
  r->peer = hd_world_rank(r->members, peer);
  r->tag = tag;
  r->bytes = bytes;
  r->persistent = persistent;
  if (!persistent)
    start(r);
}

/* Records the end of a request. Its handle may be gone by now. */
static void record_end(MPI_Request handle, const MPI_Status *status)
{
  struct request *r = handle == MPI_REQUEST_NULL ? NULL : find(handle);
  int cancelled = 0;
  if (!r || !r->active)
    return;
  r->active = false;
  struct hd_event *event = hd_event_at(r->event);
  if (r->receives) {
    PMPI_Test_cancelled(status, &cancelled);
    if (!cancelled)
      fill(event, r->members, status);
    event->kind = !cancelled && event->peer >= 0 ? HD_EVENT_IRECV : HD_EVENT_NOTHING;
  }
  if (hd_event_at(r->event)->kind != HD_EVENT_NOTHING)
    hd_event_add(&(struct hd_event){.kind = HD_EVENT_WAIT, .has_label = true, .label = r->label});
  hd_label_give(r->label);
  if (!r->persistent)
    forget(r);
}

/* ── sends and receives ───────────────────────────────────────────────────── */

#define SEND(name)                                                                                 \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) \
  {                                                                                                \
    hd_enter("MPI_" #name);                                                                        \
    int status = PMPI_##name(buffer, count, type, to, tag, comm);                                  \
    sent(HD_EVENT_SEND, comm, to, tag, hd_bytes(count, type));                                     \
    hd_leave();                                                                                    \
    return status;                                                                                 \
  }
SEND(Send)
SEND(Ssend)
SEND(Bsend)
SEND(Rsend)

#define REQUEST(name, buffer_type, receives, persistent)                              \
  int MPI_##name(buffer_type buffer, int count, MPI_Datatype type, int peer, int tag, \
                 MPI_Comm comm, MPI_Request *out)                                     \
  {                                                                                   \
    hd_enter("MPI_" #name);                                                           \
    int status = PMPI_##name(buffer, count, type, peer, tag, comm, out);              \
    request(*out, receives, comm, peer, tag, hd_bytes(count, type), persistent);      \
    hd_leave();                                                                       \
    return status;                                                                    \
  }
REQUEST(Isend, const void *, false, false)
REQUEST(Issend, const void *, false, false)
REQUEST(Ibsend, const void *, false, false)
REQUEST(Irsend, const void *, false, false)
REQUEST(Irecv, void *, true, false)
REQUEST(Send_init, const void *, false, true)
REQUEST(Ssend_init, const void *, false, true)
REQUEST(Recv_init, void *, true, true)

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *out)
{
  MPI_Status own;
  hd_enter("MPI_Recv");
  int status = PMPI_Recv(buffer, count, type, from, tag, comm, &own);
  came(comm, &own);
  if (out != MPI_STATUS_IGNORE)
    *out = own;
  hd_leave();
  return status;
}

/* Probes are no events of a trace. They are replaced only so that their time does not count as
 * computing. */
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *out)
{
  hd_enter("MPI_Probe");
  int status = PMPI_Probe(from, tag, comm, out);
  hd_leave();
  return status;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *out)
{
  hd_enter("MPI_Iprobe");
  int status = PMPI_Iprobe(from, tag, comm, flag, out);
  hd_leave();
  return status;
}

/* Records an exchange. Its send does not wait for its receive. */
static void exchanged(MPI_Comm comm, int to, int tag, uint64_t bytes, const MPI_Status *own)
{
  sent(HD_EVENT_ISEND, comm, to, tag, bytes);
  came(comm, own);
}

int MPI_Sendrecv(const void *send, int n, MPI_Datatype type, int to, int tag, void *receive, int m,
                 MPI_Datatype type_there, int from, int tag_there, MPI_Comm comm, MPI_Status *out)
{
  MPI_Status own;
  hd_enter("MPI_Sendrecv");
  int status =
      PMPI_Sendrecv(send, n, type, to, tag, receive, m, type_there, from, tag_there, comm, &own);
  exchanged(comm, to, tag, hd_bytes(n, type), &own);
  if (out != MPI_STATUS_IGNORE)
    *out = own;
  hd_leave();
  return status;
}

int MPI_Sendrecv_replace(void *buffer, int n, MPI_Datatype type, int to, int tag, int from,
                         int tag_there, MPI_Comm comm, MPI_Status *out)
{
  MPI_Status own;
  hd_enter("MPI_Sendrecv_replace");
  int status = PMPI_Sendrecv_replace(buffer, n, type, to, tag, from, tag_there, comm, &own);
  exchanged(comm, to, tag, hd_bytes(n, type), &own);
  if (out != MPI_STATUS_IGNORE)
    *out = own;
  hd_leave();
  return status;
}

int MPI_Start(MPI_Request *handle)
{
  hd_enter("MPI_Start");
  struct request *r = find(*handle);
  int status = PMPI_Start(handle);
  if (r)
    start(r);
  hd_leave();
  return status;
}

int MPI_Startall(int n, MPI_Request *handles)
{
  hd_enter("MPI_Startall");
  int status = PMPI_Startall(n, handles);
  for (int i = 0; i < n; i++) {
    struct request *r = find(handles[i]);
    if (r)
      start(r);
  }
  hd_leave();
  return status;
}

int MPI_Request_free(MPI_Request *handle)
{
  struct request *r = find(*handle);
  if (r && r->active && !r->persistent)
    hd_label_give(r->label);
  if (r)
    forget(r);
  return PMPI_Request_free(handle);
}

/* ── ends ─────────────────────────────────────────────────────────────────── */

/* Copies of handles, since the call sets them to MPI_REQUEST_NULL; and statuses, if the program
 * does not want them. */
struct ends {
  MPI_Request *handles;
  MPI_Status *statuses, *own;
};

static struct ends ends_begin(int n, const MPI_Request *handles, MPI_Status *statuses)
{
  struct ends e = {.statuses = statuses};
  e.handles = malloc(((size_t)n + 1) * sizeof(MPI_Request));
  e.own = statuses == MPI_STATUSES_IGNORE ? malloc(((size_t)n + 1) * sizeof(MPI_Status)) : NULL;
  if (!e.handles || (statuses == MPI_STATUSES_IGNORE && !e.own))
    abort();
  if (n)
    memcpy(e.handles, handles, (size_t)n * sizeof(MPI_Request));
  if (e.own)
    e.statuses = e.own;
  return e;
}

static void ends_end(struct ends *e)
{
  free(e->handles);
  free(e->own);
}

int MPI_Wait(MPI_Request *handle, MPI_Status *out)
{
  MPI_Status own;
  const MPI_Request before = *handle;
  hd_enter("MPI_Wait");
  int status = PMPI_Wait(handle, &own);
  record_end(before, &own);
  if (out != MPI_STATUS_IGNORE)
    *out = own;
  hd_leave();
  return status;
}

int MPI_Test(MPI_Request *handle, int *flag, MPI_Status *out)
{
  MPI_Status own;
  const MPI_Request before = *handle;
  hd_enter("MPI_Test");
  int status = PMPI_Test(handle, flag, &own);
  if (*flag)
    record_end(before, &own);
  if (*flag && out != MPI_STATUS_IGNORE)
    *out = own;
  hd_leave();
  return status;
}

int MPI_Waitall(int n, MPI_Request *handles, MPI_Status *statuses)
{
  hd_enter("MPI_Waitall");
  struct ends e = ends_begin(n, handles, statuses);
  int status = PMPI_Waitall(n, handles, e.statuses);
  for (int i = 0; i < n; i++)
    record_end(e.handles[i], &e.statuses[i]);
  ends_end(&e);
  hd_leave();
  return status;
}

int MPI_Testall(int n, MPI_Request *handles, int *flag, MPI_Status *statuses)
{
  hd_enter("MPI_Testall");
  struct ends e = ends_begin(n, handles, statuses);
  int status = PMPI_Testall(n, handles, flag, e.statuses);
  for (int i = 0; i < n && *flag; i++)
    record_end(e.handles[i], &e.statuses[i]);
  ends_end(&e);
  hd_leave();
  return status;
}

int MPI_Waitany(int n, MPI_Request *handles, int *index, MPI_Status *out)
{
  MPI_Status own;
  hd_enter("MPI_Waitany");
  struct ends e = ends_begin(n, handles, MPI_STATUSES_IGNORE);
  int status = PMPI_Waitany(n, handles, index, &own);
  if (*index != MPI_UNDEFINED)
    record_end(e.handles[*index], &own);
  if (out != MPI_STATUS_IGNORE)
    *out = own;
  ends_end(&e);
  hd_leave();
  return status;
}

int MPI_Testany(int n, MPI_Request *handles, int *index, int *flag, MPI_Status *out)
{
  MPI_Status own;
  hd_enter("MPI_Testany");
  struct ends e = ends_begin(n, handles, MPI_STATUSES_IGNORE);
  int status = PMPI_Testany(n, handles, index, flag, &own);
  if (*flag && *index != MPI_UNDEFINED)
    record_end(e.handles[*index], &own);
  if (*flag && out != MPI_STATUS_IGNORE)
    *out = own;
  ends_end(&e);
  hd_leave();
  return status;
}

#define SOME(name)                                                                            \
  int MPI_##name(int n, MPI_Request *handles, int *count, int *indices, MPI_Status *statuses) \
  {                                                                                           \
    hd_enter("MPI_" #name);                                                                   \
    struct ends e = ends_begin(n, handles, statuses);                                         \
    int status = PMPI_##name(n, handles, count, indices, e.statuses);                         \
    for (int i = 0; *count != MPI_UNDEFINED && i < *count; i++)                               \
      record_end(e.handles[indices[i]], &e.statuses[i]);                                      \
    ends_end(&e);                                                                             \
    hd_leave();                                                                               \
    return status;                                                                            \
  }
SOME(Waitsome)
SOME(Testsome)
