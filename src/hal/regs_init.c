/* SPDX-License-Identifier: Apache-2.0 */
/* regs_init: the registers an engine gets before its microcode (docs/hardware/hal-stpb.md 9). */
#include "hal/leaves.h"

/* Where the numbers of an engine go (8.3, 9.2). */
struct engine_registers {
    enum trn_hal_reg debug; /* TRN_HAL_REGS: the engine has none */
    enum trn_hal_reg queues;
    const char *nx, *explicit, *engine; /* fields of `queues`; NULL: none */
};

static const struct engine_registers registers_of[TRN_HAL_ENGINES] = {
    [TRN_HAL_PE] = {TRN_HAL_REG_PE_DEBUG, TRN_HAL_REG_QUEUES_PE_POOL, "pe_nx", "pe_explicit",
                    "pe_engine"},
    [TRN_HAL_ACT] = {TRN_HAL_REG_ACT_DEBUG, TRN_HAL_REG_QUEUES_ACT_DVE, "act_nx", "act_explicit",
                     "act_engine"},
    [TRN_HAL_POOL] = {TRN_HAL_REG_POOL_DEBUG, TRN_HAL_REG_QUEUES_PE_POOL, "pool_nx",
                      "pool_explicit", "pool_engine"},
    [TRN_HAL_DVE] = {TRN_HAL_REG_DVE_DEBUG, TRN_HAL_REG_QUEUES_ACT_DVE, "dve_nx", "dve_explicit",
                     "dve_engine"},
    [TRN_HAL_SP] = {TRN_HAL_REGS, TRN_HAL_REG_QUEUES_SP_EVSEM, "sp_nx", "sp_explicit", NULL},
};

/* What one sub-step has to go by. */
struct regs_call {
    struct trn_hal *hal;
    int engine;
    uint64_t local; /* local register file of the engine */
    const struct trn_hal_engine_config *config;
};

typedef trn_status regs_step(const struct regs_call *call);

/* ---- the debug level (9.1) ------------------------------------------------------------------ */

/* OPEN map from level to the 4-bit hardware level; model choice: identity, 9 and above refused. */
static trn_status map_debug_level(struct trn_hal *hal, uint32_t level, uint32_t *mapped)
{
    enum { LAST_LEVEL = 8 };
    *mapped = level;
    if (level <= LAST_LEVEL)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_INVALID, "aws_hal_arch_stpb_to_instr_debug_level",
                            "invalid inst_debug_level=%u", level);
}

/* The NX half, where the local block has the register (SUNDA). */
static trn_status set_nx_level(struct trn_hal *hal, int engine, uint64_t local, uint32_t level)
{
    if (!trn_hal_has_reg(hal, TRN_HAL_REG_NX_DEBUG))
        return TRN_OK;
    uint32_t state = 0;
    trn_status status = trn_hal_write_reg(hal, local, TRN_HAL_REG_NX_DEBUG, level);
    if (status == TRN_OK)
        status = trn_hal_read_reg(hal, local, TRN_HAL_REG_RUN_STATE, &state);
    /* OPEN what bit 0 selects; model choice: say so and go on. */
    if (status == TRN_OK && state % 2 != 0)
        trn_hal_log(hal, 4, trn_hal_function(hal, engine, "instr_debug_level_set").name,
                    "warning: the engine is running, run_state=%x", state);
    return status;
}

/* The two writes of 9.1 with the engine's local block known. */
static trn_status set_level(struct trn_hal *hal, int engine, uint64_t regs, uint64_t local,
                            uint32_t level)
{
    const enum trn_hal_reg debug = registers_of[engine].debug;
    uint32_t mapped;
    trn_status status = map_debug_level(hal, level, &mapped);
    if (status != TRN_OK || debug == TRN_HAL_REGS)
        return status; /* SP has no register for it (9.7) */
    status = trn_hal_rmw_field(hal, regs, debug, "dbg_level", mapped);
    return status == TRN_OK ? set_nx_level(hal, engine, local, mapped) : status;
}

trn_status trn_hal_body_instr_debug_level_set(struct trn_hal *hal, int engine, uint64_t mem,
                                              uint64_t regs, uint32_t level)
{
    uint64_t local;
    const trn_status status = trn_hal_get_xt_local_reg_offset(hal, mem, engine, 1, &local);
    return status == TRN_OK ? set_level(hal, engine, regs, local, level) : status;
}

static trn_status debug_level(const struct regs_call *c)
{
    return set_level(c->hal, c->engine, c->config->regs, c->local,
                     c->config->info.inst_debug_level);
}

/* ---- the other sub-steps -------------------------------------------------------------------- */

/* 9.3: four pairs of value and mask, by the seed's offsets or by the schema's. */
static trn_status special_values(const struct regs_call *c)
{
    enum { PAIRS = 4, WORDS = 2 * PAIRS };
    static const uint32_t seed[WORDS] = {0x00000000, 0xFFFFFFFF, 0x7F800000, 0xFFFFFFFF,
                                         0xFF800000, 0xFFFFFFFF, 0x7FC00000, 0x7FC00000};
    static const uint32_t schema[WORDS] = {0x00000000, 0xFFFFFFFF, 0x7FC00000, 0x7FC00000,
                                           0x7F800000, 0xFFFFFFFF, 0xFF800000, 0xFFFFFFFF};
    const uint32_t *const values = c->hal->options.fp_special_schema ? schema : seed;
    const unsigned last = c->hal->gen->hal_special_pair_last;
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < PAIRS && status == TRN_OK; i++) {
        const unsigned pair = i + 1 == PAIRS ? last : i < last ? i : i + 1;
        for (unsigned w = 2 * pair; w < 2 * pair + 2 && status == TRN_OK; w++)
            status = trn_hal_write_reg(c->hal, c->config->regs, TRN_HAL_REG_ACT_SPECIAL_0 + w,
                                       values[w]);
    }
    return status;
}

