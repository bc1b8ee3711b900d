/* SPDX-License-Identifier: Apache-2.0 */
/* The manual as a library: walking, searching and paging through everything it knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "trench/manual.h"

static unsigned asked; /* how often a page asked what is executed */

static bool only_dve_is_modelled(const struct trn_gen *gen, int engine, uint8_t opcode)
{
    (void)gen, (void)opcode;
    asked++;
    return engine == 3;
}

static const struct trn_manual_table *table_of(const struct trn_manual_page *page, const char *key)
{
    for (size_t i = 0; i < page->num_tables; i++)
        if (strcmp(page->tables[i].key, key) == 0)
            return &page->tables[i];
    return NULL;
}

static const struct trn_manual_value *fact_of(const struct trn_manual_page *page, const char *key)
{
    for (size_t i = 0; i < page->num_facts; i++)
        if (strcmp(page->facts[i].key, key) == 0)
            return &page->facts[i].value;
    return NULL;
}

static struct trn_manual_page *page_of(const char *query, enum trn_manual_kind kind,
                                       const struct trn_gen *gen, trn_manual_modelled modelled)
{
    struct trn_manual_ref hits[64];
    struct trn_manual_page *page = NULL;
    const size_t count = trn_manual_find(query, gen, hits, 64);
    for (size_t i = 0; i < count && i < 64 && !page; i++)
        if (hits[i].kind == kind)
            assert_int_equal(trn_manual_page(hits[i], gen, modelled, &page, NULL), TRN_OK);
    assert_non_null(page);
    return page;
}

static void test_every_kind_has_a_name_and_entries(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < TRN_MANUAL_KINDS; kind++) {
        struct trn_manual_ref ref;
        assert_non_null(trn_manual_kind_name((enum trn_manual_kind)kind));
        assert_true(trn_manual_first((enum trn_manual_kind)kind, &ref));
        assert_int_equal(ref.kind, kind);
    }
    assert_null(trn_manual_kind_name(TRN_MANUAL_KINDS));
}

static size_t count_kind(enum trn_manual_kind kind)
{
    struct trn_manual_ref ref;
    size_t count = 0;
    for (bool more = trn_manual_first(kind, &ref); more; more = trn_manual_next(&ref))
        count++;
    return count;
}

static void test_walk_reaches_every_row(void **state)
{
    (void)state;
    assert_int_equal(count_kind(TRN_MANUAL_DTYPE), 30);  /* isa-core.md, generations.md */
    assert_int_equal(count_kind(TRN_MANUAL_ALU_OP), 65); /* v5 has them all */
    assert_int_equal(count_kind(TRN_MANUAL_RECORD), 25); /* notification-records.md 3 */
    assert_int_equal(count_kind(TRN_MANUAL_OPCODE),
                     174); /* opcodes.csv: 172 + UCODE_CONFIG, HINT */
}

/* Every entry has a page, whole and limited to each generation, with cells of every column. */
static void test_every_entry_has_a_page(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < TRN_MANUAL_KINDS; kind++) {
        struct trn_manual_ref ref;
        unsigned g = 0;
        for (bool more = trn_manual_first((enum trn_manual_kind)kind, &ref); more;
             more = trn_manual_next(&ref)) {
            struct trn_manual_page *page;
            const struct trn_gen *gen = trn_gen_at(g++ % (TRN_GEN_COUNT + 1)); /* and NULL */
            assert_int_equal(trn_manual_page(ref, gen, only_dve_is_modelled, &page, NULL), TRN_OK);
            assert_int_equal(page->kind, kind);
            assert_true(*page->name != '\0' && page->summary);
            for (size_t t = 0; t < page->num_tables; t++) {
                assert_true(page->tables[t].num_rows > 0 && page->tables[t].num_columns > 0);
                assert_non_null(page->tables[t].cells);
            }
            trn_manual_free(page);
        }
    }
    trn_manual_free(NULL);
}

