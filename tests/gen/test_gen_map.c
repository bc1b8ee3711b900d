/* SPDX-License-Identifier: Apache-2.0 */
/* One place under all its addresses. Expected numbers: docs/hardware/address-map.md 1 to 7,
 * isa-core.md 4 and sunda-bringup-trace.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trench/map.h"

static const struct trn_gen *sunda, *cayman, *mariana, *maverick;

static int find_generations(void **state)
{
    (void)state;
    sunda = trn_gen_find("sunda");
    cayman = trn_gen_find("cayman");
    mariana = trn_gen_find("mariana");
    maverick = trn_gen_find("maverick");
    return sunda && cayman && mariana && maverick ? 0 : -1;
}

static struct trn_map_place at(const struct trn_gen *gen, enum trn_map_space space,
                               uint64_t address, int core)
{
    struct trn_map_place place;
    assert_int_equal(trn_map_address(gen, space, address, core, &place, NULL), TRN_OK);
    return place;
}

static struct trn_map_place named(const struct trn_gen *gen, const char *name, int core)
{
    struct trn_map_place place;
    assert_int_equal(trn_map_name(gen, name, core, &place, NULL), TRN_OK);
    return place;
}

static void expect(const struct trn_map_place *place, enum trn_map_space space, uint64_t address)
{
    assert_true(place->exists[space]);
    assert_true(place->address[space] == address);
}

static void expect_nothing(const struct trn_gen *gen, enum trn_map_space space, uint64_t address)
{
    struct trn_map_place place;
    assert_int_equal(trn_map_address(gen, space, address, 0, &place, NULL), TRN_ERR_ADDRESS);
}

/* ---- windows of cores --------------------------------------------------------------- */

/* 4.2: the bases have no constant stride */
static const uint64_t cayman_tpb[8] = {0x002000000000, 0x003000000000, 0x006000000000,
                                       0x007000000000, 0x802000000000, 0x803000000000,
                                       0x806000000000, 0x807000000000};

static void test_cores_of_cayman(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const uint64_t bar0 = 0xD0000000 + (uint64_t)i * 0x4000000;
        struct trn_map_place place = at(cayman, TRN_MAP_BAR0, bar0, 0);
        expect(&place, TRN_MAP_SOC, cayman_tpb[i]);
        expect(&place, TRN_MAP_TPB, 0);
        expect(&place, TRN_MAP_TPB_BAR, 0);
        expect(&place, TRN_MAP_ENGINE, 0);
        assert_int_equal(place.core, i);
        /* PSUM: TPB + 8_0200_0000, window + 200_0000 */
        place = at(cayman, TRN_MAP_SOC, cayman_tpb[i] + 0x802000000, 0);
        expect(&place, TRN_MAP_BAR0, bar0 + 0x2000000);
        expect(&place, TRN_MAP_TPB, 0x802000000);
        expect(&place, TRN_MAP_TPB_BAR, 0x2000000);
        expect(&place, TRN_MAP_ENGINE, 0x2000000);
        assert_int_equal(place.core, i);
        /* events: 8_0270_0000 of the container (5.5) */
        place = at(cayman, TRN_MAP_TPB, 0x802700000 + 4 * 7, i);
        expect(&place, TRN_MAP_BAR0, bar0 + 0x2700000 + 4 * 7);
        expect(&place, TRN_MAP_SOC, cayman_tpb[i] + 0x802700000 + 4 * 7);
        assert_false(place.exists[TRN_MAP_ENGINE]);
        assert_string_equal(place.reg.name, "event[7]");
    }
}

static void test_cores_of_sunda(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const uint64_t soc = UINT64_C(0xFFFC0000000) + (uint64_t)i * 0x4000000;
        struct trn_map_place place = at(sunda, TRN_MAP_TPB_BAR, 0x2701800 + 4 * 255, i);
        expect(&place, TRN_MAP_SOC, soc + 0x2701800 + 4 * 255);
        expect(&place, TRN_MAP_TPB, 0x2701800 + 4 * 255); /* no subtraction on v2 (1) */
        expect(&place, TRN_MAP_BAR0, (uint64_t)i * 0x4000000 + 0x2701800 + 4 * 255);
        assert_string_equal(place.reg.name, "semaphore_inc[255]");
        assert_int_equal(place.core, i);
        assert_false(place.model_choice);
    }
}

