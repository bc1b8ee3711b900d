/* SPDX-License-Identifier: Apache-2.0 */
/* What the HAL refuses before it touches the device, and where the generations part: images larger
 * than their aperture, carveouts, levels, copies that fail (docs/hardware/hal-stpb.md 4.3, 9 to 11,
 * 13 to 15), and the three divergences of section 18 that a HAL with one set of generations gets
 * wrong without any error. */
#include "hal/bringup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
static const char *const tags[] = {"PE", "ACT", "POOL", "DVE", "SP"};

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

static bool has_decode(const struct rig *rig, int engine)
{
    return !is_sunda(rig) && engine != TRN_HAL_SP;
}

/* The one line of level 1 there is contains the text; `tag` NULL or another text of the line. */
static void expect_error_line(const struct rig *rig, const char *text, const char *tag)
{
    const struct fake_event *line = fake_bus_find_log(&rig->bus, text);
    if (!line)
        fail_msg("%s: no log line with \"%s\"", rig->gen->name, text);
    assert_int_equal(line->level, 1);
    assert_int_equal(fake_bus_logs(&rig->bus, 1), 1);
    if (tag && !strstr(line->text, tag))
        fail_msg("%s: \"%s\" does not name %s", rig->gen->name, line->text, tag);
}

/* ---- images larger than their aperture (10, 11, 14.2) ------------------------------------------
 */

static struct trn_hal_buf *region_of(struct trn_hal_eng_info *info, enum image_region region)
{
    struct trn_hal_buf *const regions[IMAGE_REGIONS] = {
        [SEQ_IRAM] = &info->seq_ucode.iram, [SEQ_DRAM] = &info->seq_ucode.dram,
        [Q7_IRAM] = &info->q7_ucode.iram,   [Q7_DRAM] = &info->q7_ucode.dram,
        [CAM] = &info->hw_decode.cam,       [PROFILE] = &info->hw_decode.profile};
    return regions[region];
}

static bool uses(const struct rig *rig, int engine, enum image_region region)
{
    if (region == Q7_IRAM || region == Q7_DRAM)
        return engine == TRN_HAL_POOL;
    return (region != CAM && region != PROFILE) || has_decode(rig, engine);
}

/* An engine's argument with `size` bytes in one region. */
static trn_status init_with(struct rig *rig, int engine, enum image_region region, void *bytes,
                            uint64_t size)
{
    struct trn_hal_engine_config config = rig_engine(rig, engine);
    *region_of(&config.info, region) = (struct trn_hal_buf){bytes, size};
    return trn_hal_engine_init(rig->hal, engine, &config);
}

/* How many bytes a text says: "size=%lu". */
static void expect_size(char *text, size_t room, uint64_t size)
{
    snprintf(text, room, "ucode too big! doesn't fit, size=%llu", (unsigned long long)size);
}

static void expect_oversize(struct rig *rig, int engine, enum image_region region, uint64_t size)
{
    char text[96];
    expect_size(text, sizeof text, size);
    switch (region) {
    case SEQ_IRAM:
    case SEQ_DRAM:
        expect_error_line(rig, text, tags[engine]);
        assert_non_null(fake_bus_find_log(&rig->bus, region == SEQ_IRAM ? "IRAM" : "DRAM"));
        break;
    case Q7_IRAM:
    case Q7_DRAM:
        expect_error_line(rig, text, region == Q7_IRAM ? "IRAM" : "DRAM");
        break;
    default:
        snprintf(text, sizeof text, "%s HW decode %s table too big!", tags[engine],
                 region == CAM ? "CAM" : "PROFILE");
        expect_error_line(rig, text, NULL);
        break;
    }
}

static void test_images_fit_or_are_refused(void **state)
{
    (void)state;
    unsigned char *bytes = calloc(1, 0x40001); /* one more than the largest aperture */
    assert_non_null(bytes);
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++)
            for (int r = 0; r < IMAGE_REGIONS; r++) {
                const enum image_region region = (enum image_region)r;
                const uint64_t cap = rig_cap(&rig, region);
                if (!uses(&rig, engine, region))
                    continue;
                rig_again(&rig);
                assert_int_equal(init_with(&rig, engine, region, bytes, cap), TRN_OK);
                rig_again(&rig);
                assert_int_equal(init_with(&rig, engine, region, bytes, cap + 1), -1);
                expect_oversize(&rig, engine, region, cap + 1);
                /* Nothing of this or a later step was loaded, no stall was released. */
                for (size_t i = 0; i < rig.bus.count; i++)
                    if (rig.bus.event[i].kind == 'B')
                        assert_true(region > SEQ_DRAM);
                const uint64_t stall = rig_local(&rig, engine) + (is_sunda(&rig) ? 4 : 0);
                assert_int_equal(fake_bus_count(&rig.bus, 'W', stall), 0);
            }
        rig_close(&rig);
    }
    free(bytes);
}

