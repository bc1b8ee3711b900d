/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile driver: bytes become configuration, BAR and DMA operations, rings and mailboxes full of
 * them, injections, and calls from inside of callbacks. Nothing may crash or hang, host memory is
 * touched through the callbacks only, and every status is one that pci.h names. */
#include <stdlib.h>
#include <string.h>

#include "trench/pci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HOST_BYTES = 1 << 18, MAX_OPERATIONS = 200, PACKETS = 32, MAX_NESTED = 8 };

struct input {
    const uint8_t *data;
    size_t left;
};

struct rig {
    struct input input;
    struct trn_pci *pci;
    uint8_t *memory;
    uint64_t misc, host_bit;
    unsigned nested;
};

static uint64_t take(struct input *input, size_t bytes)
{
    uint64_t value = 0;
    if (bytes > input->left)
        bytes = input->left;
    memcpy(&value, input->data, bytes);
    input->data += bytes;
    input->left -= bytes;
    return value;
}

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_status(trn_status status)
{
    check(status == TRN_OK || status == TRN_ERR_ADDRESS || status == TRN_ERR_INVALID ||
          status == TRN_ERR_BUSY || status == TRN_ERR_RANGE || status == TRN_ERR_NO_MEMORY ||
          status == TRN_ERR_TOO_LARGE);
}

/* ---- where things are ------------------------------------------------------------------ */

static uint64_t engine_of(const struct rig *rig, unsigned number)
{
    if (rig->misc == 0x30FA0000)
        return number % 3 == 2 ? 0x30600000 : 0x30000000 + UINT64_C(0x40000) * (number % 16);
    return number % 3 == 2 ? 0x6800000 : 0x82000000 + UINT64_C(0x100000) * (number % 16);
}

static uint64_t notific_of(const struct rig *rig)
{
    return rig->misc == 0x30FA0000 ? 0x30535000 : 0x06001000;
}

/* Registers that act, as often as any other place. */
static uint64_t place(struct rig *rig)
{
    const uint64_t draw = take(&rig->input, 1), low = take(&rig->input, 3);
    switch (draw % 6) {
    case 0:
        return rig->misc + (low % 2 ? 0x1F0 : 0x800) + low % 16;
    case 1:
        return engine_of(rig, (unsigned)draw / 6) + low % 0x40000;
    case 2:
        return engine_of(rig, (unsigned)draw / 6) + 0x1000 + low % 0x100 +
               (low >> 12) % 2 * 0x20000;
    case 3:
        return notific_of(rig) + low % 0x300;
    case 4:
        return low * 256 + draw;
    default:
        return take(&rig->input, 8);
    }
}

/* ---- operations ------------------------------------------------------------------------- */

static void access_config(struct rig *rig)
{
    const unsigned offset = (unsigned)take(&rig->input, 2), bytes = 1u << take(&rig->input, 1) % 4;
    uint32_t value = 0;
    trn_status status = trn_pci_config_read(rig->pci, offset, bytes, &value);
    check(status == TRN_OK || (status == TRN_ERR_INVALID && value == UINT32_MAX));
    status = trn_pci_config_write(rig->pci, offset, bytes, (uint32_t)take(&rig->input, 4));
    check(status == TRN_OK || status == TRN_ERR_INVALID);
}

static void access_bar(struct rig *rig, bool write)
{
    static const unsigned sizes[] = {4, 4, 4, 4, 8, 1, 2, 3};
    static const unsigned bars[] = {0, 0, 0, 4, 2, 0, 0, 7};
    const uint64_t draw = take(&rig->input, 1), offset = place(rig);
    uint64_t value = take(&rig->input, 4);
    const unsigned bytes = sizes[draw % 8], bar = bars[draw / 8 % 8];
    check_status(write ? trn_pci_bar_write(rig->pci, bar, offset, bytes, value)
                       : trn_pci_bar_read(rig->pci, bar, offset, bytes, &value));
}

static void access_block(struct rig *rig, bool write)
{
    uint8_t bytes[600];
    const uint64_t offset = place(rig);
    const size_t size = take(&rig->input, 2) % sizeof bytes;
    const unsigned bar = take(&rig->input, 1) % 2 ? 4 : 0;
    memset(bytes, (int)take(&rig->input, 1), sizeof bytes);
    check_status(write ? trn_pci_bar_write_block(rig->pci, bar, offset, bytes, size)
                       : trn_pci_bar_read_block(rig->pci, bar, offset, bytes, size));
}

static void put(struct rig *rig, uint64_t offset, uint64_t value)
{
    check_status(trn_pci_bar_write(rig->pci, 0, offset, 4, (uint32_t)value));
}

/* Both halves of a queue over rings somewhere in host memory, and their doorbells. */
static void ring(struct rig *rig)
{
    const unsigned number = (unsigned)take(&rig->input, 1), queue = number / 16;
    const uint64_t udma = engine_of(rig, number) + UINT64_C(0x1000) * queue;
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t at = udma + 0x20000 * half;
        const uint64_t base = take(&rig->input, 2) * 64 % HOST_BYTES | rig->host_bit;
        put(rig, at + (half ? 0x1064 : 0x10B0), 0x100);
        put(rig, at + 0x1028, base);
        put(rig, at + 0x102C, base >> 32);
        put(rig, at + 0x1030, 32 + take(&rig->input, 1) * 16);
        put(rig, at + 0x1020, 0x03030000);
    }
    put(rig, udma + 0x21038, take(&rig->input, 2));
    put(rig, udma + 0x1038, take(&rig->input, 2));
}

