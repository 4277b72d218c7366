/* Computed routes of the RTL are those of the tables, for all switches and destinations of small fabrics (§12.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The registers are those that a fabric's switches are given, the tables those that cmodel/routing fills. Icarus Verilog
 * plays rtl/hd_route_compute.v (computed_rtl.v).
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/text.h"
#include "../../../bridge/host/tool_run.h"
#include "../lib/routing_fabric.h"
#include "../lib/test.h"

static const struct {
  const char *what;
  enum hd_topology_kind kind;
  struct hd_topology_shape shape;
  enum hd_routing_kind routing;
  uint32_t vcs, barrier;
} fabrics[] = {
#define MESH(...)                                                                              \
  HD_TOPO_MESH, {.dims = {__VA_ARGS__}, .n_dims = sizeof((int[]){__VA_ARGS__}) / sizeof(int)}, \
      HD_ROUTE_DIMENSION_ORDER
#define TORUS(...)                                                                              \
  HD_TOPO_TORUS, {.dims = {__VA_ARGS__}, .n_dims = sizeof((int[]){__VA_ARGS__}) / sizeof(int)}, \
      HD_ROUTE_MINIMAL
    {"2x2 mesh", MESH(2, 2), 1, HD_BARRIER_NONE},
    {"16x16 mesh", MESH(16, 16), 2, HD_BARRIER_NONE},
    {"4x8x5 mesh", MESH(4, 8, 5), 3, HD_BARRIER_RESERVED},
    {"row of 11", MESH(11), 2, HD_BARRIER_NONE},
    {"16x16 torus", TORUS(16, 16), 2, HD_BARRIER_NONE},
    {"8x2x6 torus", TORUS(8, 2, 6), 5, HD_BARRIER_NONE},
    {"ring of 7", TORUS(7), 4, HD_BARRIER_RESERVED},
    {"ring of 128", TORUS(128), 3, HD_BARRIER_NONE},
    {"4x8 torus of one channel", TORUS(4, 8), 1, HD_BARRIER_NONE},
#undef MESH
#undef TORUS
    {"hypercube of 256", HD_TOPO_HYPERCUBE, {.n = 8}, HD_ROUTE_MINIMAL, 2, HD_BARRIER_NONE},
    {"4-ary 4-tree", HD_TOPO_TREE, {.k = 4, .n = 4}, HD_ROUTE_D_MOD_K, 2, HD_BARRIER_NONE},
    {"2-ary 6-tree", HD_TOPO_TREE, {.k = 2, .n = 6}, HD_ROUTE_S_MOD_K, 2, HD_BARRIER_NONE},
    {"8-ary 2-tree", HD_TOPO_TREE, {.k = 8, .n = 2}, HD_ROUTE_S_MOD_K, 1, HD_BARRIER_NONE},
    {"extended 4-ary 3-tree",
     HD_TOPO_EXTENDED_TREE,
     {.k = 4, .n = 3},
     HD_ROUTE_D_MOD_K,
     2,
     HD_BARRIER_NONE},
    {"extended 2-ary 4-tree",
     HD_TOPO_EXTENDED_TREE,
     {.k = 2, .n = 4},
     HD_ROUTE_S_MOD_K,
     2,
     HD_BARRIER_NONE},
    {"FatTree of 8 pods", HD_TOPO_FAT_TREE, {.pods = 8}, HD_ROUTE_MINIMAL, 2, HD_BARRIER_NONE},
    {"FatTree of 8 pods, fewer nodes",
     HD_TOPO_FAT_TREE,
     {.pods = 8, .edge_nodes = 2},
     HD_ROUTE_MINIMAL,
     2,
     HD_BARRIER_NONE},
    {"folded 4-ary 4-butterfly",
     HD_TOPO_FOLDED_BUTTERFLY,
     {.k = 4, .n = 4},
     HD_ROUTE_MINIMAL,
     2,
     HD_BARRIER_NONE},
    {"omega of 256", HD_TOPO_OMEGA, {.k = 4, .n = 4}, HD_ROUTE_MINIMAL, 2, HD_BARRIER_NONE},
    {"butterfly of 64", HD_TOPO_BUTTERFLY, {.k = 2, .n = 6}, HD_ROUTE_MINIMAL, 2, HD_BARRIER_NONE},
    {"Clos 4, 8, 6", HD_TOPO_CLOS, {.n = 4, .m = 8, .r = 6}, HD_ROUTE_MINIMAL, 2, HD_BARRIER_NONE},
};
enum { FABRICS = sizeof fabrics / sizeof *fabrics };

/* The registers of switch sw after the manager's writes. */
static void add_registers(struct hd_text *text, const struct hd_tables *computed, uint32_t sw)
{
  uint16_t values[4] = {0};
  struct hd_table_writes walk = {.tables = computed, .sw = sw};
  struct hd_config_event write;
  while (hd_table_writes_next(&walk, &write)) {
    assert_in_range(write.addr, HD_CFG_OWN, HD_CFG_DIGITS);
    values[write.addr - HD_CFG_OWN] = write.data;
  }
  hd_text_add(text, "r %x %x %x %x\n", values[0], values[1], values[2], values[3]);
}

