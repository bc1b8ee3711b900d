/* SPDX-License-Identifier: Apache-2.0 */
/* The handle's life, memory, log lines, failures and steps (docs/hardware/hal-stpb.md 4.1). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/handle.h"
#include "hal/notific.h"

static void *take(const struct trn_hal_options *options, uint64_t size)
{
    if (size > SIZE_MAX)
        return NULL;
    return options->allocate ? options->allocate(options->platform, (size_t)size)
                             : calloc(1, (size_t)size);
}

static void give(const struct trn_hal_options *options, void *memory)
{
    if (options->release)
        options->release(options->platform, memory);
    else
        free(memory);
}

trn_status trn_hal_create(const struct trn_bus *bus, const struct trn_hal_options *options,
                          struct trn_hal **out, struct trn_diag *diag)
{
    static const struct trn_hal_options none;
    const struct trn_hal_options *chosen = options ? options : &none;
    *out = NULL;
    if (!bus || !bus->read32 || !bus->write32 || !bus->read_block || !bus->write_block)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "a bus with its four calls",
                            "the host needs a bus");
    if (!chosen->allocate != !chosen->release)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "both or none",
                            "allocate and release belong together");
    struct trn_hal *hal = take(chosen, sizeof *hal);
    if (!hal)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a handle");
    *hal = (struct trn_hal){.bus = *bus,
                            .options = *chosen,
                            .where = {.engine = -1, .topsp = -1, .step = TRN_HAL_STEP_NONE}};
    *out = hal;
    return TRN_OK;
}

void trn_hal_destroy(struct trn_hal *hal)
{
    if (!hal)
        return;
    trn_hal_free_notifics(hal);
    const struct trn_hal_options options = hal->options;
    give(&options, hal->regions);
    give(&options, hal->shadows);
    give(&options, hal->staging);
    give(&options, hal);
}

const struct trn_diag *trn_hal_diag(const struct trn_hal *hal)
{
    return &hal->diag;
}

trn_status trn_hal_add_region(struct trn_hal *hal, uint64_t start, uint64_t end)
{
    if (end < start || end - start < sizeof(uint32_t))
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "a range of at least one register",
                            "region 0x%llx-0x%llx is empty", (unsigned long long)start,
                            (unsigned long long)end);
    struct trn_hal_region *grown =
        trn_hal_zalloc(hal, (hal->num_regions + 1) * sizeof *hal->regions);
    if (!grown)
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, NULL, NULL, "no memory for a region");
    if (hal->regions)
        memcpy(grown, hal->regions, hal->num_regions * sizeof *grown);
    grown[hal->num_regions++] = (struct trn_hal_region){start, end};
    trn_hal_free(hal, hal->regions);
    hal->regions = grown;
    return TRN_OK;
}

/* ---- memory and time -------------------------------------------------------------- */

void *trn_hal_zalloc(struct trn_hal *hal, uint64_t size)
{
    return take(&hal->options, size);
}

void trn_hal_free(struct trn_hal *hal, void *memory)
{
    if (memory)
        give(&hal->options, memory);
}

void trn_hal_udelay(struct trn_hal *hal, uint32_t microseconds)
{
    if (hal->options.delay)
        hal->options.delay(hal->options.platform, microseconds);
}

/* ---- log lines and failures ------------------------------------------------------- */

static void log_text(struct trn_hal *hal, int level, const char *function, const char *text)
{
    const struct trn_hal_observer *observer = &hal->options.observer;
    if (observer->log)
        observer->log(observer->context, level, function, text);
}

void trn_hal_log(struct trn_hal *hal, int level, const char *function, const char *format, ...)
{
    if (!hal->options.observer.log)
        return;
    char text[sizeof hal->diag.message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_text(hal, level, function, text);
}

trn_status trn_hal_fail(struct trn_hal *hal, trn_status status, const char *where,
                        const char *expected, const char *format, ...)
{
    char text[sizeof hal->diag.message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return trn_diag_set(&hal->diag, status, where, NULL, expected, "%s", text);
}

trn_status trn_hal_log_fail(struct trn_hal *hal, trn_status status, const char *function,
                            const char *format, ...)
{
    char text[sizeof hal->diag.message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_text(hal, 1, function, text);
    return trn_diag_set(&hal->diag, status, function, NULL, NULL, "%s", text);
}

/* ---- steps ------------------------------------------------------------------------ */

const char *trn_hal_step_name(enum trn_hal_step step)
{
    static const char *const names[TRN_HAL_STEPS] = {
        [TRN_HAL_STEP_NONE] = "",
        [TRN_HAL_STEP_REGS_INIT] = "regs_init",
        [TRN_HAL_STEP_UCODE_SEQ_INIT] = "ucode_seq_init",
        [TRN_HAL_STEP_Q7_UCODE_ENG_INIT] = "q7_ucode_eng_init",
        [TRN_HAL_STEP_HW_DECODE_TABLE_INIT] = "hw_decode_table_init",
        [TRN_HAL_STEP_DMA_INIT] = "dma_init",
        [TRN_HAL_STEP_RELEASE_RUN_STALL] = "release_run_stall",
        [TRN_HAL_STEP_RELEASE_ENG_RUN_STALL] = "release_eng_run_stall",
        [TRN_HAL_STEP_NOTIFIC_INIT] = "notific_init",
        [TRN_HAL_STEP_NOTIFIC_ENABLE] = "notific_enable",
        [TRN_HAL_STEP_RINGS] = "rings",
        [TRN_HAL_STEP_TABLES] = "tables",
        [TRN_HAL_STEP_DGE] = "dge",
        [TRN_HAL_STEP_START] = "start",
    };
    return (unsigned)step < TRN_HAL_STEPS ? names[step] : "";
}

trn_status trn_hal_enter(struct trn_hal *hal, enum trn_hal_step step)
{
    const struct trn_hal_observer *observer = &hal->options.observer;
    hal->where.step = step;
    const trn_status status =
        observer->step ? observer->step(observer->context, &hal->where) : TRN_OK;
    if (status == TRN_OK)
        return TRN_OK;
    return trn_hal_fail(hal, status, trn_hal_step_name(step), NULL, "%s failed with %d",
                        trn_hal_step_name(step), status);
}
