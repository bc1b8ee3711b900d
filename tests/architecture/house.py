#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules that a script can hold: an SPDX line in each source file, files below 700 lines.
usage: house.py ROOT"""
import os
import subprocess
import sys

SPDX = "SPDX-License-Identifier: Apache-2.0"
NEEDS_SPDX = (".c", ".h", ".def", ".py", ".cmake", ".sh", ".S")
NAMED = ("CMakeLists.txt", "Makefile", "run", "setup", "lint", "fuzz", "bench")
MAX_LINES = 700


def tracked(root):
    try:
        output = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True,
                                check=True).stdout
        return output.split("\n")[:-1]
    except (OSError, subprocess.CalledProcessError):
        return [os.path.relpath(os.path.join(d, f), root)
                for part in ("src", "include", "tests", "tools", "bench", "fuzz", "examples", "cmake")
                for d, _, files in os.walk(os.path.join(root, part)) for f in files]


def main():
    root = sys.argv[1]
    problems = []
    for name in tracked(root):
        path = os.path.join(root, name)
        base = os.path.basename(name)
        if not os.path.isfile(path) or not (name.endswith(NEEDS_SPDX) or base in NAMED):
            continue
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        if not any(SPDX in line for line in lines[:4]):
            problems.append(f"{name}: no SPDX line in the first four lines")
        if name.startswith(("src/", "include/")) and len(lines) > MAX_LINES:
            problems.append(f"{name}: {len(lines)} lines; look for the second thing in it")
    for problem in problems:
        print(problem)
    print(f"house rules: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
