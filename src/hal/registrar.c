/* SPDX-License-Identifier: Apache-2.0 */
/* What the three registrars put into the dispatch object (docs/hardware/hal-stpb.md 3.1, 3.5). One
 * body serves every arch that a row names; what differs inside is data of the generation. */
#include "hal/accessors.h"
#include "hal/handle.h"
#include "hal/leaves.h"

#define V2  TRN_KHAL_ARCH(2) /* SUNDA */
#define V3  TRN_KHAL_ARCH(3) /* CAYMAN */
#define V4  TRN_KHAL_ARCH(4) /* MARIANA and MARIANA_PLUS */
#define ALL (V2 | V3 | V4)

#define FILL(at, which, function)                                                                  \
    {                                                                                              \
        .offset = (at), .archs = (which), .leaf = (void (*)(void))(function)                       \
    }

static const struct trn_khal_fill fills[] = {
    /* getters of more than one number */
    FILL(0x0B0, ALL, trn_leaf_get_seq_params),
    FILL(0x0B8, ALL, trn_leaf_get_q7_params),
    FILL(0x0C8, ALL, trn_leaf_get_hw_decode_params),
    FILL(0x0F0, ALL, trn_leaf_get_xt_local_reg_offset),
};

const struct trn_khal_fill *trn_hal_registrar(size_t *count)
{
    *count = sizeof fills / sizeof fills[0];
    return fills;
}
