/* Reads of registers are compared: at the end of a run, and after writes during it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DUTs are the model, with one register of switch 6 that reads wrongly or that a write misses.
 */
#include "../lib/lockstep_mesh.h"
#include "../lib/test.h"

enum { BAD_SWITCH = 6, WRITE_CYCLE = 300, CYCLES = 700, NODES = 16 };

static uint32_t bad_address;
static unsigned reads, calls, writes_missed;

/* A DUT that decodes only a part of the address. */
static int bad_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                    struct hd_error *err)
{
  int status = hd_dut_model_backend()->config_read(dut, sw, addr, data, err);
  reads++;
  if (sw == BAD_SWITCH && addr == bad_address)
    *data ^= 0x40;
  return status;
}

static int bad_reads(struct hd_dut *dut, struct hd_dut_read *read, size_t n, struct hd_error *err)
{
  int status = HD_OK;
  calls++;
  for (size_t i = 0; i < n && !status; i++)
    status = bad_read(dut, read[i].sw, read[i].addr, &read[i].data, err);
  return status;
}

/* Loses a bit of each value that is written to the address. The write itself shows at quiescent_o. */
static int losing_a_bit_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                            struct hd_error *err)
{
  int status = HD_OK;
  for (size_t i = 0; i < n && !status; i++) {
    const struct hd_config_event *configs = jobs[i].configs_in;
    uint32_t n_configs = jobs[i].n_configs_in;
    struct hd_config_event *heard = malloc((n_configs + 1) * sizeof *heard);
    assert_non_null(heard);
    for (uint32_t k = 0; k < n_configs; k++) {
      heard[k] = configs[k];
      if (jobs[i].sw != BAD_SWITCH || configs[k].addr != bad_address)
        continue;
      heard[k].data &= (uint16_t)~2u;
      writes_missed++;
    }
    jobs[i].configs_in = heard;
    status = hd_dut_model_backend()->run(dut, &jobs[i], 1, err);
    jobs[i].configs_in = configs;
    free(heard);
  }
  return status;
}

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  (void)context;
  if (cycle != WRITE_CYCLE)
    return HD_OK;
  int status = HD_OK;
  for (uint32_t sw = 0; sw < NODES && !status; sw++)
    status = hd_fabric_config(fabric, sw, HD_CFG_IDLE, 1234, NULL, err);
  return status;
}

static int run_lockstep(const struct hd_dut_ops *ops, enum hd_mode mode, bool writes,
                        struct hd_lockstep_result *result, struct hd_error *err)
{
  CLEANUP(mesh_close) struct mesh mesh;
  struct hd_lockstep_params params = {.dut = ops,
                                      .mode = mode,
                                      .window_cycles = 64,
                                      .threads = 2,
                                      .hooks = {.cycle_begin = writes ? begin_cycle : NULL}};
  reads = calls = writes_missed = 0;
  mesh_open(&mesh);
  mesh.params.sw.barrier = HD_BARRIER_ANY;
  mesh.params.sw.groups = 2;
  mesh.params.sw.switches = NODES;
  int status = mesh_run(&mesh, params, CYCLES, result, err);
  return status;
}

TEST(every_register_is_read_at_the_end)
{
  static const struct {
    uint32_t address;
    const char *name;
  } list[] = {{0, "ID"},
              {1, "VERSION"},
              {2, "SHAPE"},
              {3, "TIMING"},
              {4, "WIDTH"},
              {5, "NODES"},
              {HD_CFG_BARRIER, "BARRIER"},
              {HD_CFG_SWITCHES, "SWITCHES"},
              {HD_CFG_IDLE, "IDLE"},
              {HD_CFG_SELF, "SELF"},
              {HD_CFG_LIVE, "LIVE"},
              {HD_CFG_CENTER, "CENTER"},
              {HD_CFG_COUNT, "COUNT"},
              {HD_CFG_LOCAL, "LOCAL"},
              {HD_CFG_OPEN, "OPEN"},
              {HD_CFG_CLOSE, "CLOSE"}};
  struct hd_dut_ops ops = *hd_dut_model_backend();
  ops.config_read = bad_read;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    for (unsigned closed = 0; closed < 2; closed++) {
      struct hd_lockstep_result r;
      struct hd_error err = {""};
      bad_address = list[i].address;
      int status = run_lockstep(&ops, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, false, &r, &err);
      if (status != HD_E_DIVERGENCE || r.divergence.difference != HD_DIFF_REGISTER)
        fail_msg("%s: status %d, \"%s\"", list[i].name, status, err.text);
      assert_int_equal(r.divergence.sw, BAD_SWITCH);
      assert_int_equal(r.divergence.address, bad_address);
      assert_int_equal(r.divergence.expected_errors ^ r.divergence.got_errors, 0x40);
      assert_string_equal(hd_register_name(bad_address), list[i].name);
      assert_int_equal(r.divergence.cycle, CYCLES);
      assert_int_equal(r.cycles_compared, CYCLES);
    }
}

