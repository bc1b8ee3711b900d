/* SPDX-License-Identifier: Apache-2.0 */
/* What the host sees on the two buses (docs/hardware/address-map.md 5 to 7, sync.md 2), and that
 * the places in generations.csv agree with apertures.csv and registers.csv. */
#include <stdio.h>
#include <string.h>

#include "gen/regmap.h"
#include "seq/fixture.h"
#include "seq/local.h"

#define FOR_EACH_GENERATION(gen)                                                                   \
    for (const struct trn_gen *gen = trn_gen_at(0), *const end = gen + TRN_GEN_COUNT; gen != end;  \
         gen++)

static trn_status read32(struct fixture *core, uint64_t offset, uint32_t *value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    return bus->read32(bus->context, offset, value);
}

static trn_status write32(struct fixture *core, uint64_t offset, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    return bus->write32(bus->context, offset, value);
}

static uint32_t value_at(struct fixture *core, uint64_t offset)
{
    uint32_t value = 0;
    assert_int_equal(read32(core, offset, &value), TRN_OK);
    return value;
}

/* ---- one truth for every place ----------------------------------------------------------------
 */

static void test_engine_blocks_agree_with_the_apertures(void **state)
{
    static const char *const names[] = {"PE", "ACT", "POOL", "DVE", "SP"};
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        const uint32_t blocks[] = {gen->bar_engine_pe, gen->bar_engine_act, gen->bar_engine_pool,
                                   gen->bar_engine_dve, gen->bar_engine_sp};
        if (gen->isa_version == 5) /* no host map is known: model choice */
            continue;
        for (int e = PE; e <= SP; e++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", names[e],
                     gen->has_hw_decode ? "_LOCAL_REG" : "_NX_LOCAL_REG");
            const struct trn_aperture_row *row = trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, name);
            assert_non_null(row);
            assert_true(row->offset == blocks[e] + 0x60000u);
            assert_int_equal(row->size, TRN_LOCAL_BYTES);
            snprintf(name, sizeof name, "%s_NX_DRAM", names[e]);
            row = trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, name);
            assert_non_null(row);
            assert_true(row->offset == blocks[e] + 0x40000u);
            assert_int_equal(row->size, gen->nx_dram_bytes);
        }
        const struct trn_aperture_row *row =
            trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, "EVT_SEM");
        assert_int_equal(row->offset, gen->bar_evt_sem);
        row = trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, "PSUM_BUF");
        assert_int_equal(row->offset, gen->psum_base);
    }
}

static uint32_t place_of(const struct trn_gen *gen, const char *name)
{
    unsigned index[2];
    const struct trn_reg_row *row = trn_reg_find(gen, name, index);
    if (!row)
        fail_msg("%s: no register %s", gen->name, name);
    return trn_reg_offset(row, index[0], index[1]);
}

static void test_local_registers_agree_with_the_register_table(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        if (!gen->has_hw_decode) {
            assert_int_equal(gen->local_run_stall, place_of(gen, "nx_local.release_run_stall"));
            assert_int_equal(gen->local_start_ctrl, place_of(gen, "nx_local.start_ctrl"));
            assert_int_equal(gen->local_run_state, place_of(gen, "nx_local.run_state"));
            assert_int_equal(gen->local_start_lo, place_of(gen, "nx_local.start_addr_lo"));
            assert_int_equal(gen->local_start_hi, place_of(gen, "nx_local.start_addr_hi"));
            assert_int_equal(gen->local_halt_ctrl, place_of(gen, "nx_local.instr_halt_ctrl"));
            continue;
        }
        assert_int_equal(gen->local_run_stall, place_of(gen, "xt_local.nx.release_run_stall"));
        assert_int_equal(gen->local_start_ctrl, place_of(gen, "xt_local.nx.start_ctrl"));
        assert_int_equal(gen->local_run_state, place_of(gen, "xt_local.nx.run_state"));
        assert_int_equal(gen->local_start_lo, place_of(gen, "xt_local.start_addr_lo"));
        assert_int_equal(gen->local_start_hi, place_of(gen, "xt_local.start_addr_hi"));
        assert_int_equal(gen->local_halt_ctrl, place_of(gen, "xt_local.nx.instr_halt_ctrl"));
        assert_int_equal(gen->local_block_size, place_of(gen, "xt_local.iram_cache_block_size"));
        assert_int_equal(TRN_LOCAL_INTR_CTRL, place_of(gen, "xt_local.nx.intr_ctrl"));
        assert_int_equal(TRN_LOCAL_INTR_INFO, place_of(gen, "xt_local.nx.intr_info"));
        assert_int_equal(TRN_LOCAL_HW_CONTROL, place_of(gen, "xt_local.hw_decode.control"));
        assert_int_equal(TRN_LOCAL_BREAK_CTRL, place_of(gen, "xt_local.hw_decode.breakpoint_ctrl"));
        assert_int_equal(TRN_LOCAL_BREAK_STEP, place_of(gen, "xt_local.hw_decode.breakpoint_step"));
        assert_int_equal(TRN_LOCAL_BREAK_MATCH,
                         place_of(gen, "xt_local.hw_decode.breakpoint_match"));
        assert_int_equal(TRN_LOCAL_BREAK_COUNT0,
                         place_of(gen, "xt_local.hw_decode.breakpoint_ic0"));
        assert_int_equal(TRN_LOCAL_BREAK_COUNT1,
                         place_of(gen, "xt_local.hw_decode.breakpoint_ic1"));
        assert_int_equal(TRN_LOCAL_BREAK_ADDR0,
                         place_of(gen, "xt_local.hw_decode.breakpoint_addr0_lo"));
        assert_int_equal(TRN_LOCAL_BREAK_ADDR1,
                         place_of(gen, "xt_local.hw_decode.breakpoint_addr1_lo"));
        assert_int_equal(gen->has_atomics, gen->isa_version >= 4);
        assert_int_equal(trn_reg_find(gen, "xt_local.atomic_rdwr", NULL) != NULL, gen->has_atomics);
    }
}

