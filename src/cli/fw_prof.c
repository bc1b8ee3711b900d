/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw prof: hardware-decode CAM and TABLE (docs/hardware/firmware-images.md 12). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fw_pick.h"
#include "trench/fw_data.h"
#include "trench/isa.h"

enum { OPT_SELECT = 256, OPT_ENTRIES, OPT_JSON };

struct options {
    const char *glob;
    bool entries, json;
    const char **paths;
    size_t num_paths;
};

static const struct argp_option argp_options[] = {
    {"select", OPT_SELECT, "GLOB", 0, "only images whose symbol or name matches", 0},
    {"entries", OPT_ENTRIES, NULL, 0, "the armed slots of every pair", 0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.prof/1)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case OPT_SELECT:
        options->glob = arg;
        return 0;
    case OPT_ENTRIES:
        options->entries = true;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->paths = (const char **)state->argv + state->next;
        options->num_paths = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE... | CAM [TABLE]",
    "Hardware-decode CAM and TABLE: the pairs of a container, or a flat CAM and the TABLE that "
    "goes "
    "with it. Each pair is held against the invariants (the first one that does not hold is named "
    "with its slot) and against the opcodes that each generation is known to arm. One pair is "
    "shown with its armed slots.\v"
    "Exit status: 0 every pair holds, 1 one does not, or there is none, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* ---- pairs ------------------------------------------------------------------------ */

/* A CAM with its TABLE, or one of them alone. */
struct pair {
    const struct fw_picked *cam, *table;
    char name[TRN_FW_NAME_MAX + 64];
};

static bool is_prof(const struct trn_fw_image *image)
{
    return image->is_named &&
           (image->name.region == TRN_FW_CAM || image->name.region == TRN_FW_TABLE);
}

static bool is_named_table(const struct fw_picked *picked)
{
    return is_prof(picked->image) && picked->image->name.region == TRN_FW_TABLE;
}

/* The TABLE of a container's CAM: of the same file and engine. */
static const struct fw_picked *table_of(const struct fw_pick *pick, const struct fw_picked *cam)
{
    for (size_t i = 0; i < pick->count; i++) {
        const struct fw_picked *const other = &pick->images[i];
        if (is_named_table(other) && other->path == cam->path &&
            other->image->name.gen == cam->image->name.gen &&
            other->image->name.engine == cam->image->name.engine)
            return other;
    }
    return NULL;
}

/* Pairs in the order of their CAMs. Two flat files are CAM and TABLE, in this order. */
static size_t make_pairs(const struct fw_pick *pick, struct pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < pick->count; i++) {
        const struct fw_picked *const picked = &pick->images[i];
        if (is_named_table(picked) || (!picked->is_alone && !is_prof(picked->image)))
            continue;
        struct pair *const pair = &pairs[count++];
        const bool is_flat = !is_prof(picked->image);
        *pair = (struct pair){.cam = picked};
        snprintf(pair->name, sizeof pair->name, "%s", picked->name);
        pair->table = !is_flat              ? table_of(pick, picked)
                      : i + 1 < pick->count ? &pick->images[++i]
                                            : NULL;
        char *const ending = strstr(pair->name, "_CAM");
        if (!is_flat && ending)
            *ending = '\0';
    }
    return count;
}

static struct trn_fw_prof check(const struct pair *pair)
{
    struct trn_fw_prof prof;
    trn_fw_prof_check(pair->cam->image->bytes, pair->cam->image->size,
                      pair->table ? pair->table->image->bytes : NULL,
                      pair->table ? pair->table->image->size : 0, &prof);
    return prof;
}

/* Sizes are right: slots can be read. */
static bool is_readable(const struct trn_fw_prof *prof)
{
    return prof->holds || prof->slot >= 0;
}

/* ---- text ------------------------------------------------------------------------- */

static void known_as(const struct trn_fw_prof *prof, char *out, size_t room)
{
    size_t used = (size_t)snprintf(out, room, "%s", prof->gens ? "" : "-");
    for (unsigned i = 0; i < TRN_GEN_COUNT && used < room; i++)
        if (prof->gens & 1U << i)
            used += (size_t)snprintf(out + used, room - used, "%s%s", used ? "," : "",
                                     trn_gen_at(i)->name);
    for (int engine = 0; trn_engine_name(engine) && used < room; engine++)
        if (prof->engines & 1U << engine)
            used += (size_t)snprintf(out + used, room - used, " %s", trn_engine_name(engine));
}

