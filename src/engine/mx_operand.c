/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/mx_operand.h"

#include "base/bytes.h"
#include "isa_fields.h"
#include "mem/onchip.h"
#include "trench/enums.h"

enum {
    QUADRANT = 32,
    CONTAINER_FP8 = TRN_DTYPE_UINT32, /* elements of 8 bits: byte q is element q */
    CONTAINER_4BIT = TRN_DTYPE_UINT16 /* of 4 bits: nibble q, the lowest first */
};

/* A descriptor of any form, with what the word says and nothing looked up. */
struct descriptor {
    bool indirect;
    const uint8_t *data, *index; /* ADDR4 each */
    struct trn_addr4 scale;
    uint8_t scale_partition; /* behind that of the scale address */
    uint32_t num[2];         /* containers; indirect: indices */
    int32_t step[2], scale_step[2];
};

static uint8_t container_of(uint8_t dtype)
{
    return trn_dtype_bits(dtype) == 4 ? CONTAINER_4BIT : CONTAINER_FP8;
}

/* ---- decoding --------------------------------------------------------------------------- */

static trn_status check_count(struct trn_exec *x, uint32_t unpacked)
{
    if (unpacked != 0 && unpacked % TRN_MX_PACKED == 0)
        return TRN_OK;
    return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_data",
                          "%u elements a partition; four are packed in a container, so a multiple "
                          "of 4 above 0 is legal",
                          unpacked);
}

static trn_status decode(struct trn_exec *x, const uint8_t *bytes, struct descriptor *out)
{
    const unsigned isa = x->gen->isa;
    const bool indirect = trn_addr4_decode(bytes).indirect;
    const uint32_t unpacked =
        indirect ? trn_mxindirect_k_extent(bytes, isa) : trn_mx1d_num_elem(bytes, isa);
    const trn_status status = check_count(x, unpacked);
    if (status)
        return status;
    *out = (struct descriptor){.indirect = indirect,
                               .data = trn_mx1d_start_addr_bytes(bytes, isa),
                               .num = {unpacked / TRN_MX_PACKED, 1}};
    if (indirect) {
        out->index = trn_mxindirect_index_addr_bytes(bytes, isa);
        out->data = trn_mxindirect_data_addr_bytes(bytes, isa);
        out->scale = trn_addr4_decode(trn_mxindirect_scale_addr_bytes(bytes, isa));
        out->scale_partition = trn_mxindirect_scale_pidx(bytes, isa);
        out->scale_step[0] = 1;
        return TRN_OK;
    }
    out->scale = trn_addr4_decode(trn_mx1d_scale_addr_bytes(bytes, isa));
    out->scale_partition = trn_mx1d_scale_pidx(bytes, isa);
    out->step[0] = trn_mx1d_step_elem(bytes, isa); /* NOLINT(bugprone-signed-char-misuse) */
    out->scale_step[0] = out->step[0];
    out->step[1] = out->scale_step[1] = 1;
    return TRN_OK;
}

/* ---- opening ---------------------------------------------------------------------------- */

static trn_status open_data(struct trn_exec *x, const struct descriptor *d, uint32_t lanes,
                            unsigned use, struct trn_mx_operand *out)
{
    const unsigned isa = x->gen->isa;
    uint8_t pattern[16] = {0};
    memcpy(pattern, d->indirect ? d->index : d->data, sizeof(uint32_t));
    if (d->indirect) {
        trn_indirect_data_addr_set(pattern, isa, trn_get32(d->data));
        trn_indirect_num_elem_set(pattern, isa, (uint16_t)d->num[0]);
    } else {
        for (unsigned i = 0; i < 3; i++) {
            trn_put16(trn_pattern3d_step_elem_ref(pattern, isa) + 2 * i,
                      (uint16_t)(i < 2 ? d->step[i] : 1));
            trn_put16(trn_pattern3d_num_elem_ref(pattern, isa) + 2 * i,
                      (uint16_t)(i < 2 ? d->num[i] : 1));
        }
    }
    return trn_operand_open(x, pattern, TRN_TYPE_PATTERN3D, container_of(out->dtype), lanes, use,
                            &out->data);
}

