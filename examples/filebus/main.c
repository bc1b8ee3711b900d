/* SPDX-License-Identifier: Apache-2.0 */
/* Bring up a core that is only a file: filebus GENERATION BAR0-FILE TRACE-FILE */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "filebus.h"
#include "trench/hal.h"
#include "trench/ucode.h"

static const char *const engine_names[TRN_HAL_ENGINES] = {"pe", "act", "pool", "dve", "sp"};

/* Called before each step: leave its name in the trace, between the accesses. */
static trn_status on_step(void *context, const struct trn_hal_where *where)
{
    struct filebus *filebus = context;
    fprintf(filebus->trace, "# %s.%s\n", where->engine < 0 ? "core" : engine_names[where->engine],
            trn_hal_step_name(where->step));
    return TRN_OK; /* any other answer would be taken for the step's result */
}

/* Everything a driver does for one core: defaults, images, the documented order. */
static trn_status bring_up(struct trn_hal *hal, const struct trn_gen *gen,
                           struct trn_hal_bringup_result *result)
{
    struct trn_hal_stpb core;
    trn_status status = trn_hal_latch(hal, gen);
    if (status == TRN_OK)
        status = trn_hal_core_defaults(hal, 0, &core);
    if (status == TRN_OK)
        status = trn_ucode_fill_core(gen, &core); /* or a driver's own files */
    if (status != TRN_OK)
        return status;
    return trn_hal_bringup(hal, &(struct trn_hal_bringup){.core = 0, .stpb = &core}, result);
}

/* The magic word that a processor's data image starts with, as it lies in the file now. */
static trn_status show_magic(struct trn_hal *hal, const struct filebus *filebus)
{
    struct trn_hal_stpb core;
    struct trn_hal_seq_params at;
    trn_status status = trn_hal_core_defaults(hal, 0, &core);
    for (int e = 0; e < TRN_HAL_ENGINES && status == TRN_OK; e++) {
        uint8_t word[4] = {0};
        status = trn_hal_get_seq_params(hal, e, &at);
        if (status == TRN_OK)
            status = filebus->bus.read_block(filebus->bus.context, core.tpb_mem_handle + at.dram,
                                             word, sizeof word);
        if (status == TRN_OK)
            printf("  %-4s data at 0x%" PRIx64 ": %02x %02x %02x %02x\n", engine_names[e],
                   core.tpb_mem_handle + at.dram, word[0], word[1], word[2], word[3]);
    }
    return status;
}

static trn_status run(struct filebus *filebus, const struct trn_gen *gen)
{
    const struct trn_hal_options options = {.observer = {.context = filebus, .step = on_step}};
    struct trn_hal_bringup_result result;
    struct trn_diag diag;
    struct trn_hal *hal;
    trn_status status = trn_hal_create(&filebus->bus, &options, &hal, &diag);
    if (status != TRN_OK) {
        fprintf(stderr, "filebus: %s\n", diag.message);
        return status;
    }
    status = bring_up(hal, gen, &result);
    if (status == TRN_OK)
        status = show_magic(hal, filebus);
    if (status != TRN_OK) { /* the step, where one was begun */
        const struct trn_diag *const said = trn_hal_diag(hal);
        fprintf(stderr, "filebus: %s%s%s\n", said->where, *said->where ? ": " : "", said->message);
    }
    trn_hal_destroy(hal);
    return status;
}

int main(int argc, char **argv)
{
    const struct trn_gen *gen = argc == 4 ? trn_gen_find(argv[1]) : NULL;
    struct filebus filebus;
    if (!gen) {
        fprintf(stderr, "usage: filebus sunda|cayman|mariana|mariana_plus BAR0-FILE TRACE-FILE\n");
        return 2;
    }
    if (filebus_open(&filebus, argv[2], argv[3], gen->bar0_bytes) != TRN_OK) {
        fprintf(stderr, "filebus: %s, %s: %s\n", argv[2], argv[3], strerror(errno));
        return 2;
    }
    trn_status status = run(&filebus, gen);
    if (status == TRN_OK)
        printf("%s core 0: %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " blocks (%" PRIu64
               " bytes)\n",
               gen->name, filebus.reads, filebus.writes, filebus.blocks, filebus.block_bytes);
    if (filebus_close(&filebus) != TRN_OK && status == TRN_OK) {
        fprintf(stderr, "filebus: %s is not complete\n", argv[3]);
        status = TRN_ERR_IO;
    }
    return status == TRN_OK ? 0 : 1;
}
