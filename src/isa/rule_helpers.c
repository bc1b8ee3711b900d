/* SPDX-License-Identifier: Apache-2.0 */
/* Rules whose condition runs over a list or over arithmetic the notation has no words for: one
 * function each (docs/hardware/README.md, section 4). */
#include "isa/rule_helpers.h"

/* ---- addresses ----------------------------------------------------------------------- */

struct rule_pattern trn_rule_pattern(const struct trn_gen *gen, const uint8_t *bytes,
                                     enum rule_arms arms)
{
    const bool shape_reg = trn_addr4_marker_shape_reg(bytes, RULE_ANY_ISA);
    const bool indirect =
        arms != RULE_NO_ARM && !shape_reg && trn_addr4_marker_indirect(bytes, RULE_ANY_ISA);
    struct rule_pattern p = {
        .at = rule_addr4(gen, indirect ? trn_indirect_data_addr_bytes(bytes, RULE_ANY_ISA) : bytes),
        .word = trn_get32(bytes),
        .indirect = indirect,
        .shape_known = !shape_reg && !indirect,
    };
    if (arms == RULE_MX_ARMS && !indirect && (bytes[3] & RULE_MX_MARKER_BITS) == RULE_MX_MARKER) {
        const bool known = p.at.known;
        p.at = rule_place(gen, p.at.addr & ~((uint32_t)RULE_MX_MARKER << 24));
        p.at.known = known;
        p.shape_known = false;
    }
    return p;
}

bool trn_rule_active_ok(const struct trn_gen *gen, struct rule_place place, uint32_t n)
{
    if (n >= 1 && n <= 32 && (place.part & ~96u) != 0)
        return false;
    if (n > 32 && n <= 64 && (place.part & ~64u) != 0)
        return false;
    if (n > 64 && n <= 128 && place.part != 0)
        return false;
    return place.part + n <= gen->sbuf_partitions;
}

bool trn_rule_ptr_ok(const struct trn_gen *gen, uint32_t pointer, uint32_t align, uint32_t bits,
                     uint32_t channels)
{
    const struct rule_place place = rule_place(gen, pointer);
    return (pointer & (align - 1)) == 0 && trn_rule_active_ok(gen, place, channels) &&
           place.space != RULE_NOWHERE &&
           8 * (uint64_t)place.byte + bits <= 8 * (uint64_t)rule_active_bytes(gen, place.space);
}

/* ---- register and event lists ------------------------------------------------------ */

