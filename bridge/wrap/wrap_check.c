/* Tests whether the keys of a description fit together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"
#include "wrap_vhdl.h"

#include <inttypes.h>
#include <string.h>

static const char *code_of(const struct hd_wrap *w, const char *kind)
{
  for (uint32_t i = 0; i < w->type.n; i++)
    if (!strcmp(w->type.items[i].name, kind))
      return w->type.items[i].value;
  return kind; /* Heddle's names of kinds, which all differ */
}

bool hd_wrap_types_tell(const struct hd_wrap *w, const char *end)
{
  const char *const yes[] = {code_of(w, end), code_of(w, "single")};
  const char *const no[] = {code_of(w, "body"), code_of(w, strcmp(end, "head") ? "head" : "tail")};
  for (size_t i = 0; i < 4; i++)
    if (!strcmp(yes[i / 2], no[i % 2]))
      return false;
  return true;
}

/* True if a field of a side's flits shows which flit is the last one of a packet. */
static bool marks_tails(const struct hd_wrap *w, unsigned side)
{
  return w->single || hd_wrap_has_field(w, side, HD_WRAP_FIELD_KIND) ||
         hd_wrap_has_field(w, side, HD_WRAP_FIELD_TAIL) ||
         hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH) ||
         (hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) && hd_wrap_types_tell(w, "tail"));
}

/* Refuses descriptions for which a wrapper of wires (flow.kind native) would have to know which
 * packet is under way, or its destination. */
static int check_native(const struct hd_wrap *w, unsigned side, const char *path,
                        struct hd_error *err)
{
  static const unsigned of_packets[] = {HD_WRAP_FIELD_DEST, HD_WRAP_FIELD_COLUMN,
                                        HD_WRAP_FIELD_ROW};
  for (size_t i = 0; side == HD_WRAP_IN && i < 3; i++)
    if (hd_wrap_has_field(w, side, of_packets[i]))
      return hd_wrap_refuse(
          w, path, err,
          "native is wires alone and cannot give %s to all flits of a packet; legal: "
          "flow.kind credit",
          hd_wrap_pin_name(HD_WRAP_SIGNALS + of_packets[i]));
  if (side == HD_WRAP_OUT && !w->single && !hd_wrap_has_field(w, side, HD_WRAP_FIELD_KIND) &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_HEAD) &&
      !(hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) && hd_wrap_types_tell(w, "head")))
    return hd_wrap_refuse(w, path, err, "native is wires alone: give kind, head or type%s",
                          hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE)
                              ? " whose codes tell first flits from others"
                              : "");
  return HD_OK;
}

/* Refuses a side whose flits have pins for each channel ({vc}), if another of its pins is shared by channels. */
static int check_lanes(const struct hd_wrap *w, unsigned side, const char *path,
                       struct hd_error *err)
{
  const struct hd_wrap_pattern *pin = w->pin[side];
  if (w->flow == HD_WRAP_NATIVE)
    return hd_wrap_refuse(
        w, path, err,
        "flow.kind native sends one flit a cycle; pins with {vc} need flow.kind credit");
  for (unsigned i = 0; i < HD_WRAP_PINS; i++)
    if (pin[i].text && !pin[i].each_vc && i != HD_WRAP_SIGNAL_CREDIT_VC &&
        !(i == HD_WRAP_SIGNAL_READY && side == HD_WRAP_IN) &&
        !(i == HD_WRAP_SIGNAL_CREDIT && pin[HD_WRAP_SIGNAL_CREDIT_VC].text))
      return hd_wrap_refuse(w, path, err,
                            "where flits have a pin for each channel, %s needs {vc}, too",
                            hd_wrap_pin_name(i));
  return HD_OK;
}

