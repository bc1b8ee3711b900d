# SPDX-License-Identifier: Apache-2.0
"""PROF CAM and TABLE pairs, EXTISA objects and JSON sidecars of the fixture.

docs/hardware/firmware-images.md 12 and 13; kernel rows: data/kernel-info.csv.
"""
import csv
import json
import struct

DUMMY_JSON = b'{"dummy_message": "hello world"}'
SUNDA_JSON_OPCODES = (65, 67, 70, 71, 73, 103, 104, 116, 121, 122, 124, 125, 126, 146, 184, 187, 231)
MAGIC = 0x6099CB34


def span(text):
    """"1 a0-ab" to numbers."""
    out = []
    for part in text.split():
        first, _, last = part.partition("-")
        out += range(int(first, 16), int(last or first, 16) + 1)
    return out


CONTROL = "a0 a1 a2 a3 a5 a7-ab b1 b2"
CAYMAN = span("1 6 2 7 3 a0-ab b1 b2 b8 bb bd 21-24 41-4c 4e 51-54 5e 67 68")
MARIANA_ACT = span("21-25 43 44 46 47 77 78 9f " + CONTROL)
MARIANA_PE = span("1 2 3 6 7 9 a 9f a0-a3 a5 a7-ab b1 b2 e4")
MARIANA_DVE = (span(CONTROL) + span("41 4d 51 42 52 83 84 43 93 53 45 46 47 48 49 4e 5e 64 8e 65 6a 6b 70 71 72 77 78 "
                                    "e0 e1 e2") + [(0xE3, 0x1FF), (0x1E3, 0x1FF), 0x98, 0x30, 0x9F])
MAVERICK_PE = [op for op in MARIANA_PE if op not in (3, 6, 7)]
MAVERICK_DVE = ([op for op in MARIANA_DVE if op not in (0x64, 0x70, 0x71, (0xE3, 0x1FF), (0x1E3, 0x1FF))] + [0xE3]
                + span("23 25 58 61 62 6c 6d 6e 6f 99"))
ARMED = {("CAYMAN", engine): CAYMAN for engine in ("ACT", "DVE", "PE", "POOL")}
ARMED.update({("MARIANA", "ACT"): MARIANA_ACT, ("MARIANA", "PE"): MARIANA_PE, ("MARIANA", "DVE"): MARIANA_DVE,
              ("MARIANA", "POOL"): [], ("MAVERICK", "PE"): MAVERICK_PE, ("MAVERICK", "DVE"): MAVERICK_DVE,
              ("MAVERICK", "POOL"): []})
ARMED.update({("MARIANA_PLUS", engine): ops for (gen, engine), ops in list(ARMED.items()) if gen == "MARIANA"})
# Armed slots with the wildcard (12.2), written down apart from the lists above.
ARMED_COUNT = {("CAYMAN", "ACT"): 47, ("MARIANA", "ACT"): 25, ("MARIANA", "DVE"): 48, ("MARIANA", "PE"): 22,
               ("MARIANA", "POOL"): 1, ("MAVERICK", "DVE"): 54, ("MAVERICK", "PE"): 19, ("MAVERICK", "POOL"): 1}
NONZERO_WORDS = {("CAYMAN", "ACT"): 150, ("MARIANA", "ACT"): 68, ("MARIANA", "PE"): 59}
CAYMAN_RECORD = bytes.fromhex("01020000100000266061636f66676c6d6200000000100000")


def armed(gen, engine):
    ops = [op if isinstance(op, tuple) else (op, 0xFF) for op in ARMED[gen, engine]]
    family = "MARIANA" if gen == "MARIANA_PLUS" else gen
    want = ARMED_COUNT[family, "ACT" if gen == "CAYMAN" else engine]
    if len(ops) + 1 != want:
        raise ValueError(f"{gen} {engine}: {len(ops) + 1} armed slots, the sheet has {want}")
    return ops + [(0, 0)]


def cam(gen, engine):
    out = b"".join(struct.pack("<4I", opcode, mask, 1, 0) for opcode, mask in armed(gen, engine))
    return out.ljust(0x400, b"\0")


def table(gen, engine):
    """One record an armed slot: full ones first, then records with the class word alone."""
    count = len(armed(gen, engine))
    family = "MARIANA" if gen == "MARIANA_PLUS" else gen
    words = NONZERO_WORDS.get((family, "ACT" if gen == "CAYMAN" else engine), 2 * count)
    class_word = 0x1000 if gen == "CAYMAN" else 0x300
    # Words 0 and 1 (cfg), 2 to 4 (descriptor), 5 (class). `spare` words go to the first records.
    spare, out = words - count, b""
    for _ in range(count):
        more = min(5, spare)
        spare -= more
        lead = struct.unpack("<5I", CAYMAN_RECORD[:20])
        record = [lead[i] if i < more else 0 for i in range(5)] + [class_word]
        if more == 5:
            record[4] = 0x62
        out += struct.pack("<6I", *record).ljust(128, b"\0")
    return out.ljust(0x2000, b"\0")


