/* SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include <string.h>

/* ---- the generations (1, 2, 4, 5.2, 5.3, 6) -------------------------------------- */

const struct client_gen client_sunda = {
    .name = "sunda",
    .cores = 2,
    .hbms = 2,
    .misc = 0x30FA0000,
    .host_bit = UINT64_C(0x100000000000),
    .hbm_base = {0, UINT64_C(0x1000000000)},
    .hbm_pitch = UINT64_C(0x400000000),
    .hbm_bytes = UINT64_C(0x400000000),
    .give_up_ms = 120000,
    .data_cfg = 0x01000400,
    .ostand_cfg = 0x0000086F,
    .s2m_ostand = 0x00400008,
    .core_reset = {0x00000701, 0x00003802},
    .axi_abort = true,
    .retry_in_reset = true,
    .wait_us = 4,
};

#define LATER_MAPS                                                                                 \
    .misc = 0x06C84000, .host_bit = UINT64_C(0x400000000000),                                      \
    .hbm_base = {0, UINT64_C(0x4000000000), UINT64_C(0x800000000000), UINT64_C(0x804000000000)},   \
    .hbm_pitch = UINT64_C(0x1000000000)

#define LATER_DMA                                                                                  \
    .cores = 8, .hbms = 4, .give_up_ms = 480000, .data_cfg = 0x010008F8, .ostand_cfg = 0x20808080, \
    .s2m_ostand = 0x00400080, .core_reset = {0x00010101, 0x00020202, 0x00040404, 0x00080808,       \
                                             0x00101010, 0x00202020, 0x00404040, 0x00808080},      \
    .ring_id_masks = true, .wait_us = 2

const struct client_gen client_cayman = {
    .name = "cayman", LATER_MAPS, .hbm_bytes = UINT64_C(0x600000000), LATER_DMA};

const struct client_gen client_mariana = {
    .name = "mariana", LATER_MAPS, .hbm_bytes = UINT64_C(0x900000000), LATER_DMA};

const struct client_gen client_mariana_plus = {
    .name = "mariana_plus", LATER_MAPS, .hbm_bytes = UINT64_C(0x900000000), LATER_DMA};

/* ---- addresses (6, 7) ------------------------------------------------------------ */

static bool is_first(const struct client_gen *gen)
{
    return gen->cores == 2;
}

uint64_t client_udma(const struct client_gen *gen, unsigned core, unsigned engine)
{
    const uint64_t q = core / 2;
    if (is_first(gen))
        return 0x30000000 + UINT64_C(0x700000) * core + UINT64_C(0x40000) * engine;
    return 0x80000000 + 0x10000000 * q + (q % 2 ? 0x4000000 : 0x2000000) +
           UINT64_C(0x100000) * (engine + 16 * (core % 2));
}

uint64_t client_sdma(const struct client_gen *gen, unsigned core, unsigned engine)
{
    if (is_first(gen))
        return 0x30400000 + UINT64_C(0x700000) * core + UINT64_C(0x7000) * engine;
    return client_udma(gen, core, engine) + 0x40000;
}

uint64_t client_copy_udma(const struct client_gen *gen, unsigned core)
{
    static const uint64_t later[] = {0x6800000, 0x6900000, 0x46800000, 0x46900000};
    if (is_first(gen))
        return core == 0 ? 0x30600000 : 0x30D00000;
    return later[core / 2];
}

unsigned client_copy_queue(const struct client_gen *gen, unsigned core)
{
    return is_first(gen) ? 0 : core % 2;
}

uint64_t client_notific(const struct client_gen *gen, unsigned core)
{
    static const uint64_t later[] = {0x06001000, 0x06181000, 0x06401000, 0x06581000,
                                     0x46001000, 0x46181000, 0x46401000, 0x46581000};
    return is_first(gen) ? 0x30535000 + UINT64_C(0x700000) * core : later[core];
}

uint64_t client_sdma_notific(const struct client_gen *gen, unsigned core, unsigned engine)
{
    static const uint64_t later[] = {0x82041000, 0x83041000, 0x94041000, 0x95041000,
                                     0xA2041000, 0xA3041000, 0xB4041000, 0xB5041000};
    if (is_first(gen))
        return (core ? 0x30B01000 : 0x30401000) + UINT64_C(0x7000) * engine;
    return later[core] + UINT64_C(0x100000) * engine;
}