static int check_side(const struct hd_wrap *w, unsigned side, struct hd_error *err)
{
  static const char *const paths[] = {"ports.in", "ports.out"};
  static const unsigned back[] = {[HD_WRAP_READY] = HD_WRAP_SIGNAL_READY,
                                  [HD_WRAP_ONOFF] = HD_WRAP_SIGNAL_ON,
                                  [HD_WRAP_CREDIT] = HD_WRAP_SIGNAL_CREDIT,
                                  [HD_WRAP_COUNT] = HD_WRAP_SIGNAL_FREE,
                                  [HD_WRAP_NATIVE] = HD_WRAP_SIGNAL_CREDIT};
  const struct hd_wrap_pattern *pin = w->pin[side];
  const bool several = hd_wrap_is_several(w);
  if (!pin[HD_WRAP_SIGNAL_VALID].text)
    return hd_wrap_refuse(w, paths[side], err, "the pin valid is missing");
  for (unsigned s = HD_WRAP_SIGNAL_READY; s <= HD_WRAP_SIGNAL_FREE; s++)
    if (!pin[s].text != (s != back[w->flow]))
      return hd_wrap_refuse(w, paths[side], err, "flow.kind %s %s the pin %s",
                            hd_wrap_text(w, "flow.kind", ""),
                            s == back[w->flow] ? "needs" : "has no use for", hd_wrap_pin_name(s));
  if (pin[HD_WRAP_SIGNAL_FLIT].text && !w->n_fields)
    return hd_wrap_refuse(w, paths[side], err,
                          "the pin flit needs packet.flit, the list of its fields");
  if (!hd_wrap_has_field(w, side, HD_WRAP_FIELD_DATA))
    return hd_wrap_refuse(
        w, paths[side], err,
        "the router must carry Heddle's data: give a pin data, or a pin flit with data "
        "in packet.flit");
  if (several && !pin[HD_WRAP_SIGNAL_VALID].each_vc &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_VC) &&
      !hd_wrap_has_field(w, side, HD_WRAP_FIELD_VC_ONEHOT))
    return hd_wrap_refuse(
        w, paths[side], err,
        "with several channels, a flit needs its channel: vc, vc_onehot, or valid with {vc}");
  if (pin[HD_WRAP_SIGNAL_CREDIT_VC].text &&
      (w->flow != HD_WRAP_CREDIT || !several || pin[HD_WRAP_SIGNAL_CREDIT].each_vc))
    return hd_wrap_refuse(
        w, paths[side], err,
        "credit_vc is for flow.kind credit, several channels and a pin credit without {vc}");
  if (pin[HD_WRAP_SIGNAL_FREED].text && w->flow != HD_WRAP_ONOFF && w->flow != HD_WRAP_CREDIT &&
      w->flow != HD_WRAP_COUNT)
    return hd_wrap_refuse(w, paths[side], err, "freed is for flow.kind onoff, credit and count");
  if (several && pin[HD_WRAP_SIGNAL_FREED].text && !pin[HD_WRAP_SIGNAL_FREED].each_vc)
    return hd_wrap_refuse(w, paths[side], err, "with several channels, the pin freed needs {vc}");
  if (several && w->flow != HD_WRAP_READY && !pin[back[w->flow]].each_vc &&
      !pin[HD_WRAP_SIGNAL_CREDIT_VC].text)
    return hd_wrap_refuse(w, paths[side], err, "with several channels, the pin %s needs {vc}%s",
                          hd_wrap_pin_name(back[w->flow]),
                          w->flow == HD_WRAP_CREDIT ? ", or a pin credit_vc" : "");
  if (side == HD_WRAP_OUT && !marks_tails(w, side))
    return hd_wrap_refuse(
        w, hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE) ? "packet.type" : paths[side], err,
        hd_wrap_has_field(w, side, HD_WRAP_FIELD_TYPE)
            ? "a last flit has the code of one that is not the last: give tail or length, too"
            : "the end of a packet is not marked: give kind, tail, type or length, or "
              "packet.single");
  if (hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH) &&
      (!w->longest || w->flow == HD_WRAP_NATIVE))
    return hd_wrap_refuse(w, w->longest ? "flow.kind" : "packet.longest", err,
                          w->longest
                              ? "native is wires alone, and a packet with its length in the head "
                                "waits until it is whole; legal: flow.kind credit"
                              : "is missing; the field length needs it, as the wrapper keeps a "
                                "packet until it knows how long it is");
  if (w->flow == HD_WRAP_COUNT && !*pin[HD_WRAP_SIGNAL_FREE].bits)
    return hd_wrap_refuse(w, paths[side], err, "the pin free needs its bits, as free_{port}:4");
  if (w->flow == HD_WRAP_NATIVE && *pin[HD_WRAP_SIGNAL_CREDIT].bits)
    return hd_wrap_refuse(w, paths[side], err, "native has pulses; legal: flow.kind credit");
  if (hd_wrap_has_lanes(w, side))
    return check_lanes(w, side, paths[side], err);
  return w->flow == HD_WRAP_NATIVE ? check_native(w, side, paths[side], err) : HD_OK;
}

