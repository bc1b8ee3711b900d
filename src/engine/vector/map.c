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

void trn_lanes_run_small(struct trn_exec *x, uint32_t lanes, uint64_t elements,
                         void (*body)(void *context, uint32_t begin, uint32_t end),
                         const void *context, size_t size)
{
    trn_workers_run_small(workers_for(x, lanes, elements), lanes, body, context, size);
}

/* A map with what was found out about it. */
struct map_run {
    const struct trn_map *map;
    uint64_t step;   /* elements a kernel call */
    bool out_direct; /* the kernel writes into memory */
    bool watched;    /* map->numeric is asked */
};

static void map_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct map_run *run = context;
    const struct trn_map *map = run->map;
    const uint64_t count = map->dst.operand.count;
    struct trn_tile in[2], out;
    for (uint32_t lane = begin; lane < end; lane++) {
        const struct trn_num_mode mode = trn_rows_mode(map->x, &map->dst, lane);
        struct trn_row row = {.lane = lane, .mode = &mode};
        for (uint64_t first = 0; first < count; first += row.n) {
            row.first = first;
            row.n = (size_t)(count - first < run->step ? count - first : run->step);
            if (map->num_src > 0)
                row.a = trn_rows_read(&map->src[0], &mode, lane, first, row.n, &in[0]);
            if (map->num_src > 1)
                row.b = trn_rows_read(&map->src[1], &mode, lane, first, row.n, &in[1]);
            row.out = run->out_direct ? trn_operand_lane(&map->dst.operand, lane) +
                                            first * map->dst.operand.size
                                      : out.words;
            map->kernel(map->context, &row);
            if (run->watched)
                trn_numeric_raise(map->x, map->numeric(map->context, &row),
                                  trn_numeric_source(map->x->engine));
            if (!run->out_direct)
                trn_rows_write(&map->dst, &mode, lane, first, row.n, row.out, &out);
        }
    }
}

void trn_map_run(const struct trn_map *map)
{
    struct map_run run = {.map = map,
                          .out_direct = map->dst.direct,
                          .watched = map->numeric && map->x->numeric_wanted};
    const bool looked_at = run.watched || map->src[0].watch || map->src[1].watch || map->dst.watch;
    bool direct = map->dst.direct, hazard = false;
    size_t tile = trn_rows_tile(&map->dst);
    for (unsigned i = 0; i < map->num_src; i++) {
        const struct trn_rows *src = &map->src[i];
        const size_t fits = trn_rows_tile(src);
        tile = fits < tile ? fits : tile;
        direct = direct && src->direct;
        /* kernels may write over exactly what they read, not next to it */
        const enum trn_overlap overlap = trn_operand_overlap(&src->operand, &map->dst.operand);
        if (overlap == TRN_OVERLAP_PARTIAL || (looked_at && overlap == TRN_OVERLAP_SAME))
            run.out_direct = false;
        hazard = hazard || trn_rows_hazard(src, &map->dst);
    }
    const bool in_memory = direct && run.out_direct && !looked_at;
    if (in_memory && map->in_memory) {
        map->in_memory(map);
        return;
    }
    run.step = in_memory ? map->dst.operand.count : tile;
    if (hazard) { /* then out_direct is false */
        run.step = 1;
        trn_exec_choice(map->x, TRN_CHOICE_OVERLAP_STREAM_ORDER);
    }
    trn_lanes_run(map->x, map->dst.operand.channels, map->dst.operand.count, map_lanes, &run);
}
