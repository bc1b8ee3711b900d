#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of activation tables: the sources, data/act-rules.csv and docs/activation.md name the same ones.
usage: act_rules.py ROOT"""
import csv
import glob
import re
import sys

ROOT = sys.argv[1]


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


with open(f"{ROOT}/data/act-rules.csv", newline="", encoding="utf-8") as rows:
    KNOWN = {row["rule"] for row in csv.DictReader(rows)}
FILES = [path for part in ("src/act", "src/engine/act") for path in glob.glob(f"{ROOT}/{part}/*.c")]
USED = {name for path in FILES for name in re.findall(r'"(ACT_[A-Z_]+)"', read(path))}
TABLE = read(f"{ROOT}/docs/activation.md").split("## Rules")[1].split("\n## ")[0]
TOLD = set(re.findall(r"\bACT_[A-Z_]+", TABLE))
for what, names in (("src/act", USED), ("docs/activation.md", TOLD)):
    if names != KNOWN:
        sys.exit(f"{what} and data/act-rules.csv differ in {sorted(names ^ KNOWN)}")
print(f"{len(KNOWN)} rules")
