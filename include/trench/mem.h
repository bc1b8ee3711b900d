/* SPDX-License-Identifier: Apache-2.0 */
/** trench/mem.h - the memories of a core, by name. */
#ifndef TRENCH_MEM_H
#define TRENCH_MEM_H

#include "trench/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Memory spaces a program, a --load or a --dump can name. */
enum trn_space {
    TRN_SPACE_SBUF, /**< state buffer: 128 partitions */
    TRN_SPACE_PSUM, /**< matmul accumulators: 128 partitions */
    TRN_SPACE_HBM,  /**< device memory, byte addressed */
    TRN_SPACE_HOST, /**< host memory as DMA sees it */
    TRN_SPACE_COUNT
};

/** "sbuf", "psum", "hbm", "host". */
TRN_API const char *trn_space_name(enum trn_space space);

#ifdef __cplusplus
}
#endif
#endif
