/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/out_file.h"
#include "trench/isa.h"

void cli_print_diag(const struct trn_diag *diag)
{
    fprintf(stderr, "trench: %s%serror: %s", diag->where, *diag->where ? ": " : "", diag->message);
    if (*diag->rule)
        fprintf(stderr, " (rule %s)", diag->rule);
    if (*diag->expected)
        fprintf(stderr, "; %s", diag->expected);
    fputc('\n', stderr);
}

int cli_usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("trench: error: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return CLI_USAGE;
}

int cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    argp_err_exit_status = CLI_USAGE;
    const error_t error = argp_parse(argp, argc, argv, 0, NULL, input);
    return error ? cli_usage_error("%s", strerror(error)) : 0;
}

const struct trn_gen *cli_gen(const char *name)
{
    const struct trn_gen *gen = trn_gen_find(name);
    if (!gen)
        cli_usage_error("unknown generation '%s'; one of sunda, cayman, mariana, mariana_plus, "
                        "maverick is expected",
                        name);
    return gen;
}

int cli_engine(const char *name)
{
    const int engine = trn_engine_find(name);
    if (engine < 0)
        cli_usage_error("unknown engine '%s'; pe, act, pool, dve and sp exist", name);
    return engine;
}

enum { NEAREST_MAX = 64 };

static size_t edit_distance(const char *a, const char *b)
{
    size_t row[NEAREST_MAX + 1];
    const size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; *a; a++, i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t change = diagonal + (*a != b[j - 1]);
            diagonal = row[j];
            const size_t insert = row[j - 1] + 1, erase = row[j] + 1;
            row[j] = change < insert ? change : insert;
            if (erase < row[j])
                row[j] = erase;
        }
    }
    return row[n];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > NEAREST_MAX)
            continue;
        const size_t distance = edit_distance(word, names[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

static trn_status io_error(struct trn_diag *diag, const char *path, const char *what)
{
    const trn_status status = errno == ENOENT ? TRN_ERR_NOT_FOUND : TRN_ERR_IO;
    return trn_diag_set(diag, status, path, NULL, NULL, "%s: %s", what, strerror(errno));
}

static trn_status read_stream(FILE *stream, const char *path, size_t max_bytes, uint8_t **data,
                              size_t *size, struct trn_diag *diag)
{
    size_t capacity = 65536, used = 0;
    uint8_t *buffer = malloc(capacity);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used > max_bytes) {
            free(buffer);
            return trn_diag_set(diag, TRN_ERR_TOO_LARGE, path, NULL, NULL,
                                "the file is larger than %zu bytes", max_bytes);
        }
        if (used < capacity)
            break;
        capacity *= 2;
        uint8_t *grown = realloc(buffer, capacity);
        if (!grown)
            free(buffer);
        buffer = grown;
    }
    if (!buffer)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, path, NULL, NULL, "out of memory");
    if (ferror(stream)) {
        free(buffer);
        return io_error(diag, path, "cannot read");
    }
    *data = buffer;
    *size = used;
    return TRN_OK;
}

trn_status cli_read_file(const char *path, size_t max_bytes, uint8_t **data, size_t *size,
                         struct trn_diag *diag)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "<stdin>", max_bytes, data, size, diag);
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return io_error(diag, path, "cannot read");
    }
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return io_error(diag, path, "cannot open");
    const trn_status status = read_stream(stream, path, max_bytes, data, size, diag);
    fclose(stream);
    return status;
}

static trn_status write_stream(FILE *stream, const char *path, const void *data, size_t size,
                               struct trn_diag *diag)
{
    if (fwrite(data, 1, size, stream) != size || fflush(stream) != 0)
        return io_error(diag, path, "cannot write");
    return TRN_OK;
}

trn_status cli_write_file(const char *path, const void *data, size_t size, struct trn_diag *diag)
{
    struct out_file out;
    if (strcmp(path, "-") == 0)
        return write_stream(stdout, "<stdout>", data, size, diag);
    if (!out_file_open(path, &out))
        return io_error(diag, path, "cannot create");
    const trn_status status = write_stream(out.stream, path, data, size, diag);
    if (status != TRN_OK)
        out_file_abandon(&out);
    else if (!out_file_close(&out))
        return io_error(diag, path, "cannot write");
    return status;
}

int cli_finish(int status)
{
    static bool said; /* main finishes what a command finished itself */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (!said)
        fprintf(stderr, "trench: <stdout>: error: cannot write: %s\n", strerror(errno));
    said = true;
    return status == CLI_OK ? CLI_USAGE : status;
}

void cli_print_json(json_t *document)
{
    json_dumpf(document, stdout, JSON_COMPACT);
    fputc('\n', stdout);
    json_decref(document);
}
