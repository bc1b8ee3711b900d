# SPDX-License-Identifier: Apache-2.0
"""The tables, and a word read through them: fields, patterns, addresses, types."""
import csv
import os
import re
import struct

from grammar import Parser

COLUMN = {2: "sunda_off", 3: "cayman_off", 4: "mariana_off", 5: "maverick_off"}
PRESENCE = {2: "sunda", 3: "cayman", 4: "mariana", 5: "maverick"}
ARMS = {2: "EXTENDED_TT", 7: "EXTENDED_CPTC", 8: "EXTENDED_RDMA_GEN", 9: "EXTENDED_RDMA_START"}
OWN_HEADER = {"CTRL_CCI": range(4, 12), "DMA_COPY2D": range(4, 12), "DMA_IMMEDIATE": range(4, 12),
              "PSEUDO_DMA_EXT": range(1, 12)}
DIMS = {"pattern1d": 1, "pattern2d": 2, "pattern3d": 3, "pattern4d": 4, "mx1d": 1}
ENGINES = ["PE", "ACT", "POOL", "DVE", "SP"]
NOWHERE = 0xFFFF


class Unknown:
    """A number that stands in a register."""


UNKNOWN = Unknown()


class Num:
    def __init__(self, value, enum=None):
        self.value, self.enum = value, enum


class Literal:
    def __init__(self, name):
        self.name = name


# ---- tables ------------------------------------------------------------------------

