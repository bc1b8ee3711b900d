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
                struct small_sum sum = {values, partial, job};
                trn_workers_begin_small(workers, 0, count, add_multiples, &sum, sizeof sum);
            }
            trn_workers_settle(workers);
            for (uint32_t i = 0; i < 7; i++)
                assert_int_equal(partial[i], i < count ? JOBS * (JOBS - 1) / 2 * (i + 1) : 0);
            trn_workers_destroy(workers);
        }
}

struct step {
    uint32_t *values;
    uint32_t factor, last;
};

/* Each value from its neighbour on the other side of any border between threads. */
static void take_neighbour(void *context, uint32_t begin, uint32_t end)
{
    const struct step *step = context;
    uint32_t *const from = step->values + (step->factor % 2) * MAX_COUNT;
    uint32_t *const to = step->values + (1 - step->factor % 2) * MAX_COUNT;
    for (uint32_t i = begin; i < end; i++)
        to[i] = from[step->last - i] * 3 + step->factor;
}

/* Jobs that read what other items wrote are done one after the other on all threads: here by places
 * that change, by counts that change, and by jobs that stand alone. */
static void test_begun_jobs_keep_their_order(void **state)
{
    (void)state;
    enum { JOBS = 3000 };
    static uint32_t values[2 * MAX_COUNT], expected[2 * MAX_COUNT];
    struct trn_workers *workers;
    assert_int_equal(trn_workers_create(3, &workers), TRN_OK);
    for (uint32_t job = 0; job < JOBS; job++) {
        const uint32_t count = job / 1000 == 1 ? MAX_COUNT - job % 2 : MAX_COUNT;
        const uint32_t place = job / 1000 == 2 ? TRN_WORKERS_ALONE : job / 1000 == 0 ? job % 2 : 0;
        struct step step = {values, job, count - 1};
        trn_workers_begin_small(workers, place, count, take_neighbour, &step, sizeof step);
        step.values = expected;
        take_neighbour(&step, 0, count);
    }
    trn_workers_settle(workers);
    trn_workers_settle(workers);
    trn_workers_settle(NULL);
    assert_memory_equal(values, expected, sizeof values);
    trn_workers_destroy(workers);
}

/* Jobs of one place, of any number, with others between them that must find them done. */
static void test_jobs_of_one_place_are_collected(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        uint32_t values[MAX_COUNT];
        uint64_t partial[MAX_COUNT] = {0}, factors = 0;
        struct trn_workers *workers;
        assert_int_equal(trn_workers_create(threads, &workers), TRN_OK);
        for (uint32_t i = 0; i < MAX_COUNT; i++)
            values[i] = i + 1;
        for (uint32_t round = 0; round < 40; round++) {
            for (uint32_t job = 0; job < round; job++, factors += job) {
                struct small_sum sum = {values, partial, job + 1};
                trn_workers_begin_small(workers, 32, MAX_COUNT, add_multiples, &sum, sizeof sum);
            }
            struct marks marks = {.count = MAX_COUNT};
            trn_workers_run(workers, MAX_COUNT, mark, &marks);
            for (uint32_t i = 0; i < MAX_COUNT; i++)
                assert_int_equal(partial[i], factors * (i + 1));
        }
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
        cmocka_unit_test(test_begun_jobs_keep_their_order),
        cmocka_unit_test(test_jobs_of_one_place_are_collected),
        cmocka_unit_test(test_slow_helpers),
        cmocka_unit_test(test_sleeping_helpers_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
