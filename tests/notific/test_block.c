/* SPDX-License-Identifier: Apache-2.0 */
/* The notification block against docs/hardware/notific.md: the checks of section 10 in order, then
 * the rules of section 4 that they leave out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "notific/rig.h"

static const struct trn_notific_options one_queue = {.owner = TRN_NOTIFIC_OF_TRIGGERS,
                                                     .one_queue = true};

/* ---- section 10 ----------------------------------------------------------------------------- */

/* 10.1 and section 2: offset, reset, what a write of all ones leaves. */
static void test_registers_and_reset_values(void **state)
{
    (void)state;
    static const uint32_t rows[][3] = {{0x00, 0, 0},
                                       {0x04, 0, 0},
                                       {0x08, 0, 0x3FF},
                                       {0x0C, 0, 0xFFFFFFFF},
                                       {0x10, 0, 0xFFFFFFFF},
                                       {0x14, 0, 0x3FF},
                                       {0x18, 0, 0x3FF},
                                       {0x28, 0, 1},
                                       {0x2C, 1, 0xFFFF},
                                       {0x30, 0, 0xFFFFFFFF},
                                       {0x34, 0, 0xFFFFFFFF},
                                       {0x40, 0, 0},
                                       {0x44, 0, 0},
                                       {0x48, 0, 0},
                                       {0x4C, 0, 1},
                                       {0x50, 240, 240},
                                       {0x54, 0, 0x1FF},
                                       {0x60, 0, 0},
                                       {0x64, 0, 0},
                                       {0x68, 0, 0},
                                       {0x6C, 0, 0},
                                       {0x70, 0, 0},
                                       {0x80, 16, 16},
                                       {0x84, 0, 0x1FF},
                                       {0x90, 0, 0},
                                       {0x94, 0, 0},
                                       {0x98, 0, 0},
                                       {0x9C, 0, 0},
                                       {0xA0, 0, 0},
                                       {0xA4, 0, 0},
                                       {0xA8, 0, 0},
                                       {0xB0, 0, 0},
                                       {0xB4, 0x1000, 0xFFFFFFFF},
                                       {0xB8, 0x3C00, 0x1FFFFF},
                                       {0xBC, 0, 7},
                                       {0xC0, 0, 0x3FF},
                                       {0xC4, 0, 0},
                                       {0xC8, 0, 0},
                                       {0xCC, 0x400, 0xFFFFFF},
                                       {0xF0, 0, 0xFFFFFFFF},
                                       {0xF4, 0xFFFFFFFF, 0xFFFFFFFF}};
    struct rig rig;
    const struct trn_notific_options options = {0};
    rig = (struct rig){0};
    const struct trn_notific_ports ports = rig_ports(&rig);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        assert_int_equal(trn_notific_create(trn_gen_at(g), &options, &ports, &rig.block), TRN_OK);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            assert_int_equal(rig_read(&rig, rows[i][0]), rows[i][1]);
        /* 10.2: ten descriptors of six words at stride 0x28, the last threshold at 0x27C */
        for (uint32_t q = 0; q < 10; q++)
            for (uint32_t word = 0; word < 6; word++)
                assert_int_equal(rig_read(&rig, 0x100 + 0x28 * q + 4 * word), 0);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            rig_write(&rig, rows[i][0], UINT32_MAX);
            assert_int_equal(rig_read(&rig, rows[i][0]), rows[i][2]);
        }
        trn_notific_reset(rig.block);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            assert_int_equal(rig_read(&rig, rows[i][0]), rows[i][1]);
        trn_notific_destroy(rig.block);
    }
}

