/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatch flavour of a code image by the census of its bytes
 * (docs/hardware/firmware-images.md 7.4; the order and the threshold are model choices). */
#include "fw/dispatch_rows.h"

#include <string.h>

#include "base/bytes.h"
#include "trench/isa.h"

enum {
    BASE_A = 0x41,
    BASE_0 = 0x30,
    RAW_ARMS = 12,   /* a chain of this many compares is a dispatcher */
    ARM_APART = 16,  /* start to start */
    ARM_REACH = 8,   /* from movi to its bne */
    TABLE_REACH = 32 /* from a site to the const16 of its table */
};

const char *trn_fw_dispatch_name(enum trn_fw_dispatch flavor)
{
    return (size_t)flavor < TRN_FW_DISPATCHES ? trn_fw_dispatch_table[flavor].name : NULL;
}

const char *trn_fw_dispatch_rule(enum trn_fw_dispatch flavor)
{
    return (size_t)flavor < TRN_FW_DISPATCHES ? trn_fw_dispatch_table[flavor].rule : NULL;
}

static bool decode_at(const struct trn_xtensa_code *code, size_t offset,
                      struct trn_xtensa_insn *insn)
{
    const size_t left = offset < code->size ? code->size - offset : 0;
    trn_xtensa_decode(code->core, left ? code->bytes + offset : code->bytes, left,
                      code->base + (uint32_t)offset, insn);
    return insn->kind == TRN_XTENSA_INSTRUCTION;
}

/* ---- sites of an indexed table ---------------------------------------------------- */

/* const16, const16 of one register: the address that they build. */
static bool built_address(const struct trn_xtensa_code *code, size_t offset, uint32_t *address)
{
    struct trn_xtensa_insn high, low;
    if (!decode_at(code, offset, &high) || !decode_at(code, offset + 3, &low) ||
        trn_xtensa_class_of(&high) != TRN_XTENSA_CLASS_CONST16 ||
        trn_xtensa_class_of(&low) != TRN_XTENSA_CLASS_CONST16 || high.value[0] != low.value[0])
        return false;
    *address = (uint32_t)trn_bits_set((uint32_t)low.value[1], 16, 16, (uint32_t)high.value[1]);
    return true;
}

/* The first const16 pair behind the site that an addx4 follows: base of the table. */
static void find_table(const struct trn_xtensa_code *code, size_t behind,
                       struct trn_fw_dispatch_site *site)
{
    for (size_t at = behind; at < behind + TABLE_REACH && !site->has_table; at++)
        site->has_table = built_address(code, at, &site->table);
}

/* bgeu skips a jump: what is outside the table goes where that jump goes. */
static void find_default(const struct trn_xtensa_code *code, size_t behind,
                         struct trn_fw_dispatch_site *site)
{
    struct trn_xtensa_insn insn;
    if (decode_at(code, behind, &insn) && trn_xtensa_class_of(&insn) == TRN_XTENSA_CLASS_JUMP)
        site->has_default = trn_xtensa_target(&insn, &site->default_arm);
}

/* Slots of the table in the data image that are not the default arm. */
static void count_slots(const uint8_t *data, size_t size, struct trn_fw_dispatch_site *site)
{
    const uint32_t offset = site->table - TRN_FW_DRAM_BASE;
    const uint64_t slots = (uint64_t)site->bound + 1;
    if (!data || !site->has_table || !site->has_default || site->table < TRN_FW_DRAM_BASE ||
        offset > size || slots > (size - offset) / 4)
        return;
    site->is_counted = true;
    for (uint64_t i = 0; i < slots; i++) {
        const bool is_default = trn_get32(data + offset + 4 * i) == site->default_arm;
        site->default_slots += is_default;
        site->real += !is_default;
    }
}

