/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts (docs/hardware/hal-stpb.md 5) and default contexts (7.1). Places are worked out by hand
 * from address-map.md 4 to 6 and sunda-bringup-trace.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_bus.h"
#include "hal/places.h"

struct scene {
    struct fake_bus bus;
    struct trn_hal *hal;
};

static void open_scene(struct scene *scene, const char *gen)
{
    memset(scene, 0, sizeof *scene);
    fake_bus_open(&scene->bus);
    assert_int_equal(trn_hal_create(&scene->bus.bus, NULL, &scene->hal, NULL), TRN_OK);
    if (gen)
        assert_int_equal(trn_hal_latch(scene->hal, trn_gen_find(gen)), TRN_OK);
}

static void close_scene(struct scene *scene)
{
    assert_int_equal(scene->bus.accesses, 0); /* nothing here touches a device */
    trn_hal_destroy(scene->hal);
    fake_bus_close(&scene->bus);
}

/* 5.1, 5.2: the sizes are those of the real HAL; the offsets are proved when defaults.c compiles.
 */
static void test_sizes_of_the_context(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct trn_hal_stpb), 1104);
    assert_int_equal(sizeof(struct trn_hal_eng_info), 208);
    assert_int_equal(0x30 + 5 * sizeof(struct trn_hal_eng_info) + 0x10,
                     sizeof(struct trn_hal_stpb));
}

static void check_core(const char *gen, unsigned core, uint64_t mem, uint64_t regs, uint64_t ens,
                       uint64_t addr)
{
    struct scene scene;
    struct trn_hal_stpb stpb;
    open_scene(&scene, gen);
    assert_int_equal(trn_hal_core_defaults(scene.hal, core, &stpb), TRN_OK);
    assert_int_equal(stpb.tpb_mem_handle, mem);
    assert_int_equal(stpb.tpb_regs, regs);
    assert_int_equal(stpb.ens_regs, ens);
    assert_int_equal(stpb.addr, addr);
    assert_null(stpb.memcpy_fn);
    close_scene(&scene);
}

/* address-map.md 4.1, 6.1 and 4.2, 6.2. */
static void test_places_of_cores(void **state)
{
    (void)state;
    check_core("sunda", 0, 0x0, 0x30530000, 0x30535000, 0xFFFC0000000);
    check_core("sunda", 1, 0x4000000, 0x30C30000, 0x30C35000, 0xFFFC4000000);
    check_core("cayman", 0, 0xD0000000, 0x6000000, 0x6001000, 0x2000000000);
    check_core("cayman", 7, 0xEC000000, 0x46580000, 0x46581000, 0x807000000000);
    check_core("mariana", 2, 0xD8000000, 0x6400000, 0x6401000, 0x6000000000);
    check_core("mariana_plus", 5, 0xE4000000, 0x46180000, 0x46181000, 0x803000000000);
}

/* The table of 7.1, row by row. */
static void test_default_parameters_of_a_core(void **state)
{
    static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    static const uint32_t explicit_queue[] = {4, 5, 6, 7, 8}; /* PE ACT POOL DVE SP */
    (void)state;
    for (unsigned g = 0; g < 4; g++) {
        struct scene scene;
        struct trn_hal_stpb stpb;
        open_scene(&scene, gens[g]);
        assert_int_equal(trn_hal_core_defaults(scene.hal, 0, &stpb), TRN_OK);
        assert_int_equal(stpb.evsem_nq_index, 1);
        assert_int_equal(stpb.error_nq_index, 2);
        for (int engine = 0; engine < TRN_HAL_ENGINES; engine++) {
            struct trn_hal_engine_config config;
            assert_int_equal(trn_hal_engine_config(&stpb, 0, engine, &config), TRN_OK);
            assert_int_equal(config.info.inst_debug_level, 0);
            assert_int_equal(config.info.impl_nq_index, 0);
            assert_int_equal(config.info.expl_nq_index, explicit_queue[engine]);
            assert_int_equal(config.info.disable_hw_decode, 0);
            assert_int_equal(config.info.iram_cache_block_size, 0x2000);
            assert_int_equal(config.info.dma_info.enabled, 1);
            assert_int_equal(config.info.dma_info.rx.ring_length, 128);
            assert_int_equal(config.info.dma_info.tx.ring_length, 128);
            assert_int_equal(config.info.seq_ucode.iram.size, 0);
            assert_false(config.topsp);
            assert_int_equal(config.topsp_number, -1);
        }
        struct trn_hal_engine_config sp;
        assert_int_equal(trn_hal_engine_config(&stpb, 0, TRN_HAL_SP, &sp), TRN_OK);
        assert_int_equal(sp.error_nq_index, 2);
        assert_int_equal(sp.evsem_nq_index, 1);
        assert_int_equal(sp.dge_nq_index, 8);
        close_scene(&scene);
    }
}

