/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the text form (docs/tasm.md, "Numbers"): printing and reading, exact and independent
 * of the locale. Printers return the end of what they wrote; 24 bytes are enough for any. */
#ifndef TRN_ISA_TEXT_NUMBER_H
#define TRN_ISA_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

char *trn_put_decimal(char *out, uint64_t value);
char *trn_put_signed(char *out, int64_t value);
char *trn_put_hex(char *out, uint64_t value); /* with 0x */

/* Small numbers in decimal, from 65536 on in hexadecimal. */
char *trn_put_unsigned(char *out, uint64_t value);

/* `size` bytes as pairs of digits, in memory order. Needs 2 * size bytes. */
char *trn_put_bytes(char *out, const uint8_t *bytes, size_t size);

/* Shortest decimal that reads back as the same FP32; inf, -inf, or nan:0x with the bits. */
char *trn_put_float(char *out, uint32_t bits);

enum trn_literal_kind {
    TRN_LITERAL_DECIMAL, /* an integer in decimal */
    TRN_LITERAL_BITS,    /* 0x.., 0b.., or the bits of nan:0x.. and fp32:.. */
    TRN_LITERAL_FLOAT    /* point, exponent, inf or nan */
};

struct trn_literal {
    enum trn_literal_kind kind;
    bool negative;      /* DECIMAL, BITS: the number is -magnitude */
    uint64_t magnitude; /* DECIMAL, BITS */
    uint32_t bits;      /* FLOAT: the FP32 */
};

/* The FP32 of a FLOAT or a DECIMAL. */
uint32_t trn_literal_fp32(const struct trn_literal *number);

/*
 * Read the number at `at`. A character that no number contains (a line's end) must follow, and
 * eight readable bytes behind it. Returns the number's end, NULL and the reason in *problem when
 * there is none.
 */
const char *trn_read_literal(const char *at, struct trn_literal *out, const char **problem);

#endif
