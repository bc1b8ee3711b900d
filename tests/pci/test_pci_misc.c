/* SPDX-License-Identifier: Apache-2.0 */
/* MISC RAM and the firmware behind it (pci-function.md 4), with the sheet's check vectors. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"

enum { HOST_BYTES = 4 << 20 };

struct rig {
    struct host host;
    struct trn_pci *pci;
    struct client client;
};

static struct rig rig;

static struct client *open_rig(const struct client_gen *gen, struct trn_pci_options options)
{
    host_open(&rig.host, HOST_BYTES);
    options.generation = gen->name;
    rig.pci = open_function(&options, &rig.host);
    client_open(&rig.client, gen, rig.pci, &rig.host);
    assert_int_equal(client_probe(&rig.client), CLIENT_OK);
    return &rig.client;
}

static struct client *open_plain(const struct client_gen *gen)
{
    const struct trn_pci_options options = TRN_PCI_OPTIONS(NULL);
    return open_rig(gen, options);
}

static void close_rig(void)
{
    trn_pci_close(rig.pci);
    host_close(&rig.host);
}

/* ---- words -------------------------------------------------------------------------------------
 */

static void test_words_that_a_driver_reads(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS(NULL);
    options.routing_id = 17;
    options.serial = UINT64_C(0x0123456789ABCDEF);
    struct client *client = open_rig(&client_cayman, options);
    const uint64_t misc = client->gen->misc;
    assert_int_equal(client->routing_id, 17);
    assert_int_equal(client_read(client, misc + 0x000), 3);
    assert_int_equal(client_read(client, misc + 0x038), 0x89ABCDEF);
    assert_int_equal(client_read(client, misc + 0x03C), 0x01234567);
    assert_int_equal(client_read(client, misc + 0x064), 0);
    assert_int_equal(client_read(client, misc + 0x808), 0);
    client_write(client, misc + 0x024, 5); /* firmware's own */
    assert_int_equal(client_read(client, misc + 0x024), 17);
    for (uint64_t at = 0x0C0; at < 0x0F0; at += 4) { /* storage */
        client_write(client, misc + at, (uint32_t)(at * 3));
        assert_int_equal(client_read(client, misc + at), at * 3);
    }
    close_rig();
}

static void test_serials_differ_where_none_is_given(void **state)
{
    (void)state;
    uint32_t serial[2][2];
    for (uint32_t id = 0; id < 2; id++) {
        struct trn_pci_options options = TRN_PCI_OPTIONS(NULL);
        options.routing_id = id;
        struct client *client = open_rig(&client_sunda, options);
        serial[id][0] = client_read(client, client->gen->misc + 0x038);
        serial[id][1] = client_read(client, client->gen->misc + 0x03C);
        assert_true(serial[id][0] != 0 && serial[id][1] != 0);
        close_rig();
    }
    assert_true(memcmp(serial[0], serial[1], sizeof serial[0]) != 0);
}

/* A sample whose number did not change is ignored: the number moves. */
static void test_power_samples_move(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_cayman);
    const uint64_t misc = client->gen->misc;
    assert_int_equal(trn_pci_inject_power(rig.pci, 1, 4200), TRN_OK);
    const uint32_t first = client_read(client, misc + 0x058);
    const uint32_t second = client_read(client, misc + 0x058);
    assert_int_equal(first & 0xFFFF, 4200);
    assert_int_equal(second & 0xFFFF, 4200);
    assert_int_not_equal(first >> 16, second >> 16);
    assert_int_equal(client_read(client, misc + 0x054) & 0xFFFF, 0);
    assert_int_equal(trn_pci_inject_power(rig.pci, 2, 0), TRN_ERR_RANGE);
    assert_int_equal(trn_pci_inject_power(rig.pci, 0, 65536), TRN_ERR_RANGE);
    close_rig();
}

static void test_ecc_counters_add_and_stop(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    const uint64_t misc = client->gen->misc;
    assert_int_equal(trn_pci_inject_ecc(rig.pci, 0, 2, 1), TRN_OK);
    assert_int_equal(trn_pci_inject_ecc(rig.pci, 0, 3, 0), TRN_OK);
    assert_int_equal(client_read(client, misc + 0x040), 0x00050001);
    assert_int_equal(trn_pci_inject_ecc(rig.pci, 2, 70000, 65535), TRN_OK);
    assert_int_equal(client_read(client, misc + 0x048), 0xFFFFFFFF);
    assert_int_equal(client_read(client, misc + 0x044), 0);
    assert_int_equal(trn_pci_inject_ecc(rig.pci, 3, 1, 1), TRN_ERR_RANGE); /* two channels */
    assert_int_equal(trn_pci_inject_repair(rig.pci, 2), TRN_OK);
    assert_int_equal(client_read(client, misc + 0x064), 2);
    assert_int_equal(trn_pci_inject_repair(rig.pci, 3), TRN_ERR_RANGE);
    /* a reset keeps them (5.3) */
    assert_int_equal(client_reset(client, 0), CLIENT_OK);
    assert_int_equal(client_read(client, misc + 0x040), 0x00050001);
    close_rig();
}

