/* Bit lanes: tables as C, memories of lanes, netlists that they have not, and many switches in one word.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays random numbers. Needs Yosys.
 * Length: the tests of mutants and of switches share the netlists and switches of those before them.
 */
#define HD_LANES 128
#include "../../../bridge/backends/lanes/lanes_word.h"

#include "../../../bridge/backends/lanes/lanes_prove.h"
#include "../../../bridge/backends/lanes/lanes_netlist.h"
#include "../../../bridge/backends/lanes/lanes_tables.h"
#include "../../../bridge/backends/lanes/lanes_tape.h"
#include "../../../bridge/backends/lanes/lanes_write.h"
#include "../../../bridge/host/file.h"
#include "../lib/columns.h"
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"

#include <unistd.h>

/* All kinds of memories and units in few gates: buffers are memories that are read without a clock. */
static const struct hd_switch_params whole = {.ports = 2,
                                              .vcs = 2,
                                              .data_bits = 32,
                                              .depth_flits = 18,
                                              .nodes = 20,
                                              .route_cycles = 2,
                                              .arb_cycles = 2,
                                              .buffer_cycles = 1,
                                              .cut_flits = 2,
                                              .source_table = 1,
                                              .adaptive = 2,
                                              .barrier = 1,
                                              .groups = 1,
                                              .switches = 20,
                                              .code_places = 4,
                                              .code_cycles = 3};

/* ── tables ────────────────────────────────────────────────────────────────── */

static void every_table_is_right(void **state)
{
  (void)state;
  char directory[256], path[300], command[1024];
  struct hd_text code = {0};
  assert_int_equal(hd_directory_temporary("tables", directory, sizeof directory, NULL), 0);
  hd_text_add(&code, "#include <stdio.h>\n#define HD_LANES 64\n#define Z 0u\n#define O 255u\n");
  hd_lanes_tables(&code);
  hd_text_add(&code, "int main(void)\n{\n");
  for (unsigned table = 0; table < 256; table++)
    hd_text_add(&code, "  printf(\"%%u\\n\", L%02x(0xaau, 0xccu, 0xf0u) & 255u);\n", table);
  hd_text_add(&code, "}\n");
  snprintf(path, sizeof path, "%s/tables.c", directory);
  assert_int_equal(hd_file_write(path, hd_text_chars(&code), code.length, NULL), 0);
  snprintf(command, sizeof command, "gcc -O0 -o %s/tables %s && %s/tables", directory, path,
           directory);
  FILE *answers = popen(command, "r"); /* the directory's name has no blanks */
  assert_non_null(answers);
  for (unsigned table = 0; table < 256; table++) {
    unsigned got = 256;
    assert_int_equal(fscanf(answers, "%u", &got), 1);
    assert_int_equal(got, table);
  }
  assert_int_equal(pclose(answers), 0);
  hd_text_fini(&code);
  hd_tree_remove(directory, NULL);
}

/* ── memories ──────────────────────────────────────────────────────────────── */

enum { WIDTH = 67, ROWS = 20, ADDRESS_BITS = 5, LANES = HD_LANES };

static const struct hd_lane_shape shape = {
    .rows = ROWS, .first_row = 3, .width = WIDTH, .row_bytes = 16};

static void draw(struct dice *dice, hd_word *words, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < HD_LANE_PARTS; k++)
      hd_word_put(&words[i], k,
                  (uint64_t)roll(dice, 1u << 31) << 33 ^ (uint64_t)roll(dice, 1u << 31) << 11 ^
                      roll(dice, 1u << 11));
}

static bool bit(const hd_word *words, unsigned i, unsigned lane)
{
  return hd_word_part(&words[i], lane / 64) >> lane % 64 & 1;
}

static unsigned address_of(const hd_word *address, unsigned lane)
{
  unsigned value = 0;
  for (unsigned i = 0; i < ADDRESS_BITS; i++)
    value |= (unsigned)bit(address, i, lane) << i;
  return value - shape.first_row;
}

/* Random writes and reads, by lanes and as one array a lane has them. */
static void memories_of_lanes_are_independent(void **state)
{
  (void)state;
  static bool plain[LANES][ROWS][WIDTH];
  static unsigned char bytes[LANES * ROWS * 16];
  const struct hd_lane_memory memory = {.bytes = bytes, .lane_bytes = (size_t)ROWS * 16};
  hd_word address[ADDRESS_BITS], other[ADDRESS_BITS], write[WIDTH], enable[WIDTH], data[WIDTH],
      before[WIDTH], lanes[2];
  uint64_t compared = 0;
  struct dice dice = dice_begin("memories_of_lanes_are_independent", "test_lanes");
  draw(&dice, data, WIDTH);
  for (unsigned round = 0; round < 200; round++) {
    draw(&dice, address, ADDRESS_BITS);
    draw(&dice, other, ADDRESS_BITS);
    if (round % 3 == 0)
      memcpy(other, address, sizeof other);
    draw(&dice, write, WIDTH);
    draw(&dice, enable, WIDTH);
    draw(&dice, lanes, 2);
    memcpy(before, data, sizeof before);
    hd_lane_read(&memory, &shape, address, ADDRESS_BITS, lanes[0], data);
    if (round % 2)
      hd_lane_forward(address, other, ADDRESS_BITS, lanes[0], write, enable, WIDTH, data);
    hd_lane_write(&memory, &shape, other, ADDRESS_BITS, write, enable, lanes[1]);
    for (unsigned l = 0; l < LANES; l++)
      for (unsigned i = 0; i < WIDTH; i++) {
        const unsigned from = address_of(address, l), to = address_of(other, l);
        bool expected = from < ROWS && plain[l][from][i];
        if (round % 2 && from == to && bit(enable, i, l))
          expected = bit(write, i, l);
        if (!bit(lanes, 0, l))
          expected = bit(before, i, l);
        assert_int_equal(bit(data, i, l), expected);
        compared++;
        if (to < ROWS && bit(enable, i, l) && bit(lanes, 1, l))
          plain[l][to][i] = bit(write, i, l);
      }
  }
  print_message("%" PRIu64 " bits compared\n", compared);
}

