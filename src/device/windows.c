/* SPDX-License-Identifier: Apache-2.0 */
/* What SoC addresses a core reaches beyond its own memories: every aperture of BAR0 with a known
 * SoC address, the cores, and the stacks of HBM (address-map.md 4). */
#include <stdlib.h>

#include "device/core.h"

struct list {
    struct trn_soc_window *windows;
    size_t count, capacity;
    bool failed;
};

static bool reserve(struct list *list)
{
    if (list->count < list->capacity)
        return true;
    const size_t wanted = list->capacity ? 2 * list->capacity : 64;
    struct trn_soc_window *grown = realloc(list->windows, wanted * sizeof *grown);
    if (!grown)
        return false;
    list->windows = grown;
    list->capacity = wanted;
    return true;
}

static void add(struct list *list, struct trn_soc_window window)
{
    list->failed = list->failed || !reserve(list);
    if (!list->failed)
        list->windows[list->count++] = window;
}

/* SBUF and the engine plane; the memories of the core itself are found before any window. */
static void add_core(struct list *list, struct trn_device *device, unsigned core)
{
    const struct trn_gen *gen = device->gen;
    const uint64_t soc = trn_tpb_soc(gen, core), bar0 = trn_tpb_window(gen, core);
    const uint64_t plane = gen->psum_base, device_plane = gen->tpb_device_rebase + plane;
    add(list, (struct trn_soc_window){.base = soc + device_plane,
                                      .size = gen->bar0_tpb_stride - plane,
                                      .bus = &device->bar0,
                                      .bus_offset = bar0 + plane});
    add(list, (struct trn_soc_window){.base = soc,
                                      .size = gen->sbuf_size,
                                      .bus = &device->bar0,
                                      .bus_offset = bar0,
                                      .memory = true});
}

static void add_stacks(struct list *list, struct trn_device *device)
{
    for (unsigned i = 0; i < device->num_stacks; i++)
        add(list, (struct trn_soc_window){.base = device->stacks[i].soc,
                                          .size = trn_stack_bytes(device),
                                          .bus = &device->bar4,
                                          .bus_offset = device->stacks[i].bar4,
                                          .memory = true});
}

static bool in_cores(const struct trn_gen *gen, uint64_t offset)
{
    return offset >= gen->bar0_tpb &&
           offset - gen->bar0_tpb < (uint64_t)gen->cores * gen->bar0_tpb_stride;
}

static void add_apertures(struct list *list, struct trn_device *device)
{
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope != TRN_APERTURE_BAR0 || !row->soc_known ||
            in_cores(device->gen, row->offset) ||
            trn_aperture_find(device->gen, row->scope, row->name) != row)
            continue;
        for (uint32_t copy = 0; copy < row->count; copy++)
            add(list, (struct trn_soc_window){.base = row->soc + copy * row->stride,
                                              .size = row->size,
                                              .bus = &device->bar0,
                                              .bus_offset = row->offset + copy * row->stride});
    }
}

struct trn_soc_window *trn_soc_windows(struct trn_device *device, unsigned number, size_t *count)
{
    struct list list = {.windows = NULL};
    add_core(&list, device, number); /* what a core uses most */
    for (unsigned core = 0; core < device->gen->cores; core++)
        if (core != number)
            add_core(&list, device, core);
    add_stacks(&list, device);
    if (device->options.host_bytes)
        add(&list, (struct trn_soc_window){.base = trn_host_base(device),
                                           .size = device->options.host_bytes,
                                           .bus = &device->host,
                                           .memory = true});
    add_apertures(&list, device);
    if (list.failed) {
        free(list.windows);
        return NULL;
    }
    *count = list.count;
    return list.windows;
}
