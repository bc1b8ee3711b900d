/* SPDX-License-Identifier: Apache-2.0 */
/* Each of the many: every DMA engine, notification block, event and semaphore unit, on-chip memory
 * and HBM channel of a function, and engines that execute a program between two accesses
 * (pci-function.md 2, 6, 7; address-map.md 4, 5.5, 5.6, 9). */
#include <string.h>

#include "client.h"

enum { HOST_BYTES = 24 << 20, TOPSPS_SUNDA = 6, TOPSPS_LATER = 16 };

struct rig {
    struct host host;
    struct trn_pci *pci;
    struct client client;
};

static struct rig rig;

static struct client *open_options(const struct client_gen *gen, struct trn_pci_options options)
{
    host_open(&rig.host, HOST_BYTES);
    options.generation = gen->name;
    rig.pci = open_function(&options, &rig.host);
    client_open(&rig.client, gen, rig.pci, &rig.host);
    assert_int_equal(client_probe(&rig.client), CLIENT_OK);
    assert_int_equal(client_reset(&rig.client, 0), CLIENT_OK);
    return &rig.client;
}

static struct client *open_ready(const struct client_gen *gen)
{
    const struct trn_pci_options options = TRN_PCI_OPTIONS(NULL);
    return open_options(gen, options);
}

static void close_rig(void)
{
    assert_int_equal(trn_pci_close(rig.pci), TRN_OK);
    host_close(&rig.host);
}

static void on_each_generation(void (*check)(const struct client_gen *gen))
{
    static const struct client_gen *const gens[] = {&client_sunda, &client_cayman, &client_mariana,
                                                    &client_mariana_plus};
    for (size_t i = 0; i < sizeof gens / sizeof gens[0]; i++)
        check(gens[i]);
}

/* ---- DMA engines (6) ------------------------------------------------------------- */

/* Queue of user programs: one descriptor of 64 bytes from host memory to HBM. */
static void copy_by(struct client *client, uint64_t udma, unsigned queue, uint64_t rings,
                    uint64_t from, uint64_t to)
{
    const uint64_t source = client_host(client, from);
    const uint32_t words[2][4] = {
        {0x0D000040, 0x01080003, (uint32_t)source, (uint32_t)(source >> 32)},
        {0x01000040, 0, (uint32_t)to, (uint32_t)(to >> 32)}};
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t bank = udma + 0x20000 * half + UINT64_C(0x1000) * (queue + 1);
        const uint64_t ring = client_host(client, rings + 512 * half);
        memcpy(host_at(&rig.host, rings + 512 * half), words[half], 16);
        client_write(client, bank + 0x20, 0x03000000);
        client_write(client, bank + (half ? 0x64 : 0xB0), 0x100);
        client_write(client, bank + 0x28, (uint32_t)ring);
        client_write(client, bank + 0x2C, (uint32_t)(ring >> 32));
        client_write(client, bank + 0x30, 32);
        client_write(client, bank + 0x20, 0x03030000);
    }
    client_write(client, udma + 0x21038 + UINT64_C(0x1000) * queue, 1);
    client_write(client, udma + 0x1038 + UINT64_C(0x1000) * queue, 1);
}

static uint64_t engine_number(const struct client_gen *gen, unsigned number)
{
    const unsigned of_cores = gen->cores * CLIENT_ENGINES;
    if (number < of_cores)
        return client_udma(gen, number / CLIENT_ENGINES, number % CLIENT_ENGINES);
    return client_copy_udma(gen, gen->cores == 2 ? number - of_cores : 2 * (number - of_cores));
}

/* Each its own bytes, by a queue that differs: 34 engines, 132 later. */
static void move_by_every_engine(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const unsigned engines = gen->cores == 2 ? 34 : 132;
    const uint64_t rings = host_alloc(&rig.host, 1024, 1024);
    const uint64_t data = host_alloc(&rig.host, 64, 64);
    for (unsigned number = 0; number < engines; number++) {
        const uint64_t to = 0x1000000 + UINT64_C(64) * number;
        uint8_t seen[64];
        fill_random(host_at(&rig.host, data), 64, number + 1);
        copy_by(client, engine_number(gen, number), number % 16, rings, data, to);
        assert_int_equal(trn_pci_bar_read_block(rig.pci, 4, to, seen, 64), TRN_OK);
        if (memcmp(seen, host_at(&rig.host, data), 64) != 0)
            fail_msg("%s: engine %u does not copy", gen->name, number);
    }
    close_rig();
}

