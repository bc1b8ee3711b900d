# SPDX-License-Identifier: Apache-2.0
"""Data segments of the fixture: header, init block, dispatch tables, string pool.

docs/hardware/firmware-images.md 6.2, 7.3, 9. What is not a string never holds three printable bytes
in a row, so that the number of strings is the recipe's.
"""
import random
import struct

import fixture_strings as strings

MAGIC = bytes.fromhex("34cb9960")
TABLE_END = 0x600


def quiet(rng, size):
    """Bytes of which none is printable."""
    return bytes(0x80 | b for b in rng.randbytes(size))


def header(image, is_nx):
    image[0:4] = MAGIC
    struct.pack_into("<4I", image, 0x18, *[0x1000] * 4)
    if is_nx:
        struct.pack_into("<4I", image, 0x28, *[0x00FFFFFF] * 4)


def table(slots, real, default):
    """`real` handlers among `slots`, the rest the default arm."""
    step = slots // real
    return struct.pack(f"<{slots}I", *[0x1000 + 0x10 * i if i % step == 0 and i // step < real else default
                                       for i in range(slots)])


def pool_bytes(pool):
    return b"".join((glue + text).encode("ascii") + b"\0" for text, glue in pool)


def pairs(pool):
    return [entry if isinstance(entry, tuple) else (entry, "") for entry in pool]


def placed(image, at, pool):
    data = pool_bytes(pool)
    if at + len(data) > len(image):
        raise ValueError(f"a string pool of {len(data):#x} bytes finds no room behind {at:#x}")
    image[at:at + len(data)] = data
    return at + len(data)


def data(seed, size, is_nx, sites, pool, dispatch_at=None):
    """One data segment. `sites` may hold dispatch tables; `dispatch_at` places the dispatch log line."""
    image = bytearray(size)
    header(image, is_nx)
    image[0x100:0x180] = quiet(random.Random(seed), 0x80)
    image[0x17F] = 0
    end = 0x180
    for spec in sites:
        if "real" in spec:
            slots = table(spec["bound"] + 1, spec["real"], spec["default"])
            image[spec["table"]:spec["table"] + len(slots)] = slots
            end = max(end, spec["table"] + len(slots))
    if dispatch_at:
        end = placed(image, max(dispatch_at, end), [("S: Dispatch opcode=0x%x", "")])
    placed(image, end, pairs(pool))
    return bytes(image)


def pool_of(gen, core, engine, flavor):
    """The string pool of an image, as (text, glue) pairs or plain texts."""
    if gen == "SUNDA":
        if flavor != "DEBUG":
            return []
        return strings.sunda_q7_debug() if core == "Q7" else strings.sunda_debug(engine)
    if core == "Q7":
        return strings.q7(gen, flavor)
    return {"DEBUG": strings.nx_debug, "TEST": strings.nx_test, "PERF": strings.nx_perf}[flavor](gen, engine)
