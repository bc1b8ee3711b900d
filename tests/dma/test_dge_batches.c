/* SPDX-License-Identifier: Apache-2.0 */
/* A generator whose descriptors nobody looks at makes them a batch at a time. It leaves the same
 * bytes, rings and counts as one that shows each descriptor, and as one whose owner shows memory
 * in pieces of 7 bytes; dge_model.py holds the latter two against the sheet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dma/dge.h"
#include "dma/dge_rig.h"
#include "dma/dge_words.h"

enum { BATCHED, WATCHED, PIECEWISE, RIGS, INDICES_AT = 0x8000, LIMIT_REG = 20, TABLE_ROWS = 1024 };

static void open_all(struct rig rig[RIGS], const struct trn_dge_options *options)
{
    for (unsigned i = 0; i < RIGS; i++)
        rig_open(&rig[i], "cayman", options);
    rig[BATCHED].ports.descriptor = NULL;
    rig[BATCHED].ports.log = NULL;
    trn_dge_destroy(rig[BATCHED].dge);
    assert_int_equal(
        trn_dge_create(rig[BATCHED].gen, &rig[BATCHED].ports, options, &rig[BATCHED].dge), TRN_OK);
    rig[PIECEWISE].piecewise = true;
}

static void close_all(struct rig rig[RIGS])
{
    for (unsigned i = 0; i < RIGS; i++)
        rig_close(&rig[i]);
}

static void same_rings(const struct trn_dge *a, const struct trn_dge *b)
{
    const struct dge_context *const first = &a->context[0][0][0];
    const struct dge_context *const second = &b->context[0][0][0];
    unsigned used = 0;
    for (unsigned i = 0; i < DGE_ENGINES * DGE_CLASSES * 2; i++) {
        assert_int_equal(first[i].ready, second[i].ready);
        for (unsigned side = 0; first[i].ready && side < TRN_DGE_SIDES; side++) {
            const struct dge_ring *const x = &first[i].ring[side], *const y = &second[i].ring[side];
            assert_int_equal(x->at, y->at);
            assert_int_equal(x->ring_id, y->ring_id);
            assert_int_equal(x->in_batch, y->in_batch);
            assert_memory_equal(x->desc, y->desc, (size_t)first[i].ndesc * TRN_DGE_DESC_BYTES);
            used++;
        }
    }
    assert_true(used > 0);
}

static void same_outcome(const struct trn_dge_outcome *a, const struct trn_dge_outcome *b)
{
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->elements, b->elements);
    assert_int_equal(a->skipped, b->skipped);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->read_descriptors, b->read_descriptors);
    assert_int_equal(a->write_descriptors, b->write_descriptors);
    assert_int_equal(a->packets, b->packets);
    assert_int_equal(a->batches, b->batches);
    assert_int_equal(a->dmas, b->dmas);
    assert_int_equal(a->abort_side, b->abort_side);
    assert_int_equal(a->abort_address, b->abort_address);
    assert_int_equal(a->abort_dma, b->abort_dma);
    assert_string_equal(a->reason, b->reason);
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        assert_int_equal(a->report[side].count, b->report[side].count);
}

/* The word on all of them, over the same bytes. */
static void run_all(struct rig rig[RIGS], const struct indirect *c, const uint32_t *index,
                    uint32_t limit)
{
    uint8_t word[64];
    word_bb(word, c);
    for (unsigned i = 0; i < RIGS; i++) {
        rig_indices(&rig[i], INDICES_AT, index, c->src_num);
        rig[i].reg[LIMIT_REG] = limit;
        assert_int_equal(rig_run(&rig[i], POOL, word, NULL), TRN_OK);
        assert_true(rig[i].outcome.result != TRN_DGE_ILLEGAL);
    }
    for (unsigned i = 1; i < RIGS; i++) {
        same_outcome(&rig[0].outcome, &rig[i].outcome);
        same_rings(rig[0].dge, rig[i].dge);
        assert_memory_equal(rig[0].hbm, rig[i].hbm, RIG_HBM_BYTES);
        assert_memory_equal(rig[0].sbuf, rig[i].sbuf, RIG_SBUF_BYTES);
    }
}

