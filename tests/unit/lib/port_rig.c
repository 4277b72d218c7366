/* Hand-made events at the ports of a few switches, played in windows.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "port_rig.h"
#include "switch_set.h"

struct events events[SWITCHES];
struct hd_peer peers[SWITCHES * PORTS], senders[SWITCHES * PORTS];
struct hd_port_watch_params params;
static const struct events no_events;

static void begin(void)
{
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    events[sw] = no_events;
  params = (struct hd_port_watch_params){
      .sw = {SIMPLE_SWITCH(PORTS, 2, 64, 4, PORTS)},
      .n_switches = 1,
      .peers = peers,
      .senders = senders,
  };
  for (uint16_t i = 0; i < SWITCHES * PORTS; i++)
    peers[i] = senders[i] = (struct hd_peer){.kind = HD_PEER_NODE, .index = i % PORTS};
}

uint64_t head_to(unsigned node, uint64_t number)
{
  return number << 8 | node << 2;
}

static void insert(struct hd_flit_event *list, uint32_t *n, struct hd_flit_event e)
{
  uint32_t at = (*n)++;
  for (; at && list[at - 1].cycle > e.cycle; at--)
    list[at] = list[at - 1];
  list[at] = e;
}

void credit(struct hd_credit_event *list, uint32_t *n, struct hd_credit_event e)
{
  uint32_t at = (*n)++;
  for (; at && list[at - 1].cycle > e.cycle; at--)
    list[at] = list[at - 1];
  list[at] = e;
}

void flit_in_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                uint64_t data)
{
  struct events *e = &events[sw];
  insert(e->in, &e->n_in,
         (struct hd_flit_event){data, cycle, (uint8_t)port, (uint8_t)vc, (uint8_t)kind, 0});
  credit(e->credits_out, &e->n_credits_out,
         (struct hd_credit_event){
             .cycle = cycle + 3, .port = (uint8_t)port, .vcs = (uint8_t)(1 << vc)});
}

void flit_out_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                 uint64_t data)
{
  struct events *e = &events[sw];
  insert(e->out, &e->n_out,
         (struct hd_flit_event){data, cycle, (uint8_t)port, (uint8_t)vc, (uint8_t)kind, 0});
  credit(e->credits_in, &e->n_credits_in,
         (struct hd_credit_event){
             .cycle = cycle + 2, .port = (uint8_t)port, .vcs = (uint8_t)(1 << vc)});
}

void flit_in(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  flit_in_of(0, cycle, port, vc, kind, data);
}

void flit_out(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  flit_out_of(0, cycle, port, vc, kind, data);
}

void packet_in(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number)
{
  flit_in(cycle, port, vc, HEAD, head_to(node, number));
  flit_in(cycle + 1, port, vc, BODY, number * 16 + 1);
  flit_in(cycle + 2, port, vc, BODY, number * 16 + 2);
  flit_in(cycle + 3, port, vc, TAIL, number * 16 + 3);
}

void packet_out(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number)
{
  flit_out(cycle, port, vc, HEAD, head_to(node, number));
  flit_out(cycle + 1, port, vc, BODY, number * 16 + 1);
  flit_out(cycle + 2, port, vc, BODY, number * 16 + 2);
  flit_out(cycle + 3, port, vc, TAIL, number * 16 + 3);
}

uint64_t head_to_tree(unsigned tree, uint64_t number)
{
  return 3 | tree << 2 | number << 6;
}

void add_events(const char *text)
{
  static const char letters[] = "HBTSM";
  static const unsigned kinds[] = {HEAD, BODY, TAIL, SINGLE, SINGLE};
  while (text) {
    char side[4], kind;
    unsigned cycle, port, vc, a, b = 0;
    const int n = sscanf(text, " %3s %u %u.%u %c %u %u", side, &cycle, &port, &vc, &kind, &a, &b);
    const bool comes = !strcmp(side, "in"), data = kind == 'B' || kind == 'T';
    const char *letter = strchr(letters, kind);
    if (n != (data ? 6 : 7) || (!letter && kind != 'P'))
      fail_msg("no event: %s", text);
    if (kind == 'P')
      (comes ? packet_in : packet_out)(cycle, port, vc, a, b);
    else
      (comes ? flit_in : flit_out)(cycle, port, vc, kinds[letter - letters],
                                   data          ? a
                                   : kind == 'M' ? head_to_tree(a, b)
                                                 : head_to(a, b));
    text = strchr(text, ',');
    text += text != NULL;
  }
}

struct hd_port_watch *open_watch(void)
{
  struct hd_port_watch *watch;
  must(hd_port_watch_create(&watch, &params, &why));
  for (uint32_t sw = 0; sw < params.n_switches; sw++)
    for (uint32_t port = 0; port < PORTS; port++)
      for (uint32_t node = 0; node < PORTS; node++) {
        const uint32_t by = params.n_switches == 1 ? node : node != sw;
        hd_port_watch_config(watch, sw, 1u << 16 | port << 12 | node,
                             (uint16_t)(1u << 12 | 3u << 4 | by));
      }
  return watch;
}

/* Events of cycles from … to of a list into copies that count from `from`. */
#define CUT(list, n, copy, from, head_to)                            \
  uint32_t n_##copy = 0;                                             \
  for (uint32_t i = 0; i < (n); i++)                                 \
    if ((list)[i].cycle >= (from) && (list)[i].cycle <= (head_to)) { \
      copy[n_##copy] = (list)[i];                                    \
      copy[n_##copy++].cycle -= start;                               \
    }

int play(struct hd_port_watch *watch, uint32_t sw, uint32_t start, uint32_t cycles,
         struct hd_port_break *broken)
{
  static struct hd_flit_event fi[PORT_EVENTS], fo[PORT_EVENTS];
  static struct hd_credit_event ci[PORT_EVENTS], co[PORT_EVENTS];
  static struct hd_config_event w[PORT_EVENTS];
  const struct events *e = &events[sw];
  const uint32_t last = start + cycles - 1;
  CUT(e->in, e->n_in, fi, start, last)
  CUT(e->out, e->n_out, fo, start + 1, start + cycles)
  CUT(e->credits_in, e->n_credits_in, ci, start, last)
  CUT(e->credits_out, e->n_credits_out, co, start + 1, start + cycles)
  CUT(e->writes, e->n_writes, w, start, last)
  const struct hd_port_events window = {start, cycles, fi,   fo,   ci,  co,  w,
                                        n_fi,  n_fo,   n_ci, n_co, n_w, NULL};
  return hd_port_watch_switch(watch, sw, &window, broken);
}

struct hd_port_break judge_events(uint32_t cycles)
{
  struct hd_port_watch *watch = open_watch();
  struct hd_port_break broken = {.rule = HD_PORT_NONE};
  for (uint32_t start = 0; start < 3000 && broken.rule == HD_PORT_NONE; start += cycles)
    assert_int_equal(play(watch, 0, start, cycles, &broken), HD_OK);
  if (broken.rule == HD_PORT_NONE && !hd_port_watch_end(watch, 3000, &broken))
    broken.rule = HD_PORT_NONE;
  hd_port_watch_destroy(watch);
  return broken;
}

void expect(enum hd_port_rule rule, uint32_t cycle, unsigned port, unsigned vc)
{
  static const uint32_t windows[] = {1, 7, 64, 1000};
  for (unsigned i = 0; i < 4; i++) {
    const struct hd_port_break b = judge_events(windows[i]);
    if (b.rule != rule || (rule && (b.cycle != cycle || b.port != port || b.vc != vc)))
      fail_msg(
          "windows of %u: %s in cycle %llu, port %u, channel %u (%s), not %s in cycle %u, port "
          "%u, channel %u",
          windows[i], hd_port_rule_name(b.rule), (unsigned long long)b.cycle, b.port, b.vc, b.what,
          hd_port_rule_name(rule), cycle, port, vc);
    if (!i && rule)
      printf("%s: %s\n", hd_port_rule_number(rule), b.what);
  }
  begin();
}

void expect_break(const char *text, enum hd_port_rule rule, uint32_t cycle, unsigned port,
                  unsigned vc)
{
  add_events(text);
  expect(rule, cycle, port, vc);
}

void expect_no_break(const char *text)
{
  expect_break(text, HD_PORT_NONE, 0, 0, 0);
}

int port_rig_begin(void **state)
{
  (void)state;
  begin();
  return 0;
}