static struct trn_fw_dispatch_site read_site(const struct trn_xtensa_code *code, size_t offset,
                                             const uint8_t *data, size_t data_size)
{
    struct trn_fw_dispatch_site site = {.offset = (uint32_t)offset};
    struct trn_xtensa_insn insn;
    decode_at(code, offset, &insn);
    site.base = -insn.value[2];
    decode_at(code, offset + 3, &insn);
    site.bound = (uint32_t)insn.value[1];
    const size_t behind = offset + 9; /* addi, movi, bgeu: 3 bytes each */
    find_default(code, behind, &site);
    find_table(code, behind, &site);
    count_slots(data, data_size, &site);
    return site;
}

static void find_sites(const struct trn_xtensa_code *code, const uint8_t *data, size_t data_size,
                       struct trn_fw_dispatch_report *out)
{
    size_t at = 0;
    while ((at = trn_fw_pattern_find(TRN_FW_PATTERN_INDEXED, code->bytes, code->size, at)) !=
           SIZE_MAX) {
        if (out->num_sites < TRN_FW_SITES_MAX)
            out->site[out->num_sites] = read_site(code, at, data, data_size);
        out->num_sites++;
        at++;
    }
    for (size_t i = 1; i < out->num_sites && i < TRN_FW_SITES_MAX; i++)
        out->is_dual |= out->site[i].has_table && out->site[0].has_table &&
                        out->site[i].table != out->site[0].table;
}

static void find_subs(const struct trn_xtensa_code *code, struct trn_fw_dispatch_report *out)
{
    size_t at = 0;
    while ((at = trn_fw_pattern_find(TRN_FW_PATTERN_SUB_BASE, code->bytes, code->size, at)) !=
               SIZE_MAX &&
           out->num_subs < TRN_FW_SITES_MAX)
        out->sub[out->num_subs++] = (uint32_t)at++;
}

/* ---- chains of compares ----------------------------------------------------------- */

/* What the arm at this offset compares with; false when there is none. */
static bool arm_at(const struct trn_xtensa_code *code, size_t offset, int32_t *opcode)
{
    struct trn_xtensa_insn insn;
    const uint8_t *const bytes = code->bytes;
    const size_t left = code->size - offset;
    if (trn_fw_pattern_find(TRN_FW_PATTERN_ARM_BNEI, bytes + offset, left < 3 ? left : 3, 0) == 0 &&
        decode_at(code, offset, &insn)) {
        *opcode = insn.value[1];
        return true;
    }
    if (trn_fw_pattern_find(TRN_FW_PATTERN_ARM_MOVI, bytes + offset, left < 3 ? left : 3, 0) != 0)
        return false;
    const size_t reach = left < ARM_REACH + 3 ? left : ARM_REACH + 3;
    const bool compares =
        trn_fw_pattern_find(TRN_FW_PATTERN_ARM_BNE, bytes + offset, reach, 3) != SIZE_MAX;
    if (!compares || !decode_at(code, offset, &insn))
        return false;
    *opcode = insn.value[1];
    return true;
}

/* The next offset at which an arm may start. */
static size_t next_arm(const struct trn_xtensa_code *code, size_t from, size_t *bnei, size_t *movi)
{
    if (*bnei < from)
        *bnei = trn_fw_pattern_find(TRN_FW_PATTERN_ARM_BNEI, code->bytes, code->size, from);
    if (*movi < from)
        *movi = trn_fw_pattern_find(TRN_FW_PATTERN_ARM_MOVI, code->bytes, code->size, from);
    return *bnei < *movi ? *bnei : *movi;
}

struct run {
    size_t first, last, arms;
};

static void find_longest_run(const struct trn_xtensa_code *code, struct run *best)
{
    struct run run = {0};
    size_t bnei = trn_fw_pattern_find(TRN_FW_PATTERN_ARM_BNEI, code->bytes, code->size, 0);
    size_t movi = trn_fw_pattern_find(TRN_FW_PATTERN_ARM_MOVI, code->bytes, code->size, 0);
    int32_t opcode;
    for (size_t at = next_arm(code, 0, &bnei, &movi); at != SIZE_MAX;
         at = next_arm(code, at + 1, &bnei, &movi)) {
        if (!arm_at(code, at, &opcode))
            continue;
        if (run.arms == 0 || at - run.last > ARM_APART)
            run = (struct run){.first = at};
        run.last = at;
        run.arms++;
        if (run.arms > best->arms)
            *best = run;
    }
}

