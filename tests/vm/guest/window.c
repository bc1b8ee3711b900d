/* SPDX-License-Identifier: Apache-2.0 */
/* BARs by mmap of sysfs resource files, a few chunks at a time: BAR4 is larger than the guest. */
#include "guest.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES 0x400000u

#define NOT_READY       0xDEADBEEF
#define NOT_READY_TIMES 15
#define NOT_READY_READS 1000 /* 1 ms apart */

static volatile uint8_t *chunk_of(struct function *function, int file, uint64_t offset)
{
    uint64_t first = offset - offset % CHUNK_BYTES;
    struct chunk *chunk = NULL;

    for (unsigned i = 0; i < CHUNKS; i++)
        if (function->chunks[i].map && function->chunks[i].file == file &&
            function->chunks[i].first == first)
            return (uint8_t *)function->chunks[i].map + offset % CHUNK_BYTES;
    chunk = &function->chunks[function->next_chunk++ % CHUNKS];
    if (chunk->map)
        munmap(chunk->map, CHUNK_BYTES);
    chunk->map = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)first);
    if (chunk->map == MAP_FAILED)
        failed("pci-function.md 2", "Linux does not map the BAR at %" PRIX64, first);
    chunk->file = file;
    chunk->first = first;
    return (uint8_t *)chunk->map + offset % CHUNK_BYTES;
}

uint32_t read32(struct function *function, uint64_t offset)
{
    return *(volatile uint32_t *)chunk_of(function, function->bar0, offset);
}

void write32(struct function *function, uint64_t offset, uint32_t value)
{
    *(volatile uint32_t *)chunk_of(function, function->bar0, offset) = value;
}

uint32_t read32_when_ready(struct function *function, uint64_t offset)
{
    for (unsigned i = 0; i < NOT_READY_TIMES * NOT_READY_READS; i++) {
        uint32_t value = read32(function, offset);

        if (value != NOT_READY)
            return value;
        sleep_ms(1);
    }
    failed("pci-function.md 3", "BAR0 %" PRIX64 " still reads DEADBEEF after 15 s", offset);
}

uint32_t misc_read(struct function *function, unsigned offset)
{
    return read32_when_ready(function, function->gen->misc_ram + offset);
}

void misc_write(struct function *function, unsigned offset, uint32_t value)
{
    write32(function, function->gen->misc_ram + offset, value);
}

static void read_block(struct function *function, int file, uint64_t offset, uint8_t *data,
                       size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = *(volatile uint64_t *)chunk_of(function, file, offset + i);

        memcpy(data + i, &word, size - i < 8 ? size - i : 8);
    }
}

void bar0_read_block(struct function *function, uint64_t offset, void *data, size_t size)
{
    read_block(function, function->bar0, offset, data, size);
}

void bar4_read_block(struct function *function, uint64_t offset, void *data, size_t size)
{
    read_block(function, function->bar4, offset, data, size);
}

void bar4_write_block(struct function *function, uint64_t offset, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *chunk_of(function, function->bar4, offset + i) = ((const uint8_t *)data)[i];
}
