/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile driver of two devices that share a host: bytes become configuration, BAR and DMA
 * operations, rings, programs and mailboxes full of them, resets, injections, and calls from inside
 * of callbacks, of either device. Nothing may crash or hang, host memory is touched through the
 * callbacks only, and every status is one that pci.h names.
 *
 * Opening a function costs a hundred times what a power-on of an open one does, so functions are
 * kept from input to input. On-chip and device memory keep their bytes, too: a finding that does
 * not come back alone comes back behind the inputs before it (-runs=0 CORPUS FILE). */
#include <stdlib.h>
#include <string.h>

#include "trench/pci.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    HOST_BYTES = 1 << 18,
    MAX_OPERATIONS = 100,
    MAX_NESTED = 8,
    PACKETS = 8,       /* that a doorbell moves at once */
    INSTRUCTIONS = 64, /* of one advance */
    SHAPES = 12,       /* generation, and with MSI-X, in QEMU mode or plainly */
};

struct input {
    const uint8_t *data;
    size_t left;
};

struct host;

/* One of the two devices. */
struct rig {
    struct host *host;
    struct trn_pci *pci;
    uint64_t misc, host_bit;
    unsigned control; /* BAR */
};

struct host {
    struct input input;
    struct rig rig[2];
    unsigned nested;
    uint8_t memory[HOST_BYTES];
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

static bool is_sunda(const struct rig *rig)
{
    return rig->misc == 0x30FA0000;
}

static uint64_t engine_of(const struct rig *rig, unsigned number)
{
    if (is_sunda(rig))
        return number % 3 == 2 ? 0x30600000 : 0x30000000 + UINT64_C(0x40000) * (number % 16);
    return number % 3 == 2 ? 0x6800000 : 0x82000000 + UINT64_C(0x100000) * (number % 16);
}

static uint64_t notific_of(const struct rig *rig)
{
    return is_sunda(rig) ? 0x30535000 : 0x06001000;
}

static uint64_t core_of(const struct rig *rig)
{
    return is_sunda(rig) ? 0 : 0xD0000000;
}

/* Local registers of PE, ACT, POOL, DVE and SP of core 0 (address-map.md 5.2). */
static uint64_t local_of(const struct rig *rig, unsigned number)
{
    const uint64_t pool = is_sunda(rig) ? 0x2900000 : 0x3000000;
    const uint64_t engines[] = {0x2600000, 0x2400000, pool, 0x2B00000, 0x2800000};
    return core_of(rig) + engines[number % 5] + 0x60000;
}

/* Ends of SBUF, of a register block, of a DMA engine, of an HBM channel and of a BAR. */
static uint64_t end_of(const struct rig *rig, unsigned number)
{
    const uint64_t channel = is_sunda(rig) ? UINT64_C(0x400000000) : UINT64_C(0x600000000);
    const uint64_t ends[] = {core_of(rig) + 0x2000000, rig->misc + 0x1000,
                             engine_of(rig, 0) + 0x40000, channel,
                             trn_pci_bar(rig->pci, number / 5 % 2 ? 4 : rig->control).size};
    return ends[number % 5];
}

/* Registers that act, as often as any other place. */
static uint64_t place(struct rig *rig)
{
    const uint64_t draw = take(&rig->host->input, 1), low = take(&rig->host->input, 3);
    switch (draw % 8) {
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
    case 5: /* around an end, where accesses straddle */
        return end_of(rig, (unsigned)draw / 8) - 8 + low % 16;
    case 6:
        return local_of(rig, (unsigned)draw / 8) + low % 0x20 * 4;
    default:
        return take(&rig->host->input, 8);
    }
}

/* ---- operations ------------------------------------------------------------------------- */

static void access_config(struct rig *rig)
{
    const unsigned offset = (unsigned)take(&rig->host->input, 2),
                   bytes = 1u << take(&rig->host->input, 1) % 4;
    uint32_t value = 0;
    trn_status status = trn_pci_config_read(rig->pci, offset, bytes, &value);
    check(status == TRN_OK || (status == TRN_ERR_INVALID && value == UINT32_MAX));
    status = trn_pci_config_write(rig->pci, offset, bytes, (uint32_t)take(&rig->host->input, 4));
    check(status == TRN_OK || status == TRN_ERR_INVALID);
}

static void access_bar(struct rig *rig, bool write)
{
    static const unsigned sizes[] = {4, 4, 4, 4, 8, 1, 2, 3};
    const unsigned bars[] = {rig->control, rig->control, rig->control, 4, 2, 0, 4, 7};
    const uint64_t draw = take(&rig->host->input, 1), offset = place(rig);
    uint64_t value = take(&rig->host->input, 4);
    const unsigned bytes = sizes[draw % 8], bar = bars[draw / 8 % 8];
    check_status(write ? trn_pci_bar_write(rig->pci, bar, offset, bytes, value)
                       : trn_pci_bar_read(rig->pci, bar, offset, bytes, &value));
}

static void access_block(struct rig *rig, bool write)
{
    uint8_t bytes[600];
    const uint64_t offset = place(rig);
    const size_t size = take(&rig->host->input, 2) % sizeof bytes;
    const unsigned bar = take(&rig->host->input, 1) % 2 ? 4 : rig->control;
    memset(bytes, (int)take(&rig->host->input, 1), sizeof bytes);
    check_status(write ? trn_pci_bar_write_block(rig->pci, bar, offset, bytes, size)
                       : trn_pci_bar_read_block(rig->pci, bar, offset, bytes, size));
}

static void put(struct rig *rig, uint64_t offset, uint64_t value)
{
    check_status(trn_pci_bar_write(rig->pci, rig->control, offset, 4, (uint32_t)value));
}

/* Both halves of a queue over rings somewhere in host memory, and their doorbells. */
static void ring(struct rig *rig)
{
    const unsigned number = (unsigned)take(&rig->host->input, 1), queue = number / 16;
    const uint64_t udma = engine_of(rig, number) + UINT64_C(0x1000) * queue;
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t at = udma + 0x20000 * half;
        const uint64_t base = take(&rig->host->input, 2) * 64 % HOST_BYTES | rig->host_bit;
        put(rig, at + (half ? 0x1064 : 0x10B0), 0x100);
        put(rig, at + 0x1028, base);
        put(rig, at + 0x102C, base >> 32);
        put(rig, at + 0x1030, 32 + take(&rig->host->input, 1) * 16);
        put(rig, at + 0x1020, 0x03030000);
    }
    put(rig, udma + 0x21038, take(&rig->host->input, 2));
    put(rig, udma + 0x1038, take(&rig->host->input, 2));
}

