/* SPDX-License-Identifier: Apache-2.0 */
/* DVE tables and parameter RAM, ACT table sets (docs/hardware/hal-stpb.md 13.3, 13.4): separate
 * calls that no orchestrator makes. */
#include "hal/accessors.h"
#include "hal/leaves.h"

struct table {
    const char *name;
    struct trn_hal_buf data;
    uint64_t place; /* BAR0 offset */
    uint64_t cap;
};

static trn_status too_big(struct trn_hal *hal, const char *function, const struct table *table)
{
    return trn_hal_log_fail(hal, TRN_ERR_INVALID, function, "%s too big! doesn't fit, size=%llu",
                            table->name, (unsigned long long)table->data.size);
}

/* ---- DVE ------------------------------------------------------------------------------ */

/* The table is padded to its memory as an image is (model choice: no stale tail, 4.3). */
static trn_status write_table(struct trn_hal *hal, const struct table *table)
{
    static const char function[] = "dve_write_tables";
    if (!table->data.data)
        return TRN_OK;
    if (table->data.size > table->cap)
        return too_big(hal, function, table);
    return trn_hal_write_padded(hal, table->place, table->data, table->cap, NULL, NULL,
                                table->name);
}

/* Places and sizes come through the getters, in their order: datapath, fast, slow, opcode. */
trn_status trn_leaf_dve_write_tables(struct trn_hal *hal, uint64_t mem,
                                     const struct trn_hal_dve_tables *tables)
{
    struct table all[] = {{.name = "DVE datapath", .data = tables->datapath},
                          {.name = "DVE control fast", .data = tables->control_fast},
                          {.name = "DVE control slow", .data = tables->control_slow},
                          {.name = "DVE opcode", .data = tables->opcode}};
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < sizeof all / sizeof all[0] && status == TRN_OK; i++) {
        status = trn_hal_get_param(hal, "dve_table_offsets", i, &all[i].place);
        if (status == TRN_OK)
            status = trn_hal_get_param(hal, "dve_table_sizes", i, &all[i].cap);
        all[i].place += mem;
        if (status == TRN_OK)
            status = write_table(hal, &all[i]);
    }
    return status;
}

trn_status trn_leaf_dve_write_parameter_ram(struct trn_hal *hal, uint64_t mem,
                                            struct trn_hal_buf data)
{
    struct table ram = {.name = "DVE parameter RAM", .data = data};
    trn_status status = trn_hal_get_param(hal, "dve_parameter_ram_params", 0, &ram.place);
    if (status == TRN_OK)
        status = trn_hal_get_param(hal, "dve_parameter_ram_params", 1, &ram.cap);
    if (status == TRN_OK && data.size > ram.cap)
        status = too_big(hal, "dve_write_parameter_ram", &ram);
    if (status != TRN_OK || data.size == 0)
        return status;
    if (!data.data)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "%s: no data, size=%llu", ram.name,
                            (unsigned long long)data.size);
    return trn_hal_write_block(hal, mem + ram.place, data.data, data.size);
}

trn_status trn_hal_dve_write_tables(struct trn_hal *hal, uint64_t mem_handle,
                                    const struct trn_hal_dve_tables *tables)
{
    if (!tables)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "write_tables needs its tables");
    return TRN_HAL_DISPATCH(hal, 0x2A0, trn_hal_dve_tables_leaf, hal, mem_handle, tables);
}

trn_status trn_hal_dve_write_parameter_ram(struct trn_hal *hal, uint64_t mem_handle,
                                           struct trn_hal_buf data)
{
    return TRN_HAL_DISPATCH(hal, 0x298, trn_hal_dve_ram_leaf, hal, mem_handle, data);
}

/* ---- ACT ------------------------------------------------------------------------------ */

enum { ACT_SETS = 8, ACT_TABLES = 4 };

/* Room up to the next table of the local storage; the last one's is its aperture's. */
static trn_status place_act_tables(struct trn_hal *hal, uint64_t mem, struct table all[ACT_TABLES])
{
    static const char *const apertures[ACT_TABLES] = {
        "ACT_LOCAL_STORAGE_CAM", "ACT_LOCAL_STORAGE_TABLE", "ACT_LOCAL_STORAGE_CONTROL",
        "ACT_LOCAL_STORAGE_BUCKETS"};
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < ACT_TABLES && status == TRN_OK; i++) {
        const struct trn_aperture_row *const row =
            trn_aperture_find(hal->gen, TRN_APERTURE_TPB_BAR, apertures[i]);
        status = trn_hal_get_param(hal, "act_table_params", i, &all[i].place);
        all[i].place += mem;
        all[i].cap = row ? row->size : 0;
    }
    return status;
}

/* init_nx_registers ("opens all windows"), where the local block has windows. */
static trn_status open_windows(struct trn_hal *hal, uint64_t mem)
{
    uint64_t local, address;
    if (!trn_hal_has_reg(hal, TRN_HAL_REG_APB_WINDOW_LO))
        return TRN_OK;
    if (!trn_hal_device_address(hal->gen, mem, &address))
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, "the BAR0 offset of a core",
                            "no device address behind mem_handle 0x%llx", (unsigned long long)mem);
    const trn_status status = trn_hal_get_xt_local_reg_offset(hal, mem, TRN_HAL_ACT, 1, &local);
    return status == TRN_OK ? trn_hal_init_nx_registers(hal, local, address) : status;
}

/* OPEN arguments and stride; model choice: one destination for every index, which is recorded
 * only (13.4). */
trn_status trn_leaf_act_load_local(struct trn_hal *hal, uint64_t mem, uint32_t index,
                                   const struct trn_hal_act_tables *tables)
{
    static const char function[] = "act_load_local";
    struct table all[ACT_TABLES] = {{.name = "ACT profile CAM", .data = tables->cam},
                                    {.name = "ACT profile table", .data = tables->profile},
                                    {.name = "ACT control table", .data = tables->control},
                                    {.name = "ACT bucket table", .data = tables->bucket}};
    trn_status status = place_act_tables(hal, mem, all);
    for (unsigned i = 0; i < ACT_TABLES && status == TRN_OK; i++)
        if (all[i].data.data && all[i].data.size > all[i].cap)
            status = too_big(hal, function, &all[i]);
    if (status == TRN_OK)
        status = open_windows(hal, mem);
    for (unsigned i = 0; i < ACT_TABLES && status == TRN_OK; i++)
        if (all[i].data.data)
            status = trn_hal_write_block(hal, all[i].place, all[i].data.data, all[i].data.size);
    if (status == TRN_OK)
        hal->act_set = index;
    return status;
}

/* The shim checks the index (3.4; OPEN code, model choice -22). */
trn_status trn_hal_act_load_local(struct trn_hal *hal, uint64_t mem_handle, uint32_t index,
                                  const struct trn_hal_act_tables *tables)
{
    if (index >= ACT_SETS)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, "aws_hal_stpb_act_load_local",
                                "invalid table index=%u", index);
    if (!tables)
        return trn_hal_fail(hal, TRN_ERR_INVALID, NULL, NULL, "act_load_local needs its tables");
    return TRN_HAL_DISPATCH(hal, 0x2D0, trn_hal_act_tables_leaf, hal, mem_handle, index, tables);
}
