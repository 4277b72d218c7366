/* Program barrier-cs-tree: barriers by messages along rows of a mesh, then the center's column.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In Section 4.3, the barrier paper compares itself with this scheme on 2-D meshes: the collective
 * synchronization (CS) tree of [5] (Yang and King, 1998), "established at the barrier group
 * creation time", in which each router records the ports to its parent and its children. The paper
 * does not say how the tree is laid out.
 *
 * Our choice: software on the members carries it out. So each step costs start-ups, and only
 * members take part. With x-y routing, the path to the center goes along the row, then along the
 * center's column. So in each row, the member nearest to the center's column is the *head* (the
 * lower column, if two are equally near). The other members of the row form a chain towards it from
 * each side. The heads form a chain from each side towards the center, which is the head of its
 * row.
 */
#include "barrier_by_messages.h"
#include "programs.h"

#include <stdlib.h>

enum { NOBODY = -1 };

struct mesh {
  struct hd_grid grid;
  const bool *is_member; /* by rank */
  int center;
};

static int rank_at(const struct mesh *mesh, int row, int column)
{
  return row * mesh->grid.columns + column;
}

static int head_of_row(const struct mesh *mesh, int row)
{
  int middle = mesh->center % mesh->grid.columns, head = NOBODY;
  for (int x = 0; x < mesh->grid.columns; x++)
    if (mesh->is_member[rank_at(mesh, row, x)] &&
        (head == NOBODY || abs(x - middle) < abs(head % mesh->grid.columns - middle)))
      head = rank_at(mesh, row, x);
  return head;
}

/* Adds the members of a row from its head outwards, so that parents come first. */
static void add_row(struct hd_member_tree *tree, const struct mesh *mesh, int head)
{
  int columns = mesh->grid.columns, row = head / columns;
  for (int step = -1; step <= 1; step += 2)
    for (int x = head % columns + step, parent = head; x >= 0 && x < columns; x += step)
      if (mesh->is_member[rank_at(mesh, row, x)]) {
        hd_member_tree_add(tree, rank_at(mesh, row, x), parent);
        parent = rank_at(mesh, row, x);
      }
}

static void build(struct hd_ep *ep, struct hd_member_tree *tree, const int *members, int n,
                  int center)
{
  bool *is_member = hd_ep_alloc(ep, (size_t)hd_ep_size(ep) * sizeof *is_member);
  struct mesh mesh = {hd_program_grid(ep), is_member, center};
  for (int i = 0; i < n; i++)
    is_member[members[i]] = true;
  int middle = center / mesh.grid.columns;
  add_row(tree, &mesh, center);
  for (int step = -1; step <= 1; step += 2)
    for (int y = middle + step, parent = center; y >= 0 && y < mesh.grid.rows; y += step) {
      int head = head_of_row(&mesh, y);
      if (head == NOBODY)
        continue;
      hd_member_tree_add(tree, head, parent);
      add_row(tree, &mesh, head);
      parent = head;
    }
}

static void run(struct hd_ep *ep)
{
  hd_program_grid(ep); /* rejects a grid that does not fit, before anything is sent */
  hd_barrier_by_messages_run(ep, build);
}

static const char *const parameters[] = {HD_BARRIER_PARAMETERS, HD_GRID_PARAMETER, NULL};

const struct hd_program hd_program_barrier_cs_tree = {
    .name = "barrier-cs-tree",
    .about = "barriers by messages along the rows of a mesh, then along the center's column; "
             "parameters " HD_BARRIER_PARAMETER_NAMES ", columns",
    .main = run,
    .parameters = parameters,
};
