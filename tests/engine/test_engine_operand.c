/* SPDX-License-Identifier: Apache-2.0 */
/* Operands against the formula of docs/hardware/isa-core.md 6, element by element: the bytes of an
 * element are fetched and stored through the host's window at
 * start + p*STRIDE + (x*step0 + y*step1 + z*step2 + w*step3) * size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "engine/operand.h"
#include "trench/enums.h"

enum { MAX_ELEMENTS = 5000, WINDOW = 0x4000 };

/* One engine of a core, as a handler sees it. */
struct core {
    struct trn_mem *mem;
    struct trn_regs regs;
    struct trn_choices choices;
    struct trn_fault fault;
    struct trn_exec x;
};

static void open_core(struct core *core, const char *gen, enum trn_reset reset)
{
    *core = (struct core){.mem = NULL};
    const struct trn_mem_options options = {.reset = reset, .reset_seed = 42};
    assert_int_equal(trn_mem_create(trn_gen_find(gen), &options, &core->mem, NULL), TRN_OK);
    core->regs.pc = 0x1000040;
    core->x = (struct trn_exec){.gen = core->mem->gen,
                                .engine = TRN_NEURON_ENGINE_DVE,
                                .mem = core->mem,
                                .regs = &core->regs,
                                .choices = &core->choices,
                                .fault = &core->fault};
}

static void close_core(struct core *core)
{
    trn_mem_destroy(core->mem);
}

/* ---- words ------------------------------------------------------------------------ */

/* ADDR4 markers of isa-core.md 5, in bits 31..24. */
#define SHAPE_REG    0x40000000u
#define ADDR_REG     0x80000000u
#define INDIRECT_IMM 0x20000000u
#define INDIRECT_REG 0xA0000000u

struct shape {
    unsigned ndim;
    int16_t step[4];
    uint16_t num[4];
};

static const enum trn_field_type types[] = {TRN_TYPE_PATTERN1D, TRN_TYPE_PATTERN2D,
                                            TRN_TYPE_PATTERN3D, TRN_TYPE_PATTERN4D};

/* TENSORnD = { ADDR4 start; i16 step[n]; u16 num[n] } */
static void put_pattern(uint8_t out[20], uint32_t start, const struct shape *shape)
{
    memset(out, 0, 20);
    trn_put32(out, start);
    for (unsigned i = 0; i < shape->ndim; i++) {
        trn_put16(out + 4 + 2 * i, (uint16_t)shape->step[i]);
        trn_put16(out + 4 + 2 * shape->ndim + 2 * i, shape->num[i]);
    }
}

/* INDIRECT16B: index ADDR4 at 0, data ADDR4 at 4, num at 8 */
static void put_indirect(uint8_t out[20], uint32_t index, uint32_t data, uint16_t num)
{
    memset(out, 0, 20);
    trn_put32(out, index);
    trn_put32(out + 4, data);
    trn_put16(out + 8, num);
}

static trn_status open_shape(struct core *core, uint32_t start, const struct shape *shape,
                             uint8_t dtype, uint32_t channels, unsigned use,
                             struct trn_operand *out)
{
    uint8_t bytes[20];
    put_pattern(bytes, start, shape);
    core->fault = (struct trn_fault){.klass = TRN_FAULT_NONE};
    return trn_operand_open(&core->x, bytes, types[shape->ndim - 1], dtype, channels, use, out);
}

/* A row of `num` adjacent elements. */
static trn_status open_row(struct core *core, uint32_t start, uint16_t num, uint8_t dtype,
                           uint32_t channels, unsigned use, struct trn_operand *out)
{
    const struct shape shape = {1, {1}, {num}};
    return open_shape(core, start, &shape, dtype, channels, use, out);
}

static void expect_fault(const struct core *core, trn_status status, enum trn_fault_class klass,
                         const char *rule, const char *message)
{
    assert_int_equal(status, TRN_ERR_FAULT);
    assert_string_equal(core->fault.rule, rule);
    assert_string_equal(core->fault.message, message);
    assert_int_equal(core->fault.klass, klass);
    assert_int_equal(core->fault.pc, 0x1000040);
}

/* ---- the reference ---------------------------------------------------------------- */

static uint32_t below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % limit);
}

static const struct {
    uint8_t code, size;
} dtypes[] = {
    {TRN_DTYPE_UINT64, 8},   {TRN_DTYPE_INT8, 1}, {TRN_DTYPE_BFLOAT16, 2}, {TRN_DTYPE_FP32, 4},
    {TRN_DTYPE_FP8_EXP4, 1}, {TRN_DTYPE_FP16, 2}, {TRN_DTYPE_INT32, 4},    {TRN_DTYPE_INT64, 8},
};

/* Byte of element number k of a lane, from its partition's start. */
static int64_t element_byte(const struct shape *shape, int64_t start, int64_t size, uint64_t k)
{
    int64_t elements = 0;
    for (unsigned d = 0; d < shape->ndim; d++) {
        elements += (int64_t)(k % shape->num[d]) * shape->step[d];
        k /= shape->num[d];
    }
    return start + elements * size;
}

static uint64_t count_of(const struct shape *shape)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < shape->ndim; d++)
        count *= shape->num[d];
    return count;
}

