/* SPDX-License-Identifier: Apache-2.0 */
/* The code of an image, as the files that find it see it. */
#ifndef TRN_FW_CODE_H
#define TRN_FW_CODE_H

#include "trench/fw_code.h"

struct fw_addresses {
    uint32_t *address;
    size_t count, room;
};

/* False when memory is out. */
bool fw_addresses_add(struct fw_addresses *list, uint32_t address);
/* Ascending, each once. */
void fw_addresses_sort(struct fw_addresses *list);

struct fw_code_section {
    struct trn_xtensa_code code;
    char name[64];
    size_t number; /* of the section in the object */
    struct fw_addresses labels, pending;
};

struct trn_fw_code {
    struct fw_code_section *section;
    size_t count;
    size_t pending;
};

typedef struct fw_code_section *fw_code_add(struct trn_fw_code *code);

/* code_object.c: the code sections of an Xtensa object. */
trn_status fw_code_open_object(const struct trn_fw_image *image, fw_code_add *add,
                               struct trn_fw_code *code, struct trn_diag *diag);

#endif
