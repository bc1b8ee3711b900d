/* SPDX-License-Identifier: Apache-2.0 */
/* Probe and reset, docs/hardware/pci-function.md 4, 5. */
#include "guest.h"

#include <inttypes.h>

#define API_VERSION   0x000
#define ROUTING_ID    0x024
#define SERIAL_LOW    0x038
#define SERIAL_HIGH   0x03C
#define RESET_MAP     0x1D8
#define RESET_REQUEST 0x1EC
#define TRIGGER       0x800
#define STATUS        0x808

#define REQUEST_DEVICE 1
#define REQUEST_CORES  2
#define STATUS_RUNNING 0x8
#define POLL_MS        100
#define GIVE_UP_MS     120000
#define STATUS_POLLS   5

void check_probe(struct function *function, unsigned routing_id)
{
    uint64_t serial;

    expect(misc_read(function, ROUTING_ID), routing_id, "routing id, MISC RAM 024",
           "pci-function.md 5.1");
    if (misc_read(function, API_VERSION) < 3)
        failed("pci-function.md 4", "firmware API version is %u, right would be 3 or more",
               misc_read(function, API_VERSION));
    serial = (uint64_t)misc_read(function, SERIAL_HIGH) << 32 | misc_read(function, SERIAL_LOW);
    if (!serial)
        failed("pci-function.md 4", "the serial number is 0");
    passed("routing id %u, serial number %016" PRIX64, routing_id, serial);
}

/* The handshake of 5.3, silicon mode; the request has been chosen. */
static void handshake(struct function *function, uint32_t request)
{
    uint64_t start = now_ms();
    unsigned polls = 0;

    misc_write(function, RESET_REQUEST, request);
    misc_write(function, TRIGGER, 1);
    do {
        sleep_ms(POLL_MS);
        if (now_ms() > start + GIVE_UP_MS)
            failed("pci-function.md 5.3", "no acknowledge of the reset within 120 s");
    } while (misc_read(function, RESET_REQUEST));
    while (misc_read(function, STATUS) & STATUS_RUNNING) {
        if (++polls == STATUS_POLLS)
            failed("pci-function.md 5.3", "MISC RAM 808 bit 3 is still 1 after 5 polls");
        sleep_ms(POLL_MS * polls);
    }
}

void reset_device(struct function *function)
{
    handshake(function, REQUEST_DEVICE);
    passed("device reset acknowledged");
}

void reset_core(struct function *function, unsigned core)
{
    misc_write(function, RESET_MAP, function->gen->core_reset_map[core]);
    handshake(function, REQUEST_CORES);
    passed("reset of core %u acknowledged", core);
}
