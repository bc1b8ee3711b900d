/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy, uninitialised reads, digests, reset content (field cases F09, F13, F35, F37). */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"

static void set_pattern(uint8_t *pattern, uint32_t address)
{
    trn_put32(pattern, address);
    for (unsigned d = 0; d < 4; d++) {
        trn_put16(pattern + 4 + 2 * d, 1);                /* step */
        trn_put16(pattern + 12 + 2 * d, d == 0 ? 16 : 1); /* count */
    }
}

/* COPY of 16 FP32 elements in `channels` partitions: SBUF byte `from` to byte `to`. */
static void add_copy(struct program *p, uint32_t from, uint32_t to, uint8_t channels)
{
    uint8_t *word = add(p, TRN_OPCODE_COPY);
    trn_s4d4_tr_in_dtype_set(word, p->isa, TRN_DTYPE_FP32);
    trn_s4d4_tr_out_dtype_set(word, p->isa, TRN_DTYPE_FP32);
    trn_s4d4_tr_num_active_channels_set(word, p->isa, channels);
    set_pattern(trn_s4d4_tr_src_mem_pattern_ref(word, p->isa), from);
    set_pattern(trn_s4d4_tr_dst_mem_pattern_ref(word, p->isa), to);
}

static void fill(struct fixture *core, uint32_t partition, uint32_t byte, uint8_t value,
                 size_t size)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint8_t bytes[256];
    memset(bytes, value, sizeof bytes);
    assert_int_equal(bus->write_block(bus->context,
                                      trn_device_space_offset(core->device, TRN_SPACE_SBUF) +
                                          partition * core->gen->sbuf_stride + byte,
                                      bytes, size),
                     TRN_OK);
}

/* F09: bytes written and last writer, partition by partition. */
static void test_occupancy_names_bytes_and_writer(void **state)
{
    const struct trn_device_options options = {.track = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct program p = program_for(core.gen);
    for (uint32_t lane = 0; lane < 32; lane++)
        fill(&core, lane, 0, 1, 64);
    add(&p, TRN_OPCODE_NOP);
    add_copy(&p, 0, 0x1000, 32);
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    if (run(&core, 0) != TRN_RUN_OK)
        fail_msg("%s", core.report.faults[0].message);
    for (uint32_t lane = 0; lane < 128; lane++) {
        struct trn_occupancy use;
        assert_int_equal(trn_device_occupancy(core.device, TRN_SPACE_SBUF, lane, &use), TRN_OK);
        assert_int_equal(use.bytes_written, lane < 32 ? 128 : 0);
        assert_int_equal(use.last_engine, lane < 32 ? DVE : -1);
        if (lane < 32)
            assert_true(use.last_pc == queue_of(DVE) + 64);
    }
    struct trn_occupancy use;
    assert_int_equal(trn_device_occupancy(core.device, TRN_SPACE_SBUF, 128, &use), TRN_ERR_INVALID);
    close_core(&core);
    core = open_core(trn_gen_find("cayman"), NULL);
    assert_int_equal(trn_device_occupancy(core.device, TRN_SPACE_SBUF, 0, &use),
                     TRN_ERR_UNSUPPORTED);
    close_core(&core);
}

/* F37: a program that reads what nobody wrote gets the reset content, and a finding at the byte. */
static void test_read_of_unwritten_bytes_is_a_finding(void **state)
{
    const struct trn_device_options options = {
        .track = true, .check_uninit = true, .reset = TRN_RESET_POISON};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct program p = program_for(core.gen);
    for (uint32_t lane = 0; lane < 32; lane++)
        fill(&core, lane, 0, 1, lane == 5 ? 40 : 64); /* partition 5 from byte 40 on is missing */
    add_copy(&p, 0, 0x1000, 32);
    add_copy(&p, 0x1000, 0x2000, 32); /* what was copied counts as written */
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_findings, 1);
    const struct trn_finding_report *found = &core.report.findings[0];
    assert_int_equal(found->space, TRN_SPACE_SBUF);
    assert_int_equal(found->partition, 5);
    assert_int_equal(found->byte, 40);
    assert_int_equal(found->engine, DVE);
    assert_true(found->pc == queue_of(DVE));
    const struct trn_bus *bus = trn_device_bar0(core.device);
    uint32_t value = 0;
    bus->read32(bus->context,
                trn_device_space_offset(core.device, TRN_SPACE_SBUF) + 5 * core.gen->sbuf_stride +
                    0x2000 + 40,
                &value);
    assert_int_equal(value, 0xFFFFFFFF);
    close_core(&core);
}

