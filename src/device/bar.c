/* SPDX-License-Identifier: Apache-2.0 */
/* The two buses. BAR0: the window of core 0 (memories, semaphores, engine blocks) and its control
 * plane (address-map.md 5 to 7); BAR4: device memory. */
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"

/* Inside an engine block (address-map.md 5.2). */
enum { NX_DRAM_AT = 0x40000, LOCAL_AT = 0x60000 };
enum { EVT_SEM_BYTES = 0x100000 };
#define UNMAPPED UINT32_C(0xDEADBEEF) /* address-map.md 6.4 */

enum block_kind {
    BLOCK_NONE,
    BLOCK_PLANE,   /* SBUF, PSUM */
    BLOCK_EVT_SEM, /* registers from here ... */
    BLOCK_LOCAL,
    BLOCK_REGFILE, /* ... to here */
    BLOCK_NX_DRAM,
    BLOCK_STORAGE
};

/* Which block owns all bytes of an access, and where in it they lie. */
struct block {
    enum block_kind kind;
    uint64_t offset;
    enum trn_space space;
    struct trn_seq *seq;
    struct trn_storage_range *range;
};

static uint64_t engine_base(const struct trn_gen *gen, int engine)
{
    const uint32_t bases[TRN_ENGINES] = {gen->bar_engine_pe, gen->bar_engine_act,
                                         gen->bar_engine_pool, gen->bar_engine_dve,
                                         gen->bar_engine_sp};
    return gen->bar0_tpb + bases[engine];
}

static bool inside(uint64_t base, uint64_t extent, uint64_t offset, uint64_t size,
                   struct block *block)
{
    block->offset = offset - base;
    return offset >= base && size <= extent && block->offset <= extent - size;
}

static bool find_engine_block(struct trn_device *device, uint64_t offset, uint64_t size,
                              struct block *block)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        const uint64_t base = engine_base(device->gen, e);
        block->seq = &device->seq[e];
        block->kind = BLOCK_LOCAL;
        if (inside(base + LOCAL_AT, TRN_LOCAL_BYTES, offset, size, block))
            return true;
        block->kind = BLOCK_NX_DRAM;
        if (inside(base + NX_DRAM_AT, device->gen->nx_dram_bytes, offset, size, block))
            return true;
    }
    return false;
}

static struct block find_block(struct trn_device *device, uint64_t offset, uint64_t size)
{
    const struct trn_gen *gen = device->gen;
    struct block block = {.kind = BLOCK_PLANE, .space = TRN_SPACE_SBUF};
    if (inside(gen->bar0_tpb, gen->sbuf_size, offset, size, &block))
        return block;
    block.space = TRN_SPACE_PSUM;
    if (inside(gen->bar0_tpb + gen->psum_base, gen->psum_size, offset, size, &block))
        return block;
    block.kind = BLOCK_EVT_SEM;
    if (inside(gen->bar0_tpb + gen->bar_evt_sem, EVT_SEM_BYTES, offset, size, &block))
        return block;
    if (find_engine_block(device, offset, size, &block))
        return block;
    block.kind = BLOCK_REGFILE;
    if (inside(device->registers.offset, device->registers.size, offset, size, &block))
        return block;
    block.range = trn_storage_find(&device->storage, offset, size);
    block.kind = block.range ? BLOCK_STORAGE : BLOCK_NONE;
    block.offset = offset;
    return block;
}

/* Registers take whole aligned words (model choice of address-map.md 6.4 for a bus in the process).
 */
static bool whole_registers(const struct block *block, size_t size)
{
    return block->offset % 4 == 0 && size % 4 == 0;
}

static const struct trn_reg_row *local_row(const struct trn_device *device, uint32_t offset)
{
    unsigned index[2];
    return trn_reg_at(device->gen, trn_local_block(device->gen), offset, index);
}

static uint32_t read_register(struct trn_device *device, const struct block *block, uint32_t offset)
{
    if (block->kind == BLOCK_EVT_SEM)
        return trn_sync_read(&device->sync, offset);
    if (block->kind == BLOCK_REGFILE)
        return trn_regfile_read(&device->registers, offset);
    return trn_reg_seen(local_row(device, offset), trn_seq_local_read(block->seq, offset));
}

static void write_register(struct trn_device *device, const struct block *block, uint32_t offset,
                           uint32_t value)
{
    if (block->kind == BLOCK_EVT_SEM) {
        trn_sync_write(&device->sync, offset, value);
    } else if (block->kind == BLOCK_REGFILE) {
        trn_regfile_write(&device->registers, offset, value);
    } else {
        const struct trn_reg_row *row = local_row(device, offset);
        const uint32_t old = trn_seq_local_read(block->seq, offset);
        if (row)
            trn_seq_local_write(block->seq, offset, trn_reg_written(row, old, value));
    }
}

