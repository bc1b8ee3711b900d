/* SPDX-License-Identifier: Apache-2.0 */
/* What each generation, engine and library answers to the two forms of 0xE4 and to 0xF0/7
 * (docs/hardware/convlut.md 6.3, 7), and the tile that a decoded word leaves (cptc.md 5). */
#include <string.h>

#include "fixture.h"

enum { SUNDA, CAYMAN, MARIANA, MARIANA_PLUS, MAVERICK };
enum { LEGACY, CPTC, EXTENDED, FORMS };
enum { AT = 0x400 };

/* The golden words of section 8, and 0xF0/7 over the same block (cptc.md 5.1). */
static void add_form(struct program *p, int form)
{
    static const uint8_t load[12] = {0, 4, 0, 0, 1, 0, 1, 0, 16, 0, 1, 0};
    static const uint8_t unit[12] = {0, 4, 0, 0, 1, 0, 1, 0, 4, 0, 1, 0};
    static const uint8_t in[16] = {0, 4, 0, 0, 1, 0, 1, 0, 1, 0, 4, 0, 1, 0, 1, 0};
    static const uint8_t out[16] = {0, 8, 0, 0, 1, 0, 1, 0, 1, 0, 32, 0, 1, 0, 1, 0};
    uint8_t *w = add(p, form == EXTENDED ? 0xF0 : 0xE4);
    if (form == EXTENDED) {
        w[12] = 7;
        w[14] = TRN_DTYPE_UINT32;
        w[15] = TRN_DTYPE_FP32;
        memcpy(w + 16, in, sizeof in);
        w[32] = 0x80;
        w[33] = 0x3F;
        w[36] = 32;
        w[37] = 0x1C;
        w[38] = 128;
        memcpy(w + 48, out, sizeof out);
        return;
    }
    memcpy(w + 16, form == LEGACY ? load : unit, sizeof unit);
    w[32] = form == LEGACY ? TRN_DTYPE_UINT16 : TRN_DTYPE_UINT32;
    w[38] = w[39] = 128;
    w[44] = w[45] = 0x0F;
    w[47] = form == LEGACY ? 0x0A : 0x1C;
    if (form == CPTC) {
        w[40] = 0x80;
        w[41] = 0x3F;
        w[46] = 32;
    }
}

/* ---- the matrix (6.3) ------------------------------------------------------------------ */

struct answer {
    const char *klass, *rule; /* NULL: the word completes */
    const char *warning;      /* which it is counted as, or NULL */
};

static const struct answer good = {0}, bad_opcode = {.klass = "bad_opcode", .rule = ""},
                           unknown = {.klass = "bad_opcode", .rule = "unknown_opcode"},
                           invalid = {.klass = "illegal_instruction",
                                      .rule = "s2_convlut_valid_nc"},
                           ignored = {.warning = "convlut_legacy"};

/* Cells of the sheet's table for the engines that have no PE body; PE of MARIANA and later is the
 * array's own matter. */
static struct answer wanted(int gen, int engine, unsigned library, int form)
{
    if (engine != POOL)
        return bad_opcode; /* CAYMAN's PE among them: it has no handler */
    if (gen == SUNDA)
        return bad_opcode; /* not in the enum: neither 0xE4 nor 0xF0 */
    if (form == LEGACY && gen != MARIANA && gen != MARIANA_PLUS)
        return invalid;
    if (library != 3)
        return unknown;
    return form == LEGACY ? ignored : good;
}

static uint64_t counted(const struct fixture *core, const char *name)
{
    for (int w = 0; w < TRN_WARNINGS; w++)
        if (strcmp(trn_warning_name((enum trn_warning)w), name) == 0)
            return core->report.warnings[w];
    return 0;
}