static void test_undefined_offsets_read_zero(void **state)
{
    (void)state;
    static const uint32_t holes[] = {0x20, 0x24, 0x38, 0x3C, 0x58, 0x5C,  0x74,  0x7C,  0x88, 0x8C,
                                     0xAC, 0xD0, 0xEC, 0xF8, 0xFC, 0x118, 0x124, 0x290, 0xFFC};
    struct rig rig;
    uint32_t value;
    rig_open(&rig, NULL);
    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
        assert_false(trn_notific_write32(rig.block, holes[i], UINT32_MAX));
        value = 1;
        assert_false(trn_notific_read32(rig.block, holes[i], &value));
        assert_int_equal(value, 0);
    }
    rig_close(&rig);
}

static void test_one_queue_form(void **state)
{
    (void)state;
    struct rig rig;
    uint32_t value;
    rig_open(&rig, &one_queue);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 0x3FF);
    assert_int_equal(rig_read(&rig, RIG_SW_BACKPRESSURE), 1);
    rig_write(&rig, RIG_NQ_ENABLE, 0x3FF);
    assert_int_equal(rig_read(&rig, RIG_NQ_ENABLE), 1);
    assert_true(trn_notific_read32(rig.block, 0x114, &value));
    assert_false(trn_notific_read32(rig.block, 0x128, &value));
    rig_ring(&rig, 0, 0, 64);
    assert_int_equal(rig_submit(&rig, 0, 0, 7), TRN_NOTIFIC_TAKEN);
    assert_int_equal(rig_number(&rig, 0), 7);
    assert_int_equal(rig_submit(&rig, 0, 1, 8), TRN_NOTIFIC_TAKEN); /* no such queue */
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_DISABLED], 1);
    rig_close(&rig);
}

/* 10.3 */
static void test_disabled_queue_drops(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 2, 0, 64);
    rig_write(&rig, RIG_NQ_ENABLE, 0);
    assert_int_equal(rig_submit(&rig, TRN_INPUT_SP, 2, 1), TRN_NOTIFIC_TAKEN);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_DISABLED], 1);
    assert_int_equal(rig.writes, 0);
    assert_int_equal(rig_read(&rig, rig_queue(2, RIG_TAIL)), 0);
    assert_int_equal(rig_read(&rig, RIG_STATS), 0);
    for (unsigned q = 10; q < 16; q++) /* 10.12: numbers that no queue has */
        (void)rig_submit(&rig, TRN_INPUT_SP, q, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_DISABLED], 7);
    assert_int_equal(rig.choices[TRN_CHOICE_NOTIFIC_BAD_QUEUE], 6);
    const struct trn_notific_counts counts = trn_notific_counts(rig.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.dropped_disabled, 7);
    assert_int_equal(trn_notific_lost(&counts), 7);
    assert_int_equal(trn_notific_counts(rig.block, 2).dropped_disabled, 1);
    rig_close(&rig);
}

/* 10.4 */
static void test_lossless_ring_stalls_and_releases_one(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_ring(&rig, 0, 0, 64);
    for (unsigned n = 1; n <= 3; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_ACT_0, 0, n), TRN_NOTIFIC_TAKEN);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 0);
    assert_int_equal(rig_read(&rig, RIG_FULL), 1);
    for (unsigned n = 4; n <= 5; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_ACT_0, 0, n), TRN_NOTIFIC_TAKEN);
    trn_notific_poll(rig.block);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 1); /* an edge, not one a retry */
    assert_int_equal(rig.writes, 3);
    assert_int_equal(trn_notific_waiting(rig.block), 2);
    rig_write(&rig, RIG_HEAD, 16);
    assert_int_equal(rig.writes, 4);
    assert_int_equal(rig_number(&rig, 48), 4);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 2); /* the fifth meets a full ring */
    assert_int_equal(trn_notific_waiting(rig.block), 1);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 0);
    rig_write(&rig, RIG_HEAD, 48);
    assert_int_equal(rig_number(&rig, 0), 5);
    assert_int_equal(rig_read(&rig, RIG_FULL), 0);
    assert_false(rig_record(&rig, 0).sw_overflow);
    const struct trn_notific_counts counts = trn_notific_counts(rig.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.stored, 5);
    assert_int_equal(trn_notific_lost(&counts), 0);
    rig_close(&rig);
}