/* Both sizes 0: that part is not copied and the step succeeds (model choice, hal-stpb.md 10). */
static void test_no_image_is_no_copy(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct rig rig;
            rig_open(&rig, gens[g], 0);
            struct trn_hal_engine_config config = rig_engine(&rig, engine);
            config.info.seq_ucode = (struct trn_hal_ucode){{NULL, 0}, {NULL, 0}};
            assert_int_equal(
                trn_hal_engine_step(rig.hal, engine, TRN_HAL_STEP_UCODE_SEQ_INIT, &config), TRN_OK);
            for (size_t i = 0; i < rig.bus.count; i++)
                assert_int_not_equal(rig.bus.event[i].kind, 'B');
            rig_close(&rig);
        }
}

/* ---- the caller's own copy (4.3, 14.2) ---------------------------------------------------------
 */

struct copier {
    size_t calls;
    size_t fail_at; /* from 1; 0: never */
    uint64_t last, bytes;
};

static trn_status copy(void *cookie, uint64_t dst, const void *src, uint64_t size)
{
    struct copier *copier = cookie;
    (void)src;
    copier->last = dst;
    copier->bytes += size;
    return ++copier->calls == copier->fail_at ? -7 : TRN_OK;
}

static trn_status init_by_copy(struct rig *rig, int engine, struct copier *copier)
{
    struct trn_hal_engine_config config = rig_engine(rig, engine);
    config.memcpy_fn = copy;
    config.cookie = copier;
    return trn_hal_engine_init(rig->hal, engine, &config);
}

static void test_own_copy_replaces_programmed_io(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        uint64_t bytes = 0;
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct rig rig;
            struct copier copier = {0};
            rig_open(&rig, gens[g], 0);
            assert_int_equal(init_by_copy(&rig, engine, &copier), TRN_OK);
            for (size_t i = 0; i < rig.bus.count; i++)
                assert_int_not_equal(rig.bus.event[i].kind, 'B');
            bytes += copier.bytes;
            rig_close(&rig);
        }
        assert_int_equal(bytes, g == 0 ? 0x164000 : 0x3FC000); /* 18.3: block bytes of the five */
    }
}

static void fail_copy(const char *gen, int engine, size_t at, trn_status status, const char *text)
{
    struct rig rig;
    struct copier copier = {.fail_at = at};
    rig_open(&rig, gen, 0);
    if (init_by_copy(&rig, engine, &copier) != status)
        fail_msg("%s %s: copy %zu fails: status %d wanted", gen, tags[engine], at, status);
    assert_int_equal(copier.calls, at); /* nothing later is copied */
    if (!fake_bus_find_log(&rig.bus, "failed with -7"))
        fail_msg("%s %s: copy %zu: no line says that memcpy_fn failed", gen, tags[engine], at);
    if (text && !fake_bus_find_log(&rig.bus, text))
        fail_msg("%s %s: copy %zu: no log line with \"%s\"", gen, tags[engine], at, text);
    const uint64_t stall = rig_local(&rig, engine) + (is_sunda(&rig) ? 4 : 0);
    assert_int_equal(fake_bus_count(&rig.bus, 'W', stall), 0);
    rig_close(&rig);
}