/* A pattern inside the first WINDOW bytes of a partition; *start is its first byte. */
static struct shape random_shape(uint64_t *rng, uint32_t size, int64_t *start)
{
    for (;;) {
        struct shape shape = {.ndim = 1 + below(rng, 4)};
        int64_t low = 0, high = 0, run = 1;
        for (unsigned d = 0; d < shape.ndim; d++) {
            shape.num[d] = (uint16_t)(1 + below(rng, below(rng, 2) ? 4 : 20));
            /* often a continuation of the dimensions below, so that some of them merge */
            shape.step[d] = (int16_t)(below(rng, 2) ? run : (int64_t)below(rng, 61) - 30);
            run = shape.step[d] * shape.num[d];
            if (run > 400 || run < -400)
                run = 1;
            const int64_t reach = (int64_t)shape.step[d] * (shape.num[d] - 1) * size;
            low += reach < 0 ? reach : 0;
            high += reach > 0 ? reach : 0;
        }
        if (count_of(&shape) > MAX_ELEMENTS || high - low + size > WINDOW)
            continue;
        const uint32_t room = (uint32_t)(WINDOW - (high - low) - size) / size + 1;
        *start = -low + (int64_t)below(rng, room) * size;
        if (*start % size == 0)
            return shape;
    }
}

static void window(struct core *core, bool write, uint32_t partition, int64_t byte, void *data,
                   size_t size)
{
    const uint64_t offset = (uint64_t)partition * core->mem->gen->sbuf_stride + (uint64_t)byte;
    const trn_status status =
        write
            ? trn_mem_window_write(core->mem, TRN_SPACE_SBUF, offset, data, size, trn_origin_host())
            : trn_mem_window_read(core->mem, TRN_SPACE_SBUF, offset, data, size, trn_origin_host());
    assert_int_equal(status, TRN_OK);
}

static const uint32_t start_partitions[] = {0, 32, 64, 96};

static void check_summary(const struct trn_operand *operand, const struct shape *shape,
                          int64_t start)
{
    const uint32_t size = operand->size;
    int64_t low = start, high = start;
    bool adjacent = true;
    for (uint64_t k = 0; k < operand->count; k++) {
        const int64_t byte = element_byte(shape, start, size, k);
        low = byte < low ? byte : low;
        high = byte > high ? byte : high;
        adjacent &= byte == start + (int64_t)k * size;
    }
    assert_int_equal(operand->low, low);
    assert_int_equal(operand->high, high + size);
    assert_int_equal(operand->contiguous, adjacent);
    assert_int_equal(operand->byte, start);
    uint64_t walked = 1;
    for (unsigned d = 0; d < 4; d++)
        walked *= operand->walk.num[d];
    assert_int_equal(walked, operand->count);
}

static void check_gather(struct core *core, const struct trn_operand *operand,
                         const struct shape *shape, int64_t start, uint64_t *rng)
{
    static uint8_t whole[MAX_ELEMENTS * 8], part[MAX_ELEMENTS * 8];
    const uint32_t size = operand->size, lane = below(rng, operand->channels);
    trn_operand_gather(operand, lane, 0, operand->count, whole);
    for (uint64_t k = 0; k < operand->count; k++) {
        uint8_t expected[8];
        window(core, false, operand->partition + lane, element_byte(shape, start, size, k),
               expected, size);
        assert_memory_equal(whole + k * size, expected, size);
    }
    for (int i = 0; i < 4; i++) {
        const uint32_t first = below(rng, (uint32_t)operand->count);
        const uint32_t count = below(rng, (uint32_t)operand->count - first + 1);
        trn_operand_gather(operand, lane, first, count, part);
        assert_memory_equal(part, whole + first * size, (size_t)count * size);
    }
}

static void test_gather_of_random_patterns(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "cayman", TRN_RESET_RANDOM);
    uint64_t rng = 1;
    for (int round = 0; round < 3000; round++) {
        const unsigned t = below(&rng, 8);
        int64_t start;
        const struct shape shape = random_shape(&rng, dtypes[t].size, &start);
        const uint32_t partition = start_partitions[below(&rng, 4)];
        struct trn_operand operand;
        assert_int_equal(open_shape(&core, partition * 0x40000 + (uint32_t)start, &shape,
                                    dtypes[t].code, 1 + below(&rng, 32), TRN_OPERAND_READ,
                                    &operand),
                         TRN_OK);
        assert_int_equal(operand.size, dtypes[t].size);
        assert_int_equal(operand.partition, partition);
        assert_int_equal(operand.count, count_of(&shape));
        check_summary(&operand, &shape, start);
        check_gather(&core, &operand, &shape, start, &rng);
    }
    close_core(&core);
}

/* Scatter changes the bytes of its elements in stream order, and no other byte. */
static void test_scatter_of_random_patterns(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "sunda", TRN_RESET_RANDOM);
    static uint8_t expected[WINDOW], got[WINDOW], values[MAX_ELEMENTS * 8];
    uint64_t rng = 2;
    for (int round = 0; round < 2000; round++) {
        const unsigned t = below(&rng, 8);
        const uint32_t size = dtypes[t].size;
        int64_t start;
        const struct shape shape = random_shape(&rng, size, &start);
        struct trn_operand operand;
        assert_int_equal(open_shape(&core, 64 * 0x40000 + (uint32_t)start, &shape, dtypes[t].code,
                                    40, TRN_OPERAND_WRITE, &operand),
                         TRN_OK);
        const uint32_t lane = below(&rng, 40), first = below(&rng, (uint32_t)operand.count);
        const uint32_t count = below(&rng, (uint32_t)operand.count - first + 1);
        for (size_t i = 0; i < (size_t)count * size; i++)
            values[i] = (uint8_t)below(&rng, 256);
        window(&core, false, 64 + lane, 0, expected, WINDOW);
        for (uint32_t k = 0; k < count; k++)
            memcpy(expected + element_byte(&shape, start, size, first + k), values + k * size,
                   size);
        trn_operand_scatter(&operand, lane, first, count, values);
        window(&core, false, 64 + lane, 0, got, WINDOW);
        assert_memory_equal(got, expected, WINDOW);
    }
    close_core(&core);
}

