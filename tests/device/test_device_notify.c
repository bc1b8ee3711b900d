/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a core on their way: classes, routing fields, rings in host and device memory, trigger
 * causes, the device clock, back-pressure (notific.md 3, 4, 6, 7, 10; error-handling.md 8).
 * Expected bytes are packed by hand from notification-records.md 4 and 5. */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"

/* address-map.md 7, notific.md 8.1 and 6.3 (trigger units: TPB_CSR + 2000h): core 0. */
struct places {
    const char *gen;
    uint64_t file, notific, triggers, host;
};

static const struct places all_places[] = {
    {"sunda", 0x30530000, 0x30535000, 0x30532000, UINT64_C(0x100000000000)},
    {"cayman", 0x06000000, 0x06001000, 0x06002000, UINT64_C(0x400000000000)},
};

enum { RING = 0x100, RINGS = 10, HOST_BYTES = 0x2000 };

struct rig {
    struct fixture core;
    const struct places *at;
    uint8_t host[HOST_BYTES];
};

static void write32(struct rig *rig, uint64_t at, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    assert_int_equal(bus->write32(bus->context, at, value), TRN_OK);
}

static uint32_t read32(struct rig *rig, uint64_t at)
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, at, &value), TRN_OK);
    return value;
}

static uint64_t queue_reg(const struct rig *rig, unsigned q, unsigned offset)
{
    return rig->at->notific + 0x100 + 0x28 * q + offset;
}

static void set_base(struct rig *rig, unsigned q, uint64_t base)
{
    write32(rig, queue_reg(rig, q, 0), (uint32_t)base);
    write32(rig, queue_reg(rig, q, 4), (uint32_t)(base >> 32));
    write32(rig, queue_reg(rig, q, 8), RING);
}

/* Ten rings of 15 records in host memory, every class on, errors to 2, events to 1, explicit
 * records of DVE to 7; full rings stall. */
static void open_rig(struct rig *rig, const struct places *at)
{
    memset(rig, 0, sizeof *rig);
    rig->at = at;
    const struct trn_device_options options = {.host_memory = rig->host,
                                               .host_bytes = sizeof rig->host};
    rig->core = open_core(trn_gen_find(at->gen), &options);
    for (unsigned q = 0; q < RINGS; q++)
        set_base(rig, q, at->host + q * RING);
    write32(rig, at->notific + 0x30, 0xFFFFFFFF);
    write32(rig, at->notific + 0x34, 0xFFFFFFFF);
    write32(rig, at->notific + 0x0C, 0xFFFFFFFF);
    write32(rig, at->notific + 0x10, 0xFFFFFFFF);
    write32(rig, at->notific + 0x08, 0x3FF);
    write32(rig, at->notific + 0x14, 0x3FF);
    write32(rig, at->file + 0xA0C, 2);
    write32(rig, at->file + 0xA08, 0x10000);
    write32(rig, at->file + 0xA04, 0x700000);
}

static void close_rig(struct rig *rig)
{
    close_core(&rig->core);
}

/* The i-th record of a ring: its first 8 bytes, and its time. */
static uint64_t record(const struct rig *rig, unsigned q, unsigned i)
{
    return trn_get64(rig->host + q * RING + 16 * i);
}

static uint64_t time_of(const struct rig *rig, unsigned q, unsigned i)
{
    return trn_get64(rig->host + q * RING + 16 * i + 8);
}

static uint32_t tail(struct rig *rig, unsigned q)
{
    return read32(rig, queue_reg(rig, q, 0x10));
}

static bool cause(struct rig *rig, unsigned trigger)
{
    const uint64_t word = rig->at->triggers + trigger / 128 * 0x1000 + trigger % 128 / 32 * 0x40;
    return read32(rig, word) >> trigger % 32 & 1;
}

static void run_on(struct rig *rig, int engine, const struct program *p, enum trn_run_status want)
{
    start(&rig->core, engine, p);
    assert_int_equal(run(&rig->core, 0), want);
}

static struct program bad_word(const struct trn_gen *gen)
{
    struct program p = program_for(gen);
    add(&p, TRN_OPCODE_NOP);
    add(&p, 0x40);
    return p;
}

/* ---- routing ------------------------------------------------------------------------------- */

/* Check 12: errors arrive at the ring in 0xA0C; rewriting it moves the next one. DVE is block 4,
 * its queue begins at 0x4000000, so word 1 has number 1 in 12 bits. */