/* Copies of POOL: sequencer IRAM, DRAM; DRAM and IRAM of Q7 cores 0 to 7; CAM, PROFILE. */
static void test_failed_copy_ends_the_chain(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            fail_copy(gens[g], engine, 1, -7, "memcpy_fn(");
            fail_copy(gens[g], engine, 2, -7, "memcpy_fn(");
        }
        fail_copy(gens[g], TRN_HAL_POOL, 3, -1, "Failed to load pooling q7 dram core 0");
        fail_copy(gens[g], TRN_HAL_POOL, 4, -1, "Failed to load pooling q7 iram core 0");
        fail_copy(gens[g], TRN_HAL_POOL, 17, -1, "Failed to load pooling q7 dram core 7");
        fail_copy(gens[g], TRN_HAL_POOL, 18, -1, "Failed to load pooling q7 iram core 7");
        if (g > 0) {
            fail_copy(gens[g], TRN_HAL_POOL, 19, -7, NULL);
            fail_copy(gens[g], TRN_HAL_POOL, 20, -7,
                      "Failed to program profile table for POOL hw decode");
            fail_copy(gens[g], TRN_HAL_DVE, 4, -7,
                      "Failed to program profile table for DVE hw decode");
        }
    }
}

/* ---- no memory (4.3, 6) -------------------------------------------------------------------------
 */

struct heap {
    size_t calls, fail_at;
    size_t live;
};

static void *allocate(void *platform, size_t size)
{
    struct heap *heap = platform;
    void *memory = ++heap->calls == heap->fail_at ? NULL : calloc(1, size);
    heap->live += memory != NULL;
    return memory;
}

static void release(void *platform, void *memory)
{
    struct heap *heap = platform;
    heap->live -= memory != NULL;
    free(memory);
}

/* The n-th allocation fails, for every n: a documented status, no leak, and never a success with
 * something left out. */
static void test_no_memory_is_an_error_value(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        rig_open(&rig, gens[g], 0);
        trn_status status = -1;
        for (size_t n = 2; status != TRN_OK; n++) { /* the first is the handle */
            struct heap heap = {.fail_at = n};
            const struct trn_hal_options options = {.observer = fake_bus_observer(&rig.bus),
                                                    .platform = &heap,
                                                    .allocate = allocate,
                                                    .release = release};
            struct trn_hal_bringup_result result;
            trn_hal_destroy(rig.hal);
            fake_bus_clear(&rig.bus);
            assert_int_equal(trn_hal_create(&rig.bus.bus, &options, &rig.hal, NULL), TRN_OK);
            assert_int_equal(trn_hal_latch(rig.hal, rig.gen), TRN_OK);
            status = rig_bringup(&rig, &result);
            if (status == TRN_OK)
                assert_true(heap.calls < n);
            else
                assert_true(status == TRN_ERR_FAILED || status == TRN_ERR_NO_MEMORY);
            if (status == TRN_ERR_FAILED)
                assert_non_null(fake_bus_find_log(&rig.bus, "calloc failed! size="));
            trn_hal_destroy(rig.hal);
            rig.hal = NULL;
            assert_int_equal(heap.live, 0);
        }
        rig_close(&rig);
    }
}

/* ---- DGE (15.1 to 15.3): the third divergence --------------------------------------------------
 */

static uint64_t carveout_register(const struct rig *rig)
{
    return rig_local(rig, TRN_HAL_POOL) + 0x14E0;
}

static void expect_carveout(const char *gen, uint32_t size, uint32_t offset, uint32_t packed)
{
    struct rig rig;
    uint64_t reg = 0;
    uint32_t value = 0;
    rig_open(&rig, gen, 0);
    if (trn_hal_set_dge_carveout(rig.hal, rig.stpb.tpb_mem_handle, size, offset) != TRN_OK)
        fail_msg("%s: carveout %u at %u: %s", gen, size, offset, trn_hal_diag(rig.hal)->message);
    assert_int_equal(rig.bus.accesses, 1);
    assert_int_equal(fake_bus_count(&rig.bus, 'W', carveout_register(&rig)), 1);
    assert_int_equal(fake_bus_peek(&rig.bus, carveout_register(&rig)), packed);
    assert_int_equal(
        trn_hal_get_dge_carveout_register_offset_and_val(rig.hal, size, offset, &reg, &value),
        TRN_OK);
    assert_int_equal(rig.bus.accesses, 1); /* the getter writes nothing */
    assert_true(reg == carveout_register(&rig) - rig.stpb.tpb_mem_handle);
    assert_int_equal(value, packed);
    rig_close(&rig);
}

