/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/map_print.h"

#include <inttypes.h>

json_t *map_hex(uint64_t value)
{
    return json_sprintf("0x%" PRIx64, value);
}

void map_bits(const struct trn_map_field *field, char out[16])
{
    if (field->bits > 1)
        snprintf(out, 16, "%u:%u", field->low + field->bits - 1, field->low);
    else
        snprintf(out, 16, "%u", field->low);
}

static const char *memory_name(enum trn_map_memory memory)
{
    static const char *const names[] = {[TRN_MAP_SBUF] = "sbuf",
                                        [TRN_MAP_PSUM] = "psum",
                                        [TRN_MAP_HBM] = "hbm",
                                        [TRN_MAP_HOST] = "host"};
    return names[memory];
}

/* ---- text ------------------------------------------------------------------------- */

static const char *form_meaning(enum trn_map_space space)
{
    static const char *const meanings[TRN_MAP_SPACES] = {
        [TRN_MAP_BAR0] = "BAR0 offset",
        [TRN_MAP_BAR4] = "BAR4 offset",
        [TRN_MAP_SOC] = "device address",
        [TRN_MAP_TPB] = "offset in the core's container",
        [TRN_MAP_TPB_BAR] = "offset in the core's BAR0 window",
        [TRN_MAP_ENGINE] = "address in an instruction"};
    return meanings[space];
}

static void print_forms(const struct trn_map_place *place)
{
    for (unsigned s = 0; s < TRN_MAP_SPACES; s++)
        if (place->exists[s])
            printf("  %-9s 0x%-16" PRIx64 " %s\n", trn_map_space_name((enum trn_map_space)s),
                   place->address[s], form_meaning((enum trn_map_space)s));
}

static void print_attributes(const struct trn_map_place *place)
{
    if (place->chip >= 0)
        printf("  chip      %d\n", place->chip);
    if (place->relaxed_ordering || place->ok_to_fail)
        printf("  bits     %s%s\n", place->ok_to_fail ? " ok_to_fail" : "",
               place->relaxed_ordering ? " relaxed_ordering" : "");
}

static void print_memory(const struct trn_map_place *place)
{
    const char *hole = place->hole ? ", a hole: the memory has no such byte" : "";
    switch (place->memory) {
    case TRN_MAP_SBUF:
    case TRN_MAP_PSUM:
        printf("  memory    %s[p%u,0x%" PRIx64 "]%s\n", memory_name(place->memory),
               place->partition, place->memory_byte, hole);
        return;
    case TRN_MAP_HBM:
        printf("  memory    hbm%u[0x%" PRIx64 "]%s\n", place->channel, place->memory_byte, hole);
        return;
    case TRN_MAP_HOST:
        printf("  memory    host + 0x%" PRIx64 "\n", place->memory_byte);
        return;
    case TRN_MAP_NO_MEMORY:
        return;
    }
}

static void print_register(const struct trn_map_place *place)
{
    const struct trn_map_register *reg = &place->reg;
    struct trn_map_field field;
    printf("  register  %s.%s at + 0x%x, %s, reset %s0x%x%s%s\n", reg->block, reg->name,
           reg->offset, reg->access, reg->reset_known ? "" : "unknown, taken as ", reg->reset,
           *reg->meaning ? ": " : "", reg->meaning);
    if (*reg->alias)
        printf("            also called %s\n", reg->alias);
    for (unsigned i = 0; trn_map_field_at(reg, i, &field); i++) {
        char bits[16];
        map_bits(&field, bits);
        if (!place->has_field || place->field.low == field.low)
            printf("    %-7s %s%s\n", bits, field.name, field.pulse ? " (pulse)" : "");
    }
}

static void print_block(const struct trn_map_place *place)
{
    const struct trn_map_block *block = &place->block;
    if (!place->has_block)
        return;
    printf("  block     %s + 0x%x  %s%s%s%s\n", block->path, place->block_offset, block->meaning,
           *block->form ? " (" : "", block->form, *block->form ? ")" : "");
    if (place->has_register)
        print_register(place);
    else
        printf("  register  none at this offset\n");
}

