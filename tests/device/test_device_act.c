/* SPDX-License-Identifier: Apache-2.0 */
/* Activation tables and special-value registers are device memory: what the bus writes is what the
 * next word reads (docs/hardware/activation.md 3.5, 5.1, 8). */
#include "../seq/fixture.h"

#include <string.h>

#include "act_pack.h"
#include "base/bytes.h"
#include "gen/blocks.h"

enum { WINDOW_STEP = 0x40000, SOURCE = 0, RESULT = 0x100, FUNCTION = 77 };

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
enum { NUM_GENS = 4 };

static uint64_t aperture(const struct trn_gen *gen, const char *name)
{
    const struct trn_aperture_row *row = trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, name);
    assert_non_null(row);
    return gen->bar0_tpb + row->offset;
}

static void put(struct fixture *core, uint64_t at, const void *data, size_t size)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write_block(bus->context, at, data, size), TRN_OK);
}

static uint32_t get32(struct fixture *core, uint64_t at)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, at, &value), TRN_OK);
    return value;
}

static void put_bucket(struct fixture *core, const char *table, float d0)
{
    const struct trn_act_bucket bucket = {.d0 = trn_f32_bits(d0)};
    uint8_t bytes[TRN_ACT_BUCKET_BYTES] = {0};
    trn_act_bucket_pack((enum trn_act_layout)core->gen->act_layout, &bucket, bytes);
    put(core, aperture(core->gen, table), bytes, sizeof bytes);
}

/* One function whose four clamps are bucket 0, a constant; 9 for zero, 8 for what the NaN detector
 * finds. */
static void pack_entries(enum trn_act_layout layout, uint8_t *cam_bytes, uint8_t *profile_bytes)
{
    const struct trn_act_cam cam = {.func_id = FUNCTION, .func_id_mask = 0xFF, .valid = 1};
    const struct trn_act_profile profile = {.small_pos_signal_threshold = 128,
                                            .small_neg_signal_threshold = 128,
                                            .large_pos_signal_threshold = 127,
                                            .large_neg_signal_threshold = 127,
                                            .func_rslt_for_zero = trn_f32_bits(9.0f),
                                            .func_rslt_for_nan = trn_f32_bits(8.0f)};
    trn_act_cam_pack(layout, &cam, cam_bytes);
    trn_act_profile_pack(layout, &profile, profile_bytes);
}

static void put_tables(struct fixture *core)
{
    uint8_t cam[TRN_ACT_CAM_BYTES] = {0}, profile[TRN_ACT_PROFILE_BYTES] = {0};
    pack_entries((enum trn_act_layout)core->gen->act_layout, cam, profile);
    put(core, aperture(core->gen, "ACT_LOCAL_STORAGE_CAM"), cam, sizeof cam);
    put(core, aperture(core->gen, "ACT_LOCAL_STORAGE_TABLE"), profile, sizeof profile);
    put_bucket(core, "ACT_LOCAL_STORAGE_BUCKETS", 2.0f);
}

static void put_pattern(uint8_t *bytes, uint32_t address)
{
    trn_put32(bytes, address);
    for (size_t i = 4; i < 16; i += 2)
        trn_put16(bytes + i, 1);
}

/* function(x), x put in place: the bias is a vector, 0, at 0x80 (SUNDA takes no other). */
static struct program activation(struct fixture *core, float x)
{
    struct program p = program_for(core->gen);
    uint8_t *w = add(&p, TRN_OPCODE_ACTIVATE), bytes[4];
    put_pattern(trn_s3d3_ac_src_mem_pattern_ref(w, p.isa), SOURCE);
    put_pattern(trn_s3d3_ac_dst_mem_pattern_ref(w, p.isa), RESULT);
    trn_s3d3_ac_in_bias_dtype_set(w, p.isa, TRN_DTYPE_FP32 | TRN_DTYPE_FP32 << 4);
    trn_s3d3_ac_out_dtype_set(w, p.isa, TRN_DTYPE_FP32);
    trn_s3d3_ac_num_active_channels_set(w, p.isa, 1);
    trn_s3d3_ac_activation_func_set(w, p.isa, FUNCTION);
    trn_s3d3_ac_scale_value_set(w, p.isa, trn_f32_bits(1.0f));
    trn_s3d3_ac_bias_set(w, p.isa, 0x80);
    add(&p, TRN_OPCODE_HALT);
    trn_put32(bytes, trn_f32_bits(x));
    put(core, core->gen->bar0_tpb + SOURCE, bytes, sizeof bytes);
    return p;
}

static float activated_on(struct fixture *core, int engine, float x)
{
    struct program p = activation(core, x);
    start(core, engine, &p);
    assert_int_equal(run(core, 0), TRN_RUN_OK);
    return trn_bits_f32(get32(core, core->gen->bar0_tpb + RESULT));
}