/* `per` rows of the table to each element of the destination. */
static struct indirect gather(uint16_t rows, uint16_t bytes, uint16_t per, uint64_t dst)
{
    return (struct indirect){.src = 0x10000,
                             .dst = dst,
                             .src_step = bytes,
                             .dst_step = (int32_t)per * bytes + 64,
                             .src_num = rows,
                             .dst_num = (uint16_t)(rows / per),
                             .src_size = bytes,
                             .dst_size = (uint16_t)(per * bytes),
                             .src_idx = INDICES_AT,
                             .src_bound = 0x94,
                             .semaphore = 6,
                             .increment = 1};
}

static void draw(uint32_t *index, unsigned count, uint32_t seed, uint32_t rows)
{
    for (unsigned i = 0; i < count; i++) {
        seed = seed * 1664525U + 1013904223U;
        index[i] = (seed >> 8) % rows;
    }
}

/* Rings of 4097 descriptors wrap several times; packets of 64 end inside elements of the
 * destination and at their ends. */
static void test_gathers_of_many_shapes(void **state)
{
    static const struct {
        uint16_t rows, bytes, per;
    } shape[] = {{4096, 64, 32}, {4096, 64, 64}, {1000, 96, 8}, {640, 512, 1},
                 {600, 640, 5},  {3000, 32, 3},  {77, 512, 11}, {4000, 16, 4000}};
    (void)state;
    struct rig rig[RIGS];
    uint32_t index[4096];
    open_all(rig, NULL);
    for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        const struct indirect c = gather(shape[i].rows, shape[i].bytes, shape[i].per, RIG_SBUF);
        draw(index, shape[i].rows, i, TABLE_ROWS);
        run_all(rig, &c, index, TABLE_ROWS - 1);
        assert_int_equal(rig[BATCHED].outcome.result, TRN_DGE_EMITTED);
        run_all(rig, &c, index, TABLE_ROWS - 100); /* about one in ten is bad */
        assert_int_equal(rig[BATCHED].outcome.result, TRN_DGE_SKIPPED_OOB);
        assert_true(rig[BATCHED].outcome.skipped > 0);
    }
    close_all(rig);
}

/* Rows that are read after a row before them was written there. */
static void test_rows_that_the_word_itself_writes(void **state)
{
    (void)state;
    struct rig rig[RIGS];
    uint32_t index[512];
    open_all(rig, NULL);
    struct indirect c = gather(512, 64, 32, 0x10000 + 100 * 64 + 24);
    c.dst_step = 32 * 64;
    draw(index, 512, 9, TABLE_ROWS);
    run_all(rig, &c, index, TABLE_ROWS - 1);
    c.dst = 0x10000;
    run_all(rig, &c, index, TABLE_ROWS - 1);
    close_all(rig);
}

/* What came before a bad index or before memory that refuses has been moved, nothing behind it. */
static void test_what_stops_a_gather(void **state)
{
    (void)state;
    struct trn_dge_options options = trn_dge_options_default();
    struct rig rig[RIGS];
    uint32_t index[512];
    options.faithful_abort = true;
    open_all(rig, &options);
    struct indirect c = gather(512, 64, 32, RIG_SBUF);
    draw(index, 512, 3, TABLE_ROWS);
    index[237] = TABLE_ROWS;
    run_all(rig, &c, index, TABLE_ROWS - 1);
    assert_int_equal(rig[BATCHED].outcome.result, TRN_DGE_ABORTED);
    assert_int_equal(rig[BATCHED].outcome.bytes, 237 * 64);
    index[237] = 0x00FFFFF0; /* no memory there */
    run_all(rig, &c, index, 0xFFFFFFFF);
    assert_int_equal(rig[BATCHED].outcome.result, TRN_DGE_ABORTED);
    assert_int_equal(rig[BATCHED].outcome.bytes, 237 * 64);
    assert_int_equal(rig[BATCHED].outcome.abort_side, TRN_DGE_SRC);
    index[237] = 0;
    c.dst = RIG_SBUF + RIG_SBUF_BYTES - 300 * 64; /* 300 rows fit */
    c.dst_step = 32 * 64;
    run_all(rig, &c, index, TABLE_ROWS - 1);
    assert_int_equal(rig[BATCHED].outcome.result, TRN_DGE_ABORTED);
    assert_int_equal(rig[BATCHED].outcome.bytes, 300 * 64);
    assert_int_equal(rig[BATCHED].outcome.abort_side, TRN_DGE_DST);
    close_all(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gathers_of_many_shapes),
        cmocka_unit_test(test_rows_that_the_word_itself_writes),
        cmocka_unit_test(test_what_stops_a_gather),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