/* ── rows and words ────────────────────────────────────────────────────────── */

static void rows_become_columns(void **state)
{
  (void)state;
  struct dice dice = dice_begin("rows_become_columns", "test_lanes");
  check_columns(&dice);
}

/* ── netlists ──────────────────────────────────────────────────────────────── */

/* The JSON of a switch of 2 ports and a channel with `cells`; all outputs are net 9. */
static char *netlist_json(const char *cells)
{
  static const struct {
    const char *name;
    bool in;
    unsigned bits;
  } ports[] = {{"clk", true, 1},          {"rst", true, 1},           {"in_valid_i", true, 2},
               {"in_kind_i", true, 6},    {"in_vc_i", true, 2},       {"in_data_i", true, 32},
               {"in_credit_o", false, 2}, {"out_valid_o", false, 2},  {"out_kind_o", false, 6},
               {"out_vc_o", false, 2},    {"out_data_o", false, 32},  {"out_credit_i", true, 2},
               {"cfg_write_i", true, 1},  {"cfg_read_i", true, 1},    {"cfg_addr_i", true, 20},
               {"cfg_wdata_i", true, 16}, {"cfg_rdata_o", false, 16}, {"quiescent_o", false, 1}};
  struct hd_text text = {0};
  unsigned net = 10;
  hd_text_add(&text, "{\"modules\": {\"hd_switch\": {\"ports\": {");
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
    hd_text_add(&text, "%s\"%s\": {\"direction\": \"%s\", \"bits\": [", i ? "," : "", ports[i].name,
                ports[i].in ? "input" : "output");
    for (unsigned b = 0; b < ports[i].bits; b++)
      hd_text_add(&text, "%s%u", b ? "," : "", !i ? 2 : ports[i].in ? net++ : 9);
    hd_text_add(&text, "]}");
  }
  hd_text_add(&text, "}, \"cells\": {%s}, \"netnames\": {}}}}\n", cells);
  return text.chars;
}

static void refuses(const char *cells, const char *what)
{
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_text code = {0};
  struct hd_error err = {.text = ""};
  char *json = netlist_json(cells);
  int status = hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err);
  if (!status)
    status = hd_lanes_write(&netlist, &params, 8, false, "there", &code, &err);
  assert_int_equal(status, what ? HD_E_INPUT : 0);
  if (what && !strstr(err.text, what))
    fail_msg("no '%s' in: %s", what, err.text);
  hd_netlist_fini(&netlist);
  hd_text_fini(&code);
  free(json);
}

#define LUT(name, a, b, y)                                                                     \
  "\"" name "\": {\"type\": \"$lut\", \"parameters\": {\"LUT\": \"0110\"}, \"connections\": {" \
  "\"A\": [" a ", " b "], \"Y\": [" y "]}}"
#define FLIP_FLOP(type, clock)                                                                 \
  "\"f\": {\"type\": \"" type "\", \"connections\": {\"C\": [" clock "], \"D\": [11], \"Q\": " \
  "[9]}}"

static void what_lanes_have_not_is_named(void **state)
{
  (void)state;
  refuses(FLIP_FLOP("$_DFF_P_", "2"), NULL);
  refuses(FLIP_FLOP("$_DFF_P_", "11"), "another clock than clk");
  refuses(FLIP_FLOP("$_DFF_N_", "2"), "$_DFF_N_");
  refuses(LUT("a", "11", "12", "8") "," LUT("b", "8", "12", "9"), NULL);
  refuses(LUT("a", "11", "9", "8") "," LUT("b", "8", "12", "9"), "depends on itself");
  refuses(LUT("a", "11", "2", "9"), "clk as a value");
  refuses("\"f\": {\"type\": \"$_FF_\", \"connections\": {\"D\": [11], \"Q\": [9]}}", "a latch");
}

/* The lane code of such a netlist, for vectors of eight words. */
static void write_cells(const char *cells, struct hd_text *code)
{
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  char *json = netlist_json(cells);
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", NULL), 0);
  assert_int_equal(hd_lanes_write(&netlist, &params, 8, false, "there", code, NULL), 0);
  hd_netlist_fini(&netlist);
  free(json);
}

#define TWO_FLIP_FLOPS FLIP_FLOP_OF("f", "8", "9") "," FLIP_FLOP_OF("g", "7", "6")
#define FLIP_FLOP_OF(name, d, q)                                                                 \
  "\"" name "\": {\"type\": \"$_DFF_P_\", \"connections\": {\"C\": [2], \"D\": [" d "], \"Q\": " \
  "[" q "]}}"

