/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian loads and stores and the only bit-field arithmetic of the project: layouts come
 * from data/, generated accessors call these, and nothing else shifts or masks. */
#ifndef TRN_BASE_BYTES_H
#define TRN_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "trench keeps device memory in host byte order and needs a little-endian host"
#endif

static inline uint8_t trn_get8(const uint8_t *p)
{
    return *p;
}

static inline uint16_t trn_get16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t trn_get32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t trn_get64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline float trn_getf32(const uint8_t *p)
{
    float v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void trn_put8(uint8_t *p, uint8_t v)
{
    *p = v;
}

static inline void trn_put16(uint8_t *p, uint16_t v)
{
    memcpy(p, &v, sizeof v);
}

static inline void trn_put32(uint8_t *p, uint32_t v)
{
    memcpy(p, &v, sizeof v);
}

static inline void trn_put64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

static inline void trn_putf32(uint8_t *p, float v)
{
    memcpy(p, &v, sizeof v);
}

/* Bits lo .. lo+bits-1 of a container, as a number. bits is 1..64. */
static inline uint64_t trn_bits_get(uint64_t container, unsigned lo, unsigned bits)
{
    return container >> lo & (~UINT64_C(0) >> (64 - bits));
}

/* The container with those bits replaced; bits of `value` above the field are dropped. */
static inline uint64_t trn_bits_set(uint64_t container, unsigned lo, unsigned bits, uint64_t value)
{
    const uint64_t mask = (~UINT64_C(0) >> (64 - bits)) << lo;
    return (container & ~mask) | (value << lo & mask);
}

static inline uint32_t trn_f32_bits(float f)
{
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

static inline float trn_bits_f32(uint32_t v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}

#endif
