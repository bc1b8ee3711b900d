/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of HBM and the bus over BAR4, which shows them all (address-map.md 3, 4 and 7). */
#include "base/bytes.h"
#include "device/core.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

uint64_t trn_stack_bytes(const struct trn_device *device)
{
    const uint64_t usable = device->gen->hbm_bytes; /* 0 where nobody knows it */
    if (device->options.hbm_bytes != 0)
        return device->options.hbm_bytes;
    if (usable == 0)
        return TRN_HBM_DEFAULT_BYTES;
    return usable < TRN_HBM_MAX_BYTES ? usable : TRN_HBM_MAX_BYTES;
}

/* ---- places -------------------------------------------------------------------------- */

/* A memory that was asked to be larger than a stack's window is one stack, for all cores. */
void trn_stacks_place(struct trn_device *device)
{
    const uint64_t bytes = trn_stack_bytes(device);
    for (size_t i = 0; i < trn_num_apertures && device->num_stacks < TRN_MAX_STACKS; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope != TRN_APERTURE_BAR4 || !row->soc_known ||
            trn_aperture_find(device->gen, row->scope, row->name) != row)
            continue;
        device->stacks[device->num_stacks++] =
            (struct trn_stack){.bar4 = row->offset, .soc = row->soc};
        if (bytes > row->size)
            return;
    }
    if (device->num_stacks == 0) /* no map is known: one at 0 */
        device->num_stacks = 1;
}

struct trn_stack *trn_stack_of(struct trn_device *device, unsigned core)
{
    return &device->stacks[core * device->num_stacks / device->gen->cores];
}

/* Stack 0 has the content of a device with one stack. */
static uint64_t stack_seed(const struct trn_device *device, const struct trn_stack *stack)
{
    const uint64_t seed = trn_reset_word(device->options.reset_seed, TRN_SPACE_HBM * 8);
    return stack == device->stacks ? seed : trn_reset_word(seed, stack->bar4);
}

trn_status trn_stack_open(struct trn_device *device, struct trn_stack *stack)
{
    if (stack->hbm)
        return TRN_OK;
    const uint64_t bytes = trn_stack_bytes(device);
    trn_status status =
        trn_hbm_create(bytes, device->options.reset, stack_seed(device, stack), &stack->hbm);
    if (status == TRN_OK && device->options.track)
        status = trn_tracker_create(device->gen, bytes, &stack->tracker);
    if (status == TRN_OK && device->race)
        status = trn_history_create(1, bytes, true, &stack->history);
    if (status != TRN_OK) {
        trn_tracker_destroy(stack->tracker);
        stack->tracker = NULL;
        trn_hbm_destroy(stack->hbm);
        stack->hbm = NULL;
    }
    return status;
}

void trn_stacks_close(struct trn_device *device)
{
    for (unsigned i = 0; i < device->num_stacks; i++) {
        trn_history_destroy(device->stacks[i].history);
        trn_tracker_destroy(device->stacks[i].tracker);
        trn_hbm_destroy(device->stacks[i].hbm);
    }
}

/* ---- the bus ------------------------------------------------------------------------- */

/* The stack that owns all bytes of an access, open; *at: where in it. */
static trn_status find(struct trn_device *device, uint64_t offset, size_t size,
                       struct trn_stack **out, uint64_t *at)
{
    const uint64_t bytes = trn_stack_bytes(device);
    for (unsigned i = device->num_stacks; i-- > 0;) {
        struct trn_stack *stack = &device->stacks[i];
        *at = offset - stack->bar4;
        if (offset < stack->bar4)
            continue;
        *out = stack;
        return *at <= bytes && size <= bytes - *at ? trn_stack_open(device, stack)
                                                   : TRN_ERR_ADDRESS;
    }
    return TRN_ERR_ADDRESS;
}

static void tell(const struct trn_stack *stack, uint64_t at, size_t size, bool write)
{
    const struct trn_access access = {.space = TRN_SPACE_HBM,
                                      .channels = 1,
                                      .byte = at,
                                      .size = size,
                                      .num = {1, 1, 1, 1},
                                      .write = write,
                                      .engine = TRN_ENGINE_HOST};
    if (stack->tracker && size > 0)
        trn_tracker_access(stack->tracker, &access);
}

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct trn_stack *stack = NULL;
    uint64_t at = 0;
    trn_status status = find(context, offset, size, &stack, &at);
    if (status == TRN_OK)
        status = trn_hbm_read(stack->hbm, at, data, size);
    if (status == TRN_OK)
        tell(stack, at, size, false);
    return status;
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct trn_stack *stack = NULL;
    uint64_t at = 0;
    trn_status status = find(context, offset, size, &stack, &at);
    if (status == TRN_OK)
        status = trn_hbm_write(stack->hbm, at, data, size);
    if (status == TRN_OK)
        tell(stack, at, size, true);
    return status;
}

static trn_status read32(void *context, uint64_t offset, uint32_t *value)
{
    uint8_t bytes[4];
    const trn_status status =
        offset % 4 == 0 ? read_block(context, offset, bytes, sizeof bytes) : TRN_ERR_INVALID;
    if (status == TRN_OK)
        *value = trn_get32(bytes);
    return status;
}

static trn_status write32(void *context, uint64_t offset, uint32_t value)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    return offset % 4 == 0 ? write_block(context, offset, bytes, sizeof bytes) : TRN_ERR_INVALID;
}

struct trn_bus trn_stack_bus(struct trn_device *device)
{
    return (struct trn_bus){device, read32, write32, read_block, write_block};
}
