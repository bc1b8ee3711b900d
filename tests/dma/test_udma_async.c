/* SPDX-License-Identifier: Apache-2.0 */
/* Copies on their way and what user space may do (docs/hardware/udma.md 8, 9.5). */
#include <string.h>

#include "base/bytes.h"
#include "dma/udma_host.h"

enum { MARKERS = 0x8000, FROM = 0x40000 };

static struct trn_hal_udma_copier open_copier(struct host *host, struct trn_hal_udma_queue *queue)
{
    const struct trn_hal_udma_memory markers = {RIG_A + MARKERS,
                                                rig_at(&host->rig, RIG_A + MARKERS)};
    struct trn_hal_udma_copier copier;
    assert_int_equal(trn_hal_udma_copier_init(host->hal, queue, &markers, &copier), TRN_OK);
    for (uint32_t i = 0; i < 0x20000; i++)
        *rig_at(&host->rig, RIG_A + FROM + i) = (uint8_t)(i * 7 + (i >> 8));
    return copier;
}

static void same(struct host *host, uint32_t from, uint32_t to, size_t size)
{
    assert_memory_equal(rig_at(&host->rig, RIG_B + to), rig_at(&host->rig, RIG_A + FROM + from),
                        size);
}

/* 8: asynchronous copies take contexts 1, 2, 1, ...; a synchronous one in between has its own. The
 * first wait of an asynchronous copy is 1 us, then (each * (n - 1) * 100 - first) * 100 polls. */
static void test_contexts_take_turns(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("cayman", 0x82000000, 0, 32, &queue);
    struct trn_hal_udma_copier copier = open_copier(host, &queue);
    enum trn_hal_udma_context at[3];
    assert_int_equal(trn_hal_udma_copy_start(host->hal, &copier, RIG_A + FROM, RIG_B, 100, &at[0]),
                     TRN_OK);
    assert_int_equal(
        trn_hal_udma_copy_start(host->hal, &copier, RIG_A + FROM + 100, RIG_B + 200, 50, &at[1]),
        TRN_OK);
    assert_int_equal(at[0], TRN_HAL_UDMA_ASYNC_1);
    assert_int_equal(at[1], TRN_HAL_UDMA_ASYNC_2);
    assert_int_equal(
        trn_hal_udma_copy_now(host->hal, &copier, RIG_A + FROM + 7, RIG_B + 0x1000, 70000), TRN_OK);
    assert_int_equal(trn_hal_udma_available(&queue), 16 - 4); /* 2 + 2 are not acknowledged */
    /* the turn is context 1's, which nobody waited for */
    assert_int_equal(trn_hal_udma_copy_start(host->hal, &copier, RIG_A, RIG_B, 4, &at[2]), -22);
    assert_non_null(strstr(trn_hal_diag(host->hal)->message, "context 1 holds copy 0"));
    host->delays = 0;
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, at[0]), TRN_OK);
    assert_int_equal(host->delays, 1); /* there already */
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, at[0]), -22);
    assert_int_equal(
        trn_hal_udma_copy_start(host->hal, &copier, RIG_A + FROM, RIG_B + 0x300, 9, &at[2]),
        TRN_OK);
    assert_int_equal(at[2], TRN_HAL_UDMA_ASYNC_1);
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, at[1]), TRN_OK);
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, at[2]), TRN_OK);
    assert_int_equal(trn_hal_udma_available(&queue), 16);
    same(host, 0, 0, 100);
    same(host, 100, 200, 50);
    same(host, 7, 0x1000, 70000);
    same(host, 0, 0x300, 9);
    assert_int_equal(copier.repeats, 0);
    close_host(host);
}

