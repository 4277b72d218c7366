/* Backends are found, built and cached. Errors on the way are reported clearly.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/backend.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"
#include "../../../bridge/backends/rtl/dut_cache.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/install_root.h"
#include "../../../bridge/backends/verilator/verilator_trace.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const struct hd_switch_params params =
    SWITCH_SET(5, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0);

/* ── a directory of its own for each test ──────────────────────────────────── */

static int make_scratch(void **state)
{
  char name[] = "/tmp/hd_build_XXXXXX";
  *state = mkdtemp(name) ? strdup(name) : NULL;
  return *state ? 0 : -1;
}

static int remove_scratch(void **state)
{
  int status = hd_tree_remove(*state, NULL);
  free(*state);
  return status;
}

static void in_scratch(char *path, const char *scratch, const char *name)
{
  snprintf(path, PATH_MAX, "%s/%s", scratch, name);
}

/* Counts the entries of a directory whose names have this ending. */
static int count_files(const char *directory, const char *ending)
{
  int n = 0;
  DIR *dir = opendir(directory);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    size_t length = strlen(e->d_name), tail = strlen(ending);
    n += length >= tail && !strcmp(e->d_name + length - tail, ending);
  }
  if (dir)
    closedir(dir);
  return n;
}

static void write_in(const char *directory, const char *name, const char *text)
{
  char path[PATH_MAX];
  in_scratch(path, directory, name);
  assert_int_equal(hd_file_write(path, text, strlen(text), NULL), 0);
}

/* Writes a program and puts its directory first on PATH. Returns the old PATH, for take_tool_away. */
static char *put_tool(const char *scratch, const char *name, const char *script)
{
  char tool[PATH_MAX], path[2 * PATH_MAX], *before = strdup(getenv("PATH"));
  write_in(scratch, name, script);
  in_scratch(tool, scratch, name);
  assert_int_equal(chmod(tool, 0755), 0);
  snprintf(path, sizeof path, "%s:%s", scratch, before);
  setenv("PATH", path, 1);
  return before;
}

static void take_tool_away(char *before)
{
  setenv("PATH", before, 1);
  free(before);
}

/* ── opening by name ───────────────────────────────────────────────────────── */

TEST_WITH(unknown_names_are_refused, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  char path[PATH_MAX];
  must_fail(hd_backend_open(&backend, "verilatr", &params, NULL, &why), HD_E_INPUT,
            "model, verilator");
  must_fail(hd_backend_open(&backend, "/no/such.so", &params, NULL, &why), HD_E_INPUT,
            "/no/such.so");
  write_in(*state, "text.so", "this is text");
  in_scratch(path, *state, "text.so");
  assert_int_equal(hd_backend_open(&backend, path, &params, NULL, &why), HD_E_INPUT);
  assert_null(backend.ops);
  assert_null(backend.handle);
}

TEST(bad_parameters_are_refused)
{
  struct hd_backend backend;
  struct hd_switch_params bad = params;
  bad.ports = 17; /* Verilator, Icarus and GHDL accept so many ports, for whole networks */
  must_fail(hd_backend_open(&backend, "lanes", &bad, NULL, &why), HD_E_INPUT, "17");
}

TEST_WITH(netlists_and_bitstreams_that_cannot_be_made_are_refused, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  struct hd_backend_options options = {.cache_dir = *state};
  char name[PATH_MAX + 32];
  must_fail(hd_backend_open(&backend, "netlist:asic", &params, &options, &why), HD_E_INPUT,
            "generic, ice40 and ecp5");
  must_fail(hd_backend_open(&backend, "bitstream", &params, &options, &why), HD_E_INPUT,
            ".asc or .bin");
  must_fail(hd_backend_open(&backend, "bitstream:/no/such.asc", &params, &options, &why), HD_E_IO,
            "/no/such.asc");
  write_in(*state, "board.asc", ".device 8k\n");
  snprintf(name, sizeof name, "bitstream:%s/board.asc", (const char *)*state);
  must_fail(hd_backend_open(&backend, name, &params, &options, &why), HD_E_IO, "board.pcf");
  write_in(*state, "board.pcf", "set_io clk J3\n");
  must_fail(hd_backend_open(&backend, name, &params, &options, &why), HD_E_INPUT,
            "the baud rate of its line");
  assert_null(backend.ops);
}

