/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds, and walking, searching and naming entries through them. */
#include "manual/entry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "gen/gen_rows.h"
#include "gen/regmap.h"

static const struct entry_kind *const kinds[] = {
    [TRN_MANUAL_OPCODE] = &entry_opcode,
    [TRN_MANUAL_STRUCT] = &entry_struct,
    [TRN_MANUAL_ENUM] = &entry_enum,
    [TRN_MANUAL_DTYPE] = &entry_dtype,
    [TRN_MANUAL_ALU_OP] = &entry_alu_op,
    [TRN_MANUAL_TYPE] = &entry_type,
    [TRN_MANUAL_FIELD] = &entry_field,
    [TRN_MANUAL_MEMBER] = &entry_member,
    [TRN_MANUAL_RULE] = &entry_rule,
    [TRN_MANUAL_BLOCK] = &entry_block,
    [TRN_MANUAL_REGISTER] = &entry_register,
    [TRN_MANUAL_APERTURE] = &entry_aperture,
    [TRN_MANUAL_RECORD] = &entry_record,
    [TRN_MANUAL_ERROR] = &entry_error,
    [TRN_MANUAL_INPUT_BUFFER] = &entry_input_buffer,
    [TRN_MANUAL_TRIGGER] = &entry_trigger,
    [TRN_MANUAL_DMA_CAUSE] = &entry_dma_cause,
    [TRN_MANUAL_ACT_FUNCTION] = &entry_act_function,
    [TRN_MANUAL_PROFILE_FIELD] = &entry_profile_field,
    [TRN_MANUAL_ACT_SET] = &entry_act_set,
    [TRN_MANUAL_ACT_TABLE] = &entry_act_table,
    [TRN_MANUAL_ACT_RULE] = &entry_act_rule,
    [TRN_MANUAL_CALL] = &entry_call,
    [TRN_MANUAL_CHOICE] = &entry_choice,
    [TRN_MANUAL_GEN_FIELD] = &entry_gen_field,
    [TRN_MANUAL_HAL_SLOT] = &entry_hal_slot,
    [TRN_MANUAL_HAL_GETTER] = &entry_hal_getter,
    [TRN_MANUAL_UDMA_DESCRIPTOR] = &entry_udma_descriptor,
    [TRN_MANUAL_PACKED] = &entry_packed,
    [TRN_MANUAL_XTENSA_INSN] = &entry_xtensa_insn,
    [TRN_MANUAL_XTENSA_FORMAT] = &entry_xtensa_format,
    [TRN_MANUAL_FW_HEAD] = &entry_fw_head,
    [TRN_MANUAL_FW_PATTERN] = &entry_fw_pattern,
    [TRN_MANUAL_FW_DISPATCH] = &entry_fw_dispatch,
    [TRN_MANUAL_FW_HANDSHAKE] = &entry_fw_handshake,
    [TRN_MANUAL_FW_KERNEL] = &entry_fw_kernel,
    [TRN_MANUAL_FW_DECODE_SET] = &entry_fw_decode_set,
    [TRN_MANUAL_FW_CORE_TYPE] = &entry_fw_core_type,
    [TRN_MANUAL_PCI_MODEL] = &entry_pci_model,
    [TRN_MANUAL_PCI_REGISTER] = &entry_pci_register,
    [TRN_MANUAL_PCI_BAR] = &entry_pci_bar,
    [TRN_MANUAL_PCI_RESET] = &entry_pci_reset,
    [TRN_MANUAL_CPTC_WORKER] = &entry_cptc_worker,
    [TRN_MANUAL_TIMING] = &entry_timing,
    [TRN_MANUAL_TIMING_FORMULA] = &entry_timing_formula,
    [TRN_MANUAL_TOPIC] = &entry_topic,
};

_Static_assert(sizeof kinds / sizeof kinds[0] == TRN_MANUAL_KINDS, "one row a kind");

const char *trn_manual_kind_name(enum trn_manual_kind kind)
{
    return (unsigned)kind < TRN_MANUAL_KINDS ? kinds[kind]->name : NULL;
}

void spell(struct spellings *out, const char *format, ...)
{
    if (out->count == MAX_SPELLINGS)
        return;
    char *name = out->name[out->count];
    va_list args;
    va_start(args, format);
    vsnprintf(name, TRN_MANUAL_NAME_MAX, format, args);
    va_end(args);
    bool known = *name == '\0';
    for (size_t i = 0; i < out->count; i++)
        known = known || trn_name_is(out->name[i], name, strlen(name));
    out->count += !known;
}

