/* SPDX-License-Identifier: Apache-2.0 */
/* trn_check_word: admits the opcode, hands the word to its generated validator, keeps what fails.
 */
#include "isa/check.h"

#include "isa/lookup.h"

static const struct trn_check_options after_lowering = {.engine = TRN_ENGINE_ANY};

/* Which engines may run the word, and whether the check goes past its header. */
static void admit(struct rule_check *c, const struct trn_check_options *options)
{
    const bool lowered_later = options->before_lowering && c->entry->stop == TRN_RULE_is_pseudo_op;
    uint8_t engines = c->entry->engines;
    c->engines = engines;
    if (options->engine != TRN_ENGINE_ANY) {
        const bool known = options->engine >= 0 && options->engine < 8;
        c->engines = (uint8_t)(known ? 1u << options->engine : 0u);
        engines &= c->engines;
    }
    c->engine_ok = engines != 0 || lowered_later;
    c->stopped = c->entry->stop != RULE_NONE && !lowered_later;
}

void trn_rule_begin(struct rule_check *c, const struct trn_gen *gen, const uint8_t *word,
                    const struct trn_check_options *options)
{
    if (!options)
        options = &after_lowering;
    *c = (struct rule_check){
        .gen = gen,
        .word = word,
        .entry = &trn_rule_entries[gen->isa][word[0]],
        .next_opcode = options->next_word ? options->next_word[0] : RULE_NO_NEXT,
    };
    admit(c, options);
}

trn_status trn_check_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                          const struct trn_check_options *options, struct trn_violation *out,
                          size_t capacity, size_t *count)
{
    struct rule_check c;
    trn_rule_begin(&c, gen, word, options);
    c.first_only = capacity == 0 && !count;
    c.out = out;
    c.capacity = capacity;
    c.entry->check(&c);
    if (count)
        *count = c.count;
    return c.invalid ? TRN_ERR_INVALID : TRN_OK;
}

bool trn_rule_admit(struct rule_check *c)
{
    if (c->stopped) {
        trn_rule_fail(c, c->entry->stop, RULE_NO_FIELD);
        return false;
    }
    return !trn_rule_fail(c, TRN_RULE_opcode_on_engine, RULE_NO_FIELD);
}

/* ---- violations -------------------------------------------------------------------- */

/* Field of a struct by index, NULL for none. */
static const struct trn_field_row *field_at(const struct rule_check *c, unsigned place)
{
    const unsigned index = place & RULE_FIELD_MASK;
    if (index == RULE_NO_FIELD)
        return NULL;
    return &trn_struct_table[trn_word_struct(c->word, c->gen->isa)].fields[index];
}

static void fill(const struct rule_check *c, unsigned rule, unsigned place,
                 struct trn_violation *out)
{
    const struct trn_rule_row *row = &trn_rule_table[rule];
    const struct trn_field_row *field = field_at(c, place);
    out->rule = row->name;
    out->field = field ? field->name : NULL;
    out->message = row->message;
    out->provenance = row->confidence;
    out->warning = row->is_warning || rule == TRN_RULE_NO_LAYOUT;
    if (rule == TRN_RULE_reserved_zero) {
        out->rule = trn_reserved_rules[trn_word_struct(c->word, c->gen->isa)];
        out->message = "reserved byte is not zero";
        out->provenance = field->confidence;
    }
    out->detail[0] = '\0';
    if (!c->no_details)
        trn_rule_detail(c, rule, place, out->detail, sizeof out->detail);
}

bool trn_rule_fail(struct rule_check *c, unsigned rule, unsigned place)
{
    const bool warning = trn_rule_table[rule].is_warning || rule == TRN_RULE_NO_LAYOUT;
    c->invalid |= !warning;
    if (c->first_only)
        return !warning;
    if (c->count < c->capacity)
        fill(c, rule, place, &c->out[c->count]);
    c->count++;
    return false;
}
