/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of an image: docs/hardware/firmware-images.md 9. */
#include <string.h>

#include "fw/data_rows.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

const char *trn_fw_token_set_name(enum trn_fw_token_set set)
{
    static const char *const names[TRN_FW_TOKEN_SETS] = {
        [TRN_FW_COMPUTE] = "compute",   [TRN_FW_ABSENCE] = "absence",   [TRN_FW_MARKER] = "marker",
        [TRN_FW_DGE_FAST] = "dge fast", [TRN_FW_DGE_SLOW] = "dge slow",
    };
    return (size_t)set < COUNT_OF(names) ? names[set] : NULL;
}

static bool is_printable(uint8_t byte)
{
    return byte >= 0x20 && byte <= 0x7e;
}

/* The next NUL that ends a printable byte, at or behind `at`; `size` when there is none. */
static size_t next_end(const uint8_t *bytes, size_t size, size_t at)
{
    while (at < size) {
        const uint8_t *const nul = memchr(bytes + at, 0, size - at);
        if (!nul)
            return size;
        at = (size_t)(nul - bytes);
        if (at > 0 && is_printable(bytes[at - 1]))
            return at;
        while (at < size && bytes[at] == 0)
            at++;
    }
    return size;
}

bool trn_fw_next_string(const uint8_t *bytes, size_t size, size_t *at, struct trn_fw_text *out)
{
    const size_t floor = *at;
    for (size_t from = floor;;) {
        const size_t end = next_end(bytes, size, from);
        if (end >= size)
            break;
        size_t begin = end;
        while (begin > floor && is_printable(bytes[begin - 1]))
            begin--;
        from = end + 1;
        if (end - begin < TRN_FW_STRING_MIN)
            continue;
        *out = (struct trn_fw_text){begin, end - begin};
        *at = from;
        return true;
    }
    *at = size;
    return false;
}

unsigned trn_fw_gen_number(const struct trn_gen *gen)
{
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (trn_gen_at(i) == gen)
            return i;
    return TRN_GEN_COUNT;
}

/* ---- rosters ---------------------------------------------------------------------- */

static bool on_roster(const struct trn_fw_roster *row, const struct trn_gen *gen, int engine)
{
    return row->engine == engine && row->gens & 1U << trn_fw_gen_number(gen);
}

const char *trn_fw_roster_name(const struct trn_gen *gen, int engine, size_t i)
{
    for (size_t row = 0; gen && row < trn_num_fw_rosters; row++)
        if (on_roster(&trn_fw_rosters[row], gen, engine) && i-- == 0)
            return trn_fw_rosters[row].handler;
    return NULL;
}

bool trn_fw_has_roster(const struct trn_gen *gen, int engine)
{
    return trn_fw_roster_name(gen, engine, 0) != NULL;
}

bool trn_fw_roster_has(const struct trn_gen *gen, int engine, const char *text, size_t length)
{
    for (size_t row = 0; gen && row < trn_num_fw_rosters; row++)
        if (on_roster(&trn_fw_rosters[row], gen, engine) &&
            strlen(trn_fw_rosters[row].handler) == length &&
            memcmp(trn_fw_rosters[row].handler, text, length) == 0)
            return true;
    return false;
}
