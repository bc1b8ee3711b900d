/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel tables: finding them, reading them, knowing them. */
#ifndef TRN_FW_KERNELS_H
#define TRN_FW_KERNELS_H

#include "fw/data_rows.h"

enum { FW_KERNEL_BYTES = 8 };

/* An image with a table in it: where its functions are. */
struct fw_kernel_image {
    const uint8_t *bytes;
    size_t size;
    const char *name;
    bool is_elf, has_text;
    uint64_t text_va, text_offset, text_size;
};

/* One entry at an offset that lies inside, flaws of the entry alone included. */
struct trn_fw_kernel fw_kernel_at(const struct fw_kernel_image *image, size_t offset);

/* Append `count` entries at `offset` as one more table. */
trn_status fw_kernels_append(const struct fw_kernel_image *image, size_t offset, size_t count,
                             struct trn_fw_kernels *out, struct trn_fw_kernel_table **table);

/* Every table that the shape of its entries gives away. */
trn_status fw_kernels_scan(const struct fw_kernel_image *image, struct trn_fw_kernels *out);

/* Which known library has these keys, and these addresses. */
void fw_kernels_recognise(struct trn_fw_kernel_table *table);

#endif
