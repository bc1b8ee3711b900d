/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong in a DMA engine, who hears of it, and how it comes back (docs/hardware/udma.md 8,
 * 9; section numbers are its). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "dma/udma_rig.h"

enum { COPY = 0x01080003, PACKET = 0x0C000000, FIRST = 0x04000000, LAST = 0x08000000 };
enum { TX = M2S_BANK + 0x1000 * RIG_QUEUE, RX = S2M_BANK + 0x1000 * RIG_QUEUE };

static uint32_t bit(unsigned n)
{
    return (uint32_t)1 << n;
}

/* Both halves in abort, the cause latched and summed up, nothing moves any more (9.2). */
static void assert_aborted(struct rig *rig, enum trn_udma_half half, unsigned cause)
{
    const struct trn_udma_fault fault = trn_udma_fault(rig->engine);
    assert_int_equal(rig_read(rig, M2S_STATE), 0x2222);
    assert_int_equal(rig_read(rig, S2M_STATE), 0x2222);
    assert_int_equal(fault.half, half);
    assert_int_equal(fault.queue, RIG_QUEUE);
    assert_int_equal(fault.group, half == TRN_UDMA_M2S ? 'A' : 'B');
    assert_int_equal(fault.cause, cause);
    assert_int_equal(rig_read(rig, CAUSE_A + 0x40 * half), bit(cause));
    assert_int_equal(rig_read(rig, CAUSE_D), bit(8 + half));
    assert_int_equal(rig->num_pulses, 1);
    assert_int_equal(rig->pulses[0].group, 3);
    assert_int_equal(rig->pulses[0].bit, 8 + half);
    assert_int_equal(trn_udma_queue(rig->engine, half, RIG_QUEUE).state, TRN_UDMA_QUEUE_ABORTED);
    const uint32_t head = rig_read(rig, TX + Q_HEAD), current = rig_read(rig, TX + Q_CURRENT);
    rig_copy(rig, RIG_A + 0x9000, RIG_B + 0x8000, 4);
    rig_go(rig);
    assert_int_equal(rig_read(rig, TX + Q_HEAD), head);
    assert_int_equal(rig_read(rig, TX + Q_CURRENT), current);
    assert_int_equal(trn_get32(rig_at(rig, RIG_B + 0x8000)), 0);
}

/* 9.2, model choice: queue_init and change_state normal. */
static void assert_recovers(struct rig *rig)
{
    rig_queue_init(rig, RIG_QUEUE, RIG_A + TX_RING, RIG_A + RX_RING, RIG_RING);
    rig_write(rig, M2S_CHANGE, 1);
    assert_int_equal(rig_read(rig, S2M_STATE), 0x2222); /* each half by itself */
    rig_write(rig, S2M_CHANGE, 1);
    assert_int_equal(rig_read(rig, M2S_STATE), 0x1111);
    memcpy(rig_at(rig, RIG_A + 0x9000), "back", 4);
    rig_copy(rig, RIG_A + 0x9000, RIG_B + 0x9000, 4);
    rig_go(rig);
    assert_memory_equal(rig_at(rig, RIG_B + 0x9000), "back", 4);
    assert_int_equal(trn_udma_fault(rig->engine).status, TRN_OK);
}

/* One good copy first, so that what stands behind it is told apart. */
static void open_with_data(struct rig *rig)
{
    rig_open(rig, "cayman");
    rig_bring_up(rig);
    memset(rig_at(rig, RIG_A + 0x9000), 0x77, 0x1000);
    rig_copy(rig, RIG_A + 0x9000, RIG_B, 16);
}

static void test_source_address_fault(void **state)
{
    (void)state;
    for (int timeout = 0; timeout < 2; timeout++) {
        struct rig rig;
        struct trn_diag diag;
        open_with_data(&rig);
        if (timeout)
            rig.refusal = TRN_ERR_TIMEOUT;
        rig_copy(&rig, RIG_NOWHERE, RIG_B + 16, 16);
        rig_copy(&rig, RIG_A + 0x9000, RIG_B + 32, 16);
        rig_go(&rig);
        assert_int_equal(*rig_at(&rig, RIG_B + 15), 0x77); /* descriptors before it ran */
        assert_int_equal(*rig_at(&rig, RIG_B + 16), 0);
        assert_int_equal(*rig_at(&rig, RIG_B + 32), 0);
        assert_int_equal(rig_read(&rig, TX + Q_CURRENT), 0x40000001);
        assert_aborted(&rig, TRN_UDMA_M2S, timeout ? 9 : 8);
        assert_int_not_equal(trn_udma_explain_fault(rig.engine, &diag), TRN_OK);
        assert_string_equal(diag.where, "dma5 M2S queue 3 descriptor 1");
        assert_non_null(strstr(diag.message, "data read AXI"));
        assert_non_null(strstr(diag.message, "0x5000000000"));
        assert_recovers(&rig);
        rig_close(&rig);
    }
}

