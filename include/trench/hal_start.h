/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/hal_start.h - the start protocol alone; goes when `run` uses trench/hal.h.
 *
 * This is the start protocol of docs/hardware/sequencer.md 2.2 (steps 7 to 11) for one core; the
 * register offsets come from the generation's description.
 */
#ifndef TRENCH_HAL_START_H
#define TRENCH_HAL_START_H

#include "trench/bus.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A host's view of one core. Plain data; copy it freely. */
struct trn_hal_start {
    const struct trn_gen *gen;
    const struct trn_bus *bus; /**< BAR0 */
    unsigned core;
};

/**
 * Bind a handle to a core; touches no register. TRN_ERR_UNSUPPORTED: no host HAL is known for the
 * generation (MAVERICK: trn_device_start starts a model of it); TRN_ERR_RANGE: no such core;
 * TRN_ERR_INVALID: a NULL argument.
 */
TRN_API trn_status trn_hal_start_open(struct trn_hal_start *hal, const struct trn_gen *gen,
                                      const struct trn_bus *bus, unsigned core,
                                      struct trn_diag *diag);

/* The calls below return the bus's own status when an access fails (nothing further is written),
 * and TRN_ERR_INVALID for an engine outside 0..4 or a handle that was not initialised. */

/** Release the run stall of an engine: it boots and waits for a start. POOL's Q7 cores are released
 * after its sequencer where a register does that (hal-stpb.md 14.1). */
TRN_API trn_status trn_hal_start_release(const struct trn_hal_start *hal, int engine,
                                         struct trn_diag *diag);

/** Write the start address, then start_ctrl = 1. The device clears start_ctrl when it takes it. */
TRN_API trn_status trn_hal_start_engine(const struct trn_hal_start *hal, int engine, uint64_t pc,
                                        struct trn_diag *diag);

/** run_state register of the engine as the host sees it. */
TRN_API trn_status trn_hal_start_state(const struct trn_hal_start *hal, int engine, uint32_t *state,
                                       struct trn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