static void test_seventeen_registers_cannot_be_stuck(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    for (uint64_t i = 0; i < 16; i++)
        assert_int_equal(trn_pci_stick(rig.pci, 0x30001000 + 4 * i, 0xFF, 0x55, 0), TRN_OK);
    assert_int_equal(trn_pci_stick(rig.pci, 0x30002000, 1, 1, 0), TRN_ERR_TOO_LARGE);
    assert_int_equal(trn_pci_stick(rig.pci, 0x30002002, 1, 1, 0), TRN_ERR_INVALID);
    assert_int_equal(trn_pci_stick(rig.pci, 0x40000000, 1, 1, 0), TRN_ERR_RANGE);
    assert_int_equal(client_read(client, 0x30001004) & 0xFF, 0x55);
    assert_int_equal(trn_pci_stick(rig.pci, 0x30001000, 0, 0, 0), TRN_OK);
    assert_int_equal(trn_pci_stick(rig.pci, 0x30002000, 1, 1, 0), TRN_OK);
    close_rig();
}

/* ---- the mailbox
 * ---------------------------------------------------------------------------------- */

/* The three requests of 4.1, byte for byte; the device takes them and answers. */
static void test_mailbox_check_vectors(void **state)
{
    (void)state;
    static const uint8_t read_v2[] = {0x02, 0x01, 0x10, 0x00, 0x79, 0x58, 0x87, 0xd3,
                                      0x00, 0x00, 0xfa, 0xf0, 0xff, 0x0f, 0x00, 0x00};
    static const uint8_t read_v3[] = {0x02, 0x01, 0x10, 0x00, 0x3c, 0xa8, 0x58, 0x5c,
                                      0x00, 0x40, 0xc8, 0x06, 0x80, 0x00, 0x00, 0x00};
    static const uint8_t post[] = {0x03, 0x02, 0x0c, 0x00, 0xc4, 0x09,
                                   0x1d, 0x57, 0x01, 0x02, 0x03, 0x04};
    static const uint8_t answer[] = {0x02, 0x00, 0x08, 0x00, 0x03, 0x00, 0x00, 0x00};
    static const uint8_t posted[] = {0x03, 0x00, 0x04, 0x00};
    const struct client_gen *gens[] = {&client_sunda, &client_cayman};
    for (size_t g = 0; g < 2; g++) {
        struct client *client = open_plain(gens[g]);
        const uint64_t address =
            client->gen->cores == 2 ? UINT64_C(0xFFFF0FA0000) : UINT64_C(0x8006C84000);
        uint8_t value[4];
        int error;
        assert_true(client_mailbox(client, 1, &address, sizeof address, value, 4, &error));
        assert_memory_equal(host_at(&rig.host, client->mailbox), g ? read_v3 : read_v2, 16);
        assert_memory_equal(host_at(&rig.host, client->mailbox + 0x10000), answer, sizeof answer);
        assert_true(client_mailbox(client, 2, post + 8, 4, value, 0, &error));
        assert_memory_equal(host_at(&rig.host, client->mailbox), post, sizeof post);
        assert_memory_equal(host_at(&rig.host, client->mailbox + 0x10000), posted, sizeof posted);
        close_rig();
    }
}

static void test_hundred_registers_and_no_more(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_cayman);
    uint64_t address[101];
    uint32_t value[101] = {0};
    int error;
    for (size_t i = 0; i < 101; i++) {
        address[i] = UINT64_C(0x8006C840C0) + 4 * (i % 12);
        client_write(client, 0x6C840C0 + 4 * (i % 12), (uint32_t)(i % 12 + 1000));
    }
    assert_true(client_mailbox(client, 1, address, 800, value, 400, &error));
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(value[i], i % 12 + 1000);
    assert_false(client_mailbox(client, 1, address, 808, value, 404, &error));
    assert_int_equal(error, 1);
    address[0] = UINT64_C(0x80D0000000); /* behind what later generations can read so */
    assert_false(client_mailbox(client, 1, address, 8, value, 4, &error));
    assert_int_equal(error, 1);
    close_rig();
}

static void test_unknown_command_ends_at_once(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    uint8_t data[4] = {0};
    int error;
    client->sequence = 254;
    assert_false(client_mailbox(client, 9, data, 4, data, 4, &error));
    assert_int_equal(error, 2);
    assert_int_equal(client->sequence, 255); /* one attempt */
    assert_false(client_mailbox(client, 9, data, 4, data, 4, &error));
    assert_int_equal(client->sequence, 1); /* 0 is skipped */
    close_rig();
}

