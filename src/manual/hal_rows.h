/* SPDX-License-Identifier: Apache-2.0 */
/* The host HAL's tables as the manual shows them (hal-slots.csv, hal-getters.csv). */
#ifndef TRN_MANUAL_HAL_ROWS_H
#define TRN_MANUAL_HAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trn_slot_page_row {
    uint16_t offset; /* bytes from the start of the dispatch object */
    const char *family, *member;
    bool fatal;       /* an empty slot is an assertion */
    const char *text; /* of the assertion */
    const char *confidence, *sheet, *meaning;
};

enum { TRN_HAL_COLUMNS = 4 }; /* generations 0 sunda .. 3 mariana_plus have a HAL */

struct trn_getter_page_row {
    const char *name;
    uint16_t slot;                       /* 0: a real body, no slot */
    const char *index;                   /* what the index counts, empty: there is none */
    const char *values[TRN_HAL_COLUMNS]; /* one an index, "-" without any */
    const char *sheet, *confidence, *meaning;
};

extern const struct trn_slot_page_row trn_slot_page_table[];
extern const size_t trn_num_slot_pages;
extern const struct trn_getter_page_row trn_getter_page_table[];
extern const size_t trn_num_getter_pages;

#endif
