/* SPDX-License-Identifier: Apache-2.0 */
/* Moving data by DMA, docs/hardware/pci-function.md 8: guest memory, HBM, SBUF and back. */
#include "guest.h"

#include <string.h>

#define SHEET       "pci-function.md 8"
#define CARVEOUT    0x1000000u /* the first 16 MiB of every channel belong to firmware (2) */
#define SLOT_BYTES  16u
#define RX_AT       0x20000u /* behind 8192 TX slots */
#define FILL_COPIES 5u
#define FILL_BYTES  0x10000u
#define WRAP_COPIES 4200u /* two descriptors each: more than the 8192 slots of the ring */
#define BACKGROUND  0x5A

/* Xorshift words, so that no shift or swap of bytes goes unseen. */
static void fill_random(uint8_t *bytes, size_t size, uint32_t seed)
{
    uint32_t state = seed * 2654435761u | 1;

    for (size_t i = 0; i < size; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (uint8_t)(state >> 11);
    }
}

static void copy(struct copy_ring *ring, uint64_t to, uint64_t from, size_t size, const char *what)
{
    if (!ring_copy(ring, to, from, size))
        failed(SHEET, "copy of %zu bytes %s: the marker does not come", size, what);
}

static void compare(const uint8_t *got, const uint8_t *right, size_t size, const char *what)
{
    for (size_t i = 0; i < size; i++)
        if (got[i] != right[i])
            failed(SHEET, "copy of %zu bytes %s: byte %zu is %02X, right would be %02X", size, what,
                   i, got[i], right[i]);
}

/* Check row "first copy of 5 bytes" of pci-function.md 12, v2; v3 differs in addresses only. */
void check_first_descriptors(struct copy_ring *ring, struct block from)
{
    static const uint8_t rx[] = {0x05, 0, 0, 0x01}, tx[] = {0x05, 0, 0, 0x0D, 0x03, 0, 0x08, 0x05};
    static const uint8_t marker[] = {0x04, 0, 0, 0x0D, 0x03, 0, 0x08, 0x01};
    const uint8_t *slots = ring->memory.bytes;

    fill_random(from.bytes, 5, 5);
    copy(ring, CARVEOUT, host_address(ring, from.physical), 5, "to HBM, the first one");
    if (memcmp(slots + RX_AT, rx, sizeof rx) || memcmp(slots, tx, sizeof tx) ||
        memcmp(slots + SLOT_BYTES, marker, sizeof marker))
        failed("pci-function.md 12", "the guest test's own descriptors differ from the check row");
}

/* The ends of what DMA left in HBM, seen through BAR4. */
static void compare_bar4(struct copy_ring *ring, uint64_t offset, const uint8_t *right, size_t size)
{
    uint8_t seen[64];
    size_t end = size < sizeof seen ? size : sizeof seen;

    bar4_read_block(ring->function, offset, seen, end);
    compare(seen, right, end, "to HBM, first bytes through BAR4");
    if (size >= 2 * sizeof seen && size % 8 == 0) {
        bar4_read_block(ring->function, offset + size - end, seen, end);
        compare(seen, right + size - end, end, "to HBM, last bytes through BAR4");
    }
}

/* Host to one channel of HBM, to another one, and back; nothing behind the end is touched. */
static void round_trip(struct copy_ring *ring, unsigned core, struct block from, struct block to,
                       size_t size)
{
    const struct generation *gen = ring->function->gen;
    unsigned first = core % gen->channels, second = (core + 1) % gen->channels;
    uint64_t a = gen->channel_base[first] + CARVEOUT, b = gen->channel_base[second] + 2 * CARVEOUT;

    fill_random(from.bytes, size, (uint32_t)size + core);
    memset(to.bytes, BACKGROUND, BLOCK_BYTES);
    copy(ring, a, host_address(ring, from.physical), size, "from the host to HBM");
    compare_bar4(ring, gen->channel_bar4[first] + CARVEOUT, from.bytes, size);
    copy(ring, b, a, size, "from HBM to another channel");
    copy(ring, host_address(ring, to.physical), b, size, "from HBM to the host");
    compare(to.bytes, from.bytes, size, "to HBM and back");
    if (size < BLOCK_BYTES && to.bytes[size] != BACKGROUND)
        failed(SHEET, "copy of %zu bytes to the host wrote behind its end", size);
}