def rows(directory, name):
    with open(os.path.join(directory, name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def versions(text):
    if text == "none":
        return set()
    numbers = [int(n) for n in re.findall(r"\d", text)]
    return set(range(numbers[0], numbers[-1] + 1))


class Tables:
    def __init__(self, directory):
        self.structs = {}
        for row in rows(directory, "struct-fields.csv"):
            self.structs.setdefault(row["struct"], []).append(row)
        self.enums = {}
        for row in rows(directory, "enums.csv"):
            self.enums.setdefault(row["enum"], {})[row["name"]] = (int(row["value"], 0),
                                                                   versions(row["gens"]))
        self.rules = {row["rule"]: row for row in rows(directory, "rules.csv")}
        self.trees = {name: Parser(row["expression"]).whole() for name, row in self.rules.items()}
        self.opcodes = {int(row["opcode"], 0): row for row in rows(directory, "opcodes.csv")}
        self.dtypes = {int(row["code"], 0): row for row in rows(directory, "dtypes.csv")}
        self.alu = {int(row["value"], 0): row for row in rows(directory, "alu-ops.csv")}
        self.geometry = {}
        for row in rows(directory, "generations.csv"):
            for gen in ("sunda", "cayman", "mariana", "mariana_plus", "maverick"):
                self.geometry.setdefault(gen, {})[row["field"]] = row[gen]
        # SoC addresses of the SBUF of every core: address-map.md 4
        self.sbuf_bases = {nc: set() for nc in (2, 3, 4, 5)}
        for row in rows(directory, "apertures.csv"):
            if row["scope"] == "bar0" and row["soc"] and re.match(r"TPB(_[0-9]+)?$", row["name"]):
                for arch in row["arch"].split(";"):
                    self.sbuf_bases[int(arch[1])] |= {
                        int(row["soc"], 0) + i * int(row["stride"], 0)
                        for i in range(int(row["count"]))}
        self.readers = {name: self.reads(name) for name in self.rules}

    def reads(self, rule, seen=()):
        """Names in a rule's expression, with those of the rules that it uses."""
        names = set(re.findall(r"[A-Za-z_]\w*(?:\.\w+)*", self.rules[rule]["expression"]))
        for name in list(names):
            if name in self.rules and name not in seen:
                names |= self.reads(name, seen + (rule,))
        aliases = {"channels": {"num_active_channels"}, "ts_ptr_dtype": {"in_dtype"},
                   "mm_dst_align": {"out_dtype", "in_dtype", "transpose_mode", "flags.xpose"}, "mm_moving_count": {"perf_opt"},
                   "mv_list_ok": {"num_mov", "move_source", "src_registers", "dst_registers"},
                   "mem2d_list_ok": {"dtype", "num_elem", "src_datasrc", "data"},
                   "mem2d_region_ok": {"dtype", "num_elem", "start_addr", "step_elem"},
                   "es_list_ok": {"num_evt_sem", "evt_sem_ids"},
                   "mx_v2_data_ok": {"src", "in_dtype"}, "mx_v2_scales_ok": {"src"},
                   "lpa_slots_ok": {"imm_ptr_select", "immediate"}}
        for name in list(names):
            names |= aliases.get(name, set())
        return names | {re.sub(r"\.(lo|hi)$", "", n) for n in names}

    def members(self, enum, nc):
        return {value for value, gens in self.enums[enum].values() if nc in gens}


# ---- a word ------------------------------------------------------------------------

class Pattern:
    """A memory pattern of the word, read as its markers say."""

    def __init__(self, word, field):
        self.word, self.field = word, field
        self.start = word.offset(field)
        self.dims = DIMS[field["type"]]
        self.mx = field["type"] == "mx1d"
        marker = word.data[self.start + 3]
        self.indirect = marker & 0x60 == 0x20 and field["type"] != "pattern1d"
        pe = word.is_pe and field["type"] in ("pattern3d", "pattern4d") \
            and field["field"].startswith("src")
        self.descriptor = word.nc == 5 and pe and not self.indirect and marker & 0x1F == 1
        self.shape_known = not (marker & 0x40 or self.indirect or self.descriptor)

    @property
    def address(self):
        place = Address(self.word, self.start + (4 if self.indirect else 0))
        if self.descriptor and place.value is not UNKNOWN:
            place.value &= 0x00FFFFFF
        return place

    def num(self, i):
        if not self.shape_known:
            return UNKNOWN
        return self.raw_num(i)

    def raw_num(self, i):
        at = self.start + (8 if self.mx else 4 + 2 * self.dims + 2 * i)
        return struct.unpack_from("<H", self.word.data, at)[0]

    def step(self, i):
        if not self.shape_known:
            return UNKNOWN
        if self.mx:
            return struct.unpack_from("<b", self.word.data, self.start + 10)[0]
        return struct.unpack_from("<h", self.word.data, self.start + 4 + 2 * i)[0]

    def product(self):
        result = 1
        for i in range(self.dims):
            if self.num(i) is UNKNOWN:
                return UNKNOWN
            result *= self.num(i)
        return result

    def reached(self):
        """Set of (first, last) bit numbers in the partition; None when a register decides."""
        if not self.shape_known or self.address.value is UNKNOWN:
            return None
        low = high = 0
        for i in range(self.dims):
            reach = (self.num(i) - 1) * self.step(i)
            low, high = low + min(reach, 0), high + max(reach, 0)
        if self.mx:  # containers of four elements follow each other (pe-array.md 10.1)
            reach = (-(-self.num(0) // 4) - 1) * 4 * self.step(0)
            low, high = min(reach, 0), max(reach, 0) + 3
        bits = self.word.type_bits(self.word.type_of(self.field))
        base = 8 * self.address.byte()
        return base + low * bits, base + (high + 1) * bits

    def empty(self):
        return any(self.num(i) == 0 for i in range(self.dims)) \
            or self.word.type_bits(self.word.type_of(self.field)) == 0

    def scale(self):
        return Address(self.word, self.start + (8 if self.indirect else 4))

    def scale_pidx(self):
        return self.word.data[self.start + (15 if self.indirect else 11)]


class Address:
    """An ADDR4, or a pointer immediate with all its 32 bits."""

    def __init__(self, word, at, pointer=False):
        self.word = word
        raw = struct.unpack_from("<I", word.data, at)[0]
        self.raw = raw
        self.value = raw if pointer else UNKNOWN if raw >> 31 else raw & 0x1FFFFFFF

    def region(self):
        if self.value < self.word.geo("sbuf_size"):
            return "sbuf"
        inside = self.word.geo("psum_base") <= self.value \
            < self.word.geo("psum_base") + self.word.geo("psum_size")
        return "psum" if inside else None

    def part(self):
        region = self.region()
        if region == "sbuf":
            return self.value // self.word.geo("sbuf_stride")
        if region == "psum":
            return (self.value - self.word.geo("psum_base")) // self.word.geo("psum_stride")
        return NOWHERE

    def byte(self):
        region = self.region()
        if region == "sbuf":
            return self.value % self.word.geo("sbuf_stride")
        if region == "psum":
            return (self.value - self.word.geo("psum_base")) % self.word.geo("psum_stride")
        return 0

    def active_bytes(self):
        return self.word.geo("psum_active_bytes" if self.region() == "psum"
                             else "sbuf_active_bytes")

    def active_ok(self, n):
        p = self.part()
        if 1 <= n <= 32 and p not in (0, 32, 64, 96):
            return False
        if 33 <= n <= 64 and p not in (0, 64):
            return False
        if 65 <= n <= 128 and p != 0:
            return False
        return p + n <= 128


class Word:
    def __init__(self, tables, generation, engine, before_lowering, following, data):
        self.tables, self.data = tables, data
        self.generation, self.engine = generation, engine
        self.before_lowering, self.following = before_lowering, following
        self.nc = int(tables.geometry[generation]["isa_version"])
        self.opcode = data[0]
        self.known = self.opcode in tables.members("OPCODE", self.nc)
        self.struct = self.layout()
        common = [f for f in tables.structs["COMMON"]
                  if f[COLUMN[self.nc]] != "-"
                  and int(f[COLUMN[self.nc]]) not in OWN_HEADER.get(self.struct, ())]
        own = [f for f in tables.structs.get(self.struct, ()) if f[COLUMN[self.nc]] != "-"]
        self.common, self.own = common, own
        self.fields = {f["field"]: f for f in common + own}
        row = tables.opcodes.get(self.opcode)
        self.row = row
        self.is_pe = bool(row) and row["engines"] == "PE" and bool(self.struct)

    def geo(self, name):
        return int(self.tables.geometry[self.generation][name], 0)

    def layout(self):
        row = self.tables.opcodes.get(self.opcode)
        if not self.known or not row:
            return ""
        candidates = [row["struct"]]
        if row["struct"] == "EXTENDED":
            candidates.insert(0, ARMS.get(self.data[12]))
        for name in candidates:
            fields = self.tables.structs.get(name, ())
            if any(f[COLUMN[self.nc]] != "-" for f in fields):
                return name
        return ""

    # fields

    def offset(self, field):
        return int(field[COLUMN[self.nc]])

    def read(self, field, index=None):
        kind = field["type"]
        array = re.fullmatch(r"(\w+)\[(\d+)\]", kind)
        size = int(field["size_bytes"])
        at = self.offset(field)
        if array:
            size //= int(array[2])
            at += index * size
            kind = array[1]
        raw = int.from_bytes(self.data[at:at + size], "little")
        if field["bit_lo"]:
            raw = raw >> int(field["bit_lo"]) & (1 << int(field["bits"])) - 1
        if kind in ("i8", "i16", "i32"):
            raw -= (raw >> 8 * size - 1) << 8 * size
        enum = kind[5:] if kind.startswith("enum:") else None
        return Num(raw, enum)

    def lookup(self, name):
        """(field, nibble) or None."""
        if name in self.fields:
            return self.fields[name], None
        base, _, part = name.rpartition(".")
        if part in ("lo", "hi") and base in self.fields \
                and self.fields[base]["type"] in ("pair", "srcpair"):
            return self.fields[base], part
        return None

    def value(self, field, nibble=None):
        number = self.read(field)
        if nibble:
            enum = "DTYPE" if field["type"] == "pair" else "IMM_SRC"
            return Num(number.value & 15 if nibble == "lo" else number.value >> 4, enum)
        if field["type"] == "f32" or (field["type"] == "imm4"
                                      and self.constraint(field, "type=") == "FP32"):
            return Num(struct.unpack("<f", struct.pack("<I", number.value))[0])
        return number

    def constraint(self, field, prefix):
        for item in field["constraint"].split("; "):
            if item.startswith(prefix):
                return item[len(prefix):]
        return None

    def pattern(self, name):
        field = self.fields.get(name) or self.fields.get(name + "_mem_pattern")
        return Pattern(self, field) if field and field["type"] in DIMS else None

    # types

    def type_bits(self, code):
        row = self.tables.dtypes.get(code)
        return int(row["bits"]) if row else 0

    def align(self, code):
        row = self.tables.dtypes.get(code)
        return int(row["align_bytes"] or 1) if row else 1

    def is_bitvec(self):
        return "BITVEC" in self.row["name"]

    def pointer_type(self):
        return self.read(self.fields["in_dtype"]).value if self.is_bitvec() else 0x0A

    def type_of(self, field):
        name = self.constraint(field, "type=")
        if name == "by_class":
            return self.pointer_type()
        members = self.tables.enums["DTYPE"]
        found = self.lookup(name)
        if found:
            code = self.value(*found).value
        elif name in members:
            code = members[name][0]
        else:
            assert self.is_pe, (self.struct, field["field"], name)
            return 0x0A
        if name == "out_dtype" and self.is_pe and self.transposes():
            return 9 if self.value(*self.lookup("in_dtype")).value == 0x0A else 5
        if code == 0 and (self.is_pe or field["type"] in ("imm4", "imm8")):
            return 0x0A
        return code

    def transposes(self):
        modes = [self.lookup(name) for name in ("transpose_mode", "flags.xpose")]
        return any(self.value(*found).value for found in modes if found)

    def source_of(self, field):
        name = self.constraint(field, "src=")
        found = self.lookup(name)
        if not found:
            return self.tables.enums["IMM_SRC"][name][0]
        number = self.value(*found)
        if number.enum == "IMM_SRC_N":
            return {0: 1, 1: 0}.get(number.value, number.value)
        return number.value

    def memory(self, field):
        plain = special = None
        for item in field["constraint"].split("; "):
            match = re.fullmatch(r"(?:v(\d) )?((?:SBUF|PSUM)(?:\|PSUM)?) (read|write)", item)
            if match and match[1]:
                special = match if int(match[1]) == self.nc else special
            elif match:
                plain = match
        chosen = special or plain
        return (chosen[2].split("|"), chosen[3]) if chosen else None

    def engines(self):
        text = self.row["engines"] if self.row else "NONE"
        if text in ("HOST", "NONE"):
            return set()
        if text == "ANY":
            return set(ENGINES) - ({"ACT"} if self.nc == 5 else set())
        chosen = set()
        for part in text.split("|"):
            name, _, span = part.partition("@")
            if not span or self.nc in versions(span):
                chosen.add(name)
        return chosen
