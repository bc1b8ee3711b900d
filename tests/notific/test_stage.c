/* SPDX-License-Identifier: Apache-2.0 */
/* Time, coalescer, write order and routes of docs/hardware/notific.md 3, 5 and 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "notific/rig.h"
#include "notific/route.h"

static const struct trn_notific_options delayed = {.delayed = true};

/* ---- 3: time ----------------------------------------------------------------------------- */

/* 0x400 is 1 ps a tick; 0xdf36e / 1024 = 892.857 ps: 7 ticks are 6250 and 2 / 1024 ps. */
static void test_time_is_kept_exactly(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 256);
    rig.ticks = 5;
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    assert_true(rig_record(&rig, 0).timestamp == 5);
    rig_write(&rig, RIG_TIMESTAMP_INC, 0xDF36E);
    rig.ticks = 12;
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 2);
    assert_true(rig_record(&rig, 16).timestamp == 5 + 7 * 0xDF36E / 1024);
    rig_write(&rig, RIG_TIMESTAMP_INC, 1); /* the 2 / 1024 are kept: 1022 more make one */
    rig.ticks = 12 + 1021;
    assert_int_equal(rig_read(&rig, RIG_TIMESTAMP_LO), 5 + 6250);
    rig.ticks = 12 + 1022;
    assert_int_equal(rig_read(&rig, RIG_TIMESTAMP_LO), 5 + 6251);
    rig_write(&rig, RIG_TIMESTAMP_INC, 0xFFFFFFFF); /* 24 bits: 0xFFFFFF */
    rig.ticks += UINT64_C(1) << 40;
    const uint64_t now = 5 + 6251 + ((UINT64_C(1) << 40) * 0xFFFFFF / 1024);
    assert_int_equal(rig_read(&rig, RIG_TIMESTAMP_LO), (uint32_t)now);
    assert_int_equal(rig_read(&rig, RIG_TIMESTAMP_HI), (uint32_t)(now >> 32));
    rig_close(&rig);
}

/* ---- 5: coalescer -------------------------------------------------------------------------- */

static void test_tail_runs_ahead_of_memory(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, &delayed);
    rig_ring(&rig, 0, 0, 256);
    for (unsigned n = 1; n <= 3; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 48);
    assert_int_equal(rig.writes, 0);
    assert_int_equal(trn_notific_waiting(rig.block), 3);
    rig_write(&rig, RIG_NAQ_INDEX, 2); /* the third: record, then address */
    assert_int_equal(rig_read(&rig, RIG_NAQ_0 + 4), 0x00020003);
    assert_int_equal(rig_read(&rig, RIG_NAQ_0 + 16), RIG_BASE + 32);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 4); /* a full line leaves in one burst */
    assert_int_equal(rig.writes, 1);
    assert_int_equal(rig.last_size, 64);
    for (unsigned n = 1; n <= 4; n++)
        assert_int_equal(rig_number(&rig, (n - 1) * 16), n);
    rig_close(&rig);
}

static void test_what_flushes_the_coalescer(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 6; how++) {
        struct rig rig;
        rig_open(&rig, &delayed);
        rig_ring(&rig, 2, 0, 256);
        rig_write(&rig, RIG_COAL_TIMER, 100);
        (void)rig_submit(&rig, TRN_INPUT_SP, 2, 1);
        rig.ticks = 99;
        trn_notific_poll(rig.block);
        assert_int_equal(rig.writes, 0);
        switch (how) {
        case 0: /* timer */
            rig.ticks = 100;
            trn_notific_poll(rig.block);
            break;
        case 1: /* clr */
            rig_write(&rig, RIG_COAL_CTRL, 0x3C00 | 1 << 9);
            break;
        case 2: /* bypass */
            rig_write(&rig, RIG_COAL_CTRL, 0x3C00 | 1 << 8);
            break;
        case 3: /* its stream off */
            rig_write(&rig, RIG_COAL_CTRL, 0x3C00 & ~(1 << 12));
            break;
        case 4: /* the queue off: in-flight writes drain first */
            rig_write(&rig, RIG_NQ_ENABLE, 0);
            break;
        default: /* another base: what is staged belongs to the old one */
            rig_write(&rig, rig_queue(2, RIG_BASE_LO), RIG_BASE + 1024);
        }
        assert_int_equal(rig.writes, 1);
        assert_int_equal(rig_number(&rig, 0), 1);
        rig_close(&rig);
    }
}

