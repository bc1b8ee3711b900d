/* SPDX-License-Identifier: Apache-2.0 */
/* What lies at a BAR0 offset, as a listing of bus operations names it. */
#ifndef TRN_CLI_BUS_PLACE_H
#define TRN_CLI_BUS_PLACE_H

#include "trench/map.h"

struct bus_place {
    /* "tpb_regs", "tpb_mem", a block of registers.csv ("xt_local", "nx_local", "notific", ...), or
     * "bar0" for what is neither a register nor in a core's window */
    const char *space;
    uint64_t offset;                 /* in the space: from the block's or the core's first byte */
    char name[2 * TRN_MAP_NAME_MAX]; /* register, or aperture and the offset in it; may be empty */
    bool has_register;
    struct trn_map_register reg;
};

/* The i-th bit field, less than the whole register, that a write of the bits of `mask` concerns;
 * false past the last one. */
bool bus_place_field(const struct bus_place *place, uint32_t mask, unsigned i,
                     struct trn_map_field *out);

void bus_place_of(const struct trn_gen *gen, uint64_t bar0, struct bus_place *out);

#endif
