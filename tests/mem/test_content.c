/* SPDX-License-Identifier: Apache-2.0 */
/* What memory holds, how much of it costs memory, and where it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mem/hbm.h"
#include "mem/mem.h"

#define GIB (UINT64_C(1) << 30)

static struct trn_mem *create(const char *gen, enum trn_reset reset, uint64_t seed)
{
    const struct trn_mem_options options = {.reset = reset, .reset_seed = seed};
    struct trn_mem *mem;
    assert_int_equal(trn_mem_create(trn_gen_find(gen), &options, &mem, NULL), TRN_OK);
    return mem;
}

static uint8_t byte_of(struct trn_mem *mem, enum trn_space space, uint32_t partition, uint32_t byte)
{
    trn_mem_touch(mem, space, partition, 1, byte, 1);
    return *trn_plane_at(trn_mem_plane(mem, space), partition, byte);
}

static void fill_sbuf(struct trn_mem *mem, uint8_t value)
{
    for (uint32_t p = 0; p < 128; p++) {
        trn_mem_touch(mem, TRN_SPACE_SBUF, p, 1, 0, mem->sbuf.active_bytes);
        memset(trn_plane_at(&mem->sbuf, p, 0), value, mem->sbuf.active_bytes);
    }
}

static void test_content_after_create_and_reset(void **state)
{
    (void)state;
    struct trn_mem *mem = create("cayman", TRN_RESET_ZERO, 0);
    uint8_t hbm[3];
    assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, 127, 0x37FFF), 0);
    assert_int_equal(byte_of(mem, TRN_SPACE_PSUM, 127, 0x3FFF), 0);
    fill_sbuf(mem, 0x55);
    assert_int_equal(trn_hbm_write(mem->hbm, 4095, "abc", 3), TRN_OK);
    trn_mem_reset(mem, TRN_RESET_ZERO, 0);
    for (uint32_t p = 0; p < 128; p++)
        for (uint32_t byte = 0; byte < 0x38000; byte += 1021)
            assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, p, byte), 0);
    assert_int_equal(trn_hbm_read(mem->hbm, 4095, hbm, 3), TRN_OK);
    assert_memory_equal(hbm, "\0\0\0", 3);
    trn_mem_reset(mem, TRN_RESET_POISON, 0);
    for (uint32_t p = 0; p < 128; p++)
        for (uint32_t byte = 0; byte < 0x38000; byte += 1021)
            assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, p, byte), 0xFF);
    assert_int_equal(byte_of(mem, TRN_SPACE_PSUM, 5, 0x3FFF), 0xFF);
    assert_int_equal(trn_hbm_read(mem->hbm, 16 * GIB - 3, hbm, 3), TRN_OK);
    assert_memory_equal(hbm, "\xFF\xFF\xFF", 3);
    trn_mem_destroy(mem);
}

/* What was written stays, the rest of its block has the reset content. */
static void test_poison_surrounds_a_write(void **state)
{
    (void)state;
    struct trn_mem *mem = create("sunda", TRN_RESET_POISON, 0);
    trn_mem_touch(mem, TRN_SPACE_SBUF, 3, 1, 100, 2);
    *trn_plane_at(&mem->sbuf, 3, 100) = 1;
    *trn_plane_at(&mem->sbuf, 3, 101) = 2;
    assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, 3, 99), 0xFF);
    assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, 3, 100), 1);
    assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, 3, 101), 2);
    assert_int_equal(byte_of(mem, TRN_SPACE_SBUF, 3, 102), 0xFF);
    trn_mem_destroy(mem);
}

/* SplitMix64 with seed 1234567: the reference outputs that Rosetta Code prints for the generator
 * of https://prng.di.unimi.it/splitmix64.c */
static void test_random_words_are_splitmix64(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(trn_reset_word(1234567, 8 * i), expected[i]);
}

