/* SPDX-License-Identifier: Apache-2.0 */
/* hal_stpb_init and a whole bring-up (docs/hardware/hal-stpb.md 7, 7.1). */
#include "hal/notific.h"
#include "hal/rings.h"

/* 7 step 4: the order of the dispatch page. */
static const int engine_order[TRN_HAL_ENGINES] = {TRN_HAL_POOL, TRN_HAL_ACT, TRN_HAL_DVE,
                                                  TRN_HAL_PE, TRN_HAL_SP};

/* ---- hal_stpb_init ------------------------------------------------------------------------------
 */

/* Steps 2 and 3: events and semaphores stall a full input, errors get their queue, then the pair
 * that lets event and semaphore records out. Instructions need nothing: the engines' packs route
 * them. HAM stays off. */
static trn_status enable_classes(struct trn_hal *hal, const struct trn_hal_stpb *stpb,
                                 struct trn_hal_notific *notific)
{
    const uint64_t regs = stpb->tpb_regs;
    trn_status status =
        trn_hal_notific_class_enable(hal, notific, regs, TRN_HAL_CLASS_EVSEM_BP, 0, true);
    if (status == TRN_OK)
        status = trn_hal_notific_class_enable(hal, notific, regs, TRN_HAL_CLASS_ERROR,
                                              stpb->error_nq_index, true);
    if (status == TRN_OK)
        status = trn_hal_notific_class_enable(hal, notific, regs, TRN_HAL_CLASS_EVSEM,
                                              stpb->evsem_nq_index, true);
    return status;
}

static trn_status init_core_block(struct trn_hal *hal, const struct trn_hal_stpb *stpb,
                                  unsigned core, struct trn_hal_notific *notific)
{
    trn_hal_at_core(hal, core);
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_NOTIFIC_INIT);
    if (status == TRN_OK)
        status =
            trn_hal_notific_init(hal, notific, hal->gen->notification_queues, 0, 0, stpb->ens_regs);
    if (status == TRN_OK)
        status = trn_hal_begin(hal, TRN_HAL_STEP_NOTIFIC_ENABLE);
    return status == TRN_OK ? enable_classes(hal, stpb, notific) : status;
}

static trn_status init_engine(struct trn_hal *hal, const struct trn_hal_stpb *stpb, unsigned core,
                              int engine)
{
    struct trn_hal_engine_config config;
    const trn_status status = trn_hal_engine_config(stpb, core, engine, &config);
    return status == TRN_OK ? trn_hal_engine_init(hal, engine, &config) : status;
}

trn_status trn_hal_stpb_init(struct trn_hal *hal, struct trn_hal_stpb *stpb, unsigned core,
                             struct trn_hal_notific *notific)
{
    trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    if (!stpb)
        return trn_hal_fail(hal, TRN_ERR_INVALID, "aws_hal_stpb_init", NULL, "NULL context");
    status = init_core_block(hal, stpb, core, notific);
    for (unsigned i = 0; i < TRN_HAL_ENGINES && status == TRN_OK; i++)
        status = init_engine(hal, stpb, core, engine_order[i]);
    return status;
}

/* ---- steps a to c: everything that is no engine of the core ------------------------------------
 */

static trn_status check_plan(struct trn_hal *hal, const struct trn_hal_bringup *plan)
{
    if (!plan->stpb || (plan->num_topsps != 0 && !plan->topsps))
        return trn_hal_fail(hal, TRN_ERR_INVALID, "trn_hal_bringup", "a context and its TopSPs",
                            "the plan has none");
    return trn_hal_check_rings(hal, plan->nq_size);
}

static trn_status bring_up_topsps(struct trn_hal *hal, const struct trn_hal_bringup *plan)
{
    trn_status status = TRN_OK;
    for (uint32_t k = 0; k < plan->num_topsps && status == TRN_OK; k++) {
        const struct trn_hal_engine_config *const config = &plan->topsps[k];
        struct trn_hal_notific notific = {0};
        status = trn_hal_sp_init(hal, config, &notific, 0, true);
        if (status == TRN_OK)
            status = trn_hal_topsp_rings(hal, config, &notific, plan->nq_size);
        trn_hal_notific_detach(hal, &notific);
    }
    return status;
}

