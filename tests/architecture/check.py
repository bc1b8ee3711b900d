#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the #include lines of src/, and of what stands outside and speaks to the PCI function, against the arrows of
docs/architecture.md.

usage: check.py ROOT [--self-test]
"""
import os
import re
import sys

#: room -> rooms it may use directly; arrows are transitive, base and gen serve everybody
ARROWS = {
    "base": [], "gen": [], "num": [], "mem": [],
    "act": ["num"],
    "isa": ["num"],
    "notific": ["mem"],
    "dma": ["isa", "notific", "mem"],
    "engine": ["act", "isa", "num", "mem"],
    "seq": ["engine", "dma", "isa", "notific", "mem"],
    "device": ["seq", "engine", "dma", "notific", "mem", "trace"],
    "pci": ["device"],
    "trace": ["isa", "mem"],
    "hal": [],
    "fw": ["isa"],
    "manual": ["isa"],
    "cli": [],
}
#: public headers a room may include besides its own and base's
PUBLIC = {"hal": {"bus", "hal"}, "cli": None}  # None: every public header
GENERATED = {"act_pack.h": "act", "act_rows.h": "act", "isa_fields.h": "isa", "isa_ids.h": "isa",
             "record_pack.h": "gen", "timing_ids.h": "gen"}
#: directories outside of src/ -> what they may include of this project
OUTSIDE = {"contrib/qemu": {"trench/pci.h"}, "examples/pci": {"trench/pci.h"}, "fuzz/pci": {"trench/pci.h"},
           "tests/pci": {"trench/pci.h", "trench/device.h"}, "tests/vm": set()}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
#: which room stands behind a public header of another name
PUBLIC_ROOM = {"choices": "gen", "choice_ids": "gen", "gen_fields": "gen", "enums": "isa",
               "bus": "base", "npy": "base", "base": "base", "map": "gen", "ucode": "hal",
               "notify": "gen", "record_ids": "gen", "drain": "hal", "udma_ids": "gen",
               "udma": "hal", "dge": "dma", "act_fields": "act", "fw_code": "fw", "fw_data": "fw",
               "vector": "engine", "cptc": "num"}


def reachable(room):
    seen, todo = {"base", "gen"}, [room]
    while todo:
        current = todo.pop()
        if current not in seen or current == room:
            seen.add(current)
            todo.extend(ARROWS[current])
    return seen


def owner(include):
    """Room that owns an include line's target; None for the system's."""
    if include in GENERATED:
        return GENERATED[include]
    head, _, rest = include.partition("/")
    if head == "trench":
        name = rest.removesuffix(".h")
        return PUBLIC_ROOM.get(name, name)
    return head if head in ARROWS else None


def check_line(room, include):
    """Why the include breaks the architecture, or None."""
    target = owner(include)
    if target is None or target == room:
        return None
    if room == "cli":
        public = include.startswith("trench/")
        return None if public else "the command line uses include/trench only"
    if include == "trench/trench.h":
        return "rooms include the headers they need, not trench.h"
    if target not in ARROWS:
        return f"unknown room '{target}'"
    if target not in reachable(room):
        allowed = ", ".join(sorted(reachable(room) - {room}))
        return f"{room} may use {allowed}"
    return None


def check_outside(place, include):
    """Why an include of a file in such a directory breaks the architecture, or None."""
    if owner(include) is None or include in OUTSIDE[place]:
        return None
    return "it may use " + (", ".join(sorted(OUTSIDE[place])) or "nothing of the library")


def sources(root, place="src"):
    for directory, _, files in os.walk(os.path.join(root, place)):
        for name in sorted(files):
            if name.endswith((".c", ".h", ".def")):
                yield os.path.join(directory, name)


def includes(path):
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match[1]


def check_places(root):
    for place in OUTSIDE:
        for path in sources(root, place):
            for number, include in includes(path):
                why = check_outside(place, include)
                if why:
                    yield f"{os.path.relpath(path, root)}:{number}: {place} includes {include}: {why}"


def check_tree(root):
    problems = list(check_places(root))
    for path in sources(root):
        relative = os.path.relpath(path, root)
        room = relative.split(os.sep)[1]
        if room not in ARROWS:
            problems.append(f"{relative}: room '{room}' is not in docs/architecture.md")
            continue
        for number, include in includes(path):
            why = check_line(room, include)
            if why:
                problems.append(f"{relative}:{number}: {room} includes {include}: {why}")
    return problems


def self_test():
    """Lines that must be refused, lines that must pass: a check that cannot fail is no check."""
    refused = [("num", "mem/mem.h"), ("mem", "engine/exec.h"), ("hal", "trench/device.h"),
               ("hal", "mem/mem.h"), ("cli", "isa/tables.h"), ("fw", "mem/mem.h"),
               ("engine", "seq/seq.h"), ("isa", "mem/mem.h"), ("notific", "isa/tables.h"),
               ("gen", "isa_ids.h"), ("seq", "trench/device.h"), ("device", "pci/pci.h"),
               ("pci", "trench/hal.h")]
    passed = [("num", "base/bytes.h"), ("engine", "isa_fields.h"), ("seq", "num/num_rows.h"),
              ("device", "trench/isa.h"), ("pci", "device/core.h"), ("hal", "trench/bus.h"),
              ("cli", "trench/device.h"),
              ("cli", "cli/cli.h"), ("mem", "trench/gen.h"), ("base", "stdio.h")]
    bad = [f"{room} <- {inc} was not refused" for room, inc in refused if not check_line(room, inc)]
    bad += [f"{room} <- {inc} was refused" for room, inc in passed if check_line(room, inc)]
    bad += [f"{place} <- {inc} was not refused"
            for place, inc in (("contrib/qemu", "trench/device.h"), ("contrib/qemu", "pci/pci.h"),
                               ("tests/vm", "trench/pci.h"), ("tests/pci", "device/core.h"))
            if not check_outside(place, inc)]
    bad += [f"{place} <- {inc} was refused"
            for place, inc in (("contrib/qemu", "trench/pci.h"), ("contrib/qemu", "hw/pci/pci.h"),
                               ("tests/vm", "guest.h")) if check_outside(place, inc)]
    return bad


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    problems = self_test() if "--self-test" in sys.argv else check_tree(sys.argv[1])
    for problem in problems:
        print(problem)
    print(f"architecture: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
