/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: labels, streams, generations, what may be left out, how values may be written. Offsets
 * and values are those of data/struct-fields.csv and data/enums.csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "trench/isa.h"

static struct trn_program assemble_sized(const char *gen, const char *text, size_t size)
{
    const struct trn_asm_options options = {.gen = gen ? trn_gen_find(gen) : NULL, .engine = 3};
    struct trn_program program;
    struct trn_diag diag;
    if (trn_asm(text, size, &options, &program, NULL, NULL, &diag) != TRN_OK)
        fail_msg("%s\n%s: %s (%s)", text, diag.where, diag.message, diag.expected);
    return program;
}

static struct trn_program assemble(const char *gen, const char *text)
{
    return assemble_sized(gen, text, strlen(text));
}

/* The only word of a text. */
static const uint8_t *word_of(const char *gen, const char *text)
{
    static uint8_t word[TRN_INST_BYTES];
    struct trn_program program = assemble(gen, text);
    assert_int_equal(program.num_streams, 1);
    assert_int_equal(program.streams[0].num_words, 1);
    memcpy(word, program.streams[0].words, sizeof word);
    trn_program_free(&program);
    return word;
}

/* ---- labels ------------------------------------------------------------------------ */

static int32_t branch_distance(const struct trn_stream *stream, size_t index)
{
    return (int32_t)trn_get64(stream->words + index * TRN_INST_BYTES + 48);
}

static void test_labels_give_distances_in_bytes(void **state)
{
    (void)state;
    struct trn_program program = assemble("cayman", "a: b:\n"
                                                    "  branch always end   ; word 0\n"
                                                    "  branch always a\n"
                                                    "c: branch ge r1 r2 c\n"
                                                    "  compare_branch br_immediate=b dtype=int32\n"
                                                    "end:\n");
    const struct trn_stream *stream = &program.streams[0];
    assert_int_equal(stream->num_words, 4);
    assert_int_equal(branch_distance(stream, 0), 4 * 64);
    assert_int_equal(branch_distance(stream, 1), -64);
    assert_int_equal(branch_distance(stream, 2), 0);
    assert_int_equal(branch_distance(stream, 3), -3 * 64);
    for (size_t i = 0; i < 4; i++) /* REL_IMMEDIATE; nothing above the 32 bits of the distance */
        assert_int_equal(stream->words[i * TRN_INST_BYTES + 14], 3);
    assert_int_equal(trn_get32(stream->words + 52), 0);
    trn_program_free(&program);
}

/* The hinted branch is two words on, its target one word before it. */
static void test_hint_counts_its_target_from_the_branch(void **state)
{
    (void)state;
    struct trn_program program =
        assemble("cayman", "branch_prefetch_hint br_immediate=loop branch_offset=back\n"
                           "loop: nop\n"
                           "back: branch always loop\n");
    const uint8_t *hint = program.streams[0].words;
    assert_int_equal((int32_t)trn_get32(hint + 16), 128);
    assert_int_equal((int32_t)trn_get64(hint + 48), -64);
    assert_int_equal(hint[14], 3);
    trn_program_free(&program);
}

static void test_engines_have_their_own_labels(void **state)
{
    (void)state;
    struct trn_program program = assemble(NULL, ".gen cayman\n"
                                                ".engine pe\ntop: nop\nbranch always top\n"
                                                ".engine act\nnop\nnop\ntop: branch always top\n"
                                                ".engine pe\nbranch always top\n");
    assert_int_equal(program.num_streams, 2);
    assert_int_equal(program.streams[0].engine, 0);
    assert_int_equal(program.streams[0].num_words, 3);
    assert_int_equal(branch_distance(&program.streams[0], 2), -128);
    assert_int_equal(program.streams[1].engine, 1);
    assert_int_equal(branch_distance(&program.streams[1], 2), 0);
    trn_program_free(&program);
}

/* ---- generations, engines, lines --------------------------------------------------- */

static void test_first_listed_generation_is_the_default(void **state)
{
    (void)state;
    const char *text = ".gen sunda, mariana\n.engine pe\nldweights col_grp=all\n";
    struct trn_program program = assemble(NULL, text);
    assert_string_equal(program.gen->name, "sunda");
    assert_int_equal(program.gens, 1 << 0 | 1 << 2);
    assert_int_equal(program.streams[0].words[46], 0x10); /* xbus_sel FOR_ALL */
    trn_program_free(&program);
    program = assemble("mariana", text);
    assert_string_equal(program.gen->name, "mariana");
    assert_int_equal(program.streams[0].words[46], 0); /* there is no such field */
    trn_program_free(&program);
}