/* Host to SBUF and back; partition 0 has room for 64 KiB on every generation. */
static void sbuf_round_trip(struct copy_ring *ring, unsigned core, struct block from,
                            struct block to, size_t size)
{
    const struct generation *gen = ring->function->gen;
    uint8_t seen[64];

    fill_random(from.bytes, size, (uint32_t)size ^ 0xABCD);
    memset(to.bytes, BACKGROUND, size);
    copy(ring, gen->sbuf_soc[core], host_address(ring, from.physical), size, "to SBUF");
    bar0_read_block(ring->function, gen->sbuf_bar0[core], seen, sizeof seen);
    compare(seen, from.bytes, sizeof seen, "to SBUF, first bytes through BAR0");
    copy(ring, host_address(ring, to.physical), gen->sbuf_soc[core], size, "from SBUF");
    compare(to.bytes, from.bytes, size, "to SBUF and back");
}

void check_copies(struct copy_ring *ring, unsigned core, struct block from, struct block to)
{
    static const size_t sizes[] = {1,     3,     4,     64,     4095,    4096,
                                   65535, 65536, 65537, 200000, 1048576, BLOCK_BYTES};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        round_trip(ring, core, from, to, sizes[i]);
    sbuf_round_trip(ring, core, from, to, 64);
    sbuf_round_trip(ring, core, from, to, 65536);
    passed("core %u: copies of 1 byte to 2 MiB, guest to HBM to HBM to guest, and by SBUF", core);
}

/* Fill of section 8: earlier descriptors of a batch are the source of later ones. */
static void check_fill(struct copy_ring *ring, struct block from, struct block to)
{
    fill_random(from.bytes, FILL_BYTES, 99);
    if (!ring_fill(ring, CARVEOUT, host_address(ring, from.physical), FILL_COPIES))
        failed(SHEET, "fill by replication: the marker does not come");
    copy(ring, host_address(ring, to.physical), CARVEOUT, FILL_COPIES * FILL_BYTES, "of a fill");
    for (unsigned i = 0; i < FILL_COPIES; i++)
        compare(to.bytes + i * FILL_BYTES, from.bytes, FILL_BYTES, "by replication");
}

void check_many_copies(struct copy_ring *ring, struct block from, struct block to)
{
    uint64_t source = host_address(ring, from.physical);
    uint64_t destination = host_address(ring, to.physical);

    check_fill(ring, from, to);
    fill_random(from.bytes, 8 * (WRAP_COPIES + 1), 7);
    for (unsigned i = 0; i < WRAP_COPIES; i++)
        copy(ring, destination + 8 * i, source + 8 * i, 8, "inside the host");
    compare(to.bytes, from.bytes, (size_t)8 * WRAP_COPIES,
            "one by one, around the end of the ring");
    passed("fill by replication; %u copies, past the end of the ring", WRAP_COPIES);
}

void check_no_bus_master(struct copy_ring *ring, struct block from, struct block to)
{
    uint32_t command = config_read(ring->function, PCI_COMMAND, 2);

    memset(to.bytes, BACKGROUND, 64);
    memset(from.bytes, 0, 64);
    config_write(ring->function, PCI_COMMAND, 2, command & ~(uint32_t)PCI_COMMAND_MASTER);
    if (ring_copy(ring, host_address(ring, to.physical), host_address(ring, from.physical), 64))
        failed("pci-function.md 5.1", "the device moves data while bus master is off");
    for (unsigned i = 0; i < 64; i++)
        if (to.bytes[i] != BACKGROUND)
            failed("pci-function.md 5.1", "the device wrote to memory while bus master was off");
    config_write(ring->function, PCI_COMMAND, 2, command);
    if (!ring_aborted(ring))
        failed("udma.md 9.2", "a refused descriptor fetch does not put the engine in abort");
    passed("no DMA while bus master is off, engine in abort");
}
