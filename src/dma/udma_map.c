/* SPDX-License-Identifier: Apache-2.0 */
#include "dma/udma_map.h"

#include <stdlib.h>
#include <string.h>

#include "dma/udma.h"

static const char *const queue_names[TRN_UQ_REGS] = {
#define X(id, name) [TRN_UQ_##id] = name,
    TRN_UDMA_QUEUE_REGS(X)
#undef X
};

static const char *const group_names[TRN_UG_REGS] = {
#define X(id, name) [TRN_UG_##id] = name,
    TRN_UDMA_GROUP_REGS(X)
#undef X
};

static const char *const engine_paths[TRN_UE_REGS] = {
#define X(id, path) [TRN_UE_##id] = path,
    TRN_UDMA_ENGINE_REGS(X)
#undef X
};

/* Families whose registers go by the name behind the prefix. */
static const struct {
    const char *prefix;
    const char *const *names;
    int count;
} families[TRN_UDMA_OWNERS] = {
    [TRN_UDMA_OF_ENGINE] = {"", engine_paths, TRN_UE_REGS},
    [TRN_UDMA_OF_M2S] = {"udma.m2s_q.", queue_names, TRN_UQ_REGS},
    [TRN_UDMA_OF_S2M] = {"udma.s2m_q.", queue_names, TRN_UQ_REGS},
    [TRN_UDMA_OF_PRIMARY] = {"udma.gen.primary_iofic.", group_names, TRN_UG_REGS},
    [TRN_UDMA_OF_SECONDARY] = {"udma.gen.secondary_iofic.", group_names, TRN_UG_REGS},
    [TRN_UDMA_OF_AXI] = {"udma.gen.iofic_axi.", group_names, TRN_UG_REGS},
};

static const struct {
    const char *path, *field;
} bits[TRN_UDMA_BITS] = {
    [TRN_UB_M2S_PREFETCH] = {"udma.m2s_q.cfg", "en_pref"},
    [TRN_UB_M2S_SCHEDULE] = {"udma.m2s_q.cfg", "en_scheduling"},
    [TRN_UB_S2M_PREFETCH] = {"udma.s2m_q.cfg", "en_pref"},
    [TRN_UB_S2M_STREAM] = {"udma.s2m_q.cfg", "en_stream"},
    [TRN_UB_LENGTH] = {"udma.m2s_q.drl", "value"},
    [TRN_UB_DOORBELL] = {"udma.m2s_q.drtp_inc", "val"},
    [TRN_UB_INDEX] = {"udma.m2s_q.drhp", "offset"},
    [TRN_UB_RING_ID] = {"udma.m2s_q.drhp", "ring_id"},
    [TRN_UB_COMP_RING] = {"udma.m2s_q.comp_cfg", "en_ring_update"},
    [TRN_UB_RST_TAIL] = {"udma.m2s_q.q_sw_ctrl", "rst_tail"},
    [TRN_UB_RST_HEAD] = {"udma.m2s_q.q_sw_ctrl", "rst_head"},
    [TRN_UB_RST_CURRENT] = {"udma.m2s_q.q_sw_ctrl", "rst_current"},
    [TRN_UB_RST_QUEUE] = {"udma.m2s_q.q_sw_ctrl", "rst_q"},
    [TRN_UB_USED] = {"udma.m2s_q.status", "used"},
    [TRN_UB_PREFETCH] = {"udma.m2s_q.status", "prefetch"},
    [TRN_UB_SCHEDULER] = {"udma.m2s_q.status", "scheduler"},
    [TRN_UB_FULL] = {"udma.m2s_q.status", "full"},
    [TRN_UB_NORMAL] = {"udma.m2s.change_state", "normal"},
    [TRN_UB_ABORT] = {"udma.m2s.change_state", "abort"},
    [TRN_UB_PAUSE] = {"udma.m2s_q.dwrr_cfg_1", "pause"},
    [TRN_UB_QOS] = {"udma.m2s_q.dwrr_cfg_2", "q_qos"},
    [TRN_UB_RATE_LIMIT] = {"udma.m2s_q.rlimit_cfg_1", "en"},
    [TRN_UB_STATE_COMP] = {"udma.m2s.state", "comp"},
    [TRN_UB_STATE_STREAM] = {"udma.m2s.state", "stream"},
    [TRN_UB_STATE_READ] = {"udma.m2s.state", "data_rd"},
    [TRN_UB_STATE_PREF] = {"udma.m2s.state", "desc_pref"},
    [TRN_UB_MAX_PACKET] = {"udma.m2s.cfg_len", "max_pkt_size"},
    [TRN_UB_MAX_DESCS] = {"udma.m2s.desc_pref_cfg_2", "max_desc_per_pkt"},
    [TRN_UB_MAX_BURST] = {"udma.m2s.desc_rd_cfg_3", "max_burst"},
    [TRN_UB_NO_HEAD_REPORT] = {"udma.gen.spare_zeroes0", "disable_head_report"},
    [TRN_UB_POSEDGE] = {"udma.gen.secondary_iofic.control", "set_on_posedge"},
};

/* ---- a row's words ------------------------------------------------------------------------- */