/* What a walk finds, a search by its full name finds. */
static void test_every_name_is_found(void **state)
{
    (void)state;
    unsigned n = 0;
    for (unsigned kind = 0; kind < TRN_MANUAL_KINDS; kind++) {
        struct trn_manual_ref ref;
        for (bool more = trn_manual_first((enum trn_manual_kind)kind, &ref); more;
             more = trn_manual_next(&ref)) {
            char name[TRN_MANUAL_NAME_MAX];
            struct trn_manual_ref hits[64];
            trn_manual_name(ref, name);
            assert_true(*name != '\0');
            if (n++ % 23) /* a walk per search: a sample is enough */
                continue;
            const size_t count = trn_manual_find(name, NULL, hits, 64);
            bool found = false;
            for (size_t i = 0; i < count && i < 64; i++)
                found = found || memcmp(&hits[i], &ref, sizeof ref) == 0;
            assert_true(found);
        }
    }
}

static void test_search_counts_what_does_not_fit(void **state)
{
    (void)state;
    struct trn_manual_ref hits[2];
    const size_t count = trn_manual_find("in_dtype", NULL, NULL, 0);
    assert_true(count > 20); /* most operand structs have it */
    assert_int_equal(trn_manual_find("in_dtype", NULL, hits, 2), count);
    assert_int_equal(hits[0].kind, TRN_MANUAL_FIELD);
}

static void test_generation_limits_a_search(void **state)
{
    (void)state;
    assert_int_equal(trn_manual_find("ldtags", trn_gen_find("sunda"), NULL, 0), 0);
    assert_true(trn_manual_find("ldtags", trn_gen_find("cayman"), NULL, 0) > 0);
    struct trn_manual_ref ref;
    assert_true(trn_manual_find("ldtags", NULL, &ref, 1) > 0);
    assert_int_equal(trn_manual_generations(ref), 0x1E); /* all but SUNDA */
}

/* Slots of the host HAL by every name that a log or a sheet gives them (hal-stpb.md 3.3, 3.5), and
 * its getters, which end where the generation has no HAL or no such thing. */
static void test_hal_slots_and_getters_are_found(void **state)
{
    static const char *const names[] = {"khal_stpb.dve_regs_init", "stpb.dve_regs_init",
                                        "kaena_khal.khal_stpb.dve_regs_init", "dve_regs_init",
                                        "khal+0x208"};
    struct trn_manual_ref first, ref;
    (void)state;
    assert_int_equal(trn_manual_find(names[0], NULL, &first, 1), 1);
    assert_int_equal(first.kind, TRN_MANUAL_HAL_SLOT);
    for (unsigned i = 1; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(trn_manual_find(names[i], NULL, &ref, 1), 1);
        assert_memory_equal(&ref, &first, sizeof ref);
    }
    assert_int_equal(trn_manual_find("get_hbm_base", NULL, &first, 1), 1);
    assert_int_equal(first.kind, TRN_MANUAL_HAL_GETTER);
    assert_int_equal(trn_manual_generations(first), 0xF);
    assert_int_equal(trn_manual_find("hal.preproc_base", NULL, &first, 1), 1);
    assert_int_equal(trn_manual_generations(first), 0xE); /* SUNDA has no PREPROC */
}

static void test_numbers_are_read_in_both_bases_or_not_at_all(void **state)
{
    (void)state;
    const size_t count = trn_manual_find("0x43", NULL, NULL, 0);
    assert_true(count > 0);
    assert_int_equal(trn_manual_find("67", NULL, NULL, 0), count);
    assert_int_equal(trn_manual_find("0X43", NULL, NULL, 0), count);
    assert_int_equal(trn_manual_find("0x", NULL, NULL, 0), 0);
    assert_int_equal(trn_manual_find("0x43g", NULL, NULL, 0), 0);
    assert_int_equal(trn_manual_find("-1", NULL, NULL, 0), 0);
    assert_int_equal(trn_manual_find("", NULL, NULL, 0), 0);
}

