#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench bringup, end to end. usage: test_cli_bringup.py TRENCH ROOT [unittest options]

Expected sequences are typed from docs/hardware/hal-stpb.md 18, the golden lists of tests/hal/golden
are worked out from the sheets and tables by tests/hal/expected_traffic.py, and the numbers of R1 to
R3 are those of docs/hardware/sunda-bringup-trace.md. Nothing is taken from a run of the program."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TRENCH = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "tests", "hal"))
import expected_traffic  # noqa: E402

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus")
CORES = {"sunda": 2, "cayman": 8, "mariana": 8, "mariana_plus": 8}
TOPSPS = {"sunda": 6, "cayman": 16, "mariana": 16, "mariana_plus": 16}  # address-map.md 5.6
GOLDEN = {"sunda": "sunda", "cayman": "cayman", "mariana": "mariana", "mariana_plus": "mariana"}
CHAIN = ("pool", "act", "dve", "pe", "sp")  # hal-stpb.md 7


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def file(self, name, data):
        with open(self.path(name), "wb") as stream:
            stream.write(data)
        return name

    def text_of(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def trench(self, *arguments):
        return subprocess.run([TRENCH, *arguments], capture_output=True, text=True, check=False,
                              timeout=120, cwd=self.directory.name)

    def ends(self, status, gen, *arguments):
        done = self.trench("bringup", "--gen", gen, *arguments)
        self.assertEqual(done.returncode, status,
                         f"{gen} {arguments}\n{done.stdout[-2000:]}{done.stderr}")
        return done

    def lines(self, gen, *arguments, status=0):
        """JSON lines: the operations and the closing line."""
        done = self.ends(status, gen, "--json", *arguments)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(lines[-1]["schema"], "trench.bringup/1")
        self.assertEqual([line["seq"] for line in lines[:-1]], list(range(len(lines) - 1)))
        return lines[:-1], lines[-1]

    def refused(self, *arguments, says):
        """Exit 2, one message that says it, nothing on standard output."""
        done = self.trench("bringup", *arguments)
        self.assertEqual(done.returncode, 2, f"{arguments}\n{done.stdout[-500:]}{done.stderr}")
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])


# ---- hal-stpb.md 18: the sequences -------------------------------------------------------------
# "W X+1260", "RMW R+204", "MEM 2420000 20000": R is the core's register file, X the engine's local
# registers, MEM a block (offset in the core's window, bytes).

def writes(base, *offsets):
    return [f"W {base}+{offset}" for offset in offsets]


WINDOWS = writes("X", "200", "204", "20", "24", "28", "2C")     # 18.2, v2
RINGS = {"v2": writes("X", "210", "214", "58", "5C", "60", "78", "7C", "80"),
         "v3": writes("X", "10C0", "1100", "10E0", "1100")}
SPECIAL = writes("R", "240", "244", "248", "24C", "250", "254", "258", "25C")
DEBUG_V2 = ["W X+804", "R X+14"]
RING_SETUP = {"v2": ["W X+40", *RINGS["v2"], "W X+40", "W X+4"],
              "v3": ["W X+10A0", *RINGS["v3"], "W X+10A0", "W X+0"]}


def q7(base, iram, dram, pitch, iram_bytes, dram_bytes):
    blocks = []
    for core in range(8):
        blocks.append(f"MEM {base + core * pitch + dram:X} {dram_bytes:X}")
        blocks.append(f"MEM {base + core * pitch + iram:X} {iram_bytes:X}")
    return blocks


