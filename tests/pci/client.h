/* SPDX-License-Identifier: Apache-2.0 */
/* A driver that knows docs/hardware/pci-function.md and the function's public interface, and
 * nothing else of the model: probe, reset, DMA bring-up register by register, notification queues,
 * copies with a marker, removal. Every address and value below is the sheet's. Time is counted, not
 * waited for: the model does nothing between two accesses. */
#ifndef TESTS_PCI_CLIENT_H
#define TESTS_PCI_CLIENT_H

#include "host.h"

enum { CLIENT_MAX_CORES = 8, CLIENT_ENGINES = 16, CLIENT_LOG = 8192 };

/* What differs between the generations (sections 1 to 8). */
struct client_gen {
    const char *name;
    unsigned cores, hbms;
    uint64_t misc, host_bit; /* MISC RAM in the control BAR; 4.1 */
    uint64_t hbm_base[4];    /* device addresses of the channels */
    uint64_t hbm_pitch;      /* in BAR4 */
    uint64_t hbm_bytes;
    uint32_t give_up_ms; /* 5.2 */
    uint32_t data_cfg, ostand_cfg, s2m_ostand;
    uint32_t core_reset[CLIENT_MAX_CORES]; /* 5.3: the reset map of a core */
    bool axi_abort, ring_id_masks;         /* 6.1: steps 18 and 19 */
    bool retry_in_reset;                   /* 8 */
    unsigned wait_us;                      /* 8: of a chunk */
};

extern const struct client_gen client_sunda, client_cayman, client_mariana, client_mariana_plus;

enum client_result {
    CLIENT_OK,
    CLIENT_NOT_READY, /* DEADBEEF for too long */
    CLIENT_NO_DEVICE, /* routing id out of range */
    CLIENT_TIMEOUT,
    CLIENT_INVALID /* the status word says that a reset still runs */
};

struct client_write {
    uint64_t offset;
    uint32_t value;
};

struct client_ring {
    uint64_t tx, rx, completion; /* bus addresses */
    uint32_t next;
    uint8_t phase;
    bool ready;
};

struct client {
    struct trn_pci *pci;
    struct host *host;
    const struct client_gen *gen;
    unsigned control;  /* the APB BAR */
    uint64_t ms;       /* the driver's clock */
    unsigned requests; /* of the last reset */
    uint32_t routing_id;
    bool again[CLIENT_MAX_CORES][CLIENT_ENGINES + 1]; /* step 1 of 6.1 */
    struct client_ring ring[CLIENT_MAX_CORES];        /* host copy */
    bool in_reset_window;
    uint64_t mailbox; /* request, then response */
    uint8_t sequence;
    struct client_write log[CLIENT_LOG]; /* writes to the control BAR */
    size_t num_log;
};

/* Offsets of section 6 and 7. */
uint64_t client_udma(const struct client_gen *gen, unsigned core, unsigned engine);
uint64_t client_sdma(const struct client_gen *gen, unsigned core, unsigned engine);
uint64_t client_copy_udma(const struct client_gen *gen, unsigned core);
unsigned client_copy_queue(const struct client_gen *gen, unsigned core);
uint64_t client_notific(const struct client_gen *gen, unsigned core);
uint64_t client_sdma_notific(const struct client_gen *gen, unsigned core, unsigned engine);
uint64_t client_topsp_notific(const struct client_gen *gen, unsigned topsp);
/* BAR4 offset of a device address of HBM. */
uint64_t client_bar4(const struct client_gen *gen, uint64_t address);

void client_open(struct client *client, const struct client_gen *gen, struct trn_pci *pci,
                 struct host *host);

uint32_t client_read(struct client *client, uint64_t offset);
void client_write(struct client *client, uint64_t offset, uint32_t value);
/* The read of probe and reset (3). */
enum client_result client_read_ready(struct client *client, uint64_t offset, uint32_t *value);

/* 5.1, 1 to 6. */
enum client_result client_probe(struct client *client);
/* 5.3 with 5.2; cores 0: the whole device, else bits. Then section 6 for what was reset. */
enum client_result client_reset(struct client *client, uint32_t cores);
void client_bring_up_engine(struct client *client, unsigned core, unsigned engine);
void client_bring_up(struct client *client, uint32_t cores);
void client_init_ring(struct client *client, unsigned core);

/* 7. */
void client_queue(struct client *client, uint64_t block, unsigned queue, uint64_t address,
                  uint32_t size);

/* 8: device addresses; host memory has the host bit. */
enum client_result client_copy(struct client *client, unsigned core, uint64_t source,
                               uint64_t destination, uint64_t size);
uint64_t client_host(const struct client *client, uint64_t bus);

/* 4.1: false after 15 attempts, or at once for error 2; *error is the last one answered, -1 none.
 */
bool client_mailbox(struct client *client, uint8_t command, const void *data, size_t size,
                    void *answer, size_t answer_size, int *error);

#endif
