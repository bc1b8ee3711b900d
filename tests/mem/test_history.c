/* SPDX-License-Identifier: Apache-2.0 */
/* The history against a list for each byte, kept by walking every element of every access. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/history.h"

enum { ROWS = 128, BYTES = 512, KEPT = 4 };

/* The last KEPT different accesses of a byte, newest first. */
struct model {
    struct trn_past past[ROWS][BYTES][KEPT];
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

static size_t length(const struct trn_past *list)
{
    size_t count = 0;
    while (count < KEPT && list[count].who != 0)
        count++;
    return count;
}

/* The new list: `now` in front, unless it is there already. */
static size_t push(const struct trn_past *old, size_t count, struct trn_past now,
                   struct trn_past *out)
{
    if (count > 0 && old[0].who == now.who && old[0].time == now.time) {
        memcpy(out, old, count * sizeof *old);
        return count;
    }
    const size_t kept = count < KEPT ? count : KEPT - 1;
    if (kept > 0)
        memcpy(out + 1, old, kept * sizeof *old);
    out[0] = now;
    return kept + 1;
}

struct touch {
    const struct model *model;
    const struct trn_access *access;
    struct trn_past now;
    unsigned calls;
};

static size_t next(void *context, size_t row, uint64_t byte, const struct trn_past *old,
                   size_t count, struct trn_past now[TRN_HISTORY_PASTS])
{
    struct touch *touch = context;
    const struct trn_past *wanted = touch->model->past[row][byte];
    touch->calls++;
    assert_true(row >= touch->access->partition &&
                row < touch->access->partition + touch->access->channels);
    if (count == 0 || old[0].who != touch->now.who || old[0].time != touch->now.time) {
        assert_int_equal(count, length(wanted)); /* the byte's own list, not a neighbour's */
        if (count > 0)
            assert_memory_equal(old, wanted, count * sizeof *old);
    }
    return push(old, count, touch->now, now);
}

static void model_access(struct model *model, const struct trn_access *a, struct trn_past now)
{
    for (uint32_t lane = 0; lane < a->channels; lane++)
        for (uint64_t y = 0; y < a->num[1]; y++)
            for (uint64_t x = 0; x < a->num[0]; x++)
                for (uint64_t i = 0; i < a->size; i++) {
                    const int64_t at =
                        (int64_t)(a->byte + i) + (int64_t)x * a->step[0] + (int64_t)y * a->step[1];
                    struct trn_past *list = model->past[a->partition + lane][at], old[KEPT];
                    const size_t count = length(list);
                    memcpy(old, list, sizeof old);
                    push(old, count, now, list);
                }
}

static struct trn_access random_access(uint64_t *rng, uint32_t rows)
{
    struct trn_access a = {.size = 1 + below(rng, 4),
                           .num = {1 + below(rng, 20), 1 + below(rng, 3), 1, 1},
                           .step = {(int64_t)below(rng, 7), (int64_t)below(rng, 40), 0, 0}};
    if (below(rng, 3) == 0) /* whole words of 64 bytes */
        a = (struct trn_access){.size = 64, .num = {1 + below(rng, 4), 1, 1, 1}, .step = {64}};
    const uint64_t reach =
        (a.num[0] - 1) * (uint64_t)a.step[0] + (a.num[1] - 1) * (uint64_t)a.step[1] + a.size;
    a.byte =
        below(rng, (uint32_t)(BYTES - reach) + 1) & (a.size == 64 ? ~UINT64_C(63) : UINT64_MAX);
    a.partition = below(rng, rows);
    a.channels = 1 + below(rng, rows - a.partition);
    return a;
}

static void check(bool walked)
{
    const uint32_t rows = walked ? 1 : ROWS;
    struct model *model = calloc(1, sizeof *model);
    struct trn_history *history;
    uint64_t rng = 5;
    assert_non_null(model);
    assert_int_equal(trn_history_create(rows, BYTES, walked, &history), TRN_OK);
    for (uint32_t i = 0; i < 3000; i++) {
        const struct trn_access access = random_access(&rng, rows);
        struct touch touch = {model, &access, {1 + below(&rng, 5), i / 3}, 0};
        trn_history_access(history, &access, next, &touch);
        assert_true(touch.calls > 0);
        model_access(model, &access, touch.now);
    }
    assert_int_equal(trn_history_lost(history), 0);
    trn_history_destroy(history);
    free(model);
}

static void test_every_byte_has_its_list(void **state)
{
    (void)state;
    check(false);
    check(true);
}

/* Bytes with the same list share it, and lists go when their bytes do. */
static void test_lists_are_shared_and_given_back(void **state)
{
    (void)state;
    struct model *model = calloc(1, sizeof *model);
    struct trn_history *history;
    assert_int_equal(trn_history_create(ROWS, BYTES, false, &history), TRN_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        const struct trn_access access = {
            .channels = ROWS, .size = BYTES - (i & 1), .num = {1, 1, 1, 1}};
        struct touch touch = {model, &access, {1, i}, 0};
        trn_history_access(history, &access, next, &touch);
        assert_true(touch.calls <= 4); /* not once a byte, nor once a row */
        assert_true(trn_history_lists(history) <= 2);
        model_access(model, &access, touch.now);
    }
    trn_history_destroy(history);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_byte_has_its_list),
                                       cmocka_unit_test(test_lists_are_shared_and_given_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
