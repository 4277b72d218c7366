/* Wave files show the replayed cycles of RTL and model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files are read back by the FST API itself and by plain text search, not by the code that wrote them. Seed:
 * HD_SEED.
 */
#include "../../../bridge/waves/fst.h"
#include "../../../bridge/waves/waves_internal.h"
#include "../lib/switch_set.h"
#include "../lib/dice.h"
#include "../lib/test.h"

#include <fstapi.h>
#include <math.h>

enum { PORTS = 3, VCS = 2, CYCLES = 60, FIRST = 1000, DIVERGENCE = 1040, STATE = 1038 };

static const struct hd_switch_params params = {SIMPLE_SWITCH(PORTS, VCS, 16, 4, 16),
                                               .source_table = 1};

/* ── a made-up replay ──────────────────────────────────────────────────────── */

struct cycle {
  struct hd_switch_view view;
  struct hd_flit_event in[PORTS], model[PORTS], dut[PORTS];
  struct hd_credit_event credits_in[PORTS], model_credits[PORTS], dut_credits[PORTS];
  uint32_t n_in, n_model, n_dut, n_credits_in, n_model_credits, n_dut_credits;
};
static struct cycle cycles[CYCLES];

/* Handle of a signal by its whole name; 0: none. */
static fstHandle handle_of(void *fst, const char *wanted)
{
  char scope[512] = "", path[600];
  struct fstHier *h = NULL;

  fstReaderIterateHierRewind(fst);
  while ((h = fstReaderIterateHier(fst)) != NULL) {
    if (h->htyp == FST_HT_SCOPE) {
      strcat(strcat(scope, h->u.scope.name), ".");
    } else if (h->htyp == FST_HT_UPSCOPE) {
      scope[strlen(scope) - 1] = '\0';
      *(strrchr(scope, '.') != NULL ? strrchr(scope, '.') + 1 : scope) = '\0';
    } else if (h->htyp == FST_HT_VAR) {
      snprintf(path, sizeof path, "%s%.*s", scope, (int)strcspn(h->u.var.name, " "), h->u.var.name);
      if (strcmp(path, wanted) == 0)
        return h->u.var.handle;
    }
  }
  return 0;
}

static char directory[] = "/tmp/hd_wavesXXXXXX";

static uint32_t draw_below(uint64_t *state, uint32_t below)
{
  return (uint32_t)(next_random(state) % below);
}

static void make_cycles(void)
{
  const uint64_t seed = first_seed();
  uint64_t state = seed;

  print_message("seed %" PRIu64 "; again: HD_SEED=%" PRIu64 " make unit\n", seed, seed);
  for (uint32_t i = 0; i < CYCLES; i++) {
    struct cycle *c = &cycles[i];
    for (unsigned p = 0; p < PORTS; p++) {
      const struct hd_flit_event flit = {.data = draw_below(&state, 65536),
                                         .cycle = i,
                                         .port = (uint8_t)p,
                                         .vc = (uint8_t)draw_below(&state, VCS),
                                         .kind = (uint8_t)draw_below(&state, 4)};
      const struct hd_credit_event credit = {
          .cycle = i, .port = (uint8_t)p, .vcs = (uint8_t)(1 + draw_below(&state, 3))};
      if (draw_below(&state, 3) == 0)
        c->in[c->n_in++] = flit;
      if (draw_below(&state, 2) == 0)
        c->model[c->n_model++] = c->dut[c->n_dut++] = flit;
      if (draw_below(&state, 3) == 0)
        c->credits_in[c->n_credits_in++] = credit;
      if (draw_below(&state, 3) == 0)
        c->model_credits[c->n_model_credits++] = c->dut_credits[c->n_dut_credits++] = credit;
      for (unsigned v = 0; v < VCS; v++) {
        c->view.in[p][v].occupancy = (uint8_t)draw_below(&state, 5);
        c->view.in[p][v].state = (uint8_t)draw_below(&state, 3);
        c->view.in[p][v].oport = (uint8_t)draw_below(&state, PORTS);
        c->view.in[p][v].ovc = (uint8_t)draw_below(&state, VCS);
        c->view.out[p][v].credit = (uint8_t)draw_below(&state, 5);
        c->view.out[p][v].owned = (uint8_t)draw_below(&state, 2);
      }
      c->view.in_next[p] = (uint8_t)draw_below(&state, VCS);
      c->view.out_next[p] = (uint8_t)draw_below(&state, PORTS);
      c->view.vc_next[p] = (uint8_t)draw_below(&state, VCS);
    }
    c->view.errors = (uint8_t)draw_below(&state, 128);
  }
  /* The divergence: the model has a head at port 2, the DUT nothing. */
  struct cycle *d = &cycles[DIVERGENCE - FIRST];
  d->model[0] = (struct hd_flit_event){.data = 13 << 2, .port = 2, .vc = 1, .kind = HD_KIND_HEAD};
  d->n_model = 1;
  d->n_dut = 0;
}

