/* SPDX-License-Identifier: Apache-2.0 */
/* The generated images (tools/tablegen/emit_ucode.py), by the generation's place in trn_gen_at. */
#ifndef HAL_UCODE_H
#define HAL_UCODE_H

#include "trench/ucode.h"

struct trn_ucode_image {
    const uint8_t *bytes; /* NULL: the generation has no such image */
    size_t size;
};

extern const struct trn_ucode_image trn_ucode_images[TRN_GEN_COUNT][TRN_UCODE_CORES]
                                                    [TRN_UCODE_REGIONS];

#endif
