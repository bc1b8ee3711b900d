/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/bringup.h"

#include <stdlib.h>
#include <string.h>

static bool is_sunda(const struct rig *rig)
{
    return strcmp(rig->gen->name, "sunda") == 0;
}

/* hal-stpb.md 8.3 and 14.2. */
uint64_t rig_cap(const struct rig *rig, enum image_region region)
{
    static const uint32_t sunda[IMAGE_REGIONS] = {0x10000, 0x4000, 0x10000, 0x10000, 0, 0};
    static const uint32_t later[IMAGE_REGIONS] = {0x20000, 0x10000, 0x20000,
                                                  0x40000, 0x1000,  0x2000};
    return is_sunda(rig) ? sunda[region] : later[region];
}

/* hal-stpb.md 8.3 (local registers), address-map.md 7.1 (cores in BAR0). */
uint64_t rig_local(const struct rig *rig, int engine)
{
    static const uint32_t sunda[TRN_HAL_ENGINES] = {0x2660000, 0x2460000, 0x2960000, 0x2B60000,
                                                    0x2860000};
    static const uint32_t later[TRN_HAL_ENGINES] = {0x2660000, 0x2460000, 0x3060000, 0x2B60000,
                                                    0x2860000};
    return is_sunda(rig) ? UINT64_C(0x4000000) * rig->core + sunda[engine]
                         : 0xD0000000 + UINT64_C(0x4000000) * rig->core + later[engine];
}

/* The images of tests/hal/expected_traffic.py (`image`, `image_size`). */
static struct trn_hal_buf image(struct rig *rig, int engine, enum image_region region)
{
    const uint64_t cap = rig_cap(rig, region);
    if (cap == 0)
        return (struct trn_hal_buf){NULL, 0};
    const size_t size = (size_t)cap - 0x40 * ((size_t)region + 1) - 5;
    unsigned char *bytes = rig->image[engine][region];
    if (!bytes) {
        bytes = malloc(size);
        assert_non_null(bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)(i * 31 + (i >> 8) * 17 + (size_t)engine * 8 + region);
        rig->image[engine][region] = bytes;
    }
    return (struct trn_hal_buf){bytes, size};
}

static void add_images(struct rig *rig, int engine, struct trn_hal_eng_info *info)
{
    info->seq_ucode.iram = image(rig, engine, SEQ_IRAM);
    info->seq_ucode.dram = image(rig, engine, SEQ_DRAM);
    if (engine == TRN_HAL_POOL) {
        info->q7_ucode.iram = image(rig, engine, Q7_IRAM);
        info->q7_ucode.dram = image(rig, engine, Q7_DRAM);
    }
    if (engine != TRN_HAL_SP && engine != TOPSP_IMAGES) {
        info->hw_decode.cam = image(rig, engine, CAM);
        info->hw_decode.profile = image(rig, engine, PROFILE);
    }
}

static void open_handle(struct rig *rig)
{
    const struct trn_hal_options options = {.observer = fake_bus_observer(&rig->bus)};
    struct trn_diag diag;
    if (trn_hal_create(&rig->bus.bus, &options, &rig->hal, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    assert_int_equal(trn_hal_latch(rig->hal, rig->gen), TRN_OK);
}

void rig_again(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    fake_bus_clear(&rig->bus);
    open_handle(rig);
}

void rig_open(struct rig *rig, const char *gen, unsigned core)
{
    *rig = (struct rig){.gen = trn_gen_find(gen), .core = core};
    assert_non_null(rig->gen);
    fake_bus_open(&rig->bus);
    open_handle(rig);
    assert_int_equal(trn_hal_core_defaults(rig->hal, core, &rig->stpb), TRN_OK);
    add_images(rig, TRN_HAL_PE, &rig->stpb.pe_info);
    add_images(rig, TRN_HAL_ACT, &rig->stpb.act_info);
    add_images(rig, TRN_HAL_POOL, &rig->stpb.pooling_info);
    add_images(rig, TRN_HAL_DVE, &rig->stpb.dve_info);
    add_images(rig, TRN_HAL_SP, &rig->stpb.sp_info);
    assert_int_equal(rig->bus.count, 0); /* nothing of this reaches the bus */
}

void rig_close(struct rig *rig)
{
    for (size_t e = 0; e <= TRN_HAL_ENGINES; e++)
        for (size_t r = 0; r < IMAGE_REGIONS; r++)
            free(rig->image[e][r]);
    trn_hal_destroy(rig->hal);
    fake_bus_close(&rig->bus);
}

struct trn_hal_engine_config rig_engine(struct rig *rig, int engine)
{
    struct trn_hal_engine_config config;
    assert_int_equal(trn_hal_engine_config(&rig->stpb, rig->core, engine, &config), TRN_OK);
    return config;
}

struct trn_hal_engine_config rig_topsp(struct rig *rig, unsigned topsp)
{
    struct trn_hal_engine_config config;
    assert_int_equal(trn_hal_topsp_defaults(rig->hal, topsp, &config), TRN_OK);
    add_images(rig, TOPSP_IMAGES, &config.info);
    return config;
}

trn_status rig_bringup(struct rig *rig, struct trn_hal_bringup_result *result)
{
    const struct trn_hal_bringup plan = {.core = rig->core, .stpb = &rig->stpb};
    return trn_hal_bringup(rig->hal, &plan, result);
}
