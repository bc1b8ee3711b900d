/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphore thresholds of a core (docs/hardware/sync.md 2, notific.md 7): an update that leaves
 * [low, high] is a semaphore error, trigger 59 (tpb-intc-triggers.csv: unit 0, group 1, bit 27). */
#include <string.h>

#include "seq/fixture.h"
#include "trench/map.h"

enum { SEMAPHORE = 9, LOW = 2, HIGH = 4 };

static uint64_t place(const struct fixture *core, const char *name)
{
    struct trn_map_place at;
    struct trn_diag diag;
    if (trn_map_name(core->gen, name, 0, &at, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    return at.address[TRN_MAP_BAR0];
}

static void poke(const struct fixture *core, const char *name, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    assert_int_equal(bus->write32(bus->context, place(core, name), value), TRN_OK);
}

static uint32_t peek(const struct fixture *core, const char *name)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint32_t value;
    assert_int_equal(bus->read32(bus->context, place(core, name), &value), TRN_OK);
    return value;
}

static struct fixture open_bounded(const char *gen)
{
    struct fixture core = open_core(trn_gen_find(gen), NULL);
    assert_int_equal(peek(&core, "core0.tpb.events_semaphores.sem_threshold_ctrl0"), 0);
    assert_int_equal(peek(&core, "core0.tpb.events_semaphores.sem_threshold_ctrl1"), UINT32_MAX);
    peek(&core, "core0.notific.nq_enable"); /* the block is there */
    poke(&core, "core0.tpb.events_semaphores.sem_threshold_ctrl0", LOW);
    poke(&core, "core0.tpb.events_semaphores.sem_threshold_ctrl1", HIGH);
    set_sem(&core, SEMAPHORE, LOW);
    return core;
}

/* The semaphore takes these values one after the other; how many of the steps are errors. */
static void walk(const char *gen, const uint32_t *values, unsigned count, unsigned errors)
{
    struct fixture core = open_bounded(gen);
    struct program p = program_for(core.gen);
    for (unsigned i = 0; i < count; i++)
        set_update(add(&p, TRN_OPCODE_NOP), TRN_UPDATE_MODE_SEM_WR_IMM_COMPLETE, SEMAPHORE,
                   values[i]);
    add(&p, TRN_OPCODE_HALT);
    start(&core, DVE, &p);
    assert_int_equal(run(&core, 0), TRN_RUN_OK);
    assert_int_equal(core.report.choices[TRN_CHOICE_SEMAPHORE_ERROR], errors);
    assert_int_equal(peek(&core, "core0.trig0.int_cause_grp[1]") >> 27 & 1, errors > 0);
    close_core(&core);
}

static void test_leaving_the_bounds_is_an_error(void **state)
{
    (void)state;
    static const char *const gens[] = {"sunda", "cayman", "mariana"};
    static const uint32_t inside[] = {3, 4, 2, 4}, above[] = {3, 4, 5, 6, 9}, below[] = {2, 1, 0};
    static const uint32_t twice[] = {4, 5, 3, 1, 2};
    for (size_t g = 0; g < sizeof gens / sizeof gens[0]; g++) {
        walk(gens[g], inside, 4, 0); /* the bounds themselves are inside */
        walk(gens[g], above, 5, 1);  /* once: what is outside stays there */
        walk(gens[g], below, 3, 1);
        walk(gens[g], twice, 5, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leaving_the_bounds_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
