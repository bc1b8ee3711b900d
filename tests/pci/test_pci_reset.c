/* SPDX-License-Identifier: Apache-2.0 */
/* Resets, of the device and of cores, between two accesses and in the middle of any work, and work
 * that a budget cuts short (pci-function.md 5.3, 8). */
#include <string.h>

#include "rig.h"

/* ---- what a reset does (5.3) -------------------------------------------------- */

static void test_a_device_reset_restores_registers_and_keeps_memory(void **state)
{
    (void)state;
    struct rig rig;
    struct client *client = &rig.client;
    open_rig(&rig, &client_sunda);
    const uint64_t ring = client_host(client, host_alloc(&rig.host, 4096, 4096));
    const uint64_t local = 0x2660000; /* ... of PE (address-map.md 5.2): run stall at + 4 */
    trn_pci_bar_write(rig.pci, 0, 0x1000, 4, 0xCAFE); /* SBUF */
    trn_pci_bar_write(rig.pci, 4, 0x1000, 4, 0xF00D); /* HBM */
    client_write(client, 0x2701400, 5);               /* semaphore 0 := 5 */
    client_write(client, 0x2700000, 1);               /* event 0 */
    client_write(client, local + 0x04, 0);            /* release PE */
    client_write(client, 0x10000000 + 0x1400, 6);     /* semaphore of TopSP 0 */
    client_queue(client, 0x30535000, 2, ring, 4096);
    client_write(client, 0x30001030, 0x40);
    assert_int_equal(client_read(client, 0x2701000), 5);
    assert_int_equal(client_read(client, 0x10001000), 6);
    assert_int_equal(client_reset(client, 0), CLIENT_OK);
    assert_int_equal(client_read(client, 0x2701000), 0);
    assert_int_equal(client_read(client, 0x2700000), 0);
    assert_int_equal(client_read(client, 0x10001000), 0);
    assert_int_equal(client_read(client, local + 0x04), 1);
    assert_int_equal(client_read(client, 0x30535000 + 0x108 + 0x50), 0);
    assert_int_equal(client_read(client, 0x30001030), 0);
    assert_int_equal(client_read(client, 0x1000), 0xCAFE);
    uint64_t value = 0;
    trn_pci_bar_read(rig.pci, 4, 0x1000, 4, &value);
    assert_int_equal(value, 0xF00D);
    close_rig(&rig);
}

/* Bits of the later map: core, group of 16 DMA engines, pair of TopSPs; all others are spared. */
static void test_a_core_reset_follows_its_map(void **state)
{
    (void)state;
    struct rig rig;
    struct client *client = &rig.client;
    open_rig(&rig, &client_cayman);
    for (unsigned core = 0; core < 8; core++) {
        client_write(client, 0xD2701400 + 0x4000000 * core, core + 1); /* semaphore 0 */
        client_write(client, client_udma(client->gen, core, 3) + 0x1030, 0x40);
        for (unsigned t = 0; t < 2; t++)
            client_write(client, client_topsp_notific(client->gen, 2 * core + t) + 0x108, 4096);
    }
    assert_int_equal(client_reset(client, 1 << 5 | 1 << 6), CLIENT_OK);
    for (unsigned core = 0; core < 8; core++) {
        const bool reset = core == 5 || core == 6;
        assert_int_equal(client_read(client, 0xD2701000 + 0x4000000 * core), reset ? 0 : core + 1);
        assert_int_equal(client_read(client, client_udma(client->gen, core, 3) + 0x1030),
                         reset ? 0 : 0x40);
        for (unsigned t = 0; t < 2; t++)
            assert_int_equal(
                client_read(client, client_topsp_notific(client->gen, 2 * core + t) + 0x108),
                reset ? 0 : 4096);
    }
    close_rig(&rig);
}

