/* SPDX-License-Identifier: Apache-2.0 */
/* Notification blocks and their rings, access by access (docs/hardware/hal-stpb.md 16, notific.md
 * 9); values and codes are in test_hal_notific.c. */
#include "hal/traffic.h"

#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

/* A block anywhere; 0x10000000 is no register's place on any generation that matters here. */
static const uint64_t N = 0x10000000;

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

static struct trn_hal_notific *block(struct rig *rig, const char *gen, uint32_t num_queues)
{
    struct trn_hal_notific *notific;
    rig_open(rig, gen, 0);
    assert_int_equal(trn_hal_notific_create(rig->hal, &notific), TRN_OK);
    assert_int_equal(trn_hal_notific_init(rig->hal, notific, num_queues, 0, 0, N), TRN_OK);
    forget_traffic(rig);
    return notific;
}

/* ---- 16.1: initialisation
 * ------------------------------------------------------------------------
 */

static void test_flavours_of_a_block(void **state)
{
    static const uint32_t back_pressure[] = {0x3FF, 0};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (uint32_t mode = 0; mode < 2; mode++) {
            struct rig rig;
            struct trn_hal_notific *notific;
            rig_open(&rig, gens[g], 0);
            assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
            assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, mode, 1, N), TRN_OK);
            EXPECT_TRAFFIC(&rig, {'W', N + 0x28, 1}, {'W', N + 0xBC, 1}, {'W', N + 0xB4, 0xAAE60},
                           {'W', N + 0x30, 0xFFFFFFFF}, {'W', N + 0x34, 0xFFFFFFFF},
                           {'W', N + 0x08, back_pressure[mode]}, {'W', N + 0x0C, 0xFFFFFFFF},
                           {'W', N + 0x10, 0xFFFFFFFF});
            /* The one-queue flavour has no coalescer timer. */
            assert_int_equal(trn_hal_notific_init(rig.hal, notific, 1, mode, 0, N), TRN_OK);
            EXPECT_TRAFFIC(&rig, {'W', N + 0x28, 0}, {'W', N + 0xBC, 1},
                           {'W', N + 0x30, 0xFFFFFFFF}, {'W', N + 0x34, 0xFFFFFFFF},
                           {'W', N + 0x08, back_pressure[mode]}, {'W', N + 0x0C, 0xFFFFFFFF},
                           {'W', N + 0x10, 0xFFFFFFFF});
            rig_close(&rig);
        }
}

static void test_no_flavour_of_three_queues(void **state)
{
    struct rig rig;
    struct trn_hal_notific *notific;
    (void)state;
    rig_open(&rig, "mariana", 0);
    assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
    assert_int_equal(trn_hal_notific_init(rig.hal, notific, 3, 0, 0, N), -22);
    EXPECT_NO_TRAFFIC(&rig);
    rig_close(&rig);
}

/* F28, and that a block may be set up again after it was given back. */
static void test_destroy_needs_an_initialised_block(void **state)
{
    struct rig rig;
    struct trn_hal_notific *notific;
    (void)state;
    rig_open(&rig, "sunda", 0);
    assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
    assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), -14);
    assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), -14);
    assert_int_equal(rig.bus.count, 0);
    assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, 0, 0, N), TRN_OK);
    forget_traffic(&rig);
    assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), TRN_OK);
    assert_int_equal(trn_hal_notific_destroy(rig.hal, notific), -14);
    assert_int_equal(trn_hal_nq_reset(rig.hal, notific, 0, 0), -14);
    assert_int_equal(rig.bus.count, 0);
    assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, 0, 0, N), TRN_OK);
    rig_close(&rig);
}

/* ---- 16.2: classes
 * ------------------------------------------------------------------------------------
 */

static void test_event_classes(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        struct trn_hal_notific *const notific = block(&rig, gens[g], 10);
        const uint64_t regs = rig.stpb.tpb_regs;
        fake_bus_poke(&rig.bus, regs + 0xA08, 0x7FFFFFFF);
        assert_int_equal(
            trn_hal_notific_class_enable(rig.hal, notific, regs, TRN_HAL_CLASS_EVSEM, 1, true),
            TRN_OK);
        EXPECT_TRAFFIC(&rig, {'R', regs + 0xA08, 0x7FFFFFFF}, {'W', regs + 0xA08, 0x7FF1FFFF},
                       {'W', regs + 0x808, 1});
        assert_int_equal(
            trn_hal_notific_class_enable(rig.hal, notific, regs, TRN_HAL_CLASS_EVSEM, 1, false),
            TRN_OK);
        EXPECT_TRAFFIC(&rig, {'W', regs + 0x808, 0});
        /* Input 0B of the hardware back-pressure. */
        assert_int_equal(
            trn_hal_notific_class_enable(rig.hal, notific, regs, TRN_HAL_CLASS_EVSEM_BP, 0, false),
            TRN_OK);
        EXPECT_TRAFFIC(&rig, {'W', N + 0x0C, 0xFFFFF7FF}, {'W', N + 0x10, 0xFFFFFFFF});
        assert_int_equal(
            trn_hal_notific_class_enable(rig.hal, notific, regs, TRN_HAL_CLASS_EVSEM_BP, 0, true),
            TRN_OK);
        EXPECT_TRAFFIC(&rig, {'W', N + 0x0C, 0xFFFFFFFF}, {'W', N + 0x10, 0xFFFFFFFF});
        rig_close(&rig);
    }
}

