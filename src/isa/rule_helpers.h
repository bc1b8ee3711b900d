/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the rules' notation (docs/hardware/README.md, section 4) as C. The generated validators
 * are made of these; whatever is constant there folds away. */
#ifndef TRN_ISA_RULE_HELPERS_H
#define TRN_ISA_RULE_HELPERS_H

#include "isa/check.h"
#include "isa_fields.h"

enum rule_space { RULE_NOWHERE, RULE_SBUF, RULE_PSUM };

/* Which arms an ADDR4 can select in a pattern. */
enum rule_arms {
    RULE_NO_ARM,  /* a TENSOR1D: too short for an indirect arm */
    RULE_ARMS,    /* plain or indirect */
    RULE_MX_ARMS, /* ... or MXTENSOR_V2 */
};

enum {
    RULE_ANY_ISA = 0, /* composite layouts are the same on every instruction set */
    RULE_NO_PARTITION = 0xFFFF,
    RULE_MX_MARKER = 0x01, /* low five bits of byte 3 (isa-core.md 5) */
    RULE_MX_MARKER_BITS = 0x1F,
    RULE_MX_PACKED = 4, /* elements of a container (pe-array.md 10.1) */
};

/* An on-chip address: where it points, when the word says so. */
struct rule_place {
    uint32_t addr, part, byte; /* part is RULE_NO_PARTITION outside SBUF and PSUM */
    uint8_t space;             /* enum rule_space */
    bool known;                /* not held in a register */
};

struct rule_pattern {
    struct rule_place at; /* of an indirect pattern: its data */
    uint32_t word;        /* the ADDR4 at the start */
    bool indirect;
    bool shape_known; /* counts and steps stand in the word */
};

/* ---- addresses -------------------------------------------------------------------- */

static inline uint32_t rule_partition(uint32_t offset, uint32_t stride)
{
    return offset >> __builtin_ctz(stride); /* strides are powers of two (proof of tablegen) */
}

static inline struct rule_place rule_place(const struct trn_gen *gen, uint32_t addr)
{
    if (addr < gen->sbuf_size)
        return (struct rule_place){addr, rule_partition(addr, gen->sbuf_stride),
                                   addr & (gen->sbuf_stride - 1), RULE_SBUF, true};
    const uint32_t offset = addr - gen->psum_base;
    if (offset < gen->psum_size)
        return (struct rule_place){addr, rule_partition(offset, gen->psum_stride),
                                   offset & (gen->psum_stride - 1), RULE_PSUM, true};
    return (struct rule_place){addr, RULE_NO_PARTITION, 0, RULE_NOWHERE, true};
}

static inline struct rule_place rule_addr4(const struct trn_gen *gen, const uint8_t *bytes)
{
    struct rule_place place = rule_place(gen, trn_addr4_addr_immediate(bytes, RULE_ANY_ISA));
    place.known = !trn_addr4_marker_addr_reg(bytes, RULE_ANY_ISA);
    return place;
}

struct rule_pattern trn_rule_pattern(const struct trn_gen *gen, const uint8_t *bytes,
                                     enum rule_arms arms);

/* Register form of an ADDR4: byte 0 <= 63, every other bit but the marker zero. */
static inline bool rule_addr4_reg_ok(uint32_t word)
{
    return (word & 0x1FFFFFFF) <= 63;
}

static inline bool rule_immediate_reg_ok(uint32_t word)
{
    return word <= 63;
}

/* Start-partition rule, isa-core.md 4. */
bool trn_rule_active_ok(const struct trn_gen *gen, struct rule_place place, uint32_t n);

static inline uint32_t rule_active_bytes(const struct trn_gen *gen, uint8_t space)
{
    return space == RULE_PSUM ? gen->psum_active_bytes : gen->sbuf_active_bytes;
}

/* Pointer immediate: aligned, at a legal start partition, the scalar inside the active bytes. */
bool trn_rule_ptr_ok(const struct trn_gen *gen, uint32_t pointer, uint32_t align, uint32_t bits,
                     uint32_t channels);