static bool contains(const uint8_t *list, unsigned count, uint8_t value)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static bool all_zero(const uint8_t *bytes, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static bool unique(const uint8_t *list, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (contains(list, i, list[i]))
            return false;
    return true;
}

static unsigned at_most(unsigned value, unsigned limit)
{
    return value < limit ? value : limit;
}

/* MOVE: destinations unique and disjoint from the sources, unused sources 0. An immediate move
 * uses no source. */
bool trn_rule_mv_list_ok(const struct rule_check *c)
{
    enum { SLOTS = 8 };
    const unsigned isa = c->gen->isa;
    const unsigned count = at_most(trn_ctrl_mv_num_mov(c->word, isa), SLOTS);
    const uint8_t *src = trn_ctrl_mv_src_registers(c->word, isa);
    const uint8_t *dst = trn_ctrl_mv_dst_registers(c->word, isa);
    const bool immediate = trn_ctrl_mv_move_source(c->word, isa) == TRN_DATA_SRC_IMMEDIATE;
    const unsigned sources = immediate ? 0 : count;
    for (unsigned i = 0; i < count; i++)
        if (contains(src, sources, dst[i]))
            return false;
    return unique(dst, count) && all_zero(src, sources, SLOTS);
}

/* TEST_EVENT_SEM: ids unique, unused slots 0. */
bool trn_rule_es_list_ok(const struct rule_check *c)
{
    enum { SLOTS = 16 };
    const unsigned isa = c->gen->isa;
    const unsigned count = at_most(trn_ctrl_test_es_num_evt_sem(c->word, isa), SLOTS);
    const uint8_t *ids = trn_ctrl_test_es_evt_sem_ids(c->word, isa);
    return unique(ids, count) && all_zero(ids, count, SLOTS);
}

/* LOAD_POOL_ARGUMENT: bit k set means that slot k points into SBUF. */
bool trn_rule_lpa_slots_ok(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    const uint8_t select = trn_ctrl_im_imm_ptr_select(c->word, isa);
    const uint8_t *slots = trn_ctrl_im_immediate(c->word, isa);
    for (unsigned k = 0; k < 8; k++) {
        const struct rule_place place = rule_place(c->gen, trn_get32(slots + 4 * k));
        const bool valid =
            place.space == RULE_SBUF && place.byte < rule_active_bytes(c->gen, RULE_SBUF);
        if (trn_bits_get(select, k, 1) && !valid)
            return false;
    }
    return true;
}

/* ---- ACTIVATE2: erratum 3071, activation.md 2.5 --------------------------------------- */

/* Pointer immediates lie in one SBUF quadrant, that of the source when it is in SBUF. */
bool trn_rule_ac2_quadrants_ok(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    const uint8_t *w = c->word;
    const struct {
        uint8_t source;
        uint32_t value;
    } immediates[] = {
        {trn_s2d2_ac_imm0_src(w, isa), trn_s2d2_ac_imm0(w, isa)},
        {trn_s2d2_ac_imm1_src(w, isa), trn_s2d2_ac_imm1(w, isa)},
        {trn_s2d2_ac_relu_param_src(w, isa), trn_s2d2_ac_relu_param(w, isa)},
    };
    const struct rule_pattern src =
        trn_rule_pattern(c->gen, trn_s2d2_ac_src_mem_pattern(w, isa), RULE_ARMS);
    bool bound = src.at.known && src.at.space == RULE_SBUF;
    uint32_t quadrant = src.at.part / 32;
    for (unsigned i = 0; i < sizeof immediates / sizeof immediates[0]; i++) {
        if (immediates[i].source != TRN_IMM_SRC_POINTER)
            continue;
        const struct rule_place place = rule_place(c->gen, immediates[i].value);
        if (place.space != RULE_SBUF || (bound && place.part / 32 != quadrant))
            return false;
        bound = true;
        quadrant = place.part / 32;
    }
    return true;
}

/* ---- TENSOR_LOAD, TENSOR_STORE: sequencer.md 7.10 ---------------------------------------- */

static uint64_t immediate_addr8(const uint8_t *bytes)
{
    return trn_addr8_addr_immediate(bytes, RULE_ANY_ISA);
}

enum { ADDR8_MARKER_BITS = 0xFC };

static uint8_t addr8_marker(const uint8_t *bytes)
{
    return trn_addr8_marker(bytes, RULE_ANY_ISA) & ADDR8_MARKER_BITS;
}

static bool addr8_is_immediate(const uint8_t *bytes)
{
    return addr8_marker(bytes) == TRN_ADDR8_MARKER_IMM ||
           addr8_marker(bytes) == TRN_ADDR8_MARKER_SHAPE_REG;
}

static bool addr8_has_shape(const uint8_t *bytes)
{
    return (addr8_marker(bytes) & TRN_ADDR8_MARKER_SHAPE_REG) == 0;
}

/* UINT64 needs even registers; immediates must fit their 32 bytes. */
bool trn_rule_mem2d_list_ok(const struct rule_check *c)
{
    enum { DATA_BYTES = 32 };
    const unsigned isa = c->gen->isa;
    const uint8_t *num = trn_mem_2d_num_elem(c->word, isa);
    const uint8_t *data = trn_mem_2d_data(c->word, isa);
    const uint8_t dtype = trn_mem_2d_dtype(c->word, isa);
    const unsigned count = (unsigned)num[0] * num[1];
    if (trn_mem_2d_src_datasrc(c->word, isa) == TRN_DATA_SRC_IMMEDIATE)
        return count * trn_rule_dtype_bits[dtype] <= 8 * DATA_BYTES;
    if (dtype != TRN_DTYPE_UINT64)
        return true;
    for (unsigned i = 0; i < at_most(count, DATA_BYTES); i++)
        if (data[i] % 2 != 0)
            return false;
    return true;
}

/* Every byte in one aligned region of 16 MiB; an immediate start is aligned to the type. */
bool trn_rule_mem2d_region_ok(const struct rule_check *c)
{
    enum { REGION_BYTES = 1 << 24 };
    const unsigned isa = c->gen->isa;
    const uint8_t *start = trn_mem_2d_start_addr_bytes(c->word, isa);
    const uint8_t *num = trn_mem_2d_num_elem(c->word, isa);
    const uint8_t *step = trn_mem_2d_step_elem(c->word, isa);
    const uint8_t dtype = trn_mem_2d_dtype(c->word, isa);
    if (!addr8_is_immediate(start))
        return true; /* decided when the word executes */
    const int64_t address = (int64_t)immediate_addr8(start);
    if (address % trn_rule_dtype_align[dtype] != 0)
        return false;
    if (!addr8_has_shape(start) || num[0] == 0 || num[1] == 0)
        return true;
    struct rule_extent extent = {0, 0};
    for (unsigned i = 0; i < 2; i++)
        rule_reach(&extent, num[i], (int32_t)trn_get32(step + 4 * i));
    const int64_t size = trn_rule_dtype_bits[dtype] / 8;
    const int64_t first = address + extent.first * size;
    const int64_t last = address + (extent.end + 1) * size - 1;
    return first >= 0 && (size == 0 || first / REGION_BYTES == last / REGION_BYTES);
}

/* ---- DMA totals: dge.md V11, V12 --------------------------------------------------------- */

struct dma_side {
    const uint8_t *addr;
    int32_t step[2];
    uint32_t num[2];
    uint16_t elem_size; /* as in the word */
    uint8_t dtype;
};

struct dma_shape {
    struct dma_side src, dst;
    bool computes; /* cast or compute, not a plain copy */
};

static struct dma_shape direct2d(const uint8_t *w, unsigned isa)
{
    const struct dma_side src = {
        .addr = trn_dma_direct2d_src_start_addr_bytes(w, isa),
        .step = {trn_dma_direct2d_src_step_elem_0(w, isa),
                 trn_dma_direct2d_src_step_elem_1(w, isa)},
        .num = {trn_dma_direct2d_src_num_elem_0(w, isa), trn_dma_direct2d_src_num_elem_1(w, isa)},
        .elem_size = trn_dma_direct2d_src_elem_size(w, isa),
        .dtype = trn_dma_direct2d_in_dtype(w, isa),
    };
    const struct dma_side dst = {
        .addr = trn_dma_direct2d_dst_start_addr_bytes(w, isa),
        .step = {trn_dma_direct2d_dst_step_elem_0(w, isa),
                 trn_dma_direct2d_dst_step_elem_1(w, isa)},
        .num = {trn_dma_direct2d_dst_num_elem_0(w, isa), trn_dma_direct2d_dst_num_elem_1(w, isa)},
        .elem_size = trn_dma_direct2d_dst_elem_size(w, isa),
        .dtype = trn_dma_direct2d_out_dtype(w, isa),
    };
    return (struct dma_shape){src, dst,
                              trn_dma_direct2d_compute_op(w, isa) != TRN_DGE_COMPUTE_OP_NONE};
}

static struct dma_shape indirect1d(const uint8_t *w, unsigned isa)
{
    const struct dma_side src = {
        .addr = trn_dma_indirect1d_src_start_addr_bytes(w, isa),
        .step = {trn_dma_indirect1d_src_step_elem(w, isa), 0},
        .num = {trn_dma_indirect1d_src_num_elem(w, isa), 1},
        .elem_size = trn_dma_indirect1d_src_elem_size(w, isa),
        .dtype = trn_dma_indirect1d_in_dtype(w, isa),
    };
    const struct dma_side dst = {
        .addr = trn_dma_indirect1d_dst_start_addr_bytes(w, isa),
        .step = {trn_dma_indirect1d_dst_step_elem(w, isa), 0},
        .num = {trn_dma_indirect1d_dst_num_elem(w, isa), 1},
        .elem_size = trn_dma_indirect1d_dst_elem_size(w, isa),
        .dtype = trn_dma_indirect1d_out_dtype(w, isa),
    };
    return (struct dma_shape){src, dst,
                              trn_dma_indirect1d_compute_op(w, isa) != TRN_DGE_COMPUTE_OP_NONE};
}

static uint64_t total_elements(const struct dma_side *side)
{
    return (uint64_t)side->num[0] * side->num[1];
}

static uint64_t total_bytes(const struct dma_side *side)
{
    return total_elements(side) * (side->elem_size == 0 ? 65536 : side->elem_size);
}

/* A cast or compute moves elements of the side's type, at multiples of their size. */
static bool moves_elements(const struct dma_side *side)
{
    const uint32_t size = trn_rule_dtype_bits[side->dtype] / 8;
    if (size == 0 || side->elem_size != size)
        return false;
    if (addr8_is_immediate(side->addr) && immediate_addr8(side->addr) % size != 0)
        return false;
    if (!addr8_has_shape(side->addr))
        return true; /* step and count come from a shape register */
    return side->step[0] % (int32_t)size == 0 && side->step[1] % (int32_t)size == 0;
}

static struct dma_shape dma_shape_of(const struct rule_check *c)
{
    const unsigned isa = c->gen->isa;
    return c->word[0] == TRN_OPCODE_DMA_INDIRECT ? indirect1d(c->word, isa)
                                                 : direct2d(c->word, isa);
}

bool trn_rule_dma_bytes(const struct rule_check *c, uint64_t *src, uint64_t *dst)
{
    const struct dma_shape dma = dma_shape_of(c);
    *src = total_bytes(&dma.src);
    *dst = total_bytes(&dma.dst);
    return !dma.computes && dma.src.dtype == dma.dst.dtype;
}

bool trn_rule_dma_totals_ok(const struct rule_check *c)
{
    const struct dma_shape dma = dma_shape_of(c);
    const bool counted = addr8_has_shape(dma.src.addr) && addr8_has_shape(dma.dst.addr);
    if (!dma.computes && dma.src.dtype == dma.dst.dtype)
        return !counted || total_bytes(&dma.src) == total_bytes(&dma.dst);
    return moves_elements(&dma.src) && moves_elements(&dma.dst) &&
           (!counted || total_elements(&dma.src) == total_elements(&dma.dst));
}
