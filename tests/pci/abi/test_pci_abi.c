/* SPDX-License-Identifier: Apache-2.0 */
/* A program of version 1 over the library of today: it sees no header of this version, and asks for
 * every symbol as TRENCH_PCI_1. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "trench_pci_1.h"

static const char *library;

static int no_read(void *context, uint64_t address, void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return -14;
}

static int no_write(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return -14;
}

static const struct trn_pci_host host = {.read = no_read, .write = no_write};

static void test_every_symbol_has_its_version(void **state)
{
    (void)state;
    static const char *const names[] = {"advance",
                                        "bar",
                                        "bar_read",
                                        "bar_read_block",
                                        "bar_write",
                                        "bar_write_block",
                                        "close",
                                        "config_read",
                                        "config_write",
                                        "counts",
                                        "device",
                                        "diag",
                                        "inject_axi_error",
                                        "inject_ecc",
                                        "inject_power",
                                        "inject_repair",
                                        "open",
                                        "peek32",
                                        "pending",
                                        "power_on",
                                        "stick"};
    void *handle = dlopen(library, RTLD_NOW);
    assert_non_null(handle);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64] = "trn_pci_";
        strncat(name, names[i], sizeof name - strlen(name) - 1);
        if (!dlvsym(handle, name, "TRENCH_PCI_1"))
            fail_msg("%s has no version TRENCH_PCI_1", name);
    }
    assert_null(dlvsym(handle, "trn_pci_open", "TRENCH_0.1"));
    assert_null(dlsym(handle, "trn_pci_mailbox")); /* the inside stays inside */
    dlclose(handle);
}

static void test_a_program_of_version_1_works(void **state)
{
    (void)state;
    const struct trn_pci_options options = {.size = sizeof options, .generation = "sunda"};
    struct trn_pci_counts counts = {.size = sizeof counts};
    struct trn_pci *pci = NULL;
    struct trn_diag diag;
    uint64_t value = 0;
    uint32_t ids = 0;
    int progress = 1;
    assert_int_equal(trn_pci_open(&options, &host, &pci, &diag), 0);
    assert_int_equal(trn_pci_config_read(pci, 0, 4, &ids), 0);
    assert_int_equal(ids, 0x71641D0F);
    assert_int_equal(trn_pci_config_write(pci, 4, 2, 6), 0);
    assert_int_equal(trn_pci_bar(pci, 0).kind, 1);
    assert_int_equal(trn_pci_bar(pci, 4).kind, 2);
    assert_true(trn_pci_bar(pci, 4).prefetchable);
    assert_int_equal(trn_pci_bar_read(pci, 0, 0x30FA0000, 4, &value), 0);
    assert_int_equal(value, 3);
    assert_int_equal(trn_pci_bar_read(pci, 0, 0x3F000000, 4, &value), -14);
    assert_int_equal(trn_pci_diag(pci)->status, -14);
    assert_int_equal(trn_pci_bar_read(pci, 0, 0x40000000, 4, &value), -34);
    assert_int_equal(trn_pci_bar_read(pci, 0, 0x30FA0000, 2, &value), -22);
    assert_int_equal(trn_pci_advance(pci, 1, &progress), 0);
    assert_int_equal(progress, 0);
    trn_pci_counts(pci, &counts);
    assert_int_equal(counts.bar_reads, 4);
    assert_int_equal(counts.unmapped, 1);
    assert_int_equal(counts.refused, 2);
    assert_int_equal(trn_pci_close(pci), 0);
}

/* Structs that grew: an older program's is shorter, a newer one's longer. */
static void test_structs_of_other_sizes(void **state)
{
    (void)state;
    struct {
        struct trn_pci_options known;
        uint64_t newer;
    } options = {.known = {.size = sizeof options, .generation = "cayman"}};
    struct trn_pci *pci = NULL;
    struct trn_diag diag;
    assert_int_equal(trn_pci_open(&options.known, &host, &pci, &diag), 0); /* what it sets is 0 */
    assert_int_equal(trn_pci_close(pci), 0);
    options.newer = 1;
    assert_int_equal(trn_pci_open(&options.known, &host, &pci, &diag), -22);
    assert_non_null(strstr(diag.message, "newer"));
    options.known.size = offsetof(struct trn_pci_options, revision);
    options.known.revision = 0xFF; /* behind the end: not looked at */
    assert_int_equal(trn_pci_open(&options.known, &host, &pci, &diag), 0);
    struct trn_pci_counts counts = {.size = offsetof(struct trn_pci_counts, unmapped),
                                    .unmapped = 77};
    trn_pci_counts(pci, &counts);
    assert_int_equal(counts.unmapped, 77); /* not written */
    assert_true(trn_pci_bar(pci, 0).size != 0);
    assert_int_equal(trn_pci_close(pci), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_symbol_has_its_version),
        cmocka_unit_test(test_a_program_of_version_1_works),
        cmocka_unit_test(test_structs_of_other_sizes),
    };
    assert_int_equal(argc, 2);
    library = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
