/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x100000000)

/* ---- random bytes ---------------------------------------------------------------- */

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void fill_random(uint8_t *bytes, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t word = next_random(&seed);
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
}

/* ---- memory ---------------------------------------------------------------------- */

void host_open(struct host *host, uint64_t bytes)
{
    *host = (struct host){.base = BASE, .bytes = bytes, .memory = calloc(1, bytes)};
    assert_non_null(host->memory);
}

void host_close(struct host *host)
{
    free(host->memory);
    host->memory = NULL;
}

uint64_t host_alloc(struct host *host, uint64_t bytes, uint64_t align)
{
    const uint64_t at = (host->used + align - 1) / align * align;
    assert_true(at + bytes <= host->bytes);
    host->used = at + bytes;
    return host->base + at;
}

uint8_t *host_at(const struct host *host, uint64_t address)
{
    assert_true(address >= host->base && address - host->base < host->bytes);
    return host->memory + (address - host->base);
}

uint32_t host_get32(const struct host *host, uint64_t address)
{
    uint32_t value;
    memcpy(&value, host_at(host, address), sizeof value);
    return value;
}

void host_put32(const struct host *host, uint64_t address, uint32_t value)
{
    memcpy(host_at(host, address), &value, sizeof value);
}

/* ---- calls ----------------------------------------------------------------------- */

static bool refuses(const struct host *host, uint64_t address, size_t size)
{
    const uint64_t at = address - host->base;
    return address < host->base || at > host->bytes || size > host->bytes - at ||
           (address < host->refuse_to && address + size > host->refuse_from);
}

static void note(struct host *host, bool write, uint64_t address, size_t size)
{
    const uint64_t prime = UINT64_C(0x100000001B3); /* FNV-1a, over words */
    const uint64_t words[] = {write, address, size};
    host->calls++;
    for (size_t i = 0; i < 3; i++)
        host->hash = (host->hash ^ words[i]) * prime;
    if (!host->hook || host->inside)
        return;
    host->inside = true;
    host->hook(host, write, address, size);
    host->inside = false;
}

static trn_status read_memory(void *context, uint64_t address, void *data, size_t size)
{
    struct host *host = context;
    note(host, false, address, size);
    if (refuses(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(data, host_at(host, address), size);
    return TRN_OK;
}

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size)
{
    struct host *host = context;
    note(host, true, address, size);
    if (refuses(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(host_at(host, address), data, size);
    return TRN_OK;
}

static void interrupt(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    struct host *host = context;
    host->interrupts++;
    host->last_vector = vector;
    host->last_address = address;
    host->last_data = data;
}

struct trn_pci_host host_calls(struct host *host)
{
    return (struct trn_pci_host){host, read_memory, write_memory, interrupt};
}

/* ---- functions ------------------------------------------------------------------- */

struct trn_pci *open_function(const struct trn_pci_options *options, struct host *host)
{
    const struct trn_pci_host calls = host_calls(host);
    struct trn_pci *pci = NULL;
    struct trn_diag diag = {.status = TRN_OK};
    if (trn_pci_open(options, &calls, &pci, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    return pci;
}

struct trn_pci *open_generation(const char *generation, struct host *host)
{
    const struct trn_pci_options options = TRN_PCI_OPTIONS(generation);
    return open_function(&options, host);
}
