/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/map.h"

#include "engine/numeric.h"

/* Below this many elements in all, handing work to another thread costs more than it saves. */
#define WORTH_SHARING 8192

static struct trn_workers *workers_for(const struct trn_exec *x, uint32_t lanes, uint64_t elements)
{
    return lanes * elements < WORTH_SHARING ? NULL : x->workers;
}

void trn_lanes_run(struct trn_exec *x, uint32_t lanes, uint64_t elements,
                   void (*body)(void *context, uint32_t begin, uint32_t end), void *context)
{
    trn_workers_run(workers_for(x, lanes, elements), lanes, body, context);
}

/* Words whose lanes stand for the same partitions share a place: a lane touches only its own. */
static uint32_t place_of_lanes(const struct trn_map *map)
{
    const uint32_t partition = map->dst.operand.partition;
    for (unsigned i = 0; i < map->num_src; i++)
        if (map->src[i].operand.partition != partition)
            return TRN_WORKERS_ALONE;
    return partition;
}

void trn_lanes_begin_small(const struct trn_map *map, trn_workers_body *body, void *context,
                           size_t size)
{
    const struct trn_operand *const dst = &map->dst.operand;
    struct trn_workers *const workers = workers_for(map->x, dst->channels, dst->count);
    if (!workers)
        trn_workers_settle(map->x->workers);
    trn_workers_begin_small(workers, place_of_lanes(map), dst->channels, body, context, size);
}

/* A map with what was found out about it. */
struct map_run {
    const struct trn_map *map;
    uint64_t step;   /* elements a kernel call */
    bool out_direct; /* the kernel writes into memory */
    bool in_place;   /* and over what it reads */
    uint32_t lanes;  /* when watched and all in memory: lanes that are looked at together */
    enum trn_fp_source unit;

    /* sources in this range are known to meet nothing; what it makes of them */
    struct trn_numeric_range sure, sure_results;
};

/* Room of one thread for elements that are not used where they lie. */
struct room {
    struct trn_tile in[2], out;
};

/* ---- rows ------------------------------------------------------------------------------- */

static void fetch(const struct map_run *run, struct trn_row *row, struct room *room)
{
    const struct trn_map *map = run->map;
    if (map->num_src > 0)
        row->a =
            trn_rows_fetch(&map->src[0], row->mode, row->lane, row->first, row->n, &room->in[0]);
    if (map->num_src > 1)
        row->b =
            trn_rows_fetch(&map->src[1], row->mode, row->lane, row->first, row->n, &room->in[1]);
}

static void *place_of(const struct map_run *run, const struct trn_row *row)
{
    const struct trn_operand *dst = &run->map->dst.operand;
    return trn_operand_lane(dst, row->lane) + row->first * dst->size;
}

static void plain_row(const struct map_run *run, struct trn_row *row, struct room *room)
{
    const struct trn_map *map = run->map;
    fetch(run, row, room);
    row->out = run->out_direct ? place_of(run, row) : room->out.words;
    map->kernel(map->context, row);
    if (!run->out_direct)
        (void)trn_rows_store(&map->dst, row->mode, row->lane, row->first, row->n, row->out,
                             &room->out);
}

/* ---- watched rows ------------------------------------------------------------------------- */

/* Elements that are looked at and then computed while they are in the first-level cache. */
#define WATCHED_STEP 4096

/* What the operands of a source met; the range of its values when somebody asks for bounds. */
static unsigned look_at_source(const struct map_run *run, unsigned i, const struct trn_row *row,
                               struct trn_numeric_range *range)
{
    const struct trn_rows *src = &run->map->src[i];
    const void *words = i == 0 ? row->a : row->b;
    if (!run->map->bound)
        return src->watch ? trn_numeric_of_operands(words, row->n) : TRN_NUMERIC_NONE;
    trn_numeric_range_add(range, words, 1, 0, row->n);
    return src->watch ? trn_numeric_of_range(range) : TRN_NUMERIC_NONE;
}

/* What rows of some lanes can meet at most, and their results. */
static unsigned bound(const struct map_run *run, uint32_t begin, uint32_t end,
                      const struct trn_numeric_range *in, struct trn_numeric_range *results)
{
    bool sure = true;
    for (unsigned i = 0; i < run->map->num_src; i++)
        sure = sure && trn_numeric_range_within(&in[i], &run->sure);
    if (!sure)
        return run->map->bound(run->map->context, begin, end, in, results);
    *results = run->sure_results;
    return TRN_NUMERIC_NONE;
}

