/* SPDX-License-Identifier: Apache-2.0 */
/* docs/hardware/isa-core.md 4: decode, active bytes, start-partition rule. */
#include "mem/onchip.h"

#include "base/bytes.h"

enum { PARTITIONS = 128 };

uint32_t trn_onchip_active(const struct trn_gen *gen, enum trn_space space)
{
    return space == TRN_SPACE_PSUM ? gen->psum_active_bytes : gen->sbuf_active_bytes;
}

enum trn_onchip_fault trn_onchip_decode(const struct trn_gen *gen, uint64_t address,
                                        struct trn_onchip *out)
{
    if (address < gen->sbuf_size) { /* SBUF starts at 0 on every generation */
        const uint32_t a = (uint32_t)address;
        *out = (struct trn_onchip){TRN_SPACE_SBUF, a / gen->sbuf_stride, a % gen->sbuf_stride};
    } else if (address >= gen->psum_base && address - gen->psum_base < gen->psum_size) {
        const uint32_t a = (uint32_t)(address - gen->psum_base);
        *out = (struct trn_onchip){TRN_SPACE_PSUM, a / gen->psum_stride, a % gen->psum_stride};
    } else {
        return TRN_ONCHIP_NO_REGION;
    }
    return out->byte < trn_onchip_active(gen, out->space) ? TRN_ONCHIP_OK : TRN_ONCHIP_INACTIVE;
}

uint32_t trn_onchip_encode(const struct trn_gen *gen, const struct trn_onchip *where)
{
    if (where->space == TRN_SPACE_PSUM)
        return gen->psum_base + where->partition * gen->psum_stride + where->byte;
    return where->partition * gen->sbuf_stride + where->byte;
}

/* A tensor of up to `channels` partitions starts at a multiple of `step`. */
static const struct {
    uint32_t channels, step;
    const char *text;
} start_rules[] = {
    {32, 32, "0, 32, 64 or 96"},
    {64, 64, "0 or 64"},
    {PARTITIONS, PARTITIONS, "0"},
};

enum trn_onchip_fault trn_onchip_channels(uint32_t partition, uint32_t channels)
{
    if (channels < 1 || channels > PARTITIONS)
        return TRN_ONCHIP_CHANNELS;
    unsigned rule = 0;
    while (channels > start_rules[rule].channels)
        rule++;
    const bool legal = partition < PARTITIONS && partition % start_rules[rule].step == 0;
    return legal ? TRN_ONCHIP_OK : TRN_ONCHIP_PARTITION;
}

const char *trn_onchip_legal_starts(uint32_t channels)
{
    for (unsigned rule = 0; rule < sizeof start_rules / sizeof start_rules[0]; rule++)
        if (channels >= 1 && channels <= start_rules[rule].channels)
            return start_rules[rule].text;
    return "none";
}