static void test_destination_address_fault(void **state)
{
    (void)state;
    for (int timeout = 0; timeout < 2; timeout++) {
        struct rig rig;
        open_with_data(&rig);
        if (timeout)
            rig.refusal = TRN_ERR_TIMEOUT;
        rig_copy(&rig, RIG_A + 0x9000, RIG_B + RIG_BYTES - 8, 16); /* the second half is nowhere */
        rig_go(&rig);
        assert_aborted(&rig, TRN_UDMA_S2M, timeout ? 2 : 1);
        assert_recovers(&rig);
        rig_close(&rig);
    }
}

/* A range that would wrap around the top of the address space is refused, not folded. */
static void test_addresses_do_not_wrap(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_copy(&rig, UINT64_MAX - 3, RIG_B, 8);
    rig_go(&rig);
    assert_aborted(&rig, TRN_UDMA_M2S, 8);
    rig_close(&rig);
}

/* The ring itself is nowhere: A11 and B9. */
static void test_unmapped_base(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct rig rig;
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig_queue_init(&rig, RIG_QUEUE, half == 0 ? RIG_NOWHERE : RIG_A + TX_RING,
                       half == 1 ? RIG_NOWHERE : RIG_A + RX_RING, RIG_RING);
        rig_copy(&rig, RIG_A + 0x9000, RIG_B, 4);
        rig_go(&rig);
        assert_aborted(&rig, (enum trn_udma_half)half, half == 0 ? 11 : 9);
        assert_recovers(&rig);
        rig_close(&rig);
    }
}

static void test_wrong_ring_id(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct rig rig;
        open_with_data(&rig);
        rig_copy(&rig, RIG_A + 0x9000, RIG_B + 16, 16);
        *rig_at(&rig, RIG_A + (half == 0 ? TX_RING : RX_RING) + 16 + 3) ^= 2; /* ring id 3, not 1 */
        rig_go(&rig);
        assert_aborted(&rig, (enum trn_udma_half)half, half == 0 ? 17 : 11);
        assert_int_equal(trn_udma_fault(rig.engine).index, 1);
        assert_int_equal(*rig_at(&rig, RIG_B + 15), 0x77);
        assert_int_equal(*rig_at(&rig, RIG_B + 16), 0);
        rig_close(&rig);
    }
}

/* 9.4: with the mask set a mismatching phase is accepted and executed. */
static void test_masked_ring_id_is_accepted(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    const uint32_t a = rig_read(&rig, MASK_A) | bit(17),
                   b = rig_read(&rig, MASK_A + 0x40) | bit(11);
    assert_int_equal(a, 0xF0020000); /* pci-function.md 6.1, step 19 */
    assert_int_equal(b, 0x000018F8);
    rig_write(&rig, MASK_A, a);
    rig_write(&rig, ABORT_A, a);
    rig_write(&rig, MASK_A + 0x40, b);
    rig_write(&rig, ABORT_A + 0x40, b);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B + 16, 16);
    *rig_at(&rig, RIG_A + TX_RING + 16 + 3) ^= 2;
    *rig_at(&rig, RIG_A + RX_RING + 16 + 3) ^= 3;
    rig_go(&rig);
    assert_int_equal(*rig_at(&rig, RIG_B + 31), 0x77);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0);
    assert_int_equal(rig_read(&rig, CAUSE_A), bit(17)); /* latched, and nobody is told */
    assert_int_equal(rig_read(&rig, CAUSE_D), 0);
    assert_int_equal(rig.num_pulses, 0);
    assert_int_equal(rig.choices[TRN_CHOICE_UDMA_MASKED_CAUSE], 2);
    rig_close(&rig);
}

