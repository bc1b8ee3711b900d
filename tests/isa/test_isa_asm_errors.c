/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong texts: where the error is, what it is, and what would have been right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/text_branch.h"
#include "trench/isa.h"

/* All diagnostics of a text, one a line: `LINE:COLUMN MESSAGE; EXPECTED`. */
struct log {
    char text[1 << 15];
    size_t count;
};

static void note(void *context, const struct trn_diag *diag)
{
    struct log *log = context;
    const size_t used = strlen(log->text);
    const char *place = strchr(diag->where, ':') + 1;
    snprintf(log->text + used, sizeof log->text - used, "%s%s %s%s%s", used ? "\n" : "", place,
             diag->message, *diag->expected ? "; " : "", diag->expected);
    log->count++;
}

static void assemble(const char *text, size_t size, const struct trn_asm_options *options,
                     struct log *log)
{
    struct trn_program program;
    struct trn_diag first;
    log->text[0] = '\0';
    log->count = 0;
    assert_int_equal(trn_asm(text, size, options, &program, note, log, &first), TRN_ERR_INVALID);
    assert_int_equal(program.num_streams, 0);
    assert_null(program.gen);
    assert_int_equal(first.status, TRN_ERR_INVALID);
    assert_true(log->count > 0);
    assert_non_null(strstr(log->text, first.message));
}

struct row {
    const char *gen, *text, *errors;
};

