/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/workers.h"

enum { MAX_COUNT = 300 };

struct marks {
    uint8_t times[MAX_COUNT];
    uint32_t count;
};

/* Ranges are disjoint, so plain memory suffices; TSan would see it if they were not. */
static void mark(void *context, uint32_t begin, uint32_t end)
{
    struct marks *marks = context;
    for (uint32_t i = begin; i < end; i++)
        marks->times[i]++;
}

static void test_ranges_cover_everything_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct trn_workers *workers;
        assert_int_equal(trn_workers_create(threads, &workers), TRN_OK);
        assert_int_equal(trn_workers_count(workers), threads);
        for (uint32_t count = 0; count <= MAX_COUNT; count++) {
            struct marks marks = {.count = count};
            trn_workers_run(workers, count, mark, &marks);
            for (uint32_t i = 0; i < MAX_COUNT; i++)
                assert_int_equal(marks.times[i], i < count);
        }
        trn_workers_destroy(workers);
    }
}

static void test_no_pool_runs_in_the_caller(void **state)
{
    (void)state;
    struct marks marks = {.count = 5};
    assert_int_equal(trn_workers_count(NULL), 1);
    trn_workers_run(NULL, 5, mark, &marks);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(marks.times[i], 1);
    trn_workers_destroy(NULL);
}

static void test_bad_thread_counts_are_refused(void **state)
{
    (void)state;
    struct trn_workers *workers = (void *)1;
    assert_int_equal(trn_workers_create(0, &workers), TRN_ERR_INVALID);
    assert_null(workers);
    assert_int_equal(trn_workers_create(1000000, &workers), TRN_ERR_INVALID);
}

struct sum {
    const uint32_t *values;
    uint64_t partial[MAX_COUNT];
};

static void add_up(void *context, uint32_t begin, uint32_t end)
{
    struct sum *sum = context;
    for (uint32_t i = begin; i < end; i++)
        sum->partial[i] += sum->values[i];
}

/* Many short jobs in a row: each sees what the caller wrote before it, the caller sees its work. */
static void test_short_jobs_in_a_row(void **state)
{
    (void)state;
    struct trn_workers *workers;
    assert_int_equal(trn_workers_create(3, &workers), TRN_OK);
    uint32_t values[MAX_COUNT];
    struct sum sum = {.values = values};
    enum { JOBS = 3000 };
    for (uint32_t job = 0; job < JOBS; job++) {
        for (uint32_t i = 0; i < MAX_COUNT; i++)
            values[i] = job + i;
        trn_workers_run(workers, MAX_COUNT, add_up, &sum);
    }
    for (uint64_t i = 0; i < MAX_COUNT; i++)
        assert_int_equal(sum.partial[i], (uint64_t)JOBS * (JOBS - 1) / 2 + i * JOBS);
    trn_workers_destroy(workers);
}

struct small_sum {
    const uint32_t *values;
    uint64_t *partial;
    uint32_t factor;
};

static void add_multiples(void *context, uint32_t begin, uint32_t end)
{
    const struct small_sum *sum = context;
    for (uint32_t i = begin; i < end; i++)
        sum->partial[i] += (uint64_t)sum->values[i] * sum->factor;
}

/* A small context is the one of its job, with any number of threads and of items. */
static void test_small_contexts(void **state)
{
    (void)state;
    enum { JOBS = 100 };
    for (unsigned threads = 1; threads <= 4; threads++)
        for (uint32_t count = 1; count <= 7; count++) {
            const uint32_t values[] = {1, 2, 3, 4, 5, 6, 7};
            uint64_t partial[7] = {0};
            struct trn_workers *workers;
            assert_int_equal(trn_workers_create(threads, &workers), TRN_OK);
            for (uint32_t job = 0; job < JOBS; job++) {
                const struct small_sum sum = {values, partial, job};
                trn_workers_run_small(workers, count, add_multiples, &sum, sizeof sum);
            }
            for (uint32_t i = 0; i < 7; i++)
                assert_int_equal(partial[i], i < count ? JOBS * (JOBS - 1) / 2 * (i + 1) : 0);
            trn_workers_destroy(workers);
        }
}

static void mark_slowly(void *context, uint32_t begin, uint32_t end)
{
    if (begin > 0)
        usleep(3000);
    mark(context, begin, end);
}

/* The caller, asleep by then, learns that slow helpers are done. */
static void test_slow_helpers(void **state)
{
    (void)state;
    struct trn_workers *workers;
    assert_int_equal(trn_workers_create(3, &workers), TRN_OK);
    for (int round = 0; round < 5; round++) {
        struct marks marks = {.count = 30};
        trn_workers_run(workers, 30, mark_slowly, &marks);
        for (uint32_t i = 0; i < 30; i++)
            assert_int_equal(marks.times[i], 1);
    }
    trn_workers_destroy(workers);
}

/* Helpers that went to sleep are found again, and a pool that never worked ends. */
static void test_sleeping_helpers_wake(void **state)
{
    (void)state;
    struct trn_workers *workers;
    assert_int_equal(trn_workers_create(4, &workers), TRN_OK);
    for (int round = 0; round < 5; round++) {
        usleep(3000);
        struct marks marks = {.count = 128};
        trn_workers_run(workers, 128, mark, &marks);
        for (uint32_t i = 0; i < 128; i++)
            assert_int_equal(marks.times[i], 1);
    }
    usleep(3000);
    trn_workers_destroy(workers);
    assert_int_equal(trn_workers_create(2, &workers), TRN_OK);
    trn_workers_destroy(workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_cover_everything_once),
        cmocka_unit_test(test_no_pool_runs_in_the_caller),
        cmocka_unit_test(test_bad_thread_counts_are_refused),
        cmocka_unit_test(test_short_jobs_in_a_row),
        cmocka_unit_test(test_small_contexts),
        cmocka_unit_test(test_slow_helpers),
        cmocka_unit_test(test_sleeping_helpers_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
