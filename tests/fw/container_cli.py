# SPDX-License-Identifier: Apache-2.0
"""What the tests of `trench fw ls`, `carve` and `verify` share. usage: TEST TRENCH FIXTURE REPOSITORY"""
import json
import subprocess
import sys
from pathlib import Path

TRENCH, FIXTURE, REPOSITORY = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
del sys.argv[1:4]


def fw(action, *arguments, program=None):
    return subprocess.run([program or TRENCH, "fw", action, *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=120)


def document(action, *arguments, status=0):
    done = fw(action, *arguments, "--json")
    if done.returncode != status:
        raise AssertionError(f"{action} {arguments}: {done.returncode} {done.stderr}")
    found = json.loads(done.stdout)
    if found["schema"] != f"trench.fw.{action}/1":
        raise AssertionError(found["schema"])
    return found


def listing(path, *arguments, status=0):
    """The one file of `fw ls --json`."""
    files = document("ls", path, *arguments, status=status)["files"]
    if len(files) != 1:
        raise AssertionError(files)
    return files[0]


def recipe():
    with open(FIXTURE / "recipe.json", encoding="utf-8") as stream:
        return json.load(stream)
