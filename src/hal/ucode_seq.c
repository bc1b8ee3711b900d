/* SPDX-License-Identifier: Apache-2.0 */
/* ucode_seq_init: the sequencer's microcode into its memories (docs/hardware/hal-stpb.md 10). */
#include <stdio.h>

#include "base/bytes.h"
#include "hal/leaves.h"

enum { TEXT = 96 };

struct destination {
    uint64_t iram, dram, local; /* BAR0 offsets */
    uint64_t engine_base;       /* device address */
    uint32_t iram_cap, dram_cap;
};

/* In a core an engine's block lies at its base; a TopSP's handle is its block (14.3). */
static trn_status find_destination(struct trn_hal *hal, int engine,
                                   const struct trn_hal_engine_config *config,
                                   struct destination *to)
{
    struct trn_hal_seq_params params;
    trn_status status = trn_hal_get_seq_params(hal, engine, &params);
    if (status == TRN_OK)
        status = trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine, !config->topsp,
                                                 &to->local);
    if (status != TRN_OK)
        return status;
    const uint32_t origin = config->topsp ? params.base : 0;
    to->iram = config->mem_handle + params.iram - origin;
    to->dram = config->mem_handle + params.dram - origin;
    to->engine_base = config->addr + params.base - origin;
    to->iram_cap = params.iram_size;
    to->dram_cap = params.dram_size;
    return TRN_OK;
}

static trn_status check_size(struct trn_hal *hal, int engine, const char *region, uint64_t size,
                             uint32_t cap)
{
    if (size <= cap)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_FAILED,
                            trn_hal_function(hal, engine, "ucode_seq_init").name,
                            "%s seq %s ucode too big! doesn't fit, size=%llu",
                            trn_hal_engine_tag(engine), region, (unsigned long long)size);
}

static trn_status load(struct trn_hal *hal, int engine, const struct trn_hal_engine_config *config,
                       const struct destination *to)
{
    const struct trn_hal_ucode *const ucode = &config->info.seq_ucode;
    /* No images at all: the copy is left out (model choice). */
    if (ucode->iram.size == 0 && ucode->dram.size == 0)
        return TRN_OK;
    char tag[TEXT];
    snprintf(tag, sizeof tag, "%s seq iram", trn_hal_engine_tag(engine));
    const trn_status status = trn_hal_write_padded(hal, to->iram, ucode->iram, to->iram_cap,
                                                   config->memcpy_fn, config->cookie, tag);
    if (status != TRN_OK)
        return status;
    snprintf(tag, sizeof tag, "%s seq dram", trn_hal_engine_tag(engine));
    return trn_hal_write_padded(hal, to->dram, ucode->dram, to->dram_cap, config->memcpy_fn,
                                config->cookie, tag);
}

struct register_value {
    enum trn_hal_reg reg;
    uint32_t value;
};

/* Bits of an address that a register of its low or high half takes. */
static uint32_t low_half(uint64_t address)
{
    return (uint32_t)trn_bits_get(address, 0, 32);
}

static uint32_t high_half(uint64_t address)
{
    return (uint32_t)trn_bits_get(address, 32, 32);
}

static trn_status write_all(struct trn_hal *hal, uint64_t local,
                            const struct register_value *writes, unsigned count)
{
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < count && status == TRN_OK; i++)
        status = trn_hal_write_reg(hal, local, writes[i].reg, writes[i].value);
    return status;
}

/* OPEN contents; model choice: window 0 on the peripheral bus, whose low word the NX code checks,
 * and the core's base; windows 1 to 7 are not written. */
trn_status trn_hal_init_nx_registers(struct trn_hal *hal, uint64_t local, uint64_t core_address)
{
    static const uint64_t peripheral_bus = UINT64_C(0xFFFF0000000);
    const struct register_value writes[] = {
        {TRN_HAL_REG_APB_WINDOW_LO, low_half(peripheral_bus)},
        {TRN_HAL_REG_APB_WINDOW_HI, high_half(peripheral_bus)},
        {TRN_HAL_REG_TPB_BASE_LO, low_half(core_address)},
        {TRN_HAL_REG_TPB_BASE_HI, high_half(core_address)},
    };
    return write_all(hal, local, writes, sizeof writes / sizeof writes[0]);
}

static trn_status open_windows(struct trn_hal *hal, const struct trn_hal_engine_config *config,
                               const struct destination *to)
{
    const struct register_value writes[] = {
        {TRN_HAL_REG_ENGINE_BASE_LO, low_half(to->engine_base)},
        {TRN_HAL_REG_ENGINE_BASE_HI, high_half(to->engine_base)},
    };
    const trn_status status = trn_hal_init_nx_registers(hal, to->local, config->addr);
    return status == TRN_OK ? write_all(hal, to->local, writes, sizeof writes / sizeof writes[0])
                            : status;
}

trn_status trn_hal_body_ucode_seq_init(struct trn_hal *hal, int engine,
                                       const struct trn_hal_engine_config *config)
{
    const struct trn_hal_ucode *const ucode = &config->info.seq_ucode;
    struct destination to;
    trn_status status = find_destination(hal, engine, config, &to);
    if (status == TRN_OK)
        status = check_size(hal, engine, "IRAM", ucode->iram.size, to.iram_cap);
    if (status == TRN_OK)
        status = check_size(hal, engine, "DRAM", ucode->dram.size, to.dram_cap);
    if (status == TRN_OK)
        status = load(hal, engine, config, &to);
    /* Only the flat local block has windows; later ones need no write in this step. */
    if (status == TRN_OK && trn_hal_has_reg(hal, TRN_HAL_REG_APB_WINDOW_LO))
        status = open_windows(hal, config, &to);
    return status;
}
