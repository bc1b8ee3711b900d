/* SPDX-License-Identifier: Apache-2.0 */
/* Bring-up of one DMA engine in the driver's order (docs/hardware/pci-function.md 6.1, whose step
 * numbers these are). Plain values are rows of data/udma-init.csv. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/device_rows.h"
#include "gen/gen_rows.h"
#include "gen/udma_rows.h"
#include "hal/udma.h"

/* ---- registers by name ----------------------------------------------------------------------- */

static const char *block_path(const char *path)
{
    if (strncmp(path, "sdma.", 5) == 0)
        return "dma#.sdma";
    return strncmp(path, "intc_4grp.", 10) == 0 ? "dma#.fis" : "dma#.udma";
}

trn_status trn_hal_udma_place(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                              unsigned j, uint64_t *offset)
{
    const struct trn_reg_row *const row = hal->gen ? trn_reg_find(hal->gen, path, NULL) : NULL;
    uint64_t base = 0;
    *offset = 0;
    if (!row || !trn_hal_block_base(hal->gen, block_path(path), dma, &base))
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, path, "an engine of the device",
                            "%s has no %s of DMA engine %u",
                            hal->gen ? hal->gen->title : "an arch that is not set", path, dma);
    *offset = base + trn_reg_offset(row, row->first[0] + i, row->first[1] + j);
    return TRN_OK;
}

trn_status trn_hal_udma_write(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                              uint32_t value)
{
    uint64_t offset = 0;
    const trn_status status = trn_hal_udma_place(hal, dma, path, i, 0, &offset);
    return status == TRN_OK ? trn_hal_write32(hal, offset, value) : status;
}

trn_status trn_hal_udma_read(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                             uint32_t *value)
{
    uint64_t offset = 0;
    *value = 0;
    const trn_status status = trn_hal_udma_place(hal, dma, path, i, 0, &offset);
    return status == TRN_OK ? trn_hal_read32(hal, offset, value) : status;
}

/* `bits` of a register by one read and one write; *now receives what was written. */
static trn_status rmw(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                      uint32_t mask, uint32_t bits, uint32_t *now)
{
    uint64_t offset = 0;
    uint32_t old = 0;
    trn_status status = trn_hal_udma_place(hal, dma, path, i, 0, &offset);
    if (status == TRN_OK)
        status = trn_hal_read32(hal, offset, &old);
    if (status != TRN_OK)
        return status;
    *now = (old & ~mask) | bits;
    return trn_hal_write32(hal, offset, *now);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

struct engine {
    struct trn_hal *hal;
    unsigned dma;
    bool of_core; /* not one of the host-copy engines */
    bool again;
};

static unsigned index_in_core(const struct engine *engine)
{
    return engine->dma % engine->hal->gen->dma_engines_per_core;
}

/* 0: groups that a broadcast of this engine reaches (values as the driver's). */
static trn_status broadcast(const struct engine *engine)
{
    static const uint8_t last_nodes[] = {0, 3, 6, 9, 15};
    const unsigned e = index_in_core(engine);
    const uint32_t all = UINT16_MAX;
    uint32_t last = 0;
    if (!engine->hal->gen->udma_broadcast || !engine->of_core)
        return TRN_OK;
    for (size_t i = 0; i < sizeof last_nodes; i++)
        if (last_nodes[i] == e)
            last = all;
    const trn_status status = trn_hal_udma_write(engine->hal, engine->dma, "sdma.broadcast_group",
                                                 0, (uint32_t)trn_bits_get(all, e, 16 - e));
    return status == TRN_OK
               ? trn_hal_udma_write(engine->hal, engine->dma, "sdma.broadcast_last_node", 0, last)
               : status;
}

/* A word of a queue's cfg with both enables, over the cached rest (udma.md 4.1). */
static uint32_t enabled(const struct trn_gen *gen, const char *path, uint32_t cached)
{
    static const char *const fields[] = {"en_pref", "en_scheduling", "en_stream"};
    const struct trn_reg_row *const row = trn_reg_find(gen, path, NULL);
    uint64_t word = cached;
    for (size_t f = 0; row && f < sizeof fields / sizeof fields[0]; f++) {
        const struct trn_reg_bits *const bits = trn_reg_field(row, fields[f]);
        if (bits)
            word = trn_bits_set(word, bits->low, bits->bits, 1);
    }
    return (uint32_t)word;
}

/* 1: every queue of both halves on; the cached rest is 0 the first time. */
static trn_status enable_queues(const struct engine *engine)
{
    static const char *const cfgs[] = {"udma.m2s_q.cfg", "udma.s2m_q.cfg"};
    trn_status status = TRN_OK;
    for (unsigned q = 0; status == TRN_OK && q < TRN_HAL_UDMA_QUEUES; q++)
        for (unsigned half = 0; status == TRN_OK && half < 2; half++) {
            const struct trn_gen *const gen = engine->hal->gen;
            const struct trn_reg_row *const row = trn_reg_find(gen, cfgs[half], NULL);
            const uint32_t cached = engine->again && row ? row->reset : 0;
            status = trn_hal_udma_write(engine->hal, engine->dma, cfgs[half], q,
                                        enabled(gen, cfgs[half], cached));
        }
    return status;
}

static trn_status write_row(const struct engine *engine, const struct trn_udma_init_row *row)
{
    const unsigned gen = (unsigned)(engine->hal->gen - trn_gen_table);
    const unsigned queues = row->loop == TRN_UDMA_INIT_ONE ? 1 : TRN_HAL_UDMA_QUEUES;
    const unsigned words = row->loop == TRN_UDMA_INIT_QUEUES_BY_3 ? 3 : 1;
    trn_status status = TRN_OK;
    for (unsigned q = 0; q < queues; q++)
        for (unsigned w = 0; w < words && status == TRN_OK; w++) {
            uint64_t offset = 0;
            status = trn_hal_udma_place(engine->hal, engine->dma, row->reg, q, w, &offset);
            if (status == TRN_OK)
                status = trn_hal_write32(engine->hal, offset, row->value[gen]);
        }
    return status;
}

/* Rows of data/udma-init.csv with a step in first..last. */
static trn_status table(const struct engine *engine, unsigned first, unsigned last)
{
    const unsigned gen = (unsigned)(engine->hal->gen - trn_gen_table);
    trn_status status = TRN_OK;
    for (size_t i = 0; status == TRN_OK && i < trn_num_udma_init_rows; i++) {
        const struct trn_udma_init_row *const row = &trn_udma_init_table[i];
        if (row->step >= first && row->step <= last && trn_bits_get(row->gen_mask, gen, 1))
            status = write_row(engine, row);
    }
    return status;
}

/* 10: completion heads are reported. */
static trn_status report_heads(const struct engine *engine)
{
    uint32_t now;
    return rmw(engine->hal, engine->dma, "udma.gen.spare_zeroes0", 0, 1, 0, &now);
}

/* Causes of a secondary group that a half unmasks (data/udma_iofic.csv). */
static uint32_t causes(char group, const char *direction)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < trn_num_dma_causes; i++) {
        const struct trn_dma_cause_row *const row = &trn_dma_cause_table[i];
        if (row->group == group && strcmp(row->direction, direction) == 0 && row->unmasked_at_init)
            bits = trn_bits_set(bits, row->bit, 1, 1);
    }
    return (uint32_t)bits;
}

