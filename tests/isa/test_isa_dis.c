/* SPDX-License-Identifier: Apache-2.0 */
/* What words print as when they are not quite what a program would contain, and their fields as
 * values. Bytes are laid out by hand from data/struct-fields.csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/isa.h"

/* One byte of a word. */
struct byte {
    uint8_t at, value;
};

enum { MAX_BYTES = 12 };

static const char *text_of(const char *gen, const struct byte bytes[MAX_BYTES])
{
    static char text[TRN_DIS_MAX];
    uint8_t word[TRN_INST_BYTES] = {[1] = 0x10};
    for (size_t i = 0; i < MAX_BYTES; i++)
        if (bytes[i].at || bytes[i].value)
            word[bytes[i].at] = bytes[i].value;
    const size_t length = trn_dis_word(trn_gen_find(gen), word, text);
    assert_int_equal(length, strlen(text));
    return text;
}

#define ZEROS_16 "00000000000000000000000000000000"

static const struct {
    const char *gen;
    struct byte bytes[MAX_BYTES];
    const char *text;
} rows[] = {
    /* reserved bytes, header, values of no member */
    {"cayman",
     {{0, 0xA1}, {16, 1}, {18, 2}},
     "halt rsvd_16=hex:01000200000000000000000000000000000000\n"},
    {"sunda",
     {{0, 0x43}, {13, 1}, {15, 3}},
     "tensor_scalar_arith imm0=0.0 imm1=0.0 reserved0=0x30001\n"},
    {"cayman",
     {{0, 0xA4}, {1, 0x11}, {2, 2}, {3, 9}},
     "nop inst_word_len=17 debug_cmd=0x2 debug_hint=9\n"},
    {"maverick", {{0, 0xA4}, {3, 0x87}}, "nop inst_flags.tile_idx=3 inst_flags.rest=33\n"},
    {"sunda", {{0, 0x46}, {32, 0x10}}, "copy in=0x10\n"}, /* FP4_EXP2 came with v4 */
    {"mariana", {{0, 0x46}, {32, 0x10}}, "copy in=fp4_exp2\n"},
    /* patterns: the markers of no arm, a register form with address bits, an index with a count too
       far */
    {"cayman", {{0, 0x46}, {15, 0x60}}, "copy src=hex:0000006000000000000000000000000000000000\n"},
    {"cayman",
     {{0, 0x46}, {13, 1}, {15, 0x80}},
     "copy src=hex:0001008000000000000000000000000000000000\n"},
    {"cayman",
     {{0, 0x46}, {15, 0x20}, {31, 1}},
     "copy src=hex:0000002000000000000000000000000000000001\n"},
    {"cayman",
     {{0, 0x46}, {15, 0x40}, {17, 0x80}},
     "copy src=hex:0000004000800000000000000000000000000000\n"},
    {"cayman", {{0, 0x46}, {15, 0x1F}, {24, 1}}, "copy src=0x1f000000:(1,0,0,0)/(0,0,0,0)\n"},
    {"mariana",
     {{0, 0x09}, {16, 4}, {27, 8}},
     "ldweights_mx src=sbuf[p0,0x4]:(0)/(0)+scale(sbuf[p0,0x0],8)\n"},
    {"mariana",
     {{0, 0x09}, {19, 0x20}, {20, 4}, {28, 3}, {31, 12}},
     "ldweights_mx src=sbuf[p0,0x4]:idx(sbuf[p0,0x0],3)+scale(sbuf[p0,0x0],12)\n"},
    {"mariana", {{0, 0x09}, {19, 0x40}}, "ldweights_mx src=hex:00000040000000000000000000000000\n"},
    /* addresses: markers only fields can have, PSUM by generation */
    {"cayman", {{0, 0x22}, {40, 5}, {43, 0x80}}, "activate_quantize bias_addr=r5\n"},
    {"cayman", {{0, 0x22}, {43, 0x20}}, "activate_quantize bias_addr=0x20000000\n"},
    {"cayman", {{0, 0x22}, {41, 0x80}, {43, 2}}, "activate_quantize bias_addr=psum[p1,0x0]\n"},
    {"maverick", {{0, 0x22}, {41, 0x80}, {43, 8}}, "activate_quantize bias_addr=psum[p1,0x0]\n"},
    {"maverick", {{0, 0x22}, {43, 2}}, "activate_quantize bias_addr=sbuf[p32,0x0]\n"},
    /* ADDR8: table forms, the form of a variable, bits above a register pair */
    {"cayman",
     {{0, 0xB8}, {16, 0x40}, {20, 3}, {23, 0x20}},
     "dmamemcpy src_start_addr=table[3,0x40]\n"},
    {"cayman", {{0, 0xB8}, {16, 7}, {20, 3}, {23, 0x28}}, "dmamemcpy src_start_addr=table[3,r7]\n"},
    {"cayman",
     {{0, 0xB8}, {16, 7}, {20, 3}, {23, 0x6C}},
     "dmamemcpy src_start_addr=shape(table[3,r7/wide])\n"},
    {"cayman", {{0, 0xB8}, {16, 4}, {17, 5}, {23, 0x80}}, "dmamemcpy src_start_addr=r4/r5\n"},
    {"cayman",
     {{0, 0xB8}, {16, 4}, {18, 1}, {23, 0x80}},
     "dmamemcpy src_start_addr=0x8000000000010004\n"},
    {"cayman",
     {{0, 0xB8}, {16, 9}, {23, 0x41}},
     "dmamemcpy src_start_addr=shape(0x100000000000009)\n"},
    {"cayman", {{0, 0xB8}, {16, 9}, {23, 0x10}}, "dmamemcpy src_start_addr=0x1000000000000009\n"},
    {"cayman", {{0, 0xB8}, {38, 0x45}}, "dmamemcpy src_bound_reg=0x45\n"},
    /* immediates: sources that the value cannot show */
    {"cayman", {{0, 0x43}, {35, 1}}, "tensor_scalar_arith imm0=sbuf[p0,0x0] imm1=0.0\n"},
    {"cayman",
     {{0, 0x43}, {35, 1}, {43, 0x40}},
     "tensor_scalar_arith imm0=0x40000000 imm0_src=pointer imm1=0.0\n"},
    {"cayman",
     {{0, 0x43}, {35, 2}, {40, 5}, {41, 1}},
     "tensor_scalar_arith imm0=0x105 imm0_src=reg_ptr imm1=0.0\n"},
    {"cayman", {{0, 0x43}, {35, 9}}, "tensor_scalar_arith imm0=0x0 imm0_src=0x9 imm1=0.0\n"},
    {"cayman",
     {{0, 0x43}, {40, 1}, {42, 0xC0}, {43, 0x7F}},
     "tensor_scalar_arith imm0=nan:0x7fc00001 imm1=0.0\n"},
    {"cayman", {{0, 0x21}}, "activate bias=sbuf[p0,0x0]\n"},
    {"cayman", {{0, 0x21}, {15, 1}}, "activate\n"},
    {"cayman", {{0, 0x6D}, {48, 1}}, "match_value_load imm0_ptr=sbuf[p0,0x0] imm0_src=1\n"},
    {"cayman",
     {{0, 0x94}, {62, 0x31}},
     "batch_norm_grad_accumulate2 imm0=sbuf[p0,0x0] imm1=0x0 imm0_imm1_src=pointer/0x3\n"},
    /* sync blocks: what no line can say */
    {"cayman", {{0, 0xA4}, {5, 3}}, "nop wait_idx=3\n"},
    {"cayman",
     {{0, 0xA4}, {4, 0x85}, {8, 1}, {9, 1}},
     "nop wait_mode=sem_ge_reg semaphore_value=257\n"},
    {"cayman", {{0, 0xA4}, {4, 0x95}, {8, 1}}, "nop wait_mode=0x95 semaphore_value=1\n"},
    {"maverick", {{0, 0xA4}, {4, 0x06}}, "nop wait_mode=0x6\n"},
    {"maverick", {{0, 0xA4}, {4, 0xFE}, {5, 1}}, "nop wait_mode=unordered wait_idx=1\n"},
    {"cayman", {{0, 0xA4}, {4, 0xFF}, {6, 0xFF}}, "nop wait_mode=invalid update_mode=invalid\n"},
    {"cayman",
     {{0, 0xA4}, {6, 0x13}, {8, 7}},
     "nop semaphore_value=7\n  update sem=0 inc complete\n"},
    {"cayman",
     {{0, 0xA4}, {4, 5}, {6, 0x15}, {8, 7}},
     "nop\n  wait sem=0 ge 7\n  update sem=0 add 7 complete\n"},
    {"cayman", {{0, 0xA0}, {40, 7}}, "event_semaphore ext_update_value=7\n"},
    /* branches that the short form cannot say */
    {"cayman", {{0, 0xA9}, {13, 8}}, "branch always 0\n"},
    {"cayman", {{0, 0xA9}}, "compare_branch\n"}, /* no type */
    {"cayman", {{0, 0xA9}, {12, 7}, {13, 8}}, "compare_branch compare_op=0x7 dtype=int32\n"},
    {"cayman",
     {{0, 0xA9}, {12, 5}, {13, 8}, {33, 1}},
     "compare_branch compare_op=ge_imm dtype=int32 cmp_reg1=r1\n"},
    {"cayman", {{0, 0xA9}, {13, 8}, {14, 2}}, "compare_branch dtype=int32 target_mode=label\n"},
    {"cayman",
     {{0, 0xA9}, {13, 8}, {14, 3}, {52, 1}},
     "compare_branch dtype=int32 target_mode=rel_immediate br_immediate=0x100000000\n"},
    {"cayman",
     {{0, 0xA9}, {12, 12}, {13, 9}, {14, 1}, {32, 1}, {33, 2}, {34, 3}, {35, 4}, {15, 1}},
     "branch ne.uint32 r1 r2 r3/r4 rsvd_15=0x1\n"},
    {"cayman",
     {{0, 0xA9}, {12, 6}, {13, 10}, {14, 4}, {19, 0xBF}, {18, 0x80}, {34, 3}},
     "branch gt.fp32 r0 -1.0 .+r3\n"},
    /* words without a layout */
    {"cayman",
     {{0, 0x03}, {63, 1}},
     ".word 03100000000000000000000000000000" ZEROS_16 ZEROS_16
     "00000000000000000000000000000001 ; pe_reg_write\n"},
    {"sunda",
     {{0, 0xBD}},
     ".word bd100000000000000000000000000000" ZEROS_16 ZEROS_16 ZEROS_16 "\n"},
    {"cayman",
     {{0, 0x87}},
     ".word 87100000000000000000000000000000" ZEROS_16 ZEROS_16 ZEROS_16 "\n"},
    /* switched off by its own header */
    {"sunda",
     {{0, 0x88}, {34, 1}, {37, 4}},
     ".disabled tensor_scalar_ptr_multi_dual_bitvec ch=1 op_dim=xyz\n"},
    {"cayman",
     {{0, 0x88}},
     ".word 88100000000000000000000000000000" ZEROS_16 ZEROS_16 ZEROS_16 "\n"},
    /* structs without a sync block */
    {"maverick",
     {{0, 0xB6}, {4, 0x10}, {5, 2}, {8, 0x99}, {63, 1}},
     "compact_control_inst insts=[add:0x2,0x99:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x0,"
     "nop:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x0,nop:0x10000]\n"},
    {"maverick",
     {{0, 0xB9}, {12, 0x21}, {16, 1}, {47, 1}},
     "dma_memcpy2 addr_mode.src=reg_pair addr_mode.dst=reg_imm32 src_start_addr=regs(r1,r0,r0,0) "
     "dst_start_addr=regs(r0,r0,r0,0x1000000)\n"},
    {"cayman",
     {{0, 0xDA}, {2, 5}, {4, 1}},
     "pseudo_extension flags.gather_dim=y idx_num_active_channels=5 "
     "src_idx_start_addr=sbuf[p0,0x1]\n"},
};

