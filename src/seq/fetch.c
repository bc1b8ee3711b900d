/* SPDX-License-Identifier: Apache-2.0 */
/* From a program counter to a word that may execute (sequencer.md 4, 5.4 steps 1 and 2). */
#include <stdio.h>
#include <string.h>

#include "engine/state.h"
#include "isa_fields.h"
#include "mem/hbm.h"
#include "seq/library.h"
#include "seq/seq.h"
#include "trench/isa.h"

/* ---- memory ------------------------------------------------------------------------- */

static bool plane_word(struct trn_seq *seq, enum trn_space space, uint64_t base, uint8_t *word)
{
    const struct trn_origin who = {.engine = seq->engine, .pc = seq->regs.pc};
    const uint64_t offset = seq->regs.pc - base;
    return seq->regs.pc >= base && offset < trn_mem_window_size(seq->core->gen, space) &&
           trn_mem_window_read(seq->core->mem, space, offset, word, TRN_WORD_BYTES, who) == TRN_OK;
}

/* The 64 bytes at the program counter: in place, or copied to `copy`; NULL when no memory is
 * there. Instructions come from memory only, never from registers. */
static const uint8_t *memory_word(struct trn_seq *seq, uint8_t copy[TRN_WORD_BYTES])
{
    const struct trn_soc *soc = seq->core->soc;
    if (seq->regs.pc >= soc->hbm_base) {
        const uint8_t *word =
            trn_hbm_span(seq->core->mem->hbm, seq->regs.pc - soc->hbm_base, TRN_WORD_BYTES);
        if (word)
            return word;
    }
    trn_workers_settle(seq->core->workers); /* lanes of the word before may write here */
    if (plane_word(seq, TRN_SPACE_SBUF, soc->sbuf_base, copy) ||
        plane_word(seq, TRN_SPACE_PSUM, soc->psum_base, copy) ||
        trn_soc_fetch(soc, seq->regs.pc, copy, TRN_WORD_BYTES) == TRN_OK)
        return copy;
    return NULL;
}

/* ---- program counter bounds (sequencer.md 4.4) --------------------------------------- */

static bool in_bounds(const struct trn_seq *seq, uint64_t address)
{
    return address >= trn_get64(seq->local.nx_dram + TRN_NX_PC_LOW) &&
           address <= trn_get64(seq->local.nx_dram + TRN_NX_PC_HIGH);
}

enum { DEFAULT_BLOCK_BYTES = 8192 }; /* lr[19] still 0: model choice of the sheet */

static uint64_t block_bytes(const struct trn_seq *seq)
{
    const uint16_t place = seq->core->gen->local_block_size;
    const uint32_t size = place ? trn_local_get(&seq->local, place) : 0;
    return size ? size : DEFAULT_BLOCK_BYTES;
}

/* Entering a block stages the next one, unless that lies out of the bounds. The model reads memory
 * directly and keeps no block copies; all that is left to see is the skip. */
static void stage_next_block(struct trn_seq *seq)
{
    if (seq->regs.pc - seq->block < seq->block_bytes) /* still in it */
        return;
    seq->block_bytes = block_bytes(seq);
    seq->block = seq->regs.pc - seq->regs.pc % seq->block_bytes;
    if (!in_bounds(seq, seq->block + seq->block_bytes))
        seq->staging_skipped++;
}

static trn_status check_pc(struct trn_seq *seq)
{
    if (seq->regs.pc % TRN_WORD_BYTES != 0)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "pc_aligned",
                             "the program counter 0x%llx is not a multiple of 64",
                             (unsigned long long)seq->regs.pc);
    if (seq->core->strict_pc_bounds && !in_bounds(seq, seq->regs.pc))
        return trn_seq_fault(seq, TRN_FAULT_PC_BOUNDS, NULL,
                             "the program counter 0x%llx is outside the bounds 0x%llx..0x%llx",
                             (unsigned long long)seq->regs.pc,
                             (unsigned long long)trn_get64(seq->local.nx_dram + TRN_NX_PC_LOW),
                             (unsigned long long)trn_get64(seq->local.nx_dram + TRN_NX_PC_HIGH));
    return TRN_OK;
}

