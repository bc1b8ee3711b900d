# SPDX-License-Identifier: Apache-2.0
"""A device for the oracles of vector words: it runs words in the program under test and keeps its
own copy of memory, in which the oracle does what the sheets say. At the end both must be equal,
byte for byte.

Words are put together from the offsets of docs/hardware/vector-ops.md 2, 3, 7.5 and 8 and
tensor-scalar-multi.md 8, addresses from isa-core.md 4 to 6.
"""
import random
import struct
import subprocess
import sys

import numpy as np

import vector_formats as fmt
from vector_formats import FP32, SIZE, UINT, Mode

GENS = ["sunda", "cayman", "mariana", "mariana_plus", "maverick"]
NC = [2, 3, 4, 4, 5]
SBUF_STRIDE = [0x40000, 0x40000, 0x40000, 0x40000, 0x100000]
PSUM_BASE = [0x2000000, 0x2000000, 0x2000000, 0x2000000, 0x8000000]
PSUM_STRIDE = 0x8000
ACT, POOL, DVE = 1, 2, 3
ENGINES = {ACT: "act", POOL: "pool", DVE: "dve"}
SBUF, PSUM = 0, 1
FAULTS = {0: "none", 1: "bad_opcode", 2: "illegal", 3: "missing", 4: "not_modelled", 5: "pc",
          6: "address", 7: "divide_by_zero", 8: "assertion", 255: "no_handler"}
ARENA = 1024  # bytes of a partition that a case may use


class Pattern:
    """A memory pattern in one space: steps and counts with X first, in elements."""

    def __init__(self, space, partition, byte, dtype, num, step):
        self.space, self.partition, self.byte, self.dtype = space, partition, byte, dtype
        self.num, self.step = list(num), list(step)

    def count(self):
        return int(np.prod(self.num, dtype=np.int64))

    def offsets(self):
        """Byte offset of each element in stream order: w, z, y, x with x innermost."""
        out = np.zeros(1, np.int64)
        for num, step in zip(reversed(self.num), reversed(self.step)):
            out = (out[:, None] + np.arange(num) * step).reshape(-1)
        return self.byte + out * SIZE[self.dtype]

    def encode(self, gen, ndim):
        base = PSUM_BASE[gen] + self.partition * PSUM_STRIDE if self.space == PSUM \
            else self.partition * SBUF_STRIDE[gen]
        pad = ndim - len(self.num)
        steps, nums = self.step + [1] * pad, self.num + [1] * pad
        return struct.pack(f"<I{ndim}h{ndim}H", base + self.byte, *steps, *nums)

    def address(self, gen):
        return struct.unpack("<I", self.encode(gen, 4)[:4])[0]

    def __repr__(self):
        return (f"{'psum' if self.space else 'sbuf'}[p{self.partition},{self.byte:#x}]"
                f":dtype {self.dtype:#x} num {self.num} step {self.step}")


