# A monitor and scoreboard for one router in a cocotb bench: the rules at ports by ctypes (docs/monitors.md).
# SPDX-License-Identifier: Apache-2.0
"""Monitor looks at the pins of a router at each rising edge of the clock and fails the test at the first broken rule.
Scoreboard has the packets that left, for what a test expects beyond the rules. Both need libhd_watch.so: HD_WATCH_LIB names
it, otherwise it is looked for where `make` and `make install` put it.
"""
import ctypes
import os
from collections import namedtuple

WORDS = 32  # of 32 bits each, for a flit's data
BACK_WORDS = 4
ANY_PORT = -1


class RuleBroken(AssertionError):
    """The sentence of a broken rule; `rule` is its number, as "P4"."""

    def __init__(self, rule, sentence):
        super().__init__(sentence)
        self.rule = rule


def find_library():
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("HD_WATCH_LIB"), f"{here}/../../build/opt/libhd_watch.so", f"{here}/../../../lib/heddle/libhd_watch.so"]
    for place in places:
        if place and os.path.exists(place):
            return place
    raise OSError("libhd_watch.so is not there; HD_WATCH_LIB must name it, or build it with make")


def words(value, n):
    return (ctypes.c_uint32 * n)(*(value >> 32 * i & 0xffffffff for i in range(n)))


class Rules:
    """The library: calls of bridge/watch/monitor_pins.h. `kept` is a mask of a first flit's bits."""

    def __init__(self, ports, data_bits, vcs=1, nodes=0, links="ready", depth=0, off_cycles=1, order="", held_cycles=0,
                 starved_heads=0, unlinked=0, no_first=False, may_withdraw=False, four_state=True, kept=-1):
        self.ports, self.vcs = ports, vcs
        self.lib = ctypes.CDLL(find_library())
        integer, pointer, text = ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
        vector = ctypes.POINTER(ctypes.c_uint32)
        for name, result, arguments in (
                ("open", pointer, [integer] * 4 + [text, integer, integer, text] + [integer] * 6 + [vector]),
                ("close", None, [pointer]), ("refused", integer, [pointer]), ("route", integer, [pointer] + [integer] * 4),
                ("flit", None, [pointer] + [integer] * 6 + [vector]), ("unknown", None, [pointer] + [integer] * 3), ("cycle", integer, [pointer, vector, vector]),
                ("reset", None, [pointer]), ("end", integer, [pointer]), ("rule", text, [pointer]), ("says", text, [pointer])):
            function = getattr(self.lib, "hd_pins_" + name)
            function.restype, function.argtypes = result, arguments
        self.pins = self.lib.hd_pins_open(ports, vcs, data_bits, nodes, links.encode(), depth, off_cycles, order.encode(),
                                          held_cycles, starved_heads, unlinked, no_first, may_withdraw, four_state, words(kept, WORDS))
        self.check(-self.lib.hd_pins_refused(self.pins))

    def __del__(self):
        if getattr(self, "pins", None):
            self.lib.hd_pins_close(self.pins)

    def says(self):
        return self.lib.hd_pins_says(self.pins).decode()

    def check(self, status):
        """Raises RuleBroken for a broken rule, and ValueError for what cannot be."""
        if status == 1:
            raise RuleBroken(self.lib.hd_pins_rule(self.pins).decode(), self.says())
        if status:
            raise ValueError(self.says())

    def route(self, node, ports, in_port=ANY_PORT, channels=0):
        """Packets for the node may leave by the ports of the list `ports`."""
        self.check(-self.lib.hd_pins_route(self.pins, in_port, node, sum(1 << p for p in ports), channels))

    def flit(self, is_out, port, vc, first, last, node, data):
        self.lib.hd_pins_flit(self.pins, is_out, port, vc, first, last, node, words(data, WORDS))

    def unknown(self, is_out, is_back, port):
        """A pin is X or Z in this cycle."""
        self.lib.hd_pins_unknown(self.pins, is_out, is_back, port)

    def cycle(self, in_back, out_back):
        """`in_back`, `out_back`: bit port * vcs + channel."""
        self.check(self.lib.hd_pins_cycle(self.pins, words(in_back, BACK_WORDS), words(out_back, BACK_WORDS)))

    def reset(self):
        self.lib.hd_pins_reset(self.pins)

    def end(self):
        self.check(self.lib.hd_pins_end(self.pins))


class Side:
    """Pins of all ports in one direction: handles of vectors with port 0 lowest. `valid`: flits; `data`: all of a flit;
    `back`: ready, credits or on, which goes against the flits. first, last, vc and node are handles, too, or functions of
    a flit's data; None: there are none (vc 0, node 0)."""

    def __init__(self, valid, data, back, first=None, last=None, vc=None, node=None):
        self.valid, self.data, self.back = valid, data, back
        self.first, self.last, self.vc, self.node = first, last, vc, node


