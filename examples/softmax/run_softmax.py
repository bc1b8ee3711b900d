#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run softmax.tasm and hold every element against NumPy in double precision.

The rows are those that a careless softmax gets wrong: thousands (exp overflows), minus thousands (the
sum is 0), elements of -inf, rows of equal elements, and rows where one element is all there is.

usage: run_softmax.py [--trench PROGRAM] [GENERATION...]
Exit status 1 when an element is further away than the exponential's table explains.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus")
LANES, COLUMNS = 128, 512
#: The table of exp is within 1.2e-5 of exp (docs/hardware/activation.md 6), once in an element and
#: once, at worst, in the sum; 512 roundings of the sum, one of the reciprocal and one of the product
#: add 514 * 2^-24.
WANTED = 2 * 1.2e-5 + 514 * 2.0**-24


def rows():
    rng = np.random.default_rng(20)
    x = rng.normal(0, 3, (LANES, COLUMNS)).astype(np.float32)
    x[32:48] += np.float32(5000)
    x[48:64] -= np.float32(5000)
    x[64:80, ::3] = -np.inf
    x[80:96] = rng.normal(0, 100, (16, 1)).astype(np.float32)
    x[96:112, 7] += np.float32(200)
    return x


def softmax(x):
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def run(trench, generation, x, directory):
    file, out = os.path.join(directory, "x.npy"), os.path.join(directory, "y.npy")
    np.save(file, x)
    command = [trench, "run", "--gen", generation, "--json", "--provenance", "--load",
               f"sbuf:0={file}", "--dump", f"sbuf:0x1000:fp32:{LANES}x{COLUMNS}={out}",
               os.path.join(DIRECTORY, "softmax.tasm")]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"softmax: trench run ended with status {done.returncode}")
    return np.load(out).astype(np.float64), json.loads(done.stdout)


def report(generation, y, wanted):
    """One line; whether every element is near enough. Where exp is below the smallest that the table
    holds, an element is 0 or as small."""
    tiny = wanted < 1e-30
    error = np.abs(y - wanted)[~tiny] / wanted[~tiny]
    sums = np.abs(y.sum(axis=1) - 1).max()
    good = error.max() <= WANTED and sums <= WANTED and (y[tiny] < 1e-29).all()
    print(f"{generation:13} largest relative error {error.max():.2e} (wanted {WANTED:.2e}), "
          f"rows add up to 1 within {sums:.1e}{'' if good else '  WRONG'}")
    return good


def main():
    parser = argparse.ArgumentParser(description="softmax on modelled cores")
    parser.add_argument("--trench", default="trench")
    parser.add_argument("generations", nargs="*", metavar="GENERATION")
    options = parser.parse_args()
    x = rows()
    wanted, good, first = softmax(x), True, None
    for generation in options.generations or GENERATIONS:
        with tempfile.TemporaryDirectory() as directory:
            y, _ = run(options.trench, generation, x, directory)
        good = report(generation, y, wanted) and good
        first = y if first is None else first
        if not np.array_equal(first, y):
            print(f"{generation:13} differs from the first generation")
            good = False
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
