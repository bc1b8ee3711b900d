#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reading of rules.csv: interprets every rule on every word, in Python, and compares with
what trn_check_word reports. Written from docs/hardware/README.md (sections 3 and 4) and errata.md,
without the rule compiler; it shares nothing with tools/tablegen.

    rules_oracle.py --data DIR --dump PROGRAM [--count N] [--seed S]

PROGRAM (rules_dump) prints words with the violations that the library lists.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracle"))

from validate import Validator  # noqa: E402
from word import Tables, Word  # noqa: E402


def compare(tables, line):
    """A line of rules_dump: generation, engine, before_lowering, next opcode, word, and what the
    library reports as rule:field."""
    generation, engine, before, following, text, *theirs = line.split()
    word = Word(tables, generation, None if engine == "any" else engine.upper(), before == "1",
                None if following == "-" else int(following, 16), bytes.fromhex(text))
    ours = [f"{rule}:{field}" for rule, field in Validator(word).run()]
    return ours, theirs, word


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--count", default="3000", help="words a generation")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    tables = Tables(args.data)
    output = subprocess.run([args.dump, args.count, args.seed], check=True, capture_output=True,
                            text=True).stdout
    words = valid = differences = 0
    seen = {}
    for line in output.splitlines():
        ours, theirs, word = compare(tables, line)
        words += 1
        valid += not theirs
        for entry in ours:
            seen.setdefault(entry.split(":")[0], set()).add(word.struct)
        if ours != theirs:
            differences += 1
            if differences <= 10:
                print(f"{word.generation} {word.struct} opcode 0x{word.opcode:02x}: {line[:170]}\n"
                      f"  tables say  {' '.join(ours) or 'valid'}\n"
                      f"  library says {' '.join(theirs) or 'valid'}")
    print(f"{words} words, {valid} without a violation, {len(seen)} rules seen to fail, "
          f"{differences} differences")
    return 1 if differences or words == 0 or len(seen) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
