/* SPDX-License-Identifier: Apache-2.0 */
/* Which rings a core, a TopSP and a core's DMA engines get, and in which order: as a real machine's
 * log shows it (docs/hardware/hal-stpb.md 7.1, sunda-bringup-trace.md items 4 to 6). */
#include "hal/rings.h"
#include "hal/notific.h"
#include "hal/places.h"

_Static_assert(TRN_HAL_NQ_MAX_BYTES == TRN_HAL_RING_STRIDE, "rings lie one behind the other");

trn_status trn_hal_check_rings(struct trn_hal *hal, uint32_t size)
{
    if (size <= TRN_HAL_RING_STRIDE)
        return TRN_OK;
    return trn_hal_fail(hal, TRN_ERR_INVALID, "trn_hal_bringup", "0x10000 bytes at most",
                        "rings of 0x%x bytes", size);
}

/* Whose rings: their number in host memory. */
struct owner {
    struct trn_hal_notific *notific;
    unsigned block;
    uint32_t size;
};

static trn_status configure(struct trn_hal *hal, const struct owner *owner, unsigned eng_index,
                            unsigned queue)
{
    const struct trn_hal_nq nq = {.base = trn_hal_ring_memory(hal->gen, owner->block, queue),
                                  .size = owner->size != 0 ? owner->size : TRN_HAL_RING_STRIDE};
    return trn_hal_nq_init(hal, owner->notific, eng_index, queue, &nq);
}

/* Item 5: a run of queues is configured as a whole, then enabled one by one. */
static trn_status run_of_queues(struct trn_hal *hal, const struct owner *owner, unsigned first,
                                unsigned last)
{
    trn_status status = TRN_OK;
    for (unsigned q = first; q <= last && status == TRN_OK; q++)
        status = configure(hal, owner, q, q);
    for (unsigned q = first; q <= last && status == TRN_OK; q++)
        status = trn_hal_nq_enable(hal, owner->notific, q, q, false);
    return status;
}

/* Completion rings of the five engines, then traces, events and errors; 3 only with HAM. */
trn_status trn_hal_core_rings(struct trn_hal *hal, unsigned core, struct trn_hal_notific *notific,
                              uint32_t size)
{
    const struct owner owner = {notific, TRN_HAL_RINGS_OF_CORE + core, size};
    trn_hal_at_core(hal, core);
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_RINGS);
    if (status == TRN_OK)
        status = run_of_queues(hal, &owner, 4, 8);
    if (status == TRN_OK)
        status = run_of_queues(hal, &owner, 0, 2);
    return status;
}

/* Item 4: ring 4, then ring 2, each configured and enabled at once. */
trn_status trn_hal_topsp_rings(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                               struct trn_hal_notific *notific, uint32_t size)
{
    static const unsigned queues[] = {4, 2};
    const struct owner owner = {notific, TRN_HAL_RINGS_OF_TOPSP + (unsigned)config->topsp_number,
                                size};
    trn_hal_at_engine(hal, TRN_HAL_SP, config);
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_RINGS);
    for (unsigned i = 0; i < sizeof queues / sizeof queues[0] && status == TRN_OK; i++)
        status = run_of_queues(hal, &owner, queues[i], queues[i]);
    return status;
}

/* Item 6: queue 0 of every block; eng_index counts the engines. */
static trn_status dma_run(struct trn_hal *hal, const struct owner *owners, unsigned count)
{
    trn_status status = TRN_OK;
    for (unsigned e = 0; e < count && status == TRN_OK; e++)
        status = configure(hal, &owners[e], e, 0);
    for (unsigned e = 0; e < count && status == TRN_OK; e++)
        status = trn_hal_nq_enable(hal, owners[e].notific, e, 0, false);
    return status;
}

static trn_status attach_dma(struct trn_hal *hal, unsigned core, struct trn_hal_notific *notifics,
                             struct owner *owners, unsigned count, uint32_t size)
{
    trn_status status = TRN_OK;
    for (unsigned e = 0; e < count && status == TRN_OK; e++) {
        const unsigned number = core * count + e;
        uint64_t base;
        if (!trn_hal_block_base(hal->gen, "dma#.notific", number, &base))
            return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL, NULL,
                                "%s has no notification block of DMA engine %u", hal->gen->title,
                                number);
        owners[e] = (struct owner){&notifics[e], TRN_HAL_RINGS_OF_DMA + number, size};
        status = trn_hal_notific_attach(hal, &notifics[e], hal->gen->notification_queues, base);
    }
    return status;
}

trn_status trn_hal_dma_rings(struct trn_hal *hal, unsigned core, uint32_t size)
{
    enum { MOST_ENGINES = 16 };
    struct trn_hal_notific notifics[MOST_ENGINES] = {{0}};
    struct owner owners[MOST_ENGINES] = {{0}};
    const unsigned count = hal->gen->dma_engines_per_core;
    if (count > MOST_ENGINES)
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL, "16 at most",
                            "%u DMA engines in a core", count);
    trn_hal_at_core(hal, core);
    trn_status status = trn_hal_begin(hal, TRN_HAL_STEP_RINGS);
    if (status == TRN_OK)
        status = attach_dma(hal, core, notifics, owners, count, size);
    if (status == TRN_OK)
        status = dma_run(hal, owners, count);
    for (unsigned e = 0; e < MOST_ENGINES; e++)
        trn_hal_notific_detach(hal, &notifics[e]);
    return status;
}
