/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler and the device as a handle: turns, seeds, pieces of a run, devices in threads. */
#include <pthread.h>
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"

/* Store the immediate byte `value` at HBM address `place`. */
static uint8_t *add_store(struct program *p, uint64_t place, uint8_t value)
{
    uint8_t *word = add(p, TRN_OPCODE_TENSOR_STORE);
    trn_mem_2d_dtype_set(word, p->isa, TRN_DTYPE_UINT8);
    trn_mem_2d_src_datasrc_set(word, p->isa, TRN_DATA_SRC_IMMEDIATE);
    memset(trn_mem_2d_num_elem_ref(word, p->isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p->isa, place);
    trn_mem_2d_data_ref(word, p->isa)[0] = value;
    return word;
}

static uint8_t *add_load(struct program *p, uint64_t place, uint8_t reg)
{
    uint8_t *word = add(p, TRN_OPCODE_TENSOR_LOAD);
    trn_mem_2d_dtype_set(word, p->isa, TRN_DTYPE_UINT8);
    memset(trn_mem_2d_num_elem_ref(word, p->isa), 1, 2);
    trn_mem_2d_start_addr_set(word, p->isa, place);
    trn_mem_2d_data_ref(word, p->isa)[0] = reg;
    return word;
}

/* DVE produces 40 bytes, PE consumes each after its semaphore and hands back a credit. */
static void start_pipeline(struct fixture *core, bool with_waits)
{
    struct program producer = program_for(core->gen), consumer = program_for(core->gen);
    for (unsigned i = 0; i < 40; i++) {
        uint8_t *word = add_store(&producer, 0x8000 + i, (uint8_t)(i + 1));
        set_update(word, TRN_UPDATE_MODE_SEM_INC_COMPLETE, 1, 0);
        word = add_load(&consumer, 0x8000 + i, (uint8_t)i);
        if (with_waits)
            set_wait(word, TRN_WAIT_MODE_SEM_GE_IMM, 1, i + 1);
    }
    add(&producer, TRN_OPCODE_HALT);
    add(&consumer, TRN_OPCODE_HALT);
    start(core, DVE, &producer);
    start(core, PE, &consumer);
}

static void expect_all_consumed(const struct fixture *core)
{
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(reg_of(core, PE, i), i + 1);
}

static void test_seeds_do_not_change_a_program_without_races(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        const struct trn_device_options options = {.schedule_seed = seed};
        struct fixture core = open_core(trn_gen_at((unsigned)(seed % TRN_GEN_COUNT)), &options);
        start_pipeline(&core, true);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        expect_all_consumed(&core);
        close_core(&core);
    }
}

static unsigned consumed(uint64_t seed)
{
    const struct trn_device_options options = {.schedule_seed = seed};
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    start_pipeline(&core, false);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    unsigned right = 0;
    for (unsigned i = 0; i < 40; i++)
        right += reg_of(&core, PE, i) == i + 1;
    close_core(&core);
    return right;
}

/* F38: a missing dependency shows under some seeds; the same seed gives the same bytes. */
static void test_seeds_uncover_a_missing_wait(void **state)
{
    (void)state;
    bool differs = false;
    for (uint64_t seed = 1; seed < 30; seed++) {
        const unsigned first = consumed(seed);
        assert_int_equal(consumed(seed), first);
        differs |= first != consumed(0);
    }
    assert_true(differs);
}

/* The racy pipeline shows every difference in the order of turns. */
static void run_in_pieces(uint64_t seed, uint64_t piece, bool breaks, uint32_t out[40])
{
    const struct trn_device_options options = {.schedule_seed = seed};
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    start_pipeline(&core, false);
    for (unsigned i = 0; breaks && i < 40; i += 3)
        trn_device_break_at(core.device, DVE, queue_of(DVE) + 64 * i);
    while (run(&core, piece) == TRN_RUN_LIMIT || core.report.status == TRN_RUN_BREAK)
        ;
    assert_int_equal(core.report.status, TRN_RUN_OK);
    for (unsigned i = 0; i < 40; i++)
        out[i] = reg_of(&core, PE, i);
    close_core(&core);
}

static void test_pieces_go_the_way_of_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        for (uint64_t piece = 1; piece < 9; piece++) {
            uint32_t whole[40], pieces[40];
            run_in_pieces(seed, 0, false, whole);
            run_in_pieces(seed, piece, false, pieces);
            assert_memory_equal(whole, pieces, sizeof whole);
            run_in_pieces(seed, piece, true, pieces); /* nor do breakpoints change the way */
            assert_memory_equal(whole, pieces, sizeof whole);
        }
}

static void test_limit_counts_words_of_all_engines(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program p = program_for(core.gen);
    add_branch(&p, TRN_BR_CMP_OP_ALWAYS, 0, 0, 0);
    for (int engine = PE; engine <= SP; engine++)
        start(&core, engine, &p);
    assert_int_equal(run(&core, 1234), TRN_RUN_LIMIT);
    uint64_t words = 0;
    for (int engine = PE; engine <= SP; engine++) {
        words += core.report.engines[engine].retired;
        assert_true(core.report.engines[engine].retired > 0); /* nobody starves */
    }
    assert_int_equal(words, 1234);
    close_core(&core);
}

