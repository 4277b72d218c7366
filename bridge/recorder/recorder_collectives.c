/* Records collectives of an MPI process. Those with blocks of different lengths are recorded as messages.
 * SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Reduce_scatter is an exception: it is recorded as a collective with blocks of mean length.
 */
#include <mpi.h>

#include "recorder_mpi.h"

/* Tags of messages that replace a collective. Programs do not use tags this high. */
enum { PART_TAG = 0x7ffffff0 };

static void collective(const char *name, MPI_Comm comm, uint64_t bytes, int root)
{
  const struct hd_members *members = hd_members_of(comm);
  if (members->n > 1)
    hd_event_add(&(struct hd_event){.kind = HD_EVENT_COLLECTIVE,
                                    .collective = name,
                                    .amount = bytes,
                                    .has_root = root >= 0,
                                    .peer = root < 0 ? 0 : members->world[root],
                                    .comm = members->identity});
}

/* ── as collectives ───────────────────────────────────────────────────────── */

/* Defines the MPI function of a collective: name, bytes of a block and root are recorded. */
#define COLLECTIVE(call, parameters, arguments, name, bytes, root) \
  int MPI_##call parameters                                        \
  {                                                                \
    hd_enter("MPI_" #call);                                        \
    int status = PMPI_##call arguments;                            \
    collective(name, comm, bytes, root);                           \
    hd_leave();                                                    \
    return status;                                                 \
  }
#define IN const void *send, int n, MPI_Datatype type
#define OUT void *receive, int m, MPI_Datatype type_there
#define BOTH send, n, type, receive, m, type_there

static bool is_root(MPI_Comm comm, int root)
{
  return hd_members_of(comm)->self == root;
}

COLLECTIVE(Barrier, (MPI_Comm comm), (comm), "barrier", 0, -1)
COLLECTIVE(Ibarrier, (MPI_Comm comm, MPI_Request *r), (comm, r), "barrier", 0, -1)
COLLECTIVE(Bcast, (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, n, type, root, comm), "broadcast", hd_bytes(n, type), root)
COLLECTIVE(Ibcast,
           (void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *r),
           (buffer, n, type, root, comm, r), "broadcast", hd_bytes(n, type), root)
COLLECTIVE(Reduce,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (send, receive, n, type, op, root, comm), "reduce", hd_bytes(n, type), root)
COLLECTIVE(Allreduce,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (send, receive, n, type, op, comm), "allreduce", hd_bytes(n, type), -1)
COLLECTIVE(Iallreduce,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
            MPI_Request *r),
           (send, receive, n, type, op, comm, r), "allreduce", hd_bytes(n, type), -1)
COLLECTIVE(Scan,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (send, receive, n, type, op, comm), "allreduce", hd_bytes(n, type), -1)
COLLECTIVE(Exscan,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (send, receive, n, type, op, comm), "allreduce", hd_bytes(n, type), -1)
COLLECTIVE(Reduce_scatter_block,
           (const void *send, void *receive, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (send, receive, n, type, op, comm), "reduce-scatter", hd_bytes(n, type), -1)
COLLECTIVE(Gather, (IN, OUT, int root, MPI_Comm comm), (BOTH, root, comm), "gather",
           is_root(comm, root) ? hd_bytes(m, type_there) : hd_bytes(n, type), root)
COLLECTIVE(Scatter, (IN, OUT, int root, MPI_Comm comm), (BOTH, root, comm), "scatter",
           is_root(comm, root) ? hd_bytes(n, type) : hd_bytes(m, type_there), root)
COLLECTIVE(Allgather, (IN, OUT, MPI_Comm comm), (BOTH, comm), "allgather", hd_bytes(m, type_there),
           -1)
COLLECTIVE(Alltoall, (IN, OUT, MPI_Comm comm), (BOTH, comm), "alltoall", hd_bytes(m, type_there),
           -1)

/* The mean length of blocks, rounded up. */
static uint64_t mean_block(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
  const struct hd_members *members = hd_members_of(comm);
  const uint64_t n = (uint64_t)members->n;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++)
    sum += hd_bytes(counts[i], type);
  return (sum + n - 1) / n;
}

