# SPDX-License-Identifier: Apache-2.0
"""Notification records: include/trench/record_ids.h (codes, numbers, one struct a form) and the
packing of those structs, src/record_pack.h."""
from cgen import Writer, c_name
from model import number
from proofs_device import record_codes

#: groups of errors.csv that code needs by name -> prefix of the constants
GROUPS = {"error_id": "ERROR_ID", "sequencer_subtype": "SUBTYPE", "q7_subtype": "SUBTYPE",
          "fp_info": "FP_INFO", "error_class": "ERROR_CLASS", "host_status": "HOST_STATUS"}
FRAME = "*"


class Form:
    """One layout of the body: the fields of record-fields.csv that share a record and a form."""

    def __init__(self, row):
        base = row["record"].removeprefix("*_").lower()
        self.name = base + ("_" + row["form"] if row["form"] else "")
        self.key = (row["record"], row["form"])
        self.rows = []


def forms_of(tables):
    forms = {}
    for row in tables.record_fields:
        if row["record"] != FRAME:
            form = Form(row)
            forms.setdefault(form.key, form).rows.append(row)
    return list(forms.values())


def place(row):
    return number(row["bit_lo"], row["where"]), number(row["bits"], row["where"])


def ctype(bits):
    return next(f"uint{size}_t" for size in (8, 16, 32, 64) if bits <= size)


def enumeration(write, name, members, comment):
    write(f"/** {comment} */\nenum {name} {{")
    for member, value in members:
        write(f"    {member} = {value},")
    write("};\n")


def emit_ids(tables, forms, out):
    write = Writer("<stdint.h>", guard="TRENCH_RECORD_IDS_H")
    enumeration(write, "trn_record_code", [(f"TRN_RECORD_{c_name(r['name'])}", r["value"])
                                           for r in tables.notification_types],
                "notification-types.csv: the type in the header byte.")
    enumeration(write, "trn_notific_input", [(f"TRN_INPUT_{c_name(r['class'])}", r["bit"])
                                             for r in tables.notific_wr_buffers],
                "notific-wr-buffers.csv: bit of wr_buf_enable.")
    for group, prefix in GROUPS.items():
        enumeration(write, f"trn_{group}",
                    [(f"TRN_{prefix}_{c_name(r['name']).upper()}", r["value"])
                     for r in tables.errors if r["group"] == group], f"errors.csv, group {group}.")
    write("/** Layouts of the body (record-fields.csv). */\nenum trn_record_form {")
    for form in forms:
        write(f"    TRN_FORM_{form.name.upper()},")
    write("    TRN_FORM_COUNT\n};\n")
    for form in forms:
        write(f"struct trn_record_{form.name} {{")
        for row in form.rows:
            write(f"    {ctype(place(row)[1])} {row['field']};")
        write("};\n")
    write("union trn_record_body {")
    for form in forms:
        write(f"    struct trn_record_{form.name} {form.name};")
    write("};\n")
    write.save(f"{out}/include/trench/record_ids.h")


def emit_pack(tables, forms, out):
    write = Writer("<stdbool.h>", '"base/bytes.h"', '"trench/record_ids.h"', guard="TRN_RECORD_PACK_H")
    write("/* Bit positions of the frame: where and how many. */\nenum {")
    for row in tables.record_fields:
        if row["record"] == FRAME:
            low, bits = place(row)
            name = f"TRN_FRAME_{row['field'].upper()}"
            write(f"    {name}_LOW = {low},\n    {name}_BITS = {bits},")
    write("};\n")
    write("/* First 8 bytes of a record whose body is of a form; header bits and time are 0. */")
    write("static inline uint64_t trn_record_pack(enum trn_record_form form,\n"
          "                                       const union trn_record_body *body)\n{")
    write("    uint64_t bits = 0;\n    switch (form) {")
    for form in forms:
        write(f"    case TRN_FORM_{form.name.upper()}:")
        for row in form.rows:
            low, bits = place(row)
            write(f"        bits = trn_bits_set(bits, {low}, {bits}, body->{form.name}.{row['field']});")
        write("        break;")
    write("    case TRN_FORM_COUNT:\n        break;\n    }\n    return bits;\n}\n")
    write("/* Do all numbers fit their fields? */")
    write("static inline bool trn_record_fits(enum trn_record_form form,\n"
          "                                   const union trn_record_body *body)\n{")
    write("    uint64_t excess = 0;\n    switch (form) {")
    for form in forms:
        write(f"    case TRN_FORM_{form.name.upper()}:")
        for row in form.rows:
            bits = place(row)[1]
            if ctype(bits) != f"uint{bits}_t":
                write(f"        excess |= (uint64_t)body->{form.name}.{row['field']} >> {bits};")
        write("        break;")
    write("    case TRN_FORM_COUNT:\n        break;\n    }\n    return excess == 0;\n}\n")
    write("static inline void trn_record_unpack(enum trn_record_form form, uint64_t bits,\n"
          "                                     union trn_record_body *body)\n{\n    switch (form) {")
    for form in forms:
        write(f"    case TRN_FORM_{form.name.upper()}:")
        for row in form.rows:
            low, bits = place(row)
            write(f"        body->{form.name}.{row['field']} = "
                  f"({ctype(bits)})trn_bits_get(bits, {low}, {bits});")
        write("        break;")
    write("    case TRN_FORM_COUNT:\n        break;\n    }\n}\n")
    write("/* Record types that a form belongs to, a bit each; form name as record-fields.csv has it. */")
    write("static const struct {\n    uint32_t codes;\n    const char *form;\n"
          "} trn_record_forms[TRN_FORM_COUNT] = {")
    for form in forms:
        codes = sum(1 << c for c in record_codes(tables, form.rows[0]))
        write(f"    [TRN_FORM_{form.name.upper()}] = {{0x{codes:X}, \"{form.rows[0]['form']}\"}},")
    write("};\n")
    write.save(f"{out}/src/record_pack.h")


def emit(tables, out):
    forms = forms_of(tables)
    emit_ids(tables, forms, out)
    emit_pack(tables, forms, out)