static void test_text_without_gen_is_for_all(void **state)
{
    (void)state;
    struct trn_program program = assemble("maverick", "halt");
    assert_int_equal(program.gens, 31);
    assert_int_equal(program.streams[0].engine, 3);
    trn_program_free(&program);
    trn_program_free(&program); /* freeing twice is harmless */
    trn_program_free(NULL);
}

static void test_text_without_engine_can_be_one_stream(void **state)
{
    (void)state;
    const struct trn_asm_options options = {
        .gen = trn_gen_at(1), .engine = TRN_ENGINE_ANY, .engine_optional = true};
    struct trn_program program;
    assert_int_equal(trn_asm("halt\n", 5, &options, &program, NULL, NULL, NULL), TRN_OK);
    assert_int_equal(program.num_streams, 1);
    assert_int_equal(program.streams[0].engine, TRN_ENGINE_ANY);
    trn_program_free(&program);
}

static void test_words_know_their_lines(void **state)
{
    (void)state;
    struct trn_program program =
        assemble("cayman", "; a comment\n\nhalt\n  drain drain_count=1\n\n.word "
                           "0000000000000000000000000000000000000000000000000000000000000000 "
                           "00 00 0000000000000000000000000000000000000000000000000000000000ff\n");
    const struct trn_stream *stream = &program.streams[0];
    assert_int_equal(stream->num_words, 3);
    assert_int_equal(stream->lines[0], 3);
    assert_int_equal(stream->lines[1], 4);
    assert_int_equal(stream->lines[2], 6);
    assert_int_equal(stream->words[3 * TRN_INST_BYTES - 1], 0xFF);
    trn_program_free(&program);
}

static void test_line_ends_blanks_and_comments_do_not_matter(void **state)
{
    (void)state;
    static const char text[] = "HALT\r\n\tact_tbl_sel=1\t; \xFF\xFE is not UTF-8 \xC3\r\n"
                               "  wait\tsem=1   ge\t2;x\r\nNop;";
    struct trn_program program = assemble_sized("cayman", text, sizeof text - 1);
    const uint8_t expected[] = {0xA1, 0x10, 0, 0, 5, 1, 0, 0, 2, 0, 0, 0};
    assert_int_equal(program.streams[0].num_words, 2);
    assert_memory_equal(program.streams[0].words, expected, sizeof expected);
    assert_int_equal(program.streams[0].words[35], 1);
    assert_int_equal(program.streams[0].words[64], 0xA4);
    trn_program_free(&program);
}

/* ---- values ------------------------------------------------------------------------ */

static void test_what_is_left_out_is_zero_but_for_the_length(void **state)
{
    (void)state;
    const uint8_t *word = word_of("cayman", "tensor_scalar_arith");
    assert_int_equal(word[0], 0x43);
    assert_int_equal(word[1], 0x10);
    for (size_t i = 2; i < TRN_INST_BYTES; i++)
        assert_int_equal(word[i], 0);
    assert_int_equal(word_of("cayman", "activate")[15], 1); /* a bias of zero, not a pointer */
    assert_int_equal(word_of("cayman", "pseudo_extension")[1], 0); /* it has no header */
}

