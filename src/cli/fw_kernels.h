/* SPDX-License-Identifier: Apache-2.0 */
/* How kernel tables are printed and searched. */
#ifndef TRN_CLI_FW_KERNELS_H
#define TRN_CLI_FW_KERNELS_H

#include "cli/fw_pick.h"
#include "trench/fw_data.h"

/* What the table was recognised as: "EXTISA_0 of mariana, mariana_plus"; "-". */
void fw_kernels_identity(const struct trn_fw_kernel_table *table, char *out, size_t room);
/* What data/kernel-info.csv calls an entry; NULL: nothing. */
const char *fw_kernels_name(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                            const struct trn_fw_kernel *kernel);

void fw_kernels_print(const struct fw_picked *picked, const struct trn_fw_kernel_table *table);
json_t *fw_kernels_json(const struct fw_picked *picked, const struct trn_fw_kernel_table *table);
json_t *fw_kernel_json(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                       const struct trn_fw_kernel *kernel);

/* What --find-opcode asks for. */
struct fw_kernel_query {
    unsigned opcode;
    int spec; /* -1: any */
};

/* Legs of the opcode (data/fw-legs.csv). `libraries` has bit i when EXTISA_i of some image has it.
 */
void fw_kernels_print_legs(const struct fw_kernel_query *query, unsigned libraries);
json_t *fw_kernels_legs_json(const struct fw_kernel_query *query, unsigned libraries);

#endif
