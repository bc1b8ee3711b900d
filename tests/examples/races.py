#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Examples of several engines have no race: each is run by a command that adds --check=race and a seed to every
`trench run`; a finding would end it with another exit status. usage: races.py TRENCH"""
import os
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
RUNS = [("digits", 5), ("softmax", 2), ("oob", 4)]
WRAPPER = """#!/bin/sh
if [ "$1" = run ]; then
    shift
    exec "{trench}" run --check=race --reset zero --schedule-seed {seed} "$@"
fi
exec "{trench}" "$@"
"""
RACY = """.gen cayman
.engine dve
copy src=sbuf[p0,0]:(4) in=fp32 dst=sbuf[p0,64]:(4) out=fp32 ch=1
halt
.engine act
copy src=sbuf[p0,64]:(4) in=fp32 dst=sbuf[p0,128]:(4) out=fp32 ch=1
halt
"""


def main():
    trench, problems = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as directory:
        wrapper, racy = os.path.join(directory, "trench"), os.path.join(directory, "racy.tasm")
        with open(racy, "w", encoding="utf-8") as stream:
            stream.write(RACY)
        for example, seed in RUNS:
            with open(wrapper, "w", encoding="utf-8") as stream:
                stream.write(WRAPPER.format(trench=trench, seed=seed))
            os.chmod(wrapper, 0o755)
            if subprocess.run([wrapper, "run", racy], capture_output=True, check=False).returncode != 3:
                sys.exit("the command finds no race where there is one")
            done = subprocess.run([sys.executable, f"{EXAMPLES}/{example}/run_{example}.py", "--trench", wrapper],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0 or "race:" in done.stdout + done.stderr:
                problems += 1
                print(f"{example}, seed {seed}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(RUNS)} runs, {problems} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
