/* Functions that several programs use: parameters with ranges, contents of messages, grids of
 * ranks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_COMMON_H
#define HD_PROGRAMS_COMMON_H

#include "../endpoint.h"

/** Largest integer that a parameter (a double) holds exactly. */
#define HD_INTEGER_MAX (UINT64_C(1) << 53)

/** Mixes the bits of a number (the finalizer of SplitMix64). */
static inline uint64_t hd_program_mix64(uint64_t z)
{
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/** Reads a parameter that must be a whole number (hd_program_integer) or any number
 *  (hd_program_number) from `least` to `most`. Ends the run with a message if it is not. */
uint64_t hd_program_integer(struct hd_ep *ep, const char *key, uint64_t fallback, uint64_t least,
                            uint64_t most);
double hd_program_number(struct hd_ep *ep, const char *key, double fallback, double least,
                         double most);

/** Ends the run with a message if the scenario sets the parameter `key` although it has no effect:
 *  `used` is false. `needed` is the setting with which it has one, as "injection: bursts". */
void hd_program_reject_without_effect(struct hd_ep *ep, const char *key, bool used,
                                      const char *needed);
/** Tests whether the scenario sets the parameter `key`. */
bool hd_program_is_given(struct hd_ep *ep, const char *key);

/** Reads the parameter `key`, which is a grid's sides: text such as "8x4", or a number for one
 *  side. Each side must be 1 … side. Returns the number of sides, at most `most`. Ends the run if
 *  the parameter cannot be read. */
uint32_t hd_program_sides(struct hd_ep *ep, const char *key, uint32_t *sides, uint32_t most,
                          uint32_t side);

/** Returns the parameter `members`: the number of nodes in a group, by default all. */
int hd_program_members(struct hd_ep *ep);
/** Fills ranks[hd_ep_size(ep)] with a random permutation of its ranks, of which only the first `n`
 *  are needed. The first `fixed` ranks stay. If `n` is the number of nodes, nothing is drawn. */
void hd_program_draw(struct hd_ep *ep, int *ranks, int fixed, int n);

/** Reads a whole text file, which parameter `key` names; pipes work, too. `noun` names the file in
 *  messages ("trace"). The text lives as long as the run. Ends the run if the file cannot be
 *  read. */
char *hd_program_read_file(struct hd_ep *ep, const char *key, const char *noun, const char *path,
                           size_t *length);
/** Like hd_program_read_file, but if `stops` returns true for the beginning of the file, reads only
 *  that and sets *stopped. A file that can be read only once, such as a pipe, is always read whole.
 *  So is every file if `stops` is NULL. */
char *hd_program_read_beginning(struct hd_ep *ep, const char *key, const char *noun,
                                const char *path, bool (*stops)(const char *text, size_t length),
                                size_t *length, bool *stopped);

/** Creates a multicast group. Rejects parameter `key` if the network has no multicast. Ends the run
 *  if the group cannot be opened. */
struct hd_ep_multicast *hd_program_multicast_create(struct hd_ep *ep, const char *key,
                                                    const int *ranks, int n);

/** Creates a barrier in the network among `n` ranks, which include this one; its center is chosen
 *  by the rule `center`. Rejects the parameter `key`, which asked for the barrier, if switches take
 *  no barrier messages. */
struct hd_ep_barrier *hd_program_barrier_create(struct hd_ep *ep, const char *key, const int *ranks,
                                                int n, enum hd_ep_center center);
/** Arrives at the barrier and waits for the release. Does nothing if `barrier` is NULL. Ends the
 *  run if the barrier fails. */
void hd_program_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);

/** hd_program_fill fills a message with bytes that depend on source, destination and number.
 *  hd_program_verify ends the run if the message does not have these bytes. */
void hd_program_fill(unsigned char *bytes, size_t n, int source, int destination, uint64_t number);
void hd_program_verify(struct hd_ep *ep, const unsigned char *bytes, size_t n, int source,
                       int destination, uint64_t number);

/* ── traffic ──────────────────────────────────────────────────────────────── */

/** Draws one of the other nodes; all are equally likely. There must be two nodes. */
int hd_program_other_node(struct hd_ep *ep);
/** Ends the run if there are fewer than two nodes. */
void hd_program_need_two_nodes(struct hd_ep *ep);

/** The ranks as a grid: rank = column + columns·row. `columns` is a parameter, by default the
 *  square root of the number of nodes. hd_program_grid ends the run if that does not fit. */
struct hd_grid {
  int columns, rows, column, row; /* column and row of this node */
};
/** Largest packet that a program can ask for. */
enum { HD_FLITS_MAX = 65535 };
#define HD_GRID_PARAMETER "columns: ranks in a row of the grid (square root of the number of nodes)"
struct hd_grid hd_program_grid(struct hd_ep *ep);

#endif