TEST(a_write_that_no_port_shows_is_read_back)
{
  struct hd_dut_ops ops = *hd_dut_model_backend();
  bad_address = HD_CFG_IDLE;
  for (unsigned k = 0; k < 4; k++) {
    struct hd_lockstep_result r;
    struct hd_error err = {""};
    bool closed = k & 1, deaf = k & 2;
    ops.run = deaf ? losing_a_bit_run : hd_dut_model_backend()->run;
    int status = run_lockstep(&ops, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, true, &r, &err);
    if (!deaf && status)
      fail_msg("%s", err.text);
    if (!deaf)
      continue;
    assert_true(writes_missed > 0);
    assert_int_equal(status, HD_E_DIVERGENCE);
    assert_int_equal(r.divergence.difference, HD_DIFF_REGISTER);
    assert_int_equal(r.divergence.port, 0xff);
    assert_int_equal(r.divergence.vc, 0xff);
    assert_int_equal(r.divergence.sw, BAD_SWITCH);
    assert_int_equal(r.divergence.address, HD_CFG_IDLE);
    assert_int_equal(r.divergence.expected_errors, 1234);
    /* The difference is found after the window of the write, not at the end of the run. */
    assert_int_equal(r.divergence.cycle, 320); /* in both modes */
  }
}

TEST(only_register_errors_is_read_where_reads_are_slow)
{
  struct hd_dut_ops ops = *hd_dut_model_backend();
  struct hd_lockstep_result r;
  ops.config_read = bad_read;
  bad_address = UINT32_MAX;
  must(run_lockstep(&ops, HD_MODE_DECOUPLED, false, &r, &why));
  const unsigned all = reads;
  assert_true(all > 17 * NODES);
  ops.capabilities |= HD_DUT_BATCH; /* bit lanes have that, too */
  must(run_lockstep(&ops, HD_MODE_DECOUPLED, false, &r, &why));
  assert_int_equal(reads, all);
  ops.capabilities |= HD_DUT_DEAR_READS;
  for (unsigned writes = 0; writes < 2; writes++) {
    must(run_lockstep(&ops, HD_MODE_DECOUPLED, writes, &r, &why));
    assert_int_equal(reads, NODES); /* error registers */
  }
}

TEST(registers_are_read_in_one_call_if_the_dut_supports_it)
{
  struct hd_dut_ops ops = *hd_dut_model_backend();
  struct hd_lockstep_result r, one_by_one;
  ops.config_read = bad_read;
  ops.extension = &(const struct hd_dut_extension){.config_reads = bad_reads};
  bad_address = UINT32_MAX;
  must(run_lockstep(&ops, HD_MODE_DECOUPLED, true, &r, &why));
  const unsigned all = reads;
  assert_int_equal(calls, 0); /* the DUT does not announce this capability */
  ops.capabilities |= HD_DUT_READS;
  must(run_lockstep(&ops, HD_MODE_DECOUPLED, true, &r, &why));
  assert_int_equal(reads, all);
  assert_true(calls > 1 && calls * 64 < reads);
  bad_address = HD_CFG_LIVE;
  assert_int_equal(run_lockstep(&ops, HD_MODE_DECOUPLED, false, &r, &why), HD_E_DIVERGENCE);
  ops.capabilities &= ~(uint32_t)HD_DUT_READS;
  assert_int_equal(run_lockstep(&ops, HD_MODE_DECOUPLED, false, &one_by_one, &why),
                   HD_E_DIVERGENCE);
  assert_memory_equal(&r.divergence, &one_by_one.divergence, sizeof r.divergence);
  assert_int_equal(r.divergence.address, HD_CFG_LIVE);
}
