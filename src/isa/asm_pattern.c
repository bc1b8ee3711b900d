/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and memory patterns: sbuf[p0,0x1000]:(512,4,1)/(1,1024,1). */
#include "isa/asm.h"

enum { ADDRESS_BITS = 29, MX_ADDRESS_BITS = 24 };

/* ---- addresses --------------------------------------------------------------------- */

struct space {
    const char *name;
    uint32_t base, partitions, stride;
};

/* The on-chip space that is named at `at`; NULL name when none is. */
static struct space space_at(const struct trn_gen *gen, const char *at)
{
    if (memcmp(at, "sbuf[", 5) == 0)
        return (struct space){"sbuf", 0, gen->sbuf_partitions, gen->sbuf_stride};
    if (memcmp(at, "psum[", 5) == 0)
        return (struct space){"psum", gen->psum_base, gen->psum_partitions, gen->psum_stride};
    return (struct space){NULL, 0, 0, 0};
}

bool trn_asm_at_space(const struct trn_asm *a)
{
    return space_at(a->gen, a->at).name != NULL;
}

static bool in_space(struct trn_asm *a, const struct space *space, uint32_t *address)
{
    a->at = trn_skip_spaces(a->at + 5);
    if (*a->at == 'p')
        a->at++;
    const char *at = a->at;
    uint64_t partition, byte;
    if (!trn_asm_integer(a, "partition", 32, false, &partition))
        return false;
    if (partition >= space->partitions)
        return trn_asm_error(a, at, "p0..p127 exist", "partition %llu is outside %s",
                             (unsigned long long)partition, space->name);
    if (!trn_asm_expect(a, ','))
        return false;
    at = a->at;
    if (!trn_asm_integer(a, "byte", 32, false, &byte))
        return false;
    if (byte >= space->stride) {
        char expected[64];
        trn_put_hex(stpcpy(expected, "bytes 0x0.."), space->stride - 1)[0] = '\0';
        return trn_asm_error(a, at, expected, "byte 0x%llx is outside a partition of %s on %s",
                             (unsigned long long)byte, space->name, a->gen->name);
    }
    if (!trn_asm_close(a, ']'))
        return false;
    *address = space->base + (uint32_t)partition * space->stride + (uint32_t)byte;
    return true;
}

bool trn_asm_address(struct trn_asm *a, struct trn_addr4 *out)
{
    *out = (struct trn_addr4){0};
    const struct space space = space_at(a->gen, a->at);
    if (space.name)
        return in_space(a, &space, &out->addr);
    const char *end = trn_read_register(a->at, &out->regnum);
    if (end) {
        out->from_register = true;
        a->at = end;
        return true;
    }
    if (!trn_char_is(*a->at, TRN_CHAR_DIGIT))
        return trn_asm_error(a, a->at, "sbuf[p0,0x40], psum[p0,0x40], r5 or a number",
                             "an address was expected");
    uint64_t address;
    if (!trn_asm_integer(a, "address", ADDRESS_BITS, false, &address))
        return false;
    out->addr = (uint32_t)address;
    return true;
}

/* ---- shapes ------------------------------------------------------------------------ */

/* (n,n,..): at most `ndim` numbers of 16 bits; *count of them were given. */
static bool numbers(struct trn_asm *a, const char *what, bool is_signed, uint8_t ndim,
                    uint16_t out[4], uint8_t *count)
{
    const char *open = a->at;
    if (!trn_asm_expect(a, '('))
        return false;
    for (*count = 0;;) {
        uint64_t value;
        if (*count == ndim)
            return trn_asm_error(a, open, NULL, "the pattern has %u dimensions", ndim);
        if (!trn_asm_integer(a, what, 16, is_signed, &value))
            return false;
        out[(*count)++] = (uint16_t)value;
        a->at = trn_skip_spaces(a->at);
        if (*a->at == ')')
            break;
        if (!trn_asm_expect(a, ','))
            return false;
    }
    a->at++;
    return true;
}

/* A dimension that is not given has one element; steps that are not given follow from the counts.
 */
static bool shape(struct trn_asm *a, const char *start, struct trn_text_pattern *p)
{
    for (uint8_t i = 0; i < p->ndim; i++)
        p->num[i] = 1;
    uint8_t num_counts, num_steps;
    if (!numbers(a, "count", false, p->ndim, p->num, &num_counts))
        return false;
    if (*a->at != '/') {
        if (trn_text_contiguous(p->num, p->ndim, p->step))
            return true;
        return trn_asm_error(a, start, "give the steps: (counts)/(steps)",
                             "the step of adjacent elements does not fit 16 bits");
    }
    const char *at = ++a->at;
    uint16_t steps[4] = {1, 1, 1, 1};
    if (!numbers(a, "step", true, p->ndim, steps, &num_steps))
        return false;
    if (num_steps != num_counts)
        return trn_asm_error(a, at, NULL, "%u steps are given for %u counts", num_steps,
                             num_counts);
    for (uint8_t i = 0; i < p->ndim; i++)
        p->step[i] = (int16_t)steps[i];
    return true;
}

/* s2: number of a shape register. */
static bool shape_register(struct trn_asm *a, struct trn_text_pattern *p)
{
    a->at++;
    uint64_t number;
    if (!trn_asm_integer(a, "shape register", 15, false, &number))
        return false;
    p->arm = TRN_ARM_SHAPE_REGISTER;
    p->shape_register = (int16_t)number;
    return true;
}