static void watched_pieces(const struct map_run *run, const struct trn_row *row, size_t size,
                           struct room *room);

/* Look at the sources, and behind the kernel at the results unless they can hold nothing new. */
static void watched_row(const struct map_run *run, struct trn_row *row, struct room *room)
{
    const struct trn_map *map = run->map;
    const unsigned open = trn_numeric_open(map->x, run->unit);
    if (!open) {
        plain_row(run, row, room);
        return;
    }
    struct trn_numeric_range in[2] = {trn_numeric_range_empty(), trn_numeric_range_empty()};
    struct trn_numeric_range results = trn_numeric_range_unknown();
    unsigned met = TRN_NUMERIC_NONE;
    fetch(run, row, room);
    for (unsigned i = 0; i < map->num_src; i++)
        met |= look_at_source(run, i, row, &in[i]);
    const unsigned can_meet =
        map->bound ? bound(run, row->lane, row->lane + 1, in, &results) : open;
    const bool look = map->numeric && (can_meet & open);
    const bool direct = run->out_direct && !(look && run->in_place);
    const size_t tile = trn_rows_tile(&map->dst);
    if (!direct && row->n > tile) {
        watched_pieces(run, row, tile, room);
        return;
    }
    row->out = direct ? place_of(run, row) : room->out.words;
    map->kernel(map->context, row);
    if (look)
        met |= map->numeric(map->context, row);
    trn_numeric_raise(map->x, met, run->unit);
    if (direct)
        return;
    if (map->dst.watch && (trn_numeric_may_narrow(&map->dst.safe, &results) & open))
        trn_rows_write(&map->dst, row->mode, row->lane, row->first, row->n, row->out, &room->out);
    else
        (void)trn_rows_store(&map->dst, row->mode, row->lane, row->first, row->n, row->out,
                             &room->out);
}

static void watched_pieces(const struct map_run *run, const struct trn_row *row, size_t size,
                           struct room *room)
{
    struct trn_row piece = *row;
    for (size_t done = 0; done < row->n; done += piece.n) {
        piece.first = row->first + done;
        piece.n = row->n - done < size ? row->n - done : size;
        watched_row(run, &piece, room);
    }
}

/* ---- lanes ------------------------------------------------------------------------------ */

static void one_lane(const struct map_run *run, uint32_t lane, bool watched, struct room *room)
{
    const struct trn_map *map = run->map;
    const uint64_t count = map->dst.operand.count;
    const struct trn_num_mode mode = trn_rows_mode(map->x, &map->dst, lane);
    struct trn_row row = {.lane = lane, .mode = &mode};
    for (uint64_t first = 0; first < count; first += row.n) {
        row.first = first;
        row.n = (size_t)(count - first < run->step ? count - first : run->step);
        if (watched)
            watched_row(run, &row, room);
        else
            plain_row(run, &row, room);
    }
}

static void each_lane(const struct map_run *run, uint32_t begin, uint32_t end, bool watched)
{
    struct room room;
    for (uint32_t lane = begin; lane < end; lane++)
        one_lane(run, lane, watched, &room);
}

static void plain_lanes(void *context, uint32_t begin, uint32_t end)
{
    each_lane(context, begin, end, false);
}

static void watched_lanes(void *context, uint32_t begin, uint32_t end)
{
    each_lane(context, begin, end, true);
}

/* ---- lanes in memory ---------------------------------------------------------------------- */

static struct trn_numeric_range range_of_lanes(const struct trn_operand *operand, uint32_t begin,
                                               uint32_t end)
{
    struct trn_numeric_range range = trn_numeric_range_empty();
    trn_numeric_range_add(&range, (const void *)trn_operand_lane(operand, begin), end - begin,
                          operand->pitch, (size_t)operand->count);
    return range;
}

/* Whether lanes can meet nothing that is open but what their operands do, which is then noted. */
static bool only_operands(const struct map_run *run, uint32_t begin, uint32_t end, unsigned open)
{
    const struct trn_map *map = run->map;
    struct trn_numeric_range in[2], results;
    unsigned met = TRN_NUMERIC_NONE;
    for (unsigned i = 0; i < map->num_src; i++) {
        in[i] = range_of_lanes(&map->src[i].operand, begin, end);
        met |= trn_numeric_of_range(&in[i]);
    }
    if (bound(run, begin, end, in, &results) & open)
        return false;
    trn_numeric_raise(map->x, met, run->unit);
    return true;
}

