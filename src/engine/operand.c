/* SPDX-License-Identifier: Apache-2.0 */
/* Opening an operand: docs/hardware/isa-core.md 4 to 6 and README.md 4 (active_ok, pattern_active,
 * reg_ok). What the static check could decide from the word is checked here all the same: it costs
 * nothing against the work that follows, and a register can bring in any address. */
#include "engine/operand.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "mem/onchip.h"
#include "num/num_rows.h"
#include "trench/enums.h"

enum { NUM_REGISTERS = 64, NUM_SHAPE_REGISTERS = 4, INDEX_BYTES = 2 };

/* An operand on its way from the word to memory. */
struct opening {
    struct trn_exec *x;
    const char *what;     /* for messages: "operand", "index vector" */
    const char *dtype;    /* name */
    uint32_t size, align; /* of an element */
    uint32_t channels;
    unsigned use;
    uint32_t address; /* 29 bits, or whatever a register holds */
    const char *from; /* " held in a register", or "" */
    struct trn_onchip at;
};

static trn_status illegal(const struct opening *o, const char *rule, const char *why)
{
    return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, rule, "%s address 0x%x%s %s",
                          o->what, o->address, o->from, why);
}

static trn_status open_dtype(struct opening *o, uint8_t dtype)
{
    const struct trn_dtype_row *row = &trn_dtype_table[dtype];
    if (!row->name || row->size_bytes == 0 || row->size_elements != 1 || row->align_bytes == 0)
        return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "is_valid_dtype",
                              "data type 0x%x has no addressable elements", dtype);
    o->dtype = row->name;
    o->size = row->size_bytes;
    o->align = row->align_bytes;
    return TRN_OK;
}

static trn_status open_address(struct opening *o, const struct trn_addr4 *address)
{
    o->from = address->from_register ? " held in a register" : "";
    o->address = address->addr;
    if (!address->from_register)
        return TRN_OK;
    if (address->regnum >= NUM_REGISTERS)
        return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
                              "%s address is in register %u; 0 to 63 exist", o->what,
                              address->regnum);
    o->address = o->x->regs->r[address->regnum];
    return TRN_OK;
}

/* ---- rules ------------------------------------------------------------------------ */

static trn_status check_region(struct opening *o)
{
    const enum trn_onchip_fault fault = trn_onchip_decode(o->x->gen, o->address, &o->at);
    if (fault == TRN_ONCHIP_NO_REGION)
        return trn_exec_fault(o->x, TRN_FAULT_ADDRESS, "tensor_start_addr_valid",
                              "%s address 0x%x%s is neither in SBUF nor in PSUM", o->what,
                              o->address, o->from);
    if (fault == TRN_ONCHIP_INACTIVE)
        return trn_exec_fault(
            o->x, TRN_FAULT_ADDRESS,
            o->at.space == TRN_SPACE_SBUF ? "addr_in_sbuf_partition" : "exec_active_range",
            "%s address 0x%x%s is byte 0x%x of partition %u, %s has 0x%x active "
            "bytes on %s",
            o->what, o->address, o->from, o->at.byte, o->at.partition, trn_space_name(o->at.space),
            trn_onchip_active(o->x->gen, o->at.space), o->x->gen->name);
    return TRN_OK;
}

static trn_status check_memory(struct opening *o)
{
    const bool psum = o->at.space == TRN_SPACE_PSUM;
    if (psum && o->x->engine == TRN_NEURON_ENGINE_POOL)
        return illegal(o, "pool_no_psum", "is in PSUM, which POOL cannot reach");
    if (psum && (o->use & TRN_OPERAND_SBUF_ONLY))
        return illegal(o, "tensor_start_addr_valid", "is in PSUM, this operand must be in SBUF");
    if (!psum && (o->use & TRN_OPERAND_PSUM_ONLY))
        return illegal(o, "tensor_start_addr_valid", "is in SBUF, this operand must be in PSUM");
    if (psum && (o->use & TRN_OPERAND_WRITE) && !(o->use & TRN_OPERAND_MATMUL) && o->size != 4)
        return illegal(o, "tensor_start_addr_valid",
                       "is in PSUM, where only 4-byte elements may be written");
    if (psum && o->x->gen->psum_base_assumed)
        trn_exec_choice(o->x, TRN_CHOICE_PSUM_BASE_ASSUMED);
    return TRN_OK;
}

