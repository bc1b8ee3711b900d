/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of a device and the stacks of HBM between them (docs/hardware/address-map.md 3, 4 and
 * 7): each core has its own memories, semaphores and engines; all of them run; words of one reach
 * the others by SoC address. */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"

#define FOR_EACH_GENERATION(gen)                                                                   \
    for (const struct trn_gen *gen = trn_gen_at(0), *const end = gen + TRN_GEN_COUNT; gen != end;  \
         gen++)

/* address-map.md 3: SUNDA has 2 cores, the others 8. */
static unsigned cores_of(const struct trn_gen *gen)
{
    return gen->isa_version == 2 ? 2 : 8;
}

/* address-map.md 4.1, 4.2 and, a model choice, 4.3: SoC address of a core's SBUF. */
static uint64_t soc_of(const struct trn_gen *gen, unsigned core)
{
    static const uint64_t cayman[8] = {UINT64_C(0x002000000000), UINT64_C(0x003000000000),
                                       UINT64_C(0x006000000000), UINT64_C(0x007000000000),
                                       UINT64_C(0x802000000000), UINT64_C(0x803000000000),
                                       UINT64_C(0x806000000000), UINT64_C(0x807000000000)};
    if (gen->isa_version == 2)
        return UINT64_C(0xFFFC0000000) + core * UINT64_C(0x4000000);
    return gen->isa_version == 5 ? UINT64_C(0x2000000000) + core * UINT64_C(0x4000000000)
                                 : cayman[core];
}

/* Of the engine plane: events, semaphores, local registers. */
static uint64_t plane_of(const struct trn_gen *gen, unsigned core)
{
    return soc_of(gen, core) + (gen->isa_version == 2 ? 0 : UINT64_C(0x800000000));
}

/* address-map.md 7: BAR0 offset of a core's window. */
static uint64_t window_of(const struct trn_gen *gen, unsigned core)
{
    if (gen->isa_version == 2)
        return core * UINT64_C(0x4000000);
    return UINT64_C(0xD0000000) +
           core * (gen->isa_version == 5 ? UINT64_C(0x10000000) : UINT64_C(0x4000000));
}

static uint64_t evt_sem_of(const struct trn_gen *gen)
{
    return gen->isa_version == 5 ? 0x8700000 : 0x2700000; /* address-map.md 5.5, 4.3 */
}

/* The stack next to a core: its BAR4 offset and its SoC address (address-map.md 4 and 7). */
struct place {
    uint64_t bar4, soc;
};

static struct place stack_of(const struct trn_gen *gen, unsigned core)
{
    static const uint64_t soc[4] = {0, UINT64_C(0x4000000000), UINT64_C(0x800000000000),
                                    UINT64_C(0x804000000000)};
    if (gen->isa_version == 2) /* packed */
        return (struct place){core * UINT64_C(0x400000000), core * UINT64_C(0x1000000000)};
    if (gen->isa_version == 5) /* no map is known: one stack */
        return (struct place){0, 0};
    return (struct place){core / 2 * UINT64_C(0x1000000000), soc[core / 2]};
}

static void write32(struct fixture *core, uint64_t offset, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, offset, value), TRN_OK);
}

static uint32_t read32(struct fixture *core, uint64_t offset)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value = 0;
    assert_int_equal(bus->read32(bus->context, offset, &value), TRN_OK);
    return value;
}

static void put(struct fixture *core, uint64_t bar4, const struct program *p)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    assert_int_equal(bus->write_block(bus->context, bar4, p->word, p->num_words * TRN_INST_BYTES),
                     TRN_OK);
}

