/* SPDX-License-Identifier: Apache-2.0 */
/* Names, stubs, forms and archives, byte by byte (docs/hardware/firmware-images.md 2, 5, 6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fw/stub.h"
#include "trench/fw.h"
#include "trench/isa.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- names ------------------------------------------------------------------------ */

static void test_every_catalogued_name_reads_and_prints(void **state)
{
    (void)state;
    size_t known = 0;
    for (const struct trn_fw_known *row; (row = trn_fw_known_at(known)) != NULL; known++) {
        struct trn_fw_name name;
        char text[TRN_FW_NAME_MAX + 8];
        assert_true(trn_fw_name_parse(row->symbol, &name));
        trn_fw_name_print(&name, text);
        strcat(text, "_get");
        assert_string_equal(text, row->symbol);
    }
    assert_int_equal(known, 386 + 2); /* 3: bodies in the twin, and SUNDA's EXTISA pair */
    assert_int_equal(known, trn_fw_known_count());
}

static void test_the_longest_generation_wins_and_decorations_go(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "MARIANA_PLUS_Q7_POOL_DYNAMIC_KERNEL_LOAD_TEST_DRAM",
        "MARIANA_PLUS_Q7_POOL_DYNAMIC_KERNEL_LOAD_TEST_DRAM_get",
        "MARIANA_PLUS_Q7_POOL_DYNAMIC_KERNEL_LOAD_TEST_DRAM_get.data",
        "img_MARIANA_PLUS_Q7_POOL_DYNAMIC_KERNEL_LOAD_TEST_DRAM_contents.c.o",
        "members/img_MARIANA_PLUS_Q7_POOL_DYNAMIC_KERNEL_LOAD_TEST_DRAM_contents.c.o",
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct trn_fw_name name;
        assert_true(trn_fw_name_parse(forms[i], &name));
        assert_string_equal(name.gen->name, "mariana_plus");
        assert_int_equal(name.core, TRN_FW_Q7);
        assert_int_equal(name.engine, trn_engine_find("pool"));
        assert_int_equal(name.flavor, TRN_FW_DKL_TEST);
        assert_int_equal(name.region, TRN_FW_DRAM);
    }
    struct trn_fw_name prof;
    assert_true(trn_fw_name_parse("hwdecode_MARIANA_NX_PE_PROF_TABLE_contents.c.o", &prof));
    assert_string_equal(prof.gen->name, "mariana");
    assert_int_equal(prof.flavor, TRN_FW_PROF);
    assert_int_equal(prof.region, TRN_FW_TABLE);
    struct trn_fw_name library;
    assert_true(trn_fw_name_parse("CAYMAN_Q7_POOL_PERF_EXTISA_3_JSON_get", &library));
    assert_int_equal(library.library, 3);
    assert_int_equal(library.region, TRN_FW_EXTISA_JSON);
    assert_true(trn_fw_name_gen("img_MARIANA_PLUS_CC_TOP_IRAM_contents.c.o") ==
                trn_gen_find("mariana_plus"));
    assert_null(trn_fw_name_gen("nrtucode_core.c.o"));
}

static void test_names_outside_the_grammar_are_refused(void **state)
{
    (void)state;
    /* 2.1: RELEASE is SUNDA's, PROF is not SP's or SUNDA's or Q7's, DKL is Q7's and neither
     * SUNDA's nor MAVERICK's, a Q7 serves POOL alone, libraries are 0 to 3 (SUNDA's is 0). */
    static const char *const bad[] = {
        "",
        "SUNDA",
        "SUNDA_NX_ACT_RELEASE",
        "SUNDA_NX_ACT_RELEASE_IRAM_",
        "SUNDA_NX_ACT_RELEASE_IRAM_get_get",
        "SUNDA_NX_ACT_PERF_IRAM",
        "SUNDA_NX_ACT_TEST_IRAM",
        "SUNDA_NX_ACT_PROF_CAM",
        "SUNDA_Q7_POOL_DYNAMIC_KERNEL_LOAD_PERF_IRAM",
        "SUNDA_Q7_POOL_RELEASE_EXTISA_1_SO",
        "CAYMAN_NX_ACT_RELEASE_IRAM",
        "CAYMAN_NX_SP_PROF_CAM",
        "CAYMAN_NX_ACT_PROF_IRAM",
        "CAYMAN_NX_ACT_PERF_CAM",
        "CAYMAN_Q7_ACT_PERF_IRAM",
        "CAYMAN_Q7_POOL_PROF_CAM",
        "CAYMAN_NX_POOL_DYNAMIC_KERNEL_LOAD_PERF_IRAM",
        "CAYMAN_NX_POOL_PERF_EXTISA_0_SO",
        "CAYMAN_Q7_POOL_PERF_EXTISA_4_SO",
        "CAYMAN_Q7_POOL_DEBUG_EXTISA_0_SO",
        "CAYMAN_Q7_POOL_PERF_EXTISA_0_SOX",
        "MAVERICK_Q7_POOL_DYNAMIC_KERNEL_LOAD_PERF_IRAM",
        "MARIANA_PLUSX_NX_ACT_PERF_IRAM",
        "cayman_NX_ACT_PERF_IRAM",
        "CAYMAN_NX_TOP_SP_PERF_IRAM",
        "json_object_get",
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct trn_fw_name name = {.library = 77};
        if (trn_fw_name_parse(bad[i], &name))
            fail_msg("'%s' was taken for a name", bad[i]);
        assert_int_equal(name.library, 77);
    }
    struct trn_fw_name debug; /* 5: the archive alone has SUNDA's DEBUG images */
    assert_true(trn_fw_name_parse("img_SUNDA_NX_DVE_DEBUG_DRAM_contents.c.o", &debug));
}

