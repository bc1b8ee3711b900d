/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of DMA words (docs/hardware/dge.md 2.2, 3): what an address may look like, which
 * registers it may name, and what is only warned of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/check.h"
#include "isa_fields.h"

enum { CAPACITY = 32 };

struct result {
    trn_status status;
    size_t count;
    struct trn_violation found[CAPACITY];
};

static struct result check(const struct trn_gen *gen, const uint8_t *word, bool before_lowering)
{
    const struct trn_check_options options = {.engine = TRN_ENGINE_ANY,
                                              .before_lowering = before_lowering};
    struct result r;
    r.status = trn_check_word(gen, word, &options, r.found, CAPACITY, &r.count);
    return r;
}

static const struct trn_violation *violation(const struct result *r, const char *rule)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->found[i].rule, rule) == 0)
            return &r->found[i];
    return NULL;
}

/* Names of what fails, in order, with a space behind each. */
static const char *names(const struct result *r, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < r->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s ", r->found[i].rule);
    return text;
}

static void assert_fails(const struct trn_gen *gen, const uint8_t *word, const char *wanted)
{
    char text[512];
    const struct result r = check(gen, word, false);
    assert_string_equal(names(&r, text, sizeof text), wanted);
    assert_int_equal(r.status, *wanted ? TRN_ERR_INVALID : TRN_OK);
}

/* ---- words ----------------------------------------------------------------------------- */

/* 0xB8: one run of `bytes` from `src` to `dst`, 64-bit words as they stand. */
static void copy_word(const struct trn_gen *gen, uint8_t *w, uint64_t src, uint64_t dst,
                      uint16_t bytes)
{
    const unsigned isa = gen->isa;
    memset(w, 0, TRN_INST_BYTES);
    trn_common_opcode_set(w, isa, TRN_OPCODE_DMAMEMCPY);
    trn_common_inst_word_len_set(w, isa, 0x10);
    trn_dma_direct2d_src_start_addr_set(w, isa, src);
    trn_dma_direct2d_dst_start_addr_set(w, isa, dst);
    trn_dma_direct2d_src_num_elem_0_set(w, isa, 1);
    trn_dma_direct2d_src_num_elem_1_set(w, isa, 1);
    trn_dma_direct2d_dst_num_elem_0_set(w, isa, 1);
    trn_dma_direct2d_dst_num_elem_1_set(w, isa, 1);
    trn_dma_direct2d_src_elem_size_set(w, isa, bytes);
    trn_dma_direct2d_dst_elem_size_set(w, isa, bytes);
    trn_dma_direct2d_in_dtype_set(w, isa, TRN_DTYPE_UINT8);
    trn_dma_direct2d_out_dtype_set(w, isa, TRN_DTYPE_UINT8);
}

/* 0xBB: gathers four elements of 64 bytes by the indices at `index`. */
static void gather_word(const struct trn_gen *gen, uint8_t *w, uint32_t index)
{
    const unsigned isa = gen->isa;
    memset(w, 0, TRN_INST_BYTES);
    trn_common_opcode_set(w, isa, TRN_OPCODE_DMA_INDIRECT);
    trn_common_inst_word_len_set(w, isa, 0x10);
    trn_dma_indirect1d_idx_num_active_channels_set(w, isa, 128);
    trn_dma_indirect1d_src_idx_start_addr_set(w, isa, index);
    trn_dma_indirect1d_dst_start_addr_set(w, isa, gen->tpb_soc_base);
    trn_dma_indirect1d_src_num_elem_set(w, isa, 4);
    trn_dma_indirect1d_dst_num_elem_set(w, isa, 4);
    trn_dma_indirect1d_src_elem_size_set(w, isa, 64);
    trn_dma_indirect1d_dst_elem_size_set(w, isa, 64);
    trn_dma_indirect1d_in_dtype_set(w, isa, TRN_DTYPE_UINT8);
    trn_dma_indirect1d_out_dtype_set(w, isa, TRN_DTYPE_UINT8);
}

enum { HBM = 0x10000000 };

/* ---- addresses ------------------------------------------------------------------------- */

/* dge.md 2.2: the marker in the top byte, the body of each form, zeros beside it. Shape registers
 * have words of their own below, because they change the counts. */