static void test_arguments_of_contexts(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("cayman", 0x82000000, 0, 32, &queue);
    struct trn_hal_udma_copier copier = open_copier(host, &queue);
    enum trn_hal_udma_context at;
    const struct trn_hal_udma_memory askew = {RIG_A + 2, rig_at(&host->rig, RIG_A + 2)};
    host->count = 0;
    assert_int_equal(trn_hal_udma_copier_init(host->hal, &queue, &askew, &copier), -22);
    assert_int_equal(trn_hal_udma_copier_init(host->hal, NULL, &copier.markers, &copier), -22);
    assert_int_equal(trn_hal_udma_copy_start(host->hal, &copier, RIG_A, RIG_B, 0, &at), -22);
    /* 16 free slots: 15 chunks and the marker fit, 16 do not */
    assert_int_equal(trn_hal_udma_copy_now(host->hal, &copier, RIG_A, RIG_B, 16 * 65536),
                     TRN_ERR_NO_MEMORY);
    assert_non_null(strstr(trn_hal_diag(host->hal)->message, "16 descriptors and their marker"));
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, TRN_HAL_UDMA_SYNC), -22);
    assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, (enum trn_hal_udma_context)7), -22);
    assert_int_equal(host->count, 0);
    assert_int_equal(trn_hal_udma_available(&queue), 16);
    close_host(host);
}

/* A delay that lets the engine see doorbells again: what a reset does to it. */
static void wake(struct host *host)
{
    host->dead = false;
    trn_udma_reset(host->rig.engine); /* rings and what was in them are gone */
}

/* 8: SUNDA initialises the ring anew inside a reset window and repeats the copy; others time out.
 */