Flit = namedtuple("Flit", "port vc first last node data")


class Monitor:
    """Watches a router from the moment at which it is made; `await drained()` at the end. reset: a handle of one bit, with
    `reset_level` while the router is reset. routes: {node: [ports]}. limits: as of Rules."""

    def __init__(self, clock, into, out, ports, data_bits, reset=None, reset_level=1, routes=None, **limits):
        import cocotb
        self.clock, self.into, self.out = clock, into, out
        self.ports = ports
        self.reset, self.reset_level = reset, reset_level
        limits.setdefault("four_state", not cocotb.SIM_NAME.startswith("Verilator"))
        self.rules = Rules(ports, data_bits, **limits)
        for node, allowed in (routes or {}).items():
            self.rules.route(node, allowed)
        self.offers = limits.get("links", "ready") == "ready"
        self.vcs = limits.get("vcs", 1)
        self.listeners = []
        self.crossed = [0, 0]  # last flits of packets, in and out
        self.moved, self.cycle = 0, 0
        self.failed = None
        cocotb.start_soon(self.watch())

    def share(self, handle, port, is_out=None, is_back=False):
        """What a vector has for a port, as a number. Where X or Z break a rule, `is_out` says of which side the pin is."""
        text = str(handle.value)
        width = len(text) // self.ports
        bits = text[len(text) - (port + 1) * width:len(text) - port * width]
        if set(bits) <= {"0", "1"}:
            return int(bits, 2)
        if is_out is not None:
            self.rules.unknown(is_out, is_back, port)
        return 0

    def flits(self, side, is_out):
        for port in range(self.ports):
            if self.share(side.valid, port, is_out):
                data = self.share(side.data, port, is_out)
                yield Flit(port, *(self.share(by, port) if hasattr(by, "value") else int(by(data)) if by else 0
                                   for by in (side.vc, side.first, side.last, side.node)), data)

    def look(self):
        """A cycle: pins as they are now."""
        self.cycle += 1
        if self.reset is not None and str(self.reset.value) != str(1 - self.reset_level):
            self.rules.reset()
            return
        backs = [sum(self.share(side.back, p, is_out, True) << p * self.vcs for p in range(self.ports))
                 for is_out, side in enumerate((self.into, self.out))]
        for is_out, side in enumerate((self.into, self.out)):
            for f in self.flits(side, is_out):
                self.rules.flit(is_out, *f)
                if not self.offers or backs[is_out] >> (f.port * self.vcs + f.vc) & 1:
                    self.moved = self.cycle
                    self.crossed[is_out] += f.last
                    for listener in self.listeners:
                        listener(is_out, f, self.cycle)
        self.rules.cycle(*backs)

    async def watch(self):
        from cocotb.triggers import RisingEdge
        while self.failed is None:
            await RisingEdge(self.clock)
            try:
                self.look()
            except RuleBroken as broken:
                self.failed = broken
                raise

    async def drained(self, quiet=200):
        """Waits until as many packets have left as came in, or no flit crosses a port for `quiet` cycles. Then judges
        what is left inside; raises RuleBroken. Returns what was watched, as a sentence."""
        from cocotb.triggers import RisingEdge
        while self.failed is None and self.cycle - self.moved < quiet and (
                not self.crossed[0] or self.crossed[0] > self.crossed[1]):
            await RisingEdge(self.clock)
        if self.failed:
            raise self.failed
        self.rules.end()
        return self.rules.says()


Packet = namedtuple("Packet", "port vc node flits cycle")


class Scoreboard:
    """The packets that left a monitored router, in `packets`, and those that a test expects."""

    def __init__(self, monitor):
        self.packets, self.expected, self.open = [], [], {}
        monitor.listeners.append(self.note)

    def note(self, is_out, flit, cycle):
        if not is_out:
            return
        key = flit.port, flit.vc
        if flit.first or key not in self.open:
            self.open[key] = (flit.node, [])
        node, flits = self.open[key]
        flits.append(flit.data)
        if flit.last:
            self.packets.append(Packet(flit.port, flit.vc, node, flits, cycle))
            del self.open[key]

    def expect(self, port, flits):
        """A packet of these flits must leave by the port, at any time."""
        self.expected.append((port, list(flits)))

    def check(self):
        """Every packet that is expected has left, and no other one."""
        left = sorted((p.port, p.flits) for p in self.packets)
        expected = sorted(self.expected)
        missing = [e for e in expected if e not in left]
        extra = [p for p in left if p not in expected]
        assert left == expected, (f"{len(left)} packets left and {len(expected)} were expected; "
                                  f"the first that is missing: {missing[:1]}; the first that was not expected: {extra[:1]}")
