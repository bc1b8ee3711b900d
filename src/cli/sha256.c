/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>

void sha256_prepare(void)
{
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

trn_status sha256_of(const void *data, size_t size, uint8_t hash[SHA256_BYTES])
{
    sha256_prepare();
    return EVP_Digest(data, size, hash, NULL, EVP_sha256(), NULL) == 1 ? TRN_OK : TRN_ERR_NO_MEMORY;
}

void sha256_text(const uint8_t hash[SHA256_BYTES], char text[SHA256_TEXT])
{
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}
