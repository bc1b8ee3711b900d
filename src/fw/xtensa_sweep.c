/* SPDX-License-Identifier: Apache-2.0 */
/* The linear sweep and what it does when it has lost step (docs/hardware/xtensa-subset.md 7). */
#include "fw/xtensa_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum {
    WINDOW = 64, /* how far an anchor is looked for: model choice of the sheet */
    FRAME_MIN = 16,
    FRAME_MAX = 1024
};

const char *trn_xtensa_doubt_text(enum trn_xtensa_doubt doubt)
{
    static const char *const texts[TRN_XTENSA_DOUBTS] = {
        [TRN_XTENSA_SURE] = "",
        [TRN_XTENSA_TARGET_OUTSIDE] = "target outside the code",
        [TRN_XTENSA_ABSENT_FORM] = "the core lacks this call",
        [TRN_XTENSA_ILL] = "illegal, or padding",
        [TRN_XTENSA_ENTRY_REGISTER] = "entry of another register than a1",
    };
    return (size_t)doubt < TRN_XTENSA_DOUBTS ? texts[doubt] : NULL;
}

static uint32_t address_of(const struct trn_xtensa_sweep *sweep, size_t offset)
{
    return sweep->code->base + (uint32_t)offset;
}

static bool is_inside(const struct trn_xtensa_code *code, uint32_t address)
{
    return address - code->base < code->size && address >= code->base;
}

/* ---- marks: labels and literals --------------------------------------------------- */

static size_t word_of(const struct trn_xtensa_sweep *sweep, size_t offset)
{
    return (size_t)((sweep->code->base % 4 + (uint64_t)offset) / 4);
}

bool trn_xtensa_is_literal(const struct trn_xtensa_sweep *sweep, size_t offset)
{
    const size_t word = word_of(sweep, offset);
    return address_of(sweep, offset) % 4 == 0 &&
           trn_bits_get(sweep->literal[word / 8], word % 8, 1) != 0;
}

/* Labels ascend, and a sweep only goes forward. */
static bool is_label(struct trn_xtensa_sweep *sweep, size_t offset)
{
    const struct trn_xtensa_code *const code = sweep->code;
    const uint32_t address = address_of(sweep, offset);
    while (sweep->next_label < code->num_labels && code->label[sweep->next_label] < address)
        sweep->next_label++;
    return sweep->next_label < code->num_labels && code->label[sweep->next_label] == address;
}

static bool is_pending(struct trn_xtensa_sweep *sweep, size_t offset)
{
    const struct trn_xtensa_code *const code = sweep->code;
    const uint32_t address = address_of(sweep, offset);
    while (sweep->next_pending < code->num_pending && code->pending[sweep->next_pending] < address)
        sweep->next_pending++;
    return sweep->next_pending < code->num_pending && code->pending[sweep->next_pending] == address;
}

size_t trn_xtensa_next_mark(const struct trn_xtensa_sweep *sweep, size_t offset, size_t end)
{
    const struct trn_xtensa_code *const code = sweep->code;
    size_t label = sweep->next_label;
    while (label < code->num_labels && code->label[label] <= address_of(sweep, offset))
        label++;
    if (label < code->num_labels && code->label[label] - code->base < end)
        end = code->label[label] - code->base;
    const size_t first = offset + 4 - address_of(sweep, offset) % 4;
    for (size_t at = first; at < end; at += 4)
        if (trn_xtensa_is_literal(sweep, at))
            return at;
    return end;
}

/* ---- anchors ---------------------------------------------------------------------- */

static void decode_at(const struct trn_xtensa_sweep *sweep, size_t offset,
                      struct trn_xtensa_insn *insn)
{
    const struct trn_xtensa_code *const code = sweep->code;
    trn_xtensa_decode(code->core, code->bytes + offset, code->size - offset,
                      address_of(sweep, offset), insn);
}