static bool uses_grid(const struct hd_wrap *w)
{
  return hd_wrap_any_has(&w->pins, "hd_x") || hd_wrap_any_has(&w->pins, "hd_y") ||
         hd_wrap_any_has(&w->parameters, "hd_x") || hd_wrap_any_has(&w->parameters, "hd_y") ||
         hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_COLUMN) ||
         hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_ROW);
}

static int check_position(const struct hd_wrap *w, struct hd_error *err)
{
  if (uses_grid(w) && !w->columns)
    return hd_wrap_refuse(w, "position.columns", err,
                          "is missing; x, y, hd_x and hd_y need the columns of the grid");
  return HD_OK;
}

/* Checks `links`: the topology inside must be known, and endpoints must use valid and ready. */
static int check_links(const struct hd_wrap *w, struct hd_error *err)
{
  if (!hd_outline_find(&w->outline, "links"))
    return HD_OK;
  for (unsigned i = 0; i < HD_WRAP_LINK_SIGNALS; i++)
    if (!w->links[i])
      return hd_wrap_refuse(w, "links", err, "needs valid, ready, tail and data");
  const char *const *l = w->links;
  if (!l[HD_WRAP_LINK_COLUMN] != !l[HD_WRAP_LINK_ROW] ||
      (l[HD_WRAP_LINK_DEST] && l[HD_WRAP_LINK_ROW]))
    return hd_wrap_refuse(w, "links", err, "x and y go together, and in place of dest");
  if ((w->link_channels > 1) != (l[HD_WRAP_LINK_VC] != NULL))
    return hd_wrap_refuse(w, "links", err, "vc and channels (2 to %d) go together",
                          HD_WRAP_CHANNELS);
  if (w->inside.is == HD_INSIDE_UNKNOWN)
    return hd_wrap_refuse(w, "links", err,
                          "network is unknown; legal: mesh 3x3, torus 4x4, NAME.csv");
  if (w->flow != HD_WRAP_READY)
    return hd_wrap_refuse(w, "links", err, "the endpoints have flow.kind %s; legal: ready",
                          hd_wrap_text(w, "flow.kind", ""));
  if (strcmp(w->channels, "1"))
    return hd_wrap_refuse(w, "links", err,
                          "the endpoints have several channels; legal: channels: 1, and "
                          "links.channels for the links inside");
  if (w->inside.is == HD_INSIDE_FILE && !strcmp(w->promise, "dimension-order"))
    return hd_wrap_refuse(w, "routing.promises", err, "dimension-order is for a mesh or torus");
  struct hd_topology inside;
  const int status = hd_wrap_inside(w, &inside, err);
  if (status)
    return status;
  const uint32_t nodes = inside.n_nodes, ports = inside.ports;
  hd_topology_fini(&inside);
  if (w->link_ports.n && w->link_ports.n != ports)
    return hd_wrap_refuse(w, "links.ports", err,
                          "%" PRIu32 " names; the switches of %s have %" PRIu32 " ports",
                          w->link_ports.n, w->network, ports);
  if (nodes != w->count)
    return hd_wrap_refuse(w, "network", err,
                          "%s has %" PRIu32 " nodes, and there are %" PRIu32 " endpoints",
                          w->network, nodes, w->count);
  return HD_OK;
}

/* Checks keys that only a router, or only a whole network, may have. */
static int check_network(const struct hd_wrap *w, struct hd_error *err)
{
  if (!w->network && w->count > HD_MAX_PORTS)
    return hd_wrap_refuse(
        w,
        w->names.n      ? "ports.names"
        : w->is_ordered ? "ports.order"
                        : "ports.count",
        err, "%" PRIu32 " ports; a router has 2 to %d, a network (network: …) up to %d", w->count,
        HD_MAX_PORTS, HD_WRAP_PORTS);
  if (!w->network && hd_outline_find(&w->outline, "links"))
    return hd_wrap_refuse(w, "links", err, "is for a network (network: …)");
  if (!w->network)
    return HD_OK;
  if (!w->count)
    return hd_wrap_refuse(w, "ports.count", err, "is missing; a network needs its endpoints");
  if (w->inside.is == HD_INSIDE_GRID && w->inside.nodes != w->count)
    return hd_wrap_refuse(w, "network", err,
                          "%s has %" PRIu32 " nodes, and there are %" PRIu32 " endpoints",
                          w->network, w->inside.nodes, w->count);
  const int status = check_links(w, err);
  if (status)
    return status;
  if (strcmp(w->tables, "none") || (strcmp(w->promise, "none") && !w->links[0]))
    return hd_wrap_refuse(
        w, strcmp(w->tables, "none") ? "routing.tables" : "routing.promises", err,
        "is for a router, or a network with links; ways inside of this network are not "
        "looked at");
  if (hd_outline_find(&w->outline, "position.port") || hd_wrap_any_has(&w->pins, "hd_node") ||
      hd_wrap_any_has(&w->pins, "hd_x") || hd_wrap_any_has(&w->pins, "hd_y") ||
      hd_wrap_any_has(&w->parameters, "hd_"))
    return hd_wrap_refuse(w, "position", err, "a network has no place; legal: position.columns");
  return HD_OK;
}

