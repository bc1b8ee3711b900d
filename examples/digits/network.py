# SPDX-License-Identifier: Apache-2.0
"""The network in NumPy, independent of the model: data, BF16, the forward pass and its bounds."""
import math
import os

import numpy as np

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
HIDDEN = 64
CLASSES = 10
#: unit roundoff: BF16 keeps 8 significant bits, FP32 24
U_BF16 = 2.0 ** -8
U_FP32 = 2.0 ** -24


def load(name):
    return np.load(os.path.join(DIRECTORY, name + ".npy"))


def load_digits():
    """1,797 images of 64 pixels 0..16, and their labels."""
    return load("images"), load("labels").astype(int)


def to_bf16(x):
    """FP32 to BF16 bits, round to nearest, ties to even (finite values)."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def parameters(prefix=""):
    """Weights as FP32 values (exact BF16 numbers) and FP32 biases; prefix "gelu_": of that network."""
    w1, b1, w2, b2 = (load(prefix + name) for name in ("w1", "b1", "w2", "b2"))
    return from_bf16(w1), b1, from_bf16(w2), b2


def normal_cdf(x):
    """(1 + erf(x / sqrt 2)) / 2 in double; erfc keeps the digits of small results."""
    return 0.5 * np.vectorize(math.erfc, otypes=[np.float64])(-np.asarray(x, np.float64) / math.sqrt(2))


def gelu(x):
    return x * normal_cdf(x)


def inputs():
    """Pixels / 16: every value is exact in BF16."""
    images, _ = load_digits()
    return images.astype(np.float32) / np.float32(16)


def column_sums(x, w):
    """x @ w as the PE array defines it: rows in ascending order, one rounding to FP32 a step
    (pe-array.md 7.2). A product of two BF16 numbers is exact in double; the sum of it and an FP32
    number is rounded to double first, which these magnitudes never make visible."""
    total = np.zeros((x.shape[0], w.shape[1]), np.float32)
    for k in range(w.shape[0]):
        product = x[:, k:k + 1].astype(np.float64) * w[k].astype(np.float64)
        total = (total + product).astype(np.float32)
    return total


def forward_bf16():
    """Logits of the path the device takes: BF16 operands, FP32 sums, hidden layer stored as BF16."""
    w1, b1, w2, b2 = parameters()
    hidden = np.maximum(column_sums(inputs(), w1) + b1, np.float32(0))
    return column_sums(from_bf16(to_bf16(hidden)), w2) + b2


def forward_exact():
    """Logits in float64 from the same weights, with no rounding of the hidden layer, and a bound on
    what the BF16 path may differ from them."""
    w1, b1, w2, b2 = (p.astype(np.float64) for p in parameters())
    x = inputs().astype(np.float64)
    steps = w1.shape[0] + 1
    sum1 = x @ w1 + b1
    hidden = np.maximum(sum1, 0)
    # First layer: one FP32 rounding a step, of partial sums that never exceed the sum of magnitudes.
    error1 = steps * U_FP32 * (np.abs(x) @ np.abs(w1) + np.abs(b1))
    # ReLU does not enlarge an error; then the hidden value is rounded to BF16.
    error_hidden = error1 + U_BF16 * (hidden + error1)
    error2 = error_hidden @ np.abs(w2)
    error2 += steps * U_FP32 * ((hidden + error_hidden) @ np.abs(w2) + np.abs(b2))
    return hidden @ w2 + b2, error2


#: the table of gelu (docs/activation.md, gelu[4]): units of the last place, and what it is off at most
GELU_ULP, GELU_ABSOLUTE = 175, 4.2e-5


def forward_gelu():
    """Of the network with GELU: logits of the device's path with gelu in double, logits in float64
    without any rounding, and a bound on what the device may differ from the latter."""
    w1, b1, w2, b2 = parameters("gelu_")
    sums = column_sums(inputs(), w1) + b1
    hidden = from_bf16(to_bf16(gelu(sums).astype(np.float32)))
    device = column_sums(hidden, w2) + b2
    w1, b1, w2, b2 = (p.astype(np.float64) for p in (w1, b1, w2, b2))
    x = inputs().astype(np.float64)
    steps = w1.shape[0] + 1
    exact = gelu(x @ w1 + b1)
    # as in forward_exact; the slope of GELU is below 1.13, and the table is off by its stated error
    error1 = 1.13 * steps * U_FP32 * (np.abs(x) @ np.abs(w1) + np.abs(b1))
    error1 += np.minimum(GELU_ULP * 2 * U_FP32 * np.abs(exact), GELU_ABSOLUTE)
    error_hidden = error1 + U_BF16 * (np.abs(exact) + error1)
    error2 = error_hidden @ np.abs(w2)
    error2 += steps * U_FP32 * ((np.abs(exact) + error_hidden) @ np.abs(w2) + np.abs(b2))
    return device, exact @ w2 + b2, error2