static void test_every_dma_engine_moves_data(void **state)
{
    (void)state;
    on_each_generation(move_by_every_engine);
}

/* ---- notification blocks (7) ----------------------------------------------------- */

static unsigned num_topsps(const struct client_gen *gen)
{
    return gen->cores == 2 ? TOPSPS_SUNDA : TOPSPS_LATER;
}

/* The blocks of cores, then of TopSPs, then of DMA engines; 0 behind them. */
static uint64_t block_number(const struct client_gen *gen, unsigned number, unsigned *queues)
{
    *queues = 10;
    if (number < gen->cores)
        return client_notific(gen, number);
    number -= gen->cores;
    if (number < num_topsps(gen))
        return client_topsp_notific(gen, number);
    number -= num_topsps(gen);
    *queues = 1; /* TRACE_DMA is queue 0 */
    return number < gen->cores * CLIENT_ENGINES
               ? client_sdma_notific(gen, number / CLIENT_ENGINES, number % CLIENT_ENGINES)
               : 0;
}

typedef void (*queue_step)(struct client *client, uint64_t block, unsigned queue, unsigned n);

static void allocate(struct client *client, uint64_t block, unsigned queue, unsigned n)
{
    client_queue(client, block, queue, client_host(client, UINT64_C(0x4000) * n), 0x4000);
}

static void expect_allocated(struct client *client, uint64_t block, unsigned queue, unsigned n)
{
    const uint64_t ring = client_host(client, UINT64_C(0x4000) * n), at = block + 0x28 * queue;
    assert_int_equal(client_read(client, at + 0x100), (uint32_t)ring);
    assert_int_equal(client_read(client, at + 0x104), (uint32_t)(ring >> 32));
    assert_int_equal(client_read(client, at + 0x108), 0x4000);
}

static void halt(struct client *client, uint64_t block, unsigned queue, unsigned n)
{
    (void)n;
    client_queue(client, block, queue, 0, 0);
}

static void expect_halted(struct client *client, uint64_t block, unsigned queue, unsigned n)
{
    (void)n;
    for (unsigned at = 0x100; at <= 0x108; at += 4)
        assert_int_equal(client_read(client, block + 0x28 * queue + at), 0);
}

static unsigned on_every_queue(struct client *client, queue_step step)
{
    unsigned n = 0, queues;
    for (unsigned b = 0;; b++) {
        const uint64_t block = block_number(client->gen, b, &queues);
        if (!block)
            return n;
        for (unsigned queue = 0; queue < queues; queue++)
            step(client, block, queue, n++);
    }
}

/* All at once, so that no two share a place. */
static void allocate_every_queue(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const unsigned queues = on_every_queue(client, allocate);
    assert_int_equal(queues, gen->cores * (10 + CLIENT_ENGINES) + num_topsps(gen) * 10);
    on_every_queue(client, expect_allocated);
    on_every_queue(client, halt);
    on_every_queue(client, expect_halted);
    close_rig();
}

/* 7: or in HBM. A fake error of core 1 (error-handling.md 8) goes to queue 9, in the last channel.
 */
static void record_in_hbm(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const uint64_t block = client_notific(gen, 1),
                   core = block - (gen->cores == 2 ? 0x5000 : 0x1000);
    const unsigned last = gen->hbms - 1;
    uint32_t record[4] = {0};
    client_queue(client, block, 9, gen->hbm_base[last] + 0x1004000, 0x4000);
    client_write(client, block + 0x30, 0xFFFFFFFF);
    client_write(client, block + 0x34, 0xFFFFFFFF);
    client_write(client, block + 0x14, 1 << 9);
    client_write(client, core + 0xA0C, 9);
    client_write(client, core + 0xB04, 0xBEEF);
    client_write(client, core + 0xB00, 1);
    trn_pci_bar_read_block(rig.pci, 4, gen->hbm_pitch * last + 0x1004000, record, sizeof record);
    assert_int_equal(record[0], 0x9F000005);
    assert_int_equal(record[1], 0xBEEF);
    close_rig();
}

static void test_records_reach_queues_in_hbm(void **state)
{
    (void)state;
    on_each_generation(record_in_hbm);
}

