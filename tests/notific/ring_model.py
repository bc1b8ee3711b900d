#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second notification block, written from docs/hardware/notific.md alone, against the C one over
random operations: every result, pulse, register and byte of memory; and a host that was away and takes
its place in the ring from the registers and memory (9.3).

usage: ring_model.py PATH_OF_RING_SCRIPT [OPERATIONS [SEED]]"""
import random
import subprocess
import sys

M32, M64, BASE, MEMORY = 0xFFFFFFFF, (1 << 64) - 1, 0x400000, 1 << 16
TAKEN, MASKED, DROPPED, STALLED = range(4)
DROP_N, FULL_N = 10, 11
#: offset: (reset, bits a write can leave); section 2
GLOBALS = {0x08: (0, "q"), 0x0C: (0, M32), 0x10: (0, M32), 0x14: (0, "q"), 0x18: (0, "q"), 0x28: (0, 1),
           0x2C: (1, 0xFFFF), 0x30: (0, M32), 0x34: (0, M32), 0x4C: (0, 1), 0x54: (0, 0x1FF),
           0x84: (0, 0x1FF), 0xB4: (0x1000, M32), 0xB8: (0x3C00, 0x1FFFFF), 0xBC: (0, 7),
           0xC0: (0, "q"), 0xCC: (0x400, 0xFFFFFF), 0xF0: (0, M32), 0xF4: (M32, M32)}
READ_ONLY = {0x00, 0x04, 0x40, 0x44, 0x48, 0x50, 0x60, 0x64, 0x68, 0x6C, 0x70, 0x80, 0x90, 0x94,
             0x98, 0x9C, 0xA0, 0xA4, 0xA8, 0xB0, 0xC4, 0xC8}
INVALID, FORMAT, TIMEOUT = -22, -74, -110  # trn_status
BUFFERS = {0: 30, 1: 2, 2: 1, 3: 1}


def fnv(data):
    digest = 0xCBF29CE484222325
    for word in memoryview(data).cast("I"):
        digest = (digest ^ word) * 0x100000001B3 & M64
    return digest


class Queue:
    def __init__(self):
        self.words = dict.fromkeys((0x00, 0x04, 0x08, 0x0C, 0x14), 0)
        self.tail, self.epoch, self.pending, self.passed = 0, 1, False, False
        self.size = self.head = 0
        self.unread = set()  # slots
        self.staged = []     # [(address, record, tick)]

    @property
    def base(self):
        return self.words[0x00] | self.words[0x04] << 32

    def used(self):
        return (self.tail - self.head) % self.size

    def full(self):
        return self.size == 0 or (self.tail + 16) % self.size == self.head


class Model:
    def __init__(self, owner, one, depth, delayed):
        self.queues = [Queue() for _ in range(1 if one else 10)]
        self.qmask = (1 << len(self.queues)) - 1
        self.words = {offset: reset for offset, (reset, _) in GLOBALS.items()}
        self.owner, self.depth, self.delayed = owner, depth or 8, delayed
        self.buffers = [[] for _ in range(BUFFERS[owner])]
        self.hw_lost = [False] * len(self.buffers)
        self.was_stalled = [False] * len(self.buffers)
        self.memory = bytearray(MEMORY)
        self.ticks = self.busy = self.picoseconds = self.since = 0
        self.order = self.stats = self.stall_count = self.error_address = 0
        self.counts = dict.fromkeys(("submitted", "masked", "stored", "overwritten", "buffer",
                                     "disabled", "full", "failed"), 0)
        self.pulses = []
        self.drains = [0, 0]  # that read something, by phases and by tail_ptr

    # ---- time: Q14.10 picoseconds a tick ----
    def now(self):
        return ((self.picoseconds + (self.ticks - self.since) * self.words[0xCC]) >> 10) & M64

    # ---- memory ----
    def write(self, address, data):
        """None: busy; else whether it worked."""
        if self.busy:
            self.busy -= 1
            return None
        at = address - BASE
        if at < 0 or at + len(data) > MEMORY:
            return False
        self.memory[at:at + len(data)] = data
        return True

    def fail(self, queue, address, records):
        self.error_address = address
        self.counts["failed"] += records
        self.counts["stored"] -= records
        self.pulse(4)

    def pulse(self, output, n=0):
        self.pulses.append(f"{output}.{n}")

    # ---- coalescer ----
    def flush(self, queue):
        if not queue.staged:
            return True
        address = queue.staged[0][0]
        done = self.write(address, b"".join(r for _, r, _ in queue.staged))
        if done is None:
            return False
        if not done:
            self.fail(queue, address, len(queue.staged))
            for place, _, _ in queue.staged:
                if 0 <= place - queue.base < queue.size:
                    queue.unread.discard((place - queue.base) // 16)
        queue.staged = []
        return True

    def flush_all(self):
        return all([self.flush(q) for q in self.queues])

    def expire(self):
        for queue in self.queues:
            if queue.staged and self.ticks - queue.staged[0][2] >= self.words[0xB4]:
                self.flush(queue)

    def hand(self, index, address, record):
        queue, control = self.queues[index], self.words[0xB8]
        if (self.delayed and index < 4 and control >> 10 >> index & 1 and not control >> 8 & 1
                and (not self.overlap() or control >> 14 & 1)):
            return self.stage(index, queue, address, record)
        if self.words[0xBC] >> 2 & 1:
            if not self.flush_all():
                return None
        elif not self.flush(queue):
            return None
        done = self.write(address, record)
        if done is not None:
            self.counts["stored"] += 1
            if not done:
                self.fail(queue, address, 1)
        return done

    def stage(self, index, queue, address, record):
        if queue.staged and (len(queue.staged) == 4 or
                             queue.staged[0][0] + 16 * len(queue.staged) != address):
            if not self.flush(queue):
                return None
        if any(q.staged and q.staged[0][0] // 64 == address // 64
               for i, q in enumerate(self.queues) if i != index):
            self.pulse(8)
        tick = queue.staged[0][2] if queue.staged else self.ticks
        queue.staged.append((address, record, tick))
        self.counts["stored"] += 1
        if len(queue.staged) == 4 or (address + 16) // 64 != address // 64:
            self.flush(queue)
        return True

    # ---- rings ----
    def overlap(self):
        on = [q for i, q in enumerate(self.queues) if self.words[0x14] >> i & 1 and q.size]
        return any((b.base - a.base) % 2**64 < a.size or (a.base - b.base) % 2**64 < b.size
                   for i, a in enumerate(on) for b in on[i + 1:])

    def check_overlap(self):
        if self.overlap():
            self.pulse(7)

    def deliver(self, entry):
        """True when the entry is gone, False when it stays."""
        index = entry["queue"]
        if index >= len(self.queues) or not self.words[0x14] >> index & 1:
            self.pulse(1)
            self.counts["disabled"] += 1
            return True
        queue, uart = self.queues[index], self.words[0x28] & 1
        full = not uart and queue.full()
        backpressure = self.words[0x08] >> index & 1
        ignore = self.words[0x18] >> index & 1
        if queue.size == 0 or (full and not backpressure and not ignore):
            self.pulse(0)
            queue.pending = True
            self.counts["full"] += 1
            return True
        if full and backpressure:
            if not entry["met_full"]:
                self.pulse(0)
            entry["met_full"] = True
            return False
        return self.store(entry, index, queue, full, uart)

    def store(self, entry, index, queue, full, uart):
        word = int.from_bytes(entry["record"], "little") & ~(7 << 29)
        word |= int(full or queue.pending) << 29 | int(self.hw_lost[entry["buffer"]]) << 30
        word |= queue.epoch << 31
        record = word.to_bytes(8, "little") + self.now().to_bytes(8, "little")
        place = 0 if uart else queue.tail
        done = self.hand(index, (queue.base + place) & M64, record)
        if done is None:
            if not entry["met_limit"]:
                self.pulse(5)
            entry["met_limit"] = True
            self.stall_count += 1
            return False
        queue.pending = self.hw_lost[entry["buffer"]] = False
        self.stats += 1
        if not uart:
            if done:
                self.counts["overwritten"] += place // 16 in queue.unread
                queue.unread.add(place // 16)
            queue.tail += 16
            if queue.tail == queue.size:
                queue.tail, queue.epoch = 0, queue.epoch ^ 1
            if (self.words[0xC0] >> index & 1 and not queue.passed
                    and queue.used() >= queue.words[0x14]):
                queue.passed = True
                self.pulse(6)
        if self.overlap():
            self.pulse(7)
        return True

    # ---- producers ----
    def service(self):
        waiting = [b for b in self.buffers if b]
        while waiting:
            buffer = min(waiting, key=lambda b: b[0]["order"])
            if self.deliver(buffer[0]):
                number = buffer.pop(0)["buffer"]
                self.was_stalled[number] = False
                if buffer:
                    continue
            waiting = [b for b in waiting if b is not buffer]

    def buffer_of(self, bit):
        if self.owner == 0 and 0x1E <= bit <= 0x27:
            return (0x00, 0x02, 0x04, 0x07, 0x0A)[(bit - 0x1E) // 2]  # PE, POOL, ACT, DVE, SP
        if self.owner == 1 and bit == 2:
            return 1
        return bit if bit < len(self.buffers) else 0

    def submit(self, bit, queue, record):
        self.expire()
        if bit > 63 or not (self.words[0x30] | self.words[0x34] << 32) >> bit & 1:
            self.counts["submitted"] += 1
            self.counts["masked"] += 1
            return MASKED
        number = self.buffer_of(bit)
        buffer = self.buffers[number]
        if len(buffer) == self.depth:
            self.service()
        if len(buffer) == self.depth:
            return self.refuse(bit, number)
        self.counts["submitted"] += 1
        entry = {"record": record, "queue": queue, "buffer": number, "order": self.order,
                 "met_full": False, "met_limit": False}
        self.order += 1
        if buffer:
            buffer.append(entry)
            self.service()
        elif not self.deliver(entry):
            buffer.append(entry)
        return TAKEN

    def refuse(self, bit, number):
        stall = (self.words[0x0C] | self.words[0x10] << 32) >> bit & 1
        if not stall or not self.was_stalled[number]:
            self.pulse(2 if stall else 3)
            self.pulse(FULL_N, number)
        if stall:
            self.was_stalled[number] = True
            return STALLED
        self.pulse(DROP_N, number)
        self.hw_lost[number] = True
        self.counts["submitted"] += 1
        self.counts["buffer"] += 1
        return DROPPED

    # ---- registers ----
    def place(self, offset):
        """('global', offset), ('queue', index, relative) or None."""
        if offset in GLOBALS or offset in READ_ONLY:
            return "global", offset, 0
        index, relative = divmod(offset - 0x100, 0x28)
        if offset >= 0x100 and index < len(self.queues) and relative <= 0x14 and relative % 4 == 0:
            return "queue", index, relative
        return None

    def write_register(self, offset, value):
        place = self.place(offset)
        if place is None:
            return False
        self.expire()
        if place[0] == "queue":
            if place[2] != 0x10:
                self.write_queue(place[1], place[2], value)
            return True
        if offset in READ_ONLY:
            return True
        old = dict(self.words)
        if offset == 0xCC:
            self.picoseconds += (self.ticks - self.since) * self.words[0xCC]
            self.since = self.ticks
        keep = GLOBALS[offset][1]
        self.words[offset] = value & (self.qmask if keep == "q" else keep)
        self.act(offset, old, value)
        return True

    def act(self, offset, old, value):
        if offset == 0x14:
            for i, queue in enumerate(self.queues):
                if old[0x14] >> i & 1 and not self.words[0x14] >> i & 1:
                    self.reset_queue(queue)
            self.check_overlap()
            self.service()
        elif offset in (0x08, 0x18, 0xC0, 0x28):
            self.service()
        elif offset == 0x4C and value & 1:
            self.stall_count = 0
        elif offset == 0xB4:
            self.expire()
        elif offset == 0xB8:
            if self.words[0xB8] >> 8 & 3:
                self.flush_all()
            for i, queue in enumerate(self.queues[:4]):
                if not self.words[0xB8] >> 10 >> i & 1:
                    self.flush(queue)

    def reset_queue(self, queue):
        self.flush(queue)
        queue.tail, queue.epoch, queue.pending = 0, 1, False
        queue.unread.clear()

    def write_queue(self, index, relative, value):
        queue, on = self.queues[index], self.words[0x14] >> index & 1
        if relative in (0x00, 0x04):
            self.flush(queue)
            queue.words[relative] = value
            if not on:
                self.reset_queue(queue)
            self.check_overlap()
            return
        queue.words[relative] = value
        if relative == 0x08:
            queue.size = value & ~15
            queue.head = (queue.words[0x0C] & ~15) % queue.size if queue.size else 0
            queue.unread.clear()
            if on and queue.tail >= queue.size:
                queue.tail, queue.epoch = 0, queue.epoch ^ 1
            self.check_overlap()
            self.service()
        elif relative == 0x0C:
            queue.passed = False
            new = (value & ~15) % queue.size if queue.size else 0
            if queue.size:
                passed = (new - queue.head) % queue.size
                queue.unread = {s for s in queue.unread
                                if (s * 16 - queue.head) % queue.size >= passed}
            queue.head = new
            self.service()

    def read_register(self, offset):
        place = self.place(offset)
        self.expire()
        if place is None:
            return False, 0
        if place[0] == "queue":
            queue = self.queues[place[1]]
            return True, queue.tail if place[2] == 0x10 else queue.words[place[2]]
        return True, self.shown(offset)

    def shown(self, offset):
        now = self.now()
        if offset == 0xB0:
            count, self.stats = self.stats, 0
            return count
        if offset == 0xC4:
            return sum((self.words[0x14] >> i & 1 and not self.words[0x28] & 1 and q.full()) << i
                       for i, q in enumerate(self.queues))
        if 0x60 <= offset <= 0x70:
            return self.input_entry((offset - 0x60) // 4)
        if 0x90 <= offset <= 0xA8:
            return self.output_entry((offset - 0x90) // 4)
        plain = {0x00: now & M32, 0x04: now >> 32, 0x40: self.error_address & M32,
                 0x44: self.error_address >> 32, 0x48: self.stall_count & M32,
                 0x50: len(self.buffers) * self.depth, 0x80: 16,
                 0xC8: sum(q.passed << i for i, q in enumerate(self.queues))}
        return plain[offset] if offset in plain else self.words[offset]

    def input_entry(self, word):
        number, nth = divmod(self.words[0x54], self.depth)
        if number >= len(self.buffers) or nth >= len(self.buffers[number]):
            return 0
        entry = self.buffers[number][nth]
        route = min(entry["queue"], 10) | entry["buffer"] << 4
        return (int.from_bytes(entry["record"], "little") | route << 128) >> 32 * word & M32

    def output_entry(self, word):
        staged = [e for q in self.queues[:4] for e in q.staged]
        if self.words[0x84] >= len(staged):
            return 0
        address, record, _ = staged[self.words[0x84]]
        return (int.from_bytes(record, "little") | address << 128 | 1 << 192) >> 32 * word & M32

    # ---- a host that comes back (9.3) ----
    def drain(self, index, most, by_pointer):
        queue, at = self.queues[index], 0x100 + 0x28 * index
        for offset in (at, at + 4, at + 8):  # reads that tell the block what time it is
            self.read_register(offset)
        size = queue.size
        place = (queue.base - BASE) & M64
        if place >= MEMORY or size > MEMORY - place:
            return "-"
        if size < 32:
            return f"{INVALID} 0 {fnv(b''):016x}"
        for offset in (0x18, 0x08):
            self.read_register(offset)
        if self.words[0x18] >> index & 1 and not self.words[0x08] >> index & 1:
            return f"{INVALID} 0 {fnv(b''):016x}"
        head, slots = self.read_register(at + 0x0C)[1], size // 16
        if head % 16 or head >= size:
            return f"{FORMAT} 0 {fnv(b''):016x}"
        first = head // 16
        before = self.memory[place + (first - 1) % slots * 16 + 3] >> 7
        stored = before if first == 0 else 1 - before
        tail = self.read_register(at + 0x10)[1] if by_pointer else 0
        ring = [bytes(self.memory[place + 16 * n:place + 16 * n + 16]) for n in range(slots)]
        phase = [record[3] >> 7 for record in ring]

        def is_new(n):  # the n-th behind the head
            return phase[(first + n) % slots] != (stored if first + n < slots else 1 - stored)

        if by_pointer:
            count = (tail // 16 - first) % slots
            if tail >= size:
                return f"{FORMAT} 0 {fnv(b''):016x}"
            if count and not is_new(count - 1):
                return f"{TIMEOUT} 0 {fnv(b''):016x}"
            count = min(count, most)
        else:
            count = next((n for n in range(min(most, slots)) if not is_new(n)), min(most, slots))
        taken = b"".join(ring[(first + n) % slots] for n in range(count))
        if count:
            self.write_register(at + 0x0C, (first + count) % slots * 16)
        self.drains[by_pointer] += bool(count)
        return f"0 {count} {fnv(taken):016x}"

    def state(self):
        digest = fnv(self.memory)
        waiting = sum(map(len, self.buffers)) + sum(len(q.staged) for q in self.queues)
        return " ".join([f"{digest:016x}", *map(str, self.counts.values()), str(waiting)])


# ---- random operations -----------------------------------------------------------------------

def random_size(rng):
    return rng.choice([0, 15, 16, 32, 48, 64, 64, 80, 128, 256, 1024, 64 + rng.randrange(16)])


def random_write(rng, queues):
    q = rng.randrange(queues)
    at = 0x100 + 0x28 * q
    busy_mask = rng.getrandbits(10) | rng.getrandbits(10)
    return rng.choice([
        lambda: (at + 0x0C, rng.randrange(0, 512, rng.choice([1, 16, 16, 16]))),
        lambda: (at + 0x0C, rng.randrange(0, 256, 16)),
        lambda: (at + 0x0C, rng.randrange(0, 128, 16)),
        lambda: (at + 0x0C, 0),
        lambda: (at + 0x08, random_size(rng)),
        lambda: (at, BASE + rng.randrange(0, 0x2000, 16) + rng.choice([0, 0, 0, 4])),
        lambda: (at, rng.choice([0, BASE + MEMORY - 32])),
        lambda: (at + 0x04, rng.choice([0, 0, 0, 0, 1])),
        lambda: (at + 0x14, rng.randrange(0, 200)),
        lambda: (at + 0x10, 64),
        lambda: (0x08, rng.getrandbits(10)),
        lambda: (0x18, rng.getrandbits(10)),
        lambda: (0x14, busy_mask),
        lambda: (0x14, M32),
        lambda: (0xC0, rng.getrandbits(10)),
        lambda: (0x0C, rng.getrandbits(32)),
        lambda: (0x30, M32 & ~(1 << rng.randrange(40))),
        lambda: (0x34, M32),
        lambda: (0x28, rng.random() < 0.1),
        lambda: (0x4C, rng.getrandbits(1)),
        lambda: (0x54, rng.randrange(0, 512)),
        lambda: (0x84, rng.randrange(0, 12)),
        lambda: (0xB4, rng.randrange(0, 40)),
        lambda: (0xB8, rng.choice([0x3C00, 0x7C00, 0x3E00, 0x3D00, rng.getrandbits(21)])),
        lambda: (0xBC, rng.getrandbits(3)),
        lambda: (0xCC, rng.getrandbits(24)),
        lambda: (rng.randrange(0, 0x2C0, 4), rng.getrandbits(32)),
    ])()


def operations(rng, count, queues):
    """Bursts between the rare events, so that rings fill and buffers too."""
    for _ in range(count):
        kind = rng.random()
        if kind < 0.62:
            yield "s", rng.choice([0, 1, 2, 3, 9, 10, 0x15, 0x1E, 0x27, rng.randrange(66)]), \
                rng.choice([rng.randrange(queues), rng.randrange(queues), rng.randrange(16)]), \
                rng.getrandbits(64)
        elif kind < 0.82:
            yield "w", *map(int, random_write(rng, queues))
        elif kind < 0.92:
            yield "r", rng.choice([0, 4, 0x48, 0xB0, 0xC4, 0xC8, 0x40, 0x60, 0x64, 0x70, 0x90, 0x9C,
                                   0xA0, 0xA4, 0xA8, rng.randrange(0, 0x2C0, 4)])
        elif kind < 0.955:
            q = rng.randrange(queues)
            if rng.random() < 0.5:
                yield "w", 0x18, 0  # a queue with ignore_full has no slot that stays
                yield "w", 0x104 + 0x28 * q, 0
                yield "w", 0x100 + 0x28 * q, BASE + rng.randrange(0, 0x2000, 16)
            yield "d", q, rng.choice([1, 3, 16, 64]), rng.getrandbits(1)
        elif kind < 0.97:
            yield "t", rng.randrange(0, 30)
        elif kind < 0.975:
            yield "b", rng.randrange(0, 4)
        elif kind < 0.99:
            yield ("p",)
        else:
            yield ("m",)


def expected(model, operation):
    kind, *args = operation
    result = ""
    if kind == "s":
        result = str(model.submit(args[0], args[1], args[2].to_bytes(8, "little")))
    elif kind == "w":
        result = str(int(model.write_register(*args)))
    elif kind == "r":
        known, value = model.read_register(args[0])
        result = f"{int(known)} {value}"
    elif kind == "t":
        model.ticks += args[0]
    elif kind == "b":
        model.busy = args[0]
    elif kind == "d":
        result = model.drain(*args)
    elif kind == "p":
        model.expire()
        model.service()
    else:
        result = model.state()
    pulses, model.pulses = model.pulses, []
    return result + "".join(f" {p}" for p in pulses)


def spell(operation):
    kind, *args = operation
    if kind == "s":
        return f"s {args[0]} {args[1]} {args[2]:x}"
    return " ".join([kind, *map(str, args)])


def main():
    program = sys.argv[1]
    total = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    script, answers, seen, scenes, drains = [], [], set(), 20, [0, 0]
    for scene in range(scenes):
        owner, one, depth, delayed = rng.choice([0, 0, 1, 2, 3]), scene % 5 == 4, \
            rng.choice([0, 1, 2]), scene % 2
        model = Model(owner, one, depth, delayed)
        script.append(f"o {owner} {int(one)} {depth} {delayed}")
        answers.append("")
        start = [("w", 0x30, M32), ("w", 0x34, M32), ("w", 0x0C, M32), ("w", 0x10, 0xFFFF)]
        for operation in [*start, *operations(rng, total // scenes, len(model.queues)), ("m",)]:
            script.append(spell(operation))
            answers.append(expected(model, operation))
            seen.update(p.split(".")[0] for p in answers[-1].split() if "." in p)
        drains = [a + b for a, b in zip(drains, model.drains)]
    assert min(drains) > total // 2000, f"hosts read too seldom: {drains}"
    assert seen >= {str(i) for i in range(12) if i != 9}, f"some output never pulsed: {seen}"
    done = subprocess.run([program], input="\n".join(script) + "\n", capture_output=True, text=True,
                          check=True)
    got = done.stdout.split("\n")[:-1]
    assert len(got) == len(answers), (len(got), len(answers))
    for line, (operation, want, have) in enumerate(zip(script, answers, got)):
        if want.strip() != have.strip():
            print(f"operation {line}: {operation}\n  model: {want}\n  block: {have}\nbefore it:")
            print("\n".join(f"  {o} -> {h}" for o, h in zip(script[max(0, line - 12):line],
                                                            got[max(0, line - 12):line])))
            return 1
    print(f"{len(script)} operations, {sum(' ' in a for a in answers)} with pulses or values: same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
