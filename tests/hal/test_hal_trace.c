/* SPDX-License-Identifier: Apache-2.0 */
/* R1, R2 and R3 of docs/hardware/sunda-bringup-trace.md: what the HAL logs while it brings up a
 * SUNDA device, against the visible rows of a real machine's log. Function names, order, numbers
 * and addresses are compared, never the wording; rows of the runtime (TDRV) are not the HAL's. */
#include "hal/bringup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Item 1 there: where BAR0 of that machine is mapped. */
static const uint64_t bar0 = 0xffffb65d80000000;

enum { NUM_TOPSPS = 6 };

struct row {
    const char *function;
    size_t count; /* of the numbers that are visible */
    uint64_t number[3];
};

#define SP_INIT(mem, regs)                                                                         \
    {                                                                                              \
        "aws_hal_sp_init", 2,                                                                      \
        {                                                                                          \
            mem, regs                                                                              \
        }                                                                                          \
    }
#define NOTIFIC_INIT(base)                                                                         \
    {                                                                                              \
        "aws_hal_notific_init", 1,                                                                 \
        {                                                                                          \
            base                                                                                   \
        }                                                                                          \
    }
#define NOTIFIC_INIT_CUT                                                                           \
    {                                                                                              \
        "aws_hal_notific_init", 0,                                                                 \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define NQ_INIT(queue)                                                                             \
    {                                                                                              \
        "aws_hal_notific_nq_init", 1,                                                              \
        {                                                                                          \
            queue                                                                                  \
        }                                                                                          \
    }
#define NQ_ENABLE(queue)                                                                           \
    {                                                                                              \
        "aws_hal_notific_nq_enable", 1,                                                            \
        {                                                                                          \
            queue                                                                                  \
        }                                                                                          \
    }
#define NQ_RESET(e, queue)                                                                         \
    {                                                                                              \
        "_aws_hal_notific_nq_reset", 3,                                                            \
        {                                                                                          \
            e, queue, 0                                                                            \
        }                                                                                          \
    }
#define NQ_RESET_CUT(n, e)                                                                         \
    {                                                                                              \
        "_aws_hal_notific_nq_reset", n,                                                            \
        {                                                                                          \
            e                                                                                      \
        }                                                                                          \
    }

/* ---- the HAL's lines ---------------------------------------------------------------------------
 */

/* Lines the real log shows: level 4 and below. */
static bool is_visible(const struct fake_event *event)
{
    return event->kind == 'L' && event->level <= 4;
}

/* The numbers of a text: addresses with 0x, counts in decimal. */
static size_t numbers_of(const char *text, uint64_t *number, size_t room)
{
    size_t count = 0;
    for (const char *at = text; *at;) {
        if (!isdigit((unsigned char)*at) || (at > text && isalnum((unsigned char)at[-1]))) {
            at++;
            continue;
        }
        char *end;
        const uint64_t value = strtoull(at, &end, 0);
        if (count < room)
            number[count++] = end - at > 1 && at[1] == 'x' ? value + bar0 : value;
        at = end;
    }
    return count;
}

static bool matches(const struct fake_event *event, const struct row *row)
{
    uint64_t number[8];
    if (strcmp(event->function, row->function) != 0)
        return false;
    if (numbers_of(event->text, number, 8) < row->count)
        return false;
    return row->count == 0 || memcmp(number, row->number, row->count * sizeof *number) == 0;
}

/* The rows follow each other in the HAL's lines, with no other visible line between them. Gives
 * back the event behind the last one. */
static size_t expect_rows(const struct fake_bus *bus, size_t from, const char *name,
                          const struct row *rows, size_t count)
{
    for (size_t start = from; start < bus->count; start++) {
        size_t at = start, found = 0;
        while (at < bus->count && found < count) {
            if (is_visible(&bus->event[at])) {
                if (!matches(&bus->event[at], &rows[found]))
                    break;
                found++;
            }
            at++;
        }
        if (found == count)
            return at;
    }
    fail_msg("the rows of %s are not in the log", name);
    return 0;
}

#define EXPECT(bus, from, rows) expect_rows(bus, from, #rows, rows, sizeof rows / sizeof rows[0])

static void bring_up(struct rig *rig, unsigned core, uint32_t num_topsps, bool dma_rings)
{
    struct trn_hal_engine_config topsps[NUM_TOPSPS];
    struct trn_hal_bringup_result result;
    rig_open(rig, "sunda", core);
    for (unsigned k = 0; k < num_topsps; k++)
        topsps[k] = rig_topsp(rig, k);
    const struct trn_hal_bringup plan = {.core = core,
                                         .stpb = &rig->stpb,
                                         .num_topsps = num_topsps,
                                         .topsps = topsps,
                                         .dma_rings = dma_rings};
    assert_int_equal(trn_hal_bringup(rig->hal, &plan, &result), TRN_OK);
}

/* ---- R1: the TopSPs
 * ------------------------------------------------------------------------------
 */

static const struct row topsp_2[] = {/* .468244 to .468517; the first is TOP_SP 1's last */
                                     NQ_RESET(2, 2),
                                     SP_INIT(0xffffb65d90a00000, 0xffffb65db0e85000),
                                     NOTIFIC_INIT(0xffffb65db0e84000),
                                     NQ_INIT(4),
                                     NQ_ENABLE(4),
                                     NQ_RESET(4, 4),
                                     NQ_INIT(2),
                                     NQ_ENABLE(2),
                                     NQ_RESET_CUT(0, 0)};
static const struct row topsp_4[] = {/* .469682 to .469953, with the first two of TOP_SP 5 */
                                     NOTIFIC_INIT(0xffffb65db0f04000),
                                     NQ_INIT(4),
                                     NQ_ENABLE(4),
                                     NQ_RESET(4, 4),
                                     NQ_INIT(2),
                                     NQ_ENABLE(2),
                                     NQ_RESET(2, 2),
                                     SP_INIT(0xffffb65d91600000, 0xffffb65db0f45000),
                                     NOTIFIC_INIT_CUT};

static void test_r1_topsps(void **state)
{
    struct rig rig;
    (void)state;
    bring_up(&rig, 0, NUM_TOPSPS, false);
    const size_t after = EXPECT(&rig.bus, 0, topsp_2);
    EXPECT(&rig.bus, after, topsp_4);
    /* Item 8: six of them, and none after the first ring of the core. */
    size_t topsps = 0;
    for (size_t i = 0; i < rig.bus.count; i++)
        topsps += is_visible(&rig.bus.event[i]) &&
                  strcmp(rig.bus.event[i].function, "aws_hal_sp_init") == 0;
    assert_int_equal(topsps, NUM_TOPSPS + 1); /* and the SP of the core */
    rig_close(&rig);
}

/* ---- R2: the rings of both cores ---------------------------------------------------------------
 */

static const struct row tpb_0[] = {/* .470545 to .470605; .470550's queue is cut */
                                   NQ_INIT(8),     NQ_ENABLE(4),   NQ_RESET_CUT(1, 4),
                                   NQ_ENABLE(5),   NQ_RESET(5, 5), NQ_ENABLE(6),
                                   NQ_RESET(6, 6), NQ_ENABLE(7),   NQ_RESET(7, 7)};
static const struct row tpb_1[] = {/* .471153 to .471201 */
                                   NQ_RESET(5, 5), NQ_ENABLE(6), NQ_RESET(6, 6), NQ_ENABLE(7),
                                   NQ_RESET(7, 7), NQ_ENABLE(8), NQ_RESET(8, 8)};

static void test_r2_rings_of_the_cores(void **state)
{
    struct rig rig;
    (void)state;
    bring_up(&rig, 0, 0, false);
    EXPECT(&rig.bus, 0, tpb_0);
    rig_close(&rig);
    bring_up(&rig, 1, 0, false);
    EXPECT(&rig.bus, 0, tpb_1);
    rig_close(&rig);
}

/* ---- R3: the rings of the DMA blocks
 * -------------------------------------------------------------
 */

/* Item 6: the queue is 0, eng_index counts the sixteen engines; all are configured before the first
 * is enabled. */
static const struct row dma[] = {
    NQ_INIT(0),   NQ_INIT(0),      NQ_INIT(0),   NQ_INIT(0),      NQ_INIT(0),   NQ_INIT(0),
    NQ_INIT(0),   NQ_INIT(0),      NQ_INIT(0),   NQ_INIT(0),      NQ_INIT(0),   NQ_INIT(0),
    NQ_INIT(0),   NQ_INIT(0),      NQ_INIT(0),   NQ_INIT(0),      NQ_ENABLE(0), NQ_RESET(0, 0),
    NQ_ENABLE(0), NQ_RESET(1, 0),  NQ_ENABLE(0), NQ_RESET(2, 0),  NQ_ENABLE(0), NQ_RESET(3, 0),
    NQ_ENABLE(0), NQ_RESET(4, 0),  NQ_ENABLE(0), NQ_RESET(5, 0),  NQ_ENABLE(0), NQ_RESET(6, 0),
    NQ_ENABLE(0), NQ_RESET(7, 0),  NQ_ENABLE(0), NQ_RESET(8, 0),  NQ_ENABLE(0), NQ_RESET(9, 0),
    NQ_ENABLE(0), NQ_RESET(10, 0), NQ_ENABLE(0), NQ_RESET(11, 0), NQ_ENABLE(0), NQ_RESET(12, 0),
    NQ_ENABLE(0), NQ_RESET(13, 0), NQ_ENABLE(0), NQ_RESET(14, 0), NQ_ENABLE(0), NQ_RESET(15, 0)};

static void test_r3_rings_of_the_dma_blocks(void **state)
{
    (void)state;
    for (unsigned core = 0; core < 2; core++) {
        struct rig rig;
        bring_up(&rig, core, 0, true);
        EXPECT(&rig.bus, 0, dma);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_r1_topsps),
        cmocka_unit_test(test_r2_rings_of_the_cores),
        cmocka_unit_test(test_r3_rings_of_the_dma_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
