/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image: strings and their census, kernel tables by every way of finding them, and
 * a CAM with its TABLE stay inside and keep their promises. */
#include <stdlib.h>
#include <string.h>

#include "trench/fw_data.h"

/* The bytes, exactly as long as they are, so that a byte too far is found. */
static uint8_t *copy_of(const uint8_t *data, size_t size)
{
    uint8_t *const copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    return copy;
}

static size_t walk_strings(const uint8_t *bytes, size_t size)
{
    struct trn_fw_text text;
    size_t count = 0, last = 0;
    for (size_t at = 0; trn_fw_next_string(bytes, size, &at, &text); count++) {
        if (text.size < TRN_FW_STRING_MIN || text.offset < last ||
            text.offset + text.size >= size || bytes[text.offset + text.size] != 0)
            abort();
        last = text.offset + text.size;
    }
    return count;
}

static void census(const uint8_t *bytes, size_t size)
{
    struct trn_fw_census census;
    if (trn_fw_census_take(bytes, size, &census) == TRN_OK) {
        if (census.strings != walk_strings(bytes, size) || census.num_handlers > census.log_lines)
            abort();
        for (size_t i = 0; i < census.num_tokens; i++)
            if (census.tokens[i].whole > census.tokens[i].raw)
                abort();
    }
    trn_fw_census_free(&census);
}

static void common(const uint8_t *bytes, size_t size)
{
    const struct trn_fw_span spans[] = {{bytes, size}, {bytes, size / 2}};
    struct trn_fw_common common;
    trn_fw_strings_common(spans, 2, &common, NULL);
    trn_fw_common_free(&common);
}

static void tables(const uint8_t *bytes, size_t size, const struct trn_fw_kernel_place *place)
{
    struct trn_fw_kernels kernels;
    struct trn_diag diag = {0};
    const trn_status status = trn_fw_kernels_find(bytes, size, "input", place, &kernels, &diag);
    if (status != TRN_OK && diag.message[0] == '\0')
        abort();
    for (size_t i = 0; i < kernels.count; i++)
        for (size_t j = 0; j < kernels.tables[i].count; j++)
            if (kernels.tables[i].entries[j].offset + 8 > size)
                abort();
    trn_fw_kernels_free(&kernels);
}

static void prof(const uint8_t *bytes, size_t size)
{
    struct trn_fw_prof found;
    const size_t cam = size < TRN_FW_PROF_CAM_BYTES ? size : TRN_FW_PROF_CAM_BYTES;
    trn_fw_prof_check(bytes, cam, bytes + cam, size - cam, &found);
    if (!found.holds && found.problem[0] == '\0')
        abort();
    trn_fw_prof_check(bytes, size, NULL, 0, &found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const struct trn_fw_kernel_place scan = {.scan_only = true};
    const struct trn_fw_kernel_place there = {
        .has_offset = true, .offset = data[0] * 4U, .count = data[1]};
    uint8_t *const bytes = copy_of(data + 2, size - 2);
    census(bytes, size - 2);
    common(bytes, size - 2);
    tables(bytes, size - 2, NULL);
    tables(bytes, size - 2, &scan);
    tables(bytes, size - 2, &there);
    prof(bytes, size - 2);
    free(bytes);
    return 0;
}