/* 10.5 */
static void test_ignore_full_overwrites(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_IGNORE_FULL, 1);
    rig_ring(&rig, 0, 0, 64);
    for (unsigned n = 1; n <= 4; n++)
        (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, n);
    assert_int_equal(rig_number(&rig, 48), 4);
    assert_true(rig_record(&rig, 48).sw_overflow);
    assert_false(rig_record(&rig, 32).sw_overflow);
    assert_int_equal(rig_read(&rig, RIG_TAIL), rig_read(&rig, RIG_HEAD));
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 0);
    assert_int_equal(trn_notific_counts(rig.block, 0).overwritten, 0); /* all four are there */
    (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, 5); /* the ring looks empty: over the oldest */
    assert_false(rig_record(&rig, 0).sw_overflow);
    assert_int_equal(trn_notific_counts(rig.block, 0).overwritten, 1);
    rig_write(&rig, RIG_HEAD, 16); /* passes record 5; 2, 3 and 4 were never read */
    for (unsigned n = 6; n <= 8; n++)
        (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, n);
    assert_int_equal(trn_notific_counts(rig.block, 0).overwritten, 4);
    rig_close(&rig);
}

/* 10.6 */
static void test_drop_marks_the_next_stored_record(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 64);
    for (unsigned n = 1; n <= 5; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_ACT_0, 0, n), TRN_NOTIFIC_TAKEN);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 2);
    assert_int_equal(trn_notific_counts(rig.block, 0).dropped_full, 2);
    rig_write(&rig, RIG_HEAD, 48);
    (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, 6);
    (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, 7);
    assert_int_equal(rig_number(&rig, 48), 6);
    assert_true(rig_record(&rig, 48).sw_overflow);
    assert_int_equal(rig_number(&rig, 0), 7);
    assert_false(rig_record(&rig, 0).sw_overflow);
    rig_close(&rig);
}

/* 10.7 */
static void test_ring_wraps_phase(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 48);
    for (unsigned n = 0; n < 9; n++) {
        (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, n);
        const uint32_t at = n % 3 * 16;
        assert_int_equal(rig_record(&rig, at).phase, n / 3 % 2 == 0);
        rig_write(&rig, RIG_HEAD, (n + 1) % 3 * 16);
    }
    rig_close(&rig);
    /* the other reading of the first lap */
    const struct trn_notific_options options = {.first_phase_is_zero = true};
    rig_open(&rig, &options);
    rig_ring(&rig, 0, 0, 48);
    (void)rig_submit(&rig, TRN_INPUT_ACT_0, 0, 1);
    assert_false(rig_record(&rig, 0).phase);
    rig_close(&rig);
}

/* 10.8 */
static void test_threshold_fires_once_until_head_is_written(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 3, 0, 256);
    rig_write(&rig, rig_queue(3, RIG_THRESHOLD), 32);
    rig_write(&rig, RIG_THRESHOLD_EN, 1 << 3);
    (void)rig_submit(&rig, TRN_INPUT_SP, 3, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_THRESHOLD], 0);
    (void)rig_submit(&rig, TRN_INPUT_SP, 3, 2); /* reached is enough */
    assert_int_equal(rig.pulses[TRN_NOTIFIC_THRESHOLD], 1);
    assert_int_equal(rig_read(&rig, RIG_PASSED), 1 << 3);
    (void)rig_submit(&rig, TRN_INPUT_SP, 3, 3);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_THRESHOLD], 1);
    rig_write(&rig, rig_queue(3, RIG_HEAD), 0); /* any head write arms it, even without a move */
    assert_int_equal(rig_read(&rig, RIG_PASSED), 0);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_THRESHOLD], 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 3, 4);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_THRESHOLD], 2);
    rig_close(&rig);
}