/* Tables of equal instances are a statement, unless one needs the other; those of others are not. */
static void equal_units_are_worked_on_at_once(void **state)
{
  (void)state;
  static const struct {
    const char *cells;
    bool at_once;
  } netlists[] = {
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].x.$abc$3$4", "13", "14", "7"), true},
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].y.$abc$3$4", "13", "14", "7"), false},
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].x.$abc$3$4", "8", "14", "7"), false},
  };
  for (size_t i = 0; i < sizeof netlists / sizeof *netlists; i++) {
    struct hd_text code = {0}, cells = {0};
    hd_text_add(&cells, "%s,%s", netlists[i].cells, TWO_FLIP_FLOPS);
    write_cells(hd_text_chars(&cells), &code);
    assert_int_equal(strstr(hd_text_chars(&code), "const V p0 = K(66, ") != NULL,
                     netlists[i].at_once);
    assert_int_equal(strstr(hd_text_chars(&code), "const W v0 = L66(") != NULL,
                     !netlists[i].at_once);
    hd_text_fini(&cells);
    hd_text_fini(&code);
  }
}

/* ── mutants ───────────────────────────────────────────────────────────────── */

/* Net 9 is every output and flip-flop "out"; 10 is rst, 11 and 12 are inputs. "dead" is 0 after a reset and for
 * ever, so "gate" is 0, and nobody sees "hidden", which it would let through. */
#define TABLE(name, lut, a, b, y)                                                                 \
  "\"" name "\": {\"type\": \"$lut\", \"parameters\": {\"LUT\": \"" lut "\"}, \"connections\": {" \
  "\"A\": [" a ", " b "], \"Y\": [" y "]}}"
#define TAKES(name, d, q)                                                           \
  "\"" name "\": {\"type\": \"$_DFF_P_\", \"connections\": {\"C\": [2], \"D\": [" d \
  "], \"Q\": [" q "]}}"

static struct hd_mutants proved;

/* How many mutants of a cell there are, and of how many it is proved that nobody tells them. */
static void proves(uint32_t cell, unsigned mutants, unsigned equivalent)
{
  unsigned n = 0, same = 0;
  for (uint32_t i = 0; i < proved.n; i++) {
    n += proved.list[i].cell == cell;
    same += proved.list[i].cell == cell && proved.list[i].equivalent;
  }
  if (n != mutants || same != equivalent)
    fail_msg("cell %u: %u mutants, %u equivalent; not %u, %u", cell, n, same, mutants, equivalent);
}

static void unreachable_mutants_are_proved(void **state)
{
  (void)state;
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_error err = {.text = ""};
  /* Inputs come in the order of netlist_json: rst is 10, the next ones are 11 and 12. Tables, by B and A: 1000 and, 0110
   * exclusive or, 0010 A and not B. */
  char *json = netlist_json(TABLE("keep", "1000", "300", "11", "301") ","  /* 0: dead and 11 */
                            TABLE("clear", "0010", "301", "10", "302") "," /* 1: unless reset */
                            TABLE("hidden", "0110", "11", "12", "303") "," /* 2 */
                            TABLE("gate", "1000", "303", "300", "304") "," /* 3: hidden and dead */
                            TABLE("shown", "0110", "304", "12", "305") "," /* 4: gate xor 12 */
                            TABLE("clean", "0010", "305", "10", "306") "," /* 5: unless reset */
                            TAKES("dead", "302", "300") "," TAKES("out", "306", "9"));
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_mutants_prove(&proved, &netlist, &err), 0);
  proves(0, 8, 3); /* stuck at 0, or its input 11 stuck at 1 or inverted: "dead" is 0 */
  proves(2, 7, 7); /* stuck, inverted, or one input or its inverse */
  proves(3, 6, 1); /* stuck at 0 */
  proves(4, 5, 0);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

static bool try_again;

/* How the prover proves the mutant of a cell whose rows these are. */
static enum hd_proof proof_of(struct hd_prover *prover, uint32_t cell, uint8_t rows)
{
  for (uint32_t i = 0; i < proved.n; i++)
    if (proved.list[i].cell == cell && proved.list[i].rows == rows)
      return hd_prover_try(prover, i, &try_again, NULL, NULL);
  fail_msg("cell %u has no mutant with rows %u", cell, rows);
  return HD_PROOF_NONE;
}

/* "one" and "two" are never 1 together, so "first" need not look at "two". What "held" takes is seen only while
 * "open" is 1; then "load" let it through. */
