/* SPDX-License-Identifier: Apache-2.0 */
/* Notification records as bytes and as structs (docs/hardware/notification-records.md 2 to 5, 7).
 */
#include <string.h>

#include "base/bytes.h"
#include "gen/device_rows.h"
#include "record_pack.h"
#include "trench/notify.h"

enum { NUM_CODES = 1 << TRN_FRAME_NOTIFIC_TYPE_BITS, MOST_PACKETS = 4096 };
enum { HINT_NOTIFY = 0, HINT_DGE = 1, N_TYPE_INTERRUPT = 0, N_TYPE_WARNING = 1 };
enum { LAST_ERROR_ID = 0x0B }; /* 5.1: the host's bound; 0x0B has no name */

/* ---- names --------------------------------------------------------------------------- */

const char *trn_record_name(uint8_t type)
{
    for (size_t i = 0; i < trn_num_records; i++)
        if (trn_record_table[i].code == type)
            return trn_record_table[i].name;
    return NULL;
}

const char *trn_record_form_name(enum trn_record_form form)
{
    return (unsigned)form < TRN_FORM_COUNT ? trn_record_forms[form].form : "";
}

static bool form_is_of(enum trn_record_form form, uint8_t type)
{
    return (unsigned)form < TRN_FORM_COUNT && type < NUM_CODES &&
           trn_bits_get(trn_record_forms[form].codes, type, 1);
}

enum { FIRST_ENGINE_CODE = TRN_RECORD_TPB_PE_INST_START, CLASSES = 4, ENGINES = 5 };

int trn_record_engine(uint8_t type)
{
    const int engine = (type - FIRST_ENGINE_CODE) / CLASSES;
    return type >= FIRST_ENGINE_CODE && engine < ENGINES ? engine : -1;
}

uint8_t trn_record_code_of(int engine, unsigned klass)
{
    return engine >= 0 && engine < ENGINES && klass < CLASSES
               ? (uint8_t)(FIRST_ENGINE_CODE + CLASSES * engine + (int)klass)
               : 0;
}

/* 5.7 (model choice): block_id 1 PE, 2 POOL, 3 ACT, 4 DVE, 5 SP; index: engine number. */
static const uint8_t block_ids[ENGINES] = {1, 3, 2, 4, 5};

uint8_t trn_record_block_of(int engine)
{
    return engine >= 0 && engine < ENGINES ? block_ids[engine] : 0;
}

int trn_record_engine_of_block(uint8_t block_id)
{
    for (int engine = 0; engine < ENGINES; engine++)
        if (block_ids[engine] == block_id)
            return engine;
    return -1;
}

const char *trn_error_name(const char *group, unsigned value)
{
    for (size_t i = 0; i < trn_num_errors; i++)
        if (trn_error_table[i].value == value && strcmp(trn_error_table[i].group, group) == 0)
            return trn_error_table[i].name;
    return NULL;
}

/* ---- fields -------------------------------------------------------------------------- */

/* Rows of the form, which share its name and its record types. */
static bool row_is_of(const struct trn_record_field_row *row, enum trn_record_form form)
{
    return row->codes == trn_record_forms[form].codes &&
           strcmp(row->form, trn_record_forms[form].form) == 0;
}

size_t trn_record_fields(const struct trn_record *record,
                         struct trn_record_field fields[TRN_RECORD_MAX_FIELDS])
{
    size_t count = 0;
    if ((unsigned)record->form >= TRN_FORM_COUNT)
        return 0;
    const uint64_t bits = trn_record_pack(record->form, &record->body);
    for (size_t i = 0; i < trn_num_record_fields && count < TRN_RECORD_MAX_FIELDS; i++) {
        const struct trn_record_field_row *row = &trn_record_field_table[i];
        if (row_is_of(row, record->form))
            fields[count++] =
                (struct trn_record_field){row->name, trn_bits_get(bits, row->low, row->bits)};
    }
    if (record->form == TRN_FORM_EXPLICIT_DGE_METADATA) /* 4.4: 0 in the record means 4096 */
        for (size_t i = 0; i < count; i++)
            if (strcmp(fields[i].name, "num_packets") == 0)
                fields[i].value = record->body.explicit_dge_metadata.num_packets;
    return count;
}

/* ---- DMA records: the kind decides the form (4.9) --------------------------------------- */

