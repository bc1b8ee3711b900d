/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of a descriptor generator that has no device behind it. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/dge.h"
#include "trench/map.h"

#define NO_VECTOR UINT64_MAX /* an address for a word without one */

/* Zeros, but for the index vectors. The first read where a vector begins is that of the vector:
 * indices come before what they point to. */
static trn_status read_memory(void *context, uint64_t address, void *data, size_t size)
{
    struct dge_build *const build = context;
    memset(data, 0, size);
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_npy *const index = &build->index[side];
        const uint64_t first = build->index_at[side];
        if (first == NO_VECTOR)
            continue;
        if (address == first && build->index_read[side] == 0)
            build->index_read[side] = size;
        for (size_t i = 0; index->data && i < size; i++)
            if (address + i - first < index->size_bytes)
                ((uint8_t *)data)[i] = index->data[address + i - first];
    }
    return TRN_OK;
}

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size)
{
    (void)context, (void)address, (void)data, (void)size;
    return TRN_OK;
}

static trn_status get_register(void *context, int engine, unsigned number, uint32_t *value)
{
    enum { PC_LOW = 128, PC_HIGH = 129 }; /* isa-core.md 3: the word's own address, which is 0 */
    (void)engine;
    *value = 0;
    if (number == PC_LOW || number == PC_HIGH)
        return TRN_OK;
    if (number >= DGE_REGISTERS)
        return TRN_ERR_INVALID;
    *value = ((const struct dge_build *)context)->reg[number];
    return TRN_OK;
}

static trn_status set_register(void *context, int engine, unsigned number, uint32_t value)
{
    (void)engine;
    if (number >= DGE_REGISTERS)
        return TRN_ERR_INVALID;
    ((struct dge_build *)context)->reg[number] = value;
    return TRN_OK;
}

static uint32_t local(void *context, int engine, unsigned number)
{
    (void)engine;
    return number < DGE_LOCALS ? ((const struct dge_build *)context)->local[number] : 0;
}

static trn_status shape(void *context, int engine, unsigned number, struct trn_dge_shape *out)
{
    (void)engine;
    if (number >= 4)
        return TRN_ERR_INVALID;
    *out = ((const struct dge_build *)context)->shape[number];
    return TRN_OK;
}

static void keep_descriptor(void *context, int engine, const struct trn_dge_descriptor *d)
{
    struct dge_build *const build = context;
    (void)engine;
    if (build->num_lines == build->line_room) {
        const size_t more = build->line_room ? 2 * build->line_room : 64;
        struct dge_line *const lines = realloc(build->lines, more * sizeof *lines);
        if (!lines)
            return;
        build->lines = lines;
        build->line_room = more;
    }
    struct dge_line *const line = &build->lines[build->num_lines++];
    line->descriptor = *d;
    memcpy(line->raw, d->raw, sizeof line->raw);
}

static void keep_log(void *context, int engine, const char *text)
{
    struct dge_build *const build = context;
    const size_t size = strlen(text);
    (void)engine;
    char *const log = realloc(build->log, build->log_bytes + size + 2);
    if (!log)
        return;
    build->log = log;
    memcpy(log + build->log_bytes, text, size);
    build->log_bytes += size;
    log[build->log_bytes++] = '\n';
    log[build->log_bytes] = 0;
}

/* DMA_IMMEDIATE: its descriptors are what is built. */
static trn_status keep_sent(void *context, unsigned dma, unsigned queue, const uint8_t *raw,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct trn_dge_descriptor d = {
            .dma = (uint8_t)dma, .queue = (uint8_t)queue, .raw = raw + i * TRN_DGE_DESC_BYTES};
        keep_descriptor(context, 0, &d);
    }
    return TRN_OK;
}

/* Where the word looks for an index vector. */
static void find_indices(struct dge_build *build, const uint8_t *word)
{
    static const char *const names[TRN_DGE_SIDES] = {"src_idx_start_addr", "dst_idx_start_addr"};
    const size_t count = trn_word_info(build->gen, word).num_fields;
    struct trn_field_view field;
    build->index_at[TRN_DGE_SRC] = build->index_at[TRN_DGE_DST] = NO_VECTOR;
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        for (size_t i = 0; i < count; i++)
            if (trn_word_field(build->gen, word, i, &field) == TRN_OK &&
                strcmp(field.name, names[side]) == 0) {
                const struct trn_address_view *const at = &field.pattern.start;
                build->index_at[side] =
                    build->sbuf +
                    (at->from_register ? build->reg[at->reg % DGE_REGISTERS] : at->address);
            }
}