/* 7: an index past the ten queues falls on no register. */
static void test_an_eleventh_queue_is_ignored(void **state)
{
    (void)state;
    struct client *client = open_ready(&client_cayman);
    const uint64_t block = client_notific(&client_cayman, 2);
    struct trn_pci_counts counts = {.size = sizeof counts};
    client_queue(client, block, 9, client_host(client, 0x4000), 0x4000);
    for (unsigned queue = 10; queue < 16; queue++)
        client_queue(client, block, queue, client_host(client, 0x8000), 0x8000);
    trn_pci_counts(rig.pci, &counts);
    assert_int_equal(counts.unknown_registers, 6 * 3);
    assert_int_equal(client_read(client, block + 0x28 * 9 + 0x108), 0x4000);
    close_rig();
}

static void test_every_notification_block_takes_queues(void **state)
{
    (void)state;
    on_each_generation(allocate_every_queue);
}

/* ---- events and semaphores (9; address-map.md 5.5) ------------------------------- */

static uint64_t core_window(const struct client_gen *gen, unsigned core)
{
    return (gen->cores == 2 ? 0 : UINT64_C(0xD0000000)) + UINT64_C(0x4000000) * core;
}

/* address-map.md 7.1: TopSP windows 0 to 7 and, later, 10 to 17. */
static uint64_t topsp_window(const struct client_gen *gen, unsigned topsp)
{
    if (gen->cores == 2)
        return UINT64_C(0x10000000) + UINT64_C(0x400000) * topsp;
    return UINT64_C(0xF0000000) + UINT64_C(0x400000) * (topsp % 8) +
           UINT64_C(0x2800000) * (topsp / 8);
}

static uint64_t unit_number(const struct client_gen *gen, unsigned number)
{
    return number < gen->cores ? core_window(gen, number) + 0x2700000
                               : topsp_window(gen, number - gen->cores);
}

/* Set, increment, decrement, and an event: the last of 256 in every unit, each another value. */
static void count_in_every_unit(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const unsigned units = gen->cores + num_topsps(gen);
    const uint64_t last = 255 * 4;
    for (unsigned n = 0; n < units; n++) {
        const uint64_t unit = unit_number(gen, n);
        client_write(client, unit + 0x1400 + last, 100 * n);
        client_write(client, unit + 0x1800 + last, 7);
        client_write(client, unit + 0x1C00 + last, 2);
        client_write(client, unit + last, n % 2);
    }
    for (unsigned n = 0; n < units; n++) {
        const uint64_t unit = unit_number(gen, n);
        assert_int_equal(client_read(client, unit + 0x1000 + last), 100 * n + 5);
        assert_int_equal(client_read(client, unit + last), n % 2);
        assert_int_equal(client_read(client, unit + 0x1000), 0);
    }
    close_rig();
}

/* Device addresses of SBUF: 4.1, 4.2. */
static uint64_t sbuf_address(const struct client_gen *gen, unsigned core)
{
    if (gen->cores == 2)
        return UINT64_C(0xFFFC0000000) + UINT64_C(0x4000000) * core;
    return UINT64_C(0x2000000000) + (core & 1 ? UINT64_C(0x1000000000) : 0) +
           (core & 2 ? UINT64_C(0x4000000000) : 0) + (core & 4 ? UINT64_C(0x800000000000) : 0);
}

/* Device address of a unit: address-map.md 4.1, 4.2. */
static uint64_t unit_address(const struct client_gen *gen, unsigned number)
{
    if (number < gen->cores)
        return sbuf_address(gen, number) + (gen->cores == 2 ? 0x2700000 : UINT64_C(0x802700000));
    number -= gen->cores;
    if (gen->cores == 2)
        return UINT64_C(0xFFFD0000000) + UINT64_C(0x400000) * number;
    return UINT64_C(0x8280000000) + UINT64_C(0x40000000) * (number % 8) +
           (number / 8 ? UINT64_C(0x800000000000) : 0);
}

/* An engine's post to another core or to a TopSP travels so (sync.md 2): DMA writes to the windows.
 */