static void test_loads_of_control_words_are_watched_too(void **state)
{
    const struct trn_device_options options = {.track = true, .check_uninit = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("sunda"), &options);
    struct program p = program_for(core.gen);
    uint8_t *word = add(&p, TRN_OPCODE_TENSOR_LOAD);
    trn_mem_2d_dtype_set(word, p.isa, TRN_DTYPE_UINT32);
    memset(trn_mem_2d_num_elem_ref(word, p.isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p.isa, 0x9000);
    add_branch(&p, TRN_BR_CMP_OP_EQ_IMM, 1, 0, 1);
    add(&p, TRN_OPCODE_HALT);
    start(&core, SP, &p);
    run(&core, 0);
    assert_int_equal(core.report.num_findings, 1);
    assert_int_equal(core.report.findings[0].space, TRN_SPACE_HBM);
    assert_int_equal(core.report.findings[0].byte, 0x9000);
    close_core(&core);
}

/* F35 at the level of the library: what a dump would read was never written. */
static void test_written_ranges(void **state)
{
    const struct trn_device_options options = {.track = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    uint64_t first = 0;
    fill(&core, 3, 100, 7, 50);
    assert_true(trn_device_written(core.device, TRN_SPACE_SBUF, 3, 100, 50, &first));
    assert_false(trn_device_written(core.device, TRN_SPACE_SBUF, 3, 100, 51, &first));
    assert_int_equal(first, 150);
    assert_false(trn_device_written(core.device, TRN_SPACE_SBUF, 3, 99, 1, &first));
    close_core(&core);
}

static uint32_t first_word(const struct trn_device_options *options)
{
    struct fixture core = open_core(trn_gen_find("cayman"), options);
    const uint32_t value = hbm32(&core, 0x123450);
    close_core(&core);
    return value;
}

static void test_reset_content_is_selectable(void **state)
{
    (void)state;
    assert_int_equal(first_word(NULL), 0);
    assert_int_equal(first_word(&(struct trn_device_options){.reset = TRN_RESET_POISON}),
                     0xFFFFFFFF);
    const struct trn_device_options random = {.reset = TRN_RESET_RANDOM, .reset_seed = 5};
    const struct trn_device_options other = {.reset = TRN_RESET_RANDOM, .reset_seed = 6};
    assert_int_equal(first_word(&random), first_word(&random));
    assert_int_not_equal(first_word(&random), first_word(&other));
}

/* Each COPY reads and writes 32 x 64 bytes: 4,096 a word. */
static void test_byte_limit_stops_a_run(void **state)
{
    static const struct {
        uint64_t limit, words;
    } cases[] = {{1, 1}, {4096, 1}, {4097, 2}, {3 * 4096, 3}, {1 << 20, 11}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct trn_device_options options = {.byte_limit = cases[i].limit};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        struct program p = program_for(core.gen);
        for (int n = 0; n < 10; n++)
            add_copy(&p, 0, 0x1000, 32);
        add(&p, TRN_OPCODE_HALT);
        start(&core, DVE, &p);
        assert_int_equal(run(&core, 0), cases[i].words == 11 ? TRN_RUN_OK : TRN_RUN_LIMIT);
        assert_int_equal(core.report.engines[DVE].retired, cases[i].words);
        close_core(&core);
    }
}

/* ---- digests
 * ----------------------------------------------------------------------------------------- */

static struct trn_word_report copy_digest(uint32_t to, uint8_t value, uint64_t seed)
{
    const struct trn_device_options options = {
        .track = true, .digest = true, .schedule_seed = seed};
    struct fixture core = open_core(trn_gen_find("mariana"), &options);
    struct program p = program_for(core.gen);
    struct trn_word_report last;
    for (uint32_t lane = 0; lane < 32; lane++)
        fill(&core, lane, 0, value, 64);
    trn_device_last_word(core.device, &last);
    assert_int_equal(last.engine, -1);
    add_copy(&p, 0, to, 32);
    start(&core, DVE, &p);
    run(&core, 1);
    trn_device_last_word(core.device, &last);
    assert_int_equal(last.engine, DVE);
    assert_true(last.pc == queue_of(DVE));
    assert_memory_equal(last.word, p.word[0], TRN_INST_BYTES);
    close_core(&core);
    return last;
}

static void test_digest_follows_places_and_values(void **state)
{
    (void)state;
    const struct trn_word_report base = copy_digest(0x1000, 1, 0);
    assert_int_equal(base.bytes_written, 32 * 64);
    assert_true(base.digest == copy_digest(0x1000, 1, 7).digest);
    assert_true(base.digest != copy_digest(0x1000, 2, 0).digest);
    assert_true(base.digest != copy_digest(0x1040, 1, 0).digest);
}

static void test_digest_of_a_word_that_writes_nothing_is_zero(void **state)
{
    const struct trn_device_options options = {.track = true, .digest = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct program p = program_for(core.gen);
    struct trn_word_report last;
    add(&p, TRN_OPCODE_NOP);
    start(&core, SP, &p);
    run(&core, 1);
    trn_device_last_word(core.device, &last);
    assert_int_equal(last.engine, SP);
    assert_int_equal(last.bytes_written, 0);
    assert_int_equal(last.digest, 0);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occupancy_names_bytes_and_writer),
        cmocka_unit_test(test_read_of_unwritten_bytes_is_a_finding),
        cmocka_unit_test(test_loads_of_control_words_are_watched_too),
        cmocka_unit_test(test_written_ranges),
        cmocka_unit_test(test_byte_limit_stops_a_run),
        cmocka_unit_test(test_reset_content_is_selectable),
        cmocka_unit_test(test_digest_follows_places_and_values),
        cmocka_unit_test(test_digest_of_a_word_that_writes_nothing_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
