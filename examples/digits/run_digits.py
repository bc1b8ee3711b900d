#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run digits.tasm on modelled cores and hold every label and logit against NumPy.

usage: run_digits.py [--trench PROGRAM] [--threads N] [GENERATION...]
Exit status 1 when a label, a logit or the accuracy is not what it must be.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from network import (CLASSES, DIRECTORY, forward_bf16, forward_exact, inputs, load, load_digits,
                     to_bf16)

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus")
LANES = 128
TILES = 15  # of 128 images: 1,920 places for 1,797 images
WANTED_ACCURACY = 0.95
SHADES = " .:-=+*#%@"


def arrays():
    """What the host puts into SBUF: {place: array}, first axis on partitions (digits.tasm)."""
    images = np.zeros((64, TILES * LANES), np.uint16)
    x = inputs()
    images[:, :len(x)] = to_bf16(x.T)
    return {"0x0000:bf16": load("w1"), "0x0080:bf16": load("w2"),
            "0x0100": load("b1").reshape(-1, 1), "0x0140": np.tile(load("b2"), (LANES, 1)),
            "0x1000:bf16": images}


class Run:
    """One run of the program on one generation: labels, logits and the report."""

    def __init__(self, trench, generation, threads, directory):
        logits_file = os.path.join(directory, "logits.npy")
        classes_file = os.path.join(directory, "classes.npy")
        command = [trench, "run", "--gen", generation, "--json", "--threads", str(threads)]
        for place, array in arrays().items():
            file = os.path.join(directory, f"{place.split(':')[0]}.npy")
            np.save(file, array)
            command += ["--load", f"sbuf:{place}={file}"]
        command += ["--dump", f"sbuf:0x3000:fp32:{LANES}x{TILES * CLASSES}={logits_file}",
                    "--dump", f"sbuf:0x5000:uint32:{LANES}x{TILES * 8}={classes_file}",
                    os.path.join(DIRECTORY, "digits.tasm")]
        start = time.perf_counter()
        result = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        self.seconds = time.perf_counter() - start
        if result.returncode != 0:
            sys.exit(f"digits: trench run ended with status {result.returncode}")
        self.report = json.loads(result.stdout)
        count = len(load_digits()[1])
        by_tile = np.load(logits_file).reshape(LANES, TILES, CLASSES)
        self.logits = by_tile.transpose(1, 0, 2).reshape(-1, CLASSES)[:count]
        first = np.load(classes_file).reshape(LANES, TILES, 8)[:, :, 0]
        self.labels = first.T.reshape(-1)[:count].astype(int)


def picture(pixels):
    return ["".join(2 * SHADES[min(int(p) * len(SHADES) // 17, len(SHADES) - 1)] for p in row)
            for row in pixels.reshape(8, 8)]


def show(images, truth, labels, rows):
    """A few images side by side with what the core made of them."""
    drawn = [picture(images[r]) for r in rows]
    for line in range(8):
        print("  ".join(d[line] for d in drawn))
    for row in rows:
        caption = f"row {row}: {labels[row]}"
        if labels[row] != truth[row]:
            caption += f" not {truth[row]}"
        print(caption.ljust(18), end="" if row != rows[-1] else "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trench", default="trench", help="the program (default: trench)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("generation", nargs="*", default=GENERATIONS)
    options = parser.parse_args()

    images, truth = load_digits()
    wanted = forward_bf16()
    exact, bound = forward_exact()
    held_out = slice(1, None, 2)
    good = True
    for number, generation in enumerate(options.generation):
        with tempfile.TemporaryDirectory() as directory:
            run = Run(options.trench, generation, options.threads, directory)
        if number == 0:
            wrong = [r for r in range(1, len(truth), 2) if run.labels[r] != truth[r]]
            show(images, truth, run.labels, [r for r in (1, 3, 7, 9, 11) if r not in wrong] + wrong[:1])
            print(f"\n{'':13} {'held-out':>8}  {'labels':>11}  {'logits':>13}  {'largest':>8} {'its':>8}"
                  f"  {'retired':>11}\n{'generation':13} {'accuracy':>8}  {'= NumPy':>11}"
                  f"  {'bits = NumPy':>13}  {'error':>8} {'bound':>8}  {'pe':>5} {'dve':>5}  seconds")
        accuracy = np.mean(run.labels[held_out] == truth[held_out])
        same = int(np.sum(run.labels == wanted.argmax(axis=1)))
        bits = int(np.sum(run.logits.view(np.uint32) == wanted.view(np.uint32)))
        error = np.abs(run.logits - exact)
        worst = np.unravel_index(np.argmax(error / bound), error.shape)
        retired = {name: engine["retired"] for name, engine in run.report["engines"].items()}
        print(f"{generation:13} {accuracy:8.2%}  {same:5}/{len(truth)}  {bits:6}/{wanted.size}"
              f"  {error[worst]:8.5f} {bound[worst]:8.5f}  {retired['pe']:5} {retired['dve']:5}"
              f"  {run.seconds:7.3f}")
        good &= (accuracy >= WANTED_ACCURACY and same == len(truth) and bool((error <= bound).all())
                 and run.report["status"] == "ok")
    print("every label equals NumPy's and every logit is within its bound" if good else
          "NOT as NumPy computes it")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
