#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A document shows real output: every block that starts with `$ trench` is run and compared; a line of dots
stands for any number of lines. Blocks with a second word behind their fence are files of that name.
usage: doc_output.py TRENCH DOCUMENT COMMANDS (how many there are at least)"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

APERTURE = 0x20000  # instruction memory of a sequencer on cayman (docs/hardware/hal-stpb.md 8.3)


def blocks(path):
    """(file name or None, lines) of every fenced block."""
    with open(path, encoding="utf-8") as stream:
        for info, text in re.findall(r"^```([^\n]*)\n(.*?)^```$", stream.read(), re.M | re.S):
            yield (info.split()[1] if len(info.split()) == 2 else None), text.splitlines()


def commands(lines):
    """(command line, shown output) of a block of `$ ...` lines and what follows each."""
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
    return [(lines[i][2:], lines[i + 1:end]) for i, end in zip(starts, starts[1:])]


def matches(shown, real):
    pattern = "".join("(?:[^\n]*\n)*?" if line.strip() == "..." else re.escape(line + "\n") for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in real)) is not None


def main():
    trench, document, least = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    compared, problems = 0, []
    with tempfile.TemporaryDirectory() as directory:
        os.symlink(os.path.join(os.path.dirname(document), "..", "examples"), os.path.join(directory, "examples"))
        with open(os.path.join(directory, "big.bin"), "wb") as stream:
            stream.write(bytes(APERTURE + 1))  # the document's image that does not fit
        for name, lines in blocks(document):
            if name:
                with open(os.path.join(directory, name), "w", encoding="utf-8") as stream:
                    stream.write("\n".join(lines) + "\n")
            elif lines and lines[0].startswith("$ trench "):
                for command, shown in commands(lines):
                    words = shlex.split(command)
                    run = subprocess.run([trench] + words[1:], cwd=directory, capture_output=True, text=True,
                                         check=False)
                    compared += 1
                    if not any(matches(shown, both.splitlines())
                               for both in (run.stdout + run.stderr, run.stderr + run.stdout)):
                        problems.append(f"$ {command}\n{run.stdout}{run.stderr}")
    for problem in problems:
        print(f"{document} shows something else than:\n{problem}")
    if compared < least:
        problems.append("too few")
        print(f"only {compared} commands were found; the document shows more")
    print(f"{compared} commands, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
