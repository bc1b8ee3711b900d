/* SPDX-License-Identifier: Apache-2.0 */
/* The report of the dispatch census, as text and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "cli/fw_dispatch.h"

static size_t kept(const struct trn_fw_dispatch_report *report)
{
    return report->num_sites < TRN_FW_SITES_MAX ? report->num_sites : TRN_FW_SITES_MAX;
}

static size_t kept_arms(const struct trn_fw_dispatch_report *report)
{
    return report->arms < TRN_FW_ARMS_MAX ? report->arms : TRN_FW_ARMS_MAX;
}

/* "INDEXED_A(178) dual", "RAW(25 arms)" */
static void flavor_text(const struct trn_fw_dispatch_report *report, char *out, size_t room)
{
    const char *const name = trn_fw_dispatch_name(report->flavor);
    if (report->rule == 1)
        snprintf(out, room, "%s(%" PRIu32 ")%s", name, report->site[report->chosen].bound + 1,
                 report->is_dual ? " dual" : "");
    else if (report->rule == 3)
        snprintf(out, room, "%s(%zu arms)", name, report->arms);
    else
        snprintf(out, room, "%s", name);
}

/* ---- text ------------------------------------------------------------------------- */

static void print_short(const struct fw_dispatch *dispatch, const char *name,
                        const struct trn_fw_dispatch_report *report)
{
    char flavor[48];
    const uint64_t *const count = report->count;
    flavor_text(report, flavor, sizeof flavor);
    if (dispatch->shown == 0)
        printf("%-*s %-19s %4s %3s %3s %3s %4s %4s %4s %5s %3s\n", FW_NAME_COLUMN, "image",
               "flavour", "rule", "S", "A65", "A48", "M177", "M169", "M186", "addx4", "jx");
    printf("%-*s %-19s %4u %3" PRIu64 " %3" PRIu64 " %3" PRIu64 " %4" PRIu64 " %4" PRIu64
           " %4" PRIu64 " %5" PRIu64 " %3" PRIu64 "\n",
           FW_NAME_COLUMN, name, flavor, report->rule, count[TRN_FW_PATTERN_SUB_BASE],
           count[TRN_FW_PATTERN_ADDI_41], count[TRN_FW_PATTERN_ADDI_30],
           count[TRN_FW_PATTERN_MOVI_177], count[TRN_FW_PATTERN_MOVI_169],
           count[TRN_FW_PATTERN_MOVI_186], report->addx4, report->jx);
}

static void print_site(const struct trn_fw_dispatch_site *site)
{
    printf("  site 0x%" PRIx32 ": from 0x%" PRIx32 ", bound %" PRIu32 ", %" PRIu32 " slots",
           site->offset, (uint32_t)site->base, site->bound, site->bound + 1);
    if (site->has_table && site->table >= TRN_FW_DRAM_BASE && site->table < TRN_FW_SRAM_BASE)
        printf("; table 0x%" PRIx32 " (0x%" PRIx32 " in DRAM)", site->table,
               site->table - TRN_FW_DRAM_BASE);
    else if (site->has_table)
        printf("; table 0x%" PRIx32, site->table);
    if (site->has_default)
        printf("; default 0x%" PRIx32, site->default_arm);
    if (site->is_counted)
        printf("\n    %" PRIu32 " real slots, %" PRIu32 " of the default", site->real,
               site->default_slots);
    putchar('\n');
}

static void print_arms(const struct trn_fw_dispatch_report *report)
{
    printf("  longest run of compares: %zu arms", report->arms);
    if (report->arms)
        printf(" from 0x%" PRIx32 ":", report->first_arm);
    for (size_t i = 0; i < kept_arms(report); i++)
        printf("%s0x%02" PRIx32, i % 16 == 0 ? "\n    " : " ", (uint32_t)report->opcode[i]);
    putchar('\n');
}

static void print_patterns(const struct trn_fw_dispatch_report *report)
{
    printf("  byte patterns\n");
    for (int i = 0; i < TRN_FW_PATTERNS; i++)
        printf("    %6" PRIu64 "  %-14s %s\n", report->count[i],
               trn_fw_pattern_name((enum trn_fw_pattern)i),
               trn_fw_pattern_text((enum trn_fw_pattern)i));
}

static void print_sweep(const struct trn_xtensa_stats *stats)
{
    enum { LINE = 100 };
    int used = printf("  aligned sweep\n   ") - (int)sizeof "  aligned sweep";
    for (int i = 0; i < TRN_XTENSA_CENSUSES; i++) {
        char text[48];
        const int length =
            snprintf(text, sizeof text, " %s %" PRIu64,
                     trn_xtensa_census_name((enum trn_xtensa_census)i), stats->count[i]);
        if (used + length > LINE)
            used = printf("\n   ") - 1;
        used += printf("%s", text);
    }
    printf("\n    instructions %" PRIu64 ", outside the subset %" PRIu64 ", literals %" PRIu64
           "\n    bundles %" PRIu64 " with %" PRIu64
           " slots, not decoded: vector operations are not "
           "counted\n    desyncs %" PRIu64 " (%" PRIu64 " bytes passed over), not believed %" PRIu64
           "\n",
           stats->instructions, stats->outside, stats->literals, stats->bundles, stats->slots,
           stats->desyncs, stats->raw_bytes, stats->suspects);
}

static void print_list(const char *what, const uint32_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s0x%" PRIx32, i ? " " : what, values[i]);
}