static void add_cycle(struct hd_waves *waves, uint32_t i, bool has_dut)
{
  const struct cycle *c = &cycles[i];
  const struct hd_replay_cycle replay = {.cycle = FIRST + i,
                                         .model = &c->view,
                                         .has_dut = has_dut,
                                         .model_quiescent = i == 0,
                                         .dut_quiescent = i == 0,
                                         .flits_in = c->in,
                                         .model_flits = c->model,
                                         .dut_flits = c->dut,
                                         .n_flits_in = c->n_in,
                                         .n_model_flits = c->n_model,
                                         .n_dut_flits = c->n_dut,
                                         .credits_in = c->credits_in,
                                         .model_credits = c->model_credits,
                                         .dut_credits = c->dut_credits,
                                         .n_credits_in = c->n_credits_in,
                                         .n_model_credits = c->n_model_credits,
                                         .n_dut_credits = c->n_dut_credits};
  assert_int_equal(hd_waves_look(waves, &replay), 0);
}

/* The state of the made-up DUT: the model's, but for one virtual channel from here on. */
static uint32_t wrong_from = STATE;
static bool port_0_is_wrong_too; /* another one, too */

static uint8_t dut_occupancy(uint32_t i, unsigned p, unsigned v)
{
  const uint8_t model = cycles[i].view.in[p][v].occupancy;
  const bool wrong = (p == 1 && v == 0) || (port_0_is_wrong_too && p == 0 && v == 1);
  return FIRST + i >= wrong_from && wrong ? (uint8_t)(model + 1) : model;
}

/* Waves as a Verilated DUT would write them: two time units a cycle. hd_fst_time counts ps, here
 * as plain numbers. */
static void write_dut_waves(const char *path)
{
  struct hd_fst_writer *w = NULL;
  struct hd_fst_signal clk, occupancy[PORTS][VCS], credit[PORTS][VCS];
  char name[16];

  assert_int_equal(hd_fst_writer_create(&w, path, NULL), 0);
  hd_fst_scope_begin(w, "TOP");
  hd_fst_scope_begin(w, "hd_switch");
  hd_fst_signal_add(w, &clk, "clk", 1);
  for (unsigned side = 0; side < 2; side++) {
    for (unsigned p = 0; p < PORTS; p++) {
      snprintf(name, sizeof name, "%s[%u]", side == 0 ? "in" : "out", p);
      hd_fst_scope_begin(w, name);
      for (unsigned v = 0; v < VCS; v++) {
        snprintf(name, sizeof name, "vc[%u]", v);
        hd_fst_scope_begin(w, name);
        if (side == 0)
          hd_fst_signal_add(w, &occupancy[p][v], "occupancy", 3);
        else
          hd_fst_signal_add(w, &credit[p][v], "credit_q", 3);
        hd_fst_scope_end(w);
      }
      hd_fst_scope_end(w);
    }
  }
  hd_fst_scope_end(w);
  hd_fst_scope_end(w);
  for (uint32_t i = 0; i < CYCLES; i++) {
    hd_fst_time(w, 2 * (FIRST + i));
    hd_fst_put(w, &clk, 1);
    for (unsigned p = 0; p < PORTS; p++)
      for (unsigned v = 0; v < VCS; v++) {
        hd_fst_put(w, &occupancy[p][v], dut_occupancy(i, p, v));
        hd_fst_put(w, &credit[p][v], cycles[i].view.out[p][v].credit);
      }
    hd_fst_time(w, 2 * (FIRST + i) + 1);
    hd_fst_put(w, &clk, 0);
  }
  assert_int_equal(hd_fst_writer_close(w, NULL), 0);
}

