/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and memory patterns as text. */
#include "isa/dis.h"

char *trn_dis_address(const struct trn_gen *gen, const struct trn_addr4 *addr, char *out)
{
    if (addr->from_register)
        return trn_dis_register(addr->regnum, out);
    const struct trn_text_place place = trn_text_place(gen, addr->addr);
    if (!place.space)
        return trn_put_hex(out, addr->addr);
    out = trn_put_decimal(stpcpy(stpcpy(out, place.space), "[p"), place.partition);
    *out++ = ',';
    out = trn_put_hex(out, place.byte);
    *out++ = ']';
    return out;
}

static char *put_counts(const uint16_t *num, uint8_t ndim, char *out)
{
    for (uint8_t i = 0; i < ndim; i++) {
        *out++ = i ? ',' : '(';
        out = trn_put_decimal(out, num[i]);
    }
    *out++ = ')';
    return out;
}

/* Steps only when they are not those of adjacent elements. */
static char *put_shape(const struct trn_text_pattern *p, char *out)
{
    *out++ = ':';
    out = put_counts(p->num, p->ndim, out);
    int16_t step[4];
    const bool contiguous = trn_text_contiguous(p->num, p->ndim, step);
    if (contiguous && memcmp(step, p->step, p->ndim * sizeof step[0]) == 0)
        return out;
    *out++ = '/';
    for (uint8_t i = 0; i < p->ndim; i++) {
        *out++ = i ? ',' : '(';
        out = trn_put_signed(out, p->step[i]);
    }
    *out++ = ')';
    return out;
}

static char *put_scale(const struct trn_dis *word, const struct trn_text_pattern *p, char *out)
{
    out = trn_dis_address(word->gen, &p->scale, stpcpy(out, "+scale("));
    *out++ = ',';
    if (p->arm == TRN_ARM_MX) {
        out = trn_put_signed(out, p->step[1]);
        *out++ = ',';
        out = trn_put_decimal(out, p->p_log2);
        *out++ = ',';
        out = trn_put_decimal(out, p->f_log2);
        *out++ = ',';
        out = trn_dis_enum(word, TRN_ENUM_DTYPE, p->scale_dtype, out);
    } else {
        out = trn_put_decimal(out, p->scale_partition);
    }
    *out++ = ')';
    return out;
}

static char *put_indirect(const struct trn_dis *word, const struct trn_text_pattern *p, char *out)
{
    out = trn_dis_address(word->gen, &p->index, stpcpy(out, ":idx("));
    *out++ = ',';
    out = trn_put_decimal(out, p->num[0]);
    *out++ = ')';
    return out;
}

static char *put_mx(const struct trn_text_pattern *p, char *out)
{
    out = trn_put_decimal(stpcpy(out, ":mx("), p->num[0]);
    *out++ = ',';
    out = trn_put_decimal(out, p->num[1]);
    *out++ = ',';
    out = trn_put_signed(out, p->step[0]);
    *out++ = ')';
    return out;
}

char *trn_dis_pattern(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    struct trn_text_pattern p;
    trn_text_pattern_decode(field, word->bytes, &p);
    if (p.arm == TRN_ARM_RAW)
        return trn_put_bytes(stpcpy(out, "hex:"), word->bytes + field->offset, field->size);
    out = field->kind == TRN_TEXT_DATA4D ? trn_put_signed(out, p.base)
                                         : trn_dis_address(word->gen, &p.start, out);
    switch (p.arm) {
    case TRN_ARM_SHAPE_REGISTER:
        return trn_put_decimal(stpcpy(out, ":s"), (uint64_t)p.shape_register);
    case TRN_ARM_INDIRECT:
        out = put_indirect(word, &p, out);
        break;
    case TRN_ARM_MX:
        out = put_mx(&p, out);
        break;
    default:
        out = put_shape(&p, out);
        break;
    }
    return p.has_scale ? put_scale(word, &p, out) : out;
}
