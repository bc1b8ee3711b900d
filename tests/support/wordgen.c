/* SPDX-License-Identifier: Apache-2.0 */
/* Valid words by search: draw every field as its row allows, then redraw what the violated rules
 * read until none is left. */
#include "support/wordgen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "isa/check.h"
#include "isa/lookup.h"
#include "support/wordgen_draw.h"

/* ---- numbers -------------------------------------------------------------------------- */

struct trn_wordgen trn_wordgen_init(uint64_t seed)
{
    return (struct trn_wordgen){.state = seed};
}

uint64_t trn_wordgen_next(struct trn_wordgen *g)
{
    uint64_t z = g->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint32_t trn_wordgen_below(struct trn_wordgen *g, uint32_t bound)
{
    return (uint32_t)((trn_wordgen_next(g) >> 32) * bound >> 32);
}

/* ---- what a rule speaks of --------------------------------------------------------------- */

static void add_hint(struct hints *hints, uint64_t value)
{
    if (hints->count < sizeof hints->values / sizeof hints->values[0])
        hints->values[hints->count++] = value;
}

/* Numbers and enum members in an expression, those of the rules it names included. */
static void gather(const struct draw *d, enum trn_enum_id id, int rule, unsigned depth,
                   struct hints *hints)
{
    const char *p = trn_rule_table[rule].expression;
    while (*p) {
        char word[64];
        size_t length = 0;
        while (isalnum((unsigned char)p[length]) || p[length] == '_')
            length++;
        if (length == 0 || length >= sizeof word) {
            p += length ? length : 1;
            continue;
        }
        memcpy(word, p, length);
        word[length] = '\0';
        p += length;
        if (isdigit((unsigned char)word[0])) {
            add_hint(hints, strtoull(word, NULL, 0));
            if (strncmp(p, "..", 2) == 0) /* a range: one value inside it too */
                add_hint(hints, (strtoull(word, NULL, 0) + strtoull(p + 2, NULL, 0)) / 2);
            continue;
        }
        const struct trn_enum_member *member = trn_enum_by_name(id, word, length, d->isa);
        if (member)
            add_hint(hints, member->value);
        const bool may_be_rule = depth && !member && *p != '(' && !draw_find(d, word);
        const int inner = may_be_rule ? trn_rule_find(word) : -1;
        if (inner >= 0)
            gather(d, id, inner, depth - 1, hints);
    }
}

static void add_products(const struct draw *d, struct hints *hints)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    for (unsigned i = 0; i < row->num_fields; i++)
        if (draw_is_pattern(&row->fields[i]) && draw_present(d, &row->fields[i]))
            add_hint(hints, draw_product(d, &row->fields[i]));
}

/* A field by its name in an expression, with the nibble that .lo or .hi selects. */
static const struct trn_field_row *named(const struct draw *d, const char *name, size_t length,
                                         unsigned *low, unsigned *bits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    char *part = strchr(text, '.');
    *low = part && strcmp(part, ".hi") == 0 ? 4 : 0;
    *bits = part ? 4 : 0;
    if (part)
        *part = '\0';
    return draw_find(d, text);
}

/* "(a,b) in {(1,2),(3,4)}": give the fields the values of one of the tuples. */
static bool assign_tuple(struct draw *d, const char *expression)
{
    const char *set = strstr(expression, ") in {(");
    if (!set)
        return false;
    const char *names = set;
    while (names > expression && names[-1] != '(')
        names--;
    unsigned tuples = 0;
    const char *tuple[32];
    for (const char *p = strchr(set, '{') + 1; *p == '(' && tuples < 32; p += *p == ',') {
        tuple[tuples++] = p + 1;
        p = strchr(p, ')') + 1;
    }
    if (tuples == 0)
        return false;
    for (const char *value = tuple[draw_below(d, tuples)]; names < set; names++, value++) {
        const size_t length = strcspn(names, ",)"), size = strcspn(value, ",)");
        unsigned low, bits;
        const struct trn_field_row *field = named(d, names, length, &low, &bits);
        if (!field)
            return false; /* an element of a pattern */
        const enum trn_enum_id id = bits ? TRN_ENUM_DTYPE : field->enum_id;
        const struct trn_enum_member *member = trn_enum_by_name(id, value, size, d->isa);
        const uint64_t number = member ? member->value : strtoull(value, NULL, 0);
        draw_set(d, field, bits ? trn_bits_set(draw_get(d, field), low, bits, number) : number);
        names += length;
        value += size;
    }
    return true;
}

/* ---- repairs -------------------------------------------------------------------------- */

/* "== F": the field takes the other's value. */
static bool copy_equal(struct draw *d, const struct trn_field_row *field)
{
    if (strncmp(field->constraint, "== ", 3) != 0)
        return false;
    const struct trn_field_row *other = draw_find(d, field->constraint + 3);
    if (other)
        draw_set(d, field, draw_get(d, other));
    return other != NULL;
}

