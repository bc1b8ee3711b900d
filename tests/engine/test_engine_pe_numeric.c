/* SPDX-License-Identifier: Apache-2.0 */
/* Numeric events of MATMUL (error-handling.md 8): of the array, unit 4, and of the adder of PSUM,
 * unit 0. Flags are 5 units a cause: underflow 0, NaN 1, Inf 2, overflow 3. Sums are powers of two,
 * so what rounds can be seen by hand: the largest is below 2^128, the smallest 2^-149. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pe_scene.h"

enum { UNITS = 5, PSUM_UNIT = 0, PE_UNIT = 4, UNDERFLOW = 0, NOT_A_NUMBER = 1, INF = 2, OVER = 3 };
enum { ALL = 15 };

static uint32_t flag(unsigned cause, unsigned unit)
{
    return (uint32_t)1 << (cause * UNITS + unit);
}

/* A column of `rows` weights w and one moving vector x, both BF16, w and x by row. */
static uint32_t met_by(const float *w, const float *x, uint8_t rows, uint8_t flags)
{
    for (uint8_t r = 0; r < rows; r++) {
        poke_bf16(r, WEIGHTS, w[r]);
        poke_bf16(r, MOVING, x[r]);
    }
    load(weights(rows, 1));
    core.numeric_wanted = ALL;
    core.numeric_met = 0;
    multiply(moving(rows, 1, 1, 0, flags));
    core.numeric_wanted = 0;
    return core.numeric_met;
}

#define MET(w, x) met_by((const float[]){w}, (const float[]){x}, 1, single())
#define LIST(...)                                                                                  \
    (const float[])                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void test_the_array_by_itself(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < GENS; gen++) {
        begin(gen);
        assert_int_equal(MET(1, 2), 0);
        assert_int_equal(MET(0, 2), 0);
        assert_int_equal(MET(0, 0), 0);
        assert_int_equal(MET(0x1p-75f, 0x1p-74f), 0); /* 2^-149: subnormal, not zero */
        assert_int_equal(MET(0x1p-75f, 0x1p-75f), flag(UNDERFLOW, PE_UNIT)); /* a tie, to zero */
        assert_int_equal(MET(0x1p100f, 0x1p27f), 0);
        assert_int_equal(MET(0x1p100f, 0x1p28f), flag(OVER, PE_UNIT));
        assert_int_equal(MET(INFINITY, 1), flag(INF, PE_UNIT));
        assert_int_equal(MET(1, -INFINITY), flag(INF, PE_UNIT));
        assert_int_equal(MET(0, NAN), flag(NOT_A_NUMBER, PE_UNIT));
        /* Inf * 0 is a NaN of the array's own */
        assert_int_equal(MET(INFINITY, 0), flag(INF, PE_UNIT) | flag(NOT_A_NUMBER, PE_UNIT));
        end();
    }
}

static void test_a_sum_that_cancels_is_no_underflow(void **state)
{
    (void)state;
    begin(CAYMAN);
    assert_int_equal(met_by(LIST(1, -1), LIST(3, 3), 2, single()), 0);
    assert_int_equal(met_by(LIST(0x1p-60f, 0x1p-60f), LIST(0x1p-60f, -0x1p-60f), 2, single()), 0);
    /* 2^-150 vanishes in the first step; the sum of it and -2^-150 leaves as zero */
    assert_int_equal(met_by(LIST(0x1p-75f, 0x1p-75f), LIST(0x1p-75f, -0x1p-75f), 2, single()),
                     flag(UNDERFLOW, PE_UNIT));
    /* what vanishes inside of a sum that is not zero is not looked at */
    assert_int_equal(met_by(LIST(0x1p-75f, 1), LIST(0x1p-75f, 1), 2, single()), 0);
    end();
}

/* 2^127 twice is past the largest number: the adder's event, each sum is ordinary. */
static void test_the_adder_of_psum(void **state)
{
    (void)state;
    for (int gen = SUNDA; gen < GENS; gen++) {
        begin(gen);
        const uint8_t add =
            gen == MAVERICK ? TRN_ACCUMULATE_MODE_ACCUMULATE : TRN_PSUM_ACCUM_FLAGS_MULTI_END;
        assert_int_equal(met_by(LIST(0x1p100f), LIST(0x1p27f), 1, single()), 0);
        assert_int_equal(met_by(LIST(0x1p100f), LIST(0x1p27f), 1, add), flag(OVER, PSUM_UNIT));
        assert_true(isinf(cell(0, 0)));
        assert_int_equal(met_by(LIST(1), LIST(1), 1, add), flag(INF, PSUM_UNIT));
        assert_int_equal(met_by(LIST(NAN), LIST(1), 1, add), flag(NOT_A_NUMBER, PE_UNIT) |
                                                                 flag(NOT_A_NUMBER, PSUM_UNIT) |
                                                                 flag(INF, PSUM_UNIT));
        assert_int_equal(met_by(LIST(1), LIST(1), 1, single()), 0); /* overwrites what was there */
        end();
    }
}

/* Nobody wants to know: nothing is noted; one cause is wanted: only that. */
static void test_only_what_is_wanted(void **state)
{
    (void)state;
    begin(CAYMAN);
    poke_bf16(0, WEIGHTS, INFINITY);
    poke_bf16(0, MOVING, 0);
    load(weights(1, 1));
    multiply(moving(1, 1, 1, 0, single()));
    assert_int_equal(core.numeric_met, 0);
    core.numeric_wanted = 1 << NOT_A_NUMBER;
    multiply(moving(1, 1, 1, 0, single()));
    assert_int_equal(core.numeric_met, flag(NOT_A_NUMBER, PE_UNIT));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_array_by_itself),
        cmocka_unit_test(test_a_sum_that_cancels_is_no_underflow),
        cmocka_unit_test(test_the_adder_of_psum),
        cmocka_unit_test(test_only_what_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
