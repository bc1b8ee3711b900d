# SPDX-License-Identifier: Apache-2.0
"""Proofs about register-blocks.csv: every block lies in an aperture, alone, with its registers;
and about soc-fields.csv."""
import blocks
from model import ENGINES, GENERATIONS, fail

#: offset of the local registers in an engine block (address-map.md 5.2)
LOCAL_AT = 0x60000


def refuse(row, text):
    fail(row.where, f"{row.path}: {text}")


def rows_on(rows, index):
    return [row for row in rows if row.gen_mask >> index & 1]


def registers_of(tables, block, index):
    return [r for r in rows_on(tables.registers, index) if r.block == block and r.offset is not None]


def blocks_fit_their_apertures(tables):
    for index in range(len(GENERATIONS)):
        expander = blocks.Expander(tables, index)
        for row in rows_on(tables.blocks, index):
            for name in blocks.spread(row.aperture):
                aperture = expander.aperture(row, row.scope, name)
                if row.size < 4 or row.offset + row.size > aperture.size:
                    refuse(row, f"0x{row.offset:X}..0x{row.offset + row.size - 1:X} leaves {name} "
                                f"({aperture.where}, 0x{aperture.size:X} bytes)")
            for name in blocks.spread(row.window) if row.window else ():
                expander.aperture(row, "bar0", name)


def blocks_hold_their_registers(tables):
    for index, generation in enumerate(GENERATIONS):
        for row in rows_on(tables.blocks, index):
            owner = {}
            for block in row.blocks:
                registers = registers_of(tables, block, index)
                if not registers:
                    refuse(row, f"registers.csv has no block {block} on {generation}")
                for register in registers:
                    check_place(row, register, owner)


def check_place(row, register, owner):
    for offset in register.places():
        if row.end is not None and offset >= row.end:
            continue
        start = offset - row.block_offset
        if start < 0 or start + register.width // 8 > row.size:
            refuse(row, f"{register.block}.{register.name} ({register.where}) at 0x{offset:X} is "
                        f"outside the range of 0x{row.size:X} bytes")
        other = owner.setdefault(offset, register)
        if other is not register:
            refuse(row, f"{register.block}.{register.name} and {other.block}.{other.name} "
                        f"share offset 0x{offset:X}")


def block_places_are_disjoint(tables):
    for index, generation in enumerate(GENERATIONS):
        paths, before = {}, None
        for instance in blocks.instances(tables, index):
            row = instance.row
            if before and before.bar0 + before.row.size > instance.bar0:
                refuse(row, f"{instance.place} at BAR0 0x{instance.bar0:X} overlaps {before.place} "
                            f"({before.row.where}) on {generation}")
            before = instance
            path = row.path.replace("#", str(instance.number))
            if path in paths:
                refuse(row, f"{path} is the name of {paths[path].where} too on {generation}")
            paths[path] = row


def named_registers_have_places(tables):
    """A local register file, event unit or notification block of a known window has its block."""
    for index, generation in enumerate(GENERATIONS):
        rows = rows_on(tables.blocks, index)
        covered = {(row.scope, name) for row in rows for name in blocks.spread(row.aperture)}
        for aperture in rows_on(tables.apertures, index):
            if aperture.scope not in blocks.SCOPES:
                continue
            if aperture.name.endswith(("LOCAL_REG", "EVT_SEM", "_NOTIFIC", "TPB_0_CSR")) and \
                    (aperture.scope, aperture.name) not in covered:
                fail(aperture.where, f"{aperture.name}: register-blocks.csv has no block in it on "
                                     f"{generation}")


def places_agree_with_the_generation(tables):
    """generations.csv and apertures.csv give one place to the engine blocks, events and cores."""
    member = {row["field"]: row for row in tables.generations}
    for index, generation in enumerate(GENERATIONS):
        found = {(a.scope, a.name): a for a in rows_on(tables.apertures, index)}

        def check(field, scope, name, distance=0, k=0):
            wanted = int(member[field][generation], 0) + distance
            aperture = found.get((scope, name))
            if aperture and aperture.offset + k * aperture.stride != wanted:
                fail(member[field]["where"], f"{field}: {name} of {generation} lies at "
                                             f"0x{aperture.offset:X} ({aperture.where})")
        check("bar_evt_sem", "tpb_bar", "EVT_SEM")
        check("bar0_tpb", "bar0", "TPB")
        for engine in ENGINES:
            field = f"bar_engine_{engine.lower()}"
            check(field, "tpb_bar", f"{engine}_LOCAL_REG", LOCAL_AT)
            check(field, "tpb_bar", f"{engine}_NX_LOCAL_REG", LOCAL_AT)
        for core in range(int(member["cores"][generation], 0)):
            check("bar0_tpb", "bar0", f"TPB_{core}",
                  core * int(member["bar0_tpb_stride"][generation], 0))


def address_fields_do_not_overlap(tables):
    for index in range(len(GENERATIONS)):
        owner = {}
        for row in rows_on(tables.soc_fields, index):
            for bit in range(row.low, row.low + row.bits):
                if bit > 63 or bit in owner:
                    fail(row.where, f"{row.name}: bit {bit} belongs to {owner.get(bit, 'no address')}")
                owner[bit] = row.name


PROOFS = (blocks_fit_their_apertures, blocks_hold_their_registers, block_places_are_disjoint,
          named_registers_have_places, places_agree_with_the_generation,
          address_fields_do_not_overlap)
