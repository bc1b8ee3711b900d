/* SPDX-License-Identifier: Apache-2.0 */
/* Slots, what an empty one means, and the shims' own checks (docs/hardware/hal-stpb.md 3.2 to 3.5).
 */
#include "hal/host.h"

static const char alive[] = "al_hal_tpb_get_arch_type() != AL_HAL_TPB_ARCH_TYPE_INVALID";

/* ---- the map (3.5) ------------------------------------------------------------------------ */

static const struct trn_hal_slot *slot(uint16_t offset)
{
    for (size_t i = 0; i < trn_hal_num_slots(); i++)
        if (trn_hal_slot_at(i)->offset == offset)
            return trn_hal_slot_at(i);
    return NULL;
}

/* Rows typed from the sheet: every column of its table, each family and both policies. */
static void test_rows_of_the_slot_map(void **state)
{
    static const struct {
        uint16_t offset;
        const char *member;
        bool fatal;
        const char *text;
    } rows[] = {
        {0x008, "get_dma_eng_id", true, "kaena_khal.khal_rdm.get_dma_eng_id"},
        {0x040, "get_tpb_base", true, "kaena_khal.khal_arch.get_tpb_base"},
        {0x0C8, "get_eng_hw_decode_table_params", true,
         "kaena_khal.khal_arch.get_eng_hw_decode_table_params"},
        {0x0F0, "get_xt_local_reg_offset", true, "kaena_khal.khal_arch.get_xt_local_reg_offset"},
        {0x1F8, "dve_reset_rng_seed", true, "kaena_khal.khal_stpb.dve_reset_rng_seed"},
        {0x208, "dve_regs_init", true, "kaena_khal.khal_stpb.dve_regs_init"},
        {0x2A8, "dve_hw_decode_table_init", true, "kaena_khal.khal_stpb.dve_hw_decode_table_init"},
        {0x2B0, "dve_init", true, "kaena_khal.khal_stpb.dve_init"},
        {0x218, "act_regs_init", false, ""},
        {0x2E0, "act_init", false, ""},
        {0x318, "pe_init", false, ""},
        {0x360, "pooling_hw_decode_table_init", false, ""},
        {0x380, "pooling_set_dge_carveout", false, ""},
        {0x3A8, "q7_ucode_eng_init", true, "kaena_khal.khal_q7.q7_ucode_eng_init"},
        {0x3B0, "init", true, "kaena_khal.khal_notific.init"},
        {0x400, "nq_get_notification_size", true,
         "kaena_khal.khal_notific.nq_get_notification_size"},
        {0x440, "nq_reset", true, "kaena_khal.khal_notific.nq_reset"},
        {0x480, "mask_vector", true, "kaena_khal.khal_intc.mask_vector != NULL"},
        {0x528, "init_embedded_sem", true, "kaena_khal.khal_sdma.init_embedded_sem"},
        {0x6E0, "regs_init", false, ""},
        {0x740, "program_start", false, ""},
        {0x748, "check_run_state", false, ""},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct trn_hal_slot *const row = slot(rows[i].offset);
        assert_non_null(row);
        assert_string_equal(row->member, rows[i].member);
        assert_int_equal(row->fatal, rows[i].fatal);
        assert_string_equal(row->text, rows[i].text);
    }
    assert_null(trn_hal_slot_at(trn_hal_num_slots()));
}

static void test_map_is_ascending_and_inside_the_object(void **state)
{
    (void)state;
    for (size_t i = 0; i < trn_hal_num_slots(); i++) {
        const struct trn_hal_slot *const row = trn_hal_slot_at(i);
        assert_int_equal(row->offset % 8, 0);
        assert_true(row->offset <= 0x7A8 - 8);
        assert_true(i == 0 || trn_hal_slot_at(i - 1)->offset < row->offset);
        assert_int_equal(row->fatal, row->text[0] != '\0');
    }
}