/* ---- extents: `steps` and `nums` are the arrays of a TENSORnD -------------------------- */

/* Bits from the first to the one past the last that a pattern reaches, relative to its start. */
struct rule_extent {
    int64_t first, end;
};

static inline void rule_reach(struct rule_extent *extent, uint32_t num, int32_t step)
{
    const int64_t reach = ((int64_t)num - 1) * step;
    if (reach < 0)
        extent->first += reach;
    else
        extent->end += reach;
}

static inline struct rule_extent rule_extent_bits(struct rule_extent elements,
                                                  struct rule_place place, uint32_t bits)
{
    const int64_t start = 8 * (int64_t)place.byte;
    return (struct rule_extent){start + elements.first * bits,
                                start + (elements.end + 1) * (int64_t)bits};
}

static inline __attribute__((always_inline)) struct rule_extent
rule_extent(const uint8_t *steps, const uint8_t *nums, unsigned dims)
{
    struct rule_extent extent = {0, 0};
    for (unsigned i = 0; i < dims; i++)
        rule_reach(&extent, trn_get16(nums + 2 * i), (int16_t)trn_get16(steps + 2 * i));
    return extent;
}

static inline __attribute__((always_inline)) bool
rule_all_counts(const struct trn_gen *gen, const struct rule_pattern *p, const uint8_t *steps,
                const uint8_t *nums, unsigned dims)
{
    (void)gen, (void)p, (void)steps;
    bool all = true;
    for (unsigned i = 0; i < dims; i++)
        all = all && trn_get16(nums + 2 * i) != 0;
    return all;
}

/* A start in no region, no type and no elements break other rules. */
static inline bool rule_inside(const struct trn_gen *gen, struct rule_place place,
                               struct rule_extent elements, uint32_t bits)
{
    const struct rule_extent reached = rule_extent_bits(elements, place, bits);
    return reached.first >= 0 && reached.end <= 8 * (int64_t)rule_active_bytes(gen, place.space);
}

static inline __attribute__((always_inline)) bool
rule_pattern_active(const struct trn_gen *gen, const struct rule_pattern *p, const uint8_t *steps,
                    const uint8_t *nums, unsigned dims, uint32_t bits)
{
    return rule_inside(gen, p->at, rule_extent(steps, nums, dims), bits) || bits == 0 ||
           p->at.space == RULE_NOWHERE || !rule_all_counts(gen, p, steps, nums, dims);
}

/* MXTENSOR1D: one count of unpacked elements, four to a container, and a direction in which the
 * containers follow each other. */
static inline bool rule_pattern_active_mx(const struct trn_gen *gen, const struct rule_pattern *p,
                                          const uint8_t *steps, const uint8_t *nums, unsigned dims,
                                          uint32_t bits)
{
    (void)dims;
    struct rule_extent extent = {0, 0};
    const uint32_t containers = (trn_get16(nums) + RULE_MX_PACKED - 1u) / RULE_MX_PACKED;
    rule_reach(&extent, containers, RULE_MX_PACKED * (int8_t)steps[0]);
    extent.end += RULE_MX_PACKED - 1;
    return rule_inside(gen, p->at, extent, bits) || bits == 0 || p->at.space == RULE_NOWHERE ||
           trn_get16(nums) == 0;
}

static inline __attribute__((always_inline)) bool
rule_one_bank(const struct trn_gen *gen, const struct rule_pattern *p, const uint8_t *steps,
              const uint8_t *nums, unsigned dims, uint32_t bits)
{
    if (bits == 0 || !rule_all_counts(gen, p, steps, nums, dims))
        return true;
    const struct rule_extent reached =
        rule_extent_bits(rule_extent(steps, nums, dims), p->at, bits);
    const int64_t bank_bits = 8 * (int64_t)gen->psum_bank_bytes;
    return reached.first >= 0 && reached.first / bank_bits == (reached.end - 1) / bank_bits;
}

