/* SPDX-License-Identifier: Apache-2.0 */
/* Activation tables of a run: sets are registered with the core, and one is resident when the
 * engines start, as a host leaves it (docs/hardware/activation.md 8). */
#include <stdlib.h>
#include <string.h>

#include "cli/act.h"
#include "cli/run.h"

int run_add_act_set(const char *name, struct run_options *options)
{
    if (options->num_act_sets == RUN_MAX_ACT_SETS)
        return cli_usage_error("at most %d --act-set", RUN_MAX_ACT_SETS);
    options->act_sets[options->num_act_sets++] = name;
    return 0;
}

int run_parse_act_mode(const char *name, struct run_options *options)
{
    options->device.act_exact = strcmp(name, "exact") == 0;
    if (options->device.act_exact || strcmp(name, "table") == 0)
        return 0;
    return cli_usage_error("--act-mode: '%s' is neither table nor exact", name);
}

/* ---- what a program needs ----------------------------------------------------------------------
 */

/* Function numbers that the words name. */
struct functions {
    bool any; /* some word is of the activation engine */
    bool seen[256];
};

/* Mark the function that an activation word names. */
static void note_function(const struct trn_gen *gen, const uint8_t *word, struct functions *out)
{
    struct trn_field_view field;
    trn_status status = TRN_OK;
    for (size_t i = 0; status != TRN_ERR_RANGE; i++) {
        status = trn_word_field(gen, word, i, &field);
        if (status == TRN_OK && strcmp(field.name, "activation_func") == 0)
            out->seen[field.number % 256] = true;
    }
}

static void note_word(const struct trn_gen *gen, const uint8_t *word, struct functions *out)
{
    static const char family[] = "ACTIVAT"; /* ACTIVATE.., ACTIVATION_.. */
    const struct trn_word_info info = trn_word_info(gen, word);
    if (!info.name || strncmp(info.name, family, sizeof family - 1) != 0)
        return;
    out->any = true;
    note_function(gen, word, out);
}

static struct functions functions_of(const struct run_core *core)
{
    struct functions out = {.any = false};
    for (size_t q = 0; q < core->program.num_queues; q++)
        for (size_t i = 0; i < core->program.queues[q].num_words; i++)
            note_word(core->gen, core->program.queues[q].words + i * TRN_INST_BYTES, &out);
    return out;
}

/* The first shipped set with every function that the words name, else the general one. */
static size_t shipped_for(const struct functions *functions)
{
    uint8_t ids[256];
    size_t count = 0;
    for (unsigned id = 0; id < 256; id++)
        if (functions->seen[id])
            ids[count++] = (uint8_t)id;
    const int found = count ? trn_act_shipped_with(ids, count) : -1;
    const int general = trn_act_shipped_find("general");
    return (size_t)(found >= 0 ? found : general >= 0 ? general : 0);
}

/* ---- putting sets in place ----------------------------------------------------------------------
 */

/* Over the bus as the HAL does it; a generation without a HAL, or without the apertures, gets them
 * from the model. */
static trn_status make_resident(const struct run_core *core, const struct trn_act_set *set,
                                unsigned index, struct trn_hal *hal, uint64_t mem_handle)
{
    if (!hal)
        return trn_device_act_select_set(core->device, index);
    const struct trn_hal_act_tables tables = {.cam = {set->cam, sizeof set->cam},
                                              .profile = {set->profile, sizeof set->profile},
                                              .control = {set->control, sizeof set->control},
                                              .bucket = {set->bucket, sizeof set->bucket}};
    return trn_hal_act_load_local(hal, mem_handle, 0, &tables);
}

static trn_status add_set(const struct run_core *core, const struct trn_act_set *set,
                          struct trn_diag *diag)
{
    const struct trn_act_tables tables = trn_act_set_tables(set);
    return trn_device_act_register_set(core->device, &tables, diag);
}

/* Those that the user named, in their order; the first one is resident. */
static trn_status load_named(const struct run_core *core, struct trn_hal *hal, uint64_t mem_handle,
                             struct trn_act_set *set, struct trn_diag *diag)
{
    const struct run_options *const options = core->options;
    trn_status status = TRN_OK;
    for (size_t i = 0; i < options->num_act_sets && status == TRN_OK; i++) {
        const char *const name = options->act_sets[i];
        status = act_read(name, (enum trn_act_layout)core->gen->act_layout, set, diag);
        if (status == TRN_OK)
            status = trn_act_set_expect(set, name, core->gen, diag);
        if (status == TRN_OK)
            status = add_set(core, set, diag);
        if (status == TRN_OK && i == 0)
            status = make_resident(core, set, 0, hal, mem_handle);
    }
    return status;
}

/* All shipped ones, so that act_tbl_sel is the place in the roster. */
static trn_status load_shipped(const struct run_core *core, struct trn_hal *hal,
                               uint64_t mem_handle, size_t resident, struct trn_act_set *set,
                               struct trn_diag *diag)
{
    trn_status status = TRN_OK;
    for (size_t i = 0; trn_act_shipped_name(i) && status == TRN_OK; i++) {
        status = trn_act_shipped_set(i, (enum trn_act_layout)core->gen->act_layout, set, diag);
        if (status == TRN_OK)
            status = add_set(core, set, diag);
        if (status == TRN_OK && i == resident)
            status = make_resident(core, set, (unsigned)i, hal, mem_handle);
    }
    return status;
}

trn_status run_act_load(const struct run_core *core, struct trn_hal *hal, uint64_t mem_handle,
                        struct trn_diag *diag)
{
    const bool named = core->options->num_act_sets > 0;
    const struct functions functions = functions_of(core);
    if (!named && !functions.any)
        return TRN_OK;
    struct trn_act_set *set = malloc(sizeof *set);
    if (!set)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a set");
    const trn_status status =
        named ? load_named(core, hal, mem_handle, set, diag)
              : load_shipped(core, hal, mem_handle, shipped_for(&functions), set, diag);
    free(set);
    if (status != TRN_OK && hal && *diag->message == '\0')
        *diag = *trn_hal_diag(hal);
    return status;
}
