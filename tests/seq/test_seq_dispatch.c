/* SPDX-License-Identifier: Apache-2.0 */
/* Both dispatch flavours find exactly the handlers that the engines column of opcodes.csv names:
 * every opcode of every engine and generation (sequencer.md 6.3). */
#include "seq/dispatch.h"
#include "seq/fixture.h"

/* What the columns of opcodes.csv say, without any dispatch. */
static bool is_real(const struct trn_gen *gen, int engine, unsigned opcode)
{
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    return row->name && trn_bits_get(row->isa_mask, gen->isa, 1) &&
           trn_bits_get(row->engines[gen->isa], (unsigned)engine, 1);
}

static void test_dispatch_equals_engines_column(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (int engine = PE; engine <= SP; engine++) {
            struct trn_dispatch dispatch;
            trn_dispatch_build(&dispatch, trn_gen_at(g), engine);
            for (unsigned opcode = 0; opcode < 256; opcode++) {
                const struct trn_slot *slot = trn_dispatch_find(&dispatch, (uint8_t)opcode);
                const bool real = is_real(trn_gen_at(g), engine, opcode);
                if ((slot->kind != TRN_SLOT_BAD) != real)
                    fail_msg("%s %s 0x%02x: dispatch says %d, opcodes.csv %d", trn_gen_at(g)->name,
                             trn_engine_name(engine), opcode, slot->kind != TRN_SLOT_BAD, real);
            }
        }
}

/* The two flavours are both in use: Sunda has no table, the others index one somewhere. */
static void test_generations_use_their_flavour(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (int engine = PE; engine <= SP; engine++) {
            const struct trn_gen *gen = trn_gen_at(g);
            struct trn_dispatch dispatch;
            bool table = false, segment = false;
            trn_dispatch_build(&dispatch, gen, engine);
            for (size_t i = 0; i < dispatch.num_parts; i++) {
                table |= dispatch.parts[i].row->form == TRN_DISPATCH_TABLE;
                segment |= dispatch.parts[i].row->form == TRN_DISPATCH_SEGMENT;
            }
            const bool has_image = engine != ACT || gen->has_act;
            const bool segmented = gen->isa == 0 || engine == SP; /* sequencer.md 6.2 */
            assert_int_equal(segment, has_image && segmented);
            assert_int_equal(table, has_image && !segmented);
        }
}

/* sequencer.md 6.2: the opcodes that the CAYMAN POOL image names; 0x46 and 0x52 share one body. */
static void test_cayman_pool_roster_is_real(void **state)
{
    static const uint8_t roster[] = {
        0x41, 0x43, 0x44, 0x45, 0x46, 0x47, 0x49, 0x4D, 0x51, 0x52, 0x53, 0x54, 0x58, 0x67,
        0x68, 0x74, 0x77, 0x78, 0x79, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x92, 0x95, 0x96, 0x9F,
        0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB0, 0xB1,
        0xB2, 0xB3, 0xB5, 0xB8, 0xBB, 0xBD, 0xBE, 0xBF, 0xE4, 0xE7, 0xF0, 0xF1, 0xF2};
    (void)state;
    struct trn_dispatch dispatch;
    trn_dispatch_build(&dispatch, trn_gen_find("cayman"), POOL);
    assert_int_equal(sizeof roster, 55);
    for (size_t i = 0; i < sizeof roster; i++)
        assert_int_not_equal(trn_dispatch_find(&dispatch, roster[i])->kind, TRN_SLOT_BAD);
}

static void test_exec_column_decides_what_a_real_opcode_is(void **state)
{
    (void)state;
    const struct trn_gen *cayman = trn_gen_find("cayman");
    struct trn_dispatch pe, pool;
    trn_dispatch_build(&pe, cayman, PE);
    trn_dispatch_build(&pool, cayman, POOL);
    assert_int_equal(trn_dispatch_find(&pe, 0xA1)->kind, TRN_SLOT_CONTROL);
    assert_int_equal(trn_dispatch_find(&pe, 0x04)->kind, TRN_SLOT_NO_LAYOUT);      /* 9.10 */
    assert_int_equal(trn_dispatch_find(&pool, 0xBF)->kind, TRN_SLOT_NO_SEMANTICS); /* 9.10 */
    assert_int_equal(trn_dispatch_find(&pool, 0xF1)->kind, TRN_SLOT_CONTROL);
    assert_int_equal(trn_dispatch_find(&pe, 0xF1)->kind, TRN_SLOT_BAD);
    assert_int_equal(trn_dispatch_find(&pe, 0xC1)->kind, TRN_SLOT_BAD); /* host words */
    assert_int_equal(trn_dispatch_find(&pe, 0xFF)->kind, TRN_SLOT_BAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch_equals_engines_column),
        cmocka_unit_test(test_generations_use_their_flavour),
        cmocka_unit_test(test_cayman_pool_roster_is_real),
        cmocka_unit_test(test_exec_column_decides_what_a_real_opcode_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
