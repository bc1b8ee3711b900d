/* SPDX-License-Identifier: Apache-2.0 */
/* WRITE, TENSOR_LOAD and TENSOR_STORE (sequencer.md 7.10, 7.11). Addresses are SoC addresses,
 * resolved directly; the address windows are register state only (model choice of 7.11). */
#include "isa_fields.h"
#include "seq/control.h"
#include "trench/enums.h"

/* The address an ADDR8 names (isa-core.md 7.1). */
static trn_status address_of(struct trn_seq *seq, const uint8_t *addr8, uint64_t *out)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t marker = trn_addr8_marker(addr8, isa);
    uint32_t low = 0, high = 0;
    trn_status status = TRN_OK;
    switch (trn_bits_set(marker, 0, 2, 0)) { /* bits 1:0 belong to an immediate address */
    case TRN_ADDR8_MARKER_IMM:
        *out = trn_addr8_addr_immediate(addr8, isa);
        return TRN_OK;
    case TRN_ADDR8_MARKER_ADDR_REG:
        status = trn_seq_read_register(seq, trn_addr8_reg_lo(addr8, isa), &low);
        if (status == TRN_OK)
            status = trn_seq_read_register(seq, trn_addr8_reg_hi(addr8, isa), &high);
        *out = low | (uint64_t)high << 32;
        return status;
    default:
        return trn_seq_fault(seq, TRN_FAULT_MISSING_SPECIFICATION, "NO_SEMANTICS",
                             "address marker 0x%02x is not known on this word; an immediate (0x00) "
                             "or a register pair (0x80) is",
                             marker);
    }
}

/* The word's operand offsets are a model choice (isa-core.md 9.5). */
trn_status trn_word_write(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    uint64_t address = 0;
    uint8_t value[4];
    trn_seq_choice(seq, TRN_CHOICE_WRITE_LAYOUT);
    trn_put32(value, trn_ctrl_wr_value(word, isa));
    const trn_status status = address_of(seq, trn_ctrl_wr_address_bytes(word, isa), &address);
    return status == TRN_OK ? trn_seq_store(seq, address, value, sizeof value) : status;
}

/* ---- MEM_2D ---------------------------------------------------------------------------- */

enum { REGION_BYTES = 1 << 24, MAX_ELEMENTS = 32, MAX_SIZE = 8 };

struct tensor {
    uint64_t start;
    unsigned num[2];
    int32_t step[2]; /* elements */
    uint8_t dtype;
    unsigned size; /* bytes of an element */
};

static unsigned size_of(uint8_t dtype)
{
    switch (dtype) {
    case TRN_DTYPE_INT8:
    case TRN_DTYPE_UINT8:
        return 1;
    case TRN_DTYPE_INT16:
    case TRN_DTYPE_UINT16:
        return 2;
    case TRN_DTYPE_UINT64:
        return 8;
    default: /* INT32, UINT32, FP32 */
        return 4;
    }
}

static uint64_t element_address(const struct tensor *t, unsigned i0, unsigned i1)
{
    const int64_t elements = (int64_t)i0 * t->step[0] + (int64_t)i1 * t->step[1];
    return t->start + (uint64_t)(elements * (int64_t)t->size);
}

/* The whole tensor lies in one aligned 16 MiB region; with a register address only now. */
static bool in_one_region(const struct tensor *t)
{
    const uint64_t region = t->start / REGION_BYTES;
    for (unsigned i1 = 0; i1 < t->num[1]; i1++)
        for (unsigned i0 = 0; i0 < t->num[0]; i0++) {
            const uint64_t address = element_address(t, i0, i1);
            if (address / REGION_BYTES != region ||
                (address + t->size - 1) / REGION_BYTES != region)
                return false;
        }
    return true;
}