SEQUENCES = {
    ("act", "v3"): [*SPECIAL, "RMW R+204", "RMW R+A04", "W X+1260",
                    "MEM 2420000 20000", "MEM 2440000 10000", "MEM 2470000 1000",
                    "MEM 2471000 2000", "RMW X+4000", *RING_SETUP["v3"]],
    ("act", "v2"): [*SPECIAL, "RMW R+204", *DEBUG_V2, "RMW R+A04", "W X+1260",
                    "MEM 2420000 10000", "MEM 2440000 4000", *WINDOWS, *RING_SETUP["v2"]],
    ("pool", "v3"): ["RMW R+104", "RMW R+A00", "W R+A14", "W X+1260", "MEM 3020000 20000",
                     "MEM 3040000 10000", *q7(0x3100000, 0, 0x80000, 0x100000, 0x20000, 0x40000),
                     "MEM 3070000 1000", "MEM 3071000 2000", "RMW X+4000", *RING_SETUP["v3"],
                     "W X+3000"],
    ("pool", "v2"): ["RMW R+104", *DEBUG_V2, "RMW R+A00", "W X+1260", "MEM 2920000 10000",
                     "MEM 2940000 4000", *WINDOWS,
                     *q7(0x2980000, 0, 0x10000, 0x20000, 0x10000, 0x10000), *RING_SETUP["v2"]],
    ("pe", "v3"): ["RMW R+4", "RMW R+A00", "W X+1260", "MEM 2620000 20000", "MEM 2640000 10000",
                   "MEM 2670000 1000", "MEM 2671000 2000", "RMW X+4000", *RING_SETUP["v3"]],
    ("pe", "v2"): ["RMW R+4", *DEBUG_V2, "RMW R+A00", "W X+1260", "MEM 2620000 10000",
                   "MEM 2640000 4000", *WINDOWS, *RING_SETUP["v2"]],
    ("dve", "v2"): ["RMW R+304", *DEBUG_V2, "RMW R+A04", "W X+1260", "MEM 2B20000 10000",
                    "MEM 2B40000 4000", *WINDOWS, *RING_SETUP["v2"]],
    ("dve", "v3"): ["RMW R+304", "RMW R+A04", "W X+1260", "RMW R+3F0", "MEM 2B20000 20000",
                    "MEM 2B40000 10000", "MEM 2B88000 1000", "MEM 2B89000 2000", "RMW X+4000",
                    *RING_SETUP["v3"]],
    ("dve", "v4"): ["RMW R+304", "RMW R+A04", "RMW R+3F0", "W X+1260", "W R+324",
                    "MEM 2B20000 20000", "MEM 2B40000 10000", "MEM 2B88000 1000",
                    "MEM 2B89000 2000", "RMW X+4000", *RING_SETUP["v3"]],
    ("sp", "v3"): ["RMW R+A08", "W X+1260", "MEM 2820000 20000", "MEM 2840000 10000",
                   *RING_SETUP["v3"]],
    ("sp", "v2"): ["RMW R+A08", "W X+1260", "MEM 2820000 10000", "MEM 2840000 4000", *WINDOWS,
                   *RING_SETUP["v2"]],
}


def sequence(engine, gen):
    version = {"sunda": "v2", "cayman": "v3"}.get(gen, "v4")
    return SEQUENCES.get((engine, version), SEQUENCES.get((engine, "v3")))


def spell(line):
    """An operation in the spelling of the sequences above."""
    letter = {"read32": "R", "write32": "W", "rmw32": "RMW"}.get(line["op"])
    offset = int(line["offset"], 16)
    if line["op"] == "write_block":
        assert line["space"] == "tpb_mem"
        return f"MEM {offset:X} {line['size']:X}"
    base = {"tpb_regs": "R", "xt_local": "X", "nx_local": "X"}[line["space"]]
    return f"{letter} {base}+{offset:X}"