static void test_errors_go_where_the_field_says(void **state)
{
    (void)state;
    struct rig rig;
    for (size_t i = 0; i < 2; i++) {
        open_rig(&rig, &all_places[i]);
        struct program p = bad_word(rig.core.gen);
        run_on(&rig, DVE, &p, TRN_RUN_FAULT);
        assert_int_equal(tail(&rig, 2), 16);
        assert_int_equal(record(&rig, 2, 0), UINT64_C(0x004000149F00000A));
        write32(&rig, rig.at->file + 0xA0C, 9);
        run_on(&rig, POOL, &p, TRN_RUN_FAULT);
        assert_int_equal(tail(&rig, 2), 16);
        assert_int_equal(record(&rig, 9, 0), UINT64_C(0x004000129F00000A)); /* POOL: block 2 */
        assert_true(cause(&rig, 18));                                       /* DVE, fatal line */
        assert_true(cause(&rig, 28));                                       /* POOL's */
        assert_false(cause(&rig, 17));
        close_rig(&rig);
    }
}

static void test_a_queue_past_the_last_drops(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = bad_word(rig.core.gen);
    write32(&rig, rig.at->file + 0xA0C, 10);
    run_on(&rig, DVE, &p, TRN_RUN_FAULT);
    for (unsigned q = 0; q < RINGS; q++)
        assert_int_equal(tail(&rig, q), 0);
    assert_true(cause(&rig, 62)); /* intr_1 */
    close_rig(&rig);
}

/* A block as after reset keeps every class out: no record, no interrupt. */
static void test_nothing_arrives_before_a_bring_up(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = bad_word(rig.core.gen);
    write32(&rig, rig.at->notific + 0x30, 0);
    write32(&rig, rig.at->notific + 0x34, 0);
    run_on(&rig, DVE, &p, TRN_RUN_FAULT);
    assert_int_equal(tail(&rig, 2), 0);
    assert_false(cause(&rig, 61) || cause(&rig, 62));
    assert_int_equal(rig.core.report.num_faults, 1); /* the report has it all the same */
    close_rig(&rig);
}

