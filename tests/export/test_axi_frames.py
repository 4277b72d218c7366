# Sends frames between all nodes of an exported network, with the sources and sinks of cocotbext-axi.
# SPDX-License-Identifier: Apache-2.0
"""usage: python3 test_axi_frames.py NAME NODES    in the directory of an export; cocotb imports it, too"""
import itertools
import os
import random
import sys

FRAMES = 200


def build_and_run(name, nodes):
    from cocotb_tools.runner import get_runner
    with open(name + ".f", encoding="utf-8") as f:
        sources = [line.strip() for line in f if not line.startswith("//")]
    os.environ["EXPORT_NODES"] = nodes
    runner = get_runner("icarus")
    runner.build(verilog_sources=sources, hdl_toplevel=name, build_args=["-g2005"], always=True)
    runner.test(hdl_toplevel=name, test_module="test_axi_frames")


if __name__ == "__main__":
    build_and_run(*sys.argv[1:3])
    sys.exit()

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource


def tid_of(frame):
    return int(frame.tid if isinstance(frame.tid, int) else frame.tid[0])


@cocotb.test(timeout_time=1000000, timeout_unit="step")
async def frames_arrive_as_they_were_sent(dut):
    nodes = int(os.environ["EXPORT_NODES"])
    dice = random.Random(1)
    cocotb.start_soon(Clock(dut.clk, 10, unit="step").start())
    for pin in ("cfg_switch_i", "cfg_write_i", "cfg_read_i", "cfg_addr_i", "cfg_wdata_i"):
        getattr(dut, pin).value = 0
    sources, sinks = ([kind(AxiStreamBus.from_prefix(dut, f"{letter}{n}_axis"), dut.clk, dut.rst, byte_lanes=2)
                       for n in range(nodes)] for kind, letter in ((AxiStreamSource, "s"), (AxiStreamSink, "m")))
    for end in sources + sinks:
        end.set_pause_generator(itertools.cycle([dice.random() < 0.3 for _ in range(97)]))
    dut.rst.value = 1
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    sent = [[] for _ in range(nodes)]
    for _ in range(FRAMES):
        source, to = dice.randrange(nodes), dice.randrange(nodes)
        data = bytes(dice.randrange(256) for _ in range(2 * dice.randrange(1, 9)))
        sent[to].append((source, data))
        await sources[source].send(AxiStreamFrame(data, tdest=to))
    for to in range(nodes):
        came = [await sinks[to].recv() for _ in sent[to]]
        assert sorted((tid_of(f), bytes(f.tdata)) for f in came) == sorted(sent[to])
    await ClockCycles(dut.clk, 200)
    assert all(sink.empty() for sink in sinks)
