/* SPDX-License-Identifier: Apache-2.0 */
/* The .act file (docs/activation.md, "The file"): a head, a record a function, then the entries in
 * use of CAM, PROFILE, CONTROL and BUCKET as the device holds them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "act/check.h"
#include "base/bytes.h"

enum {
    MAGIC_BYTES = 8,
    HEAD_LAYOUT = 8,
    HEAD_FUNCTIONS = 10,
    HEAD_CONTROL = 12,
    HEAD_BUCKET = 14,
    HEAD_NAME = 16,
    HEAD_END = HEAD_NAME + TRN_ACT_NAME_BYTES,
    HEAD_BYTES = 96,
    RECORD_FUNC_ID = TRN_ACT_NAME_BYTES,
    RECORD_LO = 68,
    RECORD_HI = 72,
    RECORD_END = 76,
    RECORD_EXPRESSION = 80,
    RECORD_BYTES = RECORD_EXPRESSION + TRN_ACT_EXPRESSION_BYTES,
};

static const char magic[MAGIC_BYTES + 1] = "TRNACT1\n";

struct reader {
    const uint8_t *bytes;
    size_t size;
    const char *file;
    struct trn_diag *diag;
};

static trn_status refuse(const struct reader *r, size_t at, const char *expected,
                         const char *message)
{
    char where[sizeof r->diag->where];
    snprintf(where, sizeof where, "%.120s:byte %zu", r->file, at);
    return trn_diag_set(r->diag, TRN_ERR_FORMAT, where, "ACT_FILE", expected, "%s", message);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Printable characters, a NUL, zeros. */
static bool is_text(const uint8_t *bytes, size_t size, int (*allowed)(int))
{
    size_t n = 0;
    while (n < size && allowed(bytes[n]))
        n++;
    return n < size && is_zero(bytes + n, size - n);
}

static bool is_name(const uint8_t *bytes)
{
    return bytes[0] && is_text(bytes, TRN_ACT_NAME_BYTES, isgraph);
}

static trn_status read_head(const struct reader *r, struct trn_act_set *out)
{
    if (r->size < MAGIC_BYTES || memcmp(r->bytes, magic, MAGIC_BYTES) != 0)
        return refuse(r, 0, "a file that trench act fit wrote",
                      "this is no file of activation tables");
    if (r->size < HEAD_BYTES)
        return refuse(r, r->size, "a head of 96 bytes", "the file ends too early");
    const unsigned layout = trn_get16(r->bytes + HEAD_LAYOUT);
    if (layout >= TRN_ACT_LAYOUTS)
        return refuse(r, HEAD_LAYOUT, "0 (sunda) or 1 (later)", "unknown layout of the entries");
    out->layout = (enum trn_act_layout)layout;
    out->num_functions = trn_get16(r->bytes + HEAD_FUNCTIONS);
    out->num_control = trn_get16(r->bytes + HEAD_CONTROL);
    out->num_bucket = trn_get16(r->bytes + HEAD_BUCKET);
    if (out->num_functions > TRN_ACT_PROFILE_ENTRIES)
        return refuse(r, HEAD_FUNCTIONS, "at most 64 functions",
                      "more functions than PROFILE holds");
    if (out->num_control > TRN_ACT_CONTROL_ENTRIES)
        return refuse(r, HEAD_CONTROL, "at most 256 words", "more words than CONTROL holds");
    if (out->num_bucket > TRN_ACT_BUCKET_ENTRIES)
        return refuse(r, HEAD_BUCKET, "at most 2048 buckets", "more buckets than BUCKET holds");
    if (!is_name(r->bytes + HEAD_NAME))
        return refuse(r, HEAD_NAME, "1 to 63 printable characters, then zeros",
                      "the name of the set cannot be read");
    if (!is_zero(r->bytes + HEAD_END, HEAD_BYTES - HEAD_END))
        return refuse(r, HEAD_END, "zeros", "reserved bytes of the head are set");
    memcpy(out->name, r->bytes + HEAD_NAME, sizeof out->name);
    return TRN_OK;
}

static size_t file_bytes(const struct trn_act_set *set)
{
    return HEAD_BYTES +
           (size_t)set->num_functions * (RECORD_BYTES + TRN_ACT_CAM_BYTES + TRN_ACT_PROFILE_BYTES) +
           (size_t)set->num_control * TRN_ACT_CONTROL_BYTES +
           (size_t)set->num_bucket * TRN_ACT_BUCKET_BYTES;
}

