/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/replay.h"

struct player {
    const char *name, *directory;
    const struct trn_bus *bus;
    struct replay_images *images;
    struct replay_result *result;
    struct trn_diag *diag;
};

static trn_status bad_line(const struct player *player, const struct replay_op *op,
                           trn_status status, const char *what)
{
    char where[192];
    snprintf(where, sizeof where, "%.160s:%u", player->name, op->line);
    return trn_diag_set(player->diag, status, where, NULL, NULL, "%s", what);
}

static trn_status add_difference(struct player *player, struct replay_difference difference)
{
    struct replay_result *result = player->result;
    if (result->num_differences == result->capacity) {
        const size_t wanted = result->capacity ? 2 * result->capacity : 64;
        struct replay_difference *grown = realloc(result->differences, wanted * sizeof *grown);
        if (!grown)
            return bad_line(player, difference.op, TRN_ERR_NO_MEMORY, "out of memory");
        result->differences = grown;
        result->capacity = wanted;
    }
    result->differences[result->num_differences++] = difference;
    return TRN_OK;
}

/* ---- registers ----------------------------------------------------------------------- */

/* Where no block answers a read gives a word all the same; the word is what counts. */
static trn_status play_read(struct player *player, const struct replay_op *op)
{
    uint32_t got = 0;
    const trn_status status = player->bus->read32(player->bus->context, op->offset, &got);
    if (status != TRN_OK && status != TRN_ERR_ADDRESS)
        return add_difference(player, (struct replay_difference){.op = op, .refused = status});
    if (op->any || got == op->value)
        return TRN_OK;
    return add_difference(player, (struct replay_difference){.op = op, .got = got});
}

static trn_status play_write(struct player *player, const struct replay_op *op)
{
    const trn_status status = player->bus->write32(player->bus->context, op->offset, op->value);
    if (status == TRN_OK)
        return TRN_OK;
    return add_difference(player, (struct replay_difference){.op = op, .refused = status});
}

/* ---- blocks -------------------------------------------------------------------------- */

static trn_status path_of(const struct player *player, const struct replay_op *op,
                          char path[PATH_MAX])
{
    const bool absolute = op->file[0] == '/';
    const int length = snprintf(path, PATH_MAX, "%s%s%.*s", absolute ? "" : player->directory,
                                absolute ? "" : "/", (int)op->file_length, op->file);
    if (length < PATH_MAX && !memchr(op->file, '\0', op->file_length))
        return TRN_OK;
    return bad_line(player, op, TRN_ERR_FORMAT, "the file's name is no path");
}

static trn_status check_file(const struct player *player, const struct replay_op *op,
                             const char *path, const uint8_t *data, size_t size)
{
    char what[PATH_MAX + 128];
    uint8_t sha256[SHA256_BYTES];
    if (size != op->length) {
        snprintf(what, sizeof what, "%s has 0x%zx bytes, the line says 0x%llx", path, size,
                 (unsigned long long)op->length);
        return bad_line(player, op, TRN_ERR_FORMAT, what);
    }
    if (sha256_of(data, size, sha256) != TRN_OK)
        return bad_line(player, op, TRN_ERR_NO_MEMORY, "out of memory");
    if (op->any || memcmp(sha256, op->sha256, SHA256_BYTES) == 0)
        return TRN_OK;
    char text[SHA256_TEXT];
    sha256_text(sha256, text);
    snprintf(what, sizeof what, "%s has another content than the line says: its SHA-256 is %s",
             path, text);
    return bad_line(player, op, TRN_ERR_FORMAT, what);
}

static trn_status read_file(const struct player *player, const struct replay_op *op, uint8_t **data)
{
    char path[PATH_MAX];
    struct trn_diag diag;
    size_t size = 0;
    trn_status status = path_of(player, op, path);
    if (status != TRN_OK)
        return status;
    status = cli_read_file(path, REPLAY_MAX_BLOCK, data, &size, &diag);
    if (status != TRN_OK) {
        char what[PATH_MAX + sizeof diag.message + 4];
        snprintf(what, sizeof what, "%s: %s", path, diag.message);
        return bad_line(player, op, status, what);
    }
    status = check_file(player, op, path, *data, size);
    if (status != TRN_OK)
        free(*data);
    return status;
}

/* The bytes of a block; *data stays NULL when nobody has them. */
static trn_status block_bytes(const struct player *player, const struct replay_op *op,
                              uint8_t **data)
{
    if (op->file)
        return read_file(player, op, data);
    if (op->any)
        return TRN_OK;
    const trn_status status =
        replay_images_find(player->images, op->sha256, (size_t)op->length, data);
    return status == TRN_OK ? TRN_OK : bad_line(player, op, status, "out of memory");
}

static trn_status play_block(struct player *player, const struct replay_op *op)
{
    uint8_t *data = NULL;
    trn_status status = block_bytes(player, op, &data);
    if (status != TRN_OK)
        return status;
    if (!data) {
        if (player->result->skipped_blocks++ == 0)
            player->result->first_skipped = op;
        return TRN_OK;
    }
    status = player->bus->write_block(player->bus->context, op->offset, data, (size_t)op->length);
    free(data);
    player->result->played++;
    if (status == TRN_OK)
        return TRN_OK;
    return add_difference(player, (struct replay_difference){.op = op, .refused = status});
}

/* ---- the whole ----------------------------------------------------------------------- */

static trn_status play_op(struct player *player, const struct replay_op *op)
{
    if (op->kind == REPLAY_BLOCK)
        return play_block(player, op);
    player->result->played++;
    return op->kind == REPLAY_READ ? play_read(player, op) : play_write(player, op);
}

trn_status replay_play(const struct replay_script *script, const char *name, const char *directory,
                       const struct trn_gen *gen, const struct trn_bus *bus,
                       struct replay_result *result, struct trn_diag *diag)
{
    *result = (struct replay_result){.differences = NULL};
    struct player player = {
        .name = name, .directory = directory, .bus = bus, .result = result, .diag = diag};
    trn_status status = replay_images_create(gen, &player.images);
    if (status != TRN_OK)
        return trn_diag_set(diag, status, name, NULL, NULL, "out of memory");
    for (size_t i = 0; i < script->count && status == TRN_OK; i++)
        status = play_op(&player, &script->ops[i]);
    replay_images_free(player.images);
    return status;
}

void replay_result_free(struct replay_result *result)
{
    free(result->differences);
    *result = (struct replay_result){.differences = NULL};
}
