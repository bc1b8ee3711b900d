/* SPDX-License-Identifier: Apache-2.0 */
/* DMA engines in the device: a driver's copies between the memories (udma.md 7, 8), their turn in a
 * run, words of the descriptor generator with good and bad content (field-cases.md F10, F20). */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"
#include "trench/map.h"
#include "trench/udma.h"

enum { HOST_BYTES = 0x40000, RING = 64, TX = 0, RX = 0x1000, MARKER = 0x2000, DATA = 0x10000 };

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

static struct trn_hal_udma_memory memory_at(struct rig *rig, uint64_t offset)
{
    return (struct trn_hal_udma_memory){host_at(rig, offset), rig->host + offset};
}

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
    const struct trn_hal_udma_memory tx = memory_at(rig, TX), rx = memory_at(rig, RX);
    assert_int_equal(trn_hal_udma_queue_init(rig->hal, 0, 1, RING, &tx, &rx, &rig->queue), TRN_OK);
}

static void close_rig(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    close_core(&rig->core);
}

static void copy(struct rig *rig, uint64_t from, uint64_t to, uint64_t size)
{
    const struct trn_hal_udma_memory marker = memory_at(rig, MARKER);
    if (trn_hal_udma_copy(rig->hal, &rig->queue, from, to, size, &marker) != TRN_OK)
        fail_msg("%s", trn_hal_diag(rig->hal)->message);
}

/* Host memory to HBM, to SBUF and back: a doorbell is complete before the next access. */
static void test_a_driver_copies_between_memories(void **state)
{
    (void)state;
    static const char *const gens[] = {"sunda", "cayman", "mariana"};
    static struct rig rig;
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        open_rig(&rig, gens[g]);
        const uint64_t hbm = trn_device_hbm_base(rig.core.device);
        const uint64_t sbuf = rig.core.gen->tpb_soc_base;
        for (unsigned i = 0; i < 5000; i++)
            rig.host[DATA + i] = (uint8_t)(i * 7 + 3);
        copy(&rig, host_at(&rig, DATA), hbm + 0x5001, 5000);
        copy(&rig, hbm + 0x5001, sbuf + 0x100, 5000);
        copy(&rig, sbuf + 0x100, host_at(&rig, DATA + 0x8003), 5000);
        assert_memory_equal(rig.host + DATA, rig.host + DATA + 0x8003, 5000);
        assert_int_equal(rig.host[DATA + 0x8002], 0);
        assert_int_equal(rig.host[DATA + 0x8003 + 5000], 0);
        assert_int_equal(hbm32(&rig.core, 0x5000), 0x110A0300); /* bytes 3, 10, 17 behind a 0 */
        close_rig(&rig);
    }
}

/* notific.md 3: one tick a descriptor, of either half. 131,077 bytes are three chunks, and the
 * marker is a fourth (udma.md 8); the reset increment is 1 ps a tick. */
static void test_the_clock_counts_descriptors(void **state)
{
    (void)state;
    static struct rig rig;
    uint32_t before, after;
    open_rig(&rig, "cayman");
    struct trn_map_place place;
    assert_int_equal(trn_map_name(rig.core.gen, "core0.notific.timestamp_lo", 0, &place, NULL),
                     TRN_OK);
    const struct trn_bus *bus = trn_device_bar0(rig.core.device);
    const uint64_t at = place.address[TRN_MAP_BAR0], hbm = trn_device_hbm_base(rig.core.device);
    assert_int_equal(bus->read32(bus->context, at, &before), TRN_OK);
    copy(&rig, host_at(&rig, DATA), hbm + 0x100000, 131077);
    assert_int_equal(bus->read32(bus->context, at, &after), TRN_OK);
    assert_int_equal(after - before, 2 * 4);
    close_rig(&rig);
}

