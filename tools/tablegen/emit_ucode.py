# SPDX-License-Identifier: Apache-2.0
"""Default microcode images: small stand-ins that hold what the sheets document and nothing else.

docs/hardware/firmware-images.md 6 (reset heads, data header) and 12 (PROF CAM and TABLE). A byte that
no sheet fixes is zero or belongs to the marker SYNTHETIC, so no image can be mistaken for a shipped one.
"""
import re
import struct

from cgen import Writer
from model import ENGINES, GENERATIONS, fail, number, read_csv

# The host claims a loaded image by its first data word (firmware-images.md 6.2, 6.3).
DATA_MAGIC = 0x6099CB34
# Initial data words, by byte offset: four of each (firmware-images.md 6.2).
INIT_WORDS, NX_INIT_WORDS = (0x18, 0x00001000), (0x28, 0x00FFFFFF)
MARKER_IN_CODE, MARKER_IN_DATA, DATA_BYTES = 0x10, 0x40, 0x80
HALT = bytes.fromhex("005200")  # halt 0 (xtensa-subset.md 3)
CAM_SLOTS, CAM_BYTES, TABLE_RECORD, CLASS_WORD_AT = 64, 0x400, 128, 0x14  # firmware-images.md 12.1

# Rows of trn_ucode_core and trn_ucode_region (include/trench/ucode.h).
CORES = ENGINES + ("TOPSP", "CCE")
REGIONS = ("seq_iram", "seq_dram", "q7_iram", "q7_dram", "decode_profile", "decode_cam")
# Core types that run another one's image (generations.md 2); a cluster core has no sequencer.
SHARED = {"TOPSP": ("SP", ("seq_iram", "seq_dram")), "CCE": ("POOL", ("q7_iram", "q7_dram"))}


def jump(at, target):
    """`j`: target = at + 4 + offset18 (xtensa-subset.md 3.1)."""
    return ((((target - at - 4) & 0x3FFFF) << 6) | 0x06).to_bytes(3, "little")


def const16_a0(value):
    """`const16 a0,value`: a0 = a0 << 16 | value (xtensa-subset.md 4)."""
    return bytes([0x04]) + value.to_bytes(2, "little")


def put(image, at, data, where):
    if any(image[at:at + len(data)]) or at + len(data) > len(image):
        fail(where, f"0x{at:x} of a synthetic image is already taken, or outside it")
    image[at:at + len(data)] = data