/* 10.9 */
static void test_uart_mode_writes_at_the_base(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_UART_MODE, 1);
    rig_ring(&rig, 0, 64, 32);
    for (unsigned n = 1; n <= 5; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    assert_int_equal(rig_number(&rig, 64), 5);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 0);
    assert_int_equal(rig_read(&rig, RIG_FULL), 0);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 0);
    rig_close(&rig);
}

/* 10.10 */
static void test_stats_are_cleared_by_a_read(void **state)
{
    (void)state;
    struct rig rig;
    uint32_t value;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 4096);
    for (unsigned n = 0; n < 5; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    assert_true(trn_notific_peek32(rig.block, RIG_STATS, &value));
    assert_int_equal(value, 5);
    assert_int_equal(rig_read(&rig, RIG_STATS), 5);
    assert_int_equal(rig_read(&rig, RIG_STATS), 0);
    rig_close(&rig);
}

/* 10.11 */
static void test_overlap_and_write_error(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 4, 0, 256);
    rig_ring(&rig, 5, 256, 256);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_OVERLAP], 0); /* they touch, and share nothing */
    rig_write(&rig, rig_queue(5, RIG_BASE_LO), RIG_BASE + 240);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_OVERLAP], 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 4, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_OVERLAP], 2);
    rig_write(&rig, RIG_NQ_ENABLE, 1 << 4);
    (void)rig_submit(&rig, TRN_INPUT_SP, 4, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_OVERLAP], 2);

    rig_write(&rig, rig_queue(4, RIG_BASE_HI), 0x12345678); /* nothing is there */
    (void)rig_submit(&rig, TRN_INPUT_SP, 4, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_WRITE_ERROR], 1);
    assert_int_equal(rig_read(&rig, RIG_ERROR_ADDR_LO), RIG_BASE + 32);
    assert_int_equal(rig_read(&rig, RIG_ERROR_ADDR_HI), 0x12345678);
    assert_int_equal(rig_read(&rig, rig_queue(4, RIG_TAIL)), 48); /* not rolled back */
    const struct trn_notific_counts counts = trn_notific_counts(rig.block, 4);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(counts.stored, 2);
    rig_close(&rig);
}

/* ---- 4: classes and input buffers --------------------------------------------------------- */

static void test_masked_class_is_silent(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 64);
    rig_write(&rig, RIG_WR_BUF_LO, ~(1u << TRN_INPUT_HAM));
    rig_write(&rig, RIG_WR_BUF_HI, ~(1u << (TRN_INPUT_ERROR_ACT_SEQUENCER_FATAL - 32)));
    assert_int_equal(rig_submit(&rig, TRN_INPUT_HAM, 0, 1), TRN_NOTIFIC_MASKED);
    assert_int_equal(rig_submit(&rig, TRN_INPUT_ERROR_ACT_SEQUENCER_FATAL, 0, 1),
                     TRN_NOTIFIC_MASKED);
    assert_int_equal(rig_submit(&rig, TRN_INPUT_ERROR_ACT_SEQUENCER_NONFATAL, 0, 1),
                     TRN_NOTIFIC_TAKEN);
    assert_int_equal(rig_submit(&rig, 64, 0, 1), TRN_NOTIFIC_MASKED); /* no such input */
    for (unsigned i = 0; i < TRN_NOTIFIC_INTERRUPTS; i++)
        assert_int_equal(rig.pulses[i], 0);
    const struct trn_notific_counts counts = trn_notific_counts(rig.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.masked, 3);
    assert_int_equal(trn_notific_lost(&counts), 0);
    rig_close(&rig);
}