class Memory:
    """What the oracle believes: the first ARENA bytes of every partition of both spaces. It begins
    with noise, so that a byte written outside the destination shows."""

    noise = np.random.default_rng(0).integers(0, 256, (2, 128, ARENA), np.uint8)

    def __init__(self, arena=ARENA):
        self.bytes = np.tile(self.noise, (1, 1, -(-arena // ARENA)))[:, :, :arena].copy()

    def _index(self, pattern, lanes, n):
        offsets = pattern.offsets()[n]
        size = SIZE[pattern.dtype]
        return (np.arange(pattern.partition, pattern.partition + lanes)[:, None, None],
                offsets[None, :, None] + np.arange(size)[None, None, :])

    def read(self, pattern, lanes, n=slice(None)):
        """Stored elements [lane, n] as unsigned integers of their width."""
        p, b = self._index(pattern, lanes, n)
        return np.ascontiguousarray(self.bytes[pattern.space][p, b]).view(
            UINT[SIZE[pattern.dtype]])[:, :, 0]

    def write(self, pattern, lanes, raw, n=slice(None)):
        p, b = self._index(pattern, lanes, n)
        raw = np.ascontiguousarray(raw, UINT[SIZE[pattern.dtype]])
        data = raw[:, :, None].view(np.uint8)
        for i in range(data.shape[1]):  # one after the other: a step of 0 writes a byte twice
            self.bytes[pattern.space][p, b[:, i:i + 1]] = data[:, i:i + 1]


def touched(pattern):
    out = set()
    for offset in pattern.offsets():
        out.update(range(int(offset), int(offset) + SIZE[pattern.dtype]))
    return out


def overlap(a, b):
    """Whether lanes of two patterns share bytes (their windows are equal or apart: isa-core.md 4)."""
    return a.space == b.space and a.partition == b.partition and bool(touched(a) & touched(b))


def element_wise(memory, lanes, sources, dst, function):
    """dst[n] = function(sources[n]...), in stream order where operands overlap."""
    if any(overlap(s, dst) for s in sources):
        for n in range(dst.count()):
            one = slice(n, n + 1)
            memory.write(dst, lanes, function(*(memory.read(s, lanes, one) for s in sources)), one)
    else:
        memory.write(dst, lanes, function(*(memory.read(s, lanes) for s in sources)))


class Rig:
    """Collects commands for the program under test, runs them at once, and checks the answers."""

    def __init__(self, program, seed):
        self.program = program
        self.rng = random.Random(seed)
        self.np_rng = np.random.default_rng(seed)
        self.commands = bytearray()
        self.answers = []  # (what, size or None, check)
        self.gen = None
        self.cases = 0
        self.words = 0
        self.watched = None  # numeric causes to look for; None: every other word looks for all

    # -- commands

    def select(self, gen, threads=1):
        self.gen = gen
        self.commands += struct.pack("<cBB", b"G", gen, threads)

    def mode(self, engine, mode):
        self.commands += struct.pack("<cBBBB", b"M", engine, mode.fn, mode.saturate, mode.suppress)

    def register(self, number, value):
        self.commands += struct.pack("<cBI", b"r", number, value)

    def shape_register(self, number, num, step):
        self.commands += struct.pack("<cB4H4h", b"S", number, *num, *step)

    def reset(self):
        self.commands += b"Z"

    def stochastic(self, engine, on, seeds=()):
        self.commands += struct.pack("<cBB", b"Q", engine, on)
        for dtype, seed in seeds:
            self.commands += struct.pack("<cBBI", b"q", engine, dtype, seed)

    def vector_options(self, stub_policy, pair_layout):
        """trench/vector.h, by number."""
        self.commands += struct.pack("<cBB", b"V", stub_policy, pair_layout)

    def fill(self, memory, space, partition, lanes):
        rows = memory.bytes[space][partition:partition + lanes]
        self.commands += struct.pack("<cBBBII", b"W", space, partition, lanes, 0, rows.shape[1])
        self.commands += rows.tobytes()

    def expect(self, memory, space, partition, lanes, what):
        """After what was sent so far these rows hold what the memory holds now."""
        self.commands += struct.pack("<cBBBII", b"R", space, partition, lanes, 0, ARENA)
        rows = memory.bytes[space][partition:partition + lanes].copy()
        self.answers.append(("memory", rows, f"{what} ({GENS[self.gen]})"))
        self.cases += 1

    def run(self, engine, word, fault="none", rule=None, what="", checked=True):
        """`checked`: when there is no fault, the static check accepts the word too."""
        assert len(word) == 64
        self.words += 1
        watched = 15 * (self.words % 2) if self.watched is None else self.watched
        self.commands += struct.pack("<cB", b"N", watched)
        self.commands += struct.pack("<cB", b"X", engine) + word
        self.answers.append(("fault", (fault, rule, checked), f"{what} ({GENS[self.gen]})"))

    def pe_strict(self, on):
        self.commands += struct.pack("<cB", b"U", on)

    def expect_numeric(self, wanted, what):
        """The flags that the words since the last call met: 5 units a cause."""
        self.commands += b"n"
        self.answers.append(("numeric", wanted, f"{what} ({GENS[self.gen]})"))
        self.cases += 1

    def codec(self, codec):
        self.commands += struct.pack("<cB", b"B", codec)

    def expect_tile(self, partition, values, what):
        """The CPTC tile holds these values there."""
        self.commands += struct.pack("<cB", b"K", partition)
        self.answers.append(("tile", np.asarray(values, np.float32), f"{what} ({GENS[self.gen]})"))
        self.cases += 1

    def expect_kernel_errors(self, count, line, what):
        """Words that a kernel refused since the last call, and the last line about one."""
        self.commands += b"k"
        self.answers.append(("kernel", (count, line), f"{what} ({GENS[self.gen]})"))
        self.cases += 1

    def expect_scalars(self, wanted, what):
        """Words since the last call: wanted another number of scalars, another class, did nothing."""
        self.commands += b"v"
        self.answers.append(("scalars", wanted, f"{what} ({GENS[self.gen]})"))
        self.cases += 1

    # -- answers

    def finish(self):
        done = subprocess.run([self.program], input=bytes(self.commands), stdout=subprocess.PIPE,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{self.program} ended with {done.returncode}")
        out, at, failures = done.stdout, 0, 0
        for kind, wanted, what in self.answers:
            if kind == "memory":
                rows = np.frombuffer(out, np.uint8, wanted.size, at).reshape(wanted.shape)
                at += wanted.size
                if not np.array_equal(rows, wanted):
                    failures += 1
                    lane, byte = np.argwhere(rows != wanted)[0]
                    low = byte & ~7
                    print(f"{what}: lane {lane} byte {byte:#x}: "
                          f"got {rows[lane, low:low + 8].tobytes().hex()} "
                          f"wanted {wanted[lane, low:low + 8].tobytes().hex()} at {low:#x}")
            elif kind == "numeric":
                met, at = struct.unpack_from("<I", out, at)[0], at + 4
                if met != wanted:
                    failures += 1
                    print(f"{what}: met {met:#07x}, wanted {wanted:#07x}")
            elif kind == "tile":
                length, at = struct.unpack_from("<I", out, at)[0], at + 4
                got, at = out[at:at + 4 * length], at + 4 * length
                if got != wanted.tobytes():
                    failures += 1
                    print(f"{what}: {length} values, wanted {wanted.size}; they differ")
            elif kind == "kernel":
                count, at = struct.unpack_from("<I", out, at)[0], at + 4
                line, at = self.take_text(out, at)
                if (count, line) != wanted:
                    failures += 1
                    print(f"{what}: {count} kernel errors, {line!r}; wanted {wanted}")
            elif kind == "scalars":
                counts, at = struct.unpack_from("<3I", out, at), at + 12
                if counts != tuple(wanted):
                    failures += 1
                    print(f"{what}: counted {counts}, wanted {wanted}")
            else:
                broken, at = self.take_text(out, at)
                klass = FAULTS[out[at]]
                rule, at = self.take_text(out, at + 1)
                message, at = self.take_text(out, at)
                if klass != wanted[0] or (wanted[1] is not None and rule != wanted[1]):
                    failures += 1
                    print(f"{what}: got {klass} {rule!r} {message!r}, wanted {wanted}")
                if broken and wanted[0] == "none" and wanted[2]:
                    failures += 1
                    print(f"{what}: the static check says {broken}")
            if failures > 20:
                sys.exit("too many differences")
        if at != len(out):
            sys.exit("the program answered more than it was asked")
        print(f"{self.cases} cases, {failures} differences")
        sys.exit(1 if failures or self.cases == 0 else 0)

    @staticmethod
    def take_text(out, at):
        size = out[at]
        return out[at + 1:at + 1 + size].decode(), at + 1 + size


# ---- random cases ----------------------------------------------------------------------------

def factors(rng, count, dims):
    """`dims` counts with that product."""
    out = [1] * dims
    rest, p = count, 2
    while rest > 1:
        while rest % p:
            p += 1
        out[rng.randrange(dims)] *= p
        rest //= p
    return out


def random_pattern(rng, space, partition, dtype, count, dims, low, high, dense=None):
    """A pattern of `count` elements inside bytes [low, high) of its partition: usually packed,
    sometimes strided, backwards, transposed or standing still."""
    size = SIZE[dtype]
    room = (high - low) // size
    kind = dense if dense is not None else rng.choice(["packed", "packed", "any", "any", "still"])
    num = factors(rng, count, dims) if kind != "packed" or rng.random() < 0.5 \
        else [count] + [1] * (dims - 1)
    order = list(range(dims))
    if kind != "packed":
        rng.shuffle(order)
    span, step = room + 1, []
    while span > room:
        step, span = [1] * dims, 1
        for d in order:
            step[d] = span * (rng.choice([1, 1, 2, 3]) if kind == "any" else 1)
            span = step[d] * (num[d] - 1) + span
    first = 0
    for d in range(dims):
        if kind == "any" and rng.random() < 0.3:
            first += step[d] * (num[d] - 1)
            step[d] = -step[d]
        if kind == "still" and rng.random() < 0.5:
            step[d] = 0
        if num[d] == 1 and rng.random() < 0.5:
            step[d] = rng.choice([0, 1, -7])
    byte = low + (first + rng.randint(0, min(room - span, 16))) * size
    return Pattern(space, partition, (byte + size - 1) // size * size, dtype, num, step)


SPECIALS = {
    4: [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF,
        0x00800000, 0x3F800000, 0xBF800000, 0x7FFFFFFF, 0xFFFFFFFF, 0x4B800000, 0x7F800001],
    2: [0, 0x8000, 1, 0x7C00, 0xFC00, 0x7E00, 0x7F80, 0xFF80, 0x7FC0, 0x3C00, 0x3F80, 0x7FFF, 0xFFFF],
    1: [0, 0x80, 1, 0x70, 0x77, 0x78, 0x7C, 0x7E, 0x7F, 0xFF, 0x38],
    8: [0, 1, 1 << 63, (1 << 64) - 1, (1 << 63) - 1, 1 << 32, 0xFFFFFFFF],
}


def random_values(rig, dtype, shape):
    """Stored elements: random bits, special codes, and numbers a program would use."""
    rng, size = rig.np_rng, SIZE[dtype]
    bits = rng.integers(0, 1 << 8 * size, shape, np.uint64).astype(UINT[size])
    special = rng.choice(np.array(SPECIALS[size], UINT[size]), shape)
    if dtype in fmt.INTEGERS:
        usual = rng.integers(-9, 9, shape).astype(fmt.SINT[size]).view(UINT[size])
    else:
        numbers = (rng.normal(0, 3, shape) * rng.choice([1, 1, 100], shape)).astype(np.float32)
        usual = fmt.narrow(dtype, np.where(rng.random(shape) < 0.3, np.rint(numbers), numbers),
                           Mode(False, True))
    pick = rng.random(shape)
    return np.where(pick < 0.2, bits, np.where(pick < 0.35, special, usual)).astype(UINT[size])


def random_float(rig):
    bits = random_values(rig, FP32, (1,))
    return int(bits[0])


def random_window(rng, small=True):
    """Lanes and a legal start partition (isa-core.md 4)."""
    lanes = rng.choice([1, 2, 3, 5] if small else [32, 33, 64, 65, 128])
    if lanes <= 32:
        return lanes, rng.choice([0, 32, 64, 96])
    return lanes, rng.choice([0, 64]) if lanes <= 64 else 0


def header(opcode):
    return bytes([opcode, 0x10]) + bytes(10)
