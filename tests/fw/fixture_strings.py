# SPDX-License-Identifier: Apache-2.0
"""String pools of the fixture's data segments, with the counts that a census must find in them.

docs/hardware/firmware-images.md 9 and 10. Texts that no sheet quotes are made up and say
so ("synthetic ..."); the numbers are the sheet's.
"""
ROOT = "/opt/workspace/NeuronUcode/"
MOVE = (ROOT + "src/decode/move.cpp:41 ((ins.dtype == NEURON_ISA_TPB_DTYPE_UINT32) || (ins.dtype == "
        "NEURON_ISA_TPB_DTYPE_INT32) || (ins.dtype == NEURON_ISA_TPB_DTYPE_FP32)) && \"highest priority is "
        "full-register moves. TODO other dtypes\"")
UARCH = ROOT + "sunda/seq/src/uarch.hpp:161 0 && \"not a supported tscr op\""
# The sixteen modules of SUNDA: five with a full path, eleven as a bare name in a table.
FULL = [ROOT + "src/decode/alu_op.cpp:77 op < NUM_OPS", ROOT + "src/decode/branch.cpp:112 is_taken_known", MOVE,
        ROOT + "src/handlers/signal_handler.cpp:30 signal != 0",
        ROOT + "sunda/seq/src/handlers/exception_handler.hpp:58 cause < 64"]
BARE = ["branch_prefetch_hint.cpp", "cache.hpp", "error_handler.cpp", "error_notifications.cpp", "evsem_block.hpp",
        "fetch.hpp", "fsm.hpp", "interrupt_handler.hpp", "legacy_dma.hpp", "move_shape.cpp", "soc_window_manager.hpp"]
POOL_MORE = ["dge_reshape.cpp", "soc_window.hpp", "translation.cpp"]
TYPE_NAMES = ["std::bad_cast", "St8bad_cast"]
SUNDA_COMMON = 62

CORE = ("AluOp BRANCH BranchPrefetchHint Event_Semaphore EXT_BREAK Halt INS_BREAK INS_FL MOVE NOP NOTIFY POLL_SEM "
        "Redirect SET_OM STRONG_ORDER TensorLoad TensorStore WRITE").split()
SHARED = "EngineNop MEMSET/RNG Pool Tensor-Reduce Tensor-Scalar Tensor-Scalar-PTR Tensor-Tensor".split()
# Names of data/handlers.csv.
DVE_ONLY = ("BatchNormalize BatchNormalizeBackProp BatchNormalizeGradAccum BatchNormalizeGradAccum2 "
            "BatchNormalizeParamLoad BatchNormalizeParamLoad2 CastPredicated CopyPredicated CopyPredicatedReduce "
            "CopyPredicatedScalar DveReadAccumulator DveReadIndices Dropout FindIndex8 MatchReplace MatchValueLoad "
            "RangeSelect TensorScalarSelect TensorTensorScan Tensor-Cumulative/Copy/Cast/Stream-Shuffle "
            "Stream-Transpose Scalar-Tensor-Tensor TensorScalarCacheCumulative TensorScalarCacheReduce "
            "TensorScalarImmLdArith TensorScalarImmLdBitvec TensorScalarPtrMultiArith "
            "TensorScalarPtrMultiBitvec").split()
ROSTER = {
    "SP": [], "PE": "EngineNop Ldweights Matmul MatmulSparse LdTags PeRegWrite".split(),
    "ACT": "EngineNop Activate ActivateQuantize ActivationReadAccumulator ActivationTableLoad Cast Copy "
           "TensorScalar".split(),
    "POOL": SHARED + "ConvLutLoad CrossLaneReduce EmbeddingUpdate ExtendedInst GetSequenceBounds Iota LoadPoolArgument "
                     "ModifyPoolConfig RandGetState RandSetState SB2SB_Collective Sort TensorDequantize TensorGather "
                     "TensorScalarAddr TensorScalarAffineSelect".split(),
    "DVE": SHARED + DVE_ONLY,
}
NEW_IN_MARIANA = {
    "PE": "PeManageSeed LdweightsMX MatmulMX ConvLutLoad".split(), "ACT": "Activate2 RandGetState RandSetState".split(),
    "DVE": "Rand2 RandGetState RandSetState SparsityCompress SparsityCompressTag QuantizeMx Exponential".split(),
}
# S: lines of a DEBUG image; "-" of the sheet is what the nearest generation has.
LINES = {"CAYMAN": {"ACT": 150, "DVE": 182, "PE": 148, "POOL": 187, "SP": 142},
         "MARIANA": {"ACT": 150, "DVE": 190, "PE": 155, "POOL": 177, "SP": 142},
         "MARIANA_PLUS": {"ACT": 150, "DVE": 190, "PE": 155, "POOL": 177, "SP": 141},
         "MAVERICK": {"DVE": 190}}
