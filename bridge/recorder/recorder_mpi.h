/* Inside of the recorder that is loaded into MPI programs: events of this process, and where they go.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of MPI's profiling interface stand for the program's calls: each records what it does and calls PMPI_….
 * Computing is the processor time of the calling thread between two calls, so a busy machine does not
 * make it longer. One thread of a process calls MPI.
 *
 * Reading order: recorder_events.c (events, the files), recorder_messages.c, recorder_collectives.c.
 */
#ifndef HD_RECORDER_MPI_H
#define HD_RECORDER_MPI_H

/** The environment variable that names the directory; it gets `ranks`, and of each rank `rank.N` and `groups.N`. */
#define HD_RECORD_DIRECTORY "HEDDLE_RECORD_DIRECTORY"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef MPI_VERSION

enum hd_event_kind {
  HD_EVENT_COMPUTE,
  HD_EVENT_SEND,
  HD_EVENT_ISEND,
  HD_EVENT_RECV,
  HD_EVENT_IRECV,
  HD_EVENT_WAIT,
  HD_EVENT_COLLECTIVE,
  HD_EVENT_NOTHING, /* a receive that was never ended */
};

struct hd_event {
  uint8_t kind;
  bool has_label, has_root;
  uint16_t label;
  int32_t peer; /* in MPI_COMM_WORLD */
  uint32_t tag;
  const char *call, *collective;
  uint64_t amount; /* nanoseconds or bytes */
  uint64_t comm;   /* what identifies the communicator's members */
};

/** Members of a communicator. */
struct hd_members {
  struct hd_members *next;
  uint64_t identity;
  int n, self;
  int *world; /* [n] ranks in MPI_COMM_WORLD */
};

/** Begins a call of the program: ends its computing. hd_leave ends the call. */
void hd_enter(const char *call);
void hd_leave(void);

/** Adds an event of the call under way; returns its number. */
size_t hd_event_add(const struct hd_event *event);
struct hd_event *hd_event_at(size_t number);

struct hd_members *hd_members_of(MPI_Comm comm);
/** Rank of MPI_COMM_WORLD; −1 for MPI_PROC_NULL and others that are none. */
int hd_world_rank(const struct hd_members *members, int rank);
uint64_t hd_bytes(int count, MPI_Datatype type);

/** A label that no operation under way has; and its end. */
uint16_t hd_label_take(void);
void hd_label_give(uint16_t label);

#endif
#endif