static void test_adjacent_dimensions_merge(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "mariana", TRN_RESET_ZERO);
    struct trn_operand operand;
    const struct shape whole = {4, {1, 8, 32, 64}, {8, 4, 2, 3}};
    assert_int_equal(open_shape(&core, 0, &whole, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
                     TRN_OK);
    assert_true(operand.contiguous);
    assert_int_equal(operand.walk.dims, 1);
    assert_int_equal(operand.walk.num[0], 192);
    assert_int_equal(operand.num[1], 4); /* the word's own shape stays */
    assert_int_equal(operand.step[1], 32);
    const struct shape columns = {3, {2, 64, 64}, {8, 5, 1}};
    assert_int_equal(open_shape(&core, 0, &columns, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand),
                     TRN_OK);
    assert_false(operand.contiguous);
    assert_int_equal(operand.walk.dims, 2);
    assert_int_equal(operand.walk.step[0], 8);
    assert_int_equal(operand.walk.step[1], 256);
    const struct shape repeat = {2, {0, 1}, {7, 3}};
    assert_int_equal(open_shape(&core, 0, &repeat, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand),
                     TRN_OK);
    assert_int_equal(operand.walk.dims, 2);
    assert_int_equal(operand.walk.num[0], 7);
    assert_int_equal(operand.walk.step[0], 0);
    close_core(&core);
}

/* ---- address forms ---------------------------------------------------------------- */

static void test_address_from_a_register(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "sunda", TRN_RESET_ZERO);
    struct trn_operand operand;
    core.regs.r[63] = 32 * 0x40000 + 0x2FFFC;
    assert_int_equal(
        open_row(&core, ADDR_REG | 63, 1, TRN_DTYPE_FP32, 32, TRN_OPERAND_READ, &operand), TRN_OK);
    assert_int_equal(operand.space, TRN_SPACE_SBUF);
    assert_int_equal(operand.partition, 32);
    assert_int_equal(operand.byte, 0x2FFFC);
    assert_ptr_equal(operand.base, trn_plane_at(&core.mem->sbuf, 32, 0x2FFFC));
    core.regs.r[63] = 0x23FBFFC - 127 * 0x8000;
    assert_int_equal(
        open_row(&core, ADDR_REG | 63, 1, TRN_DTYPE_FP32, 128, TRN_OPERAND_WRITE, &operand),
        TRN_OK);
    assert_int_equal(operand.space, TRN_SPACE_PSUM);
    assert_int_equal(operand.byte, 0x3FFC);
    assert_ptr_equal(trn_operand_lane(&operand, 127), trn_plane_at(&core.mem->psum, 127, 0x3FFC));
    expect_fault(&core,
                 open_row(&core, ADDR_REG | 64, 1, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
                 "operand address is in register 64; 0 to 63 exist");
    close_core(&core);
}