/* entry a1,N with a plausible frame */
static bool is_prologue(const struct trn_xtensa_insn *insn)
{
    return trn_xtensa_class_of(insn) == TRN_XTENSA_CLASS_ENTRY && insn->value[0] == 1 &&
           insn->value[1] >= FRAME_MIN && insn->value[1] <= FRAME_MAX;
}

/* Where to go on after `offset`: the next label, literal or function within the window, one byte
 * further without any. Two plausible prologues never share bytes, so none is preferred. */
static size_t next_anchor(const struct trn_xtensa_sweep *sweep, size_t offset)
{
    const size_t left = sweep->code->size - offset;
    const size_t end = offset + (left < WINDOW ? left : WINDOW);
    const size_t mark = trn_xtensa_next_mark(sweep, offset, end);
    for (size_t at = offset + 1; at < mark; at++) {
        struct trn_xtensa_insn insn;
        decode_at(sweep, at, &insn);
        if (is_prologue(&insn))
            return at;
    }
    return mark < end ? mark : offset + 1;
}

/* ---- pieces ----------------------------------------------------------------------- */

static enum trn_xtensa_doubt doubt_of(const struct trn_xtensa_code *code,
                                      const struct trn_xtensa_insn *insn)
{
    uint32_t target;
    switch (trn_xtensa_class_of(insn)) {
    case TRN_XTENSA_CLASS_JUMP:
    case TRN_XTENSA_CLASS_CALL:
        return trn_xtensa_target(insn, &target) && !is_inside(code, target)
                   ? TRN_XTENSA_TARGET_OUTSIDE
                   : TRN_XTENSA_SURE;
    case TRN_XTENSA_CLASS_CALL_ABSENT:
        return TRN_XTENSA_ABSENT_FORM;
    case TRN_XTENSA_CLASS_ILLEGAL:
        return TRN_XTENSA_ILL;
    case TRN_XTENSA_CLASS_ENTRY:
        return insn->value[0] == 1 ? TRN_XTENSA_SURE : TRN_XTENSA_ENTRY_REGISTER;
    default:
        return TRN_XTENSA_SURE;
    }
}

static void count(struct trn_xtensa_stats *stats, const struct trn_xtensa_item *item)
{
    const struct trn_xtensa_insn *const insn = &item->insn;
    stats->pending += item->is_pending;
    if (item->doubt != TRN_XTENSA_SURE) {
        stats->suspects++;
    } else if (insn->kind == TRN_XTENSA_BUNDLE) {
        stats->bundles++;
        stats->slots += insn->slots;
    } else if (insn->kind == TRN_XTENSA_OUTSIDE) {
        stats->outside++;
    } else {
        const enum trn_xtensa_census census = trn_xtensa_table[insn->row].census;
        stats->instructions++;
        if (census != TRN_XTENSA_CENSUSES)
            stats->count[census]++;
    }
}

static void give_code(struct trn_xtensa_sweep *sweep, struct trn_xtensa_item *item)
{
    const struct trn_xtensa_insn *const insn = &item->insn;
    item->kind = TRN_XTENSA_ITEM_CODE;
    item->size = insn->length;
    item->is_pending = is_pending(sweep, sweep->at);
    item->doubt = item->is_pending ? TRN_XTENSA_SURE : doubt_of(sweep->code, insn);
    count(&sweep->stats, item);
    if (item->is_label || is_prologue(insn))
        sweep->in_step = true;
    else if (item->doubt != TRN_XTENSA_SURE || insn->kind == TRN_XTENSA_OUTSIDE)
        sweep->in_step = false;
    sweep->at += insn->length;
}

static void give_literal(struct trn_xtensa_sweep *sweep, struct trn_xtensa_item *item)
{
    item->kind = TRN_XTENSA_ITEM_LITERAL;
    item->insn.word = trn_get32(sweep->code->bytes + sweep->at);
    item->size = 4;
    sweep->stats.literals++;
    sweep->at += 4;
}

