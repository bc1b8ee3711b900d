/* SPDX-License-Identifier: Apache-2.0 */
/* Words that break one rule: spoil a valid word until the rule fails, then mend everything else. */
#include <string.h>

#include "base/bytes.h"
#include "isa/check.h"
#include "isa/lookup.h"
#include "support/wordgen_draw.h"

enum { KEPT = 32, SPOILS = 60, MENDS = 250 };

struct breaking {
    struct draw d;
    struct trn_check_options options;
    const char *rule;
    struct trn_violation other[KEPT]; /* what else the word breaks */
    unsigned others;
    bool broken; /* the rule fails */
};

static void judge(struct breaking *b)
{
    struct trn_violation all[KEPT];
    struct rule_check c;
    trn_rule_begin(&c, b->d.gen, b->d.word, &b->options);
    c.no_details = true;
    c.out = all;
    c.capacity = KEPT;
    c.entry->check(&c);
    b->others = 0;
    b->broken = false;
    for (size_t i = 0; i < c.count && i < KEPT; i++) {
        if (strcmp(all[i].rule, b->rule) == 0)
            b->broken = true;
        else if (!all[i].warning)
            b->other[b->others++] = all[i];
    }
}

/* A field that the rule reads, or any. */
static const struct trn_field_row *some_field(struct breaking *b, int rule)
{
    struct draw *d = &b->d;
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    unsigned count = 0;
    while (rule >= 0 && trn_rule_reads[rule][count])
        count++;
    const struct trn_field_row *read =
        count && draw_chance(d, 60) ? draw_find(d, trn_rule_reads[rule][draw_below(d, count)])
                                    : NULL;
    return read ? read : &row->fields[draw_below(d, row->num_fields)];
}

static void spoil(struct breaking *b)
{
    struct draw *d = &b->d;
    const int rule = trn_rule_find(b->rule);
    const struct trn_violation wanted = {.rule = b->rule};
    const struct trn_field_row *field = some_field(b, rule);
    if (rule >= 0 && trn_rule_reads[rule][0] && draw_chance(d, 25)) {
        draw_repair(d, &wanted); /* redraws what the rule reads, for better or worse */
        return;
    }
    if (!draw_present(d, field))
        return;
    if (draw_is_pattern(field) && draw_chance(d, 30)) { /* anywhere, by any marker */
        trn_put32(d->word + field->offset[d->isa], (uint32_t)trn_wordgen_next(d->g));
        return;
    }
    const unsigned at = (unsigned)field->offset[d->isa] + draw_below(d, field->size);
    if (draw_chance(d, 30))
        draw_field(d, field);
    else if (draw_chance(d, 50))
        d->word[at] = (uint8_t)trn_wordgen_next(d->g);
    else
        d->word[at] ^= (uint8_t)(1u << draw_below(d, 8));
}

static bool break_it(struct breaking *b)
{
    uint8_t whole[TRN_INST_BYTES];
    memcpy(whole, b->d.word, sizeof whole);
    judge(b);
    for (unsigned i = 0; i < SPOILS && !b->broken; i++) {
        if (draw_chance(&b->d, 40))
            memcpy(b->d.word, whole, sizeof whole);
        spoil(b);
        b->d.id = trn_word_struct(b->d.word, b->d.isa);
        judge(b);
    }
    return b->broken;
}

static void mend(struct breaking *b)
{
    for (unsigned i = 0; i < MENDS && b->others; i++) {
        struct breaking before = *b;
        uint8_t word[TRN_INST_BYTES];
        memcpy(word, b->d.word, sizeof word);
        draw_repair(&b->d, &b->other[draw_below(&b->d, b->others)]);
        b->d.id = trn_word_struct(b->d.word, b->d.isa);
        judge(b);
        if (!b->broken || b->others > before.others + (unsigned)draw_chance(&b->d, 10)) {
            memcpy(b->d.word, word, sizeof word);
            *b = before;
        }
    }
}

bool trn_wordgen_break(struct trn_wordgen *g, const struct trn_gen *gen, const char *rule,
                       const struct trn_wordgen_want *want, uint8_t word[TRN_INST_BYTES],
                       unsigned *others)
{
    static const uint8_t extension[TRN_INST_BYTES] = {TRN_OPCODE_PSEUDO_EXTENSION};
    if (!trn_wordgen_valid(g, gen, want, word)) { /* no word is: the rule may be the reason */
        if (want->opcode < 0)
            return false;
        word[0] = (uint8_t)want->opcode;
        word[1] = 0x10;
    }
    struct breaking b = {
        .d = {.g = g, .gen = gen, .isa = gen->isa, .word = word},
        .options = {.engine = want->engine,
                    .before_lowering = want->before_lowering,
                    .next_word = extension},
        .rule = rule,
    };
    b.d.id = trn_word_struct(word, b.d.isa);
    if (!break_it(&b))
        return false;
    mend(&b);
    if (others)
        *others = b.others;
    return true;
}