static trn_status check_channels(const struct opening *o)
{
    if ((o->use & TRN_OPERAND_ANY_START) &&
        o->at.partition + o->channels <= o->x->gen->sbuf_partitions)
        return TRN_OK;
    switch (trn_onchip_channels(o->at.partition, o->channels)) {
    case TRN_ONCHIP_OK:
        return TRN_OK;
    case TRN_ONCHIP_CHANNELS:
        return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "check_active_channels",
                              "%u channels; 1 to 128 are legal", o->channels);
    default:
        return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "start_addr_active_channels",
                              "%s starts at partition %u; with %u channels it may start at %s",
                              o->what, o->at.partition, o->channels,
                              trn_onchip_legal_starts(o->channels));
    }
}

static trn_status check_start(struct opening *o)
{
    trn_status status = check_region(o);
    if (status == TRN_OK && o->address % o->align != 0)
        status = trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
                                "%s address 0x%x%s is not aligned to the %u bytes of %s", o->what,
                                o->address, o->from, o->align, o->dtype);
    if (status == TRN_OK)
        status = check_memory(o);
    if (status == TRN_OK)
        status = check_channels(o);
    return status;
}

/* The first generation whose partitions are long enough, as ", <name> would accept it". */
static void accepting_generation(enum trn_space space, int64_t end, char out[64])
{
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        if (end <= (int64_t)trn_onchip_active(gen, space)) {
            snprintf(out, 64, ", %s would accept it", gen->name);
            return;
        }
    }
    out[0] = '\0';
}

/* pattern_active: every byte that is touched lies in [0, active) of the partition. */
static trn_status check_range(const struct opening *o, int64_t low, int64_t high)
{
    const uint32_t active = trn_onchip_active(o->x->gen, o->at.space);
    if (low < 0)
        return trn_exec_fault(o->x, TRN_FAULT_ADDRESS, "exec_active_range",
                              "%s at 0x%x%s reaches %lld bytes below its partition", o->what,
                              o->address, o->from, (long long)-low);
    if (high <= (int64_t)active)
        return TRN_OK;
    char accepting[64];
    accepting_generation(o->at.space, high, accepting);
    return trn_exec_fault(o->x, TRN_FAULT_ADDRESS, "exec_active_range",
                          "%s at 0x%x%s ends at byte %lld of its partition, %s has %u active bytes "
                          "on %s%s",
                          o->what, o->address, o->from, (long long)high,
                          trn_space_name(o->at.space), active, o->x->gen->name, accepting);
}

/* ---- shape ------------------------------------------------------------------------ */

static const char *pattern_rule(enum trn_field_type type)
{
    switch (type) {
    case TRN_TYPE_PATTERN1D:
        return "tensor1d_valid";
    case TRN_TYPE_PATTERN2D:
        return "tensor2d_valid";
    case TRN_TYPE_PATTERN3D:
        return "tensor3d_valid";
    default:
        return "tensor4d_valid";
    }
}

/* Counts and steps of the word, or of the shape register that it names. */
static trn_status open_shape(const struct opening *o, const struct trn_pattern *pattern,
                             enum trn_field_type type, struct trn_operand *out)
{
    const struct trn_shape *shape = NULL;
    if (pattern->start.shape_from_register) {
        if (pattern->shape_register >= NUM_SHAPE_REGISTERS)
            return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, pattern_rule(type),
                                  "shape register %u does not exist; 0 to 3 do",
                                  pattern->shape_register);
        shape = &o->x->regs->shape[pattern->shape_register];
        trn_exec_choice(o->x, TRN_CHOICE_SHAPE_REGISTER_ADDR4);
    }
    out->count = 1;
    for (unsigned i = 0; i < 4; i++) {
        out->num[i] = shape ? shape->num[i] : pattern->num[i];
        out->step[i] = (int64_t)(shape ? shape->step[i] : pattern->step[i]) * o->size;
        if (out->num[i] == 0)
            return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, pattern_rule(type),
                                  "count %u of the pattern is 0; 1 to 65535 are legal", i);
        out->count *= out->num[i]; /* 65535^4 fits in 64 bits */
    }
    if (out->count > TRN_OPERAND_MAX_COUNT)
        return trn_exec_fault(o->x, TRN_FAULT_NOT_MODELLED, NULL,
                              "%llu elements a lane; this model executes up to %llu",
                              (unsigned long long)out->count,
                              (unsigned long long)TRN_OPERAND_MAX_COUNT);
    return TRN_OK;
}

