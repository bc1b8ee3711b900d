/* SPDX-License-Identifier: Apache-2.0 */
/* Platform primitives: regions, failed accesses, blocks, padded images
 * (docs/hardware/hal-stpb.md 4). */
#include <stdlib.h>

#include "hal/handle.h"
#include "hal/host.h"

/* ---- accesses -------------------------------------------------------------------------- */

/* 4.1: one read, one write, the write also when nothing changes. */
static void test_rmw_is_one_read_and_one_write(void **state)
{
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    fake_bus_poke(&host.bus, 0x100, 0xAAAA5555);
    assert_int_equal(trn_hal_rmw32(host.hal, 0x100, 0x00000FF0, 0xFFFFF12F), TRN_OK);
    assert_int_equal(trn_hal_rmw32(host.hal, 0x100, 0x00000FF0, 0x00000120), TRN_OK);
    host_expect(&host, "R 100\nW 100 AAAA5125\nR 100\nW 100 AAAA5125\n");
    host_close(&host);
}

/* A failed read asserts, a failed write is fatal; each with the documented text. */
static void test_failed_accesses(void **state)
{
    struct host host;
    uint32_t value = 1;
    (void)state;
    host_open(&host, "cayman", NULL);
    host.bus.fail_at = 1;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_read32(host.hal, 0xD2660008, &value), TRN_ERR_ASSERT);
    assert_int_equal(value, 0);
    host_expect(&host, "R D2660008\nL1 PCIe read failed 0xd2660008\n");
    assert_string_equal(host_said(&host), "PCIe read failed 0xd2660008");
    host.bus.fail_at = 1;
    assert_int_equal(trn_hal_write32(host.hal, 0x40, 7), TRN_ERR_ABORT);
    host_expect(&host, "W 40 7\nL1 csr_write failed\n");
    assert_string_equal(host_said(&host), "csr_write failed");
    assert_string_equal(trn_hal_diag(host.hal)->where, "al_reg_write32 of bar0+0x40");
    /* an rmw whose read fails writes nothing */
    host.bus.fail_at = 1;
    assert_int_equal(trn_hal_rmw32(host.hal, 0x40, 1, 1), TRN_ERR_ASSERT);
    host_expect(&host, "R 40\nL1 PCIe read failed 0x40\n");
    host.bus.fail_at = 2;
    assert_int_equal(trn_hal_rmw32(host.hal, 0x40, 1, 1), TRN_ERR_ABORT);
    host_expect(&host, "R 40\nW 40 1\nL1 csr_write failed\n");
    host_close(&host);
}

/* al_mem_write_buf: multiples of 4, and a burst that returned 0, both assertions. */
static void test_blocks_are_whole_words(void **state)
{
    static const uint32_t data[4] = {1, 2, 3, 4};
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_write_block(host.hal, 0x1000, data, 16), TRN_OK);
    host_expect(&host, "B 1000 10\n");
    assert_int_equal(trn_hal_write_block(host.hal, 0x1002, data, 16), TRN_ERR_ASSERT);
    assert_int_equal(trn_hal_write_block(host.hal, 0x1000, data, 14), TRN_ERR_ASSERT);
    assert_int_equal(trn_hal_write_block(host.hal, 0x1000, (const char *)data + 1, 8),
                     TRN_ERR_ASSERT);
    assert_int_equal(host.bus.accesses, 0);
    host.bus.count = 0;
    host.bus.fail_at = 1;
    host.bus.fail_status = TRN_ERR_IO;
    assert_int_equal(trn_hal_write_block(host.hal, 0x1000, data, 16), TRN_ERR_ASSERT);
    host_expect(&host, "B 1000 10\nL1 burst write of 0x10 bytes to 0x1000 failed\n");
    host_close(&host);
}

/* ---- regions (4.2) ---------------------------------------------------------------------- */

static void test_regions_bound_every_access(void **state)
{
    static const uint32_t data[4];
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_add_region(host.hal, 0x1000, 0x2000), TRN_OK);
    assert_int_equal(trn_hal_add_region(host.hal, 0x8000, 0x8800), TRN_OK);
    assert_int_equal(trn_hal_read32(host.hal, 0x1000, &value), TRN_OK);
    assert_int_equal(trn_hal_read32(host.hal, 0x1FFC, &value), TRN_OK); /* end - 4 */
    assert_int_equal(trn_hal_write32(host.hal, 0x87FC, 1), TRN_OK);
    assert_int_equal(trn_hal_rmw32(host.hal, 0x8000, 1, 1), TRN_OK);
    host_expect(&host, "R 1000\nR 1FFC\nW 87FC 1\nR 8000\nW 8000 1\n");

    assert_int_equal(trn_hal_read32(host.hal, 0x2000, &value), -2);
    host_expect(&host, "L1 Region not found for address 0x2000\n");
    assert_int_equal(trn_hal_write32(host.hal, 0xFFC, 1), -2);
    host_expect(&host, "L1 Region not found for address 0xffc\n");
    assert_int_equal(trn_hal_read32(host.hal, 0x1FFE, &value), -2);
    host_expect(&host, "L1 Invalid address 0x1ffe 0x1000-0x2000\n");
    assert_int_equal(trn_hal_rmw32(host.hal, 0x9000, 1, 1), -2);
    host_expect(&host, "L1 Region not found for address 0x9000\n");
    /* the burst writer looks up the first address only */
    assert_int_equal(trn_hal_write_block(host.hal, 0x1FF8, data, 16), TRN_OK);
    assert_int_equal(trn_hal_write_block(host.hal, 0x2000, data, 16), -2);
    host_expect(&host, "B 1FF8 10\nL1 Region not found for address 0x2000\n");
    host_close(&host);
}