static void repair_field(struct draw *d, const struct trn_violation *broken)
{
    const struct trn_field_row *field = trn_field_find(d->id, broken->field, strlen(broken->field));
    const struct trn_field_row *channels = draw_find(d, "num_active_channels");
    const bool about_channels = strcmp(broken->rule, "start_addr_active_channels") == 0;
    if (about_channels && channels && draw_chance(d, 30))
        draw_field(d, channels);
    else if (!copy_equal(d, field))
        draw_field(d, field);
}

static void repair_word(struct draw *d, int rule)
{
    const struct trn_field_row *fields[48];
    unsigned count = 0;
    for (const char *const *name = trn_rule_reads[rule]; *name && count < 48; name++) {
        fields[count] = draw_find(d, *name);
        count += fields[count] != NULL;
    }
    if (count == 0)
        return;
    if (draw_chance(d, 30) && assign_tuple(d, trn_rule_table[rule].expression))
        return;
    const struct trn_field_row *field = fields[draw_below(d, count)];
    const struct trn_field_row *other = fields[draw_below(d, count)];
    if (draw_chance(d, 15) && other->type == field->type && other->size == field->size &&
        field->count == 1 && !draw_is_pattern(field)) {
        draw_set(d, field, draw_get(d, other));
        return;
    }
    struct hints hints = {.count = 0};
    const enum trn_enum_id id = field->enum_id != TRN_ENUM_NONE ? field->enum_id : TRN_ENUM_DTYPE;
    gather(d, id, rule, 2, &hints);
    if (field->enum_id == TRN_ENUM_NONE)
        add_products(d, &hints);
    draw_hinted(d, field, &hints);
}

void draw_repair(struct draw *d, const struct trn_violation *broken)
{
    const int rule = trn_rule_find(broken->rule);
    const bool reads = rule >= 0 && trn_rule_reads[rule][0] != NULL;
    const bool of_field = rule < 0 || strcmp(trn_rule_table[rule].scope, "field") == 0;
    if (broken->field && (of_field || !reads || draw_chance(d, 10)))
        repair_field(d, broken);
    else if (rule >= 0)
        repair_word(d, rule);
}

/* ---- search --------------------------------------------------------------------------- */

enum { KEPT = 24, STEPS = 1500, RESTARTS = 12 };
enum { UNKNOWN, KNOWN, NEVER };

static bool is_valid(const struct draw *d, const struct trn_check_options *options)
{
    return trn_check_word(d->gen, d->word, options, NULL, 0, NULL) == TRN_OK;
}

/* Violations without the warnings, the first KEPT of them. */
static size_t violations(const struct draw *d, const struct trn_check_options *options,
                         struct trn_violation *out)
{
    struct trn_violation all[KEPT];
    struct rule_check c;
    size_t broken = 0;
    if (is_valid(d, options))
        return 0;
    trn_rule_begin(&c, d->gen, d->word, options);
    c.no_details = true;
    c.out = all;
    c.capacity = KEPT;
    c.entry->check(&c);
    for (size_t i = 0; i < c.count && i < KEPT; i++)
        if (!all[i].warning)
            out[broken++] = all[i];
    return broken;
}

static void draw_header(struct draw *d, uint8_t opcode)
{
    static const uint8_t debug[] = {0, 0, 0, 0, 1, 3, 5, 7, 9};
    memset(d->word, 0, TRN_INST_BYTES);
    d->word[0] = opcode;
    d->id = trn_opcode_layout(opcode, d->isa);
    const struct trn_field_row *length = draw_find(d, "inst_word_len");
    const struct trn_field_row *command = draw_find(d, "debug_cmd");
    if (length)
        draw_set(d, length, 0x10);
    if (command)
        draw_set(d, command, debug[draw_below(d, sizeof debug)]);
}

/* Sync block: half of the words wait or update, most of them cleanly. */
static void draw_events(struct draw *d)
{
    const struct trn_field_row *wait = draw_find(d, "wait_mode");
    const struct trn_field_row *update = draw_find(d, "update_mode");
    if (!wait || draw_chance(d, 50))
        return;
    draw_field(d, draw_chance(d, 50) ? wait : update);
    if (draw_chance(d, 30))
        draw_field(d, update);
    if (draw_get(d, wait) != TRN_WAIT_MODE_NONE)
        draw_set(d, draw_find(d, "wait_idx"), draw_below(d, 256));
    if (draw_get(d, update) != TRN_UPDATE_MODE_NONE)
        draw_set(d, draw_find(d, "update_idx"), draw_below(d, 256));
    draw_set(d, draw_find(d, "semaphore_value"), draw_below(d, 64));
}

