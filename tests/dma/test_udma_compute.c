/* SPDX-License-Identifier: Apache-2.0 */
/* Compute and transposing descriptors (docs/hardware/udma.md 2.2, 2.3). Expected values are small
 * whole numbers, exact in every format used; the words are literal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "dma/udma_rig.h"

enum { COPY = 0x01080003, PACKET = 0x0C000000, FIRST = 0x04000000, LAST = 0x08000000 };
enum { INT32 = 8, FP32 = 10, BF16 = 6 }; /* wire codes of data/dtypes.csv */

/* 2.3: base words of add, fma, max (2), min (3) and ext (4), with both types. */
static uint32_t cce(unsigned op_type, unsigned sub, unsigned source, unsigned destination)
{
    return 0x02000000 | op_type << 20 | destination << 16 | source << 12 | sub;
}

static void put_floats(struct rig *rig, uint64_t at, const float *values, size_t n)
{
    memcpy(rig_at(rig, at), values, n * sizeof *values);
}

static void assert_floats(struct rig *rig, uint64_t at, const float *values, size_t n)
{
    assert_memory_equal(rig_at(rig, at), values, n * sizeof *values);
}

static const float a[4] = {1.0f, -2.0f, 3.5f, 100.0f}, b[4] = {10.0f, -20.0f, 0.5f, 99.0f};

static void test_operations(void **state)
{
    (void)state;
    static const struct {
        unsigned op_type, sub;
        float right[4];
    } cases[] = {{0, 0, {11.0f, -22.0f, 4.0f, 199.0f}}, /* ADD */
                 {1, 0, {11.0f, -22.0f, 4.0f, 199.0f}}, /* FMA, scale 1 without metadata */
                 {1, 1, {10.0f, 40.0f, 1.75f, 9900.0f}},
                 {2, 0, {10.0f, -2.0f, 3.5f, 100.0f}}, /* MAX */
                 {3, 0, {1.0f, -20.0f, 0.5f, 99.0f}},  /* MIN */
                 {4, 0, {1.0f, -2.0f, 3.5f, 100.0f}}}; /* EXT */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        put_floats(&rig, RIG_A + 0x9001, a, 4);
        put_floats(&rig, RIG_B + 3, b, 4);
        rig_rx(&rig, 16, RIG_B + 3);
        rig_tx(&rig, PACKET | 16, cce(cases[i].op_type, cases[i].sub, FP32, FP32), RIG_A + 0x9001);
        rig_go(&rig);
        assert_int_equal(trn_udma_fault(rig.engine).status, TRN_OK);
        assert_floats(&rig, RIG_B + 3, cases[i].right, 4);
        assert_true(rig.choices[TRN_CHOICE_UDMA_CCE_FORM] > 0);
        rig_close(&rig);
    }
}

/* BF16 is the upper half of FP32: 1.0 is 3F80, -2.0 C000, 3.5 4060, 100.0 42C8. */
static void test_casts_on_the_way(void **state)
{
    (void)state;
    static const uint16_t bf16[4] = {0x3F80, 0xC000, 0x4060, 0x42C8};
    static const int32_t ints[4] = {1, -2, 4, 100}; /* 3.5 rounds to the even 4 */
    struct rig rig;
    rig_open(&rig, "sunda");
    rig_bring_up(&rig);
    put_floats(&rig, RIG_A + 0x9000, a, 4);
    rig_rx(&rig, 8, RIG_B);
    rig_tx(&rig, PACKET | 16, cce(4, 0, FP32, BF16), RIG_A + 0x9000);
    rig_rx(&rig, 16, RIG_B + 0x100);
    rig_tx(&rig, PACKET | 8, cce(4, 0, BF16, FP32), RIG_B);
    rig_rx(&rig, 16, RIG_B + 0x200);
    rig_tx(&rig, PACKET | 16, cce(4, 0, FP32, INT32), RIG_A + 0x9000);
    rig_go(&rig);
    assert_int_equal(trn_udma_fault(rig.engine).status, TRN_OK);
    assert_memory_equal(rig_at(&rig, RIG_B), bf16, sizeof bf16);
    assert_floats(&rig, RIG_B + 0x100, a, 4);
    assert_memory_equal(rig_at(&rig, RIG_B + 0x200), ints, sizeof ints);
    rig_close(&rig);
}

/* A metadata descriptor sets operation and scale of its packet, and of no other. */
static void test_metadata_sets_the_scale(void **state)
{
    (void)state;
    static const float right[4] = {12.0f, -24.0f, 7.5f, 299.0f}; /* 2 a + b */
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    put_floats(&rig, RIG_A + 0x9000, a, 4);
    put_floats(&rig, RIG_B, b, 4);
    rig_tx(&rig, 0x04800000, cce(1, 0, FP32, FP32), UINT64_C(0x4000000009000000)); /* scale 2.0 */
    rig_tx(&rig, 8, COPY, RIG_A + 0x9000);
    rig_tx(&rig, LAST | 8, COPY, RIG_A + 0x9008);
    rig_rx(&rig, 16, RIG_B);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B + 0x100, 16);
    rig_go(&rig);
    assert_int_equal(trn_udma_fault(rig.engine).status, TRN_OK);
    assert_floats(&rig, RIG_B, right, 4);
    assert_floats(&rig, RIG_B + 0x100, a, 4);
    rig_close(&rig);
}