static void test_every_core_has_its_own_semaphores_and_memories(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        for (unsigned n = 0; n < cores_of(gen); n++) {
            write32(&core, window_of(gen, n) + evt_sem_of(gen) + 0x1400 + 4 * 7, 100 + n);
            write32(&core, window_of(gen, n) + 5 * (uint64_t)gen->sbuf_stride, 200 + n);
            write32(&core, window_of(gen, n) + gen->psum_base + gen->psum_stride, 300 + n);
        }
        for (unsigned n = 0; n < cores_of(gen); n++) {
            assert_int_equal(trn_device_select_core(core.device, n), TRN_OK);
            assert_int_equal(sem_of(&core, 7), 100 + n);
            assert_true(trn_device_space_offset(core.device, TRN_SPACE_SBUF) == window_of(gen, n));
            assert_int_equal(read32(&core, window_of(gen, n) + 5 * (uint64_t)gen->sbuf_stride),
                             200 + n);
            assert_int_equal(read32(&core, window_of(gen, n) + gen->psum_base + gen->psum_stride),
                             300 + n);
        }
        assert_int_equal(trn_device_select_core(core.device, cores_of(gen)), TRN_ERR_RANGE);
        assert_int_equal(sem_of(&core, 7), 100 + cores_of(gen) - 1); /* still the last */
        close_core(&core);
    }
    assert_int_equal(trn_device_select_core(NULL, 0), TRN_ERR_INVALID);
}

static void test_stacks_lie_at_their_places(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const struct trn_bus *bus = trn_device_bar4(core.device);
        for (unsigned n = 0; n < cores_of(gen); n++) {
            const struct place stack = stack_of(gen, n);
            uint32_t value = 0;
            assert_int_equal(trn_device_select_core(core.device, n), TRN_OK);
            assert_true(trn_device_hbm_base(core.device) == stack.soc);
            assert_true(trn_device_hbm_offset(core.device) == stack.bar4);
            const uint64_t last = stack.bar4 + trn_device_hbm_bytes(core.device) - 4;
            assert_int_equal(bus->write32(bus->context, last, 77 + n), TRN_OK);
            assert_int_equal(bus->read32(bus->context, last, &value), TRN_OK);
            assert_int_equal(value, 77 + n);
        }
        close_core(&core);
    }
}

/* Cores 0 and 1 of later generations share a stack; other stacks are others' memory. */
static void test_neighbours_share_a_stack(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const uint64_t first = trn_device_hbm_offset(core.device);
        assert_int_equal(trn_device_select_core(core.device, 1), TRN_OK);
        assert_int_equal(trn_device_hbm_offset(core.device) == first, gen->isa_version != 2);
        close_core(&core);
    }
}

/* A memory larger than a stack's window is one stack for all cores. */
static void test_a_large_memory_is_one_stack(void **state)
{
    (void)state;
    const struct trn_device_options options = {.hbm_bytes = UINT64_C(0x1000000000)};
    struct fixture core = open_core(trn_gen_find("sunda"), &options);
    const struct trn_bus *bus = trn_device_bar4(core.device);
    assert_int_equal(trn_device_select_core(core.device, 1), TRN_OK);
    assert_true(trn_device_hbm_offset(core.device) == 0);
    assert_int_equal(bus->write32(bus->context, UINT64_C(0xFFFFFFFFC), 1), TRN_OK);
    close_core(&core);
}

/* Each core counts to its own number + 1 in its own semaphore 9. */
static void test_started_engines_of_all_cores_run(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        FOR_EACH_GENERATION(gen)
        {
            const struct trn_device_options options = {.schedule_seed = seed};
            struct fixture core = open_core(gen, &options);
            for (unsigned n = 0; n < cores_of(gen); n++) {
                const uint64_t place = 0x100000 * (uint64_t)(n + 1);
                struct program p = program_for(gen);
                for (unsigned i = 0; i <= n; i++)
                    set_update(add(&p, TRN_OPCODE_NOP), TRN_UPDATE_MODE_SEM_INC_COMPLETE, 9, 0);
                add(&p, TRN_OPCODE_HALT);
                put(&core, stack_of(gen, n).bar4 + place, &p);
                assert_int_equal(trn_device_select_core(core.device, n), TRN_OK);
                assert_int_equal(trn_device_start(core.device, DVE, stack_of(gen, n).soc + place),
                                 TRN_OK);
            }
            assert_int_equal(run(&core, 0), TRN_RUN_OK);
            for (unsigned n = 0; n < cores_of(gen); n++) {
                assert_int_equal(trn_device_select_core(core.device, n), TRN_OK);
                assert_int_equal(sem_of(&core, 9), n + 1);
                trn_device_report(core.device, &core.report);
                assert_int_equal(core.report.engines[DVE].state, TRN_ENGINE_HALTED);
                assert_int_equal(core.report.engines[DVE].retired, n + 2);
                assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_STALLED);
            }
            close_core(&core);
        }
    }
}

