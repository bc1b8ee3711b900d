# SPDX-License-Identifier: Apache-2.0
"""Data types, ALU operators and CPTC workers as constant rows (dtypes.csv, alu-ops.csv, cptc-workers.csv)."""
from cgen import Writer, c_string
from model import ISA_COLUMNS, fail, number, read_csv

#: bits per element where the column holds a fraction: CPTCn packs n bits of 8
STORAGE = {"4 values per 2 bytes": (2, 4), "2 values per byte": (1, 2)}


def isa_mask(row):
    return sum((row[c] == "1") << i for i, c in enumerate(ISA_COLUMNS))


def dtype_storage(row):
    text = row["storage_bytes"]
    if text in STORAGE:
        return STORAGE[text]
    if "/" in text:
        numerator, denominator = text.split("/")
        return int(numerator), int(denominator)
    return number(text, row["where"]), 1


def cptc_workers(tables, write):
    """Workers 1 to 6 in order (cptc.md 3)."""
    write("const struct trn_cptc_worker_row trn_cptc_worker_table[6] = {")
    for row in read_csv(tables.directory, "cptc-workers.csv"):
        numbers = ", ".join(str(number(row[c], row["where"]))
                            for c in ("first_bits", "last_bits", "guard", "cayman_va", "frame"))
        texts = ", ".join(c_string(row[c]) for c in ("datapath", "guard_confidence", "bits_confidence"))
        write(f"    {{{numbers}, {texts}}},")
    write("};\n")


def emit(tables, out):
    write = Writer('"num/num_rows.h"')
    write("const struct trn_dtype_row trn_dtype_table[256] = {")
    for row in tables.dtypes:
        size, per = dtype_storage(row)
        sign = {"s": "TRN_SIGNED", "u": "TRN_UNSIGNED"}.get(row["sign"], "TRN_SIGNLESS")
        def opt(key):
            return number(row[key] or "0", row["where"])
        write(f"    [{row['code']}] = {{.name = {c_string(row['name'])}, .bits = {row['bits']}, "
              f".size_bytes = {size}, .size_elements = {per}, .sign = {sign}, "
              f".exp_bits = {opt('exp_bits')}, .man_bits = {opt('man_bits')}, "
              f".bias = {opt('bias')}, .align_bytes = {row['align_bytes'] or 1}, "
              f".isa_mask = {isa_mask(row)}, .role = {c_string(row['role'])}, "
              f".notes = {c_string(row['rounding_notes'])}, "
              f".specials = {c_string(row['special_values'])}, "
              f".confidence = {c_string(row['confidence'])}, "
              f".format_confidence = {c_string(row['format_conf'])}}},")
    write("};\n")
    cptc_workers(tables, write)
    write("const struct trn_alu_row trn_alu_table[256] = {")
    for row in tables.alu_ops:
        if row["arity"] not in ("1", "2"):
            fail(row["where"], "arity must be 1 or 2")
        flags = ", ".join(f".{c} = {row[c] or 0}" for c in
                          ("general_arith", "general_bitvec", "int_aluop", "int_aluop_dve_v5"))
        kind = row["class"]
        signs = "TRN_ALU_SIGN_" + ("ANY" if "s|u" in kind else "S" if "(s)" in kind else
                                   "U" if "(u)" in kind else "NONE")
        write(f"    [{row['value']}] = {{.name = {c_string(row['name'])}, "
              f".klass = {c_string(kind)}, .arity = {row['arity']}, .isa_mask = {isa_mask(row)}, "
              f"{flags}, .signedness = {signs}, .semantics = {c_string(row['semantics'])}, "
              f".notes = {c_string(row['notes'])}, .confidence = {c_string(row['confidence'])}, "
              f".semantics_confidence = {c_string(row['semantics_conf'])}}},")
    write("};")
    write.save(f"{out}/src/num_tables.c")
