#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench dis, end to end. usage: test_cli_dis.py TRENCH ROOT [unittest options]

The fields of --json are compared with a decoder of this script's own, which reads
data/struct-fields.csv, data/enums.csv and data/opcodes.csv."""
import csv
import json
import os
import random
import subprocess
import sys
import unittest

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
COLUMN = {"sunda": "sunda", "cayman": "cayman", "mariana": "mariana", "mariana_plus": "mariana",
          "maverick": "maverick"}
VERSION = {"sunda": 2, "cayman": 3, "mariana": 4, "maverick": 5}
ARMS = {2: "EXTENDED_TT", 7: "EXTENDED_CPTC", 8: "EXTENDED_RDMA_GEN", 9: "EXTENDED_RDMA_START"}
#: structs that use bytes of the sync block (or the header) themselves, and from which byte on
OWN_BYTES = {"CTRL_CCI": 4, "DMA_COPY2D": 4, "DMA_IMMEDIATE": 4, "PSEUDO_DMA_EXT": 1}


def dis(*arguments, stdin=b""):
    return subprocess.run([TRENCH, "dis", *arguments], input=stdin, capture_output=True, check=False,
                          timeout=120)


def asm(text, *arguments):
    return subprocess.run([TRENCH, "asm", "-", "-o", "-", *arguments], input=text,
                          capture_output=True, check=True, timeout=120).stdout


def rows(name):
    with open(os.path.join(ROOT, "data", name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def random_words(seed, count):
    source = random.Random(seed)
    words = bytearray()
    for i in range(count):
        word = bytearray(source.randbytes(64))
        word[0] = i % 256
        if source.random() < 0.7:
            word[1:4] = b"\x10\0\0"
        for at in range(4, 64):
            if source.random() < 0.4:
                word[at] = 0
        if word[0] == 0xF0:
            word[12] = source.randrange(12)
        words += word
    return bytes(words)


class Text(unittest.TestCase):
    def test_output_assembles_to_the_same_words(self):
        for gen in COLUMN:
            words = random_words(gen, 1024)
            done = dis("--gen", gen, "-", stdin=words)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(asm(done.stdout), words)

    def test_directives_come_first(self):
        halt = bytes([0xA1, 0x10]) + bytes(62)
        done = dis("--gen", "mariana_plus", "--engine", "act", "-", stdin=halt)
        self.assertEqual(done.stdout, b".gen mariana_plus\n.engine act\nhalt\n")
        done = dis("--gen", "sunda", "-", stdin=halt)
        self.assertEqual(done.stdout, b".gen sunda\nhalt\n")
        self.assertEqual(dis("--gen", "sunda", "-").stdout, b".gen sunda\n")

    def test_default_generation_is_said_aloud(self):
        done = dis("-", stdin=bytes(64))
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith(b".gen cayman\n"))
        self.assertEqual(done.stderr, b"trench: note: no --gen, reading the words as cayman's\n")

    def test_bad_input(self):
        for stdin, message in (
                (bytes(100), "100 bytes are not whole 64-byte words; the last one ends at byte 64"),
                (bytes(1), "1 bytes are not whole 64-byte words; the last one ends at byte 0")):
            done = dis("--gen", "cayman", "-", stdin=stdin)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertEqual(done.stderr.decode(), f"trench: -: error: {message}\n")
        for arguments, message in (
                (("--gen", "cayman", "none.bin"), "none.bin: error: cannot open: No such file"),
                (("--gen", "cayman"), "error: dis needs a file of 64-byte words"),
                (("--gen", "cayman", "a", "b"), "error: dis takes one file; 'b' is a second one"),
                (("--engine", "gpu", "a"), "error: unknown engine 'gpu'"),
                (("--gen", "cayma", "a"), "cayman")):
            done = dis(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(message, done.stderr.decode())

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TRENCH, "dis", "--gen", "cayman", "-"], input=bytes(64000),
                                  stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"<stdout>: error: cannot write", done.stderr)


class Decoder:
    """The scalar fields of a word, from the tables alone."""

    def __init__(self):
        self.fields = {}
        for row in rows("struct-fields.csv"):
            self.fields.setdefault(row["struct"], []).append(row)
        self.structs = {int(row["opcode"], 0): row for row in rows("opcodes.csv")}
        self.enums = {}
        for row in rows("enums.csv"):
            self.enums[row["enum"], int(row["value"], 0)] = row

    def struct(self, word, column):
        row = self.structs.get(word[0])
        if not row or row[column] != "1" or row["struct"] not in self.fields:
            return None
        name = row["struct"]
        if name == "EXTENDED" and word[12] in ARMS and column != "sunda":
            name = ARMS[word[12]]
        return name if any(f[f"{column}_off"] != "-" for f in self.fields[name]) else None

    def member(self, enum, value, version):
        row = self.enums.get((enum, value))
        if not row or row["gens"] == "none":
            return value
        low, _, high = row["gens"].replace("v", "").partition("-")
        if not int(low) <= version <= int(high or low):
            return value
        return "bf16" if row["name"] == "BFLOAT16" else row["name"].lower()

    def value(self, field, word, column):
        """None for types that this decoder leaves to others."""
        at, size = int(field[f"{column}_off"]), int(field["size_bytes"])
        number = int.from_bytes(word[at:at + size], "little")
        if field["bits"]:
            number = number >> int(field["bit_lo"]) & (1 << int(field["bits"])) - 1
        kind = field["type"]
        version = VERSION[column]
        if kind in ("u8", "u16", "u32") or (kind == "reserved" and size < 8):
            return number
        if kind == "i32":
            return number - (1 << 32 if number >> 31 else 0)
        if kind == "u64" or (kind == "reserved" and size == 8):
            return hex(number)
        if kind == "reg":
            return {"register": number}
        if kind.startswith("enum:"):
            return self.member(kind[5:], number, version)
        if kind in ("pair", "srcpair"):
            enum = "DTYPE" if kind == "pair" else "IMM_SRC"
            return {"lo": self.member(enum, number & 15, version),
                    "hi": self.member(enum, number >> 4, version)}
        for base, width, signed in (("u8[", 1, False), ("u16[", 2, False), ("u32[", 4, False),
                                    ("reg[", 1, False), ("i32[", 4, True)):
            if kind.startswith(base):
                return [int.from_bytes(word[at + i:at + i + width], "little", signed=signed)
                        for i in range(0, size, width)]
        if kind == "desc16" or kind == "reserved":
            return word[at:at + size].hex()
        return None

    def decode(self, word, column):
        name = self.struct(word, column)
        first = OWN_BYTES.get(name, 64)
        common = [f for f in self.fields["COMMON"]
                  if f[f"{column}_off"] != "-" and not first <= int(f[f"{column}_off"]) < 12]
        own = [f for f in self.fields.get(name, ()) if f[f"{column}_off"] != "-"]
        return name, {f["field"]: (f, self.value(f, word, column)) for f in common + own}


class Json(unittest.TestCase):
    decoder = Decoder()

    def compare(self, entry, word, gen):
        column = COLUMN[gen]
        struct, fields = self.decoder.decode(word, column)
        self.assertEqual(entry["struct"], struct)
        self.assertEqual(entry["raw"], word.hex())
        self.assertEqual(entry["opcode"], f"0x{word[0]:02x}")
        shown = entry["fields"]
        for name, (field, value) in fields.items():
            if field["type"] == "reserved" and (name not in shown):
                self.assertEqual(int(value, 16) if isinstance(value, str) else value, 0, name)
                continue
            self.assertIn(name, shown)
            if value is not None and not field["type"].startswith("imm"):
                self.assertEqual(shown[name], value, f"{gen} {struct}.{name} {word.hex()}")
        self.assertLessEqual(set(shown), set(fields))

    def test_fields_are_those_of_the_tables(self):
        for gen in COLUMN:
            words = random_words("json" + gen, 768)
            done = dis("--json", "--gen", gen, "-", stdin=words)
            self.assertEqual(done.returncode, 0)
            lines = done.stdout.decode().splitlines()
            self.assertEqual(len(lines), 768)
            for index, line in enumerate(lines):
                entry = json.loads(line)
                self.assertEqual(entry["schema"], "trench.dis/1")
                self.assertEqual((entry["index"], entry["offset"]), (index, 64 * index))
                word = words[64 * index:64 * index + 64]
                self.compare(entry, word, gen)
                self.assertEqual(asm(entry["text"].encode(), "--gen", gen) if index % 64 == 0 else word,
                                 word)

    def test_patterns_and_immediates_are_objects(self):
        text = (".gen cayman\n"
                "tensor_scalar_arith src=sbuf[p32,0x40]:(512,4,1) in=fp32 dst=r9:(4) out=bf16 ch=128 "
                "op0=add imm0=1.5 op1=max imm1=sbuf[p0,4]\n"
                "copy src=sbuf[p0,0x1000]:idx(psum[p1,0x20],16) dst=sbuf[p0,0]:s2\n"
                "activate bias=r5 imm=-0.0\n"
                "tensor_scalar_arith imm0=nan:0x7fc00001 imm1=inf src=0x1f000000:(1)\n"
                "dmamemcpy src_start_addr=0x123456789a\n")
        lines = dis("--json", "--gen", "cayman", "-", stdin=asm(text.encode())).stdout.splitlines()
        scalar, copy, activate, special, dma = (json.loads(line)["fields"] for line in lines)
        self.assertEqual(scalar["src_mem_pattern"],
                         {"space": "sbuf", "partition": 32, "byte": 64, "addr": "0x800040",
                          "step": [1, 512, 1], "num": [512, 4, 1]})
        self.assertEqual(scalar["dst_mem_pattern"],
                         {"register": 9, "step": [1, 1, 1], "num": [4, 1, 1]})
        self.assertEqual((scalar["imm0"], scalar["imm0_src"]), (1.5, "instruction"))
        self.assertEqual(scalar["imm1"],
                         {"space": "sbuf", "partition": 0, "byte": 4, "addr": "0x4"})
        self.assertEqual(copy["src_mem_pattern"],
                         {"space": "sbuf", "partition": 0, "byte": 4096, "addr": "0x1000",
                          "index": {"space": "psum", "partition": 1, "byte": 32, "addr": "0x2008020"},
                          "num": [16]})
        self.assertEqual(copy["dst_mem_pattern"],
                         {"space": "sbuf", "partition": 0, "byte": 0, "addr": "0x0",
                          "shape_register": 2})
        self.assertEqual((activate["bias"], activate["bias_src_n"]), ({"register": 5}, "reg_ptr"))
        self.assertEqual(str(activate["imm"]), "-0.0")
        self.assertEqual((special["imm0"], special["imm1"]), ("nan:0x7fc00001", "inf"))
        self.assertEqual(special["src_mem_pattern"]["addr"], "0x1f000000")
        self.assertNotIn("space", special["src_mem_pattern"])
        self.assertEqual(dma["src_start_addr"], "0x123456789a")

    def test_engines_are_those_that_take_the_opcode(self):
        word = bytes([0x43, 0x10]) + bytes(62)
        for gen, engines in (("cayman", ["act", "pool", "dve"]), ("maverick", ["pool", "dve"])):
            entry = json.loads(dis("--json", "--gen", gen, "-", stdin=word).stdout)
            self.assertEqual(entry["engine"], engines)
            self.assertEqual(entry["name"], "TENSOR_SCALAR_ARITH_OP")

    def test_unknown_opcodes_have_null_names(self):
        entry = json.loads(dis("--json", "--gen", "cayman", "-", stdin=bytes([0x0F]) + bytes(63)).stdout)
        self.assertIsNone(entry["name"])
        self.assertIsNone(entry["struct"])
        self.assertEqual(entry["engine"], [])
        self.assertTrue(entry["text"].startswith(".word 0f00"))


if __name__ == "__main__":
    unittest.main()