static void check_rings(const struct trn_hal_eng_info *info, uint64_t engine)
{
    /* udma.md 4: queue 14 of S2M is at 20000 + 1000 + E000, of M2S at 1000 + E000 */
    assert_int_equal(info->dma_info.rx.head_ptr, engine + 0x2F034);
    assert_int_equal(info->dma_info.rx.tail_ptr, engine + 0x2F03C);
    assert_int_equal(info->dma_info.rx.tail_inc_ptr, engine + 0x2F038);
    assert_int_equal(info->dma_info.tx.head_ptr, engine + 0xF034);
    assert_int_equal(info->dma_info.tx.tail_ptr, engine + 0xF03C);
    assert_int_equal(info->dma_info.tx.tail_inc_ptr, engine + 0xF038);
}

static void test_fetch_rings_of_engines(void **state)
{
    struct scene scene;
    struct trn_hal_stpb stpb;
    (void)state;
    open_scene(&scene, "cayman");
    assert_int_equal(trn_hal_core_defaults(scene.hal, 0, &stpb), TRN_OK);
    /* the example of 7.1 */
    assert_int_equal(stpb.pooling_info.dma_info.rx.head_ptr, 0x100222F034);
    assert_int_equal(stpb.pooling_info.dma_info.tx.head_ptr, 0x100220F034);
    check_rings(&stpb.pe_info, 0x1002000000);
    check_rings(&stpb.sp_info, 0x1002400000);
    /* core 3: SENG 1 at APB_SE_1 + 4000000, its engines 16 to 31 */
    assert_int_equal(trn_hal_core_defaults(scene.hal, 3, &stpb), TRN_OK);
    check_rings(&stpb.dve_info, 0x5000000000 + 0x4000000 + (16 + 3) * 0x100000);
    close_scene(&scene);
    open_scene(&scene, "sunda");
    assert_int_equal(trn_hal_core_defaults(scene.hal, 1, &stpb), TRN_OK);
    check_rings(&stpb.act_info, 0xFFFF0000000 + 0x700000 + 0x40000);
    close_scene(&scene);
}

static void check_topsp(const char *gen, unsigned topsp, uint64_t mem, uint64_t ens, uint64_t addr,
                        unsigned core, uint64_t dma)
{
    struct scene scene;
    struct trn_hal_engine_config config;
    open_scene(&scene, gen);
    assert_int_equal(trn_hal_topsp_defaults(scene.hal, topsp, &config), TRN_OK);
    assert_true(config.topsp);
    assert_int_equal(config.topsp_number, topsp);
    assert_int_equal(config.core, core);
    assert_int_equal(config.mem_handle, mem);
    assert_int_equal(config.ens_regs, ens);
    assert_int_equal(config.regs, ens + 0x1000); /* sunda-bringup-trace.md, item 2 */
    assert_int_equal(config.addr, addr);
    assert_int_equal(config.info.expl_nq_index, 4);
    assert_int_equal(config.info.impl_nq_index, 0);
    assert_int_equal(config.error_nq_index, 2);
    assert_int_equal(config.evsem_nq_index, 1);
    assert_int_equal(config.dge_nq_index, 4);
    assert_int_equal(config.info.iram_cache_block_size, 0x2000);
    check_rings(&config.info, dma);
    close_scene(&scene);
}

