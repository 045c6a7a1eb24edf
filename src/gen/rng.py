"""One way to derive a random stream."""

import hashlib
import json

import numpy as np


def stream(seed: int, *key: str | int) -> np.random.Generator:
    """An independent random generator for (`seed`, *`key`).

    The key is hashed as a whole, so streams of neighbouring seeds or items share nothing
    (`seed + i` would make item i of seed s equal to item 0 of seed s + i), and the stream does not
    depend on Python's hash seed, the machine or the order in which streams are made.
    """
    text = json.dumps([seed, *key], ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


def opaque_id(*key: str | int | float | None) -> str:
    """16 hex digits that name `key` and tell nothing of it (SHA-256 of its JSON)."""
    text = json.dumps(key, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