COLLECTIVE(Reduce_scatter,
           (const void *send, void *receive, const int *counts, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (send, receive, counts, type, op, comm), "reduce-scatter",
           mean_block(counts, type, comm), -1)

/* ── as messages ──────────────────────────────────────────────────────────── */

static struct hd_event part(const struct hd_members *members, int other, uint64_t bytes,
                            enum hd_event_kind kind)
{
  return (struct hd_event){.kind = (uint8_t)kind,
                           .peer = members->world[other],
                           .tag = PART_TAG,
                           .amount = bytes,
                           .comm = members->identity};
}

/* Records an exchange as messages: out[i] bytes go to each other member and in[i] come from it.
 * In step k the partner is k places further. NULL: no bytes. */
static void exchange(MPI_Comm comm, const int *out, MPI_Datatype out_type, const int *in,
                     MPI_Datatype in_type)
{
  const struct hd_members *members = hd_members_of(comm);
  for (int k = 1; k < members->n; k++) {
    const int to = (members->self + k) % members->n;
    const uint64_t bytes = out ? hd_bytes(out[to], out_type) : 0;
    const struct hd_event event = part(members, to, bytes, HD_EVENT_ISEND);
    if (bytes)
      hd_event_add(&event);
  }
  for (int k = 1; k < members->n; k++) {
    const int from = (members->self + members->n - k) % members->n;
    const uint64_t bytes = in ? hd_bytes(in[from], in_type) : 0;
    const struct hd_event event = part(members, from, bytes, HD_EVENT_RECV);
    if (bytes)
      hd_event_add(&event);
  }
}

int MPI_Alltoallv(const void *send, const int *n, const int *at, MPI_Datatype type, void *receive,
                  const int *m, const int *at_there, MPI_Datatype type_there, MPI_Comm comm)
{
  hd_enter("MPI_Alltoallv");
  int status = PMPI_Alltoallv(send, n, at, type, receive, m, at_there, type_there, comm);
  exchange(comm, send == MPI_IN_PLACE ? m : n, send == MPI_IN_PLACE ? type_there : type, m,
           type_there);
  hd_leave();
  return status;
}

int MPI_Allgatherv(IN, void *receive, const int *m, const int *at, MPI_Datatype type_there,
                   MPI_Comm comm)
{
  hd_enter("MPI_Allgatherv");
  int status = PMPI_Allgatherv(send, n, type, receive, m, at, type_there, comm);
  const struct hd_members *members = hd_members_of(comm);
  const uint64_t own = hd_bytes(m[members->self], type_there);
  for (int k = 1; k < members->n && own; k++) {
    const struct hd_event event =
        part(members, (members->self + k) % members->n, own, HD_EVENT_ISEND);
    hd_event_add(&event);
  }
  exchange(comm, NULL, type, m, type_there);
  hd_leave();
  return status;
}

/* Records one side of a collective with a root: the bytes of this member or, at the root, of all
 * members. */
static void rooted(MPI_Comm comm, int root, uint64_t own, const int *counts, MPI_Datatype type,
                   bool to_root)
{
  const struct hd_members *members = hd_members_of(comm);
  if (members->self == root) {
    exchange(comm, to_root ? NULL : counts, type, to_root ? counts : NULL, type);
  } else if (own) {
    const struct hd_event event = part(members, root, own, to_root ? HD_EVENT_SEND : HD_EVENT_RECV);
    hd_event_add(&event);
  }
}

int MPI_Gatherv(IN, void *receive, const int *m, const int *at, MPI_Datatype type_there, int root,
                MPI_Comm comm)
{
  hd_enter("MPI_Gatherv");
  int status = PMPI_Gatherv(send, n, type, receive, m, at, type_there, root, comm);
  const bool here = is_root(comm, root);
  rooted(comm, root, here ? 0 : hd_bytes(n, type), m, here ? type_there : MPI_BYTE, true);
  hd_leave();
  return status;
}

int MPI_Scatterv(const void *send, const int *n, const int *at, MPI_Datatype type, OUT, int root,
                 MPI_Comm comm)
{
  hd_enter("MPI_Scatterv");
  int status = PMPI_Scatterv(send, n, at, type, receive, m, type_there, root, comm);
  const bool here = is_root(comm, root);
  rooted(comm, root, here ? 0 : hd_bytes(m, type_there), n, here ? type : MPI_BYTE, false);
  hd_leave();
  return status;
}
