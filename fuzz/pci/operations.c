/* SPDX-License-Identifier: Apache-2.0 */
/* What a hostile driver does: bytes that say which register, ring, mailbox or program is next. */
#include "rig.h"

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

/* The first, second and last DMA engine of core 0, and one for host copies: power-on would have to
 * clear the registers of every engine that was ever touched. */
static uint64_t engine_of(const struct rig *rig, unsigned number)
{
    static const uint64_t sunda[] = {0x30000000, 0x30040000, 0x303C0000, 0x30600000},
                          later[] = {0x82000000, 0x82100000, 0x82F00000, 0x06800000};
    return (is_sunda(rig) ? sunda : later)[number % 4];
}

/* Blocks of core 0, TopSP 0, and DMA engine 0. */
static uint64_t notific_of(const struct rig *rig, unsigned number)
{
    static const uint64_t sunda[] = {0x30535000, 0x30E04000, 0x30401000},
                          later[] = {0x06001000, 0x06A00000, 0x82041000};
    return (is_sunda(rig) ? sunda : later)[number % 3];
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
    const uint64_t draw = take(rig->host, 1), low = take(rig->host, 3);
    switch (draw % 8) {
    case 0:
        return rig->misc + (low % 2 ? 0x1F0 : 0x800) + low % 16;
    case 1:
        return engine_of(rig, (unsigned)draw / 6) + low % 0x40000;
    case 2:
        return engine_of(rig, (unsigned)draw / 6) + 0x1000 + low % 0x100 +
               (low >> 12) % 2 * 0x20000;
    case 3:
        return notific_of(rig, (unsigned)draw / 8) + low % 0x300;
    case 4:
        return low * 256 + draw;
    case 5: /* around an end, where accesses straddle */
        return end_of(rig, (unsigned)draw / 8) - 8 + low % 16;
    case 6:
        return local_of(rig, (unsigned)draw / 8) + low % 0x20 * 4;
    default:
        return take(rig->host, 8);
    }
}

/* ---- operations ------------------------------------------------------------------------- */

static void access_config(struct rig *rig)
{
    const unsigned offset = (unsigned)take(rig->host, 2), bytes = 1u << take(rig->host, 1) % 4;
    uint32_t value = 0;
    trn_status status = trn_pci_config_read(rig->pci, offset, bytes, &value);
    check(status == TRN_OK || (status == TRN_ERR_INVALID && value == UINT32_MAX));
    status = trn_pci_config_write(rig->pci, offset, bytes, (uint32_t)take(rig->host, 4));
    check(status == TRN_OK || status == TRN_ERR_INVALID);
}

static void access_bar(struct rig *rig, bool write)
{
    static const unsigned sizes[] = {4, 4, 4, 4, 8, 1, 2, 3};
    const unsigned bars[] = {rig->control, rig->control, rig->control, 4, 2, 0, 4, 7};
    const uint64_t draw = take(rig->host, 1), offset = place(rig);
    uint64_t value = take(rig->host, 4);
    const unsigned bytes = sizes[draw % 8], bar = bars[draw / 8 % 8];
    check_status(write ? trn_pci_bar_write(rig->pci, bar, offset, bytes, value)
                       : trn_pci_bar_read(rig->pci, bar, offset, bytes, &value));
}

static void access_block(struct rig *rig, bool write)
{
    uint8_t bytes[600];
    const uint64_t offset = place(rig);
    const size_t size = take(rig->host, 2) % sizeof bytes;
    const unsigned bar = take(rig->host, 1) % 2 ? 4 : rig->control;
    memset(bytes, (int)take(rig->host, 1), sizeof bytes);
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
    const unsigned number = (unsigned)take(rig->host, 1), queue = number / 16;
    const uint64_t udma = engine_of(rig, number) + UINT64_C(0x1000) * queue;
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t at = udma + 0x20000 * half;
        const uint64_t base = take(rig->host, 2) * 64 % HOST_BYTES | rig->host_bit;
        put(rig, at + (half ? 0x1064 : 0x10B0), 0x100);
        put(rig, at + 0x1028, base);
        put(rig, at + 0x102C, base >> 32);
        put(rig, at + 0x1030, 32 + take(rig->host, 1) * 16);
        put(rig, at + 0x1020, 0x03030000);
    }
    put(rig, udma + 0x21038, take(rig->host, 2));
    put(rig, udma + 0x1038, take(rig->host, 2));
}

/* An address that a descriptor may name: host memory, HBM, registers, or any. */
static uint64_t address(struct rig *rig)
{
    const uint64_t kind = take(rig->host, 1) % 8, low = take(rig->host, 3);
    const uint64_t registers = is_sunda(rig) ? UINT64_C(0xFFFC0000000) : UINT64_C(0x8000000000);
    if (kind < 3)
        return low % HOST_BYTES | rig->host_bit;
    if (kind < 5)
        return low;
    if (kind == 5)
        return registers + low * 64;
    return kind == 6 ? low | rig->host_bit << 8 : take(rig->host, 8);
}

