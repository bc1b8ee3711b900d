/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw verify: two containers of the same images (docs/hardware/firmware-images.md 2.3, 5). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fw_code.h"
#include "cli/progress.h"
#include "cli/sha256.h"

enum { OPT_JSON = 256 };

/* Objects of the framework in the catalogued archive (5). */
enum { FRAMEWORK = 15 };

struct options {
    const char *paths[2];
    size_t num_paths;
    unsigned threads;
    bool json;
};

/* What was found out. */
struct verdict {
    const struct trn_fw *first, *second;
    struct trn_fw_identity identity;
    struct trn_fw_layout layout;
    struct trn_fw_split split;
    json_t *joints; /* that are no touching */
    size_t equal, cursors, differing, unrelocated, missing, absent;
    bool arithmetic;
};

static const struct argp_option argp_options[] = {
    {"threads", 't', "N", 0, "threads that hash and compare (default 1)", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.verify/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    char *end;
    switch (key) {
    case 't':
        options->threads = (unsigned)strtoul(arg, &end, 10);
        if (*end || options->threads < 1 || options->threads > 64)
            exit(cli_usage_error("--threads: '%s' is not a number from 1 to 64", arg));
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->num_paths == 2)
            exit(cli_usage_error("fw verify takes two files; '%s' is a third one", arg));
        options->paths[options->num_paths++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "SO AR",
    "Prove that two containers hold the same images: each blob behind a getter of SO is hashed and "
    "compared with the .rodata of the archive member of its name. The blobs of SO must lie one "
    "behind the other, its cursors at their borders, and the members of AR must add up: 48 of "
    "sunda, 124 each of cayman, mariana and mariana_plus, none of maverick, 15 of the framework.\v"
    "A getter of a generation of which AR has no member at all is counted and held against nobody; "
    "so are members without a getter. Exit status: 0 all of it holds, 1 something differs, 2 usage "
    "or bad input.",
    NULL,
    NULL,
    NULL};

/* ---- findings --------------------------------------------------------------------- */

static void joint(void *context, const struct trn_fw_joint *joint)
{
    if (joint->kind == TRN_FW_TOUCHES)
        return;
    json_array_append_new(context,
                          json_pack("{ss ss ss so so}", "kind", trn_fw_joint_name(joint->kind),
                                    "before", joint->before->symbol, "after", joint->after->symbol,
                                    "offset", fw_hex_json(joint->after->offset), "distance",
                                    fw_hex_json(joint->distance)));
}

static unsigned gen_index(const struct trn_gen *gen)
{
    unsigned i = 0;
    while (i < TRN_GEN_COUNT && trn_gen_at(i) != gen)
        i++;
    return i;
}

/* Does the archive carry the generation of a getter? Names without one must have their member. */
static bool is_carried(const struct verdict *verdict, const struct trn_fw_image *image)
{
    const struct trn_gen *const gen = trn_fw_name_gen(image->symbol);
    return !gen || verdict->split.members[gen_index(gen)] != 0;
}

/* Code that waits for relocations is no code yet, and says nothing by its bytes (field case F43).
 */
static bool is_unrelocated(const struct trn_fw_pair *pair)
{
    return pair->second && !pair->same &&
           fw_code_pending(pair->first) + fw_code_pending(pair->second) != 0;
}

static void count_pairs(struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->identity.num_pairs; i++) {
        const struct trn_fw_pair *const pair = &verdict->identity.pairs[i];
        if (!pair->second && is_carried(verdict, pair->first))
            verdict->missing++;
        else if (!pair->second)
            verdict->absent++;
        else if (is_unrelocated(pair))
            verdict->unrelocated++;
        else if (!pair->same)
            verdict->differing++;
        else if (pair->first->is_cursor)
            verdict->cursors++;
        else
            verdict->equal++;
    }
}

static void check_arithmetic(struct verdict *verdict)
{
    const struct trn_fw_split *const split = &verdict->split;
    verdict->arithmetic = split->framework == FRAMEWORK;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        verdict->arithmetic &= split->members[i] == trn_gen_at(i)->archive_members;
}

static bool holds(const struct verdict *verdict)
{
    const struct trn_fw_layout *const layout = &verdict->layout;
    return verdict->differing == 0 && verdict->missing == 0 && verdict->arithmetic &&
           layout->astray == 0 && layout->count[TRN_FW_GAP] == 0 &&
           layout->count[TRN_FW_OVERLAP] == 0 && layout->count[TRN_FW_SAME] == 0;
}

/* ---- text ------------------------------------------------------------------------- */

static void print_pair(const struct verdict *verdict, const struct trn_fw_pair *pair)
{
    if (pair->same || (!pair->second && !is_carried(verdict, pair->first)))
        return;
    char name[256];
    fw_short_name(pair->first, name, sizeof name);
    if (!pair->second)
        printf("  missing  %s\n", name);
    else if (is_unrelocated(pair))
        printf("  unrelocated  %s: relocations are pending, its code is not compared\n", name);
    else
        printf("  differs  %s at 0x%" PRIx64 " (0x%" PRIx64 " and 0x%" PRIx64 " bytes)\n", name,
               pair->differs_at, pair->first->size, pair->second->size);
}

static void print_joints(const struct verdict *verdict)
{
    size_t index;
    json_t *entry;
    json_array_foreach(verdict->joints, index, entry)
    {
        const char *const kind = json_string_value(json_object_get(entry, "kind"));
        if (strcmp(kind, "padded") != 0) {
            printf("  %-8s %s before ", kind,
                   json_string_value(json_object_get(entry, "distance")));
            fw_put_plain(json_string_value(json_object_get(entry, "after")));
            putchar('\n');
        }
    }
}

static void print_arithmetic(const struct verdict *verdict)
{
    fputs("arithmetic: ", stdout);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        printf("%zu + ", verdict->split.members[i]);
    printf("%zu = %zu members", verdict->split.framework, verdict->split.total);
    if (!verdict->arithmetic) {
        fputs("; expected ", stdout);
        for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
            printf("%u + ", trn_gen_at(i)->archive_members);
        printf("%d", FRAMEWORK);
    }
    putchar('\n');
}

static void print_text(const struct verdict *verdict)
{
    const struct trn_fw_layout *const layout = &verdict->layout;
    printf("%s against %s\n", trn_fw_path(verdict->first), trn_fw_path(verdict->second));
    printf("identity: %zu images and %zu cursors equal, %zu differ, %zu missing\n", verdict->equal,
           verdict->cursors, verdict->differing, verdict->missing);
    for (size_t i = 0; i < verdict->identity.num_pairs; i++)
        print_pair(verdict, &verdict->identity.pairs[i]);
    printf("  %zu getters of generations that the archive does not carry, %zu members without a "
           "getter\n",
           verdict->absent, verdict->identity.num_rest);
    printf("contiguity: %zu images; %zu touch, %zu padded, %zu gaps (0x%" PRIx64
           " bytes), %zu overlap; %zu of %zu cursors astray\n",
           layout->images, layout->count[TRN_FW_TOUCHES], layout->count[TRN_FW_PADDED],
           layout->count[TRN_FW_GAP], layout->gap_bytes,
           layout->count[TRN_FW_OVERLAP] + layout->count[TRN_FW_SAME], layout->astray,
           layout->cursors);
    print_joints(verdict);
    print_arithmetic(verdict);
    puts(holds(verdict) ? "holds" : "does not hold");
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *pairs_json(const struct verdict *verdict)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < verdict->identity.num_pairs; i++) {
        const struct trn_fw_pair *const pair = &verdict->identity.pairs[i];
        json_t *const object = fw_image_json(pair->first);
        fw_hash_json(object, pair->first, pair->sha256);
        const char *const state = is_unrelocated(pair) ? "unrelocated"
                                  : pair->second       ? pair->same ? "equal" : "differs"
                                  : is_carried(verdict, pair->first) ? "missing"
                                                                     : "not carried";
        json_object_set_new(object, "state", json_string(state));
        json_object_set_new(object, "differs_at",
                            pair->second && !pair->same ? fw_hex_json(pair->differs_at)
                                                        : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *rest_json(const struct verdict *verdict)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < verdict->identity.num_rest; i++)
        json_array_append_new(list, fw_text_json(verdict->identity.rest[i]->symbol));
    return list;
}

static void print_json(const struct verdict *verdict)
{
    const struct trn_fw_layout *const layout = &verdict->layout;
    json_t *const members = json_object();
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        json_object_set_new(members, trn_gen_at(i)->name,
                            json_integer((json_int_t)verdict->split.members[i]));
    json_object_set_new(members, "framework", json_integer((json_int_t)verdict->split.framework));
    json_object_set_new(members, "total", json_integer((json_int_t)verdict->split.total));
    json_t *const identity = json_pack(
        "{sI sI sI sI sI sI so so}", "unrelocated", (json_int_t)verdict->unrelocated, "equal",
        (json_int_t)verdict->equal, "cursors", (json_int_t)verdict->cursors, "differ",
        (json_int_t)verdict->differing, "missing", (json_int_t)verdict->missing, "not_carried",
        (json_int_t)verdict->absent, "pairs", pairs_json(verdict), "rest", rest_json(verdict));
    json_t *const contiguity = json_pack(
        "{sI sI sI sI sI sI sI so}", "images", (json_int_t)layout->images, "touch",
        (json_int_t)layout->count[TRN_FW_TOUCHES], "padded",
        (json_int_t)layout->count[TRN_FW_PADDED], "gaps", (json_int_t)layout->count[TRN_FW_GAP],
        "overlap",
        (json_int_t)layout->count[TRN_FW_OVERLAP] + (json_int_t)layout->count[TRN_FW_SAME],
        "cursors", (json_int_t)layout->cursors, "astray", (json_int_t)layout->astray, "joints",
        json_incref(verdict->joints));
    cli_print_json(json_pack("{ss ss ss so so so sb sb}", "schema", "trench.fw.verify/1", "first",
                             trn_fw_path(verdict->first), "second", trn_fw_path(verdict->second),
                             "identity", identity, "contiguity", contiguity, "members", members,
                             "arithmetic", verdict->arithmetic, "holds", holds(verdict)));
}

/* ---- all of it -------------------------------------------------------------------- */

/* The bytes that all threads have done. */
struct bar {
    struct cli_progress progress;
    uint64_t done;
    bool is_started;
};

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    struct bar *const bar = context;
    if (!bar->is_started)
        cli_progress_start(&bar->progress, "verify", total, false);
    bar->is_started = true;
    cli_progress(&bar->progress, done - bar->done);
    bar->done = done;
}

