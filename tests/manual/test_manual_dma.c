/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the sheets of the DMA engines use for bytes and words have pages
 * (docs/hardware/dge.md 2.1, 6.2 to 6.4; udma.md 2). Bits are the sheets'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/manual.h"

static const struct {
    const char *name, *page, *sheet;
    const char *bits[2][2]; /* field, bits */
} names[] = {
    {"BOUND_CHECK_REG",
     "BOUND_CHECK_REG",
     "dge.md 2.1, 7",
     {{"bc_reg", "5:0"}, {"bc_disable_oob_error_notif", "6"}}},
    {"bound_check_reg", "BOUND_CHECK_REG", "dge.md 2.1, 7", {{"bc_enabled", "7"}}},
    {"DMA_CONFIGS", "DMA_CONFIGS", "dge.md 2.1, 6.6", {{"priority_class", "2:0"}, {"zero", "7:3"}}},
    {"DMA_INDIRECT_FLAGS",
     "DMA_INDIRECT_FLAGS",
     "dge.md 2.1, 9.1",
     {{"indirect_mode", "1:0"}, {"scatter_dim", "7:6"}}},
    {"NEURON_FEATURE_FLAGS",
     "NEURON_FEATURE_FLAGS",
     "dge.md 6.2",
     {{"dge_notifications", "1"}, {"reserved", "31:3"}}},
    {"local_register_38",
     "NEURON_FEATURE_FLAGS",
     "dge.md 6.2",
     {{"dve_perf_mode", "0"}, {"event_accel_address", "2"}}},
    {"MEMCOPY_CARVEOUT_CFG",
     "MEMCOPY_CARVEOUT_CFG",
     "dge.md 6.3",
     {{"offset", "15:0"}, {"size", "31:16"}}},
    {"MEMCOPY_DMA_CFG", "MEMCOPY_DMA_CFG", "dge.md 6.4", {{"dmas", "15:0"}, {"queues", "31:16"}}},
    {"len_ctrl", "LEN_CTRL", "udma.md 2.1", {{"length", "15:0"}, {"ring_id", "25:24"}}},
    {"udma.len_ctrl", "LEN_CTRL", "udma.md 2.1", {{"meta", "23"}, {"int_en", "28"}}},
    {"META_CTRL", "META_CTRL", "udma.md 2.2", {{"op", "25:23"}, {"write_barrier", "26"}}},
    {"buf_ptr", "BUF_PTR", "udma.md 2", {{"source", "63:0"}}},
};

static const char *fact(const struct trn_manual_page *page, const char *key)
{
    for (size_t i = 0; i < page->num_facts; i++)
        if (strcmp(page->facts[i].key, key) == 0)
            return page->facts[i].value.text;
    return NULL;
}

static const struct trn_manual_value *row_of(const struct trn_manual_page *page, const char *field)
{
    const struct trn_manual_table *const table = &page->tables[0];
    assert_int_equal(page->num_tables, 1);
    for (size_t r = 0; r < table->num_rows; r++)
        if (strcmp(table->cells[r * table->num_columns + 1].text, field) == 0)
            return &table->cells[r * table->num_columns];
    fail_msg("%s has no %s", page->name, field);
    return NULL;
}

static void test_names_of_the_dma_sheets_have_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct trn_manual_ref hits[8];
        struct trn_manual_page *page = NULL;
        const size_t count = trn_manual_find(names[i].name, NULL, hits, 8);
        for (size_t h = 0; h < count && !page; h++)
            if (hits[h].kind == TRN_MANUAL_PACKED)
                assert_int_equal(trn_manual_page(hits[h], NULL, NULL, &page, NULL), TRN_OK);
        if (!page)
            fail_msg("no page of %s", names[i].name);
        assert_string_equal(page->name, names[i].page);
        assert_string_equal(fact(page, "sheet"), names[i].sheet);
        assert_true(*fact(page, "confidence") != '\0');
        for (unsigned b = 0; b < 2 && names[i].bits[b][0]; b++) {
            const struct trn_manual_value *const row = row_of(page, names[i].bits[b][0]);
            assert_string_equal(row[0].text, names[i].bits[b][1]);
            assert_true(*row[2].text != '\0'); /* confidence */
        }
        trn_manual_free(page);
    }
}

/* No two parts of one word overlap, and none ends outside of it. */
static void test_parts_of_a_word_do_not_overlap(void **state)
{
    (void)state;
    struct trn_manual_ref ref;
    for (bool more = trn_manual_first(TRN_MANUAL_PACKED, &ref); more;
         more = trn_manual_next(&ref)) {
        struct trn_manual_page *page = NULL;
        assert_int_equal(trn_manual_page(ref, NULL, NULL, &page, NULL), TRN_OK);
        const struct trn_manual_table *const table = &page->tables[0];
        int64_t bits = 0;
        for (size_t f = 0; f < page->num_facts; f++)
            if (strcmp(page->facts[f].key, "bytes") == 0)
                bits = 8 * page->facts[f].value.number;
        int next = 0;
        for (size_t r = 0; r < table->num_rows; r++) {
            int high, low;
            const char *const text = table->cells[r * table->num_columns].text;
            if (sscanf(text, "%d:%d", &high, &low) != 2) {
                assert_int_equal(sscanf(text, "%d", &high), 1);
                low = high;
            }
            assert_true(low >= next && high >= low && high < bits);
            next = high + 1;
        }
        trn_manual_free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_the_dma_sheets_have_pages),
        cmocka_unit_test(test_parts_of_a_word_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