/* START 0x10, END 0x11 and EXPLICIT 0x12 of DVE; program counters in words, 20 bits. */
static void test_instruction_records(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = program_for(rig.core.gen);
    uint8_t *word = add(&p, TRN_OPCODE_NOP);
    trn_common_debug_cmd_set(word, p.isa, TRN_DEBUG_CMD_START_END);
    trn_common_debug_hint_set(word, p.isa, 5);
    word = add(&p, TRN_OPCODE_NOTIFY);
    trn_ctrl_no_notify_payload_set(word, p.isa, 0xBEEF1234);
    add(&p, TRN_OPCODE_HALT);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    assert_int_equal(record(&rig, 0, 0), UINT64_C(0x0000000090500000));
    assert_int_equal(record(&rig, 0, 1), UINT64_C(0x0000000091500000));
    assert_int_equal(record(&rig, 7, 0), UINT64_C(0xBEEF123492000001));
    close_rig(&rig);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* One tick a word; the reset increment 0x400 is 1 ps (3). A core's reset does not touch the clock.
 */
static void test_the_clock_counts_words(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = program_for(rig.core.gen);
    for (int i = 0; i < 3; i++)
        add(&p, TRN_OPCODE_NOTIFY);
    add(&p, TRN_OPCODE_HALT);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(time_of(&rig, 7, i), i);
    assert_int_equal(read32(&rig, rig.at->notific), 4);
    write32(&rig, rig.at->notific + 0xCC, 0x800);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    assert_int_equal(time_of(&rig, 7, 3), 4);
    assert_int_equal(time_of(&rig, 7, 4), 6);
    close_rig(&rig);
}

/* ---- events and semaphores ----------------------------------------------------------------------
 */

static uint64_t sync_at(const struct rig *rig, unsigned offset)
{
    return rig->core.gen->bar0_tpb + rig->core.gen->bar_evt_sem + offset;
}

/* notifications_en (0x808 bit 0) lets them out; engine codes, and 0x1B over the bus. */
static void test_updates_are_records_when_enabled(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = program_for(rig.core.gen);
    set_update(add(&p, TRN_OPCODE_NOP), TRN_UPDATE_MODE_SEM_ADD_IMM_COMPLETE, 3, 7);
    add(&p, TRN_OPCODE_HALT);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    assert_int_equal(tail(&rig, 1), 0);
    write32(&rig, rig.at->file + 0x808, 1);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    assert_int_equal(record(&rig, 1, 0), UINT64_C(0x0000000E93150103)); /* 14 now, mode 0x15 */
    write32(&rig, sync_at(&rig, 0x1400 + 4 * 9), 5);
    assert_int_equal(record(&rig, 1, 1), UINT64_C(0x000000059B000109));
    write32(&rig, sync_at(&rig, 4 * 6), 1);
    assert_int_equal(record(&rig, 1, 2), UINT64_C(0x000000019B000006)); /* an event */
    close_rig(&rig);
}

/* 8: set while set, clear while clear: EVENT_ERROR with the index, bit 8 for a double clear. */
static void test_double_events_are_errors(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    write32(&rig, sync_at(&rig, 4 * 6), 0);
    write32(&rig, sync_at(&rig, 4 * 6), 1);
    assert_false(tail(&rig, 2) == 32);
    write32(&rig, sync_at(&rig, 4 * 6), 1);
    assert_int_equal(record(&rig, 2, 0), UINT64_C(0x000000009F010607));
    assert_int_equal(record(&rig, 2, 1), UINT64_C(0x000000009F000607));
    assert_int_equal(tail(&rig, 2), 32);
    assert_true(cause(&rig, 58));
    close_rig(&rig);
}

/* Leaving [low, high] of 0x800 and 0x804 is a semaphore error, and so is an underflow. */
static void test_semaphores_that_leave_their_bounds(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    write32(&rig, rig.at->file + 0x804, 10);
    write32(&rig, sync_at(&rig, 0x1400 + 4 * 9), 10);
    assert_int_equal(tail(&rig, 2), 0);
    write32(&rig, sync_at(&rig, 0x1800 + 4 * 9), 1);
    assert_int_equal(record(&rig, 2, 0), UINT64_C(0x0000000B9F000906));
    write32(&rig, sync_at(&rig, 0x1800 + 4 * 9), 1); /* it was outside already */
    assert_int_equal(tail(&rig, 2), 16);
    write32(&rig, rig.at->file + 0x804, 0xFFFFFFFF);
    write32(&rig, sync_at(&rig, 0x1C00 + 4 * 8), 1);
    assert_int_equal(record(&rig, 2, 1), UINT64_C(0xFFFFFFFF9F000806));
    assert_true(cause(&rig, 59));
    close_rig(&rig);
}

static void test_a_fake_error(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    write32(&rig, rig.at->file + 0xB04, 0xCAFE0123);
    write32(&rig, rig.at->file + 0xB00, 0);
    assert_int_equal(tail(&rig, 2), 0);
    write32(&rig, rig.at->file + 0xB00, 1);
    assert_int_equal(record(&rig, 2, 0), UINT64_C(0xCAFE01239F000005));
    assert_true(cause(&rig, 0));
    assert_int_equal(read32(&rig, rig.at->file + 0xB00), 0); /* a pulse */
    close_rig(&rig);
}

/* ---- memory, causes ---------------------------------------------------------------------------
 */

static void test_a_ring_in_device_memory(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    set_base(&rig, 7, trn_device_hbm_base(rig.core.device) + 0x8000);
    struct program p = program_for(rig.core.gen);
    trn_ctrl_no_notify_payload_set(add(&p, TRN_OPCODE_NOTIFY), p.isa, 0xBEEF1234);
    add(&p, TRN_OPCODE_HALT);
    run_on(&rig, DVE, &p, TRN_RUN_OK);
    assert_int_equal(hbm32(&rig.core, 0x8000), 0x92000000);
    assert_int_equal(hbm32(&rig.core, 0x8004), 0xBEEF1234);
    close_rig(&rig);
}

/* Check 11: an address that nobody owns is latched, with intr_4. */
static void test_a_ring_without_memory(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    set_base(&rig, 2, rig.at->host + HOST_BYTES);
    struct program p = bad_word(rig.core.gen);
    run_on(&rig, DVE, &p, TRN_RUN_FAULT);
    assert_int_equal(read32(&rig, rig.at->notific + 0x40), HOST_BYTES);
    assert_int_equal(read32(&rig, rig.at->notific + 0x44), rig.at->host >> 32);
    assert_true(cause(&rig, 65));
    struct trn_ring_counts counts;
    assert_int_equal(trn_device_ring_counts(rig.core.device, 2, &counts), TRN_OK);
    assert_int_equal(counts.failed, 1);
    assert_int_equal(trn_device_ring_counts(rig.core.device, 10, &counts), TRN_ERR_RANGE);
    close_rig(&rig);
}

/* 6.3: cause and status latch; a cause written as 0 goes, with its status; set and mask_clear. */
static void test_trigger_units(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    const uint64_t unit = rig.at->triggers;
    write32(&rig, unit + 0x40 + 0x08, 0x20000005);
    assert_int_equal(read32(&rig, unit + 0x40), 0x20000005);
    assert_int_equal(read32(&rig, unit + 0x40 + 0x20), 0x20000005);
    write32(&rig, unit + 0x40, 0xFFFFFFFB);
    assert_int_equal(read32(&rig, unit + 0x40), 0x20000001);
    assert_int_equal(read32(&rig, unit + 0x40 + 0x20), 0x20000001);
    write32(&rig, unit + 0x40 + 0x18, 0xFFFF0000);
    assert_int_equal(read32(&rig, unit + 0x40 + 0x10), 0xFFFF0000);
    write32(&rig, unit + 0x40, 0);
    write32(&rig, rig.at->file + 0xE00, 1 << 18); /* bypass: trigger 18 is not forwarded */
    struct program p = bad_word(rig.core.gen);
    run_on(&rig, DVE, &p, TRN_RUN_FAULT);
    assert_false(cause(&rig, 18));
    close_rig(&rig);
}

/* ---- back-pressure ------------------------------------------------------------------------------
 */

/* 15 fit into the ring, 8 into the input buffer, the next is kept: its engine stands behind word 24
 * until the host moves head. */
static void test_an_engine_waits_for_room(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = program_for(rig.core.gen);
    for (int i = 0; i < 40; i++)
        add(&p, TRN_OPCODE_NOTIFY);
    add(&p, TRN_OPCODE_HALT);
    run_on(&rig, DVE, &p, TRN_RUN_DEADLOCK);
    assert_int_equal(rig.core.report.engines[DVE].state, TRN_ENGINE_POSTING);
    assert_int_equal(rig.core.report.engines[DVE].full_ring, 7);
    assert_int_equal(rig.core.report.engines[DVE].retired, 24);
    assert_true(cause(&rig, 61)); /* intr_0: the host's sign of an overflow */
    assert_true(cause(&rig, 63)); /* intr_2: a producer stalls */
    write32(&rig, queue_reg(&rig, 7, 0x0C), 16);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_DEADLOCK);
    assert_int_equal(rig.core.report.engines[DVE].retired, 25);
    write32(&rig, queue_reg(&rig, 7, 0x0C), 16 * 15);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_DEADLOCK);
    assert_int_equal(rig.core.report.engines[DVE].retired, 24 + 15);
    write32(&rig, queue_reg(&rig, 7, 0x0C), 16 * 14);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
    close_rig(&rig);
}