/* Where the scales of lane 0 lie, with what mx_scale_start says of it. */
static trn_status scale_place(struct trn_exec *x, const struct descriptor *d,
                              const struct trn_operand *data, struct trn_onchip *place)
{
    const uint32_t address =
        d->scale.from_register ? x->regs->r[d->scale.regnum % 64] : d->scale.addr;
    const enum trn_onchip_fault fault = trn_onchip_decode(x->gen, address, place);
    if (fault != TRN_ONCHIP_OK || place->space != TRN_SPACE_SBUF)
        return trn_exec_fault(x, TRN_FAULT_ADDRESS, "tensor_start_addr_valid",
                              "scale address 0x%x is not in the active bytes of SBUF", address);
    const uint32_t start = place->partition % QUADRANT;
    if (start >= 16 || start % 4 != 0 || d->scale_partition > 12 || d->scale_partition % 4 != 0 ||
        place->partition / QUADRANT != data->partition / QUADRANT)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mx_scale_start",
                              "scales in partition %u with offset %u for data in partition %u; "
                              "they start in the data's quadrant at 0, 4, 8 or 12, with an offset "
                              "of 0, 4, 8 or 12",
                              place->partition, d->scale_partition, data->partition);
    place->partition += d->scale_partition;
    return TRN_OK;
}

/* The scales of up to 32 lanes: one partition for 8 of them. */
static trn_status open_scales_at(struct trn_exec *x, const struct descriptor *d,
                                 const struct trn_onchip *place, uint32_t partitions, unsigned use,
                                 struct trn_operand *out)
{
    const unsigned isa = x->gen->isa;
    uint8_t pattern[16] = {0};
    trn_pattern3d_start_addr_set(pattern, isa, trn_onchip_encode(x->gen, place));
    for (unsigned i = 0; i < 3; i++) {
        trn_put16(trn_pattern3d_step_elem_ref(pattern, isa) + 2 * i,
                  (uint16_t)(i < 2 ? d->scale_step[i] : 1));
        trn_put16(trn_pattern3d_num_elem_ref(pattern, isa) + 2 * i,
                  (uint16_t)(i < 2 ? d->num[i] : 1));
    }
    return trn_operand_open(x, pattern, TRN_TYPE_PATTERN3D, TRN_DTYPE_UINT8, partitions,
                            use | TRN_OPERAND_SBUF_ONLY | TRN_OPERAND_ANY_START, out);
}

/* Of an indirect operand: the scales between those of the smallest and of the largest index. */
static void narrow_to_indices(struct descriptor *d, struct trn_mx_operand *out,
                              struct trn_onchip *place)
{
    const struct trn_operand *data = &out->data;
    out->first_scale = (data->low - data->byte) / data->size;
    d->num[0] = (data->high - data->low) / data->size;
    place->byte += out->first_scale;
}

static trn_status open_scales(struct trn_exec *x, struct descriptor *d, uint32_t lanes,
                              unsigned use, struct trn_mx_operand *out)
{
    struct trn_onchip place;
    trn_status status = scale_place(x, d, &out->data, &place);
    if (status == TRN_OK && d->indirect)
        narrow_to_indices(d, out, &place);
    for (uint32_t lane = 0; status == TRN_OK && lane < lanes; lane += QUADRANT) {
        const uint32_t here = lanes - lane < QUADRANT ? lanes - lane : QUADRANT;
        status = open_scales_at(x, d, &place, (here + TRN_MX_PARTITIONS - 1) / TRN_MX_PARTITIONS,
                                use, &out->scales[lane / QUADRANT]);
        place.partition += QUADRANT;
    }
    trn_exec_choice(x, TRN_CHOICE_MX_SCALE_PLACE);
    return status;
}

trn_status trn_mx_open(struct trn_exec *x, const uint8_t *bytes, uint8_t dtype, uint32_t lanes,
                       unsigned use, struct trn_mx_operand *out)
{
    struct descriptor d;
    *out = (struct trn_mx_operand){.dtype = dtype, .scaled = true};
    trn_status status = decode(x, bytes, &d);
    if (status == TRN_OK)
        status = open_data(x, &d, lanes, use, out);
    return status == TRN_OK ? open_scales(x, &d, lanes, use, out) : status;
}

/* ---- MXTENSOR_V2 ------------------------------------------------------------------------ */

enum { V2_ADDRESS_BITS = 24, V2_P_LOG2 = 3, V2_F_LOG2 = 2 };

bool trn_mx_is_v2(const uint8_t *bytes)
{
    const struct trn_addr4 address = trn_addr4_decode(bytes);
    return !address.from_register && !address.indirect && !address.shape_from_register &&
           address.addr >> V2_ADDRESS_BITS == TRN_ADDR4_MARKER_MXTENSOR_V2;
}

/* The words of the descriptor say nothing of units: counts and steps are of containers, the first
 * dimension steps by one (model choice mx_v2_form). */