/* One core refuses a word: the run is a fault, the other core's report is clean. */
static void test_a_fault_belongs_to_its_core(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program bad = program_for(core.gen), good = program_for(core.gen);
    add(&bad, 0x00); /* no opcode */
    add(&good, TRN_OPCODE_HALT);
    put(&core, 0x1000, &bad);
    put(&core, 0x2000, &good);
    trn_device_start(core.device, SP, 0x2000);
    trn_device_select_core(core.device, 1);
    trn_device_start(core.device, ACT, 0x1000);
    assert_int_equal(run(&core, 0), TRN_RUN_FAULT);
    assert_int_equal(core.report.num_faults, 1);
    assert_int_equal(core.report.faults[0].engine, ACT);
    trn_device_select_core(core.device, 0);
    trn_device_report(core.device, &core.report);
    assert_int_equal(core.report.status, TRN_RUN_FAULT);
    assert_int_equal(core.report.num_faults, 0);
    assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_HALTED);
    close_core(&core);
}

/* ---- across cores ---------------------------------------------------------------------- */

static void add_store(struct program *p, uint64_t place, uint32_t value)
{
    uint8_t *word = add(p, TRN_OPCODE_TENSOR_STORE);
    trn_mem_2d_dtype_set(word, p->isa, TRN_DTYPE_UINT32);
    trn_mem_2d_src_datasrc_set(word, p->isa, TRN_DATA_SRC_IMMEDIATE);
    memset(trn_mem_2d_num_elem_ref(word, p->isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p->isa, place);
    trn_put32(trn_mem_2d_data_ref(word, p->isa), value);
}

/* Core 0 stores into every core's SBUF, PSUM and semaphore 3 and into every stack. */
static void test_words_reach_other_cores_and_stacks(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        for (unsigned n = 0; n < cores_of(gen); n++) {
            add_store(&p, soc_of(gen, n) + gen->sbuf_stride, 1000 + n);
            add_store(&p, plane_of(gen, n) + gen->psum_base, 2000 + n);
            add_store(&p, plane_of(gen, n) + evt_sem_of(gen) + 0x1400 + 4 * 3, 3000 + n);
            add_store(&p, stack_of(gen, n).soc + 0x8000 + 4 * n, 4000 + n);
        }
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        for (unsigned n = 0; n < cores_of(gen); n++) {
            trn_device_select_core(core.device, n);
            assert_int_equal(read32(&core, window_of(gen, n) + gen->sbuf_stride), 1000 + n);
            assert_int_equal(read32(&core, window_of(gen, n) + gen->psum_base), 2000 + n);
            assert_int_equal(sem_of(&core, 3), 3000 + n);
            assert_int_equal(hbm32(&core, stack_of(gen, n).bar4 + 0x8000 + 4 * n), 4000 + n);
        }
        close_core(&core);
    }
}

/* Core 1 waits for what core 0 posts by a store into its semaphores. */
static void test_a_core_waits_for_another(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program waits = program_for(gen), posts = program_for(gen);
        set_wait(add(&waits, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 5, 1);
        add(&waits, TRN_OPCODE_HALT);
        for (unsigned i = 0; i < 100; i++) /* longer than a turn */
            add(&posts, TRN_OPCODE_NOP);
        add_store(&posts, plane_of(gen, 1) + evt_sem_of(gen) + 0x1800 + 4 * 5, 1);
        add(&posts, TRN_OPCODE_HALT);
        put(&core, stack_of(gen, 1).bar4 + 0x1000, &waits);
        trn_device_select_core(core.device, 1);
        trn_device_start(core.device, PE, stack_of(gen, 1).soc + 0x1000);
        assert_int_equal(run(&core, 0), TRN_RUN_DEADLOCK);
        assert_int_equal(core.report.engines[PE].state, TRN_ENGINE_WAITING);
        trn_device_select_core(core.device, 0);
        start(&core, SP, &posts);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        trn_device_select_core(core.device, 1);
        assert_int_equal(sem_of(&core, 5), 1);
        trn_device_report(core.device, &core.report);
        assert_int_equal(core.report.engines[PE].state, TRN_ENGINE_HALTED);
        close_core(&core);
    }
}

