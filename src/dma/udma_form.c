/* SPDX-License-Identifier: Apache-2.0 */
/* What a source descriptor asks for, in words (docs/hardware/udma.md 2.2, 2.3). */
#include "dma/udma_state.h"

enum { TYPES = 8 };

static const char *const cme[TYPES] = {
    [1] = "CRC32 (2.2, CME type 1)",   [2] = "CRC32C (2.2, CME type 2)",
    [3] = "CKSUM16 (2.2, CME type 3)", [4] = "CKSUM32 (2.2, CME type 4)",
    [5] = "CRC16 (2.2, CME type 5)",   [6] = "the Adler-32 checksum (2.2, CME type 6)",
    [7] = "CRC8 (2.2, CME type 7)",
};

static const char *const dre[TYPES] = {
    [0] = "a striding split (2.3)",
    [1] = "a transpose of other than rows of 1, 2, 4 or 8-byte elements (2.3)",
    [2] = "replication (2.3)",
};

static const char *const cce[TYPES] = {
    [0] = "ADD with this sub-operation or these types (2.3)",
    [1] = "FMA with this sub-operation or these types (2.3)",
    [2] = "MAX with this sub-operation or these types (2.3)",
    [3] = "MIN with this sub-operation or these types (2.3)",
    [4] = "a cast with this sub-operation or these types (2.3)",
    [5] = "a gradient, GCE (2.3)",
};

const char *trn_udma_form_name(const struct trn_udma_tx *tx)
{
    const char *const *const names = tx->op == TRN_UDMA_OP_CME   ? cme
                                     : tx->op == TRN_UDMA_OP_DRE ? dre
                                     : tx->op == TRN_UDMA_OP_CCE ? cce
                                                                 : NULL;
    if (names && names[tx->op_type % TYPES])
        return names[tx->op_type % TYPES];
    if (tx->op == TRN_UDMA_OP_CME)
        return "a copy with CRC options, swaps, or without its source (2.2)";
    return "a class or type of operation that does not exist (2.2)";
}