def code(primary, secondary, enter_run, marker, where):
    """Vectors at 0 and 6; trampoline and halt behind them; the C entry halts (firmware-images.md 6.1;
    what the entry does is our own choice: nothing of the shipped code is in here)."""
    image = bytearray((secondary + len(HALT) + 15) // 16 * 16)
    put(image, 0, jump(0, primary), where)
    put(image, 6, jump(6, secondary), where)
    put(image, MARKER_IN_CODE, marker, where)
    put(image, enter_run, HALT, where)
    put(image, primary, const16_a0(0) + const16_a0(enter_run) + bytes.fromhex("a00000"), where)  # jx a0
    put(image, secondary, HALT, where)
    return bytes(image)


def data(marker, is_nx, where):
    image = bytearray(DATA_BYTES)
    put(image, 0, struct.pack("<I", DATA_MAGIC), where)
    for at, word in (INIT_WORDS, NX_INIT_WORDS) if is_nx else (INIT_WORDS,):
        put(image, at, struct.pack("<4I", *[word] * 4), where)
    put(image, MARKER_IN_DATA, marker, where)
    return bytes(image)


def armed_slots(row):
    """(opcode, mask) of each slot: `a0-ab`, `e3/1ff` (more than eight bits compared), `*` (any)."""
    slots = []
    for item in row["opcodes"].split():
        match = re.fullmatch(r"([0-9a-f]+)(?:-([0-9a-f]+)|/([0-9a-f]+))?", item)
        if item == "*":
            slots.append((0, 0))
        elif not match:
            fail(row["where"], f"'{item}' is not an opcode, a range, an opcode with its mask or *")
        else:
            first, mask = int(match[1], 16), int(match[3] or "ff", 16)
            slots += [(op, mask) for op in range(first, int(match[2] or match[1], 16) + 1)]
    if len(slots) != number(row["armed"], row["where"]):
        fail(row["where"], f"{len(slots)} opcodes are listed, the count of armed slots is {row['armed']}")
    if slots[-1] != (0, 0) or (0, 0) in slots[:-1] or len(set(slots)) != len(slots):
        fail(row["where"], "the wildcard is the last armed slot, and no slot comes twice")
    return slots


def decode_images(row):
    """CAM {opcode, mask, enable, 0} and the TABLE beside it, which keeps the class words alone."""
    slots, word = armed_slots(row), number(row["class_word"], row["where"])
    cam = b"".join(struct.pack("<4I", op, mask, 1, 0) for op, mask in slots)
    table = bytearray(CAM_SLOTS * TABLE_RECORD)
    for slot in range(len(slots)):
        struct.pack_into("<I", table, slot * TABLE_RECORD + CLASS_WORD_AT, word)
    return cam.ljust(CAM_BYTES, b"\0"), bytes(table)


def description(tables, generation):
    rows = {row["field"]: row for row in tables.generations}
    return lambda field: number(rows[field][generation], rows[field]["where"])


def images_of(generation, gen, cam_rows, where):
    """{(core, region): bytes} of one generation; sharing is resolved when the rows are written."""
    images = {}

    def processor(engine, kind, prefix):
        marker = f"SYNTHETIC trench {generation} {engine.lower()} {kind}".encode() + b"\0"
        images[engine, f"{kind}_iram"] = code(gen(f"{prefix}_reset_vector"), gen(f"{prefix}_reset_vector2"),
                                              gen("enter_run"), marker, where)
        images[engine, f"{kind}_dram"] = data(marker, prefix == "nx", where)

    for engine in ENGINES:
        processor(engine, "seq", "nx")
    processor("POOL", "q7", "q7")
    for row in cam_rows:
        if generation in row["gens"].split("|"):
            if not gen("has_hw_decode"):
                fail(row["where"], f"{generation} has no hardware decode")
            for engine in row["engines"].split("|"):
                images[engine, "decode_cam"], images[engine, "decode_profile"] = decode_images(row)
    return images


def check_rows(rows):
    for row in rows:
        for column, known in (("gens", GENERATIONS), ("engines", ENGINES)):
            for name in row[column].split("|"):
                if name not in known:
                    fail(row["where"], f"{column}: '{name}' is not one of {', '.join(known)}")


def write_array(write, name, image):
    write(f"static const uint8_t {name}[{len(image)}] = {{")
    for at in range(0, len(image), 16):
        line = image[at:at + 16].rstrip(b"\0")  # C fills the rest with zeroes
        if line:
            write(f"    [0x{at:X}] = " + " ".join(f"0x{byte:02X}," for byte in line))
    write("};")


def slots_of(generation, gen, images, names):
    """Initialisers of one generation's [core][region]; an absent slot stays NULL with size 0."""
    for core in CORES:
        owner, regions = SHARED.get(core, (core, REGIONS))
        if core == "CCE" and not gen("q7_cluster_cores"):
            continue
        for region in regions:
            if (owner, region) in images:
                image = images[owner, region]
                yield (f"    [{GENERATIONS.index(generation)}][{CORES.index(core)}]"
                       f"[{REGIONS.index(region)}] = {{{names[image]}, {len(image)}}},")


def emit(tables, out):
    cam_rows = list(read_csv(tables.directory, "decode-cam.csv"))
    check_rows(cam_rows)
    write, names, slots = Writer('"hal/ucode.h"'), {}, []
    for generation in GENERATIONS:
        gen = description(tables, generation)
        if not gen("hal_arch"):
            continue  # no host loads anything
        images = images_of(generation, gen, cam_rows, tables.generations[0]["where"])
        for (core, region), image in images.items():
            if image not in names:
                names[image] = f"{generation}_{core.lower()}_{region}"
                write_array(write, names[image], image)
        slots += slots_of(generation, gen, images, names)
    write(f"_Static_assert(TRN_UCODE_CORES == {len(CORES)} && TRN_UCODE_REGIONS == {len(REGIONS)}, "
          '"rows of emit_ucode.py");')
    write("const struct trn_ucode_image"
          " trn_ucode_images[TRN_GEN_COUNT][TRN_UCODE_CORES][TRN_UCODE_REGIONS] = {")
    for line in slots:
        write(line)
    write("};")
    write.save(f"{out}/src/ucode_images.c")
