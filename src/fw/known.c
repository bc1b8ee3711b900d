/* SPDX-License-Identifier: Apache-2.0 */
/* Images that the catalogue has (docs/hardware/firmware-images.md 4). */
#include <stdio.h>
#include <string.h>

#include "fw/known_rows.h"

size_t trn_fw_known_count(void)
{
    return fw_num_known_rows;
}

const struct trn_fw_known *trn_fw_known_at(size_t index)
{
    return index < fw_num_known_rows ? &fw_known_rows[index] : NULL;
}

const char *trn_fw_verdict_name(enum trn_fw_verdict verdict)
{
    static const char *const names[TRN_FW_VERDICTS] = {
        [TRN_FW_KNOWN] = "known",
        [TRN_FW_DIFFERS] = "differs",
        [TRN_FW_NO_REFERENCE] = "no reference",
        [TRN_FW_UNKNOWN] = "unknown",
    };
    return (size_t)verdict < TRN_FW_VERDICTS ? names[verdict] : NULL;
}

static void hash_text(const uint8_t hash[TRN_FW_SHA256], char text[2 * TRN_FW_SHA256 + 1])
{
    for (size_t i = 0; i < TRN_FW_SHA256; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

static bool has_hash(const struct trn_fw_known *row, const char *text)
{
    const size_t tail = strlen(row->sha256_tail);
    return strncmp(text, row->sha256_head, strlen(row->sha256_head)) == 0 &&
           strcmp(text + 2 * TRN_FW_SHA256 - tail, row->sha256_tail) == 0;
}

static bool is_namesake(const struct trn_fw_image *image, const struct trn_fw_known *row)
{
    size_t own, other;
    const char *const a = trn_fw_name_base(image->symbol, &own);
    const char *const b = trn_fw_name_base(row->symbol, &other);
    return own == other && memcmp(a, b, own) == 0;
}

/* The rows of one size and verdict: the first, the namesake, and whether there are several. */
struct found {
    const struct trn_fw_known *first, *own;
    size_t count;
};

static void find(struct found *found, const struct trn_fw_known *row,
                 const struct trn_fw_image *image)
{
    if (found->count++ == 0)
        found->first = row;
    if (!found->own && is_namesake(image, row))
        found->own = row;
}

enum trn_fw_verdict trn_fw_identify(const struct trn_fw_image *image,
                                    const uint8_t hash[TRN_FW_SHA256],
                                    const struct trn_fw_known **row)
{
    char text[2 * TRN_FW_SHA256 + 1];
    struct found found[TRN_FW_UNKNOWN] = {0};
    hash_text(hash, text);
    for (size_t i = 0; image->size && i < fw_num_known_rows; i++) {
        const struct trn_fw_known *const known = &fw_known_rows[i];
        if (known->size != image->size)
            continue;
        const enum trn_fw_verdict verdict = !*known->sha256_head    ? TRN_FW_NO_REFERENCE
                                            : has_hash(known, text) ? TRN_FW_KNOWN
                                                                    : TRN_FW_DIFFERS;
        find(&found[verdict], known, image);
    }
    enum trn_fw_verdict verdict = TRN_FW_KNOWN;
    while (verdict < TRN_FW_UNKNOWN && found[verdict].count == 0)
        verdict++;
    /* Its own row, without a hash, says more than another one of the same size. */
    if (verdict == TRN_FW_DIFFERS && !found[verdict].own && found[TRN_FW_NO_REFERENCE].own)
        verdict = TRN_FW_NO_REFERENCE;
    if (row && verdict == TRN_FW_UNKNOWN)
        *row = NULL;
    else if (row)
        *row = found[verdict].own                                     ? found[verdict].own
               : verdict == TRN_FW_KNOWN || found[verdict].count == 1 ? found[verdict].first
                                                                      : NULL;
    return verdict;
}