static void test_default_parameters_of_a_topsp(void **state)
{
    (void)state;
    /* sunda-bringup-trace.md, items 1 to 3 (k = 2, 5) and 9 (engines 5, 6, 7 of core 1) */
    check_topsp("sunda", 2, 0x10A00000, 0x30E84000, 0xFFFD0A00000, 0, 0xFFFF0000000 + 7 * 0x40000);
    check_topsp("sunda", 3, 0x10E00000, 0x30EC4000, 0xFFFD0E00000, 1, 0xFFFF0700000 + 5 * 0x40000);
    check_topsp("sunda", 5, 0x11600000, 0x30F44000, 0xFFFD1600000, 1, 0xFFFF0700000 + 7 * 0x40000);
    /* software TopSP 8 is hardware window 10 (address-map.md 4.2); it is the first of core 4 */
    check_topsp("cayman", 8, 0xF2A00000, 0x46A00000, 0x808280200000, 4,
                0x801000000000 + 0x2000000 + 7 * 0x100000);
    check_topsp("mariana", 1, 0xF0600000, 0x6A40000, 0x82C0200000, 0,
                0x1000000000 + 0x2000000 + 8 * 0x100000);
}

static void test_numbers_outside_the_device(void **state)
{
    struct scene scene;
    struct trn_hal_stpb stpb;
    struct trn_hal_engine_config config;
    (void)state;
    open_scene(&scene, "sunda");
    assert_int_equal(trn_hal_core_defaults(scene.hal, 2, &stpb), TRN_ERR_INVALID);
    assert_string_equal(trn_hal_diag(scene.hal)->message, "SUNDA has cores 0 to 1, not 2");
    assert_int_equal(trn_hal_topsp_defaults(scene.hal, 6, &config), TRN_ERR_INVALID);
    assert_string_equal(trn_hal_diag(scene.hal)->message, "SUNDA has TopSPs 0 to 5, not 6");
    assert_int_equal(trn_hal_core_defaults(scene.hal, 0, &stpb), TRN_OK);
    assert_int_equal(trn_hal_engine_config(&stpb, 0, 5, &config), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_engine_config(&stpb, 0, -1, &config), TRN_ERR_INVALID);
    close_scene(&scene);
    open_scene(&scene, NULL); /* nothing latched */
    assert_int_equal(trn_hal_core_defaults(scene.hal, 0, &stpb), TRN_ERR_ASSERT);
    assert_int_equal(trn_hal_topsp_defaults(scene.hal, 0, &config), TRN_ERR_ASSERT);
    close_scene(&scene);
}

/* Rings of different blocks and queues never share memory (model choice, address-map.md 2). */
static void test_ring_memory_is_host_memory(void **state)
{
    (void)state;
    const struct trn_gen *sunda = trn_gen_find("sunda"), *cayman = trn_gen_find("cayman");
    assert_int_equal(trn_hal_ring_memory(sunda, TRN_HAL_RINGS_OF_CORE + 1, 4), 0x100000140000);
    assert_int_equal(trn_hal_ring_memory(cayman, TRN_HAL_RINGS_OF_TOPSP + 2, 3), 0x400004230000);
    assert_int_equal(trn_hal_ring_memory(cayman, TRN_HAL_RINGS_OF_DMA + 16 * 7 + 15, 0),
                     0x40000FF00000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_of_the_context),
        cmocka_unit_test(test_places_of_cores),
        cmocka_unit_test(test_default_parameters_of_a_core),
        cmocka_unit_test(test_fetch_rings_of_engines),
        cmocka_unit_test(test_default_parameters_of_a_topsp),
        cmocka_unit_test(test_numbers_outside_the_device),
        cmocka_unit_test(test_ring_memory_is_host_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