static void test_shape_from_a_register(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "cayman", TRN_RESET_ZERO);
    core.regs.shape[3] = (struct trn_shape){{4, 3, 2, 1}, {-1, 8, 100, 7}};
    core.regs.r[5] = 0x40;
    struct trn_operand operand;
    const struct shape by_number = {2, {3, 0}, {0, 0}};
    for (int form = 0; form < 2; form++) {
        const uint32_t start = form ? SHAPE_REG | ADDR_REG | 5 : SHAPE_REG | 0x40;
        assert_int_equal(
            open_shape(&core, start, &by_number, TRN_DTYPE_BFLOAT16, 8, TRN_OPERAND_READ, &operand),
            TRN_OK);
        assert_int_equal(operand.count, 24);
        assert_int_equal(operand.step[0], -2);
        assert_int_equal(operand.step[2], 200);
        assert_int_equal(operand.low, 0x40 - 3 * 2);
        assert_int_equal(operand.high, 0x40 + 2 * 16 + 200 + 2);
        assert_int_equal(core.choices.count[TRN_CHOICE_SHAPE_REGISTER_ADDR4], form + 1);
    }
    core.regs.shape[3].num[3] = 0;
    expect_fault(&core,
                 open_shape(&core, SHAPE_REG | 0x40, &by_number, TRN_DTYPE_BFLOAT16, 8,
                            TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor2d_valid",
                 "count 3 of the pattern is 0; 1 to 65535 are legal");
    const struct shape bad_number = {4, {4, 0, 0, 0}, {0, 0, 0, 0}};
    expect_fault(&core,
                 open_shape(&core, SHAPE_REG | 0x40, &bad_number, TRN_DTYPE_BFLOAT16, 8,
                            TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor4d_valid",
                 "shape register 4 does not exist; 0 to 3 do");
    close_core(&core);
}

static void put_lists(struct core *core, uint32_t partition, uint32_t lanes, uint32_t byte,
                      uint32_t count, uint32_t limit, uint64_t *rng)
{
    for (uint32_t lane = 0; lane < lanes; lane++)
        for (uint32_t i = 0; i < count; i++) {
            uint8_t entry[2];
            trn_put16(entry, (uint16_t)below(rng, limit));
            window(core, true, partition + lane, byte + 2 * i, entry, 2);
        }
}

/* Element i of a lane is data + index[i]*size with the lane's own list. */
static void test_indirect_gather_and_scatter(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "mariana", TRN_RESET_RANDOM);
    uint64_t rng = 3;
    for (int round = 0; round < 60; round++) {
        const unsigned t = below(&rng, 8);
        const uint32_t size = dtypes[t].size, lanes = 1 + below(&rng, 32);
        const uint32_t count = 1 + below(&rng, 300), data = 8 * below(&rng, 100);
        const uint32_t index = 0x30000 + 2 * below(&rng, 50);
        put_lists(&core, 32, lanes, index, count, 1000, &rng);
        core.regs.r[1] = 32 * 0x40000 + index;
        core.regs.r[2] = 96 * 0x40000 + data;
        uint8_t bytes[20];
        put_indirect(bytes,
                     below(&rng, 2) ? INDIRECT_REG | 1 : INDIRECT_IMM | (32 * 0x40000 + index),
                     below(&rng, 2) ? ADDR_REG | 2 : 96 * 0x40000 + data, (uint16_t)count);
        struct trn_operand operand;
        assert_int_equal(trn_operand_open(&core.x, bytes, types[1 + below(&rng, 3)], dtypes[t].code,
                                          lanes, TRN_OPERAND_READ_WRITE, &operand),
                         TRN_OK);
        assert_true(operand.indirect);
        assert_int_equal(operand.count, count);
        const uint32_t lane = below(&rng, lanes), first = below(&rng, count);
        uint8_t got[300 * 8], expected[8], entry[2];
        trn_operand_gather(&operand, lane, first, count - first, got);
        for (uint32_t i = first; i < count; i++) {
            window(&core, false, 32 + lane, index + 2 * i, entry, 2);
            window(&core, false, 96 + lane, data + trn_get16(entry) * size, expected, size);
            assert_memory_equal(got + (i - first) * size, expected, size);
        }
        for (size_t i = 0; i < sizeof got; i++)
            got[i] = (uint8_t)i;
        trn_operand_scatter(&operand, lane, 0, count, got);
        window(&core, false, 32 + lane, index + 2 * (count - 1), entry, 2);
        window(&core, false, 96 + lane, data + trn_get16(entry) * size, expected, size);
        assert_memory_equal(expected, got + (count - 1) * size, size);
        assert_int_equal(core.choices.count[TRN_CHOICE_INDIRECT_INDEX_UINT16], round + 1);
    }
    close_core(&core);
}

static void test_index_outside_the_partition(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "mariana", TRN_RESET_ZERO);
    uint8_t bytes[20], entry[2];
    struct trn_operand operand;
    /* the last legal FP32 from byte 0x3C000 on is index 0xFFF: 0x3C000 + 4*0x1000 = 0x40000 */
    trn_put16(entry, 0xFFF);
    window(&core, true, 7, 14, entry, 2);
    put_indirect(bytes, INDIRECT_IMM | 0, 0x3C000, 10);
    assert_int_equal(trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 8,
                                      TRN_OPERAND_READ, &operand),
                     TRN_OK);
    assert_int_equal(operand.low, 0x3C000);
    assert_int_equal(operand.high, 0x40000);
    trn_put16(entry, 0x1000);
    window(&core, true, 7, 14, entry, 2);
    expect_fault(&core,
                 trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 8,
                                  TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ADDRESS, "exec_active_range",
                 "index 4096 at position 7 of lane 7 names byte 0x40000 of its partition, sbuf has "
                 "0x40000 active bytes on mariana");
    put_indirect(bytes, INDIRECT_IMM | 0x3FFFE, 0, 2);
    expect_fault(&core,
                 trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 8,
                                  TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ADDRESS, "exec_active_range",
                 "index vector at 0x3fffe ends at byte 262146 of its partition, sbuf has 262144 "
                 "active bytes on mariana, maverick would accept it");
    put_indirect(bytes, INDIRECT_IMM | 0x2000000, 0, 2);
    expect_fault(&core,
                 trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 8,
                                  TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
                 "index vector address 0x2000000 is in PSUM, this operand must be in SBUF");
    put_indirect(bytes, INDIRECT_IMM | 3, 0, 2);
    expect_fault(&core,
                 trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 8,
                                  TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
                 "index vector address 0x3 is not aligned to the 2 bytes of UINT16");
    put_indirect(bytes, INDIRECT_IMM | 0, 0, 0);
    expect_fault(&core,
                 trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN2D, TRN_DTYPE_FP32, 8,
                                  TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor2d_valid",
                 "the pattern has no indices; 1 to 65535 are legal");
    close_core(&core);
}

/* A word may write over the lists it goes by; what was checked is what is used. */
static void test_lists_are_read_before_anything_is_written(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "maverick", TRN_RESET_ZERO);
    struct trn_operand operands[3];
    for (unsigned i = 0; i < 3; i++) {
        uint8_t bytes[20], entries[] = {1, 0, (uint8_t)(2 + i), 0, 0, 0};
        window(&core, true, 127, 0x100, entries, sizeof entries);
        put_indirect(bytes, INDIRECT_IMM | 0x100, 0x100, 3);
        assert_int_equal(trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 128,
                                          TRN_OPERAND_WRITE, &operands[i]),
                         TRN_OK);
    }
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t ones[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
        trn_operand_scatter(&operands[i], 127, 0, 3, ones);
        const uint8_t *list = operands[i].index + 127 * operands[i].index_pitch;
        assert_int_equal(trn_get16(list + 2), 2 + i);
        assert_int_equal(trn_get16(list + 4), 0);
    }
    close_core(&core);
}