static bool dma_form(unsigned kind, enum trn_record_form *form)
{
    static const uint8_t forms[] = {
        [0x1] = TRN_FORM_DMA_SOP,        [0x4] = TRN_FORM_DMA_SOP,
        [0x2] = TRN_FORM_DMA_EOP,        [0x5] = TRN_FORM_DMA_EOP,
        [0x3] = TRN_FORM_DMA_COMPLETION, [0x6] = TRN_FORM_DMA_COMPLETION,
        [0x8] = TRN_FORM_DMA_AXI_REQ,    [0x9] = TRN_FORM_DMA_AXI_REQ,
        [0xA] = TRN_FORM_DMA_AXI_RSP,    [0xB] = TRN_FORM_DMA_AXI_RSP,
        [0xC] = TRN_FORM_DMA_APB_REQ,    [0xD] = TRN_FORM_DMA_APB_REQ};
    if (kind >= sizeof forms / sizeof forms[0] || forms[kind] == 0)
        return false;
    *form = (enum trn_record_form)forms[kind];
    return true;
}

static unsigned dma_kind(uint64_t bits)
{
    union trn_record_body body;
    trn_record_unpack(TRN_FORM_DMA_SOP, bits, &body);
    return body.dma_sop.dma_notific_type;
}

/* ---- encode --------------------------------------------------------------------------- */

/* The body with what its form fixes; `room` is for those that differ from the given one. */
static const union trn_record_body *settled(const struct trn_record *record,
                                            union trn_record_body *room)
{
    switch (record->form) {
    case TRN_FORM_EXPLICIT_NOTIFY:
        room->explicit_notify = record->body.explicit_notify;
        room->explicit_notify.debug_hint = HINT_NOTIFY;
        return room;
    case TRN_FORM_EXPLICIT_DGE_METADATA:
        room->explicit_dge_metadata = record->body.explicit_dge_metadata;
        room->explicit_dge_metadata.debug_hint = HINT_DGE;
        room->explicit_dge_metadata.num_packets %= MOST_PACKETS;
        return room;
    case TRN_FORM_ERROR_INTERRUPT:
        room->error_interrupt = record->body.error_interrupt;
        room->error_interrupt.n_type = N_TYPE_INTERRUPT;
        return room;
    case TRN_FORM_ERROR_WARNING:
        room->error_warning = record->body.error_warning;
        room->error_warning.n_type = N_TYPE_WARNING;
        return room;
    default:
        return &record->body;
    }
}

static trn_status check_numbers(const struct trn_record *record, uint64_t bits,
                                const union trn_record_body *body, struct trn_diag *diag)
{
    enum trn_record_form form;
    const unsigned packets = record->body.explicit_dge_metadata.num_packets;
    if (record->form == TRN_FORM_EXPLICIT_DGE_METADATA && (packets < 1 || packets > MOST_PACKETS))
        return trn_diag_set(diag, TRN_ERR_RANGE, "num_packets", NULL, "1 to 4096",
                            "%u packets do not fit a DGE metadata record", packets);
    if (!trn_record_fits(record->form, body)) /* packing would have cut them off */
        return trn_diag_set(diag, TRN_ERR_RANGE, NULL, NULL, "the widths of record-fields.csv",
                            "a number does not fit its field of %s", trn_record_name(record->type));
    if (record->type == TRN_RECORD_DMA &&
        !(dma_form(dma_kind(bits), &form) && form == record->form))
        return trn_diag_set(diag, TRN_ERR_RANGE, "dma_notific_type", NULL, NULL,
                            "%u is no kind of a DMA record of form %s", dma_kind(bits),
                            trn_record_form_name(record->form));
    return TRN_OK;
}

trn_status trn_record_encode(const struct trn_record *record, uint8_t out[TRN_RECORD_BYTES],
                             struct trn_diag *diag)
{
    if (!form_is_of(record->form, record->type))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "record type 0x%02x has no such form", record->type);
    union trn_record_body room;
    const union trn_record_body *const body = settled(record, &room);
    const uint64_t bits = trn_record_pack(record->form, body);
    const trn_status status = check_numbers(record, bits, body, diag);
    if (status != TRN_OK)
        return status;
    /* The header lies between the halves of a body (4.10), so it goes into the packed word. */
    trn_put64(out, trn_bits_set(bits, TRN_FRAME_NOTIFIC_TYPE_LOW, TRN_FRAME_NOTIFIC_TYPE_BITS,
                                record->type));
    trn_put64(out + 8, 0);
    return TRN_OK;
}

/* ---- decode --------------------------------------------------------------------------- */

