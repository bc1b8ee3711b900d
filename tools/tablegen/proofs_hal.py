# SPDX-License-Identifier: Apache-2.0
"""What must hold of the host HAL's tables (hal-stpb.md 3)."""
from hal_getters import resolve
from model import fail, number

OBJECT_BYTES = 0x7A8  # the dispatch object, 3.1
#: member of the assertion's text, and what stands behind it (3.3)
FATAL = {"stpb": "", "arch": "", "rdm": "", "nx": "", "notific": "", "sdma": "", "q7": "",
         "intc": " != NULL"}
POLICIES = ("assert", "noop")


def prove_slot_offsets(tables):
    """Multiples of 8 inside the object, each once, in ascending order."""
    before = None
    for row in tables.hal_slots:
        offset = number(row["offset"], row["where"])
        if offset % 8 or not 0 <= offset <= OBJECT_BYTES - 8:
            fail(row["where"], f"slot {row['offset']} is not a multiple of 8 inside "
                               f"0x{OBJECT_BYTES:X} bytes")
        if before is not None and offset <= before:
            fail(row["where"], f"slot {row['offset']} does not come after 0x{before:03X}")
        before = offset


def prove_slot_members(tables):
    """A family names a member once."""
    seen = {}
    for row in tables.hal_slots:
        key = (row["family"], row["member"])
        if key in seen:
            fail(row["where"], f"member '{row['member']}' of {row['family']} has slot "
                               f"{seen[key]} already")
        seen[key] = row["offset"]


def prove_slot_policies(tables):
    """The policy belongs to the family, DVE's apart, and the text follows from both (3.3)."""
    for row in tables.hal_slots:
        family, member = row["family"], row["member"]
        if family not in FATAL and family != "sp":
            fail(row["where"], f"unknown family '{family}'")
        quiet = family == "sp" or (family == "stpb" and not member.startswith("dve_"))
        policy = POLICIES[quiet]
        if row["policy"] != policy:
            fail(row["where"], f"an empty {family} slot {member} is '{policy}', not "
                               f"'{row['policy']}'")
        text = "" if quiet else f"kaena_khal.khal_{family}.{member}{FATAL[family]}"
        if row["text"] != text:
            fail(row["where"], f"the text of {family} slot {member} is '{text}'")


def prove_getters(tables):
    """Every cell can be worked out; a getter's slot is one of khal_arch, and only its own."""
    arch = {number(row["offset"], row["where"]): row["member"] for row in tables.hal_slots
            if row["family"] == "arch"}
    names, slots = {}, {}
    for getter in resolve(tables):
        if getter.name in names:
            fail(getter.where, f"getter {getter.name} stands in line {names[getter.name]} already")
        names[getter.name] = getter.where.line
        if not getter.index and any(len(values) != 1 for values in getter.values):
            fail(getter.where, f"getter {getter.name} has several values and no index")
        if getter.slot and getter.slot not in arch:
            fail(getter.where, f"getter {getter.name}: slot 0x{getter.slot:03X} is none of arch")
        if getter.slot and slots.setdefault(getter.slot, getter.name) != getter.name:
            fail(getter.where, f"getter {getter.name}: slot 0x{getter.slot:03X} is that of "
                               f"{slots[getter.slot]}")


PROOFS = (prove_slot_offsets, prove_slot_members, prove_slot_policies, prove_getters)
