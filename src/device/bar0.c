/* SPDX-License-Identifier: Apache-2.0 */
/* The bus over BAR0 (address-map.md 6.4). An access finds its region through a small cache; a
 * register is then one look-up in the layout of its block. */
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"
#include "device/state.h"

enum { PAGE_BITS = 12 };
#define UNMAPPED UINT32_C(0xDEADBEEF) /* address-map.md 6.4 */

/* The region that owns the first byte; NULL: none, or no memory for it. */
static inline struct trn_region *region_at(struct trn_device *device, uint64_t offset,
                                           trn_status *status)
{
    struct trn_region *region = device->regions.cache[(offset >> PAGE_BITS) % TRN_REGION_CACHE];
    *status = TRN_OK;
    if (offset - region->start < region->size)
        return region;
    *status = trn_region_make(device, offset, &region);
    return region;
}

static trn_status unmapped(struct trn_device *device, trn_status status)
{
    if (status != TRN_OK)
        return status;
    device->unmapped_accesses++;
    return TRN_ERR_ADDRESS;
}

/* ---- registers ----------------------------------------------------------------------- */

static const struct trn_reg_word no_register = {.known = false};

/* What the host may do to the register at `at`, which is aligned and inside. */
static inline const struct trn_reg_word *word_at(const struct trn_region *region, uint32_t at)
{
    return region->layout ? &region->layout->words[at / 4] : &no_register;
}

/* The value behind a known register that can be read, without side effects. */
static uint32_t value_of(const struct trn_device *device, const struct trn_region *region,
                         const struct trn_reg_word *word, uint32_t at)
{
    switch (region->kind) {
    case TRN_REGION_SYNC:
        return trn_sync_read(region->sync, at);
    case TRN_REGION_LOCAL: {
        const struct trn_local local = {.word = region->words};
        return trn_local_read(&local, device->gen, at);
    }
    case TRN_REGION_STATE:
        if (word->shows)
            return trn_state_shown(region->tpb, word->shows);
        break;
    case TRN_REGION_NOTIFIC: {
        uint32_t value;
        trn_notific_peek32(region->notific->block, at, &value);
        return value;
    }
    case TRN_REGION_UDMA: /* no register of it changes by a read */
        return trn_wired_udma_read(region->udma, at);
    default:
        break;
    }
    return region->words[at / 4];
}

static uint32_t peek_register(const struct trn_device *device, const struct trn_region *region,
                              uint32_t at)
{
    const struct trn_reg_word *word = word_at(region, at);
    return word->known && word->access != TRN_REG_WO ? value_of(device, region, word, at) : 0;
}

static inline uint32_t read_register(struct trn_device *device, const struct trn_region *region,
                                     uint32_t at)
{
    const struct trn_reg_word *word = word_at(region, at);
    if (!word->known) {
        device->unknown_registers++;
        return 0;
    }
    if (word->access == TRN_REG_WO)
        return 0;
    if (region->kind == TRN_REGION_NOTIFIC) {
        uint32_t live;
        trn_notific_read32(region->notific->block, at, &live);
        return live;
    }
    const uint32_t value = value_of(device, region, word, at);
    if (word->access == TRN_REG_RC)
        region->words[at / 4] = 0;
    return value;
}

static void write_local(struct trn_device *device, const struct trn_region *region, uint32_t at,
                        uint32_t value)
{
    if (region->seq) {
        if (device->race && device->running)
            trn_race_rang_engine(region->seq);
        trn_seq_local_write(region->seq, at, value);
        return;
    }
    struct trn_local local = {.word = region->words};
    trn_local_write(&local, device->gen, at, value);
}

/* What the host injects into a core's unit is recorded as if the hardware had met it. */
static void write_triggers(struct trn_device *device, const struct trn_region *region, uint32_t at,
                           uint32_t value)
{
    unsigned first_trigger = 0;
    trn_intc_write(region->layout, region->words, at, value);
    struct trn_tpb *tpb = trn_intc_injects(device, region->words, at, &first_trigger);
    if (!tpb)
        return;
    trn_post_injected(tpb, first_trigger, value);
    trn_intc_tell(device, tpb->number, region->words, first_trigger, value);
}