static void post_by_dma(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const unsigned units = gen->cores + num_topsps(gen);
    const uint64_t word = host_alloc(&rig.host, 4, 4);
    for (unsigned n = 0; n < units; n++) {
        const uint64_t unit = unit_address(gen, n);
        host_put32(&rig.host, word, 10 + n);
        assert_int_equal(client_copy(client, 0, client_host(client, word), unit + 0x140C, 4),
                         CLIENT_OK); /* set semaphore 3 */
        assert_int_equal(client_copy(client, 0, client_host(client, word), unit + 0x180C, 4),
                         CLIENT_OK); /* count it up */
    }
    for (unsigned n = 0; n < units; n++)
        assert_int_equal(client_read(client, unit_number(gen, n) + 0x100C), 2 * (10 + n));
    close_rig();
}

static void test_every_unit_by_its_device_address(void **state)
{
    (void)state;
    on_each_generation(post_by_dma);
}

static void test_every_unit_of_events_and_semaphores(void **state)
{
    (void)state;
    on_each_generation(count_in_every_unit);
}

/* ---- memories (2; address-map.md 4) ---------------------------------------------- */

/* By BAR write here, by DMA to host memory there, and the other way. */
static void both_ways(struct client *client, unsigned bar, uint64_t offset, uint64_t address,
                      uint64_t page, uint64_t seed)
{
    uint8_t bytes[256], seen[256];
    fill_random(bytes, sizeof bytes, seed);
    assert_int_equal(trn_pci_bar_write_block(rig.pci, bar, offset, bytes, sizeof bytes), TRN_OK);
    assert_int_equal(client_copy(client, 0, address, client_host(client, page), sizeof bytes),
                     CLIENT_OK);
    assert_memory_equal(host_at(&rig.host, page), bytes, sizeof bytes);
    fill_random(host_at(&rig.host, page), sizeof bytes, ~seed);
    assert_int_equal(client_copy(client, 0, client_host(client, page), address, sizeof bytes),
                     CLIENT_OK);
    assert_int_equal(trn_pci_bar_read_block(rig.pci, bar, offset, seen, sizeof seen), TRN_OK);
    assert_memory_equal(host_at(&rig.host, page), seen, sizeof seen);
}

static void reach_every_memory(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    const uint64_t page = host_alloc(&rig.host, 4096, 4096);
    for (unsigned i = 0; i < gen->hbms; i++) { /* first and last bytes of every channel */
        const uint64_t ends[] = {0, gen->hbm_bytes - 256};
        for (unsigned end = 0; end < 2; end++)
            both_ways(client, 4, gen->hbm_pitch * i + ends[end], gen->hbm_base[i] + ends[end], page,
                      2 * i + end);
    }
    for (unsigned core = 0; core < gen->cores; core++)
        both_ways(client, 0, core_window(gen, core), sbuf_address(gen, core), page, 100 + core);
    close_rig();
}

static void test_every_memory_by_bar_and_by_dma(void **state)
{
    (void)state;
    on_each_generation(reach_every_memory);
}

/* ---- MISC RAM (4) ---------------------------------------------------------------- */

/* What the sheet calls storage; what a reset of the device clears is checked with it. */
static void store_words(const struct client_gen *gen)
{
    static const struct {
        uint32_t first, end;
    } storage[] = {{0x0C0, 0x0F0}, {0x100, 0x180}, {0x180, 0x19C},
                   {0x1A0, 0x1D0}, {0x1D8, 0x1DC}, {0x1F0, 0x200}};
    struct client *client = open_ready(gen);
    for (size_t i = 0; i < sizeof storage / sizeof storage[0]; i++)
        for (uint32_t at = storage[i].first; at < storage[i].end; at += 4)
            client_write(client, gen->misc + at, 0xA5000000 + at);
    client_write(client, gen->misc + 0x800, 0); /* bit 0 is 0: nothing starts */
    for (size_t i = 0; i < sizeof storage / sizeof storage[0]; i++)
        for (uint32_t at = storage[i].first; at < storage[i].end; at += 4)
            assert_int_equal(client_read(client, gen->misc + at), 0xA5000000 + at);
    struct trn_pci_counts counts = {.size = sizeof counts};
    trn_pci_counts(rig.pci, &counts);
    assert_int_equal(counts.mailbox_requests, 0);
    assert_int_equal(counts.device_resets, 1);
    assert_int_equal(counts.unknown_registers, 0);
    close_rig();
}

static void test_misc_ram_is_storage(void **state)
{
    (void)state;
    on_each_generation(store_words);
}

