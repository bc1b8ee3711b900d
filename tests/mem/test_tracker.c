/* SPDX-License-Identifier: Apache-2.0 */
/* The tracker against a plain list of bytes: for each byte of a space who wrote it last, found by
 * walking every element of every access. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/tracker.h"

enum { PARTITIONS = 128, ROW = 0x4000, HBM_BYTES = 1 << 20 }; /* ROW: bytes of PSUM looked at */

/* The model: 0 is never written, else 1 + number of the write. */
struct model {
    uint32_t rows[PARTITIONS][ROW];
    uint32_t hbm[HBM_BYTES];
    struct trn_origin writers[4096];
    uint32_t num_writes;
};

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(next_random(state) % limit);
}

static uint32_t *model_byte(struct model *model, const struct trn_access *access, uint32_t lane,
                            uint64_t byte)
{
    return access->space == TRN_SPACE_HBM ? &model->hbm[byte]
                                          : &model->rows[access->partition + lane][byte];
}

/* Calls do_byte for every byte of the access in stream order; stops at the first true. */
static bool walk(struct model *model, const struct trn_access *a,
                 bool (*do_byte)(struct model *, const struct trn_access *, uint32_t lane,
                                 uint64_t byte))
{
    for (uint32_t lane = 0; lane < a->channels; lane++)
        for (uint64_t w = 0; w < a->num[3]; w++)
            for (uint64_t z = 0; z < a->num[2]; z++)
                for (uint64_t y = 0; y < a->num[1]; y++)
                    for (uint64_t x = 0; x < a->num[0]; x++) {
                        int64_t at = (int64_t)x * a->step[0] + (int64_t)y * a->step[1] +
                                     (int64_t)z * a->step[2] + (int64_t)w * a->step[3];
                        if (a->index) {
                            const uint8_t *entry = a->index + lane * a->index_pitch + 2 * x;
                            at = (entry[0] + 256 * entry[1]) * (int64_t)a->size;
                        }
                        for (uint64_t i = 0; i < a->size; i++)
                            if (do_byte(model, a, lane, (uint64_t)((int64_t)a->byte + at) + i))
                                return true;
                    }
    return false;
}

static bool note_write(struct model *model, const struct trn_access *access, uint32_t lane,
                       uint64_t byte)
{
    *model_byte(model, access, lane, byte) = model->num_writes;
    return false;
}

static void model_write(struct model *model, const struct trn_access *access)
{
    model->writers[model->num_writes++] = (struct trn_origin){access->engine, access->pc};
    walk(model, access, note_write);
}

static struct {
    bool found;
    uint32_t partition;
    uint64_t byte;
} missing;

static bool note_missing(struct model *model, const struct trn_access *access, uint32_t lane,
                         uint64_t byte)
{
    const uint32_t partition = access->partition + lane;
    if (*model_byte(model, access, lane, byte) != 0)
        return false;
    if (!missing.found || partition < missing.partition ||
        (partition == missing.partition && byte < missing.byte)) {
        missing.found = true;
        missing.partition = partition;
        missing.byte = byte;
    }
    return false;
}

/* A random pattern that stays in the space: overlapping, negative, repeating, interleaved. */
static struct trn_access random_access(uint64_t *rng, enum trn_space space)
{
    static const uint32_t starts[] = {0, 32, 64, 96};
    const uint64_t row = space == TRN_SPACE_HBM ? HBM_BYTES : ROW;
    for (;;) {
        struct trn_access a = {.space = space,
                               .size = UINT64_C(1) << below(rng, 4),
                               .engine = (int)below(rng, 5),
                               .pc = 64 * below(rng, 8)};
        a.partition = space == TRN_SPACE_HBM ? 0 : starts[below(rng, 4)];
        a.channels = space == TRN_SPACE_HBM ? 1 : 1 + below(rng, 32);
        int64_t low = 0, high = (int64_t)a.size;
        for (int d = 0; d < 4; d++) {
            const int64_t scale = below(rng, 4) ? (int64_t)a.size : 1;
            a.num[d] = 1 + below(rng, below(rng, 2) ? 3 : 20);
            a.step[d] = ((int64_t)below(rng, 41) - 20) * scale * (below(rng, 3) ? 1 : 16);
            const int64_t reach = a.step[d] * (int64_t)(a.num[d] - 1);
            low += reach < 0 ? reach : 0;
            high += reach > 0 ? reach : 0;
        }
        if (high - low > (int64_t)row)
            continue;
        a.byte = (uint64_t)-low + below(rng, (uint32_t)(row - (uint64_t)(high - low)) + 1);
        return a;
    }
}

