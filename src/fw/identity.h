/* SPDX-License-Identifier: Apache-2.0 */
/* Images of two containers: which ones belong together, and whether they are the same. */
#ifndef TRN_FW_IDENTITY_H
#define TRN_FW_IDENTITY_H

#include <stdatomic.h>

#include "base/workers.h"
#include "fw/container.h"

/* ---- identity_pairs.c: by name ------------------------------------------------------- */

struct fw_named;

/* The images of a container in the order of their names. */
struct fw_names {
    struct fw_named *sorted;
    size_t count;
};

/* `fw` may be NULL: no images. Free with fw_names_free in any case. TRN_ERR_NO_MEMORY. */
trn_status fw_names_sort(const struct trn_fw *fw, struct fw_names *out, struct trn_diag *diag);
void fw_names_free(struct fw_names *names);

/* A pair for each image of `first`, without its second one. Free with trn_fw_identity_free in any
 * case. TRN_ERR_NO_MEMORY. */
trn_status fw_pairs_start(const struct trn_fw *first, struct trn_fw_identity *out,
                          struct trn_diag *diag);
/* Find the second one of each pair; the names without a first one are the rest. */
trn_status fw_pairs_finish(struct fw_names *names, struct trn_fw_identity *out,
                           struct trn_diag *diag);

/* ---- identity.c: by their bytes ----------------------------------------------------- */

/* What is to be compared. */
struct fw_comparison {
    const struct trn_fw *first, *second;
    struct trn_fw_identity *identity;
    size_t num_hashed;         /* the first pairs, whose hashes are known already */
    trn_fw_progress *progress; /* told by the caller's thread alone; may be NULL */
    void *context;
};

/* Hash one image after the other until `enough` is set. How many are hashed. */
size_t fw_hash_ahead(const struct trn_fw *first, const struct trn_fw_identity *identity,
                     const atomic_bool *enough);
/* TRN_ERR_NO_MEMORY. */
trn_status fw_compare_pairs(const struct fw_comparison *comparison, struct trn_workers *workers,
                            struct trn_diag *diag);
/* Free with trn_workers_destroy. TRN_ERR_RANGE, TRN_ERR_NO_MEMORY. */
trn_status fw_comparison_workers(unsigned threads, struct trn_workers **out, struct trn_diag *diag);

#endif
