/* Shared by the files of the recorder that is loaded into MPI programs: the events of this process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The recorder replaces the program's MPI calls by MPI's profiling interface. Each function calls
 * PMPI_… and then records the call. Computing is the processor time of the calling thread between
 * two calls, so a busy machine does not make it longer. Only one thread of a process may call MPI.
 *
 * Reading order: recorder_events.c (events, the files), recorder_messages.c, recorder_collectives.c.
 */
#ifndef HD_RECORDER_MPI_H
#define HD_RECORDER_MPI_H

/** Environment variable with the name of the output directory. Files there: `ranks`, and
 *  `rank.N` and `groups.N` for each rank. */
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
  /* not written: a receive that has not ended or was cancelled, or MPI_PROC_NULL */
  HD_EVENT_NOTHING,
};

struct hd_event {
  uint8_t kind;
  bool has_label, has_root;
  uint16_t label;
  int32_t peer; /* rank in MPI_COMM_WORLD */
  uint32_t tag;
  const char *call, *collective;
  uint64_t amount; /* nanoseconds or bytes */
  uint64_t comm;   /* identity of the communicator: a hash of its members */
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
/** Rank in MPI_COMM_WORLD; −1 for MPI_PROC_NULL and other values that are no rank. */
int hd_world_rank(const struct hd_members *members, int rank);
uint64_t hd_bytes(int count, MPI_Datatype type);

/** hd_label_take returns a label that no current operation has; hd_label_give frees it. */
uint16_t hd_label_take(void);
void hd_label_give(uint16_t label);

#endif
#endif
