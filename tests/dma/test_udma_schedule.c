/* SPDX-License-Identifier: Apache-2.0 */
/* Which queue is served next (docs/hardware/udma.md 11). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "dma/udma_rig.h"

enum { DWRR_1 = 0x80, QOS = 0x84, RATE_1 = 0x60, COPIES = 3 };
#define PAUSE UINT32_C(0x02000000) /* bit 25 */

/* Queue q has three copies; each writes its mark to the same word. */
static void fill_queue(struct rig *rig, unsigned q)
{
    const uint64_t tx = RIG_A + 0x10000 + 0x1000 * q, rx = RIG_A + 0x20000 + 0x1000 * q;
    const uint64_t data = RIG_A + 0x30000 + 0x1000 * q;
    rig_queue_init(rig, q, tx, rx, 32);
    for (uint32_t i = 0; i < COPIES; i++) {
        trn_put32(rig_at(rig, data + 4 * i), 0x10 * q + i);
        trn_put64(rig_at(rig, tx + 16 * i), UINT64_C(0x010800030D000004));
        trn_put64(rig_at(rig, tx + 16 * i + 8), data + 4 * i);
        trn_put64(rig_at(rig, rx + 16 * i), UINT64_C(0x01000004));
        trn_put64(rig_at(rig, rx + 16 * i + 8), RIG_B);
    }
    trn_udma_ring_doorbells(rig->engine, q, COPIES, COPIES);
}

static void expect(struct rig *rig, const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trn_udma_run(rig->engine, 1), 1);
        assert_int_equal(trn_get32(rig_at(rig, RIG_B)), order[i]);
    }
}

static void open_three(struct rig *rig)
{
    rig_open(rig, "cayman");
    rig_bring_up(rig);
    for (unsigned q = 5; q < 8; q++)
        fill_queue(rig, q);
}

static void test_a_higher_qos_goes_first(void **state)
{
    (void)state;
    struct rig rig;
    open_three(&rig);
    rig_write(&rig, M2S_BANK + 0x1000 * 6 + QOS, 2);
    rig_write(&rig, M2S_BANK + 0x1000 * 7 + QOS, 1);
    static const uint32_t order[] = {0x60, 0x61, 0x62, 0x70, 0x71, 0x72, 0x50, 0x51, 0x52};
    expect(&rig, order, 9);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_QOS], 2);
    rig_close(&rig);
}

static void test_equal_qos_takes_turns(void **state)
{
    (void)state;
    struct rig rig;
    open_three(&rig);
    for (unsigned q = 6; q < 8; q++)
        rig_write(&rig, M2S_BANK + 0x1000 * q + QOS, 0x80);
    static const uint32_t order[] = {0x60, 0x70, 0x61, 0x71, 0x62, 0x72, 0x50, 0x51, 0x52};
    expect(&rig, order, 9);
    rig_close(&rig);
}

static void test_a_paused_queue_waits(void **state)
{
    (void)state;
    struct rig rig;
    open_three(&rig);
    rig_write(&rig, M2S_BANK + 0x1000 * 5 + DWRR_1, PAUSE);
    static const uint32_t order[] = {0x60, 0x70, 0x61, 0x71, 0x62, 0x72};
    expect(&rig, order, 6);
    assert_int_equal(trn_udma_run(rig.engine, 0), 0);
    assert_false(trn_udma_ready(rig.engine));
    rig_write(&rig, M2S_BANK + 0x1000 * 5 + DWRR_1, 0);
    assert_true(trn_udma_ready(rig.engine));
    static const uint32_t rest[] = {0x50, 0x51, 0x52};
    expect(&rig, rest, 3);
    rig_write(&rig, M2S_BANK + 0x1000 * 5 + DWRR_1, PAUSE); /* a reset ends it */
    trn_udma_reset(rig.engine);
    rig_bring_up(&rig);
    fill_queue(&rig, 5);
    expect(&rig, rest, 3);
    rig_close(&rig);
}

/* Weights and limits are kept and change nothing; one that is switched on is counted. */
static void test_a_rate_limit_is_a_choice(void **state)
{
    (void)state;
    struct rig rig;
    open_three(&rig);
    rig_write(&rig, M2S_BANK + 0x1000 * 6 + RATE_1, 0x00FFFFFF);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_WEIGHTS], 0);
    rig_write(&rig, M2S_BANK + 0x1000 * 6 + RATE_1, 0x01000001);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_WEIGHTS], 1);
    assert_int_equal(rig_read(&rig, M2S_BANK + 0x1000 * 6 + RATE_1), 0x01000001);
    static const uint32_t order[] = {0x50, 0x60, 0x70, 0x51, 0x61, 0x71};
    expect(&rig, order, 6);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_higher_qos_goes_first),
        cmocka_unit_test(test_equal_qos_takes_turns),
        cmocka_unit_test(test_a_paused_queue_waits),
        cmocka_unit_test(test_a_rate_limit_is_a_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