static void test_power_on_is_like_a_new_function(void **state)
{
    (void)state;
    struct rig rig;
    open_rig(&rig, &client_sunda);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    client_write(&rig.client, 0x30600000 + 0x1030, 0x1000); /* a reset of the device keeps this */
    trn_pci_stick(rig.pci, 0x30FA0024, 1, 1, 0);
    assert_int_equal(trn_pci_power_on(rig.pci), TRN_OK);
    uint32_t command = 1;
    trn_pci_config_read(rig.pci, 4, 2, &command);
    assert_int_equal(command, 0);
    trn_pci_config_write(rig.pci, 4, 2, 6);
    assert_int_equal(client_read(&rig.client, 0x30600000 + 0x1030), 0);
    assert_int_equal(client_read(&rig.client, 0x30FA0024), 0);
    assert_int_equal(client_read(&rig.client, 0x30FA0000), 3);
    close_rig(&rig);
}

/* ---- a reset in the middle ---------------------------------------------------- */

struct interruption {
    struct rig *rig;
    uint64_t after; /* callbacks */
    uint64_t pages; /* bus address of the sources */
    unsigned begun; /* of their descriptors, when the reset was asked for */
    bool seen_in_reset;
};

static void reset_in_the_middle(struct host *host, bool write, uint64_t address, size_t size)
{
    struct interruption *interruption = host->hook_context;
    struct client *client = &interruption->rig->client;
    (void)size;
    interruption->begun += !write && interruption->pages && address >= interruption->pages;
    if (interruption->after-- != 0)
        return;
    host->hook = NULL;
    client_write(client, client->gen->misc + 0x1EC, 1);
    client_write(client, client->gen->misc + 0x800, 1);
    /* taken when the current descriptor is done: it runs */
    interruption->seen_in_reset = client_read(client, client->gen->misc + 0x808) == 1 << 3 &&
                                  client_read(client, client->gen->misc + 0x1EC) == 1;
}

/* One descriptor of the ring of engine 0 of core 0 for each page; `pages` of them. */
static void start_core_engine(struct rig *rig, uint64_t pages, unsigned count)
{
    struct client *client = &rig->client;
    const uint64_t tx = pages - 8192, rx = pages - 4096; /* in front of them */
    const uint64_t udma = client_udma(client->gen, 0, 0);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t from = client_host(client, pages + UINT64_C(4096) * i);
        const uint64_t to = 0x1000000 + UINT64_C(4096) * i;
        const uint32_t words[2][4] = {
            {0x0D001000, 0x01080003, (uint32_t)from, (uint32_t)(from >> 32)},
            {0x01001000, 0, (uint32_t)to, (uint32_t)(to >> 32)}};
        memcpy(host_at(&rig->host, tx + 16 * i), words[0], 16);
        memcpy(host_at(&rig->host, rx + 16 * i), words[1], 16);
    }
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t base = client_host(client, half ? rx : tx), at = udma + 0x20000 * half;
        client_write(client, at + 0x1020, 0x03000000);
        client_write(client, at + (half ? 0x1064 : 0x10B0), 0x100);
        client_write(client, at + 0x1028, (uint32_t)base);
        client_write(client, at + 0x102C, (uint32_t)(base >> 32));
        client_write(client, at + 0x1030, 64);
        client_write(client, at + 0x1020, 0x03030000);
    }
    client_write(client, udma + 0x21038, count);
    client_write(client, udma + 0x1038, count);
}

/* A reset at every callback of a batch of 16 descriptors: some prefix of the pages has arrived,
 * whole, and the device is as after any other reset. */
