/* Signals of RTL are found by their paths, with module, line, reset and what they are made from.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/explain/rtl_source.h"
#include "../../../bridge/host/file.h"
#include "../lib/test.h"

#include <sys/stat.h>

CLEANUP_OF(struct hd_rtl_source, hd_rtl_source_free)

static const char top[] = "// u_counter ( in a comment\n"  /* 1 */
                          "module top (input wire clk);\n" /* 2 */
                          "  wire [3:0] a, both;\n"        /* 3 */
                          "  generate\n"                   /* 4 */
                          "    for (i = 0; i < 2; i = i + 1) begin : lane\n"
                          "      counter #(.W((4)), .NAME(\"x ) y\")) u_counter (\n"
                          "          .clk(clk), .count_o(a));\n" /* 7 */
                          "      reg seen_q;\n"                  /* 8 */
                          "      always @(posedge clk) if (a == 1) seen_q <= a <= 4;\n"
                          "    end\n" /* 10 */
                          "  endgenerate\n"
                          "  assign both = a |\n" /* 12 */
                          "      {4{lane[0].seen_q}};\n"
                          "  genvar g;\n" /* 14 */
                          "  for (g = 0; g < 2; g = g + 1) begin : in\n"
                          "    counter u_port (.clk(clk));\n"
                          "    reg x_q;\n"
                          "    always @(posedge clk) x_q <= both;\n" /* 18 */
                          "  end\n"
                          "  for (g = 0; g < 2; g = g + 1) begin : out\n" /* 20 */
                          "    other u_port (.clk(clk));\n"
                          "    reg x_q;\n"
                          "    always @(posedge clk) x_q <= clk;\n" /* 23 */
                          "  end\n"
                          "endmodule\n" /* 25 */
                          "module other (input wire clk);\n"
                          "  wire y = clk;\n" /* 27 */
                          "endmodule\n";
static const char counter[] = "module counter #(parameter W = 2) (\n" /* 1 */
                              "  input wire clk, input wire rst, output wire [W-1:0] count_o);\n"
                              "  reg [W-1:0] count_q, kept_q;\n" /* 3 */
                              "  reg x, y;\n"                    /* 4 */
                              "  always @(posedge clk)\n"        /* 5 */
                              "    if (rst) begin\n"
                              "      if (W > 2) begin count_q <= 0; end\n" /* 7 */
                              "    end else begin\n"
                              "      count_q <= count_q + 1;\n" /* 9 */
                              "      kept_q <= x;\n"            /* 10 */
                              "    end\n"
                              "  always @* begin\n" /* 12 */
                              "    x = 0;\n"
                              "    if (kept_q != 0) {x, y} = count_q[1:0];\n" /* 14 */
                              "  end\n"
                              "  assign count_o = count_q;\n" /* 16 */
                              "endmodule\n";

static char directory[2][64];

static struct hd_rtl_source *read_sources(unsigned k, const char *changed)
{
  char path[128];
  struct hd_rtl_source *source;
  snprintf(path, sizeof path, "%s/top.v", directory[k]);
  must(hd_file_write(path, top, strlen(top), &why));
  snprintf(path, sizeof path, "%s/counter.v", directory[k]);
  must(hd_file_write(path, changed, strlen(changed), &why));
  must(hd_rtl_source_read(&source, directory[k], &why));
  return source;
}

static int setup(void **state)
{
  (void)state;
  for (unsigned k = 0; k < 2; k++)
    must(hd_directory_temporary("hd-rtl", directory[k], sizeof directory[k], &why));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  return hd_tree_remove(directory[0], NULL) || hd_tree_remove(directory[1], NULL);
}

