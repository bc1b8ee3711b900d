/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text_pattern.h"

#include "isa_fields.h"
#include "trench/enums.h"

/* The composite layouts are the same on every instruction set; any column serves. */
enum { ANY_ISA = 0, MX_MARKER_LO = 24, MX_MARKER_BITS = 5 };

uint8_t trn_text_ndim(const struct trn_text_field *field)
{
    if (field->kind == TRN_TEXT_MX1D)
        return 1;
    if (field->kind == TRN_TEXT_DATA4D)
        return 4;
    return (uint8_t)((field->size - 4) / 4);
}

bool trn_text_contiguous(const uint16_t num[4], uint8_t ndim, int16_t step[4])
{
    uint64_t product = 1;
    for (uint8_t i = 0; i < ndim; i++) {
        const uint64_t value = num[i] == 1 || i == 0 ? 1 : product;
        if (value > INT16_MAX)
            return false;
        step[i] = (int16_t)value;
        product *= num[i];
    }
    return true;
}

/* ---- encoding --------------------------------------------------------------------- */

static uint32_t addr4_word(const struct trn_addr4 *addr)
{
    uint8_t bytes[4];
    trn_text_addr4_encode(addr, bytes);
    return trn_get32(bytes);
}

/* Where steps and counts of a field stand. */
struct arrays {
    size_t step, num;
};

static struct arrays arrays_of(const struct trn_text_field *field)
{
    static const uint8_t origin[TRN_PATTERN_MAX_BYTES];
    const uint8_t *step, *num;
    switch (trn_text_ndim(field)) {
    case 1:
        step = trn_pattern1d_step_elem(origin, ANY_ISA);
        num = trn_pattern1d_num_elem(origin, ANY_ISA);
        break;
    case 2:
        step = trn_pattern2d_step_elem(origin, ANY_ISA);
        num = trn_pattern2d_num_elem(origin, ANY_ISA);
        break;
    case 3:
        step = trn_pattern3d_step_elem(origin, ANY_ISA);
        num = trn_pattern3d_num_elem(origin, ANY_ISA);
        break;
    default: /* data4d has its arrays where pattern4d has them */
        step = trn_pattern4d_step_elem(origin, ANY_ISA);
        num = trn_pattern4d_num_elem(origin, ANY_ISA);
        break;
    }
    return (struct arrays){(size_t)(step - origin), (size_t)(num - origin)};
}

static void encode_arrays(const struct trn_text_field *field, const struct trn_text_pattern *p,
                          uint8_t *bytes)
{
    const struct arrays at = arrays_of(field);
    for (uint8_t i = 0; i < p->ndim; i++) {
        trn_put16(bytes + at.step + 2 * i, (uint16_t)p->step[i]);
        trn_put16(bytes + at.num + 2 * i, p->num[i]);
    }
}

static void encode_mx1d(const struct trn_text_pattern *p, uint8_t *bytes)
{
    trn_mx1d_start_addr_set(bytes, ANY_ISA, addr4_word(&p->start));
    trn_mx1d_scale_addr_set(bytes, ANY_ISA, addr4_word(&p->scale));
    trn_mx1d_num_elem_set(bytes, ANY_ISA, p->num[0]);
    trn_mx1d_step_elem_set(bytes, ANY_ISA, (int8_t)p->step[0]);
    trn_mx1d_scale_pidx_set(bytes, ANY_ISA, p->scale_partition);
}

static void encode_indirect(const struct trn_text_pattern *p, uint8_t *bytes)
{
    struct trn_addr4 index = p->index;
    index.indirect = true;
    if (p->has_scale) {
        trn_mxindirect_index_addr_set(bytes, ANY_ISA, addr4_word(&index));
        trn_mxindirect_data_addr_set(bytes, ANY_ISA, addr4_word(&p->start));
        trn_mxindirect_scale_addr_set(bytes, ANY_ISA, addr4_word(&p->scale));
        trn_mxindirect_k_extent_set(bytes, ANY_ISA, p->num[0]);
        trn_mxindirect_scale_pidx_set(bytes, ANY_ISA, p->scale_partition);
        return;
    }
    trn_indirect_index_addr_set(bytes, ANY_ISA, addr4_word(&index));
    trn_indirect_data_addr_set(bytes, ANY_ISA, addr4_word(&p->start));
    trn_indirect_num_elem_set(bytes, ANY_ISA, p->num[0]);
}

