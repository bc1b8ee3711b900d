/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ucode_files.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Far above every aperture; the HAL refuses what does not fit (hal-stpb.md 10, 11, 14.2). */
enum { MAX_FILE = 1 << 28 };

static const char *const region_names[TRN_UCODE_REGIONS] = {
    [TRN_UCODE_SEQ_IRAM] = "iram",          [TRN_UCODE_SEQ_DRAM] = "dram",
    [TRN_UCODE_Q7_IRAM] = "q7_iram",        [TRN_UCODE_Q7_DRAM] = "q7_dram",
    [TRN_UCODE_DECODE_PROFILE] = "profile", [TRN_UCODE_DECODE_CAM] = "cam"};

/* Short names, and the library's own (trn_ucode_region_name). */
static enum trn_ucode_region find_region(const char *name)
{
    for (int r = 0; r < TRN_UCODE_REGIONS; r++)
        if (strcmp(name, region_names[r]) == 0)
            return (enum trn_ucode_region)r;
    return trn_ucode_region_find(name);
}

/* Whose image it is; the compute cluster takes part in no bring-up (hal-stpb.md 7). */
static enum trn_ucode_core find_core(const char *name)
{
    const enum trn_ucode_core core = trn_ucode_core_find(name);
    return core == TRN_UCODE_CCE ? TRN_UCODE_CORES : core;
}

/* "ENGINE:REGION" of the option, cut in two. */
static bool split(const char *option, char name[64], const char **region, const char **path)
{
    const char *equals = strchr(option, '=');
    const size_t length = equals ? (size_t)(equals - option) : 0;
    if (!equals || !equals[1] || length >= 64)
        return false;
    memcpy(name, option, length);
    name[length] = '\0';
    char *colon = strchr(name, ':');
    if (!colon)
        return false;
    *colon = '\0';
    *region = colon + 1;
    *path = equals + 1;
    return true;
}

int ucode_files_add(struct ucode_files *files, const char *option)
{
    char name[64];
    const char *region = NULL;
    struct ucode_file file = {.option = option};
    if (!split(option, name, &region, &file.path))
        return cli_usage_error("--ucode: '%s' is not like pool:iram=FILE", option);
    file.core = find_core(name);
    if (file.core == TRN_UCODE_CORES)
        return cli_usage_error(
            "--ucode: unknown engine '%s'; pe, act, pool, dve, sp and topsp exist", name);
    file.region = find_region(region);
    if (file.region == TRN_UCODE_REGIONS)
        return cli_usage_error("--ucode: unknown region '%s'; iram, dram, q7_iram, q7_dram, cam "
                               "and profile exist",
                               region);
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].core == file.core && files->list[i].region == file.region)
            return cli_usage_error("--ucode: %s:%s is given twice", name, region);
    files->list[files->count++] = file;
    return 0;
}

static int read_one(struct ucode_file *file, const struct trn_gen *gen)
{
    const void *bytes = NULL;
    size_t size = 0;
    if (trn_ucode_default(gen, file->core, file->region, &bytes, &size) != TRN_OK)
        return cli_usage_error("--ucode %s: %s has no %s image for %s", file->option, gen->name,
                               region_names[file->region], trn_ucode_core_name(file->core));
    struct trn_diag diag;
    if (cli_read_file(file->path, MAX_FILE, &file->bytes, &file->size, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    if (file->size == 0)
        return cli_usage_error("--ucode %s: the file is empty", file->option);
    return 0;
}

int ucode_files_read(struct ucode_files *files, const struct trn_gen *gen)
{
    int status = 0;
    for (size_t i = 0; i < files->count && status == 0; i++)
        status = read_one(&files->list[i], gen);
    return status;
}

trn_status ucode_files_fill(const struct ucode_files *files, const struct trn_gen *gen,
                            enum trn_ucode_core core, struct trn_hal_eng_info *info)
{
    const trn_status status = trn_ucode_fill(gen, core, info);
    for (size_t i = 0; i < files->count && status == TRN_OK; i++) {
        const struct ucode_file *file = &files->list[i];
        if (file->core == core)
            *trn_ucode_place(info, file->region) =
                (struct trn_hal_buf){.data = file->bytes, .size = file->size};
    }
    return status;
}

trn_status ucode_files_fill_core(const struct ucode_files *files, const struct trn_gen *gen,
                                 struct trn_hal_stpb *stpb)
{
    struct trn_hal_eng_info *const infos[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = &stpb->pe_info,
                                                             [TRN_HAL_ACT] = &stpb->act_info,
                                                             [TRN_HAL_POOL] = &stpb->pooling_info,
                                                             [TRN_HAL_DVE] = &stpb->dve_info,
                                                             [TRN_HAL_SP] = &stpb->sp_info};
    trn_status status = TRN_OK;
    for (int e = 0; e < TRN_HAL_ENGINES && status == TRN_OK; e++)
        status = ucode_files_fill(files, gen, (enum trn_ucode_core)e, infos[e]);
    return status;
}

void ucode_files_free(struct ucode_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->list[i].bytes);
    files->count = 0;
}
