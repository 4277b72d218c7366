/* The virtual board: the FPGA's core, Verilated, with its line on a pseudo-terminal.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_virtual.h"

#include "dut_cache.h"
#include "dut_sources.h"
#include "install_root.h"
#include "tool_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PRODUCT "virtual_board"

extern char **environ;

static const char *const k_link[] = {
    "fpga/link/hd_board.v",    "fpga/link/hd_player.v",   "fpga/link/hd_signature.v",
    "fpga/link/hd_requests.v", "fpga/link/hd_frame_rx.v", "fpga/link/hd_frame_tx.v",
    "fpga/link/hd_crc32.v",    "fpga/link/hd_uart_rx.v",  "fpga/link/hd_uart_tx.v",
};
static const char *const k_shim[] = {"fpga/virtual/virtual_board.cpp"};
static const char *const k_verilator[] = {
    "verilator_bin", "--cc",       "--exe",     "--build",     "--top-module", "hd_board",
    "--Mdir",        "obj",        "-o",        "../" PRODUCT, "-O3",          "--x-initial",
    "unique",        "--noassert", "-Wno-lint", "-Wno-style",  "-Wno-fatal",   "-MAKEFLAGS",
    "OPT_FAST=-O2",  "-LDFLAGS",   "-lutil"};
enum {
  CLOCKS_PER_BIT = 4,
  MEMORY_WORDS = 4096,
  N_VERILATOR = sizeof k_verilator / sizeof *k_verilator
};

struct sources {
  struct hd_dut_sources sources;
  char root[PATH_MAX];
  const char *rtl_dir, *cache_dir;
  char default_rtl[PATH_MAX + 8], default_cache[PATH_MAX + 16];
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMETERS][32];
};

/* What a board's switches and link are made of, as lines of the key. */
static int collect(struct sources *s, const struct hd_backend_options *options,
                   struct hd_error *err)
{
  memset(s, 0, sizeof *s);
  int status = hd_install_root(s->root, sizeof s->root, err);
  if (status)
    return status;
  snprintf(s->default_rtl, sizeof s->default_rtl, "%s/rtl", s->root);
  snprintf(s->default_cache, sizeof s->default_cache, "%s/build/dut", s->root);
  s->rtl_dir = options->rtl_dir ? options->rtl_dir : s->default_rtl;
  s->cache_dir = options->cache_dir ? options->cache_dir : s->default_cache;
  status = hd_sources_add_rtl(&s->sources, s->rtl_dir, err);
  if (!status)
    status = hd_sources_add_own(&s->sources, s->root, k_link, sizeof k_link / sizeof *k_link, err);
  return status ? status : hd_key_add_sources(&s->sources, err);
}

static uint64_t hash_of(const struct sources *s)
{
  return hd_hash_bytes(s->sources.key, strlen(s->sources.key), 9);
}

int hd_board_build_hash(const struct hd_backend_options *options, uint64_t *hash,
                        struct hd_error *err)
{
  struct sources s;
  int status = collect(&s, options, err);
  *hash = status ? 0 : hash_of(&s);
  hd_sources_fini(&s.sources);
  return status;
}

static int build(const struct sources *s, uint64_t hash, uint32_t count,
                 const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                 struct hd_error *err)
{
  const char *argv[N_VERILATOR + HD_SWITCH_PARAMETERS + 32];
  char set[HD_SWITCH_PARAMETERS][40], own[5][48], include[PATH_MAX];
  size_t n = N_VERILATOR;
  memcpy(argv, k_verilator, sizeof k_verilator);
  for (size_t i = 0; i < s->n_parameters; i++) {
    snprintf(set[i], sizeof set[i], "-G%s", s->parameters[i]);
    argv[n++] = set[i];
  }
  snprintf(own[0], sizeof own[0], "-GSWITCHES_ON_BOARD=%u", count);
  snprintf(own[1], sizeof own[1], "-GCLOCKS_PER_BIT=%d", CLOCKS_PER_BIT);
  snprintf(own[2], sizeof own[2], "-GIN_WORDS=%d", MEMORY_WORDS);
  snprintf(own[3], sizeof own[3], "-GOUT_WORDS=%d", MEMORY_WORDS);
  snprintf(own[4], sizeof own[4], "-GBUILD=64'h%016llx", (unsigned long long)hash);
  for (size_t i = 0; i < 5; i++)
    argv[n++] = own[i];
  snprintf(include, sizeof include, "-DHD_CLOCKS_PER_BIT=%d", CLOCKS_PER_BIT);
  argv[n++] = "-CFLAGS";
  argv[n++] = include;
  argv[n++] = "-y";
  argv[n++] = "rtl";
  argv[n++] = "-Irtl";
  argv[n++] = "-y";
  argv[n++] = "src/fpga/link";
  argv[n++] = "src/fpga/link/hd_board.v";
  argv[n++] = "../src/fpga/virtual/virtual_board.cpp"; /* as seen from obj/ */
  argv[n] = NULL;
  struct hd_tool tool = {.argv = argv,
                         .package = "verilator",
                         .directory = entry->temporary,
                         .log_path = entry->log,
                         .stop = options->stop,
                         .context = options->context};
  int status = hd_sources_write(&s->sources, entry->temporary, err);
  if (!status)
    status = hd_tool_must(&tool, s->rtl_dir, err);
  return status;
}

