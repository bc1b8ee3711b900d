/* SPDX-License-Identifier: Apache-2.0 */
/* Entries as fields, by their rows. */
#include "act_rows.h"
#include "base/bytes.h"
#include "trench/act.h"

#define ROWS(entry)                                                                                \
    {                                                                                              \
        entry##_rows, sizeof entry##_rows / sizeof entry##_rows[0]                                 \
    }

static const struct {
    const struct trn_act_field_row *rows;
    size_t count;
} entries[] = {ROWS(trn_act_cam), ROWS(trn_act_profile), ROWS(trn_act_control),
               ROWS(trn_act_bucket)};

static const size_t entry_bytes[] = {TRN_ACT_CAM_BYTES, TRN_ACT_PROFILE_BYTES,
                                     TRN_ACT_CONTROL_BYTES, TRN_ACT_BUCKET_BYTES};

/* A field lies within the eight bytes from the one where it begins, or the entry's last eight. */
static uint32_t field_value(const uint8_t *bytes, size_t size, unsigned bit_lo, unsigned bits)
{
    const size_t last = size - sizeof(uint64_t);
    const size_t byte = bit_lo / 8 < last ? bit_lo / 8 : last;
    return (uint32_t)trn_bits_get(trn_get64(bytes + byte), bit_lo - 8 * (unsigned)byte, bits);
}

bool trn_act_field_at(enum trn_act_entry entry, enum trn_act_layout layout, const uint8_t *bytes,
                      size_t i, struct trn_act_field *out)
{
    for (size_t row = 0; row < entries[entry].count; row++) {
        const struct trn_act_field_row *const r = &entries[entry].rows[row];
        if (!trn_bits_get(r->layouts, layout, 1) || i-- > 0)
            continue;
        *out = (struct trn_act_field){r->name, r->bit_lo, r->bits,
                                      field_value(bytes, entry_bytes[entry], r->bit_lo, r->bits),
                                      r->meaning};
        return true;
    }
    return false;
}
