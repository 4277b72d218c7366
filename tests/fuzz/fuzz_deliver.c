/* Fuzzes hd_world_deliver: software sends messages, the input delays, changes and invents packets.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first byte picks data width and packet size. Then one operation after another: deliver a
 * packet that was sent (as it is, or with a word changed, or cut), deliver words that the
 * input spells out, or let a cycle pass. Whatever comes, deliver takes the packet or says why
 * not, and the software goes on. A message whose packets all came unchanged must have the bytes
 * that were sent; one with a changed payload may have others, which the software counts.
 *
 * Each execution makes a world anew, so the world is small and its stacks are mapped once
 * (mk/fuzz.mk wraps the calls): that is what most of the time went into.
 */
#include "../../sw/runtime/world.h"
#include "fuzz.h"

#include <sys/mman.h>

enum { NODES = 2, PACKETS = 16, WORDS = 16, MESSAGES = 4 };

/* Code that only drives the fuzzed code is no goal of the search. */
#define NOT_COVERED __attribute__((no_sanitize("coverage")))

/* ── stacks, kept from one execution to the next ───────────────────────────── */

void *__real_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *address, size_t bytes);
int __real_mprotect(void *address, size_t bytes, int protection);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *address, size_t bytes);
int __wrap_mprotect(void *address, size_t bytes, int protection);

static struct {
  char *base;
  size_t bytes;
  int guarded; /* unmapped once: the guard pages are there */
} stacks;

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
  if (!(flags & MAP_STACK))
    return __real_mmap(address, bytes, protection, flags, fd, offset);
  if (!stacks.base) {
    stacks.base = __real_mmap(address, bytes, protection, flags, fd, offset);
    stacks.bytes = bytes;
  }
  return bytes == stacks.bytes ? stacks.base : MAP_FAILED;
}

int __wrap_munmap(void *address, size_t bytes)
{
  if (address != stacks.base)
    return __real_munmap(address, bytes);
  stacks.guarded = 1;
  return 0;
}

int __wrap_mprotect(void *address, size_t bytes, int protection)
{
  char *at = address;
  int ours = at >= stacks.base && at < stacks.base + stacks.bytes;
  return ours && stacks.guarded ? 0 : __real_mprotect(address, bytes, protection);
}

/* ── the network and its software ──────────────────────────────────────────── */

struct packet {
  uint32_t destination, n;
  uint64_t words[WORDS];
};

struct net {
  struct packet packets[PACKETS];
  uint32_t n;
  int changed; /* a packet with other bytes was accepted */
};

NOT_COVERED static int keep(void *context, const struct hd_world_packet *sent)
{
  struct net *net = context;
  require(sent->payload != NULL && sent->flits - 1 <= WORDS);
  if (net->n < PACKETS) {
    struct packet *p = &net->packets[net->n++];
    p->destination = sent->destination;
    p->n = sent->flits - 1;
    memcpy(p->words, sent->payload, p->n * sizeof *sent->payload);
  }
  return 0;
}

/* Node 0 sends the first three, node 1 the last one. */
static const size_t sizes[MESSAGES] = {0, 1, 20, 9};
static const int firsts[NODES + 1] = {0, 3, MESSAGES};

NOT_COVERED static unsigned char byte_of(int source, int message, size_t i)
{
  return (unsigned char)(source * 50 + message * 9 + (int)i + 1);
}

/* Each sends its messages to the other and receives those of the other. */
NOT_COVERED static void program(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep), other = 1 - rank;
  unsigned char bytes[32];
  int *wrong = hd_ep_shared(ep, "wrong", sizeof *wrong);
  for (int m = firsts[rank]; m < firsts[rank + 1]; m++) {
    for (size_t i = 0; i < sizes[m]; i++)
      bytes[i] = byte_of(rank, m, i);
    hd_ep_send(ep, other, m, bytes, sizes[m]);
  }
  for (int m = firsts[other]; m < firsts[other + 1]; m++) {
    struct hd_ep_status status;
    hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, bytes, sizeof bytes, &status);
    require(status.source == other && status.tag == m && status.bytes == sizes[m]);
    for (size_t i = 0; i < sizes[m]; i++)
      *wrong += bytes[i] != byte_of(other, m, i);
  }
  if (*wrong)
    hd_ep_abort(ep, "%d wrong bytes", *wrong);
}

/* ── an execution ──────────────────────────────────────────────────────────── */

struct input {
  const uint8_t *at, *end;
};

NOT_COVERED static uint64_t next_number(struct input *in, int bytes)
{
  uint64_t v = 0;
  for (int i = 0; i < bytes && in->at < in->end; i++)
    v = v << 8 | *in->at++;
  return v;
}

NOT_COVERED static void deliver(struct hd_world *world, uint32_t node, const uint64_t *words,
                                uint32_t n, uint64_t cycle, int *accepted)
{
  uint64_t *exact = exact_copy(words, n * sizeof *exact);
  struct hd_error err = {""};
  int status = hd_world_deliver(world, node, exact, n, cycle, &err);
  require(status == 0 || (status == HD_E_INPUT && strlen(err.text) > 20));
  *accepted = status == 0;
  free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!size)
    return 0;
  struct input in = {data + 1, data + size};
  struct net *net = calloc(1, sizeof *net);
  require(net != NULL);
  const struct hd_program fuzzed = {.name = "fuzzed", .about = "", .main = program};
  const struct hd_world_params params = {.nodes = NODES,
                                         .data_bits = 16u << data[0] % 3,
                                         .packet_bytes = 7u + data[0] / 16u,
                                         .program = &fuzzed,
                                         .send = keep,
                                         .context = net};
  struct hd_world *world;
  struct hd_error err = {""};
  require(hd_world_create(&world, &params, &err) == 0);
  require(hd_world_step(world, 0, &err) == 0);
  uint64_t cycle = 0;
  int accepted, status = 0;
  while (in.at < in.end && !status) {
    uint8_t what = (uint8_t)next_number(&in, 1);
    struct packet p = net->packets[next_number(&in, 1) % net->n];
    switch (what % 8) {
    case 0: /* a cycle */
      status = hd_world_step(world, ++cycle, &err);
      break;
    case 1: { /* invented */
      p.n = (uint32_t)next_number(&in, 1) % 12;
      for (uint32_t i = 0; i < p.n; i++)
        p.words[i] = next_number(&in, (int)params.data_bits / 8);
      deliver(world, what / 8 % (NODES + 1), p.words, p.n, cycle, &accepted);
      net->changed |= accepted;
      break;
    }
    case 2: /* changed */
      p.words[next_number(&in, 1) % p.n] ^= next_number(&in, 8);
      deliver(world, p.destination, p.words, p.n, cycle, &accepted);
      net->changed |= accepted;
      break;
    case 3: /* of another length */
      p.n = (uint32_t)next_number(&in, 1) % WORDS;
      deliver(world, p.destination, p.words, p.n, cycle, &accepted);
      net->changed |= accepted;
      break;
    default:
      deliver(world, p.destination, p.words, p.n, cycle, &accepted);
    }
  }
  if (!status)
    status = hd_world_step(world, ++cycle, &err);
  require(status == 0 || (status == HD_E_SOFTWARE && net->changed));
  char text[64];
  hd_world_explain_wait(world, text, sizeof text);
  hd_world_destroy(world);
  free(net);
  return 0;
}
