/* SPDX-License-Identifier: Apache-2.0 */
/* SoC addresses: what the absolute addresses of WRITE, TENSOR_LOAD, TENSOR_STORE and POLL_SEM name
 * (docs/hardware/sequencer.md 7.11, address-map.md 4). Memory is resolved here; registers and
 * semaphores are windows that the device room provides. */
#ifndef TRN_MEM_SOC_H
#define TRN_MEM_SOC_H

#include "mem/mem.h"
#include "trench/bus.h"

/* SoC addresses [base, base + size) are bus offsets [bus_offset, bus_offset + size). */
struct trn_soc_window {
    uint64_t base, size;
    const struct trn_bus *bus;
    uint64_t bus_offset;
    bool memory; /* holds no registers: any size and alignment */
};

/* The address space as one core sees it. Plain data; the windows belong to the caller. */
struct trn_soc {
    struct trn_mem *mem;
    uint64_t sbuf_base, psum_base, hbm_base;
    const struct trn_soc_window *windows;
    size_t num_windows;
};

/* Core 0 of the generation: SBUF and PSUM from its description. */
struct trn_soc trn_soc_of(struct trn_mem *mem, uint64_t hbm_base,
                          const struct trn_soc_window *windows, size_t num_windows);

/*
 * Read or write `size` bytes, 1 or more, all in one block. TRN_ERR_ADDRESS: no block owns all of
 * them. In a window with registers the address and the size are multiples of 4 (address-map.md
 * 6.4), else TRN_ERR_INVALID; 8 bytes are two registers, low half first; other errors are the
 * window's own. Inactive bytes of SBUF and PSUM behave as in the BAR window. A failed access
 * changes nothing.
 */
trn_status trn_soc_read(const struct trn_soc *soc, uint64_t address, void *data, size_t size,
                        struct trn_origin who);
/* The same for an instruction in a window: windows with registers hold none (TRN_ERR_ADDRESS). */
trn_status trn_soc_fetch(const struct trn_soc *soc, uint64_t address, void *data, size_t size);
trn_status trn_soc_write(const struct trn_soc *soc, uint64_t address, const void *data, size_t size,
                         struct trn_origin who);

#endif
