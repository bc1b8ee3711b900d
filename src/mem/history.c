/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cell stands for 64 bytes: the number of the list that all of them have, or of a block with a
 * list for each. Number 0 is the empty list. A list lives while a cell names it; those that no cell
 * names any more are given back behind the access, because the answers of an access are remembered
 * by number while it lasts.
 */
#include "mem/history.h"

#include <stdlib.h>
#include <string.h>

#include "mem/store.h"
#include "mem/touched.h"

enum { BYTES = TRN_TOUCHED_BYTES, MEMO = 64 };
#define SPLIT UINT32_C(0x80000000)

struct list {
    uint32_t cells;      /* that name it */
    uint32_t hash, next; /* the next list of the bucket */
    uint32_t count;
    struct trn_past past[];
};

struct memo {
    uint32_t from, to;
    bool valid;
};

struct trn_history {
    struct trn_touched space;
    uint32_t *cells; /* [row][64 bytes] */
    size_t row_cells;
    struct list **lists; /* by number; NULL: free */
    uint32_t num_lists, max_lists;
    uint32_t *unused; /* numbers; room for max_lists */
    uint32_t num_unused;
    uint32_t *dead; /* numbers that no cell names, given back behind the access */
    uint32_t num_dead, max_dead;
    uint32_t *buckets; /* heads; 0: empty */
    uint32_t num_buckets;
    uint32_t (*blocks)[BYTES];
    uint32_t num_blocks, max_blocks, first_free_block; /* free ones are linked by word 0; 0: none */
    uint64_t lost;
};

/* ---- life -------------------------------------------------------------------------- */

static size_t cells_size(const struct trn_history *history)
{
    return history->space.rows * history->row_cells * sizeof *history->cells;
}

static trn_status make_tables(struct trn_history *history)
{
    enum { FIRST = 256 };
    history->lists = calloc(FIRST, sizeof(struct list *));
    history->unused = calloc(FIRST, sizeof *history->unused);
    history->buckets = calloc(FIRST, sizeof *history->buckets);
    history->max_lists = history->num_buckets = FIRST;
    history->num_lists = 1;  /* 0: the empty list */
    history->num_blocks = 1; /* 0: none */
    return history->lists && history->unused && history->buckets ? TRN_OK : TRN_ERR_NO_MEMORY;
}

static void free_tables(struct trn_history *history)
{
    for (uint32_t i = 1; history->lists && i < history->num_lists; i++)
        free(history->lists[i]);
    free(history->lists);
    free(history->unused);
    free(history->dead);
    free(history->buckets);
    free(history->blocks);
}

trn_status trn_history_create(size_t rows, size_t row_bytes, bool walked, struct trn_history **out)
{
    *out = NULL;
    struct trn_history *history = calloc(1, sizeof *history);
    if (!history)
        return TRN_ERR_NO_MEMORY;
    history->space = (struct trn_touched){.rows = rows, .row_bytes = row_bytes, .walked = walked};
    history->row_cells = (row_bytes + BYTES - 1) / BYTES;
    trn_status status = trn_touched_init(&history->space);
    if (status == TRN_OK)
        status = make_tables(history);
    history->cells = trn_reserve(cells_size(history));
    if (status != TRN_OK || !history->cells) {
        trn_history_destroy(history);
        return TRN_ERR_NO_MEMORY;
    }
    *out = history;
    return TRN_OK;
}

void trn_history_destroy(struct trn_history *history)
{
    if (!history)
        return;
    trn_unreserve(history->cells, cells_size(history));
    trn_touched_destroy(&history->space);
    free_tables(history);
    free(history);
}

uint64_t trn_history_lost(const struct trn_history *history)
{
    return history->lost;
}

size_t trn_history_lists(const struct trn_history *history)
{
    return history->num_lists - 1 - history->num_unused;
}

/* ---- lists ------------------------------------------------------------------------- */

static uint32_t hash_of(const struct trn_past *past, size_t count)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (past[i].who | (uint64_t)past[i].time << 32)) * UINT64_C(0x100000001B3);
    return (uint32_t)(hash ^ hash >> 32);
}

