/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of firmware code as the manual shows them (data/xtensa*.csv, data/fw-*.csv). */
#ifndef TRN_MANUAL_XTENSA_ROWS_H
#define TRN_MANUAL_XTENSA_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct trn_insn_page_row {
    const char *name;
    uint8_t size; /* bytes */
    uint32_t mask, match;
    const char *operands, *cls, *census, *verified, *confidence, *sheet, *meaning, *samples;
};

struct trn_format_page_row {
    const char *name;
    uint32_t mask, match;
    uint8_t size, slots;
    const char *roles, *confidence, *sheet;
};

struct trn_head_page_row {
    uint8_t gen;
    const char *core, *engines, *residence, *head, *primary, *secondary, *high, *enter;
    const char *confidence, *sheet, *note;
};

struct trn_pattern_page_row {
    const char *name, *bytes, *sheet, *confidence, *meaning;
};

struct trn_dispatch_page_row {
    const char *name, *shape, *bound, *engines, *rule, *sheet, *confidence;
};

struct trn_handshake_page_row {
    const char *name;
    uint32_t value;
    const char *meaning, *confidence, *sheet;
};

extern const struct trn_insn_page_row trn_insn_page_table[];
extern const size_t trn_num_insn_pages;
extern const struct trn_format_page_row trn_format_page_table[];
extern const size_t trn_num_format_pages;
extern const struct trn_head_page_row trn_head_page_table[];
extern const size_t trn_num_head_pages;
extern const struct trn_pattern_page_row trn_pattern_page_table[];
extern const size_t trn_num_pattern_pages;
extern const struct trn_dispatch_page_row trn_dispatch_page_table[];
extern const size_t trn_num_dispatch_pages;
extern const struct trn_handshake_page_row trn_handshake_page_table[];
extern const size_t trn_num_handshake_pages;

#endif
