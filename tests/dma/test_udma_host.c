/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of a DMA engine: its register traffic against docs/hardware/pci-function.md 6,
 * its limits (udma.md 6, field case F29), its cursors (7) and copies with a marker (8) through the
 * engine itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "dma/udma_host.h"

/* ---- bring-up of an engine (pci-function.md 6.1) ------------------------------------------ */

struct expected {
    const struct host *host;
    size_t at;
};

static void expect(struct expected *e, char kind, uint64_t offset, uint32_t value)
{
    assert_true(e->at < e->host->count);
    assert_int_equal(e->host->event[e->at].kind, kind);
    assert_int_equal(e->host->event[e->at].offset, offset);
    if (kind == 'W')
        assert_int_equal(e->host->event[e->at].value, value);
    e->at++;
}

static void expect_common(struct expected *e, uint64_t u, uint64_t s, bool v2, bool again)
{
    for (uint32_t q = 0; q < 16; q++) {
        expect(e, 'W', u + 0x1020 + 0x1000 * q, again ? 0x03030000 : 0x00030000);
        expect(e, 'W', u + 0x21020 + 0x1000 * q, again ? 0x03030000 : 0x00030000);
    }
    expect(e, 'W', u + 0x310, v2 ? 0x01000400 : 0x010008F8);
    expect(e, 'W', u + 0x124, v2 ? 0x0000086F : 0x20808080);
    expect(e, 'W', u + 0x3A300, 0x05F5E100);
    expect(e, 'W', u + 0x408, 0);
    expect(e, 'W', u + 0x254, 0x010FFFFF);
    expect(e, 'W', u + 0x258, 0x00000102);
    for (uint32_t q = 0; q < 16; q++)
        expect(e, 'W', u + 0x3C400 + 0x40 * q, 0xFFFFFFFF);
    expect(e, 'W', u + 0x118, 0x00010008);
    expect(e, 'W', u + 0x2038C, 0);
    for (uint32_t q = 0; q < 16; q++)
        for (uint32_t k = 0; k < 3; k++)
            expect(e, 'W', u + 0x3C404 + 0x40 * q + 4 * k, 0xFFFFFFFF);
    expect(e, 'W', u + 0x20124, v2 ? 0x00400008 : 0x00400080);
    expect(e, 'W', u + 0x20128, 0x40804080);
    expect(e, 'R', u + 0x3B460, 0);
    expect(e, 'W', u + 0x3B460, 0);
    static const uint32_t unmask[][2] = {
        {0x3A028, 0x28},       {0x380E8, 0x28},       {0x3A030, 0xF0000000}, {0x3A0B0, 0xFFFFFFC0},
        {0x3A018, 0xF0000000}, {0x3A098, 0xFFFFFFC0}, {0x380D8, 0xFFFFFAFF}, {0x3A068, 0x28},
        {0x380E8, 0x28},       {0x3A070, 0x000010F8}, {0x3A0B0, 0xFFFFF03F}, {0x3A058, 0x000010F8},
        {0x3A098, 0xFFFFF03F}, {0x380D8, 0xFFFFF9FF}, {0x20380, 0x00001004}, {0x304, 0x00010041},
        {0x308, 0x00004181},   {0x20308, 0x00004181}, {0x11C, 0x00010008},   {0x2011C, 0x00010008}};
    for (size_t i = 0; i < sizeof unmask / sizeof unmask[0]; i++)
        expect(e, 'W', u + unmask[i][0], unmask[i][1]);
    expect(e, 'W', s + 0x1C, 1);
    expect(e, 'W', s + 0x20, 1);
    expect(e, 'W', s + 0x00, 1);
}