TEST(signal_paths_are_resolved_to_source_lines)
{
  static const struct {
    const char *path, *instance, *module, *name, *file;
    unsigned line;
    bool driven, is_register, is_reset;
  } cases[] = {
      {"top.both", "top", "top", "both", "top.v", 12, true, false, false},
      {"top.a", "top", "top", "a", "top.v", 3, false, false, false},
      {"top.lane[1].seen_q", "top", "top", "seen_q", "top.v", 9, true, true, false},
      {"top.lane[1].u_counter.count_q", "top.lane[1].u_counter", "counter", "count_q", "counter.v",
       9, true, true, true},
      {"top.lane[0].u_counter.kept_q[2]", "top.lane[0].u_counter", "counter", "kept_q", "counter.v",
       10, true, true, false},
      {"top.lane[0].u_counter.y", "top.lane[0].u_counter", "counter", "y", "counter.v", 14, true,
       false, false},
      {"top.out[1].u_port.y", "top.out[1].u_port", "other", "y", "top.v", 27, true, false, false},
      {"bench.dut.top.in[1].x_q", "top", "top", "x_q", "top.v", 18, true, true, false},
      {"top.in[0].x_q", "top", "top", "x_q", "top.v", 18, true, true, false},
      {"top.out[1].x_q", "top", "top", "x_q", "top.v", 23, true, true, false},
      {"top.lane[0].u_counter.clk", "top.lane[0].u_counter", "counter", "clk", "counter.v", 2,
       false, false, false},
  };
  CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *source = read_sources(0, counter);
  struct hd_rtl_signal s;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (!hd_rtl_find(source, cases[i].path, &s))
      fail_msg("%s: not found", cases[i].path);
    assert_string_equal(s.instance, cases[i].instance);
    assert_string_equal(s.module, cases[i].module);
    assert_string_equal(s.name, cases[i].name);
    assert_string_equal(s.file, cases[i].file);
    assert_int_equal(s.line, cases[i].line);
    assert_int_equal(s.driven, cases[i].driven);
    assert_int_equal(s.is_register, cases[i].is_register);
    assert_int_equal(s.is_reset, cases[i].is_reset);
  }
  assert_false(hd_rtl_find(source, "top.none", &s));
  assert_false(hd_rtl_find(source, "nowhere.a", &s));
  assert_false(hd_rtl_find(source, "top.in[0].u_port.z", &s));
  char line[80];
  assert_true(hd_rtl_find(source, "top.lane[0].u_counter.count_o", &s));
  hd_rtl_line(source, &s, line, sizeof line);
  assert_string_equal(line, "assign count_o = count_q;");
}

/* Registers of one name in two generated branches, of which the switch has one. */
TEST(a_register_counts_as_reset_if_each_of_its_blocks_resets_it)
{
  static const char pair[] = "module pair (input wire clk, input wire rst);\n"
                             "  generate if (0) begin : two\n"
                             "    reg a_q, b_q;\n"
                             "    always @(posedge clk) if (rst) a_q <= 0; else a_q <= 1;\n"
                             "    always @(posedge clk) if (rst) b_q <= 0; else b_q <= 1;\n"
                             "  end endgenerate\n"
                             "  reg a_q, b_q;\n"
                             "  always @(posedge clk) a_q <= 1;\n"
                             "  always @(posedge clk) if (rst) b_q <= 0; else b_q <= 1;\n"
                             "endmodule\n";
  CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *source;
  struct hd_rtl_signal s;
  char path[128];
  snprintf(path, sizeof path, "%s/pair.v", directory[0]);
  must(hd_file_write(path, pair, strlen(pair), &why));
  must(hd_rtl_source_read(&source, directory[0], &why));
  assert_true(hd_rtl_find(source, "pair.a_q", &s));
  assert_false(s.is_reset);
  assert_true(hd_rtl_find(source, "pair.b_q", &s));
  assert_true(s.is_reset);
}

/* One generated branch ties the wire to a constant. In another branch an instance drives it. */
TEST(signals_tied_to_a_constant_are_recognised)
{
  static const char tied[] = "module counter (input wire clk, output wire [3:0] count_o);\n"
                             "  localparam NONE = 3;\n"
                             "  wire [3:0] tied, made;\n"
                             "  assign tied = {NONE{1'b0}} | 8'hff;\n"
                             "  assign made = {NONE{clk}};\n"
                             "endmodule\n";
  CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *source = read_sources(0, tied);
  struct hd_rtl_signal s;
  assert_true(hd_rtl_find(source, "top.lane[0].u_counter.tied", &s));
  assert_true(s.driven && s.is_constant);
  assert_true(hd_rtl_find(source, "top.lane[0].u_counter.made", &s));
  assert_true(s.driven && !s.is_constant);
}

TEST(signals_depend_on_the_signals_that_their_drivers_read)
{
  CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *source = read_sources(0, counter);
  struct hd_rtl_signal s;
  assert_true(hd_rtl_find(source, "top.lane[0].u_counter.y", &s));
  assert_true(hd_rtl_reads(source, &s, "count_q"));
  assert_true(hd_rtl_reads(source, &s, "kept_q")); /* a condition */
  assert_false(hd_rtl_reads(source, &s, "count_o"));
  assert_false(hd_rtl_reads(source, &s, "rst"));
  assert_true(hd_rtl_find(source, "top.both", &s));
  assert_true(hd_rtl_reads(source, &s, "seen_q")); /* on the next line */
  assert_false(hd_rtl_reads(source, &s, "clk"));
}