static void test_reset_in_the_middle_of_a_doorbell(void **state)
{
    (void)state;
    for (uint64_t after = 0; after < 24; after++) {
        struct rig rig;
        struct interruption interruption = {.rig = &rig, .after = after};
        uint8_t seen[16 * 4096];
        open_rig(&rig, &client_sunda);
        assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
        const uint64_t pages = host_alloc(&rig.host, 8192 + sizeof seen, 4096) + 8192;
        fill_random(host_at(&rig.host, pages), sizeof seen, after + 1);
        interruption.pages = pages;
        rig.host.hook_context = &interruption;
        rig.host.hook = reset_in_the_middle;
        start_core_engine(&rig, pages, 16);
        rig.host.hook = NULL;
        trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, sizeof seen);
        unsigned whole = 0;
        while (whole < 16 &&
               memcmp(seen + 4096 * whole, host_at(&rig.host, pages) + 4096 * whole, 4096) == 0)
            whole++;
        for (size_t i = 4096 * (size_t)whole; i < sizeof seen; i++)
            assert_int_equal(seen[i], 0);
        assert_int_equal(whole, interruption.begun); /* the current one is done, none begins */
        if (interruption.seen_in_reset) {
            assert_int_equal(client_read(&rig.client, 0x30001030), 0);
            assert_int_equal(counts_of(rig.pci).device_resets, 2);
        } else {
            assert_int_equal(whole, 16);
        }
        assert_int_equal(client_read(&rig.client, 0x30FA01EC), 0);
        assert_int_equal(client_read(&rig.client, 0x30FA0808), 0);
        assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
        close_rig(&rig);
    }
}

/* The host-copy engines and their queues are spared: what was rung for goes on behind the reset. */
static void test_a_host_copy_survives_a_reset_in_its_middle(void **state)
{
    (void)state;
    struct rig rig;
    struct interruption interruption = {.rig = &rig, .after = 6};
    static uint8_t seen[1 << 20];
    open_rig(&rig, &client_cayman);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    const uint64_t data = host_alloc(&rig.host, sizeof seen, 4096);
    fill_random(host_at(&rig.host, data), sizeof seen, 4);
    rig.host.hook_context = &interruption;
    rig.host.hook = reset_in_the_middle;
    assert_int_equal(
        client_copy(&rig.client, 0, client_host(&rig.client, data), 0x1000000, sizeof seen),
        CLIENT_OK);
    assert_true(interruption.seen_in_reset);
    assert_int_equal(counts_of(rig.pci).device_resets, 2);
    trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, data), sizeof seen);
    close_rig(&rig);
}

/* ---- budgets ------------------------------------------------------------------ */

static void test_a_doorbell_that_is_cut_short_goes_on_in_advance(void **state)
{
    (void)state;
    struct rig rig;
    struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
    enum trn_pci_progress progress;
    uint8_t seen[16 * 4096];
    options.doorbell_packets = 4;
    host_open(&rig.host, HOST_BYTES);
    rig.pci = open_function(&options, &rig.host);
    client_open(&rig.client, &client_sunda, rig.pci, &rig.host);
    assert_int_equal(client_probe(&rig.client), CLIENT_OK);
    const uint64_t pages = host_alloc(&rig.host, 8192 + sizeof seen, 4096) + 8192;
    fill_random(host_at(&rig.host, pages), sizeof seen, 12);
    start_core_engine(&rig, pages, 16);
    assert_true(trn_pci_pending(rig.pci));
    trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, pages), 4 * 4096);
    assert_int_equal(seen[4 * 4096], 0);
    assert_int_equal(trn_pci_advance(rig.pci, 0, &progress), TRN_OK);
    assert_int_equal(progress, TRN_PCI_IDLE);
    assert_false(trn_pci_pending(rig.pci));
    trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, pages), sizeof seen);
    close_rig(&rig);
}

