#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The CPTC codec against cptc_model.py: every number of bits, every block size, random constants.

usage: oracle_cptc.py CPTC_FILTER
"""
import random
import struct
import subprocess
import sys

import numpy as np

import cptc_model as model

INVALID, UNSUPPORTED = -22, -38


class Requests:
    def __init__(self):
        self.bytes, self.checks = bytearray(), []

    def add(self, what, codec, n, b, constants, blocks, data, check):
        self.bytes += struct.pack("<cBBBHHI", what, codec, n, b, *constants, blocks) + data
        self.checks.append(check)

    def run(self, program):
        out = subprocess.run([program], input=bytes(self.bytes), stdout=subprocess.PIPE,
                             check=True).stdout
        at = 0
        for check in self.checks:
            at += 4 + check(struct.unpack_from("<i", out, at)[0], out[at + 4:])
        if at != len(out):
            sys.exit("the program answered more than it was asked")
        print(f"{len(self.checks)} requests answered as the model does")


def same_values(wanted, what):
    def check(status, out):
        got = np.frombuffer(out, np.uint32, wanted.size)
        if status != 0 or not np.array_equal(got, wanted.view(np.uint32)):
            sys.exit(f"{what}: status {status}, differs")
        return wanted.nbytes
    return check


def refused(wanted):
    def check(status, _):
        if status != wanted:
            sys.exit(f"status {status} instead of {wanted}")
        return 0
    return check


def same_codes(n, b, constants, values, what):
    size = model.block_bytes(n, b)

    def check(status, out):
        if status != 0:
            sys.exit(f"{what}: status {status}")
        used = n * b // 8
        for i in range(len(values) // b):
            block = out[i * size:(i + 1) * size]
            if any(block[used:]):
                sys.exit(f"{what}: padding is not zero")
            for j, code in enumerate(model.packed_codes(n, b, block)):
                if code not in model.codes_of(n, values[i * b + j], *constants):
                    sys.exit(f"{what}: element {j} of block {i}, {values[i * b + j]}: code {code}")
        return len(values) // b * size
    return check


def finite_constants(rng):
    """A scale and a bias that a program would use, and once in a while a bias that swallows it."""
    scale = rng.choice([0x3F80, 0x3E00, 0xBF80, 0x3DCD, 0x4049, 0x0080, 0x2000])
    return scale, rng.choice([0, 0x3F80, 0xBF00, 0x4300, 0x4B80, scale])


def decodes(requests, rng):
    for n in range(1, 8):
        for b in range(8, 249, 8):
            blocks = rng.choice([1, 2, 3])
            data = rng.randbytes(blocks * model.block_bytes(n, b))
            for codec, decode in ((model.PLANES, model.decode),
                                  (model.BITSHIFT, model.decode_bitshift)):
                constants = finite_constants(rng) if rng.random() < 0.5 else \
                    (rng.getrandbits(16), rng.getrandbits(16))
                size = model.block_bytes(n, b)
                wanted = np.concatenate([decode(n, b, *constants, data[i * size:(i + 1) * size])
                                         for i in range(blocks)])
                requests.add(b"D", codec, n, b, constants, blocks, data,
                             same_values(wanted, f"decode codec {codec} n {n} b {b} {constants}"))


def encodes(requests, rng, np_rng):
    for n in range(1, 8):
        for b in (8, 24, 64, 72, 128, 136, 248):
            constants = finite_constants(rng)
            scale, bias = (float(model.bf16(c)) for c in constants)
            places = np_rng.uniform(-1.3 * 2**n, 1.3 * 2**n, b)
            places = np.where(np_rng.random(b) < 0.5, np.rint(2 * places) / 2, places)
            values = (places * scale + bias).astype(np.float32)
            grid = [model.reconstruct(n, c, *constants) for c in range(1 << n)]
            values = np.where(np_rng.random(b) < 0.3, np_rng.choice(grid, b), values)
            values[0], values[1] = np.inf, -np.inf
            values = values.astype(np.float32)
            requests.add(b"E", model.PLANES, n, b, constants, 1, values.tobytes(),
                         same_codes(n, b, constants, values, f"encode n {n} b {b} {constants}"))


def refusals(requests):
    one = np.zeros(8, np.float32)
    for n, b in ((0, 8), (8, 8), (4, 0), (4, 12)):
        requests.add(b"D", model.PLANES, n, b, (0x3F80, 0), 0, b"", refused(INVALID))
        requests.add(b"E", model.PLANES, n, b, (0x3F80, 0), 0, b"", refused(INVALID))
    requests.add(b"D", 2, 4, 8, (0x3F80, 0), 0, b"", refused(INVALID))
    requests.add(b"E", model.BITSHIFT, 4, 8, (3, 5), 1, one.tobytes(), refused(UNSUPPORTED))
    for constants in ((0, 0), (0x8000, 0), (0x7F80, 0), (0x3F80, 0x7FC0)):
        requests.add(b"E", model.PLANES, 4, 8, constants, 1, one.tobytes(), refused(INVALID))
    one[5] = np.nan
    requests.add(b"E", model.PLANES, 4, 8, (0x3F80, 0), 1, one.tobytes(), refused(INVALID))


def main():
    rng, np_rng = random.Random(7), np.random.default_rng(7)
    requests = Requests()
    decodes(requests, rng)
    for _ in range(6):
        encodes(requests, rng, np_rng)
    refusals(requests)
    requests.run(sys.argv[1])


if __name__ == "__main__":
    main()