/* F10: 54 bytes to SBUF byte 0x92 over a filler: exactly these change. */
static void test_an_unaligned_write_changes_its_bytes_only(void **state)
{
    (void)state;
    static struct rig rig;
    open_rig(&rig, "cayman");
    const uint64_t sbuf = rig.core.gen->tpb_soc_base;
    uint8_t row[0x100], wanted[0x100];
    memset(rig.host + DATA, 0xEE, sizeof row);
    copy(&rig, host_at(&rig, DATA), sbuf, sizeof row);
    for (unsigned i = 0; i < 54; i++)
        rig.host[DATA + i] = (uint8_t)i;
    copy(&rig, host_at(&rig, DATA), sbuf + 0x92, 54);
    memset(wanted, 0xEE, sizeof wanted);
    memcpy(wanted + 0x92, rig.host + DATA, 54);
    const struct trn_bus *bus = trn_device_bar0(rig.core.device);
    const uint64_t window = trn_device_space_offset(rig.core.device, TRN_SPACE_SBUF);
    assert_int_equal(bus->read_block(bus->context, window, row, sizeof row), TRN_OK);
    assert_memory_equal(row, wanted, sizeof row);
    close_rig(&rig);
}

/* ---- beside sequencers ------------------------------------------------------------------ */

static uint64_t soc_of(const struct rig *rig, const char *name)
{
    struct trn_map_place place;
    struct trn_diag diag;
    if (trn_map_name(rig->core.gen, name, 0, &place, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    assert_true(place.exists[TRN_MAP_SOC]);
    return place.address[TRN_MAP_SOC];
}

static void add_write(struct program *p, uint64_t address, uint32_t value)
{
    uint8_t *word = add(p, TRN_OPCODE_WRITE);
    trn_ctrl_wr_wr_size_set(word, p->isa, 4);
    trn_ctrl_wr_address_set(word, p->isa, address);
    trn_ctrl_wr_value_set(word, p->isa, value);
}

/* A program rings the doorbells and waits for the semaphore that the transfer increments: the
 * engine takes its turn although every sequencer waits. */
static void test_a_program_waits_for_a_transfer(void **state)
{
    (void)state;
    static struct rig rig;
    open_rig(&rig, "cayman");
    const struct trn_gen *gen = rig.core.gen;
    const uint64_t inc =
        gen->tpb_soc_base + gen->tpb_device_rebase + gen->bar_evt_sem + 0x1800 + 4 * 9;
    trn_put32(rig.host + DATA, 5);
    assert_int_equal(trn_hal_udma_prepare(rig.hal, &rig.queue, host_at(&rig, DATA), inc, 4,
                                          TRN_HAL_UDMA_NO_BARRIER, false),
                     TRN_OK);
    struct program p = program_for(gen);
    add_write(&p, soc_of(&rig, "dma0.udma.s2m_q[1].drtp_inc"), 1);
    add_write(&p, soc_of(&rig, "dma0.udma.m2s_q[1].drtp_inc"), 1);
    set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 9, 5);
    add(&p, TRN_OPCODE_HALT);
    start(&rig.core, DVE, &p);
    assert_int_equal(run(&rig.core, 0), TRN_RUN_OK);
    assert_int_equal(sem_of(&rig.core, 9), 5);
    close_rig(&rig);
}

/* ---- the descriptor generator ------------------------------------------------------------- */

enum { INDICES = 64, ROW = 2048, TABLE = 0x8000, OUT = 0x100000, LIMIT_REG = 20, SEMAPHORE = 9 };

/* F20: rows 3*i of a table of 128; the 44th and later are out of range. */
static uint8_t *add_gather(struct program *p)
{
    uint8_t *word = add(p, TRN_OPCODE_DMA_INDIRECT);
    trn_dma_indirect1d_flags_indirect_mode_set(word, p->isa, TRN_INDIRECT_MODE_SRC);
    trn_dma_indirect1d_idx_num_active_channels_set(word, p->isa, 128);
    trn_dma_indirect1d_src_start_addr_set(word, p->isa, TABLE);
    trn_dma_indirect1d_src_step_elem_set(word, p->isa, ROW);
    trn_dma_indirect1d_src_num_elem_set(word, p->isa, INDICES);
    trn_dma_indirect1d_src_elem_size_set(word, p->isa, ROW);
    trn_dma_indirect1d_dst_start_addr_set(word, p->isa, OUT);
    trn_dma_indirect1d_dst_step_elem_set(word, p->isa, ROW);
    trn_dma_indirect1d_dst_num_elem_set(word, p->isa, INDICES);
    trn_dma_indirect1d_dst_elem_size_set(word, p->isa, ROW);
    trn_dma_indirect1d_in_dtype_set(word, p->isa, TRN_DTYPE_FP32);
    trn_dma_indirect1d_out_dtype_set(word, p->isa, TRN_DTYPE_FP32);
    trn_dma_indirect1d_semaphore_set(word, p->isa, SEMAPHORE);
    trn_dma_indirect1d_sem_increment_set(word, p->isa, 1);
    trn_dma_indirect1d_src_idx_bound_reg_set(word, p->isa, 0x80 | LIMIT_REG); /* enabled: bit 7 */
    return word;
}

static void put_hbm32(struct fixture *core, uint64_t at, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    assert_int_equal(bus->write32(bus->context, at, value), TRN_OK);
}

static struct fixture with_gather(const char *gen, const struct trn_dge_options *dge)
{
    const struct trn_device_options options = {.dge = dge, .track = true};
    struct fixture core = open_core(trn_gen_find(gen), &options);
    const struct trn_bus *bus = trn_device_bar0(core.device);
    const uint64_t sbuf = trn_device_space_offset(core.device, TRN_SPACE_SBUF);
    for (unsigned i = 0; i < INDICES; i++) {
        bus->write32(bus->context, sbuf + 4 * i, 3 * i);
        put_hbm32(&core, OUT + ROW * i, 0xBF800000);
    }
    for (unsigned row = 0; row < 128; row++)
        put_hbm32(&core, TABLE + ROW * row, 0x1000 + row);
    struct program p = program_for(core.gen);
    add_move(&p, LIMIT_REG, 127);
    add_gather(&p);
    set_wait(add(&p, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, SEMAPHORE, 1);
    add(&p, TRN_OPCODE_HALT);
    start(&core, POOL, &p);
    run(&core, 0);
    return core;
}

static void expect_rows(struct fixture *core, unsigned good)
{
    for (unsigned i = 0; i < INDICES; i++)
        assert_int_equal(hbm32(core, OUT + ROW * i), i < good ? 0x1000 + 3 * i : 0xBF800000);
}

static void test_bad_indices_are_skipped_and_named(void **state)
{
    (void)state;
    static const char *const gens[] = {"cayman", "mariana", "mariana_plus"};
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        struct fixture core = with_gather(gens[g], NULL);
        assert_int_equal(core.report.status, TRN_RUN_OK);
        expect_rows(&core, 43);
        assert_int_equal(core.report.num_reports, 1);
        const struct trn_content_report *report = &core.report.reports[0];
        assert_string_equal(report->klass, "dge_oob");
        assert_int_equal(report->index, 129);
        assert_int_equal(report->position, 43);
        assert_int_equal(report->count, 21);
        assert_int_equal(report->limit, 127);
        assert_int_equal(report->address, TABLE + UINT64_C(129) * ROW);
        assert_int_equal(report->writer, -1); /* the host */
        assert_false(report->recorded);       /* feature flag bit 1 is 0 */
        assert_int_equal(sem_of(&core, SEMAPHORE), 1);
        assert_int_equal(core.report.num_faults, 0);
        close_core(&core);
    }
}

/* What machines do: what came before runs, both halves abort with their cause, nobody posts, and
 * no later word of the core completes until the host recovers the engine. */
static void test_faithful_abort(void **state)
{
    (void)state;
    struct trn_dge_options dge = trn_dge_options_default();
    dge.faithful_abort = true;
    struct fixture core = with_gather("cayman", &dge);
    struct trn_hal *hal = NULL;
    struct trn_hal_udma_view view;
    unsigned number = 0;
    assert_int_equal(core.report.status, TRN_RUN_DEADLOCK);
    expect_rows(&core, 43);
    assert_string_equal(core.report.reports[0].klass, "dma_abort");
    assert_int_equal(sem_of(&core, SEMAPHORE), 0);
    assert_int_equal(trn_hal_create(trn_device_bar0(core.device), NULL, &hal, NULL), TRN_OK);
    assert_int_equal(trn_hal_latch(hal, core.gen), TRN_OK);
    for (unsigned dma = 0; dma < 16; dma++)
        for (unsigned half = 0; half < 2; half++) {
            assert_int_equal(trn_hal_udma_view(hal, dma, 0, half, &view), TRN_OK);
            number = view.state == 2 ? dma : number;
        }
    assert_int_equal(trn_hal_udma_view(hal, number, 0, 0, &view), TRN_OK);
    assert_int_equal(view.state, 2);
    assert_int_equal(trn_hal_udma_view(hal, number, 0, 1, &view), TRN_OK);
    assert_int_equal(view.state, 2);
    set_sem(&core, SEMAPHORE, 1);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    struct program p = program_for(core.gen);
    add_move(&p, LIMIT_REG, 200); /* every index is good now */
    add_gather(&p);
    add(&p, TRN_OPCODE_HALT);
    start(&core, POOL, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    expect_rows(&core, 43);
    assert_int_equal(core.report.num_reports, 2);
    assert_int_equal(trn_hal_udma_set_state(hal, number, TRN_HAL_UDMA_NORMAL), TRN_OK);
    start(&core, POOL, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.num_reports, 2);
    assert_int_equal(sem_of(&core, SEMAPHORE), 2);
    trn_hal_destroy(hal);
    close_core(&core);
}

/* dge.md 9.4: a stream that is too short ends its engine as an illegal word does, with one record
 * of the sequencer; what was moved is counted. */
static void test_a_short_stream_is_fatal(void **state)
{
    (void)state;
    struct trn_dge_options dge = trn_dge_options_default();
    dge.lose_descriptors = 1;
    struct fixture core = with_gather("cayman", &dge);
    assert_int_equal(core.report.status, TRN_RUN_FAULT);
    assert_int_equal(core.report.num_reports, 0);
    assert_int_equal(core.report.num_faults, 1);
    assert_int_equal(core.report.faults[0].engine, POOL);
    assert_string_equal(core.report.faults[0].klass, "illegal_instruction");
    assert_string_equal(core.report.faults[0].message,
                        "the stream wrote 42 descriptors where 43 are due");
    assert_int_equal(core.report.engines[POOL].state, TRN_ENGINE_FAULTED);
    assert_int_equal(core.report.engines[POOL].severity, 2);
    assert_int_equal(sem_of(&core, SEMAPHORE), 0);
    close_core(&core);
}

/* 43 rows move in 43 descriptors a ring, and a completion packet of one a ring. */
static void test_moved_descriptors_are_counted(void **state)
{
    (void)state;
    struct fixture core = with_gather("cayman", NULL);
    const struct trn_dge_moved *moved = &core.report.dge[POOL][TRN_DGE_SOFTWARE];
    assert_int_equal(moved->words, 1);
    assert_int_equal(moved->read_descriptors, 43);
    assert_int_equal(moved->write_descriptors, 43);
    assert_int_equal(moved->completion_descriptors, 2);
    assert_int_equal(moved->packets, 1);
    assert_int_equal(moved->bytes, 43 * ROW);
    assert_int_equal(core.report.dge[POOL][TRN_DGE_POOL].words, 0);
    close_core(&core);
}

/* SUNDA has no generator: a typed answer, and the engine goes on (error-handling.md 10). */
static void test_sunda_has_no_generator(void **state)
{
    (void)state;
    struct fixture core = with_gather("sunda", NULL);
    assert_int_equal(core.report.status, TRN_RUN_DEADLOCK);
    assert_string_equal(core.report.reports[0].klass, "dge_no_backend");
    expect_rows(&core, 0);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_driver_copies_between_memories),
        cmocka_unit_test(test_an_unaligned_write_changes_its_bytes_only),
        cmocka_unit_test(test_a_program_waits_for_a_transfer),
        cmocka_unit_test(test_bad_indices_are_skipped_and_named),
        cmocka_unit_test(test_faithful_abort),
        cmocka_unit_test(test_the_clock_counts_descriptors),
        cmocka_unit_test(test_a_short_stream_is_fatal),
        cmocka_unit_test(test_moved_descriptors_are_counted),
        cmocka_unit_test(test_sunda_has_no_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
