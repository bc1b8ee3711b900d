/* SPDX-License-Identifier: Apache-2.0 */
/* Host and block together: docs/hardware/notific.md 9, field cases F01, F02, F04 and F45. The host
 * reaches the block over a bus alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "notific/notific.h"
#include "trench/drain.h"

enum { BLOCK = 0x30535000, BASE = 0x10000000, RING = 0x40000, MEMORY = 4 << 20, Q = 5 };

struct both {
    struct trn_notific *block;
    struct trn_bus bus;
    struct trn_drain drain;
    uint64_t ticks;
    unsigned pulses[TRN_NOTIFIC_BUFFER_FULL + 1];
    uint64_t offsets[8]; /* of the last writes */
    unsigned writes;
    bool unplugged; /* memory does not take writes */
    uint8_t *memory;
};

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    struct both *const both = context;
    (void)axi_id;
    if (both->unplugged || address < BASE || address - BASE > MEMORY - size)
        return TRN_ERR_ADDRESS;
    memcpy(both->memory + (address - BASE), data, size);
    return TRN_OK;
}

static void pulse(void *context, enum trn_notific_output output, unsigned n)
{
    (void)n;
    ((struct both *)context)->pulses[output]++;
}

static uint64_t ticks(void *context)
{
    return ((struct both *)context)->ticks;
}

static trn_status bus_read(void *context, uint64_t offset, uint32_t *value)
{
    return trn_notific_read32(((struct both *)context)->block, (uint32_t)(offset - BLOCK), value)
               ? TRN_OK
               : TRN_ERR_ADDRESS;
}

static trn_status bus_write(void *context, uint64_t offset, uint32_t value)
{
    struct both *const both = context;
    both->offsets[both->writes++ % 8] = offset - BLOCK;
    return trn_notific_write32(both->block, (uint32_t)(offset - BLOCK), value) ? TRN_OK
                                                                               : TRN_ERR_ADDRESS;
}

static trn_status memory_read(void *context, uint64_t offset, void *data, size_t size)
{
    const struct both *const both = context;
    if (offset > MEMORY - size)
        return TRN_ERR_ADDRESS;
    memcpy(data, both->memory + offset, size);
    return TRN_OK;
}

static void put(struct both *both, uint32_t offset, uint32_t value)
{
    assert_int_equal(bus_write(both, BLOCK + offset, value), TRN_OK);
}

enum { BACKPRESSURE, IGNORE_FULL, DROP };

/* The runtime's order of 9.1 and 9.2: block, ring, policy, queue on. */
static void start(struct both *both, const struct trn_notific_options *options, unsigned policy,
                  uint32_t size)
{
    *both = (struct both){.memory = calloc(1, MEMORY)};
    assert_non_null(both->memory);
    both->bus = (struct trn_bus){both, bus_read, bus_write, memory_read, NULL};
    const struct trn_notific_ports ports = {both, write_memory, pulse, ticks, NULL};
    assert_int_equal(trn_notific_create(trn_gen_find("mariana"), options, &ports, &both->block),
                     TRN_OK);
    put(both, 0x30, UINT32_MAX);
    put(both, 0x34, UINT32_MAX);
    put(both, 0x0C, UINT32_MAX);
    put(both, 0x10, UINT32_MAX);
    put(both, 0x08, policy == BACKPRESSURE ? 0x3FF : 0);
    put(both, 0x18, policy == IGNORE_FULL ? 0x3FF : 0);
    assert_int_equal(
        trn_drain_driver_init(&both->bus, trn_gen_find("mariana"), BLOCK, Q, BASE, size, NULL),
        TRN_OK);
    put(both, 0x14, 1 << Q);
}

static void attach(struct both *both, uint32_t size, bool by_pointer)
{
    const struct trn_drain_ring ring = {.bus = &both->bus,
                                        .block = BLOCK,
                                        .queue = Q,
                                        .size = size,
                                        .memory = both->memory,
                                        .by_pointer = by_pointer,
                                        .polls = 3};
    assert_int_equal(trn_drain_attach(&both->drain, trn_gen_find("mariana"), &ring, NULL), TRN_OK);
}

