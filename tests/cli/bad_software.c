/* Endpoint software that does what software must not do, for the tests of the command line.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parameter `way` says what node 1 does in its fifth round, not before cycle 100. In each of 50 rounds every node
 * sends a message to the next node.
 */
#include "../../sw/endpoint.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf of_node_0;
static char buffer[64]; /* disappears when this shared object is unloaded */
static struct hd_ep *node_0;

static int overflow(int depth)
{
  volatile char frame[4096];
  memset((void *)frame, depth, sizeof frame);
  return depth ? overflow(depth - 1) + frame[5] : 0;
}

static void *call_from_thread(void *ep)
{
  hd_ep_delay(ep, 10);
  return NULL;
}

static void start_thread(struct hd_ep *ep)
{
  pthread_t thread;
  if (!pthread_create(&thread, NULL, call_from_thread, ep))
    pthread_join(thread, NULL);
}

static void fork_and_continue_in_copy(struct hd_ep *ep)
{
  pid_t copy = fork();
  if (!copy)
    hd_ep_delay(ep, 1000);
  int how;
  waitpid(copy, &how, 0);
  hd_ep_statistic(ep, "copy ended with", WIFEXITED(how) ? (uint64_t)WEXITSTATUS(how) : 1000);
}

/* Makes a copy of the process that outlives the run. The copy appends its process id to the file `copy`. */
static void leave_copy(void)
{
  if (fork())
    return;
  FILE *file = fopen("copy", "a");
  if (file)
    fprintf(file, "%d\n", (int)getpid());
  if (file)
    fclose(file);
  for (;;)
    pause();
}

static void replace_streams(void)
{
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; fd++)
    dup2(null, fd);
}

static void close_all(void)
{
  for (int fd = 0; fd < 256; fd++)
    close(fd);
}

static void allocate_without_end(struct hd_ep *ep)
{
  for (;;)
    memset(hd_ep_alloc(ep, 1 << 24), 1,
           1 << 24); /* when this fails, there is memory left for Heddle's threads */
}

static void do_misdeed(struct hd_ep *ep, const char *way)
{
  if (!strcmp(way, "exit"))
    exit(0);
  if (!strcmp(way, "_exit"))
    _exit(0);
  if (!strcmp(way, "segv"))
    *(volatile int *)NULL = 1;
  if (!strcmp(way, "printf"))        /* holds the lock of standard output when it crashes */
    printf("%s %d\n", (char *)8, 8); /* the compiler cannot replace this by puts() */
  if (!strcmp(way, "abort"))
    abort();
  if (!strcmp(way, "kill"))
    raise(SIGKILL);
  if (!strcmp(way, "pipe"))
    raise(SIGPIPE);
  if (!strcmp(way, "stop"))
    raise(SIGSTOP);
  if (!strcmp(way, "stack"))
    overflow(1000);
  if (!strcmp(way, "pthread_exit"))
    pthread_exit(NULL);
  if (!strcmp(way, "thread"))
    start_thread(ep);
  if (!strcmp(way, "other"))
    hd_ep_delay(node_0, 10);
  if (!strcmp(way, "longjmp"))
    longjmp(of_node_0, 1);
  if (!strcmp(way, "fork"))
    fork_and_continue_in_copy(ep);
  if (!strcmp(way, "chdir") && chdir("/"))
    abort();
  if (!strcmp(way, "close"))
    close_all();
  if (!strcmp(way, "streams"))
    for (int fd = 0; fd < 3; fd++)
      close(fd);
  if (!strcmp(way, "null"))
    replace_streams();
  if (!strcmp(way, "null-loop")) {
    fputs("loops\n", stderr);
    replace_streams();
    for (;;)
      ;
  }
  if (!strcmp(way, "files"))
    fclose(stdin), fclose(stdout), fclose(stderr);
  if (!strcmp(way, "buffer"))
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer), puts("by the software");
  if (!strcmp(way, "limit"))
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0});
  if (!strcmp(way, "remove"))
    unlink("remove/run.db");
  if (!strcmp(way, "leave"))
    leave_copy();
  if (!strcmp(way, "open")) { /* sends a message, and posts a receive that does not match it */
    static char byte;
    hd_ep_send(ep, 0, 1, "", 1);
    hd_ep_ireceive(ep, 0, 2, &byte, 1);
  }
  if (!strcmp(way, "memory"))
    allocate_without_end(ep);
  if (!strcmp(way, "deaf"))
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
  if (!strcmp(way, "loop") || !strcmp(way, "deaf")) {
    fputs("loops\n", stderr);
    for (;;)
      ;
  }
}

static void run(struct hd_ep *ep)
{
  const int rank = hd_ep_rank(ep), size = hd_ep_size(ep);
  const char *way = hd_ep_text(ep, "way", "none");
  if (!strcmp(way, "first") && rank == 1)
    *(volatile int *)NULL = 1; /* while the scenario is checked */
  if (rank == 0) {
    node_0 = ep;
    if (setjmp(of_node_0))
      hd_ep_delay(ep, 1);
  }
  for (int round = 0; round < 50; round++) {
    hd_ep_delay(ep, 20);
    if (rank == 1 && round == 4)
      do_misdeed(ep, way);
    hd_ep_send(ep, (rank + 1) % size, 0, &round, sizeof round);
    hd_ep_receive(ep, (rank + size - 1) % size, 0, &round, sizeof round, NULL);
  }
}

static const char *const parameters[] = {"way: what node 1 does in its fifth round", NULL};
static const struct hd_program bad = {
    .name = "bad", .about = "misbehaves", .main = run, .parameters = parameters};

#ifdef LOOPS_WHEN_LOADED
__attribute__((constructor)) static void loop_when_loaded(void)
{
  fputs("loops\n", stderr);
  for (;;)
    pause();
}
#endif

HD_ENDPOINT_PROGRAM(bad)
