/* SPDX-License-Identifier: Apache-2.0 */
/* A host initialises a queue, the descriptor generator of a core uses its rings
 * (docs/hardware/dge.md 6.7, udma.md 6, 7). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"
#include "trench/map.h"
#include "trench/udma.h"

enum {
    HOST_BYTES = 0x40000,
    RING = 64,
    TX = 0,
    RX = 0x1000,
    DATA = 0x10000,
    QUEUE = 13, /* dge.md 6.7: of a core whose register 40 is 0 */
    FROM = 0x8000,
    TO = 0x200,
    SEMAPHORE = 9
};

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
    assert_int_equal(trn_hal_udma_queue_init(rig->hal, 0, QUEUE, RING, &tx, &rx, &rig->queue),
                     TRN_OK);
}

static void close_rig(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    close_core(&rig->core);
}

static uint64_t sbuf_of(const struct rig *rig)
{
    return rig->core.gen->tpb_soc_base;
}

static uint64_t hbm_of(const struct rig *rig)
{
    return trn_device_hbm_base(rig->core.device);
}

/* Two rows of 64 bytes, 256 apart in HBM, to SBUF; then the end. */
static void add_copy(const struct rig *rig, struct program *p)
{
    uint8_t *word = add(p, TRN_OPCODE_DMAMEMCPY);
    trn_dma_direct2d_semaphore_set(word, p->isa, SEMAPHORE);
    trn_dma_direct2d_sem_increment_set(word, p->isa, 1);
    trn_dma_direct2d_src_start_addr_set(word, p->isa, hbm_of(rig) + FROM);
    trn_dma_direct2d_src_step_elem_0_set(word, p->isa, 256);
    trn_dma_direct2d_src_num_elem_0_set(word, p->isa, 2);
    trn_dma_direct2d_src_num_elem_1_set(word, p->isa, 1);
    trn_dma_direct2d_src_elem_size_set(word, p->isa, 64);
    trn_dma_direct2d_dst_start_addr_set(word, p->isa, sbuf_of(rig) + TO);
    trn_dma_direct2d_dst_step_elem_0_set(word, p->isa, 64);
    trn_dma_direct2d_dst_num_elem_0_set(word, p->isa, 2);
    trn_dma_direct2d_dst_num_elem_1_set(word, p->isa, 1);
    trn_dma_direct2d_dst_elem_size_set(word, p->isa, 64);
    trn_dma_direct2d_in_dtype_set(word, p->isa, TRN_DTYPE_UINT8);
    trn_dma_direct2d_out_dtype_set(word, p->isa, TRN_DTYPE_UINT8);
    add(p, TRN_OPCODE_HALT);
}

static void put_rows(struct rig *rig, uint32_t salt)
{
    const struct trn_bus *bus = trn_device_bar4(rig->core.device);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(bus->write32(bus->context, FROM + 4 * i, salt + i), TRN_OK);
        assert_int_equal(bus->write32(bus->context, FROM + 256 + 4 * i, salt + 100 + i), TRN_OK);
    }
}

static uint32_t sbuf32(const struct rig *rig, uint32_t at)
{
    const struct trn_bus *bus = trn_device_bar0(rig->core.device);
    const uint64_t window = trn_device_space_offset(rig->core.device, TRN_SPACE_SBUF);
    uint32_t value;
    assert_int_equal(bus->read32(bus->context, window + at, &value), TRN_OK);
    return value;
}

static void check_slot(const struct rig *rig, unsigned ring, unsigned slot, uint32_t word0,
                       uint64_t address)
{
    const uint8_t *const raw = rig->host + ring + (size_t)16 * slot;
    assert_int_equal(trn_get32(raw), word0);
    assert_int_equal(trn_get32(raw + 8), (uint32_t)address);
    assert_int_equal(trn_get32(raw + 12), (uint32_t)(address >> 32));
}

