/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `trench bringup`: what was asked for, doing it, listing it, recording it. */
#ifndef TRN_CLI_BRINGUP_H
#define TRN_CLI_BRINGUP_H

#include "cli/bus_record.h"
#include "cli/cli.h"
#include "cli/ucode_files.h"
#include "trench/device.h"

/* SENG and TopSP numbers are far below. */
enum { BRINGUP_MAX_CORES = 16, BRINGUP_MAX_TOPSPS = 32 };

/* A range of cores or TopSPs; count 0: none. */
struct bringup_range {
    unsigned first, count;
};

struct bringup_options {
    const struct trn_gen *gen;
    uint8_t engine_mask; /* 0: all, with the core's own blocks */
    const char *core_text, *topsp_text;
    struct bringup_range cores, topsps;
    bool topsp, dma_rings, no_rings, json;
    uint32_t nq_size;
    uint64_t bar0; /* address that BAR0 is said to be mapped at */
    const char *fail_text;
    int fail_engine; /* -1: a TopSP */
    enum trn_hal_step fail_step;
    trn_status fail_code; /* 0: nothing fails */
    struct trn_hal_dge dge;
    struct ucode_files ucode;
    const char *record, *record_images;
};

enum bringup_state {
    BRINGUP_STALLED, /* a run stall is held */
    BRINGUP_RUNNING, /* released: it waits for start_ctrl */
    BRINGUP_UNKNOWN
};

/* "stalled", "running", "unknown". */
const char *bringup_state_name(enum bringup_state state);

struct bringup_core {
    unsigned core;
    trn_status status;
    struct trn_hal_bringup_result result;
    struct trn_hal_where last; /* the last step that was begun */
    enum bringup_state engines[TRN_HAL_ENGINES];
};

/* A device, the HAL on a recording bus, and what came of it. */
struct bringup {
    const struct bringup_options *options;
    struct trn_device *device;
    struct trn_bus bus; /* the recorder's */
    struct trn_hal *hal;
    struct bus_recorder recorder;
    struct trn_hal_engine_config topsps[BRINGUP_MAX_TOPSPS];
    enum bringup_state topsp_states[BRINGUP_MAX_TOPSPS];
    struct bringup_core cores[BRINGUP_MAX_CORES];
    unsigned num_cores;
    trn_status status; /* 0, or that of the first failure */
};

/* Device and latched HAL. TRN_ERR_UNSUPPORTED: the generation has none. */
trn_status bringup_open(struct bringup *bringup, const struct bringup_options *options,
                        struct trn_diag *diag);
/* Bring up what the options ask for. 0 also when a step failed (bringup->status); else the
 * program's own failure. */
trn_status bringup_do(struct bringup *bringup, struct trn_diag *diag);
void bringup_close(struct bringup *bringup);

/* ---- options that need the generation's HAL (bringup_options.c); print and return CLI_USAGE, or 0
 */

int bringup_check_ranges(struct bringup_options *options, struct trn_hal *hal);
int bringup_check_fail_at(struct bringup_options *options, const struct trn_hal *hal);
int bringup_check_sizes(const struct bringup_options *options);

/* ---- reports ------------------------------------------------------------------------- */

/* "act", "core", "topsp2": whose an operation is. */
void bringup_owner(const struct trn_hal_where *where, char *out, size_t size);
void bringup_print_text(const struct bringup *bringup);
void bringup_print_json(const struct bringup *bringup);
/* One line on standard error for each engine that failed. */
void bringup_print_failures(const struct bringup *bringup);

/* Write --record and --record-images. Prints and returns CLI_USAGE, or 0. */
int bringup_write_record(const struct bringup *bringup);

#endif
