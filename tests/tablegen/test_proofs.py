#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proofs of tools/tablegen: the tables pass, and a table with one wrong row is refused with
that row's file, line and name. usage: test_proofs.py ROOT [unittest options]"""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop(1)
DATA = os.path.join(ROOT, "data")
TABLEGEN = os.path.join(ROOT, "tools", "tablegen")
sys.path.insert(0, TABLEGEN)

import blocks  # noqa: E402
import model  # noqa: E402
import proofs  # noqa: E402
import registers  # noqa: E402


read_table = model.read_csv
unchanged = {}


def read_csv(directory, name):
    """model.read_csv that reads a table of data/ itself, or a link to it, only once."""
    path = os.path.realpath(os.path.join(directory, name))
    if os.path.dirname(path) != os.path.realpath(DATA):
        return list(read_table(directory, name))
    if name not in unchanged:
        unchanged[name] = list(read_table(DATA, name))
    return unchanged[name]


model.read_csv = registers.read_csv = blocks.read_csv = read_csv


def refusals(directory):
    """Every text tablegen refuses the tables with; reading itself may refuse a row."""
    try:
        return proofs.refusals(model.load(directory))
    except model.TableError as error:
        return [str(error)]


class Tables(unittest.TestCase):
    """Links to data/, of which a test replaces one table by a copy with one row changed."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tables-")
        self.addCleanup(shutil.rmtree, self.directory)
        for name in os.listdir(DATA):
            if name.endswith(".csv"):
                os.symlink(os.path.join(os.path.realpath(DATA), name),
                           os.path.join(self.directory, name))

    def rewrite(self, file, edit):
        """Apply edit(rows) to the data rows (lists of cells) of a table."""
        path = os.path.join(self.directory, file)
        with open(path, newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        edit(header, rows)
        os.unlink(path)
        with open(path, "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([header] + rows)

    def change(self, file, key, **cells):
        """Set cells of the one row whose first columns are `key`; returns its line."""
        lines = []

        def edit(header, rows):
            for i, row in enumerate(rows):
                if tuple(row[:len(key)]) == tuple(key):
                    lines.append(i + 2)
                    for column, value in cells.items():
                        row[header.index(column)] = value
        self.rewrite(file, edit)
        self.assertEqual(len(lines), 1, f"{key} is not one row of {file}")
        return lines[0]

    def remove(self, file, key):
        self.rewrite(file, lambda header, rows: rows.__setitem__(
            slice(None), [r for r in rows if tuple(r[:len(key)]) != tuple(key)]))

    def append(self, file, *cells):
        count = []
        self.rewrite(file, lambda header, rows: (rows.append(list(cells)), count.append(len(rows))))
        return count[0] + 1

    def assert_refused(self, place, *parts):
        """Some refusal starts with `place` (FILE:LINE or FILE) and contains every part."""
        found = refusals(self.directory)
        for text in found:
            if re.match(re.escape(place) + r"\b", text) and all(p in text for p in parts):
                return
        self.fail(f"no refusal of {place} with {parts}; got {found}")


class CleanTables(unittest.TestCase):
    def test_delivered_tables_pass_every_proof(self):
        self.assertEqual(refusals(DATA), [])

    def test_every_proof_is_listed_once(self):
        names = [proof.__name__ for proof in proofs.PROOFS]
        self.assertEqual(len(names), len(set(names)))


class LayoutProofs(Tables):
    def test_overlap_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "in_dtype"), cayman_off="33")
        self.assert_refused(f"struct-fields.csv:{line + 1}", "S3D3_TS,out_dtype", "in_dtype", "cayman")

    def test_overlap_of_bit_fields_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_MM", "flags.seed_mode"), bit_lo="1")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_MM,flags.seed_mode", "flags.scalar_mode")

    def test_overlap_with_the_events_block_is_refused(self):
        line = self.change("struct-fields.csv", ("D4_MR", "reserved0"), sunda_off="8")
        self.assert_refused(f"struct-fields.csv:{line}", "D4_MR,reserved0", "events")

    def test_overlap_inside_a_composite_is_refused(self):
        line = self.change("struct-fields.csv", ("@pattern3d", "num_elem"), sunda_off="8")
        self.assert_refused(f"struct-fields.csv:{line}", "@pattern3d,num_elem", "step_elem")

    def test_unowned_byte_is_refused(self):
        self.remove("struct-fields.csv", ("S4_PB", "rsvd_33"))
        self.assert_refused("struct-fields.csv", "S4_PB", "byte 33 bit 0 on sunda")

    def test_unowned_bit_is_refused(self):
        self.change("struct-fields.csv", ("S3D3_MM", "flags.reserved_v4"), bits="2")
        self.assert_refused("struct-fields.csv", "S3D3_MM", "byte 42 bit 7 on mariana")

    def test_field_outside_the_word_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "dst_mem_pattern"), maverick_off="56")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,dst_mem_pattern", "maverick")

    def test_size_against_type_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "imm0"), size_bytes="3")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,imm0", "size_bytes")

    def test_bits_outside_the_container_are_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_MM", "tile_sel.col_sel"), bits="5")
        self.assert_refused(f"struct-fields.csv:{line}", "tile_sel.col_sel", "8-bit container")

    def test_second_field_of_a_name_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "op1"), field="op0")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,op0", "already")

    def test_enum_that_does_not_fit_is_refused(self):
        line = self.append("enums.csv", "PE_LW_ORDER", "TOO_WIDE", "0x02", "v4-v5", "I")
        self.assert_refused("struct-fields.csv", "S3_LW,flags.load_order", "TOO_WIDE",
                            f"enums.csv:{line}", "1 bits")

    def test_nibbles_of_a_pair_are_exempt(self):
        """DTYPE has members above 15 and `pair` nibbles of 4 bits: README section 3 allows it."""
        self.assertEqual(refusals(self.directory), [])
        self.change("struct-fields.csv", ("@srcpair", "src_lo"), type="enum:DTYPE")
        self.assert_refused("struct-fields.csv", "@srcpair,src_lo", "4 bits")

    def test_unknown_enum_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "op0"), type="enum:ALU_OPS")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,op0", "ALU_OPS")

    def test_enum_value_used_twice_is_refused(self):
        line = self.change("enums.csv", ("REV_OPS", "BOTH"), value="0x02")
        self.assert_refused(f"enums.csv:{line}", "REV_OPS,BOTH", "SECOND", "value")

    def test_ambiguous_short_name_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "reserved0"), field="src")
        self.assert_refused("struct-fields.csv", "S3D3_TS", "short form 'src'")
        self.assertGreater(line, 1)


class CrossProofs(Tables):
    def test_opcode_missing_from_the_enum_is_refused(self):
        line = self.change("opcodes.csv", ("0x02", "MATMUL"), name="MATMULT")
        self.assert_refused(f"opcodes.csv:{line}", "MATMULT", "OPCODE")

    def test_opcode_of_another_value_is_refused(self):
        line = self.change("enums.csv", ("OPCODE", "MATMUL"), value="0x0B")
        self.assert_refused("opcodes.csv", "MATMUL", "0x02", "0x0B", f"enums.csv:{line}")

    def test_opcode_of_other_generations_is_refused(self):
        line = self.change("opcodes.csv", ("0x06",), sunda="1")
        self.assert_refused(f"opcodes.csv:{line}", "LDTAGS", "generations")

    def test_opcode_count_is_refused(self):
        self.remove("enums.csv", ("OPCODE", "WEIGHT_SHIFT"))
        self.remove("opcodes.csv", ("0x05",))
        self.assert_refused("opcodes.csv", "144 opcodes on sunda", "145")

    def test_dtype_count_is_refused(self):
        self.remove("enums.csv", ("DTYPE", "CPTC7"))
        self.remove("dtypes.csv", ("0x1F",))
        self.assert_refused("dtypes.csv", "23 data types on mariana", "24")

    def test_operator_of_another_value_is_refused(self):
        line = self.change("alu-ops.csv", ("0x04", "ADD"), value="0x3F")
        self.assert_refused(f"alu-ops.csv:{line}", "ADD", "ALU_OP")

    def test_operator_count_is_refused(self):
        line = self.append("alu-ops.csv", "0x7F", "EXTRA", "arith", "2", "", "0", "0", "0", "1",
                           "0", "0", "0", "0", "", "I", "I")
        self.append("enums.csv", "ALU_OP", "EXTRA", "0x7F", "v5", "I")
        self.assert_refused(f"alu-ops.csv:{line}", "66 ALU operators on maverick", "65")

    def test_pseudo_word_on_a_device_is_refused(self):
        line = self.change("opcodes.csv", ("0xC1",), engines="ANY")
        self.assert_refused(f"opcodes.csv:{line}", "PSEUDO_DMATRIGGER", "HOST")

    def test_never_opcode_with_an_effect_is_refused(self):
        line = self.change("opcodes.csv", ("0xB7",), exec="full")
        self.assert_refused(f"opcodes.csv:{line}", "UCODE_CONFIG", "never")

    def test_executed_opcode_without_a_layout_is_refused(self):
        line = self.change("opcodes.csv", ("0x41",), struct="S3S3D3_XX")
        self.assert_refused(f"opcodes.csv:{line}", "TENSOR_TENSOR_ARITH_OP", "S3S3D3_XX")

    def test_struct_without_an_opcode_is_refused(self):
        self.change("opcodes.csv", ("0x08",), struct="", exec="none")
        self.assert_refused("struct-fields.csv", "S2S1D2_PE_SEED", "no opcode")

    def test_mnemonic_used_twice_is_refused(self):
        line = self.change("opcodes.csv", ("0xA4",), name="HALT")
        self.assert_refused(f"opcodes.csv:{line}", "0xA4", "'halt'")

    def test_engine_without_a_handler_is_refused(self):
        line = self.change("opcodes.csv", ("0x6C",), engines="POOL|DVE")
        self.assert_refused(f"opcodes.csv:{line}", "MAX8", "POOL of sunda", "handlers.csv")

    def test_handler_without_an_engine_is_refused(self):
        line = self.change("opcodes.csv", ("0x6B",), engines="DVE@v3-v5")
        self.assert_refused(f"opcodes.csv:{line}", "STREAM_TRANSPOSE", "DVE of sunda")

    def test_unrostered_opcode_elsewhere_is_refused(self):
        line = self.change("opcodes.csv", ("0x4A",), engines="POOL|DVE")
        self.assert_refused(f"opcodes.csv:{line}", "REG_LOAD", "DVE of sunda")

    def test_pool_list_of_cayman_is_refused(self):
        line = self.change("handlers.csv", ("POOL", "TensorDequantize"), cayman="0")
        self.assertGreater(line, 1)
        self.change("opcodes.csv", ("0x7B",), engines="POOL@v4-v5")
        self.assert_refused("handlers.csv", "55 opcodes", "0x7B")

    def test_handler_names_are_checked(self):
        line = self.change("handlers.csv", ("DVE", "RangeSelect"), opcodes="0xBD")
        self.assert_refused(f"handlers.csv:{line}", "DVE,RangeSelect", "isa_names")

    def test_presence_code_is_checked(self):
        line = self.change("handlers.csv", ("DVE", "RangeSelect"), sunda="x")
        self.assert_refused(f"handlers.csv:{line}", "DVE,RangeSelect", "'x'")

    def test_stated_opcode_count_is_compared(self):
        line = self.change("generations.csv", ("num_opcodes",), maverick="164")
        self.assert_refused(f"generations.csv:{line}", "num_opcodes", "164 on maverick", "165")

    def test_stated_handler_count_is_compared(self):
        line = self.change("generations.csv", ("opcode_handlers_pool",), cayman="40")
        self.assert_refused(f"generations.csv:{line}", "opcode_handlers_pool", "40 on cayman", "41")

    def test_rule_name_used_twice_is_refused(self):
        line = self.change("rules.csv", ("T5",), rule="T4")
        self.assert_refused(f"rules.csv:{line}", "T4", "twice")

    def test_rule_scope_is_checked(self):
        line = self.change("rules.csv", ("T9",), struct_or_opcode="S3D3_TX")
        self.assert_refused(f"rules.csv:{line}", "T9", "S3D3_TX")

    def test_rule_scope_opcode_is_checked(self):
        line = self.change("rules.csv", ("T1",), struct_or_opcode="0x43 0x55")
        self.assert_refused(f"rules.csv:{line}", "T1", "0x55")

    def constraint(self, struct, field, text):
        return self.change("struct-fields.csv", (struct, field), constraint=text)

    def test_rule_that_does_not_exist_is_refused(self):
        line = self.constraint("S3D3_TS", "op0", "T2; T99")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,op0", "T99")

    def test_constraint_of_no_known_form_is_refused(self):
        line = self.constraint("S3D3_TS", "op0", "T2; sometimes even")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,op0", "sometimes even")

    def test_value_outside_its_enum_is_refused(self):
        line = self.constraint("S3D3_SC", "op_dim", "X|XYY")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_SC,op_dim", "XYY", "TENSOR_SUBDIM")

    def test_value_wider_than_its_field_is_refused(self):
        line = self.constraint("CTRL_MV", "num_mov", "1..300")
        self.assert_refused(f"struct-fields.csv:{line}", "CTRL_MV,num_mov", "300", "8 bits")

    def test_equality_with_no_field_is_refused(self):
        line = self.constraint("S3D3_DROPOUT", "out_dtype", "== int_dtype")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_DROPOUT,out_dtype", "int_dtype")

    def test_type_of_no_field_is_refused(self):
        line = self.constraint("S3D3_TS", "src_mem_pattern", "SBUF|PSUM read; type=indtype")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,src_mem_pattern", "indtype")

    def test_source_of_no_field_is_refused(self):
        line = self.constraint("S3D3_TS", "imm0", "src=imm2_src; type=by_class")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,imm0", "imm2_src")

    def test_memory_of_a_scalar_is_refused(self):
        line = self.constraint("S3D3_TS", "op0", "SBUF read")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,op0", "memory pattern")

    def test_nibble_of_a_byte_is_refused(self):
        line = self.constraint("S3D3_TS", "in_dtype", "lo not FP32R")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,in_dtype", "nibble")

    def test_reserved_bytes_need_zero(self):
        line = self.constraint("S3D3_TS", "reserved0", "")
        self.assert_refused(f"struct-fields.csv:{line}", "S3D3_TS,reserved0", "zero")

    def test_channels_of_a_pattern_are_checked(self):
        line = self.constraint("S4D4_CR", "dst_mem_pattern", "SBUF write; channels=129")
        self.assert_refused(f"struct-fields.csv:{line}", "S4D4_CR,dst_mem_pattern", "channels=129")

    def test_pattern_that_may_be_indirect_is_not_forbidden_it(self):
        line = self.constraint("S4D4_TR", "src_mem_pattern", "SBUF|PSUM read; no indirect; type=in_dtype")
        self.assert_refused(f"struct-fields.csv:{line}", "S4D4_TR,src_mem_pattern", "isa-core.md 6")

    def test_pattern_that_is_never_indirect_says_so(self):
        line = self.constraint("S4D4_PL", "src_mem_pattern", "SBUF|PSUM read; type=in_dtype")
        self.assert_refused(f"struct-fields.csv:{line}", "S4D4_PL,src_mem_pattern", "missing")

    def test_source_of_the_pe_rows_is_compared(self):
        line = self.change("pe_struct_fields.csv", ("S3D3_MM", "0x02", "out_dtype"), mariana="41")
        self.assert_refused(f"pe_struct_fields.csv:{line}", "S3D3_MM,out_dtype", "41", "40")

    def test_source_of_the_dma_rows_is_compared(self):
        line = self.change("dge_words.csv", ("0xB8", "DMAMEMCPY", "DMA_DIRECT2D", "1", "1", "1", "1",
                                             "1", "13"), offset="14")
        self.assert_refused(f"dge_words.csv:{line}", "DMA_DIRECT2D,semaphore", "14", "13")


class DeviceProofs(Tables):
    def register(self, block, register, **cells):
        """Change one row of registers.csv, found by block and name."""
        lines = []

        def edit(header, rows):
            for i, row in enumerate(rows):
                if row[1:3] == [block, register]:
                    lines.append(i + 2)
                    for column, value in cells.items():
                        row[header.index(column)] = value
        self.rewrite("registers.csv", edit)
        self.assertEqual(len(lines), 1, f"{block}.{register} is not one row")
        return lines[0]

    def test_register_offset_notation_is_checked(self):
        line = self.register("evt_sem", "event[0..255]", offset="0x0000+k*0x4")
        self.assert_refused(f"registers.csv:{line}", "0x0000+k*0x4")

    def test_register_index_needs_a_stride(self):
        line = self.register("evt_sem", "event[0..255]", offset="0x0000")
        self.assert_refused(f"registers.csv:{line}", "event", "1 index ranges, 0 strides")

    def test_register_arch_is_checked(self):
        line = self.register("evt_sem", "event[0..255]", arch="v2;v6")
        self.assert_refused(f"registers.csv:{line}", "v6")

    def test_register_access_is_checked(self):
        line = self.register("evt_sem", "event[0..255]", access="RX")
        self.assert_refused(f"registers.csv:{line}", "RX")

    def test_register_bits_notation_is_checked(self):
        line = self.register("evt_sem", "event[0..255]", bits="value[0..3]")
        self.assert_refused(f"registers.csv:{line}", "value[0..3]")

    def test_register_bits_must_not_overlap(self):
        line = self.register("xt_local", "tensor_replace[0..31].tensor_4d_dim_0",
                             bits="step_size_x[16:0] step_size_y[31:16]")
        self.assert_refused(f"registers.csv:{line}", "bit 16", "step_size_x", "step_size_y")

    def test_register_reset_must_agree_with_its_fields(self):
        line = self.register("tpb_ham", "mon[0..3].ctrl", reset="0x50D")
        self.assert_refused(f"registers.csv:{line}", "tpb_ham.mon", "0x50C", "0x50D")

    def test_registers_must_not_share_an_offset(self):
        line = self.register("evt_sem", "semaphore_set[0..255]", offset="0x1000+i*0x4")
        self.assert_refused(f"registers.csv:{line}", "semaphore_set", "semaphore_read", "0x1000")

    def test_register_name_must_be_unique(self):
        line = self.register("evt_sem", "semaphore_set[0..255]", name="semaphore_read[0..255]")
        self.assert_refused(f"registers.csv:{line}", "semaphore_read", "taken")

    def test_closed_register_lists_are_counted(self):
        self.rewrite("registers.csv", lambda header, rows: rows.__setitem__(
            slice(None), [r for r in rows if r[1:3] != ["tpb", "misc.fake_error_data"]]))
        self.assert_refused("registers.csv", "tpb of sunda", "135", "136")

    def test_aperture_scope_is_checked(self):
        line = self.change("apertures.csv", ("v3", "tpb_soc", "ACT"), scope="tpb")
        self.assert_refused(f"apertures.csv:{line}", "ACT", "'tpb'")

    def test_crossing_apertures_are_refused(self):
        self.change("apertures.csv", ("v3", "tpb_bar", "PE_NX_IRAM"), size="0x28000")
        self.assert_refused("apertures.csv", "PE_NX_DRAM crosses PE_NX_IRAM", "cayman")

    def test_aperture_copies_must_not_overlap(self):
        line = self.change("apertures.csv", ("v3", "tpb_bar", "POOL_Q7_CORE_DRAM"), stride="0x20000")
        self.assert_refused(f"apertures.csv:{line}", "POOL_Q7_CORE_DRAM", "stride")

    def test_notific_registers_must_agree(self):
        line = self.change("notific-registers.csv", ("0x0cc",), offset="0x0d0")
        self.assert_refused(f"notific-registers.csv:{line}", "timestamp_inc.val")

    def test_notific_access_must_agree(self):
        line = self.change("notific-registers.csv", ("0x0b0",), reg_access="RO")
        self.assert_refused(f"notific-registers.csv:{line}", "nq_stats")

    def test_routing_must_name_a_register(self):
        line = self.change("notific-routing.csv", ("tpb 0xA0C sw_queue_num3",),
                           register="tpb 0xA10 sw_queue_num3")
        self.assert_refused(f"notific-routing.csv:{line}", "sw_queue_num3", "0xA0C")

    def test_routing_bits_must_exist(self):
        line = self.change("notific-routing.csv", ("tpb 0x808 notific_ctrl",), bits="9")
        self.assert_refused(f"notific-routing.csv:{line}", "notific_ctrl", "no field")

    def test_record_code_must_be_unique(self):
        line = self.change("notification-types.csv", ("0x1f",), value="0x1e")
        self.assert_refused(f"notification-types.csv:{line}", "TPB_ERROR", "TPB_HAM")

    def test_record_types_are_counted(self):
        self.remove("notification-types.csv", ("0x1b",))
        self.assert_refused("notification-types.csv", "24 record types", "25")

    def test_record_fields_must_not_overlap(self):
        line = self.change("record-fields.csv", ("TPB_ERROR", "sequencer", "info"), bit_lo="47")
        self.assert_refused(f"record-fields.csv:{line}", "TPB_ERROR,info", "bit 47", "program_counter")

    def test_record_field_must_not_overlap_the_frame(self):
        line = self.change("record-fields.csv", ("TPB_HAM", "", "metadata_1"), bits="9")
        self.assert_refused(f"record-fields.csv:{line}", "TPB_HAM,metadata_1", "bit 24", "notific_type")

    def test_record_field_must_name_a_type(self):
        line = self.change("record-fields.csv", ("TPB_HAM", "", "metadata_1"), record="*_HAN")
        self.assert_refused(f"record-fields.csv:{line}", "*_HAN,metadata_1")

    def test_write_buffer_must_be_unique(self):
        line = self.change("notific-wr-buffers.csv", ("0x0c",), bit="0x0b")
        self.assert_refused(f"notific-wr-buffers.csv:{line}", "HAM", "EVSEM")

    def test_trigger_place_must_agree(self):
        line = self.change("tpb-intc-triggers.csv", ("130",), bit="3")
        self.assert_refused(f"tpb-intc-triggers.csv:{line}", "ham_intr", "130")

    def test_dma_cause_mask_must_agree(self):
        line = self.change("udma_iofic.csv", ("B", "S2M", "8"), mask="0x200")
        self.assert_refused(f"udma_iofic.csv:{line}", "descriptor prefetch AXI parity", "bit 8")

    def test_dma_cause_must_be_unique(self):
        line = self.change("udma_iofic.csv", ("B", "S2M", "9"), bit="8", mask="0x100")
        self.assert_refused(f"udma_iofic.csv:{line}", "bit 8 of group B")

    def test_descriptor_fields_must_not_overlap(self):
        line = self.change("udma-descriptor.csv", ("tx", "tag"), bits="8")
        self.assert_refused(f"udma-descriptor.csv:{line + 1}", "tx.meta", "bit 23 is tx.tag's")

    def test_every_bit_of_a_descriptor_is_owned(self):
        self.change("udma-descriptor.csv", ("rx", "tag"), bits="6")
        self.assert_refused("udma-descriptor.csv", "rx: nobody owns bit 22")

    def test_init_value_needs_its_register(self):
        line = self.change("udma-init.csv", ("3",), register="udma.m2s.ostand")
        self.assert_refused(f"udma-init.csv:{line}", "udma.m2s.ostand: no such register")

    def test_config_registers_must_not_overlap(self):
        line = self.change("pci-config.csv", ("bist",), offset="0x0E")
        self.assert_refused(f"pci-config.csv:{line}", "bist", "byte 0xE belongs to header_type")
        self.change("pci-config.csv", ("bist",), offset="0x10")
        self.assert_refused(f"pci-config.csv:{line}", "bist", "byte 0x10 belongs to the BARs")
        self.change("pci-config.csv", ("bist",), offset="0x0F", reset="0x100")
        self.assert_refused(f"pci-config.csv:{line}", "bist", "does not fit 1 bytes")

    def test_bars_must_be_apart(self):
        line = self.change("pci-bars.csv", ("msix", "silicon"), bar="4")
        self.assert_refused(f"pci-bars.csv:{line}", "BAR 4")
        self.change("pci-bars.csv", ("msix", "silicon"), bar="2", size="bar9_bytes")
        self.assert_refused(f"pci-bars.csv:{line}", "bar9_bytes", "no such member")

    def test_pci_models_name_generations_and_members(self):
        line = self.change("pci-models.csv", ("trn2",), generation="neptune")
        self.assert_refused(f"pci-models.csv:{line}", "neptune")
        self.change("pci-models.csv", ("trn2",), generation="cayman", device="pci_id")
        self.assert_refused(f"pci-models.csv:{line}", "pci_id", "no such member")

    def test_the_two_censuses_of_kernels_agree(self):
        row = ("EXTISA_3", "3", "CAYMAN", "7")
        line = self.change("convlut_kernel_info.csv", row, func_va="0x01002260")
        self.assert_refused(f"convlut_kernel_info.csv:{line}", "func_va is 0x01002260, 0x01002258 in")
        self.change("convlut_kernel_info.csv", row, func_va="0x01002258", opcode="0xe5")
        self.assert_refused(f"convlut_kernel_info.csv:{line}", "opcode is 0xe5, 0xe4 in")
        self.change("convlut_kernel_info.csv", row, opcode="0xe4", idx="9")
        self.assert_refused(f"convlut_kernel_info.csv:{line}", "no row CAYMAN EXTISA_3 9")
        self.change("convlut_kernel_info.csv", row[:3] + ("9",), idx="7", lib_uid="0")
        self.assert_refused(f"convlut_kernel_info.csv:{line}", "lib_uid is the number")

    def test_cptc_workers_serve_every_number_of_bits_once(self):
        line = self.change("cptc-workers.csv", ("6", "6"), last_bits="6")
        self.assert_refused(f"cptc-workers.csv:{line}", "1 to 7 bits, each number once")
        self.change("cptc-workers.csv", ("6", "6"), last_bits="7", first_bits="5")
        self.assert_refused(f"cptc-workers.csv:{line}", "1 to 7 bits, each number once")
        line = self.change("cptc-workers.csv", ("3", "4"), guard="3")
        self.assert_refused(f"cptc-workers.csv:{line}", "a guard lets through one number")
        self.change("cptc-workers.csv", ("3", "4"), worker="4")
        self.assert_refused(f"cptc-workers.csv:{line}", "workers run from 1 to 6")

    def test_reset_map_bits_must_fit(self):
        line = self.change("pci-reset-map.csv", ("v3;v4", "topsp"), low="25")
        self.assert_refused(f"pci-reset-map.csv:{line}", "25..32")

    def test_profile_fields_must_not_overlap(self):
        line = self.change("act_profile_fields.csv", ("scale_const",), bit_lo="399", width="33")
        self.assert_refused(f"act_profile_fields.csv:{line}", "scale_const", "399")

    def test_activation_fields_must_not_overlap(self):
        line = self.change("act-entry-fields.csv", ("cam", "later", "func_id_mask"), bit_lo="33")
        self.assert_refused(f"act-entry-fields.csv:{line}", "func_id_mask", "bit 33", "opcode_mask")

    def test_activation_recipes_name_functions_and_known_methods(self):
        line = self.change("act-recipes.csv", ("sin", "4"), outside="wrap")
        self.assert_refused(f"act-recipes.csv:{line}", "outside 'wrap'", "hold", "extrapolate")
        self.change("act-recipes.csv", ("sin", "4"), outside="hold")
        line = self.change("act-recipes.csv", ("tanh", "4"), function="tanhh")
        self.assert_refused(f"act-recipes.csv:{line}", "no function 'tanhh'")

    def test_every_activation_function_has_a_recipe(self):
        self.change("act-recipes.csv", ("mish", "4"), variant="7", function="erf")
        self.assert_refused("act_functions.csv", "mish has no recipe")

    def test_activation_sets_name_recipes(self):
        self.change("act_sets.csv", ("trainium", "16"), **{"heroes (function[budget])": "mish[5]"})
        self.assert_refused("act_sets.csv", "no recipe for mish[5]")
        self.change("act_sets.csv", ("trainium", "16"), **{"heroes (function[budget])": "mish"})
        self.assert_refused("act_sets.csv", "'mish' is not FUNCTION[BUDGET]")

    def test_places_of_activation_sets_follow_each_other(self):
        line = self.change("act_sets.csv", ("toolkit", "21"), index="22")
        self.assert_refused(f"act_sets.csv:{line}", "general stands at place 21")

    def test_activation_fields_stay_in_their_entry(self):
        line = self.change("act-entry-fields.csv", ("bucket", "*", "x0"), bit_lo="228")
        self.assert_refused(f"act-entry-fields.csv:{line}", "x0")

    def test_crosswalk_must_name_opcodes(self):
        line = self.change("nki-crosswalk.csv", ("api", "nki.isa.max8"), opcodes="0x6C|0x0B")
        self.assert_refused(f"nki-crosswalk.csv:{line}", "nki.isa.max8", "0x0B")

    def test_crosswalk_must_name_structs(self):
        line = self.change("nki-crosswalk.csv", ("api", "nki.isa.max8"), structs="S4D2_BX")
        self.assert_refused(f"nki-crosswalk.csv:{line}", "nki.isa.max8", "S4D2_BX")

    def test_error_number_must_be_unique_in_its_group(self):
        line = self.change("errors.csv", ("error_id", "0x0A"), value="0x09")
        self.assert_refused(f"errors.csv:{line}", "SEQUENCER_FATAL", "SEQUENCER_NONFATAL")


class BlockProofs(Tables):
    """register-blocks.csv: rows are named by arch, block and path."""

    def test_block_must_lie_in_an_aperture(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"),
                           aperture="TPB_[0..2]_CSR")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.tpb", "sunda", "TPB_2_CSR")

    def test_block_must_not_leave_its_aperture(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), offset="0x10")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.tpb", "leaves TPB_0_CSR", "0x1000")

    def test_window_of_a_block_must_exist(self):
        line = self.change("register-blocks.csv", ("v3", "evt_sem", "topsp_spare#.evt_sem", "topsp",
                                                   "TOP_SP_[18..19]"), window="TOP_SP_[18..20]")
        self.assert_refused(f"register-blocks.csv:{line}", "TOP_SP_20")

    def test_block_must_have_registers(self):
        line = self.change("register-blocks.csv", ("v4", "intc_top_msix"), arch="v3;v4")
        self.assert_refused(f"register-blocks.csv:{line}", "intc#", "intc_top_msix", "cayman")

    def test_registers_must_fit_the_block(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), size="0x800")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.tpb", "outside the range of 0x800")
        self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), size="0x1000")
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), block_offset="0x8")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.tpb", "0x4 is outside")

    def test_blocks_must_not_overlap(self):
        line = self.change("register-blocks.csv", ("v3;v4", "tdma_notific_cfg", "dma#.tdma_notific_cfg",
                                                   "bar0", "", "SE_[0..3]_SDMA"), offset="0x42000")
        self.assert_refused("register-blocks.csv", "SE_0_SDMA[0]+0x42000", "overlaps", "mariana")
        self.assertGreater(line, 1)

    def test_blocks_that_share_a_range_must_not_collide(self):
        """notific.timestamp_hi lies at 4, and so does tpb.pe_sequencer.instr_dbg_ctrl."""
        line = self.change("register-blocks.csv", ("v2", "notific", "core#.notific"),
                           block="notific;tpb")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.notific", "share offset 0x4")

    def test_path_of_a_block_must_be_unique(self):
        line = self.change("register-blocks.csv", ("v3;v4", "intc_4grp", "core#.trig1"),
                           path="core#.trig0")
        self.assert_refused("register-blocks.csv", "core0.trig0 is the name of", "cayman")
        self.assertGreater(line, 1)

    def test_path_of_a_block_names_an_owner(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), path="tile#.tpb")
        self.assert_refused(f"register-blocks.csv:{line}", "tile#.tpb", "core, topsp")

    def test_only_topsp_rows_have_a_window(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), window="TOP_SP")
        self.assert_refused(f"register-blocks.csv:{line}", "core#.tpb", "window")

    def test_form_and_scope_of_a_block_are_checked(self):
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), form="two-queue")
        self.assert_refused(f"register-blocks.csv:{line}", "two-queue", "one-queue, ten-queue")
        line = self.change("register-blocks.csv", ("v2", "tpb", "core#.tpb"), form="", scope="soc")
        self.assert_refused(f"register-blocks.csv:{line}", "'soc'")

    def test_no_register_file_is_forgotten(self):
        self.remove("register-blocks.csv", ("v3", "xt_local", "core#.dve.xt_local"))
        self.assert_refused("apertures.csv", "DVE_LOCAL_REG", "no block in it on cayman")

    def test_engine_blocks_have_one_place(self):
        line = self.change("generations.csv", ("bar_engine_dve",), maverick="0x8C00000")
        self.assert_refused(f"generations.csv:{line}", "bar_engine_dve", "DVE_LOCAL_REG", "maverick")

    def test_address_fields_must_not_overlap(self):
        line = self.change("soc-fields.csv", ("v3;v4;v5", "chip_id_valid"), low="53")
        self.assert_refused(f"soc-fields.csv:{line}", "chip_id_valid", "bit 53", "chip_id")

    def test_windows_of_cores_have_one_place(self):
        line = self.change("generations.csv", ("bar0_tpb_stride",), cayman="0x8000000")
        self.assert_refused("generations.csv", "TPB_1", "cayman")
        self.assertGreater(line, 1)


class Reading(Tables):
    def test_row_with_a_missing_column_is_refused(self):
        self.rewrite("opcodes.csv", lambda header, rows: rows[3].pop())
        self.assert_refused("opcodes.csv:5", "columns")

    def test_number_that_is_none_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "imm0"), sunda_off="forty")
        self.assert_refused(f"struct-fields.csv:{line}", "forty")

    def test_generation_span_is_checked(self):
        line = self.change("rules.csv", ("T9",), gens="v4-v3")
        self.assert_refused(f"rules.csv:{line}", "v4-v3")

    def test_unknown_type_is_refused(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "imm0"), type="imm5")
        self.assert_refused(f"struct-fields.csv:{line}", "imm5")


class Command(Tables):
    def tablegen(self, *arguments):
        return subprocess.run([sys.executable, TABLEGEN, "--data", self.directory, *arguments],
                              capture_output=True, text=True, check=False)

    def test_broken_table_stops_the_build_and_writes_nothing(self):
        line = self.change("struct-fields.csv", ("S3D3_TS", "op0"), constraint="T2; T99")
        out = os.path.join(self.directory, "out")
        done = self.tablegen("--out", out)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"data/struct-fields.csv:{line}: S3D3_TS,op0", done.stderr)
        self.assertFalse(os.path.exists(out))

    def test_two_broken_tables_are_both_named(self):
        self.change("rules.csv", ("T5",), rule="T4")
        self.change("udma_iofic.csv", ("B", "S2M", "8"), mask="0x200")
        done = self.tablegen()
        self.assertEqual(done.returncode, 1)
        self.assertIn("rules.csv", done.stderr)
        self.assertIn("udma_iofic.csv", done.stderr)

    def test_missing_table_is_one_message(self):
        os.remove(os.path.join(self.directory, "opcodes.csv"))
        done = self.tablegen()
        self.assertEqual(done.returncode, 1)
        self.assertIn("opcodes.csv", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


class RegisterNotation(unittest.TestCase):
    """The notation of README 3.1 against places the sheets print."""

    def setUp(self):
        self.registers = {(r.block, r.name): r for r in registers.load_registers(DATA)}

    def test_places_of_an_index(self):
        """address-map.md 5.5: 256 semaphores to increment at 0x1800, four bytes apart."""
        places = self.registers["evt_sem", "semaphore_inc[0..255]"].places()
        self.assertEqual((len(places), places[0], places[3], places[255]),
                         (256, 0x1800, 0x180C, 0x1BFC))

    def test_places_of_two_indices(self):
        """registers.csv gives the source's form of seed[i][j]: 0x2000 + 8 * (j + 16 * (i + 8))."""
        places = self.registers["sdma_cce_user", "seed[0..15][0..15]"].places()
        self.assertEqual(places, [0x2000 + 8 * (j + 16 * (i + 8)) for i in range(16) for j in range(16)])

    def test_second_name_and_literal_element(self):
        """sequencer.md 9.2: lr[38] is the feature flag, slots are 0x20 apart from 0x1000."""
        register = self.registers["xt_local", "general.lr[38]"]
        self.assertEqual((register.alias, register.places()), ("feature_flag", [0x1000 + 38 * 0x20]))


if __name__ == "__main__":
    unittest.main()
