/* SPDX-License-Identifier: Apache-2.0 */
/* One Xtensa instruction out of its bytes (docs/hardware/xtensa-subset.md 2..6). */
#include <string.h>

#include "base/bytes.h"
#include "fw/xtensa.h"

const char *trn_xtensa_core_name(enum trn_xtensa_core core)
{
    static const char *const names[TRN_XTENSA_CORES] = {"vision", "scalar"};
    return (size_t)core < TRN_XTENSA_CORES ? names[core] : NULL;
}

static unsigned low_nibble(uint32_t byte)
{
    return (unsigned)trn_bits_get(byte, 0, 4);
}

/* The first bytes as a number, as many as there are. */
static uint32_t first_word(const uint8_t *bytes, size_t size)
{
    uint8_t word[4] = {0};
    memcpy(word, bytes, size < sizeof word ? size : sizeof word);
    return trn_get32(word);
}

/* Length in bytes, 0 for none; *short_of when byte 3 decides and is not there (2.1). */
static unsigned length_of(enum trn_xtensa_core core, const uint8_t *bytes, size_t size,
                          bool *short_of)
{
    const unsigned op0 = low_nibble(bytes[0]);
    const unsigned with_zero = trn_xtensa_length_table[core][0][op0];
    *short_of = false;
    if (size > 3)
        return trn_xtensa_length_table[core][low_nibble(bytes[3])][op0];
    *short_of = with_zero > 3;
    return with_zero;
}

static uint16_t format_of(uint32_t word)
{
    uint16_t i = 0;
    while (i + 1U < trn_xtensa_num_formats &&
           (word & trn_xtensa_format_table[i].mask) != trn_xtensa_format_table[i].match)
        i++;
    return i;
}

/* ---- operands --------------------------------------------------------------------- */

static uint32_t round_down(uint32_t address)
{
    return address - address % 4;
}

static uint32_t base_of(const struct trn_xtensa_operand_row *operand, uint32_t pc)
{
    switch (operand->kind) {
    case TRN_XTENSA_OPERAND_PC:
        return pc;
    case TRN_XTENSA_OPERAND_PC_WORD:
        return round_down(pc);
    case TRN_XTENSA_OPERAND_PC_UP:
        return round_down(pc + 3);
    default:
        return 0;
    }
}

int32_t trn_xtensa_operand_value(const struct trn_xtensa_operand_row *operand, uint32_t word,
                                 uint32_t pc)
{
    const uint32_t raw = operand->get(word);
    if (operand->values)
        return operand->values[raw];
    int32_t value = (int32_t)raw;
    if (raw >= operand->wrap)
        value -= (int32_t)trn_bits_set(0, operand->bits, 1, 1);
    return (int32_t)((uint32_t)(value * operand->scale + operand->bias) + base_of(operand, pc));
}

const char *trn_xtensa_register(enum trn_xtensa_core core,
                                const struct trn_xtensa_operand_row *operand, int32_t number,
                                bool *known)
{
    *known = false;
    for (size_t i = 0; i < trn_xtensa_num_registers; i++) {
        const struct trn_xtensa_register_row *const row = &trn_xtensa_register_table[i];
        if (row->kind != operand->kind || row->number != number ||
            !trn_bits_get(row->cores, core, 1))
            continue;
        *known = true;
        if (strchr(row->access, operand->access))
            return row->name;
    }
    return NULL;
}

/* A register that the core names but does not let be read, written or exchanged so. */
static bool is_forbidden(const struct trn_xtensa_insn *insn,
                         const struct trn_xtensa_operand_row *operand, int32_t value)
{
    bool known;
    if (operand->access == 0)
        return false;
    return !trn_xtensa_register(insn->core, operand, value, &known) && known;
}

