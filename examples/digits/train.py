#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Train the example's multilayer perceptrons, 64 - 64 (ReLU) - 10 and 64 - 64 (GELU) - 10, and write their weights.

Only the even rows of the data set are used; the odd rows are held out. NumPy only, fixed seed: the
checked-in weights came from this script. Weights are rounded to BF16 at the end, biases stay FP32.
usage: train.py [DIRECTORY]
"""
import os
import sys

import numpy as np

from network import DIRECTORY, HIDDEN, load_digits, normal_cdf, to_bf16

EPOCHS = 3000
RATE = 0.01
DECAY = 2e-4


def softmax(logits):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def relu(x):
    return np.maximum(x, 0), x > 0


def gelu(x):
    cdf = normal_cdf(x)
    return x * cdf, cdf + x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


#: prefix of the files, and the hidden function with its derivative
NETWORKS = (("", relu), ("gelu_", gelu))


def gradients(p, x, target, function):
    hidden, slope = function(x @ p["w1"] + p["b1"])
    error = (softmax(hidden @ p["w2"] + p["b2"]) - target) / len(x)
    back = (error @ p["w2"].T) * slope
    return {"w1": x.T @ back + DECAY * p["w1"], "b1": back.sum(axis=0),
            "w2": hidden.T @ error + DECAY * p["w2"], "b2": error.sum(axis=0)}


def train(x, labels, function):
    """Full-batch Adam in float64."""
    random = np.random.default_rng(20240601)
    p = {"w1": random.normal(0, np.sqrt(2 / 64), (64, HIDDEN)), "b1": np.zeros(HIDDEN),
         "w2": random.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, 10)), "b2": np.zeros(10)}
    mean = {k: np.zeros_like(v) for k, v in p.items()}
    square = {k: np.zeros_like(v) for k, v in p.items()}
    target = np.eye(10)[labels]
    for step in range(1, EPOCHS + 1):
        noisy = x + random.normal(0, 0.1, x.shape)  # a little noise instead of more data
        for k, g in gradients(p, noisy, target, function).items():
            mean[k] = 0.9 * mean[k] + 0.1 * g
            square[k] = 0.999 * square[k] + 0.001 * g * g
            p[k] -= RATE * (mean[k] / (1 - 0.9 ** step)) / (np.sqrt(square[k] / (1 - 0.999 ** step)) + 1e-8)
    return p


def main():
    images, labels = load_digits()
    directory = sys.argv[1] if len(sys.argv) > 1 else DIRECTORY
    for prefix, function in NETWORKS:
        p = train(images[0::2] / 16.0, labels[0::2], function)
        for name in ("w1", "w2"):
            np.save(os.path.join(directory, f"{prefix}{name}.npy"), to_bf16(p[name].astype(np.float32)))
        for name in ("b1", "b2"):
            np.save(os.path.join(directory, f"{prefix}{name}.npy"), p[name].astype(np.float32))


if __name__ == "__main__":
    main()
