/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration space (pci-function.md 1, 2) and what trn_pci_open takes. usage: test_pci_config
 * GOLDEN, the directory of the golden files. */
#include <stdio.h>
#include <string.h>

#include "host.h"

static const char *golden;
static struct host host;

enum { HOST_BYTES = 1 << 20 };

static struct trn_pci *open_with(struct trn_pci_options options)
{
    return open_function(&options, &host);
}

static uint32_t get(struct trn_pci *pci, unsigned offset, unsigned size)
{
    uint32_t value = 0;
    assert_int_equal(trn_pci_config_read(pci, offset, size, &value), TRN_OK);
    return value;
}

static void put(struct trn_pci *pci, unsigned offset, unsigned size, uint32_t value)
{
    assert_int_equal(trn_pci_config_write(pci, offset, size, value), TRN_OK);
}

/* ---- as lspci shows it ----------------------------------------------------------------------- */

/* Size by PCI's own way: all ones, read back, old value again. */
static uint64_t size_of(struct trn_pci *pci, unsigned bar)
{
    const unsigned at = 0x10 + 4 * bar;
    const uint32_t low = get(pci, at, 4), high = get(pci, at + 4, 4);
    put(pci, at, 4, 0xFFFFFFFF);
    put(pci, at + 4, 4, 0xFFFFFFFF);
    const uint64_t mask = (uint64_t)get(pci, at + 4, 4) << 32 | (get(pci, at, 4) & ~15u);
    put(pci, at, 4, low);
    put(pci, at + 4, 4, high);
    return mask == 0 ? 0 : ~mask + 1;
}

static size_t show(struct trn_pci *pci, char *out, size_t room)
{
    size_t n = (size_t)snprintf(out, room, "00:04.0 %04x: %04x:%04x\n\tSubsystem: %04x:%04x\n",
                                get(pci, 0x0A, 2), get(pci, 0x00, 2), get(pci, 0x02, 2),
                                get(pci, 0x2C, 2), get(pci, 0x2E, 2));
    for (unsigned bar = 0; bar < 6; bar += 2) {
        const uint64_t size = size_of(pci, bar);
        const uint32_t word = get(pci, 0x10 + 4 * bar, 4);
        if (size)
            n += (size_t)snprintf(out + n, room - n, "\tRegion %u: Memory (%s, %s) [size=%uG]\n",
                                  bar, (word & 6) == 4 ? "64-bit" : "32-bit",
                                  word & 8 ? "prefetchable" : "non-prefetchable",
                                  (unsigned)(size >> 30));
    }
    for (unsigned at = 0; at < 64; at++) {
        if (at % 16 == 0)
            n += (size_t)snprintf(out + n, room - n, "%02x:", at);
        n += (size_t)snprintf(out + n, room - n, " %02x%s", get(pci, at, 1),
                              at % 16 == 15 ? "\n" : "");
    }
    return n;
}