/* On a full disk Yosys writes as much as fits, and ends with exit code 0. */
TEST_WITH(a_truncated_netlist_is_not_kept_in_the_cache, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  char cache[PATH_MAX];
  struct hd_backend_options options = {.cache_dir = cache};
  in_scratch(cache, *state, "cache");
  char *before = put_tool(*state, "yosys",
                          "#!/bin/sh\necho 1\n[ $1 != -V ] || exit 0\n: >hd_switch.files\nprintf "
                          "'module hd_switch(clk);\\n  inp' >hd_switch.v\n");
  int status = hd_backend_open(&backend, "netlist", &params, &options, &why);
  take_tool_away(before);
  assert_int_equal(status, HD_E_TOOL);
  assert_non_null(strstr(why.text, "is cut off"));
  assert_int_equal(count_files(cache, ".lock"), 1);
  assert_int_equal(count_files(cache, ".log"), 1);
  assert_int_equal(count_files(cache, ""), 4); /* with . and .. */
}

/* ── building ──────────────────────────────────────────────────────────────── */

TEST_WITH(an_error_in_the_rtl_is_reported_with_its_line_and_the_log, make_scratch, remove_scratch)
{
  char cache[PATH_MAX];
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .cache_dir = cache};
  in_scratch(cache, *state, "cache");
  write_in(*state, "hd_switch.v",
           "module hd_switch #(parameter PORTS = 5) (input clk);\n  wrong!\n");
  must_fail(hd_backend_open(&backend, "verilator", &params, &options, &why), HD_E_TOOL,
            "hd_switch.v:2");                /* the place */
  assert_non_null(strstr(why.text, *state)); /* the RTL's directory */
  char *log = strstr(why.text, "log: ");
  assert_non_null(log);
  assert_int_equal(access(log + 5, R_OK), 0);
  assert_int_equal(count_files(cache, ".tmp"), 0);
  assert_int_equal(count_files(cache, ".log"), 1);
}

TEST_WITH(a_missing_source_file_or_directory_is_named, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .cache_dir = *state};
  must_fail(hd_backend_open(&backend, "verilator", &params, &options, &why), HD_E_INPUT,
            "hd_switch.v");
  options.rtl_dir = "/no/such/directory";
  must_fail(hd_backend_open(&backend, "verilator", &params, &options, &why), HD_E_INPUT,
            "/no/such/directory");
}

TEST_WITH(a_missing_verilator_names_its_package, make_scratch, remove_scratch)
{
  CLEANUP(free_at) char *path = strdup(getenv("PATH"));
  struct hd_backend backend;
  struct hd_backend_options options = {.cache_dir = *state};
  setenv("PATH", "/nonexistent", 1);
  int status = hd_backend_open(&backend, "verilator", &params, &options, &why);
  setenv("PATH", path, 1);
  assert_int_equal(status, HD_E_TOOL);
  assert_non_null(strstr(why.text, "apt-get install verilator"));
}

static bool stop_now(void *context)
{
  int *asked = context;
  ++*asked;
  return true;
}

TEST_WITH(a_stopped_build_leaves_no_files, make_scratch, remove_scratch)
{
  int asked = 0;
  struct hd_backend backend;
  struct hd_backend_options options = {.cache_dir = *state, .stop = stop_now, .context = &asked};
  assert_int_equal(hd_backend_open(&backend, "verilator", &params, &options, &why),
                   HD_E_INTERRUPTED);
  assert_true(asked > 0);
  assert_int_equal(count_files(*state, ".tmp"), 0);
  assert_int_equal(count_files(*state, ".so"), 0);
}

/* A switch that only calls $finish must not count as agreement. Verilator's runtime would end the whole process with
 * exit code 0. */
