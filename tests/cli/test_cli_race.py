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
PROGRAMS = int(os.environ.get("TRENCH_RACE_PROGRAMS", "60"))
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


if __name__ == "__main__":
    unittest.main()
