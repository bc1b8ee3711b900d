#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bus traffic of a bring-up, worked out from docs/hardware/hal-stpb.md and the tables of data/.

Nothing here looks at how src/hal computes: the steps are typed from the sheet, every place comes
from data/registers.csv, apertures.csv and generations.csv by name, and SHEET below holds the same
places as the sheets print them, so that a table and a sheet that disagree are found first.

usage: expected_traffic.py ROOT            compare tests/hal/golden with what the tables give
       expected_traffic.py ROOT --write    make those files anew

A file is one list, in order: `R OFFSET VALUE`, `W OFFSET VALUE`, `B OFFSET LENGTH SHA256` (offsets
in BAR0), `L LEVEL FUNCTION NUMBERS...` for a log line, `# engine.step` where a step begins.
Parameters are the defaults of hal-stpb.md 7.1; images are those of `image` below, which
tests/hal/bringup.c makes in the same way.
"""
import csv
import functools
import hashlib
import re
import sys
from pathlib import Path

GENERATIONS = {"sunda": "v2", "cayman": "v3", "mariana": "v4"}
ENGINES = ("pe", "act", "pool", "dve", "sp")      # hal-stpb.md 1: the value of `eng`
CHAIN = ("pool", "act", "dve", "pe", "sp")        # hal-stpb.md 7 step 4
LOG_NAME = {"pool": "pooling"}

# hal-stpb.md 7.1: the default parameters.
EXPLICIT_QUEUE = {"pe": 4, "act": 5, "pool": 6, "dve": 7, "sp": 8, "topsp": 4}
IMPLICIT_QUEUE, ERROR_QUEUE, EVENT_QUEUE = 0, 2, 1
DEBUG_LEVEL = 0
CACHE_BLOCK = 0x2000
FETCH_QUEUE = 14
RING_BYTES = 0x10000
ONES = 0xFFFFFFFF
DIRTY = 0x5AA5A55A                                # bit 0 clear: run_state says "not running"

# Ring memory (hal-stpb.md 7.1, model choice): host memory as the device sees it (notific.md 8.1);
# ring q of block b at + b * 100000 + q * 10000; block c of core c, 40 + k of TopSP k,
# 80 + 16 c + e of DMA engine e of core c.
HOST_MEMORY = {"sunda": 0x100000000000, "cayman": 0x400000000000, "mariana": 0x400000000000}
RINGS_OF_CORE, RINGS_OF_TOP_SP, RINGS_OF_DMA = 0, 0x40, 0x80

# ---- the places, as the sheets print them ---------------------------------------------------------
# (generations, block, name, offset). hal-stpb.md 9 to 16, udma.md 4, address-map.md 5.6.
SHEET = [
    ("sunda", "nx_local", "release_run_stall", 0x04),
    ("sunda", "nx_local", "run_state", 0x14),
    ("sunda", "nx_local", "tpb_base_address_lo", 0x20),
    ("sunda", "nx_local", "tpb_base_address_hi", 0x24),
    ("sunda", "nx_local", "engine_base_address_lo", 0x28),
    ("sunda", "nx_local", "engine_base_address_hi", 0x2C),
    ("sunda", "nx_local", "dma_ctrl", 0x40),
    ("sunda", "nx_local", "dma_rx_ring_head_ptr", 0x58),
    ("sunda", "nx_local", "dma_rx_ring_tail_ptr", 0x5C),
    ("sunda", "nx_local", "dma_rx_ring_tail_inc_ptr", 0x60),
    ("sunda", "nx_local", "dma_tx_ring_head_ptr", 0x78),
    ("sunda", "nx_local", "dma_tx_ring_tail_ptr", 0x7C),
    ("sunda", "nx_local", "dma_tx_ring_tail_inc_ptr", 0x80),
    ("sunda", "nx_local", "mem_window0_lo", 0x200),
    ("sunda", "nx_local", "mem_window0_hi", 0x204),
    ("sunda", "nx_local", "mem_window2_lo", 0x210),
    ("sunda", "nx_local", "mem_window2_hi", 0x214),
    ("sunda", "nx_local", "instr_dbg_ctrl", 0x804),
    ("sunda", "nx_local", "rsvd_1260", 0x1260),
    ("cayman mariana", "xt_local", "nx.release_run_stall", 0x0000),
    ("cayman mariana", "xt_local", "general.lr[5]", 0x10A0),
    ("cayman mariana", "xt_local", "general.lr[6]", 0x10C0),
    ("cayman mariana", "xt_local", "general.lr[7]", 0x10E0),
    ("cayman mariana", "xt_local", "general.lr[8]", 0x1100),
    ("cayman mariana", "xt_local", "general.lr[19]", 0x1260),
    ("cayman mariana", "xt_local", "q7.release_run_stall", 0x3000),
    ("cayman mariana", "xt_local", "hw_decode.control", 0x4000),
    ("sunda cayman mariana", "tpb", "pe_sequencer.instr_dbg_ctrl", 0x004),
    ("sunda cayman mariana", "tpb", "pool_sequencer.instr_dbg_ctrl", 0x104),
    ("sunda cayman mariana", "tpb", "act_sequencer.instr_dbg_ctrl", 0x204),
    ("sunda cayman mariana", "tpb", "dve_sequencer.instr_dbg_ctrl", 0x304),
    ("sunda cayman mariana", "tpb", "act_sequencer.zero_val", 0x240),
    ("sunda cayman mariana", "tpb", "act_sequencer.zero_mask", 0x244),
    ("sunda cayman mariana", "tpb", "act_sequencer.pos_inf_val", 0x248),
    ("sunda cayman mariana", "tpb", "act_sequencer.pos_inf_mask", 0x24C),
    ("sunda cayman mariana", "tpb", "act_sequencer.neg_inf_val", 0x250),
    ("sunda cayman mariana", "tpb", "act_sequencer.neg_inf_mask", 0x254),
    ("sunda cayman mariana", "tpb", "act_sequencer.nan_val", 0x258),
    ("sunda cayman mariana", "tpb", "act_sequencer.nan_mask", 0x25C),
    ("sunda cayman mariana", "tpb", "dve_sequencer.spare_register0", 0x3F0),
    ("mariana", "tpb", "dve_sequencer.xorwow_inc_val", 0x324),
    ("sunda cayman mariana", "tpb", "events_semaphores.notific_ctrl", 0x808),
    ("sunda cayman mariana", "tpb", "notific.sw_queue_num0", 0xA00),
    ("sunda cayman mariana", "tpb", "notific.sw_queue_num1", 0xA04),
    ("sunda cayman mariana", "tpb", "notific.sw_queue_num2", 0xA08),
    ("sunda cayman mariana", "tpb", "notific.sw_queue_num3", 0xA0C),
    ("sunda cayman mariana", "tpb", "notific.sw_queue_num5", 0xA14),
    ("sunda cayman mariana", "notific", "sw_backpressure", 0x08),
    ("sunda cayman mariana", "notific", "hw_backpressure_lo", 0x0C),
    ("sunda cayman mariana", "notific", "hw_backpressure_hi", 0x10),
    ("sunda cayman mariana", "notific", "nq_enable", 0x14),
    ("sunda cayman mariana", "notific", "nq_sw_overflow", 0x18),
    ("sunda cayman mariana", "notific", "nq_uart_mode", 0x28),
    ("sunda cayman mariana", "notific", "wr_buf_enable_lo", 0x30),
    ("sunda cayman mariana", "notific", "wr_buf_enable_hi", 0x34),
    ("sunda cayman mariana", "notific", "coal_timer", 0xB4),
    ("sunda cayman mariana", "notific", "coal_ctrl", 0xB8),
    ("sunda cayman mariana", "notific", "wob_ctrl", 0xBC),
    ("sunda cayman mariana", "notific", "nq[8].base_addr_lo", 0x100 + 8 * 0x28),
    ("sunda cayman mariana", "notific", "nq[8].base_addr_hi", 0x104 + 8 * 0x28),
    ("sunda cayman mariana", "notific", "nq[8].size", 0x108 + 8 * 0x28),
    ("sunda cayman mariana", "notific", "nq[8].head_ptr", 0x10C + 8 * 0x28),
    ("sunda cayman mariana", "notific", "nq[8].tail_ptr", 0x110 + 8 * 0x28),
    ("sunda cayman mariana", "udma", "s2m_q[14].drhp", 0x20000 + 0x1000 + 0xE000 + 0x34),
    ("sunda cayman mariana", "udma", "s2m_q[14].drtp_inc", 0x20000 + 0x1000 + 0xE000 + 0x38),
    ("sunda cayman mariana", "udma", "s2m_q[14].drtp", 0x20000 + 0x1000 + 0xE000 + 0x3C),
    ("sunda cayman mariana", "udma", "m2s_q[14].drhp", 0x1000 + 0xE000 + 0x34),
    ("sunda cayman mariana", "udma", "m2s_q[14].drtp_inc", 0x1000 + 0xE000 + 0x38),
    ("sunda cayman mariana", "udma", "m2s_q[14].drtp", 0x1000 + 0xE000 + 0x3C),
    ("sunda cayman mariana", "top_sp_ram", "sw_queue", 0x10),
]

# hal-stpb.md 8.3: places in a core, (generations, aperture, offset, size).
SHEET_CORE = [
    ("sunda", "PE_NX_IRAM", 0x2620000, 0x10000), ("sunda", "PE_NX_DRAM", 0x2640000, 0x4000),
    ("sunda", "ACT_NX_IRAM", 0x2420000, 0x10000), ("sunda", "ACT_NX_DRAM", 0x2440000, 0x4000),
    ("sunda", "POOL_NX_IRAM", 0x2920000, 0x10000), ("sunda", "POOL_NX_DRAM", 0x2940000, 0x4000),
    ("sunda", "DVE_NX_IRAM", 0x2B20000, 0x10000), ("sunda", "DVE_NX_DRAM", 0x2B40000, 0x4000),
    ("sunda", "SP_NX_IRAM", 0x2820000, 0x10000), ("sunda", "SP_NX_DRAM", 0x2840000, 0x4000),
    ("sunda", "PE_NX_LOCAL_REG", 0x2660000, 0x10000),
    ("sunda", "ACT_NX_LOCAL_REG", 0x2460000, 0x10000),
    ("sunda", "POOL_NX_LOCAL_REG", 0x2960000, 0x10000),
    ("sunda", "DVE_NX_LOCAL_REG", 0x2B60000, 0x10000),
    ("sunda", "SP_NX_LOCAL_REG", 0x2860000, 0x10000),
    ("sunda", "POOL_Q7_CORE_IRAM", 0x2980000, 0x10000),
    ("sunda", "POOL_Q7_CORE_DRAM", 0x2990000, 0x10000),
    ("cayman mariana", "PE_NX_IRAM", 0x2620000, 0x20000),
    ("cayman mariana", "PE_NX_DRAM", 0x2640000, 0x10000),
    ("cayman mariana", "ACT_NX_IRAM", 0x2420000, 0x20000),
    ("cayman mariana", "ACT_NX_DRAM", 0x2440000, 0x10000),
    ("cayman mariana", "POOL_NX_IRAM", 0x3020000, 0x20000),
    ("cayman mariana", "POOL_NX_DRAM", 0x3040000, 0x10000),
    ("cayman mariana", "DVE_NX_IRAM", 0x2B20000, 0x20000),
    ("cayman mariana", "DVE_NX_DRAM", 0x2B40000, 0x10000),
    ("cayman mariana", "SP_NX_IRAM", 0x2820000, 0x20000),
    ("cayman mariana", "SP_NX_DRAM", 0x2840000, 0x10000),
    ("cayman mariana", "PE_LOCAL_REG", 0x2660000, 0x10000),
    ("cayman mariana", "ACT_LOCAL_REG", 0x2460000, 0x10000),
    ("cayman mariana", "POOL_LOCAL_REG", 0x3060000, 0x10000),
    ("cayman mariana", "DVE_LOCAL_REG", 0x2B60000, 0x10000),
    ("cayman mariana", "SP_LOCAL_REG", 0x2860000, 0x10000),
    ("cayman mariana", "PE_PROFILE_CAM", 0x2670000, 0x1000),
    ("cayman mariana", "PE_PROFILE_TABLE", 0x2671000, 0x2000),
    ("cayman mariana", "ACT_PROFILE_CAM", 0x2470000, 0x1000),
    ("cayman mariana", "ACT_PROFILE_TABLE", 0x2471000, 0x2000),
    ("cayman mariana", "POOL_PROFILE_CAM", 0x3070000, 0x1000),
    ("cayman mariana", "POOL_PROFILE_TABLE", 0x3071000, 0x2000),
    ("cayman mariana", "DVE_PROFILE_CAM", 0x2B88000, 0x1000),
    ("cayman mariana", "DVE_PROFILE_TABLE", 0x2B89000, 0x2000),
    ("cayman mariana", "POOL_Q7_CORE_IRAM", 0x3100000, 0x20000),
    ("cayman mariana", "POOL_Q7_CORE_DRAM", 0x3180000, 0x40000),
]

# The same registers under one name in both local register files (hal-stpb.md 9 to 14).
LOCAL = {
    "stall": ("release_run_stall", "nx.release_run_stall"),
    "dma_ctrl": ("dma_ctrl", "general.lr[5]"),
    "block_size": ("rsvd_1260", "general.lr[19]"),
}

# hal-stpb.md 8.1: the steps of an orchestrator; `s` is the stub that SUNDA's DVE chain calls.
STEPS = {
    "sunda": {
        "pe": "regs_init ucode_seq_init dma_init release_run_stall",
        "act": "regs_init ucode_seq_init dma_init release_run_stall",
        "pool": "regs_init ucode_seq_init q7_ucode_eng_init dma_init release_run_stall "
                "release_eng_run_stall",
        "dve": "regs_init ucode_seq_init hw_decode_table_init dma_init release_run_stall",
        "sp": "regs_init ucode_seq_init dma_init release_run_stall",
    },
    "later": {
        "pe": "regs_init ucode_seq_init hw_decode_table_init dma_init release_run_stall",
        "act": "regs_init ucode_seq_init hw_decode_table_init dma_init release_run_stall",
        "pool": "regs_init ucode_seq_init q7_ucode_eng_init hw_decode_table_init dma_init "
                "release_run_stall release_eng_run_stall",
        "dve": "regs_init ucode_seq_init hw_decode_table_init dma_init release_run_stall",
        "sp": "regs_init ucode_seq_init dma_init release_run_stall",
    },
}

# hal-stpb.md 9.3: values of the seed; MARIANA writes the fourth pair (248, 24C) last.
SPECIAL_VALUES = [("zero_val", 0x00000000), ("zero_mask", ONES),
                  ("pos_inf_val", 0x7F800000), ("pos_inf_mask", ONES),
                  ("neg_inf_val", 0xFF800000), ("neg_inf_mask", ONES),
                  ("nan_val", 0x7FC00000), ("nan_mask", 0x7FC00000)]

# hal-stpb.md 9.2: register and shift of an engine's group of three queue numbers.
QUEUE_PACK = {"pe": ("notific.sw_queue_num0", 0), "pool": ("notific.sw_queue_num0", 16),
              "act": ("notific.sw_queue_num1", 0), "dve": ("notific.sw_queue_num1", 16)}


# ---- the tables -----------------------------------------------------------------------------------
@functools.lru_cache
def rows(root, name):
    with open(Path(root) / "data" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Tables:
    """What the tables say of one generation."""

    def __init__(self, root, gen):
        self.gen, self.sunda = gen, gen == "sunda"
        arch = GENERATIONS[gen]
        self.registers = [r for r in rows(root, "registers.csv") if arch in r["arch"].split(";")]
        self.apertures = [a for a in rows(root, "apertures.csv") if arch in a["arch"].split(";")]
        self.description = {r["field"]: r[gen] for r in rows(root, "generations.csv")}

    def number(self, field):
        return int(self.description[field], 0)

    @functools.lru_cache
    def register(self, block, wanted):
        """Offset in its block and reset value of a register; `wanted` has its indices filled in."""
        for row in self.registers:
            if row["block"] != block:
                continue
            for name in row["name"].split():
                pattern = re.escape(name)
                pattern = re.sub(r"\\\[\d+\\\.\\\.\d+\\\]", r"\\[(\\d+)\\]", pattern)
                found = re.fullmatch(pattern, wanted)
                if found:
                    index = dict(zip("ij", map(int, found.groups())))
                    offset = sum(int(part, 0) if "*" not in part else
                                 index[part[0]] * int(part.split("*")[1], 0)
                                 for part in row["offset"].split("+"))
                    return offset, int(row["reset"] or "0", 0)
        raise SystemExit(f"registers.csv has no {block}.{wanted} on {self.gen}")

    def aperture(self, scope, name, index=0):
        """(offset, size) of copy `index` of an aperture."""
        for row in self.apertures:
            if row["scope"] == scope and row["name"] == name and index < int(row["count"]):
                return int(row["offset"], 0) + index * int(row["stride"], 0), int(row["size"], 0)
        raise SystemExit(f"apertures.csv has no {scope} {name}[{index}] on {self.gen}")

    def device_address(self, offset):
        """Device address of a BAR0 offset: that of the smallest aperture that has one."""
        best = None
        for row in self.apertures:
            if row["scope"] != "bar0" or not row["soc"]:
                continue
            distance = offset - int(row["offset"], 0)
            span = max(int(row["size"], 0), int(row["count"]) * int(row["stride"], 0))
            if 0 <= distance < span and (best is None or span < best[0]):
                best = span, int(row["soc"], 0) + distance
        return best[1]

    def prove_sheet(self):
        for gens, block, name, offset in SHEET:
            if self.gen in gens.split():
                assert self.register(block, name)[0] == offset, (self.gen, block, name)
        for gens, name, offset, size in SHEET_CORE:
            if self.gen in gens.split():
                assert self.aperture("tpb_bar", name) == (offset, size), (self.gen, name)


# ---- who is brought up ----------------------------------------------------------------------------
class Core:
    def __init__(self, tables, index):
        self.tables, self.index = tables, index
        self.mem = (tables.aperture("bar0", "TPB", index) if tables.sunda else
                    tables.aperture("bar0", f"TPB_{index}"))[0]
        assert self.mem == tables.number("bar0_tpb") + index * tables.number("bar0_tpb_stride")
        self.regs = tables.aperture("bar0", f"TPB_{index}_CSR")[0]
        self.ens = tables.aperture("bar0", f"TPB_{index}_NOTIFIC")[0]
        self.addr = tables.device_address(self.mem)

    def dma_engine(self, engine):
        """BAR0 offset of the register window of a DMA engine of the core (address-map.md 6)."""
        if self.tables.sunda:
            return self.tables.aperture("bar0", f"SENG_{self.index}_UDMA", engine)[0]
        return self.tables.aperture("bar0", f"SE_{self.index // 2}_SDMA",
                                    16 * (self.index % 2) + engine)[0]

    def dma_notific(self, engine):
        """Its notification block: SDMA wrapper + 1000 (address-map.md 6)."""
        if self.tables.sunda:
            return self.tables.aperture("bar0", f"SENG_{self.index}_SDMA", engine)[0] + 0x1000
        return self.dma_engine(engine) + 0x40000 + 0x1000


class Engine:
    """One of the five engines of a core."""

    def __init__(self, core, name):
        tables = core.tables
        self.name, self.mem, self.regs, self.addr = name, core.mem, core.regs, core.addr
        self.top_sp = False
        self.dma = core.dma_engine(ENGINES.index(name))
        self.base = tables.number(f"bar_engine_{name}")
        upper = name.upper()
        local = f"{upper}_NX_LOCAL_REG" if tables.sunda else f"{upper}_LOCAL_REG"
        self.local = core.mem + tables.aperture("tpb_bar", local)[0]

    def place(self, tables, region, index=0):
        offset, size = tables.aperture("tpb_bar", f"{self.name.upper()}_{region}", index)
        return self.mem + offset, size


class TopSp:
    """A stand-alone synchronisation engine (hal-stpb.md 14.3, address-map.md 5.6)."""

    def __init__(self, tables, index):
        self.name, self.index, self.top_sp = "topsp", index, True
        # The 16 software TopSPs are windows 0..7 and 10..17 (address-map.md 4.2).
        self.window = (tables.aperture("bar0", "TOP_SP", index) if tables.sunda else
                       tables.aperture("bar0", f"TOP_SP_{index if index < 8 else index + 2}"))[0]
        self.mem = self.window + 0x200000
        self.ens = tables.aperture("bar0", f"TOP_SP_{index}_NOTIFIC")[0]
        self.regs = (tables.aperture("bar0", "TOP_SP_REGS", index) if index < 8 else
                     tables.aperture("bar0", "TOP_SP_REGS_DIE1", index - 8))[0]
        assert self.regs == self.ens + 0x1000
        self.addr = tables.device_address(self.mem)
        self.base = 0
        self.local = self.window + tables.aperture("topsp", "SP_LOCAL_REG")[0]
        # hal-stpb.md 7.1: TopSP j of its core fetches through DMA engine 5 + j, 7 + j.
        of_core, first = (3, 5) if tables.sunda else (2, 7)
        self.dma = Core(tables, index // of_core).dma_engine(first + index % of_core)

    def place(self, tables, region, _index=0):
        offset, size = tables.aperture("topsp", f"SP_{region}")
        return self.window + offset, size


@functools.lru_cache
def image(engine, region, size):
    """Bytes of a test image: (i * 31 + i / 256 * 17 + seed) mod 256."""
    seed = (ENGINES + ("topsp",)).index(engine) * 8 + region
    return bytes((i * 31 + (i >> 8) * 17 + seed) & 0xFF for i in range(size))


def image_size(region, cap):
    """Every region gets a size of its own, no multiple of 4, and a tail of zeros."""
    return cap - 0x40 * (region + 1) - 5


# ---- the traffic ----------------------------------------------------------------------------------
class Traffic:
    def __init__(self, tables, dirty=None):
        self.tables, self.lines, self.dirty = tables, [], dirty
        self.stored, self.enabled = {}, {}

    # what crosses the bus
    def note(self, *words):
        self.lines.append(" ".join(words))

    def step(self, name, step):
        self.note("#", f"{name}.{step}")

    def log(self, level, function, *numbers):
        self.note("L", str(level), function, *(f"{n:#x}" for n in numbers))

    def write(self, base, block, name, value):
        offset, _ = self.tables.register(block, name)
        self.stored[base + offset] = value
        self.note("W", f"{base + offset:#x}", f"{value:#x}")

    def read(self, base, block, name):
        offset, reset = self.tables.register(block, name)
        if self.dirty is not None and not name.endswith("tail_ptr"):
            reset = self.dirty
        value = self.stored.get(base + offset, reset)
        self.note("R", f"{base + offset:#x}", f"{value:#x}")
        return value

    def modify(self, base, block, name, mask, bits):
        value = self.read(base, block, name)
        self.write(base, block, name, (value & ~mask & ONES) | bits)

    def load(self, unit, region, aperture, index=0):
        """write_padded: the image and zeros up to the end of its aperture (hal-stpb.md 4.3)."""
        place, cap = unit.place(self.tables, aperture, index)
        data = image(unit.name, region, image_size(region, cap))
        digest = hashlib.sha256(data.ljust(cap, b"\0")).hexdigest()
        self.note("B", f"{place:#x}", f"{cap:#x}", digest)

    def local(self, unit, name, value):
        name = LOCAL[name][0 if self.tables.sunda else 1] if name in LOCAL else name
        self.write(unit.local, "nx_local" if self.tables.sunda else "xt_local", name, value)

    # hal-stpb.md 9: regs_init
    def debug_level(self, unit):
        self.modify(unit.regs, "tpb", f"{unit.name}_sequencer.instr_dbg_ctrl", 0xF, DEBUG_LEVEL)
        if self.tables.sunda:
            self.local(unit, "instr_dbg_ctrl", DEBUG_LEVEL)
            self.read(unit.local, "nx_local", "run_state")

    def queue_pack(self, unit):
        name, shift = QUEUE_PACK[unit.name]
        group = IMPLICIT_QUEUE | EXPLICIT_QUEUE[unit.name] << 4 | IMPLICIT_QUEUE << 8
        self.modify(unit.regs, "tpb", name, 0xFFF << shift, group << shift)

    def special_values(self, unit):
        order = SPECIAL_VALUES
        if self.tables.gen == "mariana":
            order = order[:2] + order[4:] + order[2:4]
        for name, value in order:
            self.write(unit.regs, "tpb", f"act_sequencer.{name}", value)

    def chicken_bit(self, unit):
        self.modify(unit.regs, "tpb", "dve_sequencer.spare_register0", 2, 2)

    def regs_init(self, unit):
        if unit.name == "topsp":                                   # 9.7
            self.write(unit.regs, "top_sp_ram", "sw_queue",
                       ERROR_QUEUE << 12 | EVENT_QUEUE << 8 | EXPLICIT_QUEUE["topsp"] << 4
                       | IMPLICIT_QUEUE)
            self.local(unit, "block_size", CACHE_BLOCK)
            return
        if unit.name == "sp":
            self.modify(unit.regs, "tpb", "notific.sw_queue_num2", 0xFF,
                        IMPLICIT_QUEUE | EXPLICIT_QUEUE["sp"] << 4)
            self.local(unit, "block_size", CACHE_BLOCK)
            return
        if unit.name == "act":                                     # 9.3
            self.special_values(unit)
        self.debug_level(unit)
        self.queue_pack(unit)
        if unit.name == "pool" and not self.tables.sunda:          # 9.5
            self.write(unit.regs, "tpb", "notific.sw_queue_num5",
                       EXPLICIT_QUEUE["pool"] * 0x11111111)
        mariana_dve = unit.name == "dve" and self.tables.gen == "mariana"
        if mariana_dve:                                            # 9.6
            self.chicken_bit(unit)
        self.local(unit, "block_size", CACHE_BLOCK)
        if mariana_dve:
            self.write(unit.regs, "tpb", "dve_sequencer.xorwow_inc_val", 0x800587C5)
        if unit.name == "dve" and self.tables.gen == "cayman":     # 8.1: in dve_init, right after
            self.chicken_bit(unit)

    # hal-stpb.md 10, 11, 14.2: images
    def ucode_seq_init(self, unit):
        self.load(unit, 0, "NX_IRAM")
        self.load(unit, 1, "NX_DRAM")
        if self.tables.sunda:
            self.local(unit, "mem_window0_lo", 0xF0000000)
            self.local(unit, "mem_window0_hi", 0xFFF)
            self.local(unit, "tpb_base_address_lo", unit.addr & ONES)
            self.local(unit, "tpb_base_address_hi", unit.addr >> 32)
            self.local(unit, "engine_base_address_lo", unit.addr + unit.base & ONES)
            self.local(unit, "engine_base_address_hi", unit.addr + unit.base >> 32)

    def q7_ucode_eng_init(self, unit):
        for core in range(8):
            self.load(unit, 3, "Q7_CORE_DRAM", core)
            self.load(unit, 2, "Q7_CORE_IRAM", core)

    def hw_decode_table_init(self, unit):
        if not self.tables.sunda:
            self.load(unit, 4, "PROFILE_CAM")
            self.load(unit, 5, "PROFILE_TABLE")
            self.modify(unit.local, "xt_local", "hw_decode.control", 1, 0)

    # hal-stpb.md 12: fetch rings
    def ring(self, unit, bank):
        return [self.tables.device_address(unit.dma)
                + self.tables.register("udma", f"{bank}_q[{FETCH_QUEUE}].{name}")[0]
                for name in ("drhp", "drtp", "drtp_inc")]

    def dma_init(self, unit):
        self.local(unit, "dma_ctrl", 0)
        for way, bank, low in (("rx", "s2m", "general.lr[6]"), ("tx", "m2s", "general.lr[7]")):
            triple = self.ring(unit, bank)
            if not self.tables.sunda:
                self.local(unit, low, triple[0] & ONES)
                self.local(unit, "general.lr[8]", triple[0] >> 32)
                continue
            if way == "rx":
                window = triple[0] & ~0xFFFFFF
                self.local(unit, "mem_window2_lo", window & ONES)
                self.local(unit, "mem_window2_hi", window >> 32)
            for name, address in zip(("head_ptr", "tail_ptr", "tail_inc_ptr"), triple):
                self.local(unit, f"dma_{way}_ring_{name}", address & 0xFFFFFF)
        self.local(unit, "dma_ctrl", 1)

    # hal-stpb.md 14.1: the stalls
    def release_run_stall(self, unit):
        self.local(unit, "stall", 0)

    def release_eng_run_stall(self, unit):
        if not self.tables.sunda:
            self.local(unit, "q7.release_run_stall", 0)

    def engine_init(self, unit):
        if unit.name in ("sp", "topsp"):
            self.log(4, "aws_hal_sp_init", unit.mem, unit.regs)
        else:
            self.log(4, f"aws_hal_stpb_{self.tables.gen}_{LOG_NAME.get(unit.name, unit.name)}_init",
                     unit.mem, unit.regs)
        row = STEPS["sunda" if self.tables.sunda else "later"]
        for step in row["sp" if unit.top_sp else unit.name].split():
            self.step(unit.name, step)
            getattr(self, step)(unit)

    # hal-stpb.md 16: notification blocks
    def notific_init(self, base, queues=10):
        self.log(4, "aws_hal_notific_init", base)
        self.write(base, "notific", "nq_uart_mode", 0)
        self.write(base, "notific", "wob_ctrl", 1)
        if queues != 1:
            self.write(base, "notific", "coal_timer", 700000)
        self.write(base, "notific", "wr_buf_enable_lo", ONES)
        self.write(base, "notific", "wr_buf_enable_hi", ONES)
        self.write(base, "notific", "sw_backpressure", 0x3FF)
        self.write(base, "notific", "hw_backpressure_lo", ONES)
        self.write(base, "notific", "hw_backpressure_hi", ONES)

    def nq_init(self, base, block, queue):
        self.log(4, "aws_hal_notific_nq_init", queue)
        memory = HOST_MEMORY[self.tables.gen] + block * 0x100000 + queue * 0x10000
        self.write(base, "notific", f"nq[{queue}].base_addr_lo", memory & ONES)
        self.write(base, "notific", f"nq[{queue}].base_addr_hi", memory >> 32)
        self.write(base, "notific", f"nq[{queue}].size", RING_BYTES)

    def nq_enable(self, base, queue, eng_index=None):
        self.log(4, "aws_hal_notific_nq_enable", queue)
        self.log(4, "_aws_hal_notific_nq_reset", queue if eng_index is None else eng_index, queue, 0)
        enabled = self.enabled.get(base, 0)
        self.write(base, "notific", "nq_sw_overflow", 0)
        self.write(base, "notific", "nq_enable", enabled & ~(1 << queue))
        if queue <= 3:
            control = self.read(base, "notific", "coal_ctrl")
            self.write(base, "notific", "coal_ctrl", control | 1 << 9)
            self.write(base, "notific", "coal_ctrl", control & ~(1 << 9))
        assert self.read(base, "notific", f"nq[{queue}].tail_ptr") == 0
        self.write(base, "notific", f"nq[{queue}].head_ptr", 0)
        self.enabled[base] = enabled | 1 << queue
        self.write(base, "notific", "nq_enable", self.enabled[base])

    # hal-stpb.md 7: the whole
    def notific_classes(self, core):
        self.step("core", "notific_enable")                        # step 2: hardware back-pressure
        self.write(core.ens, "notific", "hw_backpressure_lo", ONES)
        self.write(core.ens, "notific", "hw_backpressure_hi", ONES)
        self.modify(core.regs, "tpb", "notific.sw_queue_num3", 0xF, ERROR_QUEUE)
        self.write(core.ens, "notific", "wr_buf_enable_lo", ONES)
        self.write(core.ens, "notific", "wr_buf_enable_hi", ONES)
        self.modify(core.regs, "tpb", "notific.sw_queue_num2", 0xF0000,    # step 3
                    EVENT_QUEUE << 16)
        self.write(core.regs, "tpb", "events_semaphores.notific_ctrl", 1)

    def core_rings(self, core):
        self.step("core", "rings")
        for queues in ((4, 5, 6, 7, 8), (0, 1, 2)):                # 7.1 c
            for queue in queues:
                self.nq_init(core.ens, RINGS_OF_CORE + core.index, queue)
            for queue in queues:
                self.nq_enable(core.ens, queue)

    def core_init(self, core):
        self.step("core", "notific_init")
        self.notific_init(core.ens)
        self.notific_classes(core)
        self.core_rings(core)
        for name in CHAIN:
            self.engine_init(Engine(core, name))

    def top_sp_init(self, index):
        unit = TopSp(self.tables, index)
        self.engine_init(unit)
        self.step("topsp", "notific_init")
        self.notific_init(unit.ens)
        self.step("topsp", "rings")
        for queue in (4, 2):
            self.nq_init(unit.ens, RINGS_OF_TOP_SP + index, queue)
            self.nq_enable(unit.ens, queue)

    def dma_rings(self, core):
        self.step("core", "rings")
        for engine in range(16):
            self.nq_init(core.dma_notific(engine), RINGS_OF_DMA + 16 * core.index + engine, 0)
        for engine in range(16):
            self.nq_enable(core.dma_notific(engine), 0, engine)


# notific.md 7.2: the registers after the bring-up of a core.
ROUTING = [("notific.sw_queue_num0", 0x00600040), ("notific.sw_queue_num1", 0x00700050),
           ("notific.sw_queue_num2", 0x00010080), ("notific.sw_queue_num3", 0x00000002)]


def prove_routing(tables):
    traffic, core = Traffic(tables), Core(tables, 0)
    traffic.core_init(core)
    values = ROUTING + ([] if tables.sunda else [("notific.sw_queue_num5", 0x66666666)])
    for name, value in values:
        assert traffic.stored[core.regs + tables.register("tpb", name)[0]] == value, name
    for name, value in (("sw_backpressure", 0x3FF), ("nq_enable", 0x1F7)):
        assert traffic.stored[core.ens + tables.register("notific", name)[0]] == value, name


# ---- the files ------------------------------------------------------------------------------------
def lists(root):
    """Name and lines of every golden file."""
    for gen in GENERATIONS:
        tables = Tables(root, gen)
        tables.prove_sheet()
        prove_routing(tables)
        cores, top_sps = tables.number("cores"), 6 if tables.sunda else 16   # hal-stpb.md 17

        def record(call, *arguments, tables=tables, dirty=None):
            traffic = Traffic(tables, dirty)
            getattr(traffic, call)(*arguments)
            return traffic.lines

        for name in ENGINES:
            yield f"{gen}-{name}", record("engine_init", Engine(Core(tables, 0), name))
        loaded = sum(int(line.split()[2], 0) for name in ENGINES
                     for line in record("engine_init", Engine(Core(tables, 0), name))
                     if line.startswith("B"))
        assert loaded == (0x164000 if tables.sunda else 0x3FC000), hex(loaded)    # 18.3
        for core in (0, cores - 1):
            yield f"{gen}-core{core}", record("core_init", Core(tables, core))
            yield f"{gen}-dma{core}", record("dma_rings", Core(tables, core))
        # Registers full of other bits: what an rmw must leave alone.
        yield f"{gen}-core0-dirty", record("core_init", Core(tables, 0), dirty=DIRTY)
        for index in (0, 2, top_sps - 1):
            yield f"{gen}-topsp{index}", record("top_sp_init", index)


HEADER = "; SPDX-License-Identifier: Apache-2.0\n; made by: tests/hal/expected_traffic.py . --write\n"


def main():
    root, write = sys.argv[1], "--write" in sys.argv[2:]
    golden = Path(root) / "tests" / "hal" / "golden"
    wrong, names = 0, set()
    for name, lines in lists(root):
        text = HEADER + "".join(line + "\n" for line in lines)
        path = golden / f"{name}.txt"
        names.add(path.name)
        if write:
            path.write_text(text, encoding="ascii")
        elif not path.exists() or path.read_text(encoding="ascii") != text:
            print(f"{path}: not what the tables give; `expected_traffic.py ROOT --write` makes it")
            wrong += 1
    for path in golden.glob("*.txt"):
        if path.name not in names:
            print(f"{path}: no list of this name is made")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