static void test_full_input_buffer_stalls_its_producer(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_ring(&rig, 0, 0, 32); /* one record */
    rig_ring(&rig, 1, 1024, 1024);
    for (unsigned n = 0; n < 9; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_DVE_0, 0, n), TRN_NOTIFIC_TAKEN);
    for (unsigned i = 0; i < 3; i++) /* the producer tries again and again: one pulse */
        assert_int_equal(rig_submit(&rig, TRN_INPUT_DVE_0, 0, 9), TRN_NOTIFIC_STALLED);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_BUFFER_FULL_STALL], 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_BUFFER_FULL], 1);
    assert_int_equal(rig.last_n[TRN_NOTIFIC_BUFFER_FULL], TRN_INPUT_DVE_0);
    assert_int_equal(rig.choices[TRN_CHOICE_NOTIFIC_INPUT_DEPTH], 1);
    assert_int_equal(rig_submit(&rig, TRN_INPUT_PE_0, 1, 77), TRN_NOTIFIC_TAKEN); /* others go on */
    assert_int_equal(rig_number(&rig, 1024), 77);
    rig_write(&rig, RIG_HEAD, 16);
    assert_int_equal(rig_submit(&rig, TRN_INPUT_DVE_0, 0, 9), TRN_NOTIFIC_TAKEN);
    for (unsigned n = 2; n < 11; n++) { /* nothing is lost, nothing changes places */
        assert_int_equal(rig_number(&rig, (n - 1) % 2 * 16), n - 1);
        rig_write(&rig, RIG_HEAD, n % 2 * 16);
    }
    rig_close(&rig);
}

static void test_full_input_buffer_drops_and_marks(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_write(&rig, RIG_HW_BACKPRESSURE_LO, 0);
    rig_ring(&rig, 0, 0, 32);
    for (unsigned n = 0; n < 9; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_DVE_0, 0, n), TRN_NOTIFIC_TAKEN);
    for (unsigned n = 9; n < 12; n++)
        assert_int_equal(rig_submit(&rig, TRN_INPUT_DVE_0, 0, n), TRN_NOTIFIC_DROPPED);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_BUFFER_FULL_DROP], 3);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_BUFFER_DROP], 3);
    assert_int_equal(rig.last_n[TRN_NOTIFIC_BUFFER_DROP], TRN_INPUT_DVE_0);
    rig_write(&rig, RIG_HEAD, 16);
    assert_true(rig_record(&rig, 16).hw_overflow); /* the next one stored of this input */
    rig_write(&rig, RIG_HEAD, 0);
    assert_false(rig_record(&rig, 0).hw_overflow);
    assert_int_equal(rig.choices[TRN_CHOICE_NOTIFIC_HW_OVERFLOW_MARK], 1);
    const struct trn_notific_counts counts = trn_notific_counts(rig.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.dropped_buffer, 3);
    assert_int_equal(trn_notific_lost(&counts), 3);
    rig_close(&rig);
}

static void test_niq_shows_what_waits(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_ring(&rig, 0, 0, 32);
    for (unsigned n = 0; n < 3; n++)
        (void)rig_submit(&rig, TRN_INPUT_DVE_0, 0, n);
    rig_write(&rig, RIG_NIQ_INDEX, TRN_INPUT_DVE_0 * 8 + 1); /* its second record */
    assert_int_equal(rig_read(&rig, RIG_NIQ_0), 0x0A000000);
    assert_int_equal(rig_read(&rig, RIG_NIQ_0 + 4), 0x00020002);
    assert_int_equal(rig_read(&rig, RIG_NIQ_0 + 16), TRN_INPUT_DVE_0 << 4);
    rig_write(&rig, RIG_NIQ_INDEX, TRN_INPUT_DVE_0 * 8 + 2);
    assert_int_equal(rig_read(&rig, RIG_NIQ_0), 0);
    rig_write(&rig, RIG_NIQ_INDEX, 0x1FF);
    assert_int_equal(rig_read(&rig, RIG_NIQ_0), 0);
    rig_close(&rig);
}

/* ---- 4.1 to 4.6 ------------------------------------------------------------------------------ */