/* Everything else is a typed answer and an abort, never a silent guess. */
static void test_unsupported_operations(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *what;
    } words[] = {
        {0x00000000, "a class or type of operation that does not exist (2.2)"},
        {0x01180003, "CRC32 (2.2, CME type 1)"},
        {0x01280003, "CRC32C (2.2, CME type 2)"},
        {0x01780003, "CRC8 (2.2, CME type 7)"},
        {0x01080003 | 1u << 16, "CRC options"}, /* send the CRC */
        {0x01080003 | 1u << 10, "CRC options"}, /* swap the source */
        {0x01000003, "without its source (2.2)"},
        {0x02500000, "a gradient, GCE (2.3)"},
        {0x02000000, "ADD with this sub-operation or these types (2.3)"},
        {0x0200A001, "ADD with this sub-operation"},
        {0x00800001, "a striding split (2.3)"},
        {0x00A00001, "replication (2.3)"},
        {0x00900003, "a transpose of other than rows"}, /* of 3-byte elements */
        {0x00900022, "a transpose of other than rows"}, /* with a shape */
        {0x03800000, "a class or type of operation that does not exist (2.2)"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct rig rig;
        struct trn_diag diag = {0};
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig_rx(&rig, 16, RIG_B);
        rig_tx(&rig, PACKET | 16, words[i].word, RIG_A);
        rig_go(&rig);
        assert_int_equal(trn_udma_explain_fault(rig.engine, &diag), TRN_ERR_UNSUPPORTED);
        assert_non_null(strstr(diag.message, "no cause of the hardware"));
        if (!strstr(diag.message, words[i].what))
            fail_msg("no '%s' in '%s'", words[i].what, diag.message);
        assert_int_equal(rig_read(&rig, M2S_STATE), 0x2222);
        assert_int_equal(rig_read(&rig, CAUSE_A), 0);
        rig_close(&rig);
    }
}

/* 3: most elements of a compute descriptor. */
static void test_element_limit(void **state)
{
    (void)state;
    static const struct {
        const char *generation;
        uint32_t limit;
    } cases[] = {{"sunda", 1024}, {"cayman", 2048}, {"mariana", 2048}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const uint32_t size = 4 * (cases[i / 2].limit + (uint32_t)(i % 2));
        struct rig rig;
        rig_open(&rig, cases[i / 2].generation);
        rig_bring_up(&rig);
        rig_rx(&rig, size, RIG_B);
        rig_tx(&rig, PACKET | size, cce(0, 0, FP32, FP32), RIG_A + 0x9000);
        rig_go(&rig);
        assert_int_equal(trn_udma_fault(rig.engine).status, i % 2 ? TRN_ERR_UNSUPPORTED : TRN_OK);
        rig_close(&rig);
    }
}

/* A destination that has no room for the result: B24. */
static void test_result_must_fit(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_rx(&rig, 12, RIG_B);
    rig_tx(&rig, PACKET | 8, cce(4, 0, BF16, FP32), RIG_A);
    rig_go(&rig);
    assert_int_equal(trn_udma_fault(rig.engine).cause, 24);
    rig_close(&rig);
}

/* Rows of one length leave column by column. */
static void test_transpose(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 2, 4, 8};
    enum { ROWS = 5, COLUMNS = 37 };
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const unsigned size = sizes[s];
        struct rig rig;
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        for (uint32_t r = 0; r < ROWS; r++) {
            for (uint32_t i = 0; i < COLUMNS * size; i++)
                *rig_at(&rig, RIG_A + 0x9000 + 0x200 * r + i) =
                    (uint8_t)(r * 41 + i * 7 + i / size);
            rig_tx(&rig, COLUMNS * size | (r == 0 ? FIRST : 0) | (r == ROWS - 1 ? LAST : 0),
                   0x00900000 | size, RIG_A + 0x9000 + 0x200 * r);
        }
        rig_rx(&rig, ROWS * size, RIG_B); /* the first column, then the others */
        rig_rx(&rig, ROWS * size * (COLUMNS - 1), RIG_B + ROWS * size);
        rig_go(&rig);
        assert_int_equal(trn_udma_fault(rig.engine).status, TRN_OK);
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint32_t c = 0; c < COLUMNS; c++)
                assert_memory_equal(rig_at(&rig, RIG_B + (c * ROWS + r) * size),
                                    rig_at(&rig, RIG_A + 0x9000 + 0x200 * r + c * size), size);
        assert_int_equal(rig_read(&rig, M2S_BANK + 0x1000 * RIG_QUEUE + Q_STATUS), 0);
        rig_close(&rig);
    }
}

static void test_transpose_needs_equal_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t first, second, word1;
    } cases[] = {{16, 12, 0x00900002}, {15, 15, 0x00900002}, {16, 16, 0x01080003}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig_tx(&rig, FIRST | cases[i].first, 0x00900002, RIG_A);
        rig_tx(&rig, LAST | cases[i].second, cases[i].word1, RIG_A);
        rig_rx(&rig, 32, RIG_B);
        rig_go(&rig);
        assert_int_equal(trn_udma_fault(rig.engine).status, TRN_ERR_UNSUPPORTED);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_casts_on_the_way),
        cmocka_unit_test(test_metadata_sets_the_scale),
        cmocka_unit_test(test_unsupported_operations),
        cmocka_unit_test(test_element_limit),
        cmocka_unit_test(test_result_must_fit),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_transpose_needs_equal_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
