/* SPDX-License-Identifier: Apache-2.0 */
/* MEMSET 0x49: the low bytes of set_value in every element (docs/hardware/vector-ops.md 7.5). */
#include "engine/vector/map.h"
#include "engine/vector/words.h"

static void row_fill(const void *context, const struct trn_row *row)
{
    const uint32_t value = *(const uint32_t *)context;
    uint32_t *words = row->out;
    for (size_t i = 0; i < row->n; i++)
        words[i] = value;
}

trn_status trn_run_memset(struct trn_exec *x)
{
    const uint8_t *w = x->word;
    const unsigned isa = x->gen->isa;
    const uint32_t value = trn_d4_mr_set_value(w, isa);
    struct trn_map map = {.x = x, .kernel = row_fill, .context = &value};
    const trn_status status = trn_rows_open(
        x, trn_d4_mr_dst_mem_pattern(w, isa), TRN_TYPE_PATTERN4D, trn_d4_mr_dtype(w, isa),
        trn_d4_mr_num_active_channels(w, isa), TRN_OPERAND_WRITE, TRN_VIEW_BITS32, &map.dst);
    if (status != TRN_OK)
        return status;
    if (map.dst.operand.count != trn_d4_mr_dst_element_count(w, isa))
        return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "d4mr_count",
                              "dst_element_count is %u, the pattern has %llu elements",
                              trn_d4_mr_dst_element_count(w, isa),
                              (unsigned long long)map.dst.operand.count);
    trn_map_run(&map);
    return TRN_OK;
}
