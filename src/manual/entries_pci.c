/* SPDX-License-Identifier: Apache-2.0 */
/* The PCI function: a page for each product, register of configuration space, base address register
 * and part of the reset map (pci-function.md 1, 2, 5.3). */
#include "base/bytes.h"
#include "gen/gen_rows.h"
#include "gen/pci_rows.h"
#include "manual/entry.h"

/* A number of a generation by its place in the description. */
static uint64_t member(const struct trn_gen *gen, size_t offset)
{
    for (size_t i = 0; i < trn_gen_num_rows; i++)
        if (trn_gen_rows[i].offset == offset)
            return trn_gen_value(gen, &trn_gen_rows[i]);
    return 0;
}

static unsigned mask_of(unsigned generation)
{
    return (unsigned)trn_bits_set(0, generation, 1, 1);
}

/* ---- products ---------------------------------------------------------------------------- */

static uint32_t model_rows(void)
{
    return (uint32_t)trn_num_pci_models;
}

static void model_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    (void)part;
    spell(out, "pci.%s", trn_pci_model_table[row].name);
}

static unsigned model_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return mask_of(trn_pci_model_table[row].generation);
}

static void model_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_pci_model_row *const model = &trn_pci_model_table[row];
    const struct trn_gen *const gen = trn_gen_at(model->generation);
    (void)part;
    page_title(page, page_format(page, "pci.%s", model->name), model->meaning);
    page_fact(page, "vendor", value_hex(trn_pci_config_table[0].number, 4));
    page_fact(
        page, "device",
        value_hex(model->device_member ? member(gen, model->device_member) : model->device, 4));
    page_text(page, "generation", gen->name);
    page_text(page, "sheet", "pci-function.md 1");
    page_text(page, "confidence", model->confidence);
}

const struct entry_kind entry_pci_model = {
    .name = "pci_model",
    .rows = model_rows,
    .spell = model_spell,
    .generations = model_generations,
    .page = model_page,
};

/* ---- configuration space --------------------------------------------------------------------- */

static uint32_t register_rows(void)
{
    return (uint32_t)trn_num_pci_configs;
}

/* Two rows of one register: the second is the form with MSI-X. */
static void register_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    const struct trn_pci_config_row *const config = &trn_pci_config_table[row];
    (void)part;
    if (config->when == TRN_PCI_WHEN_MSIX)
        spell(out, "pci.msix.%s", config->name);
    else
        spell(out, "pci.%s", config->name);
}

static const char *reset_text(struct page *page, const struct trn_pci_config_row *config)
{
    switch (config->value) {
    case TRN_PCI_VALUE_DEVICE:
        return "id of the model";
    case TRN_PCI_VALUE_REVISION:
        return "revision of the function";
    case TRN_PCI_VALUE_VECTORS:
        return "vectors less 1";
    case TRN_PCI_VALUE_TABLE:
        return "number of the free BAR";
    case TRN_PCI_VALUE_PENDING:
        return "800 and number of the free BAR";
    case TRN_PCI_VALUE_NUMBER:
        break;
    }
    return page_format(page, "0x%X", config->number);
}

static void register_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_pci_config_row *const config = &trn_pci_config_table[row];
    (void)part;
    page_title(page, page_format(page, "pci.%s", config->name), config->meaning);
    page_fact(page, "offset", value_hex(config->offset, 2));
    page_fact(page, "bytes", value_number(config->bytes));
    page_text(page, "reset", reset_text(page, config));
    page_fact(page, "writable", value_hex(config->writable, 2 * config->bytes));
    page_text(page, "sheet", "pci-function.md 1");
    page_text(page, "confidence", config->confidence);
}

const struct entry_kind entry_pci_register = {
    .name = "pci_register",
    .rows = register_rows,
    .spell = register_spell,
    .page = register_page,
};

/* ---- base address registers ---------------------------------------------------------------------
 */

static uint32_t bar_rows(void)
{
    return (uint32_t)trn_num_pci_bars;
}

static void bar_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    const struct trn_pci_bar_row *const bar = &trn_pci_bar_table[row];
    (void)part;
    spell(out, bar->qemu ? "pci.qemu.bar%u" : "pci.bar%u", bar->bar);
}

static void bar_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_pci_bar_row *const bar = &trn_pci_bar_table[row];
    (void)part;
    page_title(page, page_format(page, "pci.bar%u", bar->bar), bar->meaning);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        const struct trn_gen *const gen = trn_gen_at(g);
        const uint64_t size = bar->size_member ? member(gen, bar->size_member) : bar->size;
        if (page_wants(page, g) && gen->bar0_bytes && size)
            page_fact(page, page_format(page, "%s bytes", gen->name), value_hex(size, 1));
    }
    page_text(page, "mode", bar->qemu ? "revision FF (QEMU)" : "every other revision");
    page_fact(page, "prefetchable", value_bool(bar->prefetchable));
    page_text(page, "sheet", "pci-function.md 2");
    page_text(page, "confidence", bar->confidence);
}

const struct entry_kind entry_pci_bar = {
    .name = "pci_bar",
    .rows = bar_rows,
    .spell = bar_spell,
    .page = bar_page,
};

/* ---- the reset map
 * --------------------------------------------------------------------------------- */

static uint32_t reset_rows(void)
{
    return (uint32_t)trn_num_pci_resets;
}

static void reset_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    static const char *const owners[] = {"core", "dma", "topsp", "q7"};
    const struct trn_pci_reset_row *const reset = &trn_pci_reset_table[row];
    (void)part;
    spell(out, reset->gen_mask == mask_of(0) ? "pci.reset.sunda.%s" : "pci.reset.%s",
          owners[reset->owner]);
}

static unsigned reset_generations(uint32_t row, uint32_t part)
{
    (void)part;
    return trn_pci_reset_table[row].gen_mask;
}

static void reset_page(struct page *page, uint32_t row, uint32_t part)
{
    const struct trn_pci_reset_row *const reset = &trn_pci_reset_table[row];
    struct spellings names = {.count = 0};
    reset_spell(row, part, &names);
    page_title(page, page_format(page, "%s", names.name[0]), reset->meaning);
    page_text(page, "bits of MISC RAM 1D8",
              page_format(page, "%u:%u", reset->low + reset->bits - 1, reset->low));
    page_fact(page, "owners a bit", value_number(reset->per_bit));
    page_text(page, "generations", generation_list(page, reset->gen_mask));
    page_text(page, "sheet", "pci-function.md 5.3");
    page_text(page, "confidence", reset->confidence);
}

const struct entry_kind entry_pci_reset = {
    .name = "pci_reset",
    .rows = reset_rows,
    .spell = reset_spell,
    .generations = reset_generations,
    .page = reset_page,
};
