/* SPDX-License-Identifier: Apache-2.0 */
/* Rows found by word, name and value. Expected values: docs/hardware/isa-core.md sections 8, 9, 11.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/lookup.h"
#include "trench/isa.h"

enum { SUNDA, CAYMAN, MARIANA, MAVERICK };

static int opcode_of(const char *name)
{
    return trn_opcode_find(name, strlen(name));
}

static const struct trn_field_row *field_of(enum trn_struct_id id, const char *name)
{
    return trn_field_find(id, name, strlen(name));
}

static enum trn_struct_id struct_of(uint8_t opcode, uint8_t byte12, unsigned isa)
{
    uint8_t word[TRN_WORD_BYTES] = {opcode, 0x10};
    word[12] = byte12;
    return trn_word_struct(word, isa);
}

static void test_engines_have_names(void **state)
{
    (void)state;
    const char *const names[] = {"pe", "act", "pool", "dve", "sp"}; /* NEURON_ENGINE 0..4 */
    for (int i = 0; i < 5; i++) {
        assert_string_equal(trn_engine_name(i), names[i]);
        assert_int_equal(trn_engine_find(names[i]), i);
    }
    assert_null(trn_engine_name(5));
    assert_null(trn_engine_name(-1));
    assert_int_equal(trn_engine_find("top_sp"), -1);
    assert_int_equal(trn_engine_find(""), -1);
}

static void test_opcode_is_found_by_mnemonic_and_by_name(void **state)
{
    (void)state;
    assert_int_equal(opcode_of("matmul"), 0x02);
    assert_int_equal(opcode_of("tensor_scalar_arith"), 0x43);
    assert_int_equal(opcode_of("TENSOR_SCALAR_ARITH_OP"), 0x43);
    assert_int_equal(opcode_of("halt"), 0xA1);
    assert_int_equal(opcode_of("invalid"), 0xFF);
    assert_int_equal(opcode_of("matmu"), -1);
    assert_int_equal(opcode_of("matmull"), -1);
    assert_int_equal(opcode_of(""), -1);
    assert_int_equal(trn_opcode_find("halting", 4), 0xA1); /* the length decides */
    assert_string_equal(trn_opcode_name(0xE4), "CONV_LUT_LOAD");
    assert_null(trn_opcode_name(0x0B));
}

static void test_every_opcode_finds_itself(void **state)
{
    (void)state;
    unsigned on_isa[TRN_ISA_COUNT] = {0};
    for (int i = 0; i < 256; i++) {
        const struct trn_opcode_row *row = &trn_opcode_table[i];
        if (!row->name)
            continue;
        assert_int_equal(opcode_of(row->name), i);
        assert_int_equal(opcode_of(row->mnemonic), i);
        for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++)
            on_isa[isa] += row->isa_mask >> isa & 1;
    }
    /* isa-core.md 11: 145, 150, 159 and 165 opcodes */
    assert_int_equal(on_isa[SUNDA], 145);
    assert_int_equal(on_isa[CAYMAN], 150);
    assert_int_equal(on_isa[MARIANA], 159);
    assert_int_equal(on_isa[MAVERICK], 165);
}

static void test_word_has_the_struct_of_its_generation(void **state)
{
    (void)state;
    assert_int_equal(struct_of(0x43, 0, SUNDA), TRN_STRUCT_S3D3_TS);
    assert_int_equal(struct_of(0x02, 0, MAVERICK), TRN_STRUCT_S3D3_MM);
    /* 9.10: 0x7B is declared on SUNDA, its struct ships from CAYMAN */
    assert_int_equal(struct_of(0x7B, 0, SUNDA), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0x7B, 0, CAYMAN), TRN_STRUCT_S3D3_TENS_DEQUANT);
    /* 11: 0x8A leaves and 0xE4 comes with CAYMAN, 0xE3 with MARIANA */
    assert_int_equal(struct_of(0x8A, 0, SUNDA), TRN_STRUCT_S3S3D3_TT);
    assert_int_equal(struct_of(0x8A, 0, CAYMAN), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0xE4, 0, SUNDA), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0xE3, 0, CAYMAN), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0xE3, 0, MARIANA), TRN_STRUCT_S3DMX1_QUANT);
    /* no layout at all, and no opcode at all */
    assert_int_equal(struct_of(0x03, 0, CAYMAN), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0x0B, 0, CAYMAN), TRN_STRUCT_NONE);
    assert_int_equal(struct_of(0xEB, 0, MAVERICK), TRN_STRUCT_NONE);
}