static void test_engine_init_of_sunda(void **state)
{
    (void)state;
    /* core 1 engine 6 */
    const uint64_t u = 0x30700000 + 0x40000 * 6, s = 0x30B00000 + 0x7000 * 6;
    struct host *host = open_host("sunda", u);
    struct expected e = {.host = host};
    assert_int_equal(trn_hal_udma_engine_init(host->hal, 22, false), TRN_OK);
    expect(&e, 'W', s + 0x100, 0xFFFF >> 6);
    expect(&e, 'W', s + 0x104, 0xFFFF);
    expect_common(&e, u, s, true, false);
    static const uint32_t entries[] = {4, 8, 0xC, 0x24, 0x28, 0x2C};
    for (uint32_t t = 0; t < 6; t++)
        for (size_t i = 0; i < 6; i++)
            expect(&e, 'W', u + 0x3A900 + 0x40 * t + entries[i], 0xF);
    for (uint32_t t = 0; t < 6; t++)
        for (uint32_t q = 0; q < 16; q++) {
            expect(&e, 'W', u + 0x3AB00 + 8 * t, q << 3 | 7);
            expect(&e, 'W', u + 0x3AB04 + 8 * t, 0x10);
        }
    for (uint32_t k = 0; k < 6; k++) {
        expect(&e, 'W', u + 0x3AD28 + 0x100 * k, 0x28);
        expect(&e, 'W', u + 0x3AD30 + 0x100 * k, 0);
        expect(&e, 'W', u + 0x3AD18 + 0x100 * k, 0);
    }
    expect(&e, 'W', u + 0x3A300, 0xFFFFFFFF);
    assert_int_equal(e.at, host->count);
    close_host(host);
}

static void test_engine_init_of_cayman(void **state)
{
    (void)state;
    static const char *const generations[] = {"cayman", "mariana", "mariana_plus"};
    for (size_t g = 0; g < sizeof generations / sizeof generations[0]; g++) {
        const uint64_t u = 0x90000000 + 0x4000000 + 0x100000 * 17; /* core 3 engine 1: SENG 1 */
        const uint64_t fis = 0x9C400000 + 0x20000 * 17;
        struct host *host = open_host(generations[g], u);
        struct expected e = {.host = host};
        assert_int_equal(trn_hal_udma_engine_init(host->hal, 49, true), TRN_OK);
        expect_common(&e, u, u + 0x40000, false, true);
        expect(&e, 'W', u + 0x40800, 0x26);
        expect(&e, 'R', u + 0x3A010, 0);
        expect(&e, 'W', u + 0x3A010, 0xF0020000);
        expect(&e, 'W', u + 0x3A030, 0xF0020000);
        expect(&e, 'R', u + 0x3A050, 0);
        expect(&e, 'W', u + 0x3A050, 0x000018F8);
        expect(&e, 'W', u + 0x3A070, 0x000018F8);
        expect(&e, 'R', fis + 0x90, 0);
        expect(&e, 'W', fis + 0x90, 0xFFFFFFFF);
        expect(&e, 'R', fis + 0xD0, 0);
        expect(&e, 'W', fis + 0xD0, 0xFFFFFFFF);
        expect(&e, 'R', u + 0x20C, 0);
        expect(&e, 'W', u + 0x20C, 1u << 17);
        expect(&e, 'R', u + 0x2020C, 0);
        expect(&e, 'W', u + 0x2020C, 1u << 11);
        assert_int_equal(e.at, host->count);
        close_host(host);
    }
}

/* A host-copy engine has neither broadcast nor masked ring ids (steps 0 and 19). */
static void test_engine_init_of_a_host_copy_engine(void **state)
{
    (void)state;
    struct host *host = open_host("cayman", 0x6800000);
    struct expected e = {.host = host};
    assert_int_equal(trn_hal_udma_engine_init(host->hal, 128, false), TRN_OK);
    expect_common(&e, 0x6800000, 0x6840000, false, false);
    expect(&e, 'W', 0x6840800, 0x26);
    assert_int_equal(e.at, host->count);
    assert_int_equal(trn_hal_udma_engine_init(host->hal, 132, false), TRN_ERR_UNSUPPORTED);
    assert_int_equal(e.at, host->count);
    close_host(host);
}

/* ---- queues (pci-function.md 6.2; F29) ------------------------------------------------------- */

