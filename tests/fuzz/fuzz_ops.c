/* Fuzzes the readers of programs' traces: any bytes give operations in range that are read twice alike, or an error.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/programs/ops.h"
#include "fuzz.h"

/* Memory of a trace: a list of blocks. */
struct block {
  struct block *next;
  _Alignas(max_align_t) unsigned char data[];
};

static void *allocate(void *context, size_t bytes)
{
  struct block **first = context, *block = calloc(1, sizeof *block + bytes);
  require(block != NULL);
  block->next = *first;
  *first = block;
  return block->data;
}

static void check_operations_of_rank(const struct hd_ops *ops, uint32_t rank)
{
  static struct hd_ops_reader reader;
  struct hd_csv_error error;
  struct hd_op op;
  uint64_t n = 0;
  int more;
  hd_ops_reader_init(&reader, ops, rank);
  while ((more = hd_ops_next(&reader, &op, &error)) > 0) {
    require(op.kind <= HD_OP_COLLECTIVE && op.peer < ops->n_ranks && op.call < ops->n_calls);
    require(op.label == HD_OPS_NO_LABEL || op.label < ops->ranks[rank].labels);
    require(op.kind != HD_OP_COLLECTIVE || ops->groups[op.group] != NULL);
    for (uint32_t i = 0; i < op.n_after; i++)
      require(op.after[i] < ops->ranks[rank].labels);
    for (uint32_t i = 0; i < op.n_begun; i++)
      require(op.begun[i] < ops->ranks[rank].labels);
    n++;
  }
  require(more == 0 && n == ops->ranks[rank].n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static struct hd_ops ops;
  struct block *blocks = NULL;
  struct hd_csv_error error = {0};
  char *text = exact_copy(data, size);
  memset(&ops, 0, sizeof ops);
  ops.path = "f";
  ops.text = text;
  ops.length = size;
  ops.allocate = allocate;
  ops.context = &blocks;
  ops.most_ranks = 8;
  if (hd_ops_open(&ops, &error))
    require(strlen(error.text) > 8 && error.line >= 1 && error.line <= size + 1);
  else
    for (uint32_t rank = 0; rank < ops.n_ranks; rank++)
      check_operations_of_rank(&ops, rank);
  for (struct block *next; blocks; blocks = next) {
    next = blocks->next;
    free(blocks);
  }
  free(text);
  return 0;
}
