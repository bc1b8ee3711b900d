/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON text beside an EXTISA library, held against the library's kernel table
 * (docs/hardware/firmware-images.md 13.4). */
#include <string.h>

#include "cli/fw_kernels.h"

/* ---- which one -------------------------------------------------------------------- */

static bool is_of_name(const struct trn_fw_name *json, const struct trn_fw_name *library)
{
    return json->region == TRN_FW_EXTISA_JSON && json->gen == library->gen &&
           json->core == library->core && json->engine == library->engine &&
           json->flavor == library->flavor && json->library == library->library;
}

/* By its name; of images without names, the one that ends where the library starts (13.1). */
static bool is_beside(const struct trn_fw_image *json, const struct trn_fw_image *library)
{
    if (library->is_named || json->is_named)
        return library->is_named && json->is_named && is_of_name(&json->name, &library->name);
    return trn_fw_kind_of(json->bytes, json->size) == TRN_FW_KIND_JSON &&
           json->bytes + json->size == library->bytes;
}

static const struct trn_fw_image *find(const struct trn_fw *fw, const struct trn_fw_image *library)
{
    const struct trn_fw_image *image, *found = NULL;
    bool is_here = false;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        is_here = is_here || image == library;
        if (!found && is_beside(image, library))
            found = image;
    }
    return is_here ? found : NULL;
}

/* ---- what it says ----------------------------------------------------------------- */

static void set(uint64_t bits[4], unsigned opcode)
{
    bits[opcode / 64] |= UINT64_C(1) << opcode % 64;
}

static bool has(const uint64_t bits[4], unsigned opcode)
{
    return bits[opcode / 64] >> opcode % 64 & 1;
}

static void read_functions(struct fw_sidecar *out)
{
    size_t i;
    json_t *function;
    json_array_foreach(out->functions, i, function)
    {
        const json_t *const opcode = json_object_get(function, "opcode");
        const json_int_t value = json_integer_value(opcode);
        if (!json_is_integer(opcode) || value < 0 || value > UINT8_MAX)
            out->is_broken = true;
        else
            set(out->listed, (unsigned)value);
    }
}

void fw_sidecar_read(const struct fw_pick *pick, const struct fw_picked *picked,
                     const struct trn_fw_kernel_table *table, struct fw_sidecar *out)
{
    *out = (struct fw_sidecar){.image = NULL};
    for (size_t i = 0; i < pick->num_files && !out->image; i++)
        out->image = find(pick->files[i].fw, picked->image);
    if (!out->image)
        return;
    for (size_t i = 0; i < table->count; i++)
        set(out->had, table->entries[i].opcode);
    out->document =
        json_loadb((const char *)out->image->bytes, (size_t)out->image->size, 0, &out->error);
    out->is_broken = !out->document;
    out->functions = json_object_get(out->document, "functions");
    read_functions(out);
}

void fw_sidecar_free(struct fw_sidecar *sidecar)
{
    json_decref(sidecar->document);
}

/* ---- printing --------------------------------------------------------------------- */

static const char *member(const struct fw_sidecar *sidecar, const char *key)
{
    return json_string_value(json_object_get(sidecar->document, key));
}

static void print_only(const char *what, const uint64_t in[4], const uint64_t out[4])
{
    bool any = false;
    for (unsigned opcode = 0; opcode <= UINT8_MAX; opcode++) {
        if (!has(in, opcode) || has(out, opcode))
            continue;
        printf("%s0x%02x", any ? " " : what, opcode);
        any = true;
    }
    if (any)
        putchar('\n');
}

void fw_sidecar_print(const struct fw_sidecar *sidecar)
{
    if (!sidecar->image)
        return;
    if (!sidecar->document) {
        printf("  sidecar     is no JSON: line %d, column %d\n", sidecar->error.line,
               sidecar->error.column);
        return;
    }
    if (!json_is_array(sidecar->functions)) {
        printf("  sidecar     0x%llx bytes, lists no functions\n",
               (unsigned long long)sidecar->image->size);
        return;
    }
    char version[40];
    const char *const said = member(sidecar, "ulib_to_ucode_version");
    snprintf(version, sizeof version, "%s", said ? said : "-");
    printf("  sidecar     %zu functions, version %s", json_array_size(sidecar->functions),
           fw_plain(version));
    puts(sidecar->is_broken ? "; one has no opcode from 0 to 255" : "");
    print_only("              in the table alone: ", sidecar->had, sidecar->listed);
    print_only("              in the sidecar alone: ", sidecar->listed, sidecar->had);
}

static json_t *only_json(const uint64_t in[4], const uint64_t out[4])
{
    json_t *const list = json_array();
    for (unsigned opcode = 0; opcode <= UINT8_MAX; opcode++)
        if (has(in, opcode) && !has(out, opcode))
            json_array_append_new(list, fw_hex_json(opcode));
    return list;
}

json_t *fw_sidecar_json(const struct fw_sidecar *sidecar)
{
    if (!sidecar->image)
        return json_null();
    const bool has_functions = json_is_array(sidecar->functions);
    const char *const version = member(sidecar, "ulib_to_ucode_version");
    return json_pack(
        "{so so sb so so so so}", "offset", fw_hex_json(sidecar->image->offset), "size",
        fw_hex_json(sidecar->image->size), "broken", (int)sidecar->is_broken, "functions",
        has_functions ? json_integer((json_int_t)json_array_size(sidecar->functions)) : json_null(),
        "version", version ? json_string(version) : json_null(), "table_alone",
        has_functions ? only_json(sidecar->had, sidecar->listed) : json_null(), "sidecar_alone",
        has_functions ? only_json(sidecar->listed, sidecar->had) : json_null());
}