TEST_WITH(a_switch_that_calls_finish_is_an_error, make_scratch, remove_scratch)
{
  static const char rtl[] =
      "module hd_switch #(parameter PORTS = 5, VCS = 2, DATA_W = 16, DEPTH = 4, NODES = 64,\n"
      "    ROUTE_CYCLES = 1, ARB_CYCLES = 1, BUFFER_CYCLES = 0, CUT_FLITS = 0, SOURCE_TABLE = 0,\n"
      "    ADAPTIVE = 0) (\n"
      "  input clk, rst, cfg_write_i, cfg_read_i, input [19:0] cfg_addr_i, input [15:0] "
      "cfg_wdata_i,\n"
      "  input [4:0] in_valid_i, in_vc_i, input [14:0] in_kind_i, input [79:0] in_data_i,\n"
      "  input [9:0] out_credit_i, output [9:0] in_credit_o, output [4:0] out_valid_o, out_vc_o,\n"
      "  output [14:0] out_kind_o, output [79:0] out_data_o, output [15:0] cfg_rdata_o,\n"
      "  output quiescent_o, debug_o);\n"
      "  always @(posedge clk) $finish;\n"
      "endmodule\n";
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .quick = true};
  if (system("verilator_bin --version >/dev/null 2>&1")) {
    print_message("SKIP Verilator: install the package verilator\n");
    skip();
  }
  write_in(*state, "hd_switch.v", rtl);
  must(hd_backend_open(&backend, "verilator", &params, &options, &why));
  pid_t pid = fork();
  if (pid == 0) {
    struct hd_dut *dut = NULL;
    int made = backend.ops->create(&dut, &params, 1, "", &why);
    _exit(made != HD_E_TOOL ? 3 : strstr(why.text, "called $finish at rtl/hd_switch.v:9") ? 1 : 2);
  }
  int how = -1;
  waitpid(pid, &how, 0);
  hd_backend_close(&backend);
  assert_true(WIFEXITED(how));
  assert_int_equal(WEXITSTATUS(how), 1);
}

/* Simulators accept a port of another width, and leave unknown pins open. So Heddle must check the ports. */
TEST_WITH(ports_that_differ_from_section_2_11_are_named, make_scratch, remove_scratch)
{
  static const char rtl[] =
      "module hd_switch #(parameter PORTS = 5, VCS = 2, DATA_W = 16, DEPTH = 4, NODES = 64,\n"
      "    ROUTE_CYCLES = 1, ARB_CYCLES = 1, BUFFER_CYCLES = 0, CUT_FLITS = 0, SOURCE_TABLE = 0,\n"
      "    ADAPTIVE = 0) (\n"
      "  input clk, rst, cfg_write_i, cfg_read_i, input [19:0] cfg_addr_i, input [15:0] "
      "cfg_wdata_i,\n"
      "  input [4:0] in_vc_i, input [%s:0] in_valid_i, input [14:0] in_kind_i,\n"
      "  input [%s:0] in_data_i, input [9:0] out_credit_i, output [9:0] in_credit_o,\n"
      "  output [4:0] out_valid_o, out_vc_o, output [14:0] out_kind_o, output [%s:0] out_data_o,\n"
      "  output [15:0] cfg_rdata_o, output quiescent_o%s);\n"
      "  assign in_credit_o = 0, out_valid_o = 0, out_vc_o = 0, out_kind_o = 0, out_data_o = 0,\n"
      "    cfg_rdata_o = 0, quiescent_o = 0;\n"
      "endmodule\n";
  static const struct {
    const char *valid, *in_data, *out_data, *more, *said;
  } cases[] = {
      {"5", "79", "79", "", "input in_valid_i of hd_switch has 6 bits; "},
      {"4", "95", "79", "", "input in_data_i of hd_switch has 96 bits; "},
      {"4", "79", "71", "", "output out_data_o of hd_switch has 72 bits; "},
      {"4", "79", "79", ", input enable_i", "hd_switch has an input enable_i that "},
  };
  static const struct {
    const char *name, *probe;
  } simulators[] = {{"verilator", "verilator_bin --version"},
                    {"icarus", "iverilog -V"},
                    {"systemc", "pkg-config --exists systemc && verilator_bin --version"},
                    {"netlist", "yosys -V && verilator_bin --version"}};
  unsigned refused = 0;
  for (size_t s = 0; s < sizeof simulators / sizeof *simulators; s++) {
    char probe[160];
    snprintf(probe, sizeof probe, "(%s) >/dev/null 2>&1", simulators[s].probe);
    if (system(probe)) {
      print_message("SKIP %s: it is not installed\n", simulators[s].name);
      continue;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      struct hd_backend backend;
      struct hd_error err = {.text = ""};
      struct hd_backend_options options = {.rtl_dir = *state, .cache_dir = *state, .quick = true};
      char text[2048];
      snprintf(text, sizeof text, rtl, cases[i].valid, cases[i].in_data, cases[i].out_data,
               cases[i].more);
      write_in(*state, "hd_switch.v", text);
      int status = hd_backend_open(&backend, simulators[s].name, &params, &options, &err);
      if (status != HD_E_INPUT || !strstr(err.text, cases[i].said))
        fail_msg("%s: status %d, \"%s\", not \"%s\"", simulators[s].name, status, err.text,
                 cases[i].said);
      refused++;
    }
  }
  if (!refused)
    skip();
  assert_int_equal(count_files(*state, ".so"), 0);
}

