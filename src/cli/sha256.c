/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>

/* The machine's openssl.cnf has nothing to say about SHA-256, and reading it costs milliseconds. */
static void leave_configuration(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
}

trn_status sha256_of(const void *data, size_t size, uint8_t hash[SHA256_BYTES])
{
    leave_configuration();
    return EVP_Digest(data, size, hash, NULL, EVP_sha256(), NULL) == 1 ? TRN_OK : TRN_ERR_NO_MEMORY;
}

void sha256_text(const uint8_t hash[SHA256_BYTES], char text[SHA256_TEXT])
{
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}
