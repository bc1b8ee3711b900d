/* SPDX-License-Identifier: Apache-2.0 */
/* The presence matrix: images by core, flavour and region, generation beside generation. */
#ifndef TRN_CLI_FW_MATRIX_H
#define TRN_CLI_FW_MATRIX_H

#include "cli/fw.h"

/* One row: an image's name without its generation, and what stands there in each. */
struct fw_matrix_row {
    struct trn_fw_name name; /* gen is NULL */
    char title[64];          /* "NX_ACT PERF IRAM" */
    const struct trn_fw_image *image[TRN_GEN_COUNT];
};

struct fw_matrix {
    struct fw_matrix_row *rows; /* in the order of cores, flavours and regions */
    size_t num_rows, room;
    size_t getters[TRN_GEN_COUNT]; /* cells that are not empty */
};

/* Enter the named images of a container; the first one of a name counts. False: out of memory. */
bool fw_matrix_add(struct fw_matrix *matrix, const struct trn_fw *fw);
void fw_matrix_sort(struct fw_matrix *matrix);
void fw_matrix_free(struct fw_matrix *matrix);

/* "0x..." of the size, "cursor", or "-" where there is no image. */
const char *fw_matrix_cell(const struct trn_fw_image *image, char out[24]);

/* What is said about the head of an image: "j 0x1dc, enter 0x94", "magic 0x6099cb34, init", its
 * kind for other images. */
void fw_head_text(const struct trn_fw_image *image, char *out, size_t room);

/* Opcodes whose generations tell them apart: fw_opcodes.c. */
void fw_opcodes_print(void);
json_t *fw_opcodes_json(void);
/* Opcodes that one generation has and the other has not. */
void fw_opcodes_print_diff(const struct trn_gen *from, const struct trn_gen *to);
json_t *fw_opcodes_diff_json(const struct trn_gen *from, const struct trn_gen *to);

#endif
