/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gen/gen_rows.h"

const struct trn_gen *trn_gen_at(unsigned i)
{
    return i < TRN_GEN_COUNT ? &trn_gen_table[i] : NULL;
}

const struct trn_gen *trn_gen_find(const char *name)
{
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (strcmp(trn_gen_table[i].name, name) == 0)
            return &trn_gen_table[i];
    return NULL;
}

const struct trn_gen_row *trn_gen_row_at(size_t i)
{
    return i < trn_gen_num_rows ? &trn_gen_rows[i] : NULL;
}

uint64_t trn_gen_value(const struct trn_gen *gen, const struct trn_gen_row *row)
{
    const char *member = (const char *)gen + row->offset;
    switch (row->type) {
    case TRN_GEN_BOOL:
        return *(const bool *)(const void *)member;
    case TRN_GEN_U8:
        return *(const uint8_t *)(const void *)member;
    case TRN_GEN_U16:
        return *(const uint16_t *)(const void *)member;
    case TRN_GEN_U32:
        return *(const uint32_t *)(const void *)member;
    case TRN_GEN_U64:
        return *(const uint64_t *)(const void *)member;
    case TRN_GEN_STR:
        break;
    }
    return 0;
}

const char *trn_gen_string(const struct trn_gen *gen, const struct trn_gen_row *row)
{
    const char *member = (const char *)gen + row->offset;
    return row->type == TRN_GEN_STR ? *(const char *const *)(const void *)member : "";
}