static void check_read(struct model *model, struct trn_tracker *tracker,
                       const struct trn_access *access)
{
    uint32_t partition;
    uint64_t byte;
    missing.found = false;
    walk(model, access, note_missing);
    assert_int_equal(trn_tracker_first_uninit(tracker, access, &partition, &byte), missing.found);
    if (missing.found) {
        assert_int_equal(partition, missing.partition);
        assert_int_equal(byte, missing.byte);
    }
}

static void check_writer(const struct model *model, const struct trn_tracker *tracker,
                         uint64_t *rng)
{
    const uint32_t p = below(rng, PARTITIONS), size = 1 + below(rng, 9);
    const uint32_t byte = below(rng, ROW - size + 1);
    uint32_t latest = 0;
    for (uint32_t i = 0; i < size; i++)
        latest = model->rows[p][byte + i] > latest ? model->rows[p][byte + i] : latest;
    struct trn_origin origin;
    assert_int_equal(trn_tracker_last_writer(tracker, TRN_SPACE_PSUM, p, byte, size, &origin),
                     latest != 0);
    if (latest) {
        assert_int_equal(origin.engine, model->writers[latest - 1].engine);
        assert_int_equal(origin.pc, model->writers[latest - 1].pc);
    }
}

static void check_occupancy(const struct model *model, const struct trn_tracker *tracker)
{
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        uint64_t written = 0;
        uint32_t latest = 0;
        for (uint32_t byte = 0; byte < ROW; byte++) {
            written += model->rows[p][byte] != 0;
            latest = model->rows[p][byte] > latest ? model->rows[p][byte] : latest;
        }
        struct trn_occupancy occupancy;
        assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_PSUM, p, &occupancy), TRN_OK);
        assert_int_equal(occupancy.bytes_written, written);
        assert_int_equal(occupancy.last_engine, latest ? model->writers[latest - 1].engine : -1);
        assert_int_equal(occupancy.last_pc, latest ? model->writers[latest - 1].pc : 0);
    }
    struct trn_occupancy occupancy;
    uint64_t written = 0;
    for (uint32_t byte = 0; byte < HBM_BYTES; byte++)
        written += model->hbm[byte] != 0;
    assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_HBM, 0, &occupancy), TRN_OK);
    assert_int_equal(occupancy.bytes_written, written);
}

static struct trn_tracker *create(void)
{
    struct trn_tracker *tracker;
    assert_int_equal(trn_tracker_create(trn_gen_find("mariana"), HBM_BYTES, &tracker), TRN_OK);
    return tracker;
}

static void test_random_patterns_match_a_list_of_bytes(void **state)
{
    (void)state;
    struct trn_tracker *tracker = create();
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    uint64_t rng = 11;
    for (int epoch = 0; epoch < 2; epoch++) {
        for (int round = 0; round < 250; round++) {
            const enum trn_space space = below(&rng, 4) ? TRN_SPACE_PSUM : TRN_SPACE_HBM;
            struct trn_access access = random_access(&rng, space);
            check_read(model, tracker, &access);
            access.write = below(&rng, 3) != 0;
            trn_tracker_access(tracker, &access);
            if (access.write)
                model_write(model, &access);
            check_read(model, tracker, &access);
            for (int i = 0; i < 20; i++)
                check_writer(model, tracker, &rng);
        }
        check_occupancy(model, tracker);
        memset(model, 0, sizeof *model);
        trn_tracker_reset(tracker);
        check_occupancy(model, tracker);
    }
    free(model);
    trn_tracker_destroy(tracker);
}

static void test_index_lists_differ_from_lane_to_lane(void **state)
{
    (void)state;
    struct trn_tracker *tracker = create();
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    uint64_t rng = 5;
    uint8_t lists[32][200];
    for (int round = 0; round < 40; round++) {
        for (int lane = 0; lane < 32; lane++)
            for (int i = 0; i < 100; i++) {
                const uint32_t index = below(&rng, 4000);
                lists[lane][2 * i] = (uint8_t)index;
                lists[lane][2 * i + 1] = (uint8_t)(index >> 8);
            }
        struct trn_access access = {.space = TRN_SPACE_PSUM,
                                    .partition = 32,
                                    .channels = 1 + below(&rng, 32),
                                    .byte = below(&rng, 300),
                                    .size = 4,
                                    .num = {1 + below(&rng, 100), 1, 1, 1},
                                    .index = lists[0],
                                    .index_pitch = sizeof lists[0],
                                    .engine = 3,
                                    .pc = 64 * (uint64_t)round};
        check_read(model, tracker, &access);
        access.write = true;
        trn_tracker_access(tracker, &access);
        model_write(model, &access);
        check_read(model, tracker, &access);
    }
    check_occupancy(model, tracker);
    free(model);
    trn_tracker_destroy(tracker);
}