/* Descriptors that look like some: phase, length, addresses of host memory or of the device. */
static void fill_ring(struct rig *rig)
{
    const size_t at = take(&rig->host->input, 2) * 64 % (HOST_BYTES - 64 * 16);
    for (size_t i = 0; i < 64; i++) {
        const uint64_t draw = take(&rig->host->input, 8);
        const uint32_t head = (uint32_t)(draw & 0xFFFF) | 0x01000000 | (i % 2 ? 0 : 0x0C000000);
        const uint32_t meta = draw >> 56 ? 0x01080003 : (uint32_t)draw;
        const uint64_t address =
            draw >> 60 & 1 ? draw >> 16 & 0xFFFFFFF : (draw >> 16 & 0x3FFFF) | rig->host_bit;
        memcpy(rig->host->memory + at + 16 * i, &head, 4);
        memcpy(rig->host->memory + at + 16 * i + 4, &meta, 4);
        memcpy(rig->host->memory + at + 16 * i + 8, &address, 8);
    }
}

static void fill_memory(struct rig *rig)
{
    const size_t at = take(&rig->host->input, 3) % HOST_BYTES;
    size_t size = take(&rig->host->input, 1) * 4;
    size = size < HOST_BYTES - at ? size : HOST_BYTES - at;
    size = size < rig->host->input.left ? size : rig->host->input.left;
    memcpy(rig->host->memory + at, rig->host->input.data, size);
    take(&rig->host->input, size < 8 ? size : 8);
}

static void mailbox(struct rig *rig)
{
    const uint64_t request = take(&rig->host->input, 3) % HOST_BYTES | rig->host_bit;
    const uint64_t response = take(&rig->host->input, 3) % HOST_BYTES | rig->host_bit;
    put(rig, rig->misc + 0x1F4, request);
    put(rig, rig->misc + 0x1F0, request >> 32);
    put(rig, rig->misc + 0x1FC, response);
    put(rig, rig->misc + 0x1F8, response >> 32);
    put(rig, rig->misc + 0x800, 1);
}

static void reset(struct rig *rig)
{
    put(rig, rig->misc + 0x1D8, take(&rig->host->input, 4));
    put(rig, rig->misc + 0x1EC, take(&rig->host->input, 1));
    put(rig, rig->misc + 0x800, 1);
}

static void inject(struct rig *rig)
{
    const unsigned draw = (unsigned)take(&rig->host->input, 1),
                   number = (unsigned)take(&rig->host->input, 1);
    const uint32_t value = (uint32_t)take(&rig->host->input, 4);
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
    check_status(trn_pci_advance(rig->pci, INSTRUCTIONS, NULL));
}