static void test_queue_init_traffic(void **state)
{
    (void)state;
    const uint64_t u = 0x30600000;
    struct host *host = open_host("sunda", u);
    struct expected e = {.host = host};
    struct trn_hal_udma_queue queue;
    const struct trn_hal_udma_memory tx = {.base = 0x100012345600}, rx = {.base = 0x1000ABCDEF00};
    assert_int_equal(trn_hal_udma_queue_init(host->hal, 32, 2, 0x2000, &tx, &rx, &queue), TRN_OK);
    static const uint32_t writes[][2] = {
        {0x3074, 3},           {0x3020, 0x03000000}, {0x30B0, 0x100},       {0x3028, 0x12345600},
        {0x302C, 0x1000},      {0x3030, 0x2000},     {0x30A0, 0},           {0x3020, 0x03030000},
        {0x23020, 0x03000000}, {0x23064, 0x100},     {0x23028, 0xABCDEF00}, {0x2302C, 0x1000},
        {0x23030, 0x2000},     {0x23054, 0},         {0x23020, 0x03030000}};
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        expect(&e, 'W', u + writes[i][0], writes[i][1]);
    assert_int_equal(e.at, host->count);
    assert_int_equal(trn_hal_udma_available(&queue), 0x2000 - 16);
    close_host(host);
}

/* F29: the message says which queue, which size and which limit; nothing is written. */
static void test_ring_limits(void **state)
{
    (void)state;
    static const struct {
        unsigned queue;
        uint32_t size;
        uint64_t base;
        const char *says[3];
    } cases[] = {{3, 31, 0x1000, {"queue 3", "31 descriptors", "too small (32)"}},
                 {3, 0, 0x1000, {"queue 3", "0 descriptors", "too small (32)"}},
                 {3, 16777201, 0x1000, {"queue 3", "16777201", "too large (16777200)"}},
                 {3, 40, 0x1000, {"queue 3", "40", "multiple of 16"}},
                 {3, 32, 0x1080, {"queue 3", "32", "0x1080"}},
                 {3, 32, UINT64_MAX - 255, {"queue 3", "32", "0xffffffffffffff00"}},
                 {16, 32, 0x1000, {"queue 16", "32", "16"}}};
    struct host *host = open_host("cayman", 0x82000000);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int half = 0; half < 2; half++) {
            struct trn_hal_udma_queue queue;
            const struct trn_hal_udma_memory bad = {.base = cases[i].base}, good = {.base = 0x1000};
            assert_int_equal(trn_hal_udma_queue_init(host->hal, 0, cases[i].queue, cases[i].size,
                                                     half ? &good : &bad, half ? &bad : &good,
                                                     &queue),
                             -22);
            for (int k = 0; k < 3; k++)
                assert_non_null(strstr(trn_hal_diag(host->hal)->message, cases[i].says[k]));
        }
    assert_int_equal(host->count, 0);
    struct trn_hal_udma_queue queue;
    const struct trn_hal_udma_memory ring = {.base = 0x1000};
    assert_int_equal(trn_hal_udma_queue_init(host->hal, 0, 3, 32, &ring, &ring, &queue), TRN_OK);
    assert_int_equal(trn_hal_udma_queue_init(host->hal, 0, 3, 16777200, &ring, &ring, &queue),
                     TRN_OK);
    close_host(host);
}

static void test_ring_sizes_of_the_driver(void **state)
{
    (void)state;
    assert_int_equal(trn_hal_udma_ring_size(1), 64);
    assert_int_equal(trn_hal_udma_ring_size(31), 64);
    assert_int_equal(trn_hal_udma_ring_size(64), 128);
    assert_int_equal(trn_hal_udma_ring_size(4096), 8192);
}

/* ---- copies (7, 8) ------------------------------------------------------------------------------
 */

static const uint64_t places[][2] = {{0x30000000, 0}, {0x82000000, 0}, {0x82000000, 0}};
static const char *const generations[] = {"sunda", "cayman", "mariana"};