uint64_t client_topsp_notific(const struct client_gen *gen, unsigned topsp)
{
    if (is_first(gen))
        return 0x30E04000 + UINT64_C(0x40000) * topsp;
    return 0x06A00000 + UINT64_C(0x40000) * (topsp % 8) + UINT64_C(0x40000000) * (topsp / 8);
}

static uint64_t error_trigger(unsigned core, unsigned engine)
{
    static const uint64_t units[] = {0x8C000000, 0x9C400000, 0xAC000000, 0xBC400000};
    return units[core / 2] + UINT64_C(0x20000) * (engine + 16 * (core % 2));
}

uint64_t client_bar4(const struct client_gen *gen, uint64_t address)
{
    for (unsigned i = 0; i < gen->hbms; i++)
        if (address - gen->hbm_base[i] < gen->hbm_bytes)
            return address - gen->hbm_base[i] + i * gen->hbm_pitch;
    return UINT64_MAX;
}

uint64_t client_host(const struct client *client, uint64_t bus)
{
    return bus | client->gen->host_bit;
}

/* ---- accesses (3) ---------------------------------------------------------------- */

uint32_t client_read(struct client *client, uint64_t offset)
{
    uint64_t value = 0;
    trn_pci_bar_read(client->pci, client->control, offset, 4, &value);
    return (uint32_t)value;
}

void client_write(struct client *client, uint64_t offset, uint32_t value)
{
    if (client->num_log < CLIENT_LOG)
        client->log[client->num_log++] = (struct client_write){offset, value};
    trn_pci_bar_write(client->pci, client->control, offset, 4, value);
}

/* Every 1 ms for 1 s, up to 15 times. */
enum client_result client_read_ready(struct client *client, uint64_t offset, uint32_t *value)
{
    for (unsigned i = 0; i < 15 * 1000; i++) {
        *value = client_read(client, offset);
        if (*value != 0xDEADBEEF)
            return CLIENT_OK;
        client->ms++;
    }
    return CLIENT_NOT_READY;
}

/* ---- probe (5.1) ----------------------------------------------------------------- */

void client_open(struct client *client, const struct client_gen *gen, struct trn_pci *pci,
                 struct host *host)
{
    *client = (struct client){.pci = pci, .host = host, .gen = gen, .sequence = 1};
}

static void enable(struct client *client)
{
    uint32_t command = 0;
    trn_pci_config_read(client->pci, 0x04, 2, &command);
    trn_pci_config_write(client->pci, 0x04, 2, command | 0x0006);
}

static enum client_result read_routing_id(struct client *client)
{
    enum client_result result = CLIENT_NOT_READY;
    for (unsigned i = 0; i < 20 && result == CLIENT_NOT_READY; i++) {
        result = client_read_ready(client, client->gen->misc + 0x024, &client->routing_id);
        client->ms += result == CLIENT_NOT_READY ? 1000 : 0;
    }
    return result == CLIENT_OK && client->routing_id > 63 ? CLIENT_NO_DEVICE : result;
}

enum client_result client_probe(struct client *client)
{
    uint32_t revision = 0;
    enable(client);
    trn_pci_config_read(client->pci, 0x08, 1, &revision);
    client->control = revision == 0xFF ? 2 : 0;
    assert_true(trn_pci_bar(client->pci, client->control).size > 0);
    assert_true(trn_pci_bar(client->pci, 4).size > 0);
    client->mailbox = host_alloc(client->host, 2 * 0x10000, 0x1000);
    return read_routing_id(client);
}

/* ---- reset (5.2, 5.3) ------------------------------------------------------------ */

static uint32_t map_of(const struct client_gen *gen, uint32_t cores)
{
    uint32_t map = 0;
    for (unsigned core = 0; core < gen->cores; core++)
        if (cores >> core & 1)
            map |= gen->core_reset[core];
    return map;
}