class Sequences(Case):
    def test_every_engine_of_every_generation_follows_the_sheet(self):
        for gen in GENERATIONS:
            for engine in CHAIN:
                lines, _ = self.lines(gen, "--engine", engine)
                self.assertEqual({line["engine"] for line in lines}, {engine})
                self.assertEqual(lines[0]["op"], "log", "the orchestrator's own line comes first")
                self.assertEqual(lines[0]["level"], 4)
                got = [spell(line) for line in lines if line["op"] != "log"]
                want = sequence(engine, gen)
                if engine == "act":  # 9.3: the order of the eight special values may differ
                    self.assertEqual(sorted(got[:8]), sorted(want[:8]))
                    got, want = got[8:], want[8:]
                self.assertEqual(got, want, f"{gen} {engine}")

    def test_values_of_the_default_parameters(self):
        lines, _ = self.lines("cayman", "--engine", "act")  # 18.1: "every value is fixed"
        value = {(line["space"], line["offset"]): line["value"] for line in lines if "value" in line}
        self.assertEqual(value["tpb_regs", "0xa04"], "0x50")
        self.assertEqual(value["tpb_regs", "0x204"], "0x0")
        self.assertEqual(value["xt_local", "0x1260"], "0x2000")
        self.assertEqual(int(value["xt_local", "0x4000"], 16) & 1, 0)
        lines, _ = self.lines("cayman", "--engine", "pool")  # 7.1, the example
        local = [(line["offset"], line["value"]) for line in lines
                 if line.get("space") == "xt_local" and line["step"] == "dma_init"]
        self.assertEqual(local, [("0x10a0", "0x0"), ("0x10c0", "0x222f034"), ("0x1100", "0x10"),
                                 ("0x10e0", "0x220f034"), ("0x1100", "0x10"), ("0x10a0", "0x1")])
        lines, _ = self.lines("mariana", "--engine", "dve")
        self.assertIn(("0x324", "0x800587c5"),
                      [(line["offset"], line["value"]) for line in lines if "value" in line])

    def test_whole_core_in_the_order_of_the_sheet(self):
        block_bytes = {"sunda": 0x164000}  # 18.3, the last line
        for gen in GENERATIONS:
            lines, last = self.lines(gen)
            owners = [line["engine"] for line in lines]
            order = [owner for i, owner in enumerate(owners) if i == 0 or owners[i - 1] != owner]
            self.assertEqual(order, ["core", *CHAIN])
            size = sum(line["size"] for line in lines if line["op"] == "write_block")
            self.assertEqual(size, block_bytes.get(gen, 0x3FC000))
            self.assertEqual(last["gen"], gen)
            self.assertEqual(last["status"], 0)
            self.assertEqual(last["engines"], dict.fromkeys(("pe", "act", "pool", "dve", "sp"),
                                                            "running"))

    def test_steps_come_in_their_order(self):
        lines, _ = self.lines("mariana_plus", "--engine", "pool")
        steps = list(dict.fromkeys(line["step"] for line in lines))
        self.assertEqual(steps, ["regs_init", "ucode_seq_init", "q7_ucode_eng_init",
                                 "hw_decode_table_init", "dma_init", "release_run_stall",
                                 "release_eng_run_stall"])


class Golden(Case):
    """The recorded operations against the lists of tests/hal/golden."""

    def images(self, gen):
        """--ucode options that load the images those lists were made with."""
        tables = expected_traffic.Tables(ROOT, GOLDEN[gen])
        core = expected_traffic.Core(tables, 0)
        options = []
        regions = ((0, "iram", "nx_iram_bytes"), (1, "dram", "nx_dram_bytes"),
                   (2, "q7_iram", "q7_iram_bytes"), (3, "q7_dram", "q7_dram_bytes"))
        del core
        for engine in (*CHAIN, "topsp"):
            for number, name, field in regions:
                if name.startswith("q7") and engine != "pool":
                    continue
                options += self.image(engine, number, name, tables.number(field))
            if gen != "sunda" and engine not in ("sp", "topsp"):
                options += self.image(engine, 4, "cam", 0x1000)      # hal-stpb.md 8.3
                options += self.image(engine, 5, "profile", 0x2000)
        return options

    def image(self, engine, number, name, cap):
        size = expected_traffic.image_size(number, cap)
        file = self.file(f"{engine}-{name}", expected_traffic.image(engine, number, size))
        return ["--ucode", f"{engine}:{name}={file}"]

    def recorded(self, gen, *arguments):
        self.ends(0, gen, *arguments, "--record", "r.txt", *self.images(gen))
        return [line for line in self.text_of("r.txt").splitlines() if line[0] in "RWB"]

    def golden(self, name):
        with open(os.path.join(ROOT, "tests", "hal", "golden", name), encoding="utf-8") as stream:
            return [line.strip() for line in stream if line[0] in "RWB"]

    def test_core(self):
        for gen in GENERATIONS:
            self.assertEqual(self.recorded(gen), self.golden(f"{GOLDEN[gen]}-core0.txt"), gen)

    def test_last_core(self):
        for gen in GENERATIONS:
            last = CORES[gen] - 1
            self.assertEqual(self.recorded(gen, "--core", str(last)),
                             self.golden(f"{GOLDEN[gen]}-core{last}.txt"), gen)

    def test_topsp_before_and_dma_rings_behind_the_core(self):
        for gen in GENERATIONS:
            got = self.recorded(gen, "--topsp", "2", "--dma-rings")
            name = GOLDEN[gen]
            self.assertEqual(sorted(got), sorted(self.golden(f"{name}-topsp2.txt") +
                                                 self.golden(f"{name}-core0.txt") +
                                                 self.golden(f"{name}-dma0.txt")), gen)
            topsp = self.golden(f"{name}-topsp2.txt")
            self.assertEqual(got[:len(topsp)], topsp, gen)


