# SPDX-License-Identifier: Apache-2.0
"""gelu.tasm on a modelled core, held against NumPy: the network whose hidden layer is GELU on ACT."""
import os
import subprocess
import sys

import numpy as np

from network import CLASSES, DIRECTORY, forward_gelu, inputs, load, load_digits, to_bf16

LANES, TILES = 128, 15
WANTED_ACCURACY = 0.95


def logits_of(trench, generation, directory, mode):
    """Logits of a run; mode: how ACT evaluates functions, by their tables or exactly."""
    images = np.zeros((64, TILES * LANES), np.uint16)
    x = inputs()
    images[:, :len(x)] = to_bf16(x.T)
    arrays = {"sbuf:0x0000:bf16": load("gelu_w1"), "sbuf:0x0080:bf16": load("gelu_w2"),
              "sbuf:0x0100": load("gelu_b1").reshape(-1, 1),
              "sbuf:0x0140": np.tile(load("gelu_b2").reshape(1, -1), (LANES, 1)), "sbuf:0x1000:bf16": images}
    command = [trench, "run", "--gen", generation, "--act-mode", mode]
    for place, array in arrays.items():
        file = os.path.join(directory, f"gelu_{place.replace(':', '_')}.npy")
        np.save(file, array)
        command += ["--load", f"{place}={file}"]
    file = os.path.join(directory, "gelu_logits.npy")
    done = subprocess.run([*command, "--dump", f"sbuf:0x3000:fp32:{LANES}x{TILES * CLASSES}={file}",
                           os.path.join(DIRECTORY, "gelu.tasm")], stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"digits: trench run of gelu.tasm ended with status {done.returncode}")
    by_tile = np.load(file).reshape(LANES, TILES, CLASSES)
    return by_tile.transpose(1, 0, 2).reshape(-1, CLASSES)[:len(x)]


def compare(trench, generation, directory):
    """A line for the report, and whether everything is as it must be."""
    by_tables, exactly = (logits_of(trench, generation, directory, mode) for mode in ("table", "exact"))
    device, exact, bound = forward_gelu()
    truth = load_digits()[1]
    labels = by_tables.argmax(axis=1)
    accuracy = np.mean(labels[1::2] == truth[1::2])
    same = int(np.sum(labels == device.argmax(axis=1)))
    bits = int(np.sum(exactly.view(np.uint32) == device.view(np.uint32)))
    error = np.abs(by_tables - exact)
    worst = np.unravel_index(np.argmax(error / bound), error.shape)
    line = (f"{accuracy:8.2%}  {same:5}/{len(truth)}  {error[worst]:8.5f} {bound[worst]:8.5f}"
            f"  {bits:6}/{device.size}")
    good = accuracy >= WANTED_ACCURACY and same == len(truth) and bool((error <= bound).all())
    return line, good and bits == device.size
