# SPDX-License-Identifier: Apache-2.0
"""Containers of the fixture, by gcc, as, ld, ar and objcopy: shared objects and archives.

The getter stubs are what gcc makes of a C function; the linker pads them with int3 to their stride
(docs/hardware/firmware-images.md 2.2). Layout of the shared object: 1.1. Archive: 5.
"""
import re
import struct
import subprocess
from pathlib import Path

FRAMEWORK = ["common", "nrtucode"] + [f"nrtucode_{part}" for part in (
    "context", "core", "images", "loadable_library", "opset", "objcount", "platform_memhandle_dummy")] + [
    f"prelink{i}" for i in ("", "_core", "_image", "_library", "_opset")] + ["pi_library_load"]
RESOLVERS = r"""
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
typedef void getter(void **bytes, size_t *size);
struct images { unsigned long flavor; getter *region[4]; };
struct slot { unsigned long count; const struct images *table; };
struct profile { getter *kind[2]; };
"""


def command(*args, cwd=None):
    done = subprocess.run([str(arg) for arg in args], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{args[0]} failed: {done.stderr[-2000:]}")
    return done.stdout


def getter_source(rows, attribute):
    """One C function an image, in the shape of the host library's."""
    out = ["#include <stddef.h>\n"]
    for row in rows:
        out.append(f'extern const char blob_{row.name}[] __asm__("{row.name}_get.data") '
                   '__attribute__((visibility("hidden")));\n'
                   f"{attribute} void {row.name}_get(void **bytes, size_t *size)\n"
                   f"{{\n    *bytes = (void *)blob_{row.name};\n    *size = {len(row.bytes):#x};\n}}\n")
    return "".join(out)


# Instructions in the order of the source, functions apart so that the linker may pad them.
STUB_FLAGS = ("-O1", "-fPIC", "-ffunction-sections", "-falign-functions=32", "-fno-asynchronous-unwind-tables",
              "-fno-schedule-insns2")


def blob_assembly(rows, bytes_path, offsets, visibility):
    out = ['.section .rodata.blobs,"a",@progbits\n']
    for row in rows:
        out.append(f".balign {16 if row.region.endswith('JSON') and row.va else 1}\n{visibility.format(row.name)}"
                   f".type {row.name}_get.data,@object\n{row.name}_get.data:\n")
        if row.bytes:
            out.append(f'.incbin "{bytes_path}",{offsets[row.name]},{len(row.bytes)}\n')
        out.append(f".size {row.name}_get.data, {len(row.bytes)}\n")
    return "".join(out) + '.section .note.GNU-stack,"",@progbits\n'


SLOTS = (  # core type -> engines of a generation (11.1, generations.md 2): ACT DVE POOL PE SP TOPSP Q7 CCE
    ("SUNDA", 0), ("CAYMAN", 7), ("MARIANA", 15), ("MARIANA_PLUS", 23))
ORDER = ("NX_ACT", "NX_DVE", "NX_POOL", "NX_PE", "NX_SP", "NX_SP", "Q7_POOL", "Q7_POOL")
MAVERICK_SLOTS = {31: "NX_DVE", 32: "NX_POOL", 33: "NX_PE", 34: "NX_SP", 35: "NX_SP", 37: "Q7_POOL"}
KEYS = {"RELEASE": 1, "PERF": 1, "DEBUG": 2, "TEST": 3, "DYNAMIC_KERNEL_LOAD_PERF": 17,
        "DYNAMIC_KERNEL_LOAD_DEBUG": 18, "DYNAMIC_KERNEL_LOAD_TEST": 19}


def slot_engines():
    for gen, first in SLOTS:
        for i, engine in enumerate(ORDER[:7] if gen == "SUNDA" else ORDER):
            yield first + i, gen, engine
    for slot, engine in MAVERICK_SLOTS.items():
        yield slot, "MAVERICK", engine


def resolver_source(rows):
    """Tables of the host side (11.1, 11.2) over the getters, and functions that read them."""
    names = {row.name for row in rows}
    body, slots, profiles = [RESOLVERS], ["{0, NULL}"] * 38, ["{{NULL, NULL}}"] * 38
    body += [f"extern getter {name}_get __attribute__((visibility(\"hidden\")));\n" for name in sorted(names)]
    for slot, gen, engine in slot_engines():
        flavors = [f for f in KEYS if f"{gen}_{engine}_{f}_IRAM" in names and (slot % 8 != 6 or "KERNEL" not in f)]
        if flavors:
            body.append(f"struct images images_{slot}[] = {{\n" + "".join(
                f"    {{{KEYS[f]}, {{" + ", ".join(f"{gen}_{engine}_{f}_{region}_get"
                                                   for region in ("IRAM", "DRAM", "SRAM", "EXTRAM")) + "}},\n"
                for f in flavors) + "};\n")
            slots[slot] = f"{{{len(flavors)}, images_{slot}}}"
        if f"{gen}_{engine}_PROF_CAM" in names:
            profiles[slot] = f"{{{{{gen}_{engine}_PROF_CAM_get, {gen}_{engine}_PROF_TABLE_get}}}}"
    body.append("const struct slot slots[38] = {" + ", ".join(slots) + "};\n")
    body.append("const struct profile profiles[38] = {" + ", ".join(profiles) + "};\n")
    body.append("""
__attribute__((visibility("default")))
int fixture_get_memory_image(unsigned slot, unsigned region, unsigned long flavor, void **bytes, size_t *size)
{
    if (slot > 37)
        return 1;
    for (unsigned long i = 0; i < slots[slot].count; i++) {
        if (slots[slot].table[i].flavor != flavor)
            continue;
        if (region > 3)
            return 2;
        if (!slots[slot].table[i].region[region])
            return 3;
        slots[slot].table[i].region[region](bytes, size);
        return 0;
    }
    return 2;
}
__attribute__((visibility("default")))
int fixture_get_hwdecode_table(unsigned slot, unsigned kind, void **bytes, size_t *size)
{
    if (slot > 37)
        return 1;
    if (kind > 1 || !profiles[slot].kind[kind])
        return 2;
    profiles[slot].kind[kind](bytes, size);
    return 0;
}
""")
    return "".join(body)


RODATA_AT = 0x46B0
SCRIPT = """
SECTIONS
{{
  . = SIZEOF_HEADERS;
  .note.gnu.build-id : {{ *(.note.gnu.build-id) }}
  .hash : {{ *(.hash) }} .gnu.hash : {{ *(.gnu.hash) }} .dynsym : {{ *(.dynsym) }} .dynstr : {{ *(.dynstr) }}
  .rela.dyn : {{ *(.rela.*) }}
  .rodata 0x46b0 : {{ *(.rodata .rodata.str*) . = {first:#x}; *(.rodata.blobs) }}
  .text {text:#x} : {{ *(.text .text.fixture*) . = {getters:#x}; {order} }} =0xcccccccc
  . = ALIGN(0x1000) + 0x1000 + (. & 0xfff);
  .data.rel.ro : {{ *(.data.rel.ro*) }}
  .dynamic : {{ *(.dynamic) }}
  . = . + 0x1000;
  .data : {{ *(.data .data.rel*) }}
  /DISCARD/ : {{ *(.comment) *(.note.GNU-stack) *(.note.gnu.property) *(.eh_frame) }}
}}
"""


def script(rows, text_at, first):
    """A linker script; places inside a section are counted from its start."""
    order = " ".join(f"*(.text.{row.name}_get)" for row in rows)
    getters = rows[0].getter_va - text_at if rows[0].getter_va > text_at else 0x800
    return SCRIPT.format(first=first - RODATA_AT, text=text_at, getters=getters, order=order)


def write_blobs(rows, path):
    offsets, at = {}, 0
    with open(path, "wb") as stream:
        for row in rows:
            offsets[row.name] = at
            stream.write(row.bytes)
            at += len(row.bytes)
    return offsets


def shared_object(rows, out, work, endbr=False, first=0x55F0, text_at=0x9B01A0):
    """A shared object that returns `rows` from getters, in this order."""
    work = Path(work)
    work.mkdir(parents=True, exist_ok=True)
    end = first + sum(len(row.bytes) + 16 for row in rows)
    if end > text_at:
        text_at = (end + 0x1FFF) & ~0xFFF
    offsets = write_blobs(rows, work / "blobs.bin")
    (work / "blobs.s").write_text(blob_assembly(rows, work / "blobs.bin", offsets, ".globl {0}_get.data\n"
                                                ".hidden {0}_get.data\n"))
    (work / "getters.c").write_text(getter_source(rows, '__attribute__((visibility("hidden")))'))
    (work / "resolvers.c").write_text(resolver_source(rows))
    (work / "layout.ld").write_text(script(rows, text_at, first))
    protection = "-fcf-protection=branch" if endbr else "-fcf-protection=none"
    for source, section in (("getters", ()), ("resolvers", ("-fno-function-sections",))):
        command("gcc", *STUB_FLAGS, *section, protection, "-c", work / f"{source}.c", "-o", work / f"{source}.o")
    command("as", work / "blobs.s", "-o", work / "blobs.o")
    command("gcc", "-shared", "-nostdlib", "-Wl,--build-id=sha1", "-Wl,-z,noexecstack", "-Wl,-T," + str(work / "layout.ld"),
            "-Wl,-z,max-page-size=4096", "-Wl,--no-warn-rwx-segments", *(work / f"{n}.o" for n in ("resolvers", "getters", "blobs")),
            "-o", out)
    check_stubs(rows, out, endbr)
    return out


def symbols(path):
    """name -> address, from nm."""
    return {line.split()[2]: int(line.split()[0], 16) for line in command("nm", path).splitlines()
            if len(line.split()) == 3}


def sections(path):
    """name -> (address, offset, size), from readelf."""
    out = {}
    for line in command("readelf", "-S", "-W", path).splitlines():
        match = re.match(r"\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)", line)
        if match:
            out[match[1]] = tuple(int(match[i], 16) for i in (2, 3, 4))
    return out


def check_stubs(rows, path, endbr):
    """The stub must be the documented one, byte for byte; addresses go into the rows."""
    table, layout = symbols(path), sections(path)
    image = Path(path).read_bytes()
    text_va, text_at, _ = layout[".text"]
    data_va, data_at, _ = layout[".rodata"]
    lead = bytes.fromhex("f30f1efa") if endbr else b""
    for row in rows:
        row.getter_va, row.va = table[row.name + "_get"], table[row.name + "_get.data"]
        row.offset = row.va - data_va + data_at
        at = row.getter_va - text_va + text_at
        want = (lead + bytes.fromhex("488d05") + (row.va - row.getter_va - 7 - len(lead)).to_bytes(4, "little", signed=True)
                + bytes.fromhex("48890748c706") + len(row.bytes).to_bytes(4, "little") + b"\xc3")
        want = want.ljust(32, b"\xcc")
        if image[at:at + len(want)] != want and not (row is rows[-1] and image[at:].startswith(want.rstrip(b"\xcc"))):
            raise RuntimeError(f"{row.name}: gcc made another stub: {image[at:at + 32].hex()}, documented: {want.hex()}")
        if image[row.offset:row.offset + len(row.bytes)] != row.bytes:
            raise RuntimeError(f"{row.name}: its bytes are not where the symbol says")


def member_name(row):
    lead = "hwdecode_" if row.flavor == "PROF" else "img_"
    return f"{lead}{row.name}_contents.c.o"


def compiled_stubs(rows, work):
    """name -> (code, offset of its relocation, addend) of every getter, from one run of gcc."""
    work = Path(work)
    work.mkdir(parents=True, exist_ok=True)
    (work / "members.c").write_text(getter_source(rows, ""))
    command("gcc", *STUB_FLAGS, "-fcf-protection=none", "-c", work / "members.c", "-o", work / "members.o")
    image = (work / "members.o").read_bytes()
    table_at, = struct.unpack_from("<Q", image, 40)
    count, names_index = struct.unpack_from("<HH", image, 60)
    heads = [struct.unpack_from("<IIQQQQIIQQ", image, table_at + 64 * i) for i in range(count)]
    names_at = heads[names_index][4]
    by_name = {image[names_at + h[0]:image.index(b"\0", names_at + h[0])].decode(): h for h in heads}
    out = {}
    for row in rows:
        text, rela = by_name[f".text.{row.name}_get"], by_name[f".rela.text.{row.name}_get"]
        at, info, addend = struct.unpack_from("<QQq", image, rela[4])
        if info & 0xFFFFFFFF != 2 or rela[5] != 24:  # R_X86_64_PC32, once
            raise RuntimeError(f"{row.name}: gcc made another relocation")
        out[row.name] = (image[text[4]:text[4] + text[5]], at, addend)
    return out


def relocatable(text, rodata, names, relocation):
    """An ELF64 x86-64 object: `text` under names[0] (global), `rodata` under names[1] (local)."""
    strings = b"\0" + b"".join(name.encode("ascii") + b"\0" for name in names)
    second = 1 + len(names[0]) + 1
    parts = [text, rodata]
    symtab = bytes(24)
    if len(names) > 1:
        symtab += struct.pack("<IBBHQQ", second, 1, 0, 2, 0, len(rodata))
    symtab += struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0, len(text))
    rela = struct.pack("<QQq", relocation[0], 1 << 32 | 2, relocation[1]) if relocation else b""
    shstr = b"\0.text\0.rodata\0.rela.text\0.symtab\0.strtab\0.shstrtab\0"
    parts += [rela, symtab, strings, shstr]
    at, places, body = 64, [], b""
    for part in parts:
        body += bytes(-(64 + len(body)) % 16)
        places.append(64 + len(body))
        body += part
    body += bytes(-len(body) % 8)
    at = 64 + len(body)
    kinds = ((1, 6, 0, 0, 16, 0), (1, 2, 0, 0, 16, 0), (4, 0x40, 4, 1, 8, 24), (2, 0, 5, len(names), 8, 24),
             (3, 0, 0, 0, 1, 0), (3, 0, 0, 0, 1, 0))
    heads = bytes(64)
    for i, (kind, flags, link, info, align, entsize) in enumerate(kinds):
        name = shstr.index((b"\0.text", b"\0.rodata", b"\0.rela.text", b"\0.symtab", b"\0.strtab", b"\0.shstrtab")[i]) + 1
        heads += struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, places[i], len(parts[i]), link, info, align, entsize)
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    return struct.pack("<16sHHIQQQIHHHHHH", ident, 1, 62, 1, 0, 0, at, 0, 64, 0, 0, 64, 7, 6) + body + heads