int hd_board_virtual_build(const struct hd_switch_params *params, uint32_t count,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  static const char *const ask_verilator[] = {"verilator_bin", "--version", NULL};
  struct sources s;
  struct hd_cache_entry entry;
  char text[32], line[256];
  if (count > 16)
    return hd_fail(err, HD_E_INPUT,
                   "the fabric has %u switches, a board holds at most 16 (specification chapter 9)",
                   count);
  int status = collect(&s, options, err);
  uint64_t hash = status ? 0 : hash_of(&s);
  s.n_parameters = hd_switch_parameters(params, s.parameters);
  for (size_t i = 0; i < s.n_parameters && !status; i++)
    status = hd_key_add(&s.sources, "parameter", s.parameters[i], err);
  snprintf(text, sizeof text, "%u", count);
  if (!status)
    status = hd_key_add(&s.sources, "switches", text, err);
  if (!status)
    status = hd_sources_add_own(&s.sources, s.root, k_shim, 1, err);
  if (!status)
    status = hd_key_add_sources(&s.sources, err);
  for (size_t i = 0; i < N_VERILATOR && !status; i++)
    status = hd_key_add(&s.sources, "flag", k_verilator[i], err);
  if (!status)
    status = hd_key_add_tool(&s.sources, "verilator", ask_verilator, "verilator", err);
  if (!status)
    status = hd_cache_open(&entry, s.cache_dir, s.sources.key, PRODUCT, options->stop,
                           options->context, err);
  if (!status && !entry.hit) {
    snprintf(line, sizeof line, "building the virtual board: %u switches of %u ports", count,
             params->ports);
    if (options->say)
      options->say(options->context, line);
    status = build(&s, hash, count, &entry, options, err);
    if (status)
      hd_cache_abandon(&entry);
    else
      status = hd_cache_publish(&entry, err);
  }
  if (!status && (size_t)snprintf(path, size, "%s/" PRODUCT, entry.directory) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", entry.directory);
  hd_sources_fini(&s.sources);
  return status;
}

/* ── the process ────────────────────────────────────────────────────────────── */

/* The path that it prints. */
static int read_path(int fd, char *device, size_t size, struct hd_error *err)
{
  size_t n = 0;
  while (n + 1 < size) {
    ssize_t got = read(fd, device + n, 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return hd_fail(err, HD_E_TOOL, "the virtual board ended before it named its line");
    if (device[n] == '\n') {
      device[n] = '\0';
      return 0;
    }
    n++;
  }
  return hd_fail(err, HD_E_TOOL, "the virtual board's line has too long a name");
}

/* Its standard input is a pipe of which this process alone has the other end: it ends with us. */
int hd_board_virtual_start(const char *path, pid_t *pid, char *device, size_t size,
                           struct hd_error *err)
{
  int in[2], out[2];
  char *argv[] = {(char *)(uintptr_t)path, NULL};
  posix_spawn_file_actions_t actions;
  *pid = 0;
  if (pipe2(in, O_CLOEXEC))
    return hd_fail(err, HD_E_IO, "no pipe to the virtual board: %s", strerror(errno));
  if (pipe2(out, O_CLOEXEC)) {
    close(in[0]);
    close(in[1]);
    return hd_fail(err, HD_E_IO, "no pipe to the virtual board: %s", strerror(errno));
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  /* Ctrl-C is ours to handle; what we block must still be able to end it. */
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  int failed = posix_spawn(pid, path, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  int status = failed ? hd_fail(err, HD_E_TOOL, "cannot start %s: %s", path, strerror(failed))
                      : read_path(out[0], device, size, err);
  close(out[0]);
  if (failed)
    *pid = 0;
  if (status) {
    close(in[1]);
    hd_board_virtual_stop(*pid);
    *pid = 0;
  }
  /* in[1] stays open, as long as this process lives */
  return status;
}

void hd_board_virtual_stop(pid_t pid)
{
  if (pid <= 0)
    return;
  kill(pid, SIGTERM);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
    ;
}
