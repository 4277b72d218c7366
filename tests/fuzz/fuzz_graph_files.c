/* Fuzzes the readers of other tools' graph files: any bytes give a consistent fabric, or an error that names the file.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only parsers of Heddle's own are reached: igraph and cgraph are shared objects, which are not beside a harness.
 */
#include "../../bridge/graphs/graphs.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_topology t;
  struct hd_error err = {""};
  struct hd_text csv = {0};
  char *chars = exact_copy(data, size);
  struct hd_topology_text text = {chars, "f", size};
  int status = hd_graph_as_csv(&text, &csv, &err);
  if (status) {
    require(!csv.chars && !strncmp(err.text, "f:", 2) && strlen(err.text) > 8);
    require(status == HD_E_INPUT || status == HD_E_TOOL);
  } else if (csv.chars) {
    text = (struct hd_topology_text){csv.chars, "csv", csv.length};
    /* Whether all is connected and numbers leave no gaps is for the graph to say; the lines themselves are right. */
    status = hd_topology_graph(&t, text.chars, text.length, text.name, &err);
    require(status == 0 || status == HD_E_INPUT);
    if (!status)
      hd_topology_fini(&t);
  }
  hd_text_fini(&csv);
  free(chars);
  return 0;
}