/* Parameters of the switch that write_switch writes. */
static const struct hd_switch_params small = SWITCH_SET(2, 1, 16, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0);

/* Writes an ordinary hd_switch. Its data goes through the module `part`, whose file is in `directory`; `beside` is
 * more text of hd_switch. */
static void write_switch(const char *scratch, const char *directory, const char *extra_code)
{
  char path[PATH_MAX], text[2048];
  snprintf(text, sizeof text,
           "module hd_switch #(parameter PORTS = 2, VCS = 1, DATA_W = 16, DEPTH = 4, NODES = 4,\n"
           "    ROUTE_CYCLES = 1, ARB_CYCLES = 1, BUFFER_CYCLES = 0, CUT_FLITS = 0,\n"
           "    SOURCE_TABLE = 0, ADAPTIVE = 0) (\n"
           "  input clk, rst, cfg_write_i, cfg_read_i, input [19:0] cfg_addr_i,\n"
           "  input [15:0] cfg_wdata_i, input [1:0] in_vc_i, in_valid_i, input [5:0] in_kind_i,\n"
           "  input [31:0] in_data_i, input [1:0] out_credit_i, output [1:0] in_credit_o,\n"
           "  output [1:0] out_valid_o, out_vc_o, output [5:0] out_kind_o,\n"
           "  output [31:0] out_data_o, output [15:0] cfg_rdata_o, output quiescent_o);\n"
           "  wire a;\n"
           "  part part (.clk(clk), .in_i(in_data_i), .out_o(out_data_o));\n"
           "  assign in_credit_o = 0, out_valid_o = 0, out_vc_o = 0, out_kind_o = 0,\n"
           "    cfg_rdata_o = 0, quiescent_o = a;\n"
           "%s\n"
           "endmodule\n",
           extra_code);
  write_in(scratch, "hd_switch.v", text);
  in_scratch(path, scratch, directory);
  assert_int_equal(mkdir(path, 0777) && errno != EEXIST, 0);
  write_in(path, "part.v",
           "module part (input clk, input [31:0] in_i, output reg [31:0] out_o);\n"
           "  always @(posedge clk) out_o <= in_i;\nendmodule\n");
}

/* Writes a switch that no cache has, because its text contains the name of the directory. */
static void write_new_switch(const char *scratch)
{
  char extra_code[PATH_MAX + 64];
  snprintf(extra_code, sizeof extra_code, "assign a = in_valid_i[0]; // %s", scratch);
  write_switch(scratch, "all", extra_code);
}

/* Opens a backend while `script` replaces a tool. The caller closes the backend if the status is 0. */
static int open_with_tool(struct hd_backend *backend, const char *name,
                          const struct hd_backend_options *options, const char *tool,
                          const char *script, struct hd_error *err)
{
  char *before = put_tool(options->rtl_dir, tool, script);
  int status = hd_backend_open(backend, name, &small, options, err);
  take_tool_away(before);
  return status;
}