/* ---- memories -----------------------------------------------------------------------------------
 */

static void test_memories_take_any_size_and_alignment(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        static const uint8_t bytes[7] = {1, 2, 3, 4, 5, 6, 7};
        const uint64_t places[] = {
            trn_device_space_offset(core.device, TRN_SPACE_SBUF) + 77 * gen->sbuf_stride + 13,
            trn_device_space_offset(core.device, TRN_SPACE_PSUM) + 127 * gen->psum_stride + 1,
            gen->bar0_tpb + gen->bar_engine_sp + 0x40000 + 3, /* data RAM of SP */
        };
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            uint8_t back[9] = {0};
            assert_int_equal(bus->write_block(bus->context, places[i], bytes, sizeof bytes),
                             TRN_OK);
            assert_int_equal(bus->read_block(bus->context, places[i] - 1, back, sizeof back),
                             TRN_OK);
            assert_int_equal(back[0], 0);
            assert_memory_equal(back + 1, bytes, sizeof bytes);
            assert_int_equal(back[8], 0);
        }
        close_core(&core);
    }
}

static void test_device_memory_through_bar4(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct trn_bus *bus = trn_device_bar4(core.device);
    const uint64_t size = trn_device_hbm_bytes(core.device);
    uint32_t value = 0;
    assert_true(size == UINT64_C(0x600000000)); /* address-map.md 3: 24 GiB a stack */
    assert_int_equal(bus->write32(bus->context, size - 4, 0xABCD1234), TRN_OK);
    assert_int_equal(bus->read32(bus->context, size - 4, &value), TRN_OK);
    assert_int_equal(value, 0xABCD1234);
    assert_int_equal(bus->write32(bus->context, size, 1), TRN_ERR_ADDRESS);
    assert_int_equal(bus->read32(bus->context, size, &value), TRN_ERR_ADDRESS);
    assert_int_equal(bus->write32(bus->context, 2, 1), TRN_ERR_INVALID);
    assert_int_equal(bus->read32(bus->context, 2, &value), TRN_ERR_INVALID);
    close_core(&core);
}

/* ---- registers --------------------------------------------------------------------------------
 */

static void test_unmapped_and_misaligned_accesses_are_refused(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const struct trn_bus *bus = trn_device_bar0(core.device);
        const uint64_t sem = gen->bar0_tpb + gen->bar_evt_sem;
        uint32_t value = 0;
        uint8_t byte = 1;
        assert_int_equal(read32(&core, UINT64_C(0xFFFFFFFFFFFFFFFC), &value), TRN_ERR_ADDRESS);
        assert_int_equal(value, 0xDEADBEEF);
        /* behind the local registers of SP, which has no decode tables (address-map.md 5.2) */
        assert_int_equal(write32(&core, gen->bar0_tpb + gen->bar_engine_sp + 0x74000, 1),
                         TRN_ERR_ADDRESS);
        assert_int_equal(read32(&core, sem + 2, &value), TRN_ERR_INVALID);
        assert_int_equal(write32(&core, sem + 2, 1), TRN_ERR_INVALID);
        assert_int_equal(bus->write_block(bus->context, sem + 0x1400, &byte, 1), TRN_ERR_INVALID);
        assert_int_equal(sem_of(&core, 0), 0);
        run(&core, 0);
        assert_int_equal(core.report.warnings[TRN_WARN_UNMAPPED_ACCESS], 2);
        close_core(&core);
    }
}

