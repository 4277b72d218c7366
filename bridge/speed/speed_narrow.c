/* Narrows a difference from a window to a cycle, a switch and a port (§9.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each step starts the board again, with the same traffic, and compares half of the remaining
 * cycles. In the end the window has one cycle, and its signatures show what the ports had.
 */
#include "speed_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

struct narrowing {
  const struct hd_speed_options *options;
  struct speed_board *board;
  const struct hd_speed_model *model;
  uint32_t n;
  uint32_t *board_signatures, *model_signatures; /* [n]: of the board, of the model */
  uint64_t runs;
};

/* Compares board and model over 2^k cycles that begin `from` cycles after `start`. */
static int compare_cycles(struct narrowing *w, uint64_t start, uint32_t from, uint32_t k,
                          bool *same, struct hd_error *err)
{
  bool overrun;
  w->runs++;
  int status = hd_speed_board_start(w->board, start + from, k, 1, err);
  if (!status)
    status = hd_speed_board_read(w->board, w->options, w->n, w->board_signatures, &overrun, err);
  if (status)
    return status;
  if (overrun)
    return hd_fail(err, HD_E_IO, "the board did not take a single window");
  hd_speed_model_part(w->model, from, from + (1U << k), w->model_signatures);
  *same = !memcmp(w->board_signatures, w->model_signatures, w->n * sizeof *w->model_signatures);
  return HD_OK;
}

static void record_differences(const struct narrowing *w, struct hd_speed_result *r)
{
  const uint32_t each = w->n / r->switches;
  for (uint32_t i = 0; i < w->n; i++) {
    if (w->board_signatures[i] == w->model_signatures[i])
      continue;
    if (r->n_differences < HD_SPEED_DIFFERENCES)
      r->differences[r->n_differences] = (struct hd_speed_difference){
          i / each, i % each, w->board_signatures[i], w->model_signatures[i]};
    r->n_differences++;
  }
}

static int search(struct narrowing *w, uint64_t start, struct hd_speed_result *r,
                  struct hd_error *err)
{
  uint32_t from = 0;
  bool same = false;
  int status = HD_OK;
  for (uint32_t k = r->k; k-- && !status;) {
    status = compare_cycles(w, start, from, k, &same, err);
    if (!status && same)
      from += 1U << k;
  }
  if (!status)
    status = compare_cycles(w, start, from, 0, &same, err);
  r->cycle = start + from;
  r->unsteady = !status && same;
  if (!status)
    record_differences(w, r);
  return status;
}

int hd_speed_narrow(const struct hd_speed_options *options, struct speed_board *board,
                    const struct hd_speed_model *model, uint64_t start, struct hd_speed_result *r,
                    struct hd_error *err)
{
  struct narrowing w = {.options = options, .board = board, .model = model, .n = r->signatures};
  w.board_signatures = hd_xcalloc(w.n, sizeof *w.board_signatures);
  w.model_signatures = hd_xcalloc(w.n, sizeof *w.model_signatures);
  const int status = search(&w, start, r, err);
  r->runs = w.runs;
  free(w.board_signatures);
  free(w.model_signatures);
  return status;
}
