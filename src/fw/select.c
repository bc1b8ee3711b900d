/* SPDX-License-Identifier: Apache-2.0 */
/* Which image the host's runtime takes: docs/hardware/firmware-images.md 11. */
#include <string.h>

#include "fw/data_rows.h"

/* Keys of the host's descriptors. */
enum { KEY_PERF = 1, KEY_DEBUG = 2, KEY_TEST = 3 };
enum { KIND_CAM = 0, KIND_TABLE = 1 };
enum { EXTENDED_OPCODE = 0xF0, SPEC_BYTE = 12, CPTC_LIBRARY = 3 };

bool trn_fw_slot(unsigned number, struct trn_fw_slot *out)
{
    if (number >= trn_num_fw_slot_rows)
        return false;
    const struct trn_fw_slot_row *const row = &trn_fw_slot_rows[number];
    *out = (struct trn_fw_slot){
        .number = number,
        .core_type = row->core_type,
        .gen = trn_gen_at(row->gen),
        .core = row->core,
        .engine = row->engine,
        .num_flavors = row->num_flavors,
        .has_prof = row->has_prof,
        .num_libraries = row->num_libraries,
    };
    memcpy(out->flavors, row->flavors, sizeof out->flavors);
    return true;
}

/* ---- flavours --------------------------------------------------------------------- */

bool trn_fw_flavor_of_key(const struct trn_gen *gen, unsigned key, enum trn_fw_flavor *out)
{
    static const struct {
        unsigned key;
        enum trn_fw_flavor flavor;
    } keys[] = {
        {KEY_PERF, TRN_FW_PERF}, {KEY_DEBUG, TRN_FW_DEBUG}, {KEY_TEST, TRN_FW_TEST},
        {17, TRN_FW_DKL_PERF},   {18, TRN_FW_DKL_DEBUG},    {19, TRN_FW_DKL_TEST},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i].key != key)
            continue;
        /* A generation without a hardware-decode profile ships one build, RELEASE, under key 1. */
        *out = key == KEY_PERF && !gen->has_hw_decode ? TRN_FW_RELEASE : keys[i].flavor;
        return true;
    }
    return false;
}

static bool is_one_of(const char *value, const char *lower, const char *upper)
{
    return value && (strcmp(value, lower) == 0 || strcmp(value, upper) == 0);
}

/* Flavour 0 asks NEURON_UCODE_FLAVOR; whatever else it says is PERF. */
static unsigned asked_flavor(unsigned flavor, const struct trn_fw_env *env)
{
    if (flavor)
        return flavor;
    if (is_one_of(env->flavor, "debug", "DEBUG"))
        return KEY_DEBUG;
    return is_one_of(env->flavor, "test", "TEST") ? KEY_TEST : KEY_PERF;
}

/* ---- images ----------------------------------------------------------------------- */

static bool has_flavor(const struct trn_fw_slot *slot, unsigned flavor)
{
    for (unsigned i = 0; i < slot->num_flavors; i++)
        if (slot->flavors[i] == flavor)
            return true;
    return false;
}

enum trn_fw_select_code trn_fw_select_image(unsigned number, unsigned region, unsigned flavor,
                                            const struct trn_fw_env *env, struct trn_fw_name *out)
{
    struct trn_fw_slot slot;
    if (!trn_fw_slot(number, &slot))
        return TRN_FW_SELECT_NO_CORE;
    if (env->mplus_on_mariana && strcmp(env->mplus_on_mariana, "1") == 0)
        return TRN_FW_SELECT_REMOVED;
    flavor = asked_flavor(flavor, env);
    if (!has_flavor(&slot, flavor) || region > TRN_FW_EXTRAM)
        return TRN_FW_SELECT_NO_FLAVOR;
    *out = (struct trn_fw_name){.gen = slot.gen, .core = slot.core, .engine = slot.engine};
    out->region = (enum trn_fw_region)region;
    return trn_fw_flavor_of_key(slot.gen, flavor, &out->flavor) ? TRN_FW_SELECTED
                                                                : TRN_FW_SELECT_NO_FLAVOR;
}

enum trn_fw_select_code trn_fw_select_prof(unsigned number, unsigned kind, struct trn_fw_name *out)
{
    struct trn_fw_slot slot;
    if (!trn_fw_slot(number, &slot))
        return TRN_FW_SELECT_NO_CORE;
    if (kind > KIND_TABLE || !slot.has_prof)
        return TRN_FW_SELECT_NO_FLAVOR;
    *out = (struct trn_fw_name){
        .gen = slot.gen,
        .core = slot.core,
        .engine = slot.engine,
        .flavor = TRN_FW_PROF,
        .region = kind == KIND_CAM ? TRN_FW_CAM : TRN_FW_TABLE,
    };
    return TRN_FW_SELECTED;
}