static void mutants_are_proved_by_induction(void **state)
{
  (void)state;
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = netlist_json(
      TABLE("other", "0010", "12", "11", "302") ","   /* 0: 12 and not 11 */
      TABLE("first", "0010", "300", "303", "304") "," /* 1: one and not two */
      TABLE("load", "1000", "13", "11", "305") ","    /* 2 */
      TABLE("pass", "1000", "306", "307", "308") ","  /* 3: held and open */
      TABLE("all", "0110", "304", "308", "309") ","   /* 4 */
      TABLE("clean", "0010", "309", "10", "313") ","  /* 5: unless reset */
      TABLE("a", "1000", "307", "12", "310") ","      /* what else "open" is for */
      TABLE("b", "1000", "307", "13", "311") "," TABLE("c", "1000", "307", "14", "312") "," TAKES(
          "one", "11",
          "300") "," TAKES("two", "302",
                           "303") "," TAKES("held", "305",
                                            "306") "," TAKES("open", "11",
                                                             "307") "," TAKES("out", "313", "9"));
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_mutants_prove(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 5);
  assert_int_equal(hd_prover_create(&prover, &params, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++) { /* 11, 12, 13; out */
    const uint64_t one = in & 1, two = (in & 3) == 2, held = (in & 5) == 5;
    hd_prover_see(prover, &(uint64_t){one | two << 1 | held << 2 | one << 3 | (in >> 3) << 4});
  }
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 7);
  assert_int_equal(proof_of(prover, 1, 8), HD_PROOF_STEP);   /* two stuck at 0 */
  assert_int_equal(proof_of(prover, 2, 2), HD_PROOF_UNSEEN); /* 11 stuck at 1 */
  assert_int_equal(proof_of(prover, 1, 2), HD_PROOF_NONE);   /* stuck at 0 */
  assert_int_equal(proof_of(prover, 2, 8), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* 11 stuck at 0: both are 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* ── tapes ─────────────────────────────────────────────────────────────────── */

static bool has_input(const struct hd_mutant_tape *tape, const struct hd_lane_step *step,
                      uint32_t pin)
{
  for (uint32_t i = 0; i < step->n_inputs; i++)
    if (tape->pins[step->pins + i] == pin)
      return true;
  return false;
}

/* Pins from `first` on that the step has. */
static uint64_t inputs_from(const struct hd_mutant_tape *tape, const struct hd_lane_step *step,
                            uint32_t first, uint32_t n)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < n; i++)
    bits |= (uint64_t)has_input(tape, step, first + i) << i;
  return bits;
}

/* A flit at port 1 in cycle 0, then nothing: what stands elsewhere with noise means nothing. */
static void noise_is_where_nothing_is(void **state)
{
  (void)state;
  struct hd_error err = {.text = ""};
  const struct hd_flit_event flit = {.cycle = 0, .port = 1, .kind = HD_KIND_SINGLE, .data = 5};
  const struct hd_dut_job job = {.cycles = 40, .flits_in = &flit, .n_flits_in = 1};
  for (unsigned noisy = 0; noisy < 2; noisy++) {
    struct hd_mutant_tape *tape = hd_mutant_tape_create(&whole);
    assert_non_null(tape);
    const struct hd_lane_pins *at = &tape->layout;
    uint64_t data = 0, kinds = 0, counts = 0, addr = 0;
    if (noisy)
      hd_mutant_tape_noise(tape, 7);
    assert_int_equal(hd_mutant_tape_reset(tape, &err), 0);
    assert_int_equal(hd_mutant_tape_job(tape, &job, &err), 0);
    assert_int_equal(tape->n_steps, 1 + job.cycles);
    assert_int_equal(tape->inverted, noisy);
    assert_int_equal(tape->steps[0].flags, HD_STEP_COMPARE | (noisy ? HD_STEP_TAKEN : 0));
    for (uint32_t i = 1; i < tape->n_steps; i++) {
      const struct hd_lane_step *step = &tape->steps[i];
      for (uint32_t port = 0; port < whole.ports; port++) {
        const bool some = i == 1 && port == 1;
        assert_int_equal(has_input(tape, step, port * at->flit + HD_LANE_VALID), some);
        if (some)
          assert_int_equal(inputs_from(tape, step, port * at->flit + at->data, whole.data_bits), 5);
        else
          data |= inputs_from(tape, step, port * at->flit + at->data, whole.data_bits);
        const uint64_t count =
            inputs_from(tape, step, at->count + port * HD_COUNT_BITS, HD_COUNT_BITS);
        assert_true(!(count & HD_COUNT_SHOWN));
        counts |= count;
        kinds |= some ? 0 : inputs_from(tape, step, port * at->flit + HD_LANE_KIND, 3);
      }
      addr |= inputs_from(tape, step, at->addr, HD_LANE_ADDR);
      assert_int_equal(inputs_from(tape, step, at->credit, at->count - at->credit), 0);
      assert_false(has_input(tape, step, at->write) || has_input(tape, step, at->read));
      assert_int_equal(step->flags, HD_STEP_COMPARE | (noisy ? HD_STEP_KEPT : 0));
    }
    const uint64_t all = whole.data_bits == 64 ? UINT64_MAX : (UINT64_C(1) << whole.data_bits) - 1;
    assert_true(data == (noisy ? all : 0) && kinds == (noisy ? 7 : 0));
    assert_int_equal(counts, noisy ? HD_COUNT_MOST : 0);
    assert_true(addr == (noisy ? (1u << HD_LANE_ADDR) - 1 : 0));
    hd_mutant_tape_destroy(tape);
  }
}

/* Flits and credits at a reset must do nothing, and may do what it forgot: with noise they are there every other time. */
static void resets_come_with_pins_and_without(void **state)
{
  (void)state;
  struct hd_error err = {.text = ""};
  for (int noisy = 0; noisy < 2; noisy++) {
    struct hd_mutant_tape *tape = hd_mutant_tape_create(&whole);
    uint32_t some = 0;
    assert_non_null(tape);
    if (noisy)
      hd_mutant_tape_noise(tape, 7);
    for (uint32_t i = 0; i < 64; i++) {
      assert_int_equal(hd_mutant_tape_reset(tape, &err), 0);
      const struct hd_lane_step *step = &tape->steps[i];
      assert_true(has_input(tape, step, tape->layout.rst));
      assert_int_equal(step->n_outputs, 1); /* quiescent_o */
      const bool credit = has_input(tape, step, tape->layout.credit);
      assert_int_equal(has_input(tape, step, HD_LANE_VALID), credit);
      some += credit;
    }
    if (noisy)
      assert_in_range(some, 16, 48);
    else
      assert_int_equal(some, 64);
    hd_mutant_tape_destroy(tape);
  }
}

