# SPDX-License-Identifier: Apache-2.0
"""How each engine's sequencer finds a handler (dispatch.csv; docs/hardware/sequencer.md 6)."""
from cgen import Writer, c_string
from model import ENGINES, GENERATIONS, fail, isa_span, number, read_csv

FORMS = ("segment", "literal", "chain", "table")


def kernels(tables, write):
    """Which kernels each library of POOL has (kernel-info.csv; convlut.md 7)."""
    write("const struct trn_pool_kernel_row trn_pool_kernel_rows[] = {")
    for row in read_csv(tables.directory, "kernel-info.csv"):
        where = row["where"]
        opcode, spec = number(row["opcode"], where), number(row["spec"], where)
        write(f"    {{{GENERATIONS.index(row['generation'].lower())}, {row['library'][-1]}, "
              f"0x{opcode:02x}, {spec}}},")
    write("};")
    write("const size_t trn_num_pool_kernel_rows = "
          "sizeof trn_pool_kernel_rows / sizeof trn_pool_kernel_rows[0];")


def emit(tables, out):
    write = Writer('"seq/dispatch.h"', '"seq/library.h"')
    write("const struct trn_dispatch_row trn_dispatch_rows[] = {")
    for row in read_csv(tables.directory, "dispatch.csv"):
        where = row["where"]
        first, last = number(row["first"], where), number(row["last"], where)
        if row["form"] not in FORMS:
            fail(where, f"form '{row['form']}' is not one of {', '.join(FORMS)}")
        if row["engine"] not in ENGINES:
            fail(where, f"engine '{row['engine']}' is not one of {', '.join(ENGINES)}")
        if not 0 <= first <= last <= 255:
            fail(where, "first and last must be opcodes in ascending order")
        if row["form"] == "literal" and first != last:
            fail(where, "a literal compares one opcode")
        write(f"    {{{isa_span(row['gens'], where)}, {ENGINES.index(row['engine'])}, "
              f"TRN_DISPATCH_{row['form'].upper()}, 0x{first:02X}, 0x{last:02X}, "
              f"{c_string(row['confidence'])}}},")
    write("};")
    write("const size_t trn_num_dispatch_rows = "
          "sizeof trn_dispatch_rows / sizeof trn_dispatch_rows[0];")
    kernels(tables, write)
    write.save(f"{out}/src/dispatch_table.c")