/* 11 to 14: control, abort masks, mask clears of one half (udma.md 9.1). */
static trn_status unmask(const struct engine *engine, unsigned half)
{
    enum { GROUP_C = 2, GROUP_D = 3, CONTROL = 0x28, SUMMARY_M2S = 8, SUMMARY_C = 10 };
    static const char *const directions[] = {"M2S", "S2M"};
    const uint32_t own = ~causes(half == 0 ? 'A' : 'B', directions[half]);
    const uint32_t fifos = ~causes('C', directions[half]);
    uint64_t summary = trn_bits_set(UINT32_MAX, SUMMARY_M2S + half, 1, 0);
    summary = trn_bits_set(summary, SUMMARY_C, 1, 0);
    const struct {
        const char *path;
        unsigned group;
        uint32_t value;
    } writes[] = {{"udma.gen.secondary_iofic.control", half, CONTROL},
                  {"udma.gen.primary_iofic.control", GROUP_D, CONTROL},
                  {"udma.gen.secondary_iofic.abort_mask", half, own},
                  {"udma.gen.secondary_iofic.abort_mask", GROUP_C, fifos},
                  {"udma.gen.secondary_iofic.mask_clear", half, own},
                  {"udma.gen.secondary_iofic.mask_clear", GROUP_C, fifos},
                  {"udma.gen.primary_iofic.mask_clear", GROUP_D, (uint32_t)summary}};
    trn_status status = TRN_OK;
    for (size_t i = 0; status == TRN_OK && i < sizeof writes / sizeof writes[0]; i++)
        status = trn_hal_udma_write(engine->hal, engine->dma, writes[i].path, writes[i].group,
                                    writes[i].value);
    return status;
}

/* One write to instance [i][j] of a register. */
static trn_status put(const struct engine *engine, const char *path, unsigned i, unsigned j,
                      uint32_t value)
{
    uint64_t offset = 0;
    const trn_status status = trn_hal_udma_place(engine->hal, engine->dma, path, i, j, &offset);
    return status == TRN_OK ? trn_hal_write32(engine->hal, offset, value) : status;
}

