/* SPDX-License-Identifier: Apache-2.0 */
/* The start protocol of a core (docs/hardware/sequencer.md 2.2 steps 7 to 11, hal-stpb.md 14). */
#include <stdio.h>

#include "trench/hal_start.h"

enum { NUM_ENGINES = 5, PE = 0, ACT = 1, POOL = 2, DVE = 3, SP = 4 };

/* Local registers of an engine lie this far into its block (address-map.md 5.2). */
enum { LOCAL_AT = 0x60000, Q7_RUN_STALL = 0x3000 };

static uint64_t local_base(const struct trn_hal_start *hal, int engine)
{
    const struct trn_gen *gen = hal->gen;
    const uint32_t blocks[NUM_ENGINES] = {[PE] = gen->bar_engine_pe,
                                          [ACT] = gen->bar_engine_act,
                                          [POOL] = gen->bar_engine_pool,
                                          [DVE] = gen->bar_engine_dve,
                                          [SP] = gen->bar_engine_sp};
    return gen->bar0_tpb + hal->core * gen->bar0_tpb_stride + blocks[engine] + LOCAL_AT;
}

static trn_status check_engine(const struct trn_hal_start *hal, int engine, struct trn_diag *diag)
{
    if (!hal || !hal->gen || !hal->bus)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "the HAL handle is not initialised");
    if (engine < 0 || engine >= NUM_ENGINES)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "0 to 4", "no engine %d", engine);
    return TRN_OK;
}

static trn_status bus_failed(struct trn_diag *diag, trn_status status, uint64_t offset,
                             const char *verb)
{
    char where[32];
    snprintf(where, sizeof where, "bar0+0x%llx", (unsigned long long)offset);
    return trn_diag_set(diag, status, where, NULL, NULL, "the bus refused a %s: %s", verb,
                        trn_status_name(status));
}

static trn_status write_local(const struct trn_hal_start *hal, int engine, uint32_t place,
                              uint32_t value, struct trn_diag *diag)
{
    const uint64_t offset = local_base(hal, engine) + place;
    const trn_status status = hal->bus->write32(hal->bus->context, offset, value);
    return status == TRN_OK ? TRN_OK : bus_failed(diag, status, offset, "write");
}

static trn_status read_local(const struct trn_hal_start *hal, int engine, uint32_t place,
                             uint32_t *value, struct trn_diag *diag)
{
    const uint64_t offset = local_base(hal, engine) + place;
    const trn_status status = hal->bus->read32(hal->bus->context, offset, value);
    return status == TRN_OK ? TRN_OK : bus_failed(diag, status, offset, "read");
}

trn_status trn_hal_start_open(struct trn_hal_start *hal, const struct trn_gen *gen,
                              const struct trn_bus *bus, unsigned core, struct trn_diag *diag)
{
    if (!hal || !gen || !bus)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "a handle, a generation and a bus are needed");
    *hal = (struct trn_hal_start){0};
    if (gen->hal_arch == 0)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, NULL,
                            "no host HAL is known for %s", gen->name);
    if (core >= gen->cores)
        return trn_diag_set(diag, TRN_ERR_RANGE, NULL, NULL, NULL,
                            "core %u does not exist; %s has %u", core, gen->name, gen->cores);
    *hal = (struct trn_hal_start){.gen = gen, .bus = bus, .core = core};
    return TRN_OK;
}

/* POOL has eight more cores behind its sequencer; they are released after it (hal-stpb.md 14.1). */
trn_status trn_hal_start_release(const struct trn_hal_start *hal, int engine, struct trn_diag *diag)
{
    trn_status status = check_engine(hal, engine, diag);
    if (status == TRN_OK)
        status = write_local(hal, engine, hal->gen->local_run_stall, 0, diag);
    if (status == TRN_OK && engine == POOL && hal->gen->has_q7_csr_release)
        status = write_local(hal, engine, Q7_RUN_STALL, 0, diag);
    return status;
}

/* The device samples the start address after it sees start_ctrl, so the address goes first. */
trn_status trn_hal_start_engine(const struct trn_hal_start *hal, int engine, uint64_t pc,
                                struct trn_diag *diag)
{
    trn_status status = check_engine(hal, engine, diag);
    if (status == TRN_OK)
        status = write_local(hal, engine, hal->gen->local_start_lo, (uint32_t)pc, diag);
    if (status == TRN_OK)
        status = write_local(hal, engine, hal->gen->local_start_hi, (uint32_t)(pc >> 32), diag);
    if (status == TRN_OK)
        status = write_local(hal, engine, hal->gen->local_start_ctrl, 1, diag);
    return status;
}

trn_status trn_hal_start_state(const struct trn_hal_start *hal, int engine, uint32_t *state,
                               struct trn_diag *diag)
{
    const trn_status status = check_engine(hal, engine, diag);
    return status == TRN_OK ? read_local(hal, engine, hal->gen->local_run_state, state, diag)
                            : status;
}