static struct hd_waves_watcher *watcher; /* of the next ones; NULL: none */

/* Writes the waves of the made-up replay. */
static void save(const char *dut_waves, bool has_dut)
{
  static const struct hd_divergence divergence = {
      .difference = HD_DIFF_FLIT,
      .cycle = DIVERGENCE,
      .sw = 7,
      .port = 2,
      .vc = 1,
      .has_expected = true,
      .expected = {.data = 13 << 2, .port = 2, .vc = 1, .kind = HD_KIND_HEAD}};
  struct hd_waves *waves = NULL;

  must(hd_waves_create(&waves, &params, &why));
  for (uint32_t i = 0; i < CYCLES; i++)
    add_cycle(waves, i, has_dut);
  waves->watcher = watcher;
  if (hd_waves_save(waves, &divergence, "a made-up\nreplay", directory, dut_waves, &why) != 0)
    fail_msg("%s", why.text);
  hd_waves_destroy(waves);
}

/* ── reading back ──────────────────────────────────────────────────────────── */

static size_t values_compared;

static void expect_text(void *fst, uint32_t i, const char *path, const char *expected)
{
  char value[128];
  const fstHandle handle = handle_of(fst, path);
  if (handle == 0)
    fail_msg("%s is not in the file", path);
  /* a quarter of a cycle after its start, when its values are visible */
  assert_non_null(fstReaderGetValueFromHandleAtTime(
      fst, (uint64_t)(FIRST + i) * HD_WAVES_CYCLE_PS + HD_WAVES_CYCLE_PS / 4, handle, value));
  if (strcmp(value, expected) != 0)
    fail_msg("%s in cycle %u: %s, not %s", path, FIRST + i, value, expected);
  values_compared++;
}

static void expect(void *fst, uint32_t i, const char *path, uint32_t bits, uint64_t expected)
{
  char text[65] = "";
  for (uint32_t b = 0; b < bits; b++)
    text[b] = expected >> (bits - 1 - b) & 1 ? '1' : '0';
  expect_text(fst, i, path, text);
}

/* Flit wires and vector of one side and direction. */
static void expect_flit(void *fst, uint32_t i, const char *side, const char *direction, unsigned p,
                        const struct hd_flit_event *events, uint32_t n, bool mark)
{
  static const char *const wires[] = {"valid", "kind", "vc", "data"};
  static const uint32_t bits[] = {1, 3, 1, 16};
  const struct hd_flit_event *e = NULL;
  char path[64];

  for (uint32_t k = 0; k < n; k++)
    if (events[k].port == p)
      e = &events[k];
  const uint64_t values[] = {e != NULL, e != NULL ? e->kind : 0, e != NULL ? e->vc : 0,
                             e != NULL ? e->data : 0};
  uint64_t vector = mark;
  for (int k = 0; k < 4; k++) {
    snprintf(path, sizeof path, "%s.port%u.%s_%s", side, p, direction, wires[k]);
    if (k == 0 || e != NULL)
      expect(fst, i, path, bits[k], values[k]);
    else
      expect_text(fst, i, path, k == 1 ? "zzz" : k == 2 ? "z" : "zzzzzzzzzzzzzzzz");
    vector = vector << bits[k] | values[k];
  }
  snprintf(path, sizeof path, "%s.port%u.%s_flit", side, p, direction);
  if (e == NULL && !mark)
    expect_text(fst, i, path, "zzzzzzzzzzzzzzzzzzzzzz");
  else
    expect(fst, i, path, 22, vector);
}