/* Device addresses of core 0 (dge.md 1), relative to its state buffer where no source says more. */
static struct trn_dge_ports ports_of(struct dge_build *build)
{
    const uint64_t dge_memory = 0x40000000, semaphores = UINT64_C(0x802701800);
    struct trn_map_place place;
    build->sbuf = UINT64_C(0x2000000000);
    if (trn_map_address(build->gen, TRN_MAP_ENGINE, 0, 0, &place, NULL) == TRN_OK &&
        place.exists[TRN_MAP_SOC])
        build->sbuf = place.address[TRN_MAP_SOC];
    return (struct trn_dge_ports){.context = build,
                                  .sbuf_base = build->sbuf,
                                  .psum_base = build->sbuf + UINT64_C(0x802000000),
                                  .dge_memory_base = build->sbuf + dge_memory,
                                  .semaphore_inc_base = build->sbuf + semaphores,
                                  .read = read_memory,
                                  .write = write_memory,
                                  .get_register = get_register,
                                  .set_register = set_register,
                                  .local = local,
                                  .shape = shape,
                                  .descriptor = keep_descriptor,
                                  .log = build->wants_log ? keep_log : NULL,
                                  .send = keep_sent};
}

/* A vector that ends before the word has its indices is a mistake of who made it. */
static int check_vectors(const struct dge_build *build)
{
    enum { INDEX_BYTES = 4 };
    const enum trn_dge_result result = build->outcome.result;
    static const char *const options[TRN_DGE_SIDES] = {"--index", "--dst-index"};
    if (result == TRN_DGE_ILLEGAL || result == TRN_DGE_NO_BACKEND) /* nobody looked */
        return CLI_OK;
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const struct trn_npy *const index = &build->index[side];
        const size_t have = index->size_bytes / INDEX_BYTES;
        const size_t want = build->index_read[side] / INDEX_BYTES;
        if (index->data && want == 0)
            return cli_usage_error("%s %s: the word reads no %s index vector", options[side],
                                   build->index_path[side],
                                   side == TRN_DGE_SRC ? "source" : "destination");
        if (index->data && have < want)
            return cli_usage_error("%s %s: %zu indices; the word reads %zu", options[side],
                                   build->index_path[side], have, want);
    }
    return CLI_OK;
}

int dge_build_run(struct dge_build *build)
{
    const struct trn_dge_ports ports = ports_of(build);
    const uint8_t *const next_word = build->num_words > 1 ? build->words + TRN_INST_BYTES : NULL;
    const struct trn_dge_next next = {.word = next_word};
    uint8_t real[TRN_INST_BYTES];
    unsigned consumed;
    struct trn_dge *dge;
    if (trn_dge_create(build->gen, &ports, &build->options, &dge) != TRN_OK)
        return cli_usage_error("memory is short");
    memcpy(real, build->words, sizeof real);
    if (build->words[0] == TRN_OPCODE_PSEUDO_DMA_DIRECT2D)
        trn_dge_lower(build->gen, build->words, next_word, real, &consumed, NULL);
    find_indices(build, real);
    const trn_status status =
        trn_dge_execute(dge, build->engine, build->words, &next, &build->outcome);
    const int vectors = status == TRN_OK ? check_vectors(build) : CLI_OK;
    if (vectors != CLI_OK) {
        trn_dge_destroy(dge);
        return vectors;
    }
    if (status == TRN_OK && build->json)
        dge_print_json(build);
    else if (status == TRN_OK)
        dge_print_text(build);
    trn_dge_destroy(dge);
    if (status != TRN_OK)
        return cli_usage_error("the word cannot be carried out: %s", trn_status_name(status));
    return build->outcome.result == TRN_DGE_EMITTED ? CLI_OK : CLI_DOES_NOT_HOLD;
}

void dge_build_free(struct dge_build *build)
{
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++)
        trn_npy_free(&build->index[side]);
    free(build->lines);
    free(build->log);
}
