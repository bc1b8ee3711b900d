/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw diff: two containers, or two generations of one, image by image. */
#include <stdlib.h>
#include <string.h>

#include "cli/fw_matrix.h"
#include "trench/fw_data.h"

enum { OPT_FROM = 256, OPT_TO, OPT_STRINGS, OPT_JSON };

struct options {
    const char *paths[2];
    size_t num_paths;
    const struct trn_gen *from, *to;
    bool strings, json;
};

static const struct argp_option argp_options[] = {
    {"from", OPT_FROM, "GEN", 0, "images of this generation in A", 0},
    {"to", OPT_TO, "GEN", 0, "against those of this generation in B (or in A alone)", 0},
    {"strings", OPT_STRINGS, NULL, 0, "how many strings either image has alone, too", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.diff/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case OPT_FROM:
    case OPT_TO:
        *(key == OPT_FROM ? &options->from : &options->to) = cli_gen(arg);
        if (!cli_gen(arg))
            exit(CLI_USAGE);
        return 0;
    case OPT_STRINGS:
        options->strings = true;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->num_paths == 2)
            exit(cli_usage_error("fw diff takes two files; '%s' is a third one", arg));
        options->paths[options->num_paths++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "A [B]",
    "Compare the images of two containers by name: which are in one alone, and of the others "
    "sizes, "
    "heads and the first byte that differs. With --from and --to, two generations: names are "
    "compared without theirs (and RELEASE with PERF), and the opcodes that only one of them has "
    "are "
    "listed.\v"
    "Exit status: 0 no difference, 1 differences, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* One line of the comparison. */
struct pair {
    char name[96];
    const struct trn_fw_image *a, *b;
};

struct diff {
    struct pair *pairs;
    size_t num_pairs, room;
    size_t equal, changed, only_a, only_b;
};

/* The name to compare: without the generation where two of them are compared. RELEASE then stands
 * for PERF: the host picks both by the same key (firmware-images.md 11.1). */
static void key_of(const struct trn_fw_image *image, const struct trn_gen *gen, char out[96])
{
    size_t length;
    const char *const base = trn_fw_name_base(image->symbol, &length);
    if (!gen) {
        snprintf(out, 96, "%.*s", (int)(length < 95 ? length : 95), base);
        fw_plain(out);
        return;
    }
    char text[TRN_FW_NAME_MAX];
    struct trn_fw_name name = image->name;
    if (name.flavor == TRN_FW_RELEASE)
        name.flavor = TRN_FW_PERF;
    trn_fw_name_print(&name, text);
    snprintf(out, 96, "%s", text + strlen(gen->title) + 1);
}

static bool is_meant(const struct trn_fw_image *image, const struct trn_gen *gen)
{
    return !gen || (image->is_named && image->name.gen == gen);
}

static struct pair *add_pair(struct diff *diff, const char *name)
{
    if (diff->num_pairs == diff->room) {
        const size_t room = diff->room ? 2 * diff->room : 128;
        struct pair *const more = reallocarray(diff->pairs, room, sizeof *more);
        if (!more)
            return NULL;
        diff->pairs = more;
        diff->room = room;
    }
    struct pair *const pair = &diff->pairs[diff->num_pairs++];
    *pair = (struct pair){0};
    snprintf(pair->name, sizeof pair->name, "%s", name);
    return pair;
}

/* The n-th image of a name stands against the n-th. */
static struct pair *find_open(struct diff *diff, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!diff->pairs[i].b && strcmp(diff->pairs[i].name, name) == 0)
            return &diff->pairs[i];
    return NULL;
}

static bool collect(struct diff *diff, const struct trn_fw *a, const struct trn_fw *b,
                    const struct options *options)
{
    const struct trn_fw_image *image;
    char name[96];
    for (size_t i = 0; (image = trn_fw_image(a, i)) != NULL; i++) {
        if (!is_meant(image, options->from))
            continue;
        key_of(image, options->from, name);
        struct pair *const pair = add_pair(diff, name);
        if (!pair)
            return false;
        pair->a = image;
    }
    const size_t of_a = diff->num_pairs;
    for (size_t i = 0; (image = trn_fw_image(b, i)) != NULL; i++) {
        if (!is_meant(image, options->to))
            continue;
        key_of(image, options->to, name);
        struct pair *pair = find_open(diff, of_a, name);
        if (!pair)
            pair = add_pair(diff, name);
        if (!pair)
            return false;
        pair->b = image;
    }
    return true;
}

static bool is_equal(const struct pair *pair)
{
    return pair->a && pair->b && pair->a->size == pair->b->size &&
           memcmp(pair->a->bytes, pair->b->bytes, (size_t)pair->a->size) == 0;
}

static void count_pairs(struct diff *diff)
{
    for (size_t i = 0; i < diff->num_pairs; i++) {
        const struct pair *const pair = &diff->pairs[i];
        diff->only_a += pair->b == NULL;
        diff->only_b += pair->a == NULL;
        diff->equal += is_equal(pair);
        diff->changed += pair->a && pair->b && !is_equal(pair);
    }
}

static uint64_t first_difference(const struct pair *pair)
{
    const uint64_t common = pair->a->size < pair->b->size ? pair->a->size : pair->b->size;
    uint64_t at = 0;
    while (at < common && pair->a->bytes[at] == pair->b->bytes[at])
        at++;
    return at;
}

/* Strings that one of the two images has alone; false: too many, or out of memory. */
static bool string_difference(const struct pair *pair, size_t unique[2])
{
    const struct trn_fw_span spans[2] = {{pair->a->bytes, (size_t)pair->a->size},
                                         {pair->b->bytes, (size_t)pair->b->size}};
    struct trn_fw_common common;
    if (trn_fw_strings_common(spans, 2, &common, NULL) != TRN_OK)
        return false;
    unique[0] = common.unique[0];
    unique[1] = common.unique[1];
    trn_fw_common_free(&common);
    return true;
}

/* ---- text ------------------------------------------------------------------------- */

static void print_change(const struct pair *pair, const struct options *options)
{
    char sizes[2][24], at[24], heads[2][96];
    printf("  %-44.44s %9s -> %-9s first byte %s\n", pair->name, fw_matrix_cell(pair->a, sizes[0]),
           fw_matrix_cell(pair->b, sizes[1]), fw_hex(first_difference(pair), at));
    if (pair->a->is_cursor || pair->b->is_cursor)
        return;
    fw_head_text(pair->a, heads[0], sizeof heads[0]);
    fw_head_text(pair->b, heads[1], sizeof heads[1]);
    if (strcmp(heads[0], heads[1]) != 0)
        printf("      %.42s -> %.42s\n", heads[0], heads[1]);
    size_t unique[2];
    if (options->strings && string_difference(pair, unique))
        printf("      strings: %zu in the first alone, %zu in the second alone\n", unique[0],
               unique[1]);
}

static void print_only(const struct diff *diff, bool first)
{
    char size[24];
    for (size_t i = 0; i < diff->num_pairs; i++) {
        const struct pair *const pair = &diff->pairs[i];
        const struct trn_fw_image *const own = first ? pair->a : pair->b;
        const struct trn_fw_image *const other = first ? pair->b : pair->a;
        if (own && !other)
            printf("  %c %-44.44s %9s\n", first ? '-' : '+', pair->name, fw_matrix_cell(own, size));
    }
}

static void print_text(const struct diff *diff, const struct options *options)
{
    printf("%zu equal, %zu changed, %zu in the first alone, %zu in the second alone\n", diff->equal,
           diff->changed, diff->only_a, diff->only_b);
    for (size_t i = 0; i < diff->num_pairs; i++)
        if (diff->pairs[i].a && diff->pairs[i].b && !is_equal(&diff->pairs[i]))
            print_change(&diff->pairs[i], options);
    print_only(diff, true);
    print_only(diff, false);
    if (options->from && options->to)
        fw_opcodes_print_diff(options->from, options->to);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *side_json(const struct trn_fw_image *image)
{
    if (!image)
        return json_null();
    char head[96];
    fw_head_text(image, head, sizeof head);
    json_t *const object = fw_image_json(image);
    json_object_set_new(object, "head", json_string(head));
    return object;
}

static json_t *pair_json(const struct pair *pair, const struct options *options)
{
    const bool both = pair->a && pair->b, equal = is_equal(pair);
    size_t unique[2];
    json_t *const object = json_pack("{so ss so so}", "name", fw_text_json(pair->name), "state",
                                     equal     ? "equal"
                                     : both    ? "changed"
                                     : pair->a ? "removed"
                                               : "added",
                                     "first", side_json(pair->a), "second", side_json(pair->b));
    json_object_set_new(object, "differs_at",
                        both && !equal ? fw_hex_json(first_difference(pair)) : json_null());
    json_object_set_new(object, "strings",
                        options->strings && both && string_difference(pair, unique)
                            ? json_pack("[I,I]", (json_int_t)unique[0], (json_int_t)unique[1])
                            : json_null());
    return object;
}

static void print_json(const struct diff *diff, const struct options *options)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < diff->num_pairs; i++)
        json_array_append_new(list, pair_json(&diff->pairs[i], options));
    const bool gens = options->from && options->to;
    cli_print_json(json_pack(
        "{ss s:s? s:s? sI sI sI sI so so}", "schema", "trench.fw.diff/1", "from",
        options->from ? options->from->name : NULL, "to", options->to ? options->to->name : NULL,
        "equal", (json_int_t)diff->equal, "changed", (json_int_t)diff->changed, "removed",
        (json_int_t)diff->only_a, "added", (json_int_t)diff->only_b, "images", list, "opcodes",
        gens ? fw_opcodes_diff_json(options->from, options->to) : json_null()));
}

/* ---- all of it -------------------------------------------------------------------- */

static int compare(const struct trn_fw *a, const struct trn_fw *b, const struct options *options)
{
    struct diff diff = {0};
    int status = CLI_OK;
    if (!collect(&diff, a, b, options)) {
        status = cli_usage_error("out of memory");
    } else {
        count_pairs(&diff);
        if (options->json)
            print_json(&diff, options);
        else
            print_text(&diff, options);
        status = diff.equal == diff.num_pairs ? CLI_OK : CLI_DOES_NOT_HOLD;
    }
    free(diff.pairs);
    return status;
}

int fw_diff(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    const bool two_generations = options.from && options.to;
    if (options.num_paths == 0 || (options.num_paths == 1 && !two_generations))
        return cli_usage_error("fw diff needs two files, or one with --from and --to");
    if (!options.from != !options.to)
        return cli_usage_error("--from and --to come together");
    struct trn_fw *const a = fw_open(options.paths[0]);
    struct trn_fw *const b = a && options.num_paths == 2 ? fw_open(options.paths[1]) : NULL;
    status = !a || (options.num_paths == 2 && !b) ? CLI_USAGE : compare(a, b ? b : a, &options);
    trn_fw_close(b);
    trn_fw_close(a);
    return status;
}
