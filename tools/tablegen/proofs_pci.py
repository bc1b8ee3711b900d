# SPDX-License-Identifier: Apache-2.0
"""Proofs about the tables of the PCI function (pci-function.md 1, 2, 5.3)."""
from model import GENERATIONS, fail, number

MODES = ("silicon", "qemu")
OWNERS = ("core", "dma", "topsp", "q7")
WHENS = ("", "plain", "msix")
CONFIG_VALUES = ("device", "revision", "vectors", "table", "pending")
CONFIG_BYTES = 256
BAR_REGISTERS = range(0x10, 0x28)


def one_of(row, column, values):
    if row[column] not in values:
        fail(row["where"], f"{column} '{row[column]}' is not one of {', '.join(v for v in values if v)}")


def members(tables):
    return {row["field"] for row in tables.generations}


def models_are_sound(tables):
    names = {}
    for row in tables.pci_models:
        one_of(row, "generation", GENERATIONS)
        if names.setdefault(row["model"], row) is not row:
            fail(row["where"], f"{row['model']}: the model is taken ({names[row['model']]['where']})")
        if not row["device"][0].isdigit() and row["device"] not in members(tables):
            fail(row["where"], f"{row['device']}: generations.csv has no such member")


def config_registers_do_not_overlap(tables):
    """Aligned to their size, apart from each other in each of the two forms, and from the BARs."""
    owner = {}
    for row in tables.pci_config:
        one_of(row, "when", WHENS)
        low, size = number(row["offset"], row["where"]), number(row["bytes"], row["where"])
        if size not in (1, 2, 4) or low % size or low + size > CONFIG_BYTES:
            fail(row["where"], f"{row['register']}: {size} bytes at 0x{low:X} are no register")
        if row["reset"] not in CONFIG_VALUES:
            value = number(row["reset"], row["where"])
            if value >> 8 * size or number(row["writable"], row["where"]) >> 8 * size:
                fail(row["where"], f"{row['register']}: a value does not fit {size} bytes")
        for at in range(low, low + size):
            for form in ([row["when"]] if row["when"] else ["plain", "msix"]):
                if (at, form) in owner or at in BAR_REGISTERS:
                    fail(row["where"], f"{row['register']}: byte 0x{at:X} belongs to "
                                       f"{owner.get((at, form), 'the BARs')}")
                owner[at, form] = row["register"]


def bars_are_apart(tables):
    for mode in MODES:
        taken = {}
        for row in tables.pci_bars:
            one_of(row, "mode", MODES)
            if row["mode"] != mode:
                continue
            bar = number(row["bar"], row["where"])
            if bar not in (0, 2, 4) or taken.setdefault(bar, row) is not row:
                fail(row["where"], f"BAR {bar} is not 0, 2 or 4, or is taken")
            if not row["size"][0].isdigit() and row["size"] not in members(tables):
                fail(row["where"], f"{row['size']}: generations.csv has no such member")


def reset_bits_fit(tables):
    for row in tables.pci_resets:
        one_of(row, "owner", OWNERS)
        low, bits = number(row["low"], row["where"]), number(row["bits"], row["where"])
        if bits < 1 or low + bits > 32:
            fail(row["where"], f"bits {low}..{low + bits - 1} leave the reset map")


PROOFS = (models_are_sound, config_registers_do_not_overlap, bars_are_apart, reset_bits_fit)