static const struct {
    uint64_t address;
    const char *fails;
} addresses[] = {
    {UINT64_C(0x0000000010000000), ""},
    {UINT64_C(0x0300000010000000), ""}, /* bits 57:56 of an immediate address */
    {UINT64_C(0x8000000000001514), ""}, /* r20/r21: field case F31 */
    {UINT64_C(0x8000000000003F3E), ""}, /* r62/r63 */
    {UINT64_C(0x8000000000008180), ""}, /* r128/r129: the word's own address, isa-core.md 3 */
    {UINT64_C(0x8000000000004014), "addr8_registers "},
    {UINT64_C(0x8000000000001540), "addr8_registers "},
    {UINT64_C(0x8000000000001582), "addr8_registers "},
    {UINT64_C(0x8000000000011514), "addr8_form "},
    {UINT64_C(0x8001000000001514), "addr8_form "},
    {UINT64_C(0x8100000000001514), "addr8_form "}, /* bits 1:0 of the marker byte */
    {UINT64_C(0x2000000312345678), ""},            /* entry 3, offset 0x12345678 */
    {UINT64_C(0x2000FFFF00000000), ""},
    {UINT64_C(0x2001000300000040), "addr8_form "},
    {UINT64_C(0x2200000300000040), "addr8_form "},
    {UINT64_C(0x280000030000003F), ""},
    {UINT64_C(0x2800000300000040), "addr8_registers "},
    {UINT64_C(0x2800000300000140), "addr8_form addr8_registers "},
    {UINT64_C(0x2800000301000007), "addr8_form "},
    {UINT64_C(0x2C0000030000003E), ""},
    {UINT64_C(0x2C0000030000003F), "addr8_registers "}, /* r63 and r64 */
    {UINT64_C(0x1000000000000007), "V2 "},              /* VAR_ID: pseudo words only */
    {UINT64_C(0x0400000000000000), "V2 "},
    {UINT64_C(0x0800000000000000), "V2 "},
    {UINT64_C(0xA000000000000000), "V2 "},
    {UINT64_C(0xBC00000000000000), "V2 "},
};

static void test_each_form_of_an_address_has_zeros_beside_it(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
            const struct trn_gen *gen = trn_gen_at(g);
            uint8_t word[TRN_INST_BYTES];
            copy_word(gen, word, addresses[i].address, HBM, 64);
            assert_fails(gen, word, addresses[i].fails);
            copy_word(gen, word, HBM, addresses[i].address, 64);
            assert_fails(gen, word, addresses[i].fails);
        }
}

static void test_a_shape_register_keeps_the_form_of_its_address(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        const char *fails;
    } shaped[] = {
        {UINT64_C(0x4000000010000000), ""},
        {UINT64_C(0xC000000000001514), ""},
        {UINT64_C(0x6000000300000040), ""},
        {UINT64_C(0x680000030000003F), ""},
        {UINT64_C(0x6C0000030000003E), ""},
        {UINT64_C(0xC000000000014014), "addr8_form addr8_registers "},
        {UINT64_C(0x6C0000030000003F), "addr8_registers "},
    };
    const struct trn_gen *gen = trn_gen_find("cayman");
    for (size_t i = 0; i < sizeof shaped / sizeof shaped[0]; i++) {
        uint8_t word[TRN_INST_BYTES];
        copy_word(gen, word, shaped[i].address, HBM, 64);
        trn_dma_direct2d_src_num_elem_0_set(word, gen->isa, 0);
        trn_dma_direct2d_src_num_elem_1_set(word, gen->isa, 0);
        assert_fails(gen, word, shaped[i].fails);
    }
}

/* A variable of a NEFF is an address of the pseudo word, before it is lowered. */
static void test_a_variable_is_an_address_of_a_pseudo_word(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    uint8_t word[TRN_INST_BYTES];
    copy_word(gen, word, UINT64_C(0x1000004000000007), HBM, 64);
    trn_common_opcode_set(word, gen->isa, TRN_OPCODE_PSEUDO_DMA_DIRECT2D);
    trn_pseudo_dma_direct2d_dge_op_set(word, gen->isa, TRN_DGE_OPCODE_DIRECT2D);
    assert_int_equal(check(gen, word, true).count, 0);
}

/* Words of the sequencer take the same forms: isa-core.md 7.1. */
static void test_addresses_of_control_words_have_the_same_forms(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
            const struct trn_gen *gen = trn_gen_at(g);
            uint8_t word[TRN_INST_BYTES] = {TRN_OPCODE_WRITE, 0x10};
            char wanted[64];
            trn_ctrl_wr_wr_size_set(word, gen->isa, 4);
            trn_ctrl_wr_address_set(word, gen->isa, addresses[i].address);
            const bool marker = strcmp(addresses[i].fails, "V2 ") == 0;
            snprintf(wanted, sizeof wanted, "%s", marker ? "is_valid_addr8 " : addresses[i].fails);
            assert_fails(gen, word, wanted);
        }
}

/* ---- index vectors ----------------------------------------------------------------------- */

/* dge.md V15: in a register, or in partition 0 of SBUF. */
static void test_an_index_vector_is_plain_or_in_a_register(void **state)
{
    (void)state;
    static const char rule[] = "has_dma_indirect_idx_addr_in_sbuf_partition0 ";
    const struct {
        uint32_t index;
        bool valid;
    } cases[] = {
        {0x00000080, true},  {0x00040080, false}, /* partition 1 */
        {0x80000005, true},  {0x8000003F, true},  {0x80000040, false}, {0x80000105, false},
        {0xC0000005, false}, {0x40000080, false}, {0x20000080, false},
    };
    const struct trn_gen *gen = trn_gen_find("mariana");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t word[TRN_INST_BYTES];
        gather_word(gen, word, cases[i].index);
        assert_fails(gen, word, cases[i].valid ? "" : rule);
    }
}

