/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts with the default parameters (docs/hardware/hal-stpb.md 7.1; queue numbers of notific.md
 * 7.2) and their layout (5.1, 5.2). */
#include <string.h>

#include "gen/regmap.h"
#include "hal/handle.h"

/* ---- layout: every offset that 5.1 and 5.2 give ------------------------------------- */

#define AT(type, member, offset)                                                                   \
    _Static_assert(offsetof(struct type, member) == (offset), #type "." #member)

AT(trn_hal_stpb, tpb_mem_handle, 0x000);
AT(trn_hal_stpb, tpb_regs, 0x008);
AT(trn_hal_stpb, ens_regs, 0x010);
AT(trn_hal_stpb, addr, 0x018);
AT(trn_hal_stpb, memcpy_fn, 0x020);
AT(trn_hal_stpb, cookie, 0x028);
AT(trn_hal_stpb, pooling_info, 0x030);
AT(trn_hal_stpb, act_info, 0x100);
AT(trn_hal_stpb, pe_info, 0x1D0);
AT(trn_hal_stpb, dve_info, 0x2A0);
AT(trn_hal_stpb, sp_info, 0x370);
AT(trn_hal_stpb, evsem_nq_index, 0x440);
_Static_assert(sizeof(struct trn_hal_stpb) == 0x450, "1104 bytes (5.1)");

AT(trn_hal_eng_info, seq_ucode.iram, 0x00);
AT(trn_hal_eng_info, seq_ucode.dram, 0x10);
AT(trn_hal_eng_info, q7_ucode.iram, 0x20);
AT(trn_hal_eng_info, q7_ucode.dram, 0x30);
AT(trn_hal_eng_info, hw_decode.profile, 0x40);
AT(trn_hal_eng_info, hw_decode.cam, 0x50);
AT(trn_hal_eng_info, dma_info, 0x60);
AT(trn_hal_eng_info, inst_debug_level, 0xB8);
AT(trn_hal_eng_info, expl_nq_index, 0xBC);
AT(trn_hal_eng_info, impl_nq_index, 0xC0);
AT(trn_hal_eng_info, disable_hw_decode, 0xC4);
AT(trn_hal_eng_info, iram_cache_block_size, 0xC8);
_Static_assert(sizeof(struct trn_hal_eng_info) == 0xD0, "208 bytes (5.2)");

AT(trn_hal_dma_info, enabled, 0x00);
AT(trn_hal_dma_info, rx, 0x08);
AT(trn_hal_dma_info, tx, 0x30);
_Static_assert(sizeof(struct trn_hal_dma_info) == 0x58, "dma_info (5.2)");

AT(trn_hal_ring, ring_base, 0x00);
AT(trn_hal_ring, ring_length, 0x08);
AT(trn_hal_ring, head_ptr, 0x10);
AT(trn_hal_ring, tail_ptr, 0x18);
AT(trn_hal_ring, tail_inc_ptr, 0x20);
_Static_assert(sizeof(struct trn_hal_ring) == 0x28, "a ring (5.2)");

_Static_assert(sizeof(struct trn_hal_buf) == 0x10, "{buf, size} (5.2)");

/* ---- default parameters (7.1) ------------------------------------------------------- */

enum {
    FETCH_QUEUE = 14,  /* [O] */
    RING_LENGTH = 128, /* descriptors [O trace, TopSP] */
    BLOCK_SIZE = 0x2000,
    IMPLICIT = 0,
    EVENTS = 1,
    ERRORS = 2,
    POWER = 3, /* HAM */
    TOPSP_EXPLICIT = 4
};

static const uint32_t explicit_queue[TRN_HAL_ENGINES] = {
    [TRN_HAL_PE] = 4, [TRN_HAL_ACT] = 5, [TRN_HAL_POOL] = 6, [TRN_HAL_DVE] = 7, [TRN_HAL_SP] = 8};

static uint32_t place(const struct trn_gen *gen, const char *name)
{
    const struct trn_reg_row *row = trn_reg_find(gen, name, NULL);
    return row ? trn_reg_offset(row, FETCH_QUEUE, 0) : 0;
}

/* S2M or M2S bank of the queue: head, tail, doorbell (udma.md 4). */
static struct trn_hal_ring ring_of(const struct trn_gen *gen, uint64_t engine, const char *head,
                                   const char *tail, const char *doorbell)
{
    return (struct trn_hal_ring){.ring_length = RING_LENGTH,
                                 .head_ptr = engine + place(gen, head),
                                 .tail_ptr = engine + place(gen, tail),
                                 .tail_inc_ptr = engine + place(gen, doorbell)};
}

/* The fetch rings of an engine of `core`, over that DMA engine of the core. */
static trn_status fill_info(struct trn_hal *hal, unsigned core, unsigned dma, uint32_t explicit,
                            struct trn_hal_eng_info *info)
{
    const struct trn_gen *const gen = hal->gen;
    uint64_t bar0, engine;
    if (!trn_hal_block_base(gen, "dma#.udma", core * gen->dma_engines_per_core + dma, &bar0) ||
        !trn_hal_device_address(gen, bar0, &engine))
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL, NULL,
                            "%s has no place for DMA engine %u of core %u", gen->title, dma, core);
    *info = (struct trn_hal_eng_info){
        .dma_info = {.enabled = 1,
                     .rx = ring_of(gen, engine, "udma.s2m_q.drhp", "udma.s2m_q.drtp",
                                   "udma.s2m_q.drtp_inc"),
                     .tx = ring_of(gen, engine, "udma.m2s_q.drhp", "udma.m2s_q.drtp",
                                   "udma.m2s_q.drtp_inc")},
        .expl_nq_index = explicit,
        .impl_nq_index = IMPLICIT,
        .iram_cache_block_size = BLOCK_SIZE};
    return TRN_OK;
}

