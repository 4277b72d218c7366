/* One fault of the four-state suite: two states must not show it, four states must name it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: faults-four-state --names | NAME | none | none-coder
 * Runs in the root of the tree. NAME is planted in a copy of the RTL; in a small fabric, decoupled
 * and in closed loop, the copy agrees with the model on Verilator, and Icarus finds the divergence
 * that the list names, in both modes at the same place. Switches of faults in the XOR coder have one. `none`,
 * `none-coder`: the RTL as it is agrees on both.
 * tests/faults/four_state/run.sh runs all; docs/backends.md says what the list means.
 */
#include "../../../bridge/backends/backend.h"
#include "../../unit/lib/switch_set.h"
#include "../plant.h"
#include "../rig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define DIRECTORY "build/faults-four-state"
enum { SEED = 1 };

/* Three virtual channels: an index can be out of range. */
static const struct rig k_rig = {
    .name = "square",
    .about = "2x2 mesh, 3 VCs",
    .sw = SWITCH_SET(5, 3, 16, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0),
    .link_cycles = 1,
    .mesh = {2, 2},
    .routing = HD_ROUTE_DIMENSION_ORDER,
    .longest_flits = 6,
};

/* The number of places is no power of two, so a place's number can be out of range. */
static const struct rig k_coder_rig = {
    .name = "coders",
    .about = "2x2 mesh, 3 VCs, XOR coders of 5 places",
    .sw = {.ports = 5,
           .vcs = 3,
           .data_bits = 16,
           .depth_flits = 4,
           .nodes = 4,
           .route_cycles = 1,
           .arb_cycles = 1,
           .code_places = 5,
           .code_cycles = 1},
    .link_cycles = 1,
    .mesh = {2, 2},
    .routing = HD_ROUTE_DIMENSION_ORDER,
    .longest_flits = 6,
};

static int try_rtl(const struct rig *rig, const char *backend_name, const char *rtl,
                   struct finding *finding, struct hd_error *err)
{
  struct hd_backend_options options = {
      .rtl_dir = rtl, .cache_dir = DIRECTORY "/dut", .quick = true};
  struct hd_backend backend;
  int status = hd_backend_open(&backend, backend_name, &rig->sw, &options, err);
  if (status)
    return status;
  *finding = (struct finding){0};
  status = fabric_try(rig, backend.ops, "", SEED, finding, err);
  hd_backend_close(&backend);
  return status;
}

static const char *name_of(const struct place *place)
{
  return place->difference ? place->name : "nothing";
}

static int fail(const char *name, const char *what, const char *text)
{
  printf("not ok %-24s %s: %s\n", name, what, text);
  return 1;
}

/* Tries a directory of RTL; `expected` is the name of the divergence on Icarus, "nothing" for sound
 * RTL. */
static int judge(const struct rig *rig, const char *name, const char *rtl, const char *expected,
                 const char *what)
{
  struct finding two, four;
  struct hd_error err = {""};
  if (try_rtl(rig, "verilator", rtl, &two, &err))
    return fail(name, "Verilator", err.text);
  if (two.decoupled.difference || two.closed.difference)
    return fail(name, "Verilator finds it, too", name_of(&two.decoupled));
  if (!two.compared)
    return fail(name, "Verilator", "nothing was compared");
  if (try_rtl(rig, "icarus", rtl, &four, &err))
    return fail(name, "Icarus", err.text);
  if (strcmp(name_of(&four.decoupled), expected) != 0)
    return fail(name, "Icarus names it", name_of(&four.decoupled));
  if (strcmp(name_of(&four.closed), expected) != 0 || four.closed.cycle != four.decoupled.cycle ||
      four.closed.sw != four.decoupled.sw)
    return fail(name, "in closed loop Icarus names it elsewhere", name_of(&four.closed));
  printf("ok %-24s two-state: %" PRIu64 " events agree; four-state: %s, cycle %" PRIu64
         ", switch %" PRIu32 "  %s\n",
         name, two.compared, expected, four.decoupled.cycle, four.decoupled.sw, what);
  return 0;
}

int main(int argc, char **argv)
{
  struct fault_list list = {0};
  struct hd_error err = {""};
  char copy[1024];
  int result = 2;
  if (argc != 2) {
    fputs("usage: faults-four-state --names | NAME | none | none-coder\n", stderr);
    return 2;
  }
  if (!strcmp(argv[1], "none"))
    return judge(&k_rig, "none", "rtl", "nothing", "the RTL as it is");
  if (!strcmp(argv[1], "none-coder"))
    return judge(&k_coder_rig, "none-coder", "rtl", "nothing", "the RTL as it is");
  int status = fault_list_read(&list, "tests/faults/four_state/faults.txt", &err);
  for (size_t i = 0; !status && i < list.n; i++) {
    const struct fault *fault = &list.faults[i];
    char expected[40];
    snprintf(expected, sizeof expected, "%s", fault->rig);
    for (char *dash = expected; (dash = strchr(dash, '_'));)
      *dash = ' ';
    if (!strcmp(argv[1], "--names")) {
      puts(fault->name);
      result = 0;
    } else if (!strcmp(argv[1], fault->name)) {
      snprintf(copy, sizeof copy, DIRECTORY "/rtl/%s", fault->name);
      mkdir("build", 0777);
      mkdir(DIRECTORY, 0777);
      mkdir(DIRECTORY "/rtl", 0777);
      status = fault_plant(fault, "rtl", copy, &err);
      const struct rig *rig = strncmp(fault->file, "hd_code", 7) ? &k_rig : &k_coder_rig;
      result = status ? 2 : judge(rig, fault->name, copy, expected, fault->what);
    }
  }
  if (status)
    return fail(argv[1], "the list", err.text);
  fault_list_fini(&list);
  if (result == 2)
    fprintf(stderr, "no fault is called %s\n", argv[1]);
  return result;
}