/* Requests that a device must survive: bad CRC, bad sizes, buffers that are nowhere. */
static void test_bad_requests(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    const uint64_t misc = client->gen->misc;
    uint8_t *request = host_at(&rig.host, client->mailbox);
    uint8_t *response = host_at(&rig.host, client->mailbox + 0x10000);
    const uint64_t address = UINT64_C(0xFFFF0FA0000);
    uint8_t value[4];
    int error;
    assert_true(client_mailbox(client, 1, &address, 8, value, 4, &error));
    request[9] ^= 1; /* CRC */
    response[0] = 0;
    client_write(client, misc + 0x800, 1);
    assert_int_equal(response[0], request[0]);
    assert_int_equal(response[1], 1);
    request[2] = 7; /* size below the header's */
    response[0] = 0;
    client_write(client, misc + 0x800, 1);
    assert_int_equal(response[0], request[0]);
    assert_int_equal(response[1], 1);
    client_write(client, misc + 0x1F0, 0); /* no address of the host */
    response[0] = 0;
    client_write(client, misc + 0x800, 1);
    assert_int_equal(response[0], 0);
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(rig.pci, &counts);
    assert_int_equal(counts.mailbox_requests, 4);
    assert_int_equal(counts.mailbox_errors, 3);
    close_rig();
}

/* 4.1: one request at a time; a host that asks again while firmware reads is not served. */
static void ask_again(struct host *host, bool write, uint64_t address, size_t size)
{
    struct client *client = host->hook_context;
    (void)write, (void)address, (void)size;
    host->hook = NULL;
    client_write(client, client->gen->misc + 0x800, 1);
}

static void test_a_request_within_a_request_is_not_served(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    const uint64_t address = UINT64_C(0xFFFF0FA0000);
    struct trn_pci_counts counts = {.size = sizeof counts};
    uint32_t value = 0;
    int error;
    rig.host.hook_context = client;
    rig.host.hook = ask_again;
    assert_true(client_mailbox(client, 1, &address, 8, &value, 4, &error));
    assert_int_equal(value, 3);
    trn_pci_counts(rig.pci, &counts);
    assert_int_equal(counts.mailbox_requests, 2);
    assert_int_equal(counts.mailbox_errors, 1);
    assert_true(client_mailbox(client, 1, &address, 8, &value, 4, &error)); /* later ones are */
    close_rig();
}

static void test_time_out_of_a_device_that_does_not_answer(void **state)
{
    (void)state;
    struct client *client = open_plain(&client_sunda);
    uint8_t data[4] = {0};
    int error;
    rig.host.refuse_from = client->mailbox;
    rig.host.refuse_to = client->mailbox + 0x20000;
    assert_false(client_mailbox(client, 2, data, 4, data, 0, &error));
    assert_int_equal(error, -1);
    assert_int_equal(client->ms, 15 * 1000);
    close_rig();
}

/* ---- memory ---------------------------------------------------------------------- */

/* Bytes of this process that are in memory (proc(5), statm). */
static uint64_t resident(void)
{
    unsigned long long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%*u %llu", &pages), 1);
    fclose(statm);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* pci.h: below 300 MiB, and a probe of configuration space and MISC RAM is no use of memory. */
static void test_an_unused_function_takes_little_memory(void **state)
{
    (void)state;
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    const uint64_t most = UINT64_C(300) << 20;
    struct host host;
    host_open(&host, 1 << 16);
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++) {
        uint64_t value = 0;
        const uint64_t before = resident();
        struct trn_pci *pci = open_generation(generations[i], &host);
        assert_in_range(resident(), 1, before + most);
        trn_pci_config_write(pci, 0x04, 2, 6);
        assert_int_equal(trn_pci_bar_read(pci, 0, i ? 0x6C84024 : 0x30FA0024, 4, &value), TRN_OK);
        assert_in_range(resident(), 1, before + most);
        trn_pci_close(pci);
    }
    host_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_that_a_driver_reads),
        cmocka_unit_test(test_serials_differ_where_none_is_given),
        cmocka_unit_test(test_power_samples_move),
        cmocka_unit_test(test_ecc_counters_add_and_stop),
        cmocka_unit_test(test_seventeen_registers_cannot_be_stuck),
        cmocka_unit_test(test_mailbox_check_vectors),
        cmocka_unit_test(test_hundred_registers_and_no_more),
        cmocka_unit_test(test_unknown_command_ends_at_once),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_a_request_within_a_request_is_not_served),
        cmocka_unit_test(test_time_out_of_a_device_that_does_not_answer),
        cmocka_unit_test(test_an_unused_function_takes_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
