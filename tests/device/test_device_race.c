/* SPDX-License-Identifier: Apache-2.0 */
/* Races where the host, DMA engines or the cut of a run have a part; what words alone do is in
 * tests/cli/test_cli_race.py. */
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"
#include "seq/fixture.h"
#include "trench/map.h"
#include "trench/udma.h"

enum { PLACE = 0x8000 };

static void add_element(struct program *p, uint8_t opcode, uint64_t place)
{
    uint8_t *word = add(p, opcode);
    trn_mem_2d_dtype_set(word, p->isa, TRN_DTYPE_UINT8);
    if (opcode == TRN_OPCODE_TENSOR_STORE)
        trn_mem_2d_src_datasrc_set(word, p->isa, TRN_DATA_SRC_IMMEDIATE);
    memset(trn_mem_2d_num_elem_ref(word, p->isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p->isa, place);
    trn_mem_2d_data_ref(word, p->isa)[0] = 7;
}

/* One word on one byte of HBM, then HALT. */
static void start_one(struct fixture *core, int engine, uint8_t opcode, unsigned before)
{
    struct program p = program_for(core->gen);
    while (before-- > 0)
        add(&p, TRN_OPCODE_NOP);
    add_element(&p, opcode, PLACE);
    add(&p, TRN_OPCODE_HALT);
    start(core, engine, &p);
}

/* What the host starts after a run has ended is behind all of it. */
static void test_the_host_orders_one_run_behind_another(void **state)
{
    const struct trn_device_options options = {.check_race = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    start_one(&core, DVE, TRN_OPCODE_TENSOR_STORE, 0);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    start_one(&core, PE, TRN_OPCODE_TENSOR_LOAD, 0);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    start_one(&core, DVE, TRN_OPCODE_TENSOR_STORE, 0); /* an engine that ran before, too */
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_findings, 0);
    start_one(&core, SP, TRN_OPCODE_TENSOR_LOAD, 0);
    start_one(&core, POOL, TRN_OPCODE_TENSOR_STORE, 0);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_findings, 1);
    close_core(&core);
}

/* The host sees a deadlock, reads what was done so far and posts: that orders, too. */
static void test_the_host_posts_between_runs(void **state)
{
    const struct trn_device_options options = {.check_race = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct program p = program_for(core.gen);
    set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 1, 1);
    add_element(&p, TRN_OPCODE_TENSOR_LOAD, PLACE);
    add(&p, TRN_OPCODE_HALT);
    start(&core, PE, &p);
    start_one(&core, DVE, TRN_OPCODE_TENSOR_STORE, 0);
    assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
    set_sem(&core, 1, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_findings, 0);
    close_core(&core);
}

/* A limit or a breakpoint between the two words orders nothing; the host's own accesses count for
 * nothing. */
static void test_a_cut_run_finds_what_the_whole_finds(void **state)
{
    (void)state;
    for (uint64_t piece = 0; piece < 5; piece++) {
        const struct trn_device_options options = {.check_race = true, .schedule_seed = piece};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        start_one(&core, DVE, TRN_OPCODE_TENSOR_STORE, 3);
        start_one(&core, PE, TRN_OPCODE_TENSOR_LOAD, 1);
        trn_device_break_at(core.device, PE, queue_of(PE) + 64);
        while (run(&core, piece) == TRN_RUN_LIMIT || core.report.status == TRN_RUN_BREAK)
            hbm32(&core, PLACE);
        assert_int_equal(core.report.status, TRN_RUN_OK);
        assert_int_equal(core.report.num_findings, 1);
        const struct trn_finding_report *found = core.report.findings;
        assert_int_equal(found->kind, TRN_FINDING_RACE);
        assert_int_equal(found->space, TRN_SPACE_HBM);
        assert_int_equal(found->byte, PLACE);
        assert_int_equal(found->engine, DVE);
        assert_true(found->pc == queue_of(DVE) + 3 * 64);
        assert_true(found->access[0].write && !found->access[1].write);
        assert_int_equal(found->access[1].engine, PE);
        assert_true(found->access[1].pc == queue_of(PE) + 64);
        close_core(&core);
    }
}

static bool none(const void *context, const struct trn_block *block)
{
    (void)context;
    (void)block;
    return false;
}

