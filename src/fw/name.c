/* SPDX-License-Identifier: Apache-2.0 */
/* Names of images: GEN_CLASS_ENGINE_FLAVOR_REGION (docs/hardware/firmware-images.md 2.1, 5). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "trench/fw.h"
#include "trench/isa.h"

/* The rest of a name. */
struct rest {
    const char *at, *end;
};

static bool starts(const struct rest *rest, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(rest->end - rest->at) >= length && memcmp(rest->at, word, length) == 0;
}

static bool ends(const struct rest *rest, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(rest->end - rest->at) >= length &&
           memcmp(rest->end - length, word, length) == 0;
}

static struct rest base_of(const char *text)
{
    static const char *const prefixes[] = {"img_", "hwdecode_"};
    static const char *const suffixes[] = {"_get.data", "_get", "_contents.c.o", "_contents.o"};
    const char *const slash = strrchr(text, '/'); /* of a thin archive's member */
    struct rest rest = {slash ? slash + 1 : text, text + strlen(text)};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (starts(&rest, prefixes[i])) {
            rest.at += strlen(prefixes[i]);
            break;
        }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (ends(&rest, suffixes[i])) {
            rest.end -= strlen(suffixes[i]);
            break;
        }
    return rest;
}

const char *trn_fw_name_base(const char *text, size_t *length)
{
    const struct rest rest = base_of(text);
    *length = (size_t)(rest.end - rest.at);
    return rest.at;
}

/* Take `word` and the underscore behind it, or the end of the name. */
static bool take(struct rest *rest, const char *word)
{
    if (!starts(rest, word))
        return false;
    const char *const after = rest->at + strlen(word);
    if (after != rest->end && *after != '_')
        return false;
    rest->at = after == rest->end ? after : after + 1;
    return true;
}

/* The longest generation that the rest starts with: MARIANA_PLUS before MARIANA. */
static const struct trn_gen *take_gen(struct rest *rest)
{
    const struct trn_gen *best = NULL;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *const gen = trn_gen_at(i);
        struct rest trial = *rest;
        if (take(&trial, gen->title) && (!best || strlen(gen->title) > strlen(best->title)))
            best = gen;
    }
    if (best)
        take(rest, best->title);
    return best;
}

const struct trn_gen *trn_fw_name_gen(const char *text)
{
    struct rest rest = base_of(text);
    return take_gen(&rest);
}

static bool take_core(struct rest *rest, struct trn_fw_name *name)
{
    for (unsigned i = 0; i < TRN_FW_CLASSES; i++)
        if (take(rest, trn_fw_class_name((enum trn_fw_class)i))) {
            name->core = (enum trn_fw_class)i;
            return true;
        }
    return false;
}

static void upper(const char *text, char out[8])
{
    size_t i = 0;
    for (; i < 7 && text[i]; i++)
        out[i] = (char)toupper((unsigned char)text[i]);
    out[i] = '\0';
}

static bool take_engine(struct rest *rest, struct trn_fw_name *name)
{
    for (int engine = 0; trn_engine_name(engine); engine++) {
        char word[8];
        upper(trn_engine_name(engine), word);
        if (take(rest, word)) {
            name->engine = engine;
            return true;
        }
    }
    return false;
}

/* The words of the flavours do not start each other, so their order does not matter. */
static bool take_flavor(struct rest *rest, struct trn_fw_name *name)
{
    for (unsigned i = 0; i < TRN_FW_FLAVORS; i++)
        if (take(rest, trn_fw_flavor_name((enum trn_fw_flavor)i))) {
            name->flavor = (enum trn_fw_flavor)i;
            return true;
        }
    return false;
}

static bool take_region(struct rest *rest, struct trn_fw_name *name)
{
    for (unsigned i = TRN_FW_IRAM; i <= TRN_FW_TABLE; i++)
        if (take(rest, trn_fw_region_name((enum trn_fw_region)i))) {
            name->region = (enum trn_fw_region)i;
            return true;
        }
    if (!take(rest, "EXTISA") || rest->end - rest->at < 2 || *rest->at < '0' || *rest->at > '3' ||
        rest->at[1] != '_')
        return false;
    name->library = (unsigned)(*rest->at - '0');
    rest->at += 2;
    name->region = take(rest, "SO") ? TRN_FW_EXTISA_SO : TRN_FW_EXTISA_JSON;
    return name->region == TRN_FW_EXTISA_SO || take(rest, "JSON");
}

/* Which flavours an engine of a generation has, and which regions a flavour has (2.1, 5). */
static bool holds(const struct trn_fw_name *name)
{
    const struct trn_gen *const gen = name->gen;
    const bool is_prof = name->flavor == TRN_FW_PROF;
    const bool is_dkl = name->flavor >= TRN_FW_DKL_PERF && name->flavor <= TRN_FW_DKL_TEST;
    const bool is_q7 = name->core == TRN_FW_Q7;
    const bool is_extisa = name->region >= TRN_FW_EXTISA_SO;
    const int pool = trn_engine_find("pool"), sp = trn_engine_find("sp");
    const enum trn_fw_flavor shipped = gen->has_release_images ? TRN_FW_RELEASE : TRN_FW_PERF;
    if (is_q7 && name->engine != pool)
        return false;
    if (is_prof != (name->region == TRN_FW_CAM || name->region == TRN_FW_TABLE))
        return false;
    if (is_prof)
        return gen->has_prof && !is_q7 && name->engine != sp;
    if (is_dkl)
        return gen->has_dkl && is_q7 && !is_extisa;
    if (is_extisa)
        return is_q7 && name->flavor == shipped && (gen->has_inlib_extisa || name->library == 0);
    return name->flavor == shipped || name->flavor == TRN_FW_DEBUG ||
           (name->flavor == TRN_FW_TEST && !gen->has_release_images);
}

bool trn_fw_name_parse(const char *text, struct trn_fw_name *out)
{
    struct rest rest = base_of(text);
    if (rest.at == rest.end || rest.end[-1] == '_')
        return false;
    struct trn_fw_name name = {.gen = take_gen(&rest)};
    if (!name.gen || !take_core(&rest, &name) || !take_engine(&rest, &name) ||
        !take_flavor(&rest, &name) || !take_region(&rest, &name) || rest.at != rest.end ||
        !holds(&name))
        return false;
    *out = name;
    return true;
}

void trn_fw_name_print(const struct trn_fw_name *name, char out[TRN_FW_NAME_MAX])
{
    char engine[8], region[16];
    upper(trn_engine_name(name->engine), engine);
    if (name->region >= TRN_FW_EXTISA_SO)
        snprintf(region, sizeof region, "EXTISA_%u_%s", name->library % 10,
                 name->region == TRN_FW_EXTISA_SO ? "SO" : "JSON");
    else
        snprintf(region, sizeof region, "%s", trn_fw_region_name(name->region));
    snprintf(out, TRN_FW_NAME_MAX, "%s_%s_%s_%s_%s", name->gen->title,
             trn_fw_class_name(name->core), engine, trn_fw_flavor_name(name->flavor), region);
}