static void test_no_slot_there(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_false(trn_hal_slot_filled(host.hal, 0x000));
    assert_false(trn_hal_slot_filled(host.hal, 0x0F4));
    assert_false(trn_hal_slot_filled(host.hal, 0xFFF8));
    assert_int_equal(trn_hal_slot_clear(host.hal, 0x0F4), TRN_ERR_NOT_FOUND);
    assert_int_equal(trn_hal_slot_clear(host.hal, 0xFFF8), TRN_ERR_NOT_FOUND);
    host_close(&host);
}

/* ---- what the registrars fill (3.3) --------------------------------------------------------- */

/* SUNDA leaves POOL's decode slot empty on purpose, and nobody but arch 4 has remote DMA. */
static void test_differences_of_the_registrars(void **state)
{
    static const uint16_t chain[] = {0x208, 0x218, 0x280, 0x288, 0x290, 0x2A8, 0x2B0, 0x2B8,
                                     0x2C0, 0x2C8, 0x2D8, 0x2E0, 0x2F0, 0x2F8, 0x300, 0x308,
                                     0x310, 0x318, 0x338, 0x340, 0x348, 0x350, 0x358, 0x368,
                                     0x370, 0x380, 0x3A8, 0x6E0, 0x6E8, 0x6F0, 0x738};
    (void)state;
    for (uint32_t arch = 2; arch <= 4; arch++) {
        struct host host;
        host_open(&host, NULL, NULL);
        assert_int_equal(trn_hal_set_arch_type(host.hal, arch), TRN_OK);
        for (unsigned i = 0; i < sizeof chain / sizeof chain[0]; i++)
            assert_true(trn_hal_slot_filled(host.hal, chain[i]));
        assert_int_equal(trn_hal_slot_filled(host.hal, 0x360), arch != 2);
        for (uint16_t rdm = 0x008; rdm <= 0x018; rdm = (uint16_t)(rdm + 8))
            assert_int_equal(trn_hal_slot_filled(host.hal, rdm), arch == 4);
        host_close(&host);
    }
}

static void test_remote_dma_is_present_but_unsupported(void **state)
{
    struct host host;
    uint32_t id;
    uint64_t address;
    (void)state;
    host_open(&host, "mariana", NULL);
    assert_int_equal(trn_hal_rdm_init(host.hal, 0), -1);
    host_expect(&host, "L1 not supported for arch v4\n");
    assert_int_equal(trn_hal_rdm_get_dma_eng_id(host.hal, 0, &id), -1);
    assert_int_equal(id, 0xFFFFFFFF);
    assert_int_equal(trn_hal_rdm_get_target_address(host.hal, 0, &address), -1);
    assert_string_equal(host_said(&host), "not supported for arch v4");
    host_close(&host);
    /* absent is another state */
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_rdm_init(host.hal, 0), TRN_ERR_ASSERT);
    assert_string_equal(host_said(&host), "kaena_khal.khal_rdm.init");
    host_close(&host);
}

/* ---- empty slots, call by call ----------------------------------------------------------------
 */

struct call {
    uint16_t slot;
    trn_status (*make)(struct trn_hal *hal);
};

static const struct trn_hal_engine_config config;
static uint32_t word;
static uint64_t number;

#define CALL(name, expression)                                                                     \
    static trn_status call_##name(struct trn_hal *hal)                                             \
    {                                                                                              \
        return expression;                                                                         \
    }

