/* SPDX-License-Identifier: Apache-2.0 */
/* Who answers at every place of the BARs, against what expected_map.py works out from the tables;
 * and every register's behaviour through the function, against expected_registers.py. usage:
 * test_pci_map MAP REGISTERS */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

static const char *map_file, *register_file;

enum { STEP = 1 << 16, HOST_BYTES = 4096 };

struct walk {
    struct host host;
    struct trn_pci *pci;
    char generation[32];
    uint64_t end[6]; /* where the map of a BAR has come to */
};

static void open_walk(struct walk *walk, const char *generation)
{
    snprintf(walk->generation, sizeof walk->generation, "%s", generation);
    host_open(&walk->host, HOST_BYTES);
    walk->pci = open_generation(generation, &walk->host);
    trn_pci_config_write(walk->pci, 4, 2, 6);
    memset(walk->end, 0, sizeof walk->end);
}

static void close_walk(struct walk *walk)
{
    if (!walk->pci)
        return;
    for (unsigned bar = 0; bar <= 4; bar += 4) /* the maps had no end before that of the BAR */
        if (walk->end[bar] != 0)
            assert_int_equal(walk->end[bar], trn_pci_bar(walk->pci, bar).size);
    trn_pci_close(walk->pci);
    host_close(&walk->host);
    walk->pci = NULL;
}

static void switch_to(struct walk *walk, const char *generation)
{
    if (walk->pci && strcmp(walk->generation, generation) == 0)
        return;
    close_walk(walk);
    open_walk(walk, generation);
}

/* ---- who answers ----------------------------------------------------------------- */

static void look(const struct walk *walk, unsigned bar, char kind, uint64_t at)
{
    uint64_t value = 0;
    const trn_status status = trn_pci_bar_read(walk->pci, bar, at, 4, &value);
    const bool nobody = kind == 'x';
    if (status != (nobody ? TRN_ERR_ADDRESS : TRN_OK) || (nobody && value != 0xDEADBEEF) ||
        ((kind == 'e' || (kind == 'm' && bar == 4)) && value != 0))
        fail_msg("%s BAR%u 0x%" PRIx64 " is '%c': status %d, value 0x%" PRIx64, walk->generation,
                 bar, at, kind, status, value);
    if (kind == 'x')
        return;
    /* memories take bytes, registers refuse them */
    const trn_status narrow = trn_pci_bar_read(walk->pci, bar, at + 1, 1, &value);
    if (narrow != (kind == 'm' ? TRN_OK : TRN_ERR_INVALID) || (kind != 'm' && value != 0xFF))
        fail_msg("%s BAR%u 0x%" PRIx64 " is '%c': a byte gives status %d, value 0x%" PRIx64,
                 walk->generation, bar, at, kind, narrow, value);
}

/* Both ends of an interval and places between them; of device memory only some. */
static void look_along(struct walk *walk, unsigned bar, char kind, uint64_t start, uint64_t end)
{
    const uint64_t step = bar == 4 ? (end - start) / 8 / 4 * 4 : STEP;
    assert_int_equal(start, walk->end[bar]); /* without gaps */
    walk->end[bar] = end;
    for (uint64_t at = start; at < end; at += step)
        look(walk, bar, kind, at);
    look(walk, bar, kind, end - 4);
}

static void test_every_place_is_answered_by_its_owner(void **state)
{
    (void)state;
    struct walk walk = {.pci = NULL};
    char generation[32], kind;
    unsigned bar;
    uint64_t start, end;
    FILE *file = fopen(map_file, "r");
    assert_non_null(file);
    size_t lines = 0;
    while (fscanf(file, "%31s %u %c %" SCNx64 " %" SCNx64, generation, &bar, &kind, &start, &end) ==
           5) {
        switch_to(&walk, generation);
        look_along(&walk, bar, kind, start, end);
        lines++;
    }
    close_walk(&walk);
    fclose(file);
    assert_true(lines > 1000);
}

/* ---- registers ------------------------------------------------------------------- */

static bool in_misc_ram(uint64_t at) /* what firmware does there: test_pci_misc.c */
{
    return at - 0x30FA0000 < 0x1000 || at - 0x6C84000 < 0x1000;
}

static void play(const struct walk *walk, char what, uint64_t at, uint64_t value, size_t line)
{
    uint64_t seen = 0;
    trn_status status = TRN_OK, wanted = TRN_OK;
    switch (what) {
    case 'r':
        status = trn_pci_bar_read(walk->pci, 0, at, 4, &seen);
        break;
    case 'w':
        status = trn_pci_bar_write(walk->pci, 0, at, 4, value);
        seen = value;
        break;
    case 'u':
        trn_pci_bar_write(walk->pci, 0, at, 4, 0xFFFFFFFF);
        status = trn_pci_bar_read(walk->pci, 0, at, 4, &seen);
        value = 0;
        break;
    default: /* x */
        status = trn_pci_bar_read(walk->pci, 0, at, 4, &seen);
        wanted = at < trn_pci_bar(walk->pci, 0).size ? TRN_ERR_ADDRESS : TRN_ERR_RANGE;
        value = wanted == TRN_ERR_ADDRESS ? 0xDEADBEEF : 0xFFFFFFFF;
        break;
    }
    if (status != wanted || seen != value)
        fail_msg("line %zu: %s 0x%" PRIx64 " gives status %d, 0x%" PRIx64 " instead of 0x%" PRIx64,
                 line, walk->generation, at, status, seen, value);
}

static void test_every_register_behaves_as_on_the_bus(void **state)
{
    (void)state;
    struct walk walk = {.pci = NULL};
    char text[128], generation[32], what;
    uint64_t at, value;
    bool known = false;
    FILE *file = fopen(register_file, "r");
    assert_non_null(file);
    size_t line = 0, played = 0;
    while (fgets(text, sizeof text, file)) {
        line++;
        if (sscanf(text, "d %31s", generation) == 1) {
            known = strcmp(generation, "maverick") != 0; /* has no PCI function */
            if (known)
                switch_to(&walk, generation);
            continue;
        }
        value = 0;
        if (!known || sscanf(text, "%c %" SCNx64 " %" SCNx64, &what, &at, &value) < 2 ||
            what == 'm' || in_misc_ram(at))
            continue;
        play(&walk, what, at, value, line);
        played++;
    }
    close_walk(&walk);
    fclose(file);
    assert_true(played > 100000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place_is_answered_by_its_owner),
        cmocka_unit_test(test_every_register_behaves_as_on_the_bus),
    };
    assert_int_equal(argc, 3);
    map_file = argv[1];
    register_file = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
