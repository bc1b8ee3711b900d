/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/place_names.h"

#include <stdlib.h>
#include <string.h>

/* Longest start of `name` up to a dot that is a block; returns its length, 0 for none. */
static size_t block_start(const struct trn_gen *gen, const char *name, struct trn_map_block *block)
{
    char start[TRN_MAP_NAME_MAX];
    if (strlen(name) >= sizeof start)
        return 0;
    strcpy(start, name);
    for (char *end = start + strlen(start); end; end = strrchr(start, '.')) {
        *end = '\0';
        if (trn_map_block_find(gen, start, block))
            return (size_t)(end - start);
    }
    return 0;
}

bool place_block(const struct trn_gen *gen, const char *name, unsigned core,
                 struct trn_map_block *block, const char **rest)
{
    char of_core[TRN_MAP_NAME_MAX];
    const int used = snprintf(of_core, sizeof of_core, "core%u.%.100s", core, name);
    const size_t prefix = (size_t)used - strnlen(name, 100);
    size_t length = block_start(gen, of_core, block);
    length = length > prefix ? length - prefix : block_start(gen, name, block);
    *rest = name + length + (name[length] == '.');
    return length > 0;
}

/* ---- near names ------------------------------------------------------------------- */

struct names {
    const char **names; /* into `texts` */
    char (*texts)[TRN_MAP_NAME_MAX];
    size_t count;
};

static bool make_names(struct names *names, size_t capacity)
{
    names->names = calloc(capacity + 1, sizeof *names->names);
    names->texts = calloc(capacity + 1, sizeof *names->texts);
    names->count = 0;
    return names->names && names->texts;
}

static void free_names(struct names *names)
{
    free(names->names);
    free(names->texts);
}

static const char *nearest(struct names *names, const char *word)
{
    for (size_t i = 0; i < names->count; i++)
        names->names[i] = names->texts[i];
    return cli_nearest(word, names->names, names->count);
}

/* Blocks, apertures and memories; those of the core that is meant without their "coreN." too. */
static void collect_places(const struct trn_gen *gen, struct names *names, size_t capacity)
{
    char name[TRN_MAP_NAME_MAX];
    for (size_t i = 0; names->count + 1 < capacity && trn_map_known_name(gen, i, name); i++) {
        strcpy(names->texts[names->count++], name);
        const char *dot = strncmp(name, "core0.", 6) == 0 ? name + 6 : NULL;
        if (dot)
            strcpy(names->texts[names->count++], dot);
    }
}

static bool near_place(const struct trn_gen *gen, const char *word, char *out)
{
    size_t count = 0;
    char name[TRN_MAP_NAME_MAX];
    while (trn_map_known_name(gen, count, name))
        count++;
    struct names names;
    const char *found = NULL;
    if (make_names(&names, 2 * count)) {
        collect_places(gen, &names, 2 * count);
        found = nearest(&names, word);
    }
    if (found)
        snprintf(out, TRN_MAP_NAME_MAX, "%s", found);
    free_names(&names);
    return found != NULL;
}

/* The block is known: a register of it may be meant. */
static bool near_register(const struct trn_gen *gen, const struct trn_map_block *block,
                          const char *rest, char *out)
{
    const size_t count = trn_map_registers(gen, block->index, NULL, 0);
    struct trn_map_register *registers = calloc(count + 1, sizeof *registers);
    struct names names;
    const char *found = NULL;
    if (make_names(&names, 2 * count) && registers) {
        trn_map_registers(gen, block->index, registers, count);
        for (size_t i = 0; i < count; i++) {
            strcpy(names.texts[names.count++], registers[i].name);
            if (*registers[i].alias)
                snprintf(names.texts[names.count++], TRN_MAP_NAME_MAX, "%s", registers[i].alias);
        }
        found = nearest(&names, rest);
    }
    if (found)
        snprintf(out, TRN_MAP_NAME_MAX, "%.40s.%.80s", block->path, found);
    free_names(&names);
    free(registers);
    return found != NULL;
}

int place_unknown(const struct trn_gen *gen, const char *name, unsigned core)
{
    char near[TRN_MAP_NAME_MAX];
    struct trn_map_block block;
    const char *rest;
    const bool in_block = place_block(gen, name, core, &block, &rest) && *rest;
    const bool found =
        in_block ? near_register(gen, &block, rest, near) : near_place(gen, name, near);
    fprintf(stderr, "trench: error: %s has no block, register, aperture or memory '%s'", gen->name,
            name);
    if (found)
        fprintf(stderr, "; near: '%s'", near);
    fputc('\n', stderr);
    return CLI_DOES_NOT_HOLD;
}