def members(rows, directory, work):
    """One object an image, and the framework's; returns the file names in the archive's order."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    stubs, names = compiled_stubs(rows, work), []
    for row in rows:
        text, at, addend = stubs[row.name]
        image = relocatable(text, row.bytes, (f"{row.name}_get", f"{row.name}_get.data"), (at, addend))
        (directory / member_name(row)).write_bytes(image)
        names.append(member_name(row))
    for part in FRAMEWORK:
        (directory / f"{part}.c.o").write_bytes(relocatable(b"\xc3", b"", (f"fixture_{part}",), None))
        names.append(f"{part}.c.o")
    return names


def archive(names, directory, out, is_thin=False):
    out = Path(out).resolve()
    out.unlink(missing_ok=True)
    listing = out.with_suffix(".members")
    listing.write_text("\n".join(names))
    # Deterministic: no times, no owners.
    command("ar", "rcsD" + ("T" if is_thin else ""), out, f"@{listing}", cwd=directory)
    listing.unlink()
    return out


def bsd_archive(names, directory, out):
    """BSD long names (#1/LENGTH), which ar(1) of binutils does not write."""
    with open(out, "wb") as stream:
        stream.write(b"!<arch>\n")
        for name in names:
            body = (Path(directory) / name).read_bytes()
            long_name = name.encode("ascii").ljust((len(name) + 3) // 4 * 4, b"\0")
            size = len(long_name) + len(body)
            stream.write(f"#1/{len(long_name):<13}{0:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode("ascii"))
            stream.write(long_name + body + b"\n" * (size % 2))
    return out
