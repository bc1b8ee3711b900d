/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of bytes, and its text form. */
#ifndef TRN_CLI_SHA256_H
#define TRN_CLI_SHA256_H

#include <stdint.h>

#include "trench/base.h"

enum { SHA256_BYTES = 32, SHA256_TEXT = 2 * SHA256_BYTES + 1 };

/* Before the first hash: the machine's openssl.cnf has nothing to say about SHA-256, and reading it
 * costs milliseconds; so does taking the library apart at the end. */
void sha256_prepare(void);
/* TRN_ERR_NO_MEMORY when the library that computes it could not. */
trn_status sha256_of(const void *data, size_t size, uint8_t hash[SHA256_BYTES]);
void sha256_text(const uint8_t hash[SHA256_BYTES], char text[SHA256_TEXT]);

#endif