CALL(pe_init, trn_hal_pe_init(hal, &config))
CALL(act_init, trn_hal_act_init(hal, &config))
CALL(pooling_init, trn_hal_pooling_init(hal, &config))
CALL(dve_init, trn_hal_dve_init(hal, &config))
CALL(pe_regs, trn_hal_engine_step(hal, TRN_HAL_PE, TRN_HAL_STEP_REGS_INIT, &config))
CALL(pe_ucode, trn_hal_engine_step(hal, TRN_HAL_PE, TRN_HAL_STEP_UCODE_SEQ_INIT, &config))
CALL(pe_decode, trn_hal_engine_step(hal, TRN_HAL_PE, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config))
CALL(pe_dma, trn_hal_engine_step(hal, TRN_HAL_PE, TRN_HAL_STEP_DMA_INIT, &config))
CALL(pe_release, trn_hal_engine_step(hal, TRN_HAL_PE, TRN_HAL_STEP_RELEASE_RUN_STALL, &config))
CALL(act_regs, trn_hal_engine_step(hal, TRN_HAL_ACT, TRN_HAL_STEP_REGS_INIT, &config))
CALL(act_ucode, trn_hal_engine_step(hal, TRN_HAL_ACT, TRN_HAL_STEP_UCODE_SEQ_INIT, &config))
CALL(act_decode, trn_hal_engine_step(hal, TRN_HAL_ACT, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config))
CALL(act_dma, trn_hal_engine_step(hal, TRN_HAL_ACT, TRN_HAL_STEP_DMA_INIT, &config))
CALL(act_release, trn_hal_engine_step(hal, TRN_HAL_ACT, TRN_HAL_STEP_RELEASE_RUN_STALL, &config))
CALL(pool_regs, trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_REGS_INIT, &config))
CALL(pool_ucode, trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_UCODE_SEQ_INIT, &config))
CALL(pool_q7, trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_Q7_UCODE_ENG_INIT, &config))
CALL(pool_decode,
     trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config))
CALL(pool_dma, trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_DMA_INIT, &config))
CALL(pool_release, trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_RELEASE_RUN_STALL, &config))
CALL(pool_second,
     trn_hal_engine_step(hal, TRN_HAL_POOL, TRN_HAL_STEP_RELEASE_ENG_RUN_STALL, &config))
