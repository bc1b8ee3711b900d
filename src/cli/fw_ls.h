/* SPDX-License-Identifier: Apache-2.0 */
/* `trench fw ls`: what is asked for, and the parts that print it. */
#ifndef TRN_CLI_FW_LS_H
#define TRN_CLI_FW_LS_H

#include "cli/fw.h"

struct fw_ls {
    const char *glob;
    bool hash, sections, segments, symbols, members, json;
};

/* Headers of ELF files and members, symbols, members: fw_ls_headers.c. */
trn_status fw_ls_print_headers(const struct trn_fw *fw, const struct fw_ls *ls,
                               struct trn_diag *diag);
trn_status fw_ls_headers_json(const struct trn_fw *fw, const struct fw_ls *ls, json_t *file,
                              struct trn_diag *diag);

/* Counts per generation, core and kind: fw_ls_totals.c. */
void fw_ls_print_totals(const struct trn_fw *fw, const struct fw_ls *ls);
json_t *fw_ls_totals_json(const struct trn_fw *fw, const struct fw_ls *ls);

#endif