/* Descriptors that look like some: phase, length, addresses of host memory or of the device. */
static void fill_ring(struct rig *rig)
{
    const size_t at = take(&rig->input, 2) * 64 % (HOST_BYTES - 64 * 16);
    for (size_t i = 0; i < 64; i++) {
        const uint64_t draw = take(&rig->input, 8);
        const uint32_t head = (uint32_t)(draw & 0xFFFF) | 0x01000000 | (i % 2 ? 0 : 0x0C000000);
        const uint32_t meta = draw >> 56 ? 0x01080003 : (uint32_t)draw;
        const uint64_t address =
            draw >> 60 & 1 ? draw >> 16 & 0xFFFFFFF : (draw >> 16 & 0x3FFFF) | rig->host_bit;
        memcpy(rig->memory + at + 16 * i, &head, 4);
        memcpy(rig->memory + at + 16 * i + 4, &meta, 4);
        memcpy(rig->memory + at + 16 * i + 8, &address, 8);
    }
}

static void fill_memory(struct rig *rig)
{
    const size_t at = take(&rig->input, 3) % HOST_BYTES;
    size_t size = take(&rig->input, 1) * 4;
    size = size < HOST_BYTES - at ? size : HOST_BYTES - at;
    size = size < rig->input.left ? size : rig->input.left;
    memcpy(rig->memory + at, rig->input.data, size);
    take(&rig->input, size < 8 ? size : 8);
}

static void mailbox(struct rig *rig)
{
    const uint64_t request = take(&rig->input, 3) % HOST_BYTES | rig->host_bit;
    const uint64_t response = take(&rig->input, 3) % HOST_BYTES | rig->host_bit;
    put(rig, rig->misc + 0x1F4, request);
    put(rig, rig->misc + 0x1F0, request >> 32);
    put(rig, rig->misc + 0x1FC, response);
    put(rig, rig->misc + 0x1F8, response >> 32);
    put(rig, rig->misc + 0x800, 1);
}

static void reset(struct rig *rig)
{
    put(rig, rig->misc + 0x1D8, take(&rig->input, 4));
    put(rig, rig->misc + 0x1EC, take(&rig->input, 1));
    put(rig, rig->misc + 0x800, 1);
}

static void inject(struct rig *rig)
{
    const unsigned draw = (unsigned)take(&rig->input, 1), number = (unsigned)take(&rig->input, 1);
    const uint32_t value = (uint32_t)take(&rig->input, 4);
    switch (draw % 5) {
    case 0:
        check_status(trn_pci_inject_axi_error(rig->pci, number, draw / 8, draw & 8));
        return;
    case 1:
        check_status(trn_pci_inject_ecc(rig->pci, number % 8, value, value >> 16));
        return;
    case 2:
        check_status(trn_pci_inject_power(rig->pci, number % 3, value));
        return;
    case 3:
        check_status(trn_pci_stick(rig->pci, place(rig), value, value, number));
        return;
    default:
        check_status(trn_pci_inject_repair(rig->pci, number));
        return;
    }
}

static void advance(struct rig *rig)
{
    check_status(trn_pci_advance(rig->pci, 64, NULL));
}

static void operate(struct rig *rig)
{
    switch (take(&rig->input, 1) % 14) {
    case 0:
        access_config(rig);
        return;
    case 1:
    case 2:
        access_bar(rig, true);
        return;
    case 3:
        access_bar(rig, false);
        return;
    case 4:
        access_block(rig, true);
        return;
    case 5:
        access_block(rig, false);
        return;
    case 6:
    case 7:
        ring(rig);
        return;
    case 8:
        fill_ring(rig);
        return;
    case 9:
        fill_memory(rig);
        return;
    case 10:
        mailbox(rig);
        return;
    case 11:
        reset(rig);
        return;
    case 12:
        inject(rig);
        return;
    default:
        advance(rig);
        return;
    }
}

/* ---- the host ------------------------------------------------------------------------------ */

/* Now and then the host comes back while the device works. */
static bool may_touch(struct rig *rig, uint64_t address, size_t size)
{
    check(size > 0 && size <= 1 << 20);
    if (rig->nested < MAX_NESTED && rig->input.left > 0 && take(&rig->input, 1) % 16 == 0) {
        rig->nested++;
        operate(rig);
        rig->nested--;
    }
    return address <= HOST_BYTES && size <= HOST_BYTES - address;
}

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    struct rig *rig = context;
    if (!may_touch(rig, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(data, rig->memory + address, size);
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    struct rig *rig = context;
    if (!may_touch(rig, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(rig->memory + address, data, size);
    return TRN_OK;
}

static void interrupt(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    (void)context, (void)address, (void)data;
    check(vector < 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    struct rig rig = {.input = {data, size}, .memory = malloc(HOST_BYTES)};
    const uint64_t draw = take(&rig.input, 1);
    struct trn_pci_options options = TRN_PCI_OPTIONS(generations[draw % 4]);
    const struct trn_pci_host host = {&rig, host_read, host_write, interrupt};
    check(rig.memory != NULL);
    memset(rig.memory, 0, HOST_BYTES);
    options.doorbell_packets = PACKETS;
    options.msix_vectors = draw & 4 ? 8 : 0;
    options.revision = (draw & 0x38) == 0x38 ? TRN_PCI_QEMU : TRN_PCI_SILICON;
    rig.misc = draw % 4 ? 0x6C84000 : 0x30FA0000;
    rig.host_bit = draw % 4 ? UINT64_C(1) << 46 : UINT64_C(1) << 44;
    if (trn_pci_open(&options, &host, &rig.pci, NULL) != TRN_OK) {
        free(rig.memory);
        return 0;
    }
    trn_pci_config_write(rig.pci, 4, 2, 6);
    for (int i = 0; i < MAX_OPERATIONS && rig.input.left > 0; i++)
        operate(&rig);
    check(trn_pci_close(rig.pci) == TRN_OK);
    free(rig.memory);
    return 0;
}