/* 18: AXI errors abort (udma.md 9.3); the last table and group are those of MSI-X. */
static trn_status abort_on_axi_errors(const struct engine *engine)
{
    enum { TABLES = 6, QUEUE_LOW = 3, QUEUE_BITS = 4, ENTRY = 7, DATA = 0x10, CONTROL = 0x28 };
    static const uint8_t entries[] = {1, 2, 3, 9, 10, 11};
    trn_status status = TRN_OK;
    if (!engine->hal->gen->udma_axi_abort)
        return TRN_OK;
    for (unsigned t = 0; t < TABLES; t++)
        for (size_t e = 0; e < sizeof entries && status == TRN_OK; e++)
            status = put(engine, "udma.gen.axi_error_detection_table", t, entries[e], 0xF);
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned q = 0; q < TRN_HAL_UDMA_QUEUES && status == TRN_OK; q++) {
            status = put(engine, "udma.gen.axi_error_control.table_addr", t, 0,
                         (uint32_t)trn_bits_set(ENTRY, QUEUE_LOW, QUEUE_BITS, q));
            if (status == TRN_OK)
                status = put(engine, "udma.gen.axi_error_control.table_data", t, 0, DATA);
        }
    for (unsigned t = 0; t < TABLES && status == TRN_OK; t++) {
        status = put(engine, "udma.gen.iofic_axi.control", t, 0, CONTROL);
        if (status == TRN_OK)
            status = put(engine, "udma.gen.iofic_axi.abort_mask", t, 0, 0);
        if (status == TRN_OK)
            status = put(engine, "udma.gen.iofic_axi.mask_clear", t, 0, 0);
    }
    return status == TRN_OK ? put(engine, "udma.gen.axi_cfg_1", 0, 0, UINT32_MAX) : status;
}

/* 19: ring-id errors of core engines are masked everywhere (udma.md 9.4). */
static trn_status mask_ring_ids(const struct engine *engine)
{
    enum { FIS_GROUP_A = 2, FIS_GROUP_B = 3, FIS_BIT_A = 11, FIS_BIT_B = 2 };
    struct trn_hal *const hal = engine->hal;
    const unsigned dma = engine->dma;
    uint32_t now;
    if (!hal->gen->udma_ring_id_masked || !engine->of_core)
        return TRN_OK;
    const uint32_t a = (uint32_t)trn_bits_set(
        0, TRN_UDMA_A_WRONG_RING_ID_IN_A_PREFETCHED_SUBMISSION_DESCRIPTOR, 1, 1);
    const uint32_t b =
        (uint32_t)trn_bits_set(0, TRN_UDMA_B_WRONG_RING_ID_IN_A_PREFETCHED_DESCRIPTOR, 1, 1);
    const uint32_t fis_a = (uint32_t)trn_bits_set(0, FIS_BIT_A, 1, 1);
    const uint32_t fis_b = (uint32_t)trn_bits_set(0, FIS_BIT_B, 1, 1);
    trn_status status = rmw(hal, dma, "udma.gen.secondary_iofic.mask", 0, a, a, &now);
    if (status == TRN_OK)
        status = put(engine, "udma.gen.secondary_iofic.abort_mask", 0, 0, now);
    if (status == TRN_OK)
        status = rmw(hal, dma, "udma.gen.secondary_iofic.mask", 1, b, b, &now);
    if (status == TRN_OK)
        status = put(engine, "udma.gen.secondary_iofic.abort_mask", 1, 0, now);
    if (status == TRN_OK)
        status = rmw(hal, dma, "intc_4grp.int_mask_grp", FIS_GROUP_A, fis_a, fis_a, &now);
    if (status == TRN_OK)
        status = rmw(hal, dma, "intc_4grp.int_mask_grp", FIS_GROUP_B, fis_b, fis_b, &now);
    if (status == TRN_OK)
        status = rmw(hal, dma, "udma.m2s.err_log_mask", 0, a, a, &now);
    return status == TRN_OK ? rmw(hal, dma, "udma.s2m.err_log_mask", 0, b, b, &now) : status;
}

/* ---- all of them
 * --------------------------------------------------------------------------------- */

trn_status trn_hal_udma_engine_init(struct trn_hal *hal, unsigned dma, bool again)
{
    uint64_t offset = 0;
    trn_status status = trn_hal_udma_place(hal, dma, "udma.m2s.data_cfg", 0, 0, &offset);
    if (status != TRN_OK)
        return status;
    const struct engine engine = {.hal = hal,
                                  .dma = dma,
                                  .of_core = dma < (unsigned)hal->gen->cores *
                                                       hal->gen->dma_engines_per_core,
                                  .again = again};
    enum { BEFORE_SPARE = 9, COMPLETION = 15, WRAPPER = 17 };
    status = broadcast(&engine);
    if (status == TRN_OK)
        status = enable_queues(&engine);
    if (status == TRN_OK)
        status = table(&engine, 0, BEFORE_SPARE);
    if (status == TRN_OK)
        status = report_heads(&engine);
    for (unsigned half = 0; half < 2 && status == TRN_OK; half++)
        status = unmask(&engine, half);
    if (status == TRN_OK)
        status = table(&engine, COMPLETION, WRAPPER);
    if (status == TRN_OK)
        status = abort_on_axi_errors(&engine);
    return status == TRN_OK ? mask_ring_ids(&engine) : status;
}

trn_status trn_hal_udma_set_state(struct trn_hal *hal, unsigned dma, enum trn_hal_udma_state state)
{
    const trn_status status =
        trn_hal_udma_write(hal, dma, "udma.m2s.change_state", 0, (uint32_t)state);
    return status == TRN_OK
               ? trn_hal_udma_write(hal, dma, "udma.s2m.change_state", 0, (uint32_t)state)
               : status;
}