/* 15.5: bit 1 in POOL's local block of the core whose registers are named; SUNDA only. */
static void test_dge_class(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        struct trn_hal_notific *const notific = block(&rig, gens[g], 10);
        struct trn_hal_stpb other;
        assert_int_equal(trn_hal_core_defaults(rig.hal, 1, &other), TRN_OK);
        const trn_status status = trn_hal_notific_class_enable(rig.hal, notific, other.tpb_regs,
                                                               TRN_HAL_CLASS_DGE, 8, true);
        if (is_sunda(&rig)) {
            const uint64_t at = 0x4000000 + 0x2960000 + 0x80C;
            assert_int_equal(status, TRN_OK);
            EXPECT_TRAFFIC(&rig, {'R', at, 0}, {'W', at, 2});
            assert_int_equal(
                trn_hal_notific_class_enable(rig.hal, notific, 0x44, TRN_HAL_CLASS_DGE, 8, true),
                -22);
        } else {
            assert_int_equal(status, TRN_ERR_ASSERT);
        }
        EXPECT_NO_TRAFFIC(&rig);
        rig_close(&rig);
    }
}

/* ---- 16.3: rings
 * ----------------------------------------------------------------------------------------
 */

static const struct trn_hal_nq ring = {.base = 0x400000012340, .size = 0x1000};

static void test_ring_is_configured_low_word_first(void **state)
{
    struct rig rig;
    (void)state;
    for (unsigned queue = 0; queue < 10; queue++) {
        struct trn_hal_notific *const notific = block(&rig, "cayman", 10);
        const uint64_t d = N + 0x100 + 0x28 * queue;
        assert_int_equal(trn_hal_nq_init(rig.hal, notific, queue, queue, &ring), TRN_OK);
        EXPECT_TRAFFIC(&rig, {'W', d, 0x12340}, {'W', d + 4, 0x4000}, {'W', d + 8, 0x1000});
        rig_close(&rig);
    }
}

/* Both policies of a full ring; the second queue leaves the first one's bits alone. */
static void test_enable_of_two_queues(void **state)
{
    struct rig rig;
    (void)state;
    struct trn_hal_notific *const notific = block(&rig, "mariana", 10);
    assert_int_equal(trn_hal_nq_init(rig.hal, notific, 5, 5, &ring), TRN_OK);
    assert_int_equal(trn_hal_nq_init(rig.hal, notific, 3, 3, &ring), TRN_OK);
    forget_traffic(&rig);
    fake_bus_poke(&rig.bus, N + 0xB8, 0x3C00);
    assert_int_equal(trn_hal_nq_enable(rig.hal, notific, 5, 5, true), TRN_OK);
    const uint64_t five = N + 0x100 + 0x28 * 5, three = N + 0x100 + 0x28 * 3;
    EXPECT_TRAFFIC(&rig, {'W', N + 0x18, 0}, {'W', N + 0x14, 0}, {'R', five + 0x10, 0},
                   {'W', five + 0xC, 0}, {'W', N + 0x18, 0x20}, {'W', N + 0x14, 0x20});
    /* Queues 0 to 3 have a coalescer stream. */
    assert_int_equal(trn_hal_nq_enable(rig.hal, notific, 3, 3, false), TRN_OK);
    EXPECT_TRAFFIC(&rig, {'W', N + 0x18, 0x20}, {'W', N + 0x14, 0x20}, {'R', N + 0xB8, 0x3C00},
                   {'W', N + 0xB8, 0x3E00}, {'W', N + 0xB8, 0x3C00}, {'R', three + 0x10, 0},
                   {'W', three + 0xC, 0}, {'W', N + 0x14, 0x28});
    assert_int_equal(trn_hal_nq_reset(rig.hal, notific, 5, 5), TRN_OK);
    EXPECT_TRAFFIC(&rig, {'W', N + 0x18, 0}, {'W', N + 0x14, 0x08}, {'R', five + 0x10, 0},
                   {'W', five + 0xC, 0});
    rig_close(&rig);
}

