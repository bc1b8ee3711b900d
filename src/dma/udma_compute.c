/* SPDX-License-Identifier: Apache-2.0 */
/* What a source descriptor does beside copying: compute and transpose (docs/hardware/udma.md 2.2,
 * 2.3; the forms are model choices). */
#include <string.h>

#include "dma/udma_state.h"
#include "trench/num.h"
#include "udma_pack.h"

enum { CCE_ADD, CCE_FMA, CCE_MAX, CCE_MIN, CCE_EXT, CCE_GCE }; /* 2.2 */
enum { FMA_SCALED, FMA_PRODUCT };                              /* sub-operation, model choice */
enum { DRE_TRANSPOSE = 1 };

/* ---- classes ------------------------------------------------------------------------------- */

static bool is_transpose(const struct trn_udma_transpose *form)
{
    const bool whole = form->element_bytes == 1 || form->element_bytes == 2 ||
                       form->element_bytes == 4 || form->element_bytes == 8;
    return form->op_type == DRE_TRANSPOSE && whole && !form->many_shapes && !form->shape_index &&
           !form->byte_count;
}

static enum trn_udma_work compute_class(const struct trn_gen *gen, const uint8_t raw[16])
{
    const struct trn_udma_cce form = trn_udma_cce_unpack(raw);
    const bool known = form.op_type < CCE_GCE && gen->udma_cce_elements != 0 &&
                       (form.op_type != CCE_FMA || form.sub_op <= FMA_PRODUCT) &&
                       (form.op_type == CCE_FMA || form.sub_op == 0);
    return known ? TRN_UDMA_COMPUTE : TRN_UDMA_UNSUPPORTED;
}

enum trn_udma_work trn_udma_work_of(const struct trn_udma *engine, const struct trn_udma_lane *lane,
                                    const uint8_t raw[TRN_UDMA_DESC_BYTES])
{
    const bool rows_only = lane->rows > 0; /* a transposing packet has nothing else */
    switch (lane->tx.op) {
    case TRN_UDMA_OP_CME:
        if (!trn_udma_is_plain_copy(&lane->tx) || rows_only)
            return TRN_UDMA_UNSUPPORTED;
        return lane->packet.given && !lane->tx.meta ? TRN_UDMA_COMPUTE : TRN_UDMA_COPY;
    case TRN_UDMA_OP_CCE:
        return rows_only ? TRN_UDMA_UNSUPPORTED : compute_class(engine->map->gen, raw);
    case TRN_UDMA_OP_DRE: {
        const struct trn_udma_transpose form = trn_udma_transpose_unpack(raw);
        return !lane->tx.meta && is_transpose(&form) && (rows_only || lane->packet_descs == 1)
                   ? TRN_UDMA_TRANSPOSE
                   : TRN_UDMA_UNSUPPORTED;
    }
    default:
        return TRN_UDMA_UNSUPPORTED;
    }
}

bool trn_udma_is_compute(const struct trn_udma_lane *lane)
{
    return lane->tx.op == TRN_UDMA_OP_CCE;
}

/* ---- compute ----------------------------------------------------------------------------------
 */

uint32_t trn_udma_compute_bytes(const struct trn_gen *gen, const struct trn_udma_cce *form,
                                uint32_t size)
{
    const size_t in = trn_dtype_size(form->source_dtype);
    const size_t out = trn_dtype_size(form->destination_dtype);
    const bool sound = in != 0 && out != 0 && size % in == 0 &&
                       size / in <= gen->udma_cce_elements &&
                       trn_dtype_convertible(form->source_dtype, NULL) == TRN_OK &&
                       trn_dtype_convertible(form->destination_dtype, NULL) == TRN_OK;
    return sound ? (uint32_t)(size / in * out) : 0;
}

/* b = op(a, b) in FP32, one rounding each. */
static trn_status combine(const struct trn_udma_compute *compute, float *a, float *b, size_t n)
{
    switch (compute->form.op_type) {
    case CCE_ADD:
        return trn_alu_array(TRN_ALU_OP_ADD, a, b, b, n);
    case CCE_MAX:
        return trn_alu_array(TRN_ALU_OP_MAX, a, b, b, n);
    case CCE_MIN:
        return trn_alu_array(TRN_ALU_OP_MIN, a, b, b, n);
    case CCE_FMA:
        if (compute->form.sub_op == FMA_PRODUCT)
            return trn_alu_array(TRN_ALU_OP_MULT, a, b, b, n);
        for (size_t i = 0; i < n; i++)
            a[i] *= compute->scale;
        return trn_alu_array(TRN_ALU_OP_ADD, a, b, b, n);
    default: /* EXT: a cast */
        memcpy(b, a, n * sizeof *b);
        return TRN_OK;
    }
}

trn_status trn_udma_compute(const struct trn_gen *gen, const struct trn_udma_compute *compute,
                            const uint8_t *source, uint32_t size, uint8_t *old)
{
    enum { PIECE = 256 };
    const struct trn_udma_cce *const form = &compute->form;
    const size_t in = trn_dtype_size(form->source_dtype);
    const size_t out = trn_dtype_size(form->destination_dtype);
    struct trn_num_mode mode;
    trn_num_mode_default(gen, &mode);
    if (form->op_type == CCE_EXT) /* numerics.md 4.2: source, FP32, destination */
        return trn_convert_array(form->source_dtype, form->destination_dtype, &mode, source, old,
                                 size / in);
    for (size_t left = size / in, n; left > 0; left -= n, source += n * in, old += n * out) {
        float a[PIECE], b[PIECE];
        n = left < PIECE ? left : PIECE;
        trn_status status = trn_to_fp32_array(form->source_dtype, &mode, source, a, n);
        if (status == TRN_OK)
            status = trn_to_fp32_array(form->destination_dtype, &mode, old, b, n);
        if (status == TRN_OK)
            status = combine(compute, a, b, n);
        if (status == TRN_OK)
            status = trn_from_fp32_array(form->destination_dtype, &mode, b, old, n);
        if (status != TRN_OK)
            return TRN_ERR_UNSUPPORTED;
    }
    return TRN_OK;
}

/* ---- transpose
 * ----------------------------------------------------------------------------------- */

/* One size of element; tiles keep both sides in the cache. */
#define TRANSPOSE(name, type)                                                                      \
    static void name(const uint8_t *in, uint8_t *out, size_t rows, size_t columns)                 \
    {                                                                                              \
        enum { TILE = 32 };                                                                        \
        for (size_t c0 = 0; c0 < columns; c0 += TILE)                                              \
            for (size_t r0 = 0; r0 < rows; r0 += TILE)                                             \
                for (size_t c = c0; c < columns && c < c0 + TILE; c++)                             \
                    for (size_t r = r0; r < rows && r < r0 + TILE; r++)                            \
                        memcpy(out + (c * rows + r) * sizeof(type),                                \
                               in + (r * columns + c) * sizeof(type), sizeof(type));               \
    }
TRANSPOSE(transpose_8, uint8_t)
TRANSPOSE(transpose_16, uint16_t)
TRANSPOSE(transpose_32, uint32_t)
TRANSPOSE(transpose_64, uint64_t)
#undef TRANSPOSE

void trn_udma_transpose_rows(const uint8_t *in, uint8_t *out, uint32_t rows, uint32_t columns,
                             unsigned element)
{
    switch (element) {
    case 1:
        transpose_8(in, out, rows, columns);
        break;
    case 2:
        transpose_16(in, out, rows, columns);
        break;
    case 4:
        transpose_32(in, out, rows, columns);
        break;
    default:
        transpose_64(in, out, rows, columns);
        break;
    }
}
