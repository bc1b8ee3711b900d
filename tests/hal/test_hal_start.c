/* SPDX-License-Identifier: Apache-2.0 */
/* The start protocol over a bus: every write in order (docs/hardware/sequencer.md 2.2 steps 7 to
 * 11, hal-stpb.md 14.1 and 14.4), bus errors handed on, and the same calls bringing up the model.
 */
#include <stdio.h>
#include <string.h>

#include "seq/fixture.h"
#include "trench/hal_start.h"

/* ---- a bus that writes down what crosses it ---------------------------------------------------
 */

struct recorder {
    struct trn_bus bus;
    struct {
        bool write;
        uint64_t offset;
        uint32_t value;
    } log[16];
    size_t count;
    size_t fail_at; /* number of the access that fails, from 1; 0: none */
};

static trn_status note(struct recorder *r, bool write, uint64_t offset, uint32_t value)
{
    assert_true(r->count < 16);
    r->log[r->count].write = write;
    r->log[r->count].offset = offset;
    r->log[r->count].value = value;
    r->count++;
    return r->fail_at == r->count ? TRN_ERR_ADDRESS : TRN_OK;
}

static trn_status record_read(void *context, uint64_t offset, uint32_t *value)
{
    *value = 0x85644;
    return note(context, false, offset, 0);
}

static trn_status record_write(void *context, uint64_t offset, uint32_t value)
{
    return note(context, true, offset, value);
}

