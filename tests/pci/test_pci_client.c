/* SPDX-License-Identifier: Apache-2.0 */
/* A driver's way with the function, from probe to removal (pci-function.md 5 to 10), and the
 * checks of its section 12. */
#include <string.h>

#include "client.h"

enum { HOST_BYTES = 24 << 20 };

struct rig {
    struct host host;
    struct trn_pci *pci;
    struct client client;
};

static struct rig *rig_of(const struct client_gen *gen)
{
    static struct rig rig;
    host_open(&rig.host, HOST_BYTES);
    rig.pci = open_generation(gen->name, &rig.host);
    client_open(&rig.client, gen, rig.pci, &rig.host);
    return &rig;
}

static void close_rig(struct rig *rig)
{
    assert_int_equal(trn_pci_close(rig->pci), TRN_OK);
    host_close(&rig->host);
}

static struct rig *ready_rig(const struct client_gen *gen)
{
    struct rig *rig = rig_of(gen);
    assert_int_equal(client_probe(&rig->client), CLIENT_OK);
    assert_int_equal(client_reset(&rig->client, 0), CLIENT_OK);
    return rig;
}

static bool was_written(const struct client *client, uint64_t offset, uint32_t value)
{
    for (size_t i = 0; i < client->num_log; i++)
        if (client->log[i].offset == offset && client->log[i].value == value)
            return true;
    return false;
}

/* ---- the whole way --------------------------------------------------------------- */

/* Host to HBM, to SBUF, to the last channel, to the host: every byte comes back. */
static void round_trip(struct rig *rig, unsigned core, uint64_t size, uint64_t sbuf)
{
    struct client *client = &rig->client;
    const struct client_gen *gen = client->gen;
    const uint64_t mark = rig->host.used;
    const uint64_t from = host_alloc(&rig->host, size, 64), to = host_alloc(&rig->host, size, 64);
    const uint64_t hbm = gen->hbm_base[0] + 0x1000000 + 12;
    const uint64_t last = gen->hbm_base[gen->hbms - 1] + 0x1000000 + 5;
    fill_random(host_at(&rig->host, from), size, size);
    memset(host_at(&rig->host, to), 0, size);
    assert_int_equal(client_copy(client, core, client_host(client, from), hbm, size), CLIENT_OK);
    if (sbuf) {
        assert_int_equal(client_copy(client, core, hbm, sbuf, size), CLIENT_OK);
        assert_int_equal(client_copy(client, core, sbuf, last, size), CLIENT_OK);
    } else {
        assert_int_equal(client_copy(client, core, hbm, last, size), CLIENT_OK);
    }
    assert_int_equal(client_copy(client, core, last, client_host(client, to), size), CLIENT_OK);
    assert_memory_equal(host_at(&rig->host, from), host_at(&rig->host, to), size);
    /* what BAR4 shows is the same memory */
    uint8_t seen[64] = {0};
    const size_t some = size < sizeof seen ? size : sizeof seen;
    assert_int_equal(trn_pci_bar_read_block(rig->pci, 4, client_bar4(gen, last), seen, some),
                     TRN_OK);
    assert_memory_equal(seen, host_at(&rig->host, from), some);
    rig->host.used = mark;
}

static void remove_function(struct rig *rig)
{
    struct client *client = &rig->client;
    trn_pci_config_write(rig->pci, 0x04, 2, 0);
    for (unsigned core = 0; core < client->gen->cores; core++)
        client_queue(client, client_notific(client->gen, core), 2, 0, 0); /* off already: dropped */
}

static void probe_to_removal(const struct client_gen *gen)
{
    static const uint64_t sizes[] = {1,     4,     5,     63,     64,     4095,    4096,
                                     65535, 65536, 65537, 131072, 200001, 1 << 20, 3000000};
    /* the first bytes of SBUF of core 0, by device address (address-map.md 4) */
    const uint64_t sbuf = gen->cores == 2 ? UINT64_C(0xFFFC0000000) : UINT64_C(0x2000000000);
    struct rig *rig = ready_rig(gen);
    assert_int_equal(rig->client.requests, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        round_trip(rig, 0, sizes[i], sizes[i] <= 0x30000 ? sbuf : 0);
        round_trip(rig, gen->cores - 1, sizes[i], 0);
    }
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(rig->pci, &counts);
    assert_int_equal(counts.device_resets, 1);
    assert_int_equal(counts.unmapped, 0);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(counts.unknown_registers, 0);
    assert_int_equal(counts.host_refused, 0);
    remove_function(rig);
    close_rig(rig);
}

