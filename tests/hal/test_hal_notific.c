/* SPDX-License-Identifier: Apache-2.0 */
/* Notification blocks and SP handles beside the default bring-up: modes, codes, texts, shadows that
 * are never read back, classes of records (docs/hardware/hal-stpb.md 6, 14.3, 16). */
#include "hal/bringup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};

enum { NUM_GENS = sizeof gens / sizeof gens[0], SUNDA = 0, QUEUES = 10 };

/* Offsets of a notification block (notific.md 2, hal-stpb.md 16). */
enum {
    SW_BACKPRESSURE = 0x08,
    HW_BACKPRESSURE = 0x0C,
    NQ_ENABLE = 0x14,
    IGNORE_FULL = 0x18,
    UART_MODE = 0x28,
    WR_BUF_ENABLE = 0x30,
    COAL_TIMER = 0xB4,
    COAL_CTRL = 0xB8,
    RING = 0x100,
    RING_STRIDE = 0x28,
    HEAD = 0x0C,
    TAIL = 0x10
};

struct block {
    struct rig rig;
    struct trn_hal_notific *notific;
    uint64_t base;
};

static void open_block(struct block *block, const char *gen)
{
    rig_open(&block->rig, gen, 0);
    block->base = block->rig.stpb.ens_regs;
    assert_int_equal(trn_hal_notific_create(block->rig.hal, &block->notific), TRN_OK);
}

static void open_initialised(struct block *block, const char *gen)
{
    open_block(block, gen);
    assert_int_equal(
        trn_hal_notific_init(block->rig.hal, block->notific, QUEUES, 0, 0, block->base), TRN_OK);
}

static void close_block(struct block *block)
{
    rig_close(&block->rig);
}

static uint32_t word(const struct block *block, uint64_t offset)
{
    return fake_bus_peek(&block->rig.bus, block->base + offset);
}

static size_t reads(const struct block *block, uint64_t offset)
{
    return fake_bus_count(&block->rig.bus, 'R', block->base + offset);
}

static size_t writes(const struct block *block, uint64_t offset)
{
    return fake_bus_count(&block->rig.bus, 'W', block->base + offset);
}

static trn_status configure(struct block *block, unsigned queue, uint32_t size)
{
    const struct trn_hal_nq nq = {.base = 0x100000000000, .size = size};
    return trn_hal_nq_init(block->rig.hal, block->notific, queue, queue, &nq);
}

/* ---- notific_init (16.1)
 * -------------------------------------------------------------------------
 */

static void test_codes_of_notific_init(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        open_block(&b, gens[g]);
        struct trn_hal *hal = b.rig.hal;
        assert_int_equal(trn_hal_notific_init(hal, NULL, QUEUES, 0, 0, b.base), -14);
        assert_int_equal(trn_hal_notific_init(hal, b.notific, QUEUES, 0, 0, 0), -14);
        assert_int_equal(b.rig.bus.accesses, 0);
        assert_int_equal(trn_hal_notific_init(hal, b.notific, QUEUES, 2, 0, b.base), -1);
        assert_int_equal(fake_bus_logs(&b.rig.bus, 1), 1); /* "else log and -1" */
        assert_int_equal(writes(&b, SW_BACKPRESSURE), 0);
        assert_int_equal(writes(&b, HW_BACKPRESSURE), 0); /* nothing behind the failure */
        close_block(&b);
    }
}

