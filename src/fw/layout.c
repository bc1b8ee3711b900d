/* SPDX-License-Identifier: Apache-2.0 */
/* How the images of a container lie in it (docs/hardware/firmware-images.md 2.3). */
#include <stdlib.h>
#include <string.h>

#include "fw/container.h"

enum { ALIGNMENT = 16 };

const char *trn_fw_joint_name(enum trn_fw_joint_kind kind)
{
    static const char *const names[TRN_FW_JOINTS] = {
        [TRN_FW_TOUCHES] = "touches", [TRN_FW_PADDED] = "padded", [TRN_FW_GAP] = "gap",
        [TRN_FW_OVERLAP] = "overlap", [TRN_FW_SAME] = "same",
    };
    return (size_t)kind < TRN_FW_JOINTS ? names[kind] : NULL;
}

static int by_place(const void *left, const void *right)
{
    const struct trn_fw_image *const a = *(const struct trn_fw_image *const *)left;
    const struct trn_fw_image *const b = *(const struct trn_fw_image *const *)right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool is_padding(const struct trn_fw_image *before, const struct trn_fw_image *after)
{
    static const uint8_t zeroes[ALIGNMENT];
    const uint64_t distance = after->offset - (before->offset + before->size);
    return distance < ALIGNMENT && after->offset % ALIGNMENT == 0 &&
           memcmp(before->bytes + before->size, zeroes, (size_t)distance) == 0;
}

/* `end` is the end of the bytes that images before `after` take. */
static struct trn_fw_joint join(const struct trn_fw_image *before, const struct trn_fw_image *after)
{
    const uint64_t end = before->offset + before->size;
    struct trn_fw_joint joint = {.before = before, .after = after};
    if (before->offset == after->offset && before->size == after->size) {
        joint.kind = TRN_FW_SAME;
        joint.distance = before->size;
    } else if (after->offset < end) {
        joint.kind = TRN_FW_OVERLAP;
        joint.distance = end - after->offset < after->size ? end - after->offset : after->size;
    } else {
        joint.distance = after->offset - end;
        joint.kind = joint.distance == 0         ? TRN_FW_TOUCHES
                     : is_padding(before, after) ? TRN_FW_PADDED
                                                 : TRN_FW_GAP;
    }
    return joint;
}

static void walk(const struct trn_fw_image **sorted, size_t count, trn_fw_joint_visit *visit,
                 void *context, struct trn_fw_layout *out)
{
    const struct trn_fw_image *last = count ? sorted[0] : NULL; /* the one that reaches farthest */
    for (size_t i = 1; i < count; i++) {
        const struct trn_fw_joint joint = join(last, sorted[i]);
        out->count[joint.kind]++;
        if (joint.kind == TRN_FW_GAP)
            out->gap_bytes += joint.distance;
        if (visit)
            visit(context, &joint);
        if (sorted[i]->offset + sorted[i]->size >= last->offset + last->size)
            last = sorted[i];
    }
}

static int offset_order(const void *key, const void *entry)
{
    const uint64_t offset = *(const uint64_t *)key;
    const struct trn_fw_image *const image = *(const struct trn_fw_image *const *)entry;
    return offset < image->offset ? -1 : offset > image->offset;
}

/* A cursor stands where an image starts, or where the last one ends. */
static bool is_astray(const struct trn_fw_image *cursor, const struct trn_fw_image **sorted,
                      size_t count)
{
    if (count == 0)
        return true;
    const struct trn_fw_image *const last = sorted[count - 1];
    return cursor->offset != last->offset + last->size &&
           !bsearch(&cursor->offset, sorted, count, sizeof(void *), offset_order);
}

trn_status trn_fw_layout(const struct trn_fw *fw, trn_fw_joint_visit *visit, void *context,
                         struct trn_fw_layout *out, struct trn_diag *diag)
{
    *out = (struct trn_fw_layout){0};
    const struct trn_fw_image **const sorted = calloc(fw->num_images + 1, sizeof(void *));
    if (!sorted)
        return fw_out_of_memory(diag);
    for (size_t i = 0; i < fw->num_images; i++)
        if (fw->images[i].size && !fw->images[i].file)
            sorted[out->images++] = &fw->images[i];
    qsort(sorted, out->images, sizeof(void *), by_place);
    walk(sorted, out->images, visit, context, out);
    for (size_t i = 0; i < fw->num_images; i++)
        if (fw->images[i].is_cursor && fw->images[i].source == TRN_FW_BY_GETTER) {
            out->cursors++;
            out->astray += is_astray(&fw->images[i], sorted, out->images);
        }
    free(sorted);
    return TRN_OK;
}