/* Bytes below and above the start that the steps reach. */
static trn_status open_range(const struct opening *o, struct trn_operand *out)
{
    int64_t low = o->at.byte, high = (int64_t)o->at.byte + o->size;
    for (unsigned i = 0; i < 4; i++) {
        const int64_t reach = out->step[i] * (int64_t)(out->num[i] - 1);
        if (reach < 0)
            low += reach;
        else
            high += reach;
    }
    const trn_status status = check_range(o, low, high);
    out->low = (uint32_t)low;
    out->high = (uint32_t)high;
    return status;
}

/* Adjacent dimensions that continue each other become one; single ones disappear. */
static void plan_walk(struct trn_operand *out)
{
    unsigned last = 0;
    out->walk.num[0] = 1;
    out->walk.step[0] = out->size;
    for (unsigned i = 0; i < 4; i++) {
        if (out->num[i] == 1)
            continue;
        if (out->walk.num[last] == 1) {
            out->walk.step[last] = out->step[i];
            out->walk.num[last] = out->num[i];
        } else if (out->step[i] == out->walk.step[last] * (int64_t)out->walk.num[last]) {
            out->walk.num[last] *= out->num[i];
        } else {
            last++;
            out->walk.step[last] = out->step[i];
            out->walk.num[last] = out->num[i];
        }
    }
    out->walk.dims = last + 1;
    for (unsigned i = last + 1; i < 4; i++) {
        out->walk.step[i] = 0;
        out->walk.num[i] = 1;
    }
    out->contiguous = out->walk.dims == 1 && out->walk.step[0] == (int64_t)out->size;
}

/* ---- result ----------------------------------------------------------------------- */

static void place(const struct opening *o, struct trn_operand *out)
{
    const struct trn_plane *plane = trn_mem_plane(o->x->mem, o->at.space);
    out->space = o->at.space;
    out->partition = o->at.partition;
    out->channels = o->channels;
    out->byte = o->at.byte;
    out->size = o->size;
    out->base = trn_plane_at(plane, o->at.partition, o->at.byte);
    out->pitch = plane->pitch;
}

/* Memory is made ready, and whoever watches it told. */
static void announce(const struct opening *o, const struct trn_operand *operand)
{
    struct trn_mem *mem = o->x->mem;
    trn_mem_touch(mem, operand->space, operand->partition, operand->channels, operand->low,
                  operand->high - operand->low);
    struct trn_access access = {.space = operand->space,
                                .partition = operand->partition,
                                .channels = operand->channels,
                                .byte = operand->byte,
                                .size = operand->size,
                                .num = {operand->count, 1, 1, 1},
                                .index = operand->index,
                                .index_pitch = operand->index_pitch,
                                .keeps_fresh = (o->use & TRN_OPERAND_MATMUL) != 0,
                                .engine = o->x->engine,
                                .pc = o->x->regs->pc};
    for (unsigned i = 0; i < operand->walk.dims; i++) {
        access.num[i] = operand->walk.num[i];
        access.step[i] = operand->walk.step[i];
    }
    if (o->use & TRN_OPERAND_READ)
        trn_mem_report(mem, &access);
    access.write = true;
    if (o->use & TRN_OPERAND_WRITE)
        trn_mem_report(mem, &access);
}

/* The start is checked, count, num and step of *out are known: the rest follows. */
static trn_status resolve(const struct opening *o, struct trn_operand *out)
{
    const trn_status status = open_range(o, out);
    if (status != TRN_OK)
        return status;
    place(o, out);
    plan_walk(out);
    announce(o, out);
    return TRN_OK;
}

/* ---- indirect --------------------------------------------------------------------- */

/* The index vector: UINT16, one list a lane, in SBUF; *out gets a copy of the lists. */
static trn_status open_index(const struct opening *data, const struct trn_addr4 *address,
                             uint32_t count, struct trn_operand *out)
{
    struct opening o = {.x = data->x,
                        .what = "index vector",
                        .dtype = "UINT16",
                        .size = INDEX_BYTES,
                        .align = INDEX_BYTES,
                        .channels = data->channels,
                        .use = TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY};
    struct trn_operand lists = {.dtype = TRN_DTYPE_UINT16,
                                .count = count,
                                .num = {count, 1, 1, 1},
                                .step = {INDEX_BYTES, INDEX_BYTES, INDEX_BYTES, INDEX_BYTES}};
    trn_status status = open_address(&o, address);
    if (status == TRN_OK)
        status = check_start(&o);
    if (status == TRN_OK)
        status = resolve(&o, &lists);
    if (status != TRN_OK)
        return status;
    trn_workers_settle(o.x->workers); /* the lists are what the words before left */
    uint8_t *copy = trn_mem_list_room(o.x->mem);
    for (uint32_t lane = 0; lane < o.channels; lane++)
        memcpy(copy + lane * TRN_MEM_LIST_PITCH, trn_operand_lane(&lists, lane),
               (size_t)count * INDEX_BYTES);
    out->index = copy;
    out->index_pitch = TRN_MEM_LIST_PITCH;
    return TRN_OK;
}

