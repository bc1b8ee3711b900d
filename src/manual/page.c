/* SPDX-License-Identifier: Apache-2.0 */
#include "manual/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Formatted texts, one allocation each. */
struct text {
    struct text *next;
    char bytes[];
};

/* A growing array; `items` is realloc'ed. */
struct array {
    void *items;
    size_t count, capacity;
};

struct page {
    struct trn_manual_page public;
    struct text *texts;
    struct array facts, tables;
    struct array cells; /* of the table being built */
    const struct trn_gen *gen;
    trn_manual_modelled modelled;
    bool out_of_memory;
};

/* One more item at the end, NULL when memory ran out. */
static void *array_add(struct page *page, struct array *array, size_t item_bytes)
{
    if (array->count == array->capacity) {
        const size_t capacity = array->capacity ? 2 * array->capacity : 16;
        void *items = realloc(array->items, capacity * item_bytes);
        if (!items) {
            page->out_of_memory = true;
            return NULL;
        }
        array->items = items;
        array->capacity = capacity;
    }
    return (char *)array->items + item_bytes * array->count++;
}

struct page *page_new(enum trn_manual_kind kind, const struct trn_gen *gen,
                      trn_manual_modelled modelled)
{
    struct page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->public.kind = kind;
    page->public.name = page->public.summary = "";
    page->gen = gen;
    page->modelled = modelled;
    return page;
}

const struct trn_gen *page_gen(const struct page *page)
{
    return page->gen;
}

trn_manual_modelled page_modelled(const struct page *page)
{
    return page->modelled;
}

const char *page_format(struct page *page, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    struct text *text = length < 0 ? NULL : malloc(sizeof *text + (size_t)length + 1);
    if (text) {
        vsnprintf(text->bytes, (size_t)length + 1, format, again);
        text->next = page->texts;
        page->texts = text;
    } else {
        page->out_of_memory = true;
    }
    va_end(again);
    return text ? text->bytes : "";
}

const char *page_list_add(struct page *page, const char *list, const char *item)
{
    return *list ? page_format(page, "%s %s", list, item) : item;
}

void page_title(struct page *page, const char *name, const char *summary)
{
    page->public.name = name;
    page->public.summary = summary;
}

/* ---- values ----------------------------------------------------------------------- */

struct trn_manual_value value_text(const char *text)
{
    return (struct trn_manual_value){.type = TRN_MANUAL_TEXT, .text = text};
}

struct trn_manual_value value_list(const char *items)
{
    return (struct trn_manual_value){.type = TRN_MANUAL_LIST, .text = items};
}

struct trn_manual_value value_number(int64_t number)
{
    return (struct trn_manual_value){.type = TRN_MANUAL_NUMBER, .number = number};
}

struct trn_manual_value value_hex(uint64_t number, unsigned digits)
{
    return (struct trn_manual_value){
        .type = TRN_MANUAL_HEX, .number = (int64_t)number, .digits = digits};
}

struct trn_manual_value value_bool(bool flag)
{
    return (struct trn_manual_value){.type = TRN_MANUAL_BOOL, .number = flag};
}

struct trn_manual_value value_nothing(void)
{
    return (struct trn_manual_value){.type = TRN_MANUAL_NOTHING};
}

/* ---- facts and tables ------------------------------------------------------------- */

void page_fact(struct page *page, const char *key, struct trn_manual_value value)
{
    struct trn_manual_fact *fact = array_add(page, &page->facts, sizeof *fact);
    if (fact)
        *fact = (struct trn_manual_fact){key, value};
}

void page_text(struct page *page, const char *key, const char *text)
{
    if (*text)
        page_fact(page, key, value_text(text));
}

void page_list(struct page *page, const char *key, const char *items)
{
    if (*items)
        page_fact(page, key, value_list(items));
}

/* Gives the cells collected so far to the last table, or drops it when it has none. */
static void close_table(struct page *page)
{
    if (page->tables.count == 0)
        return;
    struct trn_manual_table *table =
        (struct trn_manual_table *)page->tables.items + page->tables.count - 1;
    if (table->cells || page->out_of_memory)
        return;
    if (page->cells.count == 0) {
        page->tables.count--;
        return;
    }
    table->cells = page->cells.items;
    table->num_rows = page->cells.count / table->num_columns;
    page->cells = (struct array){0};
}

void page_table(struct page *page, const char *key, const struct trn_manual_column *columns,
                size_t num_columns)
{
    close_table(page);
    struct trn_manual_table *table = array_add(page, &page->tables, sizeof *table);
    if (table)
        *table =
            (struct trn_manual_table){.key = key, .columns = columns, .num_columns = num_columns};
}

void page_row(struct page *page, const struct trn_manual_value *cells)
{
    if (page->out_of_memory)
        return;
    const struct trn_manual_table *table =
        (const struct trn_manual_table *)page->tables.items + page->tables.count - 1;
    for (size_t i = 0; i < table->num_columns; i++) {
        struct trn_manual_value *cell = array_add(page, &page->cells, sizeof *cell);
        if (!cell)
            return;
        *cell = cells[i];
    }
}

struct trn_manual_page *page_finish(struct page *page)
{
    close_table(page);
    page->public.facts = page->facts.items;
    page->public.num_facts = page->facts.count;
    page->public.tables = page->tables.items;
    page->public.num_tables = page->tables.count;
    if (!page->out_of_memory)
        return &page->public;
    trn_manual_free(&page->public);
    return NULL;
}

void trn_manual_free(struct trn_manual_page *public)
{
    if (!public)
        return;
    struct page *page = (struct page *)public; /* its first member */
    for (size_t i = 0; i < page->tables.count; i++)
        free((void *)(uintptr_t)((struct trn_manual_table *)page->tables.items)[i].cells);
    for (struct text *text = page->texts; text;) {
        struct text *next = text->next;
        free(text);
        text = next;
    }
    free(page->cells.items);
    free(page->tables.items);
    free(page->facts.items);
    free(page);
}