/* 9.2: the NX and engine fields take the implicit index. */
static trn_status queue_pack(const struct regs_call *c)
{
    const struct engine_registers *const r = &registers_of[c->engine];
    const struct trn_hal_eng_info *const info = &c->config->info;
    struct trn_hal_word word = trn_hal_word(c->hal, r->queues);
    trn_hal_put(&word, r->nx, info->impl_nq_index);
    trn_hal_put(&word, r->explicit, info->expl_nq_index);
    if (r->engine)
        trn_hal_put(&word, r->engine, info->impl_nq_index);
    return trn_hal_rmw_word(c->hal, c->config->regs, r->queues, &word);
}

/* 9.7: the pack of a TopSP is one write of its own register. */
static trn_status topsp_queues(const struct regs_call *c)
{
    struct trn_hal_word word = trn_hal_word(c->hal, TRN_HAL_REG_QUEUES_TOPSP);
    trn_hal_put(&word, "sp_nx", c->config->info.impl_nq_index);
    trn_hal_put(&word, "sp_explicit", c->config->info.expl_nq_index);
    trn_hal_put(&word, "events_semaphores", c->config->evsem_nq_index);
    trn_hal_put(&word, "errors", c->config->error_nq_index);
    return trn_hal_write_reg(c->hal, c->config->regs, TRN_HAL_REG_QUEUES_TOPSP, word.value);
}

/* 9.5 c: all eight Q7 cores post to the queue of POOL's explicit records (OPEN; model choice). */
static trn_status q7_queues(const struct regs_call *c)
{
    static const char *const cores[] = {"Q7_0", "Q7_1", "Q7_2", "Q7_3",
                                        "Q7_4", "Q7_5", "Q7_6", "Q7_7"};
    if (!c->hal->gen->has_q7_swq)
        return TRN_OK;
    struct trn_hal_word word = trn_hal_word(c->hal, TRN_HAL_REG_QUEUES_Q7);
    for (unsigned i = 0; i < sizeof cores / sizeof cores[0]; i++)
        trn_hal_put(&word, cores[i], c->config->info.expl_nq_index);
    return trn_hal_write_reg(c->hal, c->config->regs, TRN_HAL_REG_QUEUES_Q7, word.value);
}

/* 13.1: a bit of DVE's first spare register. */
trn_status trn_hal_set_chicken_bit(struct trn_hal *hal, uint64_t regs)
{
    return trn_hal_rmw_field(hal, regs, TRN_HAL_REG_DVE_SPARE, "pool_arb_chicken", 1);
}

static trn_status chicken_bit(const struct regs_call *c)
{
    return c->hal->gen->hal_chicken_in_regs_init ? trn_hal_set_chicken_bit(c->hal, c->config->regs)
                                                 : TRN_OK;
}

/* 9.3: written on every generation; OPEN on SUNDA, where the place has no effect. */
static trn_status cache_block_size(const struct regs_call *c)
{
    return trn_hal_write_reg(c->hal, c->local, TRN_HAL_REG_BLOCK_SIZE,
                             c->config->info.iram_cache_block_size);
}

/* 9.6 e, where the register exists. */
static trn_status xorwow_increment(const struct regs_call *c)
{
    return trn_hal_dve_write_xorwow_inc_val_default(c->hal, c->config->regs);
}

/* ---- the lists of 9.3 to 9.7 ---------------------------------------------------------------- */

enum { MOST_STEPS = 6 };

static regs_step *const steps_of[TRN_HAL_ENGINES][MOST_STEPS] = {
    [TRN_HAL_PE] = {debug_level, queue_pack, cache_block_size},
    [TRN_HAL_ACT] = {special_values, debug_level, queue_pack, cache_block_size},
    [TRN_HAL_POOL] = {debug_level, queue_pack, q7_queues, cache_block_size},
    [TRN_HAL_DVE] = {debug_level, queue_pack, chicken_bit, cache_block_size, xorwow_increment},
    [TRN_HAL_SP] = {queue_pack, cache_block_size},
};
static regs_step *const topsp_steps[MOST_STEPS] = {topsp_queues, cache_block_size};

trn_status trn_hal_body_regs_init(struct trn_hal *hal, int engine,
                                  const struct trn_hal_engine_config *config)
{
    struct regs_call call = {.hal = hal, .engine = engine, .config = config};
    regs_step *const *const steps = config->topsp ? topsp_steps : steps_of[engine];
    trn_status status = trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine,
                                                        !config->topsp, &call.local);
    for (unsigned i = 0; i < MOST_STEPS && steps[i] && status == TRN_OK; i++)
        status = steps[i](&call);
    return status;
}
