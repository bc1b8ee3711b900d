/* SPDX-License-Identifier: Apache-2.0 */
/* --record: the operations in the text form that `trench replay` reads (replay.h). */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/bringup.h"

/* ---- names of image files ----------------------------------------------------------------------
 */

/* Equal blocks share one file, called by the beginning of its hash. */
static void image_name(const uint8_t *sha256, char out[32])
{
    char text[SHA256_TEXT];
    sha256_text(sha256, text);
    snprintf(out, 32, "%.16s.bin", text);
}

/* Directory of a file as an absolute path. */
static bool directory_of(const char *file, char out[PATH_MAX])
{
    char copy[PATH_MAX];
    const char *slash = strrchr(file, '/');
    const int length = slash ? (int)(slash - file) : 0;
    if (snprintf(copy, sizeof copy, "%.*s", length, file) >= (int)sizeof copy)
        return false;
    const char *root = slash ? "/" : ".";
    return realpath(*copy ? copy : root, out) != NULL;
}

/* How the record names the images' directory: relative to its own when it lies below. */
static bool images_prefix(const struct bringup_options *options, char out[PATH_MAX])
{
    char record[PATH_MAX], images[PATH_MAX];
    if (!realpath(options->record_images, images) || !directory_of(options->record, record))
        return false;
    const size_t length = strlen(record);
    const char *rest = images + length;
    if (strcmp(record, images) == 0)
        out[0] = '\0';
    else if (strncmp(record, images, length) == 0 && *rest == '/')
        snprintf(out, PATH_MAX, "%s/", rest + 1);
    else if (snprintf(out, PATH_MAX, "%s/", images) >= PATH_MAX)
        return false;
    return strchr(out, '\n') == NULL;
}

/* ---- the record --------------------------------------------------------------------------------
 */

static void write_heading(FILE *out, const struct trn_hal_where *where)
{
    char owner[32];
    bringup_owner(where, owner, sizeof owner);
    if (where->topsp >= 0)
        fprintf(out, "# %s.%s\n", owner, trn_hal_step_name(where->step));
    else
        fprintf(out, "# core %u %s.%s\n", where->core, owner, trn_hal_step_name(where->step));
}

static void write_block(FILE *out, const struct bus_event *event, const char *prefix)
{
    char text[SHA256_TEXT], name[32];
    sha256_text(event->sha256, text);
    image_name(event->sha256, name);
    fprintf(out, "B 0x%" PRIx64 " 0x%" PRIx64 " %s", event->offset, event->size, text);
    if (prefix)
        fprintf(out, " %s%s", prefix, name);
    fputc('\n', out);
}

static void write_event(FILE *out, const struct bus_event *event, const char *prefix)
{
    switch (event->op) {
    case BUS_READ32:
    case BUS_WRITE32:
        fprintf(out, "%c 0x%" PRIx64 " 0x%" PRIx32 "\n", event->op == BUS_READ32 ? 'R' : 'W',
                event->offset, event->value);
        return;
    case BUS_WRITE_BLOCK:
        write_block(out, event, prefix);
        return;
    case BUS_READ_BLOCK: /* the form has no such line */
        fprintf(out, "# %" PRIu64 " bytes read at 0x%" PRIx64 "\n", event->size, event->offset);
        return;
    case BUS_LOG:
        return;
    }
}

static void write_record(FILE *out, const struct bringup *bringup, const char *prefix)
{
    const struct bus_recorder *recorder = &bringup->recorder;
    struct trn_hal_where last = {.step = TRN_HAL_STEPS};
    fprintf(out, "# gen %s\n# made by trench %s bringup; offsets in BAR0\n",
            bringup->options->gen->name, trn_version());
    for (size_t i = 0; i < recorder->num_events; i++) {
        const struct bus_event *event = &recorder->events[i];
        if (event->where.core != last.core || event->where.engine != last.engine ||
            event->where.topsp != last.topsp || event->where.step != last.step)
            write_heading(out, &event->where);
        last = event->where;
        write_event(out, event, prefix);
    }
}

/* ---- files -------------------------------------------------------------------------------------
 */

static int write_image(const struct bringup_options *options, const struct bus_image *image)
{
    char path[PATH_MAX], name[32];
    struct trn_diag diag;
    image_name(image->sha256, name);
    if (snprintf(path, sizeof path, "%s/%s", options->record_images, name) >= (int)sizeof path)
        return cli_usage_error("--record-images: the path is too long");
    if (cli_write_file(path, image->data, image->size, &diag) == TRN_OK)
        return 0;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

static int write_images(const struct bringup *bringup, char prefix[PATH_MAX])
{
    const struct bringup_options *options = bringup->options;
    if (mkdir(options->record_images, 0777) != 0 && errno != EEXIST)
        return cli_usage_error("--record-images %s: cannot create: %s", options->record_images,
                               strerror(errno));
    if (!images_prefix(options, prefix))
        return cli_usage_error("--record-images %s: no directory that a record can name",
                               options->record_images);
    int status = 0;
    for (size_t i = 0; i < bringup->recorder.num_images && status == 0; i++)
        status = write_image(options, &bringup->recorder.images[i]);
    return status;
}

int bringup_write_record(const struct bringup *bringup)
{
    const struct bringup_options *options = bringup->options;
    char prefix[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    if (!options->record)
        return 0;
    const int status = options->record_images ? write_images(bringup, prefix) : 0;
    FILE *out = status == 0 ? open_memstream(&text, &size) : NULL;
    if (!out)
        return status ? status : cli_usage_error("out of memory");
    write_record(out, bringup, options->record_images ? prefix : NULL);
    struct trn_diag diag;
    trn_status written = TRN_ERR_NO_MEMORY;
    if (fclose(out) == 0)
        written = cli_write_file(options->record, text, size, &diag);
    else
        trn_diag_set(&diag, written, NULL, NULL, NULL, "out of memory");
    free(text);
    if (written != TRN_OK)
        cli_print_diag(&diag);
    return written == TRN_OK ? 0 : CLI_USAGE;
}
