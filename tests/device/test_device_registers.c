/* SPDX-License-Identifier: Apache-2.0 */
/* Every register of every block, memory and gap of BAR0 on every generation, against what
 * expected_registers.py works out from the tables. usage: test_device_registers FILE */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "seq/fixture.h"

static const char *file;

struct player {
    struct fixture core;
    const struct trn_bus *bus;
    unsigned long line;
    uint64_t unknown, unmapped; /* what should have been counted */
};

static void open_device(struct player *player, const char *name)
{
    player->core = open_core(trn_gen_find(name), NULL);
    player->bus = trn_device_bar0(player->core.device);
    player->unknown = player->unmapped = 0;
}

static void close_device(struct player *player)
{
    if (!player->core.device)
        return;
    trn_device_report(player->core.device, &player->core.report);
    assert_int_equal(player->core.report.warnings[TRN_WARN_UNKNOWN_REGISTER], player->unknown);
    assert_int_equal(player->core.report.warnings[TRN_WARN_UNMAPPED_ACCESS], player->unmapped);
    close_core(&player->core);
}

static void expect_read(struct player *player, uint64_t at, uint32_t wanted)
{
    uint32_t value = ~wanted, peeked = ~wanted;
    assert_int_equal(trn_device_peek32(player->core.device, at, &peeked, NULL), TRN_OK);
    assert_int_equal(player->bus->read32(player->bus->context, at, &value), TRN_OK);
    if (value != wanted || peeked != wanted)
        fail_msg("%s, line %lu: 0x%" PRIx64 " reads 0x%x and shows 0x%x instead of 0x%x",
                 player->core.gen->name, player->line, at, value, peeked, wanted);
}

static void expect_write(struct player *player, uint64_t at, uint32_t value)
{
    if (player->bus->write32(player->bus->context, at, value) != TRN_OK)
        fail_msg("%s, line %lu: 0x%" PRIx64 " cannot be written", player->core.gen->name,
                 player->line, at);
}

static void expect_no_register(struct player *player, uint64_t at)
{
    expect_write(player, at, 0xFFFFFFFF);
    expect_read(player, at, 0);
    player->unknown += 2;
}

static void expect_nowhere(struct player *player, uint64_t at)
{
    uint32_t value = 0;
    assert_int_equal(player->bus->read32(player->bus->context, at, &value), TRN_ERR_ADDRESS);
    assert_int_equal(value, 0xDEADBEEF);
    assert_int_equal(player->bus->write32(player->bus->context, at, 1), TRN_ERR_ADDRESS);
    player->unmapped += 2;
}

/* Three bytes at both ends, at any alignment; a block that leaves the memory goes nowhere. */
static void expect_ram(struct player *player, uint64_t at, uint64_t size)
{
    const struct trn_bus *bus = player->bus;
    const uint64_t places[] = {at + 1, at + size - 3};
    for (size_t i = 0; i < 2; i++) {
        const uint8_t bytes[3] = {(uint8_t)(at >> 16), (uint8_t)(0x40 + i), 0x5A};
        uint8_t back[3] = {0};
        assert_int_equal(bus->write_block(bus->context, places[i], bytes, 3), TRN_OK);
        assert_int_equal(bus->read_block(bus->context, places[i], back, 3), TRN_OK);
        assert_memory_equal(back, bytes, 3);
    }
}

static void play_line(struct player *player, char *text)
{
    char name[32];
    uint64_t at = 0, value = 0;
    player->line++;
    if (sscanf(text, "d %31s", name) == 1) {
        close_device(player);
        open_device(player, name);
        return;
    }
    assert_true(sscanf(text + 1, "%" SCNx64 " %" SCNx64, &at, &value) >= 1);
    switch (text[0]) {
    case 'r':
        expect_read(player, at, (uint32_t)value);
        return;
    case 'w':
        expect_write(player, at, (uint32_t)value);
        return;
    case 'u':
        expect_no_register(player, at);
        return;
    case 'm':
        expect_ram(player, at, value);
        return;
    case 'x':
        expect_nowhere(player, at);
        return;
    default:
        fail_msg("line %lu: %s", player->line, text);
    }
}

static void test_every_register_behaves_as_its_row(void **state)
{
    (void)state;
    struct player player = {.line = 0};
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    char text[128];
    while (fgets(text, sizeof text, in))
        play_line(&player, text);
    close_device(&player);
    fclose(in);
    assert_true(player.line > 100000); /* the file is the whole of it */
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: test_device_registers FILE\n");
        return 2;
    }
    file = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_register_behaves_as_its_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
