#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The CPTC decoder of POOL, 0xE4 into its tile and 0xF0/7 from memory to memory, against the codecs of
tests/num/cptc_model.py (docs/hardware/cptc.md 5, 7.4).

usage: pool_cptc.py VECTOR_EXEC
"""
import os
import struct
import sys

import numpy as np

import vector_formats as fmt
from vector_device import (POOL, SBUF, Memory, Pattern, Rig, header, random_pattern, random_window)
from vector_formats import BF16, FP16, FP32, INT8, UINT32, UINT8, Mode

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "num"))
import cptc_model as model  # noqa: E402

STORES = [FP32, FP16, BF16, INT8, UINT8]
CAYMAN = 1
LARGEST = {1: 128, 2: 64, 3: 40, 4: 32, 5: 24, 6: 16, 7: 16}  # cptc.md 5


def decode(codec, n, b, constants, raw):
    return (model.decode if codec == model.PLANES else model.decode_bitshift)(n, b, *constants, raw)


def load_word(gen, src, constants, b, lut_dtype):
    """S2_CONVLUT (convlut.md 2)."""
    return (header(0xE4) + bytes(4) + src.encode(gen, 2) + bytes(4) + bytes([UINT32]) + bytes(5) +
            bytes([128, 128]) + struct.pack("<HH", *constants) + bytes([15, 15, b, lut_dtype]) +
            bytes(16))


def extended_word(gen, src, dst, lanes, constants, b, lut_dtype, in_dtype=UINT32):
    """cptc.md 5.1."""
    return (header(0xF0) + bytes([7, 0, in_dtype, dst.dtype]) + src.encode(gen, 3) +
            struct.pack("<HHBBB", *constants, b, lut_dtype, lanes) + bytes(9) + dst.encode(gen, 3))


def tile_cases(rig, gen):
    rng = rig.rng
    for n in range(1, 8):
        b = rng.choice(range(8, LARGEST[n] + 1, 8))
        codec, constants = rng.choice([0, 0, 1]), (rng.getrandbits(16), rng.getrandbits(16))
        memory = Memory()
        shape = rng.choice([[4, 1], [1, 4]])
        src = Pattern(SBUF, 0, 4 * rng.randrange(40, 60), UINT32, shape,
                      [rng.choice([1, 2, -3])] * 2)
        rig.codec(codec)
        rig.fill(memory, SBUF, 0, 128)
        what = f"tile n {n} b {b} codec {codec} {src}"
        rig.run(POOL, load_word(gen, src, constants, b, 0x18 | n), what=what)
        raw = memory.read(src, 128)
        for partition in (0, 1, rng.randrange(128), 127):
            rig.expect_tile(partition, decode(codec, n, b, constants, raw[partition].tobytes()), what)
        rig.expect(memory, SBUF, 0, 128, f"{what} writes nothing")
    rig.run(POOL, load_word(gen, Pattern(SBUF, 0, 0, UINT32, [4, 1], [1, 1]), (0, 0), 0, 0x1C),
            what="a block of no elements")
    rig.expect_tile(3, [], "a block of no elements")
    rig.expect_kernel_errors(0, "", "blocks that fit")


def memory_cases(rig, gen):
    rng = rig.rng
    for n in range(1, 8):
        for out in STORES:
            for codec in (model.PLANES, model.BITSHIFT):
                b = rng.choice([8, 16, 24, 40, 64, 72])
                words = model.block_bytes(n, b) // 4
                blocks = rng.choice([1, 2, 3]) if words * 3 <= 48 and 3 * b <= 100 else 1
                constants = rng.choice([(0x3F80, 0), (0x40A0, 0xBF00), (0x0001, 0x8000),
                                        (rng.getrandbits(16), rng.getrandbits(16))])
                memory, mode = Memory(), Mode.default(gen)
                lanes, partition = random_window(rng)
                src = random_pattern(rng, SBUF, partition, UINT32, words * blocks, 3, 0, 448)
                dst = random_pattern(rng, SBUF, partition, out, b * blocks, 3, 512, 1000)
                rig.codec(codec)
                rig.fill(memory, SBUF, partition, lanes)
                what = f"0xF0/7 n {n} b {b} x {blocks} codec {codec} to {out} {constants} {dst}"
                rig.run(POOL, extended_word(gen, src, dst, lanes, constants, b, 0x18 | n), what=what)
                raw = memory.read(src, lanes)
                values = np.array([np.concatenate(
                    [decode(codec, n, b, constants,
                            np.ascontiguousarray(row[i:i + words]).tobytes())
                     for i in range(0, words * blocks, words)]) for row in raw], np.float32)
                memory.write(dst, lanes, fmt.narrow(out, values, mode))
                rig.expect(memory, SBUF, partition, lanes, what)
    rig.expect_kernel_errors(0, "", "words that fit")


def overlap_case(rig, gen):
    """Results over words that are still to be read: block after block (7.4)."""
    memory, n, b, blocks = Memory(), 4, 8, 8
    src = Pattern(SBUF, 0, 0, UINT32, [blocks, 1, 1], [1, 1, 1])
    dst = Pattern(SBUF, 0, 12, INT8, [b * blocks, 1, 1], [1, 1, 1])
    rig.codec(model.PLANES)
    rig.fill(memory, SBUF, 0, 2)
    rig.run(POOL, extended_word(gen, src, dst, 2, (0x4040, 0), b, 0x18 | n), what="overlap")
    for block in range(blocks):
        raw = memory.read(src, 2, slice(block, block + 1))
        values = np.array([model.decode(n, b, 0x4040, 0, row.tobytes()) for row in raw], np.float32)
        memory.write(dst, 2, fmt.narrow(INT8, values, Mode.default(gen)),
                     slice(b * block, b * block + b))
    rig.expect(memory, SBUF, 0, 2, "overlap")


def kernel_errors(rig, gen):
    """cptc.md 2.1: a line, a count, nothing written, and no fault; the words are valid."""
    memory = Memory()
    rig.codec(model.PLANES)
    src = Pattern(SBUF, 0, 0, UINT32, [4, 1, 1], [1, 1, 1])

    def extended(what, line, count=32, out=FP32, b=32, lut_dtype=0x1C, in_dtype=UINT32):
        dst = Pattern(SBUF, 0, 512, out, [count, 1, 1], [1, 1, 1])
        rig.fill(memory, SBUF, 0, 2)
        rig.run(POOL, extended_word(gen, src, dst, 2, (0x3F80, 0), b, lut_dtype, in_dtype), "none",
                what=what)
        rig.expect(memory, SBUF, 0, 2, what)
        rig.expect_kernel_errors(1, "P0: Error, " + line, what)

    extended("in_dtype", "unsupported in_dtype for cptc_decode : 0xa", in_dtype=FP32)
    extended("out_dtype", "unsupported out_dtype for cptc_decode : 0xe", out=fmt.FP8_EXP4)
    extended("lut_dtype", "unsupported lut_dtype for cptc_decode : 0x18", lut_dtype=0x18)
    extended("block_size", "unsupported block_size for cptc_decode : 12", b=12)
    extended("words", "cptc_decode : 4 words for blocks of 3, 24 elements", b=24, count=24)
    extended("elements", "cptc_decode : 4 words for blocks of 4, 40 elements", count=40)
    two = Pattern(SBUF, 0, 0, UINT32, [4, 1], [1, 1])
    rig.run(POOL, load_word(gen, two, (0x3F80, 0), 24, 0x1E), what="too large", checked=False)
    rig.expect_kernel_errors(1, "P0: Error, CPTC_BLOCK_TOO_LARGE : 24 x 6 bits", "too large")
    if gen == CAYMAN:
        rig.run(POOL, load_word(gen, two, (0x3F80, 0), 16, 0x20), what="no bits")
        rig.expect_kernel_errors(1, "P0: Error, lut_dtype 0x20 has no bits for cptc_decode",
                                 "no bits")


def large_case(rig, gen):
    """All lanes on several threads give the same bytes."""
    rng = rig.rng
    for threads in (1, 3):
        rig.select(gen, threads)
        rig.codec(model.PLANES)
        memory = Memory()
        src = Pattern(SBUF, 0, 0, UINT32, [16, 1, 1], [1, 1, 1])
        dst = Pattern(SBUF, 0, 256, FP32, [128, 1, 1], [1, 1, 1])
        rig.fill(memory, SBUF, 0, 128)
        rig.run(POOL, extended_word(gen, src, dst, 128, (0x3F00, 0x3F80), 32, 0x1C))
        raw = memory.read(src, 128)
        values = np.array([np.concatenate([model.decode(4, 32, 0x3F00, 0x3F80,
                                                        row[i:i + 4].tobytes())
                                           for i in range(0, 16, 4)]) for row in raw], np.float32)
        memory.write(dst, 128, values.view(np.uint32))
        rig.expect(memory, SBUF, 0, 128, f"{threads} threads")
    rig.select(gen, 1)


def main():
    rig = Rig(sys.argv[1], seed=228)
    for gen in range(1, 5):
        rig.select(gen)
        tile_cases(rig, gen)
        memory_cases(rig, gen)
        overlap_case(rig, gen)
        kernel_errors(rig, gen)
    large_case(rig, 2)
    rig.finish()


if __name__ == "__main__":
    main()