static void test_first_and_last(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig); /* data without FIRST */
    rig_rx(&rig, 8, RIG_B + 16);
    rig_tx(&rig, LAST | 8, COPY, RIG_A + 0x9000);
    rig_go(&rig);
    assert_aborted(&rig, TRN_UDMA_M2S, 15);
    assert_recovers(&rig);
    rig_close(&rig);
    open_with_data(&rig); /* FIRST inside of a packet */
    rig_rx(&rig, 16, RIG_B + 16);
    rig_tx(&rig, FIRST | 8, COPY, RIG_A + 0x9000);
    rig_tx(&rig, PACKET | 8, COPY, RIG_A + 0x9000);
    rig_go(&rig);
    assert_aborted(&rig, TRN_UDMA_M2S, 16);
    rig_close(&rig);
}

/* A14 above 65 descriptors, 128 before bring-up has said so; A13 above max_pkt_size. */
static void test_packet_limits(void **state)
{
    (void)state;
    static const uint32_t limits[] = {2, 65, 128};
    for (size_t i = 0; i < 2 * sizeof limits / sizeof limits[0]; i++) {
        struct rig rig;
        const uint32_t limit = limits[i / 2], count = limit + (i % 2);
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig_write(&rig, M2S_PREF_2, limit == 128 ? 0 : 0x00010000 | limit);
        rig_queue_init(&rig, RIG_QUEUE, RIG_A + 0x10000, RIG_A + 0x20000, 256);
        for (uint32_t n = 0; n < count; n++) {
            uint8_t *tx = rig_at(&rig, RIG_A + 0x10000 + 16 * n);
            trn_put32(tx, 0x01000001 | (n == 0 ? FIRST : 0) | (n == count - 1 ? LAST : 0));
            trn_put32(tx + 4, COPY);
            trn_put64(tx + 8, RIG_A + 0x9000);
        }
        uint8_t *rx = rig_at(&rig, RIG_A + 0x20000);
        trn_put32(rx, 0x01000000 | count);
        trn_put64(rx + 8, RIG_B);
        trn_udma_ring_doorbells(rig.engine, RIG_QUEUE, count, 1);
        trn_udma_run(rig.engine, 0);
        assert_int_equal(rig_read(&rig, CAUSE_A), count > limit ? bit(14) : 0);
        assert_int_equal(rig_read(&rig, M2S_STATE), count > limit ? 0x2222 : 0);
        rig_close(&rig);
    }
    struct rig rig;
    open_with_data(&rig);
    rig_write(&rig, M2S_LEN, 0x01000000 | 100);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B, 100);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B, 101);
    rig_go(&rig);
    assert_int_equal(trn_udma_fault(rig.engine).index, 2);
    assert_aborted(&rig, TRN_UDMA_M2S, 13);
    rig_close(&rig);
}

/* B24: the packet ends inside of a destination. */
static void test_length_mismatch_at_last(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_rx(&rig, 20, RIG_B + 16);
    rig_tx(&rig, PACKET | 8, COPY, RIG_A + 0x9000);
    rig_go(&rig);
    assert_aborted(&rig, TRN_UDMA_S2M, 24);
    assert_recovers(&rig);
    rig_close(&rig);
}

/* change_state of the host (6): abort stops, normal starts, disable is tracked. */
static void test_change_state(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_write(&rig, M2S_CHANGE, 4);
    assert_int_equal(rig_read(&rig, S2M_STATE), 0x2222);
    rig_go(&rig);
    assert_int_equal(*rig_at(&rig, RIG_B), 0);
    rig_write(&rig, M2S_CHANGE, 1);
    rig_write(&rig, S2M_CHANGE, 1);
    trn_udma_run(rig.engine, 0);
    assert_int_equal(*rig_at(&rig, RIG_B), 0x77);
    rig_write(&rig, M2S_CHANGE, 2);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0);
    rig_close(&rig);
}

static void test_reset_forgets_everything(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_copy(&rig, RIG_NOWHERE, RIG_B, 4);
    rig_go(&rig);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0x2222);
    trn_udma_reset(rig.engine);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0);
    assert_int_equal(rig_read(&rig, CAUSE_A), 0);
    assert_int_equal(rig_read(&rig, ABORT_A), UINT32_MAX);
    assert_int_equal(rig_read(&rig, TX + Q_CFG), 0x03000000);
    assert_int_equal(rig_read(&rig, TX + Q_LENGTH), 0);
    assert_int_equal(rig_read(&rig, TX + Q_HEAD), 0x40000000);
    rig_bring_up(&rig);
    rig_copy(&rig, RIG_A + 0x9000, RIG_B + 64, 4);
    rig_go(&rig);
    assert_int_equal(*rig_at(&rig, RIG_B + 64), 0x77);
    rig_close(&rig);
}