static void test_near_names_come_in_order(void **state)
{
    (void)state;
    char names[4][TRN_MANUAL_NAME_MAX];
    assert_true(trn_manual_near("S3D3_TZ", NULL, names, 4) > 0);
    assert_string_equal(names[0], "S3D3_TS"); /* one edit away; S3D3_MM needs two */
    assert_int_equal(trn_manual_near("reciprokal", NULL, names, 1), 1);
    assert_string_equal(names[0], "RECIPROCAL");
    assert_int_equal(trn_manual_near("reciprokal", NULL, names, 0), 0);
    assert_int_equal(trn_manual_near("", NULL, names, 4), 0);
    char endless[1000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_int_equal(trn_manual_near(endless, NULL, names, 4), 0);
}

static void test_page_tells_what_is_executed(void **state)
{
    (void)state;
    const struct trn_gen *cayman = trn_gen_find("cayman");
    /* TENSOR_TENSOR_ARITH_OP runs on POOL and DVE (isa-core.md 2) */
    struct trn_manual_page *page = page_of("0x41", TRN_MANUAL_OPCODE, cayman, only_dve_is_modelled);
    const struct trn_manual_table *engines = table_of(page, "engines");
    assert_int_equal(engines->num_rows, 1);
    assert_string_equal(engines->cells[0].text, "cayman");
    assert_string_equal(engines->cells[1].text, "pool dve");
    assert_string_equal(engines->cells[2].text, "executed on dve; not modelled yet on pool");
    trn_manual_free(page);
    page = page_of("matmul", TRN_MANUAL_OPCODE, cayman, only_dve_is_modelled);
    assert_string_equal(table_of(page, "engines")->cells[2].text, "not modelled yet");
    trn_manual_free(page);
    asked = 0;
    page = page_of("matmul", TRN_MANUAL_OPCODE, cayman, NULL);
    assert_string_equal(table_of(page, "engines")->cells[2].text, "complete");
    assert_int_equal(asked, 0);
    trn_manual_free(page);
}

static void test_offsets_are_one_number_on_one_generation(void **state)
{
    (void)state;
    struct trn_manual_page *page = page_of("S3D3_MM.num_active_rows", TRN_MANUAL_FIELD, NULL, NULL);
    const struct trn_manual_value *offset = fact_of(page, "offset");
    assert_int_equal(offset->type, TRN_MANUAL_PER_ISA);
    const int16_t want[4] = {38, 38, 38, 35}; /* isa-core.md 9.2 */
    assert_memory_equal(offset->per_isa, want, sizeof want);
    trn_manual_free(page);
    page = page_of("S3D3_MM.num_active_rows", TRN_MANUAL_FIELD, trn_gen_find("maverick"), NULL);
    offset = fact_of(page, "offset");
    assert_int_equal(offset->type, TRN_MANUAL_NUMBER);
    assert_int_equal(offset->number, 35);
    trn_manual_free(page);
}

static void test_layout_is_in_the_order_of_the_word(void **state)
{
    (void)state;
    struct trn_manual_page *page =
        page_of("S3_LW", TRN_MANUAL_STRUCT, trn_gen_find("mariana"), NULL);
    const struct trn_manual_table *layout = table_of(page, "layout");
    int64_t last = 12;
    for (size_t row = 0; row < layout->num_rows; row++) {
        const int64_t offset = layout->cells[row * layout->num_columns].number;
        assert_true(offset >= last);
        last = offset;
    }
    assert_int_equal(last, 48);
    trn_manual_free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_name_and_entries),
        cmocka_unit_test(test_walk_reaches_every_row),
        cmocka_unit_test(test_every_entry_has_a_page),
        cmocka_unit_test(test_every_name_is_found),
        cmocka_unit_test(test_search_counts_what_does_not_fit),
        cmocka_unit_test(test_generation_limits_a_search),
        cmocka_unit_test(test_hal_slots_and_getters_are_found),
        cmocka_unit_test(test_numbers_are_read_in_both_bases_or_not_at_all),
        cmocka_unit_test(test_near_names_come_in_order),
        cmocka_unit_test(test_page_tells_what_is_executed),
        cmocka_unit_test(test_offsets_are_one_number_on_one_generation),
        cmocka_unit_test(test_layout_is_in_the_order_of_the_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
