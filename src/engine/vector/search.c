/* SPDX-License-Identifier: Apache-2.0 */
/* The search group: MATCH_VALUE_LOAD 0x6D, FIND_INDEX8 0x6E, MATCH_REPLACE8 0x6F and
 * DVE_READ_INDICES 0xE9 (docs/hardware/vector-ops.md 8). Keys and matches live in eight flops a
 * lane; lane i of every word is flop bank i, wherever its partitions start (model choice
 * search_lane_relative). */
#include "engine/state.h"
#include "engine/vector/stream.h"
#include "engine/vector/words.h"

#define KEYS TRN_SEARCH_KEYS

/* ---- the scan --------------------------------------------------------------------- */

/* A scan starts with nothing found: one load serves several (model choice search_restarts). */
static void scan_begin(struct trn_search *search)
{
    for (int n = 0; n < KEYS; n++)
        search->index[n] = TRN_SEARCH_ABSENT;
}

/* Position of the first element equal to `key` from `i` on; `n` when there is none. */
static size_t find(const float *x, size_t i, size_t n, float key)
{
    for (; i + 16 <= n; i += 16) {
        int hits = 0;
        for (size_t k = 0; k < 16; k++)
            hits |= x[i + k] == key;
        if (hits)
            break;
    }
    while (i < n && x[i] != key)
        i++;
    return i;
}

/* The nearest lower key of the same value, which is served first; -1 when there is none. */
static int same_key_before(const struct trn_search *search, int n)
{
    int m = n - 1;
    while (m >= 0 && search->key[m] != search->key[n])
        m--;
    return m;
}

/*
 * Go on with a scan over the `n` elements from stream position `first`. The hardware offers each
 * element to the keys 0..7 and the first unmatched equal one takes it. An element fits only keys of
 * one value, and of those the lowest is served first: so key n looks for the first element after
 * the match of the equal key before it, and all keys find the same positions independently.
 */
static void scan(struct trn_search *search, const float *x, uint64_t first, size_t n)
{
    for (int key = 0; key < KEYS; key++) {
        if (search->index[key] != TRN_SEARCH_ABSENT)
            continue;
        size_t from = 0;
        const int before = same_key_before(search, key);
        if (before >= 0) {
            const uint64_t taken = search->index[before];
            if (taken == TRN_SEARCH_ABSENT)
                continue;
            from = taken >= first ? (size_t)(taken - first) + 1 : 0;
        }
        const size_t at = find(x, from, n, search->key[key]);
        if (at < n)
            search->index[key] = (uint32_t)(first + at);
    }
}

/* ---- MATCH_VALUE_LOAD ------------------------------------------------------------- */

trn_status trn_run_match_value_load(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    struct trn_rows src;
    const trn_status status = trn_rows_open(
        x, trn_s2_bn_src_mem_pattern(w, isa), TRN_TYPE_PATTERN2D, trn_s2_bn_dtype(w, isa),
        trn_s2_bn_num_active_channels(w, isa), TRN_OPERAND_READ, TRN_VIEW_F32, &src);
    if (status != TRN_OK)
        return status;
    if (src.operand.count != KEYS)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "s2bn_elements",
                              "the source has %llu elements a lane, not 8",
                              (unsigned long long)src.operand.count);
    trn_exec_choice(x, TRN_CHOICE_SEARCH_LANE_RELATIVE);
    struct trn_tile tile;
    for (uint32_t lane = 0; lane < src.operand.channels; lane++) {
        struct trn_search *search = &x->state->vector.search[lane];
        const float *value = trn_rows_read(&src, &x->state->mode[x->engine], lane, 0, KEYS, &tile);
        for (int k = 0; k < KEYS; k++)
            search->key[KEYS - 1 - k] = value[k];
        scan_begin(search);
    }
    return TRN_OK;
}

/* ---- FIND_INDEX8 and DVE_READ_INDICES ---------------------------------------------- */

struct find_index {
    struct trn_exec *x;
    struct trn_rows src, dst;
};

static void write_indices(const struct trn_search *search, const struct trn_rows *dst,
                          uint32_t lane)
{
    struct trn_tile tile;
    trn_rows_write(dst, NULL, lane, 0, KEYS, search->index, &tile);
}