CALL(dve_regs, trn_hal_engine_step(hal, TRN_HAL_DVE, TRN_HAL_STEP_REGS_INIT, &config))
CALL(dve_ucode, trn_hal_engine_step(hal, TRN_HAL_DVE, TRN_HAL_STEP_UCODE_SEQ_INIT, &config))
CALL(dve_decode, trn_hal_engine_step(hal, TRN_HAL_DVE, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config))
CALL(dve_dma, trn_hal_engine_step(hal, TRN_HAL_DVE, TRN_HAL_STEP_DMA_INIT, &config))
CALL(dve_release, trn_hal_engine_step(hal, TRN_HAL_DVE, TRN_HAL_STEP_RELEASE_RUN_STALL, &config))
CALL(sp_regs, trn_hal_engine_step(hal, TRN_HAL_SP, TRN_HAL_STEP_REGS_INIT, &config))
CALL(sp_ucode, trn_hal_engine_step(hal, TRN_HAL_SP, TRN_HAL_STEP_UCODE_SEQ_INIT, &config))
CALL(sp_dma, trn_hal_engine_step(hal, TRN_HAL_SP, TRN_HAL_STEP_DMA_INIT, &config))
CALL(sp_release, trn_hal_engine_step(hal, TRN_HAL_SP, TRN_HAL_STEP_RELEASE_RUN_STALL, &config))
CALL(pe_level, trn_hal_instr_debug_level_set(hal, TRN_HAL_PE, 0, 0, 0))
CALL(act_level, trn_hal_instr_debug_level_set(hal, TRN_HAL_ACT, 0, 0, 0))
CALL(pool_level, trn_hal_instr_debug_level_set(hal, TRN_HAL_POOL, 0, 0, 0))
CALL(dve_level, trn_hal_instr_debug_level_set(hal, TRN_HAL_DVE, 0, 0, 0))
CALL(sp_level, trn_hal_instr_debug_level_set(hal, TRN_HAL_SP, 0, 0, 0))
CALL(dve_seed, trn_hal_dve_reset_rng_seed(hal, 0))
CALL(dve_rnd, trn_hal_dve_write_stochastic_rnd(hal, 0, 0))
CALL(dve_rnd_mode, trn_hal_dve_write_stochastic_rnd_mode(hal, 0, 0))
CALL(dve_rspcomb, trn_hal_dve_set_force_rspcomb_eight_deep(hal, 0, 0))
CALL(dve_rspcomb_at, trn_hal_dve_get_offset_force_rspcomb_eight_deep(hal, &word))
CALL(dve_timestamp, trn_hal_get_timestamp_inc(hal, 0, TRN_HAL_DVE, &word))
CALL(pe_timestamp, trn_hal_get_timestamp_inc(hal, 0, TRN_HAL_PE, &word))
CALL(dve_ram, trn_hal_dve_write_parameter_ram(hal, 0, (struct trn_hal_buf){0}))
CALL(dve_tables, trn_hal_dve_write_tables(hal, 0, &(struct trn_hal_dve_tables){0}))
CALL(act_load, trn_hal_act_load_local(hal, 0, 0, &(struct trn_hal_act_tables){0}))
CALL(dge_mapping, trn_hal_set_dge_dma_mapping(hal, 0, 0, 0))
CALL(dge_mapping_at, trn_hal_get_dge_dma_mapping_register_offset_and_val(hal, 0, 0, &number, &word))
CALL(dge_carveout, trn_hal_set_dge_carveout(hal, 0, 0, 0))
CALL(dge_carveout_at, trn_hal_get_dge_carveout_register_offset_and_val(hal, 0, 0, &number, &word))
CALL(swap, trn_hal_q7_swap_table(hal, 0, 0, 0))
CALL(swap_at, trn_hal_q7_swap_table_get_register_offsets(hal, 0, NULL, NULL, NULL))
CALL(swap_io, trn_hal_q7_swap_file_io_table(hal, 0, 0, 0, 0))
CALL(q7, trn_hal_q7_ucode_eng_init(hal, 0, 0, &(struct trn_hal_ucode){0}, NULL, NULL, 0))
CALL(trigger, trn_hal_topsp_signal(hal, 0, TRN_HAL_TOPSP_HOST_TRIGGER, 1))
CALL(trigger_at, trn_hal_topsp_signal_offset(hal, TRN_HAL_TOPSP_HOST_TRIGGER, &word))
CALL(stop, trn_hal_topsp_signal(hal, 0, TRN_HAL_TOPSP_STOP, 1))
CALL(stop_at, trn_hal_topsp_signal_offset(hal, TRN_HAL_TOPSP_STOP, &word))
CALL(block_switch_at, trn_hal_topsp_signal_offset(hal, TRN_HAL_TOPSP_BASIC_BLOCK_SWITCH, &word))
CALL(init_signal, trn_hal_topsp_signal(hal, 0, TRN_HAL_TOPSP_INIT, 1))
CALL(tsync, trn_hal_topsp_signal(hal, 0, TRN_HAL_TOPSP_TSYNC, 1))
CALL(sp_start, trn_hal_sp_program_start(hal, &config, 0))
CALL(sp_state, trn_hal_sp_check_run_state(hal, &config, &word))
CALL(run_state, trn_hal_run_state(hal, 0, TRN_HAL_PE, &word))
CALL(seq_params, trn_hal_get_seq_params(hal, 0, &(struct trn_hal_seq_params){0}))
CALL(q7_params, trn_hal_get_q7_params(hal, 2, &(struct trn_hal_q7_params){0}))
CALL(decode_params, trn_hal_get_hw_decode_params(hal, 0, &(struct trn_hal_hw_decode_params){0}))
CALL(xt_local, trn_hal_get_xt_local_reg_offset(hal, 0, 0, 1, &number))
CALL(hbm_base, trn_hal_get_param(hal, "hbm_base", 0, &number))
CALL(emax, trn_hal_get_param(hal, "dve_emax_cfg_offset", 0, &number))

