/* Functions that several programs share: parameters with ranges, contents of messages, grids of ranks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_COMMON_H
#define HD_PROGRAMS_COMMON_H

#include "../endpoint.h"

/** Largest integer that a parameter (a double) holds exactly. */
#define HD_INTEGER_MAX (UINT64_C(1) << 53)

/** Reads a parameter that must be a whole number, or any number, in [least, most]. Ends the run with a clear message if
 *  it is not. */
uint64_t hd_program_integer(struct hd_ep *ep, const char *key, uint64_t fallback, uint64_t least,
                            uint64_t most);
double hd_program_number(struct hd_ep *ep, const char *key, double fallback, double least,
                         double most);

/** Reads a parameter of sides, such as "8x4", or the number 8 for one side; each is 1 … side. Returns how many there
 *  are, at most `most`. Ends the run if it cannot be read. */
uint32_t hd_program_sides(struct hd_ep *ep, const char *key, uint32_t *sides, uint32_t most,
                          uint32_t side);

/** Parameter `members`: the number of nodes in a group, by default all. */
int hd_program_members(struct hd_ep *ep);
/** Draws the first n of all ranks by chance: ranks[hd_ep_size(ep)] becomes a permutation of them. The first `fixed`
 *  stay, and with n all nodes, all. */
void hd_program_draw(struct hd_ep *ep, int *ranks, int fixed, int n);

/** Reads a text file, which parameter `key` names, to its end, so that pipes work, too; `noun` says what it is in
 *  messages ("trace"). The text lives as long as the run. Ends the run if it cannot be read. */
char *hd_program_read_file(struct hd_ep *ep, const char *key, const char *noun, const char *path,
                           size_t *length);
/** Like hd_program_read_file, but reads only the beginning when `stops` returns true for it; then
 *  *stopped is true. A file that can be read only once, such as a pipe, is read whole. So is every
 *  file when `stops` is NULL. */
char *hd_program_read_beginning(struct hd_ep *ep, const char *key, const char *noun,
                                const char *path, bool (*stops)(const char *text, size_t length),
                                size_t *length, bool *stopped);

/** A multicast group; parameter `key` is refused if the network has no multicast. Ends the run if it cannot be opened. */
struct hd_ep_multicast *hd_program_multicast_create(struct hd_ep *ep, const char *key,
                                                    const int *ranks, int n);

/** A barrier in the network among n ranks, which include this one, with its center where the rule puts it.
 *  The parameter `key` asked for it: it is rejected where switches take no barrier messages. */
struct hd_ep_barrier *hd_program_barrier_create(struct hd_ep *ep, const char *key, const int *ranks,
                                                int n, enum hd_ep_center center);
/** Arrives and waits for the release; does nothing without a barrier. Ends the run if the barrier fails. */
void hd_program_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);

/** Fills a message with bytes that depend on source, destination and number, or ends the run if it has other bytes. */
void hd_program_fill(unsigned char *bytes, size_t n, int source, int destination, uint64_t number);
void hd_program_verify(struct hd_ep *ep, const unsigned char *bytes, size_t n, int source,
                       int destination, uint64_t number);

/* ── traffic ──────────────────────────────────────────────────────────────── */

/** Draws a destination other than this node, all equally likely. There must be two nodes. */
int hd_program_other_node(struct hd_ep *ep);
/** Ends the run if there are fewer than two nodes. */
void hd_program_need_two_nodes(struct hd_ep *ep);

/** Ranks as a grid: rank = column + columns·row. From parameter `columns`, by default the square
 *  root of the number of nodes; ends the run where that does not fit. */
struct hd_grid {
  int columns, rows, column, row; /* column and row are those of this node */
};
/** Largest packet that a program may ask for. */
enum { HD_FLITS_MAX = 65535 };
#define HD_GRID_PARAMETER "columns: ranks in a row of the grid (square root of the number of nodes)"
struct hd_grid hd_program_grid(struct hd_ep *ep);

#endif
