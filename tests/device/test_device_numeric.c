/* SPDX-License-Identifier: Apache-2.0 */
/* Records of numeric events and of injected memory errors (error-handling.md 8, field case F01).
 * Expected bytes are packed by hand from notification-records.md 4.10 and 5.2. */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"

/* address-map.md 7, notific.md 8.1 and 6.3: core 0 of CAYMAN. */
enum {
    FILE_AT = 0x06000000,
    NOTIFIC = 0x06001000,
    TRIGGERS = 0x06002000,
    MASK = NOTIFIC + 0x30, /* wr_buf_enable_lo: 0x15 underflow, 0x16 NaN, 0x17 Inf, 0x18 overflow */
    DVE_SPARE = FILE_AT + 0x3F0,
    QUEUE = 2,
    RING = 0x400000, /* 4 MiB: 262,144 records */
    SLOTS = RING / 16
};

struct rig {
    struct fixture core;
    uint8_t *host;
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

/* One ring for errors, neither back-pressure nor ignore_full; every class is let in. */
static void open_rig(struct rig *rig)
{
    rig->host = test_calloc(1, RING);
    const struct trn_device_options options = {.host_memory = rig->host, .host_bytes = RING};
    rig->core = open_core(trn_gen_find("cayman"), &options);
    const uint64_t ring = NOTIFIC + 0x100 + 0x28 * QUEUE, base = UINT64_C(0x400000000000);
    write32(rig, ring, (uint32_t)base);
    write32(rig, ring + 4, (uint32_t)(base >> 32));
    write32(rig, ring + 8, RING);
    write32(rig, MASK, 0xFFFFFFFF);
    write32(rig, NOTIFIC + 0x34, 0xFFFFFFFF);
    write32(rig, NOTIFIC + 0x14, 1 << QUEUE);
    write32(rig, FILE_AT + 0xA0C, QUEUE);
}

static void close_rig(struct rig *rig)
{
    close_core(&rig->core);
    test_free(rig->host);
}

static uint64_t record(const struct rig *rig, unsigned i)
{
    return trn_get64(rig->host + 16 * i);
}

static unsigned records(struct rig *rig)
{
    return read32(rig, NOTIFIC + 0x100 + 0x28 * QUEUE + 0x10) / 16;
}

static bool cause(struct rig *rig, unsigned trigger)
{
    const uint64_t word = TRIGGERS + trigger / 128 * 0x1000 + trigger % 128 / 32 * 0x40;
    return read32(rig, word) >> trigger % 32 & 1;
}

/* ---- words ------------------------------------------------------------------------------------
 */

static void put_pattern(uint8_t *pattern, unsigned isa, uint32_t address)
{
    trn_pattern3d_start_addr_set(pattern, isa, address);
    for (int i = 0; i < 3; i++)
        trn_put16(trn_pattern3d_num_elem_ref(pattern, isa) + 2 * i, 1);
}

/* sbuf[p0,0x100] = sbuf[p0,0] * factor, fp32. */
static void add_scale(struct program *p, float factor)
{
    const unsigned isa = p->isa;
    uint8_t *word = add(p, TRN_OPCODE_TENSOR_SCALAR_ARITH_OP);
    put_pattern(trn_s3d3_ts_src_mem_pattern_ref(word, isa), isa, 0);
    put_pattern(trn_s3d3_ts_dst_mem_pattern_ref(word, isa), isa, 0x100);
    trn_s3d3_ts_in_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_s3d3_ts_out_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_s3d3_ts_num_active_channels_set(word, isa, 1);
    trn_s3d3_ts_op0_set(word, isa, TRN_ALU_OP_MULT);
    trn_s3d3_ts_op1_set(word, isa, TRN_ALU_OP_BYPASS);
    trn_s3d3_ts_imm0_set(word, isa, trn_f32_bits(factor));
}

/* r1 = r1 - 1. */
static void add_countdown(struct program *p)
{
    uint8_t *word = add(p, TRN_OPCODE_ALU_OP);
    trn_ctrl_al_op_set(word, p->isa, TRN_ALU_OP_SUBTRACT);
    trn_ctrl_al_dtype_set(word, p->isa, TRN_DTYPE_INT32);
    trn_ctrl_al_dst_dtype_set(word, p->isa, TRN_DTYPE_INT32);
    trn_ctrl_al_src1_datasrc_set(word, p->isa, TRN_DATA_SRC_IMMEDIATE);
    trn_ctrl_al_src0_lo_set(word, p->isa, 1);
    trn_ctrl_al_dst_lo_set(word, p->isa, 1);
    trn_ctrl_al_immediate_set(word, p->isa, 1);
}

static void set_input(struct rig *rig, float value)
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    assert_int_equal(bus->write_block(bus->context,
                                      trn_device_space_offset(rig->core.device, TRN_SPACE_SBUF),
                                      &value, sizeof value),
                     TRN_OK);
}

