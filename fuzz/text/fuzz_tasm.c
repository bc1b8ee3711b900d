/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: the assembler refuses with a place and a message, or the words it makes
 * survive being printed and assembled again. First byte: generation, 0 for the text's own. */
#include <stdio.h>

#include "isa/text_check.h"

static void look_at(void *context, const struct trn_diag *diag)
{
    if (!*diag->where || !*diag->message || diag->status != TRN_ERR_INVALID)
        abort();
    ++*(size_t *)context;
}

static void check_program(const struct trn_program *program)
{
    for (size_t i = 0; i < program->num_streams; i++) {
        const struct trn_stream *stream = &program->streams[i];
        size_t index;
        struct trn_diag diag = {0};
        const char *problem =
            text_round_trip(program->gen, stream->words, stream->num_words, &index, &diag);
        if (problem) {
            fprintf(stderr, "%s: %s %s\n", problem, diag.where, diag.message);
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct trn_asm_options options = {
        .gen = data[0] % 6 ? trn_gen_at(data[0] % 6 - 1u) : NULL,
        .engine = TRN_ENGINE_ANY,
        .engine_optional = true,
    };
    struct trn_program program;
    struct trn_diag diag;
    size_t num_errors = 0;
    const trn_status status =
        trn_asm((const char *)data + 1, size - 1, &options, &program, look_at, &num_errors, &diag);
    if ((status != TRN_OK) != (num_errors > 0) || num_errors > 50)
        abort();
    if (status == TRN_OK)
        check_program(&program);
    trn_program_free(&program);
    return 0;
}
