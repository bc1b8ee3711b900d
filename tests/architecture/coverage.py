#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/coverage.md against the tree.

usage: coverage.py ROOT BUILD      one row for each numbered section of each sheet and for each field
                                   case, no row for what is not there, every test it names exists
       coverage.py --self-test     the same on a small tree with one of each mistake

A row is | N Title | modelled | checked | tests | missing | under the heading of its sheet; N and
Title are the section's, the title may be cut. A case is | F01 | subject | answered | tests | missing |.
States are yes, part, no, n/a. Tests stand in backquotes: a ctest name (test_num_convert), a test
function (test_ring_wraps_phase), a function of one program (test_seq_sync.test_x) where several
have one of that name, or a path below tests/. BUILD is a build tree: its ctest files say which
programs run."""
import collections
import os
import re
import sys
import tempfile

STATES = {"yes", "part", "no", "n/a"}
SECTION_CELL = re.compile(r"(\d+(?:\.\d+)?) (.+)")
CASE_CELL = re.compile(r"F\d\d")
SECTION = re.compile(r"^## (\d+(?:\.\d+)?)\.? +(.+)$")
CASE = re.compile(r"^\*\*(F\d\d)\.\*\*")
C_TEST = re.compile(r"cmocka_unit_test\w*\((\w+)")
PYTHON_TEST = re.compile(r"^ +def (test_\w+)\(self", re.MULTILINE)
CTEST = re.compile(r"^add_test\((?:\[=*\[)?([\w.-]+)", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def files(directory, *suffixes):
    for folder, _, names in os.walk(directory):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(folder, name)


def sheet_sections(root):
    """{(sheet, number): title} of every numbered second-level heading."""
    found = {}
    for path in files(os.path.join(root, "docs", "hardware"), ".md"):
        for match in filter(None, map(SECTION.match, read(path).split("\n"))):
            found[os.path.basename(path), match[1]] = match[2].strip()
    return found


def cases(root):
    path = os.path.join(root, "docs", "hardware", "field-cases.md")
    return {match[1] for match in filter(None, map(CASE.match, read(path).split("\n")))}


def known_tests(root, build):
    """What a row may name: True, or False for a function that several programs have."""
    names, programs = {}, collections.defaultdict(set)
    for path in files(os.path.join(root, "tests"), ""):
        names[os.path.relpath(path, root)] = True
        pattern = C_TEST if path.endswith(".c") else PYTHON_TEST if path.endswith(".py") else None
        stem = os.path.splitext(os.path.basename(path))[0]
        for function in pattern.findall(read(path)) if pattern else ():
            programs[function].add(stem)
            names[f"{stem}.{function}"] = True
    names.update({function: len(stems) == 1 for function, stems in programs.items()})
    for path in files(build, "CTestTestfile.cmake"):
        names.update(dict.fromkeys(CTEST.findall(read(path)), True))
    return names


class Table:
    """The rows of docs/coverage.md, each held against the tree; what is wrong lands in problems."""

    def __init__(self, root, build):
        self.tests = known_tests(root, build)
        self.sections, self.cases = sheet_sections(root), cases(root)
        self.seen, self.problems = collections.Counter(), []
        self.where = ""

    def wrong(self, text):
        self.problems.append(f"{self.where}: {text}")

    def check_tests(self, named, claimed):
        tests = re.findall(r"`([^`]+)`", named)
        for test in tests:
            if test not in self.tests:
                self.wrong(f"there is no test '{test}'")
            elif not self.tests[test]:
                self.wrong(f"several programs have '{test}'; write PROGRAM.{test}")
        if claimed and not tests:
            self.wrong("yes or part, but no test is named")

    def check_states(self, *states):
        for state in states:
            if state not in STATES:
                self.wrong(f"'{state}' is not one of {', '.join(sorted(STATES))}")
        return any(state in ("yes", "part") for state in states)

    def section_row(self, sheet, number, title, modelled, checked, tests, missing):
        self.seen[sheet, number] += 1
        wanted = self.sections.get((sheet, number))
        if wanted is None:
            self.wrong(f"{sheet} has no section {number}")
        elif not wanted.startswith(title):
            self.wrong(f"section {number} of {sheet} is '{wanted}'")
        self.check_tests(tests, self.check_states(modelled, checked))
        if "part" in (modelled, checked) and not missing:
            self.wrong("part, but not what is missing")

    def case_row(self, case, _, answered, tests, missing):
        self.seen[case] += 1
        if case not in self.cases:
            self.wrong(f"field-cases.md has no {case}")
        self.check_tests(tests, self.check_states(answered))
        if answered != "yes" and not missing:
            self.wrong(f"{answered}, but not what is missing")

    def row(self, sheet, cells):
        section = SECTION_CELL.fullmatch(cells[0])
        if not section and not CASE_CELL.fullmatch(cells[0]):
            return  # the head of a table
        if len(cells) != 5:
            self.wrong("a row has five cells")
        elif section:
            self.section_row(sheet, *section.groups(), *cells[1:])
        else:
            self.case_row(*cells)

    def check(self, text):
        sheet = None
        for number, line in enumerate(text.split("\n"), 1):
            self.where = f"docs/coverage.md:{number}"
            if line.startswith("## "):
                sheet = line[3:].strip()
            elif line.startswith("|") and line.endswith("|"):
                self.row(sheet, [cell.strip() for cell in line[1:-1].split("|")])
        self.where = "docs/coverage.md"
        for key in list(self.sections) + sorted(self.cases):
            name = f"{key[0]} section {key[1]}" if isinstance(key, tuple) else key
            if self.seen[key] != 1:
                self.wrong(f"{self.seen[key]} rows for {name}")


def check_tree(root, build):
    table = Table(root, build)
    table.check(read(os.path.join(root, "docs", "coverage.md")))
    return table


# ---- self-test ---------------------------------------------------------------------------------

SMALL = {
    "docs/hardware/a.md": "## 1. One\n## 2. Two\n## 2.1 Two and a bit\n",
    "docs/hardware/field-cases.md": "**F01.** text\n",
    "tests/r/test_one.c": "cmocka_unit_test(test_alone), cmocka_unit_test(test_twice),\n",
    "tests/r/test_two.py": "class T:\n    def test_twice(self):\n    def helper(self):\n",
    "build/CTestTestfile.cmake": "add_test([=[test_program]=] \"x\")\n",
}
GOOD = """## a.md
| 1 One | yes | n/a | `test_alone`, `tests/r/test_one.c` | |
| 2 Tw | part | no | `test_two.test_twice`, `test_program` | much |
| 2.1 Two and a bit | no | n/a | | all |
## Field cases
| F01 | subject | yes | `test_alone` | |
"""
#: a row of GOOD, what it becomes, what must be said
MISTAKES = [
    ("`test_alone`, `", "`test_gone`, `", "there is no test 'test_gone'"),
    ("`test_alone`, `", "`helper`, `", "there is no test 'helper'"),
    ("`test_two.test_twice`", "`test_twice`", "several programs"),
    ("| yes | n/a |", "| yes | maybe |", "'maybe'"),
    ("| 1 One", "| 1 Ten", "is 'One'"),
    ("| 1 One", "| 9 One", "no section 9"),
    ("| 2 Tw ", "| 2.1 Two ", "2 rows for a.md section 2.1"),
    ("| 2 Tw ", "| 2.1 Two ", "0 rows for a.md section 2"),
    ("`test_two.test_twice`, `test_program`", "", "no test is named"),
    ("| much |", "| |", "not what is missing"),
    ("| F01", "| F02", "no F02"),
    ("| subject | yes |", "| subject | part |", "not what is missing"),
    ("| subject |", "| subject | x |", "five cells"),
]


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as root:
        for name, text in SMALL.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        for before, after, said in [("", "", None)] + MISTAKES:
            table = Table(root, os.path.join(root, "build"))
            table.check(GOOD.replace(before, after, 1) if before else GOOD)
            if bool(said) != any(said and said in problem for problem in table.problems):
                failures.append(f"{before!r} -> {after!r}: {table.problems}")
            if said is None and table.problems:
                failures.append(f"a table without mistakes is refused: {table.problems}")
    print("\n".join(failures + [f"coverage: {len(MISTAKES)} mistakes, {len(failures)} not seen"]))
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    table = check_tree(sys.argv[1], sys.argv[2])
    for problem in table.problems:
        print(problem)
    print(f"coverage: {len(table.sections)} sections, {len(table.cases)} cases, "
          f"{len(table.problems)} problem(s)")
    return 1 if table.problems else 0


if __name__ == "__main__":
    sys.exit(main())
