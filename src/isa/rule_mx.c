/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the descriptor that MAVERICK's LDWEIGHTS and MATMUL take in the place of a pattern
 * (MXTENSOR_V2, docs/hardware/pe-array.md 10.1, 10.2): containers of four elements and their
 * scales. */
#include "isa/rule_helpers.h"

enum { DIMS = 2, QUADRANT = 32, P_LOG2 = 3, F_LOG2 = 2 };

static const uint8_t *descriptor_of(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    return trn_common_opcode(c->word, isa) == TRN_OPCODE_LDWEIGHTS
               ? trn_s3_lw_src_mem_pattern(c->word, isa)
               : trn_s3d3_mm_src_mem_pattern(c->word, isa);
}

static bool is_descriptor(const struct rule_pattern *p, const uint8_t *bytes)
{
    return !p->indirect && (bytes[3] & RULE_MX_MARKER_BITS) == RULE_MX_MARKER;
}

/* Bytes from `place` on: the first dimension steps by one element, the second by `step`. Without
 * elements nothing is reached. */
static bool inside(const struct trn_gen *gen, struct rule_place place, const uint8_t num[DIMS],
                   int32_t step, uint32_t bytes)
{
    struct rule_extent elements = {0, 0};
    if (num[0] == 0 || num[1] == 0)
        return true;
    rule_reach(&elements, num[0], 1);
    rule_reach(&elements, num[1], step);
    const struct rule_extent bits = rule_extent_bits(elements, place, 8 * bytes);
    return bits.first >= 0 && bits.end <= 8 * (int64_t)rule_active_bytes(gen, place.space);
}

/* Containers lie on multiples of their size and inside the partition. */
bool trn_rule_mx_v2_data_ok(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    const uint8_t *const bytes = descriptor_of(c);
    const struct rule_pattern p = trn_rule_pattern(c->gen, bytes, RULE_MX_ARMS);
    const uint8_t dtype = trn_common_opcode(c->word, isa) == TRN_OPCODE_LDWEIGHTS
                              ? trn_s3_lw_in_dtype(c->word, isa)
                              : trn_s3d3_mm_in_dtype(c->word, isa);
    const uint32_t container = trn_rule_dtype_bits[dtype] == 4 ? 2 : 4;
    if (!is_descriptor(&p, bytes) || !p.at.known || p.at.space != RULE_SBUF)
        return true;
    return p.at.addr % container == 0 &&
           inside(c->gen, p.at, trn_mxtensor_v2_num_elem(bytes, isa),
                  (int16_t)trn_mxtensor_v2_step_elem_data_1(bytes, isa), container);
}

/* Scales of the known form start in the quadrant of the data, at 0, 4, 8 or 12 of its partitions;
 * what the others are is not known, and they are a fault of their own when the word executes. */
bool trn_rule_mx_v2_scales_ok(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    const uint8_t *const bytes = descriptor_of(c);
    const struct rule_pattern p = trn_rule_pattern(c->gen, bytes, RULE_MX_ARMS);
    const struct rule_place scales =
        rule_addr4(c->gen, trn_mxtensor_v2_scale_addr_bytes(bytes, isa));
    const bool known = trn_mxtensor_v2_scale_dtype(bytes, isa) == TRN_DTYPE_SFP8_E8 &&
                       trn_mxtensor_v2_p_log2(bytes, isa) == P_LOG2 &&
                       trn_mxtensor_v2_f_log2(bytes, isa) == F_LOG2;
    if (!is_descriptor(&p, bytes) || !known || !scales.known)
        return true;
    return scales.space == RULE_SBUF && scales.part % QUADRANT < 16 && scales.part % 4 == 0 &&
           (!p.at.known || p.at.space != RULE_SBUF ||
            scales.part / QUADRANT == p.at.part / QUADRANT) &&
           inside(c->gen, scales, trn_mxtensor_v2_num_elem(bytes, isa),
                  (int16_t)trn_mxtensor_v2_step_elem_scale_1(bytes, isa), 1);
}