static void test_only_queues_0_to_3_coalesce(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, &delayed);
    for (unsigned q = 0; q < 10; q++)
        rig_ring(&rig, q, q * 256, 256);
    for (unsigned q = 0; q < 10; q++)
        (void)rig_submit(&rig, TRN_INPUT_SP, q, q);
    assert_int_equal(rig.writes, 6);
    assert_int_equal(trn_notific_waiting(rig.block), 4);
    rig_write(&rig, RIG_WOB_CTRL, 4); /* in order: older records of all queues go first */
    (void)rig_submit(&rig, TRN_INPUT_SP, 9, 1);
    assert_int_equal(rig.writes, 11);
    rig_close(&rig);
}

/* intr_8: two streams in one line; overlapping rings coalesce only when that is forced. */
static void test_line_of_many_streams(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, &delayed);
    rig_ring(&rig, 0, 0, 32);
    rig_ring(&rig, 1, 32, 32); /* the same line, no byte shared */
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 1, 2);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_MANY_STREAMS], 1);
    assert_int_equal(rig.writes, 0);
    rig_write(&rig, rig_queue(1, RIG_BASE_LO), RIG_BASE); /* now they overlap */
    rig_write(&rig, rig_queue(1, RIG_HEAD), 16);
    (void)rig_submit(&rig, TRN_INPUT_SP, 1, 3);
    assert_int_equal(rig.writes, 2); /* 2 at the change, 3 at once */
    rig_write(&rig, RIG_COAL_CTRL, 0x7C00);
    rig_write(&rig, rig_queue(1, RIG_HEAD), 0);
    (void)rig_submit(&rig, TRN_INPUT_SP, 1, 4);
    assert_int_equal(rig.writes, 2);
    rig_close(&rig);
}

/* A burst that memory refuses: all its records are lost and the tail stays. */
static void test_failed_burst_is_counted(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, &delayed);
    rig_ring(&rig, 0, RIG_MEMORY - 32, 256); /* two records fit, the others hit nothing */
    for (unsigned n = 1; n <= 4; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    rig_write(&rig, RIG_COAL_CTRL, 0x3C00 | 1 << 9);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 64);
    assert_int_equal(trn_notific_counts(rig.block, 0).stored, 2);
    assert_int_equal(trn_notific_counts(rig.block, 0).failed, 2);
    assert_int_equal(rig_read(&rig, RIG_ERROR_ADDR_LO), RIG_BASE + RIG_MEMORY);
    rig_close(&rig);
}

/* intr_5 and the stall counter: nothing is lost and nothing moves while memory is busy. */
static void test_busy_memory_stalls(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 256);
    rig.busy = 3;
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    trn_notific_poll(rig.block);
    trn_notific_poll(rig.block);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 0);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_OUTSTANDING_STALL], 1);
    assert_int_equal(rig_read(&rig, RIG_STALL_COUNT), 3);
    trn_notific_poll(rig.block);
    assert_int_equal(rig_number(&rig, 0), 1);
    rig_write(&rig, RIG_STALL, 1);
    assert_int_equal(rig_read(&rig, RIG_STALL_COUNT), 0);
    rig_close(&rig);
}

static void test_axi_id_rotates_in_its_low_bits(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 4096);
    rig_write(&rig, RIG_AXI_ID, 0xABDE);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    assert_int_equal(rig.last_id, 0xABDE);
    rig_write(&rig, RIG_WOB_CTRL, 1);
    static const uint16_t ids[] = {0xABDE, 0xABDF, 0xABC0, 0xABC1};
    for (size_t i = 0; i < 4; i++) {
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
        assert_int_equal(rig.last_id, ids[i]);
    }
    rig_close(&rig);
}

/* ---- 7: routes ------------------------------------------------------------------------------- */

/* The registers after bring-up (7.2), by their offsets. */
static uint32_t bring_up(void *context, uint32_t offset)
{
    (void)context;
    switch (offset) {
    case 0xA00:
        return 0x00600040;
    case 0xA04:
        return 0x00700050;
    case 0xA08:
        return 0x00010080;
    case 0xA0C:
        return 2;
    case 0xA10:
        return 0x00100030;
    case 0xA14:
        return 0x66666666;
    case 0x10:
        return 0x2140; /* of a TopSP */
    default:
        return UINT32_MAX;
    }
}