static void request(struct client *client, uint32_t cores)
{
    const uint64_t misc = client->gen->misc;
    if (cores)
        client_write(client, misc + 0x1D8, map_of(client->gen, cores));
    client_write(client, misc + 0x1EC, cores ? 2 : 1);
    client_write(client, misc + 0x800, 1);
    client->requests++;
}

static enum client_result wait_acknowledge(struct client *client, uint32_t cores)
{
    const uint64_t start = client->ms;
    const uint32_t again = cores ? 10000 : 30000;
    uint64_t asked = start;
    request(client, cores);
    while (client->ms - start < client->gen->give_up_ms) {
        uint32_t value = 0;
        client->ms += 100;
        if (client_read_ready(client, client->gen->misc + 0x1EC, &value) == CLIENT_OK && value == 0)
            return CLIENT_OK;
        if (client->ms - asked < again || client->ms - start >= client->gen->give_up_ms)
            continue;
        asked = client->ms;
        request(client, cores);
    }
    return CLIENT_TIMEOUT;
}

static enum client_result wait_ready(struct client *client)
{
    for (unsigned i = 0; i < 5; i++) {
        if (!(client_read(client, client->gen->misc + 0x808) >> 3 & 1))
            return CLIENT_OK;
        client->ms += UINT64_C(100) * i;
    }
    return CLIENT_INVALID;
}

enum client_result client_reset(struct client *client, uint32_t cores)
{
    client->requests = 0;
    enum client_result result = wait_acknowledge(client, cores);
    if (result == CLIENT_OK)
        result = wait_ready(client);
    if (result == CLIENT_OK)
        client_bring_up(client, cores ? cores : (1u << client->gen->cores) - 1);
    return result;
}

/* ---- one DMA engine (6.1) -------------------------------------------------------- */

static void broadcast(struct client *client, unsigned core, unsigned engine)
{
    const uint64_t sdma = client_sdma(client->gen, core, engine);
    const bool some = engine == 0 || engine == 3 || engine == 6 || engine == 9 || engine == 15;
    client_write(client, sdma + 0x100, 0xFFFFu >> engine);
    client_write(client, sdma + 0x104, some ? 0xFFFF : 0);
}

/* Steps 1 to 16. */
static void init_udma(struct client *client, uint64_t udma, bool again)
{
    const struct client_gen *gen = client->gen;
    for (unsigned q = 0; q < 16; q++) {
        client_write(client, udma + 0x1020 + 0x1000 * q, again ? 0x03030000 : 0x00030000);
        client_write(client, udma + 0x21020 + 0x1000 * q, again ? 0x03030000 : 0x00030000);
    }
    client_write(client, udma + 0x310, gen->data_cfg);
    client_write(client, udma + 0x124, gen->ostand_cfg);
    client_write(client, udma + 0x3A300, 0x05F5E100);
    client_write(client, udma + 0x408, 0);
    client_write(client, udma + 0x254, 0x010FFFFF);
    client_write(client, udma + 0x258, 0x00000102);
    for (unsigned q = 0; q < 16; q++)
        client_write(client, udma + 0x3C400 + 0x40 * q, 0xFFFFFFFF);
    client_write(client, udma + 0x118, 0x00010008);
    client_write(client, udma + 0x2038C, 0);
    for (unsigned q = 0; q < 16; q++)
        for (unsigned k = 4; k <= 12; k += 4)
            client_write(client, udma + 0x3C400 + 0x40 * q + k, 0xFFFFFFFF);
    client_write(client, udma + 0x20124, gen->s2m_ostand);
    client_write(client, udma + 0x20128, 0x40804080);
    client_write(client, udma + 0x3B460, client_read(client, udma + 0x3B460) & ~1u);
    static const struct client_write causes[] = {
        {0x3A028, 0x28},       {0x380E8, 0x28},       {0x3A030, 0xF0000000}, {0x3A0B0, 0xFFFFFFC0},
        {0x3A018, 0xF0000000}, {0x3A098, 0xFFFFFFC0}, {0x380D8, 0xFFFFFAFF}, {0x3A068, 0x28},
        {0x380E8, 0x28},       {0x3A070, 0x000010F8}, {0x3A0B0, 0xFFFFF03F}, {0x3A058, 0x000010F8},
        {0x3A098, 0xFFFFF03F}, {0x380D8, 0xFFFFF9FF}, {0x20380, 0x00001004}, {0x304, 0x00010041},
        {0x308, 0x00004181},   {0x20308, 0x00004181}, {0x11C, 0x00010008},   {0x2011C, 0x00010008}};
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        client_write(client, udma + causes[i].offset, causes[i].value);
}

