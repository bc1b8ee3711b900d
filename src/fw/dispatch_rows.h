/* SPDX-License-Identifier: Apache-2.0 */
/* The generated tables of boot heads, byte patterns and dispatch (data/fw-*.csv). */
#ifndef TRN_FW_DISPATCH_ROWS_H
#define TRN_FW_DISPATCH_ROWS_H

#include "trench/fw_code.h"

struct trn_fw_pattern_byte {
    uint8_t mask, value;
};

struct trn_fw_pattern_row {
    const char *name, *text;
    uint8_t size;
    const struct trn_fw_pattern_byte *byte;
    const char *meaning;
};

struct trn_fw_dispatch_row {
    const char *name, *shape, *rule;
};

extern const struct trn_fw_head trn_fw_head_table[];
extern const size_t trn_fw_num_heads;
extern const struct trn_fw_pattern_row trn_fw_pattern_table[TRN_FW_PATTERNS];
extern const struct trn_fw_dispatch_row trn_fw_dispatch_table[TRN_FW_DISPATCHES];
extern const struct trn_fw_site_row trn_fw_site_table[];
extern const size_t trn_fw_num_sites;

#endif