static void test_a_reset_window_repeats_the_copy(void **state)
{
    (void)state;
    static const struct {
        const char *gen;
        uint64_t window;
        bool in_window, repeats;
    } cases[] = {{"sunda", 0x30000000, true, true},
                 {"sunda", 0x30000000, false, false},
                 {"cayman", 0x82000000, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trn_hal_udma_queue queue;
        struct host *host = host_with_queue(cases[i].gen, cases[i].window, 0, 32, &queue);
        struct trn_hal_udma_copier copier = open_copier(host, &queue);
        enum trn_hal_udma_context first, second;
        copier.in_reset_window = cases[i].in_window;
        host->dead = true;
        assert_int_equal(
            trn_hal_udma_copy_start(host->hal, &copier, RIG_A + FROM, RIG_B, 100, &first), TRN_OK);
        assert_int_equal(trn_hal_udma_copy_start(host->hal, &copier, RIG_A + FROM + 100,
                                                 RIG_B + 100, 60, &second),
                         TRN_OK);
        wake(host);
        memset(rig_at(&host->rig, RIG_B), 0xEE, 160);
        const trn_status status = trn_hal_udma_copy_wait(host->hal, &copier, first);
        assert_int_equal(status, cases[i].repeats ? TRN_OK : TRN_ERR_TIMEOUT);
        assert_int_equal(copier.repeats, cases[i].repeats);
        if (cases[i].repeats) { /* and the other copy was on its way too */
            assert_int_equal(trn_hal_udma_copy_wait(host->hal, &copier, second), TRN_OK);
            same(host, 0, 0, 160);
            assert_int_equal(trn_hal_udma_available(&queue), 16);
        } else {
            assert_int_equal(*rig_at(&host->rig, RIG_B), 0xEE);
        }
        close_host(host);
    }
}

/* One repeat: an engine that stays dead is an error that says so. */
static void test_a_dead_engine_is_not_asked_twice(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("sunda", 0x30000000, 0, 32, &queue);
    struct trn_hal_udma_copier copier = open_copier(host, &queue);
    copier.in_reset_window = true;
    host->dead = true;
    assert_int_equal(trn_hal_udma_copy_now(host->hal, &copier, RIG_A, RIG_B, 5), TRN_ERR_TIMEOUT);
    assert_int_equal(copier.repeats, 1);
    /* 8: synchronous, one chunk: 1 us, then (400 - 1) * 100 + 2 polls; twice */
    assert_int_equal(host->delays, 2 * (1 + 399 * 100 + 2));
    close_host(host);
}

/* ---- 9.5 --------------------------------------------------------------------------------------
 */

/* Exactly 0x28, 0x2C, 0x38, 0x44 and 0x48 of each of 16 banks in both halves. */
static void test_user_space_may_not_touch_rings(void **state)
{
    (void)state;
    struct host *host = open_host("cayman", 0x82000000);
    unsigned refused = 0;
    for (uint32_t at = 0; at < 0x38000; at += 4) {
        const uint32_t bank = at >= 0x20000 ? at - 0x20000 : at, low = bank % 0x1000;
        const bool kernels =
            bank >= 0x1000 && bank < 0x11000 &&
            (low == 0x28 || low == 0x2C || low == 0x38 || low == 0x44 || low == 0x48);
        const trn_status status = trn_hal_udma_user_write(host->hal, 0x82000000 + at);
        if (status != (kernels ? TRN_ERR_INVALID : TRN_OK))
            fail_msg("offset 0x%x: %d", at, status);
        refused += kernels;
    }
    assert_int_equal(refused, 2 * 16 * 5);
    assert_int_equal(trn_hal_udma_user_write(host->hal, 0x82001039), -22); /* a byte of it */
    assert_non_null(strstr(trn_hal_diag(host->hal)->where, "queue 0"));
    assert_int_equal(trn_hal_udma_user_write(host->hal, 0x70000000), TRN_OK);
    assert_int_equal(host->count, 0);
    close_host(host);
}

static void test_host_addresses_must_be_registered(void **state)
{
    (void)state;
    enum { N = 3 };
    const uint64_t base = UINT64_C(0x400000000000); /* 1: CAYMAN */
    const struct trn_hal_udma_buffer buffers[] = {{base + 0x1000, 0x100}, {base + 0x100000, 65536}};
    static const struct {
        uint64_t word0, address;
        bool ok;
    } cases[] = {
        {0x0D000010, 0x400000001000, true},      {0x0D000010, 0x4000000010F0, true},
        {0x0D000011, 0x4000000010F0, false},     {0x0D000010, 0x400000000FFF, false},
        {0x0D000000, 0x400000100000, true},                                        /* 65536 bytes */
        {0x0D000000, 0x400000100001, false},     {0x0D000010, 0x8000000000, true}, /* HBM */
        {0x0D000010, 0x3FFFFFFFFFF8, false}, /* it runs into host memory */
        {0x0D000010, 0xFFFFFFFFFFFFFFF8, false},
    };
    struct host *host = open_host("cayman", 0x82000000);
    uint8_t raw[N * 16] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned k = 0; k < N; k++) { /* two good ones in front of it */
            trn_put32(raw + 16 * k, 0x0D000010);
            trn_put64(raw + 16 * k + 8, base + 0x1000);
        }
        trn_put32(raw + 32, (uint32_t)cases[i].word0);
        trn_put64(raw + 40, cases[i].address);
        const trn_status status = trn_hal_udma_user_descriptors(host->hal, 0, raw, N, buffers, 2);
        assert_int_equal(status, cases[i].ok ? TRN_OK : TRN_ERR_INVALID);
        if (!cases[i].ok)
            assert_string_equal(trn_hal_diag(host->hal)->where, "descriptor 2");
    }
    /* a metadata descriptor of M2S has no address; S2M has no metadata descriptors */
    trn_put32(raw + 32, 0x0D800010);
    trn_put64(raw + 40, base);
    assert_int_equal(trn_hal_udma_user_descriptors(host->hal, 0, raw, N, buffers, 2), TRN_OK);
    assert_int_equal(trn_hal_udma_user_descriptors(host->hal, 1, raw, N, buffers, 2), -22);
    assert_int_equal(trn_hal_udma_user_descriptors(host->hal, 0, raw, 1, NULL, 0), -22);
    assert_int_equal(trn_hal_udma_user_descriptors(host->hal, 0, NULL, 1, NULL, 0),
                     TRN_ERR_ADDRESS);
    close_host(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts_take_turns),
        cmocka_unit_test(test_arguments_of_contexts),
        cmocka_unit_test(test_a_reset_window_repeats_the_copy),
        cmocka_unit_test(test_a_dead_engine_is_not_asked_twice),
        cmocka_unit_test(test_user_space_may_not_touch_rings),
        cmocka_unit_test(test_host_addresses_must_be_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