/* The file must hold exactly this text. */
static void assert_file_holds(const char *path, const char *text)
{
  CLEANUP(free_at) char *bytes = NULL;
  size_t length = 0;
  assert_int_equal(hd_file_read(path, &bytes, &length, NULL), 0);
  assert_string_equal(bytes, text);
}

TEST_WITH(verilog_that_yosys_refuses_is_reported_as_bad_input, make_scratch, remove_scratch)
{
  static const struct {
    const char *extra_code, *location, *remedy;
  } cases[] = {
      {"assign a = in_valid_i[0]; always @(posedge clk) if (rst) $finish;", "hd_switch.v",
       "between `ifndef SYNTHESIS and `endif"},
      {"assign a = in_valid_i[0]; always @(posedge clk) assert (!rst);", "hd_switch.v:13",
       "a cell $assert, which bit lanes do not support; choose --dut verilator"},
      {"assign a = in_valid_i[0]; assign a = in_valid_i[1];", "module input in_valid_i[1]",
       "give each signal one driver"},
      {"wire b = in_valid_i[0] ^ in_valid_i[1]; reg c; always @* c = b; always @(posedge clk) "
       "c <= b; assign a = c;",
       "port Q[0] of cell $procdff", "give each signal one driver"},
      {"assign a = in_valid_i[0]; assign out_data_o[3] = 1'b0;", "hd_switch.part",
       "give each signal one driver"},
      {"wire b = a ^ in_valid_i[0]; assign a = b | in_valid_i[1];", "wire \\quiescent_o",
       "put a register into the loop"},
      {"reg [0:0] m[0:1]; initial $readmemh(\"bits.hex\", m); assign a = m[in_valid_i[0]];",
       "bits.hex", "by its absolute path"},
  };
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .cache_dir = *state, .quick = true};
  if (system("yosys -V >/dev/null 2>&1")) {
    print_message("SKIP yosys is not installed\n");
    skip();
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_switch(*state, "parts", cases[i].extra_code);
    int status = hd_backend_open(&backend, "lanes", &small, &options, &why);
    if (status != HD_E_INPUT || !strstr(why.text, cases[i].location) ||
        !strstr(why.text, cases[i].remedy))
      fail_msg("status %d, \"%s\", not \"%s\" and \"%s\"", status, why.text, cases[i].location,
               cases[i].remedy);
  }
  assert_int_equal(count_files(*state, ".so"), 0);
}

/* The switch that write_switch writes must build in bit lanes. */
static void must_open_in_lanes(const char *scratch, const char *directory, const char *extra_code)
{
  CLEANUP(hd_backend_close) struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = scratch, .cache_dir = scratch, .quick = true};
  if (system("yosys -V >/dev/null 2>&1"))
    skip();
  write_switch(scratch, directory, extra_code);
  must(hd_backend_open(&backend, "lanes", &small, &options, &why));
}

TEST_WITH(two_always_blocks_may_write_a_register_that_nothing_reads, make_scratch, remove_scratch)
{
  must_open_in_lanes(*state, "shares",
                     "reg b, c, d; assign a = c & d;\n"
                     "always @(posedge clk) begin b = in_valid_i[0]; c <= !b; end\n"
                     "always @(posedge clk) begin b = in_valid_i[1]; d <= !b; end");
}

/* Yosys' commands end at a blank, a semicolon or a number sign. */
TEST_WITH(the_directory_of_the_rtl_may_have_any_name, make_scratch, remove_scratch)
{
  must_open_in_lanes(*state, "all; my #1 parts", "assign a = in_valid_i[0];");
}

