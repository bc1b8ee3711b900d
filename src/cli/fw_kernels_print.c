/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/fw_kernels.h"
#include "trench/isa.h"

/* ---- recognising ------------------------------------------------------------------ */

static unsigned gens_of(const struct trn_fw_kernel_table *table)
{
    return table->by_address ? table->by_address : table->by_keys;
}

/* One generation whose rows describe the table: the image's own when its name says one. */
static const struct trn_gen *gen_of(const struct fw_picked *picked,
                                    const struct trn_fw_kernel_table *table)
{
    const unsigned gens = gens_of(table);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *const gen = trn_gen_at(i);
        if (gens & 1U << i && picked->image->is_named && picked->image->name.gen == gen)
            return gen;
    }
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (gens & 1U << i)
            return trn_gen_at(i);
    return NULL;
}

void fw_kernels_identity(const struct trn_fw_kernel_table *table, char *out, size_t room)
{
    if (!gens_of(table)) {
        snprintf(out, room, "-");
        return;
    }
    size_t used = (size_t)snprintf(out, room, "EXTISA_%u of", table->library);
    for (unsigned i = 0; i < TRN_GEN_COUNT && used < room; i++)
        if (gens_of(table) & 1U << i)
            used += (size_t)snprintf(out + used, room - used, " %s", trn_gen_at(i)->name);
}

const char *fw_kernels_name(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                            const struct trn_fw_kernel *kernel)
{
    const struct trn_gen *const gen = gen_of(picked, table);
    struct trn_fw_kernel_info info;
    return gen && trn_fw_kernel_known(gen, table->library, kernel->opcode, kernel->spec, &info)
               ? info.kernel
               : NULL;
}

/* ---- text ------------------------------------------------------------------------- */

static void print_flaws(unsigned flaws)
{
    const char *text;
    for (size_t bit = 0; (text = trn_fw_kernel_flaw_text(bit)) != NULL; bit++)
        if (flaws & 1U << bit)
            printf("      ^ %s: %s\n", 1U << bit & TRN_FW_KERNEL_ERRORS ? "error" : "warning",
                   text);
}

/* The line fits 100 columns: 43 in front of the name, the opcode's in brackets behind it. */
static int name_room(const char *opcode)
{
    enum { LONGEST = 30, BEHIND_FRONT = 54 };
    const int room = BEHIND_FRONT - (int)(opcode ? strlen(opcode) : 1);
    return room < LONGEST ? room : LONGEST;
}