static void test_sunda_from_probe_to_removal(void **state)
{
    (void)state;
    probe_to_removal(&client_sunda);
}

static void test_cayman_from_probe_to_removal(void **state)
{
    (void)state;
    probe_to_removal(&client_cayman);
}

static void test_mariana_from_probe_to_removal(void **state)
{
    (void)state;
    probe_to_removal(&client_mariana);
}

static void test_mariana_plus_from_probe_to_removal(void **state)
{
    (void)state;
    probe_to_removal(&client_mariana_plus);
}

/* ---- section 12 ------------------------------------------------------------------ */

static void test_a_device_that_becomes_ready_late_is_probed(void **state)
{
    (void)state;
    struct rig *rig = rig_of(&client_sunda);
    assert_int_equal(trn_pci_stick(rig->pci, 0x30FA0024, 0xFFFFFFFF, 0xDEADBEEF, 3000), TRN_OK);
    assert_int_equal(client_probe(&rig->client), CLIENT_OK);
    assert_int_equal(rig->client.routing_id, 0);
    assert_int_equal(rig->client.ms, 3000);
    close_rig(rig);
}

static void test_a_device_that_never_becomes_ready_is_given_up(void **state)
{
    (void)state;
    struct rig *rig = rig_of(&client_sunda);
    assert_int_equal(trn_pci_stick(rig->pci, 0x30FA0024, 0xFFFFFFFF, 0xDEADBEEF, 0), TRN_OK);
    assert_int_equal(client_probe(&rig->client), CLIENT_NOT_READY);
    close_rig(rig);
}

static void test_routing_id_64_is_no_device(void **state)
{
    (void)state;
    struct rig *rig = rig_of(&client_cayman);
    assert_int_equal(trn_pci_stick(rig->pci, 0x6C84024, 0xFFFFFFFF, 64, 0), TRN_OK);
    assert_int_equal(client_probe(&rig->client), CLIENT_NO_DEVICE);
    close_rig(rig);
}

/* Requests at 0, 30, 60 and 90 s; failure at 120 s. */
static void test_a_request_that_is_never_acknowledged_times_out(void **state)
{
    (void)state;
    struct rig *rig = rig_of(&client_sunda);
    assert_int_equal(client_probe(&rig->client), CLIENT_OK);
    assert_int_equal(trn_pci_stick(rig->pci, 0x30FA01EC, 3, 1, 0), TRN_OK);
    assert_int_equal(client_reset(&rig->client, 0), CLIENT_TIMEOUT);
    assert_int_equal(rig->client.requests, 4);
    assert_int_equal(rig->client.ms, 120000);
    assert_int_equal(trn_pci_stick(rig->pci, 0x30FA01EC, 0, 0, 0), TRN_OK);
    assert_int_equal(client_reset(&rig->client, 0), CLIENT_OK); /* and a later one succeeds */
    close_rig(rig);
}

static void test_a_stuck_status_leaves_the_device_invalid(void **state)
{
    (void)state;
    struct rig *rig = rig_of(&client_cayman);
    assert_int_equal(client_probe(&rig->client), CLIENT_OK);
    assert_int_equal(trn_pci_stick(rig->pci, 0x6C84808, 1 << 3, 1 << 3, 5), TRN_OK);
    assert_int_equal(client_reset(&rig->client, 0), CLIENT_INVALID);
    assert_int_equal(client_reset(&rig->client, 0), CLIENT_OK);
    close_rig(rig);
}

