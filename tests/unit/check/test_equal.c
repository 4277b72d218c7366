/* Changed modules are found in the text. They are proved equal to the original's modules only if they are equal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/planted_rtl.h"
#include "../lib/test.h"

#include "../../../bridge/host/file.h"
#include "../../../bridge/check/equal/equal.h"

CLEANUP_OF(struct hd_equal, hd_equal_close)

static char changed[64], work[4200]; /* of this process */

static struct hd_equal *open_planted(const char *file, const char *from, const char *to)
{
  struct hd_equal *equal = NULL;
  plant_rtl(changed, file, from, to);
  must(hd_equal_open(&equal, "rtl", changed, "hd_switch", &why));
  return equal;
}

static struct hd_equal_outcome proof(struct hd_equal *equal, const char *module,
                                     const char *parameters, bool flatten)
{
  struct hd_equal_outcome outcome;
  must(hd_equal_prove(equal, module, parameters, flatten, work, 20, &outcome, &why));
  return outcome;
}

/* The proof must leave this wire of the module open. If `line` is not 0, the wire is at that line of the file. */
static void assert_open(const struct hd_equal_outcome *o, const char *wire, const char *file)
{
  if (o->status != HD_EQUAL_OPEN)
    fail_msg("%s: %s", hd_equal_status_name(o->status), o->why);
  assert_int_equal(o->n_wires, 1);
  assert_string_equal(o->wires[0].wire, wire);
  assert_string_equal(o->wires[0].file, file);
}

static void assert_proved(const struct hd_equal_outcome *o)
{
  if (o->status != HD_EQUAL_PROVED)
    fail_msg("%s: %s %s", hd_equal_status_name(o->status), o->why,
             o->n_wires ? o->wires[0].wire : "");
  assert_true(o->pairs > 0);
}

/* ── which modules ─────────────────────────────────────────────────────────── */

TEST(changed_comments_and_properties_do_not_count_as_a_change)
{
  static const char *const edits[][3] = {
      {"hd_rr_arbiter.v", "module hd_rr_arbiter #(", "/* a\nb */ module   hd_rr_arbiter\n# ( // c"},
      {"hd_rr_arbiter.v", "`ifdef FORMAL\n", "`ifdef FORMAL\n  reg f_other;\n"},
      {"hd_link.v", "module hd_link", "wire w; module hd_link"}, /* the switch does not use it */
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    CLEANUP(hd_equal_close_at)
    struct hd_equal *equal = open_planted(edits[i][0], edits[i][1], edits[i][2]);
    assert_int_equal(hd_equal_modules(equal), 0);
    assert_null(hd_equal_forbidden(equal));
  }
}

TEST(blanks_that_split_or_join_tokens_count_as_a_change)
{
  struct hd_equal *equal =
      open_planted("hd_rr_arbiter.v", "pick_o = req_i & ~beaten", "pick_o = req_i && ~beaten");
  assert_int_equal(hd_equal_modules(equal), 1);
  hd_equal_close(equal);
  equal = open_planted("hd_rr_arbiter.v", "pick_o = req_i & ~beaten", "pick_o = req_i & & ~beaten");
  assert_int_equal(hd_equal_modules(equal), 1);
  hd_equal_close(equal);
}

/* With such a value of a parameter the changed RTL may behave differently, and perhaps no proof has this value. */
TEST(numbers_newly_compared_with_a_parameter_are_listed)
{
  struct hd_equal_number numbers[8];
  struct hd_equal *equal = open_planted("hd_output_port.v", "count > 1",
                                        "(VCS == 6 && DEPTH % 8 != 5) ? count > 3'd5 : count > 1");
  const uint32_t n = hd_equal_numbers(equal, 0, numbers, 8);
  bool six = false, five = false;
  for (uint32_t i = 0; i < n; i++) {
    six |= !strcmp(numbers[i].name, "VCS") && numbers[i].number == 6;
    five |= !strcmp(numbers[i].name, "DEPTH") && numbers[i].number == 5;
  }
  assert_true(six && five);
  assert_int_equal(hd_equal_numbers(equal, 0, numbers, 1), 1);
  hd_equal_close(equal);
  equal = open_planted("hd_output_port.v", "count > 1", "1 < count");
  assert_int_equal(hd_equal_modules(equal), 1);
  assert_int_equal(hd_equal_numbers(equal, 0, numbers, 8), 0);
  hd_equal_close(equal);
}

