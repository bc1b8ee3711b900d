/* SPDX-License-Identifier: Apache-2.0 */
/* The reset path of a code image and the head of a data segment
 * (docs/hardware/firmware-images.md 6). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/dispatch_rows.h"

enum {
    SECOND_VECTOR = 6,
    HUB_REACH = 0x80, /* how far behind the trampoline the second hub is looked for: model choice */
    HUB_LOOKBACK = 32, /* and how far before it its table's const16: model choice */
    NO_REGISTER = 16
};

size_t trn_fw_head_count(void)
{
    return trn_fw_num_heads;
}

const struct trn_fw_head *trn_fw_head(size_t index)
{
    return index < trn_fw_num_heads ? &trn_fw_head_table[index] : NULL;
}

static void decode_at(const uint8_t *bytes, size_t size, uint32_t offset,
                      struct trn_xtensa_insn *insn)
{
    const size_t left = offset < size ? size - offset : 0;
    trn_xtensa_decode(TRN_XTENSA_VISION, left ? bytes + offset : bytes, left, offset, insn);
}

static bool refuse(struct trn_fw_boot *boot, const char *why, uint32_t offset)
{
    boot->refused = why;
    boot->refused_at = offset;
    return false;
}

/* ---- vectors and trampoline ------------------------------------------------------- */

static bool take_vector(const uint8_t *bytes, size_t size, uint32_t offset, uint32_t *target,
                        struct trn_fw_boot *boot)
{
    struct trn_xtensa_insn insn;
    decode_at(bytes, size, offset, &insn);
    if (trn_xtensa_class_of(&insn) != TRN_XTENSA_CLASS_JUMP)
        return refuse(boot, "no jump: not a reset head", offset);
    trn_xtensa_target(&insn, target);
    return *target < size || refuse(boot, "the jump leaves the image", offset);
}

/* const16 of one register until jx of it. */
static bool take_trampoline(const uint8_t *bytes, size_t size, struct trn_fw_boot *boot)
{
    uint32_t at = boot->primary;
    int32_t built = NO_REGISTER;
    for (size_t i = 0; i < TRN_FW_TRAMPOLINE_MAX; i++) {
        struct trn_xtensa_insn *const insn = &boot->trampoline[i];
        decode_at(bytes, size, at, insn);
        const enum trn_xtensa_class cls = trn_xtensa_class_of(insn);
        const bool is_const = cls == TRN_XTENSA_CLASS_CONST16;
        if ((!is_const && cls != TRN_XTENSA_CLASS_JUMP_REG) ||
            (built != insn->value[0] && built != NO_REGISTER))
            break;
        boot->num_trampoline++;
        if (!is_const)
            return built != NO_REGISTER || refuse(boot, "the trampoline builds no address", at);
        built = insn->value[0];
        boot->enter_run = (uint32_t)trn_bits_set((uint32_t)insn->value[1], 16, 16, boot->enter_run);
        at += insn->length;
    }
    return refuse(boot, "the trampoline is no const16, jx", at);
}

static void place(struct trn_fw_boot *boot)
{
    const bool sram = boot->enter_run >= TRN_FW_SRAM_BASE;
    boot->residence = sram ? TRN_FW_SRAM : TRN_FW_IRAM;
    boot->enter = sram ? boot->enter_run - TRN_FW_SRAM_BASE : boot->enter_run;
}

static bool take_halt(const uint8_t *bytes, size_t size, struct trn_fw_boot *boot)
{
    struct trn_xtensa_insn insn;
    decode_at(bytes, size, boot->secondary, &insn);
    if (trn_xtensa_class_of(&insn) != TRN_XTENSA_CLASS_HALT)
        return refuse(boot, "the second target holds no halt", boot->secondary);
    boot->halt = (uint32_t)insn.value[0];
    return true;
}

/* ---- the second hub --------------------------------------------------------------- */