/* A descriptor of the first lap: length, first and last, and now and then any other bit. */
static void put_descriptor(struct rig *rig, size_t at, uint32_t word0, uint32_t word1)
{
    const uint64_t draw = take(rig->host, 1);
    const uint64_t to = address(rig);
    if (draw % 8 == 0)
        word0 ^= 1u << draw / 8;
    if (draw % 8 == 1)
        word1 ^= 1u << draw / 8;
    memcpy(rig->host->memory + at, &word0, 4);
    memcpy(rig->host->memory + at + 4, &word1, 4);
    memcpy(rig->host->memory + at + 8, &to, 8);
}

/* A fresh ring whose first descriptors are nearly right, and its doorbells. */
static void copy(struct rig *rig)
{
    const unsigned number = (unsigned)take(rig->host, 1), queue = number / 16;
    const unsigned count = 1 + (unsigned)take(rig->host, 1) % 4;
    const uint64_t udma = engine_of(rig, number) + UINT64_C(0x1000) * queue;
    const size_t at = take(rig->host, 1) * 512;
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t base = (at + 512 * half) | rig->host_bit, bank = udma + 0x20000 * half;
        put(rig, bank + (half ? 0x1064 : 0x10B0), 0x100);
        put(rig, bank + 0x1028, base);
        put(rig, bank + 0x102C, base >> 32);
        put(rig, bank + 0x1030, 32);
        put(rig, bank + 0x1020, 0x03030000);
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t length = (uint32_t)take(rig->host, 2) % 0x3000;
        put_descriptor(rig, at + 16 * i, 0x0D000000 | length, 0x01080003);
        put_descriptor(rig, at + 512 + 16 * i, 0x01000000 | length, 0);
    }
    put(rig, udma + 0x21038, count);
    put(rig, udma + 0x1038, count);
}

/* Causes of an engine abort it from now on (pci-function.md 6.1, steps 12 and 14). */
static void arm(struct rig *rig)
{
    const uint64_t udma = engine_of(rig, (unsigned)take(rig->host, 1));
    put(rig, udma + 0x3A030, 0xF0000000);
    put(rig, udma + 0x3A018, 0xF0000000);
    put(rig, udma + 0x3A070, 0x000010F8);
    put(rig, udma + 0x3A058, 0x000010F8);
}

/* A queue of core 0 over host memory, and records: errors that a host raises by hand. */
static void notify(struct rig *rig)
{
    const unsigned draw = (unsigned)take(rig->host, 1), queue = draw % 10;
    const uint64_t block = notific_of(rig, draw / 10 < 20 ? 0 : draw);
    const uint64_t registers = notific_of(rig, 0) - (is_sunda(rig) ? 0x5000 : 0x1000);
    const uint64_t ring = address(rig), size = take(rig->host, 2);
    put(rig, block + 0x104 + 0x28 * queue, ring >> 32);
    put(rig, block + 0x100 + 0x28 * queue, ring);
    put(rig, block + 0x108 + 0x28 * queue, size % 2 ? size : 64u << size / 2 % 8);
    put(rig, block + 0x30, UINT32_MAX);
    put(rig, block + 0x34, UINT32_MAX);
    put(rig, block + 0x14, 0x3FF);
    put(rig, registers + 0xA0C, queue);
    for (uint64_t n = take(rig->host, 1) % 16; n > 0; n--)
        put(rig, registers + 0xB00, 1);
}

/* Vectors on, causes of a unit of core 0 unmasked, one of them set. */
static void interrupt_by_hand(struct rig *rig)
{
    const uint64_t draw = take(rig->host, 2), group = draw % 4 * 0x40;
    const uint64_t unit = is_sunda(rig) ? 0x30532000 : 0x06002000;
    const unsigned table = rig->control == 0 ? 2 : 0;
    uint64_t value = 0;
    trn_pci_config_write(rig->pci, 0x42, 2, draw & 0x100 ? 0x8000 : 0xC000);
    check_status(trn_pci_bar_write(rig->pci, table, 16 * (draw / 4 % 8) + 12, 4, draw >> 12 & 1));
    put(rig, unit + group + 0x18, 0);
    put(rig, unit + group + 0x08, 1u << draw / 32 % 32);
    check_status(trn_pci_bar_read(rig->pci, table, 0x800, 4, &value));
}

/* Descriptors that look like some: phase, length, addresses of host memory or of the device. */
static void fill_ring(struct rig *rig)
{
    const size_t at = take(rig->host, 2) * 64 % (HOST_BYTES - 64 * 16);
    for (size_t i = 0; i < 64; i++) {
        const uint64_t draw = take(rig->host, 8);
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
    const size_t at = take(rig->host, 3) % HOST_BYTES;
    size_t size = take(rig->host, 1) * 4;
    size = size < HOST_BYTES - at ? size : HOST_BYTES - at;
    size = size < rig->host->input.left ? size : rig->host->input.left;
    memcpy(rig->host->memory + at, rig->host->input.data, size);
    take(rig->host, size < 8 ? size : 8);
}

static uint32_t crc32c(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    }
    return ~crc;
}

