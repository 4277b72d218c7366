/* Records how users' code ends the process, and describes it in words.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A signal handler has no argument, so the record that it writes to is a variable of this file.
 */
#include "user_code.h"

#include "memory.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Steps for which the ending thread waits: until a supervisor begins to write results, which it
 * does within a quarter of a second, and until it has written them. */
enum { STEP_MS = 10, BEGIN_STEPS = 300, END_STEPS = 3000 };

static struct {
  struct hd_user_code *code;
  pid_t process;
  pthread_t main_thread;
  bool is_registered;
} caught;

struct hd_user_code *hd_user_code_create(void)
{
  void *page = mmap(NULL, sizeof(struct hd_user_code), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    hd_memory_end();
  return page;
}

void hd_user_code_destroy(struct hd_user_code *code)
{
  if (code)
    munmap(code, sizeof *code);
}

/* ── standard streams ──────────────────────────────────────────────────────── */

/* Creates a file without a name. Its descriptor is never that of a standard stream, even if
 * those are closed. */
static int make_spare(const char *name)
{
  const int low = memfd_create(name, MFD_CLOEXEC);
  const int spare = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (low >= 0)
    close(low);
  return spare;
}

void hd_user_code_keep_streams(struct hd_user_code *code)
{
  struct stat about;
  for (int fd = 0; fd < 3; fd++)
    if (!fstat(fd, &about))
      code->streams[fd] = (struct hd_user_stream){true, about.st_dev, about.st_ino};
  code->watcher = getpid();
  code->spare_output = make_spare("heddle-output");
  code->spare_error = make_spare("heddle-error");
}

/* Opens a file of the watching process. This process has inherited its descriptors, but users'
 * code may have closed them. */
static int open_spare(const struct hd_user_code *code, int spare)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", code->watcher, spare);
  return spare < 0 ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/* Makes a standard stream usable again. Users' code may have closed the FILE, given it a buffer
 * in its shared object, or crashed while it held the FILE's lock. `buffer` NULL: the stream is
 * not buffered. */
static void renew_stream(FILE **stream, int fd, char buffer[HD_USER_OUTPUT])
{
  if (fileno(*stream) < 0 || ftrylockfile(*stream)) {
    FILE *again = fdopen(fd, "w");
    if (!again)
      return;
    *stream = again;
    flockfile(again);
  }
  fflush(*stream);
  clearerr(*stream);
  setvbuf(*stream, buffer,
          !buffer      ? _IONBF
          : isatty(fd) ? _IOLBF
                       : _IOFBF,
          buffer ? HD_USER_OUTPUT : 0);
  funlockfile(*stream);
}

void hd_user_code_restore_streams(const struct hd_user_code *code)
{
  static char output[HD_USER_OUTPUT]; /* static, since standard output uses it to the end of the
                                         process */
  struct stat about;
  for (int fd = 0; fd < 3; fd++) {
    const struct hd_user_stream *was = &code->streams[fd];
    if (!was->is_open ||
        (!fstat(fd, &about) && about.st_dev == was->device && about.st_ino == was->file))
      continue;
    const int other =
        fd == STDIN_FILENO
            ? open("/dev/null", O_RDONLY | O_CLOEXEC)
            : open_spare(code, fd == STDOUT_FILENO ? code->spare_output : code->spare_error);
    if (other >= 0 && other != fd) {
      dup2(other, fd);
      close(other);
    }
  }
  renew_stream(&stdout, STDOUT_FILENO, output);
  renew_stream(&stderr, STDERR_FILENO, NULL);
}

/* ── recording an end ────────────────────────────────────────────────────────── */

bool hd_user_code_is_running(const struct hd_user_code *code)
{
  for (unsigned i = 0; i < HD_USER_THREADS; i++)
    if (hd_user_call_is_under_way(&code->backend[i]))
      return true;
  return hd_user_call_is_under_way(&code->software);
}

/* Waits until the supervisor has ended this process or has found that it need not write anything.
 */
static void wait_for_supervisor(struct hd_user_code *code)
{
  const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
  for (int i = 0; i < (code->is_being_given_up ? END_STEPS : BEGIN_STEPS) && code->is_supervised;
       i++)
    nanosleep(&step, NULL);
}

static void record_end(struct hd_user_code *code, enum hd_user_end end, int number)
{
  code->number = number;
  code->on_main_thread = pthread_equal(pthread_self(), caught.main_thread);
  atomic_store(&code->end, end);
  wait_for_supervisor(code);
}

static bool is_below_a_stack(const struct hd_user_code *code, uintptr_t address)
{
  const uintptr_t stacks = code->stacks;
  return hd_user_call_is_under_way(&code->software) && address >= stacks &&
         (address - stacks) / (code->stack_stride ? code->stack_stride : 1) < code->n_stacks &&
         (address - stacks) % code->stack_stride < code->stack_guard;
}

static void locate(struct hd_user_code *code, const ucontext_t *context)
{
  Dl_info info = {0};
#if defined(__x86_64__)
  const uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  const uintptr_t at = (uintptr_t)context->uc_mcontext.pc;
#else
  const uintptr_t at = 0;
  (void)context;
#endif
  const void *address;
  memcpy(&address, &at, sizeof at);
  if (!at || !dladdr(address, &info))
    return;
  if (info.dli_sname)
    snprintf(code->function, sizeof code->function, "%s", info.dli_sname);
  if (info.dli_fname)
    snprintf(code->object, sizeof code->object, "%s", info.dli_fname);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
  struct hd_user_code *code = caught.code;
  signal(number, SIG_DFL);
  if (code && getpid() == caught.process && !code->end) {
    code->stack_is_full =
        (number == SIGSEGV || number == SIGBUS) && is_below_a_stack(code, (uintptr_t)info->si_addr);
    locate(code, context);
    record_end(code, HD_USER_SIGNAL, number);
  }
  raise(number); /* ends the process when this handler returns */
}

static void on_exit_of_process(int number, void *context)
{
  (void)context;
  struct hd_user_code *code = caught.code;
  if (code && getpid() == caught.process && !code->end && !code->is_over &&
      hd_user_code_is_running(code))
    record_end(code, HD_USER_EXIT, number);
}

/* Runs when users' code ends the main thread by pthread_exit(). Heddle itself never does. */
static void on_thread_end(void *value)
{
  (void)value;
  struct hd_user_code *code = caught.code;
  if (!code || getpid() != caught.process || code->end || code->is_over)
    return;
  record_end(code, HD_USER_THREAD, 0);
  _exit(EXIT_FAILURE);
}

static void on_quick_exit(void)
{
  on_exit_of_process(0, NULL);
}

void hd_user_code_catch(struct hd_user_code *code)
{
  /* Stack of the handler: that of a node may be full or damaged. */
  static char stack[65536];
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  pthread_key_t key;
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  caught.code = code;
  caught.process = getpid();
  caught.main_thread = pthread_self();
  if (caught.is_registered)
    return;
  caught.is_registered = !on_exit(on_exit_of_process, NULL) && !at_quick_exit(on_quick_exit);
  if (!pthread_key_create(&key, on_thread_end))
    pthread_setspecific(key, &caught);
#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer has its own handlers */
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigaction(faults[i], &action, NULL);
#else
  (void)stack;
  (void)faults;
  (void)action;
#endif
}

struct hd_user_code *hd_user_code_of_process(void)
{
  return caught.process == getpid() ? caught.code : NULL;
}

/* ── description ─────────────────────────────────────────────────────────────── */

void hd_user_call_add(const struct hd_user_call *call, struct hd_text *text)
{
  const uint32_t cycles = call->cycles;
  hd_text_add(text, "%s", call->what);
  if (cycles)
    hd_text_add(text, " of switch %u, window of %u cycles from cycle %llu", call->place, cycles,
                (unsigned long long)call->start);
}

static const struct hd_user_call *backend_call(const struct hd_user_code *code)
{
  for (unsigned i = 0; i < HD_USER_THREADS; i++)
    if (hd_user_call_is_under_way(&code->backend[i]))
      return &code->backend[i];
  return NULL;
}

static void add_software(const struct hd_user_code *code, struct hd_text *text)
{
  const struct hd_user_call *call = &code->software;
  hd_text_add(text, "endpoint software %s", code->program);
  if (!hd_user_call_is_under_way(call))
    hd_text_add(text, ", outside of its main function");
  else if (!strcmp(call->what, "main"))
    hd_text_add(text, " of node %u in cycle %llu", call->place, (unsigned long long)call->start);
  else
    hd_text_add(text, " in %s", call->what);
}

static void add_backend(const struct hd_user_code *code, struct hd_text *text)
{
  const struct hd_user_call *call = backend_call(code);
  hd_text_add(text, "backend %s", code->dut);
  if (call) {
    hd_text_add(text, " in ");
    hd_user_call_add(call, text);
  }
}

int hd_user_code_blame(const struct hd_user_code *code, struct hd_text *text)
{
  const bool software = hd_user_call_is_under_way(&code->software);
  const bool backend = backend_call(code) != NULL, noted = code->end != HD_USER_RUNS_ON;
  const bool in_program = code->object[0] && !strcmp(code->object, code->program);
  const bool in_dut = code->object[0] && !strcmp(code->object, code->dut);
  if (code->misuse[0] || in_program ||
      (!in_dut && software && (!backend || (noted && code->on_main_thread)))) {
    add_software(code, text);
    return HD_E_SOFTWARE;
  }
  if (in_dut || (backend && (!software || noted || code->program_is_heddles))) {
    add_backend(code, text);
    return HD_E_TOOL;
  }
  if (software) {
    add_software(code, text);
    hd_text_add(text, ", or ");
    add_backend(code, text);
    return HD_E_SOFTWARE;
  }
  hd_text_add(text, "heddle itself, outside of users' code");
  return HD_E_INTERNAL;
}

static void add_signal(const struct hd_user_code *code, int number, struct hd_text *text)
{
  if (code->stack_is_full) {
    hd_text_add(text, ": it ran over its stack of %zu KB",
                (code->stack_stride - code->stack_guard) / 1024);
    return;
  }
  hd_text_add(text, ": ended the process by signal %d (%s)", number, strsignal(number));
  if (number == SIGBUS)
    hd_text_add(text, "; was its file cut off, or written while it was in use?");
  if (number == SIGKILL)
    hd_text_add(text, "; was there too little memory?");
}

static void add_place(const struct hd_user_code *code, struct hd_text *text)
{
  if (code->function[0])
    hd_text_add(text, " in %s()", code->function);
  if (code->object[0])
    hd_text_add(text, "%s %s", code->function[0] ? " of" : " in", code->object);
  if (code->misuse[0])
    hd_text_add(text, "; %s", code->misuse);
}

void hd_user_code_add_end(const struct hd_user_code *code, struct hd_text *text)
{
  if (code->end == HD_USER_SIGNAL)
    add_signal(code, code->number, text);
  else if (code->end == HD_USER_THREAD)
    hd_text_add(text, ": ended Heddle's thread, as pthread_exit() does");
  else
    hd_text_add(text, ": ended the process with exit code %d", code->number);
  add_place(code, text);
}

void hd_user_code_add_wait_status(const struct hd_user_code *code, int wait_status,
                                  struct hd_text *text)
{
  if (code->end) {
    hd_user_code_add_end(code, text);
    return;
  }
  if (WIFSTOPPED(wait_status))
    hd_text_add(text, ": stopped the process by signal %d (%s)", WSTOPSIG(wait_status),
                strsignal(WSTOPSIG(wait_status)));
  else if (WIFSIGNALED(wait_status))
    add_signal(code, WTERMSIG(wait_status), text);
  else
    hd_text_add(text, ": ended the process with exit code %d", WEXITSTATUS(wait_status));
  add_place(code, text);
}
