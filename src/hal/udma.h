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

/* ---- a batch and its marker (udma_copy.c) ---------------------------------------------------- */

/* udma.md 8: +0 holds what the last copy of the batch brings to +4. */
void trn_hal_udma_set_marker(uint8_t *words);
/* Chunks of one batch, marker included in what the rings have room for; *n receives how many. What
 * is left stays in the three. */
trn_status trn_hal_udma_batch(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                              uint64_t *source, uint64_t *destination, uint64_t *size,
                              uint64_t marker, uint32_t *n);
/* Poll until the marker is there; `async`: the first wait is that of an asynchronous context. */
trn_status trn_hal_udma_wait(struct trn_hal *hal, const struct trn_hal_udma_queue *queue,
                             uint8_t *words, uint32_t n, bool async);

#endif
