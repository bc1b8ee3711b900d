/* SPDX-License-Identifier: Apache-2.0 */
/* How the driver numbers notification queues (docs/hardware/notific.md 8.2). */
#include "hal/host.h"

static void test_the_key_and_the_place_of_a_queue(void **state)
{
    (void)state;
    struct host host;
    struct trn_hal_nq_place at;
    host_open(&host, "cayman", NULL);
    for (unsigned type = 0; type < 6; type++)
        for (unsigned index = 0; index < 200; index++) {
            const trn_status status =
                trn_hal_nq_identity(host.hal, (enum trn_hal_nq_type)type, index, &at);
            if (type * 16 + index >= 96) {
                assert_int_equal(status, -22);
                continue;
            }
            assert_int_equal(status, TRN_OK);
            assert_int_equal(at.id, type * 16 + index);
            assert_int_equal(at.of_dma, type == 4); /* TRACE_DMA: SDMA `index`, queue 0 */
            assert_int_equal(at.dma, type == 4 ? index : 0);
            assert_int_equal(at.queue, type == 4 ? 0 : index);
        }
    assert_int_equal(trn_hal_nq_identity(host.hal, (enum trn_hal_nq_type)6, 0, &at), -22);
    assert_int_equal(trn_hal_nq_identity(host.hal, TRN_HAL_NQ_TRACE, UINT32_MAX, &at), -22);
    host_expect(&host, ""); /* no register was touched */
    host_close(&host);
}

/* inst = (off - 0x10c) / 0x28 must be exact; type = inst / 16, id = inst % 16. */
static void test_a_head_register_names_its_queue(void **state)
{
    (void)state;
    static const char *const gens[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        struct host host;
        enum trn_hal_nq_type type;
        unsigned index;
        host_open(&host, gens[g], NULL);
        for (uint64_t offset = 0; offset < 0x1000; offset++) {
            const bool exact = offset >= 0x10c && (offset - 0x10c) % 0x28 == 0;
            const uint64_t instance = exact ? (offset - 0x10c) / 0x28 : 0;
            const trn_status status = trn_hal_nq_of_head(host.hal, offset, &type, &index);
            assert_int_equal(status, exact && instance < 96 ? TRN_OK : TRN_ERR_INVALID);
            if (status != TRN_OK)
                continue;
            assert_int_equal(type, instance / 16);
            assert_int_equal(index, instance % 16);
        }
        host_close(&host);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_key_and_the_place_of_a_queue),
        cmocka_unit_test(test_a_head_register_names_its_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
