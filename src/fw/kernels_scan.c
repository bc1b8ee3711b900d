/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel tables by the shape of their entries, where neither a section nor a symbol names them:
 * stripped objects and flat images. */
#include "fw/kernels.h"

/* A run without .text to check against must be this long, in an image without an ELF header: model
 * choice. With .text one entry is enough, because its function must start with `entry`. */
enum { SHORTEST_UNCHECKED = 4, MOST_TABLES = 256 };

/* Opcodes that some library has a kernel for. */
static bool has_kernel(unsigned opcode)
{
    for (size_t i = 0; i < trn_num_fw_kernel_rows; i++)
        if (trn_fw_kernel_rows[i].opcode == opcode)
            return true;
    return false;
}

struct scan {
    const struct fw_kernel_image *image;
    bool is_kernel[256];
};

static bool looks_like_entry(const struct scan *scan, size_t offset)
{
    /* Three of four words fail here, before anything else is read. */
    const uint8_t *const entry = scan->image->bytes + offset;
    if (entry[0] || entry[1] || !scan->is_kernel[entry[3]])
        return false;
    const struct trn_fw_kernel kernel = fw_kernel_at(scan->image, offset);
    return kernel.flaws == 0 && (scan->image->has_text || kernel.func_va != 0);
}

static size_t run_at(const struct scan *scan, size_t offset)
{
    size_t count = 0;
    while (count < TRN_FW_KERNELS_MAX && scan->image->size - offset >= FW_KERNEL_BYTES &&
           looks_like_entry(scan, offset)) {
        offset += FW_KERNEL_BYTES;
        count++;
    }
    return count;
}

trn_status fw_kernels_scan(const struct fw_kernel_image *image, struct trn_fw_kernels *out)
{
    struct scan scan = {.image = image};
    for (unsigned opcode = 0; opcode < 256; opcode++)
        scan.is_kernel[opcode] = has_kernel(opcode);
    const size_t shortest = image->has_text ? 1 : SHORTEST_UNCHECKED;
    for (size_t at = 0; image->size - at >= FW_KERNEL_BYTES && out->count < MOST_TABLES; at += 4) {
        const size_t count = run_at(&scan, at);
        if (count < shortest)
            continue;
        struct trn_fw_kernel_table *table;
        if (fw_kernels_append(image, at, count, out, &table) != TRN_OK)
            return TRN_ERR_NO_MEMORY;
        table->source = TRN_FW_KERNELS_BY_SCAN;
        at += count * FW_KERNEL_BYTES - 4;
    }
    return TRN_OK;
}
