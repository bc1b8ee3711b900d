/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a function, its time, and what it tells its owner. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/gen_rows.h"
#include "pci/pci.h"

/* ---- options --------------------------------------------------------------------- */

enum { MAX_REVISION = 255, MAX_ROUTING_ID = 63, MIN_BAR4 = 1 << 24, MAX_THREADS = 256 };

/* A caller may know fewer options than the library; of those that only it knows, none may be set.
 */
static trn_status copy_options(const struct trn_pci_options *from, struct trn_pci_options *to,
                               struct trn_diag *diag)
{
    const size_t size = from ? from->size : 0;
    memset(to, 0, sizeof *to);
    if (size < offsetof(struct trn_pci_options, model))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "TRN_PCI_OPTIONS(generation)",
                            "there are no options, or their size is not set");
    for (size_t i = sizeof *to; i < size; i++)
        if (((const uint8_t *)from)[i] != 0)
            return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                                "the options are those of a newer library");
    memcpy(to, from, size < sizeof *to ? size : sizeof *to);
    return TRN_OK;
}

static trn_status bad_option(struct trn_diag *diag, const char *name, uint64_t value,
                             const char *right)
{
    return trn_diag_set(diag, TRN_ERR_INVALID, name, NULL, right, "%s cannot be %llu", name,
                        (unsigned long long)value);
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static bool serial_is_sound(uint64_t serial)
{
    const uint64_t not_ready = UINT64_C(0xDEADBEEF);
    return trn_bits_get(serial, 0, 32) != not_ready && trn_bits_get(serial, 32, 32) != not_ready;
}

static trn_status check_options(const struct trn_pci_options *options, const struct trn_gen *gen,
                                struct trn_diag *diag)
{
    if (options->revision > MAX_REVISION)
        return bad_option(diag, "revision", options->revision, "0 to 255");
    if (options->routing_id > MAX_ROUTING_ID)
        return bad_option(diag, "routing_id", options->routing_id, "0 to 63");
    if (options->msix_vectors > TRN_PCI_MAX_VECTORS)
        return bad_option(diag, "msix_vectors", options->msix_vectors, "0 to 8");
    if (options->threads > MAX_THREADS)
        return bad_option(diag, "threads", options->threads, "0 to 256");
    if (!serial_is_sound(options->serial))
        return bad_option(diag, "serial", options->serial, "halves that are not 0xDEADBEEF");
    if (options->bar4_bytes &&
        (!is_power_of_two(options->bar4_bytes) || options->bar4_bytes < MIN_BAR4 ||
         options->bar4_bytes > gen->bar4_bytes))
        return bad_option(diag, "bar4_bytes", options->bar4_bytes,
                          "a power of two from 16 MiB to the generation's BAR4");
    if (options->hbm_bytes > gen->bar4_bytes / gen->hbm_channels)
        return bad_option(diag, "hbm_bytes", options->hbm_bytes,
                          "no more than a channel's part of BAR4");
    return TRN_OK;
}

static const struct trn_pci_model_row *find_model(const struct trn_gen *gen, const char *name)
{
    for (size_t i = 0; i < trn_num_pci_models; i++) {
        const struct trn_pci_model_row *const row = &trn_pci_model_table[i];
        if (trn_gen_at(row->generation) == gen && (!name || strcmp(row->name, name) == 0))
            return row;
    }
    return NULL;
}

_Static_assert((int)TRN_PCI_BAR_CONTROL == (int)TRN_PCI_SHOWS_CONTROL &&
                   (int)TRN_PCI_BAR_HBM == (int)TRN_PCI_SHOWS_HBM &&
                   (int)TRN_PCI_BAR_MSIX == (int)TRN_PCI_SHOWS_MSIX,
               "rows and interface count the kinds alike");

/* A member of the description, whatever its width. */
static uint64_t member(const struct trn_gen *gen, size_t offset)
{
    for (size_t i = 0; i < trn_gen_num_rows; i++)
        if (trn_gen_rows[i].offset == offset)
            return trn_gen_value(gen, &trn_gen_rows[i]);
    return 0;
}

static trn_status no_model(const struct trn_gen *gen, const char *name, struct trn_diag *diag)
{
    char models[64] = "";
    for (size_t i = 0, used = 0; i < trn_num_pci_models && used < sizeof models; i++)
        if (trn_gen_at(trn_pci_model_table[i].generation) == gen)
            used += (size_t)snprintf(models + used, sizeof models - used, "%s%s", used ? ", " : "",
                                     trn_pci_model_table[i].name);
    return trn_diag_set(diag, TRN_ERR_NOT_FOUND, "model", NULL, models, "%s has no model '%s'",
                        gen->name, name);
}

static trn_status choose_model(struct trn_pci *pci, const char *name, struct trn_diag *diag)
{
    const struct trn_pci_model_row *const row = find_model(pci->gen, name);
    if (!row && !name)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL,
                            "sunda, cayman, mariana, mariana_plus",
                            "nobody knows the PCI function of %s", pci->gen->name);
    if (!row)
        return no_model(pci->gen, name, diag);
    pci->device_id =
        row->device_member ? (uint16_t)member(pci->gen, row->device_member) : row->device;
    return TRN_OK;
}

