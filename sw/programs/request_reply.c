/* Program request-reply: a closed loop, with a number of requests outstanding at each node.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The destinations of the requests answer them. Requests and replies are messages. If there are
 * several virtual networks, requests and replies use different ones, so that a reply never waits
 * for a request in the network. A node that has all its replies tells rank 0. When all nodes have,
 * rank 0 tells all to end. Until then every node answers requests.
 */
#include "patterns.h"

#include <inttypes.h>

enum { OUTSTANDING_MAX = 1000, BYTES_MAX = 1 << 20 };

enum kind { REQUEST, REPLY, DONE, END, KINDS };

struct node {
  struct hd_destinations to;
  uint64_t requests, sent, replies; /* requests of this node: all, sent, answered */
  uint64_t outstanding;
  uint32_t request_network, reply_network;
  size_t request_bytes, reply_bytes, most_bytes;
  uint64_t *since;        /* [outstanding] cycle of the request in each slot */
  uint32_t *free, n_free; /* slots */
  unsigned char *bytes;
  int n_done; /* rank 0: number of nodes that have all replies */
  bool reported, end;
};

static int tag_of(enum kind kind, uint32_t slot)
{
  return (int)(slot * KINDS + kind);
}

static void send(struct hd_ep *ep, const struct node *n, int to, enum kind kind, uint32_t slot)
{
  const size_t bytes = kind == REQUEST ? n->request_bytes : kind == REPLY ? n->reply_bytes : 0;
  hd_program_fill(n->bytes, bytes, hd_ep_rank(ep), to, slot);
  hd_ep_use_network(ep, kind == REPLY ? n->reply_network : n->request_network);
  hd_ep_send(ep, to, tag_of(kind, slot), n->bytes, bytes);
}

static void begin_requests(struct hd_ep *ep, struct node *n)
{
  while (n->n_free && n->sent < n->requests) {
    const uint32_t slot = n->free[--n->n_free];
    n->sent++;
    n->since[slot] = hd_ep_time(ep);
    send(ep, n, n->to.pick ? n->to.pick(ep, n->to.context) : n->to.fixed, REQUEST, slot);
  }
}

static void end_request(struct hd_ep *ep, struct node *n, uint32_t slot)
{
  hd_ep_statistic(ep, "round trip", hd_ep_time(ep) - n->since[slot]);
  n->free[n->n_free++] = slot;
  n->replies++;
}

static void note_done(struct hd_ep *ep, struct node *n)
{
  if (++n->n_done < hd_ep_size(ep))
    return;
  for (int to = 1; to < hd_ep_size(ep); to++)
    send(ep, n, to, END, 0);
  n->end = true;
}

static void report_done(struct hd_ep *ep, struct node *n)
{
  if (n->reported || n->replies < n->requests)
    return;
  n->reported = true;
  hd_ep_statistic(ep, "all replies after", hd_ep_time(ep));
  if (hd_ep_rank(ep))
    send(ep, n, 0, DONE, 0);
  else
    note_done(ep, n);
}

static void receive_message(struct hd_ep *ep, struct node *n)
{
  struct hd_ep_status status;
  hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, n->bytes, n->most_bytes, &status);
  const uint32_t slot = (uint32_t)status.tag / KINDS;
  hd_program_verify(ep, n->bytes, status.bytes, status.source, hd_ep_rank(ep), slot);
  switch ((enum kind)(status.tag % KINDS)) {
  case REQUEST:
    send(ep, n, status.source, REPLY, slot);
    break;
  case REPLY:
    end_request(ep, n, slot);
    break;
  case DONE:
    note_done(ep, n);
    break;
  default:
    n->end = true;
  }
}

static void read_parameters(struct hd_ep *ep, struct node *n)
{
  const uint32_t last = hd_ep_networks(ep) - 1;
  if (hd_class_values(ep, "pattern") > 1)
    hd_ep_reject(ep, "pattern", "several; requests have one");
  hd_pattern_prepare(ep, hd_class_pattern(ep, 0), 0, &n->to);
  if (n->to.pauses)
    hd_ep_reject(ep, "file", "has pauses (t_on, t_off); requests go whenever they can");
  n->outstanding = hd_program_integer(ep, "outstanding", 4, 1, OUTSTANDING_MAX);
  n->requests = hd_program_integer(ep, "requests", 100, 1, HD_INTEGER_MAX);
  n->request_bytes = (size_t)hd_program_integer(ep, "request_bytes", 8, 0, BYTES_MAX);
  n->reply_bytes = (size_t)hd_program_integer(ep, "reply_bytes", 64, 0, BYTES_MAX);
  n->request_network = (uint32_t)hd_program_integer(ep, "request_network", 0, 0, last);
  n->reply_network = (uint32_t)hd_program_integer(ep, "reply_network", last ? 1 : 0, 0, last);
  if (n->to.weight <= 0)
    n->requests = 0;
}

static void run(struct hd_ep *ep)
{
  struct node n = {0};
  read_parameters(ep, &n);
  n.most_bytes = n.request_bytes > n.reply_bytes ? n.request_bytes : n.reply_bytes;
  n.bytes = hd_ep_alloc(ep, n.most_bytes);
  n.since = hd_ep_alloc(ep, n.outstanding * sizeof *n.since);
  n.free = hd_ep_alloc(ep, n.outstanding * sizeof *n.free);
  while (n.n_free < n.outstanding) {
    n.free[n.n_free] = n.n_free;
    n.n_free++;
  }
  while (!n.end) {
    begin_requests(ep, &n);
    report_done(ep, &n);
    if (!n.end)
      receive_message(ep, &n);
  }
}

static const char *const parameters[] = {
    "pattern: destinations of requests, one of `heddle programs --patterns` (uniform)",
    "outstanding: most requests of a node without a reply (4)",
    "requests: number of requests of each node (100)",
    "request_bytes: length of a request (8)",
    "reply_bytes: length of a reply (64)",
    "request_network: virtual network of requests (0)",
    "reply_network: virtual network of replies (1 if there are several, otherwise 0)",
    HD_PATTERN_PARAMETERS,
    NULL,
};

const struct hd_program hd_program_request_reply = {
    .name = "request-reply",
    .about = "a closed loop: each node sends a batch of requests by a pattern, at most so many of "
             "them without a reply, and answers those of others; parameters below",
    .main = run,
    .parameters = parameters,
};
