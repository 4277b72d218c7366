/* Each topology of the list with each routing of the list, through scenarios.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A new topology or routing is picked up by itself: its example is built, and routed by all that fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../bridge/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  fputs("s0,s1\ns1,s2\ns2,s3\ns3,s4\ns4,s0\nn0,s0\nn1,s1\nn2,s2\nn3,s3\nn4,s4\n", f);
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

static void must(int status, const struct hd_error *err)
{
  if (status)
    print_error("%s\n", err->text);
  assert_int_equal(status, 0);
}

static void every_topology_is_routed_by_all_that_fit(void **state)
{
  (void)state;
  unsigned built = 0, refused = 0;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++)
    for (unsigned r = 0; r < HD_ROUTINGS; r++) {
      struct hd_scenario s;
      struct hd_topology t;
      struct hd_tables tables;
      struct hd_error err = {""};
      char routing[128];
      snprintf(routing, sizeof routing, "algorithm: %s", hd_routings[r]->name);
      int status = read_pair(&s, k, routing, &err);
      if (!hd_routing_fits(r, k)) {
        assert_int_equal(status, HD_E_INPUT);
        assert_non_null(strstr(err.text, "routing.algorithm: "));
        assert_non_null(strstr(err.text, hd_routings[r]->name));
        refused++;
      } else {
        must(status, &err);
        status = hd_scenario_build(&s, &t, &tables, &err);
        if (status && r != hd_routing_default(k)) { /* the default must not deadlock */
          assert_non_null(strstr(err.text, "can deadlock"));
          s.routing.deadlock_check = false;
          status = hd_scenario_build(&s, &t, &tables, &err);
        }
        must(status, &err);
        assert_int_equal(t.kind, k);
        must(hd_topology_check(&t, &err), &err);
        assert_int_equal(hd_routings[r]->by_source, tables.source != NULL);
        hd_tables_fini(&tables);
        hd_topology_fini(&t);
        built++;
      }
      hd_scenario_fini(&s);
    }
  printf("%u pairs built, %u refused\n", built, refused);
  assert_true(built >= HD_TOPOLOGIES && refused > 0);
}

static void the_default_is_the_first_that_fits_and_is_free(void **state)
{
  (void)state;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    struct hd_scenario s;
    struct hd_error err = {""};
    must(read_pair(&s, k, "", &err), &err);
    unsigned first = 0;
    while (!hd_routing_fits(first, k))
      first++;
    assert_int_equal(s.routing.algorithm, first);
    hd_scenario_fini(&s);
  }
}

/* A shape says what was built: two different shapes, two different texts, none of them empty. */
static void every_topology_describes_its_shape(void **state)
{
  (void)state;
  char seen[HD_TOPOLOGIES][256];
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++) {
    struct hd_scenario s;
    struct hd_error err = {""};
    must(read_pair(&s, k, "", &err), &err);
    hd_topologies[k]->describe(&s.fabric.shape, seen[k], sizeof seen[k]);
    assert_true(*seen[k]);
    for (unsigned other = 0; other < k; other++)
      assert_string_not_equal(seen[k], seen[other]);
    char small[4];
    hd_topologies[k]->describe(&s.fabric.shape, small, sizeof small);
    assert_memory_equal(small, seen[k], sizeof small - 1);
    hd_scenario_fini(&s);
  }
}

static void every_section_is_in_the_specification(void **state)
{
  (void)state;
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_topology_is_routed_by_all_that_fit),
      cmocka_unit_test(the_default_is_the_first_that_fits_and_is_free),
      cmocka_unit_test(every_topology_describes_its_shape),
      cmocka_unit_test(every_section_is_in_the_specification),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
