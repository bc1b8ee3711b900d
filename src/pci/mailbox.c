/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware mailbox (pci-function.md 4.1): requests and responses in host memory. */
#include "base/bytes.h"
#include "pci/pci.h"

enum {
    HEADER = 8,   /* of a request: sequence, command, size, CRC */
    RESPONSE = 4, /* header of a response: sequence, error, size */
    SEQUENCE = 0, /* places in both */
    COMMAND = 1,  /* of the request ... */
    ERROR = 1,    /* ... and of the response */
    SIZE = 2,
    CRC = 4,
    MAX_BYTES = 0xFFFF,
    MAX_READS = 100 /* registers of one READ */
};
enum { READ = 1, POST = 2 };
enum { SUCCESS = 0, FAILED = 1, UNKNOWN_COMMAND = 2 };

/* Reflected polynomial, one bit at a time: requests are short and rare. */
uint32_t trn_pci_crc32c(const uint8_t *data, size_t size)
{
    const uint32_t polynomial = UINT32_C(0x82F63B78);
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc / 2 ^ (crc % 2 ? polynomial : 0);
    }
    return ~crc;
}

/* ---- addresses ------------------------------------------------------------------- */

/* Bus address of a buffer, which MISC RAM holds as a device address. False: not of the host. */
static bool buffer(const struct trn_pci *pci, uint32_t low, uint32_t high, uint64_t *address)
{
    uint64_t device = trn_bits_set(trn_pci_misc_get(pci, low), 32, 32, trn_pci_misc_get(pci, high));
    device -= trn_host_base(pci->device);
    *address = device;
    return device < trn_pci_host_window(pci->gen);
}

/* Offset in the control BAR of a device address that READ names: BAR0 offset plus a constant. On
 * later generations only the first die's own registers have such an address. */
static bool register_at(const struct trn_pci *pci, uint64_t address, uint64_t *offset)
{
    const struct trn_gen *const gen = pci->gen;
    *offset = address - gen->pci_read_base;
    return address >= gen->pci_read_base && *offset < gen->pci_read_bytes && *offset % 4 == 0;
}

/* ---- commands -------------------------------------------------------------------- */

struct exchange {
    uint8_t request[MAX_BYTES], response[RESPONSE + 4 * MAX_READS];
    size_t size, data; /* of the request; of the response's data */
    uint8_t error;
};

static void serve_read(struct trn_pci *pci, struct exchange *exchange)
{
    const size_t count = (exchange->size - HEADER) / 8;
    exchange->error = FAILED;
    if ((exchange->size - HEADER) % 8 != 0 || count == 0 || count > MAX_READS)
        return;
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = 0;
        if (!register_at(pci, trn_get64(exchange->request + HEADER + 8 * i), &offset))
            return;
        trn_put32(exchange->response + RESPONSE + 4 * i, trn_pci_register(pci, offset));
    }
    exchange->data = 4 * count;
    exchange->error = SUCCESS;
}

static bool crc_holds(struct exchange *exchange)
{
    const uint32_t said = trn_get32(exchange->request + CRC);
    trn_put32(exchange->request + CRC, 0);
    return trn_pci_crc32c(exchange->request, exchange->size) == said;
}

static void serve(struct trn_pci *pci, struct exchange *exchange)
{
    exchange->error = FAILED;
    if (!crc_holds(exchange))
        return;
    switch (exchange->request[COMMAND]) {
    case READ:
        serve_read(pci, exchange);
        return;
    case POST: /* its data lies in the metric buffer already */
        exchange->error = SUCCESS;
        return;
    default:
        exchange->error = UNKNOWN_COMMAND;
        return;
    }
}

/* ---- the exchange ---------------------------------------------------------------- */

/* The rest of a request whose header is there; false: its size or its bytes are not. */
static bool fetch_rest(struct trn_pci *pci, uint64_t address, struct exchange *exchange)
{
    exchange->size = trn_get16(exchange->request + SIZE);
    return exchange->size >= HEADER &&
           trn_pci_host_read(pci, address + HEADER, exchange->request + HEADER,
                             exchange->size - HEADER) == TRN_OK;
}

/* The sequence number last: then the rest is there. */
static bool answer(struct trn_pci *pci, uint64_t address, struct exchange *exchange)
{
    uint8_t *const response = exchange->response;
    const size_t size = RESPONSE + exchange->data;
    response[SEQUENCE] = exchange->request[SEQUENCE];
    response[ERROR] = exchange->error;
    trn_put16(response + SIZE, (uint16_t)size);
    return trn_pci_host_write(pci, address + 1, response + 1, size - 1) == TRN_OK &&
           trn_pci_host_write(pci, address, response, 1) == TRN_OK;
}

/* False: an error, whether or not the host was told. */
static bool exchange_one(struct trn_pci *pci)
{
    struct exchange exchange = {.error = FAILED};
    uint64_t request = 0, response = 0;
    if (!buffer(pci, pci->misc.request_lo, pci->misc.request_hi, &request) ||
        !buffer(pci, pci->misc.response_lo, pci->misc.response_hi, &response) ||
        trn_pci_host_read(pci, request, exchange.request, HEADER) != TRN_OK)
        return false; /* nobody to answer to */
    if (fetch_rest(pci, request, &exchange))
        serve(pci, &exchange);
    return answer(pci, response, &exchange) && exchange.error == SUCCESS;
}

void trn_pci_mailbox(struct trn_pci *pci)
{
    pci->counts.mailbox_requests++;
    const bool done = !pci->mailbox_runs; /* else from a callback: one request at a time */
    pci->mailbox_runs = true;
    pci->counts.mailbox_errors += !(done && exchange_one(pci));
    pci->mailbox_runs = !done;
}
