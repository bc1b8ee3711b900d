/* SPDX-License-Identifier: Apache-2.0 */
/* One kind of entry: how its rows are counted, named, numbered and put on a page. */
#ifndef TRN_MANUAL_ENTRY_H
#define TRN_MANUAL_ENTRY_H

#include "gen/regmap.h"
#include "isa/tables.h"
#include "manual/page.h"

enum { MAX_SPELLINGS = 8, ALL_GENERATIONS = 31 };

/* The names of one entry, the full one first. */
struct spellings {
    char name[MAX_SPELLINGS][TRN_MANUAL_NAME_MAX];
    size_t count; /* 0: the row is a hole in its table */
};

struct entry_kind {
    const char *name;
    uint32_t (*rows)(void);
    uint32_t (*parts)(uint32_t row); /* NULL: one */
    void (*spell)(uint32_t row, uint32_t part, struct spellings *out);
    bool (*number)(uint32_t row, uint32_t part, uint64_t *value); /* NULL: entries have none */
    unsigned (*generations)(uint32_t row, uint32_t part);         /* NULL: all */
    void (*page)(struct page *page, uint32_t row, uint32_t part);
};

extern const struct entry_kind entry_opcode, entry_struct, entry_enum, entry_dtype, entry_alu_op,
    entry_type, entry_field, entry_member, entry_rule;
extern const struct entry_kind entry_block, entry_register, entry_aperture;
extern const struct entry_kind entry_record, entry_error, entry_input_buffer, entry_trigger,
    entry_dma_cause;
extern const struct entry_kind entry_act_function, entry_profile_field, entry_act_set,
    entry_act_table, entry_act_rule;
extern const struct entry_kind entry_call, entry_choice, entry_gen_field;
extern const struct entry_kind entry_hal_slot, entry_hal_getter, entry_udma_descriptor,
    entry_packed;
extern const struct entry_kind entry_xtensa_insn, entry_xtensa_format, entry_fw_head,
    entry_fw_pattern, entry_fw_dispatch, entry_fw_handshake;
extern const struct entry_kind entry_fw_kernel, entry_fw_decode_set, entry_fw_core_type;
extern const struct entry_kind entry_cptc_worker, entry_topic;
extern const struct entry_kind entry_timing, entry_timing_formula;
extern const struct entry_kind entry_pci_model, entry_pci_register, entry_pci_bar, entry_pci_reset;

/* Adds a spelling unless it is empty or there already. */
void spell(struct spellings *out, const char *format, ...) TRN_PRINTF(2, 3);

/* ---- generations ------------------------------------------------------------------ */

/* Generation mask of an instruction-set mask: MARIANA's column serves MARIANA_PLUS. */
unsigned generations_of_isa(unsigned isa_mask);

/* "sunda cayman": the generations of a mask, those of the page's generation only. */
const char *generation_list(struct page *page, unsigned mask);

/* "v2-v5", "v4", "v2 v4" of an instruction-set mask. */
const char *isa_span(struct page *page, unsigned isa_mask);

/* Is the generation wanted on the page? */
bool page_wants(const struct page *page, unsigned generation);
/* Is some instruction set of the mask wanted on the page? */
bool page_wants_isa(const struct page *page, unsigned isa_mask);

/* ---- what the pages of the instruction set share ---------------------------------- */

/* Table of the fields of a struct or composite type, without the first `skip`. */
void page_layout(struct page *page, const struct trn_struct_row *row, size_t skip);

/* "u16[3]", "enum:DTYPE", "pattern3d". */
const char *type_text(struct page *page, const struct trn_field_row *field);

/* "3:0" of a bit field, "" of a whole container. */
const char *bits_text(struct page *page, unsigned low, unsigned bits);

/* Offset of a field: one number where the page is about one generation, else one a column. */
struct trn_manual_value offset_value(const struct page *page, const struct trn_field_row *field);

/* Table of the members of an enum. */
void page_members(struct page *page, unsigned enum_id);

/* Table of the rules whose scope names the opcode or, when it is negative, the struct; in file
 * order, the order in which the hardware contract reports them. */
void page_rules(struct page *page, int opcode, unsigned struct_id, unsigned isa_mask);

/* Rules that every word with the struct must keep, as a list fact. */
void page_common_rules(struct page *page, unsigned struct_id, unsigned isa_mask);

/* Walking the fields: owners are the structs, then the composite types. */
uint32_t field_rows(void);
uint32_t field_parts(uint32_t row);
const struct trn_struct_row *field_owner(uint32_t row);
const struct trn_field_row *field_at(uint32_t row, uint32_t part);

/* Table of the places of a register block, of its first one where there are many; of one register
 * in it where `reg` is not NULL. */
void page_places(struct page *page, const char *block, const struct trn_reg_row *reg);

/* Table of the kernels of an opcode in the EXTISA libraries, where there are any. */
void page_kernels(struct page *page, unsigned opcode);

/* Table of the public calls of one kind that name the number. */
void page_calls(struct page *page, const char *kind, unsigned number);

#endif