/* Lost step: pass over the bytes up to the next anchor. */
static void give_raw(struct trn_xtensa_sweep *sweep, struct trn_xtensa_item *item)
{
    const size_t next = next_anchor(sweep, sweep->at);
    item->kind = TRN_XTENSA_ITEM_RAW;
    item->size = (uint32_t)(next - sweep->at);
    sweep->stats.desyncs++;
    sweep->stats.raw_bytes += item->size;
    sweep->in_step = false;
    sweep->at = next;
}

bool trn_xtensa_sweep_next(struct trn_xtensa_sweep *sweep, struct trn_xtensa_item *item)
{
    const size_t size = sweep->code->size;
    if (sweep->at >= size)
        return false;
    *item = (struct trn_xtensa_item){.address = address_of(sweep, sweep->at),
                                     .is_label = is_label(sweep, sweep->at)};
    if (trn_xtensa_is_literal(sweep, sweep->at)) {
        give_literal(sweep, item);
        return true;
    }
    decode_at(sweep, sweep->at, &item->insn);
    const size_t end = sweep->at + item->insn.length;
    const bool is_known = item->insn.length > 0;
    if (is_known && trn_xtensa_next_mark(sweep, sweep->at, end) == end)
        give_code(sweep, item);
    else
        give_raw(sweep, item);
    return true;
}

const struct trn_xtensa_stats *trn_xtensa_sweep_stats(const struct trn_xtensa_sweep *sweep)
{
    return &sweep->stats;
}

void trn_xtensa_rewind(struct trn_xtensa_sweep *sweep)
{
    sweep->at = 0;
    sweep->next_label = 0;
    sweep->next_pending = 0;
    sweep->in_step = true;
    memset(&sweep->stats, 0, sizeof sweep->stats);
}

/* ---- life ------------------------------------------------------------------------- */

trn_status trn_xtensa_sweep_create(const struct trn_xtensa_code *code,
                                   struct trn_xtensa_sweep **out, struct trn_diag *diag)
{
    *out = NULL;
    if (code->size > UINT32_MAX - code->base)
        return trn_diag_set(diag, TRN_ERR_TOO_LARGE, NULL, NULL, "code below 4 GiB",
                            "0x%zx bytes at 0x%x do not fit a 32-bit address space", code->size,
                            code->base);
    struct trn_xtensa_sweep *const sweep = calloc(1, sizeof *sweep);
    if (sweep) {
        sweep->code = code;
        sweep->num_words = word_of(sweep, code->size) + 1;
        sweep->literal = calloc(sweep->num_words / 8 + 1, 1);
    }
    if (!sweep || !sweep->literal) {
        trn_xtensa_sweep_destroy(sweep);
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    }
    trn_xtensa_find_literals(sweep);
    trn_xtensa_rewind(sweep);
    *out = sweep;
    return TRN_OK;
}

void trn_xtensa_sweep_destroy(struct trn_xtensa_sweep *sweep)
{
    if (!sweep)
        return;
    free(sweep->literal);
    free(sweep);
}

trn_status trn_xtensa_census(const struct trn_xtensa_code *code, struct trn_xtensa_stats *out,
                             struct trn_diag *diag)
{
    struct trn_xtensa_sweep *sweep;
    struct trn_xtensa_item item;
    const trn_status status = trn_xtensa_sweep_create(code, &sweep, diag);
    if (!sweep)
        return status;
    while (trn_xtensa_sweep_next(sweep, &item))
        ;
    *out = sweep->stats;
    trn_xtensa_sweep_destroy(sweep);
    return TRN_OK;
}

const char *trn_xtensa_census_name(enum trn_xtensa_census census)
{
    for (size_t i = 0; i < trn_xtensa_num_rows; i++)
        if (trn_xtensa_table[i].census == census && census < TRN_XTENSA_CENSUSES)
            return trn_xtensa_table[i].name;
    return NULL;
}