static void test_scalar_a_lane_by_address(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "cayman", TRN_RESET_ZERO);
    struct trn_operand operand;
    assert_int_equal(
        trn_operand_open_address(&core.x, 0x37FFC, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
        TRN_OK);
    assert_int_equal(operand.count, 1);
    assert_true(operand.contiguous);
    assert_ptr_equal(trn_operand_lane(&operand, 9), trn_plane_at(&core.mem->sbuf, 9, 0x37FFC));
    expect_fault(
        &core,
        trn_operand_open_address(&core.x, 0x38000, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
        TRN_FAULT_ADDRESS, "addr_in_sbuf_partition",
        "pointer address 0x38000 is byte 0x38000 of partition 0, sbuf has 0x38000 active "
        "bytes on cayman");
    close_core(&core);
}

/* ---- limits ----------------------------------------------------------------------- */

/* Active bytes of isa-core.md 4. */
static const struct {
    const char *gen;
    uint32_t active, stride, psum;
} limits[] = {
    {"sunda", 0x30000, 0x40000, 0x2000000},     {"cayman", 0x38000, 0x40000, 0x2000000},
    {"mariana", 0x40000, 0x40000, 0x2000000},   {"mariana_plus", 0x40000, 0x40000, 0x2000000},
    {"maverick", 0x80000, 0x100000, 0x8000000},
};

static void test_last_element_of_a_partition(void **state)
{
    (void)state;
    for (unsigned g = 0; g < 5; g++) {
        struct core core;
        struct trn_operand operand;
        open_core(&core, limits[g].gen, TRN_RESET_ZERO);
        const struct {
            uint32_t base, active;
        } spaces[] = {{0, limits[g].active}, {limits[g].psum, 0x4000}};
        for (unsigned s = 0; s < 2; s++)
            for (uint32_t start = 0; start < spaces[s].active; start += 4) {
                if (start > 0x100 && start < spaces[s].active - 0x100)
                    start = spaces[s].active - 0x100;
                const uint32_t left = (spaces[s].active - start) / 4;
                const uint16_t num = (uint16_t)(left > 65535 ? 65535 : left);
                assert_int_equal(open_row(&core, spaces[s].base + start, num, TRN_DTYPE_FP32, 128,
                                          TRN_OPERAND_WRITE, &operand),
                                 TRN_OK);
                const struct shape more = {2, {1, (int16_t)(num > 32767 ? 32767 : num)}, {num, 2}};
                assert_int_equal(open_shape(&core, spaces[s].base + start, &more, TRN_DTYPE_FP32,
                                            128, TRN_OPERAND_WRITE, &operand),
                                 num == 65535 && spaces[s].active > 0x60000 ? TRN_OK
                                                                            : TRN_ERR_FAULT);
            }
        for (uint16_t num = 1; num < 300; num++) { /* to the byte */
            const uint32_t start = limits[g].active - num;
            assert_int_equal(
                open_row(&core, start, num, TRN_DTYPE_UINT8, 128, TRN_OPERAND_WRITE, &operand),
                TRN_OK);
            assert_int_equal(
                open_row(&core, start, num + 1, TRN_DTYPE_UINT8, 128, TRN_OPERAND_WRITE, &operand),
                TRN_ERR_FAULT);
        }
        assert_int_equal(core.choices.count[TRN_CHOICE_PSUM_BASE_ASSUMED] > 0, g == 4);
        close_core(&core);
    }
}

/* F06: 888 + 98568 + 98568 = 198,024 bytes a partition. */
static void test_operand_that_ends_past_the_active_bytes(void **state)
{
    (void)state;
    const uint32_t start = 198024 - 4 * 24642; /* 24642 FP32 = 98568 bytes */
    for (unsigned g = 0; g < 5; g++) {
        struct core core;
        struct trn_operand operand;
        open_core(&core, limits[g].gen, TRN_RESET_ZERO);
        const trn_status status =
            open_row(&core, start, 24642, TRN_DTYPE_FP32, 128, TRN_OPERAND_WRITE, &operand);
        if (g == 0)
            expect_fault(&core, status, TRN_FAULT_ADDRESS, "exec_active_range",
                         "operand at 0x18480 ends at byte 198024 of its partition, sbuf has 196608 "
                         "active bytes on sunda, cayman would accept it");
        else
            assert_int_equal(status, TRN_OK);
        close_core(&core);
    }
}

static void test_negative_steps_reach_below(void **state)
{
    (void)state;
    struct core core;
    struct trn_operand operand;
    open_core(&core, "mariana", TRN_RESET_ZERO);
    const struct shape back = {1, {-1}, {11}};
    assert_int_equal(open_shape(&core, 40, &back, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
                     TRN_OK);
    assert_int_equal(operand.low, 0);
    assert_int_equal(operand.high, 44);
    core.regs.r[0] = 36;
    expect_fault(
        &core,
        open_shape(&core, ADDR_REG | 0, &back, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &operand),
        TRN_FAULT_ADDRESS, "exec_active_range",
        "operand at 0x24 held in a register reaches 4 bytes below its partition");
    close_core(&core);
}

/* F08 with the address in a register. */
static void test_start_partition_rule_at_execution(void **state)
{
    (void)state;
    static const struct {
        uint32_t partition, channels;
        const char *message; /* NULL: legal */
    } cases[] = {
        {48, 8, "operand starts at partition 48; with 8 channels it may start at 0, 32, 64 or 96"},
        {48, 36, "operand starts at partition 48; with 36 channels it may start at 0 or 64"},
        {64, 36, NULL},
        {64, 65, "operand starts at partition 64; with 65 channels it may start at 0"},
        {96, 32, NULL},
        {0, 128, NULL},
    };
    for (unsigned g = 0; g < 5; g++) {
        struct core core;
        struct trn_operand operand;
        open_core(&core, limits[g].gen, TRN_RESET_ZERO);
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            core.regs.r[9] = cases[i].partition * limits[g].stride;
            const trn_status status = open_row(&core, ADDR_REG | 9, 16, TRN_DTYPE_BFLOAT16,
                                               cases[i].channels, TRN_OPERAND_READ, &operand);
            if (cases[i].message)
                expect_fault(&core, status, TRN_FAULT_ILLEGAL_INSTRUCTION,
                             "start_addr_active_channels", cases[i].message);
            else
                assert_int_equal(status, TRN_OK);
        }
        close_core(&core);
    }
}

static void test_rules_of_the_start_address(void **state)
{
    (void)state;
    static const struct {
        uint32_t address;
        uint8_t dtype;
        uint32_t channels;
        unsigned use;
        enum trn_fault_class klass;
        const char *rule, *message;
    } cases[] = {
        {0x2400000, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, TRN_FAULT_ADDRESS,
         "tensor_start_addr_valid",
         "operand address 0x2400000 held in a register is neither in SBUF nor in PSUM"},
        {0xFFFFFFFC, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, TRN_FAULT_ADDRESS,
         "tensor_start_addr_valid",
         "operand address 0xfffffffc held in a register is neither in SBUF nor in PSUM"},
        {0x30000, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, TRN_FAULT_ADDRESS, "addr_in_sbuf_partition",
         "operand address 0x30000 held in a register is byte 0x30000 of partition 0, sbuf has "
         "0x30000 active bytes on sunda"},
        {0x2004000, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, TRN_FAULT_ADDRESS, "exec_active_range",
         "operand address 0x2004000 held in a register is byte 0x4000 of partition 0, psum has "
         "0x4000 active bytes on sunda"},
        {0x2, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "tensor_start_addr_valid",
         "operand address 0x2 held in a register is not aligned to the 4 bytes of FP32"},
        {0x4, TRN_DTYPE_INT64, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "tensor_start_addr_valid",
         "operand address 0x4 held in a register is not aligned to the 8 bytes of INT64"},
        {0x2000000, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ | TRN_OPERAND_SBUF_ONLY,
         TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
         "operand address 0x2000000 held in a register is in PSUM, this operand must be in SBUF"},
        {0, TRN_DTYPE_FP32, 1, TRN_OPERAND_WRITE | TRN_OPERAND_PSUM_ONLY,
         TRN_FAULT_ILLEGAL_INSTRUCTION, "tensor_start_addr_valid",
         "operand address 0x0 held in a register is in SBUF, this operand must be in PSUM"},
        {0x2000000, TRN_DTYPE_BFLOAT16, 1, TRN_OPERAND_WRITE, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "tensor_start_addr_valid",
         "operand address 0x2000000 held in a register is in PSUM, where only 4-byte elements may "
         "be written"},
        {0x2000000, TRN_DTYPE_BFLOAT16, 1, TRN_OPERAND_READ, TRN_FAULT_NONE, "", ""},
        {0x2000000, TRN_DTYPE_BFLOAT16, 1, TRN_OPERAND_WRITE | TRN_OPERAND_MATMUL, TRN_FAULT_NONE,
         "", ""},
        {0, TRN_DTYPE_FP32, 0, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "check_active_channels", "0 channels; 1 to 128 are legal"},
        {0, TRN_DTYPE_FP32, 129, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "check_active_channels", "129 channels; 1 to 128 are legal"},
        {0, TRN_DTYPE_INVALID, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION, "is_valid_dtype",
         "data type 0x0 has no addressable elements"},
        {0, TRN_DTYPE_FP4_EXP2, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION,
         "is_valid_dtype", "data type 0x10 has no addressable elements"},
        {0, TRN_DTYPE_CPTC3, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION, "is_valid_dtype",
         "data type 0x1b has no addressable elements"},
        {0, 0xEE, 1, TRN_OPERAND_READ, TRN_FAULT_ILLEGAL_INSTRUCTION, "is_valid_dtype",
         "data type 0xee has no addressable elements"},
    };
    struct core core;
    open_core(&core, "sunda", TRN_RESET_ZERO);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trn_operand operand;
        core.regs.r[17] = cases[i].address;
        const trn_status status = open_row(&core, ADDR_REG | 17, 1, cases[i].dtype,
                                           cases[i].channels, cases[i].use, &operand);
        if (cases[i].klass == TRN_FAULT_NONE)
            assert_int_equal(status, TRN_OK);
        else
            expect_fault(&core, status, cases[i].klass, cases[i].rule, cases[i].message);
    }
    close_core(&core);
}