/* Words of the input, started on an engine by its registers (address-map.md 9). */
static void program(struct rig *rig)
{
    uint8_t words[4 * 64] = {0};
    const unsigned engine = (unsigned)take(&rig->host->input, 1);
    const uint64_t at = take(&rig->host->input, 2) * 64, local = local_of(rig, engine);
    const size_t left = rig->host->input.left;
    const size_t size = left < sizeof words ? left : sizeof words;
    memcpy(words, rig->host->input.data, size);
    take(&rig->host->input, 8);
    check_status(trn_pci_bar_write_block(rig->pci, 4, at, words, sizeof words));
    put(rig, local + (is_sunda(rig) ? 0x08 : 0x1060), at);
    put(rig, local + (is_sunda(rig) ? 0x0C : 0x1080), 0);
    put(rig, local + (is_sunda(rig) ? 0x04 : 0x00), 0); /* run stall */
    if (!is_sunda(rig))
        put(rig, local + 0x3000, 0); /* of the cores of POOL */
    put(rig, local + (is_sunda(rig) ? 0x10 : 0x04), 1);
    advance(rig);
}

static void power_on(struct rig *rig)
{
    check_status(trn_pci_power_on(rig->pci));
    trn_pci_config_write(rig->pci, 4, 2, 6);
}

static void operate(struct host *host)
{
    const uint64_t draw = take(&host->input, 1);
    struct rig *const rig = &host->rig[draw >> 7];
    switch (draw % 16) {
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
    case 13:
        program(rig);
        return;
    case 14:
        if (take(&host->input, 1) % 4 == 0)
            power_on(rig);
        return;
    default:
        advance(rig);
        return;
    }
}

/* ---- the host ------------------------------------------------------------------------------ */

/* Now and then the host comes back while a device works. */
static void come_back(struct host *host)
{
    if (host->nested >= MAX_NESTED || host->input.left == 0 || take(&host->input, 1) % 16 != 0)
        return;
    host->nested++;
    operate(host);
    host->nested--;
}

static bool may_touch(struct host *host, uint64_t address, size_t size)
{
    check(size > 0 && size <= 1 << 20);
    come_back(host);
    return address <= HOST_BYTES && size <= HOST_BYTES - address;
}

static trn_status host_read(void *context, uint64_t address, void *data, size_t size)
{
    struct host *host = context;
    if (!may_touch(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(data, host->memory + address, size);
    return TRN_OK;
}

static trn_status host_write(void *context, uint64_t address, const void *data, size_t size)
{
    struct host *host = context;
    if (!may_touch(host, address, size))
        return TRN_ERR_ADDRESS;
    memcpy(host->memory + address, data, size);
    return TRN_OK;
}

static void interrupt(void *context, unsigned vector, uint64_t address, uint32_t data)
{
    (void)address, (void)data;
    check(vector < 8);
    come_back(context);
}

/* ---- functions that are kept ---------------------------------------------------------------- */

static struct trn_pci *open_shape(struct host *host, unsigned shape)
{
    static const char *const generations[] = {"sunda", "cayman", "mariana", "mariana_plus"};
    const struct trn_pci_host calls = {host, host_read, host_write, interrupt};
    struct trn_pci_options options = TRN_PCI_OPTIONS(generations[shape % 4]);
    struct trn_pci *pci = NULL;
    options.doorbell_packets = PACKETS;
    options.msix_vectors = shape / 4 == 1 ? 8 : 0;
    options.revision = shape / 4 == 2 ? TRN_PCI_QEMU : TRN_PCI_SILICON;
    check(trn_pci_open(&options, &calls, &pci, NULL) == TRN_OK);
    return pci;
}

/* The function of a shape for a device, as after power-on. */
static struct trn_pci *obtain(struct host *host, unsigned which, unsigned shape, bool fresh)
{
    static struct trn_pci *kept[2][SHAPES];
    struct trn_pci **const pci = &kept[which][shape];
    if (fresh) {
        check(trn_pci_close(*pci) == TRN_OK);
        *pci = NULL;
    }
    if (!*pci)
        *pci = open_shape(host, shape);
    check(trn_pci_power_on(*pci) == TRN_OK);
    return *pci;
}

static void prepare(struct host *host, unsigned which, unsigned shape, bool fresh)
{
    const bool sunda = shape % 4 == 0;
    struct rig *const rig = &host->rig[which];
    *rig = (struct rig){.host = host,
                        .pci = obtain(host, which, shape, fresh),
                        .misc = sunda ? 0x30FA0000 : 0x6C84000,
                        .host_bit = UINT64_C(1) << (sunda ? 44 : 46),
                        .control = shape / 4 == 2 ? 2 : 0};
    trn_pci_config_write(rig->pci, 4, 2, 6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct host host;
    host.input = (struct input){data, size};
    host.nested = 0;
    memset(host.memory, 0, sizeof host.memory);
    const unsigned draw = (unsigned)take(&host.input, 2);
    prepare(&host, 0, draw % SHAPES, draw / 512 == 1 /* one input of 128 */);
    prepare(&host, 1, draw / 16 % SHAPES, draw / 512 == 2);
    for (int i = 0; i < MAX_OPERATIONS && host.input.left > 0; i++)
        operate(&host);
    return 0;
}
