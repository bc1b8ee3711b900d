/* SPDX-License-Identifier: Apache-2.0 */
/* Getter stubs: `lea rel32(%rip),%rax; mov %rax,(%rdi); movq $imm32,(%rsi); ret`, with or without
 * endbr64 before them (docs/hardware/firmware-images.md 2.2). The three opcodes and the ret match
 * exactly, or it is no getter. */
#include "fw/stub.h"

#include <string.h>

#include "base/bytes.h"

static const uint8_t endbr64[] = {0xF3, 0x0F, 0x1E, 0xFA};
static const uint8_t lea[] = {0x48, 0x8D, 0x05};
/* mov %rax,(%rdi) and the opcode of movq $imm32,(%rsi) */
static const uint8_t stores[] = {0x48, 0x89, 0x07, 0x48, 0xC7, 0x06};

enum { REL_AT = 3, STORES_AT = 7, SIZE_AT = 13, RET_AT = 17, STUB_BYTES = 18, RET = 0xC3 };

/* The stub without endbr64. */
static bool decode_bare(const uint8_t *bytes, size_t room, uint64_t va, struct fw_stub *out)
{
    if (room < STUB_BYTES || memcmp(bytes, lea, sizeof lea) != 0 ||
        memcmp(bytes + STORES_AT, stores, sizeof stores) != 0 || bytes[RET_AT] != RET)
        return false;
    const int64_t distance = (int32_t)trn_get32(bytes + REL_AT);
    const int32_t size = (int32_t)trn_get32(bytes + SIZE_AT);
    if (size < 0)
        return false;
    out->start = va;
    out->target = va + STORES_AT + (uint64_t)distance;
    out->size = (uint64_t)size;
    return true;
}

static bool has_endbr64(const uint8_t *bytes, size_t room)
{
    return room >= sizeof endbr64 && memcmp(bytes, endbr64, sizeof endbr64) == 0;
}

bool fw_stub_decode(const uint8_t *bytes, size_t room, uint64_t va, struct fw_stub *out)
{
    const size_t before = has_endbr64(bytes, room) ? sizeof endbr64 : 0;
    if (!decode_bare(bytes + before, room - before, va + before, out))
        return false;
    out->start = va;
    return true;
}

bool fw_stub_scan(const uint8_t *bytes, size_t size, uint64_t va, size_t *at, struct fw_stub *out)
{
    while (*at < size) {
        const uint8_t *const hit = memmem(bytes + *at, size - *at, stores, sizeof stores);
        if (!hit)
            break;
        const size_t found = (size_t)(hit - bytes);
        *at = found + sizeof stores;
        if (found < STORES_AT)
            continue;
        const size_t start = found - STORES_AT;
        if (!decode_bare(bytes + start, size - start, va + start, out))
            continue;
        if (start >= sizeof endbr64 && has_endbr64(bytes + start - sizeof endbr64, size))
            out->start -= sizeof endbr64;
        *at = start + STUB_BYTES;
        return true;
    }
    *at = size;
    return false;
}