static void test_backpressure_wins_over_ignore_full(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_write(&rig, RIG_IGNORE_FULL, 1);
    rig_ring(&rig, 0, 0, 32);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 2);
    assert_int_equal(rig.writes, 1);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 1);
    assert_int_equal(rig.choices[TRN_CHOICE_NOTIFIC_BACKPRESSURE_WINS], 1);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 0); /* the policy changes while it waits */
    assert_int_equal(rig.writes, 2);
    assert_true(rig_record(&rig, 16).sw_overflow);
    rig_close(&rig);
}

/* size 0, the driver's halt: dropped whatever the policy, and nobody waits (4.2) */
static void test_halted_ring_drops_under_every_policy(void **state)
{
    (void)state;
    struct rig rig;
    for (unsigned policy = 0; policy < 4; policy++) {
        rig_open(&rig, NULL);
        rig_write(&rig, RIG_SW_BACKPRESSURE, policy & 1);
        rig_write(&rig, RIG_IGNORE_FULL, policy >> 1);
        rig_ring(&rig, 0, 0, policy ? 15 : 0); /* the low four bits count as 0 */
        assert_int_equal(rig_read(&rig, RIG_FULL), 1);
        assert_int_equal(rig_submit(&rig, TRN_INPUT_SP, 0, 1), TRN_NOTIFIC_TAKEN);
        assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 1);
        assert_int_equal(rig.writes, 0);
        assert_int_equal(trn_notific_waiting(rig.block), 0);
        rig_write(&rig, RIG_SIZE, 64);
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, 2);
        assert_true(rig_record(&rig, 0).sw_overflow);
        rig_close(&rig);
    }
}

/* A driver that takes the ring away releases a producer that waits for it. */
static void test_halt_releases_a_stalled_producer(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_ring(&rig, 0, 0, 32);
    for (unsigned n = 0; n < 5; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    assert_int_equal(trn_notific_waiting(rig.block), 4);
    rig_write(&rig, RIG_SIZE, 0);
    assert_int_equal(trn_notific_waiting(rig.block), 0);
    assert_int_equal(trn_notific_counts(rig.block, 0).dropped_full, 4);
    rig_close(&rig);
}

static void test_smallest_and_odd_rings(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1);
    rig_ring(&rig, 0, 0, 16); /* room for the free slot only */
    assert_int_equal(rig_read(&rig, RIG_FULL), 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    assert_int_equal(rig.writes, 0);
    rig_write(&rig, RIG_SIZE, 32);
    assert_int_equal(rig.writes, 1); /* a new size takes effect at once */
    rig_write(&rig, RIG_SIZE, 47);   /* 32 */
    assert_int_equal(rig_read(&rig, RIG_SIZE), 47);
    assert_int_equal(rig_read(&rig, RIG_FULL), 1);
    rig_write(&rig, RIG_SIZE, 48);
    assert_int_equal(rig_read(&rig, RIG_FULL), 0);
    rig_close(&rig);
}

/* head is used modulo the size, low four bits as 0; it may claim to be beyond tail (4.2) */
static void test_odd_heads(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 64);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 1);
    rig_write(&rig, RIG_HEAD, 64 + 16 + 7); /* 16 */
    assert_int_equal(rig_read(&rig, RIG_HEAD), 87);
    for (unsigned n = 2; n <= 4; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    assert_int_equal(rig_read(&rig, RIG_FULL), 1);
    assert_int_equal(rig_read(&rig, RIG_TAIL), 0);
    rig_write(&rig, RIG_HEAD, 0); /* empty */
    assert_int_equal(rig_read(&rig, RIG_FULL), 0);
    rig_write(&rig, RIG_HEAD, 16); /* beyond tail: used is 48, as if the ring were full */
    assert_int_equal(rig_read(&rig, RIG_FULL), 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 5);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_FULL], 1);
    rig_close(&rig);
}

