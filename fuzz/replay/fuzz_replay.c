/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a bus trace: every operation that is accepted keeps its promises (alignment, range,
 * a file name inside the text), a refusal names its line, and what was accepted is accepted again
 * when it is written anew. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/replay.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_op(const struct replay_op *op, const char *text, size_t size)
{
    require(op->line >= 1);
    if (op->kind != REPLAY_BLOCK) {
        require(op->offset % 4 == 0 && op->file == NULL);
        return;
    }
    require(op->length >= 1 && op->length <= REPLAY_MAX_BLOCK);
    require(op->offset <= UINT64_MAX - op->length);
    require((op->file == NULL) == (op->file_length == 0));
    require(op->file == NULL || (op->file >= text && op->file + op->file_length <= text + size &&
                                 memchr(op->file, '\n', op->file_length) == NULL));
}

static void print_op(FILE *out, const struct replay_op *op)
{
    static const char letters[] = {[REPLAY_READ] = 'R', [REPLAY_WRITE] = 'w', [REPLAY_BLOCK] = 'B'};
    fprintf(out, "%c %" PRIx64 " ", letters[op->kind], op->offset);
    if (op->kind != REPLAY_BLOCK) {
        fprintf(out, op->any ? "?\n" : "0x%" PRIX32 "\n", op->value);
        return;
    }
    fprintf(out, "0x%" PRIx64 " ", op->length);
    for (size_t i = 0; i < SHA256_BYTES && !op->any; i++)
        fprintf(out, "%02x", op->sha256[i]);
    fputs(op->any ? "-\n" : "\n", out);
}

static void parse_again(const struct replay_script *script)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    require(out != NULL);
    for (size_t i = 0; i < script->count; i++)
        print_op(out, &script->ops[i]);
    require(fclose(out) == 0);
    struct replay_script again;
    require(replay_parse(text, size, "again", 0, &again, NULL) == TRN_OK);
    require(again.count == script->count);
    for (size_t i = 0; i < script->count; i++) {
        const struct replay_op *a = &script->ops[i], *b = &again.ops[i];
        require(a->kind == b->kind && a->offset == b->offset && a->any == b->any);
        require(a->value == b->value && a->length == b->length);
        require(memcmp(a->sha256, b->sha256, SHA256_BYTES) == 0);
    }
    replay_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct replay_script script;
    struct trn_diag diag = {.status = TRN_OK};
    const trn_status status = replay_parse(text, size, "fuzz", 0, &script, &diag);
    for (size_t i = 0; i < script.count; i++)
        check_op(&script.ops[i], text, size);
    if (status == TRN_OK)
        parse_again(&script);
    else
        require(diag.status == status && *diag.message && strncmp(diag.where, "fuzz:", 5) == 0);
    replay_free(&script);
    return 0;
}
