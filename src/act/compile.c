/* SPDX-License-Identifier: Apache-2.0 */
/* Build program: fits every recipe and writes the tables as C.
 * usage: act_compile OUT.c */
#include <stdio.h>
#include <stdlib.h>

#include "act/recipes.h"
#include "act_pack.h"

static void put_profile(FILE *out, const struct trn_act_table *t)
{
    uint8_t bytes[TRN_ACT_PROFILE_BYTES];
    trn_act_profile_pack(TRN_ACT_LAYOUT_LATER, &t->profile, bytes);
    fputs("     {", out);
    for (int i = 0; i < TRN_ACT_PROFILE_BYTES; i++)
        fprintf(out, "%u,%s", bytes[i], i % 32 == 31 ? "\n      " : "");
    fputs("}},\n", out);
}

static void put_buckets(FILE *out, const struct trn_act_table *t)
{
    for (unsigned i = 0; i < t->num_bucket; i++)
        fprintf(out, "    {0x%x,0x%x,0x%x,0x%x,0x%x},\n", t->bucket[i].d0, t->bucket[i].d1,
                t->bucket[i].d2, t->bucket[i].d3, t->bucket[i].x0);
}

static void put_control(FILE *out, const struct trn_act_table *t)
{
    for (unsigned i = 0; i < t->num_control; i++)
        fprintf(out, "    {%u,%u,%u},\n", t->control[i].act_tbl_base, t->control[i].extract_lsb,
                t->control[i].extract_size);
}

static void put_heads(FILE *out, const struct trn_act_table *tables)
{
    unsigned control = 0, bucket = 0;
    fputs("const struct trn_act_shipped trn_act_shipped[] = {\n", out);
    for (size_t i = 0; i < trn_num_act_recipes; i++) {
        fprintf(out, "    {%u, %u, %u, %u,\n", control, bucket, tables[i].num_control,
                tables[i].num_bucket);
        put_profile(out, &tables[i]);
        control += tables[i].num_control;
        bucket += tables[i].num_bucket;
    }
    fputs("};\n", out);
}

static void put_all(FILE *out, const struct trn_act_table *tables)
{
    fputs("/* Made by act_compile from data/act-recipes.csv; do not edit. */\n"
          "#include \"act/shipped.h\"\n",
          out);
    put_heads(out, tables);
    fputs("const struct trn_act_control trn_act_shipped_control[] = {\n", out);
    for (size_t i = 0; i < trn_num_act_recipes; i++)
        put_control(out, &tables[i]);
    fputs("};\nconst struct trn_act_bucket trn_act_shipped_bucket[] = {\n", out);
    for (size_t i = 0; i < trn_num_act_recipes; i++)
        put_buckets(out, &tables[i]);
    fputs("};\n", out);
}

static int fit_all(struct trn_act_table *tables)
{
    for (size_t i = 0; i < trn_num_act_recipes; i++) {
        struct trn_diag diag = {0};
        if (trn_act_fit(&trn_act_recipes[i].options, &tables[i], NULL, &diag) == TRN_OK)
            continue;
        fprintf(stderr, "act_compile: data/act-recipes.csv: %s[%s]: %s: %s\n",
                trn_act_recipes[i].options.name, trn_act_recipes[i].variant, diag.where,
                diag.message);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct trn_act_table *const tables = calloc(trn_num_act_recipes, sizeof *tables);
    if (argc != 2 || !tables || fit_all(tables)) {
        free(tables);
        return 1;
    }
    FILE *const out = fopen(argv[1], "w");
    if (out)
        put_all(out, tables);
    const int failed = !out || ferror(out) || fclose(out) != 0;
    if (failed)
        perror(argv[1]);
    free(tables);
    return failed;
}
