/* A parsed description, and the tables by which it is parsed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_INTERNAL_H
#define HD_WRAP_INTERNAL_H

#include "wrap.h"

#include "../scenario/scenario_inside.h"
#include "../scenario/scenario_outline.h"

enum { HD_WRAP_ITEMS = 256, HD_WRAP_PORTS = HD_MAX_ENDPOINTS, HD_WRAP_CHANNELS = 8 };

/** Kinds of flow control: name, meaning. */
#define HD_WRAP_FLOW_LIST(X)                                                                       \
  X(READY, "ready",                                                                                \
    "valid and ready: a flit passes in a cycle in which both are 1 (AXI4-Stream, too)")            \
  X(ONOFF, "onoff", "valid, and a level by which the receiver says whether flits may come")        \
  X(CREDIT, "credit",                                                                              \
    "valid, and a pulse, or a number, by which the receiver says that slots became free")          \
  X(COUNT, "count", "valid, and a number by which the receiver shows how many slots are free")     \
  X(NATIVE, "native",                                                                              \
    "Heddle's own: valid and a pulse for each channel, DEPTH slots, outputs are registers: wires " \
    "alone")
enum hd_wrap_flow {
#define FLOW_ENUM(name, text, about) HD_WRAP_##name,
  HD_WRAP_FLOW_LIST(FLOW_ENUM)
#undef FLOW_ENUM
      HD_WRAP_FLOWS
};

/** Fields of a flit, in `packet.flit` or as separate pins: name, default width, meaning. */
#define HD_WRAP_FIELD_LIST(X)                                                                    \
  X(DATA, "data", "DATA_W", "data of Heddle's flit; must be carried")                            \
  X(KIND, "kind", "3", "Heddle's kind: bit 0 tail, bit 1 head (specification 1.2)")              \
  X(HEAD, "head", "1", "1 in the first flit of a packet")                                        \
  X(TAIL, "tail", "1", "1 in the last flit of a packet: AXI4-Stream's tlast")                    \
  X(TYPE, "type", "2", "a code for head, body, tail and single, as packet.type says")            \
  X(LENGTH, "length", "8", "flits of the packet, in its head, where nothing marks the last one") \
  X(VC, "vc", "VC_W", "number of the channel")                                                   \
  X(VC_ONEHOT, "vc_onehot", "VCS", "one bit for each channel")                                   \
  X(DEST, "dest", "NODE_W", "destination node, in every flit of a packet: AXI4-Stream's tdest")  \
  X(COLUMN, "x", "8", "column of the destination: dest modulo position.columns")                 \
  X(ROW, "y", "8", "row of the destination: dest divided by position.columns")
enum hd_wrap_field_kind {
#define FIELD_ENUM(name, text, width, about) HD_WRAP_FIELD_##name,
  HD_WRAP_FIELD_LIST(FIELD_ENUM)
#undef FIELD_ENUM
      HD_WRAP_FIELD_KINDS,
  /* a constant such as "4'd0": sent unchanged, ignored when it comes back */
  HD_WRAP_FIELD_CONSTANT = HD_WRAP_FIELD_KINDS
};

/** Pins of a side other than fields. */
#define HD_WRAP_SIGNAL_LIST(X)                                                                     \
  X(VALID, "valid", "a flit is there; with {vc} one for each channel")                             \
  X(READY, "ready", "flow.kind ready: the receiver takes it")                                      \
  X(ON, "on", "flow.kind onoff: flits may come")                                                   \
  X(CREDIT, "credit",                                                                              \
    "flow.kind credit and native: a slot became free; credit with bits, as `credit:2`, how many")  \
  X(FREE, "free", "flow.kind count: slots that are free, with its bits, as `free:4`")              \
  X(CREDIT_VC, "credit_vc", "flow.kind credit: the channel of a credit, where credit has no {vc}") \
  X(FREED, "freed",                                                                                \
    "flow.kind onoff, credit and count: a pulse, the packet of a channel has gone and the next "   \
    "one may "                                                                                     \
    "come")                                                                                        \
  X(FLIT, "flit", "the fields that packet.flit lists, the first one in the highest bits")
