#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench run --check=race. usage: test_cli_race.py TRENCH [unittest options]

Random programs of three engines against a model of its own: what happened before a wait is the
intersection of all sets of half words, closed under "before", in which the wait could have passed;
every pair of words that touch a byte is then looked at."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

TRENCH = os.path.abspath(sys.argv.pop(1))
ENGINES = ("act", "pool", "dve")  # in the order of their turns
PROGRAMS = int(os.environ.get("TRENCH_RACE_PROGRAMS", "15"))
CONDITIONS = {"eq": lambda v, n: v == n, "lt": lambda v, n: v < n, "le": lambda v, n: v <= n,
              "gt": lambda v, n: v > n, "ge": lambda v, n: v >= n}


class Pattern:
    """Bytes of some partitions: `count` of them from `start`, `step` apart."""

    def __init__(self, partition, channels, start, count, step):
        self.text = f"sbuf[p{partition},{start}]:({count})/({step})"
        self.places = {(partition + lane, start + i * step)
                       for lane in range(channels) for i in range(count)}


class Word:
    """A copy of bytes, with a wait (kind, number, relation, value) and an update."""

    def __init__(self, source, target, channels, wait, update):
        self.source, self.target, self.channels = source, target, channels
        self.wait, self.update = wait, update

    def lines(self):
        yield f"copy src={self.source.text} in=uint8 dst={self.target.text} out=uint8 ch={self.channels}"
        if self.wait:
            kind, number, relation, value = self.wait
            yield f"  wait {kind}={number} {relation}" + (f" {value}" if kind == "sem" else "")
        if self.update:
            kind, number, change, value, moment = self.update
            shown = f" {value}" if change in ("add", "sub", "wr") else ""
            yield f"  update {kind}={number} {change}{shown} {moment}"


def text_of(program):
    lines = [".gen cayman"]
    for engine, words in zip(ENGINES, program):
        lines.append(f".engine {engine}")
        for word in words:
            lines += word.lines()
        lines.append("halt")
    return "\n".join(lines) + "\n"


# ---- the model ----------------------------------------------------------------------------------

def holds(wait, values):
    kind, number, relation, value = wait
    now = values.get((kind, number), 0)
    if kind == "evt":
        return now == (relation == "set")
    return CONDITIONS[relation](now, value)


def change(update, values):
    kind, number, what, value, _ = update
    old = values.get((kind, number), 0)
    values[kind, number] = {"inc": old + 1, "dec": old - 1, "add": old + value, "sub": old - value,
                            "wr": value, "set": 1, "clr": 0}[what]


class Model:
    """Half word 2i of an engine is the reading of its word i, 2i + 1 its writing. before[e][h] says
    how many halves of each engine are over when half h of e is, itself included."""

    def __init__(self, program):
        self.program = program
        self.before = [[] for _ in program]
        self.posts = []  # (engine, half, update) in the order in which they happened
        self.complete = self.run()

    def run(self):
        values, at = {}, [0] * len(self.program)
        while True:  # round robin, each until it blocks: there are fewer words than a turn has
            moved = False
            for e, words in enumerate(self.program):
                while at[e] < len(words) and (not words[at[e]].wait or holds(words[at[e]].wait, values)):
                    self.execute(e, words[at[e]], values)
                    at[e] += 1
                    moved = True
            if not moved:
                return all(at[e] == len(words) for e, words in enumerate(self.program))

    def execute(self, engine, word, values):
        halves = self.before[engine]
        past = list(halves[-1]) if halves else [0] * len(self.program)
        if word.wait:
            past = self.least(engine, word.wait, past)
        for half in range(2):
            past = list(past)
            past[engine] = len(halves) + 1
            halves.append(past)
            if word.update and (word.update[4] == "read") == (half == 0):
                self.posts.append((engine, len(halves) - 1, word.update))
                change(word.update, values)

    def closed(self, cut):
        return all(cut[e] == 0 or all(need <= have for need, have in zip(self.before[e][cut[e] - 1], cut))
                   for e in range(len(cut)))

    def least(self, engine, wait, past):
        """What is in every set in which the wait passes."""
        ranges = [range(past[e], len(self.before[e]) + 1) for e in range(len(past))]
        ranges[engine] = range(len(self.before[engine]), len(self.before[engine]) + 1)
        least = None
        for cut in itertools.product(*ranges):
            if not self.closed(cut):
                continue
            values = {}
            for e, half, update in self.posts:
                if half < cut[e]:
                    change(update, values)
            if holds(wait, values):
                least = list(cut) if least is None else [min(a, b) for a, b in zip(least, cut)]
        return least

    def races(self):
        found = {}
        sides = [(e, i, half) for e, words in enumerate(self.program)
                 for i in range(len(words)) for half in range(2)]
        for (e, i, a), (f, j, b) in itertools.combinations(sides, 2):
            if e == f or a + b == 0:
                continue
            one, other = self.program[e][i], self.program[f][j]
            common = (one.target if a else one.source).places & (other.target if b else other.source).places
            if common and self.before[e][2 * i + a][f] <= 2 * j + b and self.before[f][2 * j + b][e] <= 2 * i + a:
                pair = [(ENGINES[e], hex(64 * i), ("read", "write")[a]),
                        (ENGINES[f], hex(64 * j), ("read", "write")[b])]
                if not a:
                    pair.reverse()
                found[tuple(pair)] = min(common)
        return found