static void stop(struct both *both)
{
    trn_notific_destroy(both->block);
    free(both->memory);
}

static const struct trn_notific_options plain = {0};
static const struct trn_notific_options delayed = {.delayed = true};

static void encode(uint8_t raw[16], enum trn_record_form form, uint8_t type,
                   union trn_record_body body)
{
    const struct trn_record record = {.type = type, .form = form, .body = body};
    assert_int_equal(trn_record_encode(&record, raw, NULL), TRN_OK);
}

/* A NOTIFY of ACT that carries a number of 32 bits. */
static enum trn_notific_result notify(struct both *both, uint32_t n)
{
    uint8_t raw[16];
    encode(
        raw, TRN_FORM_EXPLICIT_NOTIFY, TRN_RECORD_TPB_ACT_EXPLICIT,
        (union trn_record_body){.explicit_notify = {.soft_reset_counter = (uint16_t)n,
                                                    .debug_hint_extended = (uint16_t)(n >> 16)}});
    both->ticks++;
    return trn_notific_submit(both->block, TRN_INPUT_ACT_0, Q, raw);
}

static uint32_t number(const uint8_t raw[16])
{
    struct trn_record record;
    assert_int_equal(trn_record_decode(raw, &record, NULL), TRN_OK);
    return record.body.explicit_notify.soft_reset_counter |
           (uint32_t)record.body.explicit_notify.debug_hint_extended << 16;
}