static void test_pool_does_not_reach_psum(void **state)
{
    (void)state;
    struct core core;
    struct trn_operand operand;
    open_core(&core, "sunda", TRN_RESET_ZERO);
    core.x.engine = TRN_NEURON_ENGINE_POOL;
    assert_int_equal(open_row(&core, 0, 4, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand), TRN_OK);
    expect_fault(&core,
                 open_row(&core, 0x2000000, 4, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand),
                 TRN_FAULT_ILLEGAL_INSTRUCTION, "pool_no_psum",
                 "operand address 0x2000000 is in PSUM, which POOL cannot reach");
    close_core(&core);
}

static void test_endless_pattern_is_refused(void **state)
{
    (void)state;
    struct core core;
    struct trn_operand operand;
    open_core(&core, "sunda", TRN_RESET_ZERO);
    const struct shape most = {4, {0, 0, 0, 0}, {65535, 65535, 65535, 65535}};
    expect_fault(&core, open_shape(&core, 0, &most, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand),
                 TRN_FAULT_NOT_MODELLED, "",
                 "18445618199572250625 elements a lane; this model executes up to 67108864");
    const struct shape fits = {3, {0, 0, 0}, {32768, 2048, 1}};
    assert_int_equal(open_shape(&core, 0, &fits, TRN_DTYPE_FP32, 1, TRN_OPERAND_READ, &operand),
                     TRN_OK);
    close_core(&core);
}