static void test_modes_of_notific_init(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        open_block(&b, gens[g]);
        assert_int_equal(trn_hal_notific_init(b.rig.hal, b.notific, QUEUES, 1, 1, b.base), TRN_OK);
        assert_int_equal(writes(&b, SW_BACKPRESSURE), 1);
        assert_int_equal(word(&b, SW_BACKPRESSURE), 0); /* bp_mode 1: no queue is lossless */
        assert_int_equal(word(&b, UART_MODE), 1);
        assert_int_equal(word(&b, COAL_TIMER), 700000);
        assert_non_null(fake_bus_find_log(&b.rig.bus, "Initializing ENS hal with AXI base 0x"));
        close_block(&b);
        open_block(&b, gens[g]);
        assert_int_equal(trn_hal_notific_init(b.rig.hal, b.notific, 1, 0, 0, b.base), TRN_OK);
        assert_int_equal(writes(&b, COAL_TIMER), 0);        /* the one-queue flavour has none */
        assert_int_equal(word(&b, SW_BACKPRESSURE), 0x3FF); /* the same value (notific.md 9.1) */
        close_block(&b);
    }
}

static void *allocate(void *platform, size_t size)
{
    bool *full = platform;
    return *full ? NULL : calloc(1, size);
}

static void release(void *platform, void *memory)
{
    (void)platform;
    free(memory);
}

/* 160h * num_queues bytes: -12, and sp_init, which goes on, says so (14.3). */
static void test_no_memory_for_the_queues(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        bool full = false;
        rig_open(&b.rig, gens[g], 0);
        const struct trn_hal_engine_config config = rig_topsp(&b.rig, 0);
        const struct trn_hal_options options = {.observer = fake_bus_observer(&b.rig.bus),
                                                .platform = &full,
                                                .allocate = allocate,
                                                .release = release};
        trn_hal_destroy(b.rig.hal);
        assert_int_equal(trn_hal_create(&b.rig.bus.bus, &options, &b.rig.hal, NULL), TRN_OK);
        assert_int_equal(trn_hal_latch(b.rig.hal, b.rig.gen), TRN_OK);
        assert_int_equal(trn_hal_notific_create(b.rig.hal, &b.notific), TRN_OK);
        full = true;
        b.base = b.rig.stpb.ens_regs;
        assert_int_equal(trn_hal_notific_init(b.rig.hal, b.notific, QUEUES, 0, 0, b.base), -12);
        assert_int_equal(b.rig.bus.accesses, 0);
        assert_int_equal(trn_hal_sp_init(b.rig.hal, &config, b.notific, 0, false), TRN_OK);
        assert_non_null(fake_bus_find_log(&b.rig.bus, "Failed to initialize notific. -12"));
        full = false;
        close_block(&b);
    }
}

/* ---- rings (16.3, notific.md 9.2)
 * ----------------------------------------------------------------
 */

static void test_ignore_full_and_reset(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        open_initialised(&b, gens[g]);
        struct trn_hal *hal = b.rig.hal;
        for (unsigned q = 4; q <= 6; q++)
            assert_int_equal(configure(&b, q, 0x10000), TRN_OK);
        assert_int_equal(trn_hal_nq_enable(hal, b.notific, 4, 4, true), TRN_OK);
        assert_int_equal(word(&b, IGNORE_FULL), 1 << 4);
        assert_int_equal(trn_hal_nq_enable(hal, b.notific, 5, 5, false), TRN_OK);
        assert_int_equal(trn_hal_nq_enable(hal, b.notific, 6, 6, true), TRN_OK);
        assert_int_equal(word(&b, IGNORE_FULL), 1 << 4 | 1 << 6);
        assert_int_equal(word(&b, NQ_ENABLE), 7 << 4);
        /* The shadows are authoritative: what the registers hold is never asked. */
        fake_bus_poke(&b.rig.bus, b.base + NQ_ENABLE, 0x3FF);
        fake_bus_poke(&b.rig.bus, b.base + IGNORE_FULL, 0x3FF);
        fake_bus_poke(&b.rig.bus, b.base + RING + 4 * RING_STRIDE + HEAD, 0x40);
        assert_int_equal(trn_hal_nq_reset(hal, b.notific, 4, 4), TRN_OK);
        assert_int_equal(word(&b, IGNORE_FULL), 1 << 6);
        assert_int_equal(word(&b, NQ_ENABLE), 3 << 5);
        assert_int_equal(word(&b, RING + 4 * RING_STRIDE + HEAD), 0);
        assert_int_equal(reads(&b, NQ_ENABLE) + reads(&b, IGNORE_FULL), 0);
        assert_int_equal(reads(&b, COAL_CTRL), 0); /* queues 4 to 9 have no stream */
        close_block(&b);
    }
}

