/* SPDX-License-Identifier: Apache-2.0 */
/* docs/hardware/address-map.md 1 and 4: SBUF at the start of the core's container, PSUM in its
 * upper plane, device memory, and the device's own windows. */
#include "mem/soc.h"

#include "base/bytes.h"
#include "mem/hbm.h"

struct trn_soc trn_soc_of(struct trn_mem *mem, uint64_t hbm_base,
                          const struct trn_soc_window *windows, size_t num_windows)
{
    const struct trn_gen *gen = mem->gen;
    return (struct trn_soc){
        .mem = mem,
        .sbuf_base = gen->tpb_soc_base,
        .psum_base = gen->tpb_soc_base + gen->tpb_device_rebase + gen->psum_base,
        .hbm_base = hbm_base,
        .windows = windows,
        .num_windows = num_windows,
    };
}

/* Where an access goes: a memory, or a window when `window` is set. */
struct place {
    enum trn_space space;
    const struct trn_soc_window *window;
    uint64_t offset; /* in the space, or on the window's bus */
};

/* Whether a block at `base` owns [address, address + size); the place in it goes to *offset. */
static bool owns(uint64_t base, uint64_t block_size, uint64_t address, size_t size,
                 uint64_t *offset)
{
    *offset = address - base;
    return address >= base && *offset < block_size && size <= block_size - *offset;
}

static bool find_memory(const struct trn_soc *soc, uint64_t address, size_t size,
                        struct place *place)
{
    const struct {
        enum trn_space space;
        uint64_t base, size;
    } memories[] = {
        {TRN_SPACE_HBM, soc->hbm_base, trn_hbm_size(soc->mem->hbm)},
        {TRN_SPACE_SBUF, soc->sbuf_base, trn_mem_window_size(soc->mem->gen, TRN_SPACE_SBUF)},
        {TRN_SPACE_PSUM, soc->psum_base, trn_mem_window_size(soc->mem->gen, TRN_SPACE_PSUM)},
    };
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        place->space = memories[i].space;
        if (owns(memories[i].base, memories[i].size, address, size, &place->offset))
            return true;
    }
    return false;
}

static bool find_window(const struct trn_soc *soc, uint64_t address, size_t size,
                        struct place *place)
{
    for (size_t i = 0; i < soc->num_windows; i++) {
        const struct trn_soc_window *window = &soc->windows[i];
        if (owns(window->base, window->size, address, size, &place->offset)) {
            place->window = window;
            place->offset += window->bus_offset;
            return true;
        }
    }
    return false;
}

static trn_status find(const struct trn_soc *soc, uint64_t address, size_t size,
                       struct place *place)
{
    *place = (struct place){.window = NULL};
    if (size == 0)
        return TRN_ERR_INVALID;
    if (find_memory(soc, address, size, place))
        return TRN_OK;
    if (!find_window(soc, address, size, place))
        return TRN_ERR_ADDRESS;
    const bool whole = address % 4 == 0 && size % 4 == 0;
    return whole || place->window->memory ? TRN_OK : TRN_ERR_INVALID;
}

trn_status trn_soc_read(const struct trn_soc *soc, uint64_t address, void *data, size_t size,
                        struct trn_origin who)
{
    struct place place;
    const trn_status status = find(soc, address, size, &place);
    if (status != TRN_OK)
        return status;
    if (place.window) {
        const struct trn_bus *bus = place.window->bus;
        return bus->read_block(bus->context, place.offset, data, size);
    }
    if (place.space == TRN_SPACE_HBM)
        return trn_mem_hbm_read(soc->mem, place.offset, data, size, who);
    return trn_mem_window_read(soc->mem, place.space, place.offset, data, size, who);
}

trn_status trn_soc_fetch(const struct trn_soc *soc, uint64_t address, void *data, size_t size)
{
    struct place place = {.window = NULL};
    if (!find_window(soc, address, size, &place) || !place.window->memory)
        return TRN_ERR_ADDRESS;
    const struct trn_bus *bus = place.window->bus;
    return bus->read_block(bus->context, place.offset, data, size);
}

trn_status trn_soc_write(const struct trn_soc *soc, uint64_t address, const void *data, size_t size,
                         struct trn_origin who)
{
    struct place place;
    const trn_status status = find(soc, address, size, &place);
    if (status != TRN_OK)
        return status;
    if (place.window) {
        const struct trn_bus *bus = place.window->bus;
        return bus->write_block(bus->context, place.offset, data, size);
    }
    if (place.space == TRN_SPACE_HBM)
        return trn_mem_hbm_write(soc->mem, place.offset, data, size, who);
    return trn_mem_window_write(soc->mem, place.space, place.offset, data, size, who);
}
