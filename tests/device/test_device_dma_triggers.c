/* SPDX-License-Identifier: Apache-2.0 */
/* Causes of a DMA engine arrive in its user error-trigger unit (docs/hardware/udma.md 9.1, 9.4, 15;
 * notific.md 6.3). */
#include <string.h>

#include "seq/fixture.h"
#include "trench/map.h"
#include "trench/udma.h"

enum { HOST_BYTES = 0x4000, RING = 64, TX = 0, RX = 0x1000, MARKER = 0x2000, DATA = 0x3000 };

struct rig {
    struct fixture core;
    struct trn_hal *hal;
    struct trn_hal_udma_queue queue;
    uint8_t host[HOST_BYTES];
};

static void open_rig(struct rig *rig, const char *gen)
{
    memset(rig, 0, sizeof *rig);
    const struct trn_device_options options = {.host_memory = rig->host,
                                               .host_bytes = sizeof rig->host};
    rig->core = open_core(trn_gen_find(gen), &options);
    assert_int_equal(trn_hal_create(trn_device_bar0(rig->core.device), NULL, &rig->hal, NULL),
                     TRN_OK);
    assert_int_equal(trn_hal_latch(rig->hal, rig->core.gen), TRN_OK);
    assert_int_equal(trn_hal_udma_engine_init(rig->hal, 0, false), TRN_OK);
    const uint64_t base = rig->core.gen->hal_host_base;
    const struct trn_hal_udma_memory tx = {base + TX, rig->host + TX};
    const struct trn_hal_udma_memory rx = {base + RX, rig->host + RX};
    assert_int_equal(trn_hal_udma_queue_init(rig->hal, 0, 1, RING, &tx, &rx, &rig->queue), TRN_OK);
}

static void close_rig(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    close_core(&rig->core);
}

static uint64_t place(const struct rig *rig, const char *name)
{
    struct trn_map_place at;
    struct trn_diag diag;
    if (trn_map_name(rig->core.gen, name, 0, &at, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    return at.address[TRN_MAP_BAR0];
}

/* Causes of the four groups of the unit. */
static void causes(const struct rig *rig, uint32_t groups[4])
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    const uint64_t unit = place(rig, "dma0.fis.int_cause_grp[0]");
    for (unsigned g = 0; g < 4; g++)
        assert_int_equal(bus->read32(bus->context, unit + 0x40 * g, &groups[g]), TRN_OK);
}

static void start_copy(struct rig *rig, uint64_t from, uint64_t to)
{
    assert_int_equal(
        trn_hal_udma_prepare(rig->hal, &rig->queue, from, to, 16, TRN_HAL_UDMA_NO_BARRIER, false),
        TRN_OK);
    assert_int_equal(trn_hal_udma_start(rig->hal, &rig->queue, 1, 1), TRN_OK);
}

/* A8 is input 58 + 8 = 66: group 2, bit 2. B1 is input 87 + 1 = 88: group 2, bit 24. */
static void test_a_fault_of_memory_reaches_the_unit(void **state)
{
    (void)state;
    static const char *const gens[] = {"cayman", "mariana", "mariana_plus"};
    static struct rig rig;
    const uint64_t nowhere = UINT64_C(0x30000000000000);
    uint32_t groups[4];
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        open_rig(&rig, gens[g]);
        const uint64_t host = rig.core.gen->hal_host_base + DATA;
        causes(&rig, groups);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(groups[i], 0);
        start_copy(&rig, nowhere, host);
        causes(&rig, groups);
        assert_int_equal(groups[2], 1u << 2);
        assert_int_equal(groups[0] | groups[1] | groups[3], 0);
        close_rig(&rig);
        open_rig(&rig, gens[g]);
        start_copy(&rig, host, nowhere);
        causes(&rig, groups);
        assert_int_equal(groups[2], 1u << 24);
        assert_int_equal(groups[0] | groups[1] | groups[3], 0);
        close_rig(&rig);
    }
}

/* 9.4: what bring-up masks in the group does not arrive; its neighbours do. A17 would be group 2
 * bit 11, B11 group 3 bit 2: the two that bring-up masks in the unit as well. */
static void test_masked_causes_do_not_arrive(void **state)
{
    (void)state;
    static struct rig rig;
    uint32_t groups[4];
    open_rig(&rig, "cayman");
    const struct trn_bus *bus = trn_device_bar0(rig.core.device);
    const uint64_t a = place(&rig, "dma0.udma.gen.secondary_iofic[0].cause_set");
    const uint64_t b = place(&rig, "dma0.udma.gen.secondary_iofic[1].cause_set");
    assert_int_equal(bus->write32(bus->context, a, 1u << 17), TRN_OK);
    assert_int_equal(bus->write32(bus->context, b, 1u << 11), TRN_OK);
    causes(&rig, groups);
    assert_int_equal(groups[0] | groups[1] | groups[2] | groups[3], 0);
    assert_int_equal(bus->write32(bus->context, a, 1u << 16 | 1u << 0 | 1u << 27), TRN_OK);
    assert_int_equal(bus->write32(bus->context, b, 1u << 8 | 1u << 9 | 1u << 31), TRN_OK);
    causes(&rig, groups);
    /* 58: group 1 bit 26; 74: group 2 bit 10; 85: group 2 bit 21; 95: group 2 bit 31; 96: group 3
     * bit 0; 118: group 3 bit 22 */
    assert_int_equal(groups[1], 1u << 26);
    assert_int_equal(groups[2], 1u << 10 | 1u << 21 | 1u << 31);
    assert_int_equal(groups[3], 1u << 0 | 1u << 22);
    const uint64_t unit = place(&rig, "dma0.fis.int_cause_grp[3]");
    assert_int_equal(bus->write32(bus->context, unit, ~(1u << 22)), TRN_OK); /* cleared by 0 */
    causes(&rig, groups);
    assert_int_equal(groups[3], 1);
    close_rig(&rig);
}

/* SUNDA has no such unit: a fault is a fault without it. */
static void test_sunda_has_no_unit(void **state)
{
    (void)state;
    static struct rig rig;
    struct trn_hal_udma_view view;
    struct trn_map_place at;
    open_rig(&rig, "sunda");
    assert_int_not_equal(trn_map_name(rig.core.gen, "dma0.fis.int_cause_grp[0]", 0, &at, NULL),
                         TRN_OK);
    start_copy(&rig, UINT64_C(0x30000000000000), rig.core.gen->hal_host_base + DATA);
    assert_int_equal(trn_hal_udma_view(rig.hal, 0, 1, 0, &view), TRN_OK);
    assert_int_equal(view.state, 2);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fault_of_memory_reaches_the_unit),
        cmocka_unit_test(test_masked_causes_do_not_arrive),
        cmocka_unit_test(test_sunda_has_no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