static float activated(struct fixture *core, float x)
{
    return activated_on(core, ACT, x);
}

static void test_the_engine_reads_what_the_bus_wrote(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_GENS; i++) {
        struct fixture core = open_core(trn_gen_find(gens[i]), NULL);
        put_tables(&core);
        assert_true(activated(&core, 1.0f) == 2.0f);
        assert_true(activated(&core, -3.0f) == 2.0f);
        put_bucket(&core, "ACT_BUCKET_TABLE", 5.0f);
        assert_true(activated(&core, 1.0f) == 5.0f);
        /* the aperture and the local storage are the same bytes */
        assert_int_equal(get32(&core, aperture(core.gen, "ACT_LOCAL_STORAGE_BUCKETS")),
                         trn_f32_bits(5.0f));
        close_core(&core);
    }
}

/* CAM and PROFILE of MAVERICK have no known place: they come with a set. Its octaves and buckets
 * lie in the DVE block, at +0xA0000, +0xB0000 and +0xC0000 (activation.md 3.5), and DVE executes
 * the words. */
static void test_maverick_shows_octaves_and_buckets(void **state)
{
    static uint8_t cam[TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES];
    static uint8_t profile[TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES];
    static uint8_t control[TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES];
    static uint8_t bucket[TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES];
    const struct trn_act_tables tables = {.layout = TRN_ACT_LAYOUT_LATER,
                                          .cam = cam,
                                          .profile = profile,
                                          .control = control,
                                          .bucket = bucket};
    uint8_t word[4];
    (void)state;
    struct fixture core = open_core(trn_gen_find("maverick"), NULL);
    const uint64_t dve = aperture(core.gen, "DVE_IRAM");
    pack_entries(TRN_ACT_LAYOUT_LATER, cam, profile);
    assert_int_equal(trn_device_act_register_set(core.device, &tables, NULL), TRN_OK);
    assert_int_equal(trn_device_act_select_set(core.device, 0), TRN_OK);
    assert_true(activated_on(&core, DVE, 1.0f) == 0.0f);
    put_bucket(&core, "PWP_BUCKETS_TABLE", 5.0f);
    assert_true(activated_on(&core, DVE, 1.0f) == 5.0f);
    assert_int_equal(get32(&core, dve + 0xC0000), trn_f32_bits(5.0f));
    trn_put32(word, 0x1B000);
    put(&core, dve + 0xA0000, word, sizeof word);
    assert_int_equal(get32(&core, dve + 0xB0000), 0x1B000);
    close_core(&core);
}

enum { ZERO, POS_INF, NEG_INF, NOT_A_NUMBER };

/* Registers from 0x240 on: value and mask of each class in turn. */
static void put_detector(struct fixture *core, unsigned which, uint32_t value, uint32_t mask)
{
    const struct trn_block *tpb = trn_block_find(core->gen, "tpb[0]");
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_non_null(tpb);
    const uint64_t at = tpb->bar0 + 0x240 + 8 * which;
    assert_int_equal(bus->write32(bus->context, at, value), TRN_OK);
    assert_int_equal(bus->write32(bus->context, at + 4, mask), TRN_OK);
}

/* Before they are programmed the detectors are those of the init; then they are what they hold. */
static void test_special_values_are_registers(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_GENS; i++) {
        struct fixture core = open_core(trn_gen_find(gens[i]), NULL);
        put_tables(&core);
        assert_true(activated(&core, 0.0f) == 9.0f);
        assert_true(activated(&core, trn_bits_f32(0x7FC00001)) == 8.0f);
        assert_true(activated(&core, 1.0f) == 2.0f);
        put_detector(&core, ZERO, trn_f32_bits(1.0f), UINT32_MAX);
        put_detector(&core, POS_INF, 0x7F800000, UINT32_MAX);
        put_detector(&core, NEG_INF, 0xFF800000, UINT32_MAX);
        put_detector(&core, NOT_A_NUMBER, 0x40000000, 0x40000000);
        assert_true(activated(&core, 1.0f) == 9.0f);
        assert_true(activated(&core, 0.0f) == 2.0f);
        assert_true(activated(&core, 4.0f) == 8.0f);
        close_core(&core);
    }
}

/* Octave 0 cut in two, its first section alone stored: bucket 0; the clamps are bucket 1. The
 * CONTROL word: size 1 << 16 | lsb 22 << 11 | base 0 (activation.md 3.3). */
