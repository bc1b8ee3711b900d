/* SPDX-License-Identifier: Apache-2.0 */
/* Where things lie on one generation, looked up in the tables once, at the latch. */
#ifndef TRN_HAL_PLACES_H
#define TRN_HAL_PLACES_H

#include "trench/hal.h"

enum { TRN_HAL_DECODERS = TRN_HAL_SP }; /* engines 0..3 may have a hardware decoder, SP has none */

/* Offsets from mem_handle. */
struct trn_hal_places {
    struct trn_hal_seq_params seq[TRN_HAL_ENGINES];
    uint32_t local[TRN_HAL_ENGINES]; /* local registers (8.3) */
    uint32_t topsp_window;           /* from a TopSP's BAR0 window to its mem_handle */
    uint32_t topsp_local, cluster_local;
    struct trn_hal_hw_decode_params decode[TRN_HAL_DECODERS]; /* sizes 0: no decoder */
    uint32_t q7;                                              /* first core's instruction RAM */
};

void trn_hal_find_places(const struct trn_gen *gen, struct trn_hal_places *places);

/* BAR0 offset of an owner's register block by the path of register-blocks.csv ("core#.tpb"); false
 * when the generation has none. */
bool trn_hal_block_base(const struct trn_gen *gen, const char *path, unsigned number,
                        uint64_t *bar0);

/* Device address behind a BAR0 offset; false when no aperture knows one. */
bool trn_hal_device_address(const struct trn_gen *gen, uint64_t bar0, uint64_t *address);

/* Owners of notification rings, by the index of their block (see trn_hal_ring_memory). */
enum {
    TRN_HAL_RINGS_OF_CORE = 0,     /* + core */
    TRN_HAL_RINGS_OF_TOPSP = 0x40, /* + TopSP */
    TRN_HAL_RINGS_OF_DMA = 0x80,   /* + 16 core + engine of the core */
    TRN_HAL_RING_BLOCK = 0x100000, /* bytes from one block's rings to the next one's */
    TRN_HAL_RING_STRIDE = 0x10000  /* bytes from one ring to the next */
};

/* Device address of a ring in host memory (model choice: the sheets say host memory, not where;
 * docs/hardware/hal-stpb.md 7.1, address-map.md 2). */
uint64_t trn_hal_ring_memory(const struct trn_gen *gen, unsigned block, unsigned queue);

#endif