/* A reset ends what the engines did in the middle of a program. */
static void test_a_reset_orders(void **state)
{
    (void)state;
    for (int resets = 0; resets < 2; resets++) {
        const struct trn_device_options options = {.check_race = true};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        struct program p = program_for(core.gen);
        add_element(&p, TRN_OPCODE_TENSOR_STORE, PLACE);
        add_branch(&p, TRN_BR_CMP_OP_EQ_IMM, 1, 0, 0); /* for ever */
        start(&core, DVE, &p);
        assert_int_equal(run(&core, 100), TRN_RUN_LIMIT);
        if (resets)
            trn_device_reset(core.device, 1, none, NULL);
        start_one(&core, SP, TRN_OPCODE_TENSOR_STORE, 0);
        assert_int_equal(run(&core, 100), resets ? TRN_RUN_OK : TRN_RUN_LIMIT);
        assert_int_equal(core.report.num_findings, 1 - resets);
        close_core(&core);
    }
}

/* Cores that share a stack of HBM are looked at together; a semaphore of another core orders. */
static void test_two_cores_share_a_stack(void **state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        const struct trn_device_options options = {.check_race = true};
        struct fixture core = open_core(trn_gen_find("cayman"), &options);
        const struct trn_gen *gen = core.gen;
        struct program p = program_for(gen), r = program_for(gen);
        add_element(&p, TRN_OPCODE_TENSOR_STORE, PLACE);
        uint8_t *word =
            add(&p, TRN_OPCODE_WRITE); /* semaphore 3 of core 1, by its increment window */
        trn_ctrl_wr_wr_size_set(word, p.isa, 4);
        trn_ctrl_wr_address_set(word, p.isa,
                                trn_tpb_soc(gen, 1) + gen->tpb_device_rebase + gen->bar_evt_sem +
                                    0x1800 + 4 * 3);
        trn_ctrl_wr_value_set(word, p.isa, 1);
        add(&p, TRN_OPCODE_HALT);
        start(&core, DVE, &p);
        assert_int_equal(trn_device_select_core(core.device, 1), TRN_OK);
        if (waits)
            set_wait(add(&r, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 3, 1);
        add_element(&r, TRN_OPCODE_TENSOR_LOAD, PLACE);
        add(&r, TRN_OPCODE_HALT);
        start(&core, PE, &r);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(core.report.engines[PE].retired, 2 + waits);
        assert_int_equal(trn_device_select_core(core.device, 0), TRN_OK);
        trn_device_report(core.device, &core.report);
        assert_int_equal(core.report.num_findings, 1 - waits);
        if (!waits) {
            assert_int_equal(core.report.findings->access[0].core, 0);
            assert_int_equal(core.report.findings->access[1].core, 1);
        }
        close_core(&core);
    }
}

/* ---- a DMA engine ----------------------------------------------------------------------- */

enum { HOST_BYTES = 0x40000, RING = 64, TX = 0, RX = 0x1000, DATA = 0x10000, SEMAPHORE = 9 };

struct rig {
    struct fixture core;
    struct trn_hal *hal;
    struct trn_hal_udma_queue queue;
    uint8_t host[HOST_BYTES];
};

static uint64_t host_at(const struct rig *rig, uint64_t offset)
{
    return rig->core.gen->hal_host_base + offset;
}

static void open_rig(struct rig *rig, uint64_t seed)
{
    memset(rig, 0, sizeof *rig);
    const struct trn_device_options options = {.host_memory = rig->host,
                                               .host_bytes = sizeof rig->host,
                                               .schedule_seed = seed,
                                               .check_race = true};
    rig->core = open_core(trn_gen_find("cayman"), &options);
    const struct trn_hal_udma_memory tx = {host_at(rig, TX), rig->host + TX};
    const struct trn_hal_udma_memory rx = {host_at(rig, RX), rig->host + RX};
    assert_int_equal(trn_hal_create(trn_device_bar0(rig->core.device), NULL, &rig->hal, NULL),
                     TRN_OK);
    assert_int_equal(trn_hal_latch(rig->hal, rig->core.gen), TRN_OK);
    assert_int_equal(trn_hal_udma_engine_init(rig->hal, 0, false), TRN_OK);
    assert_int_equal(trn_hal_udma_queue_init(rig->hal, 0, 1, RING, &tx, &rx, &rig->queue), TRN_OK);
}

static void close_rig(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    close_core(&rig->core);
}

static void prepare(struct rig *rig, uint64_t from, uint64_t to)
{
    assert_int_equal(
        trn_hal_udma_prepare(rig->hal, &rig->queue, from, to, 4, TRN_HAL_UDMA_NO_BARRIER, false),
        TRN_OK);
}