static void check_cell(int g, int engine, unsigned library, int form)
{
    const struct trn_gen *gen = trn_gen_at((unsigned)g);
    const struct trn_device_options options = {.pool_library = library};
    const struct answer answer = wanted(g, engine, library, form);
    struct fixture core = open_core(gen, &options);
    struct program p = program_for(gen);
    add_form(&p, form);
    add(&p, TRN_OPCODE_HALT);
    start(&core, engine, &p);
    run(&core, 0);
    const char *klass = core.report.num_faults ? core.report.faults[0].klass : "";
    const char *rule = core.report.num_faults ? core.report.faults[0].rule : "";
    if (strcmp(klass, answer.klass ? answer.klass : "") != 0 ||
        strcmp(rule, answer.rule ? answer.rule : "") != 0)
        fail_msg("%s engine %d library %u form %d: '%s' '%s', wanted '%s' '%s'", gen->name, engine,
                 library, form, klass, rule, answer.klass ? answer.klass : "",
                 answer.rule ? answer.rule : "");
    assert_int_equal(counted(&core, "convlut_legacy"), answer.warning ? 1 : 0);
    assert_int_equal(counted(&core, "kernel_error"), 0);
    const bool decodes = !answer.klass && form == CPTC;
    float tile[32];
    assert_int_equal(trn_device_cptc_tile(core.device, 127, tile, 32), decodes ? 32 : 0);
    close_core(&core);
}

static void test_every_generation_engine_and_library(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen <= MAVERICK; gen++)
        for (int engine = PE; engine <= SP; engine++) {
            if (engine == PE && gen >= MARIANA)
                continue; /* engines of the array: tests/engine */
            if (gen == MAVERICK && engine == ACT)
                continue; /* no image */
            for (unsigned library = 0; library < 4; library++)
                for (int form = LEGACY; form < FORMS; form++)
                    check_cell(gen, engine, library, form);
        }
}