static void draw_word(struct draw *d, uint8_t opcode)
{
    draw_header(d, opcode);
    draw_events(d);
    if (opcode == TRN_OPCODE_EXTENDED_INST) {
        d->word[12] = (uint8_t)draw_below(d, 10);
        d->id = trn_word_struct(d->word, d->isa);
    }
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    for (unsigned i = row->num_common; i < row->num_fields; i++)
        if (draw_present(d, &row->fields[i]) && strcmp(row->fields[i].name, "extended_opcode") != 0)
            draw_field(d, &row->fields[i]);
    if (d->id == TRN_STRUCT_NONE && draw_chance(d, 50))
        for (unsigned i = 12; i < TRN_INST_BYTES; i++)
            d->word[i] = (uint8_t)trn_wordgen_next(d->g);
}

/* Redraw what is broken; keep a change unless it breaks more. */
static bool search(struct draw *d, uint8_t opcode, const struct trn_check_options *options)
{
    struct trn_violation broken[KEPT];
    draw_word(d, opcode);
    size_t count = violations(d, options, broken);
    for (unsigned step = 0; step < STEPS && count; step++) {
        uint8_t before[TRN_INST_BYTES];
        struct trn_violation then[KEPT];
        memcpy(before, d->word, sizeof before);
        const size_t which = draw_chance(d, 60) ? 0 : draw_below(d, (uint32_t)count);
        draw_repair(d, &broken[which]);
        d->id = trn_word_struct(d->word, d->isa);
        const size_t now = violations(d, options, then);
        if (now > count && !draw_chance(d, 8)) {
            memcpy(d->word, before, sizeof before);
            d->id = trn_word_struct(d->word, d->isa);
            continue;
        }
        memcpy(broken, then, sizeof broken);
        count = now;
    }
    return count == 0;
}

static bool admitted(const struct trn_gen *gen, uint8_t opcode, const struct trn_wordgen_want *want)
{
    const struct rule_entry *entry = &trn_rule_entries[gen->isa][opcode];
    if (entry->host)
        return want->before_lowering && entry->stop == TRN_RULE_is_pseudo_op;
    const unsigned wanted = want->engine < 0 ? UINT8_MAX : 1u << want->engine;
    return entry->stop == RULE_NONE && (entry->engines & wanted) != 0;
}

/* Most words are such that nobody warns about their events (sync.md 8): an unused lane is 0, and
 * the shared value is not read two ways. */
static void tidy_events(struct draw *d)
{
    const struct trn_field_row *wait = draw_find(d, "wait_mode");
    const struct trn_field_row *update = draw_find(d, "update_mode");
    if (!wait || draw_chance(d, 5))
        return;
    const uint64_t waits = draw_get(d, wait);
    const bool compares =
        (waits >= TRN_WAIT_MODE_SEM_EQ_IMM && waits <= TRN_WAIT_MODE_SEM_GE_IMM) ||
        (waits >= TRN_WAIT_MODE_SEM_EQ_REG && waits < TRN_WAIT_MODE_UNORDERED);
    const bool by_register = waits >= TRN_WAIT_MODE_SEM_EQ_REG;
    const bool adds = (draw_get(d, update) & 0x0F) > TRN_UPDATE_MODE_SEM_DEC_READ;
    if (compares && adds &&
        by_register != (draw_get(d, update) >= TRN_UPDATE_MODE_SEM_ADD_REG_READ))
        draw_set(d, update, TRN_UPDATE_MODE_SEM_INC_COMPLETE);
    if (waits == TRN_WAIT_MODE_NONE)
        draw_set(d, draw_find(d, "wait_idx"), 0);
    if (draw_get(d, update) == TRN_UPDATE_MODE_NONE)
        draw_set(d, draw_find(d, "update_idx"), 0);
    if (!compares && !adds)
        draw_set(d, draw_find(d, "semaphore_value"), 0);
}

/* ---- walk ------------------------------------------------------------------------------ */

/* A change that a valid word often survives. */
static void change(struct draw *d)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    const struct trn_field_row *field = &row->fields[draw_below(d, row->num_fields)];
    const uint32_t roll = draw_below(d, 100);
    if (roll < 15)
        draw_same_counts(d);
    else if (roll < 25)
        draw_same_partition(d);
    else if (roll < 35)
        draw_same_type(d);
    else if (draw_present(d, field) && field->type != TRN_TYPE_RESERVED &&
             strcmp(field->name, "opcode") != 0)
        draw_field(d, field);
}

static void walk(struct draw *d, const struct trn_check_options *options)
{
    for (unsigned step = 3 + draw_below(d, 6); step > 0; step--) {
        uint8_t before[TRN_INST_BYTES];
        memcpy(before, d->word, sizeof before);
        change(d);
        if (!is_valid(d, options))
            memcpy(d->word, before, sizeof before);
    }
}