/* Step 17. */
static void init_sdma(struct client *client, uint64_t sdma)
{
    client_write(client, sdma + 0x1C, 1);
    client_write(client, sdma + 0x20, 1);
    client_write(client, sdma + 0x00, 1);
    if (!is_first(client->gen))
        client_write(client, sdma + 0x800, 0x26);
}

/* Step 18. */
static void init_axi_abort(struct client *client, uint64_t udma)
{
    static const unsigned entries[] = {0x4, 0x8, 0xC, 0x24, 0x28, 0x2C};
    for (unsigned t = 0; t < 6; t++)
        for (unsigned i = 0; i < 6; i++)
            client_write(client, udma + 0x3A900 + 0x40 * t + entries[i], 0xF);
    for (unsigned t = 0; t < 6; t++)
        for (unsigned q = 0; q < 16; q++) {
            client_write(client, udma + 0x3AB00 + 8 * t, q << 3 | 7);
            client_write(client, udma + 0x3AB04 + 8 * t, 0x10);
        }
    for (unsigned k = 0; k < 6; k++) {
        client_write(client, udma + 0x3AD28 + 0x100 * k, 0x28);
        client_write(client, udma + 0x3AD30 + 0x100 * k, 0);
        client_write(client, udma + 0x3AD18 + 0x100 * k, 0);
    }
    client_write(client, udma + 0x3A300, 0xFFFFFFFF);
}

static void set_bit(struct client *client, uint64_t offset, unsigned bit)
{
    client_write(client, offset, client_read(client, offset) | 1u << bit);
}

/* Step 19. */
static void mask_ring_ids(struct client *client, uint64_t udma, uint64_t triggers)
{
    set_bit(client, udma + 0x3A010, 17);
    client_write(client, udma + 0x3A030, client_read(client, udma + 0x3A010));
    set_bit(client, udma + 0x3A050, 11);
    client_write(client, udma + 0x3A070, client_read(client, udma + 0x3A050));
    set_bit(client, triggers + 0x90, 11);
    set_bit(client, triggers + 0xD0, 2);
    set_bit(client, udma + 0x20C, 17);
    set_bit(client, udma + 0x2020C, 11);
}

void client_bring_up_engine(struct client *client, unsigned core, unsigned engine)
{
    const struct client_gen *gen = client->gen;
    const uint64_t udma = client_udma(gen, core, engine);
    bool *again = &client->again[core][engine];
    if (is_first(gen))
        broadcast(client, core, engine);
    init_udma(client, udma, *again);
    init_sdma(client, client_sdma(gen, core, engine));
    if (gen->axi_abort)
        init_axi_abort(client, udma);
    if (gen->ring_id_masks)
        mask_ring_ids(client, udma, error_trigger(core, engine));
    *again = true;
}

static void bring_up_copy_engine(struct client *client, unsigned core)
{
    const uint64_t udma = client_copy_udma(client->gen, core);
    bool *again = &client->again[core][CLIENT_ENGINES];
    init_udma(client, udma, *again);
    init_sdma(client, udma + 0x40000);
    if (client->gen->axi_abort)
        init_axi_abort(client, udma);
    *again = true;
}

/* v3: the engine of a pair, by its even core, and only when both are in it. */
static bool brings_copy_engine(const struct client_gen *gen, unsigned core, uint32_t cores)
{
    return is_first(gen) || (core % 2 == 0 && (cores >> core & 3) == 3);
}

void client_bring_up(struct client *client, uint32_t cores)
{
    for (unsigned core = 0; core < client->gen->cores; core++) {
        if (!(cores >> core & 1))
            continue;
        for (unsigned engine = 0; engine < CLIENT_ENGINES; engine++)
            client_bring_up_engine(client, core, engine);
        if (brings_copy_engine(client->gen, core, cores))
            bring_up_copy_engine(client, core);
        client_init_ring(client, core);
    }
}

