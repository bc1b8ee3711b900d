/* SPDX-License-Identifier: Apache-2.0 */
/* Subjects, and the workers of the CPTC decoder (docs/hardware/cptc.md 3). */
#include <string.h>

#include "base/bytes.h"
#include "manual/entry.h"
#include "manual/fw_rows.h"
#include "manual/rows.h"
#include "num/num_rows.h"
#include "trench/cptc.h"
#include "trench/enums.h"

/* ---- subjects ----------------------------------------------------------------------- */

static uint32_t topic_rows(void)
{
    return (uint32_t)trn_num_topics;
}

static void topic_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    const char *alias = trn_topic_table[row].aliases;
    (void)part;
    spell(out, "%s", trn_topic_table[row].name);
    while (*alias) {
        const size_t length = strcspn(alias, " ");
        spell(out, "%.*s", (int)length, alias);
        alias += length + (alias[length] == ' ');
    }
}

static void topic_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_topic_row *const topic = &trn_topic_table[row];
    (void)part;
    page_title(page, topic->name, topic->summary);
    page_list(page, "see", topic->see);
    page_text(page, "sheet", topic->sheet);
    page_text(page, "read", topic->page);
    page_text(page, "confidence", topic->confidence);
}

const struct entry_kind entry_topic = {
    .name = "topic",
    .rows = topic_rows,
    .spell = topic_spell,
    .page = topic_page,
};

/* ---- workers -------------------------------------------------------------------------- */

static uint32_t worker_rows(void)
{
    return TRN_CPTC_WORKERS;
}

static void worker_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "cptc.worker.%u", row + 1);
}

/* Generations that have a library with the decoder behind 0xE4. */
static unsigned worker_generations(uint32_t row, uint32_t part)
{
    unsigned mask = 0;
    (void)row;
    (void)part;
    for (size_t i = 0; i < trn_num_kernel_pages; i++)
        if (trn_kernel_page_table[i].opcode == TRN_OPCODE_CONV_LUT_LOAD)
            mask = (unsigned)trn_bits_set(mask, trn_kernel_page_table[i].gen, 1, 1);
    return mask;
}

static void worker_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_cptc_worker_row *const worker = &trn_cptc_worker_table[row];
    page_title(page, page_format(page, "cptc.worker.%u", row + 1), worker->datapath);
    if (worker->first_bits == worker->last_bits)
        page_fact(page, "bits", value_number(worker->first_bits));
    else
        page_text(page, "bits",
                  page_format(page, "%u or %u", worker->first_bits, worker->last_bits));
    page_text(page, "guard",
              worker->guard ? "refuses any other number of bits" : "trusts the dispatcher");
    page_fact(page, "function_cayman", value_hex(worker->cayman_va, 8));
    page_fact(page, "frame", value_hex(worker->frame, 1));
    page_list(page, "generations", generation_list(page, worker_generations(row, part)));
    page_text(page, "sheet", "cptc.md 3");
    page_text(page, "confidence", worker->guard_confidence);
    page_text(page, "bits_confidence", worker->bits_confidence);
}

const struct entry_kind entry_cptc_worker = {
    .name = "cptc_worker",
    .rows = worker_rows,
    .spell = worker_spell,
    .generations = worker_generations,
    .page = worker_page,
};