/* idx(INDEX,COUNT), after the data address. */
static bool indirect(struct trn_asm *a, struct trn_text_pattern *p)
{
    uint64_t count;
    a->at = trn_skip_spaces(a->at + 4);
    if (!trn_asm_address(a, &p->index) || !trn_asm_expect(a, ',') ||
        !trn_asm_integer(a, "count", 16, false, &count) || !trn_asm_close(a, ')'))
        return false;
    p->arm = TRN_ARM_INDIRECT;
    p->num[0] = (uint16_t)count;
    return true;
}

/* mx(COUNT,COUNT,STEP), v5 only. */
static bool mx(struct trn_asm *a, const char *start, struct trn_text_pattern *p)
{
    uint64_t count[2], step;
    a->at = trn_skip_spaces(a->at + 3);
    for (unsigned i = 0; i < 2; i++) {
        if (!trn_asm_integer(a, "count", 8, false, &count[i]) || !trn_asm_expect(a, ','))
            return false;
        p->num[i] = (uint16_t)count[i];
    }
    if (!trn_asm_integer(a, "step", 16, true, &step) || !trn_asm_close(a, ')'))
        return false;
    if (p->start.from_register || p->start.addr >> MX_ADDRESS_BITS)
        return trn_asm_error(a, start, "addresses below 0x1000000 are accepted",
                             "the marker of an MX pattern takes the upper address bits");
    p->arm = TRN_ARM_MX;
    p->step[0] = (int16_t)(uint16_t)step;
    return true;
}

/* +scale(ADDRESS,PARTITION), of an MX arm +scale(ADDRESS,STEP,P,F,DTYPE). */
static bool scale(struct trn_asm *a, struct trn_text_pattern *p)
{
    if (memcmp(a->at, "+scale(", 7) != 0)
        return trn_asm_error(a, a->at, "+scale(ADDRESS,...)", "an MX pattern needs its scales");
    a->at = trn_skip_spaces(a->at + 7);
    uint64_t step, p_log2, f_log2, partition;
    uint32_t dtype;
    if (!trn_asm_address(a, &p->scale) || !trn_asm_expect(a, ','))
        return false;
    if (p->arm != TRN_ARM_MX) {
        if (!trn_asm_integer(a, "scale partition", 8, false, &partition))
            return false;
        p->scale_partition = (uint8_t)partition;
    } else {
        if (!trn_asm_integer(a, "step", 16, true, &step) || !trn_asm_expect(a, ',') ||
            !trn_asm_integer(a, "log2 P", 4, false, &p_log2) || !trn_asm_expect(a, ',') ||
            !trn_asm_integer(a, "log2 F", 4, false, &f_log2) || !trn_asm_expect(a, ',') ||
            !trn_asm_enum(a, TRN_ENUM_DTYPE, "scale type", 8, &dtype))
            return false;
        p->step[1] = (int16_t)(uint16_t)step;
        p->p_log2 = (uint8_t)p_log2;
        p->f_log2 = (uint8_t)f_log2;
        p->scale_dtype = (uint8_t)dtype;
    }
    return trn_asm_close(a, ')');
}

/* What stands after `START:`. */
static bool arm(struct trn_asm *a, const struct trn_text_field *field, const char *start,
                struct trn_text_pattern *p)
{
    const bool addresses = field->kind != TRN_TEXT_DATA4D;
    if (*a->at == '(')
        return shape(a, start, p);
    if (*a->at == 's' && addresses && !p->has_scale)
        return shape_register(a, p);
    if (memcmp(a->at, "idx(", 4) == 0 && addresses && field->size >= 12)
        return indirect(a, p);
    if (memcmp(a->at, "mx(", 3) == 0 && field->mx)
        return mx(a, start, p);
    return trn_asm_error(a, a->at, "(COUNTS), (COUNTS)/(STEPS), sN or idx(ADDRESS,COUNT)",
                         "'%s' does not accept this form", field->name);
}

bool trn_asm_pattern(struct trn_asm *a, const struct trn_text_field *field)
{
    uint8_t *bytes = a->word.bytes + field->offset;
    if (trn_asm_at_hex(a))
        return trn_asm_hex(a, bytes, field->size);
    struct trn_text_pattern p = {.ndim = trn_text_ndim(field),
                                 .has_scale = field->kind == TRN_TEXT_MX1D};
    const char *start = a->at;
    if (field->kind == TRN_TEXT_DATA4D) {
        uint64_t base;
        if (!trn_asm_integer(a, field->name, 32, true, &base))
            return false;
        p.base = (int32_t)(uint32_t)base;
    } else if (!trn_asm_address(a, &p.start)) {
        return false;
    }
    if (*a->at != ':')
        return trn_asm_error(a, a->at, "START:(COUNTS)", "':' and the shape were expected");
    a->at++;
    if (!arm(a, field, start, &p))
        return false;
    if ((p.has_scale || p.arm == TRN_ARM_MX) && !scale(a, &p))
        return false;
    if (field->kind == TRN_TEXT_MX1D && (p.step[0] < INT8_MIN || p.step[0] > INT8_MAX))
        return trn_asm_error(a, start, "-128..127 is accepted", "the step does not fit 8 bits");
    trn_text_pattern_encode(field, &p, bytes);
    return true;
}