static void test_extended_word_is_chosen_by_byte_12(void **state)
{
    (void)state;
    assert_int_equal(struct_of(0xF0, 2, CAYMAN), TRN_STRUCT_EXTENDED_TT);
    assert_int_equal(struct_of(0xF0, 7, CAYMAN), TRN_STRUCT_EXTENDED_CPTC);
    assert_int_equal(struct_of(0xF0, 8, MARIANA), TRN_STRUCT_EXTENDED_RDMA_GEN);
    assert_int_equal(struct_of(0xF0, 9, MAVERICK), TRN_STRUCT_EXTENDED_RDMA_START);
    for (int other = 0; other < 256; other++)
        if (other != 2 && other != 7 && other != 8 && other != 9)
            assert_int_equal(struct_of(0xF0, (uint8_t)other, CAYMAN), TRN_STRUCT_EXTENDED);
    assert_int_equal(struct_of(0xF0, 2, SUNDA), TRN_STRUCT_EXTENDED); /* arms ship from CAYMAN */
    assert_int_equal(struct_of(0x43, 2, CAYMAN), TRN_STRUCT_S3D3_TS);
}

static void test_field_is_found_by_sheet_name_and_short_name(void **state)
{
    (void)state;
    const struct trn_field_row *src = field_of(TRN_STRUCT_S3D3_TS, "src_mem_pattern");
    assert_non_null(src);
    assert_ptr_equal(field_of(TRN_STRUCT_S3D3_TS, "src"), src);
    assert_int_equal(src->offset[CAYMAN], 16);
    assert_int_equal(src->type, TRN_TYPE_PATTERN3D);
    assert_int_equal(field_of(TRN_STRUCT_S3D3_TS, "in")->offset[SUNDA], 32);
    assert_int_equal(field_of(TRN_STRUCT_S3D3_TS, "OUT_DTYPE")->offset[SUNDA], 33);
    assert_int_equal(field_of(TRN_STRUCT_S3D3_TS, "ch")->offset[SUNDA], 34);
    assert_int_equal(field_of(TRN_STRUCT_S3D3_TS, "wait_mode")->offset[SUNDA], 4);
    assert_null(field_of(TRN_STRUCT_S3D3_TS, "src1"));
    assert_null(field_of(TRN_STRUCT_S3D3_TS, "num_active_channel"));
    assert_int_equal(field_of(TRN_STRUCT_NONE, "update_idx")->offset[MAVERICK], 7);
    assert_null(field_of(TRN_STRUCT_NONE, "src"));
}

static void test_type_beside_its_pattern_keeps_its_full_name(void **state)
{
    (void)state;
    /* S2_BNPL2 has src_mem_pattern and src_dtype: `src` is the pattern */
    assert_string_equal(field_of(TRN_STRUCT_S2_BNPL2, "src")->name, "src_mem_pattern");
    assert_string_equal(field_of(TRN_STRUCT_S2_BNPL2, "src_dtype")->short_name, "src_dtype");
    assert_string_equal(field_of(TRN_STRUCT_S2S2D2_STT, "imm0")->name, "imm0");
    assert_string_equal(field_of(TRN_STRUCT_S2S2D2_STT, "imm0_dtype")->short_name, "imm0_dtype");
}

static void test_field_absent_on_a_generation_has_no_offset(void **state)
{
    (void)state;
    const struct trn_field_row *flags = field_of(TRN_STRUCT_S3D3_MM, "flags.accumulate");
    assert_non_null(flags);
    assert_int_equal(flags->offset[SUNDA], -1);
    assert_int_equal(flags->offset[CAYMAN], -1);
    assert_int_equal(flags->offset[MARIANA], 42);
    assert_int_equal(flags->offset[MAVERICK], 39);
    assert_int_equal(flags->bit_lo, 4);
    assert_int_equal(flags->bits, 1);
}

static void test_every_field_finds_itself(void **state)
{
    (void)state;
    for (int s = 0; s < TRN_STRUCT_COUNT; s++) {
        const struct trn_struct_row *row = &trn_struct_table[s];
        for (size_t i = 0; i < row->num_fields; i++) {
            const struct trn_field_row *field = &row->fields[i];
            assert_ptr_equal(field_of((enum trn_struct_id)s, field->name), field);
            assert_ptr_equal(field_of((enum trn_struct_id)s, field->short_name), field);
        }
    }
}

static const struct trn_enum_member *member(enum trn_enum_id id, const char *name, unsigned isa)
{
    return trn_enum_by_name(id, name, strlen(name), isa);
}