/* ---- stubs ------------------------------------------------------------------------ */

/* 2.2: three stubs of the internal twin, with the address and size that they return. */
static const struct {
    uint64_t va;
    uint8_t bytes[18];
    uint64_t target, size;
} stubs[] = {
    {0x9b3ba0,
     {0x48, 0x8d, 0x05, 0xf9, 0xec, 0x94, 0xff, 0x48, 0x89, 0x07, 0x48, 0xc7, 0x06, 0x00, 0x04,
      0x00, 0x00, 0xc3},
     0x3028a0,
     0x400},
    {0x9b2fa0,
     {0x48, 0x8d, 0x05, 0x49, 0x5c, 0x69, 0xff, 0x48, 0x89, 0x07, 0x48, 0xc7, 0x06, 0xd0, 0x42,
      0x00, 0x00, 0xc3},
     0x48bf0,
     0x42d0},
    {0x9b36a0,
     {0x48, 0x8d, 0x05, 0x79, 0xdd, 0x7f, 0xff, 0x48, 0x89, 0x07, 0x48, 0xc7, 0x06, 0x20, 0xc8,
      0x01, 0x00, 0xc3},
     0x1b1420,
     0x1c820},
};
static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

static void test_stubs_of_the_sheet(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(stubs); i++) {
        struct fw_stub stub;
        assert_true(fw_stub_decode(stubs[i].bytes, sizeof stubs[i].bytes, stubs[i].va, &stub));
        assert_int_equal(stub.target, stubs[i].target);
        assert_int_equal(stub.size, stubs[i].size);
        assert_int_equal(stub.start, stubs[i].va);
        /* With endbr64 in front everything lies four bytes further on. */
        uint8_t marked[22];
        memcpy(marked, endbr64, 4);
        memcpy(marked + 4, stubs[i].bytes, 18);
        assert_true(fw_stub_decode(marked, sizeof marked, stubs[i].va, &stub));
        assert_int_equal(stub.target, stubs[i].target + 4);
        assert_int_equal(stub.start, stubs[i].va);
    }
}

static void test_one_byte_off_is_no_stub(void **state)
{
    (void)state;
    struct fw_stub stub;
    for (size_t at = 0; at < 18; at++) {
        const bool is_operand = (at >= 3 && at < 7) || (at >= 13 && at < 17);
        uint8_t bytes[18];
        memcpy(bytes, stubs[1].bytes, 18);
        bytes[at] ^= 1;
        assert_int_equal(fw_stub_decode(bytes, 18, 0x1000, &stub), is_operand);
    }
    uint8_t negative[18]; /* 2.2: the size is sign-extended and never negative */
    memcpy(negative, stubs[1].bytes, 18);
    negative[16] = 0x80;
    assert_false(fw_stub_decode(negative, 18, 0x1000, &stub));
    for (size_t room = 0; room < 18; room++)
        assert_false(fw_stub_decode(stubs[1].bytes, room, 0x1000, &stub));
}