/* Counters of a device without a timing model read 0, which a driver accepts (9). */
static void test_pe_activity_reads_zero(void **state)
{
    (void)state;
    static const struct {
        const struct client_gen *gen;
        uint64_t base;
        unsigned group, per_row;
    } places[] = {{&client_sunda, 0x30CB1100, 0x40, 5}, {&client_cayman, 0x466C1100, 0x30, 9}};
    for (size_t i = 0; i < 2; i++) {
        struct client *client = open_ready(places[i].gen);
        const uint64_t size = places[i].group;
        client_write(client, places[i].base - 0x100 + 4, 1); /* counters on */
        for (unsigned row = 0; row < 4; row++)
            for (unsigned group = 0; group < places[i].per_row; group++)
                for (unsigned half = 0; half < 2; half++) {
                    const uint64_t at =
                        places[i].base + size * (row * places[i].per_row + group) + 4 * half;
                    client_write(client, at, 0xFFFFFFFF); /* read-only */
                    assert_int_equal(client_read(client, at), 0);
                    assert_int_equal(client_read(client, at + 8), 0);
                }
        close_rig();
    }
}

/* ---- engines (address-map.md 9, sequencer.md 2.2) -------------------------------- */

/* Registers of SP of core 0. */
struct sp {
    uint64_t stall, start, run_state, address_lo, address_hi;
};

static struct sp sp_of(const struct client_gen *gen)
{
    const uint64_t local = core_window(gen, 0) + 0x2860000;
    return gen->cores == 2
               ? (struct sp){local + 0x04, local + 0x10, local + 0x14, local + 0x08, local + 0x0C}
               : (struct sp){local, local + 0x04, local + 0x08, local + 0x1060, local + 0x1080};
}

/* NOP that counts semaphore 1 up when it completes, `count` of them, then HALT (isa-core.md 1.1,
 * 1.2: word of 16 x 4 bytes, update mode 13, update index 1). */
static void start_program(struct client *client, unsigned count)
{
    static const uint8_t nop[64] = {0xA4, 0x10, 0, 0, 0, 0, 0x13, 1}, halt_word[64] = {0xA1, 0x10};
    const struct sp sp = sp_of(client->gen);
    for (unsigned i = 0; i < count; i++)
        trn_pci_bar_write_block(rig.pci, 4, 0x2000000 + UINT64_C(64) * i, nop, 64);
    trn_pci_bar_write_block(rig.pci, 4, 0x2000000 + UINT64_C(64) * count, halt_word, 64);
    client_write(client, sp.address_lo, 0x2000000);
    client_write(client, sp.address_hi, 0);
    client_write(client, sp.stall, 0);
    client_write(client, sp.start, 1);
}

static uint32_t counted(struct client *client)
{
    return client_read(client, core_window(client->gen, 0) + 0x2701004);
}

static void run_a_program(const struct client_gen *gen)
{
    enum trn_pci_progress progress = TRN_PCI_IDLE;
    struct client *client = open_ready(gen);
    assert_false(trn_pci_pending(rig.pci));
    start_program(client, 10);
    assert_true(trn_pci_pending(rig.pci));
    assert_int_equal(counted(client), 0); /* nothing happens between two calls */
    assert_int_equal(trn_pci_advance(rig.pci, 4, &progress), TRN_OK);
    assert_int_equal(progress, TRN_PCI_BUDGET);
    assert_int_equal(counted(client), 4);
    assert_int_equal(trn_pci_advance(rig.pci, 0, &progress), TRN_OK);
    assert_int_equal(progress, TRN_PCI_IDLE);
    assert_int_equal(counted(client), 10);
    assert_false(trn_pci_pending(rig.pci));
    close_rig();
}

static void test_engines_run_between_accesses(void **state)
{
    (void)state;
    on_each_generation(run_a_program);
}

/* A reset between two turns of a program: the rest of it never runs. */
static void reset_in_a_program(const struct client_gen *gen)
{
    struct client *client = open_ready(gen);
    start_program(client, 10);
    assert_int_equal(trn_pci_advance(rig.pci, 4, NULL), TRN_OK);
    assert_int_equal(client_reset(client, 1), CLIENT_OK);
    assert_false(trn_pci_pending(rig.pci));
    assert_int_equal(trn_pci_advance(rig.pci, 0, NULL), TRN_OK);
    assert_int_equal(counted(client), 0);
    assert_int_equal(client_read(client, sp_of(gen).stall) & 1, 1);
    start_program(client, 3);
    assert_int_equal(trn_pci_advance(rig.pci, 0, NULL), TRN_OK);
    assert_int_equal(counted(client), 3);
    close_rig();
}