/* A reset of the engine loses what it kept; others are not touched. */
static void test_a_reset_forgets_what_was_kept(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &all_places[1]);
    struct program p = program_for(rig.core.gen);
    for (int i = 0; i < 40; i++)
        add(&p, TRN_OPCODE_NOTIFY);
    run_on(&rig, DVE, &p, TRN_RUN_DEADLOCK);
    const uint64_t stall = rig.core.gen->bar0_tpb + rig.core.gen->bar_engine_dve + 0x60000;
    write32(&rig, stall, 1);
    trn_device_report(rig.core.device, &rig.core.report);
    assert_int_equal(rig.core.report.engines[DVE].state, TRN_ENGINE_STALLED);
    assert_int_equal(rig.core.report.engines[DVE].full_ring, -1);
    write32(&rig, queue_reg(&rig, 7, 0x0C), 16 * 15); /* the buffer's eight go out, no ninth */
    assert_int_equal(tail(&rig, 7), (15 + 8) * 16 - RING);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_go_where_the_field_says),
        cmocka_unit_test(test_a_queue_past_the_last_drops),
        cmocka_unit_test(test_nothing_arrives_before_a_bring_up),
        cmocka_unit_test(test_instruction_records),
        cmocka_unit_test(test_the_clock_counts_words),
        cmocka_unit_test(test_updates_are_records_when_enabled),
        cmocka_unit_test(test_double_events_are_errors),
        cmocka_unit_test(test_semaphores_that_leave_their_bounds),
        cmocka_unit_test(test_a_fake_error),
        cmocka_unit_test(test_a_ring_in_device_memory),
        cmocka_unit_test(test_a_ring_without_memory),
        cmocka_unit_test(test_trigger_units),
        cmocka_unit_test(test_an_engine_waits_for_room),
        cmocka_unit_test(test_a_reset_forgets_what_was_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
