/* The packets of program coding: the fields of their heads, and which packets a node must receive.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CODING_PACKETS_H
#define HD_CODING_PACKETS_H

#include "coding_task.h"

/** Packs and unpacks a head: kind, id, and the part of the payload that is in the head. Packets for
 *  a coder have kind 0. */
uint64_t hd_coding_head(const struct hd_coding_task *task, uint64_t kind, uint64_t id,
                        uint64_t value);
uint64_t hd_coding_head_kind(const struct hd_coding_task *task, uint64_t head);
uint64_t hd_coding_head_id(const struct hd_coding_task *task, uint64_t head);
struct hd_coding_payload hd_coding_packet_payload(const struct hd_coding_task *task, uint64_t head,
                                                  const uint64_t *words, uint32_t flits);

/** hd_coding_kind_of encodes content, step and level of a send as the kind of its packet.
 *  hd_coding_via_of decodes the kind. */
uint64_t hd_coding_kind_of(const struct hd_coding_send *send);
struct hd_coding_via hd_coding_via_of(uint64_t kind);

/** Finds the chain of node `rank`'s coder that has `place`: its level, its group, and the index of
 *  the place in it. Returns false if there is none. */
bool hd_coding_find_chain(const struct hd_coding_task *task, uint32_t rank, uint32_t place,
                          uint32_t *level, uint32_t *group, uint32_t *at);

/** Returns true if the plan sends a packet of this source to node `rank` in this way. */
bool hd_coding_is_expected(const struct hd_coding_task *task, uint32_t rank,
                           const struct hd_coding_item *item, struct hd_coding_via via,
                           uint32_t source);

#endif