static const struct row rows[] = {
    /* ---- mnemonics */
    {"cayman", "tensor_scaler_arith",
     "1:1 unknown mnemonic 'tensor_scaler_arith'; did you mean "
     "'tensor_scalar_arith'?"},
    {"cayman", "zzzzzz",
     "1:1 unknown mnemonic 'zzzzzz'; `trench explain` knows the opcodes; "
     "unknown ones are written as .word"},
    {"sunda", "\n  rand2",
     "2:3 'rand2' does not exist on sunda; mariana, mariana_plus and maverick "
     "have it"},
    {"cayman", "hint", "1:1 'hint' does not exist on cayman; no generation has it"},
    {"cayman", "pe_reg_write",
     "1:1 'pe_reg_write' has no known layout on cayman; write its 64 bytes with .word"},
    {"sunda", "tensor_dequantize",
     "1:1 'tensor_dequantize' has no known layout on sunda; write its 64 bytes with .word"},
    /* ---- fields */
    {"cayman", "tensor_scalar_arith imm3=1",
     "1:21 tensor_scalar_arith has no field 'imm3'; did you mean 'imm0'?"},
    {"cayman", "set_ordering_mode xyzzyxyzzy=1",
     "1:19 set_ordering_mode has no field 'xyzzyxyzzy'; its fields are ordering_mode, "
     "inst_word_len, debug_cmd, debug_hint"},
    {"cayman", "halt opcode=3",
     "1:6 halt has no field 'opcode'; its fields are notify_payload, act_tbl_sel, drain_count, "
     "inst_word_len, debug_cmd, debug_hint"},
    {"cayman", "ldweights xbus_sel=1",
     "1:11 'xbus_sel' of ldweights does not exist on cayman; sunda "
     "has it"},
    {"cayman", "halt act_tbl_sel=1 act_tbl_sel=1", "1:20 'act_tbl_sel' is given twice"},
    {"cayman", "halt\n wait_idx=3 wait_idx=3", "2:13 'wait_idx' is given twice"},
    {"cayman", "halt act_tbl_sel",
     "1:6 unexpected 'act_tbl_sel'; operands are written field=value"},
    {"cayman", "halt act_tbl_sel = 3",
     "1:6 unexpected 'act_tbl_sel'; operands are written "
     "field=value"},
    {"cayman", "halt ?", "1:6 unexpected '?'; operands are written field=value"},
    {"cayman", "act_tbl_sel=1", "1:1 fields belong to the word above them, and there is none"},
    {"cayman", "halt act_tbl_sel=1,", "1:19 unexpected ',' after the value of 'act_tbl_sel'"},
    {"cayman", "extended_inst completion_info.has_read=1 extended_opcode=cptc_decode",
     "1:42 extended_opcode must be the first field: it decides which others there are"},
    {"sunda", "tensor_scalar_ptr_multi_dual_bitvec ch=1",
     "1:1 'tensor_scalar_ptr_multi_dual_bitvec' is switched off on sunda and never executes; write "
     ".disabled before it to have the word all the same"},
    {"cayman", ".disabled tensor_scalar_ptr_multi_dual_bitvec ch=1",
     "1:11 'tensor_scalar_ptr_multi_dual_bitvec' does not exist on cayman; sunda has it"},
    {"sunda", ".disabled copy", "1:11 'copy' is not switched off on sunda; leave .disabled out"},
    {"sunda", ".disabled", "1:10 .disabled needs the instruction that it allows"},
    /* ---- numbers */
    {"cayman", "halt act_tbl_sel=300",
     "1:18 300 does not fit 'act_tbl_sel', which has 8 bits; 0..255 is accepted"},
    {"cayman", "halt act_tbl_sel=-1",
     "1:18 -1 does not fit 'act_tbl_sel', which has 8 bits; 0..255 is accepted"},
    {"cayman", "halt act_tbl_sel=1.5",
     "1:18 'act_tbl_sel' takes an integer; fp32:1.5 gives the bits of a float"},
    {"cayman", "halt act_tbl_sel=", "1:18 a number was expected"},
    {"cayman", "halt act_tbl_sel=12ab", "1:18 a number was expected"},
    {"cayman", "halt notify_payload=0x1ffffffff",
     "1:21 0x1ffffffff does not fit 'notify_payload', which has 32 bits; 0..0xffffffff is "
     "accepted"},
    {"cayman", "poll_sem addr=0x1ffffffffffffffff", "1:15 the number has more than 64 bits"},
    {"cayman", "branch_prefetch_hint branch_offset=-3000000000",
     "1:36 -3000000000 does not fit 'branch_offset', which has 32 bits; "
     "-2147483648..0x7fffffff is accepted"},
    {"cayman", "pool pool_scale=1e39", "1:17 the number is too large for fp32"},
    {"cayman", "pool pool_scale=abc", "1:17 a number was expected"},
    {"cayman", "tensor_scalar_bitvec imm0=5000000000",
     "1:27 the number does not fit 'imm0', which has 32 bits"},
    {"mariana", "rand2 min=nan:5",
     "1:11 nan: needs the 32 bits, as in nan:0x7fc00001; a number, a "
     "pointer or a register"},
    /* ---- enums and pairs */
    {"cayman", "tensor_scalar_arith op0=ad", "1:25 ALU_OP has no member 'ad'; did you mean 'add'?"},
    {"cayman", "tensor_scalar_arith reverse_operands=qqqqqqqq",
     "1:38 REV_OPS has no member 'qqqqqqqq'; it has none, first, second, both"},
    {"sunda", "tensor_scalar_arith op0=re_lu",
     "1:25 ALU_OP 're_lu' does not exist on sunda; mariana, mariana_plus and maverick have it"},
    {"cayman", "tensor_scalar_arith op0=256",
     "1:25 256 does not fit 'op0', which has 8 bits; 0..255 is accepted"},
    {"mariana", "tensor_tensor_arith in0_in1=cptc1/fp32",
     "1:29 cptc1 is 0x19 and does not fit 'in0_in1', which has 4 bits"},
    {"mariana", "tensor_tensor_arith in0_in1=99/fp32", "1:29 the halves of 'in0_in1' have 4 bits"},
    {"mariana", "tensor_tensor_arith in0_in1=fp32/16",
     "1:34 16 does not fit 'in0_in1', which has 4 bits; 0..15 is accepted"},
    /* ---- registers and addresses */
    {"cayman", "alu src0_lo=r256", "1:13 a register was expected; r0..r63, r128 and r129 exist"},
    {"cayman", "alu src0_lo=top", "1:13 a register was expected; r0..r63, r128 and r129 exist"},
    {"cayman", "dmamemcpy src_bound_reg=r64",
     "1:25 r64 cannot be a bound register; r0..r63 are accepted"},
    {"cayman", "dmamemcpy src_bound_reg=r6/loud", "1:28 only 'silent' may follow a bound register"},
    {"cayman", "dmamemcpy src_start_addr=r4",
     "1:28 a 64-bit address needs two registers; rLOW/rHIGH"},
    {"cayman", "dmamemcpy src_start_addr=table[1,2", "1:35 ']' was expected"},
    {"cayman", "dmamemcpy src_start_addr=shape(5", "1:33 ')' was expected"},
    {"cayman", "dmamemcpy src_start_addr=shape(0x400000000000000)",
     "1:32 0x400000000000000 does not fit 'src_start_addr', which has 58 bits; "
     "0..0x3ffffffffffffff is accepted"},
    {"cayman", "activate_quantize bias_addr=sbuf[p0,0", "1:38 ']' was expected"},
    /* ---- patterns */
    {"cayman", "copy src=sbuf[p128,0x0]:(1)", "1:16 partition 128 is outside sbuf; p0..p127 exist"},
    {"cayman", "copy src=psum[p0,0x8000]:(1)",
     "1:18 byte 0x8000 is outside a partition of psum on cayman; bytes 0x0..0x7fff"},
    {"sunda", "copy src=sbuf[p0,0x40000]:(1)",
     "1:18 byte 0x40000 is outside a partition of sbuf on sunda; bytes 0x0..0x3ffff"},
    {"cayman", "copy src=hbm[p0,0]:(1)",
     "1:10 an address was expected; sbuf[p0,0x40], psum[p0,0x40], r5 or a number"},
    {"cayman", "copy src=0x20000000:(1)",
     "1:10 0x20000000 does not fit 'address', which has 29 bits; 0..0x1fffffff is accepted"},
    {"cayman", "copy src=sbuf[p0,0]", "1:20 ':' and the shape were expected; START:(COUNTS)"},
    {"cayman", "copy src=sbuf[p0,0]:(1,2,3,4,5)", "1:21 the pattern has 4 dimensions"},
    {"cayman", "copy src=sbuf[p0,0]:(1,2)/(1)", "1:27 1 steps are given for 2 counts"},
    {"cayman", "copy src=sbuf[p0,0]:(65536)",
     "1:22 65536 does not fit 'count', which has 16 bits; 0..65535 is accepted"},
    {"cayman", "copy src=sbuf[p0,0]:(4)/(40000)",
     "1:26 40000 does not fit 'step', which has 16 bits; -32768..32767 is accepted"},
    {"cayman", "copy src=sbuf[p0,0]:(300,300,2)",
     "1:10 the step of adjacent elements does not fit 16 bits; give the steps: (counts)/(steps)"},
    {"cayman", "copy src=sbuf[p0,0]:[4]",
     "1:21 'src' does not accept this form; (COUNTS), (COUNTS)/(STEPS), sN or idx(ADDRESS,COUNT)"},
    {"cayman", "copy src=sbuf[p0,0]:(4", "1:23 ',' was expected"},
    {"cayman", "copy src=sbuf p0,0]:(4)",
     "1:10 an address was expected; sbuf[p0,0x40], psum[p0,0x40], r5 or a number"},
    {"cayman", "copy src=hex:0011", "1:10 hex: needs 40 digits here, not 4"},
    {"mariana", "quantize_mx dst=sbuf[p0,0]:(4)",
     "1:31 an MX pattern needs its scales; +scale(ADDRESS,...)"},
    {"mariana", "quantize_mx dst=sbuf[p0,0]:(4)/(200)+scale(sbuf[p0,0],0)",
     "1:17 the step does not fit 8 bits; -128..127 is accepted"},
    {"maverick", "ldweights src=sbuf[p16,0]:mx(1,1,1)+scale(sbuf[p0,0],1,0,0,0)",
     "1:15 the marker of an MX pattern takes the upper address bits; addresses below 0x1000000 are "
     "accepted"},
    /* ---- immediates */
    {"cayman", "tensor_scalar_arith imm0=abc",
     "1:26 a number was expected; a number, a pointer or a register"},
    {"cayman", "batch_norm_grad_accumulate imm0=r5",
     "1:33 'imm0' cannot be a register; a pointer, or its bits as a number"},
    {"cayman", "match_value_load imm1=sbuf[p0,0]", "1:23 'imm1' cannot be a pointer; a number"},
    {"cayman", "tensor_scalar_addr imm0=r5",
     "1:25 'imm0' cannot be a register; a pointer, or its "
     "bits as a number"},
    /* ---- lists, strings, bytes */
    {"cayman", "move dst_registers=r1", "1:20 '[' was expected"},
    {"cayman", "move dst_registers=[r1 r2]", "1:24 ',' was expected"},
    {"cayman", "move dst_registers=[1,2,3,4,5,6,7,8,9]",
     "1:20 'dst_registers' holds at most 8 elements"},
    {"cayman", "move immediate=f32[1,2,3,4,5,6,7,8,9]",
     "1:16 'immediate' holds at most 8 elements"},
    {"cayman", "move dst_registers=[rx]",
     "1:21 a register was expected; r0..r63, r128 and r129 exist"},
    {"cayman", "pseudo_function_call name=abc",
     "1:27 'name' takes a string; a text in double "
     "quotes"},
    {"cayman", "pseudo_function_call name=\"abc", "1:27 the string does not end on its line"},
    {"cayman", "pseudo_function_call name=\"a\\qc\"",
     "1:29 unknown escape in a string; \\\\, \\\", \\n, \\t, \\0 and \\x41 are accepted"},
    {"cayman", "pseudo_function_call name=\"0123456789012345678901234567890123456\"",
     "1:27 the string has 37 bytes, 'name' holds 36"},
    {"cayman", "set_ordering_mode rsvd_13=7",
     "1:27 bytes were expected; hex: and two digits a byte, in memory order"},
    {"maverick", "compact_control_inst insts=[ad]",
     "1:29 CCOP has no member 'ad'; did you mean "
     "'add'?"},
    {"maverick", "compact_control_inst insts=[add:0x1000000]",
     "1:33 0x1000000 does not fit 'insts', which has 24 bits; 0..0xffffff is accepted"},
    {"maverick", "compact_control_inst insts=[256:1]",
     "1:29 an operation has 8 bits; OPERATION:BITS"},
    /* ---- .word */
    {"cayman", ".word 00 11",
     "1:7 .word needs 128 hexadecimal digits, not 4; the 64 bytes of a word in memory order"},
    {"cayman", ".word 0x11", "1:8 'x' is no hexadecimal digit"},
    {"cayman",
     ".word 0000000000000000000000000000000000000000000000000000000000000000"
     "0000000000000000000000000000000000000000000000000000000000000000\n wait_idx=1",
     "2:2 .word takes no fields"},
    /* ---- sync lines */
    {"cayman", "wait sem=3 ge 1", "1:1 'wait' belongs to the word above it, and there is none"},
    {"cayman", "halt\ntop:\nupdate sem=3 inc",
     "3:1 'update' belongs to the word above it, and there is none"},
    {"maverick", "dma_memcpy2\nwait sem=3 ge 1", "2:1 dma_memcpy2 has no sync block for 'wait'"},
    {"maverick", "halt\next_wait sem=3 ge 1", "2:1 halt has no sync block for 'ext_wait'"},
    {"cayman", "halt\nwait smm=3 ge 1", "2:6 'smm' is neither sem nor evt; sem=N or evt=N"},
    {"cayman", "halt\nwait sem=256 ge 1",
     "2:10 256 does not fit 'sem', which has 8 bits; 0..255 is accepted"},
    {"cayman", "halt\nwait sem=3", "2:11 a mode was expected; one of ge, eq, lt, le, gt"},
    {"cayman", "halt\nwait sem=3 gee 1", "2:12 wait has no mode 'gee' for sem; did you mean 'ge'?"},
    {"cayman", "halt\nwait evt=3 xxxxxxxx",
     "2:12 wait has no mode 'xxxxxxxx' for evt; one of set, set_then_clear, clear, clear_then_set"},
    {"cayman", "halt\nwait sem=3 ge", "2:12 'ge' needs a number or a register"},
    {"cayman", "halt\nwait evt=3 set 5", "2:12 'set' does not take this operand"},
    {"cayman", "halt\nwait sem=3 ge 1 2", "2:17 unexpected '2' at the end of the line"},
    {"cayman", "halt\nupdate sem=3 inc later", "2:18 unexpected 'later'; read or complete"},
    {"cayman", "halt\nupdate sem=3 dec 2", "2:14 'dec' does not take this operand"},
    {"maverick", "halt\nwait evt=3 set",
     "2:12 this mode does not exist on maverick; sunda, cayman, mariana and mariana_plus have it"},
    {"cayman", "halt\nwait sem=3 ge r5+1",
     "2:12 this mode does not exist on cayman; maverick has it"},
    {"cayman", "halt\nwait unordered", "2:6 this mode does not exist on cayman; maverick has it"},
    {"cayman", "halt\nwait sem=3 ge 1\nwait sem=4 ge 1", "3:6 'wait_mode' is given twice"},
    {"cayman", "halt\nwait sem=3 ge 1\nupdate sem=4 add 2",
     "3:14 wait and update share one value, and it is 1 already; use EVENT_SEMAPHORE or two words "
     "for two values (sync.md 5)"},
    /* ---- branches and labels */
    {"cayman", "branch",
     "1:7 a condition was expected; branch always TARGET, or branch OP[.TYPE] "
     "rA rB|NUMBER TARGET"},
    {"cayman",
     "branch alwas top\ntop:", "1:8 no branch condition is named 'alwas'; did you mean 'always'?"},
    {"cayman", "branch ge.int8 r3 10 .+64",
     "1:10 branches do not compare as '.int8'; .int32, .uint32 or .fp32"},
    {"cayman", "branch always",
     "1:14 the branch has no target; a label, .+BYTES, an address or "
     "rLOW/rHIGH"},
    {"cayman", "branch always r4", "1:17 a target address needs two registers; rLOW/rHIGH"},
    {"cayman", "branch always .64", "1:16 a distance was expected; .+BYTES, .-BYTES or .+rN"},
    {"cayman", "branch ge r3 10",
     "1:16 the branch has no target; a label, .+BYTES, an address or "
     "rLOW/rHIGH"},
    {"cayman", "branch ge r3 1.5 .+64",
     "1:14 'branch' takes an integer; fp32:1.5 gives the bits of a float"},
    {"cayman", "branch always .+64 dtype=fp32", "1:20 'dtype' is given twice"},
    {"cayman", "top:\nbranch always tpo", "2:15 label 'tpo' is not defined; did you mean 'top'?"},
    {"cayman", "branch always nowhere", "1:15 label 'nowhere' is not defined"},
    {"cayman", "top:\nhalt\ntop:", "3:1 label 'top' is defined twice, first in line 1"},
    {"cayman", ".engine pe\ntop:\n.engine act\nbranch always top",
     "4:15 label 'top' belongs to another engine; a branch stays in the stream of its own engine"},
    {"cayman", "r5:", "1:1 'r5' is a register, not a label"},
    /* ---- directives and characters */
    {"cayman", ".genn cayman", "1:1 unknown directive '.genn'; did you mean '.gen'?"},
    {"cayman", ".section text",
     "1:1 unknown directive '.section'; one of .gen, .engine, .word, .disabled"},
    {NULL, ".gen cayma", "1:6 unknown generation 'cayma'; did you mean 'cayman'?"},
    {NULL, ".gen trainium9",
     "1:6 unknown generation 'trainium9'; one of sunda, cayman, mariana, mariana_plus, maverick"},
    {NULL, ".gen",
     "1:5 .gen needs the name of a generation; one of sunda, cayman, mariana, "
     "mariana_plus, maverick"},
    {NULL, ".gen cayman ?", "1:13 unexpected '?' after .gen"},
    {NULL, ".gen cayman\n.gen cayman", "2:1 .gen is given twice"},
    {"cayman", "halt\n.gen cayman", "2:1 .gen must stand before the first word"},
    {"cayman", ".gen sunda, mariana", "1:1 the text is not for cayman"},
    {NULL, "halt",
     "1:1 the text does not say for which generation it is; write .gen before it, or "
     "name one"},
    {NULL, "",
     "1:1 the text does not say for which generation it is; write .gen before it, or name "
     "one"},
    {"cayman", ".engine gpu", "1:9 unknown engine 'gpu'; did you mean 'pe'?"},
    {"cayman", ".engine scalar", "1:9 unknown engine 'scalar'; one of pe, act, pool, dve, sp"},
    {"cayman", ".engine pe act", "1:12 unexpected 'a' after .engine; one engine a section"},
    {"cayman", "!", "1:1 unexpected '!'; a label, an instruction or a directive"},
    {"cayman", "halt \x01", "1:6 unexpected '?'; operands are written field=value"},
    {"cayman", "\xC3\xA4", "1:1 unexpected '?'; a label, an instruction or a directive"},
    /* ---- several at once, in the order of the text */
    {"cayman",
     "branch always nowhere\ntensor_scalar_arith op0=ad op1=mxa ch=999\n  foo=1 imm0=1.0\n",
     "1:15 label 'nowhere' is not defined\n"
     "2:25 ALU_OP has no member 'ad'; did you mean 'add'?\n"
     "2:32 ALU_OP has no member 'mxa'; did you mean 'max'?\n"
     "2:39 999 does not fit 'ch', which has 8 bits; 0..255 is accepted\n"
     "3:3 tensor_scalar_arith has no field 'foo'; its fields are src, in, dst, out, ch, "
     "accumulator_cmd, op0, imm0, imm0_src, op1, imm1, imm1_src, reverse_operands, inst_word_len, "
     "debug_cmd, "
     "debug_hint"},
    /* a word with a wrong name takes its operands and sync lines with it */
    {"cayman", "hault act_tbl_sel=1\n foo=2\n wait sem=1 qq\nhalt foo=1",
     "1:1 unknown mnemonic 'hault'; did you mean 'halt'?\n"
     "4:6 halt has no field 'foo'; its fields are notify_payload, act_tbl_sel, drain_count, "
     "inst_word_len, debug_cmd, debug_hint"},
};