/* The compiled headers of the runtime library serve every switch, whichever is built first. */
TEST_WITH(precompiled_headers_serve_every_switch, make_scratch, remove_scratch)
{
  struct hd_switch_params set = small;
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state};
  char script[2 * PATH_MAX], path[PATH_MAX];
  if (system("verilator_bin --version >/dev/null 2>&1"))
    skip();
  write_new_switch(*state);
  in_scratch(path, *state, "read");
  /* -H prints the included files, with ! before precompiled headers that are used. */
  snprintf(script, sizeof script,
           "#!/bin/sh\nPATH=${PATH#*:}\ncase \" $* \" in *\" -c \"*) set -- -H \"$@\" ;; esac\n"
           "exec g++ \"$@\" 2>>%s\n",
           path);
  char *before = put_tool(*state, "g++", script);
  const char *unoptimised =
      getenv("HEDDLE_UNOPTIMISED"); /* the headers are compiled once, for the first switch */
  CLEANUP(free_at) char *kept = unoptimised ? strdup(unoptimised) : NULL;
  unsetenv("HEDDLE_UNOPTIMISED");
  int status = hd_backend_open(&backend, "verilator", &set, &options, &why);
  if (!status) {
    hd_backend_close(&backend);
    unlink(path);
    set.depth_flits = 3;
    status = hd_backend_open(&backend, "verilator", &set, &options, &why);
  }
  take_tool_away(before);
  if (kept)
    setenv("HEDDLE_UNOPTIMISED", kept, 1);
  if (status)
    fail_msg("%s", why.text);
  hd_backend_close(&backend);
  CLEANUP(free_at) char *read = NULL;
  size_t length;
  assert_int_equal(hd_file_read(path, &read, &length, NULL), 0);
  assert_non_null(strstr(read, "! ./hd_fast.h.gch\n"));
  assert_non_null(strstr(read, "! ./hd_slow.h.gch\n"));
}

/* If ABC dies, Yosys is started a second time, but not a third time. */
TEST_WITH(yosys_is_started_a_second_time_when_abc_dies, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .cache_dir = *state, .quick = true};
  char path[PATH_MAX];
  if (system("yosys -V >/dev/null 2>&1"))
    skip();
  write_switch(*state, "all", "assign a = in_valid_i[0];");
  in_scratch(path, *state, "calls");
  for (unsigned deaths = 2; deaths; deaths--) {
    char script[3 * PATH_MAX];
    snprintf(script, sizeof script,
             "#!/bin/sh\nPATH=${PATH#*:}\n[ $1 = -V ] || echo one >>%s\n"
             "if [ $1 != -V ] && [ $(wc -l <%s) -le %u ]; then\n"
             "  echo 'ERROR: ABC: execution of command \"abc\" failed: return code 134.'; exit 1\n"
             "fi\nexec yosys \"$@\"\n",
             path, path, deaths);
    unlink(path);
    int status = open_with_tool(&backend, "lanes", &options, "yosys", script, &why);
    assert_file_holds(path, "one\none\n");
    if (status != (deaths == 2 ? HD_E_TOOL : HD_OK))
      fail_msg("%u deaths: status %d, %s", deaths, status, why.text);
  }
  hd_backend_close(&backend);
}

/* Verilator lists itself among the files that it has read. That is no file of the RTL. */
TEST_WITH(verilators_own_program_is_no_file_of_the_rtl, make_scratch, remove_scratch)
{
  struct hd_backend backend;
  struct hd_backend_options options = {.rtl_dir = *state, .quick = true};
  char script[2 * PATH_MAX], path[PATH_MAX];
  if (system("verilator_bin --version >/dev/null 2>&1"))
    skip();
  write_new_switch(*state);
  in_scratch(path, *state, "builds");
  snprintf(script, sizeof script,
           "#!/bin/sh\nPATH=${PATH#*:}\ncase \" $* \" in *\" --exe \"*) echo one >>%s ;; esac\n"
           "exec \"$(command -v verilator_bin)\" \"$@\"\n",
           path);
  int status = open_with_tool(&backend, "verilator", &options, "verilator_bin", script, &why);
  if (status)
    fail_msg("%s", why.text);
  hd_backend_close(&backend);
  assert_file_holds(path, "one\n");
}

/* ── the cache ─────────────────────────────────────────────────────────────── */