/* The first region that holds the address decides. */
static void test_first_region_wins(void **state)
{
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_add_region(host.hal, 0x1000, 0x1802), TRN_OK);
    assert_int_equal(trn_hal_add_region(host.hal, 0x1000, 0x4000), TRN_OK);
    assert_int_equal(trn_hal_read32(host.hal, 0x1800, &value), -2);
    host_expect(&host, "L1 Invalid address 0x1800 0x1000-0x1802\n");
    assert_int_equal(trn_hal_read32(host.hal, 0x1804, &value), TRN_OK);
    assert_int_equal(trn_hal_add_region(host.hal, 0x1000, 0x1003), TRN_ERR_INVALID);
    assert_int_equal(trn_hal_add_region(host.hal, 0x1000, 0xFFF), TRN_ERR_INVALID);
    host_close(&host);
}

static void test_no_region_table(void **state)
{
    const struct trn_hal_options strict = {.regions_only = true};
    struct host host;
    uint32_t value;
    (void)state;
    host_open(&host, "cayman", &strict);
    assert_int_equal(trn_hal_read32(host.hal, 0x1000, &value), -2);
    host_expect(&host, "L1 Failed to get registered csr regions\n");
    assert_int_equal(trn_hal_write32(host.hal, 0x1000, 1), -2);
    host_expect(&host, "L1 Failed to get registered csr regions\n");
    assert_int_equal(trn_hal_add_region(host.hal, 0, 0x2000), TRN_OK);
    assert_int_equal(trn_hal_read32(host.hal, 0x1000, &value), TRN_OK);
    host_close(&host);
}

/* ---- write_padded (4.3) ------------------------------------------------------------------ */

struct captured {
    uint64_t dst, size;
    uint8_t bytes[64];
};

static trn_status capture(void *cookie, uint64_t dst, const void *src, uint64_t size)
{
    struct captured *const captured = cookie;
    captured->dst = dst;
    captured->size = size;
    memcpy(captured->bytes, src, (size_t)size);
    return TRN_OK;
}

/* No stale tail remains: zeros up to the aperture. */
static void test_padding_is_zero(void **state)
{
    static const uint8_t image[5] = {1, 2, 3, 4, 5};
    static const uint8_t padded[16] = {1, 2, 3, 4, 5};
    const struct trn_hal_buf buf = {image, sizeof image};
    struct captured captured;
    struct host host;
    (void)state;
    memset(&captured, 0xEE, sizeof captured);
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, buf, 16, NULL, NULL, "tag"), TRN_OK);
    host_expect(&host, "B 200 10\n");
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, buf, 16, capture, &captured, "tag"),
                     TRN_OK);
    assert_int_equal(captured.dst, 0x200);
    assert_int_equal(captured.size, 16);
    assert_memory_equal(captured.bytes, padded, 16);
    host_close(&host);
}

static void test_padding_smaller_than_the_image_asserts(void **state)
{
    static const uint8_t image[32];
    struct host host;
    (void)state;
    host_open(&host, "cayman", NULL);
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, (struct trn_hal_buf){image, 17}, 16,
                                          NULL, NULL, "PE seq iram"),
                     TRN_ERR_ASSERT);
    assert_non_null(strstr(host_said(&host), "PE seq iram: padded >= size"));
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, (struct trn_hal_buf){NULL, 4}, 16, NULL,
                                          NULL, "PE seq iram"),
                     TRN_ERR_INVALID);
    assert_int_equal(host.bus.accesses, 0);
    host_close(&host);
}

struct account {
    bool refuse;
    size_t held;
};

static void *book(void *platform, size_t size)
{
    struct account *const account = platform;
    if (account->refuse)
        return NULL;
    account->held++;
    return calloc(1, size);
}

static void unbook(void *platform, void *memory)
{
    struct account *const account = platform;
    account->held -= memory != NULL;
    free(memory);
}

static trn_status copy(void *cookie, uint64_t dst, const void *src, uint64_t size)
{
    (void)dst, (void)src, (void)size;
    return *(const trn_status *)cookie;
}

static void test_memory_of_padded_images(void **state)
{
    static const uint8_t image[4];
    struct account account = {0};
    const struct trn_hal_options options = {
        .platform = &account, .allocate = book, .release = unbook};
    struct host host;
    trn_status result = TRN_OK;
    (void)state;
    host_open(&host, "cayman", &options);
    const size_t before = account.held;
    account.refuse = true;
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, (struct trn_hal_buf){image, 4}, 0x20000,
                                          NULL, NULL, "tag"),
                     -1);
    host_expect(&host, "L1 calloc failed! size=131072\n");
    account.refuse = false;
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, (struct trn_hal_buf){image, 4}, 0x20,
                                          copy, &result, "tag"),
                     TRN_OK);
    host_expect(&host, ""); /* the caller's copy, not the bus */
    result = -5;
    assert_int_equal(trn_hal_write_padded(host.hal, 0x200, (struct trn_hal_buf){image, 4}, 0x20,
                                          copy, &result, "tag"),
                     -5);
    host_expect(&host, "L1 memcpy_fn(0x200) failed with -5\n");
    assert_int_equal(account.held, before + 1); /* one buffer, kept for the next image */
    host_close(&host);
    assert_int_equal(account.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rmw_is_one_read_and_one_write),
        cmocka_unit_test(test_failed_accesses),
        cmocka_unit_test(test_blocks_are_whole_words),
        cmocka_unit_test(test_regions_bound_every_access),
        cmocka_unit_test(test_first_region_wins),
        cmocka_unit_test(test_no_region_table),
        cmocka_unit_test(test_padding_is_zero),
        cmocka_unit_test(test_padding_smaller_than_the_image_asserts),
        cmocka_unit_test(test_memory_of_padded_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
