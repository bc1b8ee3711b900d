# SPDX-License-Identifier: Apache-2.0
"""Register blocks and their BAR0 places (register-blocks.csv), fields of an address (soc-fields.csv)."""
import blocks
from cgen import Writer, c_string
from model import GENERATIONS
from names import emit_index

OWNER = {"core": "CORE", "topsp": "TOPSP", "topsp_spare": "TOPSP_SPARE", "dma": "DMA",
         "preproc": "PREPROC", "intc": "INTC", "": "DEVICE"}


def emit_rows(tables, write):
    write("const struct trn_block_row trn_block_row_table[] = {")
    for row in tables.blocks:
        shared = row.blocks[1] if len(row.blocks) > 1 else None
        write(f"    {{.block = {c_string(row.blocks[0])}, .shared = {c_string(shared)}, "
              f".path = {c_string(row.path)}, .owner = TRN_BLOCK_OF_{OWNER[row.owner]}, "
              f".engine = {row.engine}, .gen_mask = {row.gen_mask}, .size = 0x{row.size:X}, "
              f".block_offset = 0x{row.block_offset:X}, "
              f".end = {'UINT32_MAX' if row.end is None else hex(row.end)}, "
              f".form = {c_string(row.form)}, .meaning = {c_string(row.meaning)}, "
              f".confidence = {c_string(row.confidence)}}},")
    write("};")
    write(f"const size_t trn_num_block_rows = {len(tables.blocks)};\n")


def emit_soc_fields(tables, write):
    write("const struct trn_soc_field_row trn_soc_field_table[] = {")
    for row in tables.soc_fields:
        write(f"    {{{c_string(row.name)}, {row.low}, {row.bits}, {row.gen_mask}}},")
    write("};")
    write(f"const size_t trn_num_soc_fields = {len(tables.soc_fields)};")


def emit_list(tables, write, generation, found):
    """The blocks of a generation; returns the initializer of its struct trn_block_list."""
    write(f"static const struct trn_block {generation}[] = {{")
    for i in found:
        write(f"    {{&trn_block_row_table[{i.row_index}], 0x{i.bar0:X}, {i.number}, "
              f"{c_string(i.place)}}},")
    write("};\n")
    names = [(name, n) for n, i in enumerate(found)
             for name in (tables.blocks[i.row_index].path.replace("#", str(i.number)), i.place)]
    index = emit_index(write, f"names_{generation}", names)
    return f"{{{generation}, {len(found)}, {index}}}"


def emit(tables, out):
    write = Writer('"gen/blocks.h"')
    emit_rows(tables, write)
    lists = [emit_list(tables, write, generation, blocks.instances(tables, index))
             for index, generation in enumerate(GENERATIONS)]
    write("const struct trn_block_list trn_block_lists[TRN_GEN_COUNT] = {")
    for initializer in lists:
        write(f"    {initializer},")
    write("};")
    emit_soc_fields(tables, write)
    write.save(f"{out}/src/block_tables.c")