/* ---- bound registers --------------------------------------------------------------------- */

/* Field case F31: a limit as wide as a wide offset takes two registers, so r63 is no limit. */
static void test_f31_a_wide_bound_needs_the_register_above(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        uint8_t word[TRN_INST_BYTES];
        copy_word(gen, word, UINT64_C(0x8000000000003F14), HBM, 64); /* r20/r63 */
        trn_dma_direct2d_src_bound_reg_set(word, gen->isa, 0x80 | 63);
        assert_fails(gen, word, "");
        copy_word(gen, word, UINT64_C(0x2C00000300000014), HBM, 64);
        trn_dma_direct2d_src_bound_reg_set(word, gen->isa, 0x80 | 62);
        assert_fails(gen, word, "");
        trn_dma_direct2d_src_bound_reg_set(word, gen->isa, 0x80 | 63);
        assert_fails(gen, word, "has_valid_bound_check_reg is_valid_register_read_with_marker ");
        const struct result r = check(gen, word, false);
        const struct trn_violation *v = violation(&r, "is_valid_register_read_with_marker");
        assert_non_null(strstr(v->message, "(V6a)"));
        assert_string_equal(v->field, "src_bound_reg");
    }
}

/* ---- warnings ---------------------------------------------------------------------------- */

/* Field case F10: 54 bytes to SBUF byte 0x92. address-map.md 4: SBUF of core 0 and of the last. */
static void test_f10_a_write_inside_a_word_of_sbuf_is_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *gen;
        uint64_t core[2], outside;
    } places[] = {
        {"sunda", {0xFFFC0000000, 0xFFFC4000000}, 0xFFFC2000000},
        {"cayman", {0x2000000000, 0x807000000000}, 0x2002000000},
        {"mariana", {0x2000000000, 0x807000000000}, 0x2002000000},
        {"mariana_plus", {0x2000000000, 0x807000000000}, 0x2002000000},
        {"maverick", {0x2000000000, 0xE000000000}, 0x2008000000},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const struct trn_gen *gen = trn_gen_find(places[i].gen);
        uint8_t word[TRN_INST_BYTES];
        for (unsigned core = 0; core < 2; core++) {
            const uint64_t at = places[i].core[core] + 0x92;
            copy_word(gen, word, HBM, at, 54);
            const struct result r = check(gen, word, false);
            assert_int_equal(r.status, TRN_OK); /* a warning leaves the word valid */
            assert_int_equal(r.count, 1);
            assert_string_equal(r.found[0].rule, "dge_unaligned_write");
            assert_true(r.found[0].warning);
            assert_string_equal(r.found[0].provenance, "I");
            copy_word(gen, word, HBM, at + 2, 54);
            assert_fails(gen, word, "");
            copy_word(gen, word, at, HBM, 54); /* reading is nobody's trouble */
            assert_fails(gen, word, "");
        }
        copy_word(gen, word, HBM, places[i].outside + 2, 54);
        assert_fails(gen, word, "");
        copy_word(gen, word, HBM, places[i].core[0] - 2, 54);
        assert_fails(gen, word, "");
    }
}

/* ---- totals ------------------------------------------------------------------------------ */

/* Field case F18: 2 x 512 FP16 is 2,048 bytes; one element less is 2,046. */
static void test_f18_unequal_totals_name_both(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    uint8_t word[TRN_INST_BYTES];
    copy_word(gen, word, HBM, UINT64_C(0x2000000000), 1024);
    trn_dma_direct2d_src_num_elem_0_set(word, gen->isa, 2);
    trn_dma_direct2d_dst_elem_size_set(word, gen->isa, 2046);
    struct result r = check(gen, word, false);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.found[0].rule, "V11");
    assert_non_null(strstr(r.found[0].detail, "2048 bytes to 2046; "));
    trn_dma_direct2d_dst_elem_size_set(word, gen->isa, 2048);
    assert_fails(gen, word, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_form_of_an_address_has_zeros_beside_it),
        cmocka_unit_test(test_a_shape_register_keeps_the_form_of_its_address),
        cmocka_unit_test(test_a_variable_is_an_address_of_a_pseudo_word),
        cmocka_unit_test(test_addresses_of_control_words_have_the_same_forms),
        cmocka_unit_test(test_an_index_vector_is_plain_or_in_a_register),
        cmocka_unit_test(test_f31_a_wide_bound_needs_the_register_above),
        cmocka_unit_test(test_f10_a_write_inside_a_word_of_sbuf_is_warned_of),
        cmocka_unit_test(test_f18_unequal_totals_name_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