static void compare(const char *generation, const char *model)
{
    struct trn_pci_options options = TRN_PCI_OPTIONS(generation);
    char seen[2048], wanted[2048] = "", path[512];
    options.model = model;
    struct trn_pci *pci = open_with(options);
    show(pci, seen, sizeof seen);
    snprintf(path, sizeof path, "%s/%s.lspci", golden, model);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    wanted[fread(wanted, 1, sizeof wanted - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(seen, wanted);
    trn_pci_close(pci);
}

static void test_every_model_looks_like_its_golden_file(void **state)
{
    (void)state;
    compare("sunda", "trn1");
    compare("sunda", "inf2");
    compare("cayman", "trn2");
    compare("mariana", "trn3");
    compare("mariana_plus", "trn3plus");
}

/* ---- registers ---------------------------------------------------------------------------------
 */

static void test_command_takes_what_a_driver_sets(void **state)
{
    (void)state;
    struct trn_pci *pci = open_generation("sunda", &host);
    assert_int_equal(get(pci, 0x04, 2), 0);
    put(pci, 0x04, 2, 0xFFFF);
    assert_int_equal(get(pci, 0x04, 2), 0x0546); /* no I/O space, nothing of ancient PCI */
    put(pci, 0x04, 2, 0x0006);
    assert_int_equal(get(pci, 0x04, 2), 0x0006);
    put(pci, 0x00, 4, 0); /* ids are constant */
    assert_int_equal(get(pci, 0x00, 4), 0x71641D0F);
    put(pci, 0x3C, 1, 0x0B);
    assert_int_equal(get(pci, 0x3C, 4), 0x0000000B);
    trn_pci_close(pci);
}

static void test_bar_keeps_its_address_bits(void **state)
{
    (void)state;
    struct trn_pci *pci = open_generation("cayman", &host);
    put(pci, 0x20, 4, 0x12345678);
    put(pci, 0x24, 4, 0x00000ABC);
    assert_int_equal(get(pci, 0x20, 4), 0x0000000C); /* 256 GiB: the low 38 bits are 0 */
    assert_int_equal(get(pci, 0x24, 4), 0x00000A80);
    put(pci, 0x10, 4, 0xFFFFFFFF);
    assert_int_equal(get(pci, 0x10, 4), 0x00000004);
    assert_int_equal(trn_pci_bar(pci, 0).size, UINT64_C(1) << 32);
    assert_int_equal(trn_pci_bar(pci, 1).size, 0);
    assert_int_equal(trn_pci_bar(pci, 4).size, UINT64_C(1) << 38);
    assert_true(trn_pci_bar(pci, 4).prefetchable);
    assert_int_equal(trn_pci_bar(pci, 6).kind, TRN_PCI_BAR_NONE);
    trn_pci_close(pci);
}

static void test_accesses_that_are_none(void **state)
{
    (void)state;
    static const struct {
        unsigned offset, size;
    } bad[] = {{0, 0}, {0, 3}, {0, 8}, {1, 2}, {2, 4}, {0x1000, 1}, {0xFFFFFFFC, 4}};
    struct trn_pci *pci = open_generation("sunda", &host);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t value = 0;
        assert_int_equal(trn_pci_config_read(pci, bad[i].offset, bad[i].size, &value),
                         TRN_ERR_INVALID);
        assert_int_equal(value, UINT32_MAX);
        assert_int_equal(trn_pci_config_write(pci, bad[i].offset, bad[i].size, 0), TRN_ERR_INVALID);
        assert_non_null(strstr(trn_pci_diag(pci)->expected, "aligned"));
    }
    assert_int_equal(get(pci, 0x100, 4), UINT32_MAX); /* no extended space */
    put(pci, 0x100, 4, 0);
    trn_pci_close(pci);
}

/* ---- modes
 * ---------------------------------------------------------------------------------------- */

static void test_qemu_mode_has_its_control_bar_at_2(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
    options.revision = TRN_PCI_QEMU;
    options.bar4_bytes = UINT64_C(1) << 30;
    struct trn_pci *pci = open_with(options);
    uint64_t value = 0;
    assert_int_equal(get(pci, 0x08, 1), 0xFF);
    assert_int_equal(trn_pci_bar(pci, 0).kind, TRN_PCI_BAR_NONE);
    assert_int_equal(trn_pci_bar(pci, 2).kind, TRN_PCI_BAR_CONTROL);
    assert_int_equal(trn_pci_bar(pci, 4).size, UINT64_C(1) << 30);
    put(pci, 0x04, 2, 6);
    assert_int_equal(trn_pci_bar_read(pci, 2, 0x6C84000, 4, &value), TRN_OK);
    assert_int_equal(value, 3);
    assert_int_equal(trn_pci_bar_read(pci, 0, 0x6C84000, 4, &value), TRN_ERR_RANGE);
    /* 1.1: a channel is a quarter of BAR4; channel 3 begins at 3/4 of it */
    assert_int_equal(trn_pci_bar_write(pci, 4, UINT64_C(0x30000000), 8, 0x1122334455667788),
                     TRN_OK);
    assert_int_equal(trn_pci_bar_read(pci, 4, UINT64_C(0x30000004), 4, &value), TRN_OK);
    assert_int_equal(value, 0x11223344);
    trn_pci_close(pci);
}

/* 1.1: a driver tells the emulator by its revision alone; every other one is silicon. */
static void test_other_revisions_change_nothing_else(void **state)
{
    (void)state;
    static const uint32_t revisions[] = {TRN_PCI_EMULATOR, 0x01, 0xFE};
    for (size_t i = 0; i < 3; i++) {
        struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
        options.revision = revisions[i];
        struct trn_pci *pci = open_with(options);
        assert_int_equal(get(pci, 0x08, 4), 0x08800000 | revisions[i]);
        assert_int_equal(trn_pci_bar(pci, 0).kind, TRN_PCI_BAR_CONTROL);
        assert_int_equal(trn_pci_bar(pci, 2).kind, TRN_PCI_BAR_NONE);
        trn_pci_close(pci);
    }
}

/* The vector table takes the BAR that the mode leaves free. */
static void test_qemu_mode_has_its_vectors_at_0(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
    options.revision = TRN_PCI_QEMU;
    options.msix_vectors = 3;
    struct trn_pci *pci = open_with(options);
    assert_int_equal(trn_pci_bar(pci, 0).kind, TRN_PCI_BAR_MSIX);
    assert_int_equal(trn_pci_bar(pci, 2).kind, TRN_PCI_BAR_CONTROL);
    assert_int_equal(get(pci, 0x42, 2), 2);
    assert_int_equal(get(pci, 0x44, 4), 0);
    assert_int_equal(get(pci, 0x48, 4), 0x800);
    trn_pci_close(pci);
}

/* 5.4: one register is the whole reset on later generations, the first half of it on SUNDA. */
static void test_qemu_mode_reset_registers(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS("cayman");
    uint64_t value = 1;
    options.revision = TRN_PCI_QEMU;
    struct trn_pci *pci = open_with(options);
    put(pci, 0x04, 2, 6);
    trn_pci_bar_write(pci, 2, 0x82001030, 4, 0x40);
    trn_pci_bar_write(pci, 2, 0x06300010, 4, 0x00000101);
    assert_int_equal(trn_pci_bar_read(pci, 2, 0x06300010, 4, &value), TRN_OK);
    assert_int_equal(value, 0);
    trn_pci_bar_read(pci, 2, 0x82001030, 4, &value);
    assert_int_equal(value, 0);
    trn_pci_bar_write(pci, 2, 0xB4001030, 4, 0x40); /* of core 6, by a map of 0: everything */
    trn_pci_bar_write(pci, 2, 0x06300010, 4, 0);
    trn_pci_bar_read(pci, 2, 0xB4001030, 4, &value);
    assert_int_equal(value, 0);
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(pci, &counts);
    assert_int_equal(counts.core_resets, 1);
    assert_int_equal(counts.device_resets, 1);
    trn_pci_close(pci);

    options.generation = "sunda";
    pci = open_with(options);
    put(pci, 0x04, 2, 6);
    trn_pci_bar_write(pci, 2, 0x30647010, 4, 1);
    trn_pci_bar_read(pci, 2, 0x30647010, 4, &value);
    assert_int_equal(value, 1);
    trn_pci_bar_write(pci, 2, 0x30FA01EC, 4, 1);
    trn_pci_bar_write(pci, 2, 0x30FA0800, 4, 1);
    trn_pci_bar_read(pci, 2, 0x30647010, 4, &value);
    assert_int_equal(value, 0);
    trn_pci_close(pci);
}

/* ---- MSI-X
 * ----------------------------------------------------------------------------------------- */

static void test_no_capability_unless_asked_for(void **state)
{
    (void)state;
    struct trn_pci *pci = open_generation("cayman", &host);
    assert_int_equal(get(pci, 0x06, 2), 0);
    assert_int_equal(get(pci, 0x34, 1), 0);
    assert_int_equal(get(pci, 0x3D, 1), 0);
    assert_int_equal(trn_pci_bar(pci, 2).size, 0);
    trn_pci_close(pci);
}

/* An unmasked cause of core 1 fires vector 1; a masked one waits for its mask. */
static void test_msix_vector_of_a_core(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
    const uint64_t unit =
        0x30000000 + 0x700000 + 0x530000 + 0x2000; /* notific.md 6.3: TPB + 2000 */
    uint64_t value = 0;
    options.msix_vectors = 8;
    struct trn_pci *pci = open_with(options);
    host.interrupts = 0;
    assert_int_equal(get(pci, 0x06, 2), 0x0010);
    assert_int_equal(get(pci, get(pci, 0x34, 1), 2), 0x0011);
    assert_int_equal(get(pci, 0x42, 2), 7);
    assert_int_equal(get(pci, 0x44, 4), 2);
    assert_int_equal(get(pci, 0x48, 4), 0x802);
    assert_int_equal(trn_pci_bar(pci, 2).kind, TRN_PCI_BAR_MSIX);
    put(pci, 0x04, 2, 6);
    put(pci, 0x42, 2, 0x8000);
    trn_pci_bar_write(pci, 2, 0x10, 8, UINT64_C(0x00000001FEE00000));
    trn_pci_bar_write(pci, 2, 0x18, 4, 0x4321);
    trn_pci_bar_write(pci, 0, unit + 0x08, 4, 1 << 3); /* cause 3 of group 0, masked at reset */
    assert_int_equal(host.interrupts, 0);
    trn_pci_bar_write(pci, 0, unit + 0x18, 4, ~(1u << 3)); /* now it is not */
    trn_pci_bar_write(pci, 0, unit + 0x08, 4, 1 << 3);
    assert_int_equal(host.interrupts, 0); /* the vector itself is masked: it waits */
    trn_pci_bar_read(pci, 2, 0x800, 4, &value);
    assert_int_equal(value, 1 << 1);
    trn_pci_bar_write(pci, 2, 0x1C, 4, 0);
    assert_int_equal(host.interrupts, 1);
    assert_int_equal(host.last_vector, 1);
    assert_int_equal(host.last_address, UINT64_C(0x1FEE00000));
    assert_int_equal(host.last_data, 0x4321);
    trn_pci_bar_read(pci, 2, 0x800, 4, &value);
    assert_int_equal(value, 0);
    trn_pci_close(pci);
}

/* Raises the cause again from inside, as often as it is told to. */
struct raiser {
    struct trn_pci *pci;
    uint64_t cause; /* register that sets it */
    unsigned again, calls, inside, deepest;
};

static void raise_again(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    struct raiser *raiser = context;
    (void)vector, (void)address, (void)data;
    raiser->calls++;
    if (++raiser->inside > raiser->deepest)
        raiser->deepest = raiser->inside;
    if (raiser->again-- > 0)
        trn_pci_bar_write(raiser->pci, 0, raiser->cause, 4, 1 << 3);
    raiser->inside--;
}

static trn_status no_read(void *context, uint64_t address, void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return TRN_ERR_ADDRESS;
}

static trn_status no_write(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return TRN_ERR_ADDRESS;
}

static void test_interrupts_do_not_nest(void **state)
{
    (void)state;
    enum { TIMES = 100000 }; /* nested calls would not fit on the stack */
    const uint64_t unit = 0x30000000 + 0x530000 + 0x2000; /* notific.md 6.3, core 0 */
    struct raiser raiser = {.cause = unit + 0x08, .again = TIMES};
    const struct trn_pci_host calls = {&raiser, no_read, no_write, raise_again};
    struct trn_pci_options options = TRN_PCI_OPTIONS("sunda");
    options.msix_vectors = 8;
    assert_int_equal(trn_pci_open(&options, &calls, &raiser.pci, NULL), TRN_OK);
    put(raiser.pci, 0x04, 2, 6);
    put(raiser.pci, 0x42, 2, 0x8000);
    trn_pci_bar_write(raiser.pci, 2, 0x0C, 4, 0);
    trn_pci_bar_write(raiser.pci, 0, unit + 0x18, 4, ~(1u << 3));
    trn_pci_bar_write(raiser.pci, 0, raiser.cause, 4, 1 << 3);
    assert_int_equal(raiser.calls, TIMES + 1);
    assert_int_equal(raiser.deepest, 1);
    trn_pci_close(raiser.pci);
}

/* ---- open
 * ------------------------------------------------------------------------------------------ */

static void refused(struct trn_pci_options options, trn_status wanted, const char *says)
{
    const struct trn_pci_host calls = host_calls(&host);
    struct trn_pci *pci = NULL;
    struct trn_diag diag = {.status = TRN_OK};
    assert_int_equal(trn_pci_open(&options, &calls, &pci, &diag), wanted);
    assert_null(pci);
    assert_int_equal(diag.status, wanted);
    if (!strstr(diag.message, says) && !strstr(diag.expected, says))
        fail_msg("'%s' does not say '%s'", diag.message, says);
}

static void test_open_says_what_it_does_not_take(void **state)
{
    (void)state;
    const struct trn_pci_options good = TRN_PCI_OPTIONS("sunda");
    struct trn_pci_options bad = good;
    bad.generation = "neptune";
    refused(bad, TRN_ERR_NOT_FOUND, "neptune");
    bad.generation = "maverick";
    refused(bad, TRN_ERR_UNSUPPORTED, "maverick");
    bad = good;
    bad.model = "trn2";
    refused(bad, TRN_ERR_NOT_FOUND, "sunda has no model 'trn2'");
    refused(bad, TRN_ERR_NOT_FOUND, "trn1, inf2");
    bad = good;
    bad.revision = 256;
    refused(bad, TRN_ERR_INVALID, "revision cannot be 256");
    bad = good;
    bad.routing_id = 64;
    refused(bad, TRN_ERR_INVALID, "routing_id cannot be 64");
    bad = good;
    bad.serial = UINT64_C(0xDEADBEEF00000001);
    refused(bad, TRN_ERR_INVALID, "serial");
    bad = good;
    bad.msix_vectors = 9;
    refused(bad, TRN_ERR_INVALID, "msix_vectors cannot be 9");
    bad = good;
    bad.bar4_bytes = 3 << 20;
    refused(bad, TRN_ERR_INVALID, "bar4_bytes");
    bad = good;
    bad.hbm_bytes = UINT64_C(0x400000001);
    refused(bad, TRN_ERR_INVALID, "hbm_bytes");
    bad.hbm_bytes = UINT64_MAX;
    refused(bad, TRN_ERR_INVALID, "hbm_bytes");
    bad = good;
    bad.threads = 257;
    refused(bad, TRN_ERR_INVALID, "threads cannot be 257");
    bad = good;
    bad.size = 0;
    refused(bad, TRN_ERR_INVALID, "size");
    struct trn_pci *pci = NULL;
    const struct trn_pci_host none = {.context = NULL};
    assert_int_equal(trn_pci_open(&good, &none, &pci, NULL), TRN_ERR_INVALID);
    assert_int_equal(trn_pci_open(NULL, &none, &pci, NULL), TRN_ERR_INVALID);
    assert_int_equal(trn_pci_close(NULL), TRN_OK);
}

static int set_up(void **state)
{
    (void)state;
    host_open(&host, HOST_BYTES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_looks_like_its_golden_file),
        cmocka_unit_test(test_command_takes_what_a_driver_sets),
        cmocka_unit_test(test_bar_keeps_its_address_bits),
        cmocka_unit_test(test_accesses_that_are_none),
        cmocka_unit_test(test_qemu_mode_has_its_control_bar_at_2),
        cmocka_unit_test(test_other_revisions_change_nothing_else),
        cmocka_unit_test(test_qemu_mode_has_its_vectors_at_0),
        cmocka_unit_test(test_qemu_mode_reset_registers),
        cmocka_unit_test(test_no_capability_unless_asked_for),
        cmocka_unit_test(test_msix_vector_of_a_core),
        cmocka_unit_test(test_interrupts_do_not_nest),
        cmocka_unit_test(test_open_says_what_it_does_not_take),
    };
    assert_int_equal(argc, 2);
    golden = argv[1];
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
