/* SPDX-License-Identifier: Apache-2.0 */
/* Random ring bytes into the decoder: what it knows it can encode again, every sentence ends, and
 * the collection of a host stays within its room. */
#include <stdlib.h>
#include <string.h>

#include "trench/drain.h"

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void look_at(const uint8_t *raw)
{
    struct trn_record record, again;
    struct trn_record_field fields[TRN_RECORD_MAX_FIELDS];
    uint8_t bytes[TRN_RECORD_BYTES];
    char text[TRN_RECORD_TEXT_MAX];
    const bool known = trn_record_decode(raw, &record, NULL) == TRN_OK;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const size_t length = trn_record_text(trn_gen_at(g), &record, text);
        require(length < sizeof text && strlen(text) == length);
    }
    require(trn_record_fields(&record, fields) <= TRN_RECORD_MAX_FIELDS);
    if (!known)
        return;
    require(trn_record_encode(&record, bytes, NULL) == TRN_OK);
    require(trn_record_decode(bytes, &again, NULL) == TRN_OK);
    require(again.form == record.form && memcmp(&again.body, &record.body, sizeof again.body) == 0);
    require(trn_error_name("host_status", trn_record_host(&record).status) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trn_collect collect = {0};
    struct trn_completion completion = {0};
    for (size_t at = 0; at + TRN_RECORD_BYTES <= size; at += TRN_RECORD_BYTES) {
        struct trn_record record;
        look_at(data + at);
        (void)trn_collect_add(&collect, data + at);
        if (trn_record_decode(data + at, &record, NULL) == TRN_OK)
            (void)trn_completion_feed(&completion, &record);
    }
    uint64_t counted = collect.others + collect.unknown;
    require(collect.num_kinds <= TRN_COLLECT_KINDS);
    for (size_t i = 0; i < collect.num_kinds; i++)
        counted += collect.kinds[i].count;
    require(counted == collect.records);
    return 0;
}