/* ---- decode ------------------------------------------------------------------------- */

static bool is_defined(const struct trn_gen *gen, uint8_t opcode)
{
    return trn_bits_get(trn_opcode_table[opcode].isa_mask, gen->isa, 1);
}

/* "act, dve and pool", or "no engine": who takes the opcode on this generation. */
static const char *legal_engines(const struct trn_gen *gen, uint8_t opcode, char *out, size_t size)
{
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    size_t used = 0;
    out[0] = '\0';
    for (int e = 0; e < TRN_NUM_ENGINES; e++)
        if (is_defined(gen, opcode) && trn_bits_get(row->engines[gen->isa], (unsigned)e, 1))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                     trn_engine_name(e));
    return used ? out : "no engine";
}

static trn_status refuse_opcode(struct trn_seq *seq, enum trn_slot_kind kind)
{
    const uint8_t opcode = seq->opcode;
    const char *name = trn_opcode_name(opcode);
    const char *label = name ? name : "no opcode of the manual";
    const char *engine = trn_engine_name(seq->engine), *gen = seq->core->gen->name;
    char who[64];
    switch (kind) {
    case TRN_SLOT_NO_LAYOUT:
        return trn_seq_fault(seq, TRN_FAULT_MISSING_SPECIFICATION, "NO_LAYOUT",
                             "opcode 0x%02x (%s) exists, but its operand layout is not known",
                             opcode, label);
    case TRN_SLOT_NO_SEMANTICS:
        return trn_seq_fault(seq, TRN_FAULT_MISSING_SPECIFICATION, "NO_SEMANTICS",
                             "opcode 0x%02x (%s) has a layout, but what it does is not known",
                             opcode, label);
    case TRN_SLOT_NOT_MODELLED:
        return trn_seq_fault(seq, TRN_FAULT_NOT_MODELLED, NULL,
                             "opcode 0x%02x (%s) is specified but not modelled yet", opcode, label);
    case TRN_SLOT_DISABLED: /* tensor-scalar-multi.md 1.1: the error of an opcode without a handler
                             */
        return trn_seq_fault(seq, TRN_FAULT_BAD_OPCODE, "disabled_opcode",
                             "opcode 0x%02x (%s) is switched off by its own header on %s and never "
                             "executes",
                             opcode, label, gen);
    default:
        if (name && !is_defined(seq->core->gen, opcode))
            return trn_seq_fault(seq, TRN_FAULT_BAD_OPCODE, NULL,
                                 "opcode 0x%02x is unknown on %s; other generations have %s there",
                                 opcode, gen, name);
        return trn_seq_fault(seq, TRN_FAULT_BAD_OPCODE, NULL,
                             "opcode 0x%02x (%s) has no handler on %s of %s; legal on %s", opcode,
                             label, engine, gen,
                             legal_engines(seq->core->gen, opcode, who, sizeof who));
    }
}

/* The first violation that is not a warning becomes the fault. */
static trn_status refuse_word(struct trn_seq *seq, const uint8_t *word,
                              const struct trn_check_options *options)
{
    enum { CAPACITY = 32 };
    struct trn_violation found[CAPACITY];
    size_t count = 0;
    trn_check_word(seq->core->gen, word, options, found, CAPACITY, &count);
    for (size_t i = 0; i < count && i < CAPACITY; i++)
        if (!found[i].warning)
            return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, found[i].rule, "%s%s%s",
                                 found[i].message, *found[i].detail ? ": " : "", found[i].detail);
    return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, NULL, "the word is not valid");
}