static void refuse_carveout(const char *gen, uint32_t size, uint32_t offset, const char *kind)
{
    struct rig rig;
    uint64_t reg = 0;
    uint32_t value = 0;
    char text[96];
    snprintf(text, sizeof text, "%s, offset %u size %u", kind, offset, size);
    rig_open(&rig, gen, 0);
    if (trn_hal_set_dge_carveout(rig.hal, rig.stpb.tpb_mem_handle, size, offset) != -22)
        fail_msg("%s: carveout %u at %u is not refused", gen, size, offset);
    expect_error_line(&rig, text, NULL);
    assert_int_equal(
        trn_hal_get_dge_carveout_register_offset_and_val(rig.hal, size, offset, &reg, &value), -22);
    assert_int_equal(fake_bus_logs(&rig.bus, 1), 2);
    assert_int_equal(rig.bus.accesses, 0);
    rig_close(&rig);
}

/* Both sides of 30000 / 38000 / 40000; the cap is a constant, not read from the device. */
static void test_carveout_cap_by_generation(void **state)
{
    static const uint32_t caps[NUM_GENS] = {0x30000, 0x38000, 0x40000, 0x40000};
    static const char oob[] = "dge carveout params oob";
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        const uint32_t cap = caps[g];
        expect_carveout(gens[g], cap, 0, cap >> 4 << 16);
        expect_carveout(gens[g], 0, cap, cap >> 4);
        expect_carveout(gens[g], 0x1230, cap - 0x1230, 0x1230 >> 4 << 16 | (cap - 0x1230) >> 4);
        expect_carveout(gens[g], 0, 0, 0);
        refuse_carveout(gens[g], cap + 0x10, 0, oob);
        refuse_carveout(gens[g], 0x10, cap, oob);
        refuse_carveout(gens[g], 0x20, UINT32_MAX - 0xF, oob); /* the sum is one of 64 bits */
        refuse_carveout(gens[g], cap + 1, 0, oob);             /* before alignment */
        refuse_carveout(gens[g], 8, cap, oob);
    }
}

static void test_carveout_alignment(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (uint32_t low = 1; low < 16; low++) {
            refuse_carveout(gens[g], 0x1000 + low, 0x2000, "invalid dge carveout params");
            refuse_carveout(gens[g], 0x1000, 0x2000 + low, "invalid dge carveout params");
        }
}

/* (hi << 16) | lo, no check and no mask (15.2). */
static void test_dge_mapping_is_not_checked(void **state)
{
    static const struct {
        uint32_t hi, lo, value;
    } cases[] = {{0x1234, 0x5678, 0x12345678},
                 {0, 0, 0},
                 {1, 0xABCDE, 0xBBCDE},
                 {0x12345, 0, 0x23450000},
                 {0xFFFF, 0xFFFF, 0xFFFFFFFF}};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            struct rig rig;
            uint64_t reg = 0;
            uint32_t value = 0;
            rig_open(&rig, gens[g], 0);
            const uint64_t at = rig_local(&rig, TRN_HAL_POOL) + 0x1500;
            assert_int_equal(trn_hal_set_dge_dma_mapping(rig.hal, rig.stpb.tpb_mem_handle,
                                                         cases[c].hi, cases[c].lo),
                             TRN_OK);
            assert_int_equal(rig.bus.accesses, 1);
            assert_int_equal(fake_bus_peek(&rig.bus, at), cases[c].value);
            assert_int_equal(trn_hal_get_dge_dma_mapping_register_offset_and_val(
                                 rig.hal, cases[c].hi, cases[c].lo, &reg, &value),
                             TRN_OK);
            assert_true(reg == at - rig.stpb.tpb_mem_handle);
            assert_int_equal(value, cases[c].value);
            assert_int_equal(rig.bus.accesses, 1);
            rig_close(&rig);
        }
}

/* ---- the first and second divergence ------------------------------------------------------------
 */

/* SUNDA has no hardware decode: no traffic in its windows or at X + 4000, on any engine, by the
 * chain or by the step itself; the others program both windows and bit 0 (hal-stpb.md 11). */