static void test_log_lines_of_a_ring(void **state)
{
    struct rig rig;
    (void)state;
    struct trn_hal_notific *const notific = block(&rig, "sunda", 10);
    assert_int_equal(trn_hal_nq_init(rig.hal, notific, 11, 0, &ring), TRN_OK);
    expect_line(&rig, 4, "aws_hal_notific_nq_init", "configuring queue 0");
    forget_traffic(&rig);
    assert_int_equal(trn_hal_nq_reset(rig.hal, notific, 11, 0), TRN_OK);
    expect_line(&rig, 4, "_aws_hal_notific_nq_reset", "eng_index 11 queue_index 0 next_index 0");
    forget_traffic(&rig);
    assert_int_equal(trn_hal_nq_enable(rig.hal, notific, 11, 0, false), TRN_OK);
    assert_int_equal(fake_bus_logs(&rig.bus, 4), 2); /* enable, then reset (trace item 7) */
    assert_string_equal(rig.bus.event[0].function, "aws_hal_notific_nq_enable");
    assert_string_equal(rig.bus.event[0].text, "enabling queue 0");
    assert_string_equal(rig.bus.event[1].function, "_aws_hal_notific_nq_reset");
    rig_close(&rig);
}

/* One of ten queues is not one of one. */
static void test_queue_that_the_block_has_not(void **state)
{
    struct rig rig;
    (void)state;
    struct trn_hal_notific *const notific = block(&rig, "cayman", 1);
    assert_int_equal(trn_hal_nq_init(rig.hal, notific, 0, 1, &ring), -22);
    assert_int_equal(trn_hal_nq_enable(rig.hal, notific, 0, 1, false), -22);
    assert_int_equal(trn_hal_nq_reset(rig.hal, notific, 0, 9), -22);
    EXPECT_NO_TRAFFIC(&rig);
    rig_close(&rig);
}

/* ---- the poll of reset (F45)
 * ----------------------------------------------------------------------------
 */

struct clock {
    unsigned pauses;
    uint32_t microseconds;
};

static void pause_for(void *platform, uint32_t microseconds)
{
    struct clock *const clock = platform;
    clock->pauses++;
    clock->microseconds += microseconds;
}

static void test_ring_that_never_empties(void **state)
{
    struct rig rig;
    struct clock clock = {0};
    struct trn_hal_notific *notific;
    (void)state;
    rig_open(&rig, "cayman", 0);
    rig_with_options(
        &rig, (struct trn_hal_options){.platform = &clock, .delay = pause_for, .poll_limit = 7});
    const uint64_t n = rig.stpb.ens_regs, tail = n + 0x100 + 0x28 * 6 + 0x10;
    assert_int_equal(trn_hal_notific_create(rig.hal, &notific), TRN_OK);
    assert_int_equal(trn_hal_notific_init(rig.hal, notific, 10, 0, 0, n), TRN_OK);
    assert_int_equal(trn_hal_nq_init(rig.hal, notific, 6, 6, &ring), TRN_OK);
    fake_bus_poke(&rig.bus, tail, 0x230);
    forget_traffic(&rig);
    assert_int_equal(trn_hal_nq_enable(rig.hal, notific, 6, 6, false), TRN_ERR_TIMEOUT);
    EXPECT_TRAFFIC(&rig, {'W', n + 0x18, 0}, {'W', n + 0x14, 0}, {'R', tail, 0x230},
                   {'R', tail, 0x230}, {'R', tail, 0x230}, {'R', tail, 0x230}, {'R', tail, 0x230},
                   {'R', tail, 0x230}, {'R', tail, 0x230}); /* and no enable */
    assert_int_equal(clock.pauses, 6);
    assert_int_equal(clock.microseconds, 600); /* 100 us apart */
    const struct trn_diag *const diag = trn_hal_diag(rig.hal);
    assert_non_null(strstr(diag->message, "tail_ptr"));
    assert_non_null(strstr(diag->message, "0x230"));
    assert_true(diag->expected[0] != '\0'); /* who could write it */
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flavours_of_a_block),
        cmocka_unit_test(test_no_flavour_of_three_queues),
        cmocka_unit_test(test_destroy_needs_an_initialised_block),
        cmocka_unit_test(test_event_classes),
        cmocka_unit_test(test_dge_class),
        cmocka_unit_test(test_ring_is_configured_low_word_first),
        cmocka_unit_test(test_enable_of_two_queues),
        cmocka_unit_test(test_log_lines_of_a_ring),
        cmocka_unit_test(test_queue_that_the_block_has_not),
        cmocka_unit_test(test_ring_that_never_empties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