/* ---- interrupt groups (5) ---------------------------------------------------------------- */

static void test_interrupt_group_registers(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_write(&rig, CLEAR_A, 0xFFFFFFFE); /* a bit written as 0 clears */
    assert_int_equal(rig_read(&rig, MASK_A), 0xFFFFFFFE);
    rig_write(&rig, SET_A, 3);
    assert_int_equal(rig_read(&rig, CAUSE_A), 3);
    assert_int_equal(rig_read(&rig, CAUSE_A + 0x20), 3); /* status */
    assert_int_equal(rig_read(&rig, SET_A), 0);
    assert_int_equal(rig_read(&rig, CAUSE_D), 0x100);
    assert_int_equal(rig.num_pulses, 0); /* D is masked */
    rig_write(&rig, CLEAR_D, ~(uint32_t)0x100);
    assert_int_equal(rig.num_pulses, 1);
    rig_write(&rig, CAUSE_A, 0xFFFFFFFD); /* a bit written as 0 is cleared */
    assert_int_equal(rig_read(&rig, CAUSE_A), 1);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0); /* abort masks are all set after reset */
    rig_write(&rig, ABORT_A, ~(uint32_t)0x10);
    rig_write(&rig, SET_A, 0x10);
    assert_int_equal(rig_read(&rig, M2S_STATE), 0x2222);
    rig_close(&rig);
}

/* 9.1: after bring-up only the S2M half of group C aborts. */
static void test_group_c_after_bring_up(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 12; n++) {
        struct rig rig;
        rig_open(&rig, "cayman");
        rig_bring_up(&rig);
        rig_write(&rig, SET_A + 0x80, bit(n));
        assert_int_equal(rig_read(&rig, M2S_STATE), n < 6 ? 0 : 0x2222);
        assert_int_equal(rig_read(&rig, CAUSE_D), 0x400);
        rig_close(&rig);
    }
}

/* 2.1: INT_EN; the groups are a model choice. */
static void test_interrupt_when_done(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_write(&rig, 0x38058, 0); /* groups B and C: unmask all */
    rig_write(&rig, 0x38098, 0);
    rig_rx(&rig, 0x10000000 | 4, RIG_B);
    rig_tx(&rig, 0x10000000 | PACKET | 4, COPY, RIG_A);
    rig_go(&rig);
    assert_int_equal(rig_read(&rig, 0x38040), bit(RIG_QUEUE));
    assert_int_equal(rig_read(&rig, 0x38080), bit(RIG_QUEUE));
    assert_int_equal(rig.num_pulses, 2);
    rig_close(&rig);
}

/* ---- completion rings and records (2.4, 8) --------------------------------------------------- */

static void test_completion_rings(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, "cayman");
    rig_bring_up(&rig);
    rig_write(&rig, TX + Q_COMP_LO, (uint32_t)RIG_A + TX_COMP);
    rig_write(&rig, TX + M2S_COMP_CFG, 3);
    rig_write(&rig, RX + Q_COMP_LO, (uint32_t)RIG_A + RX_COMP);
    rig_write(&rig, RX + S2M_COMP_CFG, 3);
    for (uint32_t n = 0; n < RIG_RING; n += 2) { /* packets of two sources and one destination */
        rig_tx(&rig, FIRST | 4, COPY, RIG_A);
        rig_tx(&rig, LAST | 4, COPY, RIG_A);
        rig_rx(&rig, 8, RIG_B);
        rig_go(&rig);
    }
    for (uint32_t n = 0; n < RIG_RING; n++)
        assert_int_equal(trn_get32(rig_at(&rig, RIG_A + TX_COMP + 16 * n)),
                         0x01000000 | (n % 2 ? LAST : FIRST));
    for (uint32_t n = 0; n < RIG_RING / 2; n++)
        assert_int_equal(trn_get32(rig_at(&rig, RIG_A + RX_COMP + 16 * n)), 0x01000000 | PACKET);
    assert_int_equal(rig_read(&rig, TX + Q_COMP_HEAD), 0x80000000); /* wrapped */
    assert_int_equal(rig_read(&rig, RX + Q_COMP_HEAD), 0x40000000 | RIG_RING / 2);
    rig_write(&rig, 0x3B460, 1); /* heads are not reported any more */
    rig_copy(&rig, RIG_A, RIG_B, 4);
    rig_go(&rig);
    assert_int_equal(trn_get32(rig_at(&rig, RIG_A + TX_COMP)), 0x02000000 | PACKET);
    assert_int_equal(rig_read(&rig, TX + Q_COMP_HEAD), 0x80000000);
    assert_int_equal(rig_read(&rig, TX + 0x50), 0x80000001);
    rig_close(&rig);
}

