/* SPDX-License-Identifier: Apache-2.0 */
/* docs/hardware/pci-function.md 1, 2, 4, 4.1, 5.3, 6; address-map.md 4, 7; notific.md 8.1. */
#include "guest.h"

#include <string.h>

/* What MARIANA and MARIANA_PLUS take over from CAYMAN. */
#define LIKE_CAYMAN                                                                                \
    .bar0_bytes = 0x100000000, .bar4_bytes = 0x4000000000, .misc_ram = 0x6C84000,                  \
    .misc_ram_soc = 0x8006C84000, .host_bit = 0x400000000000, .cores = 8, .channels = 4,           \
    .channel_base = {0, 0x4000000000, 0x800000000000, 0x804000000000},                             \
    .channel_bar4 = {0, 0x1000000000, 0x2000000000, 0x3000000000},                                 \
    .sbuf_soc = {0x002000000000, 0x003000000000, 0x006000000000, 0x007000000000,                   \
                 0x802000000000, 0x803000000000, 0x806000000000, 0x807000000000},                  \
    .sbuf_bar0 = {0xD0000000, 0xD4000000, 0xD8000000, 0xDC000000,                                  \
                  0xE0000000, 0xE4000000, 0xE8000000, 0xEC000000},                                 \
    .tpb_notific = {0x06001000, 0x06181000, 0x06401000, 0x06581000,                                \
                    0x46001000, 0x46181000, 0x46401000, 0x46581000},                               \
    .host_cores_per_engine = 2, .mask_ring_errors = true,                                          \
    .core_reset_map = {0x00010101, 0x00020202, 0x00040404, 0x00080808,                             \
                       0x00101010, 0x00202020, 0x00404040, 0x00808080},                            \
    .bringup = {0x010008F8, 0x20808080, 0x00400080, 0x40804080},                                   \
    .mailbox_read = {0x02, 0x01, 0x10, 0x00, 0x3C, 0xA8, 0x58, 0x5C,                               \
                     0x00, 0x40, 0xC8, 0x06, 0x80, 0x00, 0x00, 0x00}

static const struct generation generations[] = {
    {
        .name = "sunda",
        .device_id = 0x7164,
        .bar0_bytes = 0x40000000,
        .bar4_bytes = 0x800000000,
        .misc_ram = 0x30FA0000,
        .misc_ram_soc = 0xFFFF0FA0000,
        .host_bit = 0x100000000000,
        .cores = 2,
        .channels = 2,
        .channel_base = {0, 0x1000000000},
        .channel_bar4 = {0, 0x400000000},
        .sbuf_soc = {0xFFFC0000000, 0xFFFC4000000},
        .sbuf_bar0 = {0x0, 0x4000000},
        .tpb_notific = {0x30535000, 0x30C35000},
        .host_cores_per_engine = 1,
        .axi_abort = true,
        .sdma_events = true,
        .core_reset_map = {0x00000701, 0x00003802},
        .bringup = {0x01000400, 0x0000086F, 0x00400008, 0x40804080},
        .mailbox_read = {0x02, 0x01, 0x10, 0x00, 0x79, 0x58, 0x87, 0xD3, 0x00, 0x00, 0xFA, 0xF0,
                         0xFF, 0x0F, 0x00, 0x00},
    },
    {.name = "cayman", .device_id = 0x7364, LIKE_CAYMAN},
    {.name = "mariana", .device_id = 0x7564, LIKE_CAYMAN},
    {.name = "mariana_plus", .device_id = 0x7565, LIKE_CAYMAN},
};

#define COUNT (sizeof generations / sizeof generations[0])

const struct generation *generation_by_device_id(uint16_t device_id)
{
    for (size_t i = 0; i < COUNT; i++)
        if (generations[i].device_id == device_id)
            return &generations[i];
    return NULL;
}

const struct generation *generation_by_name(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (!strcmp(generations[i].name, name))
            return &generations[i];
    return NULL;
}

static struct engine sunda_engine(unsigned core, unsigned number)
{
    return (struct engine){.udma = 0x30000000 + 0x700000u * core + 0x40000u * number,
                           .sdma = 0x30400000 + 0x700000u * core + 0x7000u * number,
                           .number = number};
}

static struct engine cayman_engine(unsigned core, unsigned number)
{
    static const uint64_t triggers[] = {0x8C000000, 0x9C400000, 0xAC000000, 0xBC400000};
    unsigned group = core / 2, in_group = number + 16 * (core % 2);
    uint64_t udma = 0x80000000 + 0x10000000u * group + (group % 2 ? 0x4000000u : 0x2000000u) +
                    0x100000u * in_group;

    return (struct engine){.udma = udma,
                           .sdma = udma + 0x40000,
                           .error_trigger = triggers[group] + 0x20000u * in_group,
                           .number = number};
}

struct engine core_engine(const struct generation *gen, unsigned core, unsigned number)
{
    return gen->mask_ring_errors ? cayman_engine(core, number) : sunda_engine(core, number);
}

struct engine host_copy_engine(const struct generation *gen, unsigned core)
{
    static const uint64_t sunda[] = {0x30600000, 0x30D00000};
    static const uint64_t cayman[] = {0x6800000, 0x6900000, 0x46800000, 0x46900000};
    uint64_t udma = gen->mask_ring_errors ? cayman[core / 2] : sunda[core];

    return (struct engine){.udma = udma, .sdma = udma + 0x40000, .host_copy = true};
}
