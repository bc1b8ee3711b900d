/* SPDX-License-Identifier: Apache-2.0 */
/* The arch latch (docs/hardware/hal-stpb.md 3.1). */
#include "hal/host.h"

/* Is anything in the dispatch object? */
static size_t filled(const struct host *host)
{
    size_t count = 0;
    for (size_t i = 0; i < trn_hal_num_slots(); i++)
        count += trn_hal_slot_filled(host->hal, trn_hal_slot_at(i)->offset);
    return count;
}

static void test_nothing_is_latched_at_first(void **state)
{
    struct host host;
    uint32_t arch = 77;
    (void)state;
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_get_arch_type(host.hal, &arch), TRN_ERR_ASSERT);
    assert_int_equal(arch, 0);
    assert_string_equal(host_said(&host), "hal_target != 0");
    assert_int_equal(filled(&host), 0);
    host_close(&host);
}

static void test_the_archs_with_a_registrar(void **state)
{
    (void)state;
    for (uint32_t arch = 2; arch <= 4; arch++) {
        struct host host;
        uint32_t got;
        host_open(&host, NULL, NULL);
        assert_int_equal(trn_hal_set_arch_type(host.hal, arch), TRN_OK);
        assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_OK);
        assert_int_equal(got, arch);
        assert_true(filled(&host) > 0); /* eager: at set time */
        host_expect(&host, "");
        host_close(&host);
    }
}

/* 0 and 5 and above are assertions, and change nothing. */
static void test_values_outside_the_enum_assert(void **state)
{
    static const uint32_t bad[] = {0, 5, 6, 0x80000000u, UINT32_MAX};
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct host host;
        uint32_t got;
        host_open(&host, NULL, NULL);
        assert_int_equal(trn_hal_set_arch_type(host.hal, bad[i]), TRN_ERR_ASSERT);
        assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_ERR_ASSERT);
        assert_int_equal(filled(&host), 0);
        host_close(&host);
    }
}

/* 1 passes the range check and is folded to 0, which no registrar fills. */
static void test_arch_one_is_folded_and_fails(void **state)
{
    struct host host;
    uint32_t got;
    (void)state;
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_set_arch_type(host.hal, 1), -1);
    host_expect(&host, "L1 Failed to initialize kaena_khal for arch 1\n");
    assert_string_equal(host_said(&host), "Failed to initialize kaena_khal for arch 1");
    assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_ERR_ASSERT);
    assert_int_equal(filled(&host), 0);
    /* and a good value still works */
    assert_int_equal(trn_hal_set_arch_type(host.hal, 3), TRN_OK);
    host_close(&host);
}

/* OPEN in the sheet; model choice: the same value again is fine, another one is not. */
static void test_second_set(void **state)
{
    struct host host;
    uint32_t got;
    (void)state;
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_set_arch_type(host.hal, 2), TRN_OK);
    assert_int_equal(trn_hal_slot_clear(host.hal, 0x2E0), TRN_OK);
    assert_int_equal(trn_hal_set_arch_type(host.hal, 2), TRN_OK);
    assert_false(trn_hal_slot_filled(host.hal, 0x2E0)); /* the object is not filled anew */
    host_expect(&host, "");
    assert_int_equal(trn_hal_set_arch_type(host.hal, 3), -1);
    host_expect(&host, "L1 arch 2 is latched already, not changed to 3\n");
    assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_OK);
    assert_int_equal(got, 2);
    assert_false(trn_hal_slot_filled(host.hal, 0x360)); /* still SUNDA's object */
    host_close(&host);
}

static void test_reset_allows_another_arch(void **state)
{
    struct host host;
    uint32_t got;
    (void)state;
    host_open(&host, "sunda", NULL);
    trn_hal_reset_arch(host.hal);
    assert_int_equal(filled(&host), 0);
    assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_ERR_ASSERT);
    assert_int_equal(trn_hal_set_arch_type(host.hal, 4), TRN_OK);
    assert_true(trn_hal_slot_filled(host.hal, 0x360));
    host_close(&host);
}

/* Section 1: MARIANA_PLUS runs as 4, MAVERICK has no HAL. */
static void test_generations(void **state)
{
    static const struct {
        const char *gen;
        uint32_t arch;
    } cases[] = {{"sunda", 2}, {"cayman", 3}, {"mariana", 4}, {"mariana_plus", 4}};
    struct host host;
    uint32_t got;
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        host_open(&host, cases[i].gen, NULL);
        assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_OK);
        assert_int_equal(got, cases[i].arch);
        host_close(&host);
    }
    host_open(&host, NULL, NULL);
    assert_int_equal(trn_hal_latch(host.hal, trn_gen_find("maverick")), TRN_ERR_UNSUPPORTED);
    assert_string_equal(host_said(&host), "maverick has no HAL");
    assert_int_equal(trn_hal_get_arch_type(host.hal, &got), TRN_ERR_ASSERT);
    host_close(&host);
}

/* The latch is a field of the handle: two handles do not meet. */
static void test_two_handles(void **state)
{
    struct host one, two;
    uint32_t a, b;
    (void)state;
    host_open(&one, "sunda", NULL);
    host_open(&two, "mariana", NULL);
    assert_int_equal(trn_hal_get_arch_type(one.hal, &a), TRN_OK);
    assert_int_equal(trn_hal_get_arch_type(two.hal, &b), TRN_OK);
    assert_int_equal(a, 2);
    assert_int_equal(b, 4);
    host_close(&two);
    host_close(&one);
}

static trn_status no_read(void *context, uint64_t offset, uint32_t *value)
{
    (void)context, (void)offset, (void)value;
    return TRN_OK;
}

static void *no_memory(void *platform, size_t size)
{
    (void)platform, (void)size;
    return NULL;
}

static void no_release(void *platform, void *memory)
{
    (void)platform, (void)memory;
}

static void test_create_refuses_what_cannot_work(void **state)
{
    struct fake_bus bus;
    struct trn_hal *hal = (struct trn_hal *)&bus;
    struct trn_diag diag;
    const struct trn_bus half = {.read32 = no_read};
    (void)state;
    fake_bus_open(&bus);
    assert_int_equal(trn_hal_create(NULL, NULL, &hal, &diag), TRN_ERR_INVALID);
    assert_null(hal);
    assert_int_equal(trn_hal_create(&half, NULL, &hal, &diag), TRN_ERR_INVALID);
    assert_string_equal(diag.message, "the host needs a bus");
    const struct trn_hal_options lone = {.allocate = no_memory};
    assert_int_equal(trn_hal_create(&bus.bus, &lone, &hal, &diag), TRN_ERR_INVALID);
    const struct trn_hal_options full = {.allocate = no_memory, .release = no_release};
    assert_int_equal(trn_hal_create(&bus.bus, &full, &hal, &diag), TRN_ERR_NO_MEMORY);
    assert_null(hal);
    trn_hal_destroy(NULL);
    fake_bus_close(&bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_latched_at_first),
        cmocka_unit_test(test_the_archs_with_a_registrar),
        cmocka_unit_test(test_values_outside_the_enum_assert),
        cmocka_unit_test(test_arch_one_is_folded_and_fails),
        cmocka_unit_test(test_second_set),
        cmocka_unit_test(test_reset_allows_another_arch),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_two_handles),
        cmocka_unit_test(test_create_refuses_what_cannot_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
