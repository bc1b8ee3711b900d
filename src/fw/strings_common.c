/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of several images held against each other: docs/hardware/firmware-images.md 9 ("62
 * strings common to ACT, DVE, PE and SP"). */
#include <stdlib.h>
#include <string.h>

#include "fw/strings_set.h"

enum { MOST_STRINGS = 1000000 };

/* By text: how many images have it, the last one that does, and where. */
struct sighting {
    size_t images, last;
    struct trn_fw_text at;
};

struct gathering {
    struct fw_set texts;
    struct sighting *seen;
    size_t room;
};

static trn_status see(struct gathering *all, const struct trn_fw_span *image, size_t number,
                      struct trn_fw_text string)
{
    size_t text;
    bool is_new;
    if (fw_set_add(&all->texts, image->bytes + string.offset, string.size, &text, &is_new) !=
        TRN_OK)
        return TRN_ERR_NO_MEMORY;
    if (text >= all->room) {
        const size_t wanted = all->room ? 2 * all->room : 256;
        struct sighting *const more = realloc(all->seen, wanted * sizeof *more);
        if (!more)
            return TRN_ERR_NO_MEMORY;
        all->seen = more;
        all->room = wanted;
    }
    if (is_new)
        all->seen[text] = (struct sighting){1, number, string};
    else if (all->seen[text].last != number) {
        all->seen[text].images++;
        all->seen[text].last = number;
    }
    return TRN_OK;
}

static trn_status gather(struct gathering *all, const struct trn_fw_span *images, size_t count,
                         struct trn_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        struct trn_fw_text string;
        for (size_t at = 0; trn_fw_next_string(images[i].bytes, images[i].size, &at, &string);) {
            if (all->texts.count >= MOST_STRINGS)
                return trn_diag_set(diag, TRN_ERR_TOO_LARGE, NULL, NULL,
                                    "fewer images, or smaller ones",
                                    "more than %d different strings", MOST_STRINGS);
            if (see(all, &images[i], i, string) != TRN_OK)
                return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
        }
    }
    return TRN_OK;
}

trn_status trn_fw_strings_common(const struct trn_fw_span *images, size_t count,
                                 struct trn_fw_common *out, struct trn_diag *diag)
{
    struct gathering all = {0};
    *out = (struct trn_fw_common){0, calloc(count + 1, sizeof *out->unique),
                                  calloc(count + 1, sizeof *out->one)};
    trn_status status = out->unique && out->one ? gather(&all, images, count, diag)
                                                : trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL,
                                                               NULL, "out of memory");
    for (size_t i = 0; status == TRN_OK && i < all.texts.count; i++) {
        const struct sighting *const seen = &all.seen[i];
        out->common += seen->images == count;
        if (seen->images == 1 && out->unique[seen->last]++ == 0)
            out->one[seen->last] = seen->at;
    }
    free(all.seen);
    fw_set_free(&all.texts);
    return status;
}

void trn_fw_common_free(struct trn_fw_common *common)
{
    free(common->unique);
    free(common->one);
    *common = (struct trn_fw_common){0};
}