static inline void write_register(struct trn_device *device, const struct trn_region *region,
                                  uint32_t at, uint32_t value)
{
    const struct trn_reg_word *word = word_at(region, at);
    if (!word->known) {
        device->unknown_registers++;
        return;
    }
    switch (region->kind) {
    case TRN_REGION_SYNC:
        trn_sync_write(region->sync, at, value);
        return;
    case TRN_REGION_LOCAL:
        write_local(device, region, at, trn_reg_written(word, region->words[at / 4], value));
        return;
    case TRN_REGION_NOTIFIC:
        trn_wired_notific_write(region->notific, at, value);
        return;
    case TRN_REGION_UDMA:
        trn_wired_udma_write(region->udma, at, value);
        return;
    case TRN_REGION_INTC:
        write_triggers(device, region, at, value);
        return;
    case TRN_REGION_STATE:
        region->words[at / 4] = trn_reg_written(word, region->words[at / 4], value);
        if (region->tpb) {
            trn_post_file_written(region->tpb, at, value);
            trn_converters_written(region->tpb, at, value);
        }
        return;
    default:
        region->words[at / 4] = trn_reg_written(word, region->words[at / 4], value);
        return;
    }
}

/* ---- single words -------------------------------------------------------------------- */

static trn_status read_memory(struct trn_device *device, const struct trn_region *region,
                              uint64_t at, void *data, size_t size)
{
    if (region->kind == TRN_REGION_PLANE)
        return trn_mem_window_read(region->tpb->mem, region->space, at, data, size,
                                   trn_origin_host());
    if (region->bytes)
        memcpy(data, region->bytes + at, size);
    else
        memset(data, 0, size);
    (void)device;
    return TRN_OK;
}

static trn_status write_memory(struct trn_region *region, uint64_t at, const void *data,
                               size_t size)
{
    if (region->kind == TRN_REGION_PLANE)
        return trn_mem_window_write(region->tpb->mem, region->space, at, data, size,
                                    trn_origin_host());
    return trn_region_write(region, at, data, size);
}

static trn_status read32(void *context, uint64_t offset, uint32_t *value)
{
    struct trn_device *device = context;
    trn_status status;
    if (offset % 4 != 0)
        return TRN_ERR_INVALID;
    const struct trn_region *region = region_at(device, offset, &status);
    if (!region) {
        *value = UNMAPPED;
        return unmapped(device, status);
    }
    const uint64_t at = offset - region->start;
    if (trn_region_is_registers(region)) {
        *value = read_register(device, region, (uint32_t)at);
        return TRN_OK;
    }
    uint8_t bytes[4] = {0};
    if (region->size - at < sizeof bytes)
        return TRN_ERR_ADDRESS;
    status = read_memory(device, region, at, bytes, sizeof bytes);
    *value = trn_get32(bytes);
    return status;
}

static trn_status write32(void *context, uint64_t offset, uint32_t value)
{
    struct trn_device *device = context;
    trn_status status;
    if (offset % 4 != 0)
        return TRN_ERR_INVALID;
    struct trn_region *region = region_at(device, offset, &status);
    if (!region)
        return unmapped(device, status);
    const uint64_t at = offset - region->start;
    if (trn_region_is_registers(region)) {
        write_register(device, region, (uint32_t)at, value);
        return TRN_OK;
    }
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return region->size - at < sizeof bytes ? TRN_ERR_ADDRESS
                                            : write_memory(region, at, bytes, sizeof bytes);
}

/* ---- blocks -------------------------------------------------------------------------- */

/* The region that owns all bytes. */
static struct trn_region *owner_of(struct trn_device *device, uint64_t offset, size_t size,
                                   trn_status *status)
{
    struct trn_region *region = region_at(device, offset, status);
    return region && size <= region->size - (offset - region->start) ? region : NULL;
}

