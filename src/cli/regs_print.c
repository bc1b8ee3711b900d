/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "cli/map_print.h"
#include "cli/regs.h"

static const char *after_name(enum regs_after after)
{
    static const char *const names[] = {
        [REGS_AFTER_RESET] = "reset", [REGS_AFTER_BRINGUP] = "bringup", [REGS_AFTER_RUN] = "run"};
    return names[after];
}

static bool is_shown(const struct regs_options *options, const struct regs_value *value)
{
    return !options->changed || regs_is_changed(value);
}

/* ---- text ------------------------------------------------------------------------- */

static void list_block(const struct trn_gen *gen, const struct trn_map_block *block)
{
    printf("%-26s 0x%09" PRIx64 " %8zu  %s%s%s%s\n", block->path, block->bar0,
           trn_map_registers(gen, block->index, NULL, 0), block->meaning, *block->form ? " (" : "",
           block->form, *block->form ? ")" : "");
}

static void list_text(const struct regs_options *options)
{
    struct trn_map_block block;
    printf("%-26s %-11s %8s\n", "block", "bar0", "registers");
    for (size_t i = 0; trn_map_block_at(options->gen, i, &block); i++)
        if (regs_is_listed(options, &block))
            list_block(options->gen, &block);
}

static int name_width(const struct regs_options *options, const struct regs_block *block)
{
    size_t width = strlen("register");
    for (size_t i = 0; i < block->count; i++) {
        const size_t length = strlen(block->values[i].reg.name);
        if (is_shown(options, &block->values[i]) && length > width)
            width = length;
    }
    return (int)width;
}

/* A plain word says no more than the word. */
static bool is_plain(const struct trn_map_field *field)
{
    return strcmp(field->name, "value") == 0;
}

static void print_fields(const struct regs_value *value)
{
    struct trn_map_field field;
    for (unsigned i = 0; trn_map_field_at(&value->reg, i, &field); i++) {
        const uint32_t number = trn_map_field_value(&field, value->value);
        if (!is_plain(&field))
            printf(number > 9 ? "  %s=0x%x" : "  %s=%u", field.name, number);
    }
}

static void print_value(const struct regs_value *value, int width)
{
    const bool changed = regs_is_changed(value);
    printf("%c 0x%05x  0x%09" PRIx64 "  %-*s  %-3s", changed ? '*' : ' ', value->reg.offset,
           value->reg.bar0, width, value->reg.name, value->reg.access);
    if (!value->readable) {
        puts("  not modelled");
        return;
    }
    printf("  0x%08x", value->value);
    print_fields(value);
    if (changed)
        printf("  (reset 0x%x)", value->reset);
    if (*value->reg.alias)
        printf("  ; %s", value->reg.alias);
    putchar('\n');
}

static void print_block(const struct regs_options *options, const struct regs_block *block)
{
    const int width = name_width(options, block);
    printf("%s: %s, %s at BAR0 0x%" PRIx64 " of %s, after %s\n", block->block.path,
           block->block.meaning, block->block.place, block->block.bar0, options->gen->name,
           after_name(options->after));
    printf("  %-7s  %-11s  %-*s  %-3s  %s\n", "offset", "bar0", width, "register", "", "value");
    size_t shown = 0;
    for (size_t i = 0; i < block->count; i++) {
        if (!is_shown(options, &block->values[i]))
            continue;
        print_value(&block->values[i], width);
        shown++;
    }
    if (!shown)
        puts("  nothing differs from reset");
}

void regs_print_text(const struct regs_options *options, const struct regs_block *blocks,
                     size_t num_blocks)
{
    for (size_t i = 0; i < num_blocks; i++) {
        if (i)
            putchar('\n');
        print_block(options, &blocks[i]);
    }
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *fields_to_json(const struct regs_value *value)
{
    json_t *fields = json_object();
    struct trn_map_field field;
    for (unsigned i = 0; trn_map_field_at(&value->reg, i, &field); i++)
        json_object_set_new(fields, field.name,
                            value->readable
                                ? json_integer(trn_map_field_value(&field, value->value))
                                : json_null());
    return fields;
}

static json_t *value_to_json(const struct regs_value *value)
{
    const struct trn_map_register *reg = &value->reg;
    return json_pack("{ss ss ss so so ss so so sb so}", "block", reg->block, "name", reg->name,
                     "alias", reg->alias, "offset", map_hex(reg->offset), "bar0",
                     map_hex(reg->bar0), "access", reg->access, "value",
                     value->readable ? map_hex(value->value) : json_null(), "reset",
                     value->readable ? map_hex(value->reset) : json_null(), "changed",
                     regs_is_changed(value), "fields", fields_to_json(value));
}

static json_t *block_to_json(const struct trn_map_block *block)
{
    return json_pack(
        "{ss ss ss so so ss ss ss so so}", "path", block->path, "block", block->block, "place",
        block->place, "bar0", map_hex(block->bar0), "size", map_hex(block->size), "form",
        block->form, "meaning", block->meaning, "confidence", block->confidence, "core",
        block->core >= 0 ? json_integer(block->core) : json_null(), "engine",
        block->engine >= 0 ? json_string(trn_engine_name(block->engine)) : json_null());
}

static json_t *document(const struct regs_options *options, json_t *blocks)
{
    return json_pack("{ss ss ss so}", "schema", "trench.regs/1", "gen", options->gen->name, "after",
                     after_name(options->after), "blocks", blocks);
}

void regs_print_json(const struct regs_options *options, const struct regs_device *state,
                     const struct regs_block *blocks, size_t num_blocks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < num_blocks; i++) {
        json_t *object = block_to_json(&blocks[i].block), *registers = json_array();
        for (size_t r = 0; r < blocks[i].count; r++)
            if (is_shown(options, &blocks[i].values[r]))
                json_array_append_new(registers, value_to_json(&blocks[i].values[r]));
        json_object_set_new(object, "registers", registers);
        json_array_append_new(list, object);
    }
    json_t *root = document(options, list);
    if (options->after == REGS_AFTER_RUN)
        json_object_set_new(root, "status", json_string(run_core_status(&state->run)));
    else
        json_object_set_new(root, "status", json_string(state->exit_status ? "failed" : "ok"));
    cli_print_json(root);
}

static void list_json(const struct regs_options *options)
{
    json_t *list = json_array();
    struct trn_map_block block;
    for (size_t i = 0; trn_map_block_at(options->gen, i, &block); i++) {
        if (!regs_is_listed(options, &block))
            continue;
        json_t *object = block_to_json(&block);
        const size_t count = trn_map_registers(options->gen, block.index, NULL, 0);
        json_object_set_new(object, "num_registers", json_integer((json_int_t)count));
        json_array_append_new(list, object);
    }
    cli_print_json(document(options, list));
}

void regs_print_list(const struct regs_options *options)
{
    if (options->json)
        list_json(options);
    else
        list_text(options);
}
