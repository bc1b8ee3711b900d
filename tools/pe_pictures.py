#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of docs/pe.md: pe_pictures.py DIRECTORY"""
import os
import sys

INK, LINE, SOFT, DEEP, WARM = "#1b1f24", "#57606a", "#ddf4ff", "#54aeff", "#fff8c5"


class Picture:
    """Boxes, arrows and words; y grows downwards."""

    def __init__(self, width, height):
        self.size, self.parts = (width, height), []

    def box(self, x, y, w, h, fill="white", words="", bold=False):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}" stroke="{LINE}"/>')
        for i, line in enumerate(words.split("\n") if words else []):
            middle = y + h / 2 + 5 + 17 * (i - (words.count("\n")) / 2)
            self.text(x + w / 2, middle, line, "middle", bold)

    def text(self, x, y, words, anchor="start", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}"{weight}>{words}</text>')

    def arrow(self, x0, y0, x1, y1):
        self.parts.append(f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{INK}" '
                          f'stroke-width="1.6" marker-end="url(#tip)"/>')

    def write(self, path):
        w, h = self.size
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" '
                       f'height="{h}" font-family="sans-serif" font-size="13" fill="{INK}">\n'
                       f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                       f'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker>'
                       f'</defs>\n<rect width="{w}" height="{h}" fill="white"/>\n')
            file.write("\n".join(self.parts) + "\n</svg>\n")


def operands():
    p = Picture(760, 330)
    p.text(20, 24, "SBUF", bold=True)
    p.box(20, 40, 150, 110, SOFT, "stationary\nK partitions\nM elements each")
    p.box(20, 200, 150, 110, WARM, "moving\nK partitions\nN elements each")
    p.text(290, 24, "array: K rows, M columns", bold=True)
    for r in range(4):
        for c in range(5):
            p.box(290 + 44 * c, 60 + 44 * r, 44, 44, SOFT, "w" if (r, c) == (1, 2) else "")
    p.arrow(172, 90, 286, 90)
    p.text(182, 82, "LDWEIGHTS")
    p.arrow(172, 240, 250, 240)
    p.arrow(250, 240, 286, 126)
    p.text(178, 262, "MATMUL, element n")
    p.text(300, 52, "row k holds what partition k held")
    for c in range(5):
        p.arrow(312 + 44 * c, 238, 312 + 44 * c, 268)
    p.text(296, 288, "column m adds w * x down its rows, in order")
    p.text(580, 24, "PSUM", bold=True)
    p.box(580, 60, 160, 176, DEEP, "partition m, element n:\nsum over k of\nW[k][m] * X[k][n]")
    p.arrow(512, 150, 576, 150)
    return p


def groups():
    p = Picture(760, 300)
    p.text(20, 24, "row_grp: which rows, which SBUF partitions", bold=True)
    codes = (("1", "0..31"), ("2", "32..63"), ("4", "64..95"), ("8", "96..127"))
    for i, (code, span) in enumerate(codes):
        p.box(20, 44 + 56 * i, 110, 56, SOFT, f"{code}\n{span}")
    p.box(140, 44, 60, 112, WARM, "3")
    p.box(140, 156, 60, 112, WARM, "0xC")
    p.box(210, 44, 60, 224, "white", "0xF")
    p.text(330, 24, "col_grp: which columns, which PSUM partitions", bold=True)
    for i, (code, span) in enumerate(codes):
        p.box(330 + 100 * i, 44, 100, 50, SOFT, f"{code}\n{span}")
    p.box(330, 104, 200, 40, WARM, "3")
    p.box(530, 104, 200, 40, WARM, "0xC")
    p.box(330, 154, 400, 40, "white", "0xF")
    p.text(330, 222, "A tile is one row group and one column group. It takes its operands from the")
    p.text(330, 240, "partitions of its rows, writes those of its columns, and leaves the weights")
    p.text(330, 258, "of every other tile alone.")
    return p


def accumulate():
    p = Picture(760, 300)
    p.text(20, 24, "one chain of sums in one bank", bold=True)
    steps = (("START", "overwrites its cells,\nmarks the region fresh", WARM),
             ("MID", "adds; a fresh cell\nis overwritten", SOFT), ("END", "adds,\ncloses the group", SOFT))
    for i, (name, what, fill) in enumerate(steps):
        p.box(20 + 240 * i, 44, 200, 84, fill, f"{name}\n{what}")
        if i:
            p.arrow(220 + 240 * (i - 1), 86, 16 + 240 * i, 86)
    p.text(20, 168, "the bank after START, whose result was cells 4..11", bold=True)
    for cell in range(16):
        p.box(20 + 44 * cell, 182, 44, 40, DEEP if 4 <= cell < 12 else "white",
              "sum" if 4 <= cell < 12 else "fresh")
    p.text(20, 250, "fresh: the old bytes are still there and a read shows them; the first MID or END that")
    p.text(20, 268, "reaches the cell overwrites it, and a write by anybody else makes it an ordinary cell.")
    return p


if __name__ == "__main__":
    for name, picture in (("operands", operands()), ("groups", groups()), ("accumulate", accumulate())):
        picture.write(os.path.join(sys.argv[1], f"pe-{name}.svg"))