static void put_entry(const char *cache, const char *key, const char *product)
{
  struct hd_cache_entry entry;
  assert_int_equal(hd_cache_open(&entry, cache, key, "product", NULL, NULL, NULL), 0);
  assert_false(entry.hit);
  write_in(entry.temporary, "product", product);
  write_in(entry.temporary, "beside", "what the product loads");
  assert_int_equal(hd_cache_publish(&entry, NULL), 0);
}

TEST_WITH(damaged_cache_entries_are_built_again, make_scratch, remove_scratch)
{
  static const char *const files[] = {"product", "beside", "checksum", "key.txt"};
  struct hd_cache_entry entry;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (int how = 0; how < 3; how++) {
      put_entry(*state, "key\n", "0123456789abcdef");
      assert_int_equal(hd_cache_open(&entry, *state, "key\n", "product", NULL, NULL, NULL), 0);
      assert_true(entry.hit);
      char path[2 * PATH_MAX];
      snprintf(path, sizeof path, "%s/%s", entry.directory, files[i]);
      if (how == 0) { /* the file is removed, cut short, or changed */
        assert_int_equal(unlink(path), 0);
      } else if (how == 1) {
        assert_int_equal(truncate(path, 3), 0);
      } else {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fputc('#', file);
        fclose(file);
      }
      assert_int_equal(hd_cache_open(&entry, *state, "key\n", "product", NULL, NULL, NULL), 0);
      assert_false(entry.hit);
      assert_true(entry.repaired);
      hd_cache_abandon(&entry, 0, NULL);
    }
}

TEST_WITH(a_build_starts_afresh_after_a_killed_build, make_scratch, remove_scratch)
{
  int ends[2];
  char c = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  if (pid == 0) { /* dies while it builds */
    struct hd_cache_entry entry;
    char path[2 * PATH_MAX];
    if (hd_cache_open(&entry, *state, "key", "product", NULL, NULL, NULL))
      _exit(1);
    snprintf(path, sizeof path, "%s/half", entry.temporary);
    if (hd_file_write(path, "x", 1, NULL) || write(ends[1], "x", 1) != 1)
      _exit(1);
    pause();
  }
  assert_int_equal(read(ends[0], &c, 1), 1);
  assert_int_equal(count_files(*state, ".tmp"), 1);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  put_entry(*state, "key", "whole");
  struct hd_cache_entry entry;
  char path[2 * PATH_MAX];
  assert_int_equal(hd_cache_open(&entry, *state, "key", "product", NULL, NULL, NULL), 0);
  assert_true(entry.hit);
  snprintf(path, sizeof path, "%s/half", entry.directory);
  assert_int_not_equal(access(path, F_OK), 0);
  close(ends[0]);
  close(ends[1]);
}

/* Many processes want one key: one of them builds, and the others use its result. */
TEST_WITH(of_many_processes_that_want_one_cache_entry_one_builds_it, make_scratch, remove_scratch)
{
  enum { CHILDREN = 6 };
  int built = 0, used = 0;
  pid_t pids[CHILDREN];
  for (int i = 0; i < CHILDREN; i++) {
    pids[i] = fork();
    if (pids[i] == 0) {
      struct hd_cache_entry entry;
      char path[2 * PATH_MAX];
      if (hd_cache_open(&entry, *state, "key", "product", NULL, NULL, NULL))
        _exit(9);
      if (entry.hit)
        _exit(1);
      usleep(200000);
      snprintf(path, sizeof path, "%s/product", entry.temporary);
      _exit(hd_file_write(path, "p", 1, NULL) || hd_cache_publish(&entry, NULL) ? 9 : 0);
    }
  }
  for (int i = 0; i < CHILDREN; i++) {
    int status = -1;
    waitpid(pids[i], &status, 0);
    built += WEXITSTATUS(status) == 0;
    used += WEXITSTATUS(status) == 1;
  }
  assert_int_equal(built, 1);
  assert_int_equal(used, CHILDREN - 1);
}