static void test_new_size_moves_the_tail(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 64);
    for (unsigned n = 1; n <= 2; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 0, n);
    rig_write(&rig, RIG_SIZE, 32); /* tail 32 is outside: 0 and the other phase */
    assert_int_equal(rig_read(&rig, RIG_TAIL), 0);
    (void)rig_submit(&rig, TRN_INPUT_SP, 0, 3);
    assert_int_equal(rig_number(&rig, 0), 3);
    assert_false(rig_record(&rig, 0).phase);
    rig_close(&rig);
}

static void test_disable_resets_the_ring(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_write(&rig, RIG_SW_BACKPRESSURE, 1 << 1);
    rig_ring(&rig, 1, 0, 32);
    for (unsigned n = 1; n <= 3; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, 1, n);
    assert_int_equal(trn_notific_waiting(rig.block), 2);
    rig_write(&rig, RIG_NQ_ENABLE, 0); /* mid-stream: what waited meets a queue that is off */
    assert_int_equal(rig_read(&rig, rig_queue(1, RIG_TAIL)), 0);
    assert_int_equal(rig_read(&rig, RIG_FULL), 0);
    assert_int_equal(trn_notific_waiting(rig.block), 0);
    assert_int_equal(rig.pulses[TRN_NOTIFIC_QUEUE_DISABLED], 2);
    rig_write(&rig, RIG_NQ_ENABLE, 1 << 1);
    (void)rig_submit(&rig, TRN_INPUT_SP, 1, 9);
    assert_int_equal(rig_number(&rig, 0), 9);
    assert_true(rig_record(&rig, 0).phase);
    assert_false(rig_record(&rig, 0).sw_overflow);
    rig_close(&rig);
}

static void test_counts_say_where_each_record_went(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, NULL);
    rig_ring(&rig, 0, 0, 64);
    for (unsigned n = 0; n < 10; n++)
        (void)rig_submit(&rig, TRN_INPUT_SP, n % 2, n); /* queue 1 is off */
    const struct trn_notific_counts all = trn_notific_counts(rig.block, TRN_NOTIFIC_ALL);
    assert_int_equal(all.submitted, 10);
    assert_int_equal(all.stored, 3);
    assert_int_equal(all.dropped_full, 2);
    assert_int_equal(all.dropped_disabled, 5);
    assert_false(all.inexact);
    assert_int_equal(trn_notific_counts(rig.block, 99).stored, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_and_reset_values),
        cmocka_unit_test(test_undefined_offsets_read_zero),
        cmocka_unit_test(test_one_queue_form),
        cmocka_unit_test(test_disabled_queue_drops),
        cmocka_unit_test(test_lossless_ring_stalls_and_releases_one),
        cmocka_unit_test(test_ignore_full_overwrites),
        cmocka_unit_test(test_drop_marks_the_next_stored_record),
        cmocka_unit_test(test_ring_wraps_phase),
        cmocka_unit_test(test_threshold_fires_once_until_head_is_written),
        cmocka_unit_test(test_uart_mode_writes_at_the_base),
        cmocka_unit_test(test_stats_are_cleared_by_a_read),
        cmocka_unit_test(test_overlap_and_write_error),
        cmocka_unit_test(test_masked_class_is_silent),
        cmocka_unit_test(test_full_input_buffer_stalls_its_producer),
        cmocka_unit_test(test_full_input_buffer_drops_and_marks),
        cmocka_unit_test(test_niq_shows_what_waits),
        cmocka_unit_test(test_backpressure_wins_over_ignore_full),
        cmocka_unit_test(test_halted_ring_drops_under_every_policy),
        cmocka_unit_test(test_halt_releases_a_stalled_producer),
        cmocka_unit_test(test_smallest_and_odd_rings),
        cmocka_unit_test(test_odd_heads),
        cmocka_unit_test(test_new_size_moves_the_tail),
        cmocka_unit_test(test_disable_resets_the_ring),
        cmocka_unit_test(test_counts_say_where_each_record_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
