# SPDX-License-Identifier: Apache-2.0
"""Proofs about where the fields of a word lie: 512 bits, four instruction sets."""
from emit_isa import short_names
from model import (COMPOSITE_SIZES, EVENTLESS_STRUCTS, ISA_COLUMNS, SCALAR_SIZES, WORD_BYTES, fail)

WORD_BITS = WORD_BYTES * 8
#: composite types that are unions by the manual: their parts are views of the same bytes
UNIONS = ("@addr4", "@addr8", "@imm4", "@imm8", "@addrun8")
#: bytes of the composite rows that are arms of a pattern; None: as long as the longest pattern
ARM_SIZES = {"@indirect": 20, "@mxindirect": 16, "@mxtensor_v2": 16, "@sem_base_offset": 4}
#: bytes at the end of an arm that the manual calls inert
INERT_FROM = {"@indirect": 10}


def row_name(field):
    return f"{field.struct},{field.name}"


def refuse(field, text):
    fail(field.where, f"{row_name(field)}: {text}")


def all_fields(tables):
    return [f for fields in tables.structs.values() for f in fields]


def composite_size(struct):
    return ARM_SIZES.get(struct) or COMPOSITE_SIZES[struct[1:]]


def members(tables, struct):
    """The fields that share one word, or the parts that share one composite."""
    if struct == "COMMON" or struct.startswith("@"):
        return tables.structs[struct]
    return tables.struct_fields(struct)


def exists(tables, struct, column):
    return any(f.offsets[column] is not None for f in tables.structs[struct])


def names_are_unique(tables):
    for struct in tables.structs:
        seen = {}
        for field in members(tables, struct):
            if field.name in seen:
                refuse(field, f"the struct already has that field ({seen[field.name].where})")
            seen[field.name] = field


def sizes_match_types(tables):
    for field in all_fields(tables):
        container = field.size * 8
        if field.is_bits:
            if field.size not in (1, 2, 4, 8):
                refuse(field, f"a bit field needs a container of 1, 2, 4 or 8 bytes, not {field.size}")
            if field.bits < 1 or field.bit_lo + field.bits > container:
                refuse(field, f"bits {field.bit_lo}..{field.bit_lo + field.bits - 1} do not lie in "
                              f"its {container}-bit container")
            continue
        if field.base == "reserved":
            continue
        unit = 1 if field.base == "enum" else {**COMPOSITE_SIZES, **SCALAR_SIZES}[field.base]
        if field.size != unit * field.count:
            refuse(field, f"size_bytes is {field.size}, its type has {unit * field.count}")


def fields_fit(tables):
    for field in all_fields(tables):
        limit = composite_size(field.struct) if field.struct.startswith("@") else WORD_BYTES
        for column, isa in enumerate(ISA_COLUMNS):
            offset = field.offsets[column]
            if offset is not None and not 0 <= offset <= limit - field.size:
                refuse(field, f"bytes {offset}..{offset + field.size - 1} leave the {limit} bytes on {isa}")
        if all(o is None for o in field.offsets):
            refuse(field, "the field exists on no instruction set")


def bit_mask(field, column):
    bits = field.owned_bits(column)
    return (1 << len(bits)) - 1 << bits.start if bits else 0


def no_overlap(tables):
    for struct in tables.structs:
        if struct in UNIONS:
            continue
        for column, isa in enumerate(ISA_COLUMNS):
            owned = 0
            for field in members(tables, struct):
                mask = bit_mask(field, column)
                if owned & mask:
                    refuse_overlap(tables, field, column, owned & mask)
                owned |= mask


def refuse_overlap(tables, field, column, shared):
    bit = (shared & -shared).bit_length() - 1
    owner = next(f for f in members(tables, field.struct) if bit in f.owned_bits(column))
    refuse(field, f"byte {bit // 8} bit {bit % 8} belongs to {row_name(owner)} ({owner.where}) on "
                  f"{ISA_COLUMNS[column]}")


def unowned(tables, struct, column):
    """First bit that neither a field nor a reserved row owns, or None."""
    if struct == "COMMON":
        limit = 12 * 8
    elif struct.startswith("@"):
        limit = INERT_FROM.get(struct, composite_size(struct)) * 8
    else:
        limit = WORD_BITS
    missing = (1 << limit) - 1
    for field in members(tables, struct):
        missing &= ~bit_mask(field, column)
    return (missing & -missing).bit_length() - 1 if missing else None


def every_bit_owned(tables):
    for struct in tables.structs:
        if struct in UNIONS:
            continue
        for column, isa in enumerate(ISA_COLUMNS):
            bit = unowned(tables, struct, column) if exists(tables, struct, column) else None
            if bit is not None:
                refuse(tables.structs[struct][0], f"no field of {struct} owns byte {bit // 8} "
                       f"bit {bit % 8} on {isa}; name it or reserve it")


def header_exceptions_hold(tables):
    """The structs that use event bytes themselves are those the manual names, and no others."""
    for struct in tables.word_structs():
        hidden = EVENTLESS_STRUCTS.get(struct, ())
        for field in tables.structs[struct]:
            for offset in field.offsets:
                if offset is not None and offset < 12 and offset not in hidden:
                    refuse(field, f"byte {offset} belongs to the header and the events block")


def enums_fit(tables):
    for field in all_fields(tables):
        if field.base != "enum":
            continue
        enum = tables.enums.get(field.enum)
        if not enum:
            refuse(field, f"enums.csv has no enum '{field.enum}'")
        if field.struct == "@pair":
            continue  # a pair's nibble holds the members up to 15 (README, section 3)
        width = field.bits if field.is_bits else field.size * 8
        for member in enum.members:
            if member.value >> width:
                refuse(field, f"{enum.name}.{member.name} = 0x{member.value:X} ({member.where}) "
                              f"does not fit {width} bits")


def enum_members_are_unique(tables):
    for enum in tables.enums.values():
        names, values = {}, {}
        for member in enum.members:
            for seen, key in ((names, member.name.lower()), (values, member.value)):
                if key in seen:
                    fail(member.where, f"{enum.name},{member.name}: {seen[key].name} has the same "
                                       f"{'name' if seen is names else 'value'} ({seen[key].where})")
                seen[key] = member


def short_names_are_unique(tables):
    for struct in tables.structs:
        fields = members(tables, struct)
        shorts = short_names(fields)
        seen = {}
        for field in fields:
            for name in {shorts[field.name], field.name}:
                if seen.setdefault(name, field) is not field:
                    refuse(field, f"its short form '{name}' is a name of {row_name(seen[name])}")


PROOFS = (names_are_unique, sizes_match_types, fields_fit, header_exceptions_hold, no_overlap,
          every_bit_owned, enums_fit, enum_members_are_unique, short_names_are_unique)
