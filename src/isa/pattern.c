/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/pattern.h"

#include "isa_fields.h"

/* The composite layouts are the same on every instruction set; any column serves. */
enum { ANY_ISA = 0 };

struct trn_addr4 trn_addr4_decode(const uint8_t bytes[4])
{
    return (struct trn_addr4){
        .addr = trn_addr4_addr_immediate(bytes, ANY_ISA),
        .regnum = trn_addr4_regnum(bytes, ANY_ISA),
        .from_register = trn_addr4_marker_addr_reg(bytes, ANY_ISA),
        .shape_from_register = trn_addr4_marker_shape_reg(bytes, ANY_ISA),
        .indirect = trn_addr4_marker_indirect(bytes, ANY_ISA),
    };
}

/* Where the two arrays of a TENSORnD stand. */
struct arrays {
    const uint8_t *step, *num;
    uint8_t ndim;
};

static struct arrays arrays_of(const uint8_t *bytes, enum trn_field_type type)
{
    switch (type) {
    case TRN_TYPE_PATTERN1D:
        return (struct arrays){trn_pattern1d_step_elem(bytes, ANY_ISA),
                               trn_pattern1d_num_elem(bytes, ANY_ISA), 1};
    case TRN_TYPE_PATTERN2D:
        return (struct arrays){trn_pattern2d_step_elem(bytes, ANY_ISA),
                               trn_pattern2d_num_elem(bytes, ANY_ISA), 2};
    case TRN_TYPE_PATTERN3D:
        return (struct arrays){trn_pattern3d_step_elem(bytes, ANY_ISA),
                               trn_pattern3d_num_elem(bytes, ANY_ISA), 3};
    default:
        return (struct arrays){trn_pattern4d_step_elem(bytes, ANY_ISA),
                               trn_pattern4d_num_elem(bytes, ANY_ISA), 4};
    }
}

static void fill_unused(struct trn_pattern *out, uint8_t from)
{
    for (uint8_t i = from; i < 4; i++) {
        out->step[i] = 1;
        out->num[i] = 1;
    }
}

/* TENSOR1D has no room for an indirect arm; the marker 0x60 belongs to no arm. */
static bool selects_indirect(const struct trn_addr4 *start, enum trn_field_type type)
{
    return start->indirect && !start->shape_from_register && type != TRN_TYPE_PATTERN1D;
}

void trn_pattern_decode(const uint8_t *bytes, enum trn_field_type type, struct trn_pattern *out)
{
    *out = (struct trn_pattern){.start = trn_addr4_decode(bytes)};
    if (selects_indirect(&out->start, type)) {
        out->indirect = true;
        out->ndim = 1;
        fill_unused(out, 0);
        out->num[0] = trn_indirect_num_elem(bytes, ANY_ISA);
        out->data = trn_addr4_decode(trn_indirect_data_addr_bytes(bytes, ANY_ISA));
        return;
    }
    const struct arrays arrays = arrays_of(bytes, type);
    out->ndim = arrays.ndim;
    for (uint8_t i = 0; i < arrays.ndim; i++) {
        out->step[i] = (int16_t)trn_get16(arrays.step + 2 * i);
        out->num[i] = trn_get16(arrays.num + 2 * i);
    }
    fill_unused(out, arrays.ndim);
    /* dge.md 2.3: the register number stands where the first step would */
    out->shape_register = (uint8_t)out->step[0];
}

uint64_t trn_pattern_count(const struct trn_pattern *pattern)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < 4; i++)
        count *= pattern->num[i];
    return count;
}