/* Every element that an index names lies in the active bytes; low and high of all lanes. */
static trn_status check_indices(const struct opening *o, struct trn_operand *out)
{
    const uint32_t active = trn_onchip_active(o->x->gen, o->at.space);
    uint32_t smallest = UINT16_MAX, largest = 0;
    for (uint32_t lane = 0; lane < o->channels; lane++) {
        const uint8_t *list = out->index + lane * out->index_pitch;
        for (uint32_t i = 0; i < out->count; i++) {
            const uint32_t index = trn_get16(list + (size_t)INDEX_BYTES * i);
            if ((uint64_t)o->at.byte + ((uint64_t)index + 1) * o->size > active)
                return trn_exec_fault(o->x, TRN_FAULT_ADDRESS, "exec_active_range",
                                      "index %u at position %u of lane %u names byte 0x%llx of its "
                                      "partition, %s has 0x%x active bytes on %s",
                                      index, i, lane,
                                      (unsigned long long)o->at.byte + (uint64_t)index * o->size,
                                      trn_space_name(o->at.space), active, o->x->gen->name);
            smallest = index < smallest ? index : smallest;
            largest = index > largest ? index : largest;
        }
    }
    out->low = o->at.byte + smallest * o->size;
    out->high = o->at.byte + (largest + 1) * o->size;
    return TRN_OK;
}

static trn_status open_indirect(struct opening *o, const struct trn_pattern *pattern,
                                enum trn_field_type type, struct trn_operand *out)
{
    out->indirect = true;
    out->count = pattern->num[0];
    for (unsigned i = 0; i < 4; i++) {
        out->num[i] = i ? 1 : pattern->num[0];
        out->step[i] = 0;
        out->walk.num[i] = 1;
    }
    if (out->count == 0)
        return trn_exec_fault(o->x, TRN_FAULT_ILLEGAL_INSTRUCTION, pattern_rule(type),
                              "the pattern has no indices; 1 to 65535 are legal");
    trn_status status = open_address(o, &pattern->data);
    if (status == TRN_OK)
        status = check_start(o);
    if (status == TRN_OK)
        status = open_index(o, &pattern->start, pattern->num[0], out);
    if (status == TRN_OK)
        status = check_indices(o, out);
    if (status != TRN_OK)
        return status;
    place(o, out);
    announce(o, out);
    trn_exec_choice(o->x, TRN_CHOICE_INDIRECT_INDEX_UINT16);
    return TRN_OK;
}

/* ---- the two doors ---------------------------------------------------------------- */

trn_status trn_operand_open(struct trn_exec *x, const uint8_t *bytes, enum trn_field_type type,
                            uint8_t dtype, uint32_t channels, unsigned use, struct trn_operand *out)
{
    struct opening o = {.x = x, .what = "operand", .channels = channels, .use = use};
    struct trn_pattern pattern;
    trn_pattern_decode(bytes, type, &pattern);
    *out = (struct trn_operand){.dtype = dtype};
    trn_status status = open_dtype(&o, dtype);
    if (status != TRN_OK)
        return status;
    if (pattern.indirect)
        return open_indirect(&o, &pattern, type, out);
    status = open_address(&o, &pattern.start);
    if (status == TRN_OK)
        status = check_start(&o);
    if (status == TRN_OK)
        status = open_shape(&o, &pattern, type, out);
    return status == TRN_OK ? resolve(&o, out) : status;
}

trn_status trn_operand_open_address(struct trn_exec *x, uint32_t address, uint8_t dtype,
                                    uint32_t channels, unsigned use, struct trn_operand *out)
{
    struct opening o = {.x = x,
                        .what = "pointer",
                        .channels = channels,
                        .use = use,
                        .address = address,
                        .from = ""};
    *out = (struct trn_operand){.dtype = dtype, .count = 1, .num = {1, 1, 1, 1}};
    trn_status status = open_dtype(&o, dtype);
    if (status == TRN_OK)
        status = check_start(&o);
    return status == TRN_OK ? resolve(&o, out) : status;
}
