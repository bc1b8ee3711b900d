/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers here are copied by hand from docs/hardware/isa-core.md 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mem/onchip.h"

struct geometry {
    const char *name;
    uint32_t sbuf_stride, sbuf_active, sbuf_size, psum_base;
};

static const struct geometry geometries[] = {
    {"sunda", 0x40000, 0x30000, 0x2000000, 0x2000000},
    {"cayman", 0x40000, 0x38000, 0x2000000, 0x2000000},
    {"mariana", 0x40000, 0x40000, 0x2000000, 0x2000000},
    {"mariana_plus", 0x40000, 0x40000, 0x2000000, 0x2000000},
    {"maverick", 0x100000, 0x80000, 0x8000000, 0x8000000},
};

enum {
    GENS = sizeof geometries / sizeof geometries[0],
    PSUM_STRIDE = 0x8000,
    PSUM_ACTIVE = 0x4000
};

static void expect(const struct trn_gen *gen, uint64_t address, enum trn_onchip_fault fault,
                   enum trn_space space, uint32_t partition, uint32_t byte)
{
    struct trn_onchip at;
    assert_int_equal(trn_onchip_decode(gen, address, &at), fault);
    if (fault == TRN_ONCHIP_NO_REGION)
        return;
    assert_int_equal(at.space, space);
    assert_int_equal(at.partition, partition);
    assert_int_equal(at.byte, byte);
    assert_int_equal(trn_onchip_encode(gen, &at), address);
}

static void test_each_byte_of_a_partition(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENS; g++) {
        const struct geometry *geometry = &geometries[g];
        const struct trn_gen *gen = trn_gen_find(geometry->name);
        for (uint32_t byte = 0; byte < geometry->sbuf_stride; byte++)
            expect(gen, (uint64_t)77 * geometry->sbuf_stride + byte,
                   byte < geometry->sbuf_active ? TRN_ONCHIP_OK : TRN_ONCHIP_INACTIVE,
                   TRN_SPACE_SBUF, 77, byte);
        for (uint32_t byte = 0; byte < PSUM_STRIDE; byte++)
            expect(gen, (uint64_t)geometry->psum_base + 77 * PSUM_STRIDE + byte,
                   byte < PSUM_ACTIVE ? TRN_ONCHIP_OK : TRN_ONCHIP_INACTIVE, TRN_SPACE_PSUM, 77,
                   byte);
    }
}

static void test_edges_of_every_partition(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GENS; g++) {
        const struct geometry *geometry = &geometries[g];
        const struct trn_gen *gen = trn_gen_find(geometry->name);
        for (uint32_t p = 0; p < 128; p++) {
            const uint64_t sbuf = (uint64_t)p * geometry->sbuf_stride;
            const uint64_t psum = (uint64_t)geometry->psum_base + p * PSUM_STRIDE;
            expect(gen, sbuf, TRN_ONCHIP_OK, TRN_SPACE_SBUF, p, 0);
            expect(gen, sbuf + geometry->sbuf_active - 1, TRN_ONCHIP_OK, TRN_SPACE_SBUF, p,
                   geometry->sbuf_active - 1);
            if (geometry->sbuf_active < geometry->sbuf_stride)
                expect(gen, sbuf + geometry->sbuf_active, TRN_ONCHIP_INACTIVE, TRN_SPACE_SBUF, p,
                       geometry->sbuf_active);
            expect(gen, psum, TRN_ONCHIP_OK, TRN_SPACE_PSUM, p, 0);
            expect(gen, psum + PSUM_ACTIVE - 1, TRN_ONCHIP_OK, TRN_SPACE_PSUM, p, PSUM_ACTIVE - 1);
            expect(gen, psum + PSUM_ACTIVE, TRN_ONCHIP_INACTIVE, TRN_SPACE_PSUM, p, PSUM_ACTIVE);
        }
        expect(gen, (uint64_t)geometry->psum_base + 0x400000, TRN_ONCHIP_NO_REGION, 0, 0, 0);
        expect(gen, 0x20000000, TRN_ONCHIP_NO_REGION, 0, 0, 0); /* past 29 bits */
        expect(gen, UINT64_MAX, TRN_ONCHIP_NO_REGION, 0, 0, 0);
    }
}

static void test_last_legal_psum_byte(void **state)
{
    (void)state;
    for (unsigned g = 0; g < 4; g++) {
        const struct trn_gen *gen = trn_gen_find(geometries[g].name);
        expect(gen, 0x23FBFFF, TRN_ONCHIP_OK, TRN_SPACE_PSUM, 127, 0x3FFF);
        expect(gen, 0x23FC000, TRN_ONCHIP_INACTIVE, TRN_SPACE_PSUM, 127, 0x4000);
        expect(gen, 0x23FFFFF, TRN_ONCHIP_INACTIVE, TRN_SPACE_PSUM, 127, 0x7FFF);
        expect(gen, 0x2400000, TRN_ONCHIP_NO_REGION, 0, 0, 0);
    }
}

/* Written out as the sheet has it: n in 1..32 -> {0,32,64,96}; 33..64 -> {0,64}; 65..128 -> {0}. */
static void test_start_partition_rule(void **state)
{
    (void)state;
    for (uint32_t n = 0; n <= 300; n++) {
        for (uint32_t p = 0; p < 256; p++) {
            bool legal = false;
            if (n >= 1 && n <= 32)
                legal = p == 0 || p == 32 || p == 64 || p == 96;
            else if (n >= 33 && n <= 64)
                legal = p == 0 || p == 64;
            else if (n >= 65 && n <= 128)
                legal = p == 0;
            const enum trn_onchip_fault fault = trn_onchip_channels(p, n);
            assert_int_equal(fault == TRN_ONCHIP_OK, legal);
            if (legal)
                assert_true(p + n <= 128);
            else
                assert_int_equal(fault,
                                 n < 1 || n > 128 ? TRN_ONCHIP_CHANNELS : TRN_ONCHIP_PARTITION);
        }
    }
}

static void test_legal_starts_are_named(void **state)
{
    (void)state;
    assert_string_equal(trn_onchip_legal_starts(0), "none");
    assert_string_equal(trn_onchip_legal_starts(8), "0, 32, 64 or 96");
    assert_string_equal(trn_onchip_legal_starts(32), "0, 32, 64 or 96");
    assert_string_equal(trn_onchip_legal_starts(36), "0 or 64");
    assert_string_equal(trn_onchip_legal_starts(65), "0");
    assert_string_equal(trn_onchip_legal_starts(128), "0");
    assert_string_equal(trn_onchip_legal_starts(129), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_byte_of_a_partition),
        cmocka_unit_test(test_edges_of_every_partition),
        cmocka_unit_test(test_last_legal_psum_byte),
        cmocka_unit_test(test_start_partition_rule),
        cmocka_unit_test(test_legal_starts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