static trn_status bring_up_core_block(struct trn_hal *hal, const struct trn_hal_bringup *plan)
{
    struct trn_hal_notific notific = {0};
    trn_status status = init_core_block(hal, plan->stpb, plan->core, &notific);
    if (status == TRN_OK && !plan->no_rings)
        status = trn_hal_core_rings(hal, plan->core, &notific, plan->nq_size);
    trn_hal_notific_detach(hal, &notific);
    return status;
}

static trn_status bring_up_blocks(struct trn_hal *hal, const struct trn_hal_bringup *plan)
{
    trn_status status = trn_hal_alive(hal);
    if (status == TRN_OK)
        status = check_plan(hal, plan);
    if (status == TRN_OK)
        status = bring_up_topsps(hal, plan);
    if (status == TRN_OK && !plan->core_blocks_done)
        status = bring_up_core_block(hal, plan);
    return status;
}

/* ---- step d: the engines, each by itself
 * --------------------------------------------------------- */

static bool is_wanted(const struct trn_hal_bringup *plan, int engine)
{
    return plan->engine_mask == 0 || (plan->engine_mask >> engine) % 2 != 0;
}

/* The first failure is the one that is told. */
static void note_failure(const struct trn_hal *hal, int engine, trn_status status,
                         struct trn_hal_bringup_result *result)
{
    if (result->diag.status != TRN_OK)
        return;
    result->diag = hal->diag;
    result->diag.status = status;
    result->failed_engine = engine;
    result->failed_step = hal->where.step;
}

/* One that fails leaves the others usable (F36); a fatal status ends all, and those that were not
 * tried carry it. */
static trn_status bring_up_engines(struct trn_hal *hal, const struct trn_hal_bringup *plan,
                                   struct trn_hal_bringup_result *result)
{
    trn_status ended = result->blocks;
    for (unsigned i = 0; i < TRN_HAL_ENGINES; i++) {
        const int engine = engine_order[i];
        trn_status *const status = &result->engines[engine];
        if (!is_wanted(plan, engine))
            continue;
        *status = ended == TRN_OK ? init_engine(hal, plan->stpb, plan->core, engine) : ended;
        if (*status == TRN_OK)
            continue;
        note_failure(hal, engine, *status, result);
        if (trn_hal_is_fatal(*status))
            ended = *status;
    }
    return ended;
}

/* ---- steps behind the engines
 * ---------------------------------------------------------------------- */

static trn_status set_up_dge(struct trn_hal *hal, const struct trn_hal_bringup *plan)
{
    const struct trn_hal_dge *const dge = plan->dge;
    const uint64_t mem = plan->stpb->tpb_mem_handle;
    trn_hal_at_core(hal, plan->core);
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_DGE);
    if (status == TRN_OK && dge->set_carveout)
        status = trn_hal_set_dge_carveout(hal, mem, dge->carveout_size, dge->carveout_offset);
    if (status == TRN_OK && dge->set_mapping)
        status = trn_hal_set_dge_dma_mapping(hal, mem, dge->mapping_hi, dge->mapping_lo);
    return status;
}

static trn_status first_failure(const struct trn_hal_bringup_result *result)
{
    return result->diag.status;
}

trn_status trn_hal_bringup(struct trn_hal *hal, const struct trn_hal_bringup *plan,
                           struct trn_hal_bringup_result *result)
{
    *result = (struct trn_hal_bringup_result){.failed_engine = -1};
    hal->where = (struct trn_hal_where){.core = plan->core, .engine = -1, .topsp = -1};
    result->blocks = bring_up_blocks(hal, plan);
    if (result->blocks != TRN_OK)
        note_failure(hal, -1, result->blocks, result);
    trn_status ended = bring_up_engines(hal, plan, result);
    if (ended == TRN_OK && plan->dma_rings) {
        result->blocks = trn_hal_dma_rings(hal, plan->core, plan->nq_size);
        if (result->blocks != TRN_OK)
            note_failure(hal, -1, result->blocks, result);
        if (trn_hal_is_fatal(result->blocks))
            ended = result->blocks;
    }
    if (plan->dge) {
        result->dge = ended == TRN_OK ? set_up_dge(hal, plan) : ended;
        if (result->dge != TRN_OK)
            note_failure(hal, -1, result->dge, result);
    }
    return first_failure(result);
}
