/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of the manual as text of at most 100 columns. */
#ifndef TRN_CLI_EXPLAIN_TEXT_H
#define TRN_CLI_EXPLAIN_TEXT_H

#include "trench/manual.h"

/* Name, summary, facts and tables. */
void explain_print_page(const struct trn_manual_page *page);

/* Several entries of one kind as one table: their names and what is worth a column. */
void explain_print_overview(const char *kind, struct trn_manual_page *const *pages, size_t count);

#endif
