# SPDX-License-Identifier: Apache-2.0
"""Code images of the fixture: reset path, dispatch sites, functions and data between them.

Encodings: docs/hardware/xtensa-subset.md 3 to 8, written down here a second time on purpose: nothing
is shared with the tool. Heads: docs/hardware/firmware-images.md 6.1; dispatch sites: 7.3.
"""
import random

B4C = (-1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256)
NOP, NOP_N, RETW_N, HALT = (bytes.fromhex(x) for x in ("f02000", "3df0", "1df0", "005200"))
J_SELF, CALL8_NEXT = bytes.fromhex("06ffff"), bytes.fromhex("250000")
ADDX4, L32I_N, JX_A2, SUB = (bytes.fromhex(x) for x in ("3022a0", "2802", "a00200", "3022c0"))
# A bundle of each length whose bytes the sheet gives (xtensa-subset.md 6).
BUNDLE_8 = bytes.fromhex("4f80a08011c32021")
BUNDLE_16 = bytes.fromhex("4fff424156024100") + bytes(8)
# No format: op0 = 0xf with the low nibble of byte 3 = 7. Data behind it holds no function start.
LOST = bytes.fromhex("0f112207") + bytes.fromhex("8f4220038f0102038f112233")
VECTOR_BODY = bytes.fromhex("a0716980")
MAVERICK_BASE = 0x04100000


def jump(at, target):
    return ((((target - at - 4) & 0x3FFFF) << 6) | 0x06).to_bytes(3, "little")


def const16(register, value):
    return bytes([register << 4 | 4]) + value.to_bytes(2, "little")


def movi(register, value):
    return bytes([register << 4 | 2, 0xA0 | (value >> 8 & 15), value & 0xFF])


