# SPDX-License-Identifier: Apache-2.0
"""The `trench fw` command line for Python tests."""
import json
import subprocess


class Trench:
    def __init__(self, program):
        self.program = program

    def run(self, *args):
        return subprocess.run([self.program, "fw", *map(str, args)], capture_output=True, text=True, check=False)

    def json(self, *args, status=0):
        done = self.run(*args, "--json")
        if done.returncode != status:
            raise AssertionError(f"{args}: exit status {done.returncode}, not {status}: {done.stderr}")
        return json.loads(done.stdout)