static void test_numbers_in_immediates_have_the_type_of_their_field(void **state)
{
    (void)state;
    /* by class: FP32 in arithmetic words, raw bits in bit-vector words */
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_arith imm0=2") + 40), 0x40000000);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_arith imm0=0x2") + 40), 2);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_arith imm0=0b11") + 40), 3);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_bitvec imm0=2") + 40), 2);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_bitvec imm0=-1") + 40), UINT32_MAX);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_bitvec imm0=2.0") + 40),
                     0x40000000);
    assert_int_equal(trn_get32(word_of("cayman", "tensor_scalar_arith imm0=0x1.8p0") + 40),
                     0x3FC00000);
    /* by the type field, wherever it stands: dtype of S3D3_TS_SELECT, src1_imm at 40 */
    assert_int_equal(
        trn_get32(word_of("cayman", "tensor_scalar_select src1_imm=2 dtype=fp32") + 40),
        0x40000000);
    assert_int_equal(
        trn_get32(word_of("cayman", "tensor_scalar_select src1_imm=2 dtype=int32") + 40), 2);
    /* fixed integers: index_offset of SORT is UINT32, of NONZERO_WITH_COUNT INT32 */
    assert_int_equal(trn_get32(word_of("cayman", "sort index_offset=7") + 36), 7);
    assert_int_equal(trn_get32(word_of("cayman", "nonzero_with_count index_offset=-7") + 32),
                     0xFFFFFFF9);
    /* wide: imm0 of S2D2_ADDR */
    assert_int_equal(trn_get64(word_of("cayman", "tensor_scalar_addr imm0=0x123456789ab") + 24),
                     UINT64_C(0x123456789AB));
}

static void test_writing_an_immediate_sets_its_source(void **state)
{
    (void)state;
    /* imm0_src 35, imm1_src 39: INSTRUCTION 0, POINTER 1, REG_PTR 2 */
    const uint8_t *word = word_of("cayman", "tensor_scalar_arith imm0=sbuf[p32,4] imm1=r63");
    assert_int_equal(word[35], 1);
    assert_int_equal(word[39], 2);
    assert_int_equal(trn_get32(word + 40), 32 * 0x40000 + 4);
    assert_int_equal(trn_get32(word + 44), 63);
    /* what the text says itself stays */
    word = word_of("cayman", "tensor_scalar_arith imm0=sbuf[p0,4] imm0_src=reg_ptr");
    assert_int_equal(word[35], 2);
    word = word_of("cayman", "tensor_scalar_arith imm0_src=pointer imm0=64");
    assert_int_equal(word[35], 1);
    assert_int_equal(trn_get32(word + 40), 64); /* an address, not 64.0 */
    /* two sources in the nibbles of one byte: imm0_imm1_src 62 of S3S3D1_BN2 */
    word = word_of("cayman", "batch_norm_grad_accumulate2 imm0=psum[p0,0] imm1=r2");
    assert_int_equal(word[62], 0x21);
    /* the inverted numbering of bias_src_n */
    assert_int_equal(word_of("cayman", "activate bias=1.0")[15], 1);
    assert_int_equal(word_of("cayman", "activate bias=sbuf[p0,0]")[15], 0);
    /* imm0_is_ptr 42 of S2D2_ADDR */
    assert_int_equal(word_of("cayman", "tensor_scalar_addr imm0=sbuf[p0,8]")[42], 1);
}

static void test_names_and_numbers_of_enums(void **state)
{
    (void)state;
    assert_int_equal(word_of("cayman", "copy in=bf16")[32], 6);
    assert_int_equal(word_of("cayman", "copy in=BFLOAT16")[32], 6);
    assert_int_equal(word_of("cayman", "copy in_dtype=0x6")[32], 6);
    assert_int_equal(word_of("cayman", "copy in=77")[32], 77);
    /* a pair: one name for both halves, one number for the byte */
    assert_int_equal(word_of("cayman", "tensor_tensor_arith in0_in1=fp32")[12], 0xAA);
    assert_int_equal(word_of("cayman", "tensor_tensor_arith in0_in1=6")[12], 0x06);
    assert_int_equal(word_of("cayman", "tensor_tensor_arith in0_in1=6/fp32")[12], 0xA6);
}

static void test_forms_of_lists(void **state)
{
    (void)state;
    const uint8_t *word = word_of("cayman", "load_parameter_ram immediate=f32[1.5,-2]");
    assert_int_equal(trn_get32(word + 32), 0x3FC00000);
    assert_int_equal(trn_get32(word + 36), 0xC0000000);
    word = word_of("cayman", "load_pool_argument immediate=u32[1, 0x10000]");
    assert_int_equal(trn_get64(word + 32), UINT64_C(0x0001000000000001));
    word = word_of("cayman", "move src_registers=[] immediate=hex:" /* 32 bytes */
                             "000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f");
    assert_int_equal(word[16], 0);
    assert_int_equal(word[47], 15);
    word = word_of("mariana", "test_event_sem evt_sem_ids=[1,2] value_registers=[3,r4]");
    assert_int_equal(trn_get16(word + 16), 0x0201);
    assert_int_equal(trn_get16(word + 32), 0x0403);
    word = word_of("cayman", "tensor_load step_elem=[-1,2]");
    assert_int_equal((int32_t)trn_get32(word + 24), -1);
}

