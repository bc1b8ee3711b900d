# SPDX-License-Identifier: Apache-2.0
"""A second DMA engine, written from docs/hardware/udma.md alone (sections in brackets), against the
first over random descriptor lists: final memories, cursors, states and causes must agree.
Usage: udma_model.py UDMA_SCRIPT [CASES]"""
import random
import subprocess
import sys

A, B, SIZE = 0x10000000, 0x2000000000, 1 << 20
DATA_A, DATA_B, DATA = A + 0x80000, B, 0x4000        # what the random copies touch
NEAR_END = B + SIZE - 0x100                          # sometimes they run out of memory
QUEUES, LENGTH = (0, 5, 15), 32
MAX_DESCS, MAX_BYTES = 65, 0xFFFFF


class Stop(Exception):
    """The engine went to abort."""


class Memory:
    def __init__(self):
        self.parts = {A: bytearray(SIZE), B: bytearray(SIZE)}

    def place(self, address):
        for base, part in self.parts.items():
            if base <= address < base + SIZE:
                return part, address - base
        return None, 0

    def read(self, address, size):
        part, at = self.place(address)
        return bytes(part[at:at + size]) if part is not None and at + size <= SIZE else None

    def write(self, address, data):
        """Bytes in front of the end are written even where the rest is refused."""
        part, at = self.place(address)
        if part is None:
            return False
        fits = min(len(data), SIZE - at)
        part[at:at + fits] = data[:fits]
        return fits == len(data)


