/* SPDX-License-Identifier: Apache-2.0 */
/* Images of more than one chunk, hashed and compared at once or one after the other. The hashes are
 * the examples of FIPS 180: a million times 'a', and no byte at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fw/identity.h"

enum { MILLION = 1000000 };

static const uint8_t hash_of_million[TRN_FW_SHA256] = {
    0xcd, 0xc7, 0x6e, 0x5c, 0x99, 0x14, 0xfb, 0x92, 0x81, 0xa1, 0xc7, 0xe2, 0x84, 0xd7, 0x3e, 0x67,
    0xf1, 0x80, 0x9a, 0x48, 0xa4, 0x97, 0x20, 0x0e, 0x04, 0x6d, 0x39, 0xcc, 0xc7, 0x11, 0x2c, 0xd0,
};
static const uint8_t hash_of_nothing[TRN_FW_SHA256] = {
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
};

/* `size` times 'a', but for a 'b' at `odd` where that lies inside. */
static uint8_t *letters(size_t size, size_t odd)
{
    uint8_t *const bytes = malloc(size + 1);
    assert_non_null(bytes);
    memset(bytes, 'a', size);
    if (odd < size)
        bytes[odd] = 'b';
    return bytes;
}

static struct trn_fw *flat(const uint8_t *bytes, size_t size)
{
    struct trn_fw *fw;
    assert_int_equal(trn_fw_open_bytes(bytes, size, "letters", &fw, NULL), TRN_OK);
    return fw;
}

/* What comes out when the first `num_hashed` pairs were hashed before. */
static struct trn_fw_pair compare(const struct trn_fw *first, const struct trn_fw *second,
                                  unsigned threads, bool is_ahead)
{
    struct trn_fw_identity identity;
    struct fw_names names;
    struct trn_workers *workers;
    atomic_bool enough = false;
    assert_int_equal(fw_comparison_workers(threads, &workers, NULL), TRN_OK);
    assert_int_equal(fw_pairs_start(first, &identity, NULL), TRN_OK);
    assert_int_equal(identity.num_pairs, 1);
    const size_t num_hashed = is_ahead ? fw_hash_ahead(first, &identity, &enough) : 0;
    assert_int_equal(num_hashed, is_ahead);
    assert_int_equal(fw_names_sort(second, &names, NULL), TRN_OK);
    assert_int_equal(fw_pairs_finish(&names, &identity, NULL), TRN_OK);
    const struct fw_comparison comparison = {
        .first = first, .second = second, .identity = &identity, .num_hashed = num_hashed};
    assert_int_equal(fw_compare_pairs(&comparison, workers, NULL), TRN_OK);
    const struct trn_fw_pair pair = identity.pairs[0];
    fw_names_free(&names);
    trn_fw_identity_free(&identity);
    trn_workers_destroy(workers);
    return pair;
}

static void test_long_images_compare_however_they_were_hashed(void **state)
{
    (void)state;
    static const struct {
        size_t size, odd; /* of the second one */
        bool same;
        uint64_t differs_at;
    } cases[] = {
        {MILLION, SIZE_MAX, true, MILLION},      {MILLION, 0, false, 0},
        {MILLION, 131072, false, 131072},        {MILLION, MILLION - 1, false, MILLION - 1},
        {MILLION + 1, SIZE_MAX, false, MILLION}, {262144, SIZE_MAX, false, 262144},
        {262145, 262144, false, 262144},         {1, SIZE_MAX, false, 1},
    };
    uint8_t *const million = letters(MILLION, SIZE_MAX);
    struct trn_fw *const first = flat(million, MILLION);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *const other = letters(cases[i].size, cases[i].odd);
        struct trn_fw *const second = flat(other, cases[i].size);
        for (unsigned how = 0; how < 4; how++) {
            const struct trn_fw_pair pair = compare(first, second, 1 + how / 2, how % 2);
            assert_memory_equal(pair.sha256, hash_of_million, TRN_FW_SHA256);
            assert_int_equal(pair.same, cases[i].same);
            assert_int_equal(pair.differs_at, cases[i].differs_at);
        }
        trn_fw_close(second);
        free(other);
    }
    trn_fw_close(first);
    free(million);
}