static bool results_are_ordinary(const struct map_run *run, uint32_t begin, uint32_t end)
{
    const struct trn_numeric_range results = range_of_lanes(&run->map->dst.operand, begin, end);
    return trn_numeric_is_ordinary(run->map->op, &results);
}

static void compute_lanes(const struct map_run *run, uint32_t begin, uint32_t end)
{
    if (run->map->in_memory_some)
        run->map->in_memory_some(run->map, begin, end);
    else
        each_lane(run, begin, end, false);
}

/* Look at results, which are at hand, or else at sources; and once more at each lane by itself when
 * that leaves a question. Sources that are written over are looked at first. */
static void some_watched_lanes(const struct map_run *run, uint32_t begin, uint32_t end)
{
    const unsigned open = trn_numeric_open(run->map->x, run->unit);
    const bool first = !open || (run->map->tells && !run->in_place);
    if (first)
        compute_lanes(run, begin, end);
    if (!open || (first && results_are_ordinary(run, begin, end)))
        return;
    if (!run->map->bound || !only_operands(run, begin, end, open))
        each_lane(run, begin, end, true);
    else if (!first)
        compute_lanes(run, begin, end);
}

static void watched_in_memory(void *context, uint32_t begin, uint32_t end)
{
    const struct map_run *run = context;
    uint32_t n;
    for (uint32_t lane = begin; lane < end; lane += n) {
        n = end - lane < run->lanes ? end - lane : run->lanes;
        some_watched_lanes(run, lane, lane + n);
    }
}

/* ---- the word --------------------------------------------------------------------------- */

/* Ordinary numbers, with zeros or without, if the word can meet nothing in them. */
static void find_sure_range(struct map_run *run)
{
    const struct trn_map *map = run->map;
    struct trn_numeric_range in[2];
    for (int zero = 1; zero >= 0; zero--) {
        run->sure = (struct trn_numeric_range){.least = 0x1p-40f, .most = 0x1p40f, .zero = zero};
        in[0] = in[1] = run->sure;
        if (!map->bound(map->context, 0, map->dst.operand.channels, in, &run->sure_results))
            return;
    }
    run->sure.most = -1; /* nothing lies in it */
}

void trn_map_run(const struct trn_map *map)
{
    struct map_run run = {
        .map = map, .out_direct = map->dst.direct, .unit = trn_numeric_source(map->x->engine)};
    const bool watched = (map->numeric && map->x->numeric_wanted) || map->src[0].watch ||
                         map->src[1].watch || map->dst.watch;
    bool direct = map->dst.direct, hazard = false;
    size_t tile = trn_rows_tile(&map->dst);
    for (unsigned i = 0; i < map->num_src; i++) {
        const struct trn_rows *src = &map->src[i];
        const size_t fits = trn_rows_tile(src);
        tile = fits < tile ? fits : tile;
        direct = direct && src->direct;
        /* kernels may write over exactly what they read, not next to it */
        const enum trn_overlap overlap = trn_operand_overlap(&src->operand, &map->dst.operand);
        if (overlap == TRN_OVERLAP_PARTIAL)
            run.out_direct = false;
        run.in_place = run.in_place || overlap == TRN_OVERLAP_SAME;
        hazard = hazard || trn_rows_hazard(src, &map->dst);
    }
    const bool in_memory = direct && run.out_direct;
    if (in_memory && map->in_memory && !watched) {
        map->in_memory(map);
        return;
    }
    trn_workers_settle(map->x->workers);
    run.step = !in_memory ? tile : watched ? WATCHED_STEP : map->dst.operand.count;
    if (in_memory && (map->bound || map->tells) && map->dst.operand.count)
        run.lanes = (uint32_t)(WATCHED_STEP / map->dst.operand.count);
    run.sure.most = -1;
    if (watched && map->bound && map->dst.operand.channels > run.lanes)
        find_sure_range(&run);
    if (hazard) { /* then out_direct is false */
        run.step = 1;
        trn_exec_choice(map->x, TRN_CHOICE_OVERLAP_STREAM_ORDER);
    }
    trn_lanes_run(map->x, map->dst.operand.channels, map->dst.operand.count,
                  !watched    ? plain_lanes
                  : run.lanes ? watched_in_memory
                              : watched_lanes,
                  &run);
}