/* Copies `counter` with some text in place of another. */
static const char *counter_with(char *text, const char *old, const char *new)
{
  const char *at = strstr(counter, old);
  assert_non_null(at);
  sprintf(text, "%.*s%s%s", (int)(at - counter), counter, new, at + strlen(old));
  return text;
}

TEST(changed_assignments_are_found)
{
  char text[sizeof counter + 100];
  const char *path;
  struct hd_rtl_source *original = read_sources(1, counter), *rtl;
  struct hd_rtl_signal s;
  rtl = read_sources(0, counter_with(text, "count_q + 1", "count_q + 2"));
  path = "top.lane[0].u_counter.count_q";
  assert_true(hd_rtl_find(rtl, path, &s));
  assert_true(hd_rtl_changed(rtl, original, path, &s));
  assert_int_equal(s.line, 9);
  path = "top.lane[0].u_counter.kept_q";
  assert_true(hd_rtl_find(rtl, path, &s));
  assert_false(hd_rtl_changed(rtl, original, path, &s));
  hd_rtl_source_free(rtl);
  rtl = read_sources(0, counter_with(text, "count_q <= 0;", ""));
  path = "top.lane[0].u_counter.count_q";
  assert_true(hd_rtl_find(rtl, path, &s));
  assert_false(s.is_reset);
  assert_true(hd_rtl_changed(rtl, original, path, &s)); /* a line is gone */
  assert_int_equal(s.line, 9);
  hd_rtl_source_free(rtl);
  hd_rtl_source_free(original);
}

/* The text of a signal includes the constants and functions that it names. */
TEST(changed_constants_and_functions_are_found)
{
  static const char form[] = "module counter (input wire clk);\n"
                             "  localparam [3:0] OTHER = 1,\n"
                             "      STEP = %s;\n" /* 3 */
                             "  function [3:0] less(input [3:0] from);\n"
                             "    less = from - %s;\n" /* 5 */
                             "  endfunction\n"
                             "  reg [3:0] count_q, kept_q;\n"
                             "  always @(posedge clk) count_q <= count_q + STEP;\n"
                             "  always @(posedge clk) kept_q <= less(kept_q);\n"
                             "endmodule\n";
  static const struct {
    const char *step, *by, *changed, *same;
    unsigned line;
  } cases[] = {
      {"2", "1", "top.lane[0].u_counter.count_q", "top.lane[0].u_counter.kept_q", 3},
      {"1", "2", "top.lane[0].u_counter.kept_q", "top.lane[0].u_counter.count_q", 5},
  };
  char text[sizeof form + 8];
  struct hd_rtl_signal s;
  snprintf(text, sizeof text, form, "1", "1");
  CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *original = read_sources(1, text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(text, sizeof text, form, cases[i].step, cases[i].by);
    CLEANUP(hd_rtl_source_free_at) struct hd_rtl_source *rtl = read_sources(0, text);
    assert_true(hd_rtl_find(rtl, cases[i].changed, &s));
    assert_true(hd_rtl_changed(rtl, original, cases[i].changed, &s));
    assert_int_equal(s.line, cases[i].line);
    assert_true(hd_rtl_find(rtl, cases[i].same, &s));
    assert_false(hd_rtl_changed(rtl, original, cases[i].same, &s));
  }
}

/* `heddle wrap` puts the files of a router into files/0, files/1 … */
TEST(files_of_a_wrapped_router_are_read)
{
  char path[128];
  struct hd_rtl_source *source = read_sources(0, "// nothing\n");
  hd_rtl_source_free(source);
  for (unsigned n = 0; n < 2; n++) {
    snprintf(path, sizeof path, "%s/files%s", directory[0], n ? "/0" : "");
    assert_int_equal(mkdir(path, 0777), 0);
  }
  snprintf(path, sizeof path, "%s/files/0/counter.sv", directory[0]);
  must(hd_file_write(path, counter, strlen(counter), &why));
  must(hd_rtl_source_read(&source, directory[0], &why));
  struct hd_rtl_signal s;
  assert_true(hd_rtl_find(source, "top.lane[1].u_counter.count_q", &s));
  assert_string_equal(s.file, "counter.sv");
  hd_rtl_source_free(source);
}

TEST(directories_without_verilog_are_refused)
{
  struct hd_rtl_source *source;
  char empty[64];
  must(hd_directory_temporary("hd-rtl", empty, sizeof empty, &why));
  assert_int_equal(hd_rtl_source_read(&source, empty, &why), HD_E_INPUT);
  assert_null(source);
  assert_int_equal(hd_rtl_source_read(&source, "/nowhere", &why), HD_E_IO);
  assert_int_equal(hd_tree_remove(empty, NULL), 0);
}

int main(void)
{
  return tests_run(setup, teardown);
}
