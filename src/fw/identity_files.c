/* SPDX-License-Identifier: Apache-2.0 */
/* Two files are opened and compared. To open an archive takes longest, a short read for each member
 * one after the other: other threads hash meanwhile. */
#include "fw/identity.h"

/* One file each. */
struct side {
    const char *path;
    struct trn_fw *fw; /* NULL: refused, as `status` and `diag` say */
    trn_status status;
    struct trn_diag diag;
};

struct opening {
    struct side first, second;
    struct trn_fw_identity *identity;
    struct fw_names names; /* of the second one */
    size_t num_hashed;
    bool is_alone;              /* no other thread opens the second file */
    bool is_paired;             /* each image of the first file knows its namesake */
    atomic_bool is_first_open;  /* and its pairs are started */
    atomic_bool is_second_open; /* or refused */
};

static void open_side(struct side *side)
{
    side->status = trn_fw_open(side->path, &side->fw, &side->diag);
}

static void open_first(struct opening *opening)
{
    struct side *const side = &opening->first;
    open_side(side);
    if (side->status == TRN_OK)
        side->status = fw_pairs_start(side->fw, opening->identity, &side->diag);
    atomic_store(&opening->is_first_open, side->status == TRN_OK);
    if (side->status == TRN_OK && !opening->is_alone)
        opening->num_hashed = fw_hash_ahead(side->fw, opening->identity, &opening->is_second_open);
}

static trn_status pair_up(struct opening *opening, struct trn_diag *diag)
{
    opening->is_paired = true;
    return fw_pairs_finish(&opening->names, opening->identity, diag);
}

/* Usually the first file is open by now. */
static void open_second(struct opening *opening)
{
    struct side *const side = &opening->second;
    open_side(side);
    if (side->status == TRN_OK)
        side->status = fw_names_sort(side->fw, &opening->names, &side->diag);
    if (side->status == TRN_OK && atomic_load(&opening->is_first_open))
        side->status = pair_up(opening, &side->diag);
    atomic_store(&opening->is_second_open, true);
}

static void open_sides(void *context, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++)
        if (i == 0)
            open_first(context);
        else
            open_second(context);
}

static trn_status open_both(struct opening *opening, struct trn_workers *workers,
                            struct trn_diag *diag)
{
    trn_workers_run(workers, 2, open_sides, opening);
    const struct side *const refused =
        opening->first.status != TRN_OK ? &opening->first : &opening->second;
    if (refused->status != TRN_OK && diag)
        *diag = refused->diag;
    if (refused->status != TRN_OK || opening->is_paired)
        return refused->status;
    return pair_up(opening, diag);
}

static trn_status compare(struct opening *opening, struct trn_workers *workers,
                          trn_fw_progress *progress, void *context, struct trn_diag *diag)
{
    const struct fw_comparison comparison = {
        .first = opening->first.fw,
        .second = opening->second.fw,
        .identity = opening->identity,
        .num_hashed = opening->num_hashed,
        .progress = progress,
        .context = context,
    };
    return fw_compare_pairs(&comparison, workers, diag);
}

trn_status trn_fw_compare_files(const char *const paths[2], unsigned threads,
                                trn_fw_progress *progress, void *context, struct trn_fw *opened[2],
                                struct trn_fw_identity *out, struct trn_diag *diag)
{
    struct opening opening = {
        .first.path = paths[0], .second.path = paths[1], .identity = out, .is_alone = threads == 1};
    struct trn_workers *workers;
    *out = (struct trn_fw_identity){0};
    trn_status status = fw_comparison_workers(threads, &workers, diag);
    if (status == TRN_OK)
        status = open_both(&opening, workers, diag);
    opened[0] = opening.first.fw;
    opened[1] = opening.second.fw;
    if (status == TRN_OK)
        status = compare(&opening, workers, progress, context, diag);
    fw_names_free(&opening.names);
    trn_workers_destroy(workers);
    if (status != TRN_OK)
        trn_fw_identity_free(out);
    return status;
}