class Ring:
    """One half of a queue: slots as software filled them, cursors as absolute counts [7]."""

    def __init__(self, base):
        self.base, self.rung, self.taken, self.done = base, 0, 0, 0
        self.slots = []  # every descriptor ever put: (word 0, word 1, address)

    def register(self, count):
        return count % LENGTH | (1 + count // LENGTH) % 4 << 30


class Queue:
    def __init__(self, number):
        self.number = number
        self.tx, self.rx = Ring(A + 0x1000 * (number + 1)), Ring(A + 0x20000 + 0x1000 * (number + 1))
        self.in_packet, self.descs, self.total = False, 0, 0
        self.source = None       # [address, left, last]
        self.stage = b""
        self.target = None       # [address, left]


class Engine:
    def __init__(self):
        self.memory = Memory()
        self.queues = {q: Queue(q) for q in QUEUES}
        self.cause = {"A": 0, "B": 0}
        self.aborted, self.turn = False, 0

    def fail(self, group, bit):
        self.cause[group] |= 1 << bit
        self.aborted = True
        raise Stop

    def take(self, ring, group, bit):
        """The next descriptor, if a doorbell covered it [7]; its ring id must be the ring's [9.2]."""
        if ring.taken == ring.rung:
            return None
        slot = ring.slots[ring.taken]
        expected = (1 + ring.taken // LENGTH) % 4
        ring.taken += 1
        if (slot[0] >> 24 & 3) != expected:
            self.fail(group, bit)
        return slot

    def open_source(self, q):
        slot = self.take(q.tx, "A", 17)
        if slot is None:
            return False
        word0, _, address = slot
        length, first, last = word0 & 0xFFFF or 65536, word0 >> 26 & 1, word0 >> 27 & 1
        if not q.in_packet and not first:
            self.fail("A", 15)
        if q.in_packet and first:
            self.fail("A", 16)
        if not q.in_packet:
            q.in_packet, q.descs, q.total = True, 0, 0
        q.descs, q.total = q.descs + 1, q.total + length
        if q.descs > MAX_DESCS:
            self.fail("A", 14)
        if q.total > MAX_BYTES:
            self.fail("A", 13)
        q.source = [address, length, last]
        return True

    def open_target(self, q):
        slot = self.take(q.rx, "B", 11)
        if slot is not None:
            q.target = [slot[2], slot[0] & 0xFFFF or 65536]
        return slot is not None

    def put(self, q, data):
        if not self.memory.write(q.target[0], data):
            self.fail("B", 1)
        q.target = [q.target[0] + len(data), q.target[1] - len(data)]
        if q.target[1] == 0:
            q.target = None
            q.rx.done += 1

    def packet(self, q):
        """One packet as far as it goes; True when it ended [3]."""
        while True:
            if q.source is None and not self.open_source(q):
                return False
            if q.source[1] or q.stage:
                if q.target is None and not self.open_target(q):
                    return False
                if not q.stage:  # a source is read as a whole
                    data = self.memory.read(q.source[0], q.source[1])
                    if data is None:
                        self.fail("A", 8)
                    q.source[1], q.stage = 0, data
                piece, q.stage = q.stage[:q.target[1]], q.stage[q.target[1]:]
                self.put(q, piece)
                continue
            last, q.source = q.source[2], None
            q.tx.done += 1
            if last:
                q.in_packet = False
                if q.target is not None:
                    self.fail("B", 24)
                return True

    def run(self):
        """Round robin, a packet a turn [11]."""
        idle = 0
        try:
            while idle < 16 and not self.aborted:
                q = self.queues.get(self.turn)
                self.turn = (self.turn + 1) % 16
                idle = 0 if q is not None and self.packet(q) else idle + 1
        except Stop:
            pass


class Case:
    """A random life of one engine, as lines for the first and calls for the second."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.engine, self.lines = Engine(), []
        generation = self.random.choice(["sunda", "cayman", "mariana", "mariana_plus"])
        self.say(f"open {generation} {seed % 2}")
        self.bring_up()
        for base in (DATA_A, DATA_B):
            self.put(base, self.random.randbytes(DATA))
        self.wrong = seed % 3 == 0  # one case in three has errors in it

    def say(self, line):
        self.lines.append(line)

    def put(self, address, data):
        self.engine.memory.write(address, data)
        self.say(f"mem {address:x} {data.hex()}")

    def bring_up(self):
        for offset, value in ((0x254, 0x010FFFFF), (0x304, 0x00010041), (0x3A030, 0xF0000000),
                              (0x3A070, 0x10F8), (0x3A018, 0xF0000000), (0x3A058, 0x10F8)):
            self.say(f"set {offset:x} {value:x}")
        for number, q in self.engine.queues.items():
            for bank, ring in ((0x1000, q.tx), (0x21000, q.rx)):
                bank += 0x1000 * number
                for offset, value in ((0x20, 0x03000000), (0x28, ring.base & 0xFFFFFFFF),
                                      (0x2C, ring.base >> 32), (0x30, LENGTH), (0x20, 0x03030000)):
                    self.say(f"set {bank + offset:x} {value:x}")

    def slot(self, ring, word0, word1, address):
        count = len(ring.slots)
        word0 |= (1 + count // LENGTH) % 4 << 24
        if self.wrong and self.random.random() < 0.01:
            word0 ^= 1 << self.random.choice((24, 25))
        ring.slots.append((word0, word1, address))
        raw = word0.to_bytes(4, "little") + word1.to_bytes(4, "little") + address.to_bytes(8, "little")
        self.put(ring.base + 16 * (count % LENGTH), raw)

    def address(self, size):
        if self.wrong and self.random.random() < 0.01:
            return self.random.choice((0x5000000000, NEAR_END + self.random.randrange(0x100)))
        base = self.random.choice((DATA_A, DATA_B))
        return base + self.random.randrange(DATA - size + 1)

    def cuts(self, total, most):
        """`total` in at most `most` parts."""
        count = min(total, self.random.choice((1, 1, 2, self.random.randint(1, most))))
        marks = sorted(self.random.sample(range(1, total), count - 1)) if count > 1 else []
        return [b - a for a, b in zip([0] + marks, marks + [total])]

    def packet(self, q):
        total = self.random.choice((1, 4, 54, 512, self.random.randint(1, 2000)))
        sources = self.cuts(total, 4)
        targets = sources if self.random.random() < 0.5 else self.cuts(total, 4)
        for i, size in enumerate(sources):
            first, last = i == 0, i == len(sources) - 1
            if self.wrong and self.random.random() < 0.01:
                first = not first
            self.slot(q.tx, size | first << 26 | last << 27, 0x01080003, self.address(size))
        for size in targets:
            if self.wrong and self.random.random() < 0.01:
                size += 1
            self.slot(q.rx, size, 0, self.address(size))

    def ring(self, number, q, late):
        """Both doorbells, RX first; sometimes RX is left for later."""
        for half, bank in (("rx", 0x21000), ("tx", 0x1000)):
            ring = getattr(q, half)
            count = len(ring.slots) - ring.rung
            if count and not (late and half == "rx"):
                ring.rung += count
                self.say(f"set {bank + 0x1000 * number + 0x38:x} {count:x}")

    def life(self):
        for _ in range(self.random.randint(3, 12)):
            for number, q in self.engine.queues.items():
                for _ in range(self.random.randint(0, 4)):
                    used = max(len(r.slots) - r.done for r in (q.tx, q.rx))
                    if used + 5 <= LENGTH:
                        self.packet(q)
                self.ring(number, q, self.random.random() < 0.2)
            self.say("run 0")
            self.engine.run()
        return self.questions()

    def questions(self):
        """What to ask the first engine, and the second one's answers."""
        engine, asked = self.engine, []
        state = 0x2222 if engine.aborted else None
        if state is not None:
            asked += [("get 200", f"{state:x}"), ("get 20200", f"{state:x}")]
        asked += [("get 3a000", f"{engine.cause['A']:x}"), ("get 3a040", f"{engine.cause['B']:x}")]
        for number, q in engine.queues.items():
            for bank, ring in ((0x1000, q.tx), (0x21000, q.rx)):
                bank += 0x1000 * number
                asked.append((f"get {bank + 0x3C:x}", f"{ring.register(ring.rung):x}"))
                asked.append((f"get {bank + 0x40:x}", f"{ring.register(ring.done):x}"))
        for address, size in ((DATA_A, DATA), (DATA_B, DATA), (NEAR_END, 0x100)):
            asked.append((f"dump {address:x} {size:x}", engine.memory.read(address, size).hex()))
        return asked


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    lines, asked, aborts, packets = [], [], 0, 0
    for seed in range(count):
        case = Case(seed)
        questions = case.life()
        lines += case.lines + [question for question, _ in questions]
        asked += [(seed, question, answer) for question, answer in questions]
        aborts += case.engine.aborted
        packets += sum(slot[0] >> 27 & 1 for q in case.engine.queues.values() for slot in q.tx.slots)
    done = subprocess.run([sys.argv[1]], input="\n".join(lines) + "\n", capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"the first engine failed: {done.stderr}")
    answers = done.stdout.split("\n")[:-1]
    wrong = [(a, got) for a, got in zip(asked, answers) if a[2] != got]
    for (seed, question, answer), got in wrong[:10]:
        print(f"case {seed}: {question}: {got[:64]}, the model says {answer[:64]}")
    print(f"{count} cases, {packets} packets, {aborts} aborts, {len(asked)} answers, {len(wrong)} wrong")
    sys.exit(1 if wrong or len(answers) != len(asked) or not 0 < aborts < count else 0)


if __name__ == "__main__":
    main()
