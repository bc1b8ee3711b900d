#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second descriptor generator, from docs/hardware/dge.md alone, held against the first one over
random words: descriptors, packets, engines, skipped elements and every byte of memory.

Usage: dge_model.py SCRIPT [CASES [SEED]]"""
import random
import struct
import subprocess
import sys
import zlib

HBM, SBUF, PITCH = 0x0, 0x2000000000, 0x40000
HBM_BYTES, SBUF_BYTES = 1 << 24, 1 << 25
SEM_INC, DGE_MEMORY = 0x2802701800, 0x2040000000
U16, F32, I32, U8 = 5, 10, 8, 3
COPY = 0x01080003  # udma.md 2.2: default meta_ctrl
BARRIER = 0x04000000
PACKET, PACKET_BYTES, RING = 64, 0xFFFFF, 4097  # dge.md 8.5, 6.7
POOL = 2


def pattern(size, salt):
    # byte i: bits 20:13 of (i * 2654435761 + salt) mod 2^32, made in steps of one addition
    out, value = bytearray(size), salt
    for i in range(size):
        out[i] = value >> 13 & 255
        value = value + 2654435761 & 0xFFFFFFFF
    return out


class Memory:
    """What lies below 1 MiB of HBM and in the first 2 KiB of each partition; the rest is never
    touched by a case."""

    def __init__(self):
        self.hbm = pattern(1 << 20, 1)
        self.sbuf = []
        for p in range(128):
            start = p * PITCH * 2654435761 + 2 & 0xFFFFFFFF
            self.sbuf.append(pattern(2048, start))

    def place(self, address):
        if address >= SBUF:
            part, byte = divmod(address - SBUF, PITCH)
            return self.sbuf[part], byte
        return self.hbm, address

    def read(self, address, size):
        where, at = self.place(address)
        assert 0 <= at and at + size <= len(where), hex(address)
        return bytes(where[at:at + size])

    def write(self, address, data):
        where, at = self.place(address)
        assert 0 <= at and at + len(data) <= len(where), hex(address)
        where[at:at + len(data)] = data

    def sum(self):
        total = zlib.crc32(self.hbm)
        for part in self.sbuf:
            total = zlib.crc32(part, total)
        return total


class Side:
    def __init__(self, start, num, step, size, index=None, dim=0, limit=None):
        self.start, self.num, self.step, self.size = start, num, step, size
        self.index, self.dim, self.limit = index, dim, limit

    def count(self):
        n = 1
        for k in self.num:
            n *= k
        return n

    def elements(self):
        """(address, inside its bound) in walk order, dimension 0 fastest (8.5)."""
        for i in range(self.count()):
            address, good = self.start, True
            for k in range(len(self.num)):
                i, at = divmod(i, self.num[k])
                if self.index is not None and k == self.dim:
                    at = self.index[at]
                    good = self.limit is None or at <= self.limit
                address += at * self.step[k]
            yield address & (1 << 64) - 1, good

    def partitions(self):
        if self.start < SBUF:
            return 0
        reach = self.size - 1
        for k in range(len(self.num)):
            if self.index is None or k != self.dim:
                reach += (self.num[k] - 1) * abs(self.step[k]) if self.num[k] > 1 else 0
        return min(128, reach // PITCH + 1)


class Generator:
    def __init__(self):
        self.memory = Memory()
        self.at = {}  # context -> [tx, rx] descriptors ever written

    # ---- rings and packets -----------------------------------------------------------------------

    def begin(self, context, engines):
        self.ring = self.at.setdefault(context, [0, 0])
        self.engines = engines
        self.packets = []  # of ([reads], [writes]); an entry is [address, bytes, meta]
        self.out = []

    def ring_id(self, side):
        number = (1 + self.ring[side] // RING) % 4
        self.ring[side] += 1
        return number

    def finish(self, semaphore, increment):
        lines = []
        for k, (reads, writes) in enumerate(self.packets):
            engine = self.engines[k % len(self.engines)]
            for i, (address, size, meta) in enumerate(reads):
                word = size & 0xFFFF | self.ring_id(0) << 24
                word |= (i == 0) << 26 | (i == len(reads) - 1) << 27
                last = k == len(self.packets) - 1 and i == len(reads) - 1 and increment
                meta |= BARRIER if last else 0
                lines.append(("R", engine, struct.pack("<IIQ", word, meta, address)))
            for address, size in writes:
                word = size & 0xFFFF | self.ring_id(1) << 24
                lines.append(("W", engine, struct.pack("<IIQ", word, 0, address)))
        if increment:
            constant = DGE_MEMORY + (1 << 30) - 1024 + 4 * increment
            word = 0x0C000004 | self.ring_id(0) << 24
            lines.append(("R", self.engines[0], struct.pack("<IIQ", word, COPY, constant)))
            word = 4 | self.ring_id(1) << 24
            lines.append(("W", self.engines[0],
                          struct.pack("<IIQ", word, 0, SEM_INC + 4 * semaphore)))
        return lines

    # ---- copies ------------------------------------------------------------------------------------

    def pieces(self, src, dst):
        """(source, destination, bytes, begins a source element, begins a destination element)."""
        a, b = src.elements(), dst.elements()
        total = src.count() * src.size
        left, right, skipped = 0, 0, 0
        while total:
            new_src, new_dst = left == 0, right == 0
            if new_src:
                (x, x_good), left = next(a), src.size
            if new_dst:
                (y, y_good), right = next(b), dst.size
            n = min(left, right)
            if not (x_good and y_good):
                skipped += (new_src and not x_good) or (new_dst and not y_good and x_good)
            yield x, y, n, new_src, new_dst, x_good and y_good, skipped
            x, y, left, right, total = x + n, y + n, left - n, right - n, total - n

    def copy(self, src, dst):
        moved, skipped, size, joined = 0, 0, 0, False
        for x, y, n, new_src, new_dst, good, skipped in self.pieces(src, dst):
            if good:
                open_src, open_dst = not joined or new_src, not joined or new_dst
                if self.packets:
                    reads, writes = self.packets[-1]
                    full = open_src and len(reads) == PACKET or open_dst and len(writes) == PACKET
                    if full or size + n > PACKET_BYTES:
                        self.packets.append(([], []))
                        open_src = open_dst = True
                        size = 0
                else:
                    self.packets.append(([], []))
                    open_src = open_dst = True
                reads, writes = self.packets[-1]
                if open_src:
                    reads.append([x, 0, COPY])
                if open_dst:
                    writes.append([y, 0])
                reads[-1][1] += n
                writes[-1][1] += n
                size += n
                moved += n
                self.memory.write(y, self.memory.read(x, n))
            joined = good
        return moved, skipped

    # ---- tiles (11) ----------------------------------------------------------------------------------

    def transpose(self, src, dst, cols, row_step, size):
        pitch = PITCH if dst.start >= SBUF else 16 * size
        meta = 0x00900000 | size
        for (x, _), (y, _) in zip(src.elements(), dst.elements()):
            rows = [self.memory.read(x + r * row_step, cols * size) for r in range(16)]
            for c in range(cols):
                line = b"".join(row[c * size:(c + 1) * size] for row in rows)
                self.memory.write(y + c * pitch, line)
            self.packets.append(([[x + r * row_step, cols * size, meta] for r in range(16)],
                                 [[y + c * pitch, 16 * size] for c in range(cols)]))
        return src.count() * 16 * cols * size, 0

    def gather(self, src, start, step, values):
        skipped, run = 0, []
        good = [src.limit is None or i <= src.limit for i in src.index]
        runs = []
        for k, ok in enumerate(good):
            if not ok:
                skipped += 1
            elif runs and runs[-1][-1] == k - 1 and k % 16:
                runs[-1].append(k)
            else:
                runs.append([k])
        for run in runs:
            at = [src.start + src.index[k] * src.step[1] for k in run]
            rows = [self.memory.read(x, 2 * values) for x in at]
            first = start + 2 * run[0]
            for r in range(values):
                self.memory.write(first + r * step,
                                  b"".join(row[2 * r:2 * r + 2] for row in rows))
            self.packets.append(([[x, 2 * values, 0x00900002] for x in at],
                                 [[first + r * step, 2 * len(run)] for r in range(values)]))
        return 2 * values * (len(good) - skipped), skipped


# ---- random words ------------------------------------------------------------------------------------


class Case:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []

    def span(self, num, step, size):
        low = sum(min(0, (n - 1) * s) for n, s in zip(num, step))
        high = sum(max(0, (n - 1) * s) for n, s in zip(num, step)) + size
        return low, high

    def shape(self, size, total_elements, dims):
        """Counts with that product, steps that keep the walk small."""
        num = [1] * dims
        left = total_elements
        for k in range(dims - 1):
            divisors = [d for d in range(1, left + 1) if left % d == 0]
            num[k] = self.rng.choice(divisors)
            left //= num[k]
        num[dims - 1] = left
        step = [self.rng.choice([size, size + 3, 64, -size, 0, 128]) for _ in range(dims)]
        return num, step

    def start(self, num, step, size, base, room):
        low, high = self.span(num, step, size)
        if high - low > room:
            return None
        return base - low + self.rng.randrange(room - (high - low) + 1)

    def on_chip(self, num, size):
        """Rows in partitions: dimension 0 inside, the last one over partitions."""
        step = [size] + [PITCH] * (len(num) - 1)
        if num[0] * size > 1024 or num[1] > 64:
            return None
        for k in range(2, len(num)):
            if num[k] != 1:
                return None
            step[k] = 0
        return SBUF + self.rng.randrange(32) * PITCH + self.rng.randrange(512), step


def make_copy(case):
    rng = case.rng
    size = rng.choice([1, 2, 4, 7, 16, 64, 100, 256])
    count = rng.choice([1, 2, 6, 12, 60, 96, 130])
    factor = rng.choice([1, 1, 2, 3]) if count % 6 == 0 else 1
    src_num, src_step = case.shape(size, count, 2)
    dst_num, dst_step = case.shape(size * factor, count // factor, 2)
    src = case.start(src_num, src_step, size, 0x10000, 0x30000)
    dst = case.start(dst_num, dst_step, size * factor, 0x80000, 0x40000)
    chip = case.on_chip(dst_num, size * factor) if rng.random() < 0.5 else None
    if chip:
        dst, dst_step = chip
    if src is None or dst is None:
        return None
    semaphore, increment = rng.randrange(256), rng.choice([0, 1, 3, 255])
    word = struct.pack("<BBHBBBBIBBBBQiiHHHBBQiiHHHBB", 0xB8, 0x10, 0, 0, 0, 0, 0, 0, 0, semaphore,
                       increment, 0, src, *src_step, *src_num, size, 0, 0, dst, *dst_step, *dst_num,
                       size * factor, U8, U8)
    sides = Side(src, src_num, src_step, size), Side(dst, dst_num, dst_step, size * factor)
    return word, 0, sides, semaphore, increment, lambda g: g.copy(*sides)


def indices(case, count, most):
    rng = case.rng
    limit = rng.randrange(most)
    wild = rng.random() < 0.5
    index = [rng.randrange(most if wild else limit + 1) for _ in range(count)]
    if wild and rng.random() < 0.3:
        index[rng.randrange(count)] = 0xFFFFFFFF
    return index, limit


def make_indirect(case):
    rng = case.rng
    size = rng.choice([2, 8, 32, 100])
    count = rng.choice([1, 6, 16, 60, 100])
    factor = rng.choice([1, 1, 2, 3]) if count % 6 == 0 else 1
    mode = rng.randrange(3)
    step = rng.choice([size, size + 4, 128])
    dst_step = rng.choice([size * factor, 512])
    if mode != 0:
        dst_step = size * factor  # repeated or neighbouring targets, never overlapping halves
    src_index, src_limit = indices(case, count, 200)
    dst_index, dst_limit = indices(case, count // factor, 200)
    case.lines += ["index 1024 " + " ".join(map(str, src_index)),
                   "index 1536 " + " ".join(map(str, dst_index))]
    case.lines += [f"reg 20 {src_limit}", f"reg 21 {dst_limit}"]
    src = Side(0x10000 + rng.randrange(4096), [count], [step], size)
    dst = Side(0x80000 + rng.randrange(4096), [count // factor], [dst_step], size * factor)
    if mode != 1:
        src.index, src.limit = src_index, src_limit
    if mode != 0:
        dst.index, dst.limit = dst_index, dst_limit
    semaphore, increment = rng.randrange(256), rng.choice([0, 1, 7])
    word = struct.pack("<BBHBBBBIBBBBQiHHQiHHIIBBBBBBH", 0xBB, 0x10, 0, 0, 0, 0, 0, 0, semaphore,
                       increment, 128, mode | 4, src.start, step, count, size, dst.start, dst_step,
                       count // factor, size * factor, 1024, 1536, U8, U8, 0x94, 0x95, 0, 0, 0)
    return word, 1, (src, dst), semaphore, increment, lambda g: g.copy(src, dst)


def make_shaped(case):
    """A gather along one dimension of a shape register."""
    rng = case.rng
    size, dim = rng.choice([4, 32]), rng.randrange(4)
    num = [rng.choice([1, 2, 3]) for _ in range(4)]
    step = [rng.choice([64, 96, 200]) for _ in range(4)]
    index, limit = indices(case, num[dim], 90)
    case.lines += ["shape 3 " + " ".join(map(str, num + step)),
                   "index 1024 " + " ".join(map(str, index)), f"reg 20 {limit}"]
    src = Side(0x10000, num, step, size, index, dim, limit)
    count = src.count()
    dst = Side(0x80000, [count], [size], size)
    word = struct.pack("<BBHBBBBIBBBBQiHHQiHHIIBBBBBBH", 0xBB, 0x10, 0, 0, 0, 0, 0, 0, 9, 1, 128,
                       4 | dim << 4, src.start | 0x40 << 56, 3, 0, size, dst.start, size, count,
                       size, 1024, 0, U8, U8, 0x94, 0, 0, 0, 0)
    return word, 1, (src, dst), 9, 1, lambda g: g.copy(src, dst)


def make_tiles(case):
    rng = case.rng
    kind, size = rng.choice([(U16, 2), (F32, 4)])
    cols = rng.randrange(1, 128 // size * 2 + 1 if size == 2 else 65)
    num = [rng.choice([1, 2, 4]), rng.choice([1, 2])]
    row_step = rng.choice([cols * size, 512, -512])
    src_step = [rng.choice([16 * 512, cols * size]), 64]
    tile = cols * 16 * size
    if rng.random() < 0.6:
        start = SBUF + rng.randrange(129 - cols) * PITCH + 32 * rng.randrange(8)
        dst_step = [16 * size, 32 * 24]
    else:
        start, dst_step = 0x80000, [tile + 32 - tile % 32, 0x20000]
    src = Side(0x30000, num, src_step, size)
    dst = Side(start, num, dst_step, size)
    word = struct.pack("<BBHBBBBIBBBBQiiHHiQiiHHBBBB", 0xBD, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, kind,
                       kind, src.start, *src_step, *num, row_step, start, *dst_step, *num, 16, cols,
                       33, 0)
    return word, 1, (src, dst), 33, 1, lambda g: g.transpose(src, dst, cols, row_step, size)


def make_gather_tiles(case):
    rng = case.rng
    count, values = rng.choice([16, 32, 48]), rng.randrange(1, 65)
    index, limit = indices(case, count, 300)
    step = rng.choice([2 * values, 256])
    dst_step, start = rng.choice([(PITCH, SBUF + 32 * rng.randrange(8)), (128, 0x80000)])
    case.lines += ["index 1024 " + " ".join(map(str, index)), f"reg 20 {limit}"]
    src = Side(0x10000, [1, count], [0, step], 2 * values, index, 1, limit)
    dst = Side(start, [count, values], [2, dst_step], 2)
    word = struct.pack("<BBHBBBBIBBBBQiiHHIQBBBBiHHHBB", 0xF1, 0x10, 0, 0, 0, 0, 0, 0, 44, 0, 128,
                       0x94, src.start, 0, step, 1, count, 1024, start, 0, 0, 0, 0, dst_step, count,
                       values, 2 * values, U16 * 17, 1)
    return word, 1, (src, dst), 44, 1, lambda g: g.gather(src, start, dst_step, values)


def engines(mask, sides, tiled):
    """#DMA of 8.4: a power of two up to the fewer partitions; copies inside HBM take all."""
    usable = [d for d in range(16) if mask >> d & 1]
    touched = [p for p in (s.partitions() for s in sides) if p]
    if not touched and not tiled:
        return usable
    n = 1
    while 2 * n <= min(len(usable), min(touched, default=1)):
        n *= 2
    return usable[:n]