static void test_stubs_are_found_in_code(void **state)
{
    (void)state;
    uint8_t code[128];
    memset(code, 0xcc, sizeof code);
    memcpy(code + 5, stubs[0].bytes, 18);
    memcpy(code + 40, endbr64, 4);
    memcpy(code + 44, stubs[1].bytes, 18);
    memcpy(code + 110, stubs[2].bytes, 18);
    struct fw_stub stub;
    size_t at = 0;
    assert_true(fw_stub_scan(code, sizeof code, 0x1000, &at, &stub));
    assert_int_equal(stub.start, 0x1005);
    assert_true(fw_stub_scan(code, sizeof code, 0x1000, &at, &stub));
    assert_int_equal(stub.start, 0x1028);
    assert_int_equal(stub.target, 0x102c + stubs[1].target - stubs[1].va);
    assert_true(fw_stub_scan(code, sizeof code, 0x1000, &at, &stub));
    assert_int_equal(stub.start, 0x106e);
    assert_false(fw_stub_scan(code, sizeof code, 0x1000, &at, &stub));
    at = 0;
    assert_false(fw_stub_scan(code + 5, 17, 0x1000, &at, &stub)); /* cut */
}

/* ---- forms ------------------------------------------------------------------------ */

static void test_forms_by_their_bytes(void **state)
{
    (void)state;
    /* 6.1: the first bytes of SUNDA's NX and Q7 images, MAVERICK's SP; 6.2; 13.2 */
    static const uint8_t nx[12] = {0x06, 0x76, 0, 0, 0, 0, 0x86, 0x77, 0, 0, 0, 0};
    static const uint8_t sp[12] = {0x06, 0x78, 0, 0, 0, 0, 0x86, 0x79, 0, 0, 0, 0};
    static const uint8_t data[4] = {0x34, 0xcb, 0x99, 0x60};
    static const uint8_t extram[4] = {0x36, 0x61, 0x00, 0xff};
    assert_int_equal(trn_fw_kind_of(nx, 12), TRN_FW_KIND_CODE);
    assert_int_equal(trn_fw_kind_of(sp, 12), TRN_FW_KIND_CODE);
    assert_int_equal(trn_fw_kind_of(nx, 11), TRN_FW_KIND_OTHER);
    assert_int_equal(trn_fw_kind_of(data, 4), TRN_FW_KIND_DATA);
    assert_int_equal(trn_fw_kind_of(data, 3), TRN_FW_KIND_OTHER);
    assert_int_equal(trn_fw_kind_of(extram, 4), TRN_FW_KIND_EXTRAM);
    assert_int_equal(trn_fw_kind_of("{\"a\":1}", 7), TRN_FW_KIND_JSON);
    assert_int_equal(trn_fw_kind_of(nx, 0), TRN_FW_KIND_EMPTY);
    uint8_t broken[12];
    for (size_t at = 3; at < 12; at++) {
        if (at == 7 || at == 8)
            continue; /* bytes of the second jump's target */
        memcpy(broken, nx, 12);
        broken[at] ^= 1;
        assert_int_equal(trn_fw_kind_of(broken, 12), TRN_FW_KIND_OTHER);
    }
}

static void test_cam_and_table_by_their_invariants(void **state)
{
    (void)state;
    /* 12.1: armed slots first, the wildcard {0, 0, 1, 0} last, the rest zero; TABLE below 0x18 */
    static uint8_t cam[0x400], table[0x2000];
    cam[0] = 0xa0, cam[4] = 0xff, cam[8] = 1;
    cam[16 + 8] = 1;
    table[0] = 1;
    assert_int_equal(trn_fw_kind_of(cam, sizeof cam), TRN_FW_KIND_CAM);
    assert_int_equal(trn_fw_kind_of(table, sizeof table), TRN_FW_KIND_TABLE);
    assert_int_equal(trn_fw_kind_of(cam, sizeof cam - 1), TRN_FW_KIND_OTHER);
    cam[48] = 1; /* behind the wildcard */
    assert_int_equal(trn_fw_kind_of(cam, sizeof cam), TRN_FW_KIND_OTHER);
    cam[48] = 0;
    cam[16] = 1; /* no wildcard */
    assert_int_equal(trn_fw_kind_of(cam, sizeof cam), TRN_FW_KIND_OTHER);
    table[128 + 0x18] = 1;
    assert_int_equal(trn_fw_kind_of(table, sizeof table), TRN_FW_KIND_OTHER);
}

/* ---- archives --------------------------------------------------------------------- */

struct text {
    char bytes[2048];
    size_t size;
};