static void find_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct find_index *find_index = context;
    struct trn_exec *x = find_index->x;
    const uint64_t count = find_index->src.operand.count;
    const size_t tile_size = trn_rows_tile(&find_index->src);
    struct trn_tile tile;
    size_t n;
    for (uint32_t lane = begin; lane < end; lane++) {
        struct trn_search *search = &x->state->vector.search[lane];
        scan_begin(search);
        for (uint64_t first = 0; first < count; first += n) {
            n = count - first < tile_size ? (size_t)(count - first) : tile_size;
            scan(search,
                 trn_rows_read(&find_index->src, &x->state->mode[x->engine], lane, first, n, &tile),
                 first, n);
        }
        write_indices(search, &find_index->dst, lane);
    }
}

trn_status trn_run_find_index8(struct trn_exec *x)
{
    struct find_index find_index = {.x = x};
    const trn_status status = trn_eight_open(x, TRN_VIEW_BITS32, &find_index.src, &find_index.dst);
    if (status != TRN_OK)
        return status;
    trn_exec_choice(x, TRN_CHOICE_SEARCH_RESTARTS);
    trn_lanes_run(x, find_index.src.operand.channels, find_index.src.operand.count, find_lanes,
                  &find_index);
    return TRN_OK;
}

trn_status trn_run_dve_read_indices(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    struct trn_rows dst;
    const trn_status status = trn_rows_open(
        x, trn_d4_mr_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN4D, trn_d4_mr_dtype(w, isa),
        trn_d4_mr_num_active_channels(w, isa), TRN_OPERAND_WRITE, TRN_VIEW_BITS32, &dst);
    if (status != TRN_OK)
        return status;
    if (dst.operand.count != KEYS)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "d4mr_count",
                              "the destination has %llu elements a lane, not 8",
                              (unsigned long long)dst.operand.count);
    for (uint32_t lane = 0; lane < dst.operand.channels; lane++)
        write_indices(&x->state->vector.search[lane], &dst, lane);
    return TRN_OK;
}

/* ---- MATCH_REPLACE8 ---------------------------------------------------------------- */

struct match_replace {
    struct trn_search *search;
    float immediate;
};

static void row_replace(const void *context, const struct trn_row *row)
{
    const struct match_replace *word = context;
    struct trn_search *search = &word->search[row->lane];
    float *out = row->out;
    if (row->first == 0)
        scan_begin(search);
    scan(search, row->a, row->first, row->n);
    memmove(out, row->a, row->n * sizeof *out);
    for (int n = 0; n < KEYS; n++)
        if (search->index[n] != TRN_SEARCH_ABSENT && search->index[n] >= row->first)
            out[search->index[n] - row->first] = word->immediate;
}

trn_status trn_run_match_replace8(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t channels = trn_s4d4_mr_num_active_channels(w, isa);
    const struct match_replace word = {.search = x->state->vector.search,
                                       .immediate = trn_s4d4_mr_immediate(w, isa)};
    struct trn_map map = {.x = x, .num_src = 1, .kernel = row_replace, .context = &word};
    trn_status status = trn_rows_open(x, trn_s4d4_mr_src_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                                      trn_s4d4_mr_in_dtype(w, isa), channels, TRN_OPERAND_READ,
                                      TRN_VIEW_F32, &map.src[0]);
    if (status == TRN_OK)
        status = trn_rows_open(x, trn_s4d4_mr_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN4D,
                               trn_s4d4_mr_out_dtype(w, isa), channels, TRN_OPERAND_WRITE,
                               TRN_VIEW_F32, &map.dst);
    if (status != TRN_OK)
        return status;
    const uint64_t count = map.src[0].operand.count;
    if (count != map.dst.operand.count || count > TRN_SEARCH_MAX)
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "mr_dtypes",
                              "source has %llu elements a lane, destination %llu; at most %d each",
                              (unsigned long long)count, (unsigned long long)map.dst.operand.count,
                              TRN_SEARCH_MAX);
    trn_exec_choice(x, TRN_CHOICE_SEARCH_RESTARTS);
    trn_map_run(&map);
    return TRN_OK;
}