/* Registers that READ names (pci-function.md 4.1), or any command, with a right checksum mostly. */
static void write_request(struct rig *rig, uint8_t *request)
{
    const uint64_t draw = take(rig->host, 1), count = draw % 4;
    const uint64_t base = is_sunda(rig) ? UINT64_C(0xFFFC0000000) : UINT64_C(0x8000000000);
    const size_t size = 8 + 8 * count;
    memset(request, 0, 8);
    request[0] = 2;
    request[1] = draw & 0x40 ? (uint8_t)(draw >> 5) : 1;
    request[2] = (uint8_t)size;
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = base + place(rig);
        memcpy(request + 8 + 8 * i, &at, 8);
    }
    const uint32_t crc = crc32c(request, size) ^ (draw & 0x80 ? (uint32_t)draw : 0);
    memcpy(request + 4, &crc, 4);
}

static void mailbox(struct rig *rig)
{
    const uint64_t at = take(rig->host, 3) % HOST_BYTES, request = at | rig->host_bit;
    const uint64_t response = take(rig->host, 3) % HOST_BYTES | rig->host_bit;
    if (at < HOST_BYTES - 64)
        write_request(rig, rig->host->memory + at);
    put(rig, rig->misc + 0x1F4, request);
    put(rig, rig->misc + 0x1F0, request >> 32);
    put(rig, rig->misc + 0x1FC, response);
    put(rig, rig->misc + 0x1F8, response >> 32);
    put(rig, rig->misc + 0x1EC, 0);
    put(rig, rig->misc + 0x800, 1);
}

static void reset(struct rig *rig)
{
    const uint64_t map = take(rig->host, 4), type = take(rig->host, 1);
    if (type % 8 == 0) { /* by the register of 5.4, where the mode has it */
        put(rig, is_sunda(rig) ? 0x30647010 : 0x06300010, type / 8 == 0 ? 0 : map);
        return;
    }
    put(rig, rig->misc + 0x1D8, map);
    put(rig, rig->misc + 0x1EC, type % 8 < 6 ? 1 + type % 2 : type);
    put(rig, rig->misc + 0x800, 1);
}

static void inject(struct rig *rig)
{
    const unsigned draw = (unsigned)take(rig->host, 1), number = (unsigned)take(rig->host, 1);
    const uint32_t value = (uint32_t)take(rig->host, 4);
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

/* Words that are nearly legal, of any opcode or of those that sequencers execute themselves, with
 * waits and updates, started on an engine by its registers (address-map.md 9). */
static void program(struct rig *rig)
{
    uint8_t words[8][64] = {{0}};
    const uint64_t draw = take(rig->host, 3), at = draw / 256 * 64;
    const uint64_t local = local_of(rig, (unsigned)draw);
    for (uint64_t i = 0; i < 1 + draw / 8 % 8; i++) {
        const uint64_t operand = take(rig->host, 4);
        words[i][0] = (uint8_t)(operand & 0x80 ? operand : 0xA0 + operand % 16);
        words[i][1] = 0x10;
        words[i][4] = operand & 0x100 ? (uint8_t)take(rig->host, 1) : 0;
        words[i][6] = operand & 0x200 ? 0x13 : 0;
        words[i][7] = (uint8_t)(operand >> 16 & 7);
        words[i][operand >> 24 & 63] ^= operand & 0x400 ? (uint8_t)take(rig->host, 1) : 0;
    }
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

/* Looking at what happened changes nothing. */
static void look(struct rig *rig)
{
    struct trn_pci_counts counts = {.size = sizeof counts};
    uint32_t value = 0;
    trn_pci_counts(rig->pci, &counts);
    const trn_status status = trn_pci_peek32(rig->pci, place(rig), &value);
    check(status == TRN_OK || status == TRN_ERR_ADDRESS || status == TRN_ERR_INVALID ||
          status == TRN_ERR_UNSUPPORTED);
    check(trn_pci_diag(rig->pci) != NULL && trn_pci_device(rig->pci) != NULL);
    trn_pci_pending(rig->pci);
}

static void write_bar(struct rig *rig)
{
    access_bar(rig, true);
}

static void read_bar(struct rig *rig)
{
    access_bar(rig, false);
}

static void write_block(struct rig *rig)
{
    access_block(rig, true);
}

static void read_block(struct rig *rig)
{
    access_block(rig, false);
}

static void power_on_at_times(struct rig *rig)
{
    if (take(rig->host, 1) % 4 == 0)
        power_on(rig);
}

void operate(struct host *host)
{
    static void (*const operations[])(struct rig * rig) = {access_config,
                                                           write_bar,
                                                           write_bar,
                                                           read_bar,
                                                           write_block,
                                                           read_block,
                                                           ring,
                                                           fill_ring,
                                                           fill_memory,
                                                           copy,
                                                           copy,
                                                           copy,
                                                           arm,
                                                           mailbox,
                                                           reset,
                                                           inject,
                                                           program,
                                                           program,
                                                           advance,
                                                           notify,
                                                           interrupt_by_hand,
                                                           look,
                                                           power_on_at_times};
    const uint64_t draw = take(host, 1);
    operations[draw % 128 % (sizeof operations / sizeof operations[0])](&host->rig[draw >> 7]);
}
