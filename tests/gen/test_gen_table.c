/* SPDX-License-Identifier: Apache-2.0 */
/* The generations' descriptions against docs/hardware/generations.md (sections 1, 5, 6, 7, 8, 15)
 * and isa-core.md 4. Every expected value is typed here from the sheet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trench/gen.h"

enum { SU, CA, MA, MP, MV };

static void test_names_in_order_and_lookup(void **state)
{
    (void)state;
    static const char *const names[] = {"sunda", "cayman", "mariana", "mariana_plus", "maverick"};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        assert_string_equal(trn_gen_at(g)->name, names[g]);
        assert_ptr_equal(trn_gen_find(names[g]), trn_gen_at(g));
    }
    assert_null(trn_gen_at(TRN_GEN_COUNT));
    assert_null(trn_gen_find("tonga"));
    assert_null(trn_gen_find("SUNDA"));
    assert_null(trn_gen_find(""));
}

/* generations.md 1 */
static void test_identity(void **state)
{
    (void)state;
    static const unsigned version[] = {2, 3, 4, 4, 5}, coretype[] = {6, 13, 21, 29, 37};
    static const unsigned arch_id[] = {5, 12, 20, 28, 36}, hal[] = {2, 3, 4, 4, 0};
    static const unsigned pci[] = {0x7164, 0x7364, 0x7564, 0x7565, 0};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        assert_int_equal(gen->isa_version, version[g]);
        assert_int_equal(gen->isa, version[g] - 2);
        assert_int_equal(gen->coretype, coretype[g]);
        assert_int_equal(gen->arch_id, arch_id[g]);
        assert_int_equal(gen->coretype, gen->arch_id + 1);
        assert_int_equal(gen->hal_arch, hal[g]);
        assert_int_equal(gen->pci_device, pci[g]);
    }
}

/* generations.md 6 */
static void test_instruction_set_ladder(void **state)
{
    (void)state;
    static const unsigned opcodes[] = {145, 150, 159, 159, 165}, alu[] = {33, 60, 64, 64, 65};
    static const unsigned dtypes[] = {16, 16, 24, 24, 30}, structs[] = {89, 99, 108, 108, 114};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        assert_int_equal(trn_gen_at(g)->num_opcodes, opcodes[g]);
        assert_int_equal(trn_gen_at(g)->num_alu_ops, alu[g]);
        assert_int_equal(trn_gen_at(g)->num_dtypes, dtypes[g]);
        assert_int_equal(trn_gen_at(g)->num_structs, structs[g]);
    }
}

/* isa-core.md 4; total SRAM 24, 28, 32, 32, 64 MiB and 2 MiB of PSUM */
static void test_on_chip_memory(void **state)
{
    (void)state;
    static const uint64_t sbuf_mib[] = {24, 28, 32, 32, 64};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        assert_int_equal((uint64_t)gen->sbuf_active_bytes * gen->sbuf_partitions,
                         sbuf_mib[g] << 20);
        assert_int_equal(gen->sbuf_stride * gen->sbuf_partitions, gen->sbuf_size);
        assert_int_equal(gen->psum_active_bytes * gen->psum_partitions, 2 << 20);
        assert_int_equal(gen->psum_banks * gen->psum_bank_bytes, gen->psum_active_bytes);
        assert_int_equal(gen->psum_stride * gen->psum_partitions, gen->psum_size);
        assert_true(gen->psum_base >= gen->sbuf_size);
    }
    assert_int_equal(trn_gen_at(MV)->pe_cols, 256);
    assert_int_equal(trn_gen_at(MA)->pe_cols, 128);
}

