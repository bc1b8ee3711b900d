/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes and words that several places of the manual call by a name of their own: packed bytes of
 * DMA words, registers of the generator, words of a ring descriptor. */
#include "gen/udma_rows.h"
#include "manual/entry.h"

struct part {
    const char *name;
    uint8_t low, bits;
    const char *confidence, *meaning;
};

enum { MAX_PARTS = 8 };

static const struct packed {
    const char *name, *second, *third;
    uint8_t bytes;
    const char *meaning, *sheet, *confidence;
    struct part parts[MAX_PARTS];
    uint8_t tx_low,
        tx_bits; /* not 0 bits: these of a TX descriptor, field by field as its rows say */
} packed_words[] = {
    {"BOUND_CHECK_REG",
     NULL,
     NULL,
     1,
     "byte of a DMA word that names the register with the limit of one side; 0x94 is register 20, "
     "checked and notified",
     "dge.md 2.1, 7",
     "O",
     {{"bc_reg", 0, 6, "O", "general register with the limit"},
      {"bc_disable_oob_error_notif", 6, 1, "O", "no record of a failed check"},
      {"bc_enabled", 7, 1, "O", "check; 0 needs all other bits 0 (V6)"}},
     0,
     0},
    {"DMA_CONFIGS",
     NULL,
     NULL,
     1,
     "byte of a DMA word: its priority class, and by it bytes of a packet and usable engines",
     "dge.md 2.1, 6.6",
     "O",
     {{"priority_class", 0, 3, "O", "0 the firmware's default, 1..4; above is illegal (V9)"},
      {"zero", 3, 5, "O", "0"}},
     0,
     0},
    {"DMA_INDIRECT_FLAGS",
     NULL,
     NULL,
     1,
     "byte of DMA_INDIRECT: which side is indexed, and what a bad index is",
     "dge.md 2.1, 9.1",
     "O",
     {{"indirect_mode", 0, 2, "O", "0 SRC (gather), 1 DST (scatter), 2 SRC_DST, 3 invalid"},
      {"idx_bound_is_err", 2, 1, "O", "a bad index is a hard error (meaning MC)"},
      {"non_unique_dst_idx", 3, 1, "O", "a destination may come more than once"},
      {"gather_dim", 4, 2, "O", "INDIRECT_DIM of the source: 0 X .. 3 W"},
      {"scatter_dim", 6, 2, "O", "INDIRECT_DIM of the destination"}},
     0,
     0},
    {"DMA_GATHER_TRANSPOSE_FLAGS",
     NULL,
     NULL,
     1,
     "byte of DMA_GATHER_TRANSPOSE",
     "dge.md 2.1",
     "O",
     {{"gather_dim", 0, 2, "O", "Y (V22)"}, {"zero", 2, 6, "O", "0"}},
     0,
     0},
    {"NEURON_FEATURE_FLAGS",
     "local_register_38",
     NULL,
     4,
     "general local register 38 at 0x14C0; SUNDA has no definition of it, the model maps its DGE "
     "notification control bit to bit 1",
     "dge.md 6.2",
     "O number, I offset",
     {{"dve_perf_mode", 0, 1, "O", "DVE performance mode allowed for this program"},
      {"dge_notifications", 1, 1, "O", "packet notifications of the generator on"},
      {"event_accel_address", 2, 1, "O", "an event-accelerator address is given"},
      {"reserved", 3, 29, "MC", "write 0"}},
     0,
     0},
    {"MEMCOPY_CARVEOUT_CFG",
     "local_register_39",
     "SW_DGE_CARVEOUT_CFG",
     4,
     "general local register 39 at 0x14E0, of POOL: the region of SBUF that holds descriptors; 0: "
     "not configured (MC, dge.md 6.7)",
     "dge.md 6.3",
     "O",
     {{"offset", 0, 16, "O", "of the region in each partition, in descriptors of 16 bytes"},
      {"size", 16, 16, "O", "of the region, in descriptors; caps those of one memcopy"}},
     0,
     0},
    {"MEMCOPY_DMA_CFG",
     "local_register_40",
     NULL,
     4,
     "general local register 40 at 0x1500: what the generator of an engine may use; 0: not "
     "configured (MC, dge.md 6.7)",
     "dge.md 6.4",
     "O",
     {{"dmas", 0, 16, "O", "bitmap of DMA engines"},
      {"queues", 16, 16, "O",
       "bitmap of queues; the lowest is used (MC), 13 when none is set (MC)"}},
     0,
     0},
    {"LEN_CTRL",
     "descriptor.word0",
     "udma.len_ctrl",
     4,
     "first word of a submission descriptor",
     "udma.md 2.1",
     "O",
     {{NULL, 0, 0, NULL, NULL}},
     0,
     32},
    {"META_CTRL",
     "descriptor.word1",
     "udma.meta_ctrl",
     4,
     "second word of a TX descriptor; 0x01080003 is a plain copy, 0x05080003 one with a write "
     "barrier; RX: buf2_ptr_lo, 0 in a copy",
     "udma.md 2.2",
     "O",
     {{NULL, 0, 0, NULL, NULL}},
     32,
     32},
    {"BUF_PTR",
     "descriptor.address",
     "udma.buf_ptr",
     8,
     "bytes 8..15 of a submission descriptor",
     "udma.md 2",
     "O",
     {{NULL, 0, 0, NULL, NULL}},
     64,
     64},
};

static uint32_t packed_rows(void)
{
    return sizeof packed_words / sizeof packed_words[0];
}

static void packed_spell(uint32_t row, uint32_t part, struct spellings *out)
{
    const struct packed *const p = &packed_words[row];
    (void)part;
    spell(out, "%s", p->name);
    if (p->second)
        spell(out, "%s", p->second);
    if (p->third)
        spell(out, "%s", p->third);
}

static void part_row(struct page *page, const struct part *part)
{
    const struct trn_manual_value cells[] = {value_text(bits_text(page, part->low, part->bits)),
                                             value_text(part->name), value_text(part->confidence),
                                             value_text(part->meaning)};
    page_row(page, cells);
}

static void packed_page(struct page *page, uint32_t row, uint32_t part)
{
    static const struct trn_manual_column columns[] = {
        {"bits", TRN_MANUAL_COLUMN_PLAIN},
        {"field", TRN_MANUAL_COLUMN_PLAIN},
        {"confidence", TRN_MANUAL_COLUMN_PLAIN},
        {"meaning", TRN_MANUAL_COLUMN_PLAIN},
    };
    const struct packed *const p = &packed_words[row];
    (void)part;
    page_title(page, p->name, p->meaning);
    page_fact(page, "bytes", value_number(p->bytes));
    page_text(page, "sheet", p->sheet);
    page_text(page, "confidence", p->confidence);
    PAGE_TABLE(page, "layout", columns);
    for (size_t i = 0; i < MAX_PARTS && p->parts[i].name; i++)
        part_row(page, &p->parts[i]);
    for (size_t i = 0; p->tx_bits && i < trn_num_udma_fields; i++) {
        const struct trn_udma_field_row *const field = &trn_udma_field_table[i];
        if (strcmp(field->view, "tx") == 0 && field->low >= p->tx_low &&
            field->low < p->tx_low + p->tx_bits)
            part_row(page, &(struct part){field->name, (uint8_t)(field->low - p->tx_low),
                                          field->bits, field->confidence, field->meaning});
    }
}

const struct entry_kind entry_packed = {
    .name = "packed",
    .rows = packed_rows,
    .spell = packed_spell,
    .page = packed_page,
};