static void test_copies_of_any_size(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 5, 65535, 65536, 65537, 300000};
    for (size_t g = 0; g < 3; g++) {
        struct trn_hal_udma_queue queue;
        struct host *host = host_with_queue(generations[g], places[g][0], 0, 32, &queue);
        const struct trn_hal_udma_memory marker = {RIG_A + 0x8000,
                                                   rig_at(&host->rig, RIG_A + 0x8000)};
        for (size_t n = 0; n < 60; n++) { /* many laps of the smallest ring */
            const uint32_t size = sizes[n % 6];
            for (uint32_t i = 0; i < size; i++)
                *rig_at(&host->rig, RIG_A + 0x40000 + i) = (uint8_t)(i * 7 + (i >> 8) + n);
            memset(rig_at(&host->rig, RIG_B), 0xEE, size + 2);
            host->count = 0;
            assert_int_equal(
                trn_hal_udma_copy(host->hal, &queue, RIG_A + 0x40000, RIG_B + 1, size, &marker),
                TRN_OK);
            assert_int_equal(*rig_at(&host->rig, RIG_B), 0xEE);
            assert_memory_equal(rig_at(&host->rig, RIG_B + 1), rig_at(&host->rig, RIG_A + 0x40000),
                                size);
            assert_int_equal(*rig_at(&host->rig, RIG_B + 1 + size), 0xEE);
            assert_int_equal(trn_hal_udma_available(&queue), 16);
            assert_int_equal(host->count, 2); /* two doorbells: RX, then TX */
            assert_int_equal(host->event[0].offset & 0x3F000, 0x22000);
            assert_int_equal(host->event[1].offset & 0x3F000, 0x2000);
        }
        close_host(host);
    }
}

/* More chunks than the ring has room for: several batches. */
static void test_long_copy_goes_in_batches(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("cayman", 0x82000000, 0, 32, &queue);
    const struct trn_hal_udma_memory marker = {RIG_A + 0x8000, rig_at(&host->rig, RIG_A + 0x8000)};
    trn_hal_udma_prepare(host->hal, &queue, RIG_A, RIG_A, 4, TRN_HAL_UDMA_NO_BARRIER, false);
    for (uint32_t i = 0; i < 10; i++) /* 5 slots are left: 4 chunks and a marker a batch */
        trn_hal_udma_prepare(host->hal, &queue, RIG_A, RIG_A, 4, TRN_HAL_UDMA_NO_BARRIER, false);
    assert_int_equal(trn_hal_udma_start(host->hal, &queue, 11, 11), TRN_OK);
    for (uint32_t i = 0; i < 6 * 65536; i++)
        *rig_at(&host->rig, RIG_A + 0x40000 + i) = (uint8_t)(i * 5 + (i >> 9));
    host->count = 0;
    assert_int_equal(
        trn_hal_udma_copy(host->hal, &queue, RIG_A + 0x40000, RIG_B, 6 * 65536, &marker), TRN_OK);
    assert_memory_equal(rig_at(&host->rig, RIG_B), rig_at(&host->rig, RIG_A + 0x40000), 6 * 65536);
    assert_int_equal(host->count, 4);
    assert_int_equal(host->event[0].value, 5);
    assert_int_equal(host->event[2].value, 3);
    close_host(host);
}

/* F45, F29: the wait is bounded and says queue, size, value and who should have written it. */
static void test_marker_that_never_comes(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("sunda", 0x30000000, 0, 32, &queue);
    const struct trn_hal_udma_memory marker = {RIG_A + 0x8000, rig_at(&host->rig, RIG_A + 0x8000)};
    host->dead = true;
    assert_int_equal(trn_hal_udma_copy(host->hal, &queue, RIG_A, RIG_B, 5, &marker),
                     TRN_ERR_TIMEOUT);
    const struct trn_diag *diag = trn_hal_diag(host->hal);
    assert_non_null(strstr(diag->message, "queue 1 of DMA engine 0, ring of 32"));
    assert_non_null(strstr(diag->message, "batch of 2 descriptors reads 0x0"));
    assert_non_null(strstr(diag->message, "0xabcdef01"));
    assert_non_null(strstr(diag->expected, "the engine"));
    /* 8: (400 - first) * 100 + 2 polls, first = 1; and the first wait */
    assert_int_equal(host->delays, (400 - 1) * 100 + 2 + 1);
    assert_int_equal(trn_hal_udma_polls(trn_gen_find("cayman"), 2), (200 - 1) * 100 + 2);
    close_host(host);
    host = host_with_queue("cayman", 0x82000000, 0, 32, &queue);
    const struct trn_hal_udma_memory other = {RIG_A + 0x8000, rig_at(&host->rig, RIG_A + 0x8000)};
    assert_int_equal(trn_hal_udma_copy(host->hal, &queue, RIG_NOWHERE, RIG_B, 5, &other),
                     TRN_ERR_TIMEOUT);
    assert_non_null(strstr(trn_hal_diag(host->hal)->message, "the engine is abort"));
    close_host(host);
}

