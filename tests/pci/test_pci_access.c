/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are wrong, callbacks that come back, two functions, and the same sequence twice
 * (pci-function.md 3; address-map.md 6.4). */
#include <pthread.h>
#include <string.h>

#include "rig.h"
#include "trench/device.h"

/* ---- wrong accesses ---------------------------------------------------------------------------
 */

struct access {
    unsigned bar;
    uint64_t offset;
    unsigned size;
    trn_status status;
    uint64_t value; /* of a read */
};

static void try_all(const struct rig *rig, const struct access *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 1;
        const trn_status read =
            trn_pci_bar_read(rig->pci, list[i].bar, list[i].offset, list[i].size, &value);
        const trn_status write =
            trn_pci_bar_write(rig->pci, list[i].bar, list[i].offset, list[i].size, 0x0123456789);
        if (read != list[i].status || write != list[i].status || value != list[i].value)
            fail_msg("access %zu: status %d and %d, value 0x%llx", i, read, write,
                     (unsigned long long)value);
        assert_int_equal(trn_pci_diag(rig->pci)->status, list[i].status);
        assert_true(trn_pci_diag(rig->pci)->expected[0] != '\0');
    }
}

static void test_wrong_accesses_get_the_answers_of_the_sheet(void **state)
{
    (void)state;
    static const uint64_t ones = UINT64_MAX;
    static const struct access list[] = {
        /* no block: a hole between windows, one inside APB */
        {0, 0x20000000, 4, TRN_ERR_ADDRESS, 0xDEADBEEF},
        {0, 0x3F000000, 1, TRN_ERR_ADDRESS, 0xEF},
        {0, 0x3F000000, 8, TRN_ERR_ADDRESS, UINT64_C(0xDEADBEEFDEADBEEF)},
        /* registers: size, alignment, end of the block */
        {0, 0x30FA0024, 1, TRN_ERR_INVALID, 0xFF},
        {0, 0x30FA0024, 2, TRN_ERR_INVALID, 0xFFFF},
        {0, 0x30FA0026, 4, TRN_ERR_INVALID, 0xFFFFFFFF},
        {0, 0x30FA0024, 8, TRN_ERR_INVALID, ones},
        {0, 0x30FA0FFC, 8, TRN_ERR_INVALID, ones},
        /* sizes that no processor has */
        {0, 0, 0, TRN_ERR_INVALID, ones},
        {0, 0, 3, TRN_ERR_INVALID, ones},
        {0, 0, 16, TRN_ERR_INVALID, ones},
        {4, 0, 5, TRN_ERR_INVALID, ones},
        /* the last bytes of SBUF and the first of PSUM; of one HBM channel and the next */
        {0, 0x1FFFFFE, 4, TRN_ERR_INVALID, 0xFFFFFFFF},
        {4, UINT64_C(0x3FFFFFFFE), 4, TRN_ERR_INVALID, 0xFFFFFFFF},
        /* no such BAR, or past its end */
        {1, 0, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
        {2, 0, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
        {6, 0, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
        {0, 0x40000000, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
        {0, 0x3FFFFFFE, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
        {4, UINT64_C(0x800000000), 1, TRN_ERR_RANGE, 0xFF},
        {0, UINT64_MAX, 4, TRN_ERR_RANGE, 0xFFFFFFFF},
    };
    struct rig rig;
    open_rig(&rig, &client_sunda);
    try_all(&rig, list, sizeof list / sizeof list[0]);
    const struct trn_pci_counts counts = counts_of(rig.pci);
    assert_int_equal(counts.unmapped, 2 * 3);
    assert_int_equal(counts.refused, 2 * (sizeof list / sizeof list[0] - 3));
    close_rig(&rig);
}

/* An aligned access of 8 bytes is two of 4, low first; memories take anything. */
static void test_accesses_that_are_right(void **state)
{
    (void)state;
    struct rig rig;
    uint64_t value = 0;
    open_rig(&rig, &client_cayman);
    assert_int_equal(trn_pci_bar_write(rig.pci, 0, 0x6C840C0, 8, 0x1122334455667788), TRN_OK);
    assert_int_equal(client_read(&rig.client, 0x6C840C0), 0x55667788);
    assert_int_equal(client_read(&rig.client, 0x6C840C4), 0x11223344);
    for (unsigned size = 1; size <= 8; size *= 2) {
        const uint64_t data = UINT64_C(0xF1E2D3C4B5A69788) >> (64 - 8 * size);
        assert_int_equal(trn_pci_bar_write(rig.pci, 0, 0xD0000003, size, data), TRN_OK);
        assert_int_equal(trn_pci_bar_read(rig.pci, 0, 0xD0000003, size, &value), TRN_OK);
        assert_int_equal(value, data);
        assert_int_equal(trn_pci_bar_write(rig.pci, 4, UINT64_C(0x3000000005), size, data), TRN_OK);
        assert_int_equal(trn_pci_bar_read(rig.pci, 4, UINT64_C(0x3000000005), size, &value),
                         TRN_OK);
        assert_int_equal(value, data);
    }
    close_rig(&rig);
}

static void test_blocks_follow_the_same_rules(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t bytes[64], back[64];
    open_rig(&rig, &client_cayman);
    fill_random(bytes, sizeof bytes, 3);
    assert_int_equal(trn_pci_bar_write_block(rig.pci, 0, 0x6C84100, bytes, 64), TRN_OK);
    assert_int_equal(trn_pci_bar_read_block(rig.pci, 0, 0x6C84100, back, 64), TRN_OK);
    assert_memory_equal(bytes, back, 64);
    assert_int_equal(trn_pci_bar_read_block(rig.pci, 0, 0x6C84102, back, 4), TRN_ERR_INVALID);
    assert_int_equal(back[0] & back[3], 0xFF);
    assert_int_equal(trn_pci_bar_write_block(rig.pci, 0, 0x6C84100, bytes, 6), TRN_ERR_INVALID);
    assert_int_equal(trn_pci_bar_read_block(rig.pci, 0, 0x6C84FF0, back, 32), TRN_ERR_INVALID);
    assert_int_equal(trn_pci_bar_read_block(rig.pci, 0, 0x5FFFFFF0, back, 8), TRN_ERR_ADDRESS);
    assert_int_equal(back[0], 0xEF);
    assert_int_equal(back[7], 0xDE);
    assert_int_equal(trn_pci_bar_write_block(rig.pci, 4, 0x1000, NULL, 0), TRN_OK);
    close_rig(&rig);
}

static void test_nothing_answers_while_decoding_is_off(void **state)
{
    (void)state;
    struct rig rig;
    uint64_t value = 0;
    open_rig(&rig, &client_sunda);
    client_write(&rig.client, 0x30FA00C0, 7);
    trn_pci_config_write(rig.pci, 4, 2, 0);
    assert_int_equal(trn_pci_bar_read(rig.pci, 0, 0x30FA00C0, 4, &value), TRN_ERR_BUSY);
    assert_int_equal(value, 0xFFFFFFFF);
    assert_int_equal(trn_pci_bar_write(rig.pci, 0, 0x30FA00C0, 4, 8), TRN_ERR_BUSY);
    trn_pci_config_write(rig.pci, 4, 2, 6);
    assert_int_equal(client_read(&rig.client, 0x30FA00C0), 7);
    close_rig(&rig);
}

/* ---- callbacks that come back ------------------------------------------------- */

static void ask_for_what_is_not_possible(struct host *host, bool write, uint64_t address,
                                         size_t size)
{
    struct rig *rig = host->hook_context;
    uint64_t value = 0;
    (void)write, (void)address, (void)size;
    assert_int_equal(trn_pci_advance(rig->pci, 1, NULL), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_close(rig->pci), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_power_on(rig->pci), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_stick(rig->pci, 0, 1, 1, 0), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, 0, 0, false), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_inject_ecc(rig->pci, 0, 1, 1), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_inject_repair(rig->pci, 0), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_inject_power(rig->pci, 0, 0), TRN_ERR_BUSY);
    assert_int_equal(trn_pci_bar_read(rig->pci, 0, 0x30FA0000, 4, &value), TRN_OK);
    assert_int_equal(value, 3);
}

static void test_what_a_callback_may_and_may_not(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &client_sunda);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    rig.host.hook_context = &rig;
    rig.host.hook = ask_for_what_is_not_possible;
    const uint64_t page = host_alloc(&rig.host, 4096, 4096);
    assert_int_equal(client_copy(&rig.client, 0, client_host(&rig.client, page), 0x1000000, 4096),
                     CLIENT_OK);
    assert_true(rig.host.calls > 0);
    rig.host.hook = NULL;
    close_rig(&rig);
}

/* The doorbell of another engine, and of the engine that works. */
static void ring_again(struct host *host, bool write, uint64_t address, size_t size)
{
    struct rig *rig = host->hook_context;
    (void)write, (void)address, (void)size;
    host->hook = NULL;
    assert_int_equal(client_copy(&rig->client, 1, 0x1000000, 0x1100000, 4096), CLIENT_OK);
}

static void test_a_callback_rings_another_engine(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t seen[4096];
    open_rig(&rig, &client_sunda);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    const uint64_t page = host_alloc(&rig.host, 8192, 4096);
    fill_random(host_at(&rig.host, page), 8192, 9);
    trn_pci_bar_write_block(rig.pci, 4, 0x1000000, host_at(&rig.host, page), 4096);
    rig.host.hook_context = &rig;
    rig.host.hook = ring_again;
    assert_int_equal(
        client_copy(&rig.client, 0, client_host(&rig.client, page + 4096), 0x1200000, 4096),
        CLIENT_OK);
    trn_pci_bar_read_block(rig.pci, 4, 0x1100000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, page), 4096);
    trn_pci_bar_read_block(rig.pci, 4, 0x1200000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, page + 4096), 4096);
    close_rig(&rig);
}

/* ---- two functions ------------------------------------------------------------ */

struct lane {
    const struct client_gen *gen;
    uint64_t seed;
    bool same;
};

static void *drive(void *context)
{
    struct lane *lane = context;
    struct rig rig;
    open_rig(&rig, lane->gen);
    lane->same = client_reset(&rig.client, 0) == CLIENT_OK;
    const uint64_t from = host_alloc(&rig.host, 300000, 64), to = host_alloc(&rig.host, 300000, 64);
    fill_random(host_at(&rig.host, from), 300000, lane->seed);
    for (int i = 0; i < 8 && lane->same; i++)
        lane->same = client_copy(&rig.client, 0, client_host(&rig.client, from), 0x1000000,
                                 300000) == CLIENT_OK &&
                     client_copy(&rig.client, 0, 0x1000000, client_host(&rig.client, to), 300000) ==
                         CLIENT_OK &&
                     memcmp(host_at(&rig.host, from), host_at(&rig.host, to), 300000) == 0;
    close_rig(&rig);
    return NULL;
}

static void test_two_functions_in_two_threads_do_not_meet(void **state)
{
    (void)state;
    struct lane lanes[2] = {{&client_sunda, 1, false}, {&client_cayman, 2, false}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, drive, &lanes[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(lanes[0].same && lanes[1].same);
}

static void test_two_functions_side_by_side(void **state)
{
    (void)state;
    struct rig a, b;
    open_rig(&a, &client_sunda);
    open_rig(&b, &client_sunda);
    client_write(&a.client, 0x2701400, 5);
    assert_int_equal(client_read(&b.client, 0x2701000), 0);
    assert_int_equal(client_reset(&b.client, 0), CLIENT_OK);
    assert_int_equal(client_read(&a.client, 0x2701000), 5);
    close_rig(&a);
    assert_int_equal(client_reset(&b.client, 0), CLIENT_OK);
    close_rig(&b);
}

/* Bus addresses from here on are BAR4 of another function (a root complex would route them so). */
#define PEER UINT64_C(0x8000000000)

struct peer {
    struct trn_pci_host memory;
    struct trn_pci *other;
};

static trn_status peer_read(void *context, uint64_t address, void *data, size_t size)
{
    const struct peer *peer = context;
    return address < PEER ? peer->memory.read(peer->memory.context, address, data, size)
                          : trn_pci_bar_read_block(peer->other, 4, address - PEER, data, size);
}

static trn_status peer_write(void *context, uint64_t address, const void *data, size_t size)
{
    const struct peer *peer = context;
    return address < PEER ? peer->memory.write(peer->memory.context, address, data, size)
                          : trn_pci_bar_write_block(peer->other, 4, address - PEER, data, size);
}

/* pci.h: a callback may call anything of another function. */
static void test_a_function_copies_to_another(void **state)
{
    (void)state;
    struct rig a, b;
    struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
    uint8_t bytes[70000], seen[70000];
    open_rig(&b, &client_cayman);
    host_open(&a.host, HOST_BYTES);
    const struct peer peer = {host_calls(&a.host), b.pci};
    const struct trn_pci_host calls = {(void *)&peer, peer_read, peer_write, NULL};
    assert_int_equal(trn_pci_open(&options, &calls, &a.pci, NULL), TRN_OK);
    client_open(&a.client, &client_sunda, a.pci, &a.host);
    assert_int_equal(client_probe(&a.client), CLIENT_OK);
    assert_int_equal(client_reset(&a.client, 0), CLIENT_OK);
    fill_random(bytes, sizeof bytes, 21);
    trn_pci_bar_write_block(a.pci, 4, 0x1000000, bytes, sizeof bytes);
    assert_int_equal(client_copy(&a.client, 0, 0x1000000, client_host(&a.client, PEER + 0x2000000),
                                 sizeof bytes),
                     CLIENT_OK);
    trn_pci_bar_read_block(b.pci, 4, 0x2000000, seen, sizeof seen);
    assert_memory_equal(seen, bytes, sizeof seen);
    assert_int_equal(client_copy(&a.client, 0, client_host(&a.client, PEER + 0x2000000), 0x3000000,
                                 sizeof bytes),
                     CLIENT_OK);
    trn_pci_bar_read_block(a.pci, 4, 0x3000000, seen, sizeof seen);
    assert_memory_equal(seen, bytes, sizeof seen);
    close_rig(&a);
    close_rig(&b);
}

/* ---- the same sequence twice -------------------------------------------------- */

/* Accesses of a sequence that a seed makes: registers that act, copies, resets. Everything that the
 * function answered, and every callback it made, goes into one number. */
static uint64_t play(const struct client_gen *gen, uint64_t seed)
{
    struct rig rig;
    open_rig(&rig, gen);
    client_reset(&rig.client, 0);
    const uint64_t page = host_alloc(&rig.host, 65536, 4096);
    fill_random(host_at(&rig.host, page), 65536, seed);
    uint64_t hash = seed;
    for (int i = 0; i < 3000; i++) {
        const uint64_t draw = next_random(&seed);
        const uint64_t offset = draw % trn_pci_bar(rig.pci, 0).size / 4 * 4;
        uint64_t value = 0;
        switch (draw >> 56 & 7) {
        case 0:
            trn_pci_bar_write(rig.pci, 0, offset, 4, draw >> 13);
            break;
        case 1:
            client_copy(&rig.client, (unsigned)(draw & 1), client_host(&rig.client, page),
                        0x1000000 + draw % 65536, 1 + draw % 65536);
            break;
        case 2:
            if (draw % 64 == 2)
                client_reset(&rig.client, 1u << (draw >> 8 & 1));
            break;
        case 3:
            trn_pci_bar_write(rig.pci, 0, client_udma(gen, 0, draw & 15) + (draw >> 8 & 0x1FFC), 4,
                              draw >> 20);
            break;
        default:
            trn_pci_bar_read(rig.pci, 0, offset, 4, &value);
            break;
        }
        hash = (hash ^ value ^ rig.host.hash) * UINT64_C(0x100000001B3);
    }
    const struct trn_pci_counts counts = counts_of(rig.pci);
    hash ^= counts.host_bytes_read * 3 + counts.host_bytes_written * 5 + counts.unmapped * 7;
    close_rig(&rig);
    return hash;
}

static void test_a_sequence_gives_the_same_answers_every_time(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assert_int_equal(play(&client_sunda, seed), play(&client_sunda, seed));
        assert_int_equal(play(&client_cayman, seed), play(&client_cayman, seed));
    }
    assert_int_not_equal(play(&client_sunda, 1), play(&client_sunda, 2));
}

/* ---- looking inside -------------------------------------------------------------- */

/* Peeking uses nothing up; the device behind the function reports its engines. */
static void test_looking_inside(void **state)
{
    (void)state;
    struct rig rig;
    uint32_t value = 0;
    enum trn_pci_progress progress = TRN_PCI_BUDGET;
    open_rig(&rig, &client_sunda);
    assert_int_equal(trn_pci_peek32(rig.pci, 0x30FA0000, &value), TRN_OK);
    assert_int_equal(value, 3);
    trn_pci_stick(rig.pci, 0x30FA0000, 0xF0, 0x70, 1);
    assert_int_equal(trn_pci_peek32(rig.pci, 0x30FA0000, &value), TRN_OK);
    assert_int_equal(value, 0x73);
    assert_int_equal(client_read(&rig.client, 0x30FA0000), 0x73); /* peeking did not use it up */
    assert_int_equal(client_read(&rig.client, 0x30FA0000), 3);
    assert_int_equal(trn_pci_advance(rig.pci, 10, &progress), TRN_OK);
    assert_int_equal(progress, TRN_PCI_IDLE);
    struct trn_run_report report;
    trn_device_report(trn_pci_device(rig.pci), &report);
    assert_int_equal(report.engines[0].state, TRN_ENGINE_STALLED);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_accesses_get_the_answers_of_the_sheet),
        cmocka_unit_test(test_accesses_that_are_right),
        cmocka_unit_test(test_blocks_follow_the_same_rules),
        cmocka_unit_test(test_nothing_answers_while_decoding_is_off),
        cmocka_unit_test(test_what_a_callback_may_and_may_not),
        cmocka_unit_test(test_a_callback_rings_another_engine),
        cmocka_unit_test(test_two_functions_in_two_threads_do_not_meet),
        cmocka_unit_test(test_two_functions_side_by_side),
        cmocka_unit_test(test_a_function_copies_to_another),
        cmocka_unit_test(test_a_sequence_gives_the_same_answers_every_time),
        cmocka_unit_test(test_looking_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