/* Registers take whole aligned words (address-map.md 6.4, model choice of a bus in the process). */
static bool whole_registers(uint64_t at, size_t size)
{
    return at % 4 == 0 && size % 4 == 0;
}

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct trn_device *device = context;
    uint8_t *out = data;
    trn_status status;
    const struct trn_region *region = owner_of(device, offset, size, &status);
    if (!region) {
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)trn_bits_get(UNMAPPED, 8 * (i % 4), 8);
        return unmapped(device, status);
    }
    const uint64_t at = offset - region->start;
    if (!trn_region_is_registers(region))
        return read_memory(device, region, at, data, size);
    if (!whole_registers(at, size))
        return TRN_ERR_INVALID;
    for (size_t i = 0; i < size; i += 4)
        trn_put32(out + i, read_register(device, region, (uint32_t)(at + i)));
    return TRN_OK;
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct trn_device *device = context;
    const uint8_t *in = data;
    trn_status status;
    struct trn_region *region = owner_of(device, offset, size, &status);
    if (!region)
        return unmapped(device, status);
    const uint64_t at = offset - region->start;
    if (!trn_region_is_registers(region))
        return write_memory(region, at, data, size);
    if (!whole_registers(at, size))
        return TRN_ERR_INVALID;
    for (size_t i = 0; i < size; i += 4)
        write_register(device, region, (uint32_t)(at + i), trn_get32(in + i));
    return TRN_OK;
}

struct trn_bus trn_bar0_bus(struct trn_device *device)
{
    return (struct trn_bus){device, read32, write32, read_block, write_block};
}

/* ---- looking without touching -------------------------------------------------------- */

/* What the engines of a core have left in a block that the bus has not reached; false: nothing. */
static bool left_by_engines(const struct trn_tpb *tpb, const struct trn_region *plan,
                            const struct trn_block *block, uint32_t at, uint32_t *value)
{
    const struct trn_gen *gen = tpb->device->gen;
    switch (plan->kind) {
    case TRN_REGION_SYNC:
        *value = trn_sync_read(&tpb->sync, at);
        return true;
    case TRN_REGION_LOCAL:
        if (block->row->engine < 0)
            return false;
        *value = trn_local_read(&tpb->seq[block->row->engine].local, gen, at);
        return true;
    case TRN_REGION_STATE:
        return trn_state_at(tpb, at, value);
    default:
        return false;
    }
}

/* What an access would find in a block that the bus has not reached. */
static uint32_t untouched(const struct trn_device *device, const struct trn_region *plan,
                          uint64_t offset)
{
    const struct trn_block *block = trn_block_at(device->gen, offset);
    const struct trn_reg_row *row =
        block ? trn_block_reg_at(device->gen, block, offset, NULL) : NULL;
    if (!row || row->access == TRN_REG_WO)
        return 0;
    const int core = trn_block_core(block);
    const struct trn_tpb *tpb = core >= 0 && core < TRN_MAX_CORES ? device->tpb[core] : NULL;
    uint32_t value;
    return tpb && left_by_engines(tpb, plan, block, (uint32_t)(offset - plan->start), &value)
               ? value
               : row->reset;
}

trn_status trn_device_peek32(const struct trn_device *device, uint64_t offset, uint32_t *value,
                             bool *touched)
{
    if (!device || offset % 4 != 0)
        return TRN_ERR_INVALID;
    const struct trn_region *region = trn_region_known(&device->regions, offset);
    if (touched)
        *touched = region != NULL;
    *value = UNMAPPED;
    const struct trn_region plan = region ? *region : trn_region_plan(device, offset);
    switch (plan.kind) {
    case TRN_REGION_NONE:
        return TRN_ERR_ADDRESS;
    case TRN_REGION_PLANE:
        return TRN_ERR_UNSUPPORTED;
    case TRN_REGION_RAM:
        *value = plan.bytes ? trn_get32(plan.bytes + (offset - plan.start)) : 0;
        return TRN_OK;
    default:
        break;
    }
    *value = region ? peek_register(device, region, (uint32_t)(offset - region->start))
                    : untouched(device, &plan, offset);
    return TRN_OK;
}
