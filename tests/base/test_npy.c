/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that no NumPy writes. The accepted grammar is Python's literal syntax, as far as
 * numpy.lib.format describes it; test_base_npy_numpy tests against NumPy itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "trench/npy.h"

/* A version 1.0 file with this header text and `data` zero bytes; freed by the caller. */
static uint8_t *make_file(const char *text, size_t data, size_t *size)
{
    const size_t length = strlen(text);
    *size = 10 + length + data;
    uint8_t *bytes = calloc(1, *size);
    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (uint8_t)(length & 0xff);
    bytes[9] = (uint8_t)(length >> 8);
    memcpy(bytes + 10, text, length);
    return bytes;
}

static trn_status parse_text(const char *text, size_t data, struct trn_npy *out,
                             struct trn_diag *diag)
{
    size_t size;
    uint8_t *bytes = make_file(text, data, &size);
    const trn_status status = trn_npy_parse(bytes, size, "x.npy", out, diag);
    free(bytes);
    return status;
}

static void test_header_in_any_order_and_spacing(void **state)
{
    (void)state;
    struct trn_npy array;
    struct trn_diag diag;
    static const char *const texts[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}\n",
        "  {  'shape' : ( 2 , 3 , ) , 'fortran_order' :False,'descr': '<f4'}   \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(parse_text(texts[i], 24, &array, &diag), TRN_OK);
        assert_int_equal(array.type, TRN_NPY_F4);
        assert_int_equal(array.num_dims, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_int_equal(array.num_elements, 6);
        assert_int_equal(array.size_bytes, 24);
    }
}

static void test_one_byte_types_have_no_order(void **state)
{
    (void)state;
    struct trn_npy array;
    assert_int_equal(
        parse_text("{'descr': '<u1', 'fortran_order': False, 'shape': (2,)}", 2, &array, NULL),
        TRN_OK);
    assert_int_equal(array.type, TRN_NPY_U1);
}

static void test_bad_header_is_one_clear_message(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        trn_status status;
    } cases[] = {
        {"", "the npy header is no dictionary", TRN_ERR_FORMAT},
        {"[1]", "the npy header is no dictionary", TRN_ERR_FORMAT},
        {"{", "the npy header has no quoted string where one is needed", TRN_ERR_FORMAT},
        {"{'descr", "the npy header ends inside a string", TRN_ERR_FORMAT},
        {"{'descr'}", "the npy header has a key without a value", TRN_ERR_FORMAT},
        {"{'descr': '<f4' 'shape': ()}", "the npy header has a missing comma", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'descr': '<f4'}",
         "the npy header has a key that is unknown or there twice", TRN_ERR_FORMAT},
        {"{'color': 'red'}", "the npy header has a key that is unknown or there twice",
         TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False}",
         "the npy header lacks one of descr, fortran_order and shape", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
         "the npy header has a fortran_order that is neither True nor False", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
         "the npy header has a shape that is no tuple", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
         "the npy header has a shape that is no tuple", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
         "the npy header has a shape with a missing comma", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
         "the npy header has a shape with something other than a number", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}",
         "the npy header has a dimension of more than 64 bits", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "the shape has more elements than memory can hold", TRN_ERR_FORMAT},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}",
         "the shape has more elements than memory can hold", TRN_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()} x",
         "the npy header has text behind its dictionary", TRN_ERR_FORMAT},
        {"{'descr': '<f4\\n', 'fortran_order': False, 'shape': ()}",
         "the npy header has a string that is not plain text", TRN_ERR_FORMAT},
        {"{'descr': '0123456789012345678901234567890123456789'",
         "the npy header has a string that is too long", TRN_ERR_FORMAT},
        {"{'descr': '', 'fortran_order': False, 'shape': ()}", "the element type is ''",
         TRN_ERR_UNSUPPORTED},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}",
         "the array is in Fortran order", TRN_ERR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trn_npy array = {.num_dims = 9};
        struct trn_diag diag = {.status = 0};
        assert_int_equal(parse_text(cases[i].text, 4, &array, &diag), cases[i].status);
        assert_string_equal(diag.message, cases[i].message);
        assert_string_equal(diag.where, "x.npy");
        assert_int_equal(array.num_dims, 0);
        assert_null(array.data);
    }
}