void fw_kernels_print(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                      const struct fw_sidecar *sidecar)
{
    char identity[128];
    fw_kernels_identity(table, identity, sizeof identity);
    printf("%s: kernel table of %zu entries\n", picked->name, table->count);
    printf("  found by    %s at offset 0x%zx, va 0x%x\n", trn_fw_kernel_source_name(table->source),
           table->offset, table->va);
    printf("  keys of     %s%s\n", identity,
           table->by_keys && !table->by_address ? ", at other addresses" : "");
    if (table->num_matched)
        printf("  addresses   %u recorded ones agree\n", table->num_matched);
    if (table->odd_size)
        printf("  size        0x%llx is no multiple of 8: the rest is left out\n",
               (unsigned long long)table->size);
    if (!table->has_text)
        printf("  functions   not checked: the image has no .text of its own\n");
    fw_sidecar_print(sidecar);
    printf("    %-4s %-10s %-6s %4s %-10s %s\n", "", "key", "opcode", "spec", "function",
           "kernel [ISA name]");
    for (size_t i = 0; i < table->count; i++) {
        const struct trn_fw_kernel *const kernel = &table->entries[i];
        const char *const name = fw_kernels_name(picked, table, kernel);
        const char *const opcode = trn_opcode_name((uint8_t)kernel->opcode);
        printf("    %-4zu 0x%08x 0x%-4x %4u 0x%08x %.*s [%s]\n", i, kernel->key, kernel->opcode,
               kernel->spec, kernel->func_va, name_room(opcode), name ? name : "-",
               opcode ? opcode : "-");
        print_flaws(kernel->flaws);
    }
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *flaws_json(unsigned flaws)
{
    json_t *const list = json_array();
    const char *text;
    for (size_t bit = 0; (text = trn_fw_kernel_flaw_text(bit)) != NULL; bit++)
        if (flaws & 1U << bit)
            json_array_append_new(list, json_string(text));
    return list;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

json_t *fw_kernel_json(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                       const struct trn_fw_kernel *kernel)
{
    return json_pack("{sI so so sI so so so so}", "index", (json_int_t)(kernel - table->entries),
                     "key", fw_hex_json(kernel->key), "opcode", fw_hex_json(kernel->opcode), "spec",
                     (json_int_t)kernel->spec, "function", fw_hex_json(kernel->func_va), "kernel",
                     text_or_null(fw_kernels_name(picked, table, kernel)), "name",
                     text_or_null(trn_opcode_name((uint8_t)kernel->opcode)), "flaws",
                     flaws_json(kernel->flaws));
}

static json_t *gens_json(unsigned gens)
{
    json_t *const list = json_array();
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (gens & 1U << i)
            json_array_append_new(list, json_string(trn_gen_at(i)->name));
    return list;
}

json_t *fw_kernels_json(const struct fw_picked *picked, const struct trn_fw_kernel_table *table,
                        const struct fw_sidecar *sidecar)
{
    json_t *const object = fw_picked_json(picked), *const entries = json_array();
    for (size_t i = 0; i < table->count; i++)
        json_array_append_new(entries, fw_kernel_json(picked, table, &table->entries[i]));
    json_t *const facts = json_pack(
        "{ss so so so sb sb so so sI so}", "source", trn_fw_kernel_source_name(table->source),
        "table_offset", fw_hex_json(table->offset), "table_size", fw_hex_json(table->size), "va",
        table->va ? fw_hex_json(table->va) : json_null(), "odd_size", (int)table->odd_size,
        "has_text", (int)table->has_text, "gens_by_keys", gens_json(table->by_keys),
        "gens_by_address", gens_json(table->by_address), "addresses_agree",
        (json_int_t)table->num_matched, "library",
        table->by_keys ? json_integer((json_int_t)table->library) : json_null());
    json_object_update_new(object, facts);
    json_object_set_new(object, "sidecar", fw_sidecar_json(sidecar));
    json_object_set_new(object, "entries", entries);
    return object;
}

/* ---- legs ------------------------------------------------------------------------- */

static bool is_asked(const struct fw_kernel_query *query, const struct trn_fw_kernel_leg *leg)
{
    return leg->opcode == query->opcode && (query->spec < 0 || leg->spec == (unsigned)query->spec);
}

static bool is_here(const struct trn_fw_kernel_leg *leg, unsigned libraries)
{
    return leg->library >= 0 && libraries & 1U << leg->library;
}

void fw_kernels_print_legs(const struct fw_kernel_query *query, unsigned libraries)
{
    struct trn_fw_kernel_leg leg;
    for (size_t i = 0; trn_fw_kernel_leg(i, &leg); i++)
        if (is_asked(query, &leg))
            printf("  leg %-7s (%s): %s, %s\n              %s\n", leg.leg, leg.condition,
                   trn_engine_name(leg.engine),
                   is_here(&leg, libraries) ? "its kernel is here"
                   : leg.library < 0        ? "no kernel in any library"
                                            : "its kernel is not here",
                   leg.note);
}

json_t *fw_kernels_legs_json(const struct fw_kernel_query *query, unsigned libraries)
{
    json_t *const list = json_array();
    struct trn_fw_kernel_leg leg;
    for (size_t i = 0; trn_fw_kernel_leg(i, &leg); i++)
        if (is_asked(query, &leg))
            json_array_append_new(
                list,
                json_pack("{sI ss ss ss so sb ss}", "spec", (json_int_t)leg.spec, "leg", leg.leg,
                          "condition", leg.condition, "engine", trn_engine_name(leg.engine),
                          "library", leg.library < 0 ? json_null() : json_integer(leg.library),
                          "here", (int)is_here(&leg, libraries), "note", leg.note));
    return list;
}