/* The numbers that a change lists, as "NAME NUMBER, …"; one that is only beside a number is in brackets. */
static void list_numbers(const char *file, const char *from, const char *to, struct hd_text *text)
{
  struct hd_equal_number numbers[64];
  struct hd_equal *equal = open_planted(file, from, to);
  const uint32_t n = hd_equal_numbers(equal, 0, numbers, 64);
  hd_text_fini(text);
  for (uint32_t i = 0; i < n; i++)
    hd_text_add(text, "%s%s%s %u%s", i ? ", " : "", numbers[i].beside ? "(" : "", numbers[i].name,
                numbers[i].number, numbers[i].beside ? ")" : "");
  hd_equal_close(equal);
}

/* `VCS < 3` does another thing than `VCS < 2` where VCS is 2, and PACKET_VCS is computed from VCS and BARRIER. */
TEST(numbers_reach_parameters_and_what_is_beside_them)
{
  static const char before[] = "(PACKET_VCS < 2) || (up == higher)";
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  list_numbers("hd_route_compute.v", before, "(PACKET_VCS < 3) || (up == higher)", &text);
  static const char *const reached[] = {"PACKET_VCS 3", "VCS 3", "BARRIER 3", "(VCS 4)", "VCS 2"};
  for (size_t i = 0; i < sizeof reached / sizeof *reached; i++)
    assert_non_null(strstr(hd_text_chars(&text), reached[i]));
  list_numbers("hd_route_compute.v", before, "(PACKET_VCS <= 2) || (up == higher)", &text);
  assert_non_null(strstr(hd_text_chars(&text), ", VCS 2"));
  assert_non_null(strstr(hd_text_chars(&text), "(VCS 3)"));
  list_numbers("hd_route_compute.v", before, "(up == higher)", &text); /* a case is left out */
  assert_non_null(strstr(hd_text_chars(&text), ", VCS 2"));
  list_numbers("hd_route_compute.v", before, "(2 > PACKET_VCS) || (up == higher)", &text);
  assert_null(strstr(hd_text_chars(&text), "VCS"));
}

/* A new module is compared inside the one that uses it. */
TEST(numbers_in_a_new_module_are_listed_for_the_module_that_uses_it)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  list_numbers("hd_output_port.v", "endmodule",
               "hd_extra #(.VCS(VCS)) extra ();\nendmodule\n"
               "module hd_extra #(parameter VCS = 2) ();\n  wire six = VCS == 6;\nendmodule",
               &text);
  assert_non_null(strstr(hd_text_chars(&text), "VCS 6"));
}

TEST(a_module_with_changed_ports_is_compared_through_its_user)
{
  CLEANUP(hd_equal_close_at)
  struct hd_equal *equal = open_planted("hd_crossbar.v", "output reg  [      WIDTH-1:0] lane_o",
                                        "output reg [WIDTH-1:0] lane_o, output wire spare_o");
  assert_int_equal(hd_equal_modules(equal), 1);
  assert_string_equal(hd_equal_module(equal, 0), "hd_output_port");
  assert_null(hd_equal_module(equal, 1));
  /* black boxes with other ports do not match; a proof with the submodule inside does */
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "PORTS=3 DATA_W=2 DEPTH=1", true);
  assert_proved(&o);
}

TEST(text_that_simulation_and_synthesis_read_differently_is_not_proved)
{
  static const char *const edits[] = {
      "\n`ifdef VERILATOR\npick_o = NOBODY;\n`else\npick_o = req_i & ~beaten;\n`endif\n",
      "// synthesis translate_off\npick_o = NOBODY;\n// synthesis translate_on\npick_o = req_i & "
      "~beaten;",
      "pick_o = (beaten == 0) ? 1'bx : req_i & ~beaten;",
      "(* full_case *) pick_o = req_i & ~beaten;",
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    CLEANUP(hd_equal_close_at)
    struct hd_equal *equal = open_planted("hd_rr_arbiter.v", "pick_o = req_i & ~beaten;", edits[i]);
    assert_non_null(hd_equal_forbidden(equal));
    struct hd_equal_outcome o = proof(equal, "hd_rr_arbiter", "N=3", false);
    assert_int_equal(o.status, HD_EQUAL_UNFIT);
    assert_string_equal(o.why, hd_equal_forbidden(equal));
  }
}

/* ── proofs ────────────────────────────────────────────────────────────────── */

TEST(a_module_rewritten_with_the_same_function_is_proved_equal)
{
  struct hd_equal *equal =
      open_planted("hd_output_port.v", "grant_o[g] && (starts_i[g] != tail_i[g])",
                   "starts_i[g] ? grant_o[g] && !tail_i[g] : grant_o[g] && tail_i[g]");
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "PORTS=16 VCS=8 VC_W=3", false);
  assert_proved(&o);
  o = proof(equal, "hd_output_port", "PORTS=3 DATA_W=2", true);
  assert_proved(&o);
  hd_equal_close(equal);
}

