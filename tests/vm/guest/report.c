/* SPDX-License-Identifier: Apache-2.0 */
#include "guest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static char device_name[64] = "guest";

void report_device(const char *name)
{
    snprintf(device_name, sizeof device_name, "%s", name);
}

void passed(const char *format, ...)
{
    va_list list;

    printf("%s: ", device_name);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    fflush(stdout);
}

void failed(const char *sheet, const char *format, ...)
{
    va_list list;

    printf("%s: FAILED: ", device_name);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf(" (%s)\n", sheet);
    fflush(stdout);
    exit(1);
}

void expect(uint64_t got, uint64_t right, const char *what, const char *sheet)
{
    if (got != right)
        failed(sheet, "%s is %" PRIX64 ", right would be %" PRIX64, what, got, right);
}

void sleep_ms(unsigned ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    nanosleep(&time, NULL);
}

uint64_t now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}