enum hd_wrap_signal {
#define SIGNAL_ENUM(name, text, about) HD_WRAP_SIGNAL_##name,
  HD_WRAP_SIGNAL_LIST(SIGNAL_ENUM)
#undef SIGNAL_ENUM
      HD_WRAP_SIGNALS,
  /* the signals, then the fields in their order */
  HD_WRAP_PINS = HD_WRAP_SIGNALS + HD_WRAP_FIELD_KINDS
};
const char *hd_wrap_pin_name(unsigned pin);

/** A name and its value, from line `line`; borrowed from the outline. */
struct hd_wrap_pair {
  const char *name, *value;
  uint32_t line;
};
struct hd_wrap_pairs {
  struct hd_wrap_pair items[HD_WRAP_ITEMS];
  uint32_t n;
};

/** A field of the router's flit, and its width. */
struct hd_wrap_field {
  unsigned kind;
  const char *text; /* value of a constant */
  char width[40];   /* an expression */
};

/** The pattern that finds a port's pin: NAME{port}REST, NAME[{port}], NAME. */
struct hd_wrap_pattern {
  const char *text; /* NULL: the router has no such pin */
  uint32_t line;
  char base[96];       /* the name before the first bracket, with {port} and {vc} */
  char member[64];     /* member of an interface, with its dot; "": an ordinary pin */
  char bits[40];       /* the given width, an expression; "": none */
  char one[40];        /* width at a port; with {vc}, at one channel */
  char width[56];      /* width at a port */
  bool by_port, by_vc; /* {port}, {vc} is part of the name */
  bool each_vc;        /* it contains {vc} */
  bool bundled;        /* it is part of a bundle */
  bool inverted;       /* the router uses the inverse level: ~NAME */
};

enum { HD_WRAP_IN, HD_WRAP_OUT, HD_WRAP_SIDES };

/** A pin of a port that holds several signals, the first one in the highest bits. */
enum { HD_WRAP_BUNDLES = 8, HD_WRAP_PARTS = 16 };
struct hd_wrap_part {
  char *text; /* text of a constant, or of the pin's pattern */
  bool is_constant;
  unsigned side, pin;
  char width[56]; /* width at a port */
};
struct hd_wrap_bundle {
  char *copy; /* copy of the description's text, from which the pattern borrows */
  struct hd_wrap_pattern pattern;
  struct hd_wrap_part parts[HD_WRAP_PARTS];
  uint32_t n;
  bool has_signal, driven; /* driven: by the router */
};
enum {
  HD_WRAP_LINK_VALID,
  HD_WRAP_LINK_READY,
  HD_WRAP_LINK_TAIL,
  HD_WRAP_LINK_DATA,
  HD_WRAP_LINK_SIGNALS, /* signals before this are required, the next ones are optional */
  HD_WRAP_LINK_DEST = HD_WRAP_LINK_SIGNALS,
  HD_WRAP_LINK_COLUMN,
  HD_WRAP_LINK_ROW,
  HD_WRAP_LINK_VC,
  HD_WRAP_LINK_KEYS
};

struct hd_wrap {
  struct hd_outline outline;
  char *path; /* path of the description */
  const char *top, *clock, *idle, *columns, *channels;
  const char *reset_pin, *promise, *order_promise, *tables;
  const char *network;     /* topology inside a whole network; NULL: the DUT is a router */
  struct hd_inside inside; /* `network`, parsed */
  /* Links inside of the network: expressions with {from} …; [0] NULL: not given. */
  const char *links[HD_WRAP_LINK_KEYS];
  uint32_t link_channels;
  struct hd_wrap_pairs link_ports; /* texts for {from_port} and {to_port}; n 0: the numbers */
  char inside_columns[12];
  bool vhdl; /* the router is written in VHDL; otherwise in Verilog */
  bool reset_low, on_low, unpacked, single;
  bool replays;                    /* the wrapper writes tables again after the reset */
  bool waits;                      /* flits wait after Heddle's reset (reset.cycles, .settle) */
  bool has_position, type_is_used; /* parts that the wrapper needs */
  /* the wrapper has one router for each node, since the position is a parameter */
  bool copies;
  bool length_is_rest; /* a packet's length does not count its head */
  uint32_t reset_cycles, settle_cycles, count, first, slots_out, slack, late, node_port, longest,
      shortest;
  const char *interface; /* type of a SystemVerilog interface; NULL: none */
  const char *slots;     /* slots of the router's inputs, for credits */
  enum hd_wrap_flow flow;
  uint32_t order[HD_WRAP_PORTS]; /* index of each of Heddle's ports in the router's vectors */
  bool is_ordered;
  struct hd_wrap_pairs files, include, defines, parameters, pins, names, flit, type, changed;
  struct hd_wrap_field fields[HD_WRAP_ITEMS];
  uint32_t n_fields;
  struct hd_wrap_pattern pin[HD_WRAP_SIDES][HD_WRAP_PINS];
  struct hd_wrap_pairs bundle_texts;
  struct hd_wrap_bundle bundles[HD_WRAP_BUNDLES];
};