/* generations.md 5 and 14: the flags that each step adds or drops */
static void test_capabilities(void **state)
{
    (void)state;
    const struct trn_gen *su = trn_gen_at(SU), *ca = trn_gen_at(CA), *ma = trn_gen_at(MA);
    const struct trn_gen *mp = trn_gen_at(MP), *mv = trn_gen_at(MV);
    assert_true(su->has_dual_tsp && su->has_bf16_fast);
    assert_false(su->has_hw_decode || su->has_prof || su->has_dge || su->has_mx || su->has_rng);
    assert_true(ca->has_hw_decode && ca->has_dkl && ca->has_f0_bridge && ca->has_chicken);
    assert_false(ca->has_mx || ca->has_cptc_dtype || ca->has_pe_convlut || ca->has_dual_tsp);
    assert_true(ma->has_mx && ma->has_cptc_dtype && ma->has_pe_convlut && ma->has_rspcomb);
    assert_false(ma->has_dge_fast);
    assert_true(mp->has_dge_fast);
    assert_true(mv->act_folded && mv->sram_resident && mv->wide_events && mv->mx_folded);
    assert_false(mv->has_act || mv->has_dkl || mv->has_mgmt_image || mv->has_dge_fast);
    assert_false(ca->fp8_fn_default || su->fp8_fn_default);
    assert_true(ma->fp8_fn_default && ma->fp8_saturate_default && mv->fp8_fn_default);
}

/* generations.md 7 and 8 */
static void test_boot_and_hal_numbers(void **state)
{
    (void)state;
    static const unsigned nx[] = {0x1dc, 0x1dc, 0x1f8, 0x1f8, 0x1d8};
    static const unsigned q7[] = {0x220, 0x200, 0x200, 0x200, 0x1e4};
    static const unsigned enter[] = {0x94, 0x90, 0x90, 0x90, 0x94};
    static const unsigned cap[] = {0x30000, 0x38000, 0x40000, 0x40000, 0x40000};
    static const unsigned rspcomb[] = {0, 0, 960, 960, 0};
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        assert_int_equal(gen->nx_reset_vector, nx[g]);
        assert_int_equal(gen->nx_reset_vector2, nx[g] + 0xc);
        assert_int_equal(gen->q7_reset_vector, q7[g]);
        assert_int_equal(gen->q7_reset_vector2, q7[g] + 0xc);
        assert_int_equal(gen->enter_run, enter[g]);
        assert_int_equal(gen->dge_carveout_cap, cap[g]);
        assert_int_equal(gen->rspcomb_offset, rspcomb[g]);
    }
}

static void test_mariana_plus_is_mariana_with_the_fast_path(void **state)
{
    (void)state;
    static const char *const may_differ[] = {"name",         "title",           "products",
                                             "coretype",     "arch_id",         "pci_device",
                                             "has_dge_fast", "has_dge_regwrite"};
    for (size_t i = 0; trn_gen_row_at(i); i++) {
        const struct trn_gen_row *row = trn_gen_row_at(i);
        bool differs = false;
        for (size_t k = 0; k < sizeof may_differ / sizeof may_differ[0]; k++)
            differs |= strcmp(row->field, may_differ[k]) == 0;
        if (differs)
            continue;
        assert_int_equal(trn_gen_value(trn_gen_at(MA), row), trn_gen_value(trn_gen_at(MP), row));
        assert_string_equal(trn_gen_string(trn_gen_at(MA), row),
                            trn_gen_string(trn_gen_at(MP), row));
    }
}

static void test_every_row_has_a_source(void **state)
{
    (void)state;
    static const char *const tags[] = {"O", "I", "C", "MC", "OPEN"};
    for (size_t i = 0; trn_gen_row_at(i); i++) {
        const struct trn_gen_row *row = trn_gen_row_at(i);
        assert_non_null(strstr(row->sheet, ".md"));
        assert_true(strlen(row->meaning) > 8);
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
            bool known = false;
            for (size_t k = 0; k < sizeof tags / sizeof tags[0]; k++)
                known |= strcmp(row->confidence[g], tags[k]) == 0;
            assert_true(known);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_in_order_and_lookup),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_instruction_set_ladder),
        cmocka_unit_test(test_on_chip_memory),
        cmocka_unit_test(test_capabilities),
        cmocka_unit_test(test_boot_and_hal_numbers),
        cmocka_unit_test(test_mariana_plus_is_mariana_with_the_fast_path),
        cmocka_unit_test(test_every_row_has_a_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
