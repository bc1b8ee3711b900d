/* SPDX-License-Identifier: Apache-2.0 */
/* The rings of one owner, as a whole bring-up sets them up (docs/hardware/hal-stpb.md 7.1). Each
 * announces the step; size 0 is TRN_HAL_RING_STRIDE bytes. */
#ifndef TRN_HAL_RINGS_H
#define TRN_HAL_RINGS_H

#include "hal/handle.h"

/* -22 for rings that do not fit their place in host memory. */
trn_status trn_hal_check_rings(struct trn_hal *hal, uint32_t size);
trn_status trn_hal_core_rings(struct trn_hal *hal, unsigned core, struct trn_hal_notific *notific,
                              uint32_t size);
trn_status trn_hal_topsp_rings(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                               struct trn_hal_notific *notific, uint32_t size);
/* Of the DMA engines of a core, whose blocks nothing else initialises. */
trn_status trn_hal_dma_rings(struct trn_hal *hal, unsigned core, uint32_t size);

#endif