/* Yosys accepts such characters in few places. Original and changed RTL may be in any directory. */
TEST(original_and_changed_directory_may_have_any_name)
{
  static const char *const names[] = {"/tmp/heddle-\xc3\xa4-", "/tmp/heddle #\";$-",
                                      "/tmp/heddle % -"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char original[96], other[96], files[96];
    CLEANUP(hd_equal_close_at) struct hd_equal *equal = NULL;
    snprintf(original, sizeof original, "%s%d", names[i], (int)getpid());
    snprintf(other, sizeof other, "%s%d-changed", names[i], (int)getpid());
    snprintf(files, sizeof files, "%s%d-proof", names[i], (int)getpid());
    plant_rtl(changed, "hd_rr_arbiter.v", "module hd_rr_arbiter #(",
              "`include \"nothing.vh\"\nmodule hd_rr_arbiter #(");
    assert_int_equal(rename(changed, original), 0);
    plant_rtl(changed, "hd_rr_arbiter.v", "module hd_rr_arbiter #(",
              "`include \"nothing.vh\"\nmodule hd_rr_arbiter #(");
    assert_int_equal(rename(changed, other), 0);
    for (int side = 0; side < 2; side++) {
      char path[128];
      snprintf(path, sizeof path, "%s/nothing.vh", side ? other : original);
      must(hd_file_write(path, "\n", 1, &why));
    }
    must(hd_equal_open(&equal, original, other, "hd_switch", &why));
    struct hd_equal_outcome o;
    must(hd_equal_prove(equal, "hd_rr_arbiter", "N=3", false, files, 20, &o, &why));
    assert_proved(&o);
    hd_tree_remove(original, NULL);
    hd_tree_remove(other, NULL);
  }
}

TEST(a_register_with_a_changed_next_state_is_named)
{
  CLEANUP(hd_equal_close_at)
  struct hd_equal *equal = open_planted("hd_rr_arbiter.v", "from_q <= from_q ^ turned;",
                                        "from_q <= (from_q ^ turned) | pick_o[N-1:0];");
  struct hd_equal_outcome o = proof(equal, "hd_rr_arbiter", "N=5", false);
  assert_open(&o, "from_q", "hd_rr_arbiter.v");
  assert_true(o.wires[0].line > 20);
  assert_string_equal(o.wires[0].module, "hd_rr_arbiter");
  assert_string_equal(o.wires[0].parameters, "N=5");
}

TEST(a_register_whose_reset_was_removed_is_named)
{
  struct hd_equal *equal = open_planted(
      "hd_config.v", "if (rst) rdata_o <= 16'd0;\n    else if (read_i)", "if (read_i)");
  struct hd_equal_outcome o = proof(equal, "hd_config", "", false);
  assert_open(&o, "rdata_o", "hd_config.v");
  hd_equal_close(equal);
}

TEST(a_changed_input_of_a_black_box_is_named)
{
  struct hd_equal *equal =
      open_planted("hd_output_port.v", ".advance_i(granted),\n      .set_i(1'b1)",
                   ".advance_i(granted && (data_o != {DATA_W{1'b1}})), .set_i(1'b1)");
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "DATA_W=64", false);
  assert_open(&o, "u_arbiter.advance_i", "hd_output_port.v");
  hd_equal_close(equal);
}

/* A proof compares where the outputs of a black box lead. They count neither as undriven nor as always equal. */
TEST(changed_wiring_of_a_black_box_output_is_not_proved_equal)
{
  static const char *const edits[] = {".pick_o({grant_o[0], grant_o[PORTS-1:1]})", ".pick_o()"};
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    CLEANUP(hd_equal_close_at)
    struct hd_equal *equal = open_planted("hd_output_port.v", ".pick_o(grant_o)", edits[i]);
    struct hd_equal_outcome o = proof(equal, "hd_output_port", "DATA_W=64", false);
    assert_int_equal(o.status, HD_EQUAL_OPEN);
  }
}

TEST(a_black_box_with_other_parameters_is_not_proved_equal)
{
  CLEANUP(hd_equal_close_at)
  struct hd_equal *equal =
      open_planted("hd_output_port.v", ".N(VCS),", ".N((VCS == 8) ? 7 : VCS),");
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "VCS=2", false);
  assert_proved(&o);
  o = proof(equal, "hd_output_port", "VCS=8 VC_W=3 DATA_W=2", false);
  assert_int_not_equal(o.status, HD_EQUAL_PROVED);
}