/* Two reads, and a window whose first cycle has a write: the reads come again in the two cycles after it. The first
 * cycle has changed what they give; what is read right before the next window is known. */
static void reads_come_again_with_an_edge(void **state)
{
  (void)state;
  struct hd_error err = {.text = ""};
  const struct hd_config_event write = {.cycle = 0, .addr = HD_CFG_ERRORS, .data = 1};
  const struct hd_dut_job jobs[] = {
      {.cycles = 4, .configs_in = &write, .n_configs_in = 1, .quiescent = true},
      {.cycles = 3, .start = 4, .quiescent = true}};
  struct hd_mutant_tape *tape = hd_mutant_tape_create(&whole);
  assert_non_null(tape);
  assert_int_equal(hd_mutant_tape_reset(tape, &err), 0);
  for (uint32_t addr = 8; addr < 10; addr++)
    assert_int_equal(hd_mutant_tape_read(tape, addr, 5, &err), 0);
  assert_int_equal(hd_mutant_tape_job(tape, &jobs[0], &err), 0);
  assert_int_equal(hd_mutant_tape_read(tape, 8, 5, &err), 0);
  assert_int_equal(hd_mutant_tape_job(tape, &jobs[1], &err), 0);
  const struct {
    unsigned flags;
    bool reads, writes;
  } want[] = {{HD_STEP_COMPARE, false, false}, /* the reset */
              {HD_STEP_READ, true, false},
              {HD_STEP_READ, true, false},
              {HD_STEP_COMPARE, false, true},
              {HD_STEP_COMPARE, true, false},
              {HD_STEP_COMPARE, true, false},
              {HD_STEP_COMPARE, false, false},
              {HD_STEP_READ, true, false},
              {HD_STEP_COMPARE | HD_STEP_TAKEN, true, false},
              {HD_STEP_COMPARE | HD_STEP_KEPT, false, false},
              {HD_STEP_COMPARE | HD_STEP_KEPT, false, false}};
  assert_int_equal(tape->n_steps, sizeof want / sizeof *want);
  for (size_t i = 0; i < tape->n_steps; i++) {
    const struct hd_lane_step *step = &tape->steps[i];
    if (step->flags != want[i].flags || has_input(tape, step, tape->layout.read) != want[i].reads ||
        has_input(tape, step, tape->layout.write) != want[i].writes)
      fail_msg("step %zu: flags %u, not %u, or another access", i, step->flags, want[i].flags);
  }
  hd_mutant_tape_destroy(tape);
}

/* "a", "b" and "c" are never 1 together, though each two are: "first" need not look at "c". Nobody guesses that before the
 * mutant is tried. */
static void what_a_proof_needs_is_guessed_and_proved(void **state)
{
  (void)state;
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = netlist_json(TABLE("first", "0010", "328", "327", "329") "," /* 0: a and b, not c */
                            TABLE("to_a", "0010", "11", "10", "320") ","    /* unless reset */
                            TABLE("to_b", "0010", "12", "10", "322") ","    /* unless reset */
                            TABLE("both", "1000", "11", "12", "324") ","    /* 3 */
                            TABLE("some", "0010", "13", "324", "325") ","   /* 4 */
                            TABLE("to_c", "0010", "325", "10", "326") ","   /* unless reset */
                            TABLE("pair", "1000", "321", "323", "328") ","  /* 6: a and b */
                            TABLE("clean", "0010", "329", "10", "330") ","  /* unless reset */
                            TAKES("a", "320", "321") "," TAKES("b", "322", "323") "," TAKES(
                                "c", "326", "327") "," TAKES("out", "330", "9"));
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 4);
  assert_int_equal(hd_prover_create(&prover, &params, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++) /* 11, 12, 13; out */
    hd_prover_see(prover, &(uint64_t){(in & 7) == 7 ? in & ~UINT64_C(4) : in});
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 0);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE); /* stuck at 0 */
  assert_false(try_again);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* c stuck at 0 */
  assert_true(try_again);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 3, 8), HD_PROOF_NONE); /* all three can be 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* As before, with four of which each three come together. */
