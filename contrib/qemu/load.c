/* SPDX-License-Identifier: Apache-2.0 */
/* LD_PRELOAD of trench-pci.so on a QEMU process: look whether it is the QEMU that this object was
 * built for, since structures of QEMU differ from version to version, and add the device type. */
#include "device.h"

#include <dlfcn.h>

#include "qapi/qapi-commands-control.h"
#include "qemu/module.h"
#include "trench-qemu-version.h"

#define REFUSED 1

static void refuse(const char *what)
{
    fprintf(stderr,
            "trench-pci.so: error: %s; this object was built for QEMU " TRENCH_QEMU_VERSION
            " (Debian package " TRENCH_QEMU_PACKAGE "): %s\n",
            what, "build it again with contrib/qemu, or preload it on that QEMU alone");
    _exit(REFUSED);
}

/* Runs when QEMU registers the types of its own. */
static void register_in_this_qemu(void)
{
    VersionInfo *info = qmp_query_version(NULL);
    char running[64];

    snprintf(running, sizeof running, "%" PRId64 ".%" PRId64 ".%" PRId64, info->qemu->major,
             info->qemu->minor, info->qemu->micro);
    if (strcmp(running, TRENCH_QEMU_VERSION) != 0) {
        char what[128];

        snprintf(what, sizeof what, "this is QEMU %s", running);
        refuse(what);
    }
    trench_register_type(); /* info is small, and freeing it would need one more symbol */
}

__attribute__((constructor)) static void load(void)
{
    if (!dlsym(RTLD_DEFAULT, "register_module_init") || !dlsym(RTLD_DEFAULT, "qmp_query_version") ||
        !dlsym(RTLD_DEFAULT, "qdev_prop_string"))
        refuse("this program is no QEMU system emulator whose modules can be loaded");
    register_module_init(register_in_this_qemu, MODULE_INIT_QOM);
}
