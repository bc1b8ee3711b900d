/* SPDX-License-Identifier: Apache-2.0 */
/* The getter stub (docs/hardware/firmware-images.md 2.2). */
#ifndef TRN_FW_STUB_H
#define TRN_FW_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fw_stub {
    uint64_t start;  /* of its first instruction, endbr64 included */
    uint64_t target; /* address that it returns */
    uint64_t size;   /* size that it returns */
};

/* Decode the stub at `bytes`, which lie at address `va`. False: not a getter. */
bool fw_stub_decode(const uint8_t *bytes, size_t room, uint64_t va, struct fw_stub *out);

/* Next stub at or behind *at in `size` bytes at address `va`; moves *at behind it. */
bool fw_stub_scan(const uint8_t *bytes, size_t size, uint64_t va, size_t *at, struct fw_stub *out);

#endif
