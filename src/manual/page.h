/* SPDX-License-Identifier: Apache-2.0 */
/* Building a page: facts and tables are appended; running out of memory is remembered and reported
 * once, by page_finish. Texts are copied only where they are formatted: rows live for ever. */
#ifndef TRN_MANUAL_PAGE_H
#define TRN_MANUAL_PAGE_H

#include "trench/manual.h"

struct page; /* a struct trn_manual_page and what it owns */

struct page *page_new(enum trn_manual_kind kind, const struct trn_gen *gen,
                      trn_manual_modelled modelled);
const struct trn_gen *page_gen(const struct page *page);
trn_manual_modelled page_modelled(const struct page *page);

/* Formatted text that lives as long as the page; "" when memory ran out. */
const char *page_format(struct page *page, const char *format, ...) TRN_PRINTF(2, 3);

/* Appends `item` and a space before it where the list is not empty; returns the new list. */
const char *page_list_add(struct page *page, const char *list, const char *item);

void page_title(struct page *page, const char *name, const char *summary);

/* Values. */
struct trn_manual_value value_text(const char *text);
struct trn_manual_value value_list(const char *items);
struct trn_manual_value value_number(int64_t number);
struct trn_manual_value value_hex(uint64_t number, unsigned digits);
struct trn_manual_value value_bool(bool flag);
struct trn_manual_value value_nothing(void);

/* A fact; empty texts and lists are left out. */
void page_fact(struct page *page, const char *key, struct trn_manual_value value);
void page_text(struct page *page, const char *key, const char *text);
void page_list(struct page *page, const char *key, const char *items);

/* A table begins with its columns, then one call a row with as many cells. A table without rows is
 * dropped when the next begins or the page is finished. */
void page_table(struct page *page, const char *key, const struct trn_manual_column *columns,
                size_t num_columns);
void page_row(struct page *page, const struct trn_manual_value *cells);

/* The page, or NULL (with the pieces freed) when memory ran out. */
struct trn_manual_page *page_finish(struct page *page);

#define PAGE_TABLE(page, key, columns)                                                             \
    page_table(page, key, columns, sizeof(columns) / sizeof((columns)[0]))

#endif