static void print_entries(const struct pair *pair, const struct trn_fw_prof *prof)
{
    printf("  %-3s %-5s %-5s %-6s %-10s %-10s %-24s %s\n", "", "op", "mask", "class", "cfg0",
           "cfg1", "descriptor", "ISA name");
    for (unsigned slot = 0; slot < TRN_FW_PROF_SLOTS; slot++) {
        struct trn_fw_prof_entry entry;
        const struct trn_fw_image *const table = pair->table ? pair->table->image : NULL;
        trn_fw_prof_entry(pair->cam->image->bytes, table ? table->bytes : NULL, slot, &entry);
        if (!entry.enable && slot >= prof->armed)
            continue;
        const char *const name = entry.mask == 0      ? "(any)"
                                 : entry.opcode < 256 ? trn_opcode_name((uint8_t)entry.opcode)
                                                      : NULL;
        printf("  %-3u 0x%-3" PRIx32 " 0x%-3" PRIx32 " 0x%-4" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32
               " ",
               slot, entry.opcode, entry.mask, entry.class_word, entry.cfg0, entry.cfg1);
        for (size_t i = 0; i < sizeof entry.descriptor; i++)
            printf("%02x", entry.descriptor[i]);
        printf(" %.28s\n", name ? name : "-");
    }
}

static void print_pair(const struct pair *pair, const struct trn_fw_prof *prof, bool entries)
{
    char known[96];
    known_as(prof, known, sizeof known);
    printf("%s: %zu armed, %zu words of the table, %s\n", pair->name, prof->armed,
           prof->nonzero_words, prof->holds ? "holds" : "does not hold");
    printf("  arms the set of: %s\n", known);
    if (!pair->table)
        printf("  no TABLE beside it\n");
    if (!prof->holds)
        printf("  %s (rule %s)\n", prof->problem, prof->rule);
    if (entries && is_readable(prof))
        print_entries(pair, prof);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *entries_json(const struct pair *pair, const struct trn_fw_prof *prof)
{
    json_t *const list = json_array();
    for (unsigned slot = 0; is_readable(prof) && slot < TRN_FW_PROF_SLOTS; slot++) {
        struct trn_fw_prof_entry entry;
        const struct trn_fw_image *const table = pair->table ? pair->table->image : NULL;
        trn_fw_prof_entry(pair->cam->image->bytes, table ? table->bytes : NULL, slot, &entry);
        if (!entry.enable && slot >= prof->armed)
            continue;
        json_t *const descriptor = json_array();
        for (size_t i = 0; i < sizeof entry.descriptor; i++)
            json_array_append_new(descriptor, json_integer(entry.descriptor[i]));
        json_array_append_new(
            list, json_pack("{sI so so sI so so so so}", "slot", (json_int_t)slot, "opcode",
                            fw_hex_json(entry.opcode), "mask", fw_hex_json(entry.mask), "enable",
                            (json_int_t)entry.enable, "class", fw_hex_json(entry.class_word),
                            "cfg0", fw_hex_json(entry.cfg0), "cfg1", fw_hex_json(entry.cfg1),
                            "descriptor", descriptor));
    }
    return list;
}

static json_t *pair_json(const struct pair *pair, const struct trn_fw_prof *prof)
{
    json_t *const gens = json_array(), *const engines = json_array();
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (prof->gens & 1U << i)
            json_array_append_new(gens, json_string(trn_gen_at(i)->name));
    for (int engine = 0; trn_engine_name(engine); engine++)
        if (prof->engines & 1U << engine)
            json_array_append_new(engines, json_string(trn_engine_name(engine)));
    return json_pack(
        "{so so so sb so so so sI sI so so so}", "name",
        fw_bytes_json((const uint8_t *)pair->name, strlen(pair->name)), "cam",
        fw_picked_json(pair->cam), "table", pair->table ? fw_picked_json(pair->table) : json_null(),
        "holds", (int)prof->holds, "rule", prof->holds ? json_null() : json_string(prof->rule),
        "slot", prof->slot < 0 ? json_null() : json_integer(prof->slot), "problem",
        prof->holds ? json_null() : json_string(prof->problem), "armed", (json_int_t)prof->armed,
        "table_words", (json_int_t)prof->nonzero_words, "known_gens", gens, "known_engines",
        engines, "entries", entries_json(pair, prof));
}

static int run(const struct fw_pick *pick, const struct options *options)
{
    struct pair *const pairs = calloc(pick->count, sizeof *pairs);
    if (!pairs)
        return cli_usage_error("out of memory");
    const size_t count = make_pairs(pick, pairs);
    json_t *const list = json_array();
    int status = count ? CLI_OK : CLI_DOES_NOT_HOLD;
    if (!count)
        fprintf(stderr, "trench: error: no CAM among these images\n");
    for (size_t i = 0; i < count; i++) {
        const struct trn_fw_prof prof = check(&pairs[i]);
        if (!prof.holds)
            status = CLI_DOES_NOT_HOLD;
        if (options->json)
            json_array_append_new(list, pair_json(&pairs[i], &prof));
        else
            print_pair(&pairs[i], &prof, options->entries || count == 1);
    }
    if (options->json)
        cli_print_json(json_pack("{ss sO}", "schema", "trench.fw.prof/1", "pairs", list));
    json_decref(list);
    free(pairs);
    return status;
}

int fw_prof(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0)
        return cli_usage_error("fw prof needs a file");
    struct fw_pick pick;
    status = fw_pick_open(options.paths, options.num_paths, options.glob, is_prof, &pick);
    if (status == CLI_OK)
        status = run(&pick, &options);
    fw_pick_close(&pick);
    return status;
}