TEST_WITH(files_of_a_killed_build_are_removed_by_a_later_build, make_scratch, remove_scratch)
{
  struct hd_cache_entry entry;
  struct stat st;
  char left[PATH_MAX];
  assert_int_equal(hd_cache_open(&entry, *state, "killed", "product", NULL, NULL, NULL), 0);
  snprintf(left, sizeof left, "%s", entry.temporary);
  hd_cache_abandon(&entry, 0, NULL);
  pid_t pid = fork();
  if (pid == 0) {
    struct hd_cache_entry own;
    _exit(hd_cache_open(&own, *state, "killed", "product", NULL, NULL, NULL) ||
          hd_file_write(own.temporary, "", 0, NULL) == 0);
  }
  int how = -1;
  waitpid(pid, &how, 0);
  assert_int_equal(how, 0);
  assert_int_equal(stat(left, &st), 0);
  struct hd_cache_entry under_way;
  assert_int_equal(hd_cache_open(&under_way, *state, "first", "product", NULL, NULL, NULL), 0);
  assert_int_equal(stat(left, &st), -1);
  assert_int_equal(hd_cache_open(&entry, *state, "second", "product", NULL, NULL, NULL), 0);
  assert_int_equal(stat(under_way.temporary, &st), 0); /* its process is alive */
  hd_cache_abandon(&entry, 0, NULL);
  hd_cache_abandon(&under_way, 0, NULL);
}

TEST_WITH(a_full_disk_leaves_no_cache_entry, make_scratch, remove_scratch)
{
  pid_t pid = fork();
  if (pid == 0) { /* a limit on file sizes stands in for a full disk */
    char big[4096] = {0};
    struct hd_cache_entry entry;
    struct rlimit limit = {.rlim_cur = 1000, .rlim_max = 1000};
    char path[2 * PATH_MAX];
    signal(SIGXFSZ, SIG_IGN);
    if (hd_cache_open(&entry, *state, "key", "product", NULL, NULL, &why) ||
        setrlimit(RLIMIT_FSIZE, &limit))
      _exit(1);
    snprintf(path, sizeof path, "%s/product", entry.temporary);
    if (hd_file_write(path, big, sizeof big, &why) != HD_E_IO || !strstr(why.text, path))
      _exit(2);
    hd_cache_abandon(&entry, 0, NULL);
    _exit(0);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(count_files(*state, ".tmp"), 0);
  put_entry(*state, "key", "whole");
}

/* ── where things are ──────────────────────────────────────────────────────── */

TEST_WITH(the_installation_directory_is_found_or_an_error_names_hd_root, make_scratch,
          remove_scratch)
{
  char root[PATH_MAX], *given = getenv("HD_ROOT") ? strdup(getenv("HD_ROOT")) : NULL;
  unsetenv("HD_ROOT");
  must(hd_install_root(root, sizeof root, &why));
  setenv("HD_ROOT", *state, 1);
  must_fail(hd_install_root(root, sizeof root, &why), HD_E_INPUT, "HD_ROOT=");
  if (given)
    setenv("HD_ROOT", given, 1);
  else
    unsetenv("HD_ROOT");
  free(given);
}

/* ── traced signals ────────────────────────────────────────────────────────── */

TEST(waves_contain_registers_and_specified_names)
{
  static const struct {
    const char *line;
    bool off_at_top, off_below;
  } lines[] = {
      {"    input  wire                    clk,", false, true},
      {"    output reg  [N-1:0] pick_o,", false, true},
      {"  reg  [6:0] errors;", false, true},
      {"  reg [N-1:0] from_q;", false, false},
      {"  reg [WIDTH-1:0] mem[0:ROWS-1];", false, false},
      {"  reg [N-1:0] among;", true, true},
      {"        wire [6:0] occupancy = occupancies[v*7+:7];", false, true},
      {"      wire [7*VCS-1:0] occupancies;", true, true},
      {"  wire [3:0] next; // next port", false, true},
      {"  wire x = next;", true, true},
      {"  integer e;", true, true},
      {"  always @(posedge clk) begin", false, false},
      {"module hd_switch #(", false, false},
      {"", false, false},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const char *line = lines[i].line;
    if (hd_trace_line_is_off(line, strlen(line), true) != lines[i].off_at_top ||
        hd_trace_line_is_off(line, strlen(line), false) != lines[i].off_below)
      fail_msg("wrong for: %s", line);
  }
}
