/* Each topology of the list with each routing of the list, through scenarios.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A new topology or routing is picked up by itself: its example is built, and routed by all that fit.
 */
#include "../../../bridge/report/report_topo.h"
#include "../../../bridge/scenario/scenario.h"
#include "../lib/test.h"

static char directory[] = "/tmp/heddle-test-XXXXXX";

static int make_directory(void **state)
{
  (void)state;
  char path[64];
  if (!mkdtemp(directory))
    return -1;
  snprintf(path, sizeof path, "%s/net.csv", directory);
  FILE *f = fopen(path, "w");
  if (!f)
    return -1;
  fputs(
      "s0:0,s1:0\ns1:1,s2:0\ns2:1,s3:0\ns3:1,s4:0\ns4:1,s0:1\nn0,s0\nn1,s1\nn2,s2\nn3,s3\nn4,s4\n",
      f);
  for (unsigned sw = 0; sw < 5; sw++) { /* tables of a row: none goes on from s4 to s0 */
    fprintf(f, "to,s%u,n%u,2,*\n", sw, sw);
    if (sw)
      fprintf(f, "to,s%u,n0-%u,0,*\n", sw, sw - 1);
    if (sw < 4)
      fprintf(f, "to,s%u,n%u-4,%u,*\n", sw, sw + 1, sw ? 1 : 0);
  }
  return fclose(f);
}

static int remove_directory(void **state)
{
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "%s/net.csv", directory);
  unlink(path);
  return rmdir(directory);
}

static int read_pair(struct hd_scenario *s, unsigned topology, const char *routing,
                     struct hd_error *err)
{
  char text[512], path[64];
  const struct hd_topology_descriptor *d = hd_topologies[topology];
  snprintf(path, sizeof path, "%s/s.yaml", directory);
  snprintf(text, sizeof text,
           "name: a\nfabric: {topology: %s, %s}\nswitch: {data_bits: 64}\n"
           "software: {program: uniform}\nrouting: {%s}\n",
           d->name, d->example, routing);
  return hd_scenario_parse(s, text, strlen(text), path, err);
}

/* No entry is written for inputs that no packet reaches: no link or no valid entry leads there. */
static void assert_same_entries(const struct hd_topology *t, const uint16_t *a, const uint16_t *b,
                                const uint16_t *entries)
{
  assert_int_equal(a != NULL, b != NULL);
  for (size_t i = 0; a && i < (size_t)t->n_switches * t->ports * t->n_nodes; i++)
    if (t->senders[i / t->n_nodes].kind != HD_PEER_NONE && entries[i] >> 12 & 1)
      assert_int_equal(a[i], b[i]);
    else if (a == entries)
      assert_false(t->senders[i / t->n_nodes].kind != HD_PEER_NONE && b[i]);
}

/* A graph file of the fabric and its tables is the same fabric with the same tables. */
static void assert_written_as_read(const struct hd_scenario *s, const struct hd_topology *t,
                                   const struct hd_tables *tables)
{
  struct hd_text text = {0};
  CLEANUP(hd_topology_fini) struct hd_topology u;
  CLEANUP(hd_tables_fini) struct hd_tables again;
  hd_topo_routes(t, tables, s->sw.vcs, &text);
  must(hd_topology_graph(&u, text.chars, text.length, "net.csv", &why));
  must(hd_topology_widen(&u, t->ports, &why));
  must(hd_routing_build(&again, &u, HD_ROUTE_TABLES, false, s->sw.vcs,
                        hd_switch_reserved_vcs(&s->sw), &why));
  assert_memory_equal(t->peers, u.peers, t->n_switches * t->ports * sizeof *t->peers);
  assert_int_equal(tables->header_mode, again.header_mode);
  assert_same_entries(t, tables->destination, again.destination, tables->destination);
  assert_same_entries(t, tables->source, again.source, tables->source);
  assert_same_entries(t, tables->sets, again.sets, tables->destination);
  if (tables->sets)
    assert_int_equal(tables->adapt, again.adapt);
  free(text.chars);
}