static trn_status open_tensor(struct trn_seq *seq, const uint8_t *word, struct tensor *t)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t *num = trn_mem_2d_num_elem(word, isa);
    const uint8_t *step = trn_mem_2d_step_elem(word, isa);
    *t = (struct tensor){.num = {num[0], num[1]},
                         .step = {(int32_t)trn_get32(step), (int32_t)trn_get32(step + 4)},
                         .dtype = trn_mem_2d_dtype(word, isa),
                         .size = size_of(trn_mem_2d_dtype(word, isa))};
    const trn_status status = address_of(seq, trn_mem_2d_start_addr_bytes(word, isa), &t->start);
    if (status != TRN_OK)
        return status;
    if (t->num[0] * t->num[1] > MAX_ELEMENTS)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "mem2d_count",
                             "%u elements; at most 32 are legal", t->num[0] * t->num[1]);
    if (!in_one_region(t))
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "mem2d_region",
                             "the tensor at 0x%llx leaves its aligned 16 MiB region",
                             (unsigned long long)t->start);
    return TRN_OK;
}

static uint32_t extended(const uint8_t *bytes, uint8_t dtype)
{
    switch (dtype) {
    case TRN_DTYPE_UINT8:
        return bytes[0];
    case TRN_DTYPE_INT8:
        return (uint32_t)(int32_t)(int8_t)bytes[0];
    case TRN_DTYPE_UINT16:
        return trn_get16(bytes);
    case TRN_DTYPE_INT16:
        return (uint32_t)(int32_t)(int16_t)trn_get16(bytes);
    default:
        return trn_get32(bytes);
    }
}

static trn_status load_element(struct trn_seq *seq, const struct tensor *t, uint64_t address,
                               uint8_t reg)
{
    uint8_t bytes[MAX_SIZE] = {0};
    trn_status status = trn_seq_load(seq, address, bytes, t->size);
    if (status == TRN_OK)
        status = trn_seq_write_register(seq, reg, extended(bytes, t->dtype));
    if (status == TRN_OK && t->size == 8)
        status = trn_seq_write_register(seq, reg + 1u, trn_get32(bytes + 4));
    return status;
}

/* The low bytes of a register (a pair for 64 bits), or an immediate of the element's size. */
static trn_status store_element(struct trn_seq *seq, const struct tensor *t, uint64_t address,
                                const uint8_t *immediate, uint8_t reg)
{
    uint8_t bytes[MAX_SIZE];
    uint32_t value = 0;
    if (immediate)
        return trn_seq_store(seq, address, immediate, t->size);
    trn_status status = trn_seq_read_register(seq, reg, &value);
    trn_put32(bytes, value);
    if (status == TRN_OK && t->size == 8)
        status = trn_seq_read_register(seq, reg + 1u, &value);
    trn_put32(bytes + 4, value);
    return status == TRN_OK ? trn_seq_store(seq, address, bytes, t->size) : status;
}

trn_status trn_word_tensor_load(struct trn_seq *seq, const uint8_t *word)
{
    const uint8_t *registers = trn_mem_2d_data(word, seq->core->gen->isa);
    struct tensor t;
    unsigned k = 0;
    trn_status status = open_tensor(seq, word, &t);
    for (unsigned i1 = 0; status == TRN_OK && i1 < t.num[1]; i1++)
        for (unsigned i0 = 0; status == TRN_OK && i0 < t.num[0]; i0++)
            status = load_element(seq, &t, element_address(&t, i0, i1), registers[k++]);
    return status;
}

trn_status trn_word_tensor_store(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t *data = trn_mem_2d_data(word, isa);
    const bool immediates = trn_mem_2d_src_datasrc(word, isa) == TRN_DATA_SRC_IMMEDIATE;
    struct tensor t;
    unsigned k = 0;
    trn_status status = open_tensor(seq, word, &t);
    if (status == TRN_OK && immediates && t.num[0] * t.num[1] * t.size > MAX_ELEMENTS)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "mem2d_count",
                             "%u immediates of %u bytes; 32 bytes are there", t.num[0] * t.num[1],
                             t.size);
    for (unsigned i1 = 0; status == TRN_OK && i1 < t.num[1]; i1++)
        for (unsigned i0 = 0; status == TRN_OK && i0 < t.num[0]; i0++, k++)
            status = store_element(seq, &t, element_address(&t, i0, i1),
                                   immediates ? data + k * t.size : NULL, data[k]);
    return status;
}