static void test_random_content_is_a_function_of_seed_and_address(void **state)
{
    (void)state;
    struct trn_mem *a = create("mariana", TRN_RESET_RANDOM, 7);
    struct trn_mem *b = create("mariana", TRN_RESET_RANDOM, 7);
    struct trn_mem *c = create("mariana", TRN_RESET_RANDOM, 8);
    uint8_t from_a[64], from_b[64], from_c[64];
    unsigned differ = 0, planes_differ = 0;
    for (uint32_t p = 0; p < 128; p++) { /* b in another order */
        from_b[0] = byte_of(b, TRN_SPACE_SBUF, 127 - p, 5000);
        (void)from_b[0];
    }
    for (uint32_t p = 0; p < 128; p++) {
        for (uint32_t i = 0; i < 64; i++) {
            from_a[i] = byte_of(a, TRN_SPACE_SBUF, p, 5000 + i);
            from_b[i] = byte_of(b, TRN_SPACE_SBUF, p, 5000 + i);
            from_c[i] = byte_of(c, TRN_SPACE_SBUF, p, 5000 + i);
            planes_differ += from_a[i] != byte_of(a, TRN_SPACE_PSUM, p, 5000 + i);
        }
        assert_memory_equal(from_a, from_b, 64);
        differ += memcmp(from_a, from_c, 64) != 0;
    }
    assert_int_equal(differ, 128);
    assert_true(planes_differ > 8000); /* of 8192: 1 in 256 is equal by chance */
    assert_int_equal(trn_hbm_read(a->hbm, 3 * GIB + 1, from_a, 64), TRN_OK);
    assert_int_equal(trn_hbm_read(b->hbm, 3 * GIB + 1, from_b, 64), TRN_OK);
    assert_memory_equal(from_a, from_b, 64);
    /* after a reset with the same seed the content is the same again */
    assert_int_equal(trn_hbm_write(b->hbm, 3 * GIB, "0123456789", 10), TRN_OK);
    trn_mem_reset(b, TRN_RESET_RANDOM, 7);
    assert_int_equal(trn_hbm_read(b->hbm, 3 * GIB + 1, from_b, 64), TRN_OK);
    assert_memory_equal(from_a, from_b, 64);
    trn_mem_destroy(a);
    trn_mem_destroy(b);
    trn_mem_destroy(c);
}

static void test_hbm_reaches_to_its_end_and_no_further(void **state)
{
    (void)state;
    struct trn_hbm *hbm;
    assert_int_equal(trn_hbm_create(16 * GIB, TRN_RESET_ZERO, 0, &hbm), TRN_OK);
    assert_int_equal(trn_hbm_size(hbm), 16 * GIB);
    char data[8];
    assert_int_equal(trn_hbm_write(hbm, 16 * GIB - 8, "last one", 8), TRN_OK);
    assert_int_equal(trn_hbm_read(hbm, 16 * GIB - 8, data, 8), TRN_OK);
    assert_memory_equal(data, "last one", 8);
    assert_int_equal(trn_hbm_write(hbm, 16 * GIB - 7, "last one", 8), TRN_ERR_ADDRESS);
    assert_int_equal(trn_hbm_read(hbm, 16 * GIB, data, 1), TRN_ERR_ADDRESS);
    assert_int_equal(trn_hbm_read(hbm, 16 * GIB, data, 0), TRN_OK);
    assert_int_equal(trn_hbm_read(hbm, UINT64_MAX, data, 8), TRN_ERR_ADDRESS);
    assert_int_equal(trn_hbm_read(hbm, UINT64_MAX - 3, data, 8), TRN_ERR_ADDRESS);
    assert_null(trn_hbm_span(hbm, 1, 16 * GIB));
    assert_non_null(trn_hbm_span(hbm, 0, 16 * GIB));
    assert_null(trn_hbm_span(hbm, 8, UINT64_MAX));
    assert_memory_equal(trn_hbm_span(hbm, 16 * GIB - 3, 3), "one", 3);
    trn_hbm_destroy(hbm);
    assert_int_equal(trn_hbm_create(TRN_HBM_MAX_BYTES + 1, TRN_RESET_ZERO, 0, &hbm),
                     TRN_ERR_TOO_LARGE);
    assert_int_equal(trn_hbm_create(0, TRN_RESET_ZERO, 0, &hbm), TRN_ERR_INVALID);
    assert_null(hbm);
}