static void more_than_three_are_guessed(void **state)
{
  (void)state;
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  /* clang-format off */
  char *json = netlist_json(
      TABLE("first", "0010", "332", "330", "333") "," /* 0: a and b and c, not d */
      TABLE("to_a", "0010", "11", "10", "320") "," /* unless reset */
      TABLE("to_b", "0010", "12", "10", "322") ","
      TABLE("to_c", "0010", "13", "10", "324") ","
      TABLE("two", "1000", "11", "12", "326") ","
      TABLE("three", "1000", "326", "13", "327") "," /* 5 */
      TABLE("some", "0010", "14", "327", "328") ","
      TABLE("to_d", "0010", "328", "10", "329") ","
      TABLE("pair", "1000", "321", "323", "331") ","
      TABLE("all", "1000", "331", "325", "332") ","
      TABLE("clean", "0010", "333", "10", "334") ","
      TAKES("a", "320", "321") "," TAKES("b", "322", "323") "," TAKES("c", "324", "325") ","
      TAKES("d", "329", "330") "," TAKES("out", "334", "9"));
  /* clang-format on */
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(netlist.n_registers, 5);
  assert_int_equal(hd_prover_create(&prover, &params, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 32; in++) /* 11 to 14; out */
    if ((in & 15) != 15)
      hd_prover_see(prover, &in);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE); /* d stuck at 0 */
  assert_true(try_again);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  assert_int_equal(hd_prover_invariants(prover), 1);
  assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_STEP);
  assert_int_equal(proof_of(prover, 0, 2), HD_PROOF_NONE);
  assert_int_equal(proof_of(prover, 5, 8), HD_PROOF_NONE); /* all four can be 1 */
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* What was never seen and comes all the same is no invariant: nobody has shown the prover "a" and "b" with "c". */
static void a_guess_that_is_false_proves_nothing(void **state)
{
  (void)state;
  static const struct hd_switch_params params =
      SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  struct hd_netlist netlist;
  struct hd_prover *prover;
  struct hd_error err = {.text = ""};
  char *json = netlist_json(
      TABLE("first", "0010", "328", "327", "329") "," TABLE("to_a", "0010", "11", "10", "320") "," TABLE(
          "to_b", "0010", "12", "10",
          "322") "," TABLE("to_c", "0010", "13", "10",
                           "326") "," TABLE("pair", "1000", "321", "323",
                                            "328") "," TABLE("clean", "0010", "329", "10",
                                                             "330") "," TAKES("a", "320",
                                                                              "321") "," TAKES("b",
                                                                                               "32"
                                                                                               "2",
                                                                                               "32"
                                                                                               "3") "," TAKES("c",
                                                                                                              "326",
                                                                                                              "327") "," TAKES("out",
                                                                                                                               "330",
                                                                                                                               "9"));
  assert_int_equal(hd_netlist_read(&netlist, &params, json, strlen(json), "there", &err), 0);
  assert_int_equal(hd_mutants_find(&proved, &netlist, &err), 0);
  assert_int_equal(hd_prover_create(&prover, &params, &netlist, &proved, &err), 0);
  for (uint64_t in = 0; in < 16; in++)
    if ((in & 7) != 7)
      hd_prover_see(prover, &in);
  assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
  for (unsigned times = 0; times < 2; times++) {
    assert_int_equal(proof_of(prover, 0, 8), HD_PROOF_NONE);
    assert_int_equal(try_again, !times); /* it is not guessed again */
    assert_int_equal(hd_prover_learn(prover, NULL, NULL, &err), 0);
    assert_int_equal(hd_prover_invariants(prover), 0);
  }
  hd_prover_destroy(prover);
  hd_mutants_fini(&proved);
  hd_netlist_fini(&netlist);
  free(json);
}

/* ── switches ──────────────────────────────────────────────────────────────── */

static void say(void *context, const char *line)
{
  (void)context;
  print_message("%s\n", line);
}

static struct hd_backend lanes, wide; /* 64 lanes a word, and as many as this processor has */

static int open_lanes(void **state)
{
  (void)state;
  struct hd_backend_options options = {.say = say, .quick = true}, many = options;
  struct hd_error err = {.text = ""};
  many.switches = 512;
  if (hd_backend_open(&lanes, "lanes", &whole, &options, &err) ||
      hd_backend_open(&wide, "lanes", &whole, &many, &err)) {
    print_error("%s\n", err.text);
    return -1;
  }
  print_message("%s; %s\n", lanes.ops->about, wide.ops->about);
  return 0;
}

static int close_lanes(void **state)
{
  (void)state;
  hd_backend_close(&lanes);
  hd_backend_close(&wide);
  return 0;
}

static void streams_are_answered_as_by_the_model(void **state)
{
  (void)state;
  static const uint32_t windows[] = {1, 7, 256};
  uint64_t compared = 0, seed = first_seed();
  for (uint32_t i = 0; i < n_streams(6); i++, seed++) {
    struct stream s;
    make_stream(&s, &whole, 1500, i % 2 ? 60 : 0, seed);
    struct hd_dut *dut = make_dut(lanes.ops, &s, 1, i % 3 ? "" : "every-cycle");
    uint16_t errors = 0;
    compared += run_and_compare(&s, lanes.ops, dut, 0, 0, s.cycles, windows[i % 3], seed);
    assert_int_equal(lanes.ops->config_read(dut, 0, HD_CFG_ERRORS, &errors, NULL), 0);
    assert_int_equal(errors, s.errors);
    lanes.ops->destroy(dut);
    if (i < 2)
      compared += snapshot_and_compare(&s, lanes.ops, 700, seed);
    stream_fini(&s);
  }
  print_message("seeds from %" PRIu64 ", %" PRIu64 " events compared\n", first_seed(), compared);
  assert_true(compared > 0);
}

/* A switch of a batch, with its own stream. */
struct played {
  struct stream stream;
  struct stream_expected expected;
  struct answer answer;
};

static void job_of(struct played *p, uint32_t sw, struct hd_dut_job *job)
{
  const struct stream *s = &p->stream;
  *job = (struct hd_dut_job){.sw = sw,
                             .cycles = s->cycles,
                             .flits_in = s->flits_in,
                             .credits_in = s->credits_in,
                             .configs_in = s->configs_in,
                             .n_flits_in = s->n_flits_in,
                             .n_credits_in = s->n_credits_in,
                             .n_configs_in = s->n_configs_in,
                             .flits_out = p->answer.flits,
                             .credits_out = p->answer.credits,
                             .toggles = p->answer.toggles,
                             .cap_flits_out = s->cycles * whole.ports,
                             .cap_credits_out = s->cycles * whole.ports,
                             .cap_toggles = s->cycles,
                             .expected = sw % 3 ? &p->expected.expected : NULL};
}

