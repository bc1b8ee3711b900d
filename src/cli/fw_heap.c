/* SPDX-License-Identifier: Apache-2.0 */
/* A heap in large pages. The lists of a container take megabytes, and the first touch of each page
 * of them goes through the kernel and, on a virtual machine, through its host: of small pages that
 * is most of what it takes to open a container. */
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/fw.h"

enum {
    PAGE = 4096,
    LARGE_PAGE = 2 << 20,
    HEAP_BYTES = 4 * LARGE_PAGE, /* asked of the kernel at a time */
    LARGEST_BYTES = 32 << 20     /* blocks from this size on are the kernel's, as ever */
};

/* What lies before the first large page: never touched, so no memory. Volatile: a compiler
 * leaves out a block that nobody reads. */
static void *volatile skipped;

/* Blocks come one after the other from a heap that has just begun; where they do not (another
 * allocator is in its place), all stays as it is. */
static void skip_to_large_page(void)
{
    void *const block = malloc(PAGE);
    const uintptr_t here = (uintptr_t)block, end = (uintptr_t)sbrk(0);
    free(block);
    if (here > end || end - here > LARGE_PAGE)
        return;
    const uintptr_t first = (end + 4 * PAGE + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    skipped = malloc(first - here - 2 * PAGE); /* more than there is: the heap grows */
    const uintptr_t grown = (uintptr_t)sbrk(0);
    if (grown > first)
        (void)madvise((void *)first, grown - first, MADV_HUGEPAGE);
}

void fw_prepare_heap(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGEST_BYTES);
    mallopt(M_TRIM_THRESHOLD, LARGEST_BYTES);
    mallopt(M_TOP_PAD, HEAP_BYTES);
    mallopt(M_ARENA_MAX, 1); /* threads' own heaps would start in small pages */
    skip_to_large_page();
}
