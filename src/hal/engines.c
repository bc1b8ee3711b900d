/* SPDX-License-Identifier: Apache-2.0 */
/* The orchestrators: which steps an engine's chain has, in which order (docs/hardware/hal-stpb.md
 * 8.1). The first step that fails ends the chain, and the engine stays stalled. */
#include <stdio.h>

#include "hal/leaves.h"

static trn_status q7_step(struct trn_hal *hal, int engine,
                          const struct trn_hal_engine_config *config);
static trn_status regs_step(struct trn_hal *hal, int engine,
                            const struct trn_hal_engine_config *config);

/* ---- the chains ----------------------------------------------------------------------------- */

struct chain_step {
    enum trn_hal_step step; /* NONE ends a chain */
    bool with_decoder;      /* called only where the generation has the hardware decoder */
};

enum { MOST_STEPS = 8 };

/* DVE's chain calls its decode leaf on every generation, SUNDA's returns 0; POOL's second release
 * is a stub where no register does it. */
static const struct chain_step chains[TRN_HAL_ENGINES][MOST_STEPS] = {
    [TRN_HAL_PE] = {{TRN_HAL_STEP_REGS_INIT, false},
                    {TRN_HAL_STEP_UCODE_SEQ_INIT, false},
                    {TRN_HAL_STEP_HW_DECODE_TABLE_INIT, true},
                    {TRN_HAL_STEP_DMA_INIT, false},
                    {TRN_HAL_STEP_RELEASE_RUN_STALL, false}},
    [TRN_HAL_ACT] = {{TRN_HAL_STEP_REGS_INIT, false},
                     {TRN_HAL_STEP_UCODE_SEQ_INIT, false},
                     {TRN_HAL_STEP_HW_DECODE_TABLE_INIT, true},
                     {TRN_HAL_STEP_DMA_INIT, false},
                     {TRN_HAL_STEP_RELEASE_RUN_STALL, false}},
    [TRN_HAL_POOL] = {{TRN_HAL_STEP_REGS_INIT, false},
                      {TRN_HAL_STEP_UCODE_SEQ_INIT, false},
                      {TRN_HAL_STEP_Q7_UCODE_ENG_INIT, false},
                      {TRN_HAL_STEP_HW_DECODE_TABLE_INIT, true},
                      {TRN_HAL_STEP_DMA_INIT, false},
                      {TRN_HAL_STEP_RELEASE_RUN_STALL, false},
                      {TRN_HAL_STEP_RELEASE_ENG_RUN_STALL, false}},
    [TRN_HAL_DVE] = {{TRN_HAL_STEP_REGS_INIT, false},
                     {TRN_HAL_STEP_UCODE_SEQ_INIT, false},
                     {TRN_HAL_STEP_HW_DECODE_TABLE_INIT, false},
                     {TRN_HAL_STEP_DMA_INIT, false},
                     {TRN_HAL_STEP_RELEASE_RUN_STALL, false}},
    [TRN_HAL_SP] = {{TRN_HAL_STEP_REGS_INIT, false},
                    {TRN_HAL_STEP_UCODE_SEQ_INIT, false},
                    {TRN_HAL_STEP_DMA_INIT, false},
                    {TRN_HAL_STEP_RELEASE_RUN_STALL, false}},
};

typedef trn_status step_body(struct trn_hal *hal, int engine,
                             const struct trn_hal_engine_config *config);