static void put(struct text *text, const char *bytes, size_t size)
{
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/* A header of 60 bytes, the member, and a newline behind an odd one. */
static void member(struct text *text, const char *name, const char *size, const char *bytes,
                   size_t length)
{
    char header[64];
    snprintf(header, sizeof header, "%-16s%-12s%-6s%-6s%-8s%-10s`\n", name, "0", "0", "0", "644",
             size);
    put(text, header, 60);
    put(text, bytes, length);
    if (length % 2)
        put(text, "\n", 1);
}

static trn_status open_text(const struct text *text, struct trn_fw **fw, struct trn_diag *diag)
{
    memset(diag, 0, sizeof *diag);
    return trn_fw_open_bytes(text->bytes, text->size, "t.a", fw, diag);
}

static void test_names_of_members(void **state)
{
    (void)state;
    struct text text = {.size = 0};
    put(&text, "!<arch>\n", 8);
    member(&text, "/", "4", "\0\0\0\0", 4);
    member(&text, "//", "46", "a_name_of_more_than_16_characters.o/\nnext.c.o/\n", 46);
    member(&text, "short.o/", "3", "abc", 3);
    member(&text, "/0", "1", "1", 1);
    member(&text, "/37", "1", "2", 1);
    member(&text, "bsd.o", "2", "bs", 2);
    member(&text, "#1/20", "24", "a_long_name.o\0\0\0\0\0\0\0data", 24);
    member(&text, "#1/12", "14", "__.SYMDEF\0\0\0xx", 14);
    struct trn_fw *fw;
    struct trn_diag diag;
    assert_int_equal(open_text(&text, &fw, &diag), TRN_OK);
    assert_int_equal(trn_fw_form_of(fw), TRN_FW_ARCHIVE);
    static const struct {
        const char *name, *bytes;
        size_t size;
    } wanted[] = {
        {"short.o", "abc", 3},        {"a_name_of_more_than_16_characters.o", "1", 1},
        {"next.c.o", "2", 1},         {"bsd.o", "bs", 2},
        {"a_long_name.o", "data", 4},
    };
    assert_int_equal(trn_fw_member_count(fw), COUNT(wanted));
    assert_int_equal(trn_fw_image_count(fw), COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct trn_fw_member *const found = trn_fw_member(fw, i);
        assert_string_equal(found->name, wanted[i].name);
        assert_int_equal(found->size, wanted[i].size);
        assert_memory_equal(found->bytes, wanted[i].bytes, wanted[i].size);
        assert_ptr_equal(found->bytes, text.bytes + found->offset);
    }
    assert_null(trn_fw_member(fw, COUNT(wanted)));
    trn_fw_close(fw);
}

static void refuse(const struct text *text, uint64_t offset, const char *message)
{
    struct trn_fw *fw;
    struct trn_diag diag;
    char where[64];
    assert_int_equal(open_text(text, &fw, &diag), TRN_ERR_FORMAT);
    assert_null(fw);
    snprintf(where, sizeof where, "t.a: offset 0x%llx", (unsigned long long)offset);
    assert_string_equal(diag.where, where);
    if (!strstr(diag.message, message))
        fail_msg("'%s' does not say '%s'", diag.message, message);
}

static void test_damaged_archives_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *name, *size, *message;
        uint64_t at;
    } bad[] = {
        {"a.o/", "5", "run past the end", 8},
        {"a.o/", "9999999999", "run past the end", 8},
        {"a.o/", "-1", "size is no number", 56},
        {"a.o/", "", "size is no number", 56},
        {"a.o/", "0x4", "size is no number", 56},
        {"/0", "4", "outside the table of names", 8},
        {"/999999999999999", "4", "outside the table of names", 8},
        {"/1x", "4", "name is no name", 8},
        {"#1/5", "4", "longer than itself", 8},
        {"#1/", "4", "longer than itself", 8},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct text text = {.size = 0};
        put(&text, "!<arch>\n", 8);
        member(&text, bad[i].name, bad[i].size, "data", 4);
        refuse(&text, bad[i].at, bad[i].message);
    }
    struct text cut = {.size = 0};
    put(&cut, "!<arch>\n", 8);
    member(&cut, "a.o/", "4", "data", 4);
    put(&cut, "b.o/", 4);
    refuse(&cut, 72, "header is cut off");
    struct text ended = {.size = 0};
    put(&ended, "!<arch>\n", 8);
    member(&ended, "a.o/", "4", "data", 4);
    ended.bytes[8 + 58] = 'x';
    refuse(&ended, 8, "does not end so");
}