# ---- programs -----------------------------------------------------------------------------------

def pattern(draw, channels, count):
    step = draw.choice((1, 1, 2, 3, 64))
    return Pattern(draw.choice((0, 32)), channels, draw.randrange(40), count, step)


def counting_update(draw, semaphores):
    return ("sem", draw.choice(semaphores), *draw.choice((("inc", 1), ("add", 2))),
            draw.choice(("complete", "complete", "read")))


def any_update(draw):
    moment = draw.choice(("complete", "read"))
    if draw.random() < 0.4:
        return ("evt", draw.randrange(2), draw.choice(("set", "clr")), 0, moment)
    return ("sem", draw.randrange(2), *draw.choice((("inc", 1), ("dec", 1), ("add", 2), ("sub", 1), ("wr", 1))),
            moment)


def any_wait(draw):
    if draw.random() < 0.4:
        return ("evt", draw.randrange(2), draw.choice(("set", "clear")), 0)
    return ("sem", draw.randrange(2), draw.choice(tuple(CONDITIONS)), draw.randrange(3))


def one_value(wait, update):
    """The block of a word has one value: a wait and an add share it."""
    if wait and update and update[2] in ("add", "sub", "wr") and wait[0] == "sem":
        return (*update[:3], wait[3], update[4])
    return update


def draw_program(draw, words, counting, own):
    """`counting`: updates add, waits are ge and gt. `own`: each engine has semaphores of its own to post."""
    program = []
    for e in range(len(ENGINES)):
        queue = []
        for _ in range(draw.randint(1, words)):
            channels, count = draw.choice((1, 2, 32)), draw.choice((1, 4, 8, 70))
            wait = update = None
            if draw.random() < 0.6:
                update = counting_update(draw, (e,) if own else (0, 1)) if counting else any_update(draw)
            if draw.random() < 0.5:
                wait = ("sem", draw.randrange(3 if own else 2), draw.choice(("ge", "gt")),
                        draw.randrange(4)) if counting else any_wait(draw)
            if wait and update and wait[:2] == update[:2]:
                update = None  # it would take what it waits for: a lock
            update = one_value(wait, update)
            if update and counting and update[3] == 0:
                update = None
            queue.append(Word(pattern(draw, channels, count), pattern(draw, channels, count), channels, wait,
                              update))
        program.append(queue)
    return program


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, "p.tasm")

    def run_(self, text, *arguments):
        with open(self.path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return subprocess.run([TRENCH, "run", *arguments, "p.tasm"], capture_output=True, text=True,
                              check=False, timeout=60, cwd=self.directory.name)

    def report(self, text, *arguments):
        done = self.run_(text, "--check=race", "--json", *arguments)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if report["status"] == "ok" else 3, done.stderr)
        return report

    def found(self, text, *arguments):
        report = self.report(text, *arguments)
        self.assertIn(report["status"], ("ok", "findings"), text)
        sides = {}
        for f in report["findings"]:
            self.assertEqual((f["kind"], f["space"]), ("race", "sbuf"))
            pair = tuple((side["engine"], side["pc"], side["access"]) for side in (f, f["other"]))
            self.assertNotIn(pair, sides)
            sides[pair] = (f["partition"], f["byte"])
        return sides


