/* SPDX-License-Identifier: Apache-2.0 */
/* SoC addresses of core 0: docs/hardware/address-map.md 4.1 and 4.2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mem/hbm.h"
#include "mem/soc.h"

/* A bus of 16 registers that notes what reached it. */
struct registers {
    uint32_t values[16];
    uint64_t offset;
    size_t size;
};

static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    struct registers *registers = context;
    registers->offset = offset;
    registers->size = size;
    memcpy(data, (const uint8_t *)registers->values + offset % 64, size);
    return TRN_OK;
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct registers *registers = context;
    registers->offset = offset;
    registers->size = size;
    memcpy((uint8_t *)registers->values + offset % 64, data, size);
    return TRN_OK;
}

static const struct trn_origin act = {1, 0x40};

static struct trn_mem *create(const char *gen)
{
    struct trn_mem *mem;
    assert_int_equal(trn_mem_create(trn_gen_find(gen), NULL, &mem, NULL), TRN_OK);
    return mem;
}

static void test_memories_stand_at_their_bases(void **state)
{
    (void)state;
    static const struct {
        const char *gen;
        uint64_t sbuf, psum;
    } bases[] = {
        {"sunda", UINT64_C(0xFFFC0000000), UINT64_C(0xFFFC2000000)},
        {"cayman", UINT64_C(0x2000000000), UINT64_C(0x2802000000)},
        {"mariana", UINT64_C(0x2000000000), UINT64_C(0x2802000000)},
        {"mariana_plus", UINT64_C(0x2000000000), UINT64_C(0x2802000000)},
    };
    for (unsigned i = 0; i < 4; i++) {
        struct trn_mem *mem = create(bases[i].gen);
        const struct trn_soc soc = trn_soc_of(mem, 0, NULL, 0);
        assert_int_equal(trn_soc_write(&soc, bases[i].sbuf + 3 * 0x40000 + 7, "sb", 2, act),
                         TRN_OK);
        assert_memory_equal(trn_plane_at(&mem->sbuf, 3, 7), "sb", 2);
        assert_int_equal(trn_soc_write(&soc, bases[i].psum + 3 * 0x8000 + 7, "ps", 2, act), TRN_OK);
        assert_memory_equal(trn_plane_at(&mem->psum, 3, 7), "ps", 2);
        assert_int_equal(trn_soc_write(&soc, 0x3FFFFFFFF, "h", 1, act), TRN_OK);
        assert_memory_equal(trn_hbm_span(mem->hbm, 0x3FFFFFFFF, 1), "h", 1);
        char data[2];
        assert_int_equal(trn_soc_read(&soc, bases[i].psum + 3 * 0x8000 + 7, data, 2, act), TRN_OK);
        assert_memory_equal(data, "ps", 2);
        /* the last byte of each block, and the first behind it */
        assert_int_equal(trn_soc_read(&soc, bases[i].sbuf + 0x1FFFFFF, data, 1, act), TRN_OK);
        assert_int_equal(trn_soc_read(&soc, bases[i].psum + 0x3FFFFF, data, 1, act), TRN_OK);
        assert_int_equal(trn_soc_read(&soc, bases[i].psum + 0x400000, data, 1, act),
                         TRN_ERR_ADDRESS);
        assert_int_equal(trn_soc_read(&soc, bases[i].psum + 0x3FFFFF, data, 2, act),
                         TRN_ERR_ADDRESS);
        assert_int_equal(trn_soc_read(&soc, bases[i].sbuf - 1, data, 1, act), TRN_ERR_ADDRESS);
        assert_int_equal(trn_soc_read(&soc, 0x400000000, data, 1, act), TRN_ERR_ADDRESS);
        assert_int_equal(trn_soc_read(&soc, UINT64_MAX, data, 2, act), TRN_ERR_ADDRESS);
        assert_int_equal(trn_soc_read(&soc, 0, data, 0, act), TRN_ERR_INVALID);
        trn_mem_destroy(mem);
    }
}

static void test_hbm_may_stand_elsewhere(void **state)
{
    (void)state;
    struct trn_mem *mem = create("maverick");
    const struct trn_soc soc = trn_soc_of(mem, UINT64_C(0x80000000000), NULL, 0);
    char data[1];
    assert_int_equal(trn_soc_write(&soc, UINT64_C(0x80000000005), "x", 1, act), TRN_OK);
    assert_memory_equal(trn_hbm_span(mem->hbm, 5, 1), "x", 1);
    assert_int_equal(trn_soc_read(&soc, UINT64_C(0x7FFFFFFFFFF), data, 1, act), TRN_ERR_ADDRESS);
    trn_mem_destroy(mem);
}

static void test_windows_take_whole_registers(void **state)
{
    (void)state;
    struct trn_mem *mem = create("cayman");
    struct registers registers = {{0}, 0, 0};
    const struct trn_bus bus = {
        .context = &registers, .read_block = read_block, .write_block = write_block};
    const struct trn_soc_window windows[] = {{UINT64_C(0x2802700000), 64, &bus, 0x2700000, false}};
    const struct trn_soc soc = trn_soc_of(mem, 0, windows, 1);
    const uint64_t base = UINT64_C(0x2802700000);
    const uint32_t pair[2] = {0x11111111, 0x22222222};
    assert_int_equal(trn_soc_write(&soc, base + 56, pair, 8, act), TRN_OK);
    assert_int_equal(registers.offset, 0x2700000 + 56);
    assert_int_equal(registers.size, 8);
    assert_int_equal(registers.values[14], 0x11111111);
    uint32_t value = 0;
    assert_int_equal(trn_soc_read(&soc, base + 60, &value, 4, act), TRN_OK);
    assert_int_equal(value, 0x22222222);
    registers.size = 0;
    assert_int_equal(trn_soc_read(&soc, base + 2, &value, 4, act), TRN_ERR_INVALID);
    assert_int_equal(trn_soc_write(&soc, base, &value, 1, act), TRN_ERR_INVALID);
    assert_int_equal(trn_soc_write(&soc, base, &value, 2, act), TRN_ERR_INVALID);
    uint32_t two[2];
    assert_int_equal(trn_soc_read(&soc, base + 60, two, 8, act), TRN_ERR_ADDRESS);
    assert_int_equal(trn_soc_read(&soc, base - 4, &value, 4, act), TRN_ERR_ADDRESS);
    assert_int_equal(registers.size, 0);
    trn_mem_destroy(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memories_stand_at_their_bases),
        cmocka_unit_test(test_hbm_may_stand_elsewhere),
        cmocka_unit_test(test_windows_take_whole_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