/* The marker stands in the low five bits of byte 3, over address bits 28:24 (isa-core.md 5). */
static void encode_mx(const struct trn_text_pattern *p, uint8_t *bytes)
{
    struct trn_addr4 start = p->start;
    start.addr = (uint32_t)trn_bits_set(start.addr, MX_MARKER_LO, MX_MARKER_BITS,
                                        TRN_ADDR4_MARKER_MXTENSOR_V2);
    trn_mxtensor_v2_data_addr_set(bytes, ANY_ISA, addr4_word(&start));
    trn_mxtensor_v2_scale_addr_set(bytes, ANY_ISA, addr4_word(&p->scale));
    uint8_t *num = trn_mxtensor_v2_num_elem_ref(bytes, ANY_ISA);
    num[0] = (uint8_t)p->num[0];
    num[1] = (uint8_t)p->num[1];
    trn_mxtensor_v2_step_elem_data_1_set(bytes, ANY_ISA, p->step[0]);
    trn_mxtensor_v2_step_elem_scale_1_set(bytes, ANY_ISA, p->step[1]);
    trn_mxtensor_v2_p_log2_set(bytes, ANY_ISA, p->p_log2);
    trn_mxtensor_v2_f_log2_set(bytes, ANY_ISA, p->f_log2);
    trn_mxtensor_v2_scale_dtype_set(bytes, ANY_ISA, p->scale_dtype);
}

void trn_text_pattern_encode(const struct trn_text_field *field,
                             const struct trn_text_pattern *pattern, uint8_t *bytes)
{
    memset(bytes, 0, field->size);
    switch (pattern->arm) {
    case TRN_ARM_INDIRECT:
        encode_indirect(pattern, bytes);
        return;
    case TRN_ARM_MX:
        encode_mx(pattern, bytes);
        return;
    case TRN_ARM_SHAPE_REGISTER: {
        struct trn_addr4 start = pattern->start;
        start.shape_from_register = true;
        trn_text_addr4_encode(&start, bytes);
        trn_put16(bytes + arrays_of(field).step, (uint16_t)pattern->shape_register);
        return;
    }
    case TRN_ARM_SHAPE:
    case TRN_ARM_RAW:
        break;
    }
    if (field->kind == TRN_TEXT_MX1D) {
        encode_mx1d(pattern, bytes);
        return;
    }
    if (field->kind == TRN_TEXT_DATA4D)
        trn_data4d_base_set(bytes, ANY_ISA, pattern->base);
    else
        trn_text_addr4_encode(&pattern->start, bytes);
    encode_arrays(field, pattern, bytes);
}

/* ---- decoding --------------------------------------------------------------------- */

static void decode_arrays(const struct trn_text_field *field, const uint8_t *bytes,
                          struct trn_text_pattern *p)
{
    const struct arrays at = arrays_of(field);
    for (uint8_t i = 0; i < p->ndim; i++) {
        p->step[i] = (int16_t)trn_get16(bytes + at.step + 2 * i);
        p->num[i] = trn_get16(bytes + at.num + 2 * i);
    }
    p->shape_register = p->step[0];
}

static void decode_mx1d(const uint8_t *bytes, struct trn_text_pattern *p)
{
    p->scale = trn_addr4_decode(trn_mx1d_scale_addr_bytes(bytes, ANY_ISA));
    p->num[0] = trn_mx1d_num_elem(bytes, ANY_ISA);
    p->step[0] = trn_mx1d_step_elem(bytes, ANY_ISA); /* NOLINT(bugprone-signed-char-misuse) */
    p->scale_partition = trn_mx1d_scale_pidx(bytes, ANY_ISA);
}

static void decode_indirect(const uint8_t *bytes, struct trn_text_pattern *p)
{
    p->index = p->start;
    p->index.indirect = false;
    if (p->has_scale) {
        p->start = trn_addr4_decode(trn_mxindirect_data_addr_bytes(bytes, ANY_ISA));
        p->scale = trn_addr4_decode(trn_mxindirect_scale_addr_bytes(bytes, ANY_ISA));
        p->num[0] = trn_mxindirect_k_extent(bytes, ANY_ISA);
        p->scale_partition = trn_mxindirect_scale_pidx(bytes, ANY_ISA);
        return;
    }
    p->start = trn_addr4_decode(trn_indirect_data_addr_bytes(bytes, ANY_ISA));
    p->num[0] = trn_indirect_num_elem(bytes, ANY_ISA);
}

