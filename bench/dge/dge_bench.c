/* SPDX-License-Identifier: Apache-2.0 */
#include "dge_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "trench/dge.h"

enum {
    ROWS = BENCH_ROWS,
    ROW_BYTES = BENCH_ROW_BYTES,
    TABLE_ROWS = 16384,
    PARTITIONS = 128,
    PARTITION_BYTES = 0x40000,
    PITCH = PARTITION_BYTES + 4096, /* of the host's storage, padded */
    COLUMNS = BENCH_COLUMNS,
    INDEX_AT = 0x30000, /* in partition 0 */
    POOL = 2,
    ACT = 1
};
#define SBUF UINT64_C(0x2000000000)

struct bench {
    uint8_t *hbm, *sbuf;
    uint64_t hbm_bytes;
    struct trn_dge *dge;
    uint32_t limit, posted;
    uint32_t index[ROWS];
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the owner ------------------------------------------------------------------------------- */

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    const struct bench *const bench = context;
    (void)write;
    uint64_t left;
    if (address < bench->hbm_bytes) {
        *pointer = bench->hbm + address;
        left = bench->hbm_bytes - address;
    } else {
        const uint64_t offset = address - SBUF, partition = offset / PARTITION_BYTES;
        if (partition >= PARTITIONS)
            return TRN_ERR_ADDRESS;
        *pointer = bench->sbuf + partition * PITCH + offset % PARTITION_BYTES;
        left = PARTITION_BYTES - offset % PARTITION_BYTES;
    }
    *length = size < left ? size : left;
    return TRN_OK;
}

static trn_status refuse_read(void *context, uint64_t address, void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return TRN_ERR_ADDRESS;
}

static trn_status refuse_write(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return TRN_ERR_ADDRESS;
}

static trn_status get_register(void *context, int engine, unsigned number, uint32_t *value)
{
    (void)engine, (void)number;
    *value = ((const struct bench *)context)->limit;
    return TRN_OK;
}