static void test_refused_completion_write(void **state)
{
    (void)state;
    struct rig rig;
    open_with_data(&rig);
    rig_write(&rig, RX + Q_COMP_HI, (uint32_t)(RIG_NOWHERE >> 32));
    rig_write(&rig, RX + S2M_COMP_CFG, 3);
    rig_go(&rig);
    assert_int_equal(trn_udma_fault(rig.engine).group, 'B');
    assert_int_equal(trn_udma_fault(rig.engine).cause, 14);
    assert_int_equal(rig_read(&rig, S2M_STATE), 0x2222);
    rig_close(&rig);
}

/* 8: start, end and completion of both halves; the tag and the byte count; silence where the
 * generation can (bit 28 of meta_ctrl). */
static void test_records_of_a_packet(void **state)
{
    (void)state;
    static const struct {
        const char *generation;
        unsigned records;
    } cases[] = {{"cayman", 6}, {"mariana", 0}};
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        rig_tells = true;
        rig_open(&rig, cases[i].generation);
        rig_bring_up(&rig);
        rig_rx(&rig, 100, RIG_B);
        rig_tx(&rig, PACKET | 0x00550000 | 100, COPY, RIG_A);
        rig_go(&rig);
        assert_int_equal(rig.num_records, 6);
        assert_int_equal(rig.records[0].type, 2);
        assert_int_equal(rig.records[0].body.dma_sop.dma_notific_type, 1);
        assert_int_equal(rig.records[0].body.dma_sop.queue, RIG_QUEUE);
        assert_int_equal(rig.records[0].body.dma_sop.metadata, 0x55);
        assert_int_equal(rig.records[1].body.dma_sop.dma_notific_type, 4);
        assert_int_equal(rig.records[2].body.dma_eop.dma_notific_type, 2);
        assert_int_equal(rig.records[2].body.dma_eop.nbytes, 100);
        assert_int_equal(rig.records[3].body.dma_completion.dma_notific_type, 3);
        assert_int_equal(rig.records[4].body.dma_eop.dma_notific_type, 5);
        assert_int_equal(rig.records[5].body.dma_completion.dma_notific_type, 6);
        rig.num_records = 0;
        rig_rx(&rig, 100, RIG_B);
        rig_tx(&rig, PACKET | 100, COPY | 0x10000000, RIG_A);
        rig_go(&rig);
        assert_int_equal(rig.num_records, cases[i].records);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_address_fault),
        cmocka_unit_test(test_destination_address_fault),
        cmocka_unit_test(test_addresses_do_not_wrap),
        cmocka_unit_test(test_unmapped_base),
        cmocka_unit_test(test_wrong_ring_id),
        cmocka_unit_test(test_masked_ring_id_is_accepted),
        cmocka_unit_test(test_first_and_last),
        cmocka_unit_test(test_packet_limits),
        cmocka_unit_test(test_length_mismatch_at_last),
        cmocka_unit_test(test_change_state),
        cmocka_unit_test(test_reset_forgets_everything),
        cmocka_unit_test(test_interrupt_group_registers),
        cmocka_unit_test(test_group_c_after_bring_up),
        cmocka_unit_test(test_interrupt_when_done),
        cmocka_unit_test(test_completion_rings),
        cmocka_unit_test(test_refused_completion_write),
        cmocka_unit_test(test_records_of_a_packet),
    };
    rig_tells = false;
    const int failed = cmocka_run_group_tests_name("short road", tests, NULL, NULL);
    rig_tells = true;
    return failed + cmocka_run_group_tests_name("with records", tests, NULL, NULL);
}
