/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw matrix: which image which generation has, and which opcode. */
#include <stdlib.h>
#include <string.h>

#include "cli/fw_matrix.h"
#include "trench/fw_data.h"

enum { OPT_HEADS = 256, OPT_OPCODES, OPT_JSON };

struct options {
    const char **paths;
    size_t num_paths;
    bool heads, opcodes, json;
};

static const struct argp_option argp_options[] = {
    {"heads", OPT_HEADS, NULL, 0, "heads and string counts of the images, too", 0},
    {"opcodes", OPT_OPCODES, NULL, 0, "opcodes that not every generation has, too (needs no FILE)",
     0},
    {"json", OPT_JSON, NULL, 0, "one JSON document (schema trench.fw.matrix/1), all of it", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    (void)arg;
    switch (key) {
    case OPT_HEADS:
        options->heads = true;
        return 0;
    case OPT_OPCODES:
        options->opcodes = true;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->paths = (const char **)state->argv + state->next;
        options->num_paths = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "FILE...",
    "Print the presence matrix: one row a core, flavour and region, one column a generation, the "
    "size of the image in each cell.\v"
    "Images come from all FILEs, the first one of a name counts; images whose symbol follows no "
    "grammar are not in it. Opcodes come from this program's instruction tables, not from the "
    "images. Exit status: 0 printed, 1 no named image in there, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

/* Strings of an image: how many, and the log lines among them. */
static size_t count_strings(const struct trn_fw_image *image)
{
    struct trn_fw_text text;
    size_t at = 0, found = 0;
    while (trn_fw_next_string(image->bytes, (size_t)image->size, &at, &text))
        found++;
    return found;
}

/* ---- text ------------------------------------------------------------------------- */

static void print_line(const char *title)
{
    printf("%-40s", title);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        printf(" %*s", i == 3 ? 12 : 9, trn_gen_at(i)->name);
    putchar('\n');
}

static void print_row(const struct fw_matrix_row *row)
{
    char text[24];
    printf("%-40s", row->title);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        printf(" %*s", i == 3 ? 12 : 9, fw_matrix_cell(row->image[i], text));
    putchar('\n');
}

static void print_heads(const struct fw_matrix *matrix)
{
    puts("\nheads");
    for (size_t r = 0; r < matrix->num_rows; r++)
        for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
            const struct trn_fw_image *const image = matrix->rows[r].image[i];
            if (!image || image->is_cursor)
                continue;
            char head[96];
            fw_head_text(image, head, sizeof head);
            printf("  %-38s %-12s %-33.33s %4zu strings\n", matrix->rows[r].title,
                   trn_gen_at(i)->name, head, count_strings(image));
        }
}

static void print_text(const struct fw_matrix *matrix, const struct options *options)
{
    if (options->num_paths) {
        print_line("");
        for (size_t i = 0; i < matrix->num_rows; i++)
            print_row(&matrix->rows[i]);
        printf("%-40s", "images and cursors");
        for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
            printf(" %*zu", i == 3 ? 12 : 9, matrix->getters[i]);
        putchar('\n');
    }
    if (options->heads)
        print_heads(matrix);
    if (options->opcodes)
        fw_opcodes_print();
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *cell_json(const struct trn_fw_image *image)
{
    if (!image)
        return json_null();
    char head[96];
    json_t *const object = fw_image_json(image);
    fw_head_text(image, head, sizeof head);
    json_object_set_new(object, "head", json_string(head));
    json_object_set_new(object, "strings", json_integer((json_int_t)count_strings(image)));
    return object;
}

static void print_json(const struct fw_matrix *matrix)
{
    json_t *const rows = json_array(), *const counts = json_object();
    for (size_t r = 0; r < matrix->num_rows; r++) {
        json_t *const row = json_pack("{ss}", "image", matrix->rows[r].title);
        for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
            json_object_set_new(row, trn_gen_at(i)->name, cell_json(matrix->rows[r].image[i]));
        json_array_append_new(rows, row);
    }
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        json_object_set_new(counts, trn_gen_at(i)->name,
                            json_integer((json_int_t)matrix->getters[i]));
    cli_print_json(json_pack("{ss so so so}", "schema", "trench.fw.matrix/1", "rows", rows,
                             "counts", counts, "opcodes", fw_opcodes_json()));
}

/* ---- all of it -------------------------------------------------------------------- */

static int print(struct fw_matrix *matrix, const struct options *options)
{
    fw_matrix_sort(matrix);
    if (options->json)
        print_json(matrix);
    else
        print_text(matrix, options);
    if (matrix->num_rows || options->num_paths == 0)
        return CLI_OK;
    fputs("trench: error: no image has a name that tells its generation\n", stderr);
    return CLI_DOES_NOT_HOLD;
}

int fw_matrix(int argc, char **argv)
{
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0 && !options.opcodes)
        return cli_usage_error("fw matrix needs a file, or --opcodes");
    struct trn_fw **const files = calloc(options.num_paths + 1, sizeof(void *));
    struct fw_matrix matrix = {0};
    for (size_t i = 0; files && status == CLI_OK && i < options.num_paths; i++) {
        files[i] = fw_open(options.paths[i]);
        if (!files[i])
            status = CLI_USAGE;
        else if (!fw_matrix_add(&matrix, files[i]))
            status = cli_usage_error("out of memory");
    }
    if (status == CLI_OK)
        status = files ? print(&matrix, &options) : cli_usage_error("out of memory");
    fw_matrix_free(&matrix);
    for (size_t i = 0; files && i < options.num_paths; i++)
        trn_fw_close(files[i]);
    free(files);
    return status;
}
