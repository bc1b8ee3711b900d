# SPDX-License-Identifier: Apache-2.0
"""The catalogue of the vendor's firmware images: one row an entry, proved against the grammar of names
(docs/hardware/firmware-images.md 2.1), the order of getters (2.3) and the forms of recorded hashes (4)."""
import re

from cgen import Writer, c_string
from model import GENERATIONS, fail, number, read_csv

# Getters of the internal twin stand 0x20 apart, blobs follow each other up to 16-byte alignment (2.3).
STRIDE, ALIGNMENT, TWIN = 0x20, 16, "internal.so"
LONG_FLAVOR = {"DKL_": "DYNAMIC_KERNEL_LOAD_"}
HASHES = {"": r"()()", "full": r"([0-9a-f]{64})()", "prefix16": r"([0-9a-f]{16})()",
          "prefix8": r"([0-9a-f]{8})()", "prefix..suffix": r"([0-9a-f]{4,62})\.\.([0-9a-f]{4,62})"}


def symbol_of(row):
    flavor = row["flavor"]
    for short, written in LONG_FLAVOR.items():
        flavor = flavor.replace(short, written)
    return f"{row['generation']}_{row['class']}_{row['engine']}_{flavor}_{row['region']}_get"


def hash_of(row):
    if row["sha256_extent"] not in HASHES:
        fail(row["where"], f"sha256_extent '{row['sha256_extent']}' is not one of {', '.join(HASHES)}")
    match = re.fullmatch(HASHES[row["sha256_extent"]], row["sha256"])
    if not match:
        fail(row["where"], f"'{row['sha256']}' is not a hash of the form '{row['sha256_extent']}'")
    return match.groups()


def check_row(row, seen):
    where, size = row["where"], number(row["size"], row["where"])
    if row["generation"].lower() not in GENERATIONS:
        fail(where, f"generation '{row['generation']}' is not known")
    if row["getter_symbol"] != symbol_of(row):
        fail(where, f"the getter of these columns is called {symbol_of(row)}")
    if row["getter_symbol"] in seen:
        fail(where, f"{row['getter_symbol']} comes twice")
    seen.add(row["getter_symbol"])
    if row["kind"] not in ("REAL", "CURSOR") or (row["kind"] == "CURSOR") != (size == 0):
        fail(where, "an image of size 0 is a CURSOR, every other one REAL")
    if size == 0 and row["sha256"]:
        fail(where, "a cursor has no bytes to hash")


def check_order(rows):
    twin = [row for row in rows if row["container"] == TWIN]
    for before, row in zip(twin, twin[1:]):
        where = row["where"]
        if number(row["getter_text_va"], where) != number(before["getter_text_va"], where) + STRIDE:
            fail(where, f"its getter does not stand 0x{STRIDE:x} behind the one before")
        end = number(before["image_va_eq_file_off"], where) + number(before["size"], where)
        gap = number(row["image_va_eq_file_off"], where) - end
        if gap < 0:
            fail(where, f"it overlaps the image before by 0x{-gap:x} bytes")
        if gap and (gap >= ALIGNMENT or not before["region"].endswith("_SO")):
            fail(where, f"0x{gap:x} bytes lie between it and the image before")


def emit(tables, out):
    rows, seen = list(read_csv(tables.directory, "firmware-images.csv")), set()
    for row in rows:
        check_row(row, seen)
    check_order(rows)
    write = Writer('"fw/known_rows.h"')
    write("const struct trn_fw_known fw_known_rows[] = {")
    for row in rows:
        head, tail = hash_of(row)
        va, place, size = (number(row[column], row["where"])
                           for column in ("getter_text_va", "image_va_eq_file_off", "size"))
        write(f"    {{{c_string(row['getter_symbol'])}, 0x{va:x}, 0x{place:x}, 0x{size:x}, {c_string(head)}, "
              f"{c_string(tail)}, {c_string(row['container'])}}},")
    write("};")
    write(f"const size_t fw_num_known_rows = {len(rows)};")
    write.save(f"{out}/src/fw_known_table.c")