/* What the model expects is wrong in one event: another flit, none where one leaves, a credit too many, or
 * quiescent_o changes late. */
static void falsify(struct played *p, unsigned how)
{
  struct hd_dut_expected *x = &p->expected.expected;
  if (how == 0)
    p->expected.flits[x->n_flits / 2].data ^= 1u << 31;
  else if (how == 1)
    x->n_flits--;
  else if (how == 2)
    p->expected.credits[x->n_credits / 2].vcs ^= 2;
  else
    p->expected.toggles[x->n_toggles - 1]++;
}

/* 140 switches: words are full, and one is not. All streams end at different times; each switch is in one of
 * two batches; some have no expectation, and some a wrong one. */
static void check_batches(const struct hd_dut_ops *ops)
{
  enum { SWITCHES = 140 };
  struct played *played = calloc(SWITCHES, sizeof *played);
  struct hd_dut *dut = NULL;
  uint64_t compared = 0, seed = first_seed();
  struct hd_error err = {.text = ""};
  assert_int_equal(ops->create(&dut, &whole, SWITCHES, "", &err), 0);
  for (uint32_t sw = 0; sw < SWITCHES; sw++) {
    struct played *p = &played[sw];
    make_stream(&p->stream, &whole, 200 + sw, sw % 2 ? 60 : 0, seed + sw);
    stream_expect(&p->stream, 0, p->stream.cycles, &p->expected);
    answer_init(&p->answer, &p->stream);
    if (sw % 5 == 0)
      falsify(p, sw / 5 % 4);
    if (stream_configure(&p->stream, ops, dut, sw, &err))
      fail_msg("%s", err.text);
  }
  for (uint32_t batch = 0; batch < 2; batch++) {
    struct hd_dut_job jobs[SWITCHES];
    uint32_t n = 0;
    for (uint32_t sw = 0; sw < SWITCHES; sw++)
      if (sw / 2 % 2 == batch)
        job_of(&played[sw], sw, &jobs[n++]);
    assert_int_equal(ops->run(dut, jobs, n, &err), 0);
    for (uint32_t i = 0; i < n; i++) {
      struct played *p = &played[jobs[i].sw];
      char text[600];
      const bool agrees = jobs[i].expected && jobs[i].sw % 5;
      assert_int_equal(jobs[i].agrees, agrees);
      if (agrees) {
        compared += p->expected.expected.n_flits + p->expected.expected.n_credits;
        continue;
      }
      p->answer.n_flits = jobs[i].n_flits_out;
      p->answer.n_credits = jobs[i].n_credits_out;
      p->answer.n_toggles = jobs[i].n_toggles;
      p->answer.some = true;
      p->answer.quiescent = jobs[i].quiescent;
      assert_int_equal(jobs[i].lost, 0);
      compared += stream_compare(&p->stream, &p->answer, 0, p->stream.cycles, text, sizeof text);
      if (*text)
        fail_msg("switch %u, seed %" PRIu64 ": %s", jobs[i].sw, seed, text);
    }
  }
  for (uint32_t sw = 0; sw < SWITCHES; sw++) {
    uint16_t errors = 0;
    assert_int_equal(ops->config_read(dut, sw, HD_CFG_ERRORS, &errors, NULL), 0);
    assert_int_equal(errors, played[sw].stream.errors);
    stream_fini(&played[sw].stream);
    stream_expected_fini(&played[sw].expected);
    answer_fini(&played[sw].answer);
  }
  ops->destroy(dut);
  free(played);
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

static void switches_of_a_batch_are_independent(void **state)
{
  (void)state;
  check_batches(lanes.ops);
  check_batches(wide.ops);
}

static void save(const struct hd_dut_ops *ops, struct hd_dut *dut, uint32_t n,
                 struct hd_dut_buffer *states)
{
  states->length = 0;
  for (uint32_t sw = 0; sw < n; sw++)
    assert_int_equal(ops->snapshot_save(dut, sw, states, NULL), 0);
}

/* Many registers of many switches, some of one switch, after writes that wait, and then of switches in the midst of
 * their windows: all read as the model's, and nothing changes. */
static void check_reads(const struct hd_dut_ops *ops)
{
  enum { SWITCHES = 140, READS = 1000 };
  static const uint32_t known[] = {HD_CFG_ERRORS, HD_CFG_IDLE, HD_CFG_SELF, HD_CFG_LIVE, 0, 2};
  const struct hd_dut_ops *both[] = {ops, hd_dut_model_backend()};
  struct dice dice = dice_begin("many_registers_are_read_at_once", "test_lanes");
  struct hd_dut *duts[2];
  struct hd_dut_buffer before = {0}, after = {0};
  struct hd_dut_read *reads = calloc(READS, sizeof *reads);
  static struct stream streams[SWITCHES]; /* a window for each switch */
  uint32_t busy = 0, various = 0;
  assert_true(ops->capabilities & HD_DUT_READS);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    make_stream(&streams[sw], &whole, 20 + sw, 60, first_seed() + sw);
  for (unsigned i = 0; i < 2; i++)
    duts[i] = make_dut(both[i], &streams[0], SWITCHES, "");
  for (unsigned round = 0; round < 2; round++) {
    for (uint32_t sw = 0; sw < SWITCHES && !round; sw += 1 + roll(&dice, 3)) {
      const uint32_t addr = roll(&dice, 2) ? HD_CFG_IDLE : HD_CFG_SELF;
      const uint16_t data = (uint16_t)(1 + roll(&dice, 15));
      for (unsigned i = 0; i < 2; i++)
        assert_int_equal(both[i]->config_write(duts[i], sw, addr, data, NULL), 0);
    }
    for (unsigned i = 0; i < 2 && round; i++) {
      struct hd_dut_job jobs[SWITCHES];
      for (uint32_t sw = 0; sw < SWITCHES; sw++)
        jobs[sw] = (struct hd_dut_job){.sw = sw,
                                       .cycles = streams[sw].cycles,
                                       .flits_in = streams[sw].flits_in,
                                       .credits_in = streams[sw].credits_in,
                                       .configs_in = streams[sw].configs_in,
                                       .n_flits_in = streams[sw].n_flits_in,
                                       .n_credits_in = streams[sw].n_credits_in,
                                       .n_configs_in = streams[sw].n_configs_in};
      assert_int_equal(both[i]->run(duts[i], jobs, SWITCHES, NULL), 0);
      for (uint32_t sw = 0; sw < SWITCHES; sw++)
        busy += jobs[sw].lost > 2; /* it takes no answers */
    }
    for (uint32_t i = 0; i < READS; i++) {
      reads[i] = (struct hd_dut_read){.sw = roll(&dice, i % 2 ? SWITCHES : 40),
                                      .addr = known[roll(&dice, 6)]};
      reads[i].data = (uint16_t)roll(&dice, 1u << 16);
    }
    assert_int_equal(ops->config_reads(duts[0], reads, READS, NULL), 0);
    save(ops, duts[0], SWITCHES, &before);
    for (uint32_t i = 0; i < READS; i++) {
      uint16_t want = 0, alone = 0;
      assert_int_equal(both[1]->config_read(duts[1], reads[i].sw, reads[i].addr, &want, NULL), 0);
      if (i % 16 == 0) {
        assert_int_equal(ops->config_read(duts[0], reads[i].sw, reads[i].addr, &alone, NULL), 0);
        assert_int_equal(alone, want);
      }
      if (reads[i].data != want)
        fail_msg("switch %u, register 0x%05x: %04x, not %04x", reads[i].sw, reads[i].addr,
                 reads[i].data, want);
      various += want > 1;
    }
    save(ops, duts[0], SWITCHES, &after);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.bytes, after.bytes, before.length);
  }
  assert_true(busy > SWITCHES && various > READS / 2);
  print_message("%u registers compared\n", 2 * READS);
  for (unsigned i = 0; i < 2; i++)
    both[i]->destroy(duts[i]);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    stream_fini(&streams[sw]);
  free(before.bytes);
  free(after.bytes);
  free(reads);
}

