/* Runs external tools: no shell, output to a log, stoppable.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A tool that the caller can stop has its own process group, so that the processes that it has
 * started (make, compilers) end with it. Other tools stay in the caller's group. There Ctrl-C at
 * the terminal reaches them, even if the caller has no handler.
 */
#include "tool_run.h"

#include "memory.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Variables that are removed because they change the behaviour of make, of the compiler and of
 * Git. The same sources must give the same shared object, for every caller: make, for example,
 * passes its own flags on. Git would use another repository than the directory's, or print more. */
static const char *const k_dropped[] = {
    "MAKEFLAGS=",
    "MFLAGS=",
    "MAKELEVEL=",
    "MAKEOVERRIDES=",
    "MAKEFILES=",
    "CFLAGS=",
    "GNUMAKEFLAGS=",
    "C_INCLUDE_PATH=",
    "CPLUS_INCLUDE_PATH=",
    "DEPENDENCIES_OUTPUT=",
    "SUNPRO_DEPENDENCIES=",
    "CXXFLAGS=",
    "CPPFLAGS=",
    "LDFLAGS=",
    "LDLIBS=",
    "LC_ALL=",
    "LOADLIBES=",
    "LIBS=",
    "SC_LIBS=",
    "USER_CPPFLAGS=",
    "USER_LDFLAGS=",
    "USER_LDLIBS=",
    "OBJCACHE=",
    "CPATH=",
    "M32=",
    "OPT=",
    "VM_USER_CFLAGS=",
    "GIT_DIR=",
    "GIT_WORK_TREE=",
    "GIT_COMMON_DIR=",
    "GIT_INDEX_FILE=",
    "GIT_OBJECT_DIRECTORY=",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
    "GIT_NAMESPACE=",
    "GIT_PREFIX=",
    "GIT_TERMINAL_PROMPT=",
    "GIT_ALLOW_PROTOCOL=",
    "GIT_TRACE", /* and all that begin with it */
};

static bool is_dropped(const char *variable)
{
  for (size_t i = 0; i < sizeof k_dropped / sizeof *k_dropped; i++)
    if (!strncmp(variable, k_dropped[i], strlen(k_dropped[i])))
      return true;
  return false;
}

/* Returns the environment of a tool: pointers into environ without the dropped variables;
 * LC_ALL=C, so that messages are in English; and no protocol for Git, so that it fetches nothing
 * that a partial clone lacks. The settings of such a clone could name any source and any
 * command. The caller frees the array. */
static char **clean_environment(void)
{
  static const char k_locale[] = "LC_ALL=C", k_protocol[] = "GIT_ALLOW_PROTOCOL=";
  size_t n = 0;
  while (environ && environ[n])
    n++;
  char **copy = hd_xcalloc(n + 3, sizeof *copy);
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (!is_dropped(environ[i]))
      copy[k++] = environ[i];
  copy[k++] = (char *)k_locale; /* posix_spawn only reads them */
  copy[k] = (char *)k_protocol;
  return copy;
}

/* Returns the program to run for a tool's argv[0]. */
static const char *program_of(const char *name)
{
  const char *own = getenv(HD_TOOL_VERILATOR);
  return own && *own && !strcmp(name, "verilator_bin") ? own : name;
}

static int spawn(const struct hd_tool *tool, int out_fd, pid_t *pid, struct hd_error *err)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  char **env = clean_environment();
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(
      &attributes, (short)(POSIX_SPAWN_SETSIGMASK | (tool->stop ? POSIX_SPAWN_SETPGROUP : 0)));
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (out_fd >= 0)
    posix_spawn_file_actions_adddup2(&actions, out_fd, 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, tool->log_path ? tool->log_path : "/dev/null",
                                     O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (tool->answers)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  else
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (tool->directory)
    posix_spawn_file_actions_addchdir_np(&actions, tool->directory);
  const char *program = program_of(tool->argv[0]);
  int e = posix_spawnp(pid, program, &actions, &attributes, (char *const *)(void *)tool->argv,
                       env); /* argv is not written to */
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(env);
  if (e == ENOENT && (!tool->directory || access(tool->directory, X_OK) == 0))
    return hd_fail(err, HD_E_TOOL,
                   "%s is not installed or not in PATH; on Debian: apt-get install %s", program,
                   tool->package);
  if (e)
    return hd_fail(err, HD_E_TOOL, "cannot run %s: %s", program, strerror(e));
  return 0;
}

