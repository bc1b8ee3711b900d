/* SPDX-License-Identifier: Apache-2.0 */
/* An Xtensa instruction as text, in the syntax of binutils. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/xtensa.h"

struct text {
    char *out;
    size_t used;
};

static void add(struct text *text, const char *format, ...) TRN_PRINTF(2, 3);

static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const size_t room = TRN_XTENSA_TEXT_MAX - text->used;
    const int more = vsnprintf(text->out + text->used, room, format, args);
    va_end(args);
    if (more > 0)
        text->used += (size_t)more < room ? (size_t)more : room - 1;
}

/* "rsr.vecbase"; by its number where the core has no name for it (xtensa-subset.md 10). */
static void add_register(struct text *text, enum trn_xtensa_core core,
                         const struct trn_xtensa_operand_row *operand, int32_t number)
{
    bool known;
    const char *const name = trn_xtensa_register(core, operand, number, &known);
    if (name)
        add(text, ".%s", name);
    else
        add(text, ".%" PRId32, number);
}

static void add_operand(struct text *text, const struct trn_xtensa_operand_row *operand,
                        int32_t value)
{
    switch (operand->kind) {
    case TRN_XTENSA_OPERAND_REG:
        add(text, "a%" PRId32, value);
        return;
    case TRN_XTENSA_OPERAND_BOOL:
        add(text, "b%" PRId32, value);
        return;
    case TRN_XTENSA_OPERAND_NUMBER:
        if (value > -256 && value < 256)
            add(text, "%" PRId32, value);
        else
            add(text, "0x%" PRIx32, (uint32_t)value);
        return;
    default:
        add(text, "0x%" PRIx32, (uint32_t)value);
    }
}

static void add_instruction(struct text *text, const struct trn_xtensa_insn *insn)
{
    const struct trn_xtensa_row *const row = &trn_xtensa_table[insn->row];
    const char *between = " ";
    add(text, "%s", row->name);
    for (unsigned i = 0; i < row->num_operands; i++) {
        const struct trn_xtensa_operand_row *const operand =
            &trn_xtensa_operand_table[row->operand[i]];
        if (operand->access) {
            add_register(text, insn->core, operand, insn->value[i]);
            continue;
        }
        add(text, "%s", between);
        add_operand(text, operand, insn->value[i]);
        between = ", ";
    }
}

static void add_bytes(struct text *text, const struct trn_xtensa_insn *insn, unsigned count)
{
    const char *between = ".byte ";
    for (unsigned i = 0; i < count; i++, between = ", ")
        add(text, "%s0x%02x", between, (unsigned)trn_bits_get(insn->word, 8 * i, 8));
}

void trn_xtensa_print(const struct trn_xtensa_insn *insn, char out[TRN_XTENSA_TEXT_MAX])
{
    struct text text = {out, 0};
    *out = '\0';
    switch (insn->kind) {
    case TRN_XTENSA_INSTRUCTION:
        add_instruction(&text, insn);
        return;
    case TRN_XTENSA_BUNDLE:
        add(&text, "FLIX bundle %s, %u bytes, %u slots, not decoded",
            trn_xtensa_format_table[insn->row].name, insn->length, insn->slots);
        return;
    case TRN_XTENSA_OUTSIDE:
        add_bytes(&text, insn, insn->length);
        add(&text, "  (outside the subset)");
        return;
    default:
        add_bytes(&text, insn, 1);
        add(&text, insn->kind == TRN_XTENSA_ILLEGAL ? "  (no instruction starts so)"
                                                    : "  (the code ends here)");
    }
}