static void test_bytes_of_the_container_without_a_window(void **state)
{
    (void)state;
    /* 5.1: DGE memory at 4000_0000 of the container, 1 GiB; no BAR window (1) */
    struct trn_map_place place = at(cayman, TRN_MAP_TPB, 0x40000000 + 0x1234, 2);
    expect(&place, TRN_MAP_SOC, cayman_tpb[2] + 0x40001234);
    assert_false(place.exists[TRN_MAP_BAR0] || place.exists[TRN_MAP_TPB_BAR]);
    assert_string_equal(place.aperture, "core 2 DGE_MEMORY");
    assert_int_equal(place.aperture_offset, 0x1234);
    place = at(cayman, TRN_MAP_SOC, cayman_tpb[7] + 0x4000000, 0);
    assert_string_equal(place.aperture, "core 7 STATE_BUF_SCRATCH_RAM");
    at(cayman, TRN_MAP_TPB, 0x803FFFFFF, 0); /* the container tiles to 8_0400_0000 */
    expect_nothing(cayman, TRN_MAP_TPB, 0x804000000);
    expect_nothing(cayman, TRN_MAP_TPB_BAR, 0x4000000);
    expect_nothing(sunda, TRN_MAP_TPB, 0x4000000);
}

static void test_core_must_exist(void **state)
{
    (void)state;
    struct trn_map_place place;
    struct trn_diag diag;
    assert_int_equal(trn_map_address(sunda, TRN_MAP_TPB, 0, 2, &place, &diag), TRN_ERR_INVALID);
    assert_string_equal(diag.message, "sunda has cores 0 to 1, not 2");
    assert_int_equal(trn_map_address(sunda, TRN_MAP_ENGINE, 0, -1, &place, NULL), TRN_ERR_INVALID);
    assert_int_equal(trn_map_address(sunda, TRN_MAP_BAR0, 0, 99, &place, NULL), TRN_OK);
    assert_int_equal(trn_map_name(sunda, "tpb", 2, &place, NULL), TRN_ERR_INVALID);
}

/* ---- on-chip memories ---------------------------------------------------------------- */

static void test_partitions_and_holes(void **state)
{
    (void)state;
    struct trn_map_place place = at(cayman, TRN_MAP_ENGINE, 3 * 0x40000 + 0x40, 1);
    assert_int_equal(place.memory, TRN_MAP_SBUF);
    assert_int_equal(place.partition, 3);
    assert_int_equal(place.memory_byte, 0x40);
    assert_false(place.hole);
    expect(&place, TRN_MAP_BAR0, 0xD4000000 + 3 * 0x40000 + 0x40);
    assert_false(at(cayman, TRN_MAP_ENGINE, 0x37FFF, 0).hole);
    assert_true(at(cayman, TRN_MAP_ENGINE, 0x38000, 0).hole);
    assert_false(at(mariana, TRN_MAP_ENGINE, 0x3FFFF, 0).hole);
    assert_true(at(sunda, TRN_MAP_ENGINE, 0x30000, 0).hole);
    place = at(cayman, TRN_MAP_ENGINE, 0x2000000 + 127 * 0x8000 + 0x3FFF, 0);
    assert_int_equal(place.memory, TRN_MAP_PSUM);
    assert_int_equal(place.partition, 127);
    assert_int_equal(place.memory_byte, 0x3FFF);
    assert_false(place.hole);
    assert_true(at(cayman, TRN_MAP_ENGINE, 0x2000000 + 0x4000, 0).hole);
    expect_nothing(cayman, TRN_MAP_ENGINE, 0x2400000); /* in neither memory */
}

