/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/record_json.h"

#include <stdio.h>

#include "cli/word_json.h"

static json_t *fields_to_json(const struct trn_record *record)
{
    struct trn_record_field fields[TRN_RECORD_MAX_FIELDS];
    const size_t count = trn_record_fields(record, fields);
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, fields[i].name, json_integer((json_int_t)fields[i].value));
    return object;
}

static json_t *host_to_json(const struct trn_record *record)
{
    const struct trn_record_host host = trn_record_host(record);
    const char *const name = trn_error_name("host_status", host.status);
    json_t *object = json_object();
    json_object_set_new(object, "status", json_integer(host.status));
    json_object_set_new(object, "name", name ? json_string(name) : json_null());
    if (host.later_status)
        json_object_set_new(object, "then", json_integer(host.later_status));
    if (record->type == TRN_RECORD_TPB_ERROR)
        json_object_set_new(object, "class",
                            json_string(trn_error_name("error_class", host.error_class)));
    if (host.counter)
        json_object_set_new(object, "counter", json_integer(host.counter));
    return object;
}

bool cli_record_read(const struct trn_gen *gen, const uint8_t raw[TRN_RECORD_BYTES],
                     struct trn_record *record, char text[CLI_RECORD_TEXT_MAX])
{
    struct trn_diag diag;
    const bool known = trn_record_decode(raw, record, &diag) == TRN_OK;
    if (known)
        trn_record_text(gen, record, text);
    else
        snprintf(text, CLI_RECORD_TEXT_MAX, "unknown record: %s", diag.message);
    return known;
}

json_t *cli_record_json(const struct trn_gen *gen, size_t index,
                        const uint8_t raw[TRN_RECORD_BYTES])
{
    struct trn_record decoded;
    const struct trn_record *const record = &decoded;
    char text[CLI_RECORD_TEXT_MAX];
    const bool known = cli_record_read(gen, raw, &decoded, text);
    char time[24];
    const char *const name = trn_record_name(record->type);
    const char *const form = known ? trn_record_form_name(record->form) : "";
    snprintf(time, sizeof time, "0x%llx", (unsigned long long)record->timestamp);
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_string("trench.notify/1"));
    json_object_set_new(object, "index", json_integer((json_int_t)index));
    json_object_set_new(object, "type", name ? json_string(name) : json_null());
    json_object_set_new(object, "code", json_integer(record->type));
    json_object_set_new(object, "form", *form ? json_string(form) : json_null());
    json_object_set_new(object, "phase", json_integer(record->phase));
    json_object_set_new(object, "hw_overflow", json_integer(record->hw_overflow));
    json_object_set_new(object, "sw_overflow", json_integer(record->sw_overflow));
    json_object_set_new(object, "timestamp", json_string(time));
    json_object_set_new(object, "fields", known ? fields_to_json(record) : json_object());
    json_object_set_new(object, "host", known ? host_to_json(record) : json_null());
    json_object_set_new(object, "text", json_string(text));
    json_object_set_new(object, "raw", cli_hex_string(raw, TRN_RECORD_BYTES));
    return object;
}