static void put_octave(struct fixture *core, uint32_t control)
{
    const struct trn_act_profile profile = {.small_pos_signal_threshold = 127,
                                            .small_neg_signal_threshold = 127,
                                            .large_pos_signal_threshold = 127,
                                            .large_neg_signal_threshold = 127,
                                            .small_pos_signal_pwl_control = 1,
                                            .small_neg_signal_pwl_control = 1,
                                            .large_pos_signal_pwl_control = 1,
                                            .large_neg_signal_pwl_control = 1};
    uint8_t bytes[TRN_ACT_PROFILE_BYTES] = {0}, buckets[2 * TRN_ACT_BUCKET_BYTES] = {0}, word[4];
    put_tables(core);
    trn_act_profile_pack((enum trn_act_layout)core->gen->act_layout, &profile, bytes);
    put(core, aperture(core->gen, "ACT_LOCAL_STORAGE_TABLE"), bytes, TRN_ACT_PROFILE_BYTES);
    trn_put32(buckets, trn_f32_bits(2.0f));
    trn_put32(buckets + TRN_ACT_BUCKET_BYTES, trn_f32_bits(7.0f));
    put(core, aperture(core->gen, "ACT_LOCAL_STORAGE_BUCKETS"), buckets, sizeof buckets);
    trn_put32(word, control);
    put(core, aperture(core->gen, "ACT_CONTROL_TABLE"), word, sizeof word);
}

static void expect_section_oor(struct fixture *core, float x, const char *what)
{
    struct program p = activation(core, x);
    start(core, ACT, &p);
    assert_int_equal(run(core, 0), TRN_RUN_FAULT);
    expect_fault(core, ACT, "illegal_instruction", "ACT_SECTION_OOR");
    assert_non_null(strstr(core->report.faults[0].message, what));
    assert_int_equal(get32(core, core->gen->bar0_tpb + RESULT), 0); /* nothing is written */
}

/* By choice a section that is not stored is a fault; else whatever is there answers. */
static void test_sections_that_are_not_stored(void **state)
{
    const struct trn_device_options strict = {.act_strict = true};
    enum { CUT = 0x1B000, EMPTY = 0 };
    (void)state;
    for (int i = 0; i < NUM_GENS; i++) {
        struct fixture core = open_core(trn_gen_find(gens[i]), NULL);
        put_octave(&core, CUT);
        assert_true(activated(&core, 1.25f) == 2.0f);
        assert_true(activated(&core, 1.5f) == 7.0f);
        close_core(&core);
        core = open_core(trn_gen_find(gens[i]), &strict);
        put_octave(&core, CUT);
        assert_true(activated(&core, 1.25f) == 2.0f);
        assert_true(activated(&core, 2.5f) == 7.0f); /* the clamp */
        put(&core, core.gen->bar0_tpb + RESULT, (uint8_t[4]){0}, 4);
        expect_section_oor(&core, 1.5f,
                           "section 1 of octave 0 is bucket 1; its sections end before 1");
        close_core(&core);
        core = open_core(trn_gen_find(gens[i]), &strict);
        put_octave(&core, EMPTY);
        expect_section_oor(&core, 1.25f, "CONTROL word 0 of octave 0 is empty");
        close_core(&core);
    }
}

static void test_sets_are_registered_in_their_layout(void **state)
{
    static uint8_t cam[4096], profile[8192], control[8192], bucket[65536];
    struct trn_act_tables tables = {.cam = cam, .profile = profile, .control = control};
    struct trn_diag diag;
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    tables.layout = TRN_ACT_LAYOUT_LATER;
    assert_int_equal(trn_device_act_register_set(core.device, &tables, &diag), TRN_ERR_INVALID);
    tables.bucket = bucket;
    assert_int_equal(trn_device_act_select_set(core.device, 0), TRN_ERR_RANGE);
    assert_int_equal(trn_device_act_register_set(core.device, &tables, &diag), TRN_OK);
    assert_int_equal(trn_device_act_select_set(core.device, 0), TRN_OK);
    tables.layout = TRN_ACT_LAYOUT_SUNDA;
    assert_int_equal(trn_device_act_register_set(core.device, &tables, &diag), TRN_ERR_INVALID);
    assert_non_null(strstr(diag.message, "SUNDA's"));
    assert_non_null(strstr(diag.message, "cayman"));
    tables.layout = TRN_ACT_LAYOUT_LATER;
    for (int i = 1; i < 256; i++)
        assert_int_equal(trn_device_act_register_set(core.device, &tables, &diag), TRN_OK);
    assert_int_equal(trn_device_act_register_set(core.device, &tables, &diag), TRN_ERR_TOO_LARGE);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_engine_reads_what_the_bus_wrote),
                                       cmocka_unit_test(test_maverick_shows_octaves_and_buckets),
                                       cmocka_unit_test(test_special_values_are_registers),
                                       cmocka_unit_test(test_sections_that_are_not_stored),
                                       cmocka_unit_test(test_sets_are_registered_in_their_layout)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