static bool grow_buckets(struct trn_history *history)
{
    const uint32_t more = history->num_buckets * 2;
    uint32_t *buckets = calloc(more, sizeof *buckets);
    if (!buckets)
        return false;
    for (uint32_t i = 1; i < history->num_lists; i++) {
        struct list *list = history->lists[i];
        if (!list)
            continue;
        list->next = buckets[list->hash % more];
        buckets[list->hash % more] = i;
    }
    free(history->buckets);
    history->buckets = buckets;
    history->num_buckets = more;
    return true;
}

static bool grow_lists(struct trn_history *history)
{
    if (history->max_lists >= SPLIT / 2)
        return false;
    const uint32_t more = history->max_lists * 2;
    struct list **lists = realloc(history->lists, more * sizeof(struct list *));
    if (!lists)
        return false;
    history->lists = lists;
    uint32_t *unused = realloc(history->unused, more * sizeof *unused);
    if (!unused)
        return false;
    history->unused = unused;
    history->max_lists = more;
    return grow_buckets(history);
}

/* A new list, named by no cell yet; 0: memory is short. */
static uint32_t add_list(struct trn_history *history, const struct trn_past *past, size_t count,
                         uint32_t hash)
{
    if (history->num_unused == 0 && history->num_lists == history->max_lists &&
        !grow_lists(history))
        return 0;
    struct list *list = malloc(sizeof *list + count * sizeof *past);
    if (!list)
        return 0;
    const uint32_t number =
        history->num_unused ? history->unused[--history->num_unused] : history->num_lists++;
    uint32_t *bucket = &history->buckets[hash % history->num_buckets];
    list->cells = 0;
    list->hash = hash;
    list->next = *bucket;
    list->count = (uint32_t)count;
    memcpy(list->past, past, count * sizeof *past);
    history->lists[number] = list;
    *bucket = number;
    return number;
}

static void note_dead(struct trn_history *history, uint32_t number)
{
    if (history->num_dead == history->max_dead) {
        const uint32_t more = history->max_dead ? history->max_dead * 2 : 64;
        uint32_t *dead = realloc(history->dead, more * sizeof *dead);
        if (!dead)
            return; /* it stays; a list with these members finds it again */
        history->dead = dead;
        history->max_dead = more;
    }
    history->dead[history->num_dead++] = number;
}

/* The number of a list with these members. */
static uint32_t number_of(struct trn_history *history, const struct trn_past *past, size_t count)
{
    if (count == 0)
        return 0;
    const uint32_t hash = hash_of(past, count);
    for (uint32_t at = history->buckets[hash % history->num_buckets]; at != 0;) {
        const struct list *list = history->lists[at];
        if (list->hash == hash && list->count == count &&
            memcmp(list->past, past, count * sizeof *past) == 0)
            return at;
        at = list->next;
    }
    const uint32_t number = add_list(history, past, count, hash);
    if (number != 0)
        note_dead(history, number); /* until a cell names it */
    else
        history->lost++;
    return number;
}

static void free_list(struct trn_history *history, uint32_t number)
{
    struct list *list = history->lists[number];
    uint32_t *at = &history->buckets[list->hash % history->num_buckets];
    while (*at != number)
        at = &history->lists[*at]->next;
    *at = list->next;
    free(list);
    history->lists[number] = NULL;
    history->unused[history->num_unused++] = number;
}

static void bury(struct trn_history *history)
{
    for (uint32_t i = 0; i < history->num_dead; i++) {
        const uint32_t number = history->dead[i];
        if (history->lists[number] && history->lists[number]->cells == 0)
            free_list(history, number);
    }
    history->num_dead = 0;
}

/* `cells` cells that named `from` name `to`. */
static void move_cells(struct trn_history *history, uint32_t from, uint32_t to, uint32_t cells)
{
    if (to != 0)
        history->lists[to]->cells += cells;
    if (from != 0 && (history->lists[from]->cells -= cells) == 0)
        note_dead(history, from);
}