static int check_numbers(const struct hd_wrap *w, struct hd_error *err)
{
  const char *c = w->channels;
  if (strcmp(c, "VCS") && (strlen(c) != 1 || *c < '1' || *c > '0' + HD_WRAP_CHANNELS))
    return hd_wrap_refuse(w, "channels", err, "%s; legal: 1 to %d, or VCS", hd_quote(c).text,
                          HD_WRAP_CHANNELS);
  if (w->names.n && w->names.n != w->count)
    return hd_wrap_refuse(w, "ports.names", err, "%" PRIu32 " names for %" PRIu32 " ports",
                          w->names.n, w->count);
  if (w->names.n && (w->names.n < 2 || w->names.n > HD_WRAP_PORTS))
    return hd_wrap_refuse(w, "ports.names", err, "%" PRIu32 " names; legal: 2 to %d", w->names.n,
                          HD_WRAP_PORTS);
  if (w->flow == HD_WRAP_CREDIT && !w->slots)
    return hd_wrap_refuse(w, "flow.slots", err, "is missing; flow.kind credit needs it");
  if ((w->flow == HD_WRAP_CREDIT || w->flow == HD_WRAP_COUNT) && !w->slots_out)
    return hd_wrap_refuse(w, "flow.next_slots", err, "is missing; flow.kind %s needs it",
                          hd_wrap_text(w, "flow.kind", ""));
  if (w->flow == HD_WRAP_NATIVE && w->replays)
    return hd_wrap_refuse(w, "routing.tables", err,
                          "native is wires alone, in which no flit can wait; legal: cfg, none");
  if (w->flow == HD_WRAP_NATIVE && w->waits)
    return hd_wrap_refuse(
        w, w->reset_cycles ? "reset.cycles" : "reset.settle", err,
        "native is wires alone, in which no flit can wait; legal: 0, or flow.kind credit");
  for (uint32_t i = 0; i < w->names.n; i++)
    if (!hd_wrap_is_name(w->names.items[i].value))
      return hd_wrap_refuse(w, "ports.names", err, "%s is no name of Verilog",
                            hd_quote(w->names.items[i].value).text);
  return HD_OK;
}

static int check_types(const struct hd_wrap *w, struct hd_error *err)
{
  for (uint32_t i = 0; i < w->type.n; i++) {
    const char *name = w->type.items[i].name;
    if (strcmp(name, "head") && strcmp(name, "body") && strcmp(name, "tail") &&
        strcmp(name, "single"))
      return hd_wrap_refuse(w, "packet.type", err,
                            "%s is no kind of flit; legal: head, body, tail, single",
                            hd_quote(name).text);
  }
  for (uint32_t i = 0; i < w->changed.n; i++) {
    const char *name = w->changed.items[i].value;
    if (strcmp(name, "dest") && strcmp(name, "x") && strcmp(name, "y"))
      return hd_wrap_refuse(w, "packet.changed", err, "%s; legal: dest, x, y", hd_quote(name).text);
  }
  if (w->type.n && w->type.n != 4)
    return hd_wrap_refuse(
        w, "packet.type", err,
        "needs all of head, body, tail and single; with packet.shortest: 2, single is a "
        "code that the router does not use");
  if (w->shortest && (w->single || (w->longest && w->shortest > w->longest)))
    return hd_wrap_refuse(w, "packet.shortest", err, "is more than %s",
                          w->single ? "the one flit of packet.single" : "packet.longest");
  return HD_OK;
}

static int check_vhdl_pairs(const struct hd_wrap *w, const char *path,
                            const struct hd_wrap_pairs *pairs, struct hd_error *err)
{
  for (uint32_t i = 0; i < pairs->n; i++)
    if (!hd_wrap_is_vhdl_expression(pairs->items[i].value))
      return hd_wrap_refuse(
          w, path, err,
          "%s is no expression that VHDL has, too; legal: names, numbers, constants such "
          "as 4'd0, NAME[a:b], + - * /, $clog2",
          hd_quote(pairs->items[i].value).text);
  return HD_OK;
}

