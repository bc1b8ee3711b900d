/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a DMA engine from the host, by name. */
#ifndef TRN_HAL_UDMA_H
#define TRN_HAL_UDMA_H

#include "hal/handle.h"
#include "trench/udma.h"

/* BAR0 offset of a register of DMA engine `dma`; `path` is block.name of registers.csv, whose block
 * names the engine's part. TRN_ERR_UNSUPPORTED: this generation has no such place. */
trn_status trn_hal_udma_place(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                              unsigned j, uint64_t *offset);
trn_status trn_hal_udma_write(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                              uint32_t value);
trn_status trn_hal_udma_read(struct trn_hal *hal, unsigned dma, const char *path, unsigned i,
                             uint32_t *value);

#endif
