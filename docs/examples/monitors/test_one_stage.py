# A cocotb bench for one_stage.v with Heddle's monitor and scoreboard: random packets, credits that come back late.
# SPDX-License-Identifier: Apache-2.0
"""docs/monitors.md runs it."""
import random

import cocotb
from cocotb.triggers import RisingEdge, Timer
from hd_monitor import Monitor, Scoreboard, Side

PORTS, LANES, SLOTS, NODES, CYCLES = 5, 2, 4, 16, 1500
FLIT_W = 18


def flit(data, first, last):
    """{data[15:0], first, last}; a head's data are {number, node[3:0], mode 0}."""
    return data << 2 | first << 1 | last


def node_of(bits):
    return bits >> 4 & NODES - 1


async def clock(dut):
    while True:
        dut.clk.value = 0
        await Timer(5, "ns")
        dut.clk.value = 1
        await Timer(5, "ns")


async def write_tables(dut):
    dut.table_write_i.value = 1
    for port in range(PORTS):
        for node in range(NODES):
            dut.table_port_i.value = port
            dut.table_index_i.value = node
            dut.table_entry_i.value = 1 << 6 | 3 << 4 | node % PORTS  # {valid, lanes, port}
            await RisingEdge(dut.clk)
    dut.table_write_i.value = 0


@cocotb.test()
async def random_packets(dut):
    dice = random.Random(1)
    for pin in (dut.rst_n, dut.push_i, dut.push_lane_i, dut.push_flit_i, dut.slot_i, dut.table_write_i, dut.table_source_i):
        pin.value = 0
    cocotb.start_soon(clock(dut))
    monitor = Monitor(
        dut.clk, reset=dut.rst_n, reset_level=0, ports=PORTS, vcs=LANES, data_bits=FLIT_W, nodes=NODES, links="credits", depth=SLOTS,
        routes={node: [node % PORTS] for node in range(NODES)},
        into=Side(valid=dut.push_i, data=dut.push_flit_i, vc=dut.push_lane_i, back=dut.freed_o,
                  first=lambda f: f >> 1 & 1, last=lambda f: f & 1, node=node_of),
        out=Side(valid=dut.send_o, data=dut.send_flit_o, vc=dut.send_lane_o, back=dut.slot_i,
                 first=lambda f: f >> 1 & 1, last=lambda f: f & 1, node=node_of))
    score = Scoreboard(monitor)
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst_n.value = 1
    await write_tables(dut)

    queues, slots, taken, number = [[] for _ in range(PORTS)], [SLOTS] * PORTS, [[] for _ in range(PORTS)], 0
    for cycle in range(CYCLES + 200):
        push = flits = slot = 0
        for p in range(PORTS):
            if cycle < CYCLES and not queues[p] and dice.random() < 0.25:
                node, length = dice.randrange(NODES), dice.randint(1, 4)
                packet = [flit((number + i & 0x3ff) << 6 | (node << 2 if not i else 0), not i, i + 1 == length) for i in range(length)]
                number += length
                queues[p] = packet[:]
                score.expect(node % PORTS, packet)
            if queues[p] and slots[p]:
                push |= 1 << p
                flits |= queues[p].pop(0) << p * FLIT_W
                slots[p] -= 1
            if taken[p] and dice.random() < 0.5:
                slot |= 1 << p * LANES + taken[p].pop(0)
        dut.push_i.value, dut.push_flit_i.value, dut.slot_i.value = push, flits, slot
        await RisingEdge(dut.clk)
        freed, send, lanes = int(dut.freed_o.value), int(dut.send_o.value), int(dut.send_lane_o.value)
        for p in range(PORTS):
            slots[p] += freed >> p * LANES & 1
            if send >> p & 1:
                taken[p].append(lanes >> p & 1)
    dut._log.info(await monitor.drained())
    score.check()
