/* SPDX-License-Identifier: Apache-2.0 */
/* trench act show: entries decoded in the layout of the table, and the rules that it breaks. */
#include <stdlib.h>
#include <string.h>

#include "cli/act.h"

enum { MAX_FINDINGS = 64, OPT_BUCKETS = 256 };

struct options {
    const char *table, *function;
    const struct trn_gen *gen;
    bool buckets, json;
};

static const struct argp_option argp_options[] = {
    {"func", 'f', "F", 0, "only this function, by name or number", 0},
    {"gen", 'g', "GEN", 0, "generation whose layout a shipped set has, or a file must have", 0},
    {"buckets", OPT_BUCKETS, NULL, 0, "the CONTROL words and buckets too", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.act.show/1): every entry", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case 'f':
        options->function = arg;
        return 0;
    case 'g':
        options->gen = cli_gen(arg);
        if (!options->gen)
            exit(CLI_USAGE);
        return 0;
    case OPT_BUCKETS:
        options->buckets = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->table)
            exit(cli_usage_error("act show takes one table; '%s' is too many", arg));
        options->table = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE.act|SET",
    "The entries of a table, a file or a shipped set (trench act ls), by their fields: the fields "
    "of CAM and PROFILE that are not zero, with --buckets the octaves and sections. Warnings of "
    "the rules are listed.\v"
    "Exit status: 0, or 2 for bad input; a file that breaks a rule is bad input.",
    NULL,
    NULL,
    NULL};

/* ---- fields ---------------------------------------------------------------------------------- */

static void print_fields(enum trn_act_entry entry, enum trn_act_layout layout, const uint8_t *bytes)
{
    struct trn_act_field f;
    for (size_t i = 0; trn_act_field_at(entry, layout, bytes, i, &f); i++)
        if (f.value)
            printf("    %-36s %4u:%-4u 0x%-8x %s\n", f.name, f.bit_lo + f.bits - 1, f.bit_lo,
                   f.value, f.meaning);
}

static json_t *fields_json(enum trn_act_entry entry, enum trn_act_layout layout,
                           const uint8_t *bytes)
{
    json_t *const out = json_object();
    struct trn_act_field f;
    for (size_t i = 0; trn_act_field_at(entry, layout, bytes, i, &f); i++)
        json_object_set_new(out, f.name, json_integer(f.value));
    return out;
}

static const uint8_t *cam_of(const struct trn_act_set *set, unsigned i)
{
    return set->cam + (size_t)set->member[i].slot * TRN_ACT_CAM_BYTES;
}

static const uint8_t *profile_of(const struct trn_act_set *set, unsigned i)
{
    return set->profile + (size_t)set->member[i].slot * TRN_ACT_PROFILE_BYTES;
}

static float f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_head(const struct trn_act_set *set)
{
    printf("%s: %s, %u function%s, %u of %u CONTROL words, %u of %u buckets\n", set->name,
           act_layout_name(set->layout), set->num_functions, set->num_functions == 1 ? "" : "s",
           set->num_control, (unsigned)TRN_ACT_CONTROL_ENTRIES, set->num_bucket,
           (unsigned)TRN_ACT_BUCKET_ENTRIES);
}

static void print_buckets(const struct trn_act_table *t)
{
    for (unsigned i = 0; i < t->num_control; i++)
        printf("  octave word %3u: base %4u, %2u bits from bit %u\n", i, t->control[i].act_tbl_base,
               t->control[i].extract_size, t->control[i].extract_lsb);
    for (unsigned i = 0; i < t->num_bucket; i++) {
        const struct trn_act_bucket *const b = &t->bucket[i];
        printf("  bucket %4u: x0 %-14.9g d0 %-14.9g d1 %-14.9g d2 %-14.9g d3 %.9g\n", i,
               (double)f32(b->x0), (double)f32(b->d0), (double)f32(b->d1), (double)f32(b->d2),
               (double)f32(b->d3));
    }
}

