/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw report: one page of HTML that needs nothing else. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fw_matrix.h"
#include "trench/fw_code.h"

struct options {
    const char **paths;
    size_t num_paths;
    const char *out;
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "the page (required; - is standard output)", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *const options = state->input;
    switch (key) {
    case 'o':
        options->out = arg;
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
    "FILE... -o report.html",
    "Write one self-contained page about containers: presence matrix, map of sizes, contiguity, "
    "heads, dispatch and its evidence.\v"
    "The page loads nothing: no script, no font, no picture from elsewhere. Exit status: 0 "
    "written, 2 usage or bad input.",
    NULL,
    NULL,
    NULL};

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else if ((unsigned char)*text >= 0x20 && (unsigned char)*text < 0x7F)
            fputc(*text, out);
        else
            fputc('?', out);
}

static void put_cell(FILE *out, const char *text)
{
    fputs("<td>", out);
    put_escaped(out, text);
    fputs("</td>", out);
}

static void put_head(FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>trench fw "
          "report</title>\n<style>body{font:14px sans-serif;margin:2em}table{border-collapse:"
          "collapse;font:12px monospace}td,th{border:1px solid #ccc;padding:1px 6px;text-align:"
          "left}svg{display:block;margin:1em 0}</style></head><body>\n<h1>Firmware "
          "containers</h1>\n",
          out);
}

/* ---- matrix ----------------------------------------------------------------------- */

static void put_matrix(FILE *out, const struct fw_matrix *matrix)
{
    char text[24];
    fputs("<h2>Presence matrix</h2>\n<table><tr><th>image</th>", out);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        fprintf(out, "<th>%s</th>", trn_gen_at(i)->name);
    fputs("</tr>\n", out);
    for (size_t r = 0; r < matrix->num_rows; r++) {
        fputs("<tr>", out);
        put_cell(out, matrix->rows[r].title);
        for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
            put_cell(out, fw_matrix_cell(matrix->rows[r].image[i], text));
        fputs("</tr>\n", out);
    }
    fputs("<tr><th>images and cursors</th>", out);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        fprintf(out, "<th>%zu</th>", matrix->getters[i]);
    fputs("</tr></table>\n", out);
}

/* ---- map and contiguity ----------------------------------------------------------- */

#define OTHER_COLOUR "#888"
static const char *const colours[TRN_GEN_COUNT] = {"#c44", "#48c", "#4a4", "#a6c", "#c92"};

static const char *colour_of(const struct trn_fw_image *image)
{
    for (unsigned i = 0; image->is_named && i < TRN_GEN_COUNT; i++)
        if (image->name.gen == trn_gen_at(i))
            return colours[i];
    return OTHER_COLOUR;
}

static void put_legend(FILE *out)
{
    fputs("<p>Offsets from left to right;", out);
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        fprintf(out, " <span style=\"color:%s\">&#9632; %s</span>", colours[i],
                trn_gen_at(i)->name);
    fputs(" <span style=\"color:" OTHER_COLOUR "\">&#9632; other</span></p>\n", out);
}

static void put_map(FILE *out, const struct trn_fw *fw)
{
    enum { WIDTH = 1000, HEIGHT = 40 };
    size_t size;
    trn_fw_bytes(fw, &size);
    fprintf(out, "<svg width=\"%d\" height=\"%d\" style=\"background:#eee\">\n", WIDTH, HEIGHT);
    const struct trn_fw_image *image;
    for (size_t i = 0; size && (image = trn_fw_image(fw, i)) != NULL; i++) {
        if (image->size == 0 || image->file)
            continue;
        char offset[24], length[24];
        fprintf(out, "<rect x=\"%.3f\" width=\"%.3f\" height=\"%d\" fill=\"%s\"><title>",
                (double)image->offset / (double)size * WIDTH,
                (double)image->size / (double)size * WIDTH, HEIGHT, colour_of(image));
        put_escaped(out, image->symbol);
        fprintf(out, " at %s, %s bytes</title></rect>\n", fw_hex(image->offset, offset),
                fw_hex(image->size, length));
    }
    fputs("</svg>\n", out);
    put_legend(out);
}

static void put_joint(void *context, const struct trn_fw_joint *joint)
{
    FILE *const out = context;
    char distance[24];
    if (joint->kind == TRN_FW_TOUCHES || joint->kind == TRN_FW_PADDED)
        return;
    fprintf(out, "<li>%s of %s bytes: ", trn_fw_joint_name(joint->kind),
            fw_hex(joint->distance, distance));
    put_escaped(out, joint->before->symbol);
    fputs(", ", out);
    put_escaped(out, joint->after->symbol);
    fputs("</li>\n", out);
}

static bool put_file(FILE *out, const struct trn_fw *fw, struct trn_diag *diag)
{
    char what[128];
    size_t size;
    trn_fw_bytes(fw, &size);
    trn_fw_describe(fw, what, sizeof what);
    fputs("<h2>", out);
    put_escaped(out, trn_fw_path(fw));
    fprintf(out, "</h2>\n<p>%s, %zu bytes.</p>\n", what, size);
    put_map(out, fw);
    struct trn_fw_layout layout;
    fputs("<ul>\n", out);
    /* Members of an archive lie between headers: there is nothing contiguous to prove. */
    if (trn_fw_layout(fw, trn_fw_member_count(fw) ? NULL : put_joint, out, &layout, diag) != TRN_OK)
        return false;
    fprintf(out,
            "</ul><p>%zu images: %zu touch the one before, %zu behind padding, %zu gaps, %zu "
            "overlaps; %zu of %zu cursors astray.</p>\n",
            layout.images, layout.count[TRN_FW_TOUCHES], layout.count[TRN_FW_PADDED],
            layout.count[TRN_FW_GAP], layout.count[TRN_FW_OVERLAP] + layout.count[TRN_FW_SAME],
            layout.astray, layout.cursors);
    const char *note;
    for (size_t i = 0; (note = trn_fw_note(fw, i)) != NULL; i++) {
        fputs("<p>Note: ", out);
        put_escaped(out, note);
        fputs(".</p>\n", out);
    }
    return true;
}