class Random(Case):
    def programs(self, seed, **kinds):
        draw, made = random.Random(seed), 0
        while made < PROGRAMS:
            program = draw_program(draw, 4, **kinds)
            model = Model(program)
            if model.complete:
                made += 1
                yield text_of(program), model.races()

    def test_one_poster_a_semaphore_every_seed(self):
        """What orders does not depend on the schedule then, and neither does what is found."""
        total = 0
        for text, wanted in self.programs(1, counting=True, own=True):
            for seed in ("0", "5"):
                self.assertEqual(self.found(text, "--schedule-seed", seed), wanted, text)
            total += len(wanted)
        self.assertGreater(total, PROGRAMS)

    def test_several_posters_of_a_semaphore(self):
        for text, wanted in self.programs(2, counting=True, own=False):
            self.assertEqual(self.found(text), wanted, text)

    def test_nothing_is_found_that_could_not_be(self):
        """With decrements, overwritten semaphores and events some sets are not tried."""
        found = wanted = 0
        for text, races in self.programs(3, counting=False, own=False):
            mine = self.found(text)
            self.assertEqual(mine, {pair: races.get(pair) for pair in mine}, text)
            found, wanted = found + len(mine), wanted + len(races)
        self.assertGreater(found, wanted * 9 // 10)

# ---- cases --------------------------------------------------------------------------------------

X, Y, Z = "sbuf[p0,0]:(16)", "sbuf[p0,0x1000]:(16)", "sbuf[p0,0x2000]:(16)"


def copy(source, target, *sync, channels=32):
    return "\n  ".join((f"copy src={source} in=fp32 dst={target} out=fp32 ch={channels}",) + sync)


def queues(gen="cayman", **words):
    return f".gen {gen}\n" + "".join(
        f".engine {engine}\n" + "\n".join(lines) + "\nhalt\n" for engine, lines in words.items())


def load(source, target, *sync):
    """A row of 64 bytes of HBM to SBUF, through the descriptor generator; semaphore 9 when it is there."""
    return "\n  ".join(
        (f"dmamemcpy src_start_addr={source} src_step_elem_0=64 src_num_elem_0=1 src_num_elem_1=1 "
         f"src_elem_size=64 dst_start_addr={target} dst_step_elem_0=64 dst_num_elem_0=1 dst_num_elem_1=1 "
         "dst_elem_size=64 in=uint8 out=uint8 semaphore=9 sem_increment=1",) + sync)


SBUF = 0x2000000000  # device address of SBUF of core 0


class Cases(Case):
    def expect(self, text, *pairs, seeds=range(6), arguments=()):
        """Each seed finds exactly these: "dve 0x0 write/act 0x0 read"."""
        for seed in seeds:
            mine = {"/".join(" ".join(side) for side in pair)
                    for pair in self.found(text, "--schedule-seed", str(seed), *arguments)}
            self.assertEqual(mine, set(pairs), f"seed {seed}\n{text}")

    def test_f38_missing_wait_is_found_in_every_order(self):
        """F38: whoever comes first; and the same seed prints the same bytes."""
        text = queues(dve=[copy(X, Y, "update sem=1 inc")], act=[copy(Y, Z)])
        self.expect(text, "dve 0x0 write/act 0x0 read", seeds=range(20))
        for seed in ("0", "3"):
            arguments = ("--check=race", "--json", "--schedule-seed", seed)
            first = self.run_(text, *arguments)
            self.assertEqual(self.run_(text, *arguments).stdout, first.stdout)
            self.assertEqual(self.run_(text, *arguments, "--threads", "3").stdout, first.stdout)
        waits = queues(dve=[copy(X, Y, "update sem=1 inc")], act=[copy(Y, Z, "wait sem=1 ge 1")])
        self.expect(waits)

    def test_write_after_read_and_write_after_write(self):
        reads_first = queues(act=[copy(Y, Z, "update sem=1 inc")],
                             dve=["nop\n  wait sem=1 ge 0", copy(X, Y)])
        self.expect(reads_first, "dve 0x40 write/act 0x0 read")
        self.expect(queues(act=[copy(X, Y)], dve=[copy(Z, Y)]), "act 0x0 write/dve 0x0 write")
        self.expect(queues(act=[copy(X, Y)], dve=[copy(X, Z)]))  # two reads

    def test_order_through_a_third_engine(self):
        dve = [copy(X, Y, "update sem=1 inc")]
        act = [copy(Y, Z, "wait sem=2 ge 1")]
        self.expect(queues(dve=dve, pool=["nop\n  wait sem=1 ge 1\n  update sem=2 inc"], act=act))
        self.expect(queues(dve=dve, pool=["nop\n  update sem=2 inc", "nop\n  wait sem=1 ge 1"], act=act),
                    "dve 0x0 write/act 0x0 read")

    def test_order_by_events(self):
        dve = [copy(X, Y, "update evt=4 set")]
        self.expect(queues(dve=dve, act=[copy(Y, Z, "wait evt=4 set")]))
        self.expect(queues(dve=dve, act=[copy(Y, Z, "wait evt=4 set_then_clear")]))
        self.expect(queues(dve=dve, act=[copy(Y, Z, "wait evt=5 clear")]), "dve 0x0 write/act 0x0 read")
        back = queues(dve=[*dve, copy(X, Y, "wait evt=4 clear")],
                      act=[copy(Y, Z, "wait evt=4 set", "update evt=4 clr read")])
        self.expect(back)
        self.expect(back.replace("clr read", "clr"))

    def test_a_lock_orders_whoever_has_it(self):
        words = ["nop\n  wait evt=1 clear_then_set", copy(X, Y), copy(Y, X, "update evt=1 clr")]
        self.expect(queues(act=words, dve=words, pool=words), seeds=range(12))
        words = ["nop\n  wait sem=1 eq 0\n  update sem=1 inc", copy(X, Y), copy(Y, X, "update sem=1 dec")]
        self.expect(queues(act=words, dve=words, pool=words), seeds=range(12))
        words[0] = "nop\n  wait sem=1 ge 0\n  update sem=1 inc"  # keeps nobody out
        self.assertNotEqual(self.found(queues(act=words, dve=words)), {})

    def test_an_update_when_inputs_are_read_says_nothing_of_the_result(self):
        """sync.md 4, 5: _READ fires before the outputs are written."""
        act = [copy(Z, X, "wait sem=1 ge 1"), copy(Y, Z)]  # writes what DVE has read, reads its result
        self.expect(queues(dve=[copy(X, Y, "update sem=1 inc read")], act=act), "dve 0x0 write/act 0x40 read")
        self.expect(queues(dve=[copy(X, Y, "update sem=1 inc complete")], act=act))
        later = queues(dve=[copy(X, Y), copy(X, X, "update sem=1 inc read")], act=act)  # of words before, all
        self.expect(later, "act 0x0 write/dve 0x40 write", "act 0x0 write/dve 0x40 write", seeds=range(6))

    def test_a_wait_orders_the_updates_that_it_counts(self):
        """The producer comes back to the buffer without waiting for its reader."""
        dve = [copy(X, Y, "update sem=1 inc"), copy(X, Y, "update sem=1 inc")]
        self.expect(queues(dve=dve, act=[copy(Y, Z, "wait sem=1 ge 1")]), "dve 0x40 write/act 0x0 read")
        self.expect(queues(dve=dve, act=[copy(Y, Z, "wait sem=1 ge 2")]))
        credit = [dve[0], copy(X, Y, "wait sem=2 ge 1")]
        self.expect(queues(dve=credit, act=[copy(Y, Z, "wait sem=1 ge 1"), "nop\n  update sem=2 inc"]))

    def test_a_semaphore_that_is_taken_down(self):
        """P and V: the reader lowers what it waits for, the producer runs ahead."""
        take = "wait sem=1 gt 0", "update sem=1 dec"
        dve = [copy(X, Y, "update sem=1 inc"), copy(X, Z, "update sem=1 inc")]
        reader = [copy(Y, "sbuf[p0,0x3000]:(16)", *take), copy(Z, "sbuf[p0,0x3000]:(16)", *take)]
        self.expect(queues(dve=dve, act=reader))
        self.expect(queues(dve=dve, act=[reader[1], reader[0]]), "dve 0x40 write/act 0x0 read")

    def test_two_posters_of_one_semaphore(self):
        """One of two has posted, nobody knows which: the second makes it a race of both."""
        dve, pool = copy(X, Y, "update sem=1 inc"), copy(X, Z, "update sem=1 inc")
        act = [copy(Y, "sbuf[p0,0x3000]:(16)", "wait sem=1 ge {}"), copy(Z, "sbuf[p0,0x3000]:(16)")]
        both = queues(dve=[dve], pool=[pool], act=act)
        self.expect(both.replace("ge {}", "ge 2"))
        found = set()
        for seed in range(12):
            found |= set(self.found(both.replace("ge {}", "ge 1"), "--schedule-seed", str(seed)))
        self.assertEqual(found, {(("dve", "0x0", "write"), ("act", "0x0", "read")),
                                 (("pool", "0x0", "write"), ("act", "0x40", "read"))})

    def test_a_barrier_of_three(self):
        meet = "nop\n  update sem=3 inc", "nop\n  wait sem=3 ge 3"
        act, pool, dve = ([copy(f"sbuf[p0,{x}]:(16)", f"sbuf[p0,{y}]:(16)"), *meet,
                           copy(f"sbuf[p0,{z}]:(16)", f"sbuf[p0,{x}]:(16)")]
                          for x, y, z in ((0, 64, 192), (128, 192, 320), (256, 320, 64)))
        self.expect(queues(act=act, pool=pool, dve=dve))
        dve.remove(meet[1])
        self.expect(queues(act=act, pool=pool, dve=dve), "act 0x0 write/dve 0x80 read")

    def test_bytes_that_do_not_touch(self):
        near = queues(dve=[copy(X, "sbuf[p0,0x1000]:(16)", channels=32)],
                      act=[copy(X, "sbuf[p32,0x1000]:(16)", channels=32)],
                      pool=[copy(X, "sbuf[p0,0x1040]:(16)", channels=32)])
        self.expect(near)
        teeth = queues(dve=[copy(X, "sbuf[p0,0x1000]:(16)/(2)")], act=[copy(X, "sbuf[p0,0x1004]:(16)/(2)")])
        self.expect(teeth)
        self.expect(teeth.replace("0x1004", "0x1008"), "act 0x0 write/dve 0x0 write")
        rows = queues(dve=[copy("sbuf[p0,0]:(4,4)", "sbuf[p0,0x1000]:(4,4)/(1,8)")],
                      act=[copy("sbuf[p0,0]:(4,4)", "sbuf[p0,0x1010]:(4,4)/(1,8)")])
        self.expect(rows)

    def test_psum_and_hbm(self):
        text = queues(dve=[copy(X, "psum[p0,0]:(16)")], act=[copy("psum[p0,0x20]:(16)", Z)])
        (found,) = self.report(text)["findings"]
        self.assertEqual((found["space"], found["partition"], found["byte"]), ("psum", 0, 0x20))
        store = ("tensor_store dtype=uint32 num_elem=[4,1] step_elem=[1,1] start_addr=0x8000 src_datasrc=immediate "
                 "data=u32[1,2,3,4]")
        text = queues(sp=[store], pe=["tensor_load dtype=uint32 num_elem=[1,1] start_addr=0x800c data=[1]"])
        (found,) = self.report(text)["findings"]
        self.assertEqual((found["space"], found["byte"], found["engine"], found["other"]["engine"]),
                         ("hbm", 0x800C, "sp", "pe"))

    def test_addresses_in_registers(self):
        store = ("tensor_store dtype=uint32 num_elem=[1,1] start_addr=r2/r3 src_datasrc=immediate data=u32[7]")
        move = "move num_mov=2 dtype=uint32 move_source=immediate dst_registers=[r2,r3] immediate=[{},0]"
        load_ = "tensor_load dtype=uint32 num_elem=[1,1] start_addr=0x9000 data=[1]"
        for place, races in ((0x9000, 1), (0x9004, 0)):
            text = queues(sp=[move.format(place), store], pe=[load_])
            self.assertEqual(len(self.report(text)["findings"]), races)

    def test_a_transfer_is_over_when_its_semaphore_says_so(self):
        target = "sbuf[p0,0x1000]:(16)"
        reader = copy(target, Z, "{}", channels=1)
        start = load(0x8000, hex(SBUF + 0x1000), "update sem=2 inc")
        text = queues(pool=[start], act=[reader])
        (found,) = self.report(text.replace("{}", "wait sem=2 ge 1"))["findings"]  # that it was issued
        self.assertEqual((found["engine"], found["by"], found["access"], found["other"]["engine"]),
                         ("pool", "transfer", "write", "act"))
        self.expect(text.replace("{}", "wait sem=9 ge 1"))
        itself = queues(pool=[start, reader])  # not even its own engine knows
        self.expect(itself.replace("\n  {}", ""), "pool 0x0 write/pool 0x40 read")
        self.expect(itself.replace("{}", "wait sem=9 ge 1"))
        before = queues(pool=[copy(X, target, channels=1), load(hex(SBUF + 0x1000), "0x9000")])
        self.expect(before)

    def test_transfers_of_one_engine_are_not_ordered(self):
        first, second = load(0x8000, hex(SBUF)), load(hex(SBUF), "0x9000")
        self.expect(queues(pool=[first, second]), "pool 0x0 write/pool 0x40 read")
        self.expect(queues(pool=[first, second + "\n  wait sem=9 ge 1"]))

    def test_a_program_that_looks_at_a_semaphore(self):
        """TEST_EVENT_SEM and POLL_SEM in a loop wait as well (sync.md 6)."""
        dve = [copy(X, Y, "update sem=1 inc")]
        look = "again:\ntest_event_sem mode=read_sem num_evt_sem=1 evt_sem_ids=[1] value_registers=[r1]"
        act = [look, "branch lt r1 1 again", copy(Y, Z)]
        self.expect(queues("mariana", dve=dve, act=act))
        self.expect(queues("mariana", dve=dve, act=act[2:]), "dve 0x0 write/act 0x0 read")

    def test_a_semaphore_that_was_cleared(self):
        clear = "event_semaphore_range_clear clear_mode=range range_first=1 range_last=1"
        text = queues(dve=[copy(X, Y, "update sem=1 inc"), f"{clear}\n  wait sem=2 ge 1\n  update sem=3 inc"],
                      act=["nop\n  wait sem=1 ge 1\n  update sem=2 inc",
                           copy(Y, Z, "wait sem=1 eq 0")])
        self.assertIn(self.report(text)["status"], ("ok", "findings"))
        waits = queues(dve=[copy(X, Y, "wait sem=1 ge 1"), f"{clear}\n  update sem=2 inc"],
                       act=["nop\n  update sem=1 inc", copy(Y, Z, "wait sem=2 ge 1")])
        self.expect(waits)

    def test_both_checks_and_bad_names(self):
        text = queues(dve=[copy(X, Y)], act=[copy(Y, Z)])
        report = self.report(text)
        self.assertEqual([f["kind"] for f in report["findings"]], ["race"])
        both = self.run_(text, "--check=uninit,race", "--json")
        kinds = [f["kind"] for f in json.loads(both.stdout)["findings"]]
        self.assertEqual(sorted(set(kinds)), ["race", "uninit"])
        self.assertEqual(kinds, sorted(kinds, reverse=True))  # races behind the others
        for name, says in (("bogus", "unknown check 'bogus'; uninit and race are available"),
                           ("race,bogus", "unknown check 'bogus'"), ("", "--check needs a name"),
                           ("race,", "--check needs a name")):
            done = self.run_(text, f"--check={name}")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)
        self.assertEqual(self.run_(text).returncode, 0)  # only a check makes it a finding

    def test_what_is_said(self):
        done = self.run_(queues(dve=[copy(X, Y)], act=["nop", copy("sbuf[p0,0x1008]:(8)", Z.replace("16", "8"))]),
                         "--check=race")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, (
            "trench: p.tasm:3: error: dve:0x0: race: writes sbuf partition 0 byte 4104, which act 0x40 "
            "(p.tasm:7) reads, and no semaphore or event orders them: let one post when it is done and the "
            "other wait for that\n"))

    def test_many_words_of_one_byte(self):
        """The last eight words of an engine are remembered of a byte, readers and writers apart."""
        text = queues(act=[copy(Y, Z)] * 20, dve=[copy(X, Y)])
        found = self.found(text)
        self.assertEqual(len(found), 8)
        self.assertIn((("dve", "0x0", "write"), ("act", hex(64 * 19), "read")), found)


if __name__ == "__main__":
    unittest.main()