/* Standard input cannot be mapped into memory as a container is. */
static bool names_files(const struct options *options)
{
    struct trn_diag diag = {0};
    if (fw_check_path(options->paths[0], &diag) == TRN_OK &&
        fw_check_path(options->paths[1], &diag) == TRN_OK)
        return true;
    cli_print_diag(&diag);
    return false;
}

static bool compare(const struct options *options, struct trn_fw *opened[2],
                    struct verdict *verdict)
{
    struct trn_diag diag = {0};
    struct bar bar = {.is_started = false};
    sha256_prepare();
    trn_status status = trn_fw_compare_files(options->paths, options->threads, show_progress, &bar,
                                             opened, &verdict->identity, &diag);
    if (bar.is_started)
        cli_progress_clear(&bar.progress);
    if (status == TRN_OK)
        status = trn_fw_layout(opened[0], joint, verdict->joints, &verdict->layout, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    return status == TRN_OK;
}

static int judge(struct verdict *verdict, const struct options *options)
{
    trn_fw_split(verdict->second, &verdict->split);
    count_pairs(verdict);
    check_arithmetic(verdict);
    if (options->json)
        print_json(verdict);
    else
        print_text(verdict);
    return holds(verdict) ? CLI_OK : CLI_DOES_NOT_HOLD;
}

int fw_verify(int argc, char **argv)
{
    struct options options = {.threads = 1};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths != 2)
        return cli_usage_error("fw verify needs two files, a shared object and an archive");
    if (!names_files(&options))
        return CLI_USAGE;
    struct trn_fw *opened[2] = {NULL, NULL};
    struct verdict verdict = {.joints = json_array()};
    status = CLI_USAGE;
    if (compare(&options, opened, &verdict)) {
        verdict.first = opened[0];
        verdict.second = opened[1];
        status = judge(&verdict, &options);
    }
    trn_fw_identity_free(&verdict.identity);
    json_decref(verdict.joints);
    trn_fw_close(opened[1]);
    trn_fw_close(opened[0]);
    return status;
}
