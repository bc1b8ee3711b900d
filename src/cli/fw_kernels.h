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

/* The JSON text beside a library, which lists its functions by opcode
 * (docs/hardware/firmware-images.md 13.4). */
struct fw_sidecar {
    const struct trn_fw_image *image; /* NULL: there is none */
    json_t *document;                 /* NULL: it does not parse */
    json_error_t error;
    json_t *functions;          /* of the document; NULL: it has none */
    bool is_broken;             /* not JSON, or a function without an opcode */
    uint64_t listed[4], had[4]; /* bit a opcode: in the text, in the table */
};

void fw_sidecar_read(const struct fw_pick *pick, const struct fw_picked *picked,
                     const struct trn_fw_kernel_table *table, struct fw_sidecar *out);
void fw_sidecar_free(struct fw_sidecar *sidecar);
void fw_sidecar_print(const struct fw_sidecar *sidecar);
json_t *fw_sidecar_json(const struct fw_sidecar *sidecar);

void fw_kernels_print(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                      const struct fw_sidecar *sidecar);
json_t *fw_kernels_json(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                        const struct fw_sidecar *sidecar);
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