static void test_reset_clears_the_ring(void **state)
{
    static unsigned char memory[64 + 16];
    struct block b;
    (void)state;
    open_initialised(&b, "cayman");
    memset(memory, 0xA5, sizeof memory);
    const struct trn_hal_nq nq = {.base = 0x400000000000, .memory = memory, .size = 64};
    assert_int_equal(trn_hal_nq_init(b.rig.hal, b.notific, 0, 0, &nq), TRN_OK);
    assert_int_equal(memory[0], 0xA5);
    assert_int_equal(trn_hal_nq_reset(b.rig.hal, b.notific, 0, 0), TRN_OK);
    for (size_t i = 0; i < sizeof memory; i++)
        assert_int_equal(memory[i], i < 64 ? 0 : 0xA5);
    close_block(&b);
}

static void test_bad_rings(void **state)
{
    (void)state;
    struct block b;
    open_initialised(&b, "cayman");
    const size_t before = b.rig.bus.accesses;
    assert_int_equal(configure(&b, 0, 0), -22);
    assert_int_equal(configure(&b, 0, 8), -22); /* smaller than a record */
    assert_int_equal(configure(&b, 0, 0x10010), -22);
    assert_int_equal(configure(&b, 10, 0x10000), TRN_ERR_ABORT); /* ends the program there */
    assert_int_equal(trn_hal_nq_enable(b.rig.hal, b.notific, 10, 10, false), TRN_ERR_ABORT);
    assert_int_equal(trn_hal_nq_reset(b.rig.hal, b.notific, 10, 10), TRN_ERR_ABORT);
    assert_int_equal(b.rig.bus.accesses, before);
    close_block(&b);
    open_block(&b, "cayman"); /* a block that notific_init has not seen */
    assert_int_equal(configure(&b, 0, 0x10000), -14);
    assert_int_equal(trn_hal_nq_enable(b.rig.hal, b.notific, 0, 0, false), -14);
    assert_int_equal(b.rig.bus.accesses, 0);
    close_block(&b);
    assert_int_equal(trn_hal_nq_get_notification_size(), 16);
}

/* ---- classes (16.2)
 * -------------------------------------------------------------------------------
 */

/* Masks: evsem 0x800, ham 0x1000, error 0xFF_FFE0_0000 (model choice there). Shadows start at all
 * ones, so a class must be switched off before its bits show. */
static void test_classes_change_their_bits_only(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        open_initialised(&b, gens[g]);
        struct trn_hal *hal = b.rig.hal;
        const uint64_t regs = b.rig.stpb.tpb_regs;
        fake_bus_poke(&b.rig.bus, regs + 0xA0C, 0xFFFFFFF5);
        assert_int_equal(
            trn_hal_notific_class_enable(hal, b.notific, regs, TRN_HAL_CLASS_ERROR, 2, false),
            TRN_OK);
        assert_int_equal(word(&b, WR_BUF_ENABLE), 0x001FFFFF);
        assert_int_equal(word(&b, WR_BUF_ENABLE + 4), 0xFFFFFF00);
        assert_int_equal(fake_bus_count(&b.rig.bus, 'W', regs + 0xA0C), 0); /* when enabling */
        assert_int_equal(
            trn_hal_notific_class_enable(hal, b.notific, regs, TRN_HAL_CLASS_ERROR, 2, true),
            TRN_OK);
        assert_int_equal(word(&b, WR_BUF_ENABLE), 0xFFFFFFFF);
        assert_int_equal(word(&b, WR_BUF_ENABLE + 4), 0xFFFFFFFF);
        assert_int_equal(fake_bus_peek(&b.rig.bus, regs + 0xA0C), 0xFFFFFFF2);
        assert_int_equal(
            trn_hal_notific_class_enable(hal, b.notific, regs, TRN_HAL_CLASS_EVSEM_BP, 0, false),
            TRN_OK);
        assert_int_equal(word(&b, HW_BACKPRESSURE), 0xFFFFF7FF);
        assert_int_equal(word(&b, HW_BACKPRESSURE + 4), 0xFFFFFFFF);
        assert_int_equal(reads(&b, WR_BUF_ENABLE) + reads(&b, HW_BACKPRESSURE), 0);
        close_block(&b);
    }
}

