/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of `trench fw ls` (docs/hardware/firmware-images.md 3 and 5). */
#include <inttypes.h>
#include <string.h>

#include "cli/fw_ls.h"
#include "trench/isa.h"

enum { OTHER = TRN_GEN_COUNT, COLUMNS, CORES = 6 };

/* Rows of the table: five sequencers and the vector cores. */
static const struct {
    enum trn_fw_class core;
    const char *engine, *title;
} rows[CORES] = {
    {TRN_FW_NX, "act", "NX_ACT"},   {TRN_FW_NX, "dve", "NX_DVE"}, {TRN_FW_NX, "pe", "NX_PE"},
    {TRN_FW_NX, "pool", "NX_POOL"}, {TRN_FW_NX, "sp", "NX_SP"},   {TRN_FW_Q7, "pool", "Q7_POOL"},
};

struct counts {
    size_t by_core[CORES][COLUMNS];
    size_t images[COLUMNS], cursors[COLUMNS];
    uint64_t bytes[COLUMNS];
};

static unsigned column_of(const struct trn_fw_image *image)
{
    for (unsigned i = 0; image->is_named && i < TRN_GEN_COUNT; i++)
        if (image->name.gen == trn_gen_at(i))
            return i;
    return OTHER;
}

static void count(const struct trn_fw *fw, const struct fw_ls *ls, struct counts *counts)
{
    *counts = (struct counts){0};
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        if (!fw_selected(image, ls->glob))
            continue;
        const unsigned column = column_of(image);
        counts->images[column] += !image->is_cursor;
        counts->cursors[column] += image->is_cursor;
        counts->bytes[column] += image->size;
        for (unsigned row = 0; column != OTHER && row < CORES; row++)
            counts->by_core[row][column] += image->name.core == rows[row].core &&
                                            image->name.engine == trn_engine_find(rows[row].engine);
    }
}

static const char *column_name(unsigned column)
{
    return column == OTHER ? "other" : trn_gen_at(column)->name;
}

static void print_row(const char *title, const size_t values[COLUMNS])
{
    size_t total = 0;
    printf("  %-10s", title);
    for (unsigned i = 0; i < COLUMNS; i++) {
        printf(" %12zu", values[i]);
        total += values[i];
    }
    printf(" %8zu\n", total);
}

static void print_bytes(const struct counts *counts)
{
    uint64_t total = 0;
    char text[24];
    printf("  %-10s", "bytes");
    for (unsigned i = 0; i < COLUMNS; i++) {
        printf(" %12s", fw_hex(counts->bytes[i], text));
        total += counts->bytes[i];
    }
    printf(" %8s\n", fw_hex(total, text));
}

static void print_split(const struct trn_fw *fw)
{
    struct trn_fw_split split;
    trn_fw_split(fw, &split);
    size_t unmatched = 0;
    fputs("  members: ", stdout);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        printf("%s %zu + ", trn_gen_at(i)->name, split.members[i]);
        unmatched += split.unmatched[i];
    }
    printf("framework %zu = %zu\n", split.framework, split.total);
    if (unmatched)
        printf("  %zu members of a generation have a name that no getter has\n", unmatched);
}

void fw_ls_print_totals(const struct trn_fw *fw, const struct fw_ls *ls)
{
    struct counts counts;
    count(fw, ls, &counts);
    if (counts.images[OTHER] + counts.cursors[OTHER] == trn_fw_image_count(fw)) {
        char bytes[24];
        printf("%zu images without a generation, %s bytes\n", counts.images[OTHER],
               fw_hex(counts.bytes[OTHER], bytes));
        return;
    }
    printf("\n  %-10s", "");
    for (unsigned i = 0; i < COLUMNS; i++)
        printf(" %12s", column_name(i));
    printf(" %8s\n", "total");
    for (unsigned row = 0; row < CORES; row++)
        print_row(rows[row].title, counts.by_core[row]);
    print_row("images", counts.images);
    print_row("cursors", counts.cursors);
    print_bytes(&counts);
    if (trn_fw_member_count(fw))
        print_split(fw);
}

static json_t *split_json(const struct trn_fw *fw)
{
    struct trn_fw_split split;
    trn_fw_split(fw, &split);
    json_t *const members = json_object(), *const unmatched = json_object();
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        json_object_set_new(members, trn_gen_at(i)->name,
                            json_integer((json_int_t)split.members[i]));
        json_object_set_new(unmatched, trn_gen_at(i)->name,
                            json_integer((json_int_t)split.unmatched[i]));
    }
    return json_pack("{so so sI sI}", "generations", members, "unmatched", unmatched, "framework",
                     (json_int_t)split.framework, "total", (json_int_t)split.total);
}

json_t *fw_ls_totals_json(const struct trn_fw *fw, const struct fw_ls *ls)
{
    struct counts counts;
    count(fw, ls, &counts);
    json_t *const generations = json_object();
    size_t images = 0, cursors = 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        json_t *const cores = json_object();
        for (unsigned row = 0; row < CORES; row++)
            json_object_set_new(cores, rows[row].title,
                                json_integer((json_int_t)counts.by_core[row][i]));
        json_object_set_new(generations, column_name(i),
                            json_pack("{sI sI so so}", "images", (json_int_t)counts.images[i],
                                      "cursors", (json_int_t)counts.cursors[i], "bytes",
                                      fw_hex_json(counts.bytes[i]), "cores", cores));
        images += counts.images[i];
        cursors += counts.cursors[i];
    }
    return json_pack("{sI sI so so}", "images", (json_int_t)images, "cursors", (json_int_t)cursors,
                     "generations", generations, "members",
                     trn_fw_member_count(fw) ? split_json(fw) : json_null());
}