static trn_status decode_v2(struct trn_exec *x, const uint8_t *bytes, uint8_t data[4],
                            struct descriptor *out)
{
    const unsigned isa = x->gen->isa;
    const uint8_t *num = trn_mxtensor_v2_num_elem(bytes, isa);
    memcpy(data, bytes, 4);
    trn_addr4_addr_immediate_set(
        data, isa,
        (uint32_t)trn_bits_get(trn_addr4_addr_immediate(bytes, isa), 0, V2_ADDRESS_BITS));
    *out = (struct descriptor){
        .data = data,
        .scale = trn_addr4_decode(trn_mxtensor_v2_scale_addr_bytes(bytes, isa)),
        .num = {num[0], num[1]},
        .step = {1, (int16_t)trn_mxtensor_v2_step_elem_data_1(bytes, isa)},
        .scale_step = {1, (int16_t)trn_mxtensor_v2_step_elem_scale_1(bytes, isa)}};
    trn_exec_choice(x, TRN_CHOICE_MX_V2_FORM);
    return TRN_OK;
}

/* Scales are E8M0 of the known groups, or there are none; the other scale types have a known width
 * only (numerics.md 2). */
static trn_status check_v2_scales(struct trn_exec *x, const uint8_t *bytes, bool *scaled)
{
    const unsigned isa = x->gen->isa;
    const uint8_t dtype = trn_mxtensor_v2_scale_dtype(bytes, isa);
    const uint8_t p = trn_mxtensor_v2_p_log2(bytes, isa), f = trn_mxtensor_v2_f_log2(bytes, isa);
    *scaled = dtype != 0;
    if (*scaled && (dtype != TRN_DTYPE_SFP8_E8 || p != V2_P_LOG2 || f != V2_F_LOG2))
        return trn_exec_fault(x, TRN_FAULT_MISSING_SPECIFICATION, NULL,
                              "scales of dtype 0x%x for 2^%u partitions and 2^%u elements are not "
                              "specified; SFP8_E8 for 2^3 and 2^2, or dtype 0 for none, are",
                              dtype, p, f);
    return TRN_OK;
}

trn_status trn_mx_open_v2(struct trn_exec *x, const uint8_t *bytes, uint8_t dtype, uint32_t lanes,
                          unsigned use, struct trn_mx_operand *out)
{
    struct descriptor d;
    uint8_t data[4];
    *out = (struct trn_mx_operand){.dtype = dtype};
    trn_status status = decode_v2(x, bytes, data, &d);
    if (status == TRN_OK)
        status = check_v2_scales(x, bytes, &out->scaled);
    if (status == TRN_OK)
        status = open_data(x, &d, lanes, use, out);
    return status == TRN_OK && out->scaled ? open_scales(x, &d, lanes, use, out) : status;
}

/* ---- reading ---------------------------------------------------------------------------- */

void trn_mx_scales(const struct trn_mx_operand *operand, uint32_t lane, uint64_t first,
                   uint32_t count, uint8_t *out)
{
    enum { FACTOR_ONE = 127 };
    const struct trn_operand *scales = &operand->scales[lane / QUADRANT];
    const uint32_t row = lane % QUADRANT / TRN_MX_PARTITIONS;
    if (!operand->scaled) {
        memset(out, FACTOR_ONE, count);
        return;
    }
    if (!operand->data.indirect) {
        trn_operand_gather(scales, row, first, count, out);
        return;
    }
    const uint8_t *index = operand->data.index + lane * operand->data.index_pitch + 2 * first;
    for (uint32_t i = 0; i < count; i++)
        out[i] = trn_operand_lane(scales, row)[trn_get16(index + 2 * i) - operand->first_scale];
}

void trn_mx_values(const struct trn_mx_operand *operand, const struct trn_num_mode *mode,
                   uint32_t lane, uint64_t first, uint32_t count, const uint16_t *table, float *out)
{
    _Alignas(4) uint8_t gathered[TRN_MX_BLOCK * sizeof(uint32_t)];
    const uint8_t *packed = trn_operand_lane(&operand->data, lane) + first * operand->data.size;
    if (!operand->data.contiguous) {
        trn_operand_gather(&operand->data, lane, first, count, gathered);
        packed = gathered;
    }
    if (!table) {
        (void)trn_to_fp32_array(operand->dtype, mode, packed, out, TRN_MX_PACKED * (size_t)count);
        return;
    }
    for (uint32_t i = 0; i < TRN_MX_PACKED * count; i++) {
        const uint8_t code = (uint8_t)trn_bits_get(packed[i / 2], i % 2 * 4, 4);
        out[i] = trn_bits_f32((uint32_t)table[code] << 16);
    }
}