TEST(every_topology_is_routed_by_every_routing_that_fits)
{
  unsigned built = 0, refused = 0;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++)
    for (unsigned r = 0; r < HD_ROUTINGS; r++) {
      CLEANUP(hd_scenario_fini) struct hd_scenario s;
      struct hd_topology t;
      struct hd_tables tables;
      char routing[128];
      snprintf(routing, sizeof routing, "algorithm: %s", hd_routings[r]->name);
      int status = read_pair(&s, k, routing, &why);
      if (!hd_routing_fits(r, k)) {
        assert_int_equal(status, HD_E_INPUT);
        assert_non_null(strstr(why.text, "routing.algorithm: "));
        assert_non_null(strstr(why.text, hd_routings[r]->name));
        refused++;
      } else {
        must(status);
        status = hd_scenario_build(&s, &t, &tables, &why);
        if (status && r != hd_routing_default(k)) { /* the default must not deadlock */
          assert_non_null(strstr(why.text, "can deadlock"));
          s.routing.deadlock_check = false;
          status = hd_scenario_build(&s, &t, &tables, &why);
        }
        must(status);
        assert_int_equal(t.kind, k);
        must(hd_topology_check(&t, &why));
        assert_int_equal(hd_routings[r]->by_source, tables.header_mode != 0);
        /* Entries that a rule gives are stored here, so that they can be compared. */
        if (tables.rule) {
          hd_tables_fini(&tables);
          must(hd_routing_build(&tables, &t, r, false, s.sw.vcs, hd_switch_reserved_vcs(&s.sw),
                                &why));
        }
        assert_written_as_read(&s, &t, &tables);
        hd_tables_fini(&tables);
        hd_topology_fini(&t);
        built++;
      }
    }
  printf("%u pairs built, %u refused\n", built, refused);
  assert_true(built >= HD_TOPOLOGIES && refused > 0);
}

TEST(the_default_routing_is_the_first_that_fits_and_is_deadlock_free)
{
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    must(read_pair(&s, k, "", &why));
    unsigned first = 0;
    while (!hd_routing_fits(first, k))
      first++;
    assert_int_equal(s.routing.algorithm, first);
    struct hd_topology t;
    struct hd_tables tables;
    int status = hd_scenario_build(&s, &t, &tables, &why);
    assert_int_equal(s.routing.algorithm, k == HD_TOPO_GRAPH ? HD_ROUTE_TABLES : first);
    if (!status) { /* the example may need more channels */
      hd_tables_fini(&tables);
      hd_topology_fini(&t);
    }
  }
}

/* A shape is described by a text that is not empty. Different shapes have different texts. */
TEST(every_topology_describes_its_shape)
{
  char seen[HD_TOPOLOGIES][256];
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    must(read_pair(&s, k, "", &why));
    hd_topologies[k]->describe(&s.fabric.shape, seen[k], sizeof seen[k]);
    assert_true(*seen[k]);
    for (unsigned other = 0; other < k; other++)
      assert_string_not_equal(seen[k], seen[other]);
    char small[4];
    hd_topologies[k]->describe(&s.fabric.shape, small, sizeof small);
    assert_memory_equal(small, seen[k], sizeof small - 1);
  }
}

TEST(sections_of_topologies_and_routings_are_in_the_specification)
{
  static char spec[1 << 16];
  FILE *f = fopen("docs/spec/5-fabrics.md", "r");
  assert_non_null(f);
  assert_true(fread(spec, 1, sizeof spec - 1, f) > 1000);
  fclose(f);
  for (unsigned i = 0; i < HD_TOPOLOGIES + HD_ROUTINGS; i++) {
    char heading[32];
    snprintf(heading, sizeof heading, "\n## %s ",
             i < HD_TOPOLOGIES ? hd_topologies[i]->section
                               : hd_routings[i - HD_TOPOLOGIES]->section);
    if (!strstr(spec, heading))
      print_error("there is no section%s\n", heading + 3);
    assert_non_null(strstr(spec, heading));
  }
}

int main(void)
{
  return tests_run(make_directory, remove_directory);
}
