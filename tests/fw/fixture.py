#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the containers that the tests of `trench fw` read.

The vendor's containers are not part of the project; these have the documented structure
(docs/hardware/firmware-images.md) and nothing of their content. Standard library, gcc, as, ld, ar,
objcopy, nm and readelf alone; no code is shared with the tool. Same arguments, same bytes.

    fixture.py OUT [--repository DIR] [--sizes real|reduced] [--scale N] [--only NAME,...]

writes into OUT: internal.so (386 getters), stripped.so, runtime.so (endbr64, stripped, EXTISA objects),
sunda.so (SUNDA alone), archive.a, thin.a with members/, bsd.a, flat/NAME.bin, damaged/, and recipe.json with what
is true of each. --only picks from: internal, runtime, sunda, archive, flat, damaged.
"""
import argparse
import json
import shutil
from pathlib import Path

import fixture_container as container
import fixture_damage as damage
import fixture_images as images

PARTS = ("internal", "runtime", "sunda", "archive", "flat", "damaged")
# Base images of the runtime container, by generation, in front of its libraries.
RUNTIME_ORDER = ("MARIANA", "MARIANA_PLUS", "CAYMAN", "SUNDA")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--repository", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--sizes", choices=("real", "reduced"), default="reduced")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--only", default=",".join(PARTS))
    return parser.parse_args()


def entry(row):
    return dict(row.recipe(), offset=getattr(row, "offset", 0))


def internal(args, builder, rows, recipe):
    path = container.shared_object(rows, args.out / "internal.so", args.out / "work")
    shutil.copy(path, args.out / "stripped.so")
    container.command("strip", args.out / "stripped.so")
    recipe["internal"] = [entry(row) for row in rows]


def runtime(args, builder, rows, recipe):
    """Libraries 3, 2, 1, 0 of each generation, each behind its JSON (13.1); base images between them."""
    libraries = {row.name: row for row in rows + [builder.fill(row) for row in images.sunda_library_rows()]}
    order = []
    for gen in RUNTIME_ORDER:
        order += [row for row in rows if row.gen == gen and row.engine == "SP" and row.flavor in ("PERF", "RELEASE")]
        flavor = "RELEASE" if gen == "SUNDA" else "PERF"
        for number in (0,) if gen == "SUNDA" else (3, 2, 1, 0):
            lead = f"{gen}_Q7_POOL_{flavor}_EXTISA_{number}_"
            order += [libraries[lead + "JSON"], libraries[lead + "SO"]]
    copies = []
    for row in order:
        copy = images.Row(row.gen, row.core, row.engine, row.flavor, row.region, len(row.bytes))
        copy.bytes, copy.facts = row.bytes, row.facts
        copies.append(copy)
    path = container.shared_object(copies, args.out / "runtime.so", args.out / "work-runtime", endbr=True,
                                   first=0x14020, text_at=0x400000)
    container.command("strip", path)
    recipe["runtime"] = [entry(row) for row in copies]


def sunda(args, builder, rows, recipe):
    copies = []
    for row in rows:
        if row.gen == "SUNDA":
            copy = images.Row(row.gen, row.core, row.engine, row.flavor, row.region, len(row.bytes))
            copy.bytes, copy.facts = row.bytes, row.facts
            copies.append(copy)
    container.shared_object(copies, args.out / "sunda.so", args.out / "work-sunda", text_at=0x60000)
    recipe["sunda"] = [entry(row) for row in copies]


def archive_rows(builder, rows):
    """Members by generation: the getters' images, then what no getter surfaces."""
    more = [builder.fill(row) for row in list(images.sunda_debug_rows()) + list(images.unlisted_rows())]
    out = []
    for gen in ("SUNDA",) + images.LATER:
        out += [row for row in rows if row.gen == gen] + [row for row in more if row.gen == gen]
    return out


def archive(args, builder, rows, recipe):
    members = archive_rows(builder, rows)
    directory = args.out / "members"
    names = container.members(members, directory, args.out / "work")
    container.archive(names, directory, args.out / "archive.a")
    # A thin archive names its members by their place beside it.
    container.archive([f"members/{name}" for name in names], args.out, args.out / "thin.a", is_thin=True)
    container.bsd_archive(names, directory, args.out / "bsd.a")
    recipe["archive"] = [dict(entry(row), member=container.member_name(row)) for row in members]
    recipe["framework"] = [f"{part}.c.o" for part in container.FRAMEWORK]


def flat(args, builder, rows, recipe):
    directory = args.out / "flat"
    directory.mkdir(exist_ok=True)
    more = [builder.fill(row) for row in list(images.sunda_debug_rows()) + list(images.sunda_library_rows())]
    recipe["flat"] = []
    for row in rows + more:
        if row.bytes:
            (directory / f"{row.name}.bin").write_bytes(row.bytes)
            recipe["flat"].append(row.recipe())


def write_damaged(directory, suffix, made, recipe):
    for name, (what, content) in made.items():
        (directory / f"{name}{suffix}").write_bytes(content)
        recipe["damaged"][f"{name}{suffix}"] = what


def damaged(args, builder, rows, recipe):
    """Made from SUNDA's shared object, a small archive, one kernel library and one PROF pair."""
    directory = args.out / "damaged"
    directory.mkdir(exist_ok=True)
    if not (args.out / "sunda.so").exists():
        sunda(args, builder, rows, {})
    recipe["damaged"] = {}
    write_damaged(directory, ".so", damage.shared((args.out / "sunda.so").read_bytes()), recipe)
    small = [row for row in rows if row.gen == "SUNDA" and row.engine == "ACT"]
    names = container.members(small, args.out / "work-members", args.out / "work")
    path = container.archive(names, args.out / "work-members", args.out / "work" / "small.a")
    body = (args.out / "work-members" / names[0]).read_bytes()
    write_damaged(directory, ".a", damage.archives(path.read_bytes(), body), recipe)
    by_name = {row.name: row for row in rows}
    library = by_name["CAYMAN_Q7_POOL_PERF_EXTISA_0_SO"]
    write_damaged(directory, ".elf", damage.kernel_objects(library.bytes, 0x7400, 17), recipe)
    pair = by_name["MARIANA_NX_PE_PROF_CAM"].bytes, by_name["MARIANA_NX_PE_PROF_TABLE"].bytes
    for name, (what, cam, table) in damage.prof(*pair).items():
        (directory / f"{name}.cam").write_bytes(cam)
        (directory / f"{name}.table").write_bytes(table)
        recipe["damaged"][f"{name}.cam"] = recipe["damaged"][f"{name}.table"] = what


def main():
    args = arguments()
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    builder = images.Builder(args.repository, args.sizes == "reduced", args.scale)
    rows = [builder.fill(row) for row in images.csv_rows(args.repository)]
    recipe = dict(sizes=args.sizes, scale=args.scale)
    parts = dict(internal=internal, runtime=runtime, sunda=sunda, archive=archive, flat=flat, damaged=damaged)
    for name in args.only.split(","):
        parts[name](args, builder, rows, recipe)
    (args.out / "recipe.json").write_text(json.dumps(recipe, indent=1) + "\n")
    for work in args.out.glob("work*"):
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
