/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the address converter share: windows of cores and TopSPs, ranges by place. */
#ifndef TRN_GEN_MAP_H
#define TRN_GEN_MAP_H

#include "gen/blocks.h"
#include "trench/map.h"

/* One copy of an aperture. `row` NULL: none. */
struct trn_map_range {
    const struct trn_aperture_row *row;
    uint32_t copy;
    uint64_t offset; /* of the byte asked for, in the copy */
};

/* Smallest range of a scope that holds an offset. */
struct trn_map_range trn_map_range_at(const struct trn_gen *gen, enum trn_aperture_scope scope,
                                      uint64_t offset);

/* Offset of a copy's first byte in its scope. */
uint64_t trn_map_range_start(const struct trn_aperture_row *row, uint32_t copy);

/* BAR0 offset of a core's window. */
uint64_t trn_map_core_window(const struct trn_gen *gen, unsigned core);

/* Device address that the offsets of a core's container count from, and its size; false when no
 * source gives one. */
bool trn_map_container(const struct trn_gen *gen, unsigned core, uint64_t *base, uint64_t *size);

/* Scope of the ranges inside a BAR0 window of a TopSP or compute cluster; false: not such a
 * window. */
bool trn_map_inside(const struct trn_aperture_row *window, enum trn_aperture_scope *scope);

/* "NAME" or "NAME[copy]" behind what `name` already holds. */
void trn_map_append_range(char name[TRN_MAP_NAME_MAX], const struct trn_aperture_row *row,
                          uint32_t copy);

/* Does a confidence text name a model choice that holds on the generation? "O; MC v4" does on
 * MARIANA only. */
bool trn_map_is_choice(const char *confidence, const struct trn_gen *gen);

/* Fills block and register of a place whose BAR0 offset is known. */
void trn_map_fill_block(struct trn_map_place *place);

/* Fills one register of a block. */
bool trn_map_fill_register(const struct trn_block *block, const struct trn_reg_row *row, unsigned i,
                           unsigned j, struct trn_map_register *out);

#endif