/* What the generator remembers belongs to one generation and engine. */
static void remember_for(struct trn_wordgen *g, const struct trn_gen *gen, int engine)
{
    if (g->gen == gen && g->engine == engine)
        return;
    memset(g->known, 0, sizeof g->known);
    g->gen = gen;
    g->engine = engine;
}

static bool fresh(struct draw *d, uint8_t opcode, const struct trn_check_options *options)
{
    for (unsigned i = 0; i < RESTARTS; i++)
        if (search(d, opcode, options))
            return true;
    memset(d->word, 0, TRN_INST_BYTES);
    return false;
}

static bool search_opcode(struct trn_wordgen *g, const struct trn_gen *gen, uint8_t opcode,
                          const struct trn_wordgen_want *want, uint8_t *word)
{
    static const uint8_t extension[TRN_INST_BYTES] = {TRN_OPCODE_PSEUDO_EXTENSION};
    const struct trn_check_options options = {
        .engine = want->engine, .before_lowering = want->before_lowering, .next_word = extension};
    struct draw d = {.g = g, .gen = gen, .isa = gen->isa, .word = word};
    remember_for(g, gen, want->engine);
    const bool has_arms = opcode == TRN_OPCODE_EXTENDED_INST;
    if (g->known[opcode] == NEVER)
        return false;
    if (g->known[opcode] == UNKNOWN || draw_chance(&d, has_arms ? 25 : 2)) {
        if (!fresh(&d, opcode, &options)) {
            g->known[opcode] = NEVER;
            return false;
        }
    } else {
        memcpy(word, g->words[opcode], TRN_INST_BYTES);
        d.id = trn_word_struct(word, d.isa);
        walk(&d, &options);
    }
    tidy_events(&d);
    g->known[opcode] = KNOWN;
    memcpy(g->words[opcode], word, TRN_INST_BYTES);
    return true;
}

static const struct trn_wordgen_want any_word = {.opcode = -1, .engine = TRN_ENGINE_ANY};

bool trn_wordgen_valid(struct trn_wordgen *g, const struct trn_gen *gen,
                       const struct trn_wordgen_want *want, uint8_t word[TRN_INST_BYTES])
{
    want = want ? want : &any_word;
    memset(word, 0, TRN_INST_BYTES);
    if (want->opcode >= 0)
        return admitted(gen, (uint8_t)want->opcode, want) &&
               search_opcode(g, gen, (uint8_t)want->opcode, want, word);
    uint8_t candidates[256];
    unsigned count = 0;
    for (unsigned op = 0; op < 256; op++)
        if (admitted(gen, (uint8_t)op, want))
            candidates[count++] = (uint8_t)op;
    for (unsigned tries = 0; count && tries < 16; tries++)
        if (search_opcode(g, gen, candidates[trn_wordgen_below(g, count)], want, word))
            return true;
    return false;
}

bool trn_wordgen_possible(const struct trn_gen *gen, const struct trn_wordgen_want *want)
{
    struct trn_wordgen g = trn_wordgen_init(1);
    uint8_t word[TRN_INST_BYTES];
    return trn_wordgen_valid(&g, gen, want, word);
}

/* ---- words that need not be valid ---------------------------------------------------------- */

void trn_wordgen_random(struct trn_wordgen *g, const struct trn_gen *gen,
                        uint8_t word[TRN_INST_BYTES])
{
    for (unsigned i = 0; i < TRN_INST_BYTES; i += 8)
        trn_put64(word + i, trn_wordgen_next(g));
    if (trn_wordgen_below(g, 2) == 0)
        return;
    do {
        word[0] = (uint8_t)trn_wordgen_next(g);
    } while (trn_rule_entries[gen->isa][word[0]].stop == TRN_RULE_is_valid_opcode);
}

void trn_wordgen_mutate(struct trn_wordgen *g, const struct trn_gen *gen,
                        uint8_t word[TRN_INST_BYTES])
{
    struct draw d = {.g = g, .gen = gen, .isa = gen->isa, .word = word};
    for (unsigned n = 1 + draw_below(&d, 3); n > 0; n--) {
        const uint32_t roll = draw_below(&d, 100);
        const uint32_t at = draw_below(&d, TRN_INST_BYTES);
        d.id = trn_word_struct(word, d.isa);
        const struct trn_struct_row *row = &trn_struct_table[d.id];
        const struct trn_field_row *field = &row->fields[draw_below(&d, row->num_fields)];
        if (roll < 25)
            word[at] ^= (uint8_t)(1u << draw_below(&d, 8));
        else if (roll < 50)
            word[at] = (uint8_t)trn_wordgen_next(g);
        else if (draw_present(&d, field))
            draw_field(&d, field);
    }
}