/* 1D8 = 3802, 1EC = 2, 800 = 1; DMA of core 0 untouched, that of core 1 as after power-on. */
static void test_reset_of_one_core_spares_the_other(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_sunda);
    struct client *client = &rig->client;
    client_write(client, 0x30000000 + 0x1030, 0x40);       /* ring length of core 0 ... */
    client_write(client, 0x30700000 + 0x1030, 0x80);       /* ... and of core 1 */
    client_write(client, 0x30600000 + 0x1018, 0x12345678); /* of a host-copy engine */
    client->num_log = 0;
    client->requests = 0;
    client_write(client, 0x30FA01D8, 0x3802);
    client_write(client, 0x30FA01EC, 2);
    client_write(client, 0x30FA0800, 1);
    assert_int_equal(client_read(client, 0x30FA01EC), 0);
    assert_int_equal(client_read(client, 0x30FA01D8), 0);
    assert_int_equal(client_read(client, 0x30000000 + 0x1030), 0x40);
    assert_int_equal(client_read(client, 0x30000000 + 0x310), 0x01000400);
    assert_int_equal(client_read(client, 0x30700000 + 0x1030), 0);
    assert_int_not_equal(client_read(client, 0x30700000 + 0x310), 0x01000400);
    assert_int_equal(client_read(client, 0x30600000 + 0x1018), 0x12345678);
    round_trip(rig, 0, 4096, 0);
    close_rig(rig);
}

static void test_the_driver_resets_one_core_by_its_map(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_sunda);
    rig->client.num_log = 0;
    assert_int_equal(client_reset(&rig->client, 1 << 1), CLIENT_OK);
    assert_true(was_written(&rig->client, 0x30FA01D8, 0x3802));
    assert_true(was_written(&rig->client, 0x30FA01EC, 2));
    assert_false(was_written(&rig->client, 0x30000310, 0x01000400));
    assert_true(was_written(&rig->client, 0x30700310, 0x01000400));
    round_trip(rig, 1, 70000, 0);
    close_rig(rig);
}

/* Slots and doorbells of the first copy of 5 bytes. */
static void test_first_copy_of_five_bytes(void **state)
{
    (void)state;
    static const uint8_t rx[] = {0x05, 0x00, 0x00, 0x01},
                         tx[] = {0x05, 0x00, 0x00, 0x0D, 0x03, 0x00, 0x08, 0x05},
                         marker[] = {0x04, 0x00, 0x00, 0x0D, 0x03, 0x00, 0x08, 0x01};
    struct rig *rig = ready_rig(&client_sunda);
    const struct client_ring *ring = &rig->client.ring[0];
    rig->client.num_log = 0;
    round_trip(rig, 0, 5, 0);
    assert_memory_equal(host_at(&rig->host, ring->rx), rx, sizeof rx);
    assert_memory_equal(host_at(&rig->host, ring->tx), tx, sizeof tx);
    assert_memory_equal(host_at(&rig->host, ring->tx + 16), marker, sizeof marker);
    assert_int_equal(rig->client.log[0].offset, 0x30600000 + 0x21038);
    assert_int_equal(rig->client.log[0].value, 2);
    assert_int_equal(rig->client.log[1].offset, 0x30600000 + 0x1038);
    assert_int_equal(rig->client.log[1].value, 2);
    close_rig(rig);
}

/* High, low, size; and the block holds them. */
static void test_notification_queue_of_core_5(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_cayman);
    struct client *client = &rig->client;
    const uint64_t ring = client_host(client, host_alloc(&rig->host, 0x10000, 0x1000));
    client->num_log = 0;
    client_queue(client, client_notific(&client_cayman, 5), 2, ring, 0x10000);
    assert_int_equal(client->log[0].offset, 0x46181154);
    assert_int_equal(client->log[1].offset, 0x46181150);
    assert_int_equal(client->log[2].offset, 0x46181158);
    assert_int_equal(client->log[2].value, 0x00010000);
    assert_int_equal(client_read(client, 0x46181154), (uint32_t)(ring >> 32));
    assert_int_equal(client_read(client, 0x46181150), (uint32_t)ring);
    assert_int_equal(client_read(client, 0x46181158), 0x10000);
    client_queue(client, client_notific(&client_cayman, 5), 2, 0, 0);
    assert_int_equal(client_read(client, 0x46181158), 0);
    close_rig(rig);
}

