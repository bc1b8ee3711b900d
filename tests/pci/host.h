/* SPDX-License-Identifier: Apache-2.0 */
/* A host for functions under test: memory with an allocator, calls that can refuse and come back.
 */
#ifndef TESTS_PCI_HOST_H
#define TESTS_PCI_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trench/pci.h"

struct host {
    uint8_t *memory;
    uint64_t base, bytes;            /* bus addresses */
    uint64_t used;                   /* of the allocator */
    uint64_t refuse_from, refuse_to; /* bus addresses that are refused */
    uint64_t calls, hash;            /* callbacks, and what they were about */
    bool inside;                     /* a callback runs the hook already */
    /* Runs in every callback; NULL: nothing. */
    void (*hook)(struct host *host, bool write, uint64_t address, size_t size);
    void *hook_context;
    unsigned interrupts, last_vector;
    uint64_t last_address;
    uint32_t last_data;
};

/* Memory at bus addresses from 0x100000000 on. Fails the test without memory. */
void host_open(struct host *host, uint64_t bytes);
void host_close(struct host *host);
struct trn_pci_host host_calls(struct host *host);

/* Aligned room; its bus address. */
uint64_t host_alloc(struct host *host, uint64_t bytes, uint64_t align);
/* The bytes at a bus address. */
uint8_t *host_at(const struct host *host, uint64_t address);

uint32_t host_get32(const struct host *host, uint64_t address);
void host_put32(const struct host *host, uint64_t address, uint32_t value);

/* The same bytes every time: a generator with a seed. */
void fill_random(uint8_t *bytes, size_t size, uint64_t seed);
uint64_t next_random(uint64_t *state);

/* Fails the test when the function cannot be made. */
struct trn_pci *open_function(const struct trn_pci_options *options, struct host *host);
struct trn_pci *open_generation(const char *generation, struct host *host);

#endif
