#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A shared object and an archive with the same images, about 117 MB each: every image of
data/firmware-images.csv at its real size, COPIES times over, with seeded noise behind its first bytes.

usage: pair.py TABLE OUT [COPIES]     writes OUT/pair.so and OUT/pair.a"""
import csv
import random
import struct
import sys
from pathlib import Path

STUB = "488d05{} 488907 48c706{} c3"
PAGE, STRIDE = 0x1000, 0x20
PROGBITS, SYMTAB, STRTAB, ALLOC, EXEC = 1, 2, 3, 2, 4
FIRST = {"IRAM": bytes.fromhex("067600000000867700000000"), "DRAM": bytes.fromhex("34cb9960"),
         "EXTRAM": bytes.fromhex("366100")}


def strings(names):
    """A string table and the place of each name in it."""
    table, places = b"\0", []
    for name in names:
        places.append(len(table))
        table += name.encode() + b"\0"
    return table, places


def elf(kind, sections, segments=()):
    """ELF64 for x86-64: sections are (name, type, flags, address, offset, bytes or size, link, entry size); those
    with bytes are laid behind what comes first."""
    names, places = strings([s[0] for s in sections] + [".shstrtab"])
    sections = list(sections) + [(".shstrtab", STRTAB, 0, 0, None, names, 0, 0)]
    body, headers = bytearray(64 + 56 * len(segments)), [bytes(64)]
    for (_, sort, flags, address, offset, content, link, each), place in zip(sections, places):
        if offset is None:
            body += bytes(-len(body) % 8)
            offset = len(body)
        else:
            body += bytes(offset - len(body))
        body += content
        headers.append(struct.pack("<IIQQQQIIQQ", place, sort, flags, address, offset, len(content), link, 1 if link else
                                   0, 16, each))
    body += bytes(-len(body) % 8)
    table = len(body)
    body += b"".join(headers)
    body[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", kind, 62, 1, 0, 64 if segments else 0, table, 0, 64,
                            56 if segments else 0, len(segments), 64, len(headers), len(headers) - 1)
    body[64:64 + 56 * len(segments)] = b"".join(struct.pack("<IIQQQQQQ", *s) for s in segments)
    return body


def symbols(entries):
    """(name, section, value, size): .symtab and .strtab; all of them local."""
    table, places = strings(name for name, *_ in entries)
    rows = [bytes(24)] + [struct.pack("<IBBHQQ", place, 2, 0, section, value, size)
                          for place, (_, section, value, size) in zip(places, entries)]
    return b"".join(rows), table


def images(table, copies):
    noise = random.Random(20240501)
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for copy in range(copies):
        for row in rows:
            size = int(row["size"], 16)
            lead = FIRST.get(row["region"], b"")[:size]
            name = row["getter_symbol"].removesuffix("_get")
            yield (name if copy == 0 else f"C{copy:02d}_{name}"), lead + noise.randbytes(size - len(lead))


def shared_object(blobs):
    start = PAGE
    data, places = bytearray(), []
    for _, blob in blobs:
        places.append(start + len(data))
        data += blob
    code_at = (start + len(data) + PAGE - 1) // PAGE * PAGE
    code, entries = bytearray(), []
    for (name, blob), place in zip(blobs, places):
        at = code_at + len(code)
        stub = bytes.fromhex(STUB.format(struct.pack("<i", place - at - 7).hex(), struct.pack("<i", len(blob)).hex()))
        code += stub.ljust(STRIDE, b"\xcc")
        entries += [(name + "_get", 2, at, len(stub)), (name + "_get.data", 1, place, len(blob))]
    table, names = symbols(entries)
    segments = [(1, 4, 0, 0, 0, start + len(data), start + len(data), PAGE),
                (1, 5, code_at, code_at, code_at, len(code), len(code), PAGE)]
    return elf(3, [(".rodata", PROGBITS, ALLOC, start, start, data, 0, 0),
                   (".text", PROGBITS, ALLOC | EXEC, code_at, code_at, code, 0, 0),
                   (".symtab", SYMTAB, 0, 0, None, table, 4, 24), (".strtab", STRTAB, 0, 0, None, names, 0, 0)], segments)


def member(name, blob):
    stub = bytes.fromhex(STUB.format("00000000", struct.pack("<i", len(blob)).hex()))
    table, names = symbols([(name + "_get", 2, 0, len(stub)), (name + "_get.data", 1, 0, len(blob))])
    return elf(1, [(".rodata", PROGBITS, ALLOC, 0, 64, blob, 0, 0), (".text", PROGBITS, ALLOC | EXEC, 0, None, stub, 0, 0),
                   (".symtab", SYMTAB, 0, 0, None, table, 4, 24), (".strtab", STRTAB, 0, 0, None, names, 0, 0)])


def header(name, size):
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{size:<10}`\n".encode()


def archive(blobs, stream):
    names = [("hwdecode_" if "_PROF_" in name else "img_") + name + "_contents.c.o" for name, _ in blobs]
    table, places = b"", []
    for name in names:
        places.append(len(table))
        table += name.encode() + b"/\n"
    table += b"\n" * (len(table) % 2)
    stream.write(b"!<arch>\n" + header("//", len(table)) + table)
    for (name, blob), place in zip(blobs, places):
        content = member(name, blob)
        stream.write(header(f"/{place}", len(content)) + content + b"\n" * (len(content) % 2))


def main():
    out, copies = Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 12
    blobs = list(images(sys.argv[1], copies))
    (out / "pair.so").write_bytes(shared_object(blobs))
    with open(out / "pair.a", "wb") as stream:
        archive(blobs, stream)


if __name__ == "__main__":
    main()