/* A record of the core's own (error-handling.md 8: a fake error, its data in the upper half; type
 * 1F, phase 1 in byte 3) reaches a queue in host memory, and none does after the three zeros. */
static void record_reaches_the_host(const struct client_gen *gen, unsigned core, uint64_t registers)
{
    struct rig *rig = ready_rig(gen);
    struct client *client = &rig->client;
    const uint64_t block = client_notific(gen, core), ring = host_alloc(&rig->host, 4096, 4096);
    client_queue(client, block, 2, client_host(client, ring), 4096);
    client_write(client, block + 0x30, 0xFFFFFFFF); /* notific.md 9.1, 9.2: inputs, queue 2 */
    client_write(client, block + 0x34, 0xFFFFFFFF);
    client_write(client, block + 0x14, 1 << 2);
    client_write(client, registers + 0xA0C, 2); /* 7.2: errors go to queue 2 */
    client_write(client, registers + 0xB04, 0xCAFE0123);
    client_write(client, registers + 0xB00, 1);
    assert_int_equal(host_get32(&rig->host, ring), 0x9F000005);
    assert_int_equal(host_get32(&rig->host, ring + 4), 0xCAFE0123);
    assert_int_equal(client_read(client, block + 0x28 * 2 + 0x110), 16); /* its tail */
    client_queue(client, block, 2, 0, 0);
    memset(host_at(&rig->host, ring), 0, 4096);
    client_write(client, registers + 0xB00, 1);
    for (uint64_t at = 0; at < 4096; at += 4)
        assert_int_equal(host_get32(&rig->host, ring + at), 0);
    close_rig(rig);
}

static void test_records_reach_queues_in_host_memory(void **state)
{
    (void)state;
    record_reaches_the_host(&client_sunda, 1, 0x30C30000); /* APB + SENG 1 + 530000 */
    record_reaches_the_host(&client_cayman, 5, 0x46180000);
    record_reaches_the_host(&client_mariana, 0, 0x06000000);
}

static void test_repeated_bring_up_writes_other_values_first(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_cayman);
    assert_true(was_written(&rig->client, 0x82001020, 0x00030000));
    rig->client.num_log = 0;
    client_bring_up_engine(&rig->client, 0, 0);
    assert_int_equal(rig->client.log[0].offset, 0x82001020);
    assert_int_equal(rig->client.log[0].value, 0x03030000);
    close_rig(rig);
}

/* 6.1, below the table: what the mask registers hold after steps 12 to 19. */
static void test_masks_after_bring_up(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_cayman);
    for (unsigned core = 0; core < 8; core++)
        for (unsigned engine = 0; engine < 16; engine++) {
            const uint64_t udma = client_udma(&client_cayman, core, engine);
            assert_int_equal(client_read(&rig->client, udma + 0x3A030), 0xF0020000);
            assert_int_equal(client_read(&rig->client, udma + 0x3A070), 0x000018F8);
        }
    assert_int_equal(client_read(&rig->client, 0x8C000000 + 0x90) >> 11 & 1, 1);
    close_rig(rig);
}

/* ---- a real machine's addresses (sunda-bringup-trace.md, items 1 to 3) ----------- */