static void test_every_error_says_where_what_and_what_else(void **state)
{
    (void)state;
    static struct log log;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct trn_asm_options options = {
            .gen = rows[i].gen ? trn_gen_find(rows[i].gen) : NULL, .engine = 3};
        assemble(rows[i].text, strlen(rows[i].text), &options, &log);
        if (strcmp(log.text, rows[i].errors) == 0)
            continue;
        print_error("text: %s\n  got:  %s\n  want: %s\n", rows[i].text, log.text, rows[i].errors);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void test_nul_bytes_are_refused_everywhere(void **state)
{
    (void)state;
    static struct log log;
    static const char text[] = "halt\nnop ; a\0b\nhalt\0\n";
    const struct trn_asm_options options = {.gen = trn_gen_at(1), .engine = 3};
    assemble(text, sizeof text - 1, &options, &log);
    assert_string_equal(log.text, "2:8 a NUL byte is not text\n3:5 a NUL byte is not text");
}

static void test_a_line_has_a_largest_length(void **state)
{
    (void)state;
    static struct log log;
    static char text[70000];
    memset(text, ' ', sizeof text);
    memcpy(text, "halt\n", 5);
    const struct trn_asm_options options = {.gen = trn_gen_at(1), .engine = 3};
    assemble(text, sizeof text, &options, &log);
    assert_string_equal(log.text, "2:65537 the line is longer than 65536 bytes");
}

static void test_at_most_50_errors_are_reported(void **state)
{
    (void)state;
    static struct log log;
    char text[1000] = "";
    for (int i = 0; i < 60; i++)
        strcat(text, "bad\n");
    const struct trn_asm_options options = {.gen = trn_gen_at(1), .engine = 3};
    assemble(text, strlen(text), &options, &log);
    assert_int_equal(log.count, 50);
}

static void test_words_need_an_engine(void **state)
{
    (void)state;
    static struct log log;
    const char *text = ".gen cayman\nhalt\nhalt";
    const struct trn_asm_options required = {.engine = TRN_ENGINE_ANY};
    assemble(text, strlen(text), &required, &log);
    assert_string_equal(log.text, "2:1 a word before any .engine; write .engine pe, act, pool, dve "
                                  "or sp before it, or name an engine");
    const char *mixed = ".gen cayman\nhalt\n.engine pe\nhalt";
    const struct trn_asm_options optional = {.engine = TRN_ENGINE_ANY, .engine_optional = true};
    assemble(mixed, strlen(mixed), &optional, &log);
    assert_string_equal(log.text, "2:1 some words have an engine and this one has none; write "
                                  ".engine before the first word");
}

static void test_a_distance_has_32_bits(void **state)
{
    (void)state;
    int32_t offset;
    const size_t far = (size_t)INT32_MAX / 64;
    assert_true(trn_branch_distance(5, 3, &offset));
    assert_int_equal(offset, -128);
    assert_true(trn_branch_distance(0, far, &offset));
    assert_int_equal(offset, 0x7FFFFFC0);
    assert_false(trn_branch_distance(0, far + 1, &offset));
    assert_false(trn_branch_distance(far + 1, 0, &offset));
}

/* A hint's target counts from the hinted branch: three words there and one back do not fit, since
 * the branch is said to be nearly 2^31 bytes away. */
static void test_a_label_can_be_too_far(void **state)
{
    (void)state;
    static struct log log;
    const char *text = "branch_prefetch_hint branch_offset=-0x7fffffff br_immediate=end\nend:";
    const struct trn_asm_options options = {.gen = trn_gen_at(1), .engine = 3};
    assemble(text, strlen(text), &options, &log);
    assert_string_equal(log.text, "1:61 label 'end' is too far; distances have 32 bits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_error_says_where_what_and_what_else),
        cmocka_unit_test(test_nul_bytes_are_refused_everywhere),
        cmocka_unit_test(test_a_line_has_a_largest_length),
        cmocka_unit_test(test_at_most_50_errors_are_reported),
        cmocka_unit_test(test_words_need_an_engine),
        cmocka_unit_test(test_a_distance_has_32_bits),
        cmocka_unit_test(test_a_label_can_be_too_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
