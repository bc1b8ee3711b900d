#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run digits.tasm, softmax.tasm and gelu.tasm on modelled cores and hold every label and logit against NumPy.

Data comes and goes by DMA alone: the host's engine copies host memory to device memory and back, words
of move.tasm move between device memory and SBUF. SUNDA has no generator of descriptors; there the
host's engine reaches SBUF itself.

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

import gelu
from network import (CLASSES, DIRECTORY, forward_bf16, forward_exact, inputs, load, load_digits,
                     to_bf16)

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus")
LANES = 128
TILES = 15  # of 128 images: 1,920 places for 1,797 images
WANTED_ACCURACY = 0.95
SHADES = " .:-=+*#%@"


#: generations whose firmware makes descriptors from words (docs/hardware/dge.md 1.1)
WITH_GENERATOR = ("cayman", "mariana", "mariana_plus")


def arrays(generation):
    """What the host's DMA engine brings in: {place: array}. First axis on partitions in SBUF."""
    images = np.zeros((64, TILES * LANES), np.uint16)
    x = inputs()
    images[:, :len(x)] = to_bf16(x.T)
    b1, b2 = load("b1").reshape(-1, 1), load("b2").reshape(1, -1)
    if generation in WITH_GENERATOR:
        return {"hbm:0x8000000:bf16": load("w1"), "hbm:0x8010000:bf16": load("w2"), "hbm:0x8020000": b1,
                "hbm:0x8030000": b2, "hbm:0x8100000:bf16": images}
    return {"sbuf:0x0000:bf16": load("w1"), "sbuf:0x0080:bf16": load("w2"), "sbuf:0x0100": b1,
            "sbuf:0x0140": np.tile(b2, (LANES, 1)), "sbuf:0x1000:bf16": images}


def results(generation):
    """Places of logits and classes when it is over, and the text that moves the data."""
    if generation in WITH_GENERATOR:
        return "hbm:0x8200000", "hbm:0x8300000", "move.tasm"
    return "sbuf:0x3000", "sbuf:0x5000", "ready.tasm"


class Run:
    """One run of the program on one generation: labels, logits and the report."""

    def __init__(self, trench, generation, threads, directory):
        logits_file = os.path.join(directory, "logits.npy")
        classes_file = os.path.join(directory, "classes.npy")
        command = [trench, "run", "--gen", generation, "--json", "--threads", str(threads)]
        for place, array in arrays(generation).items():
            file = os.path.join(directory, f"{place.replace(':', '_')}.npy")
            np.save(file, array)
            command += ["--dma-load", f"{place}={file}"]
        logits, classes, mover = results(generation)
        command += ["--dma-dump", f"{logits}:fp32:{LANES}x{TILES * CLASSES}={logits_file}",
                    "--dma-dump", f"{classes}:uint32:{LANES}x{TILES * 8}={classes_file}",
                    os.path.join(DIRECTORY, "digits.tasm"), os.path.join(DIRECTORY, mover)]
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


class Probabilities:
    """softmax.tasm on the logits of a run, and how far it is from softmax in double precision."""

    #: the table of exp is within 1.2e-5 (docs/hardware/activation.md 6), in an element and in its sum;
    #: the difference, 10 sums, the reciprocal and the product round: |difference| < 128 is off by
    #: less than 2^-18 of exp
    WANTED = 2 * 1.2e-5 + 2 * 2.0**-18 + 12 * 2.0**-24

    def __init__(self, trench, generation, logits, directory):
        count = len(logits)
        padded = np.zeros((TILES * LANES, CLASSES), np.float32)
        padded[:count] = logits
        by_partition = padded.reshape(TILES, LANES, CLASSES).transpose(1, 0, 2)
        files = [os.path.join(directory, name) for name in ("softmax_in.npy", "softmax_out.npy")]
        np.save(files[0], np.ascontiguousarray(by_partition).reshape(LANES, TILES * CLASSES))
        done = subprocess.run([trench, "run", "--gen", generation, "--load",
                               f"sbuf:0x3000={files[0]}", "--dump",
                               f"sbuf:0x6000:fp32:{LANES}x{TILES * CLASSES}={files[1]}",
                               os.path.join(DIRECTORY, "softmax.tasm")],
                              stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            sys.exit(f"digits: trench run of softmax.tasm ended with status {done.returncode}")
        out = np.load(files[1]).reshape(LANES, TILES, CLASSES)
        self.values = out.transpose(1, 0, 2).reshape(-1, CLASSES)[:count].astype(np.float64)
        exact = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        exact /= exact.sum(axis=1, keepdims=True)
        self.error = float(np.abs(self.values / exact - 1).max())

    def good(self, labels):
        return self.error <= self.WANTED and bool((self.values.argmax(axis=1) == labels).all())


def moved(report):
    """The DMA of a run in a line: by whom, descriptors of both rings, bytes."""
    host = report["dma"]["host"]
    parts = [f"host {host['engine']} {host['descriptors']} / {host['bytes']}"]
    parts += [f"{row['engine']} {row['backend']} {row['descriptors']} / {row['bytes']}"
              for row in report["dma"]["dge"]]
    return ", ".join(parts)


def moved_as_wanted(generation, report):
    """Every byte went by DMA: what the host brought in and took out, and what the words moved."""
    host = report["dma"]["host"]
    out = LANES * TILES * (CLASSES + 8) * 4
    brought = arrays(generation)
    wanted = sum(array.nbytes for array in brought.values()) + out
    words = {row["engine"]: row["bytes"] for row in report["dma"]["dge"]}
    if generation not in WITH_GENERATOR:
        return host["bytes"] == wanted and words == {}
    images = brought["hbm:0x8100000:bf16"].nbytes
    b2 = brought["hbm:0x8030000"].nbytes
    rest = sum(array.nbytes for array in brought.values()) - images + (LANES - 1) * b2
    return host["bytes"] == wanted and words == {"pool": rest, "sp": images, "act": out}


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
    good, transfers, chances, gelus = True, [], [], []
    for number, generation in enumerate(options.generation):
        with tempfile.TemporaryDirectory() as directory:
            run = Run(options.trench, generation, options.threads, directory)
            softmax = Probabilities(options.trench, generation, run.logits, directory)
            line, as_numpy = gelu.compare(options.trench, generation, directory)
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
        chances.append(f"{generation:13} largest relative error {softmax.error:.1e}"
                       f" (bound {softmax.WANTED:.1e}), lowest probability of a label"
                       f" {softmax.values.max(axis=1).min():.3f}")
        gelus.append(f"{generation:13} {line}")
        good &= softmax.good(run.labels) and as_numpy
        transfers.append(f"{generation:13} {moved(run.report)}")
        good &= (accuracy >= WANTED_ACCURACY and same == len(truth) and bool((error <= bound).all())
                 and run.report["status"] == "ok" and moved_as_wanted(generation, run.report))
    print("\nDMA: descriptors / bytes, by the host's engine and by each generator and its backend")
    print("\n".join(transfers))
    print("\nsoftmax of the logits: exp by the tables of ACT, against double precision")
    print("\n".join(chances))
    print("\nthe network with GELU: its hidden layer by the tables of ACT; and exactly, against NumPy"
          f"\n{'generation':13} {'accuracy':>8}  {'= NumPy':>10}  {'error':>8} {'bound':>8}  {'exact: bits':>13}")
    print("\n".join(gelus))
    print("every label equals NumPy's and every logit is within its bound" if good else
          "NOT as NumPy computes it")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