static void test_addresses_of_a_real_machine(void **state)
{
    (void)state;
    const uint64_t bar0 = UINT64_C(0xFFFFB65D80000000);
    static const struct {
        uint64_t address;
        unsigned topsp;
    } notific[] = {{UINT64_C(0xFFFFB65DB0E84000), 2}, {UINT64_C(0xFFFFB65DB0F04000), 4}},
      memory[] = {{UINT64_C(0xFFFFB65D90A00000), 2}, {UINT64_C(0xFFFFB65D91600000), 5}},
      registers[] = {{UINT64_C(0xFFFFB65DB0E85000), 2}, {UINT64_C(0xFFFFB65DB0F45000), 5}};
    struct rig *rig = ready_rig(&client_sunda);
    for (size_t i = 0; i < 2; i++) {
        /* a notification block: coalescer control resets to 3c00 (notific.md 10, 1) */
        const uint64_t block = notific[i].address - bar0;
        assert_int_equal(block, client_topsp_notific(&client_sunda, notific[i].topsp));
        assert_int_equal(client_read(&rig->client, block + 0xB8), 0x3C00);
        /* the engine template of a sequencer: data RAM at + 40000 (address-map.md 5.6) */
        const uint64_t ram = memory[i].address - bar0 + 0x40000;
        client_write(&rig->client, ram, 0x600DF00D);
        assert_int_equal(client_read(&rig->client, ram), 0x600DF00D);
        /* its own registers: routing of notifications at + 10 (notific.md 7.2) */
        const uint64_t routing = registers[i].address - bar0 + 0x10;
        client_write(&rig->client, routing, 0x2140);
        assert_int_equal(client_read(&rig->client, routing), 0x2140);
    }
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(rig->pci, &counts);
    assert_int_equal(counts.unmapped + counts.unknown_registers, 0);
    close_rig(rig);
}

/* ---- errors of copies ------------------------------------------------------------ */

/* A state call of the user library: both halves to normal (udma.md 5, 9.2). */
static void recover(struct client *client, uint64_t udma)
{
    client_write(client, udma + 0x204, 1);
    client_write(client, udma + 0x20204, 1);
}

/* A page that the host refuses: no marker comes; after the bring-up copies work again. */
static void refused_page(const struct client_gen *gen)
{
    struct rig *rig = ready_rig(gen);
    struct client *client = &rig->client;
    const uint64_t page = host_alloc(&rig->host, 4096, 4096);
    rig->host.refuse_from = page;
    rig->host.refuse_to = page + 4096;
    assert_int_equal(client_copy(client, 0, client_host(client, page), 0x1000000, 4096),
                     CLIENT_TIMEOUT);
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(rig->pci, &counts);
    assert_true(counts.host_refused > 0);
    rig->host.refuse_to = 0;
    recover(client, client_copy_udma(gen, 0));
    client_bring_up(client, 3);
    round_trip(rig, 0, 4096, 0);
    close_rig(rig);
}

static void test_a_refused_page_is_a_copy_that_times_out(void **state)
{
    (void)state;
    refused_page(&client_sunda);
    refused_page(&client_cayman);
}

/* Descriptors that name nobody: behind a channel of HBM, between blocks, a neighbour's window, host
 * memory past its end. The engine is in abort (udma.md 9.2), a reset of the device ends it. */
static void nobody_there(const struct client_gen *gen, const uint64_t *addresses, size_t count)
{
    struct rig *rig = ready_rig(gen);
    struct client *client = &rig->client;
    const uint64_t udma = client_copy_udma(gen, 0);
    for (size_t i = 0; i < count; i++)
        for (unsigned to = 0; to < 2; to++) {
            const uint64_t source = to ? 0x1000000 : addresses[i];
            const uint64_t destination = to ? addresses[i] : 0x1000000;
            assert_int_equal(client_copy(client, 0, source, destination, 256), CLIENT_TIMEOUT);
            assert_int_not_equal(client_read(client, udma + 0x200) & 0x2222, 0);
            assert_int_not_equal(client_read(client, udma + 0x20200) & 0x2222, 0);
            assert_int_equal(client_reset(client, 0), CLIENT_OK);
            round_trip(rig, 0, 256, 0);
        }
    close_rig(rig);
}

static void test_addresses_of_nobody_abort(void **state)
{
    (void)state;
    static const uint64_t sunda[] = {UINT64_C(0x400000000), UINT64_C(0xFFFE0000000),
                                     UINT64_C(0x100000000000)};
    static const uint64_t cayman[] = {UINT64_C(0x600000000), UINT64_C(0x7FFF000000),
                                      UINT64_C(0x10000000000000), UINT64_C(0x400000000000)};
    nobody_there(&client_sunda, sunda, sizeof sunda / sizeof sunda[0]);
    nobody_there(&client_cayman, cayman, sizeof cayman / sizeof cayman[0]);
}

