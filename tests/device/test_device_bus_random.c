/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of any size and alignment around every edge of BAR0 and BAR4: each has one of the
 * documented outcomes, and what a read gives is what peeking showed before it (address-map.md 6.4).
 */
#include <string.h>

#include "gen/blocks.h"
#include "seq/fixture.h"

enum { ACCESSES = 60000, MAX_EDGES = 8192, MAX_BYTES = 48 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 20;
}

struct edges {
    uint64_t at[MAX_EDGES];
    size_t count;
};

static void add_edges(struct edges *edges, uint64_t start, uint64_t size)
{
    if (edges->count + 2 > MAX_EDGES)
        return;
    edges->at[edges->count++] = start;
    edges->at[edges->count++] = start + size;
}

/* Where blocks and apertures begin and end: of the whole BAR, and inside the first and last core.
 */
static void gather(const struct trn_gen *gen, struct edges *edges)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    const uint64_t last = gen->bar0_tpb + (gen->cores - 1u) * gen->bar0_tpb_stride;
    edges->count = 0;
    for (size_t i = 0; i < list->count; i++)
        add_edges(edges, list->blocks[i].bar0, list->blocks[i].row->size);
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (trn_aperture_find(gen, row->scope, row->name) != row)
            continue;
        for (uint32_t copy = 0; copy < row->count; copy++) {
            const uint64_t start = row->offset + copy * row->stride;
            if (row->scope == TRN_APERTURE_BAR0)
                add_edges(edges, start, row->size);
            if (row->scope == TRN_APERTURE_TPB_BAR) {
                add_edges(edges, gen->bar0_tpb + start, row->size);
                add_edges(edges, last + start, row->size);
            }
        }
    }
}

struct access {
    uint64_t offset;
    size_t size; /* 4: by the single-word calls where `single` */
    bool single, write;
};

static struct access draw(const struct edges *edges, uint64_t *random)
{
    const uint64_t edge = edges->at[next_random(random) % edges->count];
    struct access access = {.offset = edge + next_random(random) % (2 * MAX_BYTES) - MAX_BYTES,
                            .size = next_random(random) % (MAX_BYTES + 1),
                            .single = next_random(random) % 2 == 0,
                            .write = next_random(random) % 2 == 0};
    if (next_random(random) % 4 != 0)
        access.offset -= access.offset % 4;
    if (next_random(random) % 2 != 0)
        access.size -= access.size % 4;
    return access;
}

static void expect_documented(trn_status status)
{
    assert_true(status == TRN_OK || status == TRN_ERR_ADDRESS || status == TRN_ERR_INVALID);
}

/* A read after a look: both find a block or neither, and the same value in it. */
static void read_word(struct fixture *core, uint64_t offset)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t shown = 0, value = 0;
    const trn_status peeked = trn_device_peek32(core->device, offset, &shown, NULL);
    const trn_status status = bus->read32(bus->context, offset, &value);
    expect_documented(status);
    if (peeked == TRN_ERR_UNSUPPORTED) { /* SBUF, PSUM */
        assert_int_equal(status, TRN_OK);
        return;
    }
    assert_int_equal(peeked, status);
    if (status != TRN_ERR_INVALID)
        assert_int_equal(shown, value);
}

static void play(struct fixture *core, const struct trn_bus *bus, struct access access,
                 uint64_t *random)
{
    uint8_t data[MAX_BYTES];
    memset(data, (int)(next_random(random) % 256), sizeof data);
    if (access.single && access.write)
        expect_documented(bus->write32(bus->context, access.offset, (uint32_t)*random));
    else if (access.single)
        read_word(core, access.offset);
    else if (access.write)
        expect_documented(bus->write_block(bus->context, access.offset, data, access.size));
    else
        expect_documented(bus->read_block(bus->context, access.offset, data, access.size));
}

static void test_every_access_around_an_edge_has_a_documented_outcome(void **state)
{
    (void)state;
    static struct edges edges;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        const struct trn_bus *bar0 = trn_device_bar0(core.device);
        uint64_t random = 1 + g;
        gather(core.gen, &edges);
        assert_true(edges.count > 100);
        for (unsigned i = 0; i < ACCESSES; i++)
            play(&core, bar0, draw(&edges, &random), &random);
        run(&core, 1000); /* whatever was started: no end is promised */
        close_core(&core);
    }
}

static void test_edges_of_device_memory(void **state)
{
    (void)state;
    static struct edges edges;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        const struct trn_bus *bus = trn_device_bar4(core.device);
        uint64_t random = 1 + g;
        edges.count = 0;
        for (unsigned n = 0; n < core.gen->cores; n++) {
            assert_int_equal(trn_device_select_core(core.device, n), TRN_OK);
            add_edges(&edges, trn_device_hbm_offset(core.device),
                      trn_device_hbm_bytes(core.device));
        }
        for (unsigned i = 0; i < 2000; i++) {
            struct access access = draw(&edges, &random);
            uint8_t data[MAX_BYTES] = {0};
            uint32_t value = 0;
            if (access.single)
                expect_documented(access.write ? bus->write32(bus->context, access.offset, value)
                                               : bus->read32(bus->context, access.offset, &value));
            else
                expect_documented(
                    access.write ? bus->write_block(bus->context, access.offset, data, access.size)
                                 : bus->read_block(bus->context, access.offset, data, access.size));
        }
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_access_around_an_edge_has_a_documented_outcome),
        cmocka_unit_test(test_edges_of_device_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
