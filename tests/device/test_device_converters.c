/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core's file that set how engines convert numbers (docs/hardware/numerics.md 2.1,
 * 6, pe-array.md 11): what a host writes is what the engines work with. */
#include "../seq/fixture.h"

#include <string.h>

#include "device/core.h"
#include "engine/state.h"

/* registers.csv: offsets in the core's file. */
enum { FP8_PE = 0xF00, FP8_DVE = 0xF04, EMAX = 0x32C, PSUM_SEED = 0xF10, PSUM_MODE = 0xF14 };
enum { POOL_SEED = 0x10C, POOL_MODE = 0x110, ACT_SEED = 0x20C, DVE_SEED = 0x30C, DVE_MODE = 0x310 };

static void write_file(struct fixture *core, uint32_t at, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    const struct trn_block_list *list = trn_blocks_of(core->gen);
    const struct trn_block *file = NULL;
    for (size_t i = 0; i < list->count && !file; i++)
        if (strcmp(list->blocks[i].row->block, "tpb") == 0 && trn_block_core(&list->blocks[i]) == 0)
            file = &list->blocks[i];
    assert_non_null(file);
    assert_int_equal(bus->write32(bus->context, file->bar0 + at, value), TRN_OK);
}

static struct trn_engine_state *state_of(struct fixture *core)
{
    struct trn_tpb *tpb;
    assert_int_equal(trn_device_tpb(core->device, 0, &tpb), TRN_OK);
    return tpb->state;
}

/* bit 0 range extension, 1 and 2 saturation, 3 NaN suppression; reset 3 (numerics.md 2.1). */
static void test_fp8_control_register_sets_the_reading(void **unused)
{
    (void)unused;
    struct fixture core = open_core(trn_gen_find("mariana"), NULL);
    struct trn_num_mode *pe = &state_of(&core)->mode[PE], *dve = &state_of(&core)->mode[DVE];
    assert_true(pe->fp8_e4m3 == TRN_FP8_FN && pe->fp8_saturate);
    write_file(&core, FP8_PE, 0);
    assert_true(pe->fp8_e4m3 == TRN_FP8_LEGACY && !pe->fp8_saturate && !pe->fp8_nan_suppress);
    assert_true(dve->fp8_e4m3 == TRN_FP8_FN); /* a register an engine */
    write_file(&core, FP8_PE, 0x5);
    assert_true(pe->fp8_e4m3 == TRN_FP8_FN && pe->fp8_saturate && !pe->fp8_nan_suppress);
    write_file(&core, FP8_DVE, 0x8);
    assert_true(dve->fp8_e4m3 == TRN_FP8_LEGACY && !dve->fp8_saturate && dve->fp8_nan_suppress);
    write_file(&core, EMAX, 0x0F08);
    assert_int_equal(dve->emax_e4m3, 8);
    assert_int_equal(dve->emax_e5m2, 15);
    close_core(&core);
}

static void test_a_run_can_choose_the_reading(void **unused)
{
    (void)unused;
    const struct trn_device_options legacy = {.fp8_e4m3 = TRN_FP8_ALWAYS_LEGACY},
                                    fn = {.fp8_e4m3 = TRN_FP8_ALWAYS_FN};
    struct fixture core = open_core(trn_gen_find("mariana"), &legacy);
    assert_true(state_of(&core)->mode[PE].fp8_e4m3 == TRN_FP8_LEGACY);
    assert_false(state_of(&core)->mode[PE].fp8_saturate);
    close_core(&core);
    core = open_core(trn_gen_find("cayman"), &fn);
    assert_true(state_of(&core)->mode[DVE].fp8_e4m3 == TRN_FP8_FN);
    close_core(&core);
}

/* A lane's state is its number in [31:24] over the 21 bits written; mode 2 arms, bit 0 selects. */
static void test_psum_registers_switch_stochastic_rounding(void **unused)
{
    (void)unused;
    struct fixture core = open_core(trn_gen_find("mariana"), NULL);
    const struct trn_pe_seeds *seeds = &state_of(&core)->pe.seeds;
    assert_false(seeds->on);
    assert_int_equal(seeds->state[5][0], 0x05000001);
    write_file(&core, PSUM_MODE, 2);
    assert_false(seeds->on);
    write_file(&core, PSUM_SEED, 0x60012345);
    write_file(&core, PSUM_MODE, 1);
    assert_true(seeds->on);
    for (int k = 0; k < TRN_PE_SEEDS; k++)
        assert_int_equal(seeds->state[127][k], 0x7F012345);
    write_file(&core, PSUM_SEED, 0);
    assert_int_equal(seeds->state[0][15], 1); /* 0 would stay 0 */
    close_core(&core);
}

static void test_seeds_of_the_vector_engines_are_kept_by_type(void **unused)
{
    (void)unused;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct trn_stochastic *all = state_of(&core)->vector.stochastic;
    write_file(&core, POOL_SEED, 0x60000042); /* BF16 */
    write_file(&core, ACT_SEED, 0x70000043);  /* FP16 */
    write_file(&core, DVE_SEED, 0xE0000044);  /* FP8_EXP4 */
    write_file(&core, POOL_MODE, 1);
    assert_int_equal(all[POOL].lfsr[TRN_DTYPE_BFLOAT16][3], 0x03000042);
    assert_int_equal(all[ACT].lfsr[TRN_DTYPE_FP16][3], 0x03000043);
    assert_int_equal(all[DVE].lfsr[TRN_DTYPE_FP8_EXP4][3], 0x03000044);
    assert_true(all[POOL].on);
    assert_false(all[ACT].on);
    write_file(&core, DVE_MODE, 1);
    write_file(&core, POOL_MODE, 0);
    assert_true(all[DVE].on);
    assert_false(all[POOL].on);
    close_core(&core);
}

/* pe-array.md 1: the bypass bit of the sequencer, as an option. */
static void test_pe_reg_write_is_skipped_on_request(void **unused)
{
    (void)unused;
    const struct trn_device_options options = {.pe_bypass_reg_write = true};
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct program p = program_for(core.gen);
    add(&p, TRN_OPCODE_PE_REG_WRITE)[20] = 0xFF; /* whatever it says */
    add(&p, TRN_OPCODE_HALT);
    start(&core, PE, &p);
    run(&core, 0);
    assert_int_equal(core.report.num_faults, 0);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fp8_control_register_sets_the_reading),
        cmocka_unit_test(test_a_run_can_choose_the_reading),
        cmocka_unit_test(test_psum_registers_switch_stochastic_rounding),
        cmocka_unit_test(test_seeds_of_the_vector_engines_are_kept_by_type),
        cmocka_unit_test(test_pe_reg_write_is_skipped_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