void map_print_text(const struct trn_map_place *place)
{
    if (place->core >= 0)
        printf("  core      %d\n", place->core);
    print_forms(place);
    print_attributes(place);
    printf("  aperture  %s + 0x%" PRIx64 "%s%s [%s]\n", place->aperture, place->aperture_offset,
           *place->meaning ? "  " : "", place->meaning, place->confidence);
    print_memory(place);
    print_block(place);
    if (place->model_choice)
        printf("  note      a model choice on %s: no source gives the whole place%s%s%s\n",
               place->gen->name, *place->window_confidence ? " (window: " : "",
               place->window_confidence, *place->window_confidence ? ")" : "");
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *forms_to_json(const struct trn_map_place *place)
{
    json_t *forms = json_object();
    for (unsigned s = 0; s < TRN_MAP_SPACES; s++)
        json_object_set_new(forms, trn_map_space_name((enum trn_map_space)s),
                            place->exists[s] ? map_hex(place->address[s]) : json_null());
    return forms;
}

static json_t *memory_to_json(const struct trn_map_place *place)
{
    if (place->memory == TRN_MAP_NO_MEMORY)
        return json_null();
    json_t *memory = json_pack("{ss so sb}", "space", memory_name(place->memory), "byte",
                               map_hex(place->memory_byte), "hole", place->hole);
    if (place->memory == TRN_MAP_HBM)
        json_object_set_new(memory, "stack", json_integer(place->channel));
    else if (place->memory != TRN_MAP_HOST)
        json_object_set_new(memory, "partition", json_integer(place->partition));
    return memory;
}

static json_t *fields_to_json(const struct trn_map_register *reg)
{
    json_t *fields = json_array();
    struct trn_map_field field;
    for (unsigned i = 0; trn_map_field_at(reg, i, &field); i++)
        json_array_append_new(fields,
                              json_pack("{ss si si sb}", "name", field.name, "low", (int)field.low,
                                        "bits", (int)field.bits, "pulse", field.pulse));
    return fields;
}

static json_t *register_to_json(const struct trn_map_place *place)
{
    const struct trn_map_register *reg = &place->reg;
    if (!place->has_register)
        return json_null();
    return json_pack("{ss ss ss so so ss so sb ss so so}", "block", reg->block, "name", reg->name,
                     "alias", reg->alias, "offset", map_hex(reg->offset), "bar0",
                     map_hex(reg->bar0), "access", reg->access, "reset", map_hex(reg->reset),
                     "reset_known", reg->reset_known, "meaning", reg->meaning, "fields",
                     fields_to_json(reg), "field",
                     place->has_field ? json_string(place->field.name) : json_null());
}

static json_t *block_to_json(const struct trn_map_place *place)
{
    const struct trn_map_block *block = &place->block;
    if (!place->has_block)
        return json_null();
    return json_pack("{ss ss ss so ss ss ss}", "path", block->path, "block", block->block, "place",
                     block->place, "offset", map_hex(place->block_offset), "form", block->form,
                     "meaning", block->meaning, "confidence", block->confidence);
}

json_t *map_to_json(const struct trn_map_place *place)
{
    json_t *aperture = json_pack("{ss so ss ss}", "name", place->aperture, "offset",
                                 map_hex(place->aperture_offset), "meaning", place->meaning,
                                 "confidence", place->confidence);
    return json_pack("{so so sb sb so so so so so sb}", "forms", forms_to_json(place), "core",
                     place->core >= 0 ? json_integer(place->core) : json_null(), "ok_to_fail",
                     place->ok_to_fail, "relaxed_ordering", place->relaxed_ordering, "chip",
                     place->chip >= 0 ? json_integer(place->chip) : json_null(), "aperture",
                     aperture, "memory", memory_to_json(place), "block", block_to_json(place),
                     "register", register_to_json(place), "model_choice", place->model_choice);
}