static void test_forms_of_patterns(void **state)
{
    (void)state;
    /* S4D4_TR: source at 12, steps at 16, counts at 24 */
    const uint8_t *word = word_of("cayman", "copy src=r5:(2, 3)");
    assert_int_equal(trn_get32(word + 12), 0x80000005);
    assert_int_equal(trn_get16(word + 18), 2); /* contiguous: two elements to the next row */
    assert_int_equal(trn_get16(word + 28), 1); /* a dimension that is not given has one element */
    word = word_of("cayman", "copy src=sbuf[p0,0x40]:s2");
    assert_int_equal(trn_get32(word + 12), 0x40000040);
    assert_int_equal(trn_get16(word + 16), 2);
    assert_int_equal(trn_get16(word + 24), 0);
    word = word_of("cayman", "copy src=r5:s3");
    assert_int_equal(trn_get32(word + 12), 0xC0000005);
    word = word_of("cayman", "copy src=r5:idx(r6,9)"); /* data r5, index vector in r6 */
    assert_int_equal(trn_get32(word + 12), 0xA0000006);
    assert_int_equal(trn_get32(word + 16), 0x80000005);
    assert_int_equal(trn_get16(word + 20), 9);
    word = word_of("maverick", "copy src=sbuf[p1,0]:(1,4)/(1,-5)"); /* 1 MiB a partition */
    assert_int_equal(trn_get32(word + 12), 0x100000);
    assert_int_equal((int16_t)trn_get16(word + 18), -5);
}

static void test_sync_lines_set_the_block(void **state)
{
    (void)state;
    static const struct {
        const char *gen, *text;
        uint8_t block[8];
    } rows[] = {
        {"cayman", "nop\nwait sem=7 lt 0x102", {2, 7, 0, 0, 2, 1}},
        {"cayman", "nop\nwait sem=7 le r9", {0x83, 7, 0, 0, 9}},
        {"cayman", "nop\nwait evt=8 clear_then_set", {0x0F, 8}},
        {"maverick", "nop\nwait unordered", {0xFE}},
        {"cayman", "nop\nupdate sem=2 dec read", {0, 0, 4, 2}},
        {"cayman", "nop\nupdate sem=2 wr r3 read", {0, 0, 0x89, 2, 3}},
        {"cayman", "nop\nupdate sem=2 add 5", {0, 0, 0x15, 2, 5}},
        {"cayman", "nop\nupdate evt=2 clr complete", {0, 0, 0x12, 2}},
        {"cayman", "nop\nwait sem=1 eq 4\nupdate sem=1 sub 4", {1, 1, 0x17, 1, 4}},
        {"cayman", "nop semaphore_value=4\nwait sem=1 eq 4", {1, 1, 0, 0, 4}},
        {"cayman", "nop wait_mode=sem_eq_imm wait_idx=1 semaphore_value=4", {1, 1, 0, 0, 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_memory_equal(word_of(rows[i].gen, rows[i].text) + 4, rows[i].block, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_give_distances_in_bytes),
        cmocka_unit_test(test_hint_counts_its_target_from_the_branch),
        cmocka_unit_test(test_engines_have_their_own_labels),
        cmocka_unit_test(test_first_listed_generation_is_the_default),
        cmocka_unit_test(test_text_without_gen_is_for_all),
        cmocka_unit_test(test_text_without_engine_can_be_one_stream),
        cmocka_unit_test(test_words_know_their_lines),
        cmocka_unit_test(test_line_ends_blanks_and_comments_do_not_matter),
        cmocka_unit_test(test_what_is_left_out_is_zero_but_for_the_length),
        cmocka_unit_test(test_numbers_in_immediates_have_the_type_of_their_field),
        cmocka_unit_test(test_writing_an_immediate_sets_its_source),
        cmocka_unit_test(test_names_and_numbers_of_enums),
        cmocka_unit_test(test_forms_of_lists),
        cmocka_unit_test(test_forms_of_patterns),
        cmocka_unit_test(test_sync_lines_set_the_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