static const struct call calls[] = {
    {0x318, call_pe_init},
    {0x2E0, call_act_init},
    {0x368, call_pooling_init},
    {0x2B0, call_dve_init},
    {0x2F0, call_pe_regs},
    {0x2F8, call_pe_ucode},
    {0x310, call_pe_decode},
    {0x308, call_pe_dma},
    {0x300, call_pe_release},
    {0x218, call_act_regs},
    {0x2B8, call_act_ucode},
    {0x2D8, call_act_decode},
    {0x2C8, call_act_dma},
    {0x2C0, call_act_release},
    {0x338, call_pool_regs},
    {0x340, call_pool_ucode},
    {0x3A8, call_pool_q7},
    {0x360, call_pool_decode},
    {0x358, call_pool_dma},
    {0x348, call_pool_release},
    {0x350, call_pool_second},
    {0x208, call_dve_regs},
    {0x280, call_dve_ucode},
    {0x2A8, call_dve_decode},
    {0x290, call_dve_dma},
    {0x288, call_dve_release},
    {0x6E0, call_sp_regs},
    {0x6E8, call_sp_ucode},
    {0x738, call_sp_dma},
    {0x6F0, call_sp_release},
    {0x2E8, call_pe_level},
    {0x210, call_act_level},
    {0x330, call_pool_level},
    {0x200, call_dve_level},
    {0x6D0, call_sp_level},
    {0x1F8, call_dve_seed},
    {0x230, call_dve_rnd},
    {0x238, call_dve_rnd_mode},
    {0x240, call_dve_rspcomb},
    {0x248, call_dve_rspcomb_at},
    {0x278, call_dve_timestamp},
    {0x320, call_pe_timestamp},
    {0x298, call_dve_ram},
    {0x2A0, call_dve_tables},
    {0x2D0, call_act_load},
    {0x370, call_dge_mapping},
    {0x378, call_dge_mapping_at},
    {0x380, call_dge_carveout},
    {0x388, call_dge_carveout_at},
    {0x390, call_swap},
    {0x398, call_swap_at},
    {0x3A0, call_swap_io},
    {0x3A8, call_q7},
    {0x708, call_trigger},
    {0x710, call_trigger_at},
    {0x718, call_stop},
    {0x720, call_stop_at},
    {0x728, call_block_switch_at},
    {0x6F8, call_init_signal},
    {0x700, call_tsync},
    {0x740, call_sp_start},
    {0x748, call_sp_state},
    {0x188, call_run_state},
    {0x0B0, call_seq_params},
    {0x0B8, call_q7_params},
    {0x0C8, call_decode_params},
    {0x0F0, call_xt_local},
    {0x0A0, call_hbm_base},
    {0x090, call_emax},
};

/* 3.3: an empty slot is success or an assertion with the family's text, and touches nothing. */
static void test_empty_slots_follow_their_policy(void **state)
{
    struct host host;
    (void)state;
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct trn_hal_slot *const row = slot(calls[i].slot);
        host_open(&host, "mariana", NULL);
        assert_true(trn_hal_slot_filled(host.hal, calls[i].slot));
        assert_int_equal(trn_hal_slot_clear(host.hal, calls[i].slot), TRN_OK);
        const trn_status status = calls[i].make(host.hal);
        if (status != (row->fatal ? TRN_ERR_ASSERT : TRN_OK))
            fail_msg("slot %03X %s: status %d", calls[i].slot, row->member, status);
        if (row->fatal)
            assert_string_equal(host_said(&host), row->text);
        assert_int_equal(host.bus.accesses, 0);
        host_close(&host);
    }
}

/* 3.2: every shim but one looks at the latch first. */
static void test_calls_need_the_latch(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, NULL, NULL);
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].make(host.hal) != TRN_ERR_ASSERT)
            fail_msg("slot %03X does not look at the latch", calls[i].slot);
        assert_string_equal(host_said(&host), alive);
    }
    assert_int_equal(host.bus.accesses, 0);
    assert_int_equal(trn_hal_nq_get_notification_size(), 16); /* looks at nothing */
    host_close(&host);
}

/* ---- the shims' own checks (3.4) ---------------------------------------------------------------
 */