/* Waits for the end of a tool. If the tool is stopped, also ends the processes that it has
 * started. */
static int wait_for(const struct hd_tool *tool, pid_t pid, int *exit_code, struct hd_error *err)
{
  enum { LOOKS_A_SECOND = 20, PATIENCE_SECONDS = 5 };
  unsigned stopping = 0; /* number of looks since it was asked to end; 0: it was not */
  int status = 0;
  siginfo_t info = {.si_pid = 0};
  while (info.si_pid != pid) { /* no process gets its number before waitpid() below */
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | (tool->stop ? WNOHANG : 0)) &&
        errno != EINTR)
      return hd_fail(err, HD_E_INTERNAL, "lost track of %s: %s", tool->argv[0], strerror(errno));
    if (info.si_pid == pid || !tool->stop)
      continue;
    if (stopping || tool->stop(tool->context))
      stopping++;
    if (stopping == 1)
      kill(-pid, SIGTERM);
    if (stopping == PATIENCE_SECONDS * LOOKS_A_SECOND)
      kill(-pid, SIGKILL);
    nanosleep(&(struct timespec){.tv_nsec = 1000000000 / LOOKS_A_SECOND}, NULL);
  }
  if (stopping)
    kill(-pid, SIGKILL); /* kills processes that ignored SIGTERM */
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (stopping || sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted while %s ran", tool->argv[0]);
  if (sig)
    return hd_fail(err, HD_E_TOOL, "%s died by signal %d (%s)%s", tool->argv[0], sig,
                   strsignal(sig),
                   !strcmp(tool->argv[0], "verilator_bin") ? hd_tool_verilator_hint(NULL) : "");
  *exit_code = WEXITSTATUS(status);
  return 0;
}

int hd_tool_run(const struct hd_tool *tool, int *exit_code, struct hd_error *err)
{
  pid_t pid = 0;
  int status = spawn(tool, -1, &pid, err);
  return status ? status : wait_for(tool, pid, exit_code, err);
}

/* Returns the length of a log without the lines that make adds after the compiler's messages. */
static size_t without_make(const char *bytes, size_t length)
{
  static const char mark[] = "\nmake: ***";
  const char *end = memmem(bytes, length, mark, sizeof mark - 1);
  if (end)
    length = (size_t)(end - bytes);
  while (length && bytes[length - 1] == '\n')
    length--;
  return length;
}

static bool has(const char *line, size_t length, const char *words)
{
  return memmem(line, length, words, strlen(words)) != NULL;
}

/* Tests whether a line of a log reports an error. Verilator's last line only counts them. */
static bool reports_error(const char *line, size_t length)
{
  static const char *const words[] = {"%Error", "error:", "ERROR:"};
  bool is = false;
  for (size_t i = 0; i < sizeof words / sizeof *words && !is; i++)
    is = has(line, length, words[i]);
  return is && !has(line, length, "Exiting due to");
}

/* Verilator lists for each error all files before it: the wrapper of a described router includes
 * them one after the other. For a missing module it lists all places in which it could be. These
 * lists can be longer than the message. */
static bool is_include_list(const char *line, size_t length)
{
  return has(line, length, "... note: In file included from");
}

static bool begins_places(const char *line, size_t length)
{
  return has(line, length, "... Looked in:");
}

/* Appends a line. Only the first line may be cut. False: it has no room. */
static bool append_line(const char *line, size_t length, char *text, size_t size)
{
  const size_t at = strlen(text);
  if (at && at + 1 + length >= size)
    return false;
  snprintf(text + at, size - at, "%s%.*s", at ? "\n" : "", (int)length, line);
  return true;
}

void hd_tool_log_end(const char *path, char *text, size_t size)
{
  char *bytes = NULL;
  size_t length = 0;
  snprintf(text, size, "(it printed nothing)");
  if (hd_file_read(path, &bytes, &length, NULL))
    return;
  length = without_make(bytes, length);
  bytes[length] = '\0';
  size_t from = length > 600 ? length - 600 : 0;
  const char *line = from ? memchr(bytes + from, '\n', length - from) : NULL;
  from = line ? (size_t)(line - bytes) + 1 : from;
  for (size_t at = 0, n; at < length; at += n + 1) {
    n = strcspn(bytes + at, "\n");
    if (!reports_error(bytes + at, n))
      continue;
    from = at;
    break;
  }
  if (length > from)
    *text = '\0';
  for (size_t n; from < length; from += n + 1) {
    n = strcspn(bytes + from, "\n");
    if (begins_places(bytes + from, n))
      break;
    if (!is_include_list(bytes + from, n) &&
        !append_line(bytes + from, n, text, size < 600 ? size : 600))
      break;
  }
  free(bytes);
}

