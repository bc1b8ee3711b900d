/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as code: the sweep covers them once, piece by piece; what decodes encodes back; reset
 * path, data head and classifier stay inside. Bytes that start like an object go through its
 * sections. */
#include <stdlib.h>
#include <string.h>

#include "trench/fw_code.h"

enum { HEADER = 8, LABELS = 4 };

/* The bytes, exactly as long as they are, so that a byte too far is found. */
static uint8_t *copy_of(const uint8_t *data, size_t size)
{
    uint8_t *const copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    return copy;
}

static void check_round_trip(const struct trn_xtensa_insn *insn, const uint8_t *bytes)
{
    uint8_t again[3];
    size_t length = 0;
    if (insn->kind != TRN_XTENSA_INSTRUCTION)
        return;
    if (trn_xtensa_encode(trn_xtensa_name(insn), insn->value, trn_xtensa_row_operands(insn->row),
                          insn->pc, again, &length) != TRN_OK ||
        length != insn->length || memcmp(again, bytes, length) != 0)
        abort();
}

static void sweep(const struct trn_xtensa_code *code)
{
    struct trn_xtensa_sweep *sweep;
    struct trn_xtensa_item item;
    char text[TRN_XTENSA_TEXT_MAX];
    uint32_t next = code->base;
    if (trn_xtensa_sweep_create(code, &sweep, NULL) != TRN_OK)
        return;
    while (trn_xtensa_sweep_next(sweep, &item)) {
        if (item.address != next || item.size == 0)
            abort();
        next += item.size;
        if (item.kind != TRN_XTENSA_ITEM_CODE)
            continue;
        trn_xtensa_print(&item.insn, text);
        if (strlen(text) + 1 >= sizeof text)
            abort();
        check_round_trip(&item.insn, code->bytes + (item.address - code->base));
    }
    if (next - code->base != code->size)
        abort();
    trn_xtensa_sweep_destroy(sweep);
}

static void classify(const struct trn_xtensa_code *code, const uint8_t *data, size_t size)
{
    struct trn_fw_dispatch_report report;
    if (trn_fw_dispatch_classify(code, data, size, &report, NULL) != TRN_OK)
        return;
    if (report.rule < 1 || report.rule > 5 || !trn_fw_dispatch_name(report.flavor))
        abort();
}

static void read_image(uint8_t *bytes, size_t size, bool scalar)
{
    const struct trn_fw_image image = {
        .symbol = scalar ? "v3_ncfw_iram_bin" : "image", .size = size, .bytes = bytes};
    struct trn_fw_code *code;
    const char *name;
    if (trn_fw_code_open(&image, &code, NULL) != TRN_OK)
        return;
    const struct trn_xtensa_code *section;
    for (size_t i = 0; (section = trn_fw_code_section(code, i, &name)) != NULL; i++) {
        sweep(section);
        classify(section, bytes, size);
    }
    trn_fw_code_close(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return 0;
    uint8_t *const bytes = copy_of(data + HEADER, size - HEADER);
    const size_t count = size - HEADER;
    const uint32_t base = (uint32_t)data[1] << 24 | data[2];
    uint32_t label[LABELS], pending[1] = {base + data[7]};
    struct trn_fw_boot boot;
    struct trn_fw_data_head head;
    char text[64];
    for (uint32_t i = 0; i < LABELS; i++) /* ascending */
        label[i] = (i ? label[i - 1] : base) + data[3 + i];
    const struct trn_xtensa_code code = {.core = (enum trn_xtensa_core)(data[0] % TRN_XTENSA_CORES),
                                         .bytes = bytes,
                                         .size = count,
                                         .base = base,
                                         .label = label,
                                         .num_labels = data[0] / 2 % (LABELS + 1),
                                         .pending = pending,
                                         .num_pending = data[0] / 16 % 2};
    sweep(&code);
    classify(&code, bytes, count);
    trn_fw_boot_decode(bytes, count, &boot);
    trn_fw_boot_describe(&boot, text, sizeof text);
    trn_fw_data_decode(bytes, count, &head);
    read_image(bytes, count, data[0] >= 128);
    free(bytes);
    return 0;
}