/* Packed pairs of BF16 need an even, unit-stride inner dimension. */
static inline __attribute__((always_inline)) bool
rule_bf16_pairs(const struct trn_gen *gen, const struct rule_pattern *p, const uint8_t *steps,
                const uint8_t *nums, unsigned dims)
{
    (void)gen;
    bool even = (trn_get16(nums) & 1) == 0 && trn_get16(steps) == 1 && (p->at.addr & 3) == 0;
    for (unsigned i = 1; i < dims; i++)
        even = even && (trn_get16(steps + 2 * i) & 1) == 0;
    return even;
}

/* Elements of the moving operand; an odd number has no half, and matches no count. */
static inline uint64_t rule_moving_count(uint64_t elements, bool double_row)
{
    if (!double_row)
        return elements;
    return (elements & 1) == 0 ? elements / 2 : UINT64_MAX;
}

/* Product of the counts that a TENSOR_SUBDIM names; 1 when it names none. */
static inline uint64_t rule_fold(uint32_t dims, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    switch (dims) {
    case TRN_TENSOR_SUBDIM_X:
        return x;
    case TRN_TENSOR_SUBDIM_XY:
        return (uint64_t)x * y;
    case TRN_TENSOR_SUBDIM_XYZ:
        return (uint64_t)x * y * z;
    case TRN_TENSOR_SUBDIM_XYZW:
        return (uint64_t)x * y * z * w;
    default:
        return 1;
    }
}

/* ---- values ----------------------------------------------------------------------- */

static inline bool rule_in(const uint64_t set[4], uint32_t byte)
{
    return trn_bits_get(set[byte / 64], byte % 64, 1) != 0;
}

static inline bool rule_each(const uint8_t *bytes, unsigned count, const uint64_t set[4])
{
    bool all = true;
    for (unsigned i = 0; i < count; i++)
        all = all && rule_in(set, bytes[i]);
    return all;
}

/* A type of 0 means FP32 in an immediate and in words of the PE array. */
static inline uint32_t rule_or_fp32(uint32_t code)
{
    return code == TRN_DTYPE_INVALID ? TRN_DTYPE_FP32 : code;
}

/* Transposed elements keep their bits in cells of 32 bits for FP32 and of 16 for the rest. */
static inline uint32_t rule_result_type(uint32_t out, uint32_t in, uint32_t transposed)
{
    if (!transposed)
        return out;
    return in == TRN_DTYPE_FP32 ? TRN_DTYPE_UINT32 : TRN_DTYPE_UINT16;
}

/* IMM_SRC of an IMM_SRC_N: instruction and pointer change places. */
static inline uint32_t rule_source_n(uint32_t code)
{
    switch (code) {
    case TRN_IMM_SRC_N_POINTER:
        return TRN_IMM_SRC_POINTER;
    case TRN_IMM_SRC_N_INSTRUCTION:
        return TRN_IMM_SRC_INSTRUCTION;
    default:
        return code;
    }
}

static inline bool rule_fits(uint32_t value, uint32_t bits)
{
    return bits >= 32 || value >> bits == 0;
}

static inline bool rule_finite(uint32_t binary32)
{
    return (binary32 & 0x7F800000) != 0x7F800000;
}

/* ---- rules that the notation cannot say (README, section 4) ------------------------------ */

bool trn_rule_mv_list_ok(const struct rule_check *c);
bool trn_rule_mem2d_list_ok(const struct rule_check *c);
bool trn_rule_mem2d_region_ok(const struct rule_check *c);
bool trn_rule_es_list_ok(const struct rule_check *c);
bool trn_rule_lpa_slots_ok(const struct rule_check *c);
bool trn_rule_ac2_quadrants_ok(const struct rule_check *c);
bool trn_rule_dma_totals_ok(const struct rule_check *c);
bool trn_rule_mx_v2_data_ok(const struct rule_check *c);   /* rule_mx.c */
bool trn_rule_mx_v2_scales_ok(const struct rule_check *c); /* rule_mx.c */

/* Bytes of both sides of a 0xB8 or 0xBB word; false when the word casts or computes, whose elements
 * must agree instead. */
bool trn_rule_dma_bytes(const struct rule_check *c, uint64_t *src, uint64_t *dst);

#endif