/* notific.md 7.2: A10 is 0x00100030 with HAM on, queue 3; SUNDA has no such register. */
static void test_ham_class(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct block b;
        open_initialised(&b, gens[g]);
        const uint64_t regs = b.rig.stpb.tpb_regs;
        const size_t before = b.rig.bus.accesses;
        const trn_status status =
            trn_hal_notific_class_enable(b.rig.hal, b.notific, regs, TRN_HAL_CLASS_HAM, 3, true);
        if (g == SUNDA) {
            assert_true(status < TRN_OK);
            assert_int_equal(b.rig.bus.accesses, before);
        } else {
            assert_int_equal(status, TRN_OK);
            assert_int_equal(fake_bus_peek(&b.rig.bus, regs + 0xA10), 0x00100030);
        }
        close_block(&b);
    }
}

/* ---- SP handles (14.3)
 * ----------------------------------------------------------------------------
 */

static void refuse_sp(struct rig *rig, const struct trn_hal_engine_config *config, const char *text)
{
    rig_again(rig);
    assert_int_equal(trn_hal_sp_init(rig->hal, config, NULL, 0, true), -22);
    assert_int_equal(rig->bus.accesses, 0);
    assert_int_equal(fake_bus_logs(&rig->bus, 1), 1);
    if (!fake_bus_find_log(&rig->bus, text))
        fail_msg("%s: no log line with \"%s\"", rig->gen->name, text);
}

static void test_bad_sp_handles(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        const struct trn_hal_engine_config good = rig_topsp(&rig, 0);
        struct trn_hal_engine_config bad = good;
        refuse_sp(&rig, NULL, "invalid input =");
        bad.mem_handle = 0;
        refuse_sp(&rig, &bad, "invalid input sp_mem_handle=0x0 sp_regs=0x");
        bad = good;
        bad.regs = 0;
        refuse_sp(&rig, &bad, "sp_regs=0x0");
        bad = good;
        bad.info.inst_debug_level = 9;
        refuse_sp(&rig, &bad, "invalid inst_debug_level=9");
        bad.info.inst_debug_level = 8;
        assert_int_equal(trn_hal_sp_init(rig.hal, &bad, NULL, 0, true), TRN_OK);
        rig_close(&rig);
    }
}

/* init_flag 0: the handle is checked, nothing is brought up. */
static void test_sp_without_init_flag(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        const struct trn_hal_engine_config config = rig_topsp(&rig, 0);
        assert_int_equal(trn_hal_sp_init(rig.hal, &config, NULL, 0, false), TRN_OK);
        assert_int_equal(rig.bus.accesses, 0);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_of_notific_init),
        cmocka_unit_test(test_modes_of_notific_init),
        cmocka_unit_test(test_no_memory_for_the_queues),
        cmocka_unit_test(test_ignore_full_and_reset),
        cmocka_unit_test(test_reset_clears_the_ring),
        cmocka_unit_test(test_bad_rings),
        cmocka_unit_test(test_classes_change_their_bits_only),
        cmocka_unit_test(test_ham_class),
        cmocka_unit_test(test_bad_sp_handles),
        cmocka_unit_test(test_sp_without_init_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