/* A program may lie in another core's memory or stack. */
static void test_programs_are_fetched_from_anywhere(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        struct program p = program_for(gen);
        set_update(add(&p, TRN_OPCODE_NOP), TRN_UPDATE_MODE_SEM_INC_COMPLETE, 2, 0);
        add(&p, TRN_OPCODE_HALT);
        const unsigned last = cores_of(gen) - 1;
        const struct trn_bus *bus = trn_device_bar0(core.device);
        put(&core, stack_of(gen, last).bar4 + 0x4000, &p);
        bus->write_block(bus->context, window_of(gen, last), p.word, 128);
        trn_device_start(core.device, SP, stack_of(gen, last).soc + 0x4000);
        trn_device_start(core.device, DVE, soc_of(gen, last));
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(sem_of(&core, 2), 2);
        close_core(&core);
    }
}

/* With `track`, a stack knows its bytes whichever core or bus wrote them. */
static void test_occupancy_of_a_shared_stack(void **state)
{
    const struct trn_device_options options = {.track = true};
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    struct trn_occupancy use;
    struct program p = program_for(core.gen);
    add_store(&p, 0x8000, 1);
    add(&p, TRN_OPCODE_HALT);
    put(&core, 0x1000, &p); /* 128 bytes */
    trn_device_select_core(core.device, 1);
    trn_device_start(core.device, SP, 0x1000);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    trn_device_select_core(core.device, 0);
    assert_int_equal(trn_device_occupancy(core.device, TRN_SPACE_HBM, 0, &use), TRN_OK);
    assert_int_equal(use.bytes_written, 132);
    assert_int_equal(use.last_engine, SP);
    trn_device_select_core(core.device, 2);
    assert_int_equal(trn_device_occupancy(core.device, TRN_SPACE_HBM, 0, &use), TRN_OK);
    assert_int_equal(use.bytes_written, 0);
    close_core(&core);
}

/* pieces of a run on several cores go the way of the whole */
static void racing_cores(uint64_t piece, uint64_t seed, uint32_t out[64])
{
    const struct trn_device_options options = {.schedule_seed = seed};
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    for (unsigned n = 0; n < 2; n++) {
        struct program p = program_for(core.gen);
        for (unsigned i = 0; i < 60; i++) /* the last writer of each place shows the order */
            add_store(&p, 0x8000 + 4 * (n ? 59 - i : i), 1 + n);
        add(&p, TRN_OPCODE_HALT);
        put(&core, 0x10000 * (n + 1), &p);
        trn_device_select_core(core.device, n);
        trn_device_start(core.device, n ? PE : SP, 0x10000 * (n + 1));
    }
    while (run(&core, piece) == TRN_RUN_LIMIT)
        ;
    assert_int_equal(core.report.status, TRN_RUN_OK);
    for (unsigned i = 0; i < 60; i++)
        out[i] = hbm32(&core, 0x8000 + 4 * i);
    close_core(&core);
}

static void test_pieces_of_several_cores_go_the_way_of_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        for (uint64_t piece = 1; piece < 8; piece += 3) {
            uint32_t whole[64] = {0}, pieces[64] = {0};
            racing_cores(0, seed, whole);
            racing_cores(piece, seed, pieces);
            assert_memory_equal(whole, pieces, sizeof whole);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_core_has_its_own_semaphores_and_memories),
        cmocka_unit_test(test_stacks_lie_at_their_places),
        cmocka_unit_test(test_neighbours_share_a_stack),
        cmocka_unit_test(test_a_large_memory_is_one_stack),
        cmocka_unit_test(test_started_engines_of_all_cores_run),
        cmocka_unit_test(test_a_fault_belongs_to_its_core),
        cmocka_unit_test(test_words_reach_other_cores_and_stacks),
        cmocka_unit_test(test_a_core_waits_for_another),
        cmocka_unit_test(test_programs_are_fetched_from_anywhere),
        cmocka_unit_test(test_occupancy_of_a_shared_stack),
        cmocka_unit_test(test_pieces_of_several_cores_go_the_way_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