static float output(struct rig *rig)
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    float value = -1;
    assert_int_equal(
        bus->read_block(bus->context,
                        trn_device_space_offset(rig->core.device, TRN_SPACE_SBUF) + 0x100, &value,
                        sizeof value),
        TRN_OK);
    return value;
}

static void run_scale(struct rig *rig, int engine, float input, float factor)
{
    struct program p = program_for(rig->core.gen);
    add_scale(&p, factor);
    add(&p, TRN_OPCODE_HALT);
    set_input(rig, input);
    start(&rig->core, engine, &p);
    assert_int_equal(run(&rig->core, 0), TRN_RUN_OK);
}

/* ---- F01 ---------------------------------------------------------------------------------------
 */

/* 300,000 words whose result is 0. One slot of 262,144 stays free: 262,143 are stored, 37,857 are
 * lost. Ring and bytes are those of the case; the next record carries the mark, the one behind it
 * does not. */
static void test_f01_a_flood_of_underflows(void **state)
{
    (void)state;
    enum { WORDS = 300000, STORED = SLOTS - 1 };
    struct rig rig;
    open_rig(&rig);
    set_input(&rig, 1e-30f);
    struct program p = program_for(rig.core.gen);
    add_move(&p, 1, WORDS);
    add_scale(&p, 1e-30f);
    add_countdown(&p);
    add_branch(&p, TRN_BR_CMP_OP_GT_IMM, 1, 0, -2);
    add(&p, TRN_OPCODE_HALT);
    start(&rig.core, DVE, &p);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);

    assert_true(output(&rig) == 0);
    struct trn_ring_counts counts;
    assert_int_equal(trn_device_ring_counts(rig.core.device, QUEUE, &counts), TRN_OK);
    assert_int_equal(counts.stored, STORED);
    assert_int_equal(counts.dropped_full, WORDS - STORED);
    for (unsigned i = 0; i < STORED; i++)
        if (record(&rig, i) != UINT64_C(0x9F000800)) /* bytes 00 08 00 9F 00 00 00 00 */
            fail_msg("record %u is %llx", i, (unsigned long long)record(&rig, i));
    assert_int_equal(rig.core.report.num_numeric, 1);
    const struct trn_numeric_report *report = rig.core.report.numeric;
    assert_int_equal(report->count, WORDS);
    assert_int_equal(report->sources, 8);
    assert_int_equal(report->first_pc, queue_of(DVE) + 64);
    assert_int_equal(report->last_pc, queue_of(DVE) + 64);
    assert_true(cause(&rig, 52)); /* fp_state_dve_underflow */
    assert_false(cause(&rig, 51));
    assert_true(cause(&rig, 61)); /* the ring was full */

    write32(&rig, NOTIFIC + 0x100 + 0x28 * QUEUE + 0xC, STORED * 16); /* the host has read all */
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    assert_int_equal(record(&rig, STORED),
                     UINT64_C(0xBF000800));                  /* bit 29: earlier ones were lost */
    assert_int_equal(record(&rig, 0), UINT64_C(0x1F000800)); /* phase 0 in the second lap */
    close_rig(&rig);
}

/* 1e-20 * 1e-20 = 1e-40 is a subnormal number: no flush and no event. */
static void test_a_subnormal_result_is_no_underflow(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig);
    run_scale(&rig, DVE, 1e-20f, 1e-20f);
    assert_int_equal(trn_f32_bits(output(&rig)), 0x000116C2); /* 1e-40 / 2^-149 = 71362.4 */
    assert_int_equal(records(&rig), 0);
    assert_int_equal(rig.core.report.num_numeric, 0);
    close_rig(&rig);
}

/* ---- causes, units, masks -----------------------------------------------------------------------
 */

