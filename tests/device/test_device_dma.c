/* SPDX-License-Identifier: Apache-2.0 */
/* DMA engines in the device: a driver's copies between the memories (udma.md 7, 8), their turn in a
 * run, words of the descriptor generator with good and bad content (field-cases.md F10, F20). */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"
#include "trench/udma.h"

enum { HOST_BYTES = 0x40000, RING = 64, TX = 0, RX = 0x1000, MARKER = 0x2000, DATA = 0x10000 };

struct rig {
    struct fixture core;
    struct trn_hal *hal;
    struct trn_hal_udma_queue queue;
    uint8_t host[HOST_BYTES];
};

static uint64_t host_at(const struct rig *rig, uint64_t offset)
{
    return rig->core.gen->hal_host_base + offset;
}

static struct trn_hal_udma_memory memory_at(struct rig *rig, uint64_t offset)
{
    return (struct trn_hal_udma_memory){host_at(rig, offset), rig->host + offset};
}

static void open_rig(struct rig *rig, const char *gen)
{
    memset(rig, 0, sizeof *rig);
    const struct trn_device_options options = {.host_memory = rig->host,
                                               .host_bytes = sizeof rig->host};
    rig->core = open_core(trn_gen_find(gen), &options);
    assert_int_equal(trn_hal_create(trn_device_bar0(rig->core.device), NULL, &rig->hal, NULL),
                     TRN_OK);
    assert_int_equal(trn_hal_latch(rig->hal, rig->core.gen), TRN_OK);
    assert_int_equal(trn_hal_udma_engine_init(rig->hal, 0, false), TRN_OK);
    const struct trn_hal_udma_memory tx = memory_at(rig, TX), rx = memory_at(rig, RX);
    assert_int_equal(trn_hal_udma_queue_init(rig->hal, 0, 1, RING, &tx, &rx, &rig->queue), TRN_OK);
}

static void close_rig(struct rig *rig)
{
    trn_hal_destroy(rig->hal);
    close_core(&rig->core);
}

static void copy(struct rig *rig, uint64_t from, uint64_t to, uint64_t size)
{
    const struct trn_hal_udma_memory marker = memory_at(rig, MARKER);
    if (trn_hal_udma_copy(rig->hal, &rig->queue, from, to, size, &marker) != TRN_OK)
        fail_msg("%s", trn_hal_diag(rig->hal)->message);
}

/* Host memory to HBM, to SBUF and back: a doorbell is complete before the next access. */
static void test_a_driver_copies_between_memories(void **state)
{
    (void)state;
    static const char *const gens[] = {"sunda", "cayman", "mariana"};
    static struct rig rig;
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        open_rig(&rig, gens[g]);
        const uint64_t hbm = trn_device_hbm_base(rig.core.device);
        const uint64_t sbuf = rig.core.gen->tpb_soc_base;
        for (unsigned i = 0; i < 5000; i++)
            rig.host[DATA + i] = (uint8_t)(i * 7 + 3);
        copy(&rig, host_at(&rig, DATA), hbm + 0x5001, 5000);
        copy(&rig, hbm + 0x5001, sbuf + 0x100, 5000);
        copy(&rig, sbuf + 0x100, host_at(&rig, DATA + 0x8003), 5000);
        assert_memory_equal(rig.host + DATA, rig.host + DATA + 0x8003, 5000);
        assert_int_equal(rig.host[DATA + 0x8002], 0);
        assert_int_equal(rig.host[DATA + 0x8003 + 5000], 0);
        assert_int_equal(hbm32(&rig.core, 0x5000), 0x110A0300); /* bytes 3, 10, 17 behind a 0 */
        close_rig(&rig);
    }
}

/* F10: 54 bytes to SBUF byte 0x92 over a filler: exactly these change. */
static void test_an_unaligned_write_changes_its_bytes_only(void **state)
{
    (void)state;
    static struct rig rig;
    open_rig(&rig, "cayman");
    const uint64_t sbuf = rig.core.gen->tpb_soc_base;
    uint8_t row[0x100], wanted[0x100];
    memset(rig.host + DATA, 0xEE, sizeof row);
    copy(&rig, host_at(&rig, DATA), sbuf, sizeof row);
    for (unsigned i = 0; i < 54; i++)
        rig.host[DATA + i] = (uint8_t)i;
    copy(&rig, host_at(&rig, DATA), sbuf + 0x92, 54);
    memset(wanted, 0xEE, sizeof wanted);
    memcpy(wanted + 0x92, rig.host + DATA, 54);
    const struct trn_bus *bus = trn_device_bar0(rig.core.device);
    const uint64_t window = trn_device_space_offset(rig.core.device, TRN_SPACE_SBUF);
    assert_int_equal(bus->read_block(bus->context, window, row, sizeof row), TRN_OK);
    assert_memory_equal(row, wanted, sizeof row);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_driver_copies_between_memories),
        cmocka_unit_test(test_an_unaligned_write_changes_its_bytes_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