static trn_status bar0_read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct trn_device *device = context;
    const struct block block = find_block(device, offset, size);
    uint8_t *out = data;
    switch (block.kind) {
    case BLOCK_PLANE:
        return trn_mem_window_read(device->mem, block.space, block.offset, data, size,
                                   trn_origin_host());
    case BLOCK_NX_DRAM:
        memcpy(data, block.seq->local.nx_dram + block.offset, size);
        return TRN_OK;
    case BLOCK_STORAGE:
        trn_storage_read(block.range, offset, data, size);
        return TRN_OK;
    case BLOCK_EVT_SEM:
    case BLOCK_LOCAL:
    case BLOCK_REGFILE:
        if (!whole_registers(&block, size))
            return TRN_ERR_INVALID;
        for (size_t i = 0; i < size; i += 4)
            trn_put32(out + i, read_register(device, &block, (uint32_t)(block.offset + i)));
        return TRN_OK;
    case BLOCK_NONE:
        break;
    }
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)trn_bits_get(UNMAPPED, 8 * (i % 4), 8);
    device->unmapped_accesses++;
    return TRN_ERR_ADDRESS;
}

static trn_status bar0_write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct trn_device *device = context;
    const struct block block = find_block(device, offset, size);
    const uint8_t *in = data;
    switch (block.kind) {
    case BLOCK_PLANE:
        return trn_mem_window_write(device->mem, block.space, block.offset, data, size,
                                    trn_origin_host());
    case BLOCK_NX_DRAM:
        memcpy(block.seq->local.nx_dram + block.offset, data, size);
        return TRN_OK;
    case BLOCK_STORAGE:
        return trn_storage_write(block.range, offset, data, size);
    case BLOCK_EVT_SEM:
    case BLOCK_LOCAL:
    case BLOCK_REGFILE:
        if (!whole_registers(&block, size))
            return TRN_ERR_INVALID;
        for (size_t i = 0; i < size; i += 4)
            write_register(device, &block, (uint32_t)(block.offset + i), trn_get32(in + i));
        return TRN_OK;
    case BLOCK_NONE:
        break;
    }
    device->unmapped_accesses++;
    return TRN_ERR_ADDRESS;
}

static trn_status bar0_read32(void *context, uint64_t offset, uint32_t *value)
{
    uint8_t bytes[4];
    if (offset % 4 != 0)
        return TRN_ERR_INVALID;
    const trn_status status = bar0_read_block(context, offset, bytes, sizeof bytes);
    *value = trn_get32(bytes);
    return status;
}

static trn_status bar0_write32(void *context, uint64_t offset, uint32_t value)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return offset % 4 == 0 ? bar0_write_block(context, offset, bytes, sizeof bytes)
                           : TRN_ERR_INVALID;
}

static trn_status bar4_read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct trn_device *device = context;
    return trn_mem_hbm_read(device->mem, offset, data, size, trn_origin_host());
}

static trn_status bar4_write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct trn_device *device = context;
    return trn_mem_hbm_write(device->mem, offset, data, size, trn_origin_host());
}

static trn_status bar4_read32(void *context, uint64_t offset, uint32_t *value)
{
    uint8_t bytes[4];
    const trn_status status =
        offset % 4 == 0 ? bar4_read_block(context, offset, bytes, 4) : TRN_ERR_INVALID;
    if (status == TRN_OK)
        *value = trn_get32(bytes);
    return status;
}

static trn_status bar4_write32(void *context, uint64_t offset, uint32_t value)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return offset % 4 == 0 ? bar4_write_block(context, offset, bytes, sizeof bytes)
                           : TRN_ERR_INVALID;
}

/* The apertures of a core's window that have no behaviour: RAMs and tables. The blocks above come
 * first in find_block, so their own rows do no harm here. */
static trn_status add_storage(struct trn_device *device)
{
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope != TRN_APERTURE_TPB_BAR ||
            trn_aperture_find(device->gen, row->scope, row->name) != row)
            continue;
        for (uint32_t copy = 0; copy < row->count; copy++) {
            const trn_status status = trn_storage_add(
                &device->storage, device->gen->bar0_tpb + row->offset + copy * row->stride,
                row->size);
            if (status != TRN_OK)
                return status;
        }
    }
    return TRN_OK;
}

/* The register file of the core on the control plane; a generation without a known place has none.
 */
static trn_status add_registers(struct trn_device *device)
{
    const struct trn_aperture_row *row =
        trn_aperture_find(device->gen, TRN_APERTURE_BAR0, "TPB_0_CSR");
    if (!row)
        return TRN_OK;
    device->registers = (struct trn_regfile){
        .gen = device->gen, .block = "tpb", .offset = row->offset, .size = (uint32_t)row->size};
    return trn_regfile_create(&device->registers);
}

trn_status trn_device_open_buses(struct trn_device *device)
{
    const struct trn_gen *gen = device->gen;
    const uint64_t engines = gen->psum_base + gen->psum_size; /* first offset past the memories */
    device->bar0 =
        (struct trn_bus){device, bar0_read32, bar0_write32, bar0_read_block, bar0_write_block};
    device->bar4 =
        (struct trn_bus){device, bar4_read32, bar4_write32, bar4_read_block, bar4_write_block};
    device->window =
        (struct trn_soc_window){.base = gen->tpb_soc_base + gen->tpb_device_rebase + engines,
                                .size = gen->bar0_tpb_stride - engines,
                                .bus = &device->bar0,
                                .bus_offset = gen->bar0_tpb + engines};
    const trn_status status = add_storage(device);
    return status == TRN_OK ? add_registers(device) : status;
}

void trn_device_close_buses(struct trn_device *device)
{
    trn_storage_free(&device->storage);
    trn_regfile_destroy(&device->registers);
}