/* sync.md 2: four windows over the same counters; write-only ones and reserved places read 0. */
static void test_semaphore_windows(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const uint64_t base = gen->bar0_tpb + gen->bar_evt_sem;
        write32(&core, base + 0x1400 + 4 * 255, 100);
        write32(&core, base + 0x1800 + 4 * 255, 7);
        write32(&core, base + 0x1C00 + 4 * 255, 3);
        assert_int_equal(value_at(&core, base + 0x1000 + 4 * 255), 104);
        assert_int_equal(value_at(&core, base + 0x1400 + 4 * 255), 0);
        assert_int_equal(value_at(&core, base + 0x1800 + 4 * 255), 0);
        assert_int_equal(value_at(&core, base + 0x1C00 + 4 * 255), 0);
        write32(&core, base + 0x1000 + 4 * 255, 5); /* read-only */
        assert_int_equal(sem_of(&core, 255), 104);
        write32(&core, base + 4 * 9, 0xFFFFFFFF); /* an event is one bit */
        assert_int_equal(value_at(&core, base + 4 * 9), 1);
        assert_true(trn_device_event(core.device, 9));
        write32(&core, base + 4 * 9, 0xFFFFFFFE);
        assert_int_equal(value_at(&core, base + 4 * 9), 0);
        write32(&core, base + 0x0400, 1); /* reserved: index 256 does not exist */
        assert_int_equal(value_at(&core, base + 0x0400), 0);
        write32(&core, base + 0x2000, 1);
        assert_int_equal(value_at(&core, base + 0x2000), 0);
        close_core(&core);
    }
}

/* A block over registers acts as ascending 32-bit accesses. */
static void test_blocks_over_registers(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct trn_bus *bus = trn_device_bar0(core.device);
    const uint64_t base = core.gen->bar0_tpb + core.gen->bar_evt_sem;
    const uint32_t values[3] = {11, 22, 33};
    uint32_t back[3] = {0};
    assert_int_equal(bus->write_block(bus->context, base + 0x1400, values, sizeof values), TRN_OK);
    assert_int_equal(bus->read_block(bus->context, base + 0x1000, back, sizeof back), TRN_OK);
    assert_memory_equal(back, values, sizeof values);
    close_core(&core);
}

/* sequencer.md 9: reset values, and bits that no field names read 0. */
static void test_local_registers_reset_and_keep_named_bits(void **state)
{
    static const struct {
        uint32_t offset, reset, written, kept;
    } cases[] = {
        {0x0000, 0x1, 1, 1},                 /* release_run_stall: one bit */
        {0x0008, 0, 0xFFFFFFFF, 0xFFFFFFFF}, /* run_state: the whole word */
        {0x0018, 0, 0xFFFFFFFF, 0xF},        /* intr_ctrl */
        {0x14C0, 0, 0x12345678, 0x12345678}, /* lr[38] */
        {0x200C, 0, 0xFFFFFFFF, 0xFFF00000}, /* window[0].match_lo */
        {0x3000, 0xFF, 0, 0},                /* q7 release */
        {0x4000, 0x7FFC, 0x00100001, 0x00100001},
        {0x4028, 0x03020100, 0xFFFFFFFF, 0x3F3F3F3F},
        {0x6004, 0xB2924, 0xFFFFFFFF, 0xFFFFFF},
        {0x7000, 0, 0xFFFFFFFF, 0}, /* no register there */
    };
    (void)state;
    static const char *const names[] = {"cayman", "mariana", "mariana_plus", "maverick"};
    for (size_t g = 0; g < 4; g++) {
        struct fixture core = open_core(trn_gen_find(names[g]), NULL);
        const uint64_t base = core.gen->bar0_tpb + core.gen->bar_engine_pool + 0x60000;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            assert_int_equal(value_at(&core, base + cases[i].offset), cases[i].reset);
            assert_int_equal(write32(&core, base + cases[i].offset, cases[i].written), TRN_OK);
            assert_int_equal(value_at(&core, base + cases[i].offset), cases[i].kept);
        }
        close_core(&core);
    }
}