POOL_LINES = {"CAYMAN": {"DEBUG": 156, "DYNAMIC_KERNEL_LOAD_DEBUG": 136}, "MARIANA": {"DEBUG": 158}}
TOTALS = {("CAYMAN", "SP"): (242, 15, 59), ("CAYMAN", "PE"): (247, 15, 58), ("CAYMAN", "DVE"): (285, 16, 61),
          ("CAYMAN", "ACT"): (249, 15, 58), ("MARIANA", "DVE"): (296, 16, 62), ("MARIANA", "PE"): (265, 15, 58)}
DISPATCH_AT = {"CAYMAN": {"ACT": 0x868, "PE": 0x868, "DVE": 0xDE0, "POOL": 0xE38, "SP": 0xAA8},
               "MARIANA": {"ACT": 0x858, "PE": 0x858, "DVE": 0xE58, "POOL": 0xE28, "SP": 0xA98},
               "MAVERICK": {"DVE": 0xE58}}
DISPATCH_AT["MARIANA_PLUS"] = DISPATCH_AT["MARIANA"]
DGE_FAST = ["dge_decode_fast", "dge_reshape_memcopy_transpose_fast", "tensor_reshape_transpose_sb2sb", "wait_for_credit"]


def handlers(gen, engine):
    names = CORE + ROSTER[engine]
    if gen in ("MARIANA", "MARIANA_PLUS", "MAVERICK"):
        names = names + NEW_IN_MARIANA.get(engine, [])
    return [name for name in names if gen != "MAVERICK" or name != "QuantizeMx"]


def spine_later(gen):
    more = {"CAYMAN": [], "MARIANA": ["addr_bits.hpp"], "MAVERICK": ["addr_bits.hpp"],
            "MARIANA_PLUS": ["addr_bits.hpp", "dge_decode_fast.cpp"]}[gen]
    return BARE + more


def sunda_debug(engine):
    """Strings of a SUNDA DEBUG data segment. Four engines have the same 62; DVE has one more."""
    pool = FULL + BARE + TYPE_NAMES + ["fast_fetch", "dge_shape"]
    pool += [f"synthetic text {i:02d}" for i in range(SUNDA_COMMON - len(pool))]
    if engine == "POOL":
        return pool + POOL_MORE
    return pool + [UARCH] if engine == "DVE" else pool


def sunda_q7_debug():
    return [ROOT + "sunda/pool/src/external_lib_loader.hpp:90 lib != 0", "dispatch_wrapper.hpp", "St9exception"]


def markers(gen, engine):
    out = DGE_FAST if gen == "MARIANA_PLUS" else ["push REGWRITE"]
    if engine == "DVE" and gen in ("MARIANA", "MARIANA_PLUS"):
        out = out + ["patch mariana-4062 is active"]
    return list(out)


def plain(count, word):
    return [f"{word} {i:03d} of a synthetic pool" for i in range(count)]


def nx_debug(gen, engine):
    """(text, glue) pairs: glue is the tail of the string before, with no NUL between."""
    names = handlers(gen, engine)
    glue = {"Cast": "V", "Matmul": "T", "RandGetState": "@", "EmbeddingUpdate": "P", "TensorScalarAddr": "R",
            "MatmulMX": "X", "Halt": "."}
    lines = [(f"S: {name}", glue.get(name, "")) for name in names]
    lines += [("S: Halt", "ab")]  # a second time, with other glue: a handler counts once
    lines += [(f"S: BEGIN on {gen.lower()}", ""), ("S: Identity engine_idx=%u core=%u", "")]
    lines += [(text, "") for text in (f"S: synthetic step {i:03d} of %u" for i in range(LINES[gen][engine] - len(lines) - 1))]
    rest = [MOVE, ROOT + "cayman/seq/src/fetch.hpp:12 is_ready"] + spine_later(gen) + TYPE_NAMES + markers(gen, engine)
    total = TOTALS.get((gen, engine), (LINES[gen][engine] + 92,))[0]
    rest += plain(total - len(rest) - len(lines) - 1, "note")
    return lines + [(text, "") for text in rest]


def nx_test(gen, engine):
    pool = spine_later(gen) + [ROOT + "cayman/seq/src/fetch.hpp"] + TYPE_NAMES + markers(gen, engine)
    return pool + plain(TOTALS.get((gen, engine), (0, 0, 58))[2] - len(pool), "test")


def nx_perf(gen, engine):
    return TYPE_NAMES + plain(TOTALS.get((gen, engine), (0, 15))[1] - 2, "perf")


def q7(gen, flavor):
    lines = POOL_LINES.get("MARIANA" if gen != "CAYMAN" else gen, {}).get(flavor)
    if "DEBUG" not in flavor:
        return TYPE_NAMES + plain(20, "q7")
    lines = lines or 136
    out = [f"P%i: synthetic step {i:03d}" for i in range(lines - 1)] + ["P%d: engine ready"]
    return out + TYPE_NAMES + ["custom ops are not supported"]