static void test_hw_decode_by_generation(void **state)
{
    static const uint32_t cam[] = {0x2670000, 0x2470000, 0x3070000, 0x2B88000};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (int engine = 0; engine < TRN_HAL_SP; engine++) {
            struct rig rig;
            rig_open(&rig, gens[g], 0);
            struct trn_hal_engine_config config = rig_engine(&rig, engine);
            static const unsigned char table[0x400];
            config.info.hw_decode.cam = (struct trn_hal_buf){table, sizeof table};
            config.info.hw_decode.profile = (struct trn_hal_buf){table, sizeof table};
            config.info.disable_hw_decode = 1;
            assert_int_equal(trn_hal_engine_init(rig.hal, engine, &config), TRN_OK);
            const uint64_t mem = rig.stpb.tpb_mem_handle, there = g > 0;
            const uint64_t control = rig_local(&rig, engine) + 0x4000;
            assert_int_equal(fake_bus_count(&rig.bus, 'B', mem + cam[engine]), there);
            assert_int_equal(fake_bus_count(&rig.bus, 'B', mem + cam[engine] + 0x1000), there);
            assert_int_equal(fake_bus_count(&rig.bus, 'R', control), there);
            assert_int_equal(fake_bus_count(&rig.bus, 'W', control), there);
            assert_int_equal(fake_bus_peek(&rig.bus, control), there);
            if (g == 0) {
                rig_again(&rig);
                assert_int_equal(trn_hal_engine_step(rig.hal, engine,
                                                     TRN_HAL_STEP_HW_DECODE_TABLE_INIT, &config),
                                 TRN_OK);
                assert_int_equal(rig.bus.accesses, 0);
            }
            rig_close(&rig);
        }
}

/* An offset of 0 means that the knob does not exist: no access, above all none to R + 000. */
static void test_force_rspcomb_by_generation(void **state)
{
    static const uint32_t offsets[NUM_GENS] = {0, 0, 0x3C0, 0x3C0};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        uint32_t offset = 99;
        rig_open(&rig, gens[g], 0);
        const uint64_t regs = rig.stpb.tpb_regs;
        assert_int_equal(trn_hal_dve_get_offset_force_rspcomb_eight_deep(rig.hal, &offset), TRN_OK);
        assert_int_equal(offset, offsets[g]);
        assert_int_equal(rig.bus.accesses, 0);
        fake_bus_poke(&rig.bus, regs + 0x3C0, 0x5A);
        fake_bus_poke(&rig.bus, regs, 0x5A);
        assert_int_equal(trn_hal_dve_set_force_rspcomb_eight_deep(rig.hal, regs, 3), TRN_OK);
        assert_int_equal(fake_bus_peek(&rig.bus, regs + 0x3C0), offsets[g] ? 0x5B : 0x5A);
        assert_int_equal(fake_bus_peek(&rig.bus, regs), 0x5A);
        assert_int_equal(rig.bus.accesses, offsets[g] ? 2 : 0); /* read, write */
        assert_int_equal(trn_hal_dve_set_force_rspcomb_eight_deep(rig.hal, regs, 2), TRN_OK);
        assert_int_equal(fake_bus_peek(&rig.bus, regs + 0x3C0), 0x5A);
        rig_close(&rig);
    }
}

/* Bring-up itself never turns the knob, and sets the chicken bit where 9.6 and 8.1 say. */
static void test_dve_knobs_in_a_bringup(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        struct rig rig;
        struct trn_hal_bringup_result result;
        rig_open(&rig, gens[g], 0);
        assert_int_equal(rig_bringup(&rig, &result), TRN_OK);
        const uint64_t regs = rig.stpb.tpb_regs;
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0x3C0), 0);
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0x2C4), 0);
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs), 0);
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0x3F0), g > 0);
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0x324), g > 1); /* xorwow */
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0xA14), g > 0); /* Q7 queues */
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0xA10), 0);     /* HAM stays off */
        assert_int_equal(fake_bus_count(&rig.bus, 'W', regs + 0x314), 0);     /* no seed */
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_fit_or_are_refused),
        cmocka_unit_test(test_no_image_is_no_copy),
        cmocka_unit_test(test_own_copy_replaces_programmed_io),
        cmocka_unit_test(test_failed_copy_ends_the_chain),
        cmocka_unit_test(test_no_memory_is_an_error_value),
        cmocka_unit_test(test_carveout_cap_by_generation),
        cmocka_unit_test(test_carveout_alignment),
        cmocka_unit_test(test_dge_mapping_is_not_checked),
        cmocka_unit_test(test_hw_decode_by_generation),
        cmocka_unit_test(test_force_rspcomb_by_generation),
        cmocka_unit_test(test_dve_knobs_in_a_bringup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