static void test_bytes_of_memories_have_names(void **state)
{
    (void)state;
    struct trn_map_place place = named(cayman, "sbuf[p3,0x40]", 0);
    expect(&place, TRN_MAP_ENGINE, 3 * 0x40000 + 0x40);
    place = named(cayman, "core5.PSUM[p1,16]", 0);
    expect(&place, TRN_MAP_SOC, cayman_tpb[5] + 0x802000000 + 0x8000 + 16);
    /* core n has HBM stack n / 2 (4.2); stacks are 10_0000_0000 apart in BAR4 (7) */
    place = named(cayman, "hbm[0x20]", 6);
    expect(&place, TRN_MAP_BAR4, UINT64_C(0x3000000020));
    expect(&place, TRN_MAP_SOC, UINT64_C(0x804000000020));
    assert_int_equal(place.channel, 3);
    place = named(sunda, "hbm1[0]", 0);
    expect(&place, TRN_MAP_BAR4, UINT64_C(0x400000000));
    expect(&place, TRN_MAP_SOC, UINT64_C(0x1000000000));
}

static void test_device_memory(void **state)
{
    (void)state;
    struct trn_map_place place = at(cayman, TRN_MAP_SOC, UINT64_C(0x5FFFFFFFF), 0);
    assert_int_equal(place.memory, TRN_MAP_HBM);
    assert_int_equal(place.channel, 0);
    assert_false(place.hole);
    assert_true(at(cayman, TRN_MAP_SOC, UINT64_C(0x600000000), 0).hole); /* 6_0000_0000 usable */
    assert_false(at(mariana, TRN_MAP_SOC, UINT64_C(0x600000000), 0).hole);
    place = at(sunda, TRN_MAP_BAR4, UINT64_C(0x400000010), 0); /* packed (11) */
    expect(&place, TRN_MAP_SOC, UINT64_C(0x1000000010));
    assert_int_equal(place.channel, 1);
    assert_int_equal(place.memory_byte, 0x10);
    expect_nothing(sunda, TRN_MAP_BAR4, UINT64_C(0x800000000));
    expect_nothing(maverick, TRN_MAP_BAR4, 0); /* OPEN */
}

/* ---- the rest of the device ---------------------------------------------------------- */

static void test_topsp_windows(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        const uint64_t soc = i < 10 ? 0x8280000000 + i * UINT64_C(0x40000000)
                                    : 0x808280000000 + (i - 10) * UINT64_C(0x40000000);
        const uint64_t bar0 = 0xF0000000 + i * UINT64_C(0x400000);
        const struct trn_map_place place = at(cayman, TRN_MAP_BAR0, bar0, 0);
        expect(&place, TRN_MAP_SOC, soc);
        assert_int_equal(place.core, -1);
    }
    /* MARIANA: F000_0000 + ((i & 7) << 22), second half from F280_0000 */
    const struct trn_map_place place = at(mariana, TRN_MAP_BAR0, 0xF2800000, 0);
    expect(&place, TRN_MAP_SOC, 0x808280000000);
    assert_string_equal(place.block.path, "topsp8.evt_sem");
    expect_nothing(mariana, TRN_MAP_BAR0, 0xF2000000);
}

static void test_places_of_the_sunda_trace(void **state)
{
    (void)state;
    struct trn_map_place place = at(sunda, TRN_MAP_BAR0, 0x30E84000, 0);
    assert_string_equal(place.aperture, "TOP_SP_2_NOTIFIC");
    assert_string_equal(place.block.path, "topsp2.notific");
    expect(&place, TRN_MAP_SOC, UINT64_C(0xFFFF0E84000));
    assert_false(place.model_choice); /* only the size of the APB window is one */
    place = at(sunda, TRN_MAP_BAR0, 0x30E85010, 0);
    assert_string_equal(place.aperture, "TOP_SP_REGS[2]");
    assert_string_equal(place.block.path, "topsp2.sp_regs");
    assert_string_equal(place.reg.name, "sw_queue");
    place = at(sunda, TRN_MAP_BAR0, 0x10A00000, 0);
    assert_string_equal(place.aperture, "TOP_SP[2] SP_IRAM");
    assert_int_equal(place.aperture_offset, 0);
    expect(&place, TRN_MAP_SOC, UINT64_C(0xFFFD0A00000));
    place = named(sunda, "TOP_SP[2] SP_NX_DRAM", 0);
    expect(&place, TRN_MAP_BAR0, 0x10A40000);
}