static void test_nothing_has_a_hash_too(void **state)
{
    (void)state;
    struct trn_fw *const first = flat((const uint8_t *)"", 0), *const second = flat(NULL, 0);
    for (unsigned how = 0; how < 4; how++) {
        const struct trn_fw_pair pair = compare(first, second, 1 + how / 2, how % 2);
        assert_memory_equal(pair.sha256, hash_of_nothing, TRN_FW_SHA256);
        assert_true(pair.same);
        assert_int_equal(pair.differs_at, 0);
    }
    trn_fw_close(second);
    trn_fw_close(first);
}

static void test_nothing_is_hashed_once_it_is_enough(void **state)
{
    (void)state;
    atomic_bool enough = true;
    struct trn_fw_identity identity;
    struct trn_fw *const first = flat((const uint8_t *)"abc", 3);
    assert_int_equal(fw_pairs_start(first, &identity, NULL), TRN_OK);
    assert_int_equal(fw_hash_ahead(first, &identity, &enough), 0);
    trn_fw_identity_free(&identity);
    trn_fw_close(first);
}

/* ---- files ------------------------------------------------------------------------ */

static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* Of both what happens when either is not there, with any number of threads. */
static void test_files_are_opened_and_the_first_error_is_told(void **state)
{
    (void)state;
    char room[] = "/tmp/test_fw_identity.XXXXXX", good[64], gone[64], lost[64];
    assert_non_null(mkdtemp(room));
    snprintf(good, sizeof good, "%s/good", room);
    snprintf(gone, sizeof gone, "%s/gone", room);
    snprintf(lost, sizeof lost, "%s/lost", room);
    write_file(good, "aaa");
    const struct {
        const char *paths[2], *told; /* NULL: fine */
    } cases[] = {
        {{good, good}, NULL},
        {{gone, good}, gone},
        {{good, lost}, lost},
        {{gone, lost}, gone},
    };
    for (size_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i++) {
        const unsigned threads = (unsigned)i % 4 + 1;
        const char *const told = cases[i / 4].told;
        struct trn_fw *opened[2];
        struct trn_fw_identity identity;
        struct trn_diag diag = {0};
        const trn_status status =
            trn_fw_compare_files(cases[i / 4].paths, threads, NULL, NULL, opened, &identity, &diag);
        assert_int_equal(status, told ? TRN_ERR_NOT_FOUND : TRN_OK);
        if (told)
            assert_string_equal(diag.where, told);
        assert_int_equal(identity.num_pairs, told ? 0 : 1);
        assert_true(told || identity.pairs[0].same);
        trn_fw_identity_free(&identity);
        trn_fw_close(opened[1]);
        trn_fw_close(opened[0]);
    }
    unlink(good);
    rmdir(room);
}

static void test_threads_out_of_range_open_nothing(void **state)
{
    (void)state;
    static const char *const paths[2] = {"/dev/null", "/dev/null"};
    static const unsigned numbers[] = {0, 65};
    for (size_t i = 0; i < 2; i++) {
        struct trn_fw *opened[2];
        struct trn_fw_identity identity;
        assert_int_equal(
            trn_fw_compare_files(paths, numbers[i], NULL, NULL, opened, &identity, NULL),
            TRN_ERR_RANGE);
        assert_null(opened[0]);
        assert_null(opened[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_images_compare_however_they_were_hashed),
        cmocka_unit_test(test_nothing_has_a_hash_too),
        cmocka_unit_test(test_nothing_is_hashed_once_it_is_enough),
        cmocka_unit_test(test_files_are_opened_and_the_first_error_is_told),
        cmocka_unit_test(test_threads_out_of_range_open_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