/* Finds the table entry that routes a packet, at any input port. Returns false if no input port has an entry. */
static bool add_packet(struct hd_text *text, const struct fabric *f, uint32_t sw, uint32_t source,
                       uint32_t destination)
{
  const uint32_t bits = hd_log2_ceil(f->t.n_nodes);
  uint16_t entry = 0;
  for (uint32_t port = 0; port < f->t.ports; port++) {
    const struct hd_peer at = {.index = (uint16_t)sw, .port = (uint8_t)port};
    const uint16_t here = hd_routing_entry(&f->tables, &at, source, destination);
    if (!(here >> 12 & 1))
      continue;
    if (entry)
      assert_int_equal(here, entry);
    entry = here;
  }
  if (entry)
    hd_text_add(text, "p %llx %x %x\n",
                (unsigned long long)hd_routing_header(f->tables.header_mode, f->tables.draws, &f->t,
                                                      bits, source, destination, 0),
                entry & 15, entry >> 4 & ((1u << f->tables.packet_vcs) - 1)); /* §7.7 */
  return entry != 0;
}

static void add_switch(struct hd_text *text, const struct fabric *f, uint32_t sw)
{
  const uint32_t n = f->t.n_nodes, bits = hd_log2_ceil(n);
  for (uint32_t node = 0; node < n; node++) {
    uint32_t i =
        0; /* only packets that come from below go up, and packets of some sources never come here */
    while (i < n && !add_packet(text, f, sw, (node * 7 + 3 + i) % n, node))
      i++;
    assert_true(i < n);
    if (f->tables.header_mode == 1)
      add_packet(text, f, sw, node, (node * 5 + 1) % n);
  }
  for (uint32_t node = n; node < 1u << bits; node++) /* none */
    hd_text_add(text, "p %x 0 0\n", node << 2);
}

/* Runs the file in Icarus. Returns the last line that it prints. */
static void play(const char *directory, const struct hd_switch_params *sw, char *line, size_t size)
{
  char command[2048];
  snprintf(command, sizeof command,
           "iverilog -g2005 -Wall -s computed_rtl -Pcomputed_rtl.PORTS=%u "
           "-Pcomputed_rtl.VCS=%u "
           "-Pcomputed_rtl.NODES=%u -Pcomputed_rtl.ROUTE=%u -Pcomputed_rtl.FIELDS=%u "
           "-Pcomputed_rtl.SOURCE_TABLE=%u -Pcomputed_rtl.BARRIER=%u -o %s/vvp "
           "tests/unit/backends/computed_rtl.v rtl/hd_route_compute.v && vvp -n %s/vvp "
           "+routes=%s/routes",
           sw->ports, sw->vcs, sw->nodes, sw->route, sw->fields, sw->source_table, sw->barrier,
           directory, directory, directory);
  FILE *answers = popen(command, "r"); /* the directory's name has no blanks */
  assert_non_null(answers);
  *line = 0;
  while (fgets(line, (int)size, answers))
    if (strncmp(line, "routes ", 7) != 0)
      print_error("%s", line);
  assert_int_equal(pclose(answers), 0);
}

static void fabric_is_routed_alike(unsigned i, const char *directory)
{
  CLEANUP(fabric_fini) struct fabric f = {0};
  struct hd_switch_params sw = {.vcs = fabrics[i].vcs, .barrier = fabrics[i].barrier};
  must(hd_topology_build(&f.t, fabrics[i].kind, &fabrics[i].shape, NULL, &why));
  const uint32_t reserved = hd_switch_reserved_vcs(&sw);
  must(hd_routing_build(&f.tables, &f.t, fabrics[i].routing, false, sw.vcs, reserved, &why));
  sw.ports = f.t.ports;
  sw.nodes = f.t.n_nodes;
  sw.source_table = f.tables.header_mode == 1;
  const int status = hd_routing_compute(&f.t, fabrics[i].routing, false, &sw, &why);
  if (status)
    print_error("%s: %s\n", fabrics[i].what, why.text);
  assert_int_equal(status, 0);
  CLEANUP(hd_tables_fini) struct hd_tables computed;
  must(hd_routing_by_rule(&computed, &f.t, fabrics[i].routing, false, sw.vcs, reserved, &why));
  computed.computes = true;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  for (uint32_t s = 0; s < f.t.n_switches; s++) {
    add_registers(&text, &computed, s);
    add_switch(&text, &f, s);
  }
  char path[300], line[512];
  unsigned routes = 0, wrong = 1;
  snprintf(path, sizeof path, "%s/routes", directory);
  assert_int_equal(hd_file_write(path, hd_text_chars(&text), text.length, NULL), 0);
  play(directory, &sw, line, sizeof line);
  print_message("%s: %s", fabrics[i].what, line);
  assert_int_equal(sscanf(line, "routes %u, wrong %u", &routes, &wrong), 2);
  assert_int_equal(wrong, 0);
  assert_true(routes >= f.t.n_switches * f.t.n_nodes);
}

TEST(computed_routes_are_those_of_the_tables)
{
  char directory[256];
  if (!hd_tool_installed("iverilog")) {
    print_message("SKIP Icarus Verilog: install the package iverilog\n");
    skip();
  }
  assert_int_equal(hd_directory_temporary("routes", directory, sizeof directory, NULL), 0);
  for (unsigned i = 0; i < FABRICS; i++)
    fabric_is_routed_alike(i, directory);
  hd_tree_remove(directory, NULL);
}