static bool take_operands(const struct trn_xtensa_row *row, struct trn_xtensa_insn *insn)
{
    for (unsigned i = 0; i < row->num_operands; i++) {
        const struct trn_xtensa_operand_row *const operand =
            &trn_xtensa_operand_table[row->operand[i]];
        insn->value[i] = trn_xtensa_operand_value(operand, insn->word, insn->pc);
        if (is_forbidden(insn, operand, insn->value[i]))
            return false;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------- */

static unsigned row_of(uint32_t word, unsigned size)
{
    const struct trn_xtensa_select *const select = &trn_xtensa_select_table[low_nibble(word)];
    const uint8_t *rows = &trn_xtensa_select_pool[select->list[trn_bits_get(word, select->low, 8)]];
    for (; *rows != TRN_XTENSA_NO_ROW; rows++) {
        const struct trn_xtensa_row *const row = &trn_xtensa_table[*rows];
        if (row->size == size && (word & row->mask) == row->match)
            return *rows;
    }
    return TRN_XTENSA_NO_ROW;
}

static void decode_short(struct trn_xtensa_insn *insn)
{
    insn->word = (uint32_t)trn_bits_get(insn->word, 0, 8U * insn->length);
    const unsigned row = row_of(insn->word, insn->length);
    if (row == TRN_XTENSA_NO_ROW || !take_operands(&trn_xtensa_table[row], insn))
        return;
    insn->kind = TRN_XTENSA_INSTRUCTION;
    insn->row = (uint16_t)row;
}

void trn_xtensa_decode(enum trn_xtensa_core core, const uint8_t *bytes, size_t size, uint32_t pc,
                       struct trn_xtensa_insn *out)
{
    bool short_of;
    *out = (struct trn_xtensa_insn){.kind = TRN_XTENSA_TRUNCATED, .core = core, .pc = pc};
    if (size == 0)
        return;
    const unsigned length = length_of(core, bytes, size, &short_of);
    out->word = first_word(bytes, size);
    if (short_of || length > size)
        return;
    if (length == 0) {
        out->kind = TRN_XTENSA_ILLEGAL;
        return;
    }
    out->kind = TRN_XTENSA_OUTSIDE;
    out->length = (uint8_t)length;
    if (length <= 3) {
        decode_short(out);
        return;
    }
    out->kind = TRN_XTENSA_BUNDLE;
    out->row = format_of(out->word);
    out->slots = trn_xtensa_format_table[out->row].slots;
}

/* ---- what a decoded one is -------------------------------------------------------- */

const char *trn_xtensa_name(const struct trn_xtensa_insn *insn)
{
    if (insn->kind == TRN_XTENSA_INSTRUCTION)
        return trn_xtensa_table[insn->row].name;
    return insn->kind == TRN_XTENSA_BUNDLE ? trn_xtensa_format_table[insn->row].name : NULL;
}

enum trn_xtensa_class trn_xtensa_class_of(const struct trn_xtensa_insn *insn)
{
    return insn->kind == TRN_XTENSA_INSTRUCTION ? trn_xtensa_table[insn->row].cls
                                                : TRN_XTENSA_CLASSES;
}

bool trn_xtensa_target(const struct trn_xtensa_insn *insn, uint32_t *target)
{
    if (insn->kind != TRN_XTENSA_INSTRUCTION)
        return false;
    const struct trn_xtensa_row *const row = &trn_xtensa_table[insn->row];
    for (unsigned i = 0; i < row->num_operands; i++) {
        const enum trn_xtensa_operand_kind kind = trn_xtensa_operand_table[row->operand[i]].kind;
        if (kind >= TRN_XTENSA_OPERAND_PC && kind <= TRN_XTENSA_OPERAND_PC_UP) {
            *target = (uint32_t)insn->value[i];
            return true;
        }
    }
    return false;
}

size_t trn_xtensa_row_count(void)
{
    return trn_xtensa_num_rows;
}

const char *trn_xtensa_row_name(size_t row)
{
    return row < trn_xtensa_num_rows ? trn_xtensa_table[row].name : NULL;
}

const char *trn_xtensa_row_verified(size_t row)
{
    return row < trn_xtensa_num_rows ? trn_xtensa_table[row].verified : NULL;
}

size_t trn_xtensa_row_operands(size_t row)
{
    return row < trn_xtensa_num_rows ? trn_xtensa_table[row].num_operands : 0;
}