/* sequencer.md 9.7: one bank of values, seen through four windows. */
static void test_atomic_windows(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const uint64_t base = gen->bar0_tpb + gen->bar_engine_sp + 0x60000;
        write32(&core, base + 0x8C00 + 0x10 * 5, 9); /* add if 0 */
        write32(&core, base + 0x8400 + 0x10 * 5, 4); /* inc */
        write32(&core, base + 0x8C00 + 0x10 * 5, 9); /* not 0: dropped */
        write32(&core, base + 0x8800 + 0x10 * 5, 1); /* dec */
        const uint32_t want = gen->has_atomics ? 12 : 0;
        for (unsigned w = 0; w < 4; w++)
            assert_int_equal(value_at(&core, base + 0x8000 + 0x400 * w + 0x10 * 5), want);
        close_core(&core);
    }
}

/* address-map.md 6.3, registers.csv: the core's own register file on the control plane. */
static void test_core_register_file_behaves_as_its_rows(void **state)
{
    (void)state;
    FOR_EACH_GENERATION(gen)
    {
        struct fixture core = open_core(gen, NULL);
        const struct trn_aperture_row *row = trn_aperture_find(gen, TRN_APERTURE_BAR0, "TPB_0_CSR");
        if (!row) { /* MAVERICK: no known place */
            close_core(&core);
            continue;
        }
        /* sync.md 2: semaphore thresholds at 0x800, 0x804, notification enable at 0x808 */
        assert_int_equal(value_at(&core, row->offset + 0x804), 0xFFFFFFFF);
        assert_int_equal(value_at(&core, row->offset + 0x800), 0);
        write32(&core, row->offset + 0x800, 7);
        assert_int_equal(value_at(&core, row->offset + 0x800), 7);
        assert_int_equal(value_at(&core, row->offset + 0xFFC), 0); /* no register: counted */
        run(&core, 0);
        assert_int_equal(core.report.warnings[TRN_WARN_UNKNOWN_REGISTER], 1);
        close_core(&core);
    }
}

/* An image that is all zeros, over one that was not, and over what the reset puts there
 * (sequencer.md 4.4: the upper bound of the PC is all ones). */
static void test_zeros_over_other_bytes_of_a_data_ram(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("cayman"), NULL);
    const struct trn_bus *bus = trn_device_bar0(core.device);
    const struct trn_gen *gen = trn_gen_find("cayman");
    const uint64_t at = gen->bar0_tpb + gen->bar_engine_sp + 0x40000;
    static uint8_t image[0x10000];
    assert_int_equal(value_at(&core, at + TRN_NX_PC_HIGH), UINT32_MAX);
    assert_int_equal(write32(&core, at + 0x9004, 0x12345678), TRN_OK);
    assert_int_equal(bus->write_block(bus->context, at, image, sizeof image), TRN_OK);
    assert_int_equal(value_at(&core, at + TRN_NX_PC_HIGH), 0);
    assert_int_equal(value_at(&core, at + 0x9004), 0);
    close_core(&core);
}

static void test_space_offsets(void **state)
{
    (void)state;
    struct fixture core = open_core(trn_gen_find("sunda"), NULL);
    assert_true(trn_device_space_offset(core.device, TRN_SPACE_SBUF) == 0);
    assert_true(trn_device_space_offset(core.device, TRN_SPACE_PSUM) == 0x2000000);
    assert_true(trn_device_space_offset(core.device, TRN_SPACE_HBM) == UINT64_MAX);
    close_core(&core);
    core = open_core(trn_gen_find("mariana"), NULL);
    assert_true(trn_device_space_offset(core.device, TRN_SPACE_SBUF) == 0xD0000000);
    assert_true(trn_device_space_offset(core.device, TRN_SPACE_PSUM) == 0xD2000000);
    close_core(&core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_blocks_agree_with_the_apertures),
        cmocka_unit_test(test_local_registers_agree_with_the_register_table),
        cmocka_unit_test(test_memories_take_any_size_and_alignment),
        cmocka_unit_test(test_device_memory_through_bar4),
        cmocka_unit_test(test_unmapped_and_misaligned_accesses_are_refused),
        cmocka_unit_test(test_semaphore_windows),
        cmocka_unit_test(test_blocks_over_registers),
        cmocka_unit_test(test_local_registers_reset_and_keep_named_bits),
        cmocka_unit_test(test_atomic_windows),
        cmocka_unit_test(test_core_register_file_behaves_as_its_rows),
        cmocka_unit_test(test_zeros_over_other_bytes_of_a_data_ram),
        cmocka_unit_test(test_space_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
