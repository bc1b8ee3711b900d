/* SPDX-License-Identifier: Apache-2.0 */
/* Weak stand-ins. */
#include "trench/isa.h"
#pragma GCC diagnostic ignored "-Wunused-parameter"
__attribute__((weak)) trn_status trn_check_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                                  const struct trn_check_options *options,
                                  struct trn_violation *out, size_t capacity, size_t *count)
{
    if (count)
        *count = 0;
    return TRN_OK;
}