static void print_known(const struct trn_fw_image *image)
{
    const struct trn_fw_site_row *const known =
        image->is_named ? trn_fw_site_known(&image->name) : NULL;
    if (!known)
        return;
    printf("  documented: from 0x%" PRIx32 ", bound %" PRIu32, (uint32_t)known->base, known->bound);
    print_list(", sites ", known->site, known->num_sites);
    print_list(", tables in DRAM ", known->table, known->num_tables);
    print_list("\n    default ", known->default_arm, known->num_defaults);
    if (known->real >= 0)
        printf(", real %" PRId32, known->real);
    putchar('\n');
}

static void print_long(const struct trn_fw_image *image, const char *name,
                       const struct trn_fw_dispatch_report *report)
{
    char flavor[48];
    flavor_text(report, flavor, sizeof flavor);
    printf("%s: %s by rule %u\n", name, flavor, report->rule);
    printf("  S = %" PRIu64 ", A65 = %" PRIu64 ", A48 = %" PRIu64 ", M177 = %" PRIu64
           ", M169 = %" PRIu64 ", M186 = %" PRIu64 "; addx4 %" PRIu64 ", jx %" PRIu64 "\n",
           report->count[TRN_FW_PATTERN_SUB_BASE], report->count[TRN_FW_PATTERN_ADDI_41],
           report->count[TRN_FW_PATTERN_ADDI_30], report->count[TRN_FW_PATTERN_MOVI_177],
           report->count[TRN_FW_PATTERN_MOVI_169], report->count[TRN_FW_PATTERN_MOVI_186],
           report->addx4, report->jx);
    for (size_t i = 0; i < kept(report); i++)
        print_site(&report->site[i]);
    if (report->num_subs) {
        print_list("  sub a2, a2, a3 at ", report->sub, report->num_subs);
        putchar('\n');
    }
    print_known(image);
    print_arms(report);
    print_patterns(report);
    print_sweep(&report->stats);
}

void fw_dispatch_print(const struct fw_dispatch *dispatch, const struct trn_fw_image *image,
                       const char *section, const struct trn_fw_dispatch_report *report)
{
    char name[256], title[512];
    fw_code_name(image, name, sizeof name);
    snprintf(title, sizeof title, "%s%s%s", name, *section ? " " : "", section);
    if (dispatch->detailed)
        print_long(image, title, report);
    else
        print_short(dispatch, name, report);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *site_json(const struct trn_fw_dispatch_site *site)
{
    return json_pack("{so so sI so so so so}", "offset", fw_hex_json(site->offset), "base",
                     fw_hex_json((uint32_t)site->base), "bound", (json_int_t)site->bound, "table",
                     site->has_table ? fw_hex_json(site->table) : json_null(), "default_arm",
                     site->has_default ? fw_hex_json(site->default_arm) : json_null(), "real",
                     site->is_counted ? json_integer(site->real) : json_null(), "default_slots",
                     site->is_counted ? json_integer(site->default_slots) : json_null());
}

static json_t *patterns_json(const struct trn_fw_dispatch_report *report)
{
    json_t *const object = json_object();
    for (int i = 0; i < TRN_FW_PATTERNS; i++)
        json_object_set_new(object, trn_fw_pattern_name((enum trn_fw_pattern)i),
                            json_integer((json_int_t)report->count[i]));
    return object;
}

static json_t *sweep_json(const struct trn_xtensa_stats *stats)
{
    json_t *const object =
        json_pack("{sI sI sI sI sI sI sI sI}", "instructions", (json_int_t)stats->instructions,
                  "outside", (json_int_t)stats->outside, "literals", (json_int_t)stats->literals,
                  "bundles", (json_int_t)stats->bundles, "slots", (json_int_t)stats->slots,
                  "desyncs", (json_int_t)stats->desyncs, "raw_bytes", (json_int_t)stats->raw_bytes,
                  "suspects", (json_int_t)stats->suspects);
    for (int i = 0; i < TRN_XTENSA_CENSUSES; i++)
        json_object_set_new(object, trn_xtensa_census_name((enum trn_xtensa_census)i),
                            json_integer((json_int_t)stats->count[i]));
    return object;
}

void fw_dispatch_json(const struct fw_dispatch *dispatch, const struct trn_fw_image *image,
                      const char *section, const struct trn_fw_dispatch_report *report)
{
    json_t *const object = fw_code_image_json(image);
    json_t *const sites = json_array(), *const subs = json_array(), *const arms = json_array();
    for (size_t i = 0; i < kept(report); i++)
        json_array_append_new(sites, site_json(&report->site[i]));
    for (size_t i = 0; i < report->num_subs; i++)
        json_array_append_new(subs, fw_hex_json(report->sub[i]));
    for (size_t i = 0; i < kept_arms(report); i++)
        json_array_append_new(arms, json_integer(report->opcode[i]));
    json_t *const found = json_pack(
        "{ss ss si sb so so sI so so so}", "section", section, "flavour",
        trn_fw_dispatch_name(report->flavor), "rule", (int)report->rule, "dual", report->is_dual,
        "sites", sites, "subs", subs, "arms", (json_int_t)report->arms, "compared", arms,
        "patterns", patterns_json(report), "sweep", sweep_json(&report->stats));
    json_object_update_new(object, found);
    json_array_append_new(dispatch->images, object);
}
