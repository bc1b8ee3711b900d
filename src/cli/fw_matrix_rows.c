/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fw_matrix.h"
#include "trench/fw_code.h"
#include "trench/isa.h"

static unsigned gen_index(const struct trn_gen *gen)
{
    unsigned i = 0;
    while (trn_gen_at(i) != gen)
        i++;
    return i;
}

static int compare(const struct trn_fw_name *a, const struct trn_fw_name *b)
{
    const int left[] = {(int)a->core, a->engine, (int)a->flavor, (int)a->library, (int)a->region};
    const int right[] = {(int)b->core, b->engine, (int)b->flavor, (int)b->library, (int)b->region};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static int by_name(const void *left, const void *right)
{
    const struct fw_matrix_row *const a = left, *const b = right;
    return compare(&a->name, &b->name);
}

/* The name from its class on: what is left of "GEN_NX_ACT_PERF_IRAM" behind "GEN_". */
static void make_title(const struct trn_fw_name *name, char title[64])
{
    char text[TRN_FW_NAME_MAX];
    struct trn_fw_name whole = *name;
    trn_fw_name_print(&whole, text);
    snprintf(title, 64, "%.63s", text + strlen(name->gen->title) + 1);
}

static struct fw_matrix_row *row_of(struct fw_matrix *matrix, const struct trn_fw_name *name)
{
    for (size_t i = 0; i < matrix->num_rows; i++)
        if (compare(&matrix->rows[i].name, name) == 0)
            return &matrix->rows[i];
    if (matrix->num_rows == matrix->room) {
        const size_t room = matrix->room ? 2 * matrix->room : 128;
        struct fw_matrix_row *const more = reallocarray(matrix->rows, room, sizeof *more);
        if (!more)
            return NULL;
        matrix->rows = more;
        matrix->room = room;
    }
    struct fw_matrix_row *const row = &matrix->rows[matrix->num_rows++];
    *row = (struct fw_matrix_row){.name = *name};
    make_title(name, row->title);
    row->name.gen = NULL;
    return row;
}

bool fw_matrix_add(struct fw_matrix *matrix, const struct trn_fw *fw)
{
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        if (!image->is_named)
            continue;
        struct fw_matrix_row *const row = row_of(matrix, &image->name);
        if (!row)
            return false;
        const unsigned gen = gen_index(image->name.gen);
        if (row->image[gen])
            continue;
        row->image[gen] = image;
        matrix->getters[gen]++;
    }
    return true;
}

void fw_matrix_sort(struct fw_matrix *matrix)
{
    if (matrix->num_rows)
        qsort(matrix->rows, matrix->num_rows, sizeof *matrix->rows, by_name);
}

void fw_matrix_free(struct fw_matrix *matrix)
{
    free(matrix->rows);
    *matrix = (struct fw_matrix){0};
}

const char *fw_matrix_cell(const struct trn_fw_image *image, char out[24])
{
    if (!image)
        return "-";
    return image->is_cursor ? "cursor" : fw_hex(image->size, out);
}

static void code_text(const struct trn_fw_image *image, char *out, size_t room)
{
    struct trn_fw_boot boot;
    trn_fw_boot_decode(image->bytes, (size_t)image->size, &boot);
    if (boot.is_head)
        snprintf(out, room, "j 0x%" PRIx32 ", j 0x%" PRIx32 ", enter 0x%" PRIx32, boot.primary,
                 boot.secondary, boot.enter_run);
    else
        snprintf(out, room, "%s", boot.refused ? boot.refused : "no reset head");
}

void fw_head_text(const struct trn_fw_image *image, char *out, size_t room)
{
    const enum trn_fw_kind kind = trn_fw_kind_of(image->bytes, image->size);
    struct trn_fw_data_head data;
    if (kind == TRN_FW_KIND_CODE)
        code_text(image, out, room);
    else if (kind == TRN_FW_KIND_DATA &&
             trn_fw_data_decode(image->bytes, (size_t)image->size, &data))
        snprintf(out, room, "magic 0x%" PRIx32 "%s", data.magic,
                 data.has_init ? ", 4 x 0x1000" : "");
    else
        snprintf(out, room, "%s", trn_fw_kind_name(kind));
}
