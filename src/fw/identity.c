/* SPDX-License-Identifier: Apache-2.0 */
/* Two sources of the same image: each blob of one container is hashed while it is compared with its
 * namesake in the other (docs/hardware/firmware-images.md 5). */
#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "fw/container.h"

/* Bytes that are hashed and then compared, so that the compare finds one side in the cache. */
enum { CHUNK = 65536, MOST_THREADS = 64 };

trn_status trn_fw_sha256(const void *bytes, uint64_t size, uint8_t hash[TRN_FW_SHA256],
                         struct trn_diag *diag)
{
    return EVP_Digest(bytes, (size_t)size, hash, NULL, EVP_sha256(), NULL) == 1
               ? TRN_OK
               : fw_out_of_memory(diag);
}

/* ---- names ------------------------------------------------------------------------ */

struct named {
    const struct trn_fw_image *image;
    const char *name; /* without decorations */
    size_t length, index;
    size_t next; /* of the first one of this name: how many are taken */
    bool is_taken;
};

static int compare_names(const struct named *a, const struct named *b)
{
    const int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    if (order)
        return order;
    return a->length < b->length ? -1 : a->length > b->length;
}

static int by_name(const void *left, const void *right)
{
    const struct named *const a = left, *const b = right;
    const int order = compare_names(a, b);
    if (order)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

static struct named name_of(const struct trn_fw_image *image, size_t index)
{
    struct named named = {.image = image, .index = index};
    named.name = trn_fw_name_base(image->symbol, &named.length);
    return named;
}

/* The next image of that name that nobody took: the n-th of a name stands for the n-th. */
static const struct trn_fw_image *take_namesake(struct named *names, size_t count,
                                                const struct named *wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_names(&names[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || compare_names(&names[low], wanted) != 0)
        return NULL;
    const size_t at = low + names[low].next;
    if (at == count || compare_names(&names[at], wanted) != 0)
        return NULL;
    names[low].next++;
    names[at].is_taken = true;
    return names[at].image;
}

static trn_status make_pairs(const struct trn_fw *first, const struct trn_fw *second,
                             struct trn_fw_identity *out, struct trn_diag *diag)
{
    const size_t count = second ? second->num_images : 0;
    struct named *const names = calloc(count + 1, sizeof *names);
    out->pairs = calloc(first->num_images + 1, sizeof *out->pairs);
    out->rest = calloc(count + 1, sizeof(void *));
    if (!names || !out->pairs || !out->rest) {
        free(names);
        return fw_out_of_memory(diag);
    }
    for (size_t i = 0; i < count; i++)
        names[i] = name_of(&second->images[i], i);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < first->num_images; i++) {
        const struct named wanted = name_of(&first->images[i], i);
        out->pairs[out->num_pairs++] = (struct trn_fw_pair){
            .first = wanted.image, .second = take_namesake(names, count, &wanted)};
    }
    bool *const taken = calloc(count + 1, sizeof *taken);
    for (size_t i = 0; taken && i < count; i++)
        taken[names[i].index] = names[i].is_taken;
    for (size_t i = 0; taken && i < count; i++)
        if (!taken[i])
            out->rest[out->num_rest++] = &second->images[i];
    const trn_status status = taken ? TRN_OK : fw_out_of_memory(diag);
    free(taken);
    free(names);
    return status;
}

/* ---- work ------------------------------------------------------------------------- */

/* The pairs, in the order of the first file. A thread that is done with one takes the next. */
struct work {
    const struct trn_fw *first, *second;
    struct trn_fw_identity *identity;
    atomic_size_t next;
    _Atomic uint64_t done; /* bytes of the first file */
    uint64_t total;
    atomic_bool failed;
    trn_fw_progress *progress; /* told by the caller's thread alone */
    void *context;
};

/* What one thread works with. */
struct bench {
    const struct work *work;
    EVP_MD_CTX *context;
    EVP_MD *sha256;
    uint8_t *buffer; /* two chunks */
};

/* Compare a chunk of the first image, at `at`, with the second one; false when a byte differs. */
static bool compare_chunk(const struct bench *bench, struct trn_fw_pair *pair, uint64_t at,
                          const uint8_t *bytes, size_t size)
{
    const uint8_t *const other =
        fw_fetch(bench->work->second, pair->second, at, size, bench->buffer + CHUNK);
    if (memcmp(bytes, other, size) == 0)
        return true;
    size_t i = 0;
    while (i < size && bytes[i] == other[i])
        i++;
    pair->same = false;
    pair->differs_at = at + i;
    return false;
}

static bool take_pair(const struct bench *bench, struct trn_fw_pair *pair)
{
    const struct trn_fw_image *const a = pair->first, *const b = pair->second;
    const uint64_t common = !b ? 0 : a->size < b->size ? a->size : b->size;
    pair->same = b && a->size == b->size;
    pair->differs_at = common;
    bool is_open = true; /* no byte has differed so far */
    if (EVP_DigestInit_ex(bench->context, bench->sha256, NULL) != 1)
        return false;
    for (uint64_t at = 0; at < a->size; at += CHUNK) {
        const size_t size = (size_t)(a->size - at < CHUNK ? a->size - at : CHUNK);
        const uint8_t *const bytes = fw_fetch(bench->work->first, a, at, size, bench->buffer);
        if (EVP_DigestUpdate(bench->context, bytes, size) != 1)
            return false;
        if (is_open && at < common)
            is_open = compare_chunk(bench, pair, at, bytes,
                                    common - at < size ? (size_t)(common - at) : size);
    }
    return EVP_DigestFinal_ex(bench->context, pair->sha256, NULL) == 1;
}

static bool take_pairs(struct work *work, bool tells)
{
    const struct bench bench = {work, EVP_MD_CTX_new(), EVP_MD_fetch(NULL, "SHA256", NULL),
                                malloc((size_t)2 * CHUNK)};
    bool ok = bench.sha256 && bench.context && bench.buffer;
    size_t i;
    while (ok && (i = atomic_fetch_add(&work->next, 1)) < work->identity->num_pairs) {
        struct trn_fw_pair *const pair = &work->identity->pairs[i];
        ok = take_pair(&bench, pair);
        const uint64_t before = atomic_fetch_add(&work->done, pair->first->size);
        if (work->progress && tells)
            work->progress(work->context, before + pair->first->size, work->total);
    }
    EVP_MD_CTX_free(bench.context);
    EVP_MD_free(bench.sha256);
    free(bench.buffer);
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

static trn_status run(struct work *work, unsigned threads, struct trn_diag *diag)
{
    struct trn_workers *workers;
    const trn_status status = trn_workers_create(threads, &workers);
    if (status != TRN_OK)
        return fw_out_of_memory(diag);
    trn_workers_run(workers, threads, run_threads, work);
    trn_workers_destroy(workers);
    return work->failed ? fw_out_of_memory(diag) : TRN_OK;
}

trn_status trn_fw_compare(const struct trn_fw *first, const struct trn_fw *second, unsigned threads,
                          trn_fw_progress *progress, void *context, struct trn_fw_identity *out,
                          struct trn_diag *diag)
{
    *out = (struct trn_fw_identity){0};
    if (threads < 1 || threads > MOST_THREADS)
        return trn_diag_set(diag, TRN_ERR_RANGE, NULL, NULL, "1 to 64", "%u threads", threads);
    struct work work = {.first = first,
                        .second = second,
                        .identity = out,
                        .progress = progress,
                        .context = context};
    for (size_t i = 0; i < first->num_images; i++)
        work.total += first->images[i].size;
    trn_status status = make_pairs(first, second, out, diag);
    if (status == TRN_OK)
        status = run(&work, threads, diag);
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