static void test_inside_of_a_compute_cluster(void **state)
{
    (void)state;
    /* 5.3: Q7 core 0 of a PREPROC at + 3100000, slots of 100000; cluster 2 (7): C8000000 */
    struct trn_map_place place = at(cayman, TRN_MAP_BAR0, 0xC8000000 + 0x3300010, 0);
    assert_string_equal(place.aperture, "PREPROC_2 Q7_CORE_IRAM[2]");
    assert_int_equal(place.aperture_offset, 0x10);
    expect(&place, TRN_MAP_SOC, UINT64_C(0x801200000000) + 0x3300010);
    place = named(cayman, "PREPROC_2.Q7_CORE_IRAM[2]", 0);
    expect(&place, TRN_MAP_BAR0, 0xC8000000 + 0x3300000);
}

static void test_nested_ranges_give_the_smallest(void **state)
{
    (void)state;
    struct trn_map_place place = at(cayman, TRN_MAP_BAR0, 0x94541010, 0);
    assert_string_equal(place.aperture, "SE_1_SDMA[5]");
    assert_string_equal(place.block.path, "dma37.notific");
    assert_int_equal(place.block_offset, 0x10);
    expect(&place, TRN_MAP_SOC, UINT64_C(0x5004541010));
    place = at(cayman, TRN_MAP_BAR0, 0x6200000, 0);
    assert_string_equal(place.aperture, "APB_IO_0");
    assert_false(place.has_block);
    expect_nothing(cayman, TRN_MAP_BAR0, 0x70000000);
    expect_nothing(cayman, TRN_MAP_BAR0, 0xF5204000); /* 7: highest used byte F5203FFF */
    expect_nothing(sunda, TRN_MAP_BAR0, 0x40000000);
    expect_nothing(cayman, TRN_MAP_BAR0, UINT64_MAX);
}

static void test_unknown_offset_of_a_block_has_no_register(void **state)
{
    (void)state;
    const struct trn_map_place place = at(cayman, TRN_MAP_BAR0, 0x6000FFC, 0);
    assert_true(place.has_block);
    assert_false(place.has_register);
    assert_int_equal(place.block_offset, 0xFFC);
}

/* ---- address bits (2) ---------------------------------------------------------------- */

static void test_attribute_bits_of_an_address(void **state)
{
    (void)state;
    /* 5.1: the flush writes to TPB base + 400_0000 with bit 57 */
    struct trn_map_place place =
        at(cayman, TRN_MAP_SOC, cayman_tpb[1] + UINT64_C(0x0200000004000000), 0);
    assert_true(place.ok_to_fail);
    assert_false(place.relaxed_ordering);
    assert_int_equal(place.chip, -1);
    assert_string_equal(place.aperture, "core 1 STATE_BUF_SCRATCH_RAM");
    expect(&place, TRN_MAP_SOC, cayman_tpb[1] + 0x4000000);
    /* bit 54: routed by chip id, bits 53:48 = 20h; bit 56: relaxed ordering */
    place = at(cayman, TRN_MAP_SOC, UINT64_C(0x0160802000000000), 0);
    assert_int_equal(place.chip, 0x20);
    assert_true(place.relaxed_ordering);
    expect(&place, TRN_MAP_SOC, cayman_tpb[4]);
    /* SUNDA has no such bits */
    expect_nothing(sunda, TRN_MAP_SOC, UINT64_C(0x02000FFFC0000000));
}

static void test_host_memory(void **state)
{
    (void)state;
    struct trn_map_place place = at(sunda, TRN_MAP_SOC, UINT64_C(0x100000001000), 0);
    assert_int_equal(place.memory, TRN_MAP_HOST);
    assert_int_equal(place.memory_byte, 0x1000);
    place = at(cayman, TRN_MAP_SOC, UINT64_C(0x400000002000), 0);
    assert_int_equal(place.memory, TRN_MAP_HOST);
    assert_int_equal(place.memory_byte, 0x2000);
    place = at(cayman, TRN_MAP_SOC, UINT64_C(0x10000000000000) + 2 * UINT64_C(0x4000000000000), 0);
    assert_string_equal(place.aperture, "PCIE_NEIGHBOUR[2]");
    assert_false(place.exists[TRN_MAP_BAR0]);
}