static void test_reset_in_the_middle_of_a_program(void **state)
{
    (void)state;
    on_each_generation(reset_in_a_program);
}

/* ---- interrupts of DMA engines (1; udma.md 15, notific.md 6.3) ------------------- */

/* Cause A8, a source that answers with an error, is input 58 + 8 = 66 of the engine's unit: bit 2
 * of group 2. Engine 16 n + e tells core n. A host-copy engine and those of SUNDA have no unit. */
static void test_an_error_of_a_dma_engine_is_a_message(void **state)
{
    (void)state;
    struct trn_pci_options options = TRN_PCI_OPTIONS(NULL);
    options.msix_vectors = 8;
    struct client *client = open_options(&client_cayman, options);
    const uint64_t unit = 0x9C400000 + UINT64_C(0x20000) * (16 + 5); /* core 3: 6 */
    trn_pci_config_write(rig.pci, 0x42, 2, 0x8000);
    for (uint64_t vector = 0; vector < 8; vector++) {
        trn_pci_bar_write(rig.pci, 2, 16 * vector, 8, 0xFEE00000 + 4 * vector);
        trn_pci_bar_write(rig.pci, 2, 16 * vector + 8, 8, 0x40 + vector); /* data, unmasked */
    }
    assert_int_equal(trn_pci_inject_axi_error(rig.pci, 16 * 3 + 5, 0, false), TRN_OK);
    assert_int_equal(rig.host.interrupts, 0); /* masked in the unit */
    assert_int_equal(client_read(client, unit + 0x80), 1 << 2);
    client_write(client, unit + 0x98, ~(1u << 2));
    assert_int_equal(trn_pci_inject_axi_error(rig.pci, 16 * 3 + 5, 0, false), TRN_OK);
    assert_int_equal(rig.host.interrupts, 1);
    assert_int_equal(rig.host.last_vector, 3);
    assert_int_equal(rig.host.last_address, 0xFEE0000C);
    assert_int_equal(rig.host.last_data, 0x43);
    assert_int_equal(trn_pci_inject_axi_error(rig.pci, 128, 0, false), TRN_OK);
    assert_int_equal(rig.host.interrupts, 1);
    close_rig();
}

/* Before the bring-up of an engine every cause is masked: it goes on (udma.md 9). */
static void test_a_masked_axi_error_stops_nothing(void **state)
{
    (void)state;
    struct client *client = open_ready(&client_cayman);
    const uint64_t rings = host_alloc(&rig.host, 1024, 1024);
    const uint64_t data = host_alloc(&rig.host, 64, 64);
    assert_int_equal(trn_pci_power_on(rig.pci), TRN_OK);
    trn_pci_config_write(rig.pci, 4, 2, 6);
    assert_int_equal(trn_pci_inject_axi_error(rig.pci, 0, 1, false), TRN_OK);
    fill_random(host_at(&rig.host, data), 64, 6);
    copy_by(client, client_udma(&client_cayman, 0, 0), 0, rings, data, 0x1000000);
    uint8_t seen[64];
    trn_pci_bar_read_block(rig.pci, 4, 0x1000000, seen, 64);
    assert_memory_equal(seen, host_at(&rig.host, data), 64);
    close_rig();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_dma_engine_moves_data),
        cmocka_unit_test(test_every_notification_block_takes_queues),
        cmocka_unit_test(test_records_reach_queues_in_hbm),
        cmocka_unit_test(test_an_eleventh_queue_is_ignored),
        cmocka_unit_test(test_every_unit_of_events_and_semaphores),
        cmocka_unit_test(test_every_unit_by_its_device_address),
        cmocka_unit_test(test_every_memory_by_bar_and_by_dma),
        cmocka_unit_test(test_misc_ram_is_storage),
        cmocka_unit_test(test_pe_activity_reads_zero),
        cmocka_unit_test(test_engines_run_between_accesses),
        cmocka_unit_test(test_reset_in_the_middle_of_a_program),
        cmocka_unit_test(test_an_error_of_a_dma_engine_is_a_message),
        cmocka_unit_test(test_a_masked_axi_error_stops_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