/* A key that the table of the staged library lacks, in the firmware's words (convlut.md 6.3). */
static trn_status refuse_kernel(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa, library = seq->core->state->pool.library;
    if (seq->opcode == TRN_OPCODE_EXTENDED_INST)
        return trn_seq_fault(seq, TRN_FAULT_BAD_OPCODE, "unknown_opcode",
                             "P0: UNKNOWN EXTENDED OPCODE=%u (library %u of POOL has no kernel for "
                             "it)",
                             trn_extended_extended_opcode(word, isa), library);
    return trn_seq_fault(seq, TRN_FAULT_BAD_OPCODE, "unknown_opcode",
                         "P0: UNKNOWN OPCODE=0x%x (library %u of POOL has no kernel for it)",
                         seq->opcode, library);
}

static bool executable(const struct trn_slot *slot)
{
    return slot->kind == TRN_SLOT_CONTROL || slot->kind == TRN_SLOT_ENGINE;
}

static trn_status do_nothing(struct trn_exec *x)
{
    (void)x;
    return TRN_OK;
}

/* PE_REG_WRITE, whose layout nobody knows, with the sequencer's bypass bit set (pe-array.md 1). */
static bool is_bypassed(const struct trn_seq *seq)
{
    return seq->core->bypass_pe_reg_write && seq->engine == TRN_NEURON_ENGINE_PE &&
           seq->opcode == TRN_OPCODE_PE_REG_WRITE;
}

static trn_status decode(struct trn_seq *seq, const uint8_t *word, const struct trn_slot **slot)
{
    static const struct trn_slot bypassed = {.kind = TRN_SLOT_ENGINE, .engine = do_nothing};
    const struct trn_check_options options = {.engine = seq->engine};
    if (is_bypassed(seq)) {
        *slot = &bypassed;
        return TRN_OK;
    }
    *slot = trn_dispatch_find(&seq->dispatch, seq->opcode);
    if (!executable(*slot))
        return refuse_opcode(seq, (*slot)->kind);
    if (trn_check_word(seq->core->gen, word, &options, NULL, 0, NULL) != TRN_OK)
        return refuse_word(seq, word, &options);
    if (seq->engine == TRN_NEURON_ENGINE_POOL &&
        trn_pool_lacks_kernel(seq->core->gen, seq->core->state->pool.library, word))
        return refuse_kernel(seq, word);
    return TRN_OK;
}

const struct trn_decoded *trn_seq_fetch(struct trn_seq *seq)
{
    uint8_t copy[TRN_WORD_BYTES];
    seq->opcode = 0;
    if (check_pc(seq) != TRN_OK)
        return NULL;
    const uint8_t *word = memory_word(seq, copy);
    if (!word) {
        trn_seq_fault(seq, TRN_FAULT_PC_BOUNDS, NULL,
                      "there is no memory at the program counter 0x%llx",
                      (unsigned long long)seq->regs.pc);
        return NULL;
    }
    stage_next_block(seq);
    seq->opcode = trn_common_opcode(word, seq->core->gen->isa);

    struct trn_decoded *entry =
        &seq->decoded[seq->regs.pc / TRN_WORD_BYTES % TRN_FETCH_CACHE_WORDS];
    const bool known = entry->slot && entry->address == seq->regs.pc;
    if (known && memcmp(entry->word, word, TRN_WORD_BYTES) == 0)
        return entry;
    if (known)
        trn_seq_choice(seq, TRN_CHOICE_FETCH_FROM_MEMORY);
    const struct trn_slot *slot = NULL;
    if (decode(seq, word, &slot) != TRN_OK)
        return NULL;
    entry->address = seq->regs.pc;
    entry->slot = slot;
    seq->any_decoded = true;
    memcpy(entry->word, word, TRN_WORD_BYTES);
    return entry;
}

void trn_seq_flush(struct trn_seq *seq)
{
    for (size_t i = 0; seq->any_decoded && i < TRN_FETCH_CACHE_WORDS; i++)
        seq->decoded[i].slot = NULL;
    seq->any_decoded = false;
    seq->block_bytes = 0;
}