/* ---- reports ---------------------------------------------------------------------- */

struct log {
    struct trn_access accesses[8];
    unsigned count;
};

static void note(void *context, const struct trn_access *access)
{
    struct log *log = context;
    assert_true(log->count < 8);
    log->accesses[log->count++] = *access;
}

static void test_access_is_reported_once(void **state)
{
    (void)state;
    struct core core;
    struct trn_operand operand;
    struct log log = {.count = 0};
    const struct trn_mem_observer observer = {&log, note};
    open_core(&core, "mariana", TRN_RESET_ZERO);
    core.mem->observer = &observer;
    const struct shape columns = {3, {2, 100, 1}, {8, 5, 1}};
    assert_int_equal(
        open_shape(&core, 0x100, &columns, TRN_DTYPE_BFLOAT16, 7, TRN_OPERAND_READ_WRITE, &operand),
        TRN_OK);
    assert_int_equal(log.count, 2);
    assert_false(log.accesses[0].write);
    assert_true(log.accesses[1].write);
    for (unsigned i = 0; i < 2; i++) {
        const struct trn_access *a = &log.accesses[i];
        assert_int_equal(a->space, TRN_SPACE_SBUF);
        assert_int_equal(a->channels, 7);
        assert_int_equal(a->byte, 0x100);
        assert_int_equal(a->size, 2);
        assert_int_equal(a->num[0] * a->num[1] * a->num[2] * a->num[3], 40);
        assert_int_equal(a->step[0], 4);
        assert_int_equal(a->step[1], 200);
        assert_int_equal(a->engine, TRN_NEURON_ENGINE_DVE);
        assert_int_equal(a->pc, 0x1000040);
        assert_null(a->index);
        assert_false(a->keeps_fresh);
    }
    log.count = 0;
    uint8_t bytes[20];
    put_indirect(bytes, INDIRECT_IMM | 0x200, 0x800, 6);
    assert_int_equal(trn_operand_open(&core.x, bytes, TRN_TYPE_PATTERN3D, TRN_DTYPE_FP32, 4,
                                      TRN_OPERAND_WRITE, &operand),
                     TRN_OK);
    assert_int_equal(log.count, 2); /* the list is read, the elements are written */
    assert_false(log.accesses[0].write);
    assert_int_equal(log.accesses[0].byte, 0x200);
    assert_int_equal(log.accesses[0].size * log.accesses[0].num[0], 12);
    assert_true(log.accesses[1].write);
    assert_int_equal(log.accesses[1].byte, 0x800);
    assert_int_equal(log.accesses[1].num[0], 6);
    assert_ptr_equal(log.accesses[1].index, operand.index);
    log.count = 0;
    assert_int_equal(open_row(&core, 0x2000000, 4, TRN_DTYPE_FP32, 1,
                              TRN_OPERAND_WRITE | TRN_OPERAND_MATMUL, &operand),
                     TRN_OK);
    assert_true(log.accesses[0].keeps_fresh);
    log.count = 0; /* a refused operand touches nothing */
    assert_int_equal(open_row(&core, 2, 4, TRN_DTYPE_FP32, 1, TRN_OPERAND_WRITE, &operand),
                     TRN_ERR_FAULT);
    assert_int_equal(log.count, 0);
    close_core(&core);
}

/* ---- overlap ---------------------------------------------------------------------- */

static enum trn_overlap overlap(struct core *core, uint32_t start_a, const struct shape *a,
                                uint8_t dtype_a, uint32_t start_b, const struct shape *b,
                                uint8_t dtype_b)
{
    struct trn_operand operand_a, operand_b;
    assert_int_equal(open_shape(core, start_a, a, dtype_a, 32, TRN_OPERAND_READ, &operand_a),
                     TRN_OK);
    assert_int_equal(open_shape(core, start_b, b, dtype_b, 32, TRN_OPERAND_WRITE, &operand_b),
                     TRN_OK);
    const enum trn_overlap result = trn_operand_overlap(&operand_a, &operand_b);
    assert_int_equal(trn_operand_overlap(&operand_b, &operand_a), result);
    return result;
}

