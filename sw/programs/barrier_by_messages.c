/* A barrier by messages along a tree of the members.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_by_messages.h"

enum { TAG_UP, TAG_DOWN, TAGS };

/* The tree of all members. The first node that needs it makes it for all. */
struct hd_member_tree {
  bool initialised;
  int n; /* added */
  struct branch {
    int member, parent;
  } branches[]; /* in the order in which they were added */
};

struct part {
  const struct hd_member_tree *tree;
  int parent, n_children; /* parent −1: the center */
  int *children;
  hd_ep_request *reports, release;
};

void hd_member_tree_add(struct hd_member_tree *tree, int member, int parent)
{
  tree->branches[tree->n++] = (struct branch){member, parent};
}

static void *join(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm,
                  const struct hd_barrier_task *m, const int *members, int group)
{
  (void)group;
  size_t size = (size_t)hd_ep_size(ep);
  struct hd_member_tree *tree =
      hd_ep_shared(ep, "barrier by messages", sizeof *tree + size * sizeof *tree->branches);
  struct part *part = hd_ep_alloc(ep, sizeof *part);
  /* the check of parameters ends here at the first question about the network, so `initialised` is set
   * later */
  if (!tree->initialised) {
    algorithm->build(ep, tree, members, m->members, hd_barrier_center(ep, m, members));
    tree->initialised = true;
  }
  *part = (struct part){.tree = tree, .parent = -1};
  for (int i = 0; i < tree->n; i++) {
    part->n_children += tree->branches[i].parent == hd_ep_rank(ep);
    if (tree->branches[i].member == hd_ep_rank(ep))
      part->parent = tree->branches[i].parent;
  }
  part->children = hd_ep_alloc(ep, (size_t)part->n_children * sizeof *part->children);
  part->reports = hd_ep_alloc(ep, (size_t)part->n_children * sizeof *part->reports);
  for (int i = 0, at = 0; i < tree->n; i++)
    if (tree->branches[i].parent == hd_ep_rank(ep))
      part->children[at++] = tree->branches[i].member;
  return part;
}

/* Rounds in succession have different tags, so that a message of the wrong round is noticed. */
static int tag_of(uint64_t round, int tag)
{
  return (int)(round % 2) * TAGS + tag;
}

static void arrive(struct hd_ep *ep, void *part, uint64_t round)
{
  struct part *p = part;
  p->release = 0;
  for (int i = 0; i < p->n_children; i++)
    p->reports[i] = hd_ep_ireceive(ep, p->children[i], tag_of(round, TAG_UP), NULL, 0);
  if (p->parent < 0)
    return;
  if (p->n_children) /* it waits for its children anyhow, so the receive can be posted before */
    p->release = hd_ep_ireceive(ep, p->parent, tag_of(round, TAG_DOWN), NULL, 0);
  else
    hd_ep_send(ep, p->parent, tag_of(round, TAG_UP), NULL, 0);
}

static void wait(struct hd_ep *ep, void *part, struct hd_background_traffic *t, uint64_t round)
{
  struct part *p = part;
  for (int i = 0; i < p->n_children; i++)
    hd_background_wait_request(ep, t, p->reports[i]);
  if (p->parent >= 0) {
    if (p->n_children)
      hd_ep_send(ep, p->parent, tag_of(round, TAG_UP), NULL, 0);
    else
      p->release = hd_ep_ireceive(ep, p->parent, tag_of(round, TAG_DOWN), NULL, 0);
    hd_background_wait_request(ep, t, p->release);
  }
  for (int i = 0; i < p->n_children; i++)
    hd_ep_send(ep, p->children[i], tag_of(round, TAG_DOWN), NULL, 0);
}

static struct hd_ep_link link_to_parent(struct hd_ep *ep, const void *part, int member)
{
  const struct hd_member_tree *tree = ((const struct part *)part)->tree;
  for (int i = 0; i < tree->n; i++)
    if (tree->branches[i].member == member)
      return hd_ep_link(ep, member, tree->branches[i].parent);
  return (struct hd_ep_link){.node = -1}; /* the center has no parent */
}

void hd_barrier_by_messages_run(struct hd_ep *ep,
                                void (*build)(struct hd_ep *ep, struct hd_member_tree *tree,
                                              const int *members, int n, int center))
{
  const struct hd_barrier_algorithm algorithm = {
      .join = join, .arrive = arrive, .wait = wait, .link = link_to_parent, .build = build};
  hd_barrier_program_run(ep, &algorithm);
}