/* ---- what is a model choice ------------------------------------------------------------ */

static void test_model_choices_are_marked(void **state)
{
    (void)state;
    /* 4.3: every host place of MAVERICK */
    struct trn_map_place place = named(maverick, "core0.evt_sem", 0);
    expect(&place, TRN_MAP_BAR0, 0xD8700000);
    assert_true(place.model_choice);
    assert_true(at(maverick, TRN_MAP_ENGINE, 0x8000000, 3).model_choice);
    /* the documented plane: SP k at 10_0000 * k of the TPB window, which has no host window */
    place = at(maverick, TRN_MAP_TPB, 0x300000, 1);
    assert_string_equal(place.aperture, "core 1 SP[3]");
    expect(&place, TRN_MAP_SOC, UINT64_C(0x4000300000));
    assert_false(place.exists[TRN_MAP_BAR0]);
    place = at(maverick, TRN_MAP_TPB, 0x1280000 + 0x700000 + 0x8D010, 0); /* 5.4 */
    assert_string_equal(place.aperture, "core 0 DVE_0[1] DVE_PROFILE_CAM");
    /* INTC and the TopSPs' notification blocks: observed on CAYMAN, chosen for MARIANA */
    assert_false(at(cayman, TRN_MAP_BAR0, 0x6A00000, 0).model_choice);
    assert_true(at(mariana, TRN_MAP_BAR0, 0x6A00000, 0).model_choice);
    assert_false(at(mariana, TRN_MAP_BAR0, 0xD2700000, 0).model_choice);
    assert_true(at(cayman, TRN_MAP_BAR0, 0x6002000, 0).model_choice); /* error-trigger unit */
}

/* ---- names ---------------------------------------------------------------------------- */

static void test_registers_have_names(void **state)
{
    (void)state;
    /* pool_sequencer is the bundle at 100 (6.3), instr_dbg_ctrl its register at 4 */
    struct trn_map_place place = named(cayman, "tpb[0].pool_sequencer.instr_dbg_ctrl", 0);
    const uint64_t place_of_pool = place.address[TRN_MAP_BAR0];
    assert_true(place_of_pool >= 0x6000100 && place_of_pool < 0x6000200);
    assert_string_equal(place.reg.name, "pool_sequencer.instr_dbg_ctrl");
    /* local register k at 1000 + 20 * k (9); ACT of core 3 */
    place = named(cayman, "core3.act.xt_local.general.lr[19]", 0);
    expect(&place, TRN_MAP_BAR0, 0xDC000000 + 0x2460000 + 0x1000 + 19 * 0x20);
    place = named(cayman, "act.xt_local.general.lr[19]", 3);
    expect(&place, TRN_MAP_BAR0, 0xDC000000 + 0x2460000 + 0x1000 + 19 * 0x20);
    place = named(cayman, "core0.dve.xt_local.feature_flag", 0);
    expect(&place, TRN_MAP_BAR0, 0xD2B60000 + 0x14C0);
    /* the core that is meant */
    place = named(cayman, "notific.nq[3].head_ptr", 2);
    expect(&place, TRN_MAP_BAR0, 0x6401000 + 0x10C + 3 * 0x28);
    place = named(sunda, "core1.notific.nq[9].head_ptr", 0);
    expect(&place, TRN_MAP_BAR0, 0x30C35000 + 0x10C + 9 * 0x28);
    place = named(cayman, "dma4.udma.q[7].tdrdtp_inc", 0);
    expect(&place, TRN_MAP_BAR0, 0x82400000 + 0x10E0 + 7 * 0x1000);
}

static void test_bit_fields_have_names(void **state)
{
    (void)state;
    const struct trn_map_place place =
        named(cayman, "core0.tpb.pe_sequencer.instr_dbg_ctrl.dbg_level", 0);
    assert_true(place.has_field);
    assert_string_equal(place.field.name, "dbg_level");
    assert_int_equal(place.field.low, 0);
    assert_int_equal(place.field.bits, 4);
    assert_int_equal(trn_map_field_value(&place.field, 0xFFFFFFF7), 7);
    struct trn_map_place other;
    assert_int_equal(
        trn_map_name(cayman, "core0.tpb.pe_sequencer.instr_dbg_ctrl.dbg", 0, &other, NULL),
        TRN_ERR_NOT_FOUND);
}

