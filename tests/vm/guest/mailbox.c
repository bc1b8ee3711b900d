/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware mailbox in MISC RAM, docs/hardware/pci-function.md 4.1. */
#include "guest.h"

#include <string.h>

#define SHEET "pci-function.md 4.1"

#define REQUEST_HIGH  0x1F0
#define REQUEST_LOW   0x1F4
#define RESPONSE_HIGH 0x1F8
#define RESPONSE_LOW  0x1FC
#define TRIGGER       0x800

#define RESPONSE_AT     0x10000 /* in the block of memory */
#define ANSWER_MS       1000
#define COMMAND_READ    1
#define COMMAND_UNKNOWN 9
#define ERROR_FAIL      1
#define ERROR_UNKNOWN   2

struct request {
    uint8_t sequence, command;
    uint16_t size;
    uint32_t crc;
    uint64_t address;
} __attribute__((packed));

uint32_t crc32c(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint32_t crc = 0xFFFFFFFF;

    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
    }
    return crc ^ 0xFFFFFFFF;
}

static struct request make_request(const struct generation *gen, uint8_t sequence, uint8_t command)
{
    struct request request = {.sequence = sequence,
                              .command = command,
                              .size = sizeof request,
                              .address = gen->misc_ram_soc};

    request.crc = crc32c(&request, sizeof request);
    return request;
}

/* Send a request and wait for the answer; it lies at memory.bytes + RESPONSE_AT. */
static const uint8_t *ask(struct function *function, struct block memory, struct request request)
{
    volatile uint8_t *response = memory.bytes + RESPONSE_AT;
    uint64_t from = memory.physical | function->gen->host_bit, to = from + RESPONSE_AT;
    uint64_t end;

    misc_write(function, REQUEST_LOW, (uint32_t)from);
    misc_write(function, REQUEST_HIGH, (uint32_t)(from >> 32));
    misc_write(function, RESPONSE_LOW, (uint32_t)to);
    misc_write(function, RESPONSE_HIGH, (uint32_t)(to >> 32));
    memcpy(memory.bytes, &request, sizeof request);
    memset(memory.bytes + RESPONSE_AT, 0xEE, 64);
    response[0] = 0;
    misc_write(function, TRIGGER, 1);
    for (end = now_ms() + ANSWER_MS; response[0] != request.sequence && now_ms() < end;)
        sleep_ms(1);
    if (response[0] != request.sequence)
        failed(SHEET, "the mailbox gives no answer to request %u within 1 s: byte 0 is %02X",
               request.sequence, response[0]);
    return memory.bytes + RESPONSE_AT;
}

void check_mailbox(struct function *function, struct block memory)
{
    struct request request = make_request(function->gen, 2, COMMAND_READ);
    const uint8_t *answer;
    uint16_t size;
    uint32_t value;

    expect(crc32c("123456789", 9), 0xE3069283, "CRC-32C of 123456789", SHEET);
    if (memcmp(&request, function->gen->mailbox_read, sizeof request))
        failed(SHEET, "the guest test's own request differs from the check vector");
    answer = ask(function, memory, request);
    memcpy(&size, answer + 2, sizeof size);
    memcpy(&value, answer + 4, sizeof value);
    expect(answer[1], 0, "error of a READ", SHEET);
    expect(size, 8, "size of the answer to a READ", SHEET);
    expect(value, misc_read(function, 0), "word 0 of MISC RAM as the mailbox tells it", SHEET);

    request = make_request(function->gen, 3, COMMAND_READ);
    request.crc ^= 1;
    expect(ask(function, memory, request)[1], ERROR_FAIL, "error for a wrong CRC", SHEET);
    request = make_request(function->gen, 4, COMMAND_UNKNOWN);
    expect(ask(function, memory, request)[1], ERROR_UNKNOWN, "error for an unknown command", SHEET);
    passed("mailbox: READ answered, wrong CRC and unknown command refused");
}
