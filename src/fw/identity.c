/* SPDX-License-Identifier: Apache-2.0 */
/* Two sources of the same image: each blob of one container is hashed while it is compared with its
 * namesake in the other (docs/hardware/firmware-images.md 5). */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "fw/identity.h"

/* Bytes that are hashed and then compared, so that the compare finds one side in the cache. */
enum { CHUNK = 131072, MOST_THREADS = 64 };

trn_status trn_fw_sha256(const void *bytes, uint64_t size, uint8_t hash[TRN_FW_SHA256],
                         struct trn_diag *diag)
{
    return EVP_Digest(bytes, (size_t)size, hash, NULL, EVP_sha256(), NULL) == 1
               ? TRN_OK
               : fw_out_of_memory(diag);
}

/* ---- one image -------------------------------------------------------------------- */

/* What one thread works with. */
struct bench {
    const struct trn_fw *first, *second; /* the second one is NULL until it is opened */
    EVP_MD_CTX *context;
    EVP_MD *sha256;
    uint8_t *buffer; /* two chunks */
};

/* False when memory is out. Clear it in any case. */
static bool furnish(struct bench *bench, const struct trn_fw *first, const struct trn_fw *second)
{
    *bench = (struct bench){first, second, EVP_MD_CTX_new(), EVP_MD_fetch(NULL, "SHA256", NULL),
                            malloc((size_t)2 * CHUNK)};
    return bench->context && bench->sha256 && bench->buffer;
}

static void clear(struct bench *bench)
{
    EVP_MD_CTX_free(bench->context);
    EVP_MD_free(bench->sha256);
    free(bench->buffer);
}

/* A chunk of one image, `at` bytes from its start. */
struct chunk {
    const uint8_t *bytes;
    uint64_t at;
    size_t size;
};

static size_t next_chunk(uint64_t at, uint64_t end)
{
    const uint64_t left = at < end ? end - at : 0;
    return left < CHUNK ? (size_t)left : CHUNK;
}

/* Compare a chunk of the first image with the second one; false when a byte differs. */
static bool compare_chunk(const struct bench *bench, struct trn_fw_pair *pair,
                          const struct trn_fw_image *second, struct chunk chunk)
{
    const uint8_t *const other =
        fw_fetch(bench->second, second, chunk.at, chunk.size, bench->buffer + CHUNK);
    if (memcmp(chunk.bytes, other, chunk.size) == 0)
        return true;
    size_t i = 0;
    while (i < chunk.size && chunk.bytes[i] == other[i])
        i++;
    pair->same = false;
    pair->differs_at = chunk.at + i;
    return false;
}

/* Compare the first image with `second`, which may be NULL, and hash it unless that is done. */
static bool take_pair(const struct bench *bench, struct trn_fw_pair *pair,
                      const struct trn_fw_image *second, bool is_hashed)
{
    const struct trn_fw_image *const first = pair->first;
    const uint64_t common = !second ? 0 : first->size < second->size ? first->size : second->size;
    const uint64_t end = is_hashed ? common : first->size;
    pair->same = second && first->size == second->size;
    pair->differs_at = common;
    bool is_open = true; /* no byte has differed so far */
    if (!is_hashed && EVP_DigestInit_ex(bench->context, bench->sha256, NULL) != 1)
        return false;
    for (uint64_t at = 0; at < end && (is_open || !is_hashed); at += CHUNK) {
        struct chunk chunk = {.at = at, .size = next_chunk(at, end)};
        chunk.bytes = fw_fetch(bench->first, first, at, chunk.size, bench->buffer);
        if (!is_hashed && EVP_DigestUpdate(bench->context, chunk.bytes, chunk.size) != 1)
            return false;
        chunk.size = next_chunk(at, common);
        if (is_open && chunk.size)
            is_open = compare_chunk(bench, pair, second, chunk);
    }
    return is_hashed || EVP_DigestFinal_ex(bench->context, pair->sha256, NULL) == 1;
}

