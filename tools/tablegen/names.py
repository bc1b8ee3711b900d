# SPDX-License-Identifier: Apache-2.0
"""Tables that find a row by its name; src/base/names.h reads them with the same hash."""
MASK64 = (1 << 64) - 1
FOLD = 0x2020202020202020


def name_hash(name):
    text = name.encode("ascii")
    length = len(text)

    def load(start, count):
        return int.from_bytes(text[start:start + count], "little")

    middle = 0
    if length >= 8:
        head, tail = load(0, 8), load(length - 8, 8)
        if length > 16:
            middle = load(length // 2 - 4, 8)
    elif length >= 4:
        head, tail = load(0, 4), load(length - 4, 4)
    else:
        head = text[0] if length else 0
        tail = text[length // 2] << 8 | text[length - 1] if length else 0
    mix = (head | FOLD) * 0x9E3779B97F4A7C15 & MASK64
    mix = (mix ^ ((middle | FOLD) + (mix >> 29) & MASK64)) * 0xBF58476D1CE4E5B9 & MASK64
    mix = (mix ^ ((tail | FOLD) + length + (mix >> 32) & MASK64)) * 0x94D049BB133111EB & MASK64
    return mix >> 32


def slots(pairs):
    """Open-addressing slots for (name, row number) pairs, at most half full."""
    size = 1
    while size < 2 * len(pairs):
        size *= 2
    table = [0] * size
    for name, row in pairs:
        value = name_hash(name)
        place = value % size
        while table[place]:
            place = (place + 1) % size
        table[place] = value >> 16 << 16 | row + 1
    return table


def emit_index(write, ident, pairs):
    """Write the slot array `ident` and return the initializer of its struct trn_name_index."""
    table = slots(pairs)
    write(f"static const uint32_t {ident}[] = {{")
    for start in range(0, len(table), 8):
        write("    " + " ".join(f"0x{slot:X}," for slot in table[start:start + 8]))
    write("};")
    return f"{{{ident}, {len(table) - 1}}}"