/* The address that the const16 before the hub build in the register of its table. */
static uint32_t table_before(const uint8_t *bytes, uint32_t hub, int32_t table_register)
{
    uint32_t value = 0;
    const uint32_t first = hub > HUB_LOOKBACK ? hub - HUB_LOOKBACK : 0;
    for (uint32_t at = first; at + 3 <= hub; at++) {
        struct trn_xtensa_insn insn;
        decode_at(bytes, hub, at, &insn);
        if (trn_xtensa_class_of(&insn) != TRN_XTENSA_CLASS_CONST16 ||
            insn.value[0] != table_register || at + 3 > hub)
            continue;
        value = (uint32_t)trn_bits_set((uint32_t)insn.value[1], 16, 16, value);
        at += 2;
    }
    return value;
}

static void find_hub(const uint8_t *bytes, size_t size, struct trn_fw_boot *boot)
{
    const size_t left = size - boot->primary;
    const size_t end = boot->primary + (left < HUB_REACH ? left : HUB_REACH);
    const size_t hub = trn_fw_pattern_find(TRN_FW_PATTERN_HUB_16, bytes, end, boot->primary);
    if (hub == SIZE_MAX)
        return;
    struct trn_xtensa_insn add;
    decode_at(bytes, size, (uint32_t)hub + 3, &add);
    boot->has_hub = true;
    boot->hub = (uint32_t)hub;
    boot->hub_table = table_before(bytes, boot->hub, add.value[0]);
}

/* ----------------------------------------------------------------------------------- */

static void find_heads(struct trn_fw_boot *boot)
{
    for (size_t i = 0; i < trn_fw_num_heads; i++) {
        const struct trn_fw_head *const head = &trn_fw_head_table[i];
        if (head->primary == boot->primary && head->enter == boot->enter &&
            head->residence == boot->residence && boot->num_matches < TRN_FW_HEADS_MAX)
            boot->match[boot->num_matches++] = head;
    }
}

void trn_fw_boot_decode(const uint8_t *bytes, size_t size, struct trn_fw_boot *out)
{
    *out = (struct trn_fw_boot){.residence = TRN_FW_IRAM};
    if (!take_vector(bytes, size, 0, &out->primary, out) ||
        !take_vector(bytes, size, SECOND_VECTOR, &out->secondary, out) ||
        !take_trampoline(bytes, size, out))
        return;
    place(out);
    if (!take_halt(bytes, size, out))
        return;
    out->is_head = true;
    find_heads(out);
    find_hub(bytes, size, out);
}

size_t trn_fw_boot_describe(const struct trn_fw_boot *boot, char *out, size_t size)
{
    size_t used = 0;
    if (size)
        *out = '\0';
    for (size_t i = 0; i < boot->num_matches; i++) {
        const struct trn_fw_head *const head = boot->match[i];
        const int more = snprintf(used < size ? out + used : NULL, used < size ? size - used : 0,
                                  "%s%s %s %s", i ? ", " : "", trn_gen_at(head->gen)->name,
                                  trn_fw_class_name(head->core), head->engines);
        used += more > 0 ? (size_t)more : 0;
    }
    return used;
}

/* ---- data segments ---------------------------------------------------------------- */

enum { INIT_AT = 0x18, LIMITS_AT = 0x28, HEAD_BYTES = 0x38, INIT_WORD = 0x1000 };

static enum trn_fw_limit limit_of(const uint32_t limits[4])
{
    for (int i = 1; i < 4; i++)
        if (limits[i] != limits[0])
            return TRN_FW_LIMIT_OTHER;
    if (limits[0] == UINT32_C(0x00FFFFFF))
        return TRN_FW_LIMIT_00FFFFFF;
    return limits[0] == UINT32_C(0xFFFFFF00) ? TRN_FW_LIMIT_FFFFFF00 : TRN_FW_LIMIT_OTHER;
}

bool trn_fw_data_decode(const uint8_t *bytes, size_t size, struct trn_fw_data_head *out)
{
    *out = (struct trn_fw_data_head){.has_init = true};
    if (size < HEAD_BYTES)
        return false;
    out->magic = trn_get32(bytes);
    for (size_t i = 0; i < 4; i++) {
        out->init[i] = trn_get32(bytes + INIT_AT + 4 * i);
        out->limits[i] = trn_get32(bytes + LIMITS_AT + 4 * i);
        out->has_init = out->has_init && out->init[i] == INIT_WORD;
    }
    out->limit = limit_of(out->limits);
    return true;
}