static void test_each_cause_of_each_engine(void **state)
{
    (void)state;
    static const struct {
        int engine;
        float input, factor;
        uint64_t record;
        unsigned trigger; /* psum 37.., act 41.., pool 45.., dve 49..: invalid, nan, overflow,
                             underflow */
    } cases[] = {
        {DVE, 1e-30f, 1e-30f, UINT64_C(0x9F000800), 52},
        {DVE, 0.0f / 0.0f, 2, UINT64_C(0x9F000801), 50},
        {DVE, 1.0f / 0.0f, 2, UINT64_C(0x9F000802), 49},
        {DVE, 1e30f, 1e30f, UINT64_C(0x9F000803), 51},
        {POOL, 1e-30f, 1e-30f, UINT64_C(0x9F000400), 48},
        {POOL, 1e30f, -1e30f, UINT64_C(0x9F000403), 47},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        open_rig(&rig);
        run_scale(&rig, cases[i].engine, cases[i].input, cases[i].factor);
        assert_int_equal(records(&rig), 1);
        assert_int_equal(record(&rig, 0), cases[i].record);
        for (unsigned trigger = 37; trigger <= 56; trigger++)
            assert_int_equal(cause(&rig, trigger), trigger == cases[i].trigger);
        close_rig(&rig);
    }
}

/* Inf * 0: the operand is infinite and the result is a NaN. One record a cause, by error id. */
static void test_two_causes_are_two_records(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig);
    run_scale(&rig, DVE, 1.0f / 0.0f, 0);
    assert_int_equal(records(&rig), 2);
    assert_int_equal(record(&rig, 0), UINT64_C(0x9F000801));
    assert_int_equal(record(&rig, 1), UINT64_C(0x9F000802));
    close_rig(&rig);
}

static void test_masks_and_the_switch_of_the_dve(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig);
    write32(&rig, MASK, 0xFFFFFFFF & ~(1u << 0x15)); /* underflow off */
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    assert_int_equal(records(&rig), 0);
    assert_int_equal(rig.core.report.num_numeric, 0);
    assert_false(cause(&rig, 52)); /* nobody looks */
    write32(&rig, MASK, 1u << 0x15);
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    assert_int_equal(records(&rig), 1);
    write32(&rig, DVE_SPARE, 1); /* disable_dve_int_fp_error */
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    assert_int_equal(records(&rig), 1);
    run_scale(&rig, POOL, 1e-30f, 1e-30f); /* not POOL's */
    assert_int_equal(records(&rig), 2);
    write32(&rig, DVE_SPARE, 2); /* the bit beside it means something else */
    run_scale(&rig, DVE, 1e-30f, 1e-30f);
    assert_int_equal(records(&rig), 3);
    close_rig(&rig);
}

/* Before a bring-up every class is masked (notific.md 2: reset 0). */
static void test_nothing_is_looked_for_after_reset(void **state)
{
    (void)state;
    struct rig rig = {.host = NULL};
    rig.core = open_core(trn_gen_find("cayman"), NULL);
    run_scale(&rig, DVE, 1e30f, 1e30f);
    assert_int_equal(rig.core.report.num_numeric, 0);
    assert_false(cause(&rig, 51));
    close_core(&rig.core);
}

/* ---- injected errors
 * ----------------------------------------------------------------------------- */

/* notific.md 6.3: cause_set of group g at g * 0x40 + 8. Trigger 1 is source 0 (SBUF), 2 PSUM,
 * 11 the last one, source 10 (notification-records.md 5.3); 57 is the PSUM collision. */
static void test_injected_memory_errors(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig);
    write32(&rig, TRIGGERS + 8, 1 << 1 | 1 << 2 | 1 << 11 | 1 << 12); /* 12: a sequencer's line */
    assert_int_equal(records(&rig), 3);
    assert_int_equal(record(&rig, 0), UINT64_C(0x9F000104));
    assert_int_equal(record(&rig, 1), UINT64_C(0x9F000204));
    assert_int_equal(record(&rig, 2), UINT64_C(0x9F040004));
    assert_true(cause(&rig, 1) && cause(&rig, 2) && cause(&rig, 11) && cause(&rig, 12));
    write32(&rig, TRIGGERS + 0x48, 1 << 25);
    assert_int_equal(record(&rig, 3), UINT64_C(0x9F000008));
    assert_true(cause(&rig, 57));
    write32(&rig, MASK, 0xFFFFFFFF & ~(1u << 0x19)); /* memory errors off: latched, not recorded */
    write32(&rig, TRIGGERS + 8, 1 << 3);
    assert_int_equal(records(&rig), 4);
    assert_true(cause(&rig, 3));
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f01_a_flood_of_underflows),
        cmocka_unit_test(test_a_subnormal_result_is_no_underflow),
        cmocka_unit_test(test_each_cause_of_each_engine),
        cmocka_unit_test(test_two_causes_are_two_records),
        cmocka_unit_test(test_masks_and_the_switch_of_the_dve),
        cmocka_unit_test(test_nothing_is_looked_for_after_reset),
        cmocka_unit_test(test_injected_memory_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
