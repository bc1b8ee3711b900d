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

/** What memory holds before anything is written. */
enum trn_reset {
    TRN_RESET_ZERO,
    TRN_RESET_POISON, /**< every byte 0xFF */
    TRN_RESET_RANDOM  /**< a fixed function of the seed, the space and the address */
};

/** Use of one partition (of device memory: of all of it) since the last reset. */
struct trn_occupancy {
    uint64_t bytes_written; /**< distinct bytes of the partition that were written */
    int last_engine;        /**< engine of the last writer, -1: the host or nobody */
    uint64_t last_pc;       /**< device address of the last writer's word, 0 for the host */
};

#ifdef __cplusplus
}
#endif
#endif
