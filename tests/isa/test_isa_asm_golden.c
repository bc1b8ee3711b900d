/* SPDX-License-Identifier: Apache-2.0 */
/* Words whose 64 bytes were laid out by hand from the offsets of data/struct-fields.csv and the
 * values of data/enums.csv: the text must give these bytes, and these bytes the canonical text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "trench/isa.h"

struct golden {
    const char *gen;
    const char *text;      /* as somebody writes it */
    const char *canonical; /* as it is printed */
    const char *bytes;     /* 16 a row */
};

static const struct golden golden[] = {
    /* S3D3_TS: src 16, in 32, out 33, channels 34, op0 36, op1 37, imm0 40, imm1 44, dst 48; a
     * pattern is address, three steps, three counts. SEM_GE_IMM 5, SEM_INC_COMPLETE 0x13; FP32
     * 0x0A, BF16 6; ADD 4, MAX 8; 1.5 is 0x3FC00000. */
    {"cayman",
     "tensor_scalar_arith  src=sbuf[p0,0x0]:(512,1,1) in=fp32 dst=sbuf[p0,0x1000]:(512,1,1)\n"
     "    out=bf16 ch=128 op0=add imm0=1.5 op1=max imm1=0.0 ; comment\n"
     "  wait   sem=3 ge 1\n"
     "  update sem=4 inc complete\n",
     "tensor_scalar_arith src=sbuf[p0,0x0]:(512,1,1) in=fp32 dst=sbuf[p0,0x1000]:(512,1,1) "
     "out=bf16 "
     "ch=128 op0=add imm0=1.5 op1=max imm1=0.0\n"
     "  wait sem=3 ge 1\n"
     "  update sem=4 inc complete\n",
     "43 10 00 00 05 03 13 04 01 00 00 00 00 00 00 00"
     "00 00 00 00 01 00 01 00 01 00 00 02 01 00 01 00"
     "0a 06 80 00 04 08 00 00 00 00 c0 3f 00 00 00 00"
     "00 10 00 00 01 00 01 00 01 00 00 02 01 00 01 00"},
    /* the same struct: imm0_src 35 POINTER 1, imm1_src 39 REG_PTR 2; partition 64 is 64 * 0x40000 =
     * 0x1000000; UINT32 9, BITWISE_AND 0x0A, BITWISE_XOR 0x0C; steps (1,2,7), counts (2,3,4) */
    {"mariana",
     "TENSOR_SCALAR_BITVEC_OP SRC_MEM_PATTERN=sbuf[p0,64]:(2,3,4)/(1,2,7) in_dtype=UINT32 out=0x9\n"
     "  dst=sbuf[0,0]:(24) num_active_channels=0x20 op0=bitwise_and imm0=sbuf[p64,0x20]\n"
     "  op1=bitwise_xor imm1=r9",
     "tensor_scalar_bitvec src=sbuf[p0,0x40]:(2,3,4)/(1,2,7) in=uint32 dst=sbuf[p0,0x0]:(24,1,1) "
     "out=uint32 ch=32 op0=bitwise_and imm0=sbuf[p64,0x20] op1=bitwise_xor imm1=r9\n",
     "53 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "40 00 00 00 01 00 02 00 07 00 02 00 03 00 04 00"
     "09 09 20 01 0a 0c 00 02 20 00 00 01 09 00 00 00"
     "00 00 00 00 01 00 01 00 01 00 18 00 01 00 01 00"},
    /* S3D3_MM on SUNDA: rows 38, cols 39, psum flags 43, groups 44 45, xbus_sel 46 follows from
     * column group Q1 = 2 (pe-array.md 2.1); 32 * 0x40000 + 0x400, 0x2000000 + 32 * 0x8000 + 0x800
     */
    {"sunda",
     "matmul src=sbuf[p32,0x400]:(512) in=bf16 dst=psum[p32,0x800]:(512) num_active_rows=32 "
     "num_active_cols=32 psum_accumulate_flags=single row_grp=q1 col_grp=q1",
     "matmul src=sbuf[p32,0x400]:(512,1,1) in=bf16 dst=psum[p32,0x800]:(512,1,1) "
     "num_active_rows=32 "
     "num_active_cols=32 psum_accumulate_flags=single row_grp=q1 col_grp=q1\n",
     "02 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 04 80 00 01 00 01 00 01 00 00 02 01 00 01 00"
     "06 00 00 00 00 00 20 20 00 00 00 03 02 02 02 00"
     "00 08 10 02 01 00 01 00 01 00 00 02 01 00 01 00"},
    /* S3D3_MM on MAVERICK: out 34, rows 35, cols 36, tile_size 37 (row 7 low, col 8 high), tile_sel
     * 38, flags 39 (accumulate bit 4, xpose bit 5), perf_mode 40; PSUM at 0x08000000 */
    {"maverick",
     "matmul src=sbuf[p0,0]:(64) in=fp16 dst=psum[p0,0]:(64) out=fp32 num_active_rows=128 "
     "tile_size.row_size=r128 tile_size.col_size=c256 tile_sel.row_sel=1 "
     "flags.accumulate=accumulate flags.xpose=1 perf_mode=quad_row",
     "matmul src=sbuf[p0,0x0]:(64,1,1) in=fp16 dst=psum[p0,0x0]:(64,1,1) out=fp32 "
     "num_active_rows=128 tile_size.row_size=r128 tile_size.col_size=c256 tile_sel.row_sel=1 "
     "flags.accumulate=accumulate flags.xpose=1 perf_mode=quad_row\n",
     "02 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 01 00 01 00 01 00 40 00 01 00 01 00"
     "07 00 0a 80 00 87 01 30 01 00 00 00 00 00 00 00"
     "00 00 00 08 01 00 01 00 01 00 40 00 01 00 01 00"},
    /* S3D3_AC: bias_src_n 15 counts the other way round, 1 = in the instruction; in_bias_dtype 32
     * is low FP32 0xA, high BF16 6; 0.5 is 0x3F000000 */
    {"cayman",
     "activate src=psum[p0,0]:(4) in_bias=fp32/bf16 dst=sbuf[p0,0x100]:(4) out=fp16 ch=64 "
     "activation_func=5 scale_value=0.5",
     "activate src=psum[p0,0x0]:(4,1,1) in_bias=fp32/bf16 dst=sbuf[p0,0x100]:(4,1,1) out=fp16 "
     "ch=64 "
     "activation_func=5 scale_value=0.5\n",
     "21 10 00 00 00 00 00 00 00 00 00 00 00 00 00 01"
     "00 00 00 02 01 00 01 00 01 00 04 00 01 00 01 00"
     "6a 07 40 05 00 00 00 3f 00 00 00 00 00 00 00 00"
     "00 01 00 00 01 00 01 00 01 00 04 00 01 00 01 00"},
    /* the same with a bias pointer (bias_src_n 0) and the third immediate in a register (imm_src 12
       = 2) */
    {"cayman",
     "activate src=psum[p0,0]:(4) in_bias=fp32/fp32 dst=sbuf[p0,0x100]:(4) out=fp32 ch=64 "
     "bias=sbuf[p0,0x40] imm=r7",
     "activate src=psum[p0,0x0]:(4,1,1) in_bias=fp32/fp32 dst=sbuf[p0,0x100]:(4,1,1) out=fp32 "
     "ch=64 "
     "bias=sbuf[p0,0x40] imm=r7\n",
     "21 10 00 00 00 00 00 00 00 00 00 00 02 00 00 00"
     "00 00 00 02 01 00 01 00 01 00 04 00 01 00 01 00"
     "aa 0a 40 00 00 00 00 00 40 00 00 00 07 00 00 00"
     "00 01 00 00 01 00 01 00 01 00 04 00 01 00 01 00"},
    /* CTRL_ES: the second block at 32 has two values; SEM_EQ_IMM 1, SEM_GT_IMM 4,
     * SEM_SUB_IMM_COMPLETE 0x17 */
    {"sunda", "event_semaphore\n  wait sem=1 eq 5\n  ext_wait sem=2 gt 6\n  ext_update sem=3 sub 7",
     "event_semaphore\n  wait sem=1 eq 5\n  ext_wait sem=2 gt 6\n"
     "  ext_update sem=3 sub 7 complete\n",
     "a0 10 00 00 01 01 00 00 05 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "04 02 17 03 06 00 00 00 07 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* EVENTS on MAVERICK: SEM_GE_REG_OFFSET 0x95, value = register in 7:0, offset in 31:8 */
    {"maverick", "nop\n wait sem=200 ge r5+12", "nop\n  wait sem=200 ge r5+12\n",
     "a4 10 00 00 95 c8 00 00 05 0c 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* CTRL_MV: count 12, type 13 INT32 8, source 14 IMMEDIATE 1, destinations 24, values 32 */
    {"sunda",
     "move num_mov=2 dtype=int32 move_source=immediate dst_registers=[r1, r2] "
     "immediate=[10, 0x80000000, 0]",
     "move num_mov=2 dtype=int32 move_source=immediate dst_registers=[r1,r2] "
     "immediate=[10,0x80000000]\n",
     "a7 10 00 00 00 00 00 00 00 00 00 00 02 08 01 00"
     "00 00 00 00 00 00 00 00 01 02 00 00 00 00 00 00"
     "0a 00 00 00 00 00 00 80 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* CTRL_BR: GE_IMM 5, UINT32 9, REL_IMMEDIATE 3, compare value 16, register 32, distance -64 at
       48 */
    {"cayman", "branch ge.uint32 r3 10 .-64", "branch ge.uint32 r3 10 .-64\n",
     "a9 10 00 00 00 00 00 00 00 00 00 00 05 09 03 00"
     "0a 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "c0 ff ff ff 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* DMA_DIRECT2D: priority 12, semaphore 13, increment 14, ADD 1 at 15, source 16, steps 24 28,
     * counts 32 34, size 36, bounds 38 (0x80 | 6) and 39 (0xC0 | 8), destination 40 with marker
     * 0xC0 in byte 47, step 48, types 62 63 */
    {"cayman",
     "dmamemcpy dma_configs.priority_class=2 semaphore=9 sem_increment=1 compute_op=add "
     "src_start_addr=0x123456789a src_step_elem_0=1 src_step_elem_1=-64 src_num_elem_0=512 "
     "src_num_elem_1=2 src_elem_size=4 src_bound_reg=r6 dst_bound_reg=r8/silent "
     "dst_start_addr=shape(r4/r5) dst_step_elem_0=3 in=fp32 out=fp32",
     "dmamemcpy dma_configs.priority_class=2 semaphore=9 sem_increment=1 compute_op=add "
     "src_start_addr=0x123456789a src_step_elem_0=1 src_step_elem_1=-64 src_num_elem_0=512 "
     "src_num_elem_1=2 src_elem_size=4 src_bound_reg=r6 dst_bound_reg=r8/silent "
     "dst_start_addr=shape(r4/r5) dst_step_elem_0=3 in=fp32 out=fp32\n",
     "b8 10 00 00 00 00 00 00 00 00 00 00 02 09 01 01"
     "9a 78 56 34 12 00 00 00 01 00 00 00 c0 ff ff ff"
     "00 02 02 00 04 00 86 c8 04 05 00 00 00 00 00 c0"
     "03 00 00 00 00 00 00 00 00 00 00 00 00 00 0a 0a"},
    /* DMA_COPY2D uses bytes 4..11 itself: wait value 4, index 8, mode 9 SEM_GE_IMM 5; engines 10 =
     * 3 | 1 << 5; flags 11 = 1 | 5 << 2; modes 12 = REG_IMM32 2; update 13 = 1 << 4; source
     * {r2,0,0,0,0x100} */
    {"maverick",
     "dma_memcpy2 wait_sema_value=5 wait_sema_idx=4 wait_sema_mode=sem_ge_imm "
     "dma_engines.start_id=3 dma_engines.engine_count=two dma_flags.tdg=1 dma_flags.queue_id=5 "
     "addr_mode.src=reg_imm32 sema_update_mode.wr_done=local_sem_inc "
     "src_start_addr=regs(r2,r0,r0,0x100) src_step_elem=[1,-2] src_num_elem=[8,2] src_elem_size=4 "
     "wr_done_sema_update_idx=7 dst_start_addr=0x80001000 dst_step_elem=[1,8] dst_num_elem=[16] "
     "dst_elem_size=4 remote_core_id=r9",
     "dma_memcpy2 wait_sema_value=5 wait_sema_idx=4 wait_sema_mode=sem_ge_imm "
     "dma_engines.start_id=3 dma_engines.engine_count=two dma_flags.tdg=1 dma_flags.queue_id=5 "
     "addr_mode.src=reg_imm32 sema_update_mode.wr_done=local_sem_inc "
     "src_start_addr=regs(r2,r0,r0,256) src_step_elem=[1,-2] src_num_elem=[8,2] src_elem_size=4 "
     "wr_done_sema_update_idx=7 dst_start_addr=0x80001000 dst_step_elem=[1,8] dst_num_elem=[16] "
     "dst_elem_size=4 remote_core_id=r9\n",
     "b9 10 00 00 05 00 00 00 04 05 23 15 02 10 00 00"
     "02 00 00 00 00 01 00 00 01 00 00 00 fe ff ff ff"
     "08 00 02 00 04 00 07 00 00 10 00 80 00 00 00 00"
     "01 00 00 00 08 00 00 00 10 00 00 00 04 00 09 00"},
    /* EXTENDED_TT: completion_info 13 = has_write bit 2, ports 2 << 3; types 14 (both halves FP32),
     * 15; MULT 6 at 16; patterns 20, 32, 44; steps of (16,2) are (1,16); r3 has marker 0x80 */
    {"cayman",
     "extended_inst extended_opcode=tensor_tensor_arith src0=sbuf[p0,0]:(16,2) in0_in1=fp32 "
     "src1=sbuf[p0,0x80]:(16,2)/(2,32) dst=r3:(32) out=fp32 op=mult completion_info.has_write=1 "
     "completion_info.num_active_ports=2",
     "extended_inst extended_opcode=tensor_tensor_arith src0=sbuf[p0,0x0]:(16,2) in0_in1=fp32/fp32 "
     "src1=sbuf[p0,0x80]:(16,2)/(2,32) dst=r3:(32,1) out=fp32 completion_info.has_write=1 "
     "completion_info.num_active_ports=2 op=mult\n",
     "f0 10 00 00 00 00 00 00 00 00 00 00 02 14 aa 0a"
     "06 00 00 00 00 00 00 00 01 00 10 00 10 00 02 00"
     "80 00 00 00 02 00 20 00 10 00 02 00 03 00 00 80"
     "01 00 01 00 20 00 01 00 00 00 00 00 00 00 00 00"},
    /* the same opcode on SUNDA has no arms: byte 14 on are payload */
    {"sunda",
     "extended_inst extended_opcode=tensor_tensor_arith "
     "payload=hex:01020000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000ff00",
     "extended_inst extended_opcode=tensor_tensor_arith "
     "payload=hex:01020000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000ff00\n",
     "f0 10 00 00 00 00 00 00 00 00 00 00 02 00 01 02"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 00"},
    /* S3DMX1_QUANT: channels 33, types 34 35 (FP8_EXP4 0x0E), destination 48: data, scales, count
     * u16, step i8, partition offset; byte 1 = 0x11 is its SATURATE flag */
    {"mariana",
     "quantize_mx src=sbuf[p0,0]:(256) dst=sbuf[p0,0x2000]:(1024)+scale(sbuf[p0,0x3000],4) "
     "ch=32 in=bf16 out=fp8_exp4 inst_word_len=0x11",
     "quantize_mx src=sbuf[p0,0x0]:(256,1,1) dst=sbuf[p0,0x2000]:(1024)+scale(sbuf[p0,0x3000],4) "
     "out=fp8_exp4 ch=32 in=bf16 inst_word_len=17\n",
     "e3 11 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 01 00 01 00 01 00 00 01 01 00 01 00"
     "00 20 06 0e 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 20 00 00 00 30 00 00 00 04 01 04 00 00 00 00"},
    /* S4D4_IC: the indirect arm is index address with bit 29, data address, count u16 */
    {"sunda",
     "indirect_copy src=sbuf[p0,0x4000]:idx(sbuf[p0,0x100],64) in=fp32 dst=sbuf[p0,0x8000]:(64) "
     "out=fp32 ch=16 src_num_elem_per_idx=1 src_buffer_size=512",
     "indirect_copy src=sbuf[p0,0x4000]:idx(sbuf[p0,0x100],64) in=fp32 "
     "dst=sbuf[p0,0x8000]:(64,1,1,1) out=fp32 ch=16 src_num_elem_per_idx=1 src_buffer_size=512\n",
     "e7 10 00 00 00 00 00 00 00 00 00 00 00 01 00 20"
     "00 40 00 00 40 00 00 00 00 00 00 00 00 00 00 00"
     "0a 0a 10 01 00 00 00 02 00 00 00 00 00 80 00 00"
     "01 00 01 00 01 00 01 00 40 00 01 00 01 00 01 00"},
    /* S3_LW on MAVERICK: MXTENSOR_V2, marker 1 in the low bits of byte 19; data, scales, u8 counts
     * 24 25, steps 26 28, log2 sizes 30 (P low, F high), type 31 SFP8_E8 0x13 */
    {"maverick",
     "ldweights src=sbuf[p0,0x40]:mx(64,2,128)+scale(sbuf[p0,0x800],-4,3,2,sfp8_e8) in=fp8_exp4",
     "ldweights src=sbuf[p0,0x40]:mx(64,2,128)+scale(sbuf[p0,0x800],-4,3,2,sfp8_e8) in=fp8_exp4\n",
     "01 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "40 00 00 01 00 08 00 00 40 02 80 00 fc ff 23 13"
     "0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* CTRL_CCI: compact instructions from byte 4; MOV_IMM_LO 2, ADD 0x10 */
    {"maverick", "compact_control_inst insts=[mov_imm_lo:0x102, add, 0x12345678]",
     "compact_control_inst insts=[mov_imm_lo:0x102,add:0x0,0x78:0x123456]\n",
     "b6 10 00 00 02 02 01 00 10 00 00 00 78 56 34 12"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    /* D4_IOTA: generator 12 = base, steps, counts; multiplier 36 */
    {"sunda", "iota src=-5:(8)/(2) dst=sbuf[p0,0]:(8) out=int32 ch=128 channel_multiplier=-3",
     "iota src=-5:(8,1,1,1)/(2,1,1,1) dst=sbuf[p0,0x0]:(8,1,1,1) out=int32 ch=128 "
     "channel_multiplier=-3\n",
     "7e 10 00 00 00 00 00 00 00 00 00 00 fb ff ff ff"
     "02 00 01 00 01 00 01 00 08 00 01 00 01 00 01 00"
     "00 08 80 00 fd ff ff ff 00 00 00 00 00 00 00 00"
     "01 00 01 00 01 00 01 00 08 00 01 00 01 00 01 00"},
    /* PSEUDO_FUNCTION_CALL: 36 characters from 12, variable 48 */
    {"cayman", "pseudo_function_call name=\"f\\\"1\\x01\" args_table_var_id=7",
     "pseudo_function_call name=\"f\\\"1\\x01\" args_table_var_id=7\n",
     "d3 10 00 00 00 00 00 00 00 00 00 00 66 22 31 01"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
     "07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
};

static void bytes_of(const char *text, uint8_t bytes[TRN_INST_BYTES])
{
    size_t digits = 0;
    for (; *text; text++) {
        if (*text == ' ')
            continue;
        const int value = *text <= '9' ? *text - '0' : *text - 'a' + 10;
        bytes[digits / 2] = (uint8_t)(bytes[digits / 2] * 16 + value);
        digits++;
    }
    assert_int_equal(digits, 2 * TRN_INST_BYTES);
}

static void test_text_gives_the_bytes_of_the_sheet(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        const struct golden *g = &golden[i];
        const struct trn_asm_options options = {.gen = trn_gen_find(g->gen), .engine = 3};
        struct trn_program program;
        struct trn_diag diag;
        uint8_t expected[TRN_INST_BYTES] = {0};
        bytes_of(g->bytes, expected);
        if (trn_asm(g->text, strlen(g->text), &options, &program, NULL, NULL, &diag) != TRN_OK)
            fail_msg("%s: %s: %s", g->text, diag.where, diag.message);
        assert_int_equal(program.num_streams, 1);
        assert_int_equal(program.streams[0].num_words, 1);
        assert_memory_equal(program.streams[0].words, expected, TRN_INST_BYTES);
        trn_program_free(&program);
    }
}

static void test_bytes_of_the_sheet_give_the_canonical_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        const struct golden *g = &golden[i];
        uint8_t word[TRN_INST_BYTES] = {0};
        char text[TRN_DIS_MAX];
        bytes_of(g->bytes, word);
        assert_int_equal(trn_dis_word(trn_gen_find(g->gen), word, text), strlen(g->canonical));
        assert_string_equal(text, g->canonical);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_gives_the_bytes_of_the_sheet),
        cmocka_unit_test(test_bytes_of_the_sheet_give_the_canonical_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
