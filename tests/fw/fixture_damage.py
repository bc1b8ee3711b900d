# SPDX-License-Identifier: Apache-2.0
"""Containers that are wrong in one way each. A recipe is a name, what is wrong, and a file made from a
good one; the tool must answer each with one message and exit status 2 (or, where the container can
still be read, name the image that is wrong and go on)."""
import struct


def words(image, at, form, *values):
    struct.pack_into(form, image, at, *values)
    return image


def load_segments(image):
    """Offsets of the PT_LOAD headers of an ELF64 file."""
    at, = struct.unpack_from("<Q", image, 32)
    count, = struct.unpack_from("<H", image, 56)
    return [at + 56 * i for i in range(count) if struct.unpack_from("<I", image, at + 56 * i)[0] == 1]


def stub_at(image):
    """File offset of the first getter stub."""
    at = image.index(bytes.fromhex("48890748c706")) - 7
    return at


def shared(good):
    """name -> (what is wrong, bytes) of damaged shared objects."""
    stub, segment = stub_at(good), load_segments(good)
    table_at, = struct.unpack_from("<Q", good, 40)
    size = len(good)
    text, data = segment[1], segment[0]
    out = {}

    def made(name, what, change):
        image = bytearray(good)
        out[name] = (what, bytes(change(image)))

    made("cut_header", "40 bytes of an ELF header", lambda i: i[:40])
    made("cut_half", "the second half is missing", lambda i: i[:size // 2])
    made("cut_sections", "the section table is cut in half", lambda i: i[:table_at + 64 * 3 + 20])
    made("big_endian", "EI_DATA says big-endian", lambda i: words(i, 5, "B", 2))
    made("sections_past_end", "e_shoff lies behind the file", lambda i: words(i, 40, "<Q", size + 0x1000))
    made("sections_overflow", "e_shoff + size wraps", lambda i: words(i, 40, "<Q", 2 ** 64 - 64))
    made("many_sections", "e_shnum is 65535", lambda i: words(i, 60, "<H", 0xFFFF))
    made("many_segments", "e_phnum is 65534", lambda i: words(i, 56, "<H", 0xFFFE))
    made("segments_overlap", "two segments map one address", lambda i: words(i, text + 16, "<Q", 0x100))
    made("segment_past_end", "p_filesz reaches past the file", lambda i: words(i, data + 32, "<QQ", size * 2, size * 2))
    made("segment_wraps", "p_vaddr + p_memsz wraps", lambda i: words(i, text + 40, "<Q", 2 ** 64 - 1))
    made("getter_outside", "a getter points outside every segment", lambda i: words(i, stub + 3, "<i", 0x7FFF0000))
    made("getter_too_long", "a blob is longer than its segment", lambda i: words(i, stub + 13, "<I", 0x7FFFFFFF))
    made("getter_negative", "a size is negative", lambda i: words(i, stub + 13, "<I", 0x80000000))
    made("getter_self", "a getter returns itself", lambda i: words(i, stub + 3, "<i", -7))
    made("getter_other", "a stub is no getter", lambda i: words(i, stub + 7, "B", 0x90))
    made("names_past_end", "symbol names lie behind their table", lambda i: symbol_names(i, 0x7FFFFFFF))
    return out


def symbol_names(image, value):
    """Spoil the name of every symbol."""
    table_at, = struct.unpack_from("<Q", image, 40)
    count, = struct.unpack_from("<H", image, 60)
    for i in range(count):
        kind, = struct.unpack_from("<I", image, table_at + 64 * i + 4)
        if kind == 2:
            at, size = struct.unpack_from("<QQ", image, table_at + 64 * i + 24)
            for symbol in range(at, at + size, 24):
                struct.pack_into("<I", image, symbol, value)
    return image


def ar_member(name, body, size=None):
    size = len(body) if size is None else size
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode("ascii")
    return head + body + b"\n" * (len(body) % 2)


def archives(good, member):
    """name -> (what is wrong, bytes) of damaged archives. `member` is one object file."""
    first = good.index(b"`\n") + 2 - 60
    magic = b"!<arch>\n"
    out = {
        "ar_cut": ("the last member is cut", good[:-100]),
        "ar_cut_header": ("a member's header is cut", good[:first + 30]),
        "ar_size": ("a size is no number", good[:first + 48] + b"12x4      " + good[first + 58:]),
        "ar_huge": ("a size reaches past the file", good[:first + 48] + b"9999999999" + good[first + 58:]),
        "ar_end": ("a header does not end in `\\n", good[:first + 58] + b"??" + good[first + 60:]),
        "ar_no_names": ("/N refers to a table that is not there", magic + ar_member("/0", member)),
        "ar_name_past": ("/N lies behind the name table", magic + ar_member("//", b"a.o/\n") + ar_member("/4000", member)),
        "ar_bsd_long": ("a BSD name is longer than its member", magic + ar_member("#1/9000", b"x" * 8)),
        "ar_self": ("an archive is a member of itself", magic + ar_member("self.a/", good[:256])),
        "ar_dotdot": ("a member's name leaves the directory", magic + ar_member("//", b"../../escape.o/\n")
                      + ar_member("/0", member)),
        "ar_absolute": ("a member's name is an absolute path", magic + ar_member("//", b"/tmp/fixture-escape.o/\n")
                        + ar_member("/0", member)),
        "ar_bsd_dotdot": ("a BSD name leaves the directory", magic + ar_member("#1/12", b"../escape.o\0" + member)),
        "ar_twice": ("two members have one name", magic + ar_member("same.o/", member) + ar_member("same.o/", member)),
    }
    return out


def kernel_objects(good, at, count):
    """name -> (what is wrong, bytes) of kernel tables in an EXTISA object; the table lies at `at`."""
    def entry(index, offset, data):
        image = bytearray(good)
        where = at + 8 * index + offset
        image[where:where + len(data)] = data
        return bytes(image)

    return {
        "kit_reserved": ("byte 0 of an entry is not zero", entry(3, 0, b"\x01")),
        "kit_outside": ("a function lies outside .text", entry(2, 4, struct.pack("<I", 0x05000000))),
        "kit_no_entry": ("a function does not start with entry", entry(1, 4, struct.pack("<I", 0x01000084))),
        "kit_twice": ("a key occurs twice", entry(count - 1, 0, good[at:at + 4])),
        "kit_cut": ("the object is cut inside the table", good[:at + 12]),
    }


def prof(cam, table):
    """name -> (what is wrong, CAM, TABLE)."""
    def changed(image, at, value):
        return image[:at] + struct.pack("<I", value) + image[at + 4:]

    armed = next(i for i in range(64) if cam[16 * i:16 * i + 16] == bytes(16))
    return {
        "cam_short": ("the CAM is 16 bytes short", cam[:-16], table),
        "table_short": ("the TABLE is 128 bytes short", cam, table[:-128]),
        "cam_mask": ("a mask of 0x7f", changed(cam, 16 * 2 + 4, 0x7F), table),
        "cam_enable": ("enable is 2", changed(cam, 16 * 3 + 8, 2), table),
        "cam_reserved": ("the reserved word is not zero", changed(cam, 16 * 1 + 12, 9), table),
        "cam_gap": ("an empty slot between armed ones", cam[:32] + bytes(16) + cam[48:], table),
        "cam_no_wildcard": ("the last armed slot is no wildcard", changed(cam, 16 * (armed - 1), 0x77), table),
        "table_missing": ("an armed slot without a record", cam, table[:128] + bytes(128) + table[256:]),
        "table_more": ("a record without an armed slot", cam, changed(table, 128 * (armed + 1), 0x300)),
        "table_tail": ("a byte at or above 0x18 of a record", cam, changed(table, 128 * 2 + 0x20, 1)),
    }
