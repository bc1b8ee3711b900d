/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of kernels: rows of data/kernel-info.csv and data/fw-legs.csv. */
#include "fw/kernels.h"

static void info_of(const struct trn_fw_kernel_row *row, struct trn_fw_kernel_info *out)
{
    *out = (struct trn_fw_kernel_info){
        .gen = trn_gen_at(row->gen),
        .library = row->library,
        .index = row->index,
        .opcode = row->opcode,
        .spec = row->spec,
        .has_va = row->func_va != TRN_FW_NO_ADDRESS,
        .func_va = row->func_va,
        .kernel = row->kernel,
        .confidence = row->confidence,
    };
}

bool trn_fw_kernel_info(size_t i, struct trn_fw_kernel_info *out)
{
    if (i >= trn_num_fw_kernel_rows)
        return false;
    info_of(&trn_fw_kernel_rows[i], out);
    return true;
}

bool trn_fw_kernel_known(const struct trn_gen *gen, unsigned library, unsigned opcode,
                         unsigned spec, struct trn_fw_kernel_info *out)
{
    for (size_t i = 0; i < trn_num_fw_kernel_rows; i++) {
        const struct trn_fw_kernel_row *const row = &trn_fw_kernel_rows[i];
        if (trn_gen_at(row->gen) != gen || row->library != library || row->opcode != opcode ||
            row->spec != spec)
            continue;
        info_of(row, out);
        return true;
    }
    return false;
}

bool trn_fw_kernel_leg(size_t i, struct trn_fw_kernel_leg *out)
{
    if (i >= trn_num_fw_legs)
        return false;
    const struct trn_fw_leg *const row = &trn_fw_legs[i];
    *out = (struct trn_fw_kernel_leg){
        .opcode = row->opcode,
        .spec = row->spec,
        .leg = row->leg,
        .condition = row->condition,
        .note = row->note,
        .confidence = row->confidence,
        .engine = row->engine,
        .library = row->library,
    };
    return true;
}

/* ---- recognising ------------------------------------------------------------------ */

/* Rows of one library lie together; `first` is the first of them. */
static size_t rows_of(size_t first)
{
    const struct trn_fw_kernel_row *const rows = trn_fw_kernel_rows;
    size_t end = first + 1;
    while (end < trn_num_fw_kernel_rows && rows[end].gen == rows[first].gen &&
           rows[end].library == rows[first].library)
        end++;
    return end - first;
}

static bool same_keys(const struct trn_fw_kernel_table *table, size_t first, size_t count)
{
    if (count != table->count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (trn_fw_kernel_rows[first + i].opcode != table->entries[i].opcode ||
            trn_fw_kernel_rows[first + i].spec != table->entries[i].spec)
            return false;
    return true;
}

/* Recorded addresses that agree; -1: one does not. */
static int same_addresses(const struct trn_fw_kernel_table *table, size_t first)
{
    int same = 0;
    for (size_t i = 0; i < table->count; i++) {
        const uint32_t va = trn_fw_kernel_rows[first + i].func_va;
        if (va == TRN_FW_NO_ADDRESS)
            continue;
        if (va != table->entries[i].func_va)
            return -1;
        same++;
    }
    return same;
}

/* Generations that contradict no recorded address, and of these the ones with most that agree. */
static void note_addresses(struct trn_fw_kernel_table *table, unsigned bit, int same)
{
    if (same < 0 || (unsigned)same < table->num_matched)
        return;
    if ((unsigned)same > table->num_matched)
        table->by_address = 0;
    table->by_address |= bit;
    table->num_matched = (unsigned)same;
}

void fw_kernels_recognise(struct trn_fw_kernel_table *table)
{
    size_t count;
    for (size_t first = 0; first < trn_num_fw_kernel_rows; first += count) {
        count = rows_of(first);
        if (!same_keys(table, first, count))
            continue;
        const unsigned bit = 1U << trn_fw_kernel_rows[first].gen;
        table->by_keys |= bit;
        table->library = trn_fw_kernel_rows[first].library;
        note_addresses(table, bit, same_addresses(table, first));
    }
}