static void expect_credit(void *fst, uint32_t i, const char *side, const char *signal, unsigned p,
                          const struct hd_credit_event *events, uint32_t n)
{
  char path[64];
  uint64_t set = 0;
  for (uint32_t k = 0; k < n; k++)
    if (events[k].port == p)
      set |= events[k].vcs;
  snprintf(path, sizeof path, "%s.port%u.%s", side, p, signal);
  expect(fst, i, path, VCS, set);
}

static void expect_ports(void *fst, uint32_t i, bool rtl)
{
  const struct cycle *c = &cycles[i];
  const char *side = rtl ? "rtl" : "model";
  for (unsigned p = 0; p < PORTS; p++) {
    const bool mark = FIRST + i == DIVERGENCE && p == 2 && handle_of(fst, "rtl.quiescent") != 0;
    expect_flit(fst, i, side, "in", p, c->in, c->n_in, false);
    expect_flit(fst, i, side, "out", p, rtl ? c->dut : c->model, rtl ? c->n_dut : c->n_model, mark);
    expect_credit(fst, i, side, "out_credit", p, c->credits_in, c->n_credits_in);
    expect_credit(fst, i, side, "in_credit", p, rtl ? c->dut_credits : c->model_credits,
                  rtl ? c->n_dut_credits : c->n_model_credits);
  }
}

/* A format with the port, then the virtual channel. */
static void expect_state(void *fst, uint32_t i, const char *format, unsigned p, unsigned v,
                         uint32_t bits, uint64_t value)
{
  char tail[64], path[80];
  snprintf(tail, sizeof tail, format, p, v); /* formats are literals below */
  snprintf(path, sizeof path, "model.%s", tail);
  expect(fst, i, path, bits, value);
}

static void expect_model_states(void *fst, uint32_t i)
{
  const struct hd_switch_view *view = &cycles[i].view;
  for (unsigned p = 0; p < PORTS; p++) {
    for (unsigned v = 0; v < VCS; v++) {
      expect_state(fst, i, "in[%u].vc[%u].occupancy", p, v, 7, view->in[p][v].occupancy);
      expect_state(fst, i, "in[%u].vc[%u].state", p, v, 2, view->in[p][v].state);
      expect_state(fst, i, "in[%u].vc[%u].oport", p, v, 4, view->in[p][v].oport);
      expect_state(fst, i, "in[%u].vc[%u].ovc", p, v, 3, view->in[p][v].ovc);
      expect_state(fst, i, "out[%u].vc[%u].credit", p, v, 7, view->out[p][v].credit);
      expect_state(fst, i, "out[%u].vc[%u].owned", p, v, 1, view->out[p][v].owned);
    }
    expect_state(fst, i, "in[%u].next", p, 0, 3, view->in_next[p]);
    expect_state(fst, i, "out[%u].next", p, 0, 4, view->out_next[p]);
    expect_state(fst, i, "out[%u].vc_next", p, 0, 3, view->vc_next[p]);
  }
  expect(fst, i, "model.errors", 7, view->errors);
}

static void *open_fst(void)
{
  char path[64];
  void *fst = NULL;
  snprintf(path, sizeof path, "%s/waves.fst", directory);
  fst = fstReaderOpen(path);
  assert_non_null(fst);
  return fst;
}