static void test_apertures_have_names(void **state)
{
    (void)state;
    struct trn_map_place place = named(cayman, "core1.PE_NX_IRAM+0x10", 0);
    expect(&place, TRN_MAP_BAR0, 0xD4000000 + 0x2620000 + 0x10);
    place = named(cayman, "POOL_Q7_CORE_DRAM[5]", 0);
    expect(&place, TRN_MAP_BAR0, 0xD0000000 + 0x3180000 + 5 * 0x100000);
    place = named(cayman, "TPB_3_NOTIFIC", 0);
    expect(&place, TRN_MAP_BAR0, 0x6581000);
    place = named(cayman, "SE_1_SDMA[5]+0x40000", 0);
    assert_string_equal(place.block.path, "dma37.sdma");
    place = named(cayman, "core 3 ACT_LOCAL_REG", 0);
    assert_string_equal(place.block.path, "core3.act.xt_local");
    place = named(cayman, "DGE_MEMORY", 1);
    expect(&place, TRN_MAP_TPB, 0x40000000);
}

static void test_wrong_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        trn_status status;
    } cases[] = {
        {"", TRN_ERR_NOT_FOUND},
        {"core0.tpb.nothing", TRN_ERR_NOT_FOUND},
        {"core9.tpb", TRN_ERR_NOT_FOUND},
        {"core0.notific.nq[10].head_ptr", TRN_ERR_NOT_FOUND},     /* ten queues */
        {"core0.trig_notific.nq[1].head_ptr", TRN_ERR_NOT_FOUND}, /* one queue */
        {"POOL_Q7_CORE_DRAM[8]", TRN_ERR_NOT_FOUND},
        {"sbuf[p128,0]", TRN_ERR_RANGE},
        {"sbuf[p0,0x40000]", TRN_ERR_RANGE},
        {"sbuf[0]", TRN_ERR_NOT_FOUND},
        {"psum[p0,0x8000]", TRN_ERR_RANGE},
        {"hbm4[0]", TRN_ERR_RANGE},
        {"hbm[0x1000000000]", TRN_ERR_RANGE},
        {"hbm[", TRN_ERR_NOT_FOUND},
        {"core0.tpb+", TRN_ERR_NOT_FOUND},
        {"core0.tpb+0x", TRN_ERR_NOT_FOUND},
        {"core1.sbuf[p0,0]x", TRN_ERR_NOT_FOUND},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trn_map_place place;
        struct trn_diag diag = {0};
        assert_int_equal(trn_map_name(cayman, cases[i].name, 0, &place, &diag), cases[i].status);
        assert_true(*diag.message);
    }
    char long_name[300];
    struct trn_map_place place;
    memset(long_name, 'a', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(trn_map_name(cayman, long_name, 0, &place, NULL), TRN_ERR_NOT_FOUND);
}

static void test_every_known_name_leads_somewhere(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        char name[TRN_MAP_NAME_MAX];
        size_t i = 0;
        while (trn_map_known_name(trn_gen_at(g), i, name)) {
            struct trn_map_place place;
            const trn_status status = trn_map_name(trn_gen_at(g), name, 0, &place, NULL);
            /* no place of a MAVERICK HBM stack is known */
            if (status != TRN_OK && strcmp(name, "hbm[0x0]") != 0)
                fail_msg("%s of %s: %d", name, trn_gen_at(g)->name, status);
            i++;
        }
        assert_true(i > 50);
    }
}

/* ---- blocks ----------------------------------------------------------------------------- */

static void check_registers(const struct trn_gen *gen, const struct trn_map_block *block)
{
    const size_t count = trn_map_registers(gen, block->index, NULL, 0);
    struct trn_map_register *registers = calloc(count, sizeof *registers);
    assert_non_null(registers);
    assert_int_equal(trn_map_registers(gen, block->index, registers, count), count);
    for (size_t i = 0; i < count; i++) {
        char name[2 * TRN_MAP_NAME_MAX];
        struct trn_map_place place;
        assert_true(i == 0 || registers[i - 1].bar0 < registers[i].bar0);
        snprintf(name, sizeof name, "%s.%s", block->path, registers[i].name);
        assert_int_equal(trn_map_name(gen, name, 0, &place, NULL), TRN_OK);
        expect(&place, TRN_MAP_BAR0, registers[i].bar0);
        assert_string_equal(place.reg.name, registers[i].name);
    }
    free(registers);
}