/* ---- BARs ------------------------------------------------------------------------ */

static void place_bars(struct trn_pci *pci)
{
    const bool qemu = pci->options.revision == TRN_PCI_QEMU;
    for (size_t i = 0; i < trn_num_pci_bars; i++) {
        const struct trn_pci_bar_row *const row = &trn_pci_bar_table[i];
        if (row->qemu != qemu || (row->shows == TRN_PCI_SHOWS_MSIX && !pci->options.msix_vectors))
            continue;
        struct trn_pci_bar *const bar = &pci->window[row->bar];
        *bar = (struct trn_pci_bar){.kind = (enum trn_pci_bar_kind)row->shows,
                                    .size = row->size_member ? member(pci->gen, row->size_member)
                                                             : row->size,
                                    .prefetchable = row->prefetchable};
        if (row->shows == TRN_PCI_SHOWS_CONTROL)
            pci->control = row->bar;
        if (row->shows == TRN_PCI_SHOWS_HBM && pci->options.bar4_bytes)
            bar->size = pci->options.bar4_bytes;
    }
    pci->qemu_reset_at = qemu && pci->gen->pci_qemu_reset ? pci->gen->pci_qemu_reset : UINT64_MAX;
}

/* How BAR4 shows the channels (2): as the map says, or, on request of the mode, in equal parts. */
static void place_channels(struct trn_pci *pci)
{
    const struct trn_device *const device = pci->device;
    const unsigned channels = pci->gen->hbm_channels;
    const bool split = pci->options.revision == TRN_PCI_QEMU && pci->gen->pci_qemu_hbm_split;
    const uint64_t window = pci->gen->bar4_bytes / channels;
    pci->channel_pitch =
        split && pci->options.bar4_bytes ? pci->options.bar4_bytes / channels : window;
    pci->channel_bytes = trn_stack_bytes(device);
    if (pci->channel_bytes > pci->channel_pitch)
        pci->channel_bytes = pci->channel_pitch;
}

/* ---- open and close -------------------------------------------------------------- */

static trn_status make_device(struct trn_pci *pci, struct trn_diag *diag)
{
    const struct trn_bus bus = trn_pci_host_bus(pci);
    const struct trn_device_options options = {.reset = TRN_RESET_ZERO,
                                               .threads = pci->options.threads,
                                               .hbm_bytes = pci->options.hbm_bytes,
                                               .host_bus = &bus,
                                               .host_bytes = trn_pci_host_window(pci->gen),
                                               .doorbell_packets = pci->options.doorbell_packets};
    trn_status status = trn_device_create(pci->gen, &options, &pci->device, diag);
    if (status != TRN_OK)
        return status;
    pci->device->interrupt_context = pci;
    pci->device->interrupt = trn_pci_interrupt;
    place_channels(pci);
    return trn_pci_misc_open(pci);
}

static void power_on(struct trn_pci *pci)
{
    trn_pci_config_reset(pci);
    trn_pci_misc_reset(pci);
    trn_pci_msix_reset(pci);
    pci->num_stuck = 0;
}

static trn_status open_parts(struct trn_pci *pci, const char *model, struct trn_diag *diag)
{
    trn_status status = choose_model(pci, model, diag);
    if (status == TRN_OK)
        status = check_options(&pci->options, pci->gen, diag);
    if (status != TRN_OK)
        return status;
    place_bars(pci);
    status = make_device(pci, diag);
    if (status == TRN_OK)
        power_on(pci);
    return status;
}

