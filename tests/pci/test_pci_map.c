/* SPDX-License-Identifier: Apache-2.0 */
/* Who answers at every place of the BARs, against what expected_map.py works out from the tables;
 * and every register's behaviour through the function, against expected_registers.py. usage:
 * test_pci_map MAP REGISTERS */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- resets (5.3) ---------------------------------------------------------------- */

enum { MAX_LINES = 1 << 16 };

/* A line of the register file: a write, or the read of a reset value that comes before it. */
struct line {
    uint64_t at, value;
    bool is_write;
};

struct lines {
    size_t count;
    struct line line[MAX_LINES];
};

/* Reads behind a write of the same register are not of the reset value. */
static void keep(struct lines *lines, char what, uint64_t at, uint64_t value)
{
    const bool is_write = what == 'w';
    if (!is_write && lines->count > 0 && lines->line[lines->count - 1].at == at)
        return;
    assert_true(lines->count < MAX_LINES);
    lines->line[lines->count++] = (struct line){at, value, is_write};
}

/* Of one generation, but of MISC RAM, which is firmware's. */
static void read_lines(const char *wanted, struct lines *lines)
{
    char text[128], generation[32] = "", what;
    uint64_t at, value;
    FILE *file = fopen(register_file, "r");
    assert_non_null(file);
    lines->count = 0;
    while (fgets(text, sizeof text, file)) {
        if (sscanf(text, "d %31s", generation) == 1 || strcmp(generation, wanted) != 0)
            continue;
        if (sscanf(text, "%c %" SCNx64 " %" SCNx64, &what, &at, &value) == 3 &&
            (what == 'r' || what == 'w') && !in_misc_ram(at))
            keep(lines, what, at, value);
    }
    fclose(file);
    assert_true(lines->count > 9000);
}

/* Registers that show what was written to others (a status its cause) had a history when the line
 * read them: theirs is the value of a new function. */
static void forget_history(const struct walk *walk, struct lines *lines)
{
    size_t with_history = 0;
    for (size_t i = 0; i < lines->count; i++) {
        struct line *const line = &lines->line[i];
        uint64_t seen = 0;
        if (line->is_write)
            continue;
        trn_pci_bar_read(walk->pci, 0, line->at, 4, &seen);
        with_history += seen != line->value;
        line->value = seen;
    }
    assert_true(with_history < lines->count / 20);
}

static void write_all(const struct walk *walk, const struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        if (lines->line[i].is_write)
            trn_pci_bar_write(walk->pci, 0, lines->line[i].at, 4, lines->line[i].value);
}

/* What a device reset leaves as it is (6): UDMA and SDMA blocks of the host-copy engines. */
static bool is_host_copy(uint64_t at)
{
    static const uint64_t sunda[] = {0x30600000, 0x30D00000},
                          later[] = {0x6800000, 0x6900000, 0x46800000, 0x46900000};
    for (size_t i = 0; i < 2; i++)
        if (at - sunda[i] < 0x80000)
            return true;
    for (size_t i = 0; i < 4; i++)
        if (at - later[i] < 0x80000)
            return true;
    return false;
}

static void expect_reset_values(const struct walk *walk, const struct lines *lines,
                                bool host_copy_too)
{
    size_t checked = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *const line = &lines->line[i];
        uint64_t seen = 0;
        if (line->is_write || (!host_copy_too && is_host_copy(line->at)))
            continue;
        trn_pci_bar_read(walk->pci, 0, line->at, 4, &seen);
        if (seen != line->value)
            fail_msg("%s 0x%" PRIx64 " is 0x%" PRIx64 " after a reset, not 0x%" PRIx64,
                     walk->generation, line->at, seen, line->value);
        checked++;
    }
    assert_true(checked > 2000);
}

/* Every register is written as its row allows; a reset of the device and a power-on take it back.
 */
static void test_resets_restore_every_register(void **state)
{
    (void)state;
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    struct lines *const lines = malloc(sizeof *lines);
    assert_non_null(lines);
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++) {
        struct walk walk = {.pci = NULL};
        const uint64_t misc = i == 0 ? 0x30FA0000 : 0x6C84000;
        open_walk(&walk, generations[i]);
        read_lines(generations[i], lines);
        forget_history(&walk, lines);
        write_all(&walk, lines);
        trn_pci_bar_write(walk.pci, 0, misc + 0x1EC, 4, 1);
        trn_pci_bar_write(walk.pci, 0, misc + 0x800, 4, 1);
        expect_reset_values(&walk, lines, false);
        write_all(&walk, lines);
        assert_int_equal(trn_pci_power_on(walk.pci), TRN_OK);
        trn_pci_config_write(walk.pci, 4, 2, 6);
        expect_reset_values(&walk, lines, true);
        close_walk(&walk);
    }
    free(lines);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place_is_answered_by_its_owner),
        cmocka_unit_test(test_every_register_behaves_as_on_the_bus),
        cmocka_unit_test(test_resets_restore_every_register),
    };
    assert_int_equal(argc, 3);
    map_file = argv[1];
    register_file = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