/* ---- libraries -------------------------------------------------------------------- */

enum trn_fw_select_code trn_fw_library_count(unsigned core_type, unsigned *out)
{
    struct trn_fw_slot slot;
    *out = 0;
    if (!trn_fw_slot(core_type, &slot) || slot.num_libraries == 0)
        return TRN_FW_SELECT_NO_CORE;
    *out = slot.num_libraries;
    return TRN_FW_SELECTED;
}

enum trn_fw_select_code trn_fw_select_library(unsigned core_type, unsigned flavor, unsigned library,
                                              const struct trn_fw_env *env, struct trn_fw_name *out)
{
    struct trn_fw_slot slot;
    flavor = asked_flavor(flavor, env);
    if (flavor > KEY_TEST)
        return TRN_FW_SELECT_NO_FLAVOR;
    if (!trn_fw_slot(core_type, &slot) || slot.num_libraries == 0)
        return TRN_FW_SELECT_NO_CORE;
    /* One flavour alone is embedded, and only so many libraries. */
    if (flavor != KEY_PERF || library >= slot.num_libraries)
        return TRN_FW_SELECT_NO_GETTER;
    *out = (struct trn_fw_name){
        .gen = slot.gen,
        .core = slot.core,
        .engine = slot.engine,
        .region = TRN_FW_EXTISA_SO,
        .library = library,
    };
    trn_fw_flavor_of_key(slot.gen, flavor, &out->flavor);
    return TRN_FW_SELECTED;
}

enum trn_fw_select_code trn_fw_libraries_for(unsigned core_type, size_t num_opcodes,
                                             const struct trn_fw_env *env, unsigned *library,
                                             size_t *num)
{
    unsigned available;
    *num = 0;
    *library = 0;
    if (num_opcodes == 0)
        return TRN_FW_SELECTED;
    if (trn_fw_library_count(core_type, &available) != TRN_FW_SELECTED)
        return TRN_FW_SELECT_NO_CORE;
    /* The flag counts when it is set, whatever it says; a lone library cannot be another one. */
    *library = available > CPTC_LIBRARY && env->cptc_decode ? CPTC_LIBRARY : 0;
    *num = 1;
    return TRN_FW_SELECTED;
}

enum trn_fw_select_code trn_fw_select_management(unsigned arch_id, const char **image)
{
    if (!image)
        return TRN_FW_SELECT_NO_PLACE;
    for (size_t i = 0; i < trn_num_fw_management_rows; i++) {
        *image = trn_fw_management_rows[i].image;
        if (trn_fw_management_rows[i].arch_id == arch_id)
            return TRN_FW_SELECTED;
    }
    *image = NULL;
    return TRN_FW_SELECT_NO_FLAVOR;
}

/* ---- opset ------------------------------------------------------------------------ */

static void put(uint8_t bits[32], unsigned number)
{
    bits[number / 8] |= (uint8_t)(1U << number % 8);
}

static bool has(const uint8_t bits[32], unsigned number)
{
    return number < 256 && bits[number / 8] & 1U << number % 8;
}

static unsigned count(const uint8_t bits[32])
{
    unsigned set = 0;
    for (unsigned i = 0; i < 256; i++)
        set += has(bits, i);
    return set;
}

void trn_fw_opset_add(struct trn_fw_opset *set, const uint8_t word[64])
{
    put(set->has, word[0]);
    if (word[0] == EXTENDED_OPCODE)
        put(set->extended, word[SPEC_BYTE]);
}

unsigned trn_fw_opset_opcodes(const struct trn_fw_opset *set)
{
    return count(set->has);
}

bool trn_fw_opset_has(const struct trn_fw_opset *set, unsigned opcode)
{
    return has(set->has, opcode);
}

unsigned trn_fw_opset_specs(const struct trn_fw_opset *set, unsigned opcode)
{
    return opcode == EXTENDED_OPCODE ? count(set->extended) : 0;
}

bool trn_fw_opset_has_spec(const struct trn_fw_opset *set, unsigned opcode, unsigned spec)
{
    return opcode == EXTENDED_OPCODE && has(set->extended, spec);
}

enum trn_fw_select_code trn_fw_opset_library(const struct trn_fw_opset *set, unsigned core_type,
                                             unsigned *library)
{
    unsigned available;
    *library = 0;
    return trn_fw_opset_opcodes(set) == 0 ? TRN_FW_SELECTED
                                          : trn_fw_library_count(core_type, &available);
}