/* The text of a file of the folder. */
static char *text_of(const char *name)
{
  static char text[1 << 16];
  char path[64];
  FILE *f = NULL;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  f = fopen(path, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  return text;
}

static void expect_in(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    fail_msg("'%s' is not in:\n%s", part, text);
}

/* ── tests ─────────────────────────────────────────────────────────────────── */

TEST(waves_of_rtl_and_model_show_the_replayed_cycles)
{
  char dut[64], path[64];
  void *fst = NULL;

  snprintf(dut, sizeof dut, "%s/dut.fst", directory);
  write_dut_waves(dut);
  save(dut, true);
  fst = open_fst();
  assert_int_equal(fstReaderGetTimescale(fst), -12);
  assert_int_equal(fstReaderGetEndTime(fst), (FIRST + CYCLES) * HD_WAVES_CYCLE_PS);
  values_compared = 0;
  for (uint32_t i = 0; i < CYCLES; i++) {
    expect_ports(fst, i, false);
    expect_ports(fst, i, true);
    expect_model_states(fst, i);
    for (unsigned p = 0; p < PORTS; p++) {
      for (unsigned v = 0; v < VCS; v++) {
        snprintf(path, sizeof path, "rtl.in[%u].vc[%u].occupancy", p, v);
        expect(fst, i, path, 7, dut_occupancy(i, p, v));
        snprintf(path, sizeof path, "rtl.internal.hd_switch.in[%u].vc[%u].occupancy", p, v);
        expect(fst, i, path, 3, dut_occupancy(i, p, v));
        snprintf(path, sizeof path, "rtl.out[%u].vc[%u].credit", p, v);
        expect(fst, i, path, 7, cycles[i].view.out[p][v].credit);
      }
      snprintf(path, sizeof path, "compare.port%u.differs", p);
      expect(fst, i, path, 1, FIRST + i == DIVERGENCE && p == 2);
      snprintf(path, sizeof path, "compare.port%u.state_differs", p);
      expect(fst, i, path, 1, FIRST + i >= STATE && p == 1);
    }
    expect(fst, i, "compare.differs", 1, FIRST + i == DIVERGENCE);
    expect(fst, i, "compare.state_differs", 1, FIRST + i >= STATE);
    expect(fst, i, "compare.cycle", 48, FIRST + i);
    expect(fst, i, "compare.offset", 16, (uint64_t)i - (DIVERGENCE - FIRST));
    expect(fst, i, "rtl.quiescent", 1, i == 0);
    expect(fst, i, "model.quiescent", 1, i == 0);
    expect(fst, i, "rtl.internal.hd_switch.clk", 1, 1);
  }
  assert_int_equal(handle_of(fst, "rtl.in[0].next"), 0); /* the DUT does not show it */
  fstReaderClose(fst);
  print_message("%zu values compared\n", values_compared);
  assert_int_equal(values_compared, CYCLES * (2 * PORTS * 12 + 3 * PORTS * VCS +
                                              PORTS * (6 * VCS + 3) + 1 + 2 * PORTS + 7));
}

TEST(save_file_opens_at_the_divergence)
{
  char *text = text_of("waves.gtkw");

  expect_in(text, "-cycle 1040, switch 7, port 2, vc 1:\n");
  expect_in(text, "-model: H13 vc1 0x0034\n");
  expect_in(text, "-rtl: none\n");
  expect_in(text, "-a made-up replay\n");
  expect_in(text, "[timestart] 1016000\n");
  expect_in(text, " 1040000 1038000\n"); /* marker, named marker A */
  expect_in(text, "[markername] Ain[1].vc[0].occupancy\n");
  expect_in(text, "-port 2: the first difference\n");
  expect_in(text,
            "^1 /heddle/flits.txt\n[color] 2\n+{rtl port2 out_flit} rtl.port2.out_flit[21:0]\n");
  expect_in(text, "+{model port2 out_flit} model.port2.out_flit[21:0]\n");
  /* the divergent port comes first, and what differs before what agrees */
  assert_true(strstr(text, "-port 2: the") < strstr(text, "-port 0"));
  assert_true(strstr(text, "rtl.in[1].vc[0].occupancy") <
              strstr(text, "-port 1: state that agrees"));
  assert_true(strstr(text, "@800200\n-port 1: the first state to differ\n") <
              strstr(text, "-port 0"));

  text = text_of("flits.txt");
  expect_in(text, "\n350034 ?red3?H13 vc1 0x0034\n"); /* 1 1 010 1, 0x0034 */
  expect_in(text, "\n150034 ?MidnightBlue?H13 vc1 0x0034\n");
  expect_in(text, "\n200000 ?red3?none\n");
  expect_in(text_of("states.txt"), "1 open\n");
}

/* A signal's name, as a waveform viewer makes it from the file, for each variable_add. */
TEST(the_surfer_commands_show_the_rows_of_the_save_file)
{
  char *text = text_of("waves.sucl");
  void *fst = open_fst();
  size_t variables = 0;

  expect_in(text, "\ndivider_add state_differs_first_in_cycle_1038_in_1__vc_0__occupancy\n");
  expect_in(text, "\ndivider_add port_2__the_first_difference\n");
  expect_in(text, "variable_add rtl.port2.out_kind\nvariable_add rtl.port2.out_vc\n");
  expect_in(text, "\nvariable_add model.in[1].vc[0].occupancy\n");
  expect_in(text, "\nzoom_fit\ncursor_set 1040000\n");
  assert_null(strstr(text, "_flit"));
  assert_null(strstr(text, "port0")); /* a closed group */
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    assert_null(strchr(line, ';'));
    if (strncmp(line, "variable_add ", 13) != 0)
      continue;
    variables++;
    if (handle_of(fst, line + 13) == 0)
      fail_msg("%s is not in waves.fst", line + 13);
  }
  assert_true(variables > 30);
  fstReaderClose(fst);
}