class Trace(Case):
    """docs/hardware/sunda-bringup-trace.md: function names, order and numbers, never wording."""
    BAR0 = 0xFFFFB65D80000000

    def log(self):
        """(function, numbers) of the lines that the real log shows (level 4 and below), in order."""
        done = self.ends(0, "sunda", "--core", "all", "--topsp", "all", "--dma-rings", "--bar0",
                         hex(self.BAR0))
        found = []
        for line in done.stdout.splitlines():
            match = re.match(r"  log [1-4] (\w+): (.*)", line)
            if match:
                numbers = re.findall(r"\b(?:0x[0-9a-f]+|\d+)\b", match[2])
                found.append((match[1], *(int(number, 0) for number in numbers)))
        return found

    def ring(self, queue, *, eng=None):
        """One line each of nq_init, nq_enable, nq_reset."""
        return (("aws_hal_notific_nq_init", queue), ("aws_hal_notific_nq_enable", queue),
                ("_aws_hal_notific_nq_reset", queue if eng is None else eng, queue, 0))

    def part(self, log, start, count):
        self.assertIn(start, log)
        at = log.index(start)
        return log[at:at + count]

    def test_r1_topsps(self):
        log = self.log()
        for k, mem, regs, notific in (
                (2, 0xFFFFB65D90A00000, 0xFFFFB65DB0E85000, 0xFFFFB65DB0E84000),
                (4, None, None, 0xFFFFB65DB0F04000),
                (5, 0xFFFFB65D91600000, 0xFFFFB65DB0F45000, None)):
            notific = notific or regs - 0x1000
            regs = regs or notific + 0x1000
            mem = mem or self.BAR0 + 0x10000000 + k * 0x400000 + 0x200000  # item 3
            want = [("aws_hal_sp_init", mem, regs), ("aws_hal_notific_init", notific),
                    *self.ring(4), *self.ring(2)]
            self.assertEqual(self.part(log, want[0], len(want)), want, k)
        inits = [line for line in log if line[0] == "aws_hal_sp_init"][:6]
        self.assertEqual([line[2] for line in inits],
                         [self.BAR0 + 0x30E05000 + k * 0x40000 for k in range(6)])

    def test_r2_cores(self):
        log = self.log()
        for core in range(2):
            notific = self.BAR0 + (0x30535000, 0x30C35000)[core]  # apertures.csv: TPB_n_NOTIFIC
            want = [("aws_hal_notific_init", notific)]
            want += [self.ring(q)[0] for q in (4, 5, 6, 7, 8)]
            for q in (4, 5, 6, 7, 8):
                want += self.ring(q)[1:]
            self.assertEqual(self.part(log, want[0], len(want)), want, core)

    def test_r3_dma_engines(self):
        log = self.log()
        want = [self.ring(0)[0]] * 16
        for eng in range(16):
            want += self.ring(0, eng=eng)[1:]
        starts = [i for i in range(len(log)) if log[i:i + 32 + 16] == want]
        self.assertEqual(len(starts), 2, "once for each core")

    def test_addresses_are_offsets_without_bar0(self):
        done = self.ends(0, "sunda", "--topsp", "2")
        self.assertIn("0x30e84000", done.stdout)
        self.assertNotIn("0xffffb65d", done.stdout)