static step_body *const bodies[TRN_HAL_STEPS] = {
    [TRN_HAL_STEP_REGS_INIT] = regs_step,
    [TRN_HAL_STEP_UCODE_SEQ_INIT] = trn_hal_body_ucode_seq_init,
    [TRN_HAL_STEP_Q7_UCODE_ENG_INIT] = q7_step,
    [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = trn_hal_body_hw_decode_table_init,
    [TRN_HAL_STEP_DMA_INIT] = trn_hal_body_dma_init,
    [TRN_HAL_STEP_RELEASE_RUN_STALL] = trn_hal_body_release_run_stall,
    [TRN_HAL_STEP_RELEASE_ENG_RUN_STALL] = trn_hal_body_release_eng_run_stall,
};

static bool is_called(const struct trn_gen *gen, const struct chain_step *step)
{
    return !step->with_decoder || gen->has_hw_decode;
}

bool trn_hal_engine_has_step(const struct trn_hal *hal, int engine, enum trn_hal_step step)
{
    if (!hal->gen || engine < 0 || engine >= TRN_HAL_ENGINES || step == TRN_HAL_STEP_NONE)
        return false;
    for (const struct chain_step *s = chains[engine]; s->step != TRN_HAL_STEP_NONE; s++)
        if (s->step == step)
            return is_called(hal->gen, s);
    return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *trn_hal_engine_tag(int engine)
{
    static const char *const tags[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = "PE",
                                                      [TRN_HAL_ACT] = "ACT",
                                                      [TRN_HAL_POOL] = "POOL",
                                                      [TRN_HAL_DVE] = "DVE",
                                                      [TRN_HAL_SP] = "SP"};
    return engine >= 0 && engine < TRN_HAL_ENGINES ? tags[engine] : "?";
}

struct trn_hal_function trn_hal_function(const struct trn_hal *hal, int engine, const char *step)
{
    static const char *const words[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = "pe",
                                                       [TRN_HAL_ACT] = "act",
                                                       [TRN_HAL_POOL] = "pooling",
                                                       [TRN_HAL_DVE] = "dve",
                                                       [TRN_HAL_SP] = "sp"};
    struct trn_hal_function function;
    snprintf(function.name, sizeof function.name, "aws_hal_stpb_%s_%s_%s", hal->gen->hal_name,
             words[engine], step);
    return function;
}

/* ---- steps that are more than their leaf ------------------------------------------------------
 */

/* Through the trampoline, as the real chain does (14.2). */
static trn_status q7_step(struct trn_hal *hal, int engine,
                          const struct trn_hal_engine_config *config)
{
    (void)engine;
    return trn_hal_q7_ucode_eng_init(hal, config->mem_handle, config->addr, &config->info.q7_ucode,
                                     config->memcpy_fn, config->cookie, 0);
}

/* Where regs_init does not set DVE's chicken bit the chain does, right behind it (OPEN exact place;
 * model choice). */
static trn_status regs_step(struct trn_hal *hal, int engine,
                            const struct trn_hal_engine_config *config)
{
    const struct trn_gen *const gen = hal->gen;
    const trn_status status = trn_hal_body_regs_init(hal, engine, config);
    if (status == TRN_OK && engine == TRN_HAL_DVE && gen->has_chicken &&
        !gen->hal_chicken_in_regs_init)
        return trn_hal_set_chicken_bit(hal, config->regs);
    return status;
}

/* ---- a chain ----------------------------------------------------------------------------------
 */

void trn_hal_at_engine(struct trn_hal *hal, int engine, const struct trn_hal_engine_config *config)
{
    hal->where = (struct trn_hal_where){.core = config->core,
                                        .engine = config->topsp ? -1 : engine,
                                        .topsp = config->topsp ? config->topsp_number : -1};
}

void trn_hal_at_core(struct trn_hal *hal, unsigned core)
{
    hal->where = (struct trn_hal_where){.core = core, .engine = -1, .topsp = -1};
}

/* "POOL", "TopSP 2", "core 0": whose step it is, for a reader. */
static void say_owner(const struct trn_hal_where *where, char *text, size_t size)
{
    if (where->engine >= 0)
        snprintf(text, size, "%s", trn_hal_engine_tag(where->engine));
    else if (where->topsp >= 0)
        snprintf(text, size, "TopSP %d", where->topsp);
    else
        snprintf(text, size, "core %u", where->core);
}

trn_status trn_hal_begin(struct trn_hal *hal, enum trn_hal_step step)
{
    char owner[32];
    const trn_status status = trn_hal_enter(hal, step);
    if (status == TRN_OK)
        return TRN_OK;
    say_owner(&hal->where, owner, sizeof owner);
    return trn_hal_log_fail(hal, status, trn_hal_step_name(step), "%s: %s failed with %d", owner,
                            trn_hal_step_name(step), status);
}

trn_status trn_hal_run_chain(struct trn_hal *hal, int engine,
                             const struct trn_hal_engine_config *config)
{
    trn_status status = TRN_OK;
    trn_hal_at_engine(hal, engine, config);
    for (const struct chain_step *s = chains[engine];
         s->step != TRN_HAL_STEP_NONE && status == TRN_OK; s++) {
        if (!is_called(hal->gen, s))
            continue;
        status = trn_hal_begin(hal, s->step);
        if (status == TRN_OK)
            status = bodies[s->step](hal, engine, config);
    }
    return status;
}

/* The first line of every orchestrator is its log line (6). */
static trn_status orchestrate(struct trn_hal *hal, int engine,
                              const struct trn_hal_engine_config *config)
{
    const struct trn_hal_function function = trn_hal_function(hal, engine, "init");
    trn_hal_log(hal, 4, function.name, "%s: tpb_mem_handle=0x%llx, tpb_regs=0x%llx", function.name,
                (unsigned long long)config->mem_handle, (unsigned long long)config->regs);
    return trn_hal_run_chain(hal, engine, config);
}

/* ---- entry points ------------------------------------------------------------------------------
 */

#define ENTRY(name, body, engine)                                                                  \
    TRN_LEAF(name)                                                                                 \
    {                                                                                              \
        return body(hal, engine, config);                                                          \
    }

ENTRY(pe_init, orchestrate, TRN_HAL_PE)
ENTRY(act_init, orchestrate, TRN_HAL_ACT)
ENTRY(pooling_init, orchestrate, TRN_HAL_POOL)
ENTRY(dve_init, orchestrate, TRN_HAL_DVE)

ENTRY(pe_regs_init, trn_hal_body_regs_init, TRN_HAL_PE)
ENTRY(act_regs_init, trn_hal_body_regs_init, TRN_HAL_ACT)
ENTRY(pooling_regs_init, trn_hal_body_regs_init, TRN_HAL_POOL)
ENTRY(dve_regs_init, trn_hal_body_regs_init, TRN_HAL_DVE)
ENTRY(sp_regs_init, trn_hal_body_regs_init, TRN_HAL_SP)

ENTRY(pe_ucode_seq_init, trn_hal_body_ucode_seq_init, TRN_HAL_PE)
ENTRY(act_ucode_seq_init, trn_hal_body_ucode_seq_init, TRN_HAL_ACT)
ENTRY(pooling_ucode_seq_init, trn_hal_body_ucode_seq_init, TRN_HAL_POOL)
ENTRY(dve_ucode_seq_init, trn_hal_body_ucode_seq_init, TRN_HAL_DVE)
ENTRY(sp_ucode_seq_init, trn_hal_body_ucode_seq_init, TRN_HAL_SP)

ENTRY(pe_hw_decode_table_init, trn_hal_body_hw_decode_table_init, TRN_HAL_PE)
ENTRY(act_hw_decode_table_init, trn_hal_body_hw_decode_table_init, TRN_HAL_ACT)
ENTRY(pooling_hw_decode_table_init, trn_hal_body_hw_decode_table_init, TRN_HAL_POOL)
ENTRY(dve_hw_decode_table_init, trn_hal_body_hw_decode_table_init, TRN_HAL_DVE)

ENTRY(pe_dma_init, trn_hal_body_dma_init, TRN_HAL_PE)
ENTRY(act_dma_init, trn_hal_body_dma_init, TRN_HAL_ACT)
ENTRY(pooling_dma_init, trn_hal_body_dma_init, TRN_HAL_POOL)
ENTRY(dve_dma_init, trn_hal_body_dma_init, TRN_HAL_DVE)
ENTRY(sp_dma_init, trn_hal_body_dma_init, TRN_HAL_SP)

ENTRY(pe_release_run_stall, trn_hal_body_release_run_stall, TRN_HAL_PE)
ENTRY(act_release_run_stall, trn_hal_body_release_run_stall, TRN_HAL_ACT)
ENTRY(pooling_release_seq_run_stall, trn_hal_body_release_run_stall, TRN_HAL_POOL)
ENTRY(pooling_release_eng_run_stall, trn_hal_body_release_eng_run_stall, TRN_HAL_POOL)
ENTRY(dve_release_run_stall, trn_hal_body_release_run_stall, TRN_HAL_DVE)
ENTRY(sp_release_run_stall, trn_hal_body_release_run_stall, TRN_HAL_SP)

#define LEVEL_ENTRY(name, engine)                                                                  \
    trn_status trn_leaf_##name##_instr_debug_level_set(struct trn_hal *hal, uint64_t mem,          \
                                                       uint64_t regs, uint32_t level)              \
    {                                                                                              \
        return trn_hal_body_instr_debug_level_set(hal, engine, mem, regs, level);                  \
    }

LEVEL_ENTRY(pe, TRN_HAL_PE)
LEVEL_ENTRY(act, TRN_HAL_ACT)
LEVEL_ENTRY(pool, TRN_HAL_POOL)
LEVEL_ENTRY(dve, TRN_HAL_DVE)
LEVEL_ENTRY(sp, TRN_HAL_SP)