TEST(the_gtkwave_window_shows_the_divergence_and_marker_a)
{
  /* the window's pixels for waves, and those that the zoom speaks of (bridge/waves/gtkw.c) */
  const double pixels = 1840 - 430 - 90, zoom_pixels = 200;
  static const uint32_t wrong[] = {FIRST, FIRST + 3, STATE, DIVERGENCE, FIRST + CYCLES - 1};
  char dut_waves[64];

  snprintf(dut_waves, sizeof dut_waves, "%s/dut.fst", directory);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    double start = 0, zoom = 0, at = 0, a = 0;
    wrong_from = wrong[i];
    write_dut_waves(dut_waves);
    save(dut_waves, true);
    const char *text = text_of("waves.gtkw");
    assert_int_equal(sscanf(strstr(text, "[timestart]"), "[timestart] %lf", &start), 1);
    assert_int_equal(sscanf(strstr(text, "\n*"), "\n*%lf %lf %lf", &zoom, &at, &a), 3);
    assert_true(at == 1000.0 * DIVERGENCE && a == 1000.0 * wrong[i]);
    const double end = start + exp2(-zoom) * pixels / zoom_pixels;
    if (start > a || start > at || end < a + 1000 || end < at + 1000)
      fail_msg("A in cycle %u: shown is %.0f to %.0f", wrong[i], start, end);
    assert_true(end - start >= 39000 && end - start <= 1000 * (CYCLES + 10));
  }
  wrong_from = STATE;
}

TEST(every_port_with_a_first_difference_is_open)
{
  char dut[64];

  port_0_is_wrong_too = true;
  snprintf(dut, sizeof dut, "%s/dut.fst", directory);
  write_dut_waves(dut);
  save(dut, true);
  const char *text = text_of("waves.gtkw"),
             *zero = strstr(text, "@800200\n-port 0: the first state to differ\n"),
             *one = strstr(text, "@800200\n-port 1: the first state to differ\n");
  assert_true(zero != NULL && zero < one);
  port_0_is_wrong_too = false;
}

TEST(states_of_the_model_are_shown_if_the_dut_has_no_waves)
{
  void *fst = NULL;

  save(NULL, false);
  fst = open_fst();
  for (uint32_t i = 0; i < CYCLES; i++) {
    expect_ports(fst, i, false);
    expect_model_states(fst, i);
  }
  assert_int_equal(handle_of(fst, "rtl.quiescent"), 0);
  assert_int_equal(handle_of(fst, "compare.differs"), 0);
  fstReaderClose(fst);
  expect_in(text_of("waves.gtkw"), "-the DUT cannot be replayed: these\n");
  expect_in(text_of("waves.gtkw"), "-port 2: the first difference\n");
  assert_null(strstr(text_of("waves.gtkw"), "rtl."));
}