class Failures(Case):
    def test_f36_one_engine_fails_on_cayman(self):
        lines, last = self.lines("cayman", "--fail-at", "pool.hw_decode:-1", status=1)
        self.assertEqual(last["engines"], {"pe": "running", "act": "running", "pool": "stalled",
                                           "dve": "running", "sp": "running"})
        self.assertEqual(last["status"], -1)
        steps = {line["step"] for line in lines if line["engine"] == "pool"}
        self.assertFalse(steps & {"dma_init", "release_run_stall", "release_eng_run_stall"})
        self.assertFalse([line for line in lines if line["step"] == "hw_decode_table_init" and
                          line["engine"] == "pool" and line["op"] != "log"])
        done = self.ends(1, "cayman", "--fail-at", "pool.hw_decode:-1")
        errors = done.stderr.splitlines()
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertRegex(errors[0], r"^trench: .*pool.hw_decode_table_init: error: .*-1")
        self.assertIn("pool stalled", done.stdout)

    def test_what_is_not_an_engine_fails_under_its_own_name(self):
        big = self.file("big.bin", bytes(0x20001))
        for options, says in (
                (("--topsp=2", "--fail-at", "topsp.dma:-3"), "trench: cayman topsp2.dma_init: error: "),
                (("--topsp=2", "--ucode", "topsp:iram=" + big),
                 "trench: cayman topsp2.ucode_seq_init: error: "),
                (("--dge-carveout", "8:0"), "trench: cayman core 0 core.dge: error: ")):
            done = self.ends(1, "cayman", *options)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertTrue(done.stderr.startswith(says), done.stderr)

    def test_f36_the_step_does_not_exist_on_sunda(self):
        self.refused("--gen", "sunda", "--fail-at", "pool.hw_decode:-1",
                     says="pool has no step hw_decode_table_init on sunda")

    def test_every_step_of_every_engine_can_fail(self):
        for gen in ("sunda", "cayman", "mariana"):
            for engine in CHAIN:
                whole, _ = self.lines(gen, "--engine", engine)
                steps = list(dict.fromkeys(line["step"] for line in whole if line["op"] != "log"))
                for i, step in enumerate(steps):
                    lines, last = self.lines(gen, "--engine", engine, "--fail-at",
                                             f"{engine}.{step}:-7", status=1)
                    self.assertEqual(last["engines"][engine], "stalled", (gen, engine, step))
                    self.assertEqual(last["status"], -7)
                    done = {line["step"] for line in lines if line["op"] != "log"}
                    self.assertEqual(done, set(steps[:i]), (gen, engine, step))

    def test_f45_a_wait_that_ran_out_is_the_devices_fault(self):
        _, last = self.lines("cayman", "--engine", "dve", "--fail-at", "dve.dma:-110", status=3)
        self.assertEqual((last["status"], last["engines"]["dve"]), (-110, "stalled"))

    def test_topsp_steps(self):
        _, last = self.lines("sunda", "--topsp", "3", "--fail-at", "topsp.ucode:-5", status=1)
        self.assertEqual(last["topsps"], [{"topsp": 3, "state": "stalled"}])

    def test_bad_fail_at(self):
        for text, says in (("pool", "is not like"), ("pool.dma_init", "is not like"),
                           (".dma:-1", "is not like"), ("pool.:-1", "is not like"),
                           ("pump.dma:-1", "unknown engine 'pump'"),
                           ("pe.release:-1", "is the beginning of several steps"),
                           ("pe.dmx:-1", "is no step; steps are regs_init"),
                           ("pe.dma:0", "no negative status"), ("pe.dma:1", "no negative status"),
                           ("pe.dma:", "no negative status"), ("pe.dma:-x", "no negative status"),
                           ("pe.dma:-99999999999", "no negative status"),
                           ("pe.q7:-1", "pe has no step q7_ucode_eng_init on cayman"),
                           ("sp.hw:-1", "sp has no step hw_decode_table_init on cayman"),
                           ("topsp.dma:-1", "without --topsp"), ("pe.x" * 60 + ":-1", "is not like")):
            self.refused("--gen", "cayman", "--fail-at", text, says=says)
        self.refused("--gen", "cayman", "--engine", "act", "--fail-at", "pe.dma:-1",
                     says="--engine leaves pe out")

    def test_release_run_stall_is_a_name_of_its_own(self):
        for step in ("release_run_stall", "release_run", "release_eng"):
            self.ends(1, "cayman", "--engine", "pool", "--fail-at", f"pool.{step}:-1")