static void test_overlap_of_two_operands(void **state)
{
    (void)state;
    struct core core;
    open_core(&core, "mariana", TRN_RESET_ZERO);
    const struct shape row = {1, {1}, {100}}, pairs = {2, {1, 10}, {10, 10}};
    const struct shape even = {1, {2}, {50}}, back = {1, {-1}, {100}}, one = {1, {0}, {100}};
    const uint8_t fp32 = TRN_DTYPE_FP32, bf16 = TRN_DTYPE_BFLOAT16;
    assert_int_equal(overlap(&core, 0, &row, fp32, 400, &row, fp32), TRN_OVERLAP_NONE);
    assert_int_equal(overlap(&core, 0, &row, fp32, 396, &row, fp32), TRN_OVERLAP_PARTIAL);
    assert_int_equal(overlap(&core, 0, &row, fp32, 0, &row, fp32), TRN_OVERLAP_SAME);
    assert_int_equal(overlap(&core, 0, &row, fp32, 0, &pairs, fp32), TRN_OVERLAP_SAME);
    assert_int_equal(overlap(&core, 0, &row, fp32, 0, &row, bf16), TRN_OVERLAP_PARTIAL);
    assert_int_equal(overlap(&core, 0, &row, fp32, 0, &row, TRN_DTYPE_INT32), TRN_OVERLAP_SAME);
    assert_int_equal(overlap(&core, 0, &even, fp32, 4, &even, fp32), TRN_OVERLAP_PARTIAL);
    assert_int_equal(overlap(&core, 396, &back, fp32, 0, &row, fp32), TRN_OVERLAP_PARTIAL);
    assert_int_equal(overlap(&core, 396, &back, fp32, 396, &back, fp32), TRN_OVERLAP_SAME);
    /* every element is the same bytes: what is read depends on what was written before */
    assert_int_equal(overlap(&core, 0, &one, fp32, 0, &one, fp32), TRN_OVERLAP_PARTIAL);
    /* other partitions, other space */
    assert_int_equal(overlap(&core, 0, &row, fp32, 32 * 0x40000, &row, fp32), TRN_OVERLAP_NONE);
    assert_int_equal(overlap(&core, 0, &row, fp32, 0x2000000, &row, fp32), TRN_OVERLAP_NONE);
    close_core(&core);
}

/* ---- threads ---------------------------------------------------------------------- */

struct move {
    struct trn_operand from, to;
};

static void move_lanes(void *context, uint32_t begin, uint32_t end)
{
    const struct move *move = context;
    uint8_t buffer[2048];
    for (uint32_t lane = begin; lane < end; lane++)
        for (uint64_t first = 0; first < move->from.count; first += 100) {
            const uint64_t left = move->from.count - first, count = left < 100 ? left : 100;
            trn_operand_gather(&move->from, lane, first, count, buffer);
            trn_operand_scatter(&move->to, lane, first, count, buffer);
        }
}

static void test_any_number_of_threads_moves_the_same_bytes(void **state)
{
    (void)state;
    static uint8_t first_result[128 * 8192], result[128 * 8192];
    const struct shape from = {3, {3, -40, 400}, {13, 9, 6}}, to = {2, {2, 260}, {117, 6}};
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct core core;
        struct trn_workers *workers;
        struct move move;
        open_core(&core, "cayman", TRN_RESET_RANDOM);
        assert_int_equal(trn_workers_create(threads, &workers), TRN_OK);
        assert_int_equal(
            open_shape(&core, 0x2000, &from, TRN_DTYPE_FP32, 128, TRN_OPERAND_READ, &move.from),
            TRN_OK);
        assert_int_equal(
            open_shape(&core, 0x6000, &to, TRN_DTYPE_FP32, 128, TRN_OPERAND_WRITE, &move.to),
            TRN_OK);
        trn_workers_run(workers, 128, move_lanes, &move);
        for (uint32_t p = 0; p < 128; p++)
            window(&core, false, p, 0x6000, result + p * 8192, 8192);
        if (threads == 1)
            memcpy(first_result, result, sizeof result);
        assert_memory_equal(result, first_result, sizeof result);
        trn_workers_destroy(workers);
        close_core(&core);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gather_of_random_patterns),
        cmocka_unit_test(test_scatter_of_random_patterns),
        cmocka_unit_test(test_adjacent_dimensions_merge),
        cmocka_unit_test(test_address_from_a_register),
        cmocka_unit_test(test_shape_from_a_register),
        cmocka_unit_test(test_indirect_gather_and_scatter),
        cmocka_unit_test(test_index_outside_the_partition),
        cmocka_unit_test(test_lists_are_read_before_anything_is_written),
        cmocka_unit_test(test_scalar_a_lane_by_address),
        cmocka_unit_test(test_last_element_of_a_partition),
        cmocka_unit_test(test_operand_that_ends_past_the_active_bytes),
        cmocka_unit_test(test_negative_steps_reach_below),
        cmocka_unit_test(test_start_partition_rule_at_execution),
        cmocka_unit_test(test_rules_of_the_start_address),
        cmocka_unit_test(test_pool_does_not_reach_psum),
        cmocka_unit_test(test_endless_pattern_is_refused),
        cmocka_unit_test(test_access_is_reported_once),
        cmocka_unit_test(test_overlap_of_two_operands),
        cmocka_unit_test(test_any_number_of_threads_moves_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