static void decode_mx(const uint8_t *bytes, struct trn_text_pattern *p)
{
    p->start.addr = (uint32_t)trn_bits_set(p->start.addr, MX_MARKER_LO, MX_MARKER_BITS, 0);
    p->has_scale = true;
    p->scale = trn_addr4_decode(trn_mxtensor_v2_scale_addr_bytes(bytes, ANY_ISA));
    const uint8_t *num = trn_mxtensor_v2_num_elem(bytes, ANY_ISA);
    p->num[0] = num[0];
    p->num[1] = num[1];
    p->step[0] = trn_mxtensor_v2_step_elem_data_1(bytes, ANY_ISA);
    p->step[1] = trn_mxtensor_v2_step_elem_scale_1(bytes, ANY_ISA);
    p->p_log2 = trn_mxtensor_v2_p_log2(bytes, ANY_ISA);
    p->f_log2 = trn_mxtensor_v2_f_log2(bytes, ANY_ISA);
    p->scale_dtype = trn_mxtensor_v2_scale_dtype(bytes, ANY_ISA);
}

static bool plain(const struct trn_addr4 *addr)
{
    return !addr->shape_from_register && !addr->indirect;
}

/* The arm that the markers of the first address select. */
static enum trn_arm arm_of(const struct trn_text_field *field, const struct trn_addr4 *first)
{
    if (first->indirect) /* TENSOR1D has no room for it; marker 0x60 belongs to no arm */
        return first->shape_from_register || field->size < 12 ? TRN_ARM_RAW : TRN_ARM_INDIRECT;
    if (first->shape_from_register)
        return field->kind == TRN_TEXT_MX1D ? TRN_ARM_RAW : TRN_ARM_SHAPE_REGISTER;
    const bool marked =
        trn_bits_get(first->addr, MX_MARKER_LO, MX_MARKER_BITS) == TRN_ADDR4_MARKER_MXTENSOR_V2;
    return field->mx && marked && !first->from_register ? TRN_ARM_MX : TRN_ARM_SHAPE;
}

/* An arm does not use all bytes and all bits of its addresses: what it cannot say stays raw. */
static bool is_exact(const struct trn_text_field *field, const struct trn_text_pattern *p,
                     const uint8_t *bytes)
{
    if (!plain(&p->start) && p->arm != TRN_ARM_SHAPE_REGISTER)
        return false;
    if (!plain(&p->scale) || (p->arm == TRN_ARM_SHAPE_REGISTER && p->shape_register < 0))
        return false;
    uint8_t again[TRN_PATTERN_MAX_BYTES];
    trn_text_pattern_encode(field, p, again);
    return memcmp(again, bytes, field->size) == 0;
}

void trn_text_pattern_decode(const struct trn_text_field *field, const uint8_t *word,
                             struct trn_text_pattern *out)
{
    const uint8_t *bytes = word + field->offset;
    *out = (struct trn_text_pattern){.ndim = trn_text_ndim(field)};
    if (field->kind == TRN_TEXT_DATA4D) {
        out->base = trn_data4d_base(bytes, ANY_ISA);
        decode_arrays(field, bytes, out);
        return;
    }
    out->start = trn_addr4_decode(bytes);
    out->arm = arm_of(field, &out->start);
    out->has_scale = field->kind == TRN_TEXT_MX1D;
    if (out->arm == TRN_ARM_INDIRECT)
        decode_indirect(bytes, out);
    else if (out->arm == TRN_ARM_MX)
        decode_mx(bytes, out);
    else if (out->has_scale)
        decode_mx1d(bytes, out);
    else
        decode_arrays(field, bytes, out);
    const bool always_exact =
        out->arm == TRN_ARM_SHAPE && !out->has_scale && !out->start.from_register;
    if (out->arm != TRN_ARM_RAW && !always_exact && !is_exact(field, out, bytes))
        out->arm = TRN_ARM_RAW;
}