static void add_doorbell(struct rig *rig, struct program *p, const char *name)
{
    struct trn_map_place place;
    struct trn_diag diag;
    if (trn_map_name(rig->core.gen, name, 0, &place, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    uint8_t *word = add(p, TRN_OPCODE_WRITE);
    trn_ctrl_wr_wr_size_set(word, p->isa, 4);
    trn_ctrl_wr_address_set(word, p->isa, place.address[TRN_MAP_SOC]);
    trn_ctrl_wr_value_set(word, p->isa, 2);
}

/* DVE writes, rings a DMA engine that copies what it wrote and then counts up a semaphore; `reader`
 * loads the copy, with or without a wait for it. */
static void start_copy(struct rig *rig, int reader, bool waits, bool writes_late)
{
    const struct trn_gen *gen = rig->core.gen;
    const uint64_t hbm = trn_device_hbm_base(rig->core.device);
    const uint64_t inc =
        gen->tpb_soc_base + gen->tpb_device_rebase + gen->bar_evt_sem + 0x1800 + 4 * SEMAPHORE;
    trn_put32(rig->host + DATA, 1);
    prepare(rig, hbm + PLACE, hbm + PLACE + 0x100);
    prepare(rig, host_at(rig, DATA), inc);
    struct program p = program_for(gen), r = program_for(gen);
    if (!writes_late)
        add_element(&p, TRN_OPCODE_TENSOR_STORE, PLACE);
    add_doorbell(rig, &p, "dma0.udma.s2m_q[1].drtp_inc");
    add_doorbell(rig, &p, "dma0.udma.m2s_q[1].drtp_inc");
    if (writes_late)
        add_element(&p, TRN_OPCODE_TENSOR_STORE, PLACE);
    struct program *last = reader == DVE ? &p : &r;
    if (waits)
        set_wait(add(last, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, SEMAPHORE, 1);
    add_element(last, TRN_OPCODE_TENSOR_LOAD, PLACE + 0x100);
    add(&p, TRN_OPCODE_HALT);
    add(&r, TRN_OPCODE_HALT);
    start(&rig->core, DVE, &p);
    if (reader != DVE)
        start(&rig->core, reader, &r);
}

static void test_descriptors_are_behind_their_doorbell_and_before_their_semaphore(void **state)
{
    (void)state;
    static struct rig rig;
    for (uint64_t seed = 0; seed < 6; seed++)
        for (int reader = PE; reader <= DVE; reader += DVE - PE) {
            open_rig(&rig, seed);
            start_copy(&rig, reader, true, false);
            assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
            assert_int_equal(rig.core.report.num_findings, 0);
            close_rig(&rig);
        }
}

static void test_a_read_that_does_not_wait_for_descriptors(void **state)
{
    (void)state;
    static struct rig rig;
    for (uint64_t seed = 0; seed < 6; seed++)
        for (int reader = PE; reader <= DVE; reader += DVE - PE) {
            open_rig(&rig, seed);
            start_copy(&rig, reader, false, false);
            assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
            assert_int_equal(rig.core.report.num_findings, 1);
            const struct trn_finding_report *found = rig.core.report.findings;
            assert_int_equal(found->byte, PLACE + 0x100);
            assert_int_equal(found->access[0].by, TRN_BY_DMA);
            assert_int_equal(found->access[0].engine, 0);
            assert_int_equal(found->access[1].engine, reader);
            close_rig(&rig);
        }
}

static void test_a_write_behind_the_doorbell(void **state)
{
    (void)state;
    static struct rig rig;
    for (uint64_t seed = 0; seed < 6; seed++) {
        open_rig(&rig, seed);
        start_copy(&rig, PE, true, true);
        assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
        assert_int_equal(rig.core.report.num_findings, 1);
        const struct trn_finding_report *found = rig.core.report.findings;
        assert_int_equal(found->byte, PLACE);
        assert_int_equal(found->access[0].engine, DVE);
        assert_int_equal(found->access[1].by, TRN_BY_DMA);
        close_rig(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_host_orders_one_run_behind_another),
        cmocka_unit_test(test_the_host_posts_between_runs),
        cmocka_unit_test(test_a_cut_run_finds_what_the_whole_finds),
        cmocka_unit_test(test_a_reset_orders),
        cmocka_unit_test(test_two_cores_share_a_stack),
        cmocka_unit_test(test_descriptors_are_behind_their_doorbell_and_before_their_semaphore),
        cmocka_unit_test(test_a_read_that_does_not_wait_for_descriptors),
        cmocka_unit_test(test_a_write_behind_the_doorbell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