static trn_status read_record(const struct reader *r, size_t at, unsigned slot,
                              struct trn_act_member *out)
{
    const uint8_t *const record = r->bytes + at;
    if (!is_name(record))
        return refuse(r, at, "1 to 63 printable characters, then zeros",
                      "the name of a function cannot be read");
    if (!is_zero(record + RECORD_FUNC_ID + 1, RECORD_LO - RECORD_FUNC_ID - 1) ||
        !is_zero(record + RECORD_END, RECORD_EXPRESSION - RECORD_END))
        return refuse(r, at + RECORD_FUNC_ID, "zeros", "reserved bytes of a function are set");
    if (!is_text(record + RECORD_EXPRESSION, TRN_ACT_EXPRESSION_BYTES, isprint))
        return refuse(r, at + RECORD_EXPRESSION, "up to 255 printable characters, then zeros",
                      "the expression of a function cannot be read");
    memcpy(out->name, record, sizeof out->name);
    memcpy(out->expression, record + RECORD_EXPRESSION, sizeof out->expression);
    out->func_id = record[RECORD_FUNC_ID];
    out->slot = (uint8_t)slot;
    out->lo = trn_getf32(record + RECORD_LO);
    out->hi = trn_getf32(record + RECORD_HI);
    if (!(out->lo < out->hi))
        return refuse(r, at + RECORD_LO, "LO below HI", "the range of a function is empty");
    return TRN_OK;
}

static void read_entries(const uint8_t *at, struct trn_act_set *out)
{
    const struct {
        uint8_t *table;
        size_t bytes;
    } parts[] = {
        {out->cam, (size_t)out->num_functions * TRN_ACT_CAM_BYTES},
        {out->profile, (size_t)out->num_functions * TRN_ACT_PROFILE_BYTES},
        {out->control, (size_t)out->num_control * TRN_ACT_CONTROL_BYTES},
        {out->bucket, (size_t)out->num_bucket * TRN_ACT_BUCKET_BYTES},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        memcpy(parts[i].table, at, parts[i].bytes);
        at += parts[i].bytes;
    }
}

/* Warnings do not refuse a file. */
static trn_status check_rules(const struct reader *r, const struct trn_act_set *set)
{
    struct trn_act_finding error;
    char where[sizeof r->diag->where];
    if (!trn_act_set_first_error(set, &error))
        return TRN_OK;
    snprintf(where, sizeof where, "%.120s:%s", r->file, error.where);
    return trn_diag_set(r->diag, TRN_ERR_INVALID, where, error.rule, error.expected, "%s",
                        error.message);
}

static trn_status read_all(const struct reader *r, struct trn_act_set *out)
{
    trn_status status = read_head(r, out);
    if (status != TRN_OK)
        return status;
    if (r->size != file_bytes(out)) {
        char expected[64];
        snprintf(expected, sizeof expected, "%zu bytes by its head", file_bytes(out));
        const size_t end = r->size < file_bytes(out) ? r->size : file_bytes(out);
        return refuse(r, end, expected,
                      r->size < file_bytes(out) ? "the file ends too early"
                                                : "bytes follow the end of the file");
    }
    size_t at = HEAD_BYTES;
    for (unsigned i = 0; i < out->num_functions && status == TRN_OK; i++, at += RECORD_BYTES)
        status = read_record(r, at, i, &out->member[i]);
    if (status != TRN_OK)
        return status;
    read_entries(r->bytes + at, out);
    return check_rules(r, out);
}

trn_status trn_act_file_parse(const void *bytes, size_t size, const char *file,
                              struct trn_act_set *out, struct trn_diag *diag)
{
    struct trn_diag own;
    const struct reader r = {bytes, size, file, diag ? diag : &own};
    memset(out, 0, sizeof *out);
    const trn_status status = read_all(&r, out);
    if (status != TRN_OK)
        memset(out, 0, sizeof *out);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, const void *bytes, size_t n)
{
    memcpy(at, bytes, n);
    return at + n;
}

size_t trn_act_file_build(const struct trn_act_set *set, uint8_t *out)
{
    memset(out, 0, file_bytes(set));
    memcpy(out, magic, MAGIC_BYTES);
    trn_put16(out + HEAD_LAYOUT, (uint16_t)set->layout);
    trn_put16(out + HEAD_FUNCTIONS, set->num_functions);
    trn_put16(out + HEAD_CONTROL, set->num_control);
    trn_put16(out + HEAD_BUCKET, set->num_bucket);
    memcpy(out + HEAD_NAME, set->name, sizeof set->name);
    uint8_t *at = out + HEAD_BYTES;
    for (unsigned i = 0; i < set->num_functions; i++, at += RECORD_BYTES) {
        memcpy(at, set->member[i].name, sizeof set->member[i].name);
        memcpy(at + RECORD_EXPRESSION, set->member[i].expression, sizeof set->member[i].expression);
        at[RECORD_FUNC_ID] = set->member[i].func_id;
        trn_putf32(at + RECORD_LO, set->member[i].lo);
        trn_putf32(at + RECORD_HI, set->member[i].hi);
    }
    at = put(at, set->cam, (size_t)set->num_functions * TRN_ACT_CAM_BYTES);
    at = put(at, set->profile, (size_t)set->num_functions * TRN_ACT_PROFILE_BYTES);
    at = put(at, set->control, (size_t)set->num_control * TRN_ACT_CONTROL_BYTES);
    at = put(at, set->bucket, (size_t)set->num_bucket * TRN_ACT_BUCKET_BYTES);
    return (size_t)(at - out);
}