def kernels(path):
    """(generation, library) -> [(opcode, spec, func_va or None)], from data/kernel-info.csv."""
    out = {}
    with open(path, newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            out.setdefault((row["generation"], int(row["library"][-1])), []).append(
                (int(row["opcode"], 16), int(row["spec"]), int(row["func_va"], 16) if row["func_va"] else None))
    return out


# Address and file offset of the kernel table, length of .text, entry point: firmware-images.md 13.1 and 13.2.
# What no sheet gives (offsets of the small libraries, .text of EXTISA_1..3) is chosen to fit.
SHAPE = {
    ("SUNDA", 0): dict(table=0x02000760, at=0xB260, text=0xA9BE, entry=0x010000C8, sections=17, data=0x02000080),
    ("CAYMAN", 0): dict(table=0x02000380, at=0x7400, text=0x6F1E, entry=0x01005610, sections=35, data=0x02000240),
    ("CAYMAN", 1): dict(table=0x02000048, at=0x600, text=0x440, entry=0x01000410, sections=12, data=0x02000040),
    ("CAYMAN", 2): dict(table=0x02000070, at=0xA00, text=0x850, entry=0x01000828, sections=12, data=0x02000040),
    ("CAYMAN", 3): dict(table=0x020008C8, at=0x4748, text=0x3D40, entry=0x01003C74, sections=20, data=0x02000240),
    ("MARIANA", 0): dict(table=0x02000380, at=0x7400, text=0x6F66, entry=0x01005658, sections=35, data=0x02000240),
    ("MARIANA", 1): dict(table=0x02000048, at=0x600, text=0x440, entry=0x01000410, sections=12, data=0x02000040),
    ("MARIANA", 2): dict(table=0x02000070, at=0xA00, text=0x850, entry=0x01000828, sections=12, data=0x02000040),
    ("MARIANA", 3): dict(table=0x020008C8, at=0x4748, text=0x3D40, entry=0x01003C88, sections=20, data=0x02000240),
    ("MAVERICK", 0): dict(table=0x7038, at=0x7038, text=0x5E00, entry=0x594C, sections=10, data=0x7000),
    ("MAVERICK", 1): dict(table=0x700, at=0x700, text=0x400, entry=0x39C, sections=10, data=0x6C0),
    ("MAVERICK", 2): dict(table=0xC00, at=0xC00, text=0x940, entry=0x900, sections=10, data=0xBC0),
    ("MAVERICK", 3): dict(table=0x4800, at=0x4800, text=0x4000, entry=0x3CCC, sections=10, data=0x47C0),
}
# .rela.got entries of 12 bytes (13.2); the small libraries hold only what relocates their table.
GOT = {("SUNDA", 0): 445, ("CAYMAN", 0): 240, ("MARIANA", 0): 240}
CONV_LUT = bytes.fromhex("36410 08f422003".replace(" ", ""))
ENTRY_32, ENTRY_48, RETW_N = bytes.fromhex("364100"), bytes.fromhex("366100"), bytes.fromhex("1df0")


def functions(gen, library, rows, text_va, text_size):
    """The rows with an address each: the sheet's where it has one, else between its neighbours."""
    out, last = [], text_va + 0x80
    for opcode, spec, va in rows:
        if va is None:
            va = last + 0x40
        out.append((opcode, spec, va))
        last = va
    if max(va for _, _, va in out) + 8 > text_va + text_size:
        raise ValueError(f"{gen} EXTISA_{library}: a kernel lies behind .text")
    return out


def text_section(gen, library, rows, text_va, size):
    text = bytearray(bytes.fromhex("3df0") * (size // 2 + 1))[:size]
    for opcode, spec, va in rows:
        at = va - text_va
        text[at:at + 3] = ENTRY_48 if (gen, library, opcode, spec) == ("CAYMAN", 0, 0xF0, 4) else ENTRY_32
        text[at + 3:at + 5] = RETW_N
        if opcode == 0xE4:
            text[at:at + len(CONV_LUT)] = CONV_LUT
            text[at + 0x130:at + 0x132] = text[at + 0x142:at + 0x144] = RETW_N
    return bytes(text)


def globstruct():
    words = [0] * 18
    words[0] = MAGIC
    words[6:10], words[10:14], words[16:18] = [0x1000] * 4, [0xFFFFFF00] * 4, [0xFFFFFFFF] * 2
    return struct.pack("<18I", *words)


class Names:
    """A string table."""

    def __init__(self):
        self.bytes = b"\0"

    def add(self, text):
        self.bytes += text.encode("ascii") + b"\0"
        return len(self.bytes) - len(text) - 1


def section(names, name, kind, flags, va, at, size, link=0, info=0, align=4, entsize=0):
    return struct.pack("<10I", names.add(name) if name else 0, kind, flags, va, at, size, link, info, align, entsize)


def extisa(gen, library, rows, size, damage=None):
    """An ELF32 object for Xtensa of exactly `size` bytes with its kernel table; also the table's rows."""
    shape = SHAPE[gen, library]
    is_dyn = gen == "MAVERICK"
    text_va = 0 if is_dyn else 0x01000000
    rows = functions(gen, library, rows, text_va, shape["text"])
    image = bytearray(size)
    header_at = size - 0x28 * shape["sections"]
    image[0x100:0x100 + shape["text"]] = text_section(gen, library, rows, text_va, shape["text"])
    kit = b"".join(struct.pack("<BBBBI", 0, 0, spec, opcode, va) for opcode, spec, va in rows)
    at = shape["at"]
    if at < 0x100 + shape["text"]:
        raise ValueError(f"{gen} EXTISA_{library}: the kernel table lies inside .text")
    image[at:at + len(kit)] = kit
    glob = globstruct() if gen != "SUNDA" else b""
    image[at + len(kit):at + len(kit) + len(glob)] = glob
    end = at + len(kit) + len(glob)
    names = Names()
    got = GOT.get((gen, library), len(rows))
    data_at = at - (shape["table"] - shape["data"])
    heads = [bytes(40), section(names, ".text", 1, 6, text_va, 0x100, shape["text"])]
    heads.append(section(names, ".data", 1, 3, shape["data"], data_at, shape["table"] - shape["data"]
                         + (len(kit) if gen == "SUNDA" else 0)))
    if gen not in ("SUNDA", "MAVERICK"):
        heads.append(section(names, "kernel_info_table", 1, 3, shape["table"], at, len(kit), align=8, entsize=8))
        heads.append(section(names, ".globstruct", 1, 3, shape["table"] + len(kit), at + len(kit), len(glob)))
    if is_dyn:
        heads.append(section(names, ".blob", 1, 3, shape["table"], at, len(kit) + len(glob)))
    rela = b"".join(struct.pack("<IIi", shape["table"] + 8 * i + 4 if i < len(rows) else shape["data"], 5, 0)
                    for i in range(got))
    rela_at = (end + 3) & ~3
    if rela_at + len(rela) > header_at - 0x400 and got > len(rows):
        raise ValueError(f"{gen} EXTISA_{library}: relocations find no room")
    image[rela_at:rela_at + len(rela)] = rela
    heads.append(section(names, ".rela.got", 4, 2, 0x03000000, rela_at, len(rela), entsize=12))
    end = rela_at + len(rela)
    if gen == "SUNDA":  # the table is a symbol here
        strings, tab = Names(), bytes(16)
        tab += struct.pack("<IIIBBH", strings.add("kernel_info_table"), shape["table"], len(kit), 0x11, 0, 2)
        heads.append(section(names, ".symtab", 2, 0, 0, end, len(tab), link=len(heads) + 1, info=1, entsize=16))
        image[end:end + len(tab)] = tab
        end += len(tab)
        heads.append(section(names, ".strtab", 3, 0, 0, end, len(strings.bytes), align=1))
        image[end:end + len(strings.bytes)] = strings.bytes
        end += len(strings.bytes)
    if not is_dyn:
        heads.append(section(names, ".xt.prop._Z18pool_conv_lut_loadv" if library == 3 else ".xt.prop._Z9pool_iotav",
                             1, 0, 0, end, 0))
    while len(heads) < shape["sections"] - 1:
        heads.append(section(names, "", 1, 0, 0, end, 0, align=1))
    index = len(heads)
    names_at = end
    head = section(names, ".shstrtab", 3, 0, 0, names_at, 0, align=1)
    heads.append(head[:20] + struct.pack("<I", len(names.bytes)) + head[24:])
    if names_at + len(names.bytes) > header_at:
        raise ValueError(f"{gen} EXTISA_{library}: section names find no room")
    image[names_at:names_at + len(names.bytes)] = names.bytes
    image[header_at:] = b"".join(heads)
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    image[0:52] = struct.pack("<16sHHIIIIIHHHHHH", ident, 3 if is_dyn else 2, 94, 1, shape["entry"], 52, header_at,
                              0x300, 52, 32, 2, 40, shape["sections"], index)
    loads = ((text_va, 0x100, shape["text"], 5), (shape["data"], data_at, at + len(kit) + len(glob) - data_at, 6))
    image[52:116] = b"".join(struct.pack("<8I", 1, off, va, va, n, n, flags, 4) for va, off, n, flags in loads)
    return bytes(image), rows


def sunda_json(size):
    body = {"library": "all.stripped.so", "ulib_to_ucode_version": "1.21.1.0",
            "functions": [{"name": f"synthetic_{op:02x}", "opcode": op} for op in SUNDA_JSON_OPCODES]}
    text = json.dumps(body)
    return (text[:-1] + " " * (size - len(text)) + "}").encode("ascii")