trn_status trn_pci_open(const struct trn_pci_options *options, const struct trn_pci_host *host,
                        struct trn_pci **out, struct trn_diag *diag)
{
    struct trn_pci_options known;
    if (!out)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "a place for it is needed");
    *out = NULL;
    trn_status status = copy_options(options, &known, diag);
    if (status != TRN_OK)
        return status;
    if (!host || !host->read || !host->write)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "read and write",
                            "a host needs both calls");
    const struct trn_gen *const gen = known.generation ? trn_gen_find(known.generation) : NULL;
    if (!gen)
        return trn_diag_set(diag, TRN_ERR_NOT_FOUND, NULL, NULL,
                            "sunda, cayman, mariana, mariana_plus", "unknown generation '%s'",
                            known.generation ? known.generation : "");
    struct trn_pci *const pci = calloc(1, sizeof *pci);
    if (!pci)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a function");
    pci->gen = gen;
    pci->options = known;
    pci->host = *host;
    status = open_parts(pci, known.model, diag);
    pci->options.generation = pci->options.model = NULL; /* the caller's strings */
    if (status != TRN_OK)
        trn_pci_close(pci);
    else
        *out = pci;
    return status;
}

static trn_status busy(struct trn_pci *pci, const char *what)
{
    return trn_diag_set(&pci->diag, TRN_ERR_BUSY, NULL, NULL, "when the callback has returned",
                        "%s is not possible from a callback", what);
}

trn_status trn_pci_close(struct trn_pci *pci)
{
    if (!pci)
        return TRN_OK;
    if (pci->depth)
        return busy(pci, "close");
    trn_device_destroy(pci->device);
    free(pci);
    return TRN_OK;
}

static bool covers_all(const void *context, const struct trn_block *block)
{
    (void)context;
    (void)block;
    return true;
}

trn_status trn_pci_power_on(struct trn_pci *pci)
{
    if (pci->depth)
        return busy(pci, "power-on");
    trn_device_reset(pci->device, UINT32_MAX, covers_all, NULL);
    trn_device_forget_hbm(pci->device);
    power_on(pci);
    return TRN_OK;
}

/* ---- time ------------------------------------------------------------------------ */

bool trn_pci_pending(const struct trn_pci *pci)
{
    return trn_device_waits(pci->device);
}

trn_status trn_pci_advance(struct trn_pci *pci, uint64_t budget, enum trn_pci_progress *progress)
{
    if (progress)
        *progress = TRN_PCI_IDLE;
    if (pci->depth)
        return busy(pci, "advance");
    trn_pci_enter(pci);
    const trn_status status = trn_device_run(pci->device, budget, NULL);
    trn_pci_leave(pci);
    if (progress && trn_pci_pending(pci))
        *progress = TRN_PCI_BUDGET;
    return status;
}

/* ---- looking inside -------------------------------------------------------------- */

struct trn_pci_bar trn_pci_bar(const struct trn_pci *pci, unsigned bar)
{
    return bar < TRN_PCI_BARS ? pci->window[bar] : (struct trn_pci_bar){.kind = TRN_PCI_BAR_NONE};
}

const struct trn_diag *trn_pci_diag(const struct trn_pci *pci)
{
    return &pci->diag;
}

trn_status trn_pci_peek32(const struct trn_pci *pci, uint64_t offset, uint32_t *value)
{
    if (offset == pci->qemu_reset_at) {
        *value = pci->misc.qemu_reset;
        return TRN_OK;
    }
    const trn_status status = trn_device_peek32(pci->device, offset, value, NULL);
    if (status == TRN_OK)
        *value = trn_pci_shown(pci, offset, *value);
    return status;
}

void trn_pci_counts(const struct trn_pci *pci, struct trn_pci_counts *counts)
{
    struct trn_pci_counts now = pci->counts;
    const size_t size = counts->size < sizeof now ? counts->size : sizeof now;
    now.size = size;
    now.unmapped = pci->device->unmapped_accesses;
    now.unknown_registers = pci->device->unknown_registers;
    memcpy(counts, &now, size);
}

struct trn_device *trn_pci_device(struct trn_pci *pci)
{
    return pci->device;
}