/* The proof stays open. The two texts differ only when an input that starts a packet owns a channel, which never
 * happens, but the module alone does not show that. */
TEST(a_difference_in_unreachable_states_leaves_the_proof_open)
{
  struct hd_equal *equal = open_planted(
      "hd_output_port.v", "owned_q <= owned_q ^ turned;",
      "owned_q <= ((grant_o & starts_i) != NOBODY) ? owned_q | turned : owned_q ^ turned;");
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "", false);
  assert_open(&o, "owned_q", "hd_output_port.v");
  hd_equal_close(equal);
}

TEST(a_proof_holds_only_for_its_parameters)
{
  CLEANUP(hd_equal_close_at)
  struct hd_equal *equal =
      open_planted("hd_vc_buffer.v", "reg [FILL_W-1:0] fill_q;",
                   "reg [((DEPTH == 64) ? FILL_W - 2 : FILL_W - 1):0] fill_q;");
  struct hd_equal_outcome o = proof(equal, "hd_vc_buffer", "WIDTH=3 DEPTH=5", false);
  assert_proved(&o);
  o = proof(equal, "hd_vc_buffer", "WIDTH=3 DEPTH=64", false);
  assert_int_equal(o.status, HD_EQUAL_OPEN);
}

TEST(a_changed_initial_value_is_named)
{
  struct hd_equal *equal =
      open_planted("hd_route_table.v", "mem[i] = {ENTRY_W{1'b0}}", "mem[i] = {ENTRY_W{1'b1}}");
  struct hd_equal_outcome o = proof(equal, "hd_route_table", "NODES=4", false);
  assert_int_equal(o.status, HD_EQUAL_OPEN);
  assert_int_equal(o.n_wires, 4);
  assert_string_equal(o.wires[0].wire, "mem[0]");
  hd_equal_close(equal);
}

TEST(an_output_without_a_driver_is_not_proved_equal)
{
  struct hd_equal *equal =
      open_planted("hd_output_port.v", "assign busy_o = valid_o", "wire unused_busy = valid_o");
  struct hd_equal_outcome o = proof(equal, "hd_output_port", "", false);
  assert_open(&o, "busy_o", "hd_output_port.v");
  hd_equal_close(equal);
}

TEST(a_module_with_other_ports_is_not_compared_and_the_reason_is_given)
{
  struct hd_equal *equal = open_planted("hd_switch.v", "output reg                     quiescent_o",
                                        "output reg idle_o");
  struct hd_equal_outcome o = proof(equal, "hd_switch", "PORTS=2 VCS=1 NODES=2", false);
  assert_int_equal(o.status, HD_EQUAL_UNFIT);
  assert_true(*o.why);
  o = proof(equal, "hd_nothing", "", false);
  assert_int_equal(o.status, HD_EQUAL_UNFIT);
  hd_equal_close(equal);
}

/* ── parameter sets ────────────────────────────────────────────────────────── */

TEST(the_list_of_parameter_sets_is_read_and_checked)
{
  struct hd_equal_sets sets;
  must(hd_equal_sets_read(&sets, "tb/instances.txt", &why));
  assert_true(sets.n > 100);
  for (uint32_t i = 0; i < sets.n; i++)
    assert_non_null(strstr(sets.list[i].holders[0], "CODE_CYCLES="));
  hd_equal_sets_fini(&sets);
  static const char *const wrong[] = {
      "hd_x | N=1; shell ls",         "hd_x | N", "| N=1", "hd_x | N=1 =2", "hd_x | N=1 | P",
      "hd_x | N=1 | P=1 | P=2 | P=3", "hd_x N=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    must(hd_file_write(work, wrong[i], strlen(wrong[i]), &why));
    assert_int_equal(hd_equal_sets_read(&sets, work, &why), HD_E_INPUT);
  }
  assert_int_equal(unlink(work), 0);
}

static int setup(void **state)
{
  (void)state;
  char here[4000];
  snprintf(changed, sizeof changed, "build/equal-rtl-%d", (int)getpid());
  return !getcwd(here, sizeof here) ||
         snprintf(work, sizeof work, "%s/build/equal-proof-%d", here, (int)getpid()) < 0;
}

static int teardown(void **state)
{
  (void)state;
  static const char *const endings[] = {".ys", ".log"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char path[4300];
    snprintf(path, sizeof path, "%s%s", work, endings[i]);
    unlink(path);
  }
  return hd_tree_remove(changed, NULL);
}

int main(void)
{
  return tests_run(setup, teardown);
}