static void test_a_thin_archive_without_its_files(void **state)
{
    (void)state;
    struct text text = {.size = 0};
    put(&text, "!<thin>\n", 8);
    member(&text, "//", "20", "no/such/file/of/us/\n", 20);
    char header[64];
    snprintf(header, sizeof header, "%-16s%-12s%-6s%-6s%-8s%-10s`\n", "/0", "0", "0", "0", "644",
             "77");
    put(&text, header, 60);
    struct trn_fw *fw;
    struct trn_diag diag;
    assert_int_equal(open_text(&text, &fw, &diag), TRN_OK);
    assert_int_equal(trn_fw_form_of(fw), TRN_FW_THIN_ARCHIVE);
    assert_int_equal(trn_fw_member_count(fw), 1);
    assert_string_equal(trn_fw_member(fw, 0)->name, "no/such/file/of/us");
    assert_int_equal(trn_fw_member(fw, 0)->size, 77);
    assert_int_equal(trn_fw_image_count(fw), 0);
    assert_non_null(strstr(trn_fw_note(fw, 0), "No such file"));
    trn_fw_close(fw);
}

/* ---- flat files ------------------------------------------------------------------- */

static void test_a_file_that_is_no_container_is_one_image(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3};
    struct trn_fw *fw;
    assert_int_equal(trn_fw_open_bytes(bytes, 3, "dir/x.bin", &fw, NULL), TRN_OK);
    assert_int_equal(trn_fw_form_of(fw), TRN_FW_FLAT);
    assert_int_equal(trn_fw_image_count(fw), 1);
    const struct trn_fw_image *const image = trn_fw_image(fw, 0);
    assert_string_equal(image->symbol, "x.bin");
    assert_ptr_equal(image->bytes, bytes);
    assert_int_equal(image->size, 3);
    assert_int_equal(image->source, TRN_FW_WHOLE_FILE);
    assert_false(image->is_cursor);
    trn_fw_close(fw);
    assert_int_equal(trn_fw_open_bytes(bytes, 0, "empty", &fw, NULL), TRN_OK);
    assert_false(trn_fw_image(fw, 0)->is_cursor);
    trn_fw_close(fw);
}

/* ---- catalogue -------------------------------------------------------------------- */

static void hash_from(const char *text, uint8_t hash[TRN_FW_SHA256])
{
    for (size_t i = 0; i < TRN_FW_SHA256; i++) {
        const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
        hash[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static void test_verdicts_on_images(void **state)
{
    (void)state;
    /* Rows of data/firmware-images.csv: SUNDA_NX_ACT_RELEASE_IRAM has 0x8f20 bytes and this hash;
     * SUNDA_NX_POOL_RELEASE_IRAM 0xd040 and 0ef85167..f06b68. */
    uint8_t hash[TRN_FW_SHA256];
    struct trn_fw_image image = {.symbol = "SUNDA_NX_ACT_RELEASE_IRAM_get", .size = 0x8f20};
    const struct trn_fw_known *row;
    hash_from("b7e0a63a53540f427f73bc20b0f1fd658e61661085b684d8538239f466412bb0", hash);
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_KNOWN);
    assert_string_equal(row->symbol, "SUNDA_NX_ACT_RELEASE_IRAM_get");
    image.symbol = "getter 0x1000"; /* stripped: the hash names it */
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_KNOWN);
    assert_string_equal(row->symbol, "SUNDA_NX_ACT_RELEASE_IRAM_get");
    hash[31] ^= 1;
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_DIFFERS);
    image.size++;
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_UNKNOWN);
    assert_null(row);
    image.size = 0xd040;
    hash_from("0ef8516700000000000000000000000000000000000000000000000000f06b68", hash);
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_KNOWN);
    assert_string_equal(row->symbol, "SUNDA_NX_POOL_RELEASE_IRAM_get");
    hash[0] ^= 1;
    assert_int_equal(trn_fw_identify(&image, hash, NULL), TRN_FW_DIFFERS);
    image.size = 0;
    assert_int_equal(trn_fw_identify(&image, hash, &row), TRN_FW_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_catalogued_name_reads_and_prints),
        cmocka_unit_test(test_the_longest_generation_wins_and_decorations_go),
        cmocka_unit_test(test_names_outside_the_grammar_are_refused),
        cmocka_unit_test(test_stubs_of_the_sheet),
        cmocka_unit_test(test_one_byte_off_is_no_stub),
        cmocka_unit_test(test_stubs_are_found_in_code),
        cmocka_unit_test(test_forms_by_their_bytes),
        cmocka_unit_test(test_cam_and_table_by_their_invariants),
        cmocka_unit_test(test_names_of_members),
        cmocka_unit_test(test_damaged_archives_say_where),
        cmocka_unit_test(test_a_thin_archive_without_its_files),
        cmocka_unit_test(test_a_file_that_is_no_container_is_one_image),
        cmocka_unit_test(test_verdicts_on_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