static struct trn_hal_start open_hal(struct recorder *r, const char *gen, unsigned core)
{
    struct trn_hal_start hal;
    struct trn_diag diag;
    *r = (struct recorder){.bus = {r, record_read, record_write, NULL, NULL}};
    if (trn_hal_start_open(&hal, trn_gen_find(gen), &r->bus, core, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    assert_int_equal(r->count, 0);
    return hal;
}

static void expect_write(const struct recorder *r, size_t i, uint64_t offset, uint32_t value)
{
    assert_true(i < r->count);
    assert_true(r->log[i].write);
    if (r->log[i].offset != offset)
        fail_msg("write %zu goes to 0x%llx, 0x%llx expected", i,
                 (unsigned long long)r->log[i].offset, (unsigned long long)offset);
    assert_int_equal(r->log[i].value, value);
}

/* ---- the sequences ------------------------------------------------------------------------------
 */

/* SUNDA: X + 4 = 0; the Q7 cores have no release register. Core 1 lies 0x4000000 further. */
static void test_sunda_release_and_start(void **state)
{
    (void)state;
    struct recorder r;
    const struct trn_hal_start hal = open_hal(&r, "sunda", 1);
    assert_int_equal(trn_hal_start_release(&hal, POOL, NULL), TRN_OK);
    assert_int_equal(r.count, 1);
    expect_write(&r, 0, 0x4000000 + 0x2960000 + 0x04, 0);
    assert_int_equal(trn_hal_start_engine(&hal, POOL, UINT64_C(0x123456780), NULL), TRN_OK);
    assert_int_equal(r.count, 4);
    expect_write(&r, 1, 0x4000000 + 0x2960000 + 0x08, 0x23456780);
    expect_write(&r, 2, 0x4000000 + 0x2960000 + 0x0C, 1);
    expect_write(&r, 3, 0x4000000 + 0x2960000 + 0x10, 1); /* the address goes first */
}

/* CAYMAN and later: X + 0 = 0, then POOL's Q7 cores at X + 0x3000, all eight at once. */
static void test_later_generations_release_and_start(void **state)
{
    static const char *const gens[] = {"cayman", "mariana", "mariana_plus"};
    (void)state;
    for (size_t g = 0; g < 3; g++) {
        struct recorder r;
        const struct trn_hal_start hal = open_hal(&r, gens[g], 0);
        assert_int_equal(trn_hal_start_release(&hal, POOL, NULL), TRN_OK);
        assert_int_equal(r.count, 2);
        expect_write(&r, 0, 0xD3060000, 0);
        expect_write(&r, 1, 0xD3063000, 0);
        assert_int_equal(trn_hal_start_release(&hal, DVE, NULL), TRN_OK);
        assert_int_equal(r.count, 3); /* no Q7 behind the others */
        expect_write(&r, 2, 0xD2B60000, 0);
        assert_int_equal(trn_hal_start_engine(&hal, ACT, 0x80, NULL), TRN_OK);
        expect_write(&r, 3, 0xD2461060, 0x80);
        expect_write(&r, 4, 0xD2461080, 0);
        expect_write(&r, 5, 0xD2460004, 1);
        uint32_t value = 0;
        assert_int_equal(trn_hal_start_state(&hal, SP, &value, NULL), TRN_OK);
        assert_int_equal(value, 0x85644);
        assert_false(r.log[6].write);
        assert_true(r.log[6].offset == 0xD2860008);
    }
}

static void test_bus_errors_are_handed_on(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        struct recorder r;
        struct trn_diag diag;
        const struct trn_hal_start hal = open_hal(&r, "cayman", 0);
        r.fail_at = fail_at;
        assert_int_equal(trn_hal_start_engine(&hal, PE, 0x40, &diag), TRN_ERR_ADDRESS);
        assert_int_equal(r.count, fail_at); /* nothing after the failure */
        assert_non_null(strstr(diag.where, "0xd266"));
        assert_true(diag.message[0] != '\0');
    }
}

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    struct recorder r;
    struct trn_diag diag;
    struct trn_hal_start hal = open_hal(&r, "cayman", 7);
    assert_int_equal(trn_hal_start_engine(&hal, 5, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_start_engine(&hal, -1, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_start_release(NULL, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(r.count, 0);
    const struct trn_gen *cayman = trn_gen_find("cayman");
    assert_int_equal(trn_hal_start_open(&hal, cayman, &r.bus, 8, &diag), TRN_ERR_RANGE);
    assert_int_equal(trn_hal_start_open(&hal, cayman, NULL, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_start_open(&hal, NULL, &r.bus, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_start_open(NULL, cayman, &r.bus, 0, &diag), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_start_engine(&hal, 0, 0, &diag),
                     TRN_ERR_INVALID); /* never initialised */
}

/* No HAL and no register map of a host is known for MAVERICK (generations.md 1, hal-stpb.md 8). */
static void test_maverick_has_no_hal(void **state)
{
    (void)state;
    struct recorder r = {.bus = {&r, record_read, record_write, NULL, NULL}};
    struct trn_hal_start hal;
    struct trn_diag diag;
    assert_int_equal(trn_hal_start_open(&hal, trn_gen_find("maverick"), &r.bus, 0, &diag),
                     TRN_ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "maverick"));
}

/* ---- against the model
 * ---------------------------------------------------------------------------- */

static void test_hal_brings_up_the_model(void **state)
{
    static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    (void)state;
    for (size_t g = 0; g < 4; g++)
        for (int engine = PE; engine <= SP; engine++) {
            struct fixture core = open_core(trn_gen_find(gens[g]), NULL);
            struct program p = program_for(core.gen);
            struct trn_hal_start hal;
            uint32_t value = 99;
            add(&p, TRN_OPCODE_NOP);
            add(&p, TRN_OPCODE_HALT);
            const struct trn_bus *bar4 = trn_device_bar4(core.device);
            bar4->write_block(bar4->context, 0x40000, p.word, p.num_words * TRN_INST_BYTES);
            assert_int_equal(
                trn_hal_start_open(&hal, core.gen, trn_device_bar0(core.device), 0, NULL), TRN_OK);
            assert_int_equal(trn_hal_start_release(&hal, engine, NULL), TRN_OK);
            run(&core, 0);
            assert_int_equal(core.report.engines[engine].state, TRN_ENGINE_IDLE);
            assert_int_equal(trn_hal_start_state(&hal, engine, &value, NULL), TRN_OK);
            assert_int_equal(value, 0);
            assert_int_equal(trn_hal_start_engine(&hal, engine, 0x40000, NULL), TRN_OK);
            assert_int_equal(run(&core, 0), TRN_RUN_OK);
            assert_int_equal(core.report.engines[engine].retired, 2);
            for (int other = PE; other <= SP; other++) /* nobody else was released */
                if (other != engine)
                    assert_int_equal(core.report.engines[other].state, TRN_ENGINE_STALLED);
            assert_int_equal(trn_hal_start_state(&hal, engine, &value, NULL), TRN_OK);
            assert_int_equal(value, 1);
            close_core(&core);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sunda_release_and_start),
        cmocka_unit_test(test_later_generations_release_and_start),
        cmocka_unit_test(test_bus_errors_are_handed_on),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_maverick_has_no_hal),
        cmocka_unit_test(test_hal_brings_up_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
