/* SPDX-License-Identifier: Apache-2.0 */
/* What a host writes into the generator's control block (docs/hardware/dge.md 6.6). */
#include "cli/dge_options.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/cli.h"

int cli_parse_packet_bytes(const char *text, struct trn_dge_options *options)
{
    enum { CLASSES = sizeof options->packet_bytes / sizeof options->packet_bytes[0] };
    const unsigned long most = 0xFFFFF; /* bytes of any packet */
    char *end;
    errno = 0;
    const unsigned long class = strtoul(text, &end, 10);
    const bool has_class = end != text && *end == '=' && class >= 1 && class <= CLASSES;
    const char *const number = has_class ? end + 1 : text;
    const unsigned long bytes = strtoul(number, &end, 0);
    if (!has_class || errno || end == number || *end || *number == '-' || *text == '-' ||
        bytes < 1 || bytes > most)
        return cli_usage_error("--packet-bytes: '%s' is not like 2=4096: a priority class from 1 "
                               "to %d and 1 to %lu bytes a packet",
                               text, (int)CLASSES, most);
    options->packet_bytes[class - 1] = (uint32_t)bytes;
    return 0;
}