static const struct trn_hal_eng_info *info_of(const struct trn_hal_stpb *stpb, int engine)
{
    switch (engine) {
    case TRN_HAL_PE:
        return &stpb->pe_info;
    case TRN_HAL_ACT:
        return &stpb->act_info;
    case TRN_HAL_POOL:
        return &stpb->pooling_info;
    case TRN_HAL_DVE:
        return &stpb->dve_info;
    case TRN_HAL_SP:
        return &stpb->sp_info;
    default:
        return NULL;
    }
}

trn_status trn_hal_core_defaults(struct trn_hal *hal, unsigned core, struct trn_hal_stpb *stpb)
{
    trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    const struct trn_gen *const gen = hal->gen;
    *stpb = (struct trn_hal_stpb){.tpb_mem_handle = gen->bar0_tpb + core * gen->bar0_tpb_stride,
                                  .evsem_nq_index = EVENTS,
                                  .error_nq_index = ERRORS,
                                  .ham_nq_index = POWER};
    if (core >= gen->cores || !trn_hal_block_base(gen, "core#.tpb", core, &stpb->tpb_regs) ||
        !trn_hal_block_base(gen, "core#.notific", core, &stpb->ens_regs) ||
        !trn_hal_device_address(gen, stpb->tpb_mem_handle, &stpb->addr))
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "%s has cores 0 to %u, not %u",
                            gen->title, gen->cores - 1u, core);
    struct trn_hal_eng_info *const info[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = &stpb->pe_info,
                                                            [TRN_HAL_ACT] = &stpb->act_info,
                                                            [TRN_HAL_POOL] = &stpb->pooling_info,
                                                            [TRN_HAL_DVE] = &stpb->dve_info,
                                                            [TRN_HAL_SP] = &stpb->sp_info};
    for (unsigned e = 0; e < TRN_HAL_ENGINES && status == TRN_OK; e++)
        status = fill_info(hal, core, e, explicit_queue[e], info[e]);
    return status;
}

trn_status trn_hal_topsp_defaults(struct trn_hal *hal, unsigned topsp,
                                  struct trn_hal_engine_config *config)
{
    const trn_status status = trn_hal_alive(hal);
    if (status != TRN_OK)
        return status;
    const struct trn_gen *const gen = hal->gen;
    *config = (struct trn_hal_engine_config){.error_nq_index = ERRORS,
                                             .evsem_nq_index = EVENTS,
                                             .dge_nq_index = TOPSP_EXPLICIT,
                                             .topsp = true,
                                             .core = topsp / gen->hal_topsps_per_core,
                                             .topsp_number = (int)topsp};
    const bool there = topsp < gen->hal_topsps &&
                       trn_hal_block_base(gen, "topsp#.evt_sem", topsp, &config->mem_handle) &&
                       trn_hal_block_base(gen, "topsp#.sp_regs", topsp, &config->regs) &&
                       trn_hal_block_base(gen, "topsp#.notific", topsp, &config->ens_regs);
    config->mem_handle += hal->places.topsp_window;
    if (!there || !trn_hal_device_address(gen, config->mem_handle, &config->addr))
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "%s has TopSPs 0 to %u, not %u",
                            gen->title, gen->hal_topsps - 1u, topsp);
    return fill_info(hal, config->core, gen->hal_topsp_dma + topsp % gen->hal_topsps_per_core,
                     TOPSP_EXPLICIT, &config->info);
}

trn_status trn_hal_engine_config(const struct trn_hal_stpb *stpb, unsigned core, int engine,
                                 struct trn_hal_engine_config *config)
{
    const struct trn_hal_eng_info *const info = info_of(stpb, engine);
    if (!info)
        return TRN_ERR_INVALID;
    *config = (struct trn_hal_engine_config){.mem_handle = stpb->tpb_mem_handle,
                                             .regs = stpb->tpb_regs,
                                             .ens_regs = stpb->ens_regs,
                                             .addr = stpb->addr,
                                             .memcpy_fn = stpb->memcpy_fn,
                                             .cookie = stpb->cookie,
                                             .info = *info,
                                             .error_nq_index = stpb->error_nq_index,
                                             .evsem_nq_index = stpb->evsem_nq_index,
                                             .dge_nq_index = info->expl_nq_index,
                                             .core = core,
                                             .topsp_number = -1};
    return TRN_OK;
}
