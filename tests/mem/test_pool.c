/* SPDX-License-Identifier: Apache-2.0 */
/* The promises of src/mem/pool.h: zero bytes, whole pages apart, of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/pool.h"

static bool all_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* More than a piece holds, and one block larger than any piece. */
static void test_blocks_are_zero_and_apart(void **state)
{
    (void)state;
    enum { BLOCKS = 40 };
    static const size_t sizes[] = {1, 4096, 4097, 1 << 20, 20 << 20};
    struct trn_pool pool = {0};
    uint8_t *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        const size_t size = sizes[i % 5];
        blocks[i] = trn_pool_take(&pool, size);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 4096, 0);
        assert_true(all_zero(blocks[i], size < 4096 ? size : 4096));
        blocks[i][0] = blocks[i][size - 1] = (uint8_t)(i + 1);
    }
    for (int i = 0; i < BLOCKS; i++) {
        assert_int_equal(blocks[i][0], i + 1);
        assert_int_equal(blocks[i][sizes[i % 5] - 1], i + 1);
    }
    trn_pool_free(&pool);
    assert_null(pool.pieces);
}

static void test_what_no_host_has_is_refused(void **state)
{
    (void)state;
    struct trn_pool pool = {0};
    assert_null(trn_pool_take(&pool, SIZE_MAX));
    assert_null(trn_pool_take(&pool, SIZE_MAX - 8192));
    assert_non_null(trn_pool_take(&pool, 16));
    trn_pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zero_and_apart),
        cmocka_unit_test(test_what_no_host_has_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