/* ---- heads and dispatch ----------------------------------------------------------- */

static void put_dispatch(FILE *out, const struct trn_fw_image *image)
{
    struct trn_fw_code *code;
    struct trn_fw_dispatch_report report;
    const char *name;
    if (trn_fw_code_open(image, &code, NULL) != TRN_OK) {
        fputs("<td>-</td><td>-</td>", out);
        return;
    }
    const struct trn_xtensa_code *const section = trn_fw_code_section(code, 0, &name);
    if (section && trn_fw_dispatch_classify(section, NULL, 0, &report, NULL) == TRN_OK)
        fprintf(out,
                "<td>%s (rule %u)</td><td>S %" PRIu64 ", A65 %" PRIu64 ", A48 %" PRIu64
                ", M177 %" PRIu64 ", M169 %" PRIu64 ", M186 %" PRIu64
                ", sites %zu, arms %zu, addx4 %" PRIu64 ", jx %" PRIu64 "</td>",
                trn_fw_dispatch_name(report.flavor), report.rule,
                report.count[TRN_FW_PATTERN_SUB_BASE], report.count[TRN_FW_PATTERN_ADDI_41],
                report.count[TRN_FW_PATTERN_ADDI_30], report.count[TRN_FW_PATTERN_MOVI_177],
                report.count[TRN_FW_PATTERN_MOVI_169], report.count[TRN_FW_PATTERN_MOVI_186],
                report.num_sites, report.arms, report.addx4, report.jx);
    else
        fputs("<td>-</td><td>-</td>", out);
    trn_fw_code_close(code);
}

static void put_heads(FILE *out, const struct trn_fw *fw)
{
    const struct trn_fw_image *image;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        const enum trn_fw_kind kind = trn_fw_kind_of(image->bytes, image->size);
        char head[96], name[256];
        if (kind != TRN_FW_KIND_CODE && kind != TRN_FW_KIND_DATA)
            continue;
        fw_short_name(image, name, sizeof name);
        fw_head_text(image, head, sizeof head);
        fputs("<tr>", out);
        put_cell(out, name);
        put_cell(out, head);
        if (kind == TRN_FW_KIND_CODE)
            put_dispatch(out, image);
        else
            fputs("<td>-</td><td>-</td>", out);
        fputs("</tr>\n", out);
    }
}

/* ---- all of it -------------------------------------------------------------------- */

static bool put_page(FILE *out, struct trn_fw **files, size_t count, struct fw_matrix *matrix,
                     struct trn_diag *diag)
{
    put_head(out);
    for (size_t i = 0; i < count; i++)
        if (!put_file(out, files[i], diag))
            return false;
    fw_matrix_sort(matrix);
    put_matrix(out, matrix);
    fputs("<h2>Heads and dispatch</h2>\n<table><tr><th>image</th><th>head</th><th>dispatch</th>"
          "<th>evidence</th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++)
        put_heads(out, files[i]);
    fputs("</table></body></html>\n", out);
    return true;
}

static int write_page(const struct options *options, struct trn_fw **files,
                      struct fw_matrix *matrix)
{
    struct trn_diag diag = {0};
    char *page = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&page, &size);
    if (!out)
        return cli_usage_error("out of memory");
    bool ok = put_page(out, files, options->num_paths, matrix, &diag);
    if (fclose(out) != 0) {
        free(page);
        return cli_usage_error("out of memory");
    }
    ok = ok && cli_write_file(options->out, page, size, &diag) == TRN_OK;
    free(page);
    if (!ok)
        cli_print_diag(&diag);
    return ok ? CLI_OK : CLI_USAGE;
}

/* The page would replace a container, under whatever name. */
static bool is_input(const struct options *options, const char **which)
{
    struct stat page, file;
    if (stat(options->out, &page) != 0)
        return false;
    for (size_t i = 0; i < options->num_paths; i++) {
        *which = options->paths[i];
        if (stat(*which, &file) == 0 && file.st_dev == page.st_dev && file.st_ino == page.st_ino)
            return true;
    }
    return false;
}

int fw_report(int argc, char **argv)
{
    const char *input = NULL;
    struct options options = {0};
    int status = cli_parse(&argp, argc, argv, &options);
    if (status)
        return status;
    if (options.num_paths == 0 || !options.out)
        return cli_usage_error("fw report needs a file, and -o with the page to write");
    if (is_input(&options, &input))
        return cli_usage_error("%s: the page would replace the container %s; -o names another file",
                               options.out, input);
    struct trn_fw **const files = calloc(options.num_paths, sizeof(void *));
    struct fw_matrix matrix = {0};
    if (!files)
        return cli_usage_error("out of memory");
    for (size_t i = 0; status == CLI_OK && i < options.num_paths; i++) {
        files[i] = fw_open(options.paths[i]);
        if (!files[i])
            status = CLI_USAGE;
        else if (!fw_matrix_add(&matrix, files[i]))
            status = cli_usage_error("out of memory");
    }
    if (status == CLI_OK)
        status = write_page(&options, files, &matrix);
    fw_matrix_free(&matrix);
    for (size_t i = 0; i < options.num_paths; i++)
        trn_fw_close(files[i]);
    free(files);
    return status;
}