static void print_member(const struct options *options, const struct trn_act_set *set, unsigned i,
                         const struct trn_act_table *t)
{
    const struct trn_act_member *const m = &set->member[i];
    char lo[32], hi[32];
    printf("\n%s: function %u, slot %u, %u CONTROL words, %u buckets, for %s to %s\n", m->name,
           m->func_id, m->slot, t->num_control, t->num_bucket, act_number(m->lo, lo),
           act_number(m->hi, hi));
    if (*m->expression)
        printf("  %s\n", m->expression);
    puts("  CAM");
    print_fields(TRN_ACT_CAM, set->layout, cam_of(set, i));
    puts("  PROFILE");
    print_fields(TRN_ACT_PROFILE, set->layout, profile_of(set, i));
    if (options->buckets)
        print_buckets(t);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *tables_json(const struct trn_act_table *t)
{
    json_t *const control = json_array(), *const bucket = json_array();
    for (unsigned i = 0; i < t->num_control; i++)
        json_array_append_new(control,
                              json_pack("[i, i, i]", t->control[i].act_tbl_base,
                                        t->control[i].extract_lsb, t->control[i].extract_size));
    for (unsigned i = 0; i < t->num_bucket; i++) {
        const struct trn_act_bucket *const b = &t->bucket[i];
        json_array_append_new(bucket,
                              json_pack("[I, I, I, I, I]", (json_int_t)b->d0, (json_int_t)b->d1,
                                        (json_int_t)b->d2, (json_int_t)b->d3, (json_int_t)b->x0));
    }
    return json_pack("{s:o, s:o}", "control", control, "bucket", bucket);
}

static json_t *member_json(const struct trn_act_set *set, unsigned i, const struct trn_act_table *t)
{
    const struct trn_act_member *const m = &set->member[i];
    char lo[32], hi[32];
    json_t *const out = json_pack(
        "{s:s, s:i, s:i, s:s, s:s, s:s, s:o, s:o}", "name", m->name, "func_id", m->func_id, "slot",
        m->slot, "expression", m->expression, "lo", act_number(m->lo, lo), "hi",
        act_number(m->hi, hi), "cam", fields_json(TRN_ACT_CAM, set->layout, cam_of(set, i)),
        "profile", fields_json(TRN_ACT_PROFILE, set->layout, profile_of(set, i)));
    json_object_update_missing_new(out, tables_json(t));
    return out;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static json_t *show_findings(const struct trn_act_set *set, bool json)
{
    struct trn_act_finding findings[MAX_FINDINGS];
    json_t *const out = json_array();
    const size_t count = trn_act_set_check(set, findings, MAX_FINDINGS);
    for (size_t i = 0; i < count && i < MAX_FINDINGS; i++) {
        const struct trn_act_finding *const f = &findings[i];
        json_array_append_new(out,
                              json_pack("{s:s, s:s, s:s, s:s}", "rule", f->rule, "where", f->where,
                                        "message", f->message, "expected", f->expected));
        if (!json)
            fprintf(stderr, "trench: %s: warning: %s (rule %s); %s\n", f->where, f->message,
                    f->rule, f->expected);
    }
    return out;
}

static int show(const struct options *options, const struct trn_act_set *set, int only,
                struct trn_act_table *table)
{
    struct trn_diag diag = {0};
    json_t *const functions = json_array();
    if (!options->json)
        print_head(set);
    for (unsigned i = 0; i < set->num_functions; i++) {
        if (only >= 0 && (unsigned)only != i)
            continue;
        if (trn_act_set_get(set, i, table, &diag) != TRN_OK) {
            cli_print_diag(&diag);
            json_decref(functions);
            return CLI_USAGE;
        }
        if (options->json)
            json_array_append_new(functions, member_json(set, i, table));
        else
            print_member(options, set, i, table);
    }
    json_t *const findings = show_findings(set, options->json);
    if (options->json)
        cli_print_json(json_pack("{s:s, s:s, s:s, s:i, s:i, s:O, s:O}", "schema",
                                 "trench.act.show/1", "name", set->name, "layout",
                                 set->layout == TRN_ACT_LAYOUT_SUNDA ? "sunda" : "later",
                                 "num_control", set->num_control, "num_bucket", set->num_bucket,
                                 "functions", functions, "findings", findings));
    json_decref(functions);
    json_decref(findings);
    return CLI_OK;
}

static int run(const struct options *options)
{
    struct trn_diag diag = {0};
    const unsigned layout = options->gen ? options->gen->act_layout : TRN_ACT_LAYOUT_LATER;
    struct trn_act_set *const set = act_open(options->table, (enum trn_act_layout)layout);
    struct trn_act_table *const table = malloc(sizeof *table);
    int status = set && table ? CLI_OK : CLI_USAGE;
    if (status == CLI_OK && options->gen &&
        trn_act_set_expect(set, options->table, options->gen, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        status = CLI_USAGE;
    }
    int only = -1;
    if (status == CLI_OK && options->function) {
        only = act_pick(set, options->function);
        status = only < 0 ? CLI_USAGE : CLI_OK;
    }
    if (status == CLI_OK)
        status = show(options, set, only, table);
    free(set);
    free(table);
    return status;
}

int act_show(int argc, char **argv)
{
    struct options options = {0};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (!options.table)
        return cli_usage_error("act show needs a table: a file or a shipped set");
    return run(&options);
}