static void test_null_configuration(void **state)
{
    static const struct {
        trn_status (*init)(struct trn_hal *, const struct trn_hal_engine_config *);
        const char *line;
    } cases[] = {
        {trn_hal_act_init, "L1 aws_hal_stpb_act_init: invalid input =(nil)\n"},
        {trn_hal_dve_init, "L1 aws_hal_stpb_dve_init: invalid input =(nil)\n"},
        {trn_hal_pooling_init, "L1 aws_hal_stpb_pooling_init: invalid input =(nil)\n"},
    };
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cases[i].init(host.hal, NULL), -22);
        host_expect(&host, cases[i].line);
    }
    assert_int_equal(trn_hal_pe_init(host.hal, NULL), -22);
    assert_int_equal(trn_hal_engine_step(host.hal, 0, TRN_HAL_STEP_REGS_INIT, NULL), -22);
    assert_int_equal(trn_hal_q7_ucode_eng_init(host.hal, 0, 0, NULL, NULL, NULL, 0), -22);
    assert_int_equal(trn_hal_dve_write_tables(host.hal, 0, NULL), -22);
    assert_int_equal(trn_hal_dve_write_parameter_ram(host.hal, 0, (struct trn_hal_buf){NULL, 4}),
                     -22);
    assert_int_equal(trn_hal_act_load_local(host.hal, 0, 0, NULL), -22);
    assert_int_equal(trn_hal_program_start(host.hal, 0, NULL), -22);
    assert_int_equal(trn_hal_sp_program_start(host.hal, NULL, 0), -22);
    assert_int_equal(trn_hal_sp_check_run_state(host.hal, NULL, &word), -22);
    assert_int_equal(trn_hal_latch(host.hal, NULL), -22);
    assert_int_equal(host.bus.accesses, 0);
    host_close(&host);
}

static void test_debug_level_above_eight(void **state)
{
    static const struct {
        trn_status (*init)(struct trn_hal *, const struct trn_hal_engine_config *);
        const char *line;
    } cases[] = {
        {trn_hal_act_init, "L1 aws_hal_stpb_act_init: invalid inst_debug_level=9\n"},
        {trn_hal_dve_init, "L1 aws_hal_stpb_dve_init: invalid inst_debug_level=9\n"},
        {trn_hal_pooling_init, "L1 aws_hal_stpb_pooling_init: invalid inst_debug_level=9\n"},
    };
    const struct trn_hal_engine_config bad = {.info.inst_debug_level = 9};
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cases[i].init(host.hal, &bad), -22);
        host_expect(&host, cases[i].line);
    }
    host_close(&host);
    /* the checks come before the latch is looked at */
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_act_init(host.hal, &bad), -22);
    host_close(&host);
}

static void test_table_index(void **state)
{
    const struct trn_hal_act_tables tables = {0};
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_act_load_local(host.hal, 0xD0000000, 7, &tables), TRN_OK);
    host_expect(&host, "");
    assert_int_equal(trn_hal_act_load_local(host.hal, 0xD0000000, 8, &tables), -22);
    host_expect(&host, "L1 invalid table index=8\n");
    host_close(&host);
}

static void test_engine_numbers(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_engine_init(host.hal, 5, &config), -22);
    assert_string_equal(host_said(&host), "no engine 5");
    assert_int_equal(trn_hal_engine_init(host.hal, -1, &config), -22);
    assert_int_equal(trn_hal_engine_step(host.hal, 5, TRN_HAL_STEP_REGS_INIT, &config), -22);
    assert_int_equal(trn_hal_instr_debug_level_set(host.hal, 5, 0, 0, 0), -22);
    assert_int_equal(
        trn_hal_engine_step(host.hal, TRN_HAL_SP, TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config),
        TRN_ERR_UNSUPPORTED);
    assert_string_equal(host_said(&host), "SP has no step 'hw_decode_table_init'");
    assert_int_equal(trn_hal_engine_step(host.hal, 0, TRN_HAL_STEPS, &config), TRN_ERR_UNSUPPORTED);
    assert_int_equal(host.bus.accesses, 0);
    host_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_the_slot_map),
        cmocka_unit_test(test_map_is_ascending_and_inside_the_object),
        cmocka_unit_test(test_no_slot_there),
        cmocka_unit_test(test_differences_of_the_registrars),
        cmocka_unit_test(test_remote_dma_is_present_but_unsupported),
        cmocka_unit_test(test_empty_slots_follow_their_policy),
        cmocka_unit_test(test_calls_need_the_latch),
        cmocka_unit_test(test_null_configuration),
        cmocka_unit_test(test_debug_level_above_eight),
        cmocka_unit_test(test_table_index),
        cmocka_unit_test(test_engine_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
