/* SPDX-License-Identifier: Apache-2.0 */
/* Sync blocks as text: lines below the word where a line can say it, plain fields where not. */
#include "isa/dis.h"
#include "isa/text_sync.h"
#include "isa_fields.h"
#include "trench/enums.h"

/* Fields of a lane by place; EVENTS has one value, which both lines share. */
enum { WAIT_MODE, WAIT_IDX, UPDATE_MODE, UPDATE_IDX, WAIT_VALUE, UPDATE_VALUE, NUM_PLACES };

struct lines {
    const struct trn_sync_mode *wait, *update; /* NULL: no line */
    bool said[NUM_PLACES];
};

/* The mode's line, NULL when it has none on this generation or cannot say index and value. */
static const struct trn_sync_mode *line_of(const struct trn_dis *word,
                                           const struct trn_sync_mode *mode, enum trn_enum_id id,
                                           uint8_t index, uint32_t value)
{
    if (!mode || !trn_text_member(id, mode->mode, word->isa))
        return NULL;
    if (!mode->index && index)
        return NULL;
    return mode->operand == TRN_SYNC_REGISTER && value > UINT8_MAX ? NULL : mode;
}

static struct lines lines_of(const struct trn_dis *word, const struct trn_sync_lane *lane,
                             bool shared)
{
    struct lines lines = {0};
    if (lane->wait_mode != TRN_WAIT_MODE_NONE)
        lines.wait = line_of(word, trn_wait_mode(lane->wait_mode), TRN_ENUM_WAIT_MODE,
                             lane->wait_idx, lane->wait_value);
    if (lane->update_mode != TRN_UPDATE_MODE_NONE)
        lines.update = line_of(word, trn_update_mode(lane->update_mode), TRN_ENUM_UPDATE_MODE,
                               lane->update_idx, lane->update_value);
    lines.said[WAIT_MODE] = lines.said[WAIT_IDX] = lines.wait;
    lines.said[UPDATE_MODE] = lines.said[UPDATE_IDX] = lines.update;
    const bool wait_value = lines.wait && lines.wait->operand != TRN_SYNC_NOTHING;
    const bool update_value = lines.update && lines.update->operand != TRN_SYNC_NOTHING;
    lines.said[WAIT_VALUE] = wait_value || (shared && update_value);
    lines.said[UPDATE_VALUE] = update_value;
    return lines;
}

static char *put_operand(enum trn_sync_operand operand, uint32_t value, char *out)
{
    uint8_t bytes[4];
    trn_put32(bytes, value);
    switch (operand) {
    case TRN_SYNC_NOTHING:
        return out;
    case TRN_SYNC_NUMBER:
        *out++ = ' ';
        return trn_put_unsigned(out, value);
    case TRN_SYNC_REGISTER:
        *out++ = ' ';
        return trn_dis_register(value, out);
    case TRN_SYNC_REGISTER_OFFSET:
        *out++ = ' ';
        out = trn_dis_register(trn_sem_base_offset_reg(bytes, 0), out);
        *out++ = '+';
        return trn_put_unsigned(out, trn_sem_base_offset_off(bytes, 0));
    }
    return out;
}

/* `  wait   sem=3 ge 1` or `  update sem=4 inc complete`. */
static char *put_line(const char *keyword, const struct trn_sync_mode *mode, bool is_update,
                      uint8_t index, uint32_t value, char *out)
{
    out = stpcpy(stpcpy(out, "  "), keyword);
    if (mode->index) {
        *out++ = ' ';
        out = stpcpy(out, mode->index);
        *out++ = '=';
        out = trn_put_decimal(out, index);
    }
    *out++ = ' ';
    out = put_operand(mode->operand, value, stpcpy(out, mode->word));
    if (is_update)
        out = stpcpy(out, mode->on_read ? " read" : " complete");
    *out++ = '\n';
    return out;
}

static char *put_lane_lines(const struct lines *lines, const struct trn_sync_lane *lane,
                            bool extended, char *out)
{
    if (lines->wait)
        out = put_line(extended ? "ext_wait" : "wait", lines->wait, false, lane->wait_idx,
                       lane->wait_value, out);
    if (lines->update)
        out = put_line(extended ? "ext_update" : "update", lines->update, true, lane->update_idx,
                       lane->update_value, out);
    return out;
}

/* A word with EVENTS only, and those all zero. */
static bool has_no_sync(const struct trn_dis *word)
{
    const struct trn_text_layout *layout = word->layout;
    if (layout->lanes[0] == TRN_TEXT_NO_FIELD || layout->lanes[1] != TRN_TEXT_NO_FIELD)
        return false;
    return trn_get64(word->bytes + layout->fields[layout->lanes[0]].offset) == 0;
}

char *trn_dis_sync(const struct trn_dis *word, char *out)
{
    const struct trn_text_layout *layout = word->layout;
    if (has_no_sync(word)) {
        *out++ = '\n';
        return out;
    }
    struct trn_sync_lane lanes[2];
    struct lines lines[2];
    unsigned num_lanes = 0;
    for (; num_lanes < 2 && layout->lanes[num_lanes] != TRN_TEXT_NO_FIELD; num_lanes++) {
        const bool extended = num_lanes == 1;
        lanes[num_lanes] = trn_sync_lane(word->bytes, num_lanes);
        lines[num_lanes] = lines_of(word, &lanes[num_lanes], !extended);
        const struct trn_text_field *fields = &layout->fields[layout->lanes[num_lanes]];
        for (unsigned i = 0; i < (extended ? NUM_PLACES : NUM_PLACES - 1); i++)
            if (!lines[num_lanes].said[i])
                out = trn_dis_field(word, &fields[i], out);
    }
    *out++ = '\n';
    for (unsigned i = 0; i < num_lanes; i++)
        out = put_lane_lines(&lines[i], &lanes[i], i == 1, out);
    return out;
}
