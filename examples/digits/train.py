#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Train the example's multilayer perceptron, 64 - 64 (ReLU) - 10, and write its weights.

Only the even rows of the data set are used; the odd rows are held out. NumPy only, fixed seed: the
checked-in weights came from this script. Weights are rounded to BF16 at the end, biases stay FP32.
usage: train.py [DIRECTORY]
"""
import os
import sys

import numpy as np

from network import DIRECTORY, HIDDEN, load_digits, to_bf16

EPOCHS = 3000
RATE = 0.01
DECAY = 2e-4


def softmax(logits):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def gradients(p, x, target):
    hidden = np.maximum(x @ p["w1"] + p["b1"], 0)
    error = (softmax(hidden @ p["w2"] + p["b2"]) - target) / len(x)
    back = (error @ p["w2"].T) * (hidden > 0)
    return {"w1": x.T @ back + DECAY * p["w1"], "b1": back.sum(axis=0),
            "w2": hidden.T @ error + DECAY * p["w2"], "b2": error.sum(axis=0)}


def train(x, labels):
    """Full-batch Adam in float64."""
    random = np.random.default_rng(20240601)
    p = {"w1": random.normal(0, np.sqrt(2 / 64), (64, HIDDEN)), "b1": np.zeros(HIDDEN),
         "w2": random.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, 10)), "b2": np.zeros(10)}
    mean = {k: np.zeros_like(v) for k, v in p.items()}
    square = {k: np.zeros_like(v) for k, v in p.items()}
    target = np.eye(10)[labels]
    for step in range(1, EPOCHS + 1):
        noisy = x + random.normal(0, 0.1, x.shape)  # a little noise instead of more data
        for k, g in gradients(p, noisy, target).items():
            mean[k] = 0.9 * mean[k] + 0.1 * g
            square[k] = 0.999 * square[k] + 0.001 * g * g
            p[k] -= RATE * (mean[k] / (1 - 0.9 ** step)) / (np.sqrt(square[k] / (1 - 0.999 ** step)) + 1e-8)
    return p


def main():
    images, labels = load_digits()
    p = train(images[0::2] / 16.0, labels[0::2])
    directory = sys.argv[1] if len(sys.argv) > 1 else DIRECTORY
    for name in ("w1", "w2"):
        np.save(os.path.join(directory, f"{name}.npy"), to_bf16(p[name].astype(np.float32)))
    for name in ("b1", "b2"):
        np.save(os.path.join(directory, f"{name}.npy"), p[name].astype(np.float32))


if __name__ == "__main__":
    main()
