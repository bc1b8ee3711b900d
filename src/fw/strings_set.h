/* SPDX-License-Identifier: Apache-2.0 */
/* A set of texts: each gets a number, in the order of its first appearance. */
#ifndef TRN_FW_STRINGS_SET_H
#define TRN_FW_STRINGS_SET_H

#include "trench/fw_data.h"

struct fw_set {
    struct fw_set_slot {
        const uint8_t *text; /* NULL: free */
        size_t size;
        size_t number;
    } * slots;
    size_t num_slots; /* a power of two, or 0 */
    size_t count;
};

/* Number of the text, new or not; *is_new says which. TRN_ERR_NO_MEMORY. */
trn_status fw_set_add(struct fw_set *set, const uint8_t *text, size_t size, size_t *number,
                      bool *is_new);
void fw_set_free(struct fw_set *set);

#endif