class Images(Case):
    def test_user_images_are_written_padded(self):
        data = bytes(range(256)) * 5
        self.file("iram.bin", data)
        lines, _ = self.lines("mariana", "--engine", "pe", "--ucode", "pe:iram=iram.bin")
        block = next(line for line in lines if line.get("offset") == "0x2620000")
        self.assertEqual(block["size"], 0x20000)
        self.assertEqual(block["sha256"],
                         hashlib.sha256(data + bytes(0x20000 - len(data))).hexdigest())

    def test_what_does_not_fit_has_the_documented_text(self):
        # hal-stpb.md 10, 11, 14.2; caps of 8.3 and 14.2
        for gen, engine, region, cap, says in (
                ("sunda", "pe", "iram", 0x10000, "IRAM ucode too big! doesn't fit, size=65537"),
                ("sunda", "sp", "dram", 0x4000, "DRAM ucode too big! doesn't fit, size=16385"),
                ("cayman", "dve", "iram", 0x20000, "IRAM ucode too big! doesn't fit, size=131073"),
                ("cayman", "pool", "q7_iram", 0x20000,
                 "IRAM ucode too big! doesn't fit, size=131073"),
                ("mariana", "pool", "q7_dram", 0x40000,
                 "DRAM ucode too big! doesn't fit, size=262145"),
                ("mariana", "act", "cam", 0x1000, "HW decode CAM table too big!"),
                ("mariana", "act", "profile", 0x2000, "HW decode PROFILE table too big!")):
            self.file("big.bin", bytes(cap + 1))
            done = self.ends(1, gen, "--ucode", f"{engine}:{region}=big.bin")
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertIn(f"{engine} stalled", done.stdout)
            others = [e for e in CHAIN if e != engine]
            for other in others:
                self.assertIn(f"{other} running", done.stdout)
            self.file("big.bin", bytes(cap))
            self.ends(0, gen, "--ucode", f"{engine}:{region}=big.bin")

    def test_bad_options(self):
        self.file("empty.bin", b"")
        self.file("a.bin", b"x")
        for text, says in (("pe", "is not like"), ("pe:iram", "is not like"),
                           ("pe=a.bin", "is not like"), ("pe:iram=", "is not like"),
                           ("pump:iram=a.bin", "unknown engine 'pump'"),
                           ("pe:rom=a.bin", "unknown region 'rom'"),
                           ("pe:iram=missing.bin", "No such file"), ("pe:iram=.", "directory"),
                           ("pe:iram=empty.bin", "the file is empty"),
                           ("pe:q7_iram=a.bin", "has no q7_iram image for pe"),
                           ("sp:cam=a.bin", "has no cam image for sp"),
                           ("cce:q7_iram=a.bin", "unknown engine 'cce'")):
            self.refused("--gen", "cayman", "--ucode", text, says=says)
        self.refused("--gen", "sunda", "--ucode", "pe:cam=a.bin", says="sunda has no cam")
        self.refused("--gen", "cayman", "--ucode", "pe:iram=a.bin", "--ucode", "pe:iram=a.bin",
                     says="given twice")
        self.refused("--gen", "cayman", "--fail-at", "pe.regs:-1", "--fail-at", "act.regs:-1",
                     says="given twice")