enum hd_wrap_type {
  HD_WRAP_SECTION,
  HD_WRAP_NAME,       /* an identifier of Verilog */
  HD_WRAP_NUMBER,     /* a number from low to high */
  HD_WRAP_FLAG,       /* true, false */
  HD_WRAP_CHOICE,     /* one of the words in `choices` */
  HD_WRAP_EXPRESSION, /* an expression of Verilog */
  HD_WRAP_INSIDE,     /* topology inside a network */
  HD_WRAP_TEXTS,      /* a list of texts, or a single text */
  HD_WRAP_PAIRS,      /* pairs of identifier and expression */
  /* names of HD_WRAP_SIGNAL_LIST and HD_WRAP_FIELD_LIST, each with a pin's pattern */
  HD_WRAP_PATTERNS,
};

struct hd_wrap_key {
  const char *path;
  enum hd_wrap_type type;
  bool required;
  uint32_t low, high;
  const char *choices;   /* separated by spaces */
  const char *otherwise; /* the value if a description lacks the key */
  const char *help;
};

/** Refuses unknown keys, wrong values and missing keys. Errors give the line and what is legal. */
int hd_wrap_check_keys(const struct hd_outline *outline, const char *name, struct hd_error *err);

/** Reports an error at the line of the key, or of the key around it. Returns HD_E_INPUT. */
int hd_wrap_refuse(const struct hd_wrap *wrap, const char *path, struct hd_error *err,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Returns the value of a key; `otherwise`: the description lacks the key. */
const char *hd_wrap_text(const struct hd_wrap *wrap, const char *path, const char *otherwise);

/** Tests whether any value has this text in it. */
bool hd_wrap_any_has(const struct hd_wrap_pairs *pairs, const char *text);

/** Tests numbers, names and kinds of flits, before fields and pins are read. HD_E_INPUT. */
int hd_wrap_check_values(const struct hd_wrap *wrap, struct hd_error *err);

/** Tests whether all that was read fits together. HD_E_INPUT. */
int hd_wrap_check(const struct hd_wrap *wrap, struct hd_error *err);

/** Parses the pattern of pin `pin` into a zeroed struct. False: it is no pattern. */
bool hd_wrap_pattern_read(struct hd_wrap_pattern *pattern, const char *text, unsigned pin);

/** The number of bits of a constant such as 4'd0; 0: it is no constant. */
uint32_t hd_wrap_constant_bits(const char *text);

/** Reads the bundles of `bundle_texts`, and the pins in them. HD_E_INPUT. */
int hd_wrap_bundles_read(struct hd_wrap *wrap, struct hd_error *err);
void hd_wrap_bundles_fini(struct hd_wrap *wrap);

/** Tests whether the codes of `packet.type` show if a flit is the `end` ("head" or "tail") of a
 *  packet. In some routers they do not: a packet of one flit has the code of a tail, or of a
 *  head whose length decides. */
bool hd_wrap_types_tell(const struct hd_wrap *wrap, const char *end);

/** Appends a scenario's `fabric` for a whole network, as YAML. */
void hd_wrap_add_fabric(const struct hd_wrap *wrap, struct hd_text *text);

/** Builds the links inside, which are known. HD_E_INPUT, HD_E_IO: of a graph file. */
int hd_wrap_inside(const struct hd_wrap *wrap, struct hd_topology *topology, struct hd_error *err);

#endif