static bool in_block(const struct trn_reg_row *row, const struct trn_gen *gen)
{
    return (strcmp(row->block, "udma") == 0 || strcmp(row->block, "udma_m2s") == 0) &&
           trn_reg_on(row, gen) && !row->open;
}

static uint8_t find_name(const char *name, const char *const *names, int count)
{
    for (int r = 1; r < count; r++)
        if (strcmp(name, names[r]) == 0)
            return (uint8_t)r;
    return 0;
}

/* Who a row belongs to and which register of theirs it is. */
static struct trn_udma_word describe(const struct trn_reg_row *row)
{
    uint64_t keep = row->num_fields ? 0 : UINT32_MAX;
    for (size_t i = 0; i < row->num_fields; i++)
        if (!row->fields[i].pulse)
            keep = trn_bits_set(keep, row->fields[i].low, row->fields[i].bits, UINT64_MAX);
    struct trn_udma_word word = {
        .keep = (uint32_t)keep, .access = (uint8_t)row->access, .known = true};
    for (int owner = TRN_UDMA_OF_M2S; owner < TRN_UDMA_OWNERS; owner++) {
        const size_t length = strlen(families[owner].prefix);
        if (strncmp(row->path, families[owner].prefix, length) != 0)
            continue;
        word.reg = find_name(row->path + length, families[owner].names, families[owner].count);
        if (word.reg != 0)
            word.owner = (uint8_t)owner;
    }
    if (word.owner == TRN_UDMA_OF_ENGINE)
        word.reg = find_name(row->path, engine_paths, TRN_UE_REGS);
    return word;
}

static void add_row(struct trn_udma_map *map, const struct trn_reg_row *row)
{
    struct trn_udma_word word = describe(row);
    for (unsigned i = 0; i < (row->num_indices > 0 ? row->count[0] : 1u); i++)
        for (unsigned j = 0; j < (row->num_indices > 1 ? row->count[1] : 1u); j++) {
            const uint32_t at = trn_reg_offset(row, row->first[0] + i, row->first[1] + j) / 4;
            word.index = (uint8_t)i;
            map->words[at] = word;
            if (i == 0 && j == 0 && word.owner == TRN_UDMA_OF_ENGINE)
                map->at[word.reg] = at;
            if (row->reset)
                map->resets[map->num_resets++] =
                    (struct trn_udma_reset_word){.word = at, .value = row->reset};
        }
}

/* ---- the map --------------------------------------------------------------------------------- */

static uint32_t last_word(const struct trn_reg_row *row)
{
    return trn_reg_offset(row, row->first[0] + (row->num_indices > 0 ? row->count[0] - 1u : 0),
                          row->first[1] + (row->num_indices > 1 ? row->count[1] - 1u : 0)) /
           4;
}

/* How many words the rows span, and how many of them do not reset to 0. */
static void measure(struct trn_udma_map *map, size_t *resets)
{
    for (size_t r = 0; r < trn_num_regs; r++) {
        const struct trn_reg_row *const row = &trn_reg_table[r];
        if (!in_block(row, map->gen))
            continue;
        if (last_word(row) >= map->num_words)
            map->num_words = last_word(row) + 1;
        if (row->reset)
            *resets += (size_t)(row->num_indices > 0 ? row->count[0] : 1) *
                       (row->num_indices > 1 ? row->count[1] : 1);
    }
}

static bool find_bits(struct trn_udma_map *map)
{
    for (int b = 0; b < TRN_UDMA_BITS; b++) {
        const struct trn_reg_row *const row = trn_reg_find(map->gen, bits[b].path, NULL);
        const struct trn_reg_bits *const field = row ? trn_reg_field(row, bits[b].field) : NULL;
        if (!field)
            return false;
        map->bit[b].low = field->low;
        map->bit[b].bits = field->bits;
    }
    return true;
}

static trn_status fill(struct trn_udma_map *map)
{
    size_t resets = 0;
    measure(map, &resets);
    if (map->num_words == 0 || !find_bits(map))
        return TRN_ERR_UNSUPPORTED;
    map->words = calloc(map->num_words, sizeof *map->words);
    map->resets = calloc(resets + 1, sizeof *map->resets);
    if (!map->words || !map->resets)
        return TRN_ERR_NO_MEMORY;
    for (size_t r = 0; r < trn_num_regs; r++)
        if (in_block(&trn_reg_table[r], map->gen))
            add_row(map, &trn_reg_table[r]);
    for (int r = 1; r < TRN_UE_REGS; r++)
        if (map->words[map->at[r]].reg != r)
            return TRN_ERR_UNSUPPORTED;
    return TRN_OK;
}

trn_status trn_udma_map_create(const struct trn_gen *gen, struct trn_udma_map **out)
{
    *out = NULL;
    struct trn_udma_map *const map = calloc(1, sizeof *map);
    if (!map)
        return TRN_ERR_NO_MEMORY;
    map->gen = gen;
    const trn_status status = fill(map);
    if (status == TRN_OK)
        *out = map;
    else
        trn_udma_map_destroy(map);
    return status;
}

void trn_udma_map_destroy(struct trn_udma_map *map)
{
    if (!map)
        return;
    free(map->words);
    free(map->resets);
    free(map);
}