TEST(ports_of_a_dut_without_waves_are_shown)
{
  void *fst = NULL;

  save(NULL, true);
  fst = open_fst();
  for (uint32_t i = 0; i < CYCLES; i++) {
    expect_ports(fst, i, false);
    expect_ports(fst, i, true);
    expect(fst, i, "compare.differs", 1, FIRST + i == DIVERGENCE);
  }
  assert_int_equal(handle_of(fst, "compare.state_differs"), 0);
  assert_int_equal(handle_of(fst, "rtl.errors"), 0);
  fstReaderClose(fst);
  expect_in(text_of("waves.gtkw"), "+{rtl port2 out_flit} rtl.port2.out_flit[21:0]\n");
}

TEST(the_first_wrong_state_is_found_without_files)
{
  struct hd_waves *waves = NULL;
  char dut[64], waves_path[64];

  snprintf(dut, sizeof dut, "%s/dut.fst", directory);
  snprintf(waves_path, sizeof waves_path, "%s/waves.fst", directory);
  unlink(waves_path);
  write_dut_waves(dut);
  for (uint32_t first = 0; first < CYCLES; first++) {
    must(hd_waves_create(&waves, &params, &why));
    for (uint32_t i = first; i < CYCLES; i++)
      add_cycle(waves, i, true);
    if (hd_waves_merge(waves, NULL, dut, &why) != 0)
      fail_msg("%s", why.text);
    const struct hd_explain_inside *in = &waves->inside;
    /* occupancies and credits are all that this DUT shows; only those of input 1, channel 0 are beside */
    const bool late = FIRST + first > STATE;
    assert_true(in->known);
    assert_int_equal(in->observed, 2 * PORTS * VCS);
    assert_int_equal(in->cycle, late ? FIRST + first : STATE);
    assert_int_equal(in->or_before, FIRST + first >= STATE);
    assert_int_equal(in->n_states, 1);
    const uint32_t at = (uint32_t)in->cycle - FIRST;
    char rtl[12], model[12];
    snprintf(rtl, sizeof rtl, "%u", dut_occupancy(at, 1, 0));
    snprintf(model, sizeof model, "%u", cycles[at].view.in[1][0].occupancy);
    assert_string_equal(in->states[in->first].name, "in[1].vc[0].occupancy");
    assert_string_equal(in->states[in->first].rtl, rtl);
    assert_string_equal(in->states[in->first].model, model);
    assert_true(in->states[in->first].differs);
    hd_waves_destroy(waves);
  }
  assert_int_equal(access(waves_path, F_OK), -1);
}

/* The last values that a watcher was told of each signal that is asked for. */
struct recorded {
  char signal[HD_WAVES_NAME], model[64], dut[64];
  uint64_t cycle;
  bool has_dut, differs;
};
static struct recorded recorded[1024];
static size_t n_recorded, times_recorded;

static int record_value(void *context, const struct hd_waves_value *v)
{
  (void)context;
  assert_true(v->cycle >= watcher->first && v->cycle <= watcher->last);
  assert_true(!times_recorded || v->cycle >= recorded[n_recorded - 1].cycle);
  assert_true(n_recorded < sizeof recorded / sizeof *recorded);
  struct recorded *t = &recorded[n_recorded++];
  *t = (struct recorded){.cycle = v->cycle, .has_dut = v->dut != NULL, .differs = v->differs};
  snprintf(t->signal, sizeof t->signal, "%s", v->signal);
  snprintf(t->model, sizeof t->model, "%s", v->model);
  snprintf(t->dut, sizeof t->dut, "%s", v->dut ? v->dut : "");
  times_recorded++;
  return 0;
}

/* The values of a state that the watcher got last. */
static const struct recorded *last_recorded(const char *signal, uint64_t cycle)
{
  const struct recorded *found = NULL;
  for (size_t i = 0; i < n_recorded && recorded[i].cycle <= cycle; i++)
    if (!strcmp(recorded[i].signal, signal))
      found = &recorded[i];
  if (!found)
    fail_msg("nothing was told of %s by cycle %llu", signal, (unsigned long long)cycle);
  return found;
}