/* ---- one entry -------------------------------------------------------------------- */

static void spell_ref(struct trn_manual_ref ref, struct spellings *out)
{
    out->count = 0;
    kinds[ref.kind]->spell(ref.row, ref.part, out);
}

void trn_manual_name(struct trn_manual_ref ref, char name[TRN_MANUAL_NAME_MAX])
{
    struct spellings spellings;
    spell_ref(ref, &spellings);
    snprintf(name, TRN_MANUAL_NAME_MAX, "%s", spellings.count ? spellings.name[0] : "");
}

unsigned trn_manual_generations(struct trn_manual_ref ref)
{
    const struct entry_kind *kind = kinds[ref.kind];
    return kind->generations ? kind->generations(ref.row, ref.part) : ALL_GENERATIONS;
}

trn_status trn_manual_page(struct trn_manual_ref ref, const struct trn_gen *gen,
                           trn_manual_modelled modelled, struct trn_manual_page **out,
                           struct trn_diag *diag)
{
    struct page *page = page_new(ref.kind, gen, modelled);
    if (page) {
        char name[TRN_MANUAL_NAME_MAX];
        trn_manual_name(ref, name);
        page_title(page, page_format(page, "%s", name), "");
        kinds[ref.kind]->page(page, ref.row, ref.part);
        *out = page_finish(page);
    } else {
        *out = NULL;
    }
    return *out ? TRN_OK : trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
}

/* ---- walking ---------------------------------------------------------------------- */

static uint32_t parts_of(const struct entry_kind *kind, uint32_t row)
{
    return kind->parts ? kind->parts(row) : 1;
}

static bool is_hole(struct trn_manual_ref ref)
{
    struct spellings spellings;
    spell_ref(ref, &spellings);
    return spellings.count == 0;
}

/* Steps *ref to the first entry at or behind it. */
static bool settle(struct trn_manual_ref *ref)
{
    const struct entry_kind *kind = kinds[ref->kind];
    for (; ref->row < kind->rows(); ref->row++, ref->part = 0)
        for (; ref->part < parts_of(kind, ref->row); ref->part++)
            if (!is_hole(*ref))
                return true;
    return false;
}

bool trn_manual_first(enum trn_manual_kind kind, struct trn_manual_ref *ref)
{
    *ref = (struct trn_manual_ref){.kind = kind};
    return (unsigned)kind < TRN_MANUAL_KINDS && settle(ref);
}

bool trn_manual_next(struct trn_manual_ref *ref)
{
    ref->part++;
    return settle(ref);
}

static bool exists_on(struct trn_manual_ref ref, const struct trn_gen *gen)
{
    return !gen || trn_bits_get(trn_manual_generations(ref), (unsigned)(gen - trn_gen_table), 1);
}

/* ---- searching -------------------------------------------------------------------- */

struct query {
    const char *text;
    size_t length;
    bool is_number;
    uint64_t number;
};

static struct query read_query(const char *text)
{
    struct query query = {.text = text, .length = strlen(text)};
    char *end = NULL;
    if (*text >= '0' && *text <= '9') {
        const int base = text[1] == 'x' || text[1] == 'X' ? 16 : 10;
        query.number = strtoull(text, &end, base);
        query.is_number = *end == '\0';
    }
    return query;
}

/* One instance of a register family, "notific.nq[3].head_ptr", is found by the register map. */
static bool is_instance(struct trn_manual_ref ref, const struct query *query)
{
    if (ref.kind != TRN_MANUAL_REGISTER || !memchr(query->text, '[', query->length))
        return false;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_reg_find(trn_gen_at(g), query->text, NULL) == &trn_reg_table[ref.row])
            return true;
    return false;
}

static bool matches(struct trn_manual_ref ref, const struct query *query)
{
    struct spellings spellings;
    spell_ref(ref, &spellings);
    for (size_t i = 0; i < spellings.count; i++)
        if (trn_name_is(spellings.name[i], query->text, query->length))
            return true;
    uint64_t number;
    if (query->is_number && kinds[ref.kind]->number &&
        kinds[ref.kind]->number(ref.row, ref.part, &number))
        return number == query->number;
    return is_instance(ref, query);
}

static size_t find(const char *text, const struct trn_gen *gen, struct trn_manual_ref *hits,
                   size_t capacity)
{
    const struct query query = read_query(text);
    struct trn_manual_ref ref;
    size_t count = 0;
    for (unsigned kind = 0; kind < TRN_MANUAL_KINDS; kind++)
        for (bool more = trn_manual_first((enum trn_manual_kind)kind, &ref); more;
             more = trn_manual_next(&ref)) {
            if (!matches(ref, &query) || !exists_on(ref, gen))
                continue;
            if (count < capacity)
                hits[count] = ref;
            count++;
        }
    return count;
}