class Options(Case):
    def test_generations_and_arguments(self):
        self.refused("--gen", "maverick", says="no HAL")
        self.refused("--gen", "atlantis", says="unknown generation")
        self.refused(says="needs --gen")
        self.refused("--gen", "cayman", "--gen", "sunda", says="given twice")
        self.refused("--gen", "cayman", "file", says="no argument 'file'")
        self.refused("--gen", "cayman", "--engine", "gpsimd", says="unknown engine 'gpsimd'")

    def test_cores(self):
        for gen in GENERATIONS:
            lines, last = self.lines(gen, "--core", "all")
            self.assertEqual([core["core"] for core in last["cores"]], list(range(CORES[gen])))
            for core in last["cores"]:
                self.assertEqual(set(core["engines"].values()), {"running"})
            self.assertEqual({line["core"] for line in lines}, set(range(CORES[gen])))
            for text in (str(CORES[gen]), "-1", "x", ""):
                self.refused("--gen", gen, "--core", text, says="--core")

    def test_states_are_those_of_the_core(self):
        for gen in GENERATIONS:
            number = CORES[gen] - 1
            _, last = self.lines(gen, "--core", str(number))
            self.assertEqual([core["core"] for core in last["cores"]], [number])
            self.assertEqual(set(last["engines"].values()), {"running"})
            self.assertEqual(last["cores"][0]["engines"], last["engines"])
            done = self.ends(0, gen, "--core", str(number), "--engine", "dve")
            self.assertEqual(done.stdout.splitlines()[-1], f"{gen} core {number}: pe stalled, "
                             "act stalled, pool stalled, dve running, sp stalled")

    def test_core_lies_in_its_window(self):
        lines, _ = self.lines("cayman", "--core", "3", "--engine", "pe")
        block = next(line for line in lines if line["op"] == "write_block")
        self.assertEqual(block["addr"], "0xde620000")  # 0xD0000000 + 3 * 0x4000000 + 0x2620000
        self.assertEqual(block["offset"], "0x2620000")

    def test_topsps(self):
        for gen in GENERATIONS:
            for form in (("--topsp",), ("--topsp=all",), ("--topsp", "all")):
                _, last = self.lines(gen, *form)
                self.assertEqual([entry["topsp"] for entry in last["topsps"]],
                                 list(range(TOPSPS[gen])))
                self.assertEqual({entry["state"] for entry in last["topsps"]}, {"running"})
            self.refused("--gen", gen, "--topsp", str(TOPSPS[gen]), says="--topsp")
        lines, _ = self.lines("cayman", "--topsp", "1", "--engine", "sp")
        self.assertEqual({line.get("topsp") for line in lines}, {1, None})

    def test_rings(self):
        lines, _ = self.lines("cayman", "--rings", "none")
        self.assertNotIn("rings", {line["step"] for line in lines})
        self.refused("--gen", "cayman", "--rings", "all", says="--rings")
        for size in ("0x20000", "0x80000000"):  # rings lie 0x10000 apart (hal-stpb.md 7.1)
            self.refused("--gen", "cayman", "--nq-size", size, says="--nq-size")
        lines, _ = self.lines("cayman", "--nq-size", "0x4000")
        sizes = {line["value"] for line in lines
                 if re.fullmatch(r"nq\[\d\]\.size", line.get("name", ""))}
        self.assertEqual(sizes, {"0x4000"})
        for text in ("0", "3", "8", "0x1001", "4294967296", "x"):
            self.refused("--gen", "cayman", "--nq-size", text, says="--nq-size")
        self.refused("--gen", "cayman", "--rings", "none", "--dma-rings", says="--dma-rings")

    def test_dma_rings(self):
        whole, _ = self.lines("cayman")
        more, _ = self.lines("cayman", "--dma-rings")
        count = [line.get("function") for line in more].count("aws_hal_notific_nq_init") - \
                [line.get("function") for line in whole].count("aws_hal_notific_nq_init")
        self.assertEqual(count, 16)

    def test_descriptor_generator(self):
        # hal-stpb.md 15.1, 15.2: ((size >> 4) << 16) | (offset >> 4); (hi << 16) | lo
        lines, _ = self.lines("cayman", "--engine", "pe", "--dge-carveout", "0x4000:0x2000",
                              "--dge-mapping", "5:0x12")
        self.assertEqual([(line["offset"], line["value"]) for line in lines[-2:]],
                         [("0x14e0", "0x4000200"), ("0x1500", "0x50012")])
        self.assertEqual({line["step"] for line in lines[-2:]}, {"dge"})
        for gen, cap in (("sunda", 0x30000), ("cayman", 0x38000), ("mariana", 0x40000)):
            self.ends(0, gen, "--dge-carveout", f"{cap - 0x10}:0x10")
            done = self.ends(1, gen, "--dge-carveout", f"{cap}:1")  # the cap comes first
            self.assertIn(f"dge carveout params oob, offset 1 size {cap}", done.stderr)
            done = self.ends(1, gen, "--dge-carveout", "0x18:0x10")
            self.assertIn("invalid dge carveout params, offset 16 size 24", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        for option in ("--dge-carveout", "--dge-mapping"):
            for text in ("1", ":", "1:", "x:1", "1:0x100000000"):
                self.refused("--gen", "cayman", option, text, says=option)

    def test_bar0(self):
        for text in ("x", "0x1000", "0xffffffffffffffff"):
            self.refused("--gen", "cayman", "--bar0", text, says="--bar0")
        plain, _ = self.lines("cayman", "--topsp", "--dma-rings")
        based, _ = self.lines("cayman", "--topsp", "--dma-rings", "--bar0", "0x7f0000000000")
        self.assertEqual(len(plain), len(based))
        for a, b in zip(plain, based):
            if a["op"] != "log":
                self.assertEqual(int(a["addr"], 16) + 0x7F0000000000, int(b["addr"], 16))
                self.assertEqual({**a, "addr": 0}, {**b, "addr": 0})


class Json(Case):
    def test_every_line_has_the_keys_of_the_contract(self):
        lines, _ = self.lines("cayman", "--topsp", "0")
        ops = set()
        for line in lines:
            ops.add(line["op"])
            keys = {"seq", "engine", "step", "op"}
            keys |= {"level", "function", "text"} if line["op"] == "log" else \
                {"space", "offset", "addr", "size", "name"}
            keys |= {"value"} if line["op"] in ("read32", "write32", "rmw32") else set()
            keys |= {"mask"} if line["op"] == "rmw32" else set()
            self.assertLessEqual(keys, set(line))
            self.assertIn(line["engine"], ("core", "topsp", *CHAIN))
        self.assertEqual(ops, {"log", "read32", "write32", "rmw32", "write_block"})

    def test_names_come_from_the_tables(self):
        lines, _ = self.lines("mariana", "--engine", "act")
        names = {line["offset"]: line["name"] for line in lines
                 if line.get("space") == "tpb_regs"}
        self.assertEqual(names["0x240"], "act_sequencer.zero_val")
        self.assertEqual(names["0xa04"], "notific.sw_queue_num1")
        pack = next(line for line in lines if line.get("offset") == "0xa04")
        self.assertEqual(pack["fields"]["act_explicit"], 5)  # 7.1: the explicit queue of ACT


class Records(Case):
    def test_round_trip(self):
        for gen in GENERATIONS:
            options = ("--core", "all", "--topsp", "--dma-rings", "--dge-mapping", "1:2")
            lines, _ = self.lines(gen, *options, "--record", "r.txt")
            registers = sum(2 if line["op"] == "rmw32" else 1 for line in lines
                            if line["op"] != "log")
            done = self.trench("replay", "--gen", gen, "--json", "r.txt")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stderr, "")
            report = json.loads(done.stdout)
            self.assertEqual(report["operations"], registers)
            self.assertEqual(report["played"], registers, "the default images are known by hash")
            self.assertEqual(report["differences"], [])

    def test_images_as_files(self):
        data = b"\x5a" * 100
        self.file("own.bin", data)
        self.ends(0, "cayman", "--engine", "pe", "--ucode", "pe:iram=own.bin", "--record", "r.txt")
        done = self.trench("replay", "r.txt")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 such block was not written", done.stderr)
        os.mkdir(self.path("traces"))
        for images in ("traces/images", "traces", "elsewhere"):
            self.ends(0, "cayman", "--engine", "pe", "--ucode", "pe:iram=own.bin", "--record",
                      "traces/r.txt", "--record-images", images)
            padded = data + bytes(0x20000 - len(data))
            digest = hashlib.sha256(padded).hexdigest()
            with open(self.path(f"{images}/{digest[:16]}.bin"), "rb") as stream:
                self.assertEqual(stream.read(), padded)
            self.assertRegex(self.text_of("traces/r.txt"),
                             rf"(?m)^B 0xd2620000 0x20000 {digest} .*{digest[:16]}\.bin$")
            done = self.trench("replay", "traces/r.txt")
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_rmw_is_two_lines(self):
        self.ends(0, "cayman", "--engine", "sp", "--record", "r.txt")
        self.assertIn("R 0x6000a08 0x0\nW 0x6000a08 0x80\n", self.text_of("r.txt"))
        self.assertTrue(self.text_of("r.txt").startswith("# gen cayman\n"))

    def test_records_do_not_depend_on_bar0(self):
        self.ends(0, "mariana", "--record", "a.txt")
        self.ends(0, "mariana", "--bar0", "0x7f0000000000", "--record", "b.txt")
        self.assertEqual(self.text_of("a.txt"), self.text_of("b.txt"))

    def test_bad_targets(self):
        self.refused("--gen", "cayman", "--record", "missing/r.txt", says="missing/r.txt")
        self.refused("--gen", "cayman", "--record-images", "d", says="needs --record")
        self.file("file", b"x")
        self.refused("--gen", "cayman", "--record", "r.txt", "--record-images", "file/d",
                     says="--record-images")
        self.assertFalse(os.path.exists(self.path("r.txt")))

    def test_a_failed_bring_up_is_recorded_too(self):
        self.ends(1, "cayman", "--fail-at", "act.dma:-1", "--record", "r.txt")
        self.assertEqual(self.trench("replay", "r.txt").returncode, 0)


if __name__ == "__main__":
    unittest.main()