static void test_waiting_engine_and_fault_is_a_fault(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program bad = program_for(core.gen), waiter = program_for(core.gen);
    add(&bad, 0xFE);
    set_wait(add(&waiter, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 3, 1);
    start(&core, PE, &bad);
    start(&core, SP, &waiter);
    run(&core, 0);
    expect_fault(&core, PE, "bad_opcode", NULL);
    assert_int_equal(core.report.engines[SP].state, TRN_ENGINE_WAITING);
    close_core(&core);
}

/* A spin that polls is no deadlock, however little it achieves. */
static void test_polling_is_a_limit_beside_a_waiting_engine(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    struct program spin = program_for(core.gen), waiter = program_for(core.gen);
    add_branch(&spin, TRN_BR_CMP_OP_ALWAYS, 0, 0, 0);
    set_wait(add(&waiter, TRN_OPCODE_NOP), TRN_WAIT_MODE_SEM_GE_IMM, 3, 1);
    start(&core, PE, &spin);
    start(&core, SP, &waiter);
    assert_int_equal(run(&core, 100), TRN_RUN_LIMIT);
    close_core(&core);
}

/* ---- devices do not meet ------------------------------------------------------------------------
 */

struct worker {
    const struct trn_gen *gen;
    uint64_t seed;
    bool faults;
    bool ok;
};

/* No cmocka in here: only plain results. */
static void *run_device(void *context)
{
    struct worker *worker = context;
    const struct trn_device_options options = {.schedule_seed = worker->seed, .threads = 2};
    worker->ok = true;
    for (int round = 0; round < 20 && worker->ok; round++) {
        struct trn_device *device = NULL;
        struct trn_run_report report;
        struct program p = program_for(worker->gen);
        for (unsigned i = 0; i < 50; i++)
            add_store(&p, 0x8000 + i, (uint8_t)(i + worker->seed));
        add(&p, worker->faults ? 0xFE : TRN_OPCODE_HALT);
        if (trn_device_create(worker->gen, &options, &device, NULL) != TRN_OK) {
            worker->ok = false;
            return NULL;
        }
        const struct trn_bus *bus = trn_device_bar4(device);
        uint8_t back[50];
        bus->write_block(bus->context, 0x4000, p.word, p.num_words * TRN_INST_BYTES);
        trn_device_start(device, SP, 0x4000);
        trn_device_run(device, 0, &report);
        bus->read_block(bus->context, 0x8000, back, sizeof back);
        for (unsigned i = 0; i < 50; i++)
            worker->ok &= back[i] == (uint8_t)(i + worker->seed);
        worker->ok &= report.status == (worker->faults ? TRN_RUN_FAULT : TRN_RUN_OK);
        worker->ok &= report.engines[SP].retired == (worker->faults ? 50 : 51);
        trn_device_destroy(device);
    }
    return NULL;
}

/* F40: one device that faults again and again does not disturb another. */
static void test_two_devices_in_two_threads_do_not_meet(void **state)
{
    (void)state;
    struct worker workers[2] = {{.gen = trn_gen_find("cayman"), .seed = 3, .faults = true},
                                {.gen = trn_gen_find("sunda"), .seed = 90}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_device, &workers[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_true(workers[0].ok);
    assert_true(workers[1].ok);
}

/* ---- arguments
 * ------------------------------------------------------------------------------------ */

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    struct trn_device *device = (struct trn_device *)1;
    struct trn_diag diag;
    const struct trn_gen *gen = trn_gen_find("cayman");
    assert_int_equal(trn_device_create(NULL, NULL, &device, &diag), TRN_ERR_INVALID);
    struct trn_device_options options = {.check_uninit = true};
    assert_int_equal(trn_device_create(gen, &options, &device, &diag), TRN_ERR_INVALID);
    assert_null(device);
    options = (struct trn_device_options){.reset = (enum trn_reset)9};
    assert_int_equal(trn_device_create(gen, &options, &device, &diag), TRN_ERR_INVALID);
    options = (struct trn_device_options){.hbm_bytes = UINT64_MAX};
    assert_int_equal(trn_device_create(gen, &options, &device, &diag), TRN_ERR_TOO_LARGE);
    assert_true(diag.message[0] != '\0');
    assert_int_equal(trn_device_run(NULL, 0, NULL), TRN_ERR_INVALID);
    trn_device_destroy(NULL);

    struct fixture core = open_core(gen, NULL);
    assert_int_equal(trn_device_start(core.device, 5, 0), TRN_ERR_INVALID);
    assert_int_equal(trn_device_start(core.device, -1, 0), TRN_ERR_INVALID);
    assert_int_equal(trn_device_run(core.device, 0, NULL), TRN_OK);
    assert_int_equal(trn_device_semaphore(core.device, 256), 0);
    assert_int_equal(trn_device_register(core.device, SP, 64), 0);
    assert_int_equal(trn_device_register(core.device, 5, 0), 0);
    close_core(&core);
    core = open_core(trn_gen_find("maverick"), NULL); /* ships no ACT image */
    assert_int_equal(trn_device_start(core.device, ACT, 0), TRN_ERR_UNSUPPORTED);
    close_core(&core);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(trn_run_status_name(TRN_RUN_DEADLOCK), "deadlock");
    assert_string_equal(trn_engine_state_name(TRN_ENGINE_BREAK), "break");
    assert_string_equal(trn_run_status_name((enum trn_run_status)99), "?");
    assert_string_equal(trn_engine_state_name((enum trn_engine_run_state)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds_do_not_change_a_program_without_races),
        cmocka_unit_test(test_seeds_uncover_a_missing_wait),
        cmocka_unit_test(test_pieces_go_the_way_of_the_whole),
        cmocka_unit_test(test_limit_counts_words_of_all_engines),
        cmocka_unit_test(test_waiting_engine_and_fault_is_a_fault),
        cmocka_unit_test(test_polling_is_a_limit_beside_a_waiting_engine),
        cmocka_unit_test(test_two_devices_in_two_threads_do_not_meet),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
