/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sha256.h"

#include <openssl/evp.h>
#include <stdio.h>

trn_status sha256_of(const void *data, size_t size, uint8_t hash[SHA256_BYTES])
{
    return EVP_Digest(data, size, hash, NULL, EVP_sha256(), NULL) == 1 ? TRN_OK : TRN_ERR_NO_MEMORY;
}

void sha256_text(const uint8_t hash[SHA256_BYTES], char text[SHA256_TEXT])
{
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}
