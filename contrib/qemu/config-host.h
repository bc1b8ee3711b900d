/* SPDX-License-Identifier: Apache-2.0 */
/* What QEMU's headers ask of the machine they are compiled on: Linux on x86-64, Debian 12. QEMU's
 * own build writes a file of this name; of it, only these change a structure or a prototype that
 * trench-pci.so uses. */
#define CONFIG_LINUX  1
#define CONFIG_POSIX  1
#define CONFIG_IOVEC  1
#define CONFIG_INT128 1
#define HOST_X86_64   1