/* ---- host-copy ring (6.2) -------------------------------------------------------- */

enum { SLOTS = 8192, MARKER_BYTES = 24 };

void client_init_ring(struct client *client, unsigned core)
{
    struct client_ring *ring = &client->ring[core];
    if (!ring->tx) {
        ring->tx = host_alloc(client->host, SLOTS * 16, 0x1000);
        ring->rx = host_alloc(client->host, SLOTS * 16, 0x1000);
        ring->completion = host_alloc(client->host, MARKER_BYTES, 0x1000);
    }
    const uint64_t udma = client_copy_udma(client->gen, core) +
                          UINT64_C(0x1000) * client_copy_queue(client->gen, core);
    const uint64_t tx = client_host(client, ring->tx), rx = client_host(client, ring->rx);
    client_write(client, udma + 0x1074, 3);
    client_write(client, udma + 0x1020, 0x03000000);
    client_write(client, udma + 0x10B0, 0x100);
    client_write(client, udma + 0x1028, (uint32_t)tx);
    client_write(client, udma + 0x102C, (uint32_t)(tx >> 32));
    client_write(client, udma + 0x1030, SLOTS);
    client_write(client, udma + 0x10A0, 0);
    client_write(client, udma + 0x1020, 0x03030000);
    client_write(client, udma + 0x21020, 0x03000000);
    client_write(client, udma + 0x21064, 0x100);
    client_write(client, udma + 0x21028, (uint32_t)rx);
    client_write(client, udma + 0x2102C, (uint32_t)(rx >> 32));
    client_write(client, udma + 0x21030, SLOTS);
    client_write(client, udma + 0x21054, 0);
    client_write(client, udma + 0x21020, 0x03030000);
    ring->next = 0;
    ring->phase = 1;
    ring->ready = true;
}

/* ---- notification queues (7) ----------------------------------------------------- */

void client_queue(struct client *client, uint64_t block, unsigned queue, uint64_t address,
                  uint32_t size)
{
    const uint64_t at = block + 0x28 * queue;
    client_write(client, at + 0x104, (uint32_t)(address >> 32));
    client_write(client, at + 0x100, (uint32_t)address);
    client_write(client, at + 0x108, size);
}

/* ---- copies (8) ------------------------------------------------------------------ */

static void put_slot(const struct host *host, uint64_t at, uint32_t word0, uint32_t word1,
                     uint64_t address)
{
    host_put32(host, at, word0);
    host_put32(host, at + 4, word1);
    host_put32(host, at + 8, (uint32_t)address);
    host_put32(host, at + 12, (uint32_t)(address >> 32));
}

static void put_pair(struct client *client, struct client_ring *ring, uint64_t source,
                     uint64_t destination, uint64_t size, bool barrier)
{
    const uint32_t length = size == 65536 ? 0 : (uint32_t)size, phase = (uint32_t)ring->phase << 24;
    put_slot(client->host, ring->rx + UINT64_C(16) * ring->next, phase | length, 0, destination);
    put_slot(client->host, ring->tx + UINT64_C(16) * ring->next, 0x0C000000 | phase | length,
             barrier ? 0x05080003 : 0x01080003, source);
    if (++ring->next == SLOTS) {
        ring->next = 0;
        ring->phase = ring->phase == 3 ? 0 : (uint8_t)(ring->phase + 1);
    }
}

static uint32_t fill(struct client *client, struct client_ring *ring, uint64_t source,
                     uint64_t destination, uint64_t size)
{
    uint32_t n = 0;
    for (uint64_t at = 0; at < size; n++) {
        const uint64_t chunk = size - at < 65536 ? size - at : 65536;
        put_pair(client, ring, source + at, destination + at, chunk, at + chunk == size);
        at += chunk;
    }
    return n;
}

