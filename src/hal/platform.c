/* SPDX-License-Identifier: Apache-2.0 */
/* Register and memory access: regions, the asymmetry of failed reads and writes, padded images
 * (docs/hardware/hal-stpb.md 4). */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "hal/handle.h"

typedef unsigned long long ull; /* for %llx */

/* 4.2: the first region that holds the address; `function` is the caller that logs. */
static trn_status check_region(struct trn_hal *hal, uint64_t offset, const char *function)
{
    if (hal->num_regions == 0) {
        if (!hal->options.regions_only)
            return TRN_OK;
        return trn_hal_log_fail(hal, TRN_ERR_NOT_FOUND, function,
                                "Failed to get registered csr regions");
    }
    const struct trn_hal_region *region = hal->regions;
    const struct trn_hal_region *const end = region + hal->num_regions;
    while (region < end && (offset < region->start || offset >= region->end))
        region++;
    if (region == end)
        return trn_hal_log_fail(hal, TRN_ERR_NOT_FOUND, function,
                                "Region not found for address 0x%llx", (ull)offset);
    if (offset > region->end - sizeof(uint32_t))
        return trn_hal_log_fail(hal, TRN_ERR_NOT_FOUND, function,
                                "Invalid address 0x%llx 0x%llx-0x%llx", (ull)offset,
                                (ull)region->start, (ull)region->end);
    return TRN_OK;
}

/* A failed read is an assertion (4.1). */
static trn_status read_failed(struct trn_hal *hal, uint64_t offset)
{
    return trn_hal_log_fail(hal, TRN_ERR_ASSERT, "al_reg_read32", "PCIe read failed 0x%llx",
                            (ull)offset);
}

/* The bus alone. */
static trn_status bus_read(struct trn_hal *hal, uint64_t offset, uint32_t *value)
{
    if (hal->bus.read32(hal->bus.context, offset, value) == TRN_OK)
        return TRN_OK;
    *value = 0;
    return read_failed(hal, offset);
}

/* A failed write ends the process (4.1). */
static trn_status bus_write(struct trn_hal *hal, uint64_t offset, uint32_t value)
{
    if (hal->bus.write32(hal->bus.context, offset, value) == TRN_OK)
        return TRN_OK;
    trn_hal_log_fail(hal, TRN_ERR_ABORT, "al_reg_write32", "csr_write failed");
    snprintf(hal->diag.where, sizeof hal->diag.where, "al_reg_write32 of bar0+0x%llx", (ull)offset);
    return TRN_ERR_ABORT;
}

trn_status trn_hal_read32(struct trn_hal *hal, uint64_t offset, uint32_t *value)
{
    *value = 0;
    const trn_status status = check_region(hal, offset, "csr_read");
    return status == TRN_OK ? bus_read(hal, offset, value) : status;
}

trn_status trn_hal_write32(struct trn_hal *hal, uint64_t offset, uint32_t value)
{
    const trn_status status = check_region(hal, offset, "csr_write");
    return status == TRN_OK ? bus_write(hal, offset, value) : status;
}

trn_status trn_hal_rmw32(struct trn_hal *hal, uint64_t offset, uint32_t mask, uint32_t value)
{
    return trn_hal_rmw32_of(hal, offset, UINT32_MAX, mask, value);
}

/* A function that has gone away answers every read with all ones (model choice: a register that
 * cannot hold them was not read). */
trn_status trn_hal_rmw32_of(struct trn_hal *hal, uint64_t offset, uint32_t held, uint32_t mask,
                            uint32_t value)
{
    const struct trn_hal_observer *observer = &hal->options.observer;
    trn_status status = check_region(hal, offset, "csr_read");
    if (status != TRN_OK)
        return status;
    if (observer->rmw)
        observer->rmw(observer->context, offset, mask);
    uint32_t old;
    status = bus_read(hal, offset, &old);
    if (status == TRN_OK && old == UINT32_MAX && held != UINT32_MAX)
        status = read_failed(hal, offset);
    return status == TRN_OK ? bus_write(hal, offset, (old & ~mask) | (value & mask)) : status;
}

trn_status trn_hal_write_block(struct trn_hal *hal, uint64_t offset, const void *data,
                               uint64_t size)
{
    static const char function[] = "al_mem_write_buf";
    if (offset % 4 != 0 || (uintptr_t)data % 4 != 0 || size % 4 != 0)
        return trn_hal_log_fail(hal, TRN_ERR_ASSERT, function,
                                "dst 0x%llx, src and len 0x%llx must be multiples of 4",
                                (ull)offset, (ull)size);
    /* One look-up, on the first address only (4.2). */
    const trn_status status = check_region(hal, offset, "axi_write");
    if (status != TRN_OK)
        return status;
    if (hal->bus.write_block(hal->bus.context, offset, data, (size_t)size) == TRN_OK)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_ASSERT, function,
                            "burst write of 0x%llx bytes to 0x%llx failed", (ull)size, (ull)offset);
}

/* The copy of 4.3, by the caller's own function or as programmed I/O. */
static trn_status copy_out(struct trn_hal *hal, uint64_t offset, const void *data, uint64_t size,
                           trn_hal_memcpy_fn memcpy_fn, void *cookie)
{
    if (!memcpy_fn)
        return trn_hal_write_block(hal, offset, data, size);
    const trn_status status = memcpy_fn(cookie, offset, data, size);
    if (status == TRN_OK)
        return TRN_OK;
    return trn_hal_log_fail(hal, status, "write_padded", "memcpy_fn(0x%llx) failed with %d",
                            (ull)offset, status);
}

/* The zeros of a buffer are read and hardly written: their pages in one call, not one by one. Where
 * the system knows no such call they come as they are read. */
static void expect_reading(uint8_t *bytes, uint64_t size)
{
#ifdef MADV_POPULATE_READ
    const uintptr_t page = 4096, first = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
    if (first < end)
        madvise((void *)first, end - first, MADV_POPULATE_READ);
#endif
}

/* At least `size` bytes of zeros. The real HAL takes a new buffer for each image; one that is kept
 * costs as much as the image instead of as much as its aperture. */
static uint8_t *staging(struct trn_hal *hal, uint64_t size)
{
    if (size <= hal->staging_size)
        return hal->staging;
    uint8_t *const larger = trn_hal_zalloc(hal, size);
    if (!larger)
        return NULL;
    expect_reading(larger, size);
    trn_hal_free(hal, hal->staging);
    hal->staging = larger;
    hal->staging_size = size;
    return larger;
}

trn_status trn_hal_write_padded(struct trn_hal *hal, uint64_t offset, struct trn_hal_buf image,
                                uint64_t padded, trn_hal_memcpy_fn memcpy_fn, void *cookie,
                                const char *tag)
{
    static const char function[] = "write_padded";
    if (image.size > padded)
        return trn_hal_log_fail(hal, TRN_ERR_ASSERT, function,
                                "%s: padded >= size (0x%llx >= 0x%llx)", tag, (ull)padded,
                                (ull)image.size);
    if (image.size && !image.data)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "%s: no image, size=%llu", tag,
                                (ull)image.size);
    uint8_t *const zeros = staging(hal, padded);
    if (!zeros)
        return trn_hal_log_fail(hal, TRN_ERR_FAILED, function, "calloc failed! size=%llu",
                                (ull)padded);
    if (image.size)
        memcpy(zeros, image.data, (size_t)image.size);
    const trn_status status = copy_out(hal, offset, zeros, padded, memcpy_fn, cookie);
    memset(zeros, 0, (size_t)image.size);
    return status;
}