static void test_the_generator_uses_a_host_s_rings(void **state)
{
    (void)state;
    static const char *const gens[] = {"cayman", "mariana", "mariana_plus"};
    static struct rig rig;
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        struct trn_hal_udma_view view;
        open_rig(&rig, gens[g]);
        put_rows(&rig, 0x1000);
        struct program p = program_for(rig.core.gen);
        add_copy(&rig, &p);
        start(&rig.core, POOL, &p);
        assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
        assert_int_equal(sbuf32(&rig, TO), 0x1000);
        assert_int_equal(sbuf32(&rig, TO + 64), 0x1000 + 100);
        assert_int_equal(sem_of(&rig.core, SEMAPHORE), 1);
        /* udma.md 2.1: length, ring id 1, FIRST, LAST; the last packet adds to the semaphore */
        check_slot(&rig, TX, 0, 0x05000040, hbm_of(&rig) + FROM);
        check_slot(&rig, TX, 1, 0x09000040, hbm_of(&rig) + FROM + 256);
        check_slot(&rig, RX, 0, 0x01000040, sbuf_of(&rig) + TO);
        check_slot(&rig, RX, 1, 0x01000040, sbuf_of(&rig) + TO + 64);
        assert_int_equal(trn_get32(rig.host + TX + 32), 0x0D000004);
        assert_int_equal(trn_get32(rig.host + RX + 32), 0x01000004);
        for (unsigned half = 0; half < 2; half++) { /* slot 3, ring id 1 at 31:30 */
            assert_int_equal(trn_hal_udma_view(rig.hal, 0, QUEUE, half, &view), TRN_OK);
            assert_int_equal(view.head, 0x40000003);
            assert_int_equal(view.tail, 0x40000003);
            assert_int_equal(view.current, 0x40000003);
            assert_int_equal(view.status, 0);
        }
        close_rig(&rig);
    }
}

/* udma.md 3: descriptors of a queue retire in order, so what was rung for before comes first. */
static void test_a_host_s_copy_comes_first(void **state)
{
    (void)state;
    static struct rig rig;
    struct trn_map_place rx, tx;
    open_rig(&rig, "cayman");
    put_rows(&rig, 0x1000);
    trn_put32(rig.host + DATA, 0xCAFE);
    assert_int_equal(trn_hal_udma_prepare(rig.hal, &rig.queue, rig.core.gen->hal_host_base + DATA,
                                          hbm_of(&rig) + FROM, 4, TRN_HAL_UDMA_NO_BARRIER, false),
                     TRN_OK);
    assert_int_equal(trn_map_name(rig.core.gen, "dma0.udma.s2m_q[13].drtp_inc", 0, &rx, NULL),
                     TRN_OK);
    assert_int_equal(trn_map_name(rig.core.gen, "dma0.udma.m2s_q[13].drtp_inc", 0, &tx, NULL),
                     TRN_OK);
    struct program p = program_for(rig.core.gen);
    const uint64_t doorbells[] = {rx.address[TRN_MAP_SOC], tx.address[TRN_MAP_SOC]};
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *word = add(&p, TRN_OPCODE_WRITE);
        trn_ctrl_wr_wr_size_set(word, p.isa, 4);
        trn_ctrl_wr_address_set(word, p.isa, doorbells[i]);
        trn_ctrl_wr_value_set(word, p.isa, 1);
    }
    add_copy(&rig, &p);
    start(&rig.core, POOL, &p);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
    assert_int_equal(sbuf32(&rig, TO), 0xCAFE);
    assert_int_equal(sbuf32(&rig, TO + 4), 0x1001);
    check_slot(&rig, TX, 1, 0x05000040, hbm_of(&rig) + FROM);
    close_rig(&rig);
}

static void test_a_paused_queue_is_named(void **state)
{
    (void)state;
    static struct rig rig;
    struct trn_map_place cfg;
    open_rig(&rig, "cayman");
    put_rows(&rig, 0x1000);
    for (unsigned dma = 0; dma < 16; dma++) { /* of every engine that the core could use */
        char name[40];
        const struct trn_bus *bus = trn_device_bar0(rig.core.device);
        const struct trn_hal_udma_memory ring = {rig.core.gen->hal_host_base + TX, rig.host + TX};
        assert_int_equal(
            trn_hal_udma_queue_init(rig.hal, dma, QUEUE, RING, &ring, &ring, &rig.queue), TRN_OK);
        snprintf(name, sizeof name, "dma%u.udma.m2s_q[13].cfg", dma);
        assert_int_equal(trn_map_name(rig.core.gen, name, 0, &cfg, NULL), TRN_OK);
        assert_int_equal(bus->write32(bus->context, cfg.address[TRN_MAP_BAR0], 0x03000000), TRN_OK);
    }
    struct program p = program_for(rig.core.gen);
    add_copy(&rig, &p);
    start(&rig.core, POOL, &p);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
    assert_int_equal(sbuf32(&rig, TO), 0);
    assert_int_equal(sem_of(&rig.core, SEMAPHORE), 0);
    assert_int_equal(rig.core.report.num_reports, 1);
    assert_string_equal(rig.core.report.reports[0].klass, "dge_no_backend");
    assert_non_null(strstr(rig.core.report.reports[0].message,
                           "queue 13 of DMA engine 0 is paused: set the enable bits of cfg"));
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_generator_uses_a_host_s_rings),
        cmocka_unit_test(test_a_host_s_copy_comes_first),
        cmocka_unit_test(test_a_paused_queue_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