def main():
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    script = subprocess.Popen([sys.argv[1], "cayman"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    model = Generator()
    makers = [make_copy, make_copy, make_indirect, make_indirect, make_shaped, make_tiles,
              make_gather_tiles]
    seen = {}
    done = 0
    while done < cases:
        case = Case(rng)
        made = rng.choice(makers)(case)
        if made is None:
            continue
        word, software, sides, semaphore, increment, move = made
        mask = rng.choice([1, 0xFFFF, rng.randrange(1, 65536)])
        case.lines.append(f"local 40 {0x20000000 | mask}")
        assert len(word) == 64, len(word)
        for line in case.lines:
            if line.startswith("index"):
                _, at, *values = line.split()
                model.memory.write(SBUF + int(at),
                                   struct.pack(f"<{len(values)}I", *map(int, values)))
        tiled = word[0] in (0xBD, 0xF1)
        model.begin(software, engines(mask, sides, tiled))
        moved, skipped = move(model)
        lines = model.finish(semaphore, increment)
        used = 0
        for k in range(len(model.packets)):
            used |= 1 << model.engines[k % len(model.engines)]
        batches = 1 if lines else 0
        result = "skipped_oob" if skipped else "emitted"
        backend = "software" if software else "pool"
        expected = (f"0 {result} {backend} skipped={skipped} bytes={moved} "
                    f"packets={len(model.packets)} batches={batches} dmas=0x{used:x} records=0 "
                    f"memory={model.memory.sum():08x}")
        script.stdin.write("\n".join(case.lines) + f"\nrun {POOL} {word.hex()} {bytes(64).hex()}\n")
        script.stdin.flush()
        answer = script.stdout.readline().strip()
        got = []
        while (line := script.stdout.readline().strip()) != ".":
            kind, raw = line.split()
            got.append((kind[0], int(kind[1:]), bytes.fromhex(raw)))
        if answer != expected or got != lines:
            print(f"case {done}: {word.hex()}\n{case.lines}\nwanted {expected}\n   got {answer}")
            for k, (a, b) in enumerate(zip(lines, got)):
                if a != b:
                    print(f"descriptor {k}: wanted {a[0]}{a[1]} {a[2].hex()} got "
                          f"{b[0]}{b[1]} {b[2].hex()}")
                    break
            print(f"{len(lines)} descriptors wanted, {len(got)} got")
            return 1
        seen[word[0], result] = seen.get((word[0], result), 0) + 1
        done += 1
    script.stdin.close()
    script.wait()
    print(f"{done} words agree:", ", ".join(f"0x{k[0]:02X} {k[1]} {n}" for k, n in sorted(seen.items())))
    missing = [k for k in ((0xB8, "emitted"), (0xBB, "skipped_oob"), (0xBD, "emitted"),
                           (0xF1, "skipped_oob")) if k not in seen]
    return 1 if missing else 0


sys.exit(main())