static void test_thirty_three_dimensions_are_refused(void **state)
{
    (void)state;
    char text[256] = "{'descr': '|u1', 'fortran_order': False, 'shape': (";
    for (int i = 0; i < 33; i++)
        strcat(text, "1,");
    strcat(text, ")}");
    struct trn_npy array;
    struct trn_diag diag;
    assert_int_equal(parse_text(text, 1, &array, &diag), TRN_ERR_FORMAT);
    assert_string_equal(diag.message, "the npy header has more than 32 dimensions");
}

static void test_version_and_length_are_checked(void **state)
{
    (void)state;
    struct trn_npy array;
    struct trn_diag diag;
    assert_int_equal(trn_npy_parse("\x93NUMPY\x04\x00\x00\x00\x00\x00", 12, "v", &array, &diag),
                     TRN_ERR_UNSUPPORTED);
    assert_string_equal(diag.message, "the npy version is 4.0");
    /* version 2 has a length of four bytes, of which only two are there */
    assert_int_equal(trn_npy_parse("\x93NUMPY\x02\x00\x00\x00", 10, "v", &array, &diag),
                     TRN_ERR_FORMAT);
    assert_int_equal(trn_npy_parse("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, "v", &array, &diag),
                     TRN_ERR_FORMAT);
    assert_string_equal(diag.message, "the npy header is truncated: 0 of 4294967295 bytes");
}

static void test_expectation_names_found_and_wanted(void **state)
{
    (void)state;
    struct trn_npy array;
    struct trn_diag diag;
    assert_int_equal(
        parse_text("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3)}", 12, &array, NULL),
        TRN_OK);
    const uint64_t same[] = {2, 3}, other[] = {128};
    assert_int_equal(trn_npy_expect(&array, "w.npy", TRN_NPY_U2, same, 2, &diag), TRN_OK);
    assert_int_equal(trn_npy_expect(&array, "w.npy", TRN_NPY_U2, NULL, 0, &diag), TRN_OK);
    assert_int_equal(trn_npy_expect(&array, "w.npy", TRN_NPY_F4, other, 1, &diag), TRN_ERR_INVALID);
    assert_string_equal(diag.message, "the array is <u2 of shape (2, 3)");
    assert_string_equal(diag.expected, "expected <f4 of shape (128,)");
    assert_string_equal(diag.where, "w.npy");
    assert_int_equal(trn_npy_expect(&array, "w.npy", TRN_NPY_U2, same, 1, &diag), TRN_ERR_INVALID);
}

static void test_failed_write_leaves_nothing(void **state)
{
    (void)state;
    struct trn_diag diag;
    const uint64_t shape[] = {3};
    assert_int_equal(trn_npy_write("/nonexistent/x.npy", TRN_NPY_U1, shape, 1, "abc", &diag),
                     TRN_ERR_IO);
    assert_string_equal(diag.message, "cannot create: No such file or directory");
    const uint64_t huge[] = {UINT64_MAX, 2};
    assert_int_equal(trn_npy_write("x.npy", TRN_NPY_F8, huge, 2, NULL, &diag), TRN_ERR_INVALID);
    assert_int_not_equal(access("x.npy", F_OK), 0);
    /* a device is written through, not replaced */
    assert_int_equal(trn_npy_write("/dev/null", TRN_NPY_U1, shape, 1, "abc", &diag), TRN_OK);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void test_size_limit_of_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/trench-npy-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    const uint64_t shape[] = {100};
    uint8_t data[100];
    memset(data, 7, sizeof data);
    struct trn_diag diag;
    struct trn_npy array;
    assert_int_equal(trn_npy_write(path, TRN_NPY_U1, shape, 1, data, &diag), TRN_OK);
    assert_int_equal(trn_npy_read(path, 227, &array, &diag), TRN_ERR_TOO_LARGE);
    assert_string_equal(diag.message, "the file is larger than 227 bytes");
    assert_int_equal(trn_npy_read(path, 228, &array, &diag), TRN_OK); /* 128 + 100 */
    assert_memory_equal(array.data, data, sizeof data);
    trn_npy_free(&array);
    assert_null(array.data);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_in_any_order_and_spacing),
        cmocka_unit_test(test_one_byte_types_have_no_order),
        cmocka_unit_test(test_bad_header_is_one_clear_message),
        cmocka_unit_test(test_thirty_three_dimensions_are_refused),
        cmocka_unit_test(test_version_and_length_are_checked),
        cmocka_unit_test(test_expectation_names_found_and_wanted),
        cmocka_unit_test(test_failed_write_leaves_nothing),
        cmocka_unit_test(test_size_limit_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