static void semaphore_add(void *context, int engine, unsigned semaphore, uint32_t amount)
{
    (void)engine, (void)semaphore;
    ((struct bench *)context)->posted += amount;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Everything that either side touches is written here: no run meets a page for the first time. */
static void fill(struct bench *bench)
{
    uint32_t seed = 1;
    for (uint64_t i = 0; i < bench->hbm_bytes; i++)
        bench->hbm[i] = (uint8_t)(i * 2654435761U >> 13);
    memset(bench->sbuf, 0, (size_t)PARTITIONS * PITCH);
    for (unsigned i = 0; i < ROWS; i++) {
        seed = seed * 1664525U + 1013904223U;
        bench->index[i] = (seed >> 8) % TABLE_ROWS;
    }
    memcpy(bench->sbuf + INDEX_AT, bench->index, sizeof bench->index);
}

struct bench *bench_open(void)
{
    struct bench *const bench = calloc(1, sizeof *bench);
    if (!bench)
        return NULL;
    const struct trn_dge_ports ports = {.context = bench,
                                        .sbuf_base = SBUF,
                                        .map = map,
                                        .read = refuse_read,
                                        .write = refuse_write,
                                        .get_register = get_register,
                                        .semaphore_add = semaphore_add};
    bench->limit = TABLE_ROWS - 1;
    bench->hbm_bytes = (uint64_t)TABLE_ROWS * ROW_BYTES;
    bench->hbm = malloc(bench->hbm_bytes);
    bench->sbuf = malloc((size_t)PARTITIONS * PITCH);
    if (!bench->hbm || !bench->sbuf ||
        trn_dge_create(trn_gen_find("cayman"), &ports, NULL, &bench->dge) != TRN_OK) {
        bench_close(bench);
        return NULL;
    }
    fill(bench);
    return bench;
}

void bench_close(struct bench *bench)
{
    if (!bench)
        return;
    trn_dge_destroy(bench->dge);
    free(bench->hbm);
    free(bench->sbuf);
    free(bench);
}

/* Whether the word did all that it says. */
static bool execute(struct bench *bench, int engine, const uint8_t *word)
{
    struct trn_dge_outcome outcome;
    const trn_status status = trn_dge_execute(bench->dge, engine, word, NULL, &outcome);
    if (status == TRN_OK && outcome.result == TRN_DGE_EMITTED && outcome.skipped == 0)
        return true;
    fprintf(stderr, "bench_dge: %s: %s\n", trn_status_name(status), outcome.reason);
    return false;
}

/* ---- gather ---------------------------------------------------------------------------------- */

static void gather_word(uint8_t word[TRN_INST_BYTES])
{
    memset(word, 0, TRN_INST_BYTES);
    word[0] = 0xBB; /* positions: data/dge_words.csv */
    word[1] = 0x10;
    word[12] = 7;
    word[13] = 1;
    word[14] = 128;
    trn_put64(word + 16, 0);
    trn_put32(word + 24, ROW_BYTES);
    trn_put16(word + 28, ROWS);
    trn_put16(word + 30, ROW_BYTES);
    trn_put64(word + 32, SBUF);
    trn_put32(word + 40, PARTITION_BYTES); /* 32 rows to a partition */
    trn_put16(word + 44, PARTITIONS);
    trn_put16(word + 46, 0); /* 65536 */
    trn_put32(word + 48, INDEX_AT);
    word[56] = word[57] = 3;
    word[58] = 0x94;
}

static uint8_t *gathered(const struct bench *bench, uint32_t i)
{
    return bench->sbuf + (size_t)(i / 32) * PITCH + (size_t)(i % 32) * ROW_BYTES;
}

double bench_gather_by_word(struct bench *bench)
{
    uint8_t word[TRN_INST_BYTES];
    gather_word(word);
    const double start = seconds();
    return execute(bench, POOL, word) ? seconds() - start : -1;
}

double bench_gather_by_memcpy(struct bench *bench)
{
    const double start = seconds();
    for (uint32_t i = 0; i < ROWS; i++)
        memcpy(bench->sbuf + (size_t)(i / 32) * PITCH + (size_t)(i % 32) * ROW_BYTES,
               bench->hbm + (size_t)bench->index[i] * ROW_BYTES, ROW_BYTES);
    return seconds() - start;
}

bool bench_gather_is_right(struct bench *bench)
{
    const uint32_t posted = bench->posted;
    for (uint32_t i = 0; i < ROWS; i++)
        memset(gathered(bench, i), 0xFF, ROW_BYTES);
    bool right = bench_gather_by_word(bench) >= 0 && bench->posted == posted + 1;
    for (uint32_t i = 0; i < ROWS; i++)
        right = right && memcmp(gathered(bench, i),
                                bench->hbm + (size_t)bench->index[i] * ROW_BYTES, ROW_BYTES) == 0;
    return right;
}

/* ---- transpose ------------------------------------------------------------------------------- */

static void transpose_word(uint8_t word[TRN_INST_BYTES], unsigned block)
{
    memset(word, 0, TRN_INST_BYTES);
    word[0] = 0xBD;
    word[1] = 0x10;
    word[14] = word[15] = 5;
    trn_put64(word + 16, (uint64_t)block * 256); /* 128 columns of 2 bytes */
    trn_put32(word + 24, 16 * COLUMNS * 2);
    trn_put16(word + 32, 8);
    trn_put16(word + 34, 1);
    trn_put32(word + 36, COLUMNS * 2);
    trn_put64(word + 40, SBUF + (uint64_t)block * 256);
    trn_put32(word + 48, 32);
    trn_put16(word + 56, 8);
    trn_put16(word + 58, 1);
    word[60] = 16;
    word[61] = 128;
    word[62] = 7;
}

double bench_transpose_by_words(struct bench *bench)
{
    uint8_t word[TRN_INST_BYTES];
    const double start = seconds();
    for (unsigned block = 0; block < COLUMNS / 128; block++) {
        transpose_word(word, block);
        if (!execute(bench, ACT, word))
            return -1;
    }
    return seconds() - start;
}

double bench_transpose_by_loop(const struct bench *bench, uint16_t *out)
{
    const uint8_t *const in = bench->hbm;
    const double start = seconds();
    for (unsigned c = 0; c < COLUMNS; c++)
        for (unsigned r = 0; r < BENCH_LINES; r++)
            memcpy(&out[c * BENCH_LINES + r], in + ((size_t)r * COLUMNS + c) * 2, 2);
    return seconds() - start;
}

void bench_matrix(const struct bench *bench, uint16_t *out)
{
    memcpy(out, bench->hbm, (size_t)BENCH_LINES * COLUMNS * sizeof *out);
}

void bench_transposed(const struct bench *bench, uint16_t *out)
{
    for (unsigned c = 0; c < COLUMNS; c++) /* word b puts column c of its block to partition c */
        memcpy(out + (size_t)c * BENCH_LINES,
               bench->sbuf + (size_t)(c % 128) * PITCH + (size_t)(c / 128) * 256, 256);
}
