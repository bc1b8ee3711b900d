/* SPDX-License-Identifier: Apache-2.0 */
/* Members of an archive by generation (docs/hardware/firmware-images.md 5). */
#include <string.h>

#include "fw/container.h"

static unsigned index_of(const struct trn_gen *gen)
{
    unsigned i = 0;
    while (trn_gen_at(i) != gen)
        i++;
    return i;
}

void trn_fw_split(const struct trn_fw *fw, struct trn_fw_split *out)
{
    *out = (struct trn_fw_split){0};
    for (size_t i = 0; i < fw->num_members; i++) {
        const char *const name = fw->members[i].name;
        const struct trn_gen *const gen = trn_fw_name_gen(name);
        struct trn_fw_name parsed;
        out->total++;
        if (!gen) {
            out->framework++;
            continue;
        }
        out->members[index_of(gen)]++;
        out->unmatched[index_of(gen)] += !trn_fw_name_parse(name, &parsed);
    }
}