/* ---- blocks ------------------------------------------------------------------------ */

static uint32_t new_block(struct trn_history *history)
{
    const uint32_t reused = history->first_free_block;
    if (reused != 0) {
        history->first_free_block = history->blocks[reused][0];
        return reused;
    }
    if (history->num_blocks >= history->max_blocks) {
        const uint32_t more = history->max_blocks ? history->max_blocks * 2 : 64;
        void *blocks =
            more < SPLIT ? realloc(history->blocks, more * sizeof *history->blocks) : NULL;
        if (!blocks)
            return 0;
        history->blocks = blocks;
        history->max_blocks = more;
    }
    return history->num_blocks++;
}

/* The cell gets a list a byte; false: memory is short. */
static bool split(struct trn_history *history, uint32_t *cell)
{
    const uint32_t list = *cell, block = new_block(history);
    if (block == 0)
        return false;
    for (unsigned i = 0; i < BYTES; i++)
        history->blocks[block][i] = list;
    if (list != 0)
        history->lists[list]->cells += BYTES - 1;
    *cell = block | SPLIT;
    return true;
}

/* One list again, when all bytes have the same. */
static void join(struct trn_history *history, uint32_t *cell)
{
    const uint32_t block = *cell & ~SPLIT, list = history->blocks[block][0];
    for (unsigned i = 1; i < BYTES; i++)
        if (history->blocks[block][i] != list)
            return;
    if (list != 0)
        history->lists[list]->cells -= BYTES - 1;
    history->blocks[block][0] = history->first_free_block;
    history->first_free_block = block;
    *cell = list;
}

/* ---- an access --------------------------------------------------------------------- */

struct step {
    struct trn_history *history;
    trn_history_next next;
    void *context;
    struct memo memo[MEMO];
};

/* The list that the access makes of list `from`, met first at a place. */
static uint32_t step_from(struct step *step, size_t row, uint64_t byte, uint32_t from)
{
    struct trn_history *history = step->history;
    struct memo *memo = &step->memo[from % MEMO];
    struct trn_past now[TRN_HISTORY_PASTS];
    if (memo->valid && memo->from == from)
        return memo->to;
    const struct list *old = from ? history->lists[from] : NULL;
    const size_t count =
        step->next(step->context, row, byte, old ? old->past : NULL, old ? old->count : 0, now);
    const uint32_t to = number_of(history, now, count);
    *memo = (struct memo){from, to, true};
    return to;
}

static void step_bytes(struct step *step, size_t row, size_t word, uint64_t bits, uint32_t *cell)
{
    uint32_t block = *cell & ~SPLIT;
    for (; bits != 0; bits &= bits - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(bits);
        const uint32_t from = step->history->blocks[block][i];
        const uint32_t to = step_from(step, row, (uint64_t)word * BYTES + i, from);
        if (to == from)
            continue;
        step->history->blocks[block][i] = to;
        move_cells(step->history, from, to, 1);
    }
    join(step->history, cell);
}

static bool step_word(void *context, size_t row, size_t word, uint64_t bits)
{
    struct step *step = context;
    struct trn_history *history = step->history;
    uint32_t *cell = &history->cells[row * history->row_cells + word];
    if (*cell & SPLIT) {
        step_bytes(step, row, word, bits, cell);
        return true;
    }
    const uint32_t from = *cell;
    const uint64_t byte = (uint64_t)word * BYTES + (unsigned)__builtin_ctzll(bits);
    const uint32_t to = step_from(step, row, byte, from);
    if (to == from)
        return true;
    if (bits == UINT64_MAX) {
        *cell = to;
        move_cells(history, from, to, 1);
    } else if (split(history, cell)) {
        step_bytes(step, row, word, bits, cell);
    } else {
        history->lost++;
    }
    return true;
}

void trn_history_access(struct trn_history *history, const struct trn_access *access,
                        trn_history_next next, void *context)
{
    struct step step = {.history = history, .next = next, .context = context};
    trn_touched_by(&history->space, access, step_word, &step);
    bury(history);
}
