/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bus_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The register file of a core goes by the name that the HAL's handle has. */
static const char *block_space(const char *block)
{
    return strcmp(block, "tpb") == 0 ? "tpb_regs" : block;
}

static void name_memory(const struct trn_map_place *place, struct bus_place *out)
{
    const int length = snprintf(out->name, sizeof out->name, "%s", place->aperture);
    if (*place->aperture && place->aperture_offset)
        snprintf(out->name + length, sizeof out->name - (size_t)length, "+0x%" PRIx64,
                 place->aperture_offset);
}

void bus_place_of(const struct trn_gen *gen, uint64_t bar0, struct bus_place *out)
{
    struct trn_map_place place;
    *out = (struct bus_place){.space = "bar0", .offset = bar0};
    if (trn_map_address(gen, TRN_MAP_BAR0, bar0, 0, &place, NULL) != TRN_OK)
        return;
    if (place.has_block) {
        out->space = block_space(place.block.block);
        out->offset = place.block_offset;
        out->has_register = place.has_register;
        out->reg = place.reg;
        if (place.has_register)
            snprintf(out->name, sizeof out->name, "%s", place.reg.name);
        return;
    }
    if (place.exists[TRN_MAP_TPB_BAR]) {
        out->space = "tpb_mem";
        out->offset = place.address[TRN_MAP_TPB_BAR];
    }
    name_memory(&place, out);
}

bool bus_place_field(const struct bus_place *place, uint32_t mask, unsigned i,
                     struct trn_map_field *out)
{
    if (!place->has_register)
        return false;
    for (unsigned f = 0; trn_map_field_at(&place->reg, f, out); f++)
        if (out->bits < place->reg.width && trn_map_field_value(out, mask) != 0 && i-- == 0)
            return true;
    return false;
}
