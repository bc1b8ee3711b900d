# SPDX-License-Identifier: Apache-2.0
"""Proofs about the tables of the DMA engine: descriptor fields, values of its bring-up."""
from model import fail, number

DESCRIPTOR_BITS = 128
#: views that own every bit of a descriptor
WHOLE = ("tx", "rx", "meta")
LOOPS = ("one", "queues", "queues_by_3")
INIT_GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus")


def descriptor_fields_do_not_overlap(tables):
    owner = {}
    for row in tables.udma_fields:
        low, bits = number(row["bit_lo"], row["where"]), number(row["bits"], row["where"])
        name = f"{row['view']}.{row['field']}"
        if not 1 <= bits <= 64 or low // 64 != (low + bits - 1) // 64 or low + bits > DESCRIPTOR_BITS:
            fail(row["where"], f"{name}: bits {low}..{low + bits - 1} are no part of a descriptor's half")
        for bit in range(low, low + bits):
            other = owner.setdefault((row["view"], bit), name)
            if other != name:
                fail(row["where"], f"{name}: bit {bit} is {other}'s")
    for view in WHOLE:
        missing = [bit for bit in range(DESCRIPTOR_BITS) if (view, bit) not in owner]
        if missing:
            where = next(r["where"] for r in tables.udma_fields if r["view"] == view)
            fail(where, f"{view}: nobody owns bit {missing[0]}")


def init_values_are_of_registers(tables):
    paths = {register.path for register in tables.registers}
    step = 0
    for row in tables.udma_init:
        if row["register"] not in paths:
            fail(row["where"], f"{row['register']}: no such register")
        if row["loop"] not in LOOPS:
            fail(row["where"], f"{row['loop']}: no such loop")
        if number(row["step"], row["where"]) < step:
            fail(row["where"], f"step {row['step']} comes after step {step}")
        step = number(row["step"], row["where"])


PROOFS = (descriptor_fields_do_not_overlap, init_values_are_of_registers)