size_t fw_hash_ahead(const struct trn_fw *first, const struct trn_fw_identity *identity,
                     const atomic_bool *enough)
{
    struct bench bench;
    size_t done = 0;
    if (furnish(&bench, first, NULL))
        while (done < identity->num_pairs && !atomic_load(enough) &&
               take_pair(&bench, &identity->pairs[done], NULL, false))
            done++;
    clear(&bench);
    return done;
}

/* ---- all of them ------------------------------------------------------------------ */

/* The pairs, in the order of the first file. A thread that is done with one takes the next. */
struct work {
    const struct fw_comparison *comparison;
    atomic_size_t next;
    _Atomic uint64_t done; /* bytes of the first file */
    uint64_t total;
    atomic_bool failed;
};

static bool take_pairs(struct work *work, bool tells)
{
    const struct fw_comparison *const all = work->comparison;
    struct bench bench;
    bool ok = furnish(&bench, all->first, all->second);
    size_t i;
    while (ok && (i = atomic_fetch_add(&work->next, 1)) < all->identity->num_pairs) {
        struct trn_fw_pair *const pair = &all->identity->pairs[i];
        ok = take_pair(&bench, pair, pair->second, i < all->num_hashed);
        const uint64_t before = atomic_fetch_add(&work->done, pair->first->size);
        if (all->progress && tells)
            all->progress(all->context, before + pair->first->size, work->total);
    }
    clear(&bench);
    return ok;
}

/* Thread 0 is the caller's. */
static void run_threads(void *context, uint32_t begin, uint32_t end)
{
    struct work *const work = context;
    for (uint32_t thread = begin; thread < end; thread++)
        if (!take_pairs(work, thread == 0))
            atomic_store(&work->failed, true);
}

trn_status fw_compare_pairs(const struct fw_comparison *comparison, struct trn_workers *workers,
                            struct trn_diag *diag)
{
    struct work work = {.comparison = comparison};
    for (size_t i = 0; i < comparison->first->num_images; i++)
        work.total += comparison->first->images[i].size;
    trn_workers_run(workers, trn_workers_count(workers), run_threads, &work);
    return work.failed ? fw_out_of_memory(diag) : TRN_OK;
}

trn_status fw_comparison_workers(unsigned threads, struct trn_workers **out, struct trn_diag *diag)
{
    *out = NULL;
    if (threads < 1 || threads > MOST_THREADS)
        return trn_diag_set(diag, TRN_ERR_RANGE, NULL, NULL, "1 to 64", "%u threads", threads);
    return trn_workers_create(threads, out) == TRN_OK ? TRN_OK : fw_out_of_memory(diag);
}

trn_status trn_fw_compare(const struct trn_fw *first, const struct trn_fw *second, unsigned threads,
                          trn_fw_progress *progress, void *context, struct trn_fw_identity *out,
                          struct trn_diag *diag)
{
    const struct fw_comparison comparison = {first, second, out, 0, progress, context};
    struct fw_names names = {0};
    struct trn_workers *workers;
    *out = (struct trn_fw_identity){0};
    trn_status status = fw_comparison_workers(threads, &workers, diag);
    if (status == TRN_OK)
        status = fw_pairs_start(first, out, diag);
    if (status == TRN_OK)
        status = fw_names_sort(second, &names, diag);
    if (status == TRN_OK)
        status = fw_pairs_finish(&names, out, diag);
    if (status == TRN_OK)
        status = fw_compare_pairs(&comparison, workers, diag);
    fw_names_free(&names);
    trn_workers_destroy(workers);
    if (status != TRN_OK)
        trn_fw_identity_free(out);
    return status;
}

void trn_fw_identity_free(struct trn_fw_identity *identity)
{
    free(identity->pairs);
    free(identity->rest);
    *identity = (struct trn_fw_identity){0};
}