static void test_hbm_copy_may_overlap_itself(void **state)
{
    (void)state;
    struct trn_hbm *hbm;
    char data[11] = "";
    assert_int_equal(trn_hbm_create(8192, TRN_RESET_ZERO, 0, &hbm), TRN_OK);
    assert_int_equal(trn_hbm_write(hbm, 4090, "0123456789", 10), TRN_OK);
    assert_int_equal(trn_hbm_copy(hbm, 4093, 4090, 10), TRN_OK);
    assert_int_equal(trn_hbm_read(hbm, 4090, data, 10), TRN_OK);
    assert_string_equal(data, "0120123456");
    assert_int_equal(trn_hbm_copy(hbm, 8190, 0, 3), TRN_ERR_ADDRESS);
    assert_int_equal(trn_hbm_copy(hbm, 0, 8190, 3), TRN_ERR_ADDRESS);
    assert_int_equal(trn_hbm_read(hbm, 0, data, 10), TRN_OK);
    assert_memory_equal(data, "\0\0\0\0\0\0\0\0\0\0", 10);
    trn_hbm_destroy(hbm);
}

static size_t resident_bytes(void)
{
    FILE *stream = fopen("/proc/self/statm", "r");
    assert_non_null(stream);
    unsigned long total, resident;
    assert_int_equal(fscanf(stream, "%lu %lu", &total, &resident), 2);
    fclose(stream);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void test_idle_memory_costs_little(void **state)
{
    (void)state;
    static const enum trn_reset contents[] = {TRN_RESET_ZERO, TRN_RESET_POISON, TRN_RESET_RANDOM};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        for (unsigned i = 0; i < 3; i++) {
            const size_t before = resident_bytes();
            const struct trn_mem_options options = {.reset = contents[i], .track = true};
            struct trn_mem *mem;
            assert_int_equal(trn_mem_create(trn_gen_at(g), &options, &mem, NULL), TRN_OK);
            for (int reset = 0; reset < 1000; reset++)
                trn_mem_reset(mem, contents[i], 1);
            const size_t after = resident_bytes();
            assert_true(after < before + (UINT64_C(20) << 20));
            trn_mem_destroy(mem);
        }
}

static void test_rows_do_not_fall_on_one_cache_set(void **state)
{
    (void)state;
    struct trn_mem *mem = create("mariana", TRN_RESET_ZERO, 0);
    const struct trn_plane *planes[] = {&mem->sbuf, &mem->psum};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(planes[i]->pitch % 64, 0);
        assert_true(planes[i]->pitch >= planes[i]->active_bytes);
        assert_int_not_equal(planes[i]->pitch % 4096, 0);
        assert_int_equal((uintptr_t)planes[i]->rows % 64, 0);
    }
    trn_mem_destroy(mem);
}

static void test_refused_options_are_explained(void **state)
{
    (void)state;
    const struct trn_mem_options options = {.hbm_bytes = TRN_HBM_MAX_BYTES + 1};
    struct trn_mem *mem;
    struct trn_diag diag;
    assert_int_equal(trn_mem_create(trn_gen_at(0), &options, &mem, &diag), TRN_ERR_TOO_LARGE);
    assert_null(mem);
    assert_string_equal(diag.message, "the device memory is too large");
    assert_string_equal(diag.expected, "at most 64 GiB");
    trn_mem_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content_after_create_and_reset),
        cmocka_unit_test(test_poison_surrounds_a_write),
        cmocka_unit_test(test_random_words_are_splitmix64),
        cmocka_unit_test(test_random_content_is_a_function_of_seed_and_address),
        cmocka_unit_test(test_hbm_reaches_to_its_end_and_no_further),
        cmocka_unit_test(test_hbm_copy_may_overlap_itself),
        cmocka_unit_test(test_idle_memory_costs_little),
        cmocka_unit_test(test_rows_do_not_fall_on_one_cache_set),
        cmocka_unit_test(test_refused_options_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