/* Every register of every kind of block is found by its name at its place, and the device address
 * of the place leads back to it. */
static void test_every_register_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        struct trn_map_block block;
        char done[4096] = "";
        for (size_t i = 0; trn_map_block_at(gen, i, &block); i++) {
            const struct trn_map_place place = at(gen, TRN_MAP_BAR0, block.bar0, 0);
            const struct trn_map_place again = at(gen, TRN_MAP_SOC, place.address[TRN_MAP_SOC], 0);
            expect(&again, TRN_MAP_BAR0, block.bar0);
            assert_string_equal(place.block.path, block.path);
            char kind[TRN_MAP_NAME_MAX];
            snprintf(kind, sizeof kind, "%.60s/%.20s ", block.block, block.form);
            if (strstr(done, kind))
                continue;
            strcat(done, kind);
            check_registers(gen, &block);
        }
    }
}

static void test_registers_of_a_block_are_listed(void **state)
{
    (void)state;
    struct trn_map_block block;
    assert_true(trn_map_block_find(sunda, "core1.evt_sem", &block));
    assert_int_equal(trn_map_registers(sunda, block.index, NULL, 0), 5 * 256); /* 5.5 */
    struct trn_map_register two[2];
    assert_int_equal(trn_map_registers(sunda, block.index, two, 2), 5 * 256);
    assert_int_equal(trn_map_registers(sunda, 100000, two, 2), 0);
    assert_false(trn_map_block_find(sunda, "core2.evt_sem", &block));
    assert_false(trn_map_block_at(sunda, 100000, &block));
    struct trn_map_block tpb;
    assert_true(trn_map_block_find(cayman, "core0.tpb", &tpb));
    assert_int_equal(tpb.core, 0);
    assert_int_equal(tpb.engine, -1);
}

static void test_spaces_have_names(void **state)
{
    (void)state;
    for (unsigned s = 0; s < TRN_MAP_SPACES; s++)
        assert_int_equal(trn_map_space_find(trn_map_space_name((enum trn_map_space)s)), s);
    assert_int_equal(trn_map_space_find("TPB_BAR"), TRN_MAP_TPB_BAR);
    assert_int_equal(trn_map_space_find("bar"), TRN_MAP_SPACES);
    assert_null(trn_map_space_name(TRN_MAP_SPACES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores_of_cayman),
        cmocka_unit_test(test_cores_of_sunda),
        cmocka_unit_test(test_bytes_of_the_container_without_a_window),
        cmocka_unit_test(test_core_must_exist),
        cmocka_unit_test(test_partitions_and_holes),
        cmocka_unit_test(test_bytes_of_memories_have_names),
        cmocka_unit_test(test_device_memory),
        cmocka_unit_test(test_topsp_windows),
        cmocka_unit_test(test_places_of_the_sunda_trace),
        cmocka_unit_test(test_inside_of_a_compute_cluster),
        cmocka_unit_test(test_nested_ranges_give_the_smallest),
        cmocka_unit_test(test_unknown_offset_of_a_block_has_no_register),
        cmocka_unit_test(test_attribute_bits_of_an_address),
        cmocka_unit_test(test_host_memory),
        cmocka_unit_test(test_model_choices_are_marked),
        cmocka_unit_test(test_registers_have_names),
        cmocka_unit_test(test_bit_fields_have_names),
        cmocka_unit_test(test_apertures_have_names),
        cmocka_unit_test(test_wrong_names_are_refused),
        cmocka_unit_test(test_every_known_name_leads_somewhere),
        cmocka_unit_test(test_every_register_is_found_by_its_name),
        cmocka_unit_test(test_registers_of_a_block_are_listed),
        cmocka_unit_test(test_spaces_have_names),
    };
    return cmocka_run_group_tests(tests, find_generations, NULL);
}
