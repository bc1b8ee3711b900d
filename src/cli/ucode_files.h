/* SPDX-License-Identifier: Apache-2.0 */
/* --ucode ENGINE:REGION=FILE: microcode images of the user's own in place of the default ones. */
#ifndef TRN_CLI_UCODE_FILES_H
#define TRN_CLI_UCODE_FILES_H

#include "trench/gen.h"
#include "trench/ucode.h"

enum { UCODE_MAX_FILES = TRN_UCODE_CORES * TRN_UCODE_REGIONS };

struct ucode_file {
    const char *option; /* as the user wrote it */
    const char *path;
    enum trn_ucode_core core;
    enum trn_ucode_region region;
    uint8_t *bytes;
    size_t size;
};

struct ucode_files {
    struct ucode_file list[UCODE_MAX_FILES];
    size_t count;
};

/* Take one option. Prints and returns CLI_USAGE, or 0. */
int ucode_files_add(struct ucode_files *files, const char *option);
/* Read the files and refuse what the generation has no place for. Prints and returns CLI_USAGE, or
 * 0. */
int ucode_files_read(struct ucode_files *files, const struct trn_gen *gen);
/* The default images of `core` with the user's in their places; `files` must outlive `info`. */
trn_status ucode_files_fill(const struct ucode_files *files, const struct trn_gen *gen,
                            enum trn_ucode_core core, struct trn_hal_eng_info *info);
/* The same for the five engines of a core. */
trn_status ucode_files_fill_core(const struct ucode_files *files, const struct trn_gen *gen,
                                 struct trn_hal_stpb *stpb);
void ucode_files_free(struct ucode_files *files);

#endif
