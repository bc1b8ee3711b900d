/* SPDX-License-Identifier: Apache-2.0 */
#include "guest.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/sys/bus/pci/devices"

#define VENDOR          0x1D0F
#define CLASS           0x088000
#define RESOURCE_PREFER 0x2000   /* IORESOURCE_PREFETCH of Linux, third column of `resource` */
#define RESOURCE_64     0x100000 /* IORESOURCE_MEM_64 */

static int open_file(const struct function *function, const char *file, int flags)
{
    char path[512];
    int fd;

    snprintf(path, sizeof path, ROOT "/%s/%s", function->name, file);
    fd = open(path, flags);
    if (fd < 0)
        failed("pci-function.md 2", "Linux has no %s of the function", path);
    return fd;
}

static void write_file(const struct function *function, const char *file, const char *text)
{
    int fd = open_file(function, file, O_WRONLY);

    if (write(fd, text, strlen(text)) < 0)
        failed("pci-function.md 5.1", "Linux refuses to write %s to the function's %s", text, file);
    close(fd);
}

static uint16_t id_of(const char *name, const char *file)
{
    char path[512], text[16] = "";
    FILE *stream;

    snprintf(path, sizeof path, ROOT "/%s/%s", name, file);
    stream = fopen(path, "r");
    if (!stream)
        return 0;
    if (!fgets(text, sizeof text, stream))
        text[0] = 0;
    fclose(stream);
    return (uint16_t)strtoul(text, NULL, 16);
}

unsigned find_functions(struct function *functions, unsigned capacity)
{
    struct dirent **entries;
    int number = scandir(ROOT, &entries, NULL, alphasort);
    unsigned count = 0;

    for (int i = 0; i < number; i++) {
        const char *name = entries[i]->d_name;
        const struct generation *gen = generation_by_device_id(id_of(name, "device"));

        if (gen && id_of(name, "vendor") == VENDOR && count < capacity) {
            struct function *function = &functions[count++];

            *function = (struct function){.gen = gen};
            snprintf(function->name, sizeof function->name, "%.31s", name);
        }
        free(entries[i]);
    }
    if (number >= 0)
        free(entries);
    return count;
}

void enable_function(struct function *function)
{
    write_file(function, "enable", "1");
    function->config = open_file(function, "config", O_RDWR);
    function->bar0 = open_file(function, "resource0", O_RDWR | O_SYNC);
    function->bar4 = open_file(function, "resource4", O_RDWR | O_SYNC);
    config_write(function, PCI_COMMAND, 2,
                 config_read(function, PCI_COMMAND, 2) | PCI_COMMAND_MASTER);
    expect(config_read(function, PCI_COMMAND, 2) & (PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER),
           PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER,
           "memory space and bus master in the command word", "pci-function.md 1");
    passed("enabled, bus master set");
}

void disable_function(struct function *function)
{
    config_write(function, PCI_COMMAND, 2,
                 config_read(function, PCI_COMMAND, 2) & ~(uint32_t)PCI_COMMAND_MASTER);
    write_file(function, "enable", "0");
}

uint32_t config_read(const struct function *function, unsigned offset, unsigned size)
{
    uint32_t value = 0;

    if (pread(function->config, &value, size, offset) != (ssize_t)size)
        failed("pci-function.md 1", "configuration space ends before %02X", offset);
    return value;
}

void config_write(const struct function *function, unsigned offset, unsigned size, uint32_t value)
{
    if (pwrite(function->config, &value, size, offset) != (ssize_t)size)
        failed("pci-function.md 1", "configuration space takes no write at %02X", offset);
}

struct resource {
    uint64_t first, last, flags;
};

static void check_bar(struct resource bar, unsigned number, uint64_t bytes, bool prefetchable)
{
    char what[40];

    snprintf(what, sizeof what, "length of BAR%u", number);
    expect(bar.first ? bar.last - bar.first + 1 : 0, bytes, what, "pci-function.md 2");
    if (!bytes)
        return;
    snprintf(what, sizeof what, "64-bit flag of BAR%u", number);
    expect(bar.flags & RESOURCE_64, RESOURCE_64, what, "pci-function.md 2");
    if (prefetchable && !(bar.flags & RESOURCE_PREFER))
        failed("address-map.md 7.1", "BAR%u is not prefetchable", number);
}

static void check_bars(struct function *function)
{
    struct resource bars[6] = {0};
    char path[512];
    FILE *stream;

    snprintf(path, sizeof path, ROOT "/%s/resource", function->name);
    stream = fopen(path, "r");
    for (unsigned i = 0; i < 6; i++)
        if (!stream || fscanf(stream, "%" SCNx64 " %" SCNx64 " %" SCNx64, &bars[i].first,
                              &bars[i].last, &bars[i].flags) != 3)
            failed("pci-function.md 2", "Linux shows no six resources in %s", path);
    fclose(stream);
    check_bar(bars[0], 0, function->gen->bar0_bytes, false);
    check_bar(bars[2], 2, 0, false);
    check_bar(bars[4], 4, function->gen->bar4_bytes, true);
    passed("BAR0 at %" PRIX64 ", %" PRIX64 " bytes; BAR4 at %" PRIX64 ", %" PRIX64 " bytes",
           bars[0].first, function->gen->bar0_bytes, bars[4].first, function->gen->bar4_bytes);
}

void check_enumeration(struct function *function)
{
    struct function look = *function;

    look.config = open_file(function, "config", O_RDONLY);
    expect(config_read(&look, 0x00, 2), VENDOR, "vendor id", "pci-function.md 1");
    expect(config_read(&look, 0x02, 2), function->gen->device_id, "device id", "pci-function.md 1");
    expect(config_read(&look, 0x08, 1), 0, "revision id", "pci-function.md 1.1");
    expect(config_read(&look, 0x08, 4) >> 8, CLASS, "class code", "pci-function.md 1");
    expect(config_read(&look, 0x0E, 1), 0, "header type", "pci-function.md 1");
    expect(config_read(&look, 0x2C, 2), VENDOR, "subsystem vendor id", "pci-function.md 1");
    expect(config_read(&look, 0x2E, 2), function->gen->device_id, "subsystem id",
           "pci-function.md 1");
    expect(config_read(&look, 0x34, 1), 0, "capability list", "pci-function.md 1");
    expect(config_read(&look, 0x3D, 1), 0, "interrupt pin", "pci-function.md 1");
    close(look.config);
    passed("1D0F:%04X, class %06X: %s", function->gen->device_id, CLASS, function->gen->name);
    check_bars(function);
}
