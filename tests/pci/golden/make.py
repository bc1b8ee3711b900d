#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The golden files beside this script: what `lspci -n -v -x` shows of a function that a host has just found, worked out from
pci-function.md 1 and 2 and the PCI specification. usage: make.py DIRECTORY"""
import os
import sys

G = 1 << 30
#: model: device id, bytes of the control BAR, bytes of the HBM BAR
MODELS = {"trn1": (0x7164, G, 32 * G), "inf2": (0x7264, G, 32 * G), "trn2": (0x7364, 4 * G, 256 * G),
          "trn3": (0x7564, 4 * G, 256 * G), "trn3plus": (0x7565, 4 * G, 256 * G)}


def put(space, at, size, value):
    space[at:at + size] = value.to_bytes(size, "little")


def text(device, control, hbm):
    space = bytearray(64)
    put(space, 0x00, 2, 0x1D0F)
    put(space, 0x02, 2, device)
    put(space, 0x09, 3, 0x088000)
    put(space, 0x10, 4, 0b0100)  # memory, 64 bits wide
    put(space, 0x20, 4, 0b1100)  # ... and prefetchable
    put(space, 0x2C, 2, 0x1D0F)
    put(space, 0x2E, 2, device)
    lines = [f"00:04.0 0880: 1d0f:{device:04x}", f"\tSubsystem: 1d0f:{device:04x}",
             f"\tRegion 0: Memory (64-bit, non-prefetchable) [size={control // G}G]",
             f"\tRegion 4: Memory (64-bit, prefetchable) [size={hbm // G}G]"]
    lines += [f"{at:02x}: " + " ".join(f"{b:02x}" for b in space[at:at + 16]) for at in range(0, 64, 16)]
    return "\n".join(lines) + "\n"


for model, facts in MODELS.items():
    with open(os.path.join(sys.argv[1], f"{model}.lspci"), "w", encoding="ascii") as stream:
        stream.write(text(*facts))
