/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and the distances to them. Each engine's stream has its own labels. */
#include <stdlib.h>

#include "isa/asm.h"
#include "isa/text_branch.h"
#include "isa_fields.h"

static bool remember(struct trn_asm *a, struct trn_asm_names *names, struct trn_asm_name name)
{
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity ? names->capacity * 2 : 64;
        struct trn_asm_name *items = realloc(names->items, capacity * sizeof *items);
        if (!items) {
            a->no_memory = true;
            return false;
        }
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count++] = name;
    return true;
}

static struct trn_asm_name name_here(const struct trn_asm *a, size_t length)
{
    return (struct trn_asm_name){
        .name = a->at,
        .length = length,
        .index = a->streams[a->stream].num_words,
        .line = a->line_number,
        .column = (uint32_t)(a->at - a->line) + 1,
        .stream = (uint8_t)a->stream,
    };
}

void trn_asm_define_label(struct trn_asm *a, size_t length)
{
    uint8_t number;
    trn_asm_close_word(a);
    if (trn_read_register(a->at, &number) == a->at + length)
        trn_asm_note(a, a->at, NULL, "'%s' is a register, not a label",
                     trn_asm_quote(a->at, length).text);
    else
        remember(a, &a->labels, name_here(a, length));
}

bool trn_asm_reference(struct trn_asm *a, const struct trn_text_field *field, size_t length)
{
    struct trn_asm_name name = name_here(a, length);
    name.field = field->offset;
    name.from_hinted = a->word.layout->id == TRN_STRUCT_CTRL_BPH && field->size == 8;
    a->word.relative_target |= field->size == 8; /* br_immediate, not branch_offset */
    a->at += length;
    return remember(a, &a->references, name);
}

/* By stream, then by name, then by place. */
static int compare_names(const struct trn_asm_name *x, const struct trn_asm_name *y)
{
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    const size_t shorter = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->name, y->name, shorter);
    if (order)
        return order;
    return (x->length > y->length) - (x->length < y->length);
}

static int compare_labels(const void *x, const void *y)
{
    const struct trn_asm_name *a = x, *b = y;
    const int order = compare_names(a, b);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_to_key(const void *x, const void *y)
{
    return compare_names(x, y);
}

/* The label of a name in a stream, NULL when there is none; the labels are sorted. */
static const struct trn_asm_name *find_label(const struct trn_asm *a,
                                             const struct trn_asm_name *name)
{
    if (a->labels.count == 0)
        return NULL;
    return bsearch(name, a->labels.items, a->labels.count, sizeof *name, compare_to_key);
}

static void report_duplicates(struct trn_asm *a)
{
    const struct trn_asm_name *first = a->labels.items;
    for (size_t i = 1; i < a->labels.count && !trn_asm_full(a); i++) {
        const struct trn_asm_name *label = &a->labels.items[i];
        if (compare_names(first, label) != 0)
            first = label;
        else
            trn_asm_note_at(a, label->line, label->column, NULL,
                            "label '%s' is defined twice, first in line %u",
                            trn_asm_quote(label->name, label->length).text, first->line);
    }
}

static bool belongs_elsewhere(const struct trn_asm *a, const struct trn_asm_name *reference)
{
    struct trn_asm_name name = *reference;
    for (name.stream = 0; name.stream < TRN_ASM_STREAMS; name.stream++)
        if (find_label(a, &name))
            return true;
    return false;
}

static void undefined(struct trn_asm *a, const struct trn_asm_name *reference)
{
    const struct trn_asm_quote quote = trn_asm_quote(reference->name, reference->length);
    if (belongs_elsewhere(a, reference)) {
        trn_asm_note_at(a, reference->line, reference->column,
                        "a branch stays in the stream of its own engine",
                        "label '%s' belongs to another engine", quote.text);
        return;
    }
    enum { MAX_COPIES = 256 };
    struct trn_asm_quote copies[MAX_COPIES]; /* labels end in the text, not in a NUL */
    struct trn_asm_choices choices = {.list = ""};
    for (size_t i = 0; i < a->labels.count && choices.count < MAX_COPIES; i++) {
        const struct trn_asm_name *label = &a->labels.items[i];
        if (label->stream != reference->stream)
            continue;
        copies[choices.count] = trn_asm_quote(label->name, label->length);
        trn_asm_add_choice(&choices, copies[choices.count].text, false);
    }
    trn_asm_note_at(a, reference->line, reference->column,
                    trn_asm_suggest(&choices, reference->name, reference->length).text,
                    "label '%s' is not defined", quote.text);
}

/* A hint's own target counts from the branch that it hints at, any other from the word itself. */
static bool distance(const uint8_t *word, const struct trn_asm_name *reference, size_t target,
                     unsigned isa, int32_t *offset)
{
    if (!trn_branch_distance(reference->index, target, offset))
        return false;
    return !reference->from_hinted ||
           !__builtin_sub_overflow(*offset, trn_ctrl_bph_branch_offset(word, isa), offset);
}

static void resolve(struct trn_asm *a, const struct trn_asm_name *reference)
{
    const struct trn_asm_name *label = find_label(a, reference);
    if (!label) {
        undefined(a, reference);
        return;
    }
    uint8_t *word = a->streams[reference->stream].words + reference->index * TRN_INST_BYTES;
    int32_t offset;
    if (!distance(word, reference, label->index, a->isa, &offset))
        trn_asm_note_at(a, reference->line, reference->column, "distances have 32 bits",
                        "label '%s' is too far",
                        trn_asm_quote(reference->name, reference->length).text);
    else
        trn_put32(word + reference->field, (uint32_t)offset);
}

void trn_asm_resolve(struct trn_asm *a)
{
    if (a->labels.count)
        qsort(a->labels.items, a->labels.count, sizeof *a->labels.items, compare_labels);
    report_duplicates(a);
    /* first the hinted branches, from which the hints' targets count */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < a->references.count && !trn_asm_full(a); i++) {
            const struct trn_asm_name *reference = &a->references.items[i];
            if (reference->from_hinted == (pass == 1))
                resolve(a, reference);
        }
}
