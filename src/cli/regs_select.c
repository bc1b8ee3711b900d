/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a name means. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/place_names.h"
#include "cli/regs.h"

bool regs_is_listed(const struct regs_options *options, const struct trn_map_block *block)
{
    return (!options->core_given || block->core == (int)options->core) &&
           (options->engine < 0 || block->engine == options->engine);
}

/* Does `start` name the register, or the bundle or family that it is of? */
static bool is_meant(const struct trn_map_register *reg, const char *start)
{
    const size_t length = strlen(start);
    if (strcasecmp(reg->alias, start) == 0 && length > 0)
        return true;
    return strncasecmp(reg->name, start, length) == 0 &&
           (length == 0 || strchr(".[", reg->name[length]) != NULL);
}

/* A block that is of no engine names it in a bundle or register: "act_sequencer.zero_val",
 * "misc.act_eng_pc". */
static bool is_of_engine(const struct regs_options *options, const struct trn_map_block *block,
                         const struct trn_map_register *reg)
{
    if (options->engine < 0 || block->engine == options->engine)
        return true;
    const char *name = trn_engine_name(options->engine);
    const size_t length = strlen(name);
    for (const char *part = reg->name; part; part = strchr(part, '.')) {
        part += *part == '.';
        if (strncasecmp(part, name, length) == 0 && part[length] == '_')
            return true;
    }
    return false;
}

/* With --engine its own block of that name comes first: act and xt_local give act.xt_local. */
static bool find_block(const struct regs_options *options, const char *name,
                       struct trn_map_block *block, const char **rest)
{
    char of_engine[TRN_MAP_NAME_MAX];
    const unsigned core = (unsigned)options->core;
    if (options->engine >= 0) {
        const int length = snprintf(of_engine, sizeof of_engine, "%s.%.100s",
                                    trn_engine_name(options->engine), name);
        if (strlen(name) <= 100 && place_block(options->gen, of_engine, core, block, rest) &&
            block->engine == options->engine) {
            *rest = name + strlen(name) - strlen(*rest);
            return length > 0;
        }
    }
    return place_block(options->gen, name, core, block, rest);
}

/* Keeps those registers that are meant. */
static void keep(const struct regs_options *options, const char *rest,
                 const struct trn_map_register *registers, size_t count, struct regs_block *out)
{
    for (size_t i = 0; i < count; i++)
        if (is_meant(&registers[i], rest) && is_of_engine(options, &out->block, &registers[i]))
            out->values[out->count++].reg = registers[i];
}

int regs_select(const struct regs_options *options, const char *name, struct regs_block *out)
{
    const char *rest;
    *out = (struct regs_block){.values = NULL};
    if (!find_block(options, name, &out->block, &rest))
        return place_unknown(options->gen, name, (unsigned)options->core);
    const size_t count = trn_map_registers(options->gen, out->block.index, NULL, 0);
    struct trn_map_register *registers = calloc(count + 1, sizeof *registers);
    out->values = calloc(count + 1, sizeof *out->values);
    if (registers && out->values) {
        trn_map_registers(options->gen, out->block.index, registers, count);
        keep(options, rest, registers, count, out);
    }
    const bool enough = registers && out->values;
    free(registers);
    if (!enough)
        return cli_usage_error("out of memory");
    if (out->count)
        return 0;
    if (*rest)
        return place_unknown(options->gen, name, (unsigned)options->core);
    fprintf(stderr, "trench: error: %s has no registers of %s\n", out->block.path,
            trn_engine_name(options->engine));
    return CLI_DOES_NOT_HOLD;
}

void regs_free(struct regs_block *block)
{
    free(block->values);
}
