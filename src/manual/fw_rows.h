/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of kernel-info.csv, decode-cam.csv and fw-slots.csv as the manual prints them
 * (tools/tablegen/emit_fw_data.py). */
#ifndef TRN_MANUAL_FW_ROWS_H
#define TRN_MANUAL_FW_ROWS_H

#include "trench/gen.h"

struct trn_kernel_page_row {
    unsigned gen, library, index, opcode, spec;
    const char *function; /* "0x01000080", empty where it is not recorded */
    const char *symbol;   /* its name where the sheets give one, else empty */
    const char *kernel, *confidence;
};

struct trn_decode_set_row {
    const char *name; /* "cayman.decode_cam.pe" */
    unsigned gens;
    const char *engines, *opcodes;
    unsigned armed;
    const char *class_word, *meaning, *confidence, *class_confidence, *sheet;
};

struct trn_core_type_row {
    unsigned number, gen;
    const char *name, *images, *flavors;
    bool has_prof;
    unsigned libraries;
    const char *sheet, *confidence;
};

extern const struct trn_kernel_page_row trn_kernel_page_table[];
extern const struct trn_decode_set_row trn_decode_set_table[];
extern const struct trn_core_type_row trn_core_type_table[];
extern const size_t trn_num_kernel_pages, trn_num_decode_sets, trn_num_core_types;

#endif