static void test_enum_member_is_found_on_its_generations_only(void **state)
{
    (void)state;
    assert_int_equal(member(TRN_ENUM_DTYPE, "bf16", SUNDA)->value, 6);
    assert_int_equal(member(TRN_ENUM_DTYPE, "BFLOAT16", SUNDA)->value, 6);
    assert_int_equal(member(TRN_ENUM_ALU_OP, "add", SUNDA)->value, 4);
    assert_null(member(TRN_ENUM_ALU_OP, "addd", SUNDA));
    assert_null(member(TRN_ENUM_ALU_OP, "", SUNDA));
    assert_null(member(TRN_ENUM_NONE, "add", SUNDA));
    /* MX_PERF_MODE is an enum of MAVERICK, FP4_EXP2 a type from MARIANA on */
    assert_null(member(TRN_ENUM_MX_PERF_MODE, "oct_row", MARIANA));
    assert_int_equal(member(TRN_ENUM_MX_PERF_MODE, "oct_row", MAVERICK)->value, 4);
    assert_null(member(TRN_ENUM_DTYPE, "fp4_exp2", CAYMAN));
    assert_int_equal(member(TRN_ENUM_DTYPE, "fp4_exp2", MARIANA)->value, 0x10);
    assert_null(trn_enum_by_value(TRN_ENUM_DTYPE, 0x10, CAYMAN));
    assert_string_equal(trn_enum_by_value(TRN_ENUM_DTYPE, 0x10, MARIANA)->name, "FP4_EXP2");
    assert_string_equal(trn_enum_by_value(TRN_ENUM_DTYPE, 6, SUNDA)->text, "bf16");
    assert_null(trn_enum_by_value(TRN_ENUM_TENSOR_SUBDIM, 1, CAYMAN)); /* 8: 1 is no member */
    assert_null(trn_enum_by_value(TRN_ENUM_REV_OPS, 4, CAYMAN));
    assert_null(trn_enum_by_value(TRN_ENUM_REV_OPS, UINT32_MAX, CAYMAN));
    assert_null(trn_enum_by_value(TRN_ENUM_NONE, 0, CAYMAN));
}

static void test_every_enum_member_finds_itself(void **state)
{
    (void)state;
    for (int e = 1; e < TRN_ENUM_COUNT; e++) {
        const struct trn_enum_row *row = &trn_enum_table[e];
        for (size_t i = 0; i < row->num_members; i++)
            for (unsigned isa = 0; isa < TRN_ISA_COUNT; isa++) {
                const struct trn_enum_member *m = &row->members[i];
                const struct trn_enum_member *want = m->isa_mask >> isa & 1 ? m : NULL;
                const enum trn_enum_id id = (enum trn_enum_id)e;
                assert_ptr_equal(member(id, m->name, isa), want);
                assert_ptr_equal(member(id, m->text, isa), want);
                assert_ptr_equal(trn_enum_by_value(id, m->value, isa), want);
            }
    }
}

static void test_tables_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(trn_struct_find("s3d3_ts"), TRN_STRUCT_S3D3_TS);
    assert_int_equal(trn_struct_find("COMMON"), TRN_STRUCT_NONE);
    assert_int_equal(trn_enum_find("Rev_Ops"), TRN_ENUM_REV_OPS);
    assert_int_equal(trn_enum_find("REV"), TRN_ENUM_NONE);
    assert_string_equal(trn_rule_table[trn_rule_find("tt5")].name, "TT5");
    assert_int_equal(trn_rule_find("T99"), -1);
    assert_int_equal(trn_composite_find("pattern3d")->num_fields, 3);
    assert_null(trn_composite_find("pattern5d"));
}

static void test_names_of_any_length_are_hashed_in_bounds(void **state)
{
    (void)state;
    char name[64];
    memset(name, 'q', sizeof name);
    for (size_t length = 0; length <= sizeof name; length++) /* the sanitizers watch */
        assert_int_equal(trn_opcode_find(name, length), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engines_have_names),
        cmocka_unit_test(test_opcode_is_found_by_mnemonic_and_by_name),
        cmocka_unit_test(test_every_opcode_finds_itself),
        cmocka_unit_test(test_word_has_the_struct_of_its_generation),
        cmocka_unit_test(test_extended_word_is_chosen_by_byte_12),
        cmocka_unit_test(test_field_is_found_by_sheet_name_and_short_name),
        cmocka_unit_test(test_type_beside_its_pattern_keeps_its_full_name),
        cmocka_unit_test(test_field_absent_on_a_generation_has_no_offset),
        cmocka_unit_test(test_every_field_finds_itself),
        cmocka_unit_test(test_enum_member_is_found_on_its_generations_only),
        cmocka_unit_test(test_every_enum_member_finds_itself),
        cmocka_unit_test(test_tables_are_found_by_name),
        cmocka_unit_test(test_names_of_any_length_are_hashed_in_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