/* A queue that was quiesced does not answer its doorbell. Inside a reset window the copy is
 * repeated once over a fresh ring (8). */
static void test_a_copy_in_a_reset_window_is_repeated(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_sunda);
    struct client *client = &rig->client;
    client_write(client, 0x30600000 + 0x1020, 0x03000000);
    assert_int_equal(client_copy(client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    client->num_log = 0;
    client->in_reset_window = true;
    assert_int_equal(client_copy(client, 0, 0, 0x2000000, 64), CLIENT_OK);
    assert_true(was_written(client, 0x30600000 + 0x10B0, 0x100)); /* the ring was made anew */
    round_trip(rig, 0, 100000, 0);
    close_rig(rig);
}

/* Bus master off: the engine meets an error at its first descriptor. */
static void test_nothing_is_copied_without_bus_master(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_cayman);
    const uint64_t calls = rig->host.calls;
    trn_pci_config_write(rig->pci, 0x04, 2, 0x0002);
    assert_int_equal(client_copy(&rig->client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    assert_int_equal(rig->host.calls, calls);
    trn_pci_config_write(rig->pci, 0x04, 2, 0x0006);
    recover(&rig->client, 0x6800000);
    client_init_ring(&rig->client, 0);
    round_trip(rig, 0, 64, 0);
    close_rig(rig);
}

static void test_an_injected_axi_error_aborts_until_recovery(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_sunda);
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, 32, 0, false), TRN_OK);
    assert_int_equal(client_copy(&rig->client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    round_trip(rig, 1, 64, 0); /* engine 33 lives */
    recover(&rig->client, 0x30600000);
    client_bring_up(&rig->client, 1);
    round_trip(rig, 0, 64, 0);
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, 34, 0, false), TRN_ERR_RANGE);
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, 33, 16, true), TRN_ERR_RANGE);
    close_rig(rig);
}

/* 5.3: a reset of all cores that a host-copy engine serves ends its abort, one of others does not.
 */