/* F09: a source of 128 x 128 BF16 at byte 0 occupies 256 bytes in each of 128 partitions. */
static void test_tile_occupies_every_partition_alike(void **state)
{
    (void)state;
    struct trn_tracker *tracker = create();
    const struct trn_access tile = {.space = TRN_SPACE_SBUF,
                                    .channels = 128,
                                    .size = 2,
                                    .step = {2, 0, 0, 0},
                                    .num = {128, 1, 1, 1},
                                    .write = true,
                                    .engine = TRN_ENGINE_HOST};
    trn_tracker_access(tracker, &tile);
    for (uint32_t p = 0; p < 128; p++) {
        struct trn_occupancy occupancy;
        assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_SBUF, p, &occupancy), TRN_OK);
        assert_int_equal(occupancy.bytes_written, 256);
        assert_int_equal(occupancy.last_engine, -1);
    }
    struct trn_occupancy occupancy;
    assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_SBUF, 128, &occupancy),
                     TRN_ERR_INVALID);
    assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_HOST, 0, &occupancy),
                     TRN_ERR_INVALID);
    trn_tracker_destroy(tracker);
}

static void test_nonsense_accesses_are_ignored(void **state)
{
    (void)state;
    struct trn_tracker *tracker = create();
    const struct trn_access accesses[] = {
        {.space = TRN_SPACE_SBUF, .channels = 129, .size = 1, .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF, .partition = 200, .channels = 1, .size = 1, .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF, .channels = 1, .byte = 0x40000, .size = 1, .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF, .channels = 1, .size = 0x40001, .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF, .channels = 1, .size = 1, .step = {-1}, .num = {2, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF, .channels = 1, .size = 1, .num = {0, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF,
         .channels = 1,
         .size = 1,
         .step = {INT64_MIN},
         .num = {3, 1, 1, 1}},
        {.space = TRN_SPACE_SBUF,
         .channels = 1,
         .size = 1,
         .step = {INT64_MAX, INT64_MAX},
         .num = {2, 2, 1, 1}},
        {.space = TRN_SPACE_HBM, .channels = 1, .byte = HBM_BYTES, .size = 1, .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_HBM,
         .channels = 1,
         .byte = UINT64_MAX,
         .size = UINT64_MAX,
         .num = {1, 1, 1, 1}},
        {.space = TRN_SPACE_HOST, .channels = 1, .size = 1, .num = {1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        struct trn_access access = accesses[i];
        uint32_t partition;
        uint64_t byte;
        assert_false(trn_tracker_first_uninit(tracker, &access, &partition, &byte));
        access.write = true;
        trn_tracker_access(tracker, &access);
    }
    struct trn_occupancy occupancy;
    assert_int_equal(trn_tracker_occupancy(tracker, TRN_SPACE_SBUF, 0, &occupancy), TRN_OK);
    assert_int_equal(occupancy.bytes_written, 0);
    struct trn_origin origin;
    assert_false(trn_tracker_last_writer(tracker, TRN_SPACE_SBUF, 0, 0x3FFFF, 2, &origin));
    assert_false(trn_tracker_last_writer(tracker, TRN_SPACE_SBUF, 0, 0, 0, &origin));
    assert_false(trn_tracker_last_writer(tracker, TRN_SPACE_SBUF, 999, 0, 1, &origin));
    trn_tracker_destroy(tracker);
}

static void test_hbm_writer_is_known_by_the_line(void **state)
{
    (void)state;
    struct trn_tracker *tracker = create();
    struct trn_access access = {.space = TRN_SPACE_HBM,
                                .channels = 1,
                                .byte = 60,
                                .size = 8,
                                .num = {1, 1, 1, 1},
                                .write = true,
                                .engine = 4,
                                .pc = 0x40};
    struct trn_origin origin;
    trn_tracker_access(tracker, &access);
    access.byte = 0;
    access.size = 1;
    access.engine = 2;
    trn_tracker_access(tracker, &access);
    assert_true(trn_tracker_last_writer(tracker, TRN_SPACE_HBM, 0, 64, 4, &origin));
    assert_int_equal(origin.engine, 4);
    assert_true(trn_tracker_last_writer(tracker, TRN_SPACE_HBM, 0, 60, 1, &origin));
    assert_int_equal(origin.engine, 2); /* the line's last writer */
    assert_false(trn_tracker_last_writer(tracker, TRN_SPACE_HBM, 0, 68, 4, &origin));
    trn_tracker_destroy(tracker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_patterns_match_a_list_of_bytes),
        cmocka_unit_test(test_index_lists_differ_from_lane_to_lane),
        cmocka_unit_test(test_tile_occupies_every_partition_alike),
        cmocka_unit_test(test_nonsense_accesses_are_ignored),
        cmocka_unit_test(test_hbm_writer_is_known_by_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
