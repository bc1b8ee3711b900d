# SPDX-License-Identifier: Apache-2.0
"""The `constraint` column of struct-fields.csv (docs/hardware/README.md, section 3)."""
import re
from dataclasses import dataclass

from model import fail

MEMORY = re.compile(r"(?:(v[2-5]) )?(SBUF|PSUM|SBUF\|PSUM) (read|write)")
RELATION = re.compile(r"(>=|<=|!=|>|<) (-?(?:0x[0-9A-Fa-f]+|\d+))")
NUMBER = r"-?(?:0x[0-9A-Fa-f]+|\d+)"
RANGE = re.compile(rf"({NUMBER})\.\.({NUMBER})")
ARGUMENT = re.compile(r"(type|channels|src)=(\S+)")
FLAGS = ("no indirect", "FP32R ok", "not FP32R", "zero")
#: rows with @ also say when their arm holds (README, section 3)
ARM = re.compile(r"marker(?: [0-9A-F]{2}| or)+|marker_a4 == 1|source [A-Z_]+(?:, \w+)?|v[2-5]\+|"
                 r"not v[2-5]|\w+ all|SBUF|address mode \w+|other modes|is_ptr == 1|"
                 r"v5 wait modes 0x[0-9A-F]+\.\.0x[0-9A-F]+")


@dataclass
class Item:
    kind: str      # rule, equal, relation, values, memory, type, channels, src, arm or a FLAGS text
    text: str      # the item without its nibble prefix
    nibble: str    # "", "lo", "hi"
    names: tuple = ()    # fields or members that the item names
    numbers: tuple = ()  # legal values and bounds


def parse_values(text):
    names, numbers = [], []
    for part in text.split("|"):
        span = RANGE.fullmatch(part)
        if span:
            numbers += [int(span[1], 0), int(span[2], 0)]
        elif re.fullmatch(NUMBER, part):
            numbers.append(int(part, 0))
        elif re.fullmatch(r"[A-Za-z_]\w*", part):
            names.append(part)
        else:
            return None
    return tuple(names), tuple(numbers)


def parse_item(text, rule_names, in_composite):
    """One item, or None when it has none of the forms."""
    nibble, body = "", text
    if text[:3] in ("lo ", "hi "):
        nibble, body = text[:2], text[3:]
    if body in rule_names:
        return Item("rule", body, nibble)
    if body in FLAGS:
        return Item(body, body, nibble)
    if body.startswith("== "):
        return Item("equal", body, nibble, names=(body[3:],))
    if RELATION.fullmatch(body):
        return Item("relation", body, nibble, numbers=(int(RELATION.fullmatch(body)[2], 0),))
    if MEMORY.fullmatch(body):
        return Item("memory", body, nibble)
    argument = ARGUMENT.fullmatch(body)
    if argument:
        return Item(argument[1], body, nibble, names=(argument[2],))
    if in_composite and ARM.fullmatch(body):
        return Item("arm", body, nibble)
    values = parse_values(body)
    return Item("values", body, nibble, *values) if values else None


def parse(field, rule_names):
    """Items of one field; refuses the row when an item has no known form."""
    items = []
    for text in field.constraint.split("; ") if field.constraint else ():
        item = parse_item(text, rule_names, field.struct.startswith("@"))
        if not item:
            fail(field.where, f"{field.struct},{field.name}: constraint item '{text}' has none of "
                              "the forms of README section 3 and names no rule")
        items.append(item)
    return items
