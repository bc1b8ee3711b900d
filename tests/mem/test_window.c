/* SPDX-License-Identifier: Apache-2.0 */
/* The host's view of SBUF and PSUM: docs/hardware/address-map.md 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/fresh.h"
#include "mem/mem.h"
#include "mem/tracker.h"

static struct trn_mem *create(const char *gen)
{
    const struct trn_mem_options options = {.reset = TRN_RESET_POISON, .track = true};
    struct trn_mem *mem;
    assert_int_equal(trn_mem_create(trn_gen_find(gen), &options, &mem, NULL), TRN_OK);
    return mem;
}

static void test_partition_stands_at_its_stride(void **state)
{
    (void)state;
    struct trn_mem *mem = create("sunda");
    for (uint32_t p = 0; p < 128; p++) {
        const uint8_t value = (uint8_t)(p + 1);
        assert_int_equal(trn_mem_window_write(mem, TRN_SPACE_SBUF, p * UINT64_C(0x40000) + 5,
                                              &value, 1, trn_origin_host()),
                         TRN_OK);
        assert_int_equal(*trn_plane_at(&mem->sbuf, p, 5), value);
        assert_int_equal(trn_mem_window_write(mem, TRN_SPACE_PSUM, p * UINT64_C(0x8000) + 0x3FFF,
                                              &value, 1, trn_origin_host()),
                         TRN_OK);
        assert_int_equal(*trn_plane_at(&mem->psum, p, 0x3FFF), value);
    }
    assert_int_equal(mem->hole_accesses, 0);
    trn_mem_destroy(mem);
}

/* A block from the middle of partition 9 to the middle of partition 10, over the hole. */
static void test_holes_read_zero_and_drop_writes(void **state)
{
    (void)state;
    struct trn_mem *mem = create("sunda");
    enum { STRIDE = 0x40000, ACTIVE = 0x30000, FIRST = 0x2FFF0, SIZE = STRIDE };
    uint8_t *written = malloc(SIZE), *read = malloc(SIZE);
    assert_true(written && read);
    memset(read, 0xAA, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        written[i] = (uint8_t)(i * 7 + 3);
    const uint64_t offset = UINT64_C(9) * STRIDE + FIRST;
    assert_int_equal(
        trn_mem_window_write(mem, TRN_SPACE_SBUF, offset, written, SIZE, trn_origin_host()),
        TRN_OK);
    assert_int_equal(mem->hole_accesses, 1);
    assert_int_equal(
        trn_mem_window_read(mem, TRN_SPACE_SBUF, offset, read, SIZE, trn_origin_host()), TRN_OK);
    assert_int_equal(mem->hole_accesses, 2);
    for (size_t i = 0; i < SIZE; i++) {
        const uint64_t byte = (offset + i) % STRIDE;
        assert_int_equal(read[i], byte < ACTIVE ? written[i] : 0);
    }
    assert_int_equal(*trn_plane_at(&mem->sbuf, 9, FIRST - 1), 0xFF);
    struct trn_occupancy occupancy;
    assert_int_equal(trn_tracker_occupancy(mem->tracker, TRN_SPACE_SBUF, 9, &occupancy), TRN_OK);
    assert_int_equal(occupancy.bytes_written, 0x10);
    assert_int_equal(trn_tracker_occupancy(mem->tracker, TRN_SPACE_SBUF, 10, &occupancy), TRN_OK);
    assert_int_equal(occupancy.bytes_written, FIRST);
    assert_int_equal(occupancy.last_engine, TRN_ENGINE_HOST);
    free(written);
    free(read);
    trn_mem_destroy(mem);
}

static void test_access_past_the_region_changes_nothing(void **state)
{
    (void)state;
    struct trn_mem *mem = create("cayman");
    uint8_t data[8] = {0};
    const struct trn_origin host = trn_origin_host();
    assert_int_equal(trn_mem_window_write(mem, TRN_SPACE_SBUF, 0x2000000 - 7, data, 8, host),
                     TRN_ERR_ADDRESS);
    assert_int_equal(trn_mem_window_read(mem, TRN_SPACE_PSUM, 0x400000, data, 1, host),
                     TRN_ERR_ADDRESS);
    assert_int_equal(trn_mem_window_read(mem, TRN_SPACE_PSUM, UINT64_MAX, data, 2, host),
                     TRN_ERR_ADDRESS);
    assert_int_equal(trn_mem_window_read(mem, TRN_SPACE_HBM, 0, data, 1, host), TRN_ERR_ADDRESS);
    assert_int_equal(mem->hole_accesses, 0);
    trn_mem_destroy(mem);
}

static void test_mariana_has_no_hole(void **state)
{
    (void)state;
    struct trn_mem *mem = create("mariana");
    uint8_t data[16];
    assert_int_equal(
        trn_mem_window_read(mem, TRN_SPACE_SBUF, 0x40000 - 8, data, 16, trn_origin_host()), TRN_OK);
    for (int i = 0; i < 16; i++)
        assert_int_equal(data[i], 0xFF);
    assert_int_equal(mem->hole_accesses, 0);
    trn_mem_destroy(mem);
}

static void test_host_write_ends_lazy_zeros(void **state)
{
    (void)state;
    struct trn_mem *mem = create("mariana");
    trn_fresh_mark(mem->fresh, 2, 0, 2048);
    assert_int_equal(
        trn_mem_window_write(mem, TRN_SPACE_PSUM, 2 * 0x8000 + 8, "abcd", 4, trn_origin_host()),
        TRN_OK);
    assert_int_equal(trn_fresh_ask(mem->fresh, 2, 8, 4), TRN_FRESH_NONE);
    assert_int_equal(trn_fresh_ask(mem->fresh, 2, 4, 4), TRN_FRESH_ALL);
    assert_int_equal(trn_fresh_ask(mem->fresh, 2, 12, 2036), TRN_FRESH_ALL);
    trn_mem_destroy(mem);
}

struct seen {
    struct trn_access last;
    unsigned times;
    bool was_written;
    struct trn_mem *mem;
};

static void see(void *context, const struct trn_access *access)
{
    struct seen *seen = context;
    uint32_t partition;
    uint64_t byte;
    seen->last = *access;
    seen->times++;
    seen->was_written = !trn_tracker_first_uninit(seen->mem->tracker, access, &partition, &byte);
}

static void test_observer_sees_accesses_before_they_count(void **state)
{
    (void)state;
    struct trn_mem *mem = create("sunda");
    struct seen seen = {.mem = mem};
    const struct trn_mem_observer observer = {&seen, see};
    mem->observer = &observer;
    uint32_t value = 0;
    const struct trn_origin dve = {3, 0x80};
    assert_int_equal(trn_mem_hbm_write(mem, 100, &value, 4, dve), TRN_OK);
    assert_int_equal(seen.times, 1);
    assert_true(seen.last.write);
    assert_int_equal(seen.last.space, TRN_SPACE_HBM);
    assert_int_equal(seen.last.byte, 100);
    assert_int_equal(seen.last.engine, 3);
    assert_int_equal(seen.last.pc, 0x80);
    assert_false(seen.was_written);
    assert_int_equal(trn_mem_hbm_read(mem, 100, &value, 4, dve), TRN_OK);
    assert_int_equal(seen.times, 2);
    assert_true(seen.was_written);
    trn_mem_destroy(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partition_stands_at_its_stride),
        cmocka_unit_test(test_holes_read_zero_and_drop_writes),
        cmocka_unit_test(test_access_past_the_region_changes_nothing),
        cmocka_unit_test(test_mariana_has_no_hole),
        cmocka_unit_test(test_host_write_ends_lazy_zeros),
        cmocka_unit_test(test_observer_sees_accesses_before_they_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