static void many_registers_are_read_at_once(void **state)
{
  (void)state;
  check_reads(lanes.ops);
  check_reads(wide.ops);
}

static void inputs_that_no_pins_carry_are_refused(void **state)
{
  (void)state;
  struct hd_flit_event twice[] = {{.port = 1, .cycle = 3, .kind = HD_KIND_SINGLE},
                                  {.port = 1, .cycle = 3, .kind = HD_KIND_SINGLE}};
  struct hd_flit_event late = {.port = 1, .cycle = 10, .kind = HD_KIND_SINGLE};
  struct hd_dut_job job = {.cycles = 10, .flits_in = twice, .n_flits_in = 2};
  struct hd_dut *dut = NULL;
  struct hd_error err = {.text = ""};
  assert_int_equal(lanes.ops->create(&dut, &whole, 1, "", &err), 0);
  assert_int_equal(lanes.ops->run(dut, &job, 1, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "that no pins can carry"));
  job.flits_in = &late;
  job.n_flits_in = 1;
  assert_int_equal(lanes.ops->run(dut, &job, 1, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "behind the window"));
  lanes.ops->destroy(dut);
  assert_int_equal(lanes.ops->create(&dut, &whole, 1, "fast", &err), HD_E_INPUT);
}

int main(void)
{
  const struct CMUnitTest of_parts[] = {
      cmocka_unit_test(every_table_is_right),
      cmocka_unit_test(memories_of_lanes_are_independent),
      cmocka_unit_test(rows_become_columns),
      cmocka_unit_test(what_lanes_have_not_is_named),
      cmocka_unit_test(equal_units_are_worked_on_at_once),
      cmocka_unit_test(unreachable_mutants_are_proved),
      cmocka_unit_test(mutants_are_proved_by_induction),
      cmocka_unit_test(resets_come_with_pins_and_without),
      cmocka_unit_test(reads_come_again_with_an_edge),
      cmocka_unit_test(noise_is_where_nothing_is),
      cmocka_unit_test(what_a_proof_needs_is_guessed_and_proved),
      cmocka_unit_test(more_than_three_are_guessed),
      cmocka_unit_test(a_guess_that_is_false_proves_nothing),
  };
  const struct CMUnitTest of_switches[] = {
      cmocka_unit_test(streams_are_answered_as_by_the_model),
      cmocka_unit_test(switches_of_a_batch_are_independent),
      cmocka_unit_test(many_registers_are_read_at_once),
      cmocka_unit_test(inputs_that_no_pins_carry_are_refused),
  };
  int failed = cmocka_run_group_tests(of_parts, NULL, NULL);
  return failed + cmocka_run_group_tests(of_switches, open_lanes, close_lanes);
}
