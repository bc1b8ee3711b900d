/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `trench regs`: which registers, what the device holds, how it is shown. */
#ifndef TRN_CLI_REGS_H
#define TRN_CLI_REGS_H

#include "cli/bringup.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "trench/map.h"

enum regs_after { REGS_AFTER_RESET, REGS_AFTER_BRINGUP, REGS_AFTER_RUN };

enum { REGS_MAX_NAMES = 16 };

struct regs_options {
    const struct trn_gen *gen;
    const char *names[REGS_MAX_NAMES]; /* BLOCK[.REGISTER] */
    size_t num_names;
    bool core_given;
    uint64_t core; /* 0 unless given */
    int engine;    /* -1: none given */
    enum regs_after after;
    const char *program; /* of --after */
    bool changed, json;
};

struct regs_value {
    struct trn_map_register reg;
    bool readable; /* the device has it */
    uint32_t value, reset;
};

/* A block and those of its registers that were asked for. */
struct regs_block {
    struct trn_map_block block;
    struct regs_value *values;
    size_t count;
};

bool regs_is_changed(const struct regs_value *value);

/* ---- which registers (regs_select.c) --------------------------------------------------- */

/* The registers that a name means. Prints and returns CLI_DOES_NOT_HOLD or CLI_USAGE, or 0. Free
 * with regs_free. */
int regs_select(const struct regs_options *options, const char *name, struct regs_block *out);
void regs_free(struct regs_block *block);
/* Whether the list of blocks shows it. */
bool regs_is_listed(const struct regs_options *options, const struct trn_map_block *block);

/* ---- what the device holds (regs_device.c) --------------------------------------------- */

/* The device in the state that the options ask for. */
struct regs_device {
    struct trn_device *fresh; /* after reset */
    struct bringup *bringup;
    struct run_core run;
    struct run_options run_options;
    struct trn_device *device; /* of one of the above */
    int exit_status;           /* of a program that faulted, a bring-up that failed */
};

/* Prints and returns an exit status when the device cannot be made. Close in either case. */
int regs_device_open(struct regs_device *state, const struct regs_options *options,
                     const struct regs_block *blocks, size_t num_blocks);
void regs_device_read(const struct regs_device *state, struct regs_block *block);
void regs_device_close(struct regs_device *state);

/* ---- how it is shown (regs_print.c) ------------------------------------------------------ */

void regs_print_list(const struct regs_options *options);
void regs_print_text(const struct regs_options *options, const struct regs_block *blocks,
                     size_t num_blocks);
void regs_print_json(const struct regs_options *options, const struct regs_device *state,
                     const struct regs_block *blocks, size_t num_blocks);

#endif