static void recovered_by(const struct client_gen *gen, unsigned engine, uint32_t others,
                         uint32_t served)
{
    struct rig *rig = ready_rig(gen);
    struct client *client = &rig->client;
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, engine, 0, false), TRN_OK);
    assert_int_equal(client_copy(client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    assert_int_equal(client_reset(client, others), CLIENT_OK);
    assert_int_equal(client_copy(client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    assert_int_equal(client_reset(client, served), CLIENT_OK);
    round_trip(rig, 0, 5000, 0);
    close_rig(rig);
}

static void test_a_reset_ends_the_abort_of_a_host_copy_engine(void **state)
{
    (void)state;
    recovered_by(&client_sunda, 32, 2, 1);
    recovered_by(&client_sunda, 32, 2, 0);
    recovered_by(&client_cayman, 128, 1, 3);
    recovered_by(&client_cayman, 128, 0xFC, 0);
}

/* Its queue at fault stands still until it is reset itself: without section 6.2 it does not move,
 * and the ring goes on where it was in the queue of the other core. */
static void test_a_queue_at_fault_outlives_a_device_reset(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_cayman);
    struct client *client = &rig->client;
    round_trip(rig, 1, 64, 0);
    assert_int_equal(trn_pci_inject_axi_error(rig->pci, 128, 0, true), TRN_OK);
    client_write(client, client_cayman.misc + 0x1EC, 1);
    client_write(client, client_cayman.misc + 0x800, 1);
    assert_int_equal(client_copy(client, 0, 0, 0x2000000, 64), CLIENT_TIMEOUT);
    round_trip(rig, 1, 64, 0);
    client_init_ring(client, 0);
    round_trip(rig, 0, 64, 0);
    close_rig(rig);
}

/* 8: a fill copies from device memory that earlier descriptors of the same doorbell wrote. */
static void test_copies_see_what_earlier_descriptors_wrote(void **state)
{
    (void)state;
    struct rig *rig = ready_rig(&client_sunda);
    struct client *client = &rig->client;
    const uint64_t page = host_alloc(&rig->host, 65536, 4096);
    fill_random(host_at(&rig->host, page), 65536, 7);
    assert_int_equal(client_copy(client, 0, client_host(client, page), 0x3000000, 65536),
                     CLIENT_OK);
    /* one batch: each chunk is the source of the next */
    assert_int_equal(client_copy(client, 0, 0x3000000, 0x3010000, 8 * 65536), CLIENT_OK);
    uint8_t seen[65536];
    assert_int_equal(trn_pci_bar_read_block(rig->pci, 4, 0x3000000 + 8 * 65536, seen, sizeof seen),
                     TRN_OK);
    assert_memory_equal(seen, host_at(&rig->host, page), sizeof seen);
    close_rig(rig);
}

/* 6.2: four laps of the ring of 8192 slots, so that every ring id comes, and one more. */
static void test_copies_go_around_the_ring(void **state)
{
    (void)state;
    enum { COPIES = 5 * 8192 / 2, BYTES = 8 };
    const struct client_gen *const gens[] = {&client_sunda, &client_cayman};
    for (size_t g = 0; g < 2; g++) {
        struct rig *rig = ready_rig(gens[g]);
        struct client *client = &rig->client;
        const uint64_t from = host_alloc(&rig->host, COPIES * BYTES, 64);
        static uint8_t seen[COPIES * BYTES];
        fill_random(host_at(&rig->host, from), COPIES * BYTES, 11);
        for (uint64_t at = 0; at < COPIES * BYTES; at += BYTES)
            assert_int_equal(
                client_copy(client, 0, client_host(client, from + at), 0x1000000 + at, BYTES),
                CLIENT_OK);
        assert_int_equal(client->ring[0].phase, 2); /* 1, 2, 3, 0, 1, 2 */
        trn_pci_bar_read_block(rig->pci, 4, 0x1000000, seen, sizeof seen);
        assert_memory_equal(seen, host_at(&rig->host, from), sizeof seen);
        close_rig(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sunda_from_probe_to_removal),
        cmocka_unit_test(test_cayman_from_probe_to_removal),
        cmocka_unit_test(test_mariana_from_probe_to_removal),
        cmocka_unit_test(test_mariana_plus_from_probe_to_removal),
        cmocka_unit_test(test_a_device_that_becomes_ready_late_is_probed),
        cmocka_unit_test(test_a_device_that_never_becomes_ready_is_given_up),
        cmocka_unit_test(test_routing_id_64_is_no_device),
        cmocka_unit_test(test_a_request_that_is_never_acknowledged_times_out),
        cmocka_unit_test(test_a_stuck_status_leaves_the_device_invalid),
        cmocka_unit_test(test_reset_of_one_core_spares_the_other),
        cmocka_unit_test(test_the_driver_resets_one_core_by_its_map),
        cmocka_unit_test(test_first_copy_of_five_bytes),
        cmocka_unit_test(test_notification_queue_of_core_5),
        cmocka_unit_test(test_records_reach_queues_in_host_memory),
        cmocka_unit_test(test_repeated_bring_up_writes_other_values_first),
        cmocka_unit_test(test_masks_after_bring_up),
        cmocka_unit_test(test_addresses_of_a_real_machine),
        cmocka_unit_test(test_a_refused_page_is_a_copy_that_times_out),
        cmocka_unit_test(test_addresses_of_nobody_abort),
        cmocka_unit_test(test_a_copy_in_a_reset_window_is_repeated),
        cmocka_unit_test(test_nothing_is_copied_without_bus_master),
        cmocka_unit_test(test_an_injected_axi_error_aborts_until_recovery),
        cmocka_unit_test(test_a_reset_ends_the_abort_of_a_host_copy_engine),
        cmocka_unit_test(test_a_queue_at_fault_outlives_a_device_reset),
        cmocka_unit_test(test_copies_see_what_earlier_descriptors_wrote),
        cmocka_unit_test(test_copies_go_around_the_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