static void find_arms(const struct trn_xtensa_code *code, struct trn_fw_dispatch_report *out)
{
    struct run best = {0};
    int32_t opcode;
    size_t kept = 0;
    find_longest_run(code, &best);
    out->arms = best.arms;
    out->first_arm = (uint32_t)best.first;
    for (size_t at = best.first; best.arms && at <= best.last && kept < TRN_FW_ARMS_MAX; at++)
        if (arm_at(code, at, &opcode))
            out->opcode[kept++] = opcode;
}

/* ---- rules ------------------------------------------------------------------------ */

/* The first site with a base that has a flavour. */
static const struct trn_fw_dispatch_site *choose_site(struct trn_fw_dispatch_report *out)
{
    for (size_t i = 0; i < out->num_sites && i < TRN_FW_SITES_MAX; i++)
        if (out->site[i].base == BASE_A || out->site[i].base == BASE_0) {
            out->chosen = i;
            return &out->site[i];
        }
    return NULL;
}

static void apply_rules(struct trn_fw_dispatch_report *out)
{
    const uint64_t *const count = out->count;
    const struct trn_fw_dispatch_site *const site = choose_site(out);
    if (site) {
        out->rule = 1;
        out->flavor = site->base == BASE_A ? TRN_FW_DISPATCH_INDEXED_A : TRN_FW_DISPATCH_INDEXED_0;
    } else if (count[TRN_FW_PATTERN_SUB_BASE] == 1 && count[TRN_FW_PATTERN_ADDI_41] == 0 &&
               count[TRN_FW_PATTERN_MOVI_177] == 0) {
        out->rule = 2;
        out->flavor = TRN_FW_DISPATCH_SEGMENTED;
    } else if (out->arms >= RAW_ARMS) {
        out->rule = 3;
        out->flavor = TRN_FW_DISPATCH_RAW;
    } else if (count[TRN_FW_PATTERN_SUB_BASE] >= 1) {
        out->rule = 4;
        out->flavor = TRN_FW_DISPATCH_SEGMENTED;
    } else {
        out->rule = 5;
        out->flavor = TRN_FW_DISPATCH_UNKNOWN;
    }
}

trn_status trn_fw_dispatch_classify(const struct trn_xtensa_code *code, const uint8_t *data,
                                    size_t data_size, struct trn_fw_dispatch_report *out,
                                    struct trn_diag *diag)
{
    memset(out, 0, sizeof *out);
    const trn_status status = trn_xtensa_census(code, &out->stats, diag);
    if (status != TRN_OK)
        return status;
    out->addx4 = out->stats.count[TRN_XTENSA_CENSUS_ADDX4];
    out->jx = out->stats.count[TRN_XTENSA_CENSUS_JX];
    for (int i = 0; i < TRN_FW_PATTERNS; i++)
        out->count[i] = trn_fw_pattern_count((enum trn_fw_pattern)i, code->bytes, code->size);
    find_sites(code, data, data_size, out);
    find_subs(code, out);
    find_arms(code, out);
    apply_rules(out);
    return TRN_OK;
}

/* ---- documented sites ------------------------------------------------------------- */

const struct trn_fw_site_row *trn_fw_site_known(const struct trn_fw_name *name)
{
    for (size_t i = 0; i < trn_fw_num_sites; i++) {
        const struct trn_fw_site_row *const row = &trn_fw_site_table[i];
        if (trn_gen_at(row->gen) == name->gen && row->core == name->core &&
            trn_engine_find(row->engine) == name->engine &&
            (row->flavor == TRN_FW_FLAVORS || row->flavor == name->flavor) &&
            (name->region == TRN_FW_IRAM || name->region == TRN_FW_SRAM))
            return row;
    }
    return NULL;
}