/* The same doorbell, and a reset from a callback of trn_pci_advance: what waited is gone. */
static void test_reset_in_the_middle_of_advance(void **state)
{
    (void)state;
    struct rig rig;
    struct interruption interruption = {.rig = &rig, .after = 6};
    struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
    enum trn_pci_progress progress = TRN_PCI_BUDGET;
    uint8_t seen[16 * 4096];
    options.doorbell_packets = 4;
    host_open(&rig.host, HOST_BYTES);
    rig.pci = open_function(&options, &rig.host);
    client_open(&rig.client, &client_sunda, rig.pci, &rig.host);
    assert_int_equal(client_probe(&rig.client), CLIENT_OK);
    const uint64_t pages = host_alloc(&rig.host, 8192 + sizeof seen, 4096) + 8192;
    fill_random(host_at(&rig.host, pages), sizeof seen, 13);
    start_core_engine(&rig, pages, 16);
    interruption.pages = pages;
    rig.host.hook_context = &interruption;
    rig.host.hook = reset_in_the_middle;
    assert_int_equal(trn_pci_advance(rig.pci, 0, &progress), TRN_OK);
    assert_int_equal(progress, TRN_PCI_IDLE);
    assert_true(interruption.seen_in_reset);
    assert_int_equal(counts_of(rig.pci).device_resets, 1);
    assert_int_equal(client_read(&rig.client, 0x30001030), 0);
    assert_int_equal(client_read(&rig.client, 0x30FA0808), 0);
    const size_t whole = 4096 * (size_t)(4 + interruption.begun);
    assert_true(interruption.begun > 0 && whole < sizeof seen);
    trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, sizeof seen);
    assert_memory_equal(seen, host_at(&rig.host, pages), whole);
    for (size_t i = whole; i < sizeof seen; i++)
        assert_int_equal(seen[i], 0);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    close_rig(&rig);
}

/* A ring of descriptors that all do the same, behind another in memory; nothing is rung yet. */
static void same_pairs(struct rig *rig, unsigned engine, uint64_t at, unsigned count, uint64_t from,
                       uint64_t to, uint32_t size)
{
    struct client *client = &rig->client;
    const uint64_t udma = client_udma(client->gen, 0, engine);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t words[2][4] = {
            {0x0D000000 | size, 0x01080003, (uint32_t)from, (uint32_t)(from >> 32)},
            {0x01000000 | size, 0, (uint32_t)to, (uint32_t)(to >> 32)}};
        memcpy(host_at(&rig->host, at + 16 * i), words[0], 16);
        memcpy(host_at(&rig->host, at + 4096 + 16 * i), words[1], 16);
    }
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t base = client_host(client, at + 4096 * half), bank = udma + 0x20000 * half;
        client_write(client, bank + 0x1020, 0x03000000);
        client_write(client, bank + (half ? 0x1064 : 0x10B0), 0x100);
        client_write(client, bank + 0x1028, (uint32_t)base);
        client_write(client, bank + 0x102C, (uint32_t)(base >> 32));
        client_write(client, bank + 0x1030, count);
        client_write(client, bank + 0x1020, 0x03030000);
    }
}

/* Every descriptor of engine 0 rings for 32 of engine 1, whose ring ids nobody checks (6.1, step
 * 19): 64 times 32 packets are asked for by one write, and 100 move before it returns. */
static void test_engines_that_ring_each_other_share_one_budget(void **state)
{
    (void)state;
    struct rig rig;
    struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
    options.doorbell_packets = 100;
    host_open(&rig.host, HOST_BYTES);
    rig.pci = open_function(&options, &rig.host);
    client_open(&rig.client, &client_cayman, rig.pci, &rig.host);
    assert_int_equal(client_probe(&rig.client), CLIENT_OK);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    struct client *client = &rig.client;
    const uint64_t rings = host_alloc(&rig.host, 4 * 4096, 4096);
    const uint64_t data = host_alloc(&rig.host, 4096, 4096);
    const uint64_t doorbell = UINT64_C(0x1002100000) + 0x1038; /* engine 1 of SE 0 (udma.md 1) */
    host_put32(&rig.host, data, 32);
    same_pairs(&rig, 0, rings, 64, client_host(client, data), doorbell, 4);
    same_pairs(&rig, 1, rings + 8192, 64, client_host(client, data + 64), 0x1000000, 1000);
    client_write(client, client_udma(client->gen, 0, 1) + 0x21038, 64);
    client_write(client, client_udma(client->gen, 0, 0) + 0x21038, 64);
    const uint64_t before = counts_of(rig.pci).host_bytes_read;
    client_write(client, client_udma(client->gen, 0, 0) + 0x1038, 64);
    const uint64_t moved = (counts_of(rig.pci).host_bytes_read - before) / 1000;
    assert_true(moved >= 64 && moved <= 100 + 64);
    assert_int_equal(trn_pci_advance(rig.pci, 0, NULL), TRN_OK);
    assert_false(trn_pci_pending(rig.pci));
    close_rig(&rig);
}

