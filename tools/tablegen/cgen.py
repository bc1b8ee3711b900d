# SPDX-License-Identifier: Apache-2.0
"""Small helpers for writing C."""
import os

BANNER = "/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by tools/tablegen from data/; do not edit. */\n"


def c_string(text):
    if text is None:
        return "NULL"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("?", "\\?") + '"'


def c_name(text):
    return "".join(ch if ch.isalnum() else "_" for ch in text)


class Writer:
    """Collects the text of one generated file and replaces it only when it changed."""

    def __init__(self, *includes, guard=None):
        self.parts = [BANNER]
        self.guard = guard
        if guard:
            self.parts.append(f"#ifndef {guard}\n#define {guard}\n")
        self.parts.extend(f"#include {name}\n" for name in includes)

    def __call__(self, text=""):
        self.parts.append(text + "\n")

    def save(self, path):
        if self.guard:
            self.parts.append("#endif\n")
        text = "".join(self.parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(path, encoding="utf-8") as stream:
                if stream.read() == text:
                    return
        except FileNotFoundError:
            pass
        with open(path + ".tmp", "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(path + ".tmp", path)