/* The table miss is told in the firmware's words (6.3). */
static void test_a_table_miss_in_the_firmware_s_words(void **state)
{
    (void)state;
    static const struct {
        int form;
        const char *text;
    } cases[] = {{CPTC, "P0: UNKNOWN OPCODE=0xe4"}, {EXTENDED, "P0: UNKNOWN EXTENDED OPCODE=7"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture core = open_core(trn_gen_find("cayman"), NULL);
        struct program p = program_for(core.gen);
        add_form(&p, cases[i].form);
        start(&core, POOL, &p);
        run(&core, 0);
        expect_fault(&core, POOL, "bad_opcode", "unknown_opcode");
        assert_non_null(strstr(core.report.faults[0].message, cases[i].text));
        close_core(&core);
    }
}

/* 7.1: library 3 replaces the base set: it has no 0x41, 0x46 and 0x47. */
static void test_library_3_lacks_what_library_0_has(void **state)
{
    (void)state;
    static const uint8_t opcodes[] = {TRN_OPCODE_COPY, TRN_OPCODE_CAST,
                                      TRN_OPCODE_TENSOR_TENSOR_ARITH_OP};
    for (size_t i = 0; i < sizeof opcodes; i++)
        for (unsigned library = 0; library <= 3; library += 3) {
            const struct trn_device_options options = {.pool_library = library};
            struct fixture core = open_core(trn_gen_find("mariana"), &options);
            struct program p = program_for(core.gen);
            uint8_t *w = add(&p, opcodes[i]);
            static const uint8_t one[20] = {0, 4, 0, 0, 1, 0, 1, 0, 1, 0,
                                            1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
            static const uint8_t three[16] = {0, 4, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
            if (opcodes[i] == TRN_OPCODE_TENSOR_TENSOR_ARITH_OP) {
                w[12] = TRN_DTYPE_FP32 | TRN_DTYPE_FP32 << 4;
                w[13] = TRN_DTYPE_FP32;
                w[14] = TRN_ALU_OP_ADD;
                w[15] = 1;
                for (int at = 16; at < 64; at += 16)
                    memcpy(w + at, three, sizeof three);
            } else {
                memcpy(w + 12, one, sizeof one);
                w[32] = w[33] = TRN_DTYPE_FP32;
                w[34] = 1;
                memcpy(w + 44, one, sizeof one);
            }
            add(&p, TRN_OPCODE_HALT);
            start(&core, POOL, &p);
            run(&core, 0);
            if (library == 0)
                assert_int_equal(core.report.status, TRN_RUN_OK);
            else
                expect_fault(&core, POOL, "bad_opcode", "unknown_opcode");
            close_core(&core);
        }
}

/* ---- the tile and the extended form (cptc.md 5, 7.6) ------------------------------------ */

static uint64_t sbuf(const struct fixture *core, uint32_t partition, uint32_t byte)
{
    return trn_device_space_offset(core->device, TRN_SPACE_SBUF) +
           (uint64_t)partition * core->gen->sbuf_stride + byte;
}

/* V1 in partition 5, zeros elsewhere. */
static void test_golden_vector_through_both_entries(void **state)
{
    static const uint8_t v1[16] = {0x00, 0xFF, 0x00, 0xFF, 0x00, 0x00, 0xFF, 0xFF,
                                   0xAA, 0xAA, 0xAA, 0xAA, 0xCC, 0xCC, 0xCC, 0xCC};
    (void)state;
    for (int gen = CAYMAN; gen <= MAVERICK; gen++) {
        const struct trn_device_options options = {.pool_library = 3};
        struct fixture core = open_core(trn_gen_at((unsigned)gen), &options);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        struct program p = program_for(core.gen);
        float tile[128], stored[32];
        assert_int_equal(bus->write_block(bus->context, sbuf(&core, 5, AT), v1, sizeof v1), TRN_OK);
        add_form(&p, CPTC);
        add_form(&p, EXTENDED);
        add(&p, TRN_OPCODE_HALT);
        start(&core, POOL, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(
            bus->read_block(bus->context, sbuf(&core, 5, 0x800), stored, sizeof stored), TRN_OK);
        assert_int_equal(trn_device_cptc_tile(core.device, 5, tile, 128), 32);
        for (int i = 0; i < 32; i++) {
            const float value = (float)(i % 16 < 8 ? i % 16 : i % 16 - 16);
            assert_true(tile[i] == value && stored[i] == value);
        }
        assert_int_equal(trn_device_cptc_tile(core.device, 6, tile, 1), 32);
        assert_true(tile[0] == 0);
        assert_int_equal(trn_device_cptc_tile(core.device, 128, tile, 128), 0);
        assert_int_equal(core.report.choices[TRN_CHOICE_CPTC_CODEC], 2);
        assert_int_equal(core.report.choices[TRN_CHOICE_CPTC_TILE], 1);
        close_core(&core);
    }
}

/* cptc.md 2.1, 5: the word completes, the next one runs, and the tile is what it was. */
static void test_a_block_too_large_is_a_kernel_error(void **state)
{
    (void)state;
    const struct trn_device_options options = {.pool_library = 3};
    struct fixture core = open_core(trn_gen_find("mariana"), &options);
    struct program p = program_for(core.gen);
    float tile[1];
    add_form(&p, CPTC);
    add_form(&p, CPTC);
    p.word[1][46] = 40; /* 40 x 4 bits */
    add(&p, TRN_OPCODE_HALT);
    start(&core, POOL, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(counted(&core, "kernel_error"), 1);
    assert_int_equal(core.report.num_reports, 1);
    assert_string_equal(core.report.reports[0].klass, "kernel_error");
    assert_string_equal(core.report.reports[0].message,
                        "P0: Error, CPTC_BLOCK_TOO_LARGE : 40 x 4 bits");
    assert_int_equal(core.report.reports[0].pc, queue_of(POOL) + TRN_INST_BYTES);
    assert_int_equal(trn_device_cptc_tile(core.device, 0, tile, 1), 32);
    close_core(&core);
}

/* CAYMAN's validator has no codes to compare with: the decoder takes the low three bits (3.1). */
static void test_cayman_takes_any_byte_47(void **state)
{
    (void)state;
    for (unsigned lut_dtype = 1; lut_dtype < 256; lut_dtype++) {
        if (lut_dtype == 0x0A)
            continue;
        const struct trn_device_options options = {.pool_library = 3};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        struct program p = program_for(core.gen);
        add_form(&p, CPTC);
        p.word[0][46] = 16;
        p.word[0][47] = (uint8_t)lut_dtype;
        add(&p, TRN_OPCODE_HALT);
        start(&core, POOL, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(counted(&core, "kernel_error"), lut_dtype % 8 ? 0 : 1);
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_generation_engine_and_library),
        cmocka_unit_test(test_a_table_miss_in_the_firmware_s_words),
        cmocka_unit_test(test_library_3_lacks_what_library_0_has),
        cmocka_unit_test(test_golden_vector_through_both_entries),
        cmocka_unit_test(test_a_block_too_large_is_a_kernel_error),
        cmocka_unit_test(test_cayman_takes_any_byte_47),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