/* ---- a reset from other callbacks (5.3) ------------------------------------------ */

static void ask_for_reset(struct host *host, bool write, uint64_t address, size_t size)
{
    struct client *client = host->hook_context;
    (void)write, (void)address, (void)size;
    host->hook = NULL;
    client_write(client, client->gen->misc + 0x1EC, 1);
    client_write(client, client->gen->misc + 0x800, 1);
    assert_int_equal(client_read(client, client->gen->misc + 0x1EC), 1); /* not yet */
}

static void expect_one_more_reset(struct client *client)
{
    assert_int_equal(counts_of(client->pci).device_resets, 2);
    assert_int_equal(client_read(client, client->gen->misc + 0x1EC), 0);
    assert_int_equal(client_read(client, client->gen->misc + 0x808), 0);
}

/* While firmware reads the request: it is answered, then the reset happens. */
static void test_reset_in_the_middle_of_a_mailbox_request(void **state)
{
    (void)state;
    struct rig rig;
    struct client *client = &rig.client;
    open_rig(&rig, &client_cayman);
    assert_int_equal(client_reset(client, 0), CLIENT_OK);
    const uint64_t address = UINT64_C(0x8006C84000);
    uint32_t value = 0;
    int error;
    client_write(client, 0xDC000000 + 0x2701400, 5);
    rig.host.hook_context = client;
    rig.host.hook = ask_for_reset;
    assert_true(client_mailbox(client, 1, &address, 8, &value, 4, &error));
    assert_int_equal(value, 3);
    expect_one_more_reset(client);
    assert_int_equal(client_read(client, 0xDC000000 + 0x2701000), 0);
    close_rig(&rig);
}

/* While a notification record is written; error-handling.md 8, notific.md 9. */
static void test_reset_in_the_middle_of_a_record(void **state)
{
    (void)state;
    struct rig rig;
    struct client *client = &rig.client;
    open_rig(&rig, &client_sunda);
    assert_int_equal(client_reset(client, 0), CLIENT_OK);
    const uint64_t block = client_notific(&client_sunda, 0), registers = 0x30530000;
    const uint64_t ring = host_alloc(&rig.host, 4096, 4096);
    client_queue(client, block, 2, client_host(client, ring), 4096);
    client_write(client, block + 0x30, 0xFFFFFFFF);
    client_write(client, block + 0x34, 0xFFFFFFFF);
    client_write(client, block + 0x14, 1 << 2);
    client_write(client, registers + 0xA0C, 2);
    rig.host.hook_context = client;
    rig.host.hook = ask_for_reset;
    client_write(client, registers + 0xB00, 1);
    assert_null(rig.host.hook); /* it was called */
    expect_one_more_reset(client);
    assert_int_equal(client_read(client, block + 0x28 * 2 + 0x108), 0); /* the queue is gone */
    memset(host_at(&rig.host, ring), 0, 4096);
    client_write(client, registers + 0xB00, 1);
    assert_int_equal(host_get32(&rig.host, ring), 0);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_device_reset_restores_registers_and_keeps_memory),
        cmocka_unit_test(test_a_core_reset_follows_its_map),
        cmocka_unit_test(test_power_on_is_like_a_new_function),
        cmocka_unit_test(test_reset_in_the_middle_of_a_doorbell),
        cmocka_unit_test(test_a_host_copy_survives_a_reset_in_its_middle),
        cmocka_unit_test(test_a_doorbell_that_is_cut_short_goes_on_in_advance),
        cmocka_unit_test(test_reset_in_the_middle_of_advance),
        cmocka_unit_test(test_engines_that_ring_each_other_share_one_budget),
        cmocka_unit_test(test_reset_in_the_middle_of_a_mailbox_request),
        cmocka_unit_test(test_reset_in_the_middle_of_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