TEST(a_watcher_receives_the_values_of_the_waves)
{
  enum { BEFORE = 6, AFTER = 3 };
  struct hd_waves_watcher w = {
      .value = record_value, .first = DIVERGENCE - BEFORE, .last = DIVERGENCE + AFTER};
  char dut[64], name[HD_WAVES_NAME], text[16];
  size_t compared = 0;

  snprintf(dut, sizeof dut, "%s/dut.fst", directory);
  write_dut_waves(dut);
  watcher = &w;
  n_recorded = times_recorded = 0;
  save(dut, true);
  for (uint64_t cycle = w.first; cycle <= w.last; cycle++) {
    const uint32_t i = (uint32_t)(cycle - FIRST);
    for (unsigned p = 0; p < PORTS; p++)
      for (unsigned v = 0; v < VCS; v++) {
        const uint32_t model = cycles[i].view.in[p][v].occupancy, rtl = dut_occupancy(i, p, v);
        snprintf(name, sizeof name, "in[%u].vc[%u].occupancy", p, v);
        const struct recorded *t = last_recorded(name, cycle);
        snprintf(text, sizeof text, "%u", model);
        assert_string_equal(t->model, text);
        snprintf(text, sizeof text, "%u", rtl);
        assert_string_equal(t->dut, text);
        assert_int_equal(t->differs, model != rtl);
        snprintf(name, sizeof name, "in[%u].vc[%u].state", p, v);
        assert_string_equal(last_recorded(name, cycle)->model,
                            hd_vc_state_name(cycles[i].view.in[p][v].state));
        assert_false(last_recorded(name, cycle)->has_dut); /* the DUT does not show it */
        compared += 3;
      }
  }
  assert_int_equal(compared, (BEFORE + 1 + AFTER) * PORTS * VCS * 3);
  const struct recorded *flit = last_recorded("port 2 out", DIVERGENCE);
  assert_int_equal(flit->cycle, DIVERGENCE);
  assert_string_equal(flit->model, "H13 vc1 0x0034");
  assert_true(flit->has_dut && flit->differs);
  assert_string_equal(flit->dut, "");
  assert_string_equal(w.first_state, "in[1].vc[0].occupancy");
  assert_int_equal(w.first_state_cycle, STATE);

  /* Without the DUT's waves the watcher gets the DUT's ports, but not its states. */
  w.first_state[0] = '\0';
  n_recorded = times_recorded = 0;
  save(NULL, true);
  assert_true(last_recorded("port 2 out", DIVERGENCE)->differs);
  assert_false(last_recorded("in[1].vc[0].occupancy", DIVERGENCE)->has_dut);
  assert_string_equal(w.first_state, "");
  watcher = NULL;
}

TEST(unusable_wave_files_are_reported)
{
  static const struct hd_divergence divergence = {.difference = HD_DIFF_QUIESCENT, .cycle = FIRST};
  struct hd_waves *waves = NULL;
  char garbage[64];
  FILE *f = NULL;

  snprintf(garbage, sizeof garbage, "%s/garbage.fst", directory);
  f = fopen(garbage, "w");
  assert_non_null(f);
  fputs("this is no wave file", f);
  fclose(f);
  must(hd_waves_create(&waves, &params, &why));
  assert_int_equal(hd_waves_save(waves, &divergence, "", directory, NULL, &why), HD_E_INTERNAL);
  add_cycle(waves, 0, true);
  assert_int_equal(hd_waves_save(waves, &divergence, "", directory, garbage, &why), HD_E_IO);
  expect_in(why.text, "garbage.fst");
  assert_int_equal(hd_waves_save(waves, &divergence, "", "/nonexistent", NULL, &why), HD_E_IO);
  expect_in(why.text, "/nonexistent");
  hd_waves_destroy(waves);
}

static int make_directory(void **state)
{
  (void)state;
  make_cycles();
  return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state)
{
  static const char *const names[] = {"waves.fst",  "waves.gtkw", "waves.sucl", "flits.txt",
                                      "states.txt", "dut.fst",    "garbage.fst"};
  char path[64];
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    unlink(path);
  }
  return rmdir(directory);
}

int main(void)
{
  return tests_run(make_directory, remove_directory);
}