/* docs/wrap.md describes this in "A router in VHDL". */
#define ANOTHER_SHAPE "; write an entity of another shape around the router (docs/wrap.md)"

/* Formal parts of a port map must be static: elements have an index, slices would have bounds by generics. */
static int check_vhdl_pin(const struct hd_wrap *w, unsigned side, unsigned number,
                          struct hd_error *err)
{
  const struct hd_wrap_pattern *pin = &w->pin[side][number];
  const char *path = side == HD_WRAP_IN ? "ports.in" : "ports.out";
  const bool is_array = w->unpacked && pin->text && strstr(pin->text, "[{port}]");
  if (pin->text && (number == HD_WRAP_SIGNAL_FREED || number == HD_WRAP_SIGNAL_FREE))
    return hd_wrap_refuse(w, path, err, "the pin %s is not done for VHDL" ANOTHER_SHAPE,
                          hd_wrap_pin_name(number));
  if (pin->text && number == HD_WRAP_SIGNAL_CREDIT && *pin->bits)
    return hd_wrap_refuse(w, path, err, "credits as numbers are not done for VHDL" ANOTHER_SHAPE);
  if (pin->inverted)
    return hd_wrap_refuse(w, path, err, "a pin with ~ is not done for VHDL");
  if (is_array && !w->count)
    return hd_wrap_refuse(w, path, err,
                          "an array of ports needs ports.count or ports.names in VHDL");
  if (w->is_ordered && pin->text && !pin->by_port && !is_array)
    return hd_wrap_refuse(
        w, path, err, "ports.order in VHDL needs a pin for each port, or ports.array: unpacked");
  return HD_OK;
}

/* Refuses what the wrapper in VHDL does not have. */
static int check_vhdl(const struct hd_wrap *w, struct hd_error *err)
{
  int status = HD_OK;
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    if (hd_wrap_has_lanes(w, side) || hd_wrap_has_field(w, side, HD_WRAP_FIELD_LENGTH))
      return hd_wrap_refuse(w, side ? "ports.out" : "ports.in", err,
                            "%s not done for VHDL" ANOTHER_SHAPE,
                            hd_wrap_has_lanes(w, side) ? "a pin for the flits of each channel is"
                                                       : "the field length is");
  if (w->copies)
    return hd_wrap_refuse(
        w, "parameters", err,
        "a position as a generic is not done for VHDL; give the router pins for it");
  if (w->replays)
    return hd_wrap_refuse(w, "routing.tables", err,
                          "replay is not done for VHDL; legal: cfg, none");
  if (w->include.n || w->defines.n || w->interface || w->bundle_texts.n || w->links[0])
    return hd_wrap_refuse(w,
                          w->interface        ? "ports.interface"
                          : w->links[0]       ? "links"
                          : w->bundle_texts.n ? "ports.bundles"
                          : w->include.n      ? "include"
                                              : "defines",
                          err, "is for Verilog alone");
  const struct hd_wrap_pairs numbers = {
      .items = {{.value = w->columns ? w->columns : "0"}, {.value = w->slots ? w->slots : "0"}},
      .n = 2};
  status = check_vhdl_pairs(w, w->columns ? "position.columns" : "flow.slots", &numbers, err);
  if (!status)
    status = check_vhdl_pairs(w, "parameters", &w->parameters, err);
  if (!status)
    status = check_vhdl_pairs(w, "packet.type", &w->type, err);
  if (!status)
    status = check_vhdl_pairs(w, "pins", &w->pins, err);
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; !status && pin < HD_WRAP_PINS; pin++)
      status = check_vhdl_pin(w, side, pin, err);
  return status;
}

int hd_wrap_check_values(const struct hd_wrap *w, struct hd_error *err)
{
  const int status = check_numbers(w, err);
  return status ? status : check_types(w, err);
}

int hd_wrap_check(const struct hd_wrap *w, struct hd_error *err)
{
  int status = HD_OK;
  for (unsigned side = 0; !status && side < HD_WRAP_SIDES; side++)
    status = check_side(w, side, err);
  if (!status)
    status = check_network(w, err);
  if (!status)
    status = check_position(w, err);
  return status || !w->vhdl ? status : check_vhdl(w, err);
}