static void test_routes_after_bring_up(void **state)
{
    (void)state;
    static const unsigned explicit_of[] = {4, 5, 6, 7, 8}; /* PE, ACT, POOL, DVE, SP */
    static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    for (size_t g = 0; g < 4; g++) {
        struct trn_notific_router router;
        trn_notific_router_init(&router, trn_gen_find(gens[g]), false);
        for (int e = 0; e < 5; e++) {
            assert_int_equal(
                trn_notific_route(&router, trn_route_of_engine(e, TRN_ROUTE_NX), bring_up, NULL),
                0);
            assert_int_equal(trn_notific_route(&router, trn_route_of_engine(e, TRN_ROUTE_EXPLICIT),
                                               bring_up, NULL),
                             explicit_of[e]);
            assert_int_equal(router.to[trn_route_of_engine(e, TRN_ROUTE_ENGINE)].exists, e != 4);
            assert_int_equal(router.from_instruction[e].exists, g > 0);
        }
        assert_int_equal(trn_notific_route(&router, TRN_ROUTE_EVENTS, bring_up, NULL), 1);
        assert_int_equal(trn_notific_route(&router, TRN_ROUTE_ERRORS, bring_up, NULL), 2);
        assert_int_equal(trn_notific_route(&router, TRN_ROUTE_HAM_THROTTLE, bring_up, NULL),
                         g ? 3 : 0);
        for (unsigned core = 0; core < 8; core++)
            assert_int_equal(trn_notific_route(&router, TRN_ROUTE_Q7_0 + core, bring_up, NULL), 6);
        trn_notific_router_init(&router, trn_gen_find(gens[g]), true);
        assert_int_equal(
            trn_notific_route(&router, trn_route_of_engine(4, TRN_ROUTE_EXPLICIT), bring_up, NULL),
            4);
        assert_int_equal(trn_notific_route(&router, TRN_ROUTE_EVENTS, bring_up, NULL), 1);
        assert_int_equal(trn_notific_route(&router, TRN_ROUTE_ERRORS, bring_up, NULL), 2);
    }
}

static void test_inputs_and_triggers(void **state)
{
    (void)state;
    static const uint8_t sequencers[] = {0x1E, 0x22, 0x20, 0x24, 0x26}; /* in engine order */
    for (int e = 0; e < 5; e++) {
        assert_int_equal(trn_notific_sequencer_input(e, false), sequencers[e]);
        assert_int_equal(trn_notific_sequencer_input(e, true), sequencers[e] + 1);
    }
    assert_int_equal(trn_notific_error_input(TRN_ERROR_ID_FP_UNDERFLOW), 0x15);
    assert_int_equal(trn_notific_error_input(TRN_ERROR_ID_PSUM_COLLISION), 0x1D);
    assert_int_equal(trn_notific_engine_input(3, false), 7);
    assert_int_equal(trn_notific_engine_input(1, true), 5);
    for (unsigned i = 0; i < 9; i++) /* 6.2: 61..69, 70..99, 100..129 */
        assert_int_equal(trn_notific_trigger((enum trn_notific_output)i, 0), 61 + (int)i);
    for (unsigned n = 0; n < 30; n++) {
        assert_int_equal(trn_notific_trigger(TRN_NOTIFIC_BUFFER_DROP, n), 70 + (int)n);
        assert_int_equal(trn_notific_trigger(TRN_NOTIFIC_BUFFER_FULL, n), 100 + (int)n);
    }
    assert_int_equal(trn_notific_trigger(TRN_NOTIFIC_BUFFER_FULL, 30), -1);
}

/* 7: the ten sequencer classes have masks and no buffers; their engine's own holds the record. */
static void test_sequencer_errors_share_their_engines_buffer(void **state)
{
    (void)state;
    static const uint8_t buffers[] = {0x00, 0x04, 0x02, 0x07, 0x0A};
    for (int e = 0; e < 5; e++) {
        struct rig rig;
        rig_open(&rig, NULL);
        rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
        rig_ring(&rig, 0, 0, 16);
        for (unsigned n = 0; n < 9; n++)
            (void)rig_submit(&rig, trn_notific_sequencer_input(e, true), 0, n);
        assert_int_equal(rig.last_n[TRN_NOTIFIC_BUFFER_FULL], buffers[e]);
        assert_int_equal(rig.pulses[TRN_NOTIFIC_BUFFER_FULL], 1);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_kept_exactly),
        cmocka_unit_test(test_tail_runs_ahead_of_memory),
        cmocka_unit_test(test_what_flushes_the_coalescer),
        cmocka_unit_test(test_only_queues_0_to_3_coalesce),
        cmocka_unit_test(test_line_of_many_streams),
        cmocka_unit_test(test_failed_burst_is_counted),
        cmocka_unit_test(test_busy_memory_stalls),
        cmocka_unit_test(test_axi_id_rotates_in_its_low_bits),
        cmocka_unit_test(test_routes_after_bring_up),
        cmocka_unit_test(test_inputs_and_triggers),
        cmocka_unit_test(test_sequencer_errors_share_their_engines_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
