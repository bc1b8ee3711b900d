#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays written by NumPy, copied by npy_copy and read by NumPy again.

usage: npy_numpy.py PATH_OF_NPY_COPY
"""
import io
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np

TYPES = "|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8".split()
SHAPES = [(), (0,), (1,), (7,), (3, 5), (128, 33), (2, 3, 4, 5), (1,) * 32, (4, 0, 2)]


def copy(tool, source, target):
    return subprocess.run([tool, source, target], capture_output=True, text=True)


def sample(rng, dtype, shape):
    count = int(np.prod(shape, dtype=np.int64))
    raw = rng.bytes(count * np.dtype(dtype).itemsize)
    if dtype == "|b1":
        raw = bytes(b & 1 for b in raw)
    return np.frombuffer(raw, dtype=dtype).reshape(shape)


def check_round_trip(tool, directory, array, version):
    source, target = os.path.join(directory, "in.npy"), os.path.join(directory, "out.npy")
    with open(source, "wb") as stream:
        np.lib.format.write_array(stream, array, version=version)
    result = copy(tool, source, target)
    assert result.returncode == 0, (array.dtype, array.shape, version, result.stderr)
    back = np.load(target, allow_pickle=False)
    assert back.dtype == array.dtype and back.shape == array.shape, (back.dtype, back.shape)
    assert back.tobytes() == array.tobytes(), (array.dtype, array.shape)
    with open(target, "rb") as stream:
        stream.seek(8)
        assert (10 + struct.unpack("<H", stream.read(2))[0]) % 64 == 0
    assert sorted(os.listdir(directory)) == ["in.npy", "out.npy"], "a temporary file was left"


def bytes_of(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def check_refused(tool, directory, data, words):
    source, target = os.path.join(directory, "bad.npy"), os.path.join(directory, "never.npy")
    with open(source, "wb") as stream:
        stream.write(data)
    result = copy(tool, source, target)
    assert result.returncode == 2, (result.returncode, words)
    assert words in result.stderr, (words, result.stderr)
    assert result.stderr.count("\n") == 1, result.stderr
    assert not os.path.exists(target)


def main():
    tool = sys.argv[1]
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as directory:
        for dtype in TYPES:
            for shape in SHAPES:
                check_round_trip(tool, directory, sample(rng, dtype, shape), (1, 0))
        for version in ((2, 0), (3, 0)):
            check_round_trip(tool, directory, sample(rng, "<f4", (3, 5)), version)
        # one column is in both orders; NumPy says so in the header
        column = np.asfortranarray(np.arange(5, dtype="<i4"))
        check_round_trip(tool, directory, column, (1, 0))
    with tempfile.TemporaryDirectory() as directory:
        good = bytes_of(np.arange(6, dtype="<f4").reshape(2, 3))
        refused = [
            (bytes_of(np.asfortranarray(np.ones((2, 3)))), "Fortran order"),
            (bytes_of(np.ones(3, dtype=">f4")), "'>f4' (big-endian)"),
            (bytes_of(np.ones(3, dtype="<c8")), "'<c8'"),
            (bytes_of(np.ones(3, dtype=[("a", "<f4")])), "structured"),
            (bytes_of(np.array(["ab"])), "'<U2'"),
            (good[:-1], "truncated: its shape needs 24 bytes of data, it has 23"),
            (good + b"\0", "too long: its shape needs 24 bytes of data, it has 25"),
            (good[:100], "header is truncated"),
            (b"", "not a .npy file"),
            (b"PK\3\4" + b"\0" * 100, "not a .npy file"),
        ]
        for data, words in refused:
            check_refused(tool, directory, data, words)
        missing = copy(tool, os.path.join(directory, "none.npy"), os.path.join(directory, "x"))
        assert missing.returncode == 2 and "No such file" in missing.stderr


main()