static trn_status refuse(struct trn_diag *diag, const char *where, const char *expected,
                         const char *what, unsigned value)
{
    return trn_diag_set(diag, TRN_ERR_FORMAT, where, NULL, expected, "%s 0x%02x", what, value);
}

static trn_status explicit_form(uint64_t bits, enum trn_record_form *form, struct trn_diag *diag)
{
    union trn_record_body body;
    trn_record_unpack(TRN_FORM_EXPLICIT_NOTIFY, bits, &body);
    const unsigned hint = body.explicit_notify.debug_hint;
    *form = hint == HINT_DGE ? TRN_FORM_EXPLICIT_DGE_METADATA : TRN_FORM_EXPLICIT_NOTIFY;
    return hint <= HINT_DGE ? TRN_OK
                            : refuse(diag, "debug_hint", "0 or 1", "unexpected debug hint", hint);
}

static trn_status tpb_error_form(uint64_t bits, enum trn_record_form *form, struct trn_diag *diag)
{
    union trn_record_body body;
    trn_record_unpack(TRN_FORM_TPB_ERROR, bits, &body);
    const unsigned id = body.tpb_error.error_id;
    const bool sequencer =
        id == TRN_ERROR_ID_SEQUENCER_NONFATAL || id == TRN_ERROR_ID_SEQUENCER_FATAL;
    *form = sequencer ? TRN_FORM_TPB_ERROR_SEQUENCER : TRN_FORM_TPB_ERROR;
    return id <= LAST_ERROR_ID ? TRN_OK
                               : refuse(diag, "error_id", "at most 0x0b", "unknown error id", id);
}

static enum trn_record_form error_form(uint64_t bits)
{
    union trn_record_body body;
    trn_record_unpack(TRN_FORM_ERROR_WARNING, bits, &body);
    return body.error_warning.n_type == N_TYPE_WARNING ? TRN_FORM_ERROR_WARNING
                                                       : TRN_FORM_ERROR_INTERRUPT;
}

static trn_status form_of(uint8_t type, uint64_t bits, enum trn_record_form *form,
                          struct trn_diag *diag)
{
    if (form_is_of(TRN_FORM_EXPLICIT_NOTIFY, type))
        return explicit_form(bits, form, diag);
    if (type == TRN_RECORD_TPB_ERROR)
        return tpb_error_form(bits, form, diag);
    if (type == TRN_RECORD_DMA)
        return dma_form(dma_kind(bits), form)
                   ? TRN_OK
                   : refuse(diag, "dma_notific_type", NULL, "unknown kind of DMA record",
                            dma_kind(bits));
    if (type == TRN_RECORD_ERROR) {
        *form = error_form(bits);
        return TRN_OK;
    }
    for (unsigned f = 0; f < TRN_FORM_COUNT; f++)
        if (form_is_of((enum trn_record_form)f, type)) {
            *form = (enum trn_record_form)f;
            return TRN_OK;
        }
    return refuse(diag, "header", "a code of notification-types.csv", "unused record type", type);
}

#define FRAME_BIT(bits, name) (trn_bits_get(bits, TRN_FRAME_##name##_LOW, 1) != 0)

trn_status trn_record_decode(const uint8_t raw[TRN_RECORD_BYTES], struct trn_record *record,
                             struct trn_diag *diag)
{
    const uint64_t bits = trn_get64(raw);
    *record = (struct trn_record){.type = (uint8_t)trn_bits_get(bits, TRN_FRAME_NOTIFIC_TYPE_LOW,
                                                                TRN_FRAME_NOTIFIC_TYPE_BITS),
                                  .phase = FRAME_BIT(bits, PHASE),
                                  .hw_overflow = FRAME_BIT(bits, HARDWARE_QUEUE_OVERFLOW),
                                  .sw_overflow = FRAME_BIT(bits, SOFTWARE_QUEUE_OVERFLOW),
                                  .timestamp = trn_get64(raw + 8),
                                  .form = TRN_FORM_COUNT};
    enum trn_record_form form = TRN_FORM_COUNT;
    const trn_status status = form_of(record->type, bits, &form, diag);
    if (status != TRN_OK)
        return status;
    record->form = form;
    trn_record_unpack(form, bits, &record->body);
    struct trn_record_explicit_dge_metadata *const dge = &record->body.explicit_dge_metadata;
    if (form == TRN_FORM_EXPLICIT_DGE_METADATA && dge->num_packets == 0)
        dge->num_packets = MOST_PACKETS;
    return TRN_OK;
}