static void test_arguments_of_a_copy(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct host *host = host_with_queue("sunda", 0x30000000, 0, 32, &queue);
    const struct trn_hal_udma_queue before = queue;
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 0, 0, false), -22);
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 65537, 0, false), -22);
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 4, 4, false), -22);
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 4, 3, false), -22);
    assert_string_equal(trn_hal_diag(host->hal)->message,
                        "udma strong ordering not supported in TRN1!");
    assert_memory_equal(&queue, &before, sizeof queue);
    assert_int_equal(trn_hal_udma_start(host->hal, &queue, 1, 0), -22);
    assert_int_equal(trn_hal_udma_start(host->hal, &queue, 0, 33), -22);
    assert_int_equal(host->count, 0);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 4, 1, false), TRN_OK);
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 4, 1, false), TRN_ERR_NO_MEMORY);
    assert_int_equal(trn_get32(rig_at(&host->rig, RIG_A + 0x10000)), 0x4D000004); /* DMB */
    close_host(host);
    host = host_with_queue("cayman", 0x82000000, 0, 32, &queue);
    assert_int_equal(trn_hal_udma_prepare(host->hal, &queue, 0, 0, 65536, 3, true), TRN_OK);
    assert_int_equal(trn_get32(rig_at(&host->rig, RIG_A + 0x10000)), 0x0D000000);
    assert_int_equal(trn_get32(rig_at(&host->rig, RIG_A + 0x20000)), 0x31000000);
    close_host(host);
}

static void test_state_and_view(void **state)
{
    (void)state;
    struct trn_hal_udma_queue queue;
    struct trn_hal_udma_view view;
    struct host *host = host_with_queue("cayman", 0x82000000, 0, 48, &queue);
    assert_int_equal(trn_hal_udma_set_state(host->hal, 0, TRN_HAL_UDMA_ABORT), TRN_OK);
    assert_int_equal(trn_hal_udma_view(host->hal, 0, 1, 1, &view), TRN_OK);
    assert_int_equal(view.state, 2);
    assert_int_equal(view.length, 48);
    assert_int_equal(view.base, RIG_A + 0x20000);
    assert_int_equal(trn_hal_udma_set_state(host->hal, 0, TRN_HAL_UDMA_NORMAL), TRN_OK);
    assert_int_equal(trn_hal_udma_view(host->hal, 0, 1, 0, &view), TRN_OK);
    assert_int_equal(view.state, 1);
    assert_int_equal(trn_hal_udma_view(host->hal, 99, 1, 0, &view), TRN_OK);
    assert_int_equal(trn_hal_udma_view(host->hal, 200, 1, 0, &view), TRN_ERR_UNSUPPORTED);
    close_host(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_init_of_sunda),
        cmocka_unit_test(test_engine_init_of_cayman),
        cmocka_unit_test(test_engine_init_of_a_host_copy_engine),
        cmocka_unit_test(test_queue_init_traffic),
        cmocka_unit_test(test_ring_limits),
        cmocka_unit_test(test_ring_sizes_of_the_driver),
        cmocka_unit_test(test_copies_of_any_size),
        cmocka_unit_test(test_long_copy_goes_in_batches),
        cmocka_unit_test(test_marker_that_never_comes),
        cmocka_unit_test(test_arguments_of_a_copy),
        cmocka_unit_test(test_state_and_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