static void test_words_print_as_expected(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = text_of(rows[i].gen, rows[i].bytes);
        if (strcmp(text, rows[i].text) == 0)
            continue;
        print_error("got:  %swant: %s", text, rows[i].text);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* ---- streams ----------------------------------------------------------------------- */

static trn_status append(void *context, const char *text, size_t size)
{
    strncat(context, text, size);
    return TRN_OK;
}

static trn_status refuse(void *context, const char *text, size_t size)
{
    (void)text, (void)size;
    ++*(int *)context;
    return TRN_ERR_IO;
}

static void test_stream_has_labels_where_branches_go(void **state)
{
    (void)state;
    uint8_t words[4 * TRN_INST_BYTES] = {0};
    for (size_t i = 0; i < 4; i++) {
        uint8_t *word = words + i * TRN_INST_BYTES;
        word[0] = 0xA9;
        word[1] = 0x10;
        word[13] = 8;
        word[14] = 3;
    }
    const int32_t distances[] = {2 * 64, -64, 2 * 64,
                                 96}; /* to 2, to 0, to the end, between words */
    for (size_t i = 0; i < 4; i++)
        memcpy(words + i * TRN_INST_BYTES + 48, &distances[i], 4);
    char text[512] = "";
    assert_int_equal(trn_dis_stream(trn_gen_at(0), 4, words, 4, append, text), TRN_OK);
    assert_string_equal(text, ".gen sunda\n.engine sp\n"
                              "L0:\nbranch always L2\nbranch always L0\n"
                              "L2:\nbranch always L4\nbranch always .+96\nL4:\n");
    text[0] = '\0';
    assert_int_equal(trn_dis_stream(trn_gen_at(3), TRN_ENGINE_ANY, words, 0, append, text), TRN_OK);
    assert_string_equal(text, ".gen mariana_plus\n");
}

static void test_stream_stops_when_the_sink_refuses(void **state)
{
    (void)state;
    static uint8_t words[4096 * TRN_INST_BYTES];
    int calls = 0;
    assert_int_equal(trn_dis_stream(trn_gen_at(0), 0, words, 4096, refuse, &calls), TRN_ERR_IO);
    assert_int_equal(calls, 1);
}

/* ---- fields as values -------------------------------------------------------------- */

static struct trn_field_view field_named(const struct trn_gen *gen, const uint8_t *word,
                                         const char *name)
{
    struct trn_field_view field;
    for (size_t i = 0;; i++) {
        const trn_status status = trn_word_field(gen, word, i, &field);
        if (status == TRN_ERR_RANGE)
            fail_msg("no field %s", name);
        if (status == TRN_OK && strcmp(field.name, name) == 0)
            return field;
    }
}

static void test_word_info_names_opcode_struct_and_engines(void **state)
{
    (void)state;
    uint8_t word[TRN_INST_BYTES] = {0x43, 0x10};
    struct trn_word_info info = trn_word_info(trn_gen_find("cayman"), word);
    assert_string_equal(info.name, "TENSOR_SCALAR_ARITH_OP");
    assert_string_equal(info.mnemonic, "tensor_scalar_arith");
    assert_string_equal(info.struct_name, "S3D3_TS");
    assert_int_equal(info.engines, 1 << 1 | 1 << 2 | 1 << 3); /* ACT, POOL, DVE */
    assert_int_equal(trn_word_info(trn_gen_find("maverick"), word).engines, 1 << 2 | 1 << 3);
    word[0] = 0xE2; /* RAND2, from v4 */
    assert_null(trn_word_info(trn_gen_find("sunda"), word).name);
    word[0] = 0x03;
    info = trn_word_info(trn_gen_find("sunda"), word);
    assert_string_equal(info.name, "PE_REG_WRITE");
    assert_null(info.struct_name);
    word[0] = 0xF0;
    word[12] = 7;
    assert_string_equal(trn_word_info(trn_gen_find("cayman"), word).struct_name, "EXTENDED_CPTC");
    assert_string_equal(trn_word_info(trn_gen_find("sunda"), word).struct_name, "EXTENDED");
}

static void test_fields_are_typed_values(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    /* source sbuf p32 byte 16, steps 1 -2 1, counts 4 3 1; destination in r9; FP32, 0x77; ADD */
    const uint8_t word[TRN_INST_BYTES] = {
        [0] = 0x43, [1] = 0x10, [16] = 0x10, [18] = 0x80, [20] = 1,    [22] = 0xFE, [23] = 0xFF,
        [24] = 1,   [26] = 4,   [28] = 3,    [30] = 1,    [32] = 0x0A, [33] = 0x77, [34] = 64,
        [35] = 1,   [36] = 4,   [39] = 2,    [40] = 8,    [44] = 63,   [48] = 9,    [51] = 0x80,
    };
    struct trn_field_view field = field_named(gen, word, "src_mem_pattern");
    assert_int_equal(field.kind, TRN_VALUE_PATTERN);
    assert_int_equal(field.pattern.form, TRN_PATTERN_SHAPE);
    assert_string_equal(field.short_name, "src");
    assert_string_equal(field.pattern.start.space, "sbuf");
    assert_int_equal(field.pattern.start.partition, 32);
    assert_int_equal(field.pattern.start.byte, 16);
    assert_int_equal(field.pattern.start.address, 0x800010);
    assert_int_equal(field.pattern.ndim, 3);
    assert_int_equal(field.pattern.step[1], -2);
    assert_int_equal(field.pattern.num[1], 3);
    field = field_named(gen, word, "dst_mem_pattern");
    assert_true(field.pattern.start.from_register);
    assert_int_equal(field.pattern.start.reg, 9);
    field = field_named(gen, word, "in_dtype");
    assert_string_equal(field.symbol, "fp32");
    assert_string_equal(field.enum_name, "DTYPE");
    field = field_named(gen, word, "out_dtype");
    assert_null(field.symbol);
    assert_int_equal(field.number, 0x77);
    field = field_named(gen, word, "imm0");
    assert_int_equal(field.kind, TRN_VALUE_POINTER);
    assert_int_equal(field.pattern.start.byte, 8);
    field = field_named(gen, word, "imm1");
    assert_int_equal(field.kind, TRN_VALUE_REGISTER);
    assert_int_equal(field.number, 63);
    assert_true(field_named(gen, word, "reserved0").reserved);
}

static void test_lists_strings_and_pairs_are_values(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    const uint8_t load[TRN_INST_BYTES] = {
        [0] = 0xAA, [24] = 0xFF, [25] = 0xFF, [26] = 0xFF, [27] = 0xFF, [28] = 7};
    struct trn_field_view field = field_named(gen, load, "step_elem");
    assert_int_equal(field.kind, TRN_VALUE_LIST);
    assert_int_equal(field.count, 2);
    assert_int_equal(trn_field_element(&field, 0), -1);
    assert_int_equal(trn_field_element(&field, 1), 7);
    const uint8_t call[TRN_INST_BYTES] = {[0] = 0xD3, [12] = 'f'};
    field = field_named(gen, call, "name");
    assert_int_equal(field.kind, TRN_VALUE_STRING);
    assert_int_equal(field.bytes[0], 'f');
    const uint8_t tt[TRN_INST_BYTES] = {[0] = 0x41, [12] = 0x6A};
    field = field_named(gen, tt, "in0_in1_dtype");
    assert_string_equal(field.symbol, "fp32");
    assert_string_equal(field.symbol_hi, "bf16");
}

/* Header and sync block of a word whose layout nobody knows (isa-core.md 9.10). */
static void test_unknown_layout_still_has_its_common_fields(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    const uint8_t word[TRN_INST_BYTES] = {[0] = 0x03, [1] = 0x10, [5] = 8};
    assert_int_equal(field_named(gen, word, "wait_idx").number, 8);
    struct trn_field_view field;
    size_t count = 0;
    for (; trn_word_field(gen, word, count, &field) != TRN_ERR_RANGE; count++)
        assert_true(field.offset < 12);
    assert_int_equal(count, trn_word_info(gen, word).num_fields);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_print_as_expected),
        cmocka_unit_test(test_stream_has_labels_where_branches_go),
        cmocka_unit_test(test_stream_stops_when_the_sink_refuses),
        cmocka_unit_test(test_word_info_names_opcode_struct_and_engines),
        cmocka_unit_test(test_fields_are_typed_values),
        cmocka_unit_test(test_lists_strings_and_pairs_are_values),
        cmocka_unit_test(test_unknown_layout_still_has_its_common_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