static uint32_t take(struct both *both, uint8_t (*records)[16], uint32_t capacity)
{
    uint32_t count;
    assert_int_equal(trn_drain_read(&both->drain, records, capacity, &count, NULL), TRN_OK);
    return count;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void test_zeroed_ring_reads_empty(void **state)
{
    (void)state;
    struct both both;
    uint8_t records[4][16];
    start(&both, &plain, BACKPRESSURE, 64);
    attach(&both, 64, false);
    const unsigned before = both.writes;
    assert_int_equal(take(&both, records, 4), 0);
    assert_int_equal(both.writes, before); /* nothing read, head not written */
    stop(&both);
}

static void read_all(bool by_pointer, const struct trn_notific_options *options)
{
    struct both both;
    uint8_t records[16][16];
    uint32_t sent = 0, got = 0;
    start(&both, options, BACKPRESSURE, 0x100);
    attach(&both, 0x100, by_pointer);
    while (got < 1000) {
        for (unsigned i = 0; i < 7 && sent < 1000; i++)
            if (notify(&both, sent) == TRN_NOTIFIC_TAKEN)
                sent++;
        both.ticks += 0x1000; /* the coalescer's timer */
        trn_notific_poll(both.block);
        const uint32_t count = take(&both, records, 16);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(number(records[i]), got++);
    }
    assert_int_equal(both.drain.read, 1000);
    assert_int_equal(both.drain.out_of_order + both.drain.sw_overflows + both.drain.hw_overflows,
                     0);
    stop(&both);
}

static void test_every_record_once_and_in_order(void **state)
{
    (void)state;
    read_all(false, &plain);
    read_all(true, &plain);
    read_all(false, &delayed);
    read_all(true, &delayed);
}

static void test_ring_behind_a_bus(void **state)
{
    (void)state;
    struct both both;
    uint8_t records[8][16];
    start(&both, &plain, BACKPRESSURE, 0x80);
    const struct trn_drain_ring ring = {
        .bus = &both.bus, .block = BLOCK, .queue = Q, .size = 0x80, .memory_bus = &both.bus};
    assert_int_equal(trn_drain_attach(&both.drain, trn_gen_find("cayman"), &ring, NULL), TRN_OK);
    for (uint32_t n = 0; n < 12; n++) {
        (void)notify(&both, n);
        assert_int_equal(take(&both, records, 8), 1);
        assert_int_equal(number(records[0]), n);
    }
    stop(&both);
}

/* tail moved, memory did not: bounded, and it says what it saw (F45) */
static void test_wait_is_bounded_and_says_why(void **state)
{
    (void)state;
    struct both both;
    uint8_t records[4][16];
    uint32_t count;
    struct trn_diag diag;
    start(&both, &plain, BACKPRESSURE, 64);
    attach(&both, 64, true);
    both.unplugged = true;
    (void)notify(&both, 1);
    assert_int_equal(trn_drain_read(&both.drain, records, 4, &count, &diag), TRN_ERR_TIMEOUT);
    assert_int_equal(count, 0);
    assert_string_equal(diag.where, "bar0+0x305351d8"); /* 0x110 + 5 * 0x28 */
    assert_non_null(strstr(diag.message, "nq[5].tail_ptr reads 0x10"));
    assert_non_null(strstr(diag.message, "3 polls"));
    assert_int_equal(both.pulses[TRN_NOTIFIC_WRITE_ERROR], 1);
    stop(&both);

    start(&both, &plain, BACKPRESSURE, 64); /* nobody posts at all */
    attach(&both, 64, false);
    assert_int_equal(trn_drain_wait(&both.drain, 2, &diag), TRN_ERR_TIMEOUT);
    assert_non_null(strstr(diag.message, "0 records are there, 2 are wanted"));
    (void)notify(&both, 1);
    (void)notify(&both, 2);
    assert_int_equal(trn_drain_wait(&both.drain, 2, &diag), TRN_OK);
    stop(&both);
}

static void test_attach_refuses_what_is_no_ring(void **state)
{
    (void)state;
    struct both both;
    struct trn_drain drain;
    start(&both, &plain, DROP, 64);
    struct trn_drain_ring ring = {.bus = &both.bus, .queue = Q, .size = 64, .memory = both.memory};
    const struct trn_gen *const gen = trn_gen_find("sunda");
    assert_int_equal(trn_drain_attach(&drain, gen, &ring, NULL), TRN_OK);
    ring.size = 16;
    assert_int_equal(trn_drain_attach(&drain, gen, &ring, NULL), TRN_ERR_INVALID);
    ring.size = 40;
    assert_int_equal(trn_drain_attach(&drain, gen, &ring, NULL), TRN_ERR_INVALID);
    ring.size = 64;
    ring.queue = 10;
    assert_int_equal(trn_drain_attach(&drain, gen, &ring, NULL), TRN_ERR_INVALID);
    ring.queue = 0;
    ring.memory = NULL;
    assert_int_equal(trn_drain_attach(&drain, gen, &ring, NULL), TRN_ERR_INVALID);
    stop(&both);
}

/* ---- a host that comes back -------------------------------------------------------------------
 */

static const struct trn_drain_ring *resume(struct both *both, uint32_t size, bool by_pointer)
{
    static struct trn_drain_ring ring;
    ring = (struct trn_drain_ring){.bus = &both->bus,
                                   .block = BLOCK,
                                   .queue = Q,
                                   .size = size,
                                   .memory = both->memory,
                                   .by_pointer = by_pointer,
                                   .polls = 3};
    memset(&both->drain, 0xA5, sizeof both->drain); /* nothing of the host before is left */
    return &ring;
}

/* A host that forgets everything between any two reads reads each record once and in order: its
 * numbers are the oracle. Rings of 2 to 9 slots, so that every place of a lap is met, full rings
 * and empty ones among them. */
static void test_a_host_resumes_anywhere_in_a_lap(void **state)
{
    (void)state;
    for (uint32_t slots = 2; slots < 10; slots++)
        for (unsigned form = 0; form < 4; form++) {
            struct both both;
            uint8_t records[16][16];
            uint32_t sent = 0, got = 0, random = 1;
            const bool by_pointer = form & 1, waits = form & 2;
            start(&both, &plain, waits ? BACKPRESSURE : DROP, 16 * 16);
            put(&both, 0x14, 0); /* the driver's set-up takes powers of two only */
            put(&both, 0x100 + Q * 0x28 + 8, slots * 16);
            put(&both, 0x14, 1 << Q);
            while (got < 2000) {
                random = random * 1103515245 + 12345;
                const uint32_t burst = waits ? random >> 16 & 15 : random >> 16 & 1;
                for (uint32_t i = 0; i < burst; i++)
                    if (notify(&both, sent) == TRN_NOTIFIC_TAKEN)
                        sent++;
                const unsigned before = both.writes;
                assert_int_equal(trn_drain_resume(&both.drain, trn_gen_find("mariana"),
                                                  resume(&both, slots * 16, by_pointer), NULL),
                                 TRN_OK);
                assert_int_equal(both.writes, before);
                const uint32_t most = waits ? random >> 24 & 7 : 16;
                const uint32_t count = take(&both, records, most);
                assert_true(count <= slots - 1);
                for (uint32_t i = 0; i < count; i++)
                    assert_int_equal(number(records[i]), got++);
                if (!waits)
                    assert_int_equal(got, sent);
            }
            stop(&both);
        }
}

static void test_resume_refuses_what_it_cannot_know(void **state)
{
    (void)state;
    struct both both;
    struct trn_diag diag;
    const struct trn_gen *const gen = trn_gen_find("mariana");
    start(&both, &plain, IGNORE_FULL, 64);
    assert_int_equal(trn_drain_resume(&both.drain, gen, resume(&both, 64, false), &diag),
                     TRN_ERR_INVALID);
    assert_non_null(strstr(diag.message, "queue 5 overwrites its oldest records"));
    put(&both, 0x08, 1 << Q); /* with back-pressure nothing is overwritten (4.1) */
    assert_int_equal(trn_drain_resume(&both.drain, gen, resume(&both, 64, false), &diag), TRN_OK);
    for (uint32_t bad = 1; bad < 3; bad++) {
        put(&both, 0x100 + Q * 0x28 + 0x0C, bad == 1 ? 0x18 : 0x40);
        assert_int_equal(trn_drain_resume(&both.drain, gen, resume(&both, 64, false), &diag),
                         TRN_ERR_FORMAT);
        assert_string_equal(diag.message,
                            bad == 1 ? "nq[5].head_ptr reads 0x18" : "nq[5].head_ptr reads 0x40");
    }
    stop(&both);
}

/* 8.3: base_hi, base_lo, size; halt makes the same three 0 */
static void test_driver_form_of_set_up(void **state)
{
    (void)state;
    struct both both;
    const struct trn_gen *const gen = trn_gen_find("mariana");
    start(&both, &plain, BACKPRESSURE, 64);
    const unsigned before = both.writes;
    assert_int_equal(
        trn_drain_driver_init(&both.bus, gen, BLOCK, 2, UINT64_C(0x400012345000), 0x1000, NULL),
        TRN_OK);
    assert_int_equal(both.writes - before, 3);
    assert_int_equal(both.offsets[before % 8], 0x104 + 2 * 0x28);
    assert_int_equal(both.offsets[(before + 1) % 8], 0x100 + 2 * 0x28);
    assert_int_equal(both.offsets[(before + 2) % 8], 0x108 + 2 * 0x28);
    uint32_t value;
    assert_int_equal(bus_read(&both, BLOCK + 0x154, &value), TRN_OK);
    assert_int_equal(value, 0x4000);
    assert_int_equal(trn_drain_driver_init(&both.bus, gen, BLOCK, 2, 0, 0x1800, NULL),
                     TRN_ERR_INVALID);
    assert_int_equal(trn_drain_driver_init(&both.bus, gen, BLOCK, 10, 0, 0x1000, NULL),
                     TRN_ERR_INVALID);
    assert_int_equal(both.writes - before, 3);
    for (unsigned i = 0; i < 20; i++) /* fill ring and buffer, then halt: nobody waits */
        (void)notify(&both, i);
    assert_int_equal(trn_drain_driver_halt(&both.bus, gen, BLOCK, Q, NULL), TRN_OK);
    assert_int_equal(trn_notific_waiting(both.block), 0);
    assert_int_equal(notify(&both, 99), TRN_NOTIFIC_TAKEN);
    stop(&both);
}

/* ---- load ------------------------------------------------------------------------------------ */

/* Nothing is lost while the host drains late, in odd portions. */
static void test_backpressure_loses_nothing(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    enum { RECORDS = 500000 };
#else
    enum { RECORDS = 10000000 };
#endif
    struct both both;
    static uint8_t records[512][16];
    uint32_t sent = 0, got = 0, portion = 1;
    start(&both, &plain, BACKPRESSURE, 0x1000);
    attach(&both, 0x1000, false);
    while (got < RECORDS) {
        while (sent < RECORDS && notify(&both, sent) == TRN_NOTIFIC_TAKEN)
            sent++;
        portion = portion * 7 % 509 + 1;
        const uint32_t count = take(&both, records, portion);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(number(records[i]), got++);
    }
    const struct trn_notific_counts counts = trn_notific_counts(both.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.stored, RECORDS);
    assert_int_equal(trn_notific_lost(&counts), 0);
    assert_int_equal(both.drain.sw_overflows, 0);
    assert_true(counts.stalls > 0);
    stop(&both);
}

/* Drop: what the host reads and what the block says it lost are all there were; the record behind
 * each gap carries the mark. */
static void test_drop_counts_every_loss(void **state)
{
    (void)state;
    enum { RECORDS = 300000 };
    struct both both;
    static uint8_t records[512][16];
    uint64_t gaps = 0, read = 0, lost = 0;
    uint32_t expected = 0, portion = 1;
    start(&both, &plain, DROP, 0x1000);
    attach(&both, 0x1000, false);
    for (uint32_t n = 0; n <= RECORDS; n++) {
        if (n < RECORDS)
            assert_int_equal(notify(&both, n), TRN_NOTIFIC_TAKEN);
        if (n % 300 && n < RECORDS)
            continue;
        portion = portion * 7 % 509 + 1;
        const uint32_t count = take(&both, records, n == RECORDS ? 512 : portion);
        for (uint32_t i = 0; i < count; i++, read++) {
            const uint32_t is = number(records[i]);
            struct trn_record record;
            assert_int_equal(trn_record_decode(records[i], &record, NULL), TRN_OK);
            assert_int_equal(record.sw_overflow, is != expected);
            gaps += is != expected;
            lost += is - expected;
            expected = is + 1;
        }
    }
    lost += RECORDS - expected; /* behind the last one stored */
    const struct trn_notific_counts counts = trn_notific_counts(both.block, TRN_NOTIFIC_ALL);
    assert_int_equal(counts.dropped_full, lost);
    assert_int_equal(counts.stored, read);
    assert_int_equal(read + lost, RECORDS);
    assert_int_equal(both.drain.sw_overflows, gaps);
    assert_true(gaps > 10);
    stop(&both);
}

/* Ignore full, and a host that never drains: the ring holds the last ones, the others are counted.
 */
static void test_ignore_full_counts_every_loss(void **state)
{
    (void)state;
    enum { RECORDS = 300000, SLOTS = 256 };
    struct both both;
    start(&both, &plain, IGNORE_FULL, SLOTS * 16);
    for (uint32_t n = 0; n < RECORDS; n++)
        assert_int_equal(notify(&both, n), TRN_NOTIFIC_TAKEN);
    const struct trn_notific_counts counts = trn_notific_counts(both.block, Q);
    assert_int_equal(counts.stored, RECORDS);
    assert_int_equal(counts.overwritten, RECORDS - SLOTS);
    assert_int_equal(trn_notific_lost(&counts), RECORDS - SLOTS);
    bool seen[SLOTS] = {false};
    for (uint32_t slot = 0; slot < SLOTS; slot++) /* exactly the last 256 are in memory */
        seen[(number(both.memory + slot * 16) - (RECORDS - SLOTS)) % SLOTS] = true;
    for (uint32_t i = 0; i < SLOTS; i++)
        assert_true(seen[i]);
    stop(&both);
}

/* ---- field cases -------------------------------------------------------------------------------
 */

/* F01: 300,000 underflows of DVE into 4 MiB, nobody drains: 262,143 are stored, 37,857 are lost,
 * and the next one stored says so. The host needs one kind's room for all of them. */
static void test_flood_of_underflows(void **state)
{
    (void)state;
    struct both both;
    uint8_t raw[16];
    static uint8_t records[4096][16];
    static struct trn_collect collect;
    encode(raw, TRN_FORM_TPB_ERROR, TRN_RECORD_TPB_ERROR,
           (union trn_record_body){.tpb_error = {.error_id = TRN_ERROR_ID_FP_UNDERFLOW,
                                                 .metadata_lo = 1 << TRN_FP_SOURCE_DVE}});
    start(&both, &plain, DROP, MEMORY);
    attach(&both, MEMORY, false);
    for (unsigned n = 0; n < 300000; n++)
        assert_int_equal(trn_notific_submit(both.block, TRN_INPUT_ERROR_FP_UNDERFLOW, Q, raw),
                         TRN_NOTIFIC_TAKEN);
    const struct trn_notific_counts counts = trn_notific_counts(both.block, Q);
    assert_int_equal(counts.stored, 262143);
    assert_int_equal(counts.dropped_full, 37857);
    static const uint8_t bytes[] = {0x00, 0x08, 0x00, 0x9F, 0, 0, 0, 0};
    assert_memory_equal(both.memory, bytes, sizeof bytes);
    uint32_t count;
    unsigned logged = 0;
    while ((count = take(&both, records, 4096)) > 0)
        for (uint32_t i = 0; i < count; i++)
            logged += trn_collect_add(&collect, records[i]) != NULL;
    assert_int_equal(logged, 1);
    assert_int_equal(collect.num_kinds, 1);
    assert_int_equal(collect.kinds[0].count, 262143);
    assert_int_equal(collect.status, TRN_HOST_STATUS_SUCCESS);
    (void)trn_notific_submit(both.block, TRN_INPUT_ERROR_FP_UNDERFLOW, Q, raw);
    assert_int_equal(take(&both, records, 4096), 1);
    assert_int_equal(records[0][3], 0xBF); /* phase 1: the last slot of the lap; overflow */
    assert_int_equal(both.drain.sw_overflows, 1);
    stop(&both);
}

/* F02: the record that makes 1004 is named; 37 kinds and a crowd do not need more room. */
static void test_collection_is_bounded_and_finds_the_worst(void **state)
{
    (void)state;
    static struct trn_collect collect;
    collect = (struct trn_collect){0};
    uint8_t raw[16];
    encode(raw, TRN_FORM_TPB_ERROR_SEQUENCER, TRN_RECORD_TPB_ERROR,
           (union trn_record_body){.tpb_error_sequencer = {.error_id = TRN_ERROR_ID_SEQUENCER_FATAL,
                                                           .block_id = 2,
                                                           .program_counter = 0x123,
                                                           .info = 0x40}});
    const struct trn_collect_kind *const kind = trn_collect_add(&collect, raw);
    assert_non_null(kind);
    assert_int_equal(kind->first_pc, 0x123);
    assert_int_equal(collect.status, TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR);
    encode(raw, TRN_FORM_TPB_ERROR_SEQUENCER, TRN_RECORD_TPB_ERROR,
           (union trn_record_body){.tpb_error_sequencer = {.error_id = TRN_ERROR_ID_SEQUENCER_FATAL,
                                                           .block_id = 2,
                                                           .program_counter = 0x456}});
    assert_null(trn_collect_add(&collect, raw));
    assert_int_equal(collect.kinds[0].last_pc, 0x456);
    for (unsigned i = 0; i < 100; i++) {
        encode(raw, TRN_FORM_TPB_ERROR, TRN_RECORD_TPB_ERROR,
               (union trn_record_body){.tpb_error = {.error_id = TRN_ERROR_ID_FP_NAN,
                                                     .metadata_lo = (uint16_t)(i + 1)}});
        (void)trn_collect_add(&collect, raw);
    }
    memset(raw, 0, sizeof raw);
    assert_null(trn_collect_add(&collect, raw));
    assert_int_equal(collect.num_kinds, TRN_COLLECT_KINDS);
    assert_int_equal(collect.others, 100 + 1 - TRN_COLLECT_KINDS);
    assert_int_equal(collect.unknown, 1);
    assert_int_equal(collect.records, 103);
    assert_int_equal(collect.status, TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR);
}

static bool feed(struct trn_completion *completion, int engine, unsigned subtype, uint64_t time)
{
    const struct trn_record record = {.type = trn_record_code_of(engine, 2),
                                      .form = TRN_FORM_EXPLICIT_NOTIFY,
                                      .timestamp = time,
                                      .body.explicit_notify.debug_hint_extended =
                                          (uint16_t)subtype};
    return trn_completion_feed(completion, &record);
}

/* 6.5; F04: an engine that never posts END ends in 5, or in 1204 when its ring overflowed. */
static void test_completion_matches_start_and_end(void **state)
{
    (void)state;
    struct trn_completion completion = {0};
    assert_true(feed(&completion, 3, 2, 50));
    assert_true(feed(&completion, 4, 2, 40));
    assert_true(feed(&completion, 3, 3, 90));
    assert_int_equal(trn_completion_status(&completion, 0x18, false), 5);
    assert_int_equal(trn_completion_status(&completion, 0x18, true), 1204);
    assert_int_equal(trn_completion_status(&completion, 0x08, true), 0); /* SP is not waited for */
    assert_true(feed(&completion, 4, 3, 80));
    assert_int_equal(trn_completion_status(&completion, 0x18, true), 0);
    assert_int_equal(completion.start_time, 40);
    assert_int_equal(completion.end_time, 90);
    assert_false(feed(&completion, 3, 3, 95)); /* END without a START */
    assert_int_equal(trn_completion_status(&completion, 0x18, false), 1);
    assert_int_equal(trn_completion_status(&completion, 0x18, true), 1204);
}

/* 9.4: line 61 is bit 29 of group 1 of the core's first unit. */
struct cause_bus {
    uint64_t offset;
    uint32_t value;
};

static trn_status cause_read(void *context, uint64_t offset, uint32_t *value)
{
    struct cause_bus *const cause = context;
    cause->offset = offset;
    *value = cause->value;
    return TRN_OK;
}

static void test_overflow_cause_is_line_61(void **state)
{
    (void)state;
    struct cause_bus cause = {0};
    const struct trn_bus bus = {&cause, cause_read, NULL, NULL, NULL};
    bool set;
    cause.value = UINT32_MAX & ~(1u << 29);
    assert_int_equal(trn_drain_overflow_cause(&bus, trn_gen_find("sunda"), 1, &set, NULL), TRN_OK);
    assert_false(set);
    cause.value = 1u << 29;
    const uint64_t first = cause.offset;
    assert_int_equal(trn_drain_overflow_cause(&bus, trn_gen_find("sunda"), 0, &set, NULL), TRN_OK);
    assert_true(set);
    assert_int_equal(first - cause.offset, 0x700000); /* of core 1 and core 0 */
    assert_int_equal(cause.offset % 0x1000, 0x40);
    assert_int_equal(trn_drain_overflow_cause(&bus, trn_gen_find("maverick"), 0, &set, NULL),
                     TRN_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeroed_ring_reads_empty),
        cmocka_unit_test(test_every_record_once_and_in_order),
        cmocka_unit_test(test_ring_behind_a_bus),
        cmocka_unit_test(test_wait_is_bounded_and_says_why),
        cmocka_unit_test(test_attach_refuses_what_is_no_ring),
        cmocka_unit_test(test_a_host_resumes_anywhere_in_a_lap),
        cmocka_unit_test(test_resume_refuses_what_it_cannot_know),
        cmocka_unit_test(test_driver_form_of_set_up),
        cmocka_unit_test(test_backpressure_loses_nothing),
        cmocka_unit_test(test_drop_counts_every_loss),
        cmocka_unit_test(test_ignore_full_counts_every_loss),
        cmocka_unit_test(test_flood_of_underflows),
        cmocka_unit_test(test_collection_is_bounded_and_finds_the_worst),
        cmocka_unit_test(test_completion_matches_start_and_end),
        cmocka_unit_test(test_overflow_cause_is_line_61),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