static enum client_result wait_marker(struct client *client, const struct client_ring *ring,
                                      uint32_t n)
{
    const uint64_t chunk = client->gen->wait_us, first = chunk * (n - 1) - (chunk - 1);
    const uint64_t polls = (100 * chunk * (n - 1) - first) * 100 + 2;
    for (uint64_t i = 0; i < polls; i++)
        if (host_get32(client->host, ring->completion + 4) == 0xABCDEF01)
            return CLIENT_OK;
    client->ms += polls / 1000;
    return CLIENT_TIMEOUT;
}

static enum client_result copy_batch(struct client *client, unsigned core, uint64_t source,
                                     uint64_t destination, uint64_t size)
{
    struct client_ring *ring = &client->ring[core];
    const uint64_t udma = client_copy_udma(client->gen, core) +
                          UINT64_C(0x1000) * client_copy_queue(client->gen, core);
    const uint32_t n = fill(client, ring, source, destination, size) + 1;
    host_put32(client->host, ring->completion, 0xABCDEF01);
    host_put32(client->host, ring->completion + 4, 0);
    put_pair(client, ring, client_host(client, ring->completion),
             client_host(client, ring->completion + 4), 4, false);
    client_write(client, udma + 0x21038, n);
    client_write(client, udma + 0x1038, n);
    enum client_result result = wait_marker(client, ring, n);
    if (result == CLIENT_OK || !client->in_reset_window || !client->gen->retry_in_reset)
        return result;
    client->in_reset_window = false; /* once */
    client_init_ring(client, core);
    return copy_batch(client, core, source, destination, size);
}

enum client_result client_copy(struct client *client, unsigned core, uint64_t source,
                               uint64_t destination, uint64_t size)
{
    const uint64_t most = UINT64_C(2032) * 65536;
    for (uint64_t at = 0; at < size; at += most) {
        const enum client_result result = copy_batch(client, core, source + at, destination + at,
                                                     size - at < most ? size - at : most);
        if (result != CLIENT_OK)
            return result;
    }
    return CLIENT_OK;
}

/* ---- mailbox (4.1) --------------------------------------------------------------- */

/* CRC-32C bit by bit; its check value is tested. */
static uint32_t crc32c(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    }
    return ~crc;
}

static void post_request(struct client *client, uint8_t command, const void *data, size_t size)
{
    const uint64_t in = client_host(client, client->mailbox);
    const uint64_t out = client_host(client, client->mailbox + 0x10000);
    uint8_t *bytes = host_at(client->host, client->mailbox);
    const uint64_t misc = client->gen->misc;
    client_write(client, misc + 0x1F4, (uint32_t)in);
    client_write(client, misc + 0x1F0, (uint32_t)(in >> 32));
    client_write(client, misc + 0x1FC, (uint32_t)out);
    client_write(client, misc + 0x1F8, (uint32_t)(out >> 32));
    client->sequence = client->sequence == 255 ? 1 : (uint8_t)(client->sequence + 1);
    const uint32_t total = (uint32_t)size + 8;
    bytes[0] = client->sequence;
    bytes[1] = command;
    bytes[2] = (uint8_t)total;
    bytes[3] = (uint8_t)(total >> 8);
    memset(bytes + 4, 0, 4);
    memcpy(bytes + 8, data, size);
    host_put32(client->host, client->mailbox + 4, crc32c(bytes, total));
    *host_at(client->host, client->mailbox + 0x10000) = 0;
    client_write(client, misc + 0x800, 1);
}

bool client_mailbox(struct client *client, uint8_t command, const void *data, size_t size,
                    void *answer, size_t answer_size, int *error)
{
    const uint8_t *bytes = host_at(client->host, client->mailbox + 0x10000);
    *error = -1;
    for (unsigned attempt = 0; attempt < 15; attempt++) {
        post_request(client, command, data, size);
        for (unsigned ms = 0; ms < 1000 && bytes[0] != client->sequence; ms++)
            client->ms++;
        if (bytes[0] != client->sequence)
            continue;
        *error = bytes[1];
        if (*error == 2)
            return false;
        const size_t got = (size_t)(bytes[2] | bytes[3] << 8) - 4;
        if (*error != 0 || got > answer_size)
            continue;
        memcpy(answer, bytes + 4, got);
        return true;
    }
    return false;
}