def entry(frame):
    word = (frame // 8) << 12 | 1 << 8 | 0x36
    return word.to_bytes(3, "little")


def pad(size):
    """Instructions that do nothing, `size` bytes of them."""
    if size == 1:
        raise ValueError("one byte holds no instruction")
    return (NOP + NOP_N * ((size - 3) // 2)) if size % 2 else NOP_N * (size // 2)


class Piece:
    """Bytes with the number of instructions of each kind in them."""

    def __init__(self):
        self.bytes, self.counts = b"", {}

    def put(self, data, kind=None):
        self.bytes += data
        if kind:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        return self


def boot(head):
    """Pieces of the reset path by offset: vectors, trampoline, halt, C entry."""
    pieces = {0: Piece().put(jump(0, head["primary"]), "j").put(bytes(3)).put(jump(6, head["secondary"]), "j")
              .put(bytes(3))}
    if head["vector_body"]:
        pieces[0].put(VECTOR_BODY + NOP_N)
    at = head["base"] + head["enter"]
    pieces[head["primary"]] = (Piece().put(const16(0, at >> 16), "const16").put(const16(0, at & 0xFFFF), "const16")
                               .put(bytes.fromhex("a00000"), "jx"))
    pieces[head["secondary"]] = Piece().put(HALT, "halt")
    if head["base"]:  # the SP of MAVERICK calls what a weak symbol may hold
        pieces[head["enter"]] = (Piece().put(const16(2, 0x410), "const16").put(const16(2, 0xE086), "const16")
                                 .put(bytes.fromhex("162200")).put(bytes.fromhex("c00200"), "callx0"))
    else:
        pieces[head["enter"]] = Piece().put(entry(32), "entry").put(RETW_N, "retw")
    if head["hub"]:
        hub, table = head["hub"]
        pieces[hub - 6] = (Piece().put(const16(4, 0), "const16").put(const16(4, table), "const16")
                           .put(bytes.fromhex("303034")).put(bytes.fromhex("4043a0"), "addx4")
                           .put(bytes.fromhex("422400")).put(bytes.fromhex("a00400"), "jx"))
    return pieces


def jump_tail(piece, table):
    """const16 a3,8; const16 a3,table; addx4; l32i.n; jx: the table lies in DRAM at 0x80000 + table."""
    piece.put(const16(3, 8), "const16").put(const16(3, table), "const16")
    return piece.put(ADDX4, "addx4").put(L32I_N).put(JX_A2, "jx")


def indexed(base, bound, table):
    """addi a2,-base; movi a3,bound; bgeu a3,a2 over the jump to the default arm."""
    piece = Piece().put(bytes([0x22, 0xC2, -base & 0xFF])).put(movi(3, bound)).put(bytes.fromhex("27b302"))
    return jump_tail(piece.put(J_SELF, "j"), table)


def segmented(table, shift):
    piece = Piece()
    if shift:
        piece.put(bytes.fromhex("202641"))  # srli a2,a2,6: which segment
    piece.put(const16(3, 0), "const16").put(const16(3, 0x41), "const16").put(SUB)
    return jump_tail(piece, table).put(bytes.fromhex("26d202")).put(J_SELF, "j")  # beqi a2,64


def raw(opcodes):
    """One compare and one jump an opcode."""
    piece = Piece()
    for opcode in opcodes:
        if opcode in B4C:
            piece.put(bytes([0x66, B4C.index(opcode) << 4 | 2, 2]))
        else:
            piece.put(movi(3, opcode)).put(bytes.fromhex("379202"))
        piece.put(J_SELF, "j")
    return piece


def site(spec):
    kind = spec["kind"]
    if kind == "indexed":
        return indexed(spec["base"], spec["bound"], spec["table"])
    if kind == "segmented":
        return segmented(spec["table"], spec.get("shift", False))
    return raw(spec["opcodes"])


def filler(rng, size):
    """Plain instructions on a4..a7: no pattern of a census can arise from them."""
    out = b""
    while size - len(out) > 8:
        r, s, t = (rng.randrange(4, 8) for _ in range(3))
        out += rng.choice((
            bytes([t << 4 | 0xD, s]), bytes([s << 4 | 0xB, r << 4 | s]), bytes([t << 4 | 8, s]),
            bytes([0x0C, 0x40 | s]), bytes([t << 4, r << 4 | s, 0x80]), bytes([t << 4, r << 4 | s, 0x10]),
            bytes([t << 4 | 2, 0x20 | s, rng.randrange(0x40)]), bytes([t << 4 | 2, 0xC0 | s, rng.randrange(0x30)])))
    return out + pad(size - len(out))


def shares(total, parts):
    return [total // parts + (i < total % parts) for i in range(parts)]


def functions(rng, wanted, pools):
    """`wanted["entry"]` functions that hold the wanted instructions; `pools` of them follow data."""
    count = wanted["entry"]
    ends = min(wanted["retw"], count)
    extra = {kind: shares(wanted.get(kind, 0), count) for kind in ("call8", "const16", "addx4", "jx", "bundle8", "bundle16")}
    retw = shares(wanted["retw"] - ends, count)
    data = {"call8": CALL8_NEXT, "addx4": ADDX4, "jx": JX_A2, "bundle8": BUNDLE_8, "bundle16": BUNDLE_16}
    for i in range(count):
        piece = Piece()
        if i % max(1, count // max(1, pools)) == 0 and i // max(1, count // max(1, pools)) < pools:
            piece.put(LOST, "lost")
        piece.put(entry(48 if i % 3 else 32), "entry")
        for kind, share in extra.items():
            for _ in range(share[i]):
                piece.put(const16(rng.randrange(4, 8), rng.randrange(1, 0xF0)) if kind == "const16" else data[kind], kind)
        for _ in range(retw[i]):
            piece.put(RETW_N, "retw")
        piece.put(filler(rng, 9 + rng.randrange(12)))
        yield piece.put(RETW_N, "retw") if i < ends else piece.put(J_SELF, "j")


class Image:
    """Bytes of one code image with its counts; pieces at fixed places, functions between them."""

    def __init__(self, size):
        self.bytes, self.counts, self.size = bytearray(size), {}, size

    def add(self, at, piece):
        self.bytes[at:at + len(piece.bytes)] = piece.bytes
        for kind, n in piece.counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + n


def code(seed, size, head, sites, wanted, pools, blocks):
    """A code image. `wanted`: how many instructions of each kind the whole image holds."""
    rng, image = random.Random(seed), Image(size)
    fixed = boot(head) if head else {0: Piece().put(entry(48), "entry").put(RETW_N, "retw")}
    fixed.update({spec["at"]: site(spec) for spec in sites})
    rest = dict(wanted)
    for piece in fixed.values():
        for kind, n in piece.counts.items():
            if kind in rest:
                rest[kind] -= n
    if min(rest.values()) < 0:
        raise ValueError(f"{seed}: the fixed parts already hold more than is wanted: {rest}")
    todo = list(functions(rng, rest, pools))
    at = 0
    for place, piece in sorted(fixed.items()) + [(size, Piece())]:
        if place < at:
            raise ValueError(f"{seed}: parts overlap at {place:#x}")
        while todo and place - at - len(todo[0].bytes) not in (1,) and len(todo[0].bytes) <= place - at:
            image.add(at, todo[0])
            at += len(todo.pop(0).bytes)
        gap = place - at
        while gap > 4096 + 2:
            image.bytes[at:at + 4096] = rng.choice(blocks)
            at, gap = at + 4096, gap - 4096
        if gap:
            image.bytes[at:place] = filler(rng, gap) if gap > 8 else pad(gap)
        image.add(place, piece)
        at = place + len(piece.bytes)
    if todo:
        raise ValueError(f"{seed}: {len(todo)} functions find no room in {size:#x} bytes")
    return image


def filler_blocks():
    rng = random.Random("blocks")
    return [filler(rng, 4096) for _ in range(32)]