const char *hd_tool_verilator_hint(const char *path)
{
  static const char *const words[] = {"Unsupported", "Internal Error", "internal fault",
                                      "Not yet implemented"};
  char *bytes = NULL;
  size_t length = 0;
  bool is = !path;
  if (path && hd_file_read(path, &bytes, &length, NULL))
    return "";
  for (size_t i = 0; !is && i < sizeof words / sizeof *words; i++)
    is = strstr(bytes, words[i]) != NULL;
  free(bytes);
  return is ? "\nthis Verilator may be too old for the RTL; --verilator PATH takes a newer one"
            : "";
}

bool hd_tool_lacks_space(const char *path, char *line, size_t size)
{
  static const char *const words[] = {"No space left on device", "Disk quota exceeded",
                                      "File too large"};
  char *bytes = NULL;
  size_t length = 0;
  const char *said = NULL;
  *line = '\0';
  if (hd_file_read(path, &bytes, &length, NULL))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words && !said; i++)
    said = strstr(bytes, words[i]);
  if (said) {
    const char *begin = said;
    while (begin > bytes && begin[-1] != '\n')
      begin--;
    snprintf(line, size, "%.*s", (int)strcspn(begin, "\n"), begin);
  }
  free(bytes);
  return said != NULL;
}

int hd_tool_must(const struct hd_tool *tool, const char *on, struct hd_error *err)
{
  char end[640];
  int exit_code = 0, status = hd_tool_run(tool, &exit_code, err);
  if (status || !exit_code)
    return status;
  hd_tool_log_end(tool->log_path, end, sizeof end);
  return hd_fail(
      err, HD_E_TOOL, "%s failed with exit code %d on the RTL in %.120s:\n%s\nlog: %.180s%s",
      tool->argv[0], exit_code, on, end, tool->log_path,
      !strcmp(tool->argv[0], "verilator_bin") ? hd_tool_verilator_hint(tool->log_path) : "");
}

static int first_line(const struct hd_tool *tool, char *line, size_t size, struct hd_error *err)
{
  int ends[2], exit_code = 0;
  pid_t pid = 0;
  if (pipe2(ends, O_CLOEXEC))
    return hd_fail(err, HD_E_IO, "cannot make a pipe: %s", strerror(errno));
  int status = spawn(tool, ends[1], &pid, err);
  close(ends[1]);
  size_t length = 0;
  char chunk[512];
  for (ssize_t n; !status && (n = read(ends[0], chunk, sizeof chunk)) != 0;) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      break;
    for (ssize_t i = 0; i < n && length + 1 < size; i++)
      line[length++] = chunk[i];
  }
  close(ends[0]);
  if (status)
    return status;
  line[length] = '\0';
  line[strcspn(line, "\n")] = '\0';
  status = wait_for(tool, pid, &exit_code, err);
  if (!status && (exit_code || !*line))
    return hd_fail(err, HD_E_TOOL, "%s %s failed with exit code %d", tool->argv[0], tool->argv[1],
                   exit_code);
  return status;
}

int hd_tool_first_line(const char *const *argv, const char *package, char *line, size_t size,
                       struct hd_error *err)
{
  return first_line(&(struct hd_tool){.argv = argv, .package = package}, line, size, err);
}

int hd_tool_answer(const char *const *argv, const char *package, char *line, size_t size,
                   struct hd_error *err)
{
  return first_line(&(struct hd_tool){.argv = argv, .package = package, .answers = true}, line,
                    size, err);
}

bool hd_tool_installed(const char *name)
{
  char file[PATH_MAX];
  struct stat about;
  const char *path = getenv("PATH"), *program = program_of(name);
  if (program != name)
    return !access(program, X_OK) && !stat(program, &about) && S_ISREG(about.st_mode);
  for (size_t n; path; path = path[n] ? path + n + 1 : NULL) {
    n = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", n ? (int)n : 1, n ? path : ".", name);
    if (!access(file, X_OK) && !stat(file, &about) && S_ISREG(about.st_mode))
      return true;
  }
  return false;
}
