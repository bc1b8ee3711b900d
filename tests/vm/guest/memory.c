/* SPDX-License-Identifier: Apache-2.0 */
/* Huge pages: locked, contiguous, and their physical address is in /proc/self/pagemap. */
#include "guest.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES  4096u
#define PAGE_THERE  (UINT64_C(1) << 63)       /* Linux, pagemap: present */
#define FRAME_MASK  ((UINT64_C(1) << 55) - 1) /* bits 54:0: page frame number */
#define POOL        "/proc/sys/vm/nr_hugepages"
#define POOL_BLOCKS "16"

static void fill_pool(void)
{
    int fd = open(POOL, O_WRONLY);

    if (fd < 0 || write(fd, POOL_BLOCKS, strlen(POOL_BLOCKS)) < 0)
        failed("the guest", "Linux gives no huge pages: " POOL " takes no write");
    close(fd);
}

struct block take_block(void)
{
    static bool pool;
    struct block block;
    uint64_t entry = 0;
    int fd;

    if (!pool)
        fill_pool();
    pool = true;
    block.bytes = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);
    if (block.bytes == MAP_FAILED)
        failed("the guest", "Linux has no huge page left: the guest needs 256 MiB of memory");
    memset(block.bytes, 0, BLOCK_BYTES);
    fd = open("/proc/self/pagemap", O_RDONLY);
    if (fd < 0 || pread(fd, &entry, 8, (off_t)((uintptr_t)block.bytes / PAGE_BYTES * 8)) != 8 ||
        !(entry & PAGE_THERE) || !(entry & FRAME_MASK))
        failed("the guest", "pagemap tells no physical address (root only)");
    close(fd);
    block.physical = (entry & FRAME_MASK) * PAGE_BYTES;
    return block;
}
