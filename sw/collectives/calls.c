/* The collectives as calls, in the style of MPI.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "collectives.h"

struct hd_operation *hd_comm_ibroadcast(struct hd_comm *comm, void *block, size_t bytes, int root)
{
  const struct hd_collective_call call = {
      .collective = HD_COLLECTIVE_BROADCAST, .receive = block, .bytes = bytes, .root = root};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_iscatter(struct hd_comm *comm, const void *send, void *receive,
                                      size_t bytes, int root)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_SCATTER,
                                          .send = send,
                                          .receive = receive,
                                          .bytes = bytes,
                                          .root = root};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_igather(struct hd_comm *comm, const void *send, void *receive,
                                     size_t bytes, int root)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_GATHER,
                                          .send = send,
                                          .receive = receive,
                                          .bytes = bytes,
                                          .root = root};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_iallgather(struct hd_comm *comm, const void *send, void *receive,
                                        size_t bytes)
{
  const struct hd_collective_call call = {
      .collective = HD_COLLECTIVE_ALLGATHER, .send = send, .receive = receive, .bytes = bytes};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_ireduce(struct hd_comm *comm, const void *send, void *receive,
                                     size_t bytes, const struct hd_operator *op, int root)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_REDUCE,
                                          .send = send,
                                          .receive = receive,
                                          .bytes = bytes,
                                          .op = op,
                                          .root = root};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_iallreduce(struct hd_comm *comm, const void *send, void *receive,
                                        size_t bytes, const struct hd_operator *op)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_ALLREDUCE,
                                          .send = send,
                                          .receive = receive,
                                          .bytes = bytes,
                                          .op = op};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_ireduce_scatter(struct hd_comm *comm, const void *send, void *receive,
                                             size_t bytes, const struct hd_operator *op)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_REDUCE_SCATTER,
                                          .send = send,
                                          .receive = receive,
                                          .bytes = bytes,
                                          .op = op};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_ialltoall(struct hd_comm *comm, const void *send, void *receive,
                                       size_t bytes)
{
  const struct hd_collective_call call = {
      .collective = HD_COLLECTIVE_ALLTOALL, .send = send, .receive = receive, .bytes = bytes};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_ialltoallv(struct hd_comm *comm, const void *send,
                                        const size_t *send_bytes, void *receive,
                                        const size_t *receive_bytes)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_ALLTOALLV,
                                          .send = send,
                                          .send_bytes = send_bytes,
                                          .receive = receive,
                                          .receive_bytes = receive_bytes};
  return hd_comm_start(comm, &call);
}

struct hd_operation *hd_comm_ibarrier(struct hd_comm *comm)
{
  const struct hd_collective_call call = {.collective = HD_COLLECTIVE_BARRIER};
  return hd_comm_start(comm, &call);
}

void hd_comm_broadcast(struct hd_comm *comm, void *block, size_t bytes, int root)
{
  hd_operation_wait(hd_comm_ibroadcast(comm, block, bytes, root));
}

void hd_comm_scatter(struct hd_comm *comm, const void *send, void *receive, size_t bytes, int root)
{
  hd_operation_wait(hd_comm_iscatter(comm, send, receive, bytes, root));
}

void hd_comm_gather(struct hd_comm *comm, const void *send, void *receive, size_t bytes, int root)
{
  hd_operation_wait(hd_comm_igather(comm, send, receive, bytes, root));
}

void hd_comm_allgather(struct hd_comm *comm, const void *send, void *receive, size_t bytes)
{
  hd_operation_wait(hd_comm_iallgather(comm, send, receive, bytes));
}

void hd_comm_reduce(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                    const struct hd_operator *op, int root)
{
  hd_operation_wait(hd_comm_ireduce(comm, send, receive, bytes, op, root));
}

void hd_comm_allreduce(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                       const struct hd_operator *op)
{
  hd_operation_wait(hd_comm_iallreduce(comm, send, receive, bytes, op));
}

void hd_comm_reduce_scatter(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                            const struct hd_operator *op)
{
  hd_operation_wait(hd_comm_ireduce_scatter(comm, send, receive, bytes, op));
}

void hd_comm_alltoall(struct hd_comm *comm, const void *send, void *receive, size_t bytes)
{
  hd_operation_wait(hd_comm_ialltoall(comm, send, receive, bytes));
}

void hd_comm_alltoallv(struct hd_comm *comm, const void *send, const size_t *send_bytes,
                       void *receive, const size_t *receive_bytes)
{
  hd_operation_wait(hd_comm_ialltoallv(comm, send, send_bytes, receive, receive_bytes));
}

void hd_comm_barrier(struct hd_comm *comm)
{
  hd_operation_wait(hd_comm_ibarrier(comm));
}
