/* SPDX-License-Identifier: Apache-2.0 */
/* The arch latch and the filling of the dispatch object (docs/hardware/hal-stpb.md 3.1). */
#include <string.h>

#include "hal/handle.h"

enum { ARCH_END = 5 }; /* one past the last value of the arch enum (section 1) */

/* The first generation that the HAL runs as this arch. */
static const struct trn_gen *gen_of_arch(uint32_t arch)
{
    for (unsigned i = 0; arch != 0 && i < TRN_GEN_COUNT; i++)
        if (trn_gen_at(i)->hal_arch == arch)
            return trn_gen_at(i);
    return NULL;
}

/* khal_init: eager, before the latch is written. */
static bool fill(struct trn_hal *hal, uint32_t arch)
{
    if (!gen_of_arch(arch))
        return false;
    size_t count;
    const struct trn_khal_fill *const fills = trn_hal_registrar(&count);
    struct trn_khal khal = {0};
    for (size_t i = 0; i < count; i++)
        if (fills[i].archs & TRN_KHAL_ARCH(arch))
            khal.slot[fills[i].offset / 8] = fills[i].leaf;
    hal->khal = khal;
    return true;
}

static void take_gen(struct trn_hal *hal, const struct trn_gen *gen)
{
    if (hal->gen == gen)
        return;
    hal->gen = gen;
    trn_hal_find_places(gen, &hal->places);
}

trn_status trn_hal_set_arch_type(struct trn_hal *hal, uint32_t arch)
{
    static const char function[] = "al_hal_tpb_set_arch_type";
    if (arch == 0)
        return trn_hal_fail(hal, TRN_ERR_ASSERT, function, "2 to 4", "arch_type != 0");
    if (arch >= ARCH_END)
        return trn_hal_fail(hal, TRN_ERR_ASSERT, function, "2 to 4", "arch_type < 5 (it is %u)",
                            arch);
    if (hal->arch == arch)
        return TRN_OK;
    if (hal->arch != 0)
        return trn_hal_log_fail(hal, TRN_ERR_FAILED, function,
                                "arch %u is latched already, not changed to %u", hal->arch, arch);
    const uint32_t registered = arch == 1 ? 0 : arch; /* 1 is folded to INVALID */
    if (!fill(hal, registered))
        return trn_hal_log_fail(hal, TRN_ERR_FAILED, function,
                                "Failed to initialize kaena_khal for arch %u", arch);
    hal->arch = arch;
    take_gen(hal, gen_of_arch(arch));
    return TRN_OK;
}

trn_status trn_hal_get_arch_type(struct trn_hal *hal, uint32_t *arch)
{
    *arch = hal->arch;
    return hal->arch != 0 ? TRN_OK
                          : trn_hal_fail(hal, TRN_ERR_ASSERT, "al_hal_tpb_get_arch_type",
                                         "trn_hal_set_arch_type first", "hal_target != 0");
}

void trn_hal_reset_arch(struct trn_hal *hal)
{
    hal->arch = 0;
    hal->gen = NULL;
    memset(&hal->khal, 0, sizeof hal->khal);
}

trn_status trn_hal_latch(struct trn_hal *hal, const struct trn_gen *gen)
{
    if (!gen)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "no generation to latch");
    if (gen->hal_arch == 0)
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL,
                            "sunda, cayman, mariana or mariana_plus", "%s has no HAL", gen->name);
    const trn_status status = trn_hal_set_arch_type(hal, gen->hal_arch);
    if (status == TRN_OK)
        take_gen(hal, gen);
    return status;
}
