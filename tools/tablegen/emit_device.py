# SPDX-License-Identifier: Apache-2.0
"""Notification records, routing, interrupt causes and error numbers as constant rows."""
from cgen import Writer, c_string
from model import number
from proofs_device import ROUTING_BLOCKS, notific_bits, record_codes


def table(write, ctype, name, count, rows):
    write(f"const struct {ctype} {name}[] = {{")
    for row in rows:
        write(f"    {{{row}}},")
    write("};")
    write(f"const size_t {count} = {len(rows)};\n")


def texts(row, *columns):
    return ", ".join(c_string(row[c]) for c in columns)


def value(row, column):
    return str(number(row[column], row["where"]))


def routing_row(tables, row):
    """The register is named by its path in registers.csv, as the manual's search knows it."""
    block, _, name = row["register"].split(" ")
    register = next(r for r in tables.registers if r.block == ROUTING_BLOCKS[block]
                    and r.name.rpartition(".")[2] == name)
    low, bits = notific_bits(row["bits"], row["where"])
    return f"{c_string(register.path)}, {low}, {bits}, {texts(row, 'field', 'class', 'generations')}"


def emit(tables, out):
    write = Writer('"gen/device_rows.h"')
    table(write, "trn_record_row", "trn_record_table", "trn_num_records",
          [f"{value(r, 'value')}, {texts(r, 'name', 'class')}" for r in tables.notification_types])
    table(write, "trn_record_field_row", "trn_record_field_table", "trn_num_record_fields",
          [f"0x{sum(1 << c for c in record_codes(tables, r)):X}, {value(r, 'bit_lo')}, "
           f"{value(r, 'bits')}, {texts(r, 'form', 'field', 'meaning', 'confidence')}"
           for r in tables.record_fields])
    table(write, "trn_wr_buffer_row", "trn_wr_buffer_table", "trn_num_wr_buffers",
          [f"{value(r, 'bit')}, {texts(r, 'class', 'note')}" for r in tables.notific_wr_buffers])
    table(write, "trn_routing_row", "trn_routing_table", "trn_num_routings",
          [routing_row(tables, r) for r in tables.notific_routing])
    table(write, "trn_trigger_row", "trn_trigger_table", "trn_num_triggers",
          [", ".join(value(r, c) for c in ("trigger", "unit", "group", "bit")) + ", "
           + texts(r, "name", "kind", "note", "confidence") for r in tables.triggers])
    table(write, "trn_dma_cause_row", "trn_dma_cause_table", "trn_num_dma_causes",
          [f"'{r['secondary_group']}', {value(r, 'bit')}, {value(r, 'unmasked_at_init')}, "
           f"{value(r, 'aborts_engine')}, {texts(r, 'direction', 'cause')}" for r in tables.dma_causes])
    table(write, "trn_error_row", "trn_error_table", "trn_num_errors",
          [f"{c_string(r['group'])}, {value(r, 'value')}, "
           f"{texts(r, 'name', 'effect', 'meaning', 'sheet', 'confidence')}" for r in tables.errors])
    write.save(f"{out}/src/device_tables.c")
