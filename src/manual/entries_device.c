/* SPDX-License-Identifier: Apache-2.0 */
/* Notification records, input buffers, errors, interrupt triggers and DMA causes. */
#include <string.h>

#include "base/bytes.h"
#include "gen/device_rows.h"
#include "manual/entry.h"

/* ---- records ---------------------------------------------------------------------- */

static uint32_t record_rows(void)
{
    return (uint32_t)trn_num_records;
}

static void record_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const char *name = trn_record_table[row].name;
    spell(out, "%s", name);
    if (strncmp(name, "TPB_", 4) == 0)
        spell(out, "%s", name + 4);
}

static bool record_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_record_table[row].code;
    return true;
}

static void record_layout(struct page *page, unsigned code)
{
    static const struct trn_manual_column columns[] = {
        {"bits", TRN_MANUAL_COLUMN_PLAIN},    {"field", TRN_MANUAL_COLUMN_PLAIN},
        {"form", TRN_MANUAL_COLUMN_PLAIN},    {"confidence", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    PAGE_TABLE(page, "layout", columns);
    for (size_t i = 0; i < trn_num_record_fields; i++) {
        const struct trn_record_field_row *field = &trn_record_field_table[i];
        if (!trn_bits_get(field->codes, code, 1))
            continue;
        const struct trn_manual_value cells[] = {
            value_text(bits_text(page, field->low, field->bits)), value_text(field->name),
            value_text(field->form), value_text(field->confidence), value_text(field->meaning)};
        page_row(page, cells);
    }
}

static void record_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    page_title(page, trn_record_table[row].name, trn_record_table[row].meaning);
    page_fact(page, "code", value_hex(trn_record_table[row].code, 2));
    page_fact(page, "bytes", value_number(16));
    page_text(page, "sheet", "notification-records.md 2 to 4");
    record_layout(page, trn_record_table[row].code);
}

const struct entry_kind entry_record = {
    .name = "record",
    .rows = record_rows,
    .spell = record_spell,
    .number = record_number,
    .page = record_page,
};

/* ---- input buffers ---------------------------------------------------------------- */

static uint32_t input_rows(void)
{
    return (uint32_t)trn_num_wr_buffers;
}

static void input_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "wr_buffer.%s", trn_wr_buffer_table[row].name);
    spell(out, "%s", trn_wr_buffer_table[row].name);
}

static bool input_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_wr_buffer_table[row].bit;
    return true;
}

static void input_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    const unsigned bit = trn_wr_buffer_table[row].bit;
    page_title(page, trn_wr_buffer_table[row].name,
               "input of a notification block; a clear enable bit silences the class");
    page_fact(page, "bit", value_hex(bit, 2));
    page_text(
        page, "enabled_by",
        page_format(page, "notific.wr_buf_enable_%s bit %u", bit < 32 ? "lo" : "hi", bit % 32));
    page_text(page, "note", trn_wr_buffer_table[row].note);
    page_text(page, "sheet", "notific.md 4");
}

const struct entry_kind entry_input_buffer = {
    .name = "notification_input",
    .rows = input_rows,
    .spell = input_spell,
    .number = input_number,
    .page = input_page,
};

/* ---- errors ----------------------------------------------------------------------- */

static uint32_t error_rows(void)
{
    return (uint32_t)trn_num_errors;
}

static void error_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "%s.%s", trn_error_table[row].group, trn_error_table[row].name);
    spell(out, "%s", trn_error_table[row].name);
}

static bool error_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_error_table[row].value;
    return true;
}

static void error_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_error_row *row = &trn_error_table[number];
    page_title(page, page_format(page, "%s.%s", row->group, row->name), row->meaning);
    page_text(page, "group", row->group);
    page_fact(page, "value", value_number(row->value));
    page_text(page, "effect", row->effect);
    page_text(page, "sheet", row->sheet);
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_error = {
    .name = "error",
    .rows = error_rows,
    .spell = error_spell,
    .number = error_number,
    .page = error_page,
};

/* ---- interrupts ------------------------------------------------------------------- */

static uint32_t trigger_rows(void)
{
    return (uint32_t)trn_num_triggers;
}

static void trigger_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "trigger.%s", trn_trigger_table[row].name);
    spell(out, "%s", trn_trigger_table[row].name);
}

static bool trigger_number(uint32_t row, uint32_t part, uint64_t *value)
{
    (void)part;
    *value = trn_trigger_table[row].trigger;
    return true;
}

static void trigger_page(struct page *page, uint32_t number, uint32_t part)
{
    (void)part;
    const struct trn_trigger_row *row = &trn_trigger_table[number];
    page_title(page, page_format(page, "trigger.%s", row->name), row->note);
    page_fact(page, "trigger", value_number(row->trigger));
    page_fact(page, "unit", value_number(row->unit));
    page_fact(page, "group", value_number(row->group));
    page_fact(page, "bit", value_number(row->bit));
    page_text(page, "kind_of_source", row->kind);
    page_text(page, "sheet", "error-handling.md, notific.md 6.2");
    page_text(page, "confidence", row->confidence);
}

const struct entry_kind entry_trigger = {
    .name = "trigger",
    .rows = trigger_rows,
    .spell = trigger_spell,
    .number = trigger_number,
    .page = trigger_page,
};

static uint32_t cause_rows(void)
{
    return (uint32_t)trn_num_dma_causes;
}

static void cause_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    const struct trn_dma_cause_row *cause = &trn_dma_cause_table[row];
    spell(out, "iofic.%c.%u", cause->group, cause->bit);
    spell(out, "%s", cause->cause);
}

static void cause_page(struct page *page, uint32_t row, uint32_t part)
{
    (void)part;
    const struct trn_dma_cause_row *cause = &trn_dma_cause_table[row];
    page_title(page, page_format(page, "iofic.%c.%u", cause->group, cause->bit), cause->cause);
    page_text(page, "secondary_group", page_format(page, "%c", cause->group));
    page_text(page, "direction", cause->direction);
    page_fact(page, "bit", value_number(cause->bit));
    page_fact(page, "mask", value_hex(trn_bits_set(0, cause->bit, 1, 1), 1));
    page_fact(page, "unmasked_at_init", value_bool(cause->unmasked_at_init));
    page_fact(page, "aborts_engine", value_bool(cause->aborts_engine));
    page_text(page, "sheet", "udma.md 9.1, 9.2");
}

const struct entry_kind entry_dma_cause = {
    .name = "dma_cause",
    .rows = cause_rows,
    .spell = cause_spell,
    .page = cause_page,
};