/* An option as a run takes it, or words: "--psum-zero" and "psum zero" for psum_zero. */
static bool joined(const char *text, char name[TRN_MANUAL_NAME_MAX])
{
    text += strspn(text, "-");
    if (!strpbrk(text, "- ") || strlen(text) >= TRN_MANUAL_NAME_MAX)
        return false;
    snprintf(name, TRN_MANUAL_NAME_MAX, "%s", text);
    for (char *at = name; (at = strpbrk(at, "- "));)
        *at = '_';
    return true;
}

size_t trn_manual_find(const char *text, const struct trn_gen *gen, struct trn_manual_ref *hits,
                       size_t capacity)
{
    char name[TRN_MANUAL_NAME_MAX];
    const size_t count = find(text, gen, hits, capacity);
    return count == 0 && joined(text, name) ? find(name, gen, hits, capacity) : count;
}

/* ---- near names ------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, case aside; both are shorter than TRN_MANUAL_NAME_MAX. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[TRN_MANUAL_NAME_MAX];
    const size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 1; *a; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            const size_t change = diagonal + (trn_name_fold(*a) != trn_name_fold(b[j - 1]));
            diagonal = row[j];
            row[j] = smaller(change, smaller(row[j - 1], row[j]) + 1);
        }
    }
    return row[width];
}

enum { PART_OF_NAME = 3 }; /* a query of this many characters also suggests names it is part of */

static bool contains(const char *name, const char *part)
{
    for (; *name; name++) {
        size_t i = 0;
        while (part[i] && trn_name_fold(name[i]) == trn_name_fold(part[i]))
            i++;
        if (part[i] == '\0')
            return true;
    }
    return false;
}

/* How far a name is from the query: edits, but a name that contains the query is near. */
static size_t name_distance(const char *query, const char *name)
{
    const size_t edits = edit_distance(query, name);
    const bool inside = strlen(query) >= PART_OF_NAME && contains(name, query);
    return inside ? smaller(edits, 2) : edits;
}

struct nearest {
    char (*names)[TRN_MANUAL_NAME_MAX];
    size_t *distances;
    size_t count, capacity;
};

/* Keeps the nearest names in order; equal distances stay in the order they came. */
static void keep(struct nearest *list, const char *name, size_t distance)
{
    for (size_t i = 0; i < list->count; i++)
        if (trn_name_is(list->names[i], name, strlen(name)))
            return;
    size_t place = list->count;
    while (place > 0 && list->distances[place - 1] > distance)
        place--;
    if (place == list->capacity)
        return;
    const size_t moved = smaller(list->count, list->capacity - 1) - place;
    memmove(list->names[place + 1], list->names[place], moved * sizeof list->names[0]);
    memmove(&list->distances[place + 1], &list->distances[place], moved * sizeof(size_t));
    snprintf(list->names[place], TRN_MANUAL_NAME_MAX, "%.*s", TRN_MANUAL_NAME_MAX - 1, name);
    list->distances[place] = distance;
    list->count = smaller(list->count + 1, list->capacity);
}

static void keep_spellings(struct nearest *list, const char *query, struct trn_manual_ref ref)
{
    const size_t limit = smaller(strlen(query) / 3 + 1, 6);
    struct spellings spellings;
    spell_ref(ref, &spellings);
    for (size_t i = 0; i < spellings.count; i++) {
        const size_t distance = name_distance(query, spellings.name[i]);
        if (distance <= limit)
            keep(list, spellings.name[i], distance);
    }
}

enum { NEAR_MAX = 32 };

size_t trn_manual_near(const char *query, const struct trn_gen *gen,
                       char (*names)[TRN_MANUAL_NAME_MAX], size_t capacity)
{
    size_t distances[NEAR_MAX];
    struct nearest list = {names, distances, 0, smaller(capacity, NEAR_MAX)};
    struct trn_manual_ref ref;
    if (*query == '\0' || strlen(query) >= TRN_MANUAL_NAME_MAX || list.capacity == 0)
        return 0;
    for (unsigned kind = 0; kind < TRN_MANUAL_KINDS; kind++)
        for (bool more = trn_manual_first((enum trn_manual_kind)kind, &ref); more;
             more = trn_manual_next(&ref))
            if (exists_on(ref, gen))
                keep_spellings(&list, query, ref);
    return list.count;
}
