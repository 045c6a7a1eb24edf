"""Lengths and directions: right, and the same wherever an array lies in memory."""

import numpy as np
import pytest

from gen import rng
from gen.predictions.scenes import vectors


def parts(shape=(97, 131)):
    drawn = rng.stream(1, "vectors").normal(0, 40, (2, *shape))
    return drawn.astype(np.float32)


def test_lengths_and_directions_are_those_of_plane_geometry():
    across, down = parts()
    number = across.astype(np.complex128) + 1j * down.astype(np.complex128)
    assert vectors.length(across, down) == pytest.approx(np.abs(number), rel=1e-6)
    expected = np.degrees(np.angle(number)) % 360
    assert vectors.direction(across, down) == pytest.approx(expected, abs=1e-4)


def test_directions_go_once_around():
    across, down = np.float32([[1, 0, -1, 0, 0], [0, 1, 0, -1, 0]])
    assert vectors.direction(across, down).tolist() == [0, 90, 180, 270, 0]
    barely = vectors.direction(np.float32([1]), np.float32([-1e-30]))
    assert 0 <= barely[0] <= 360


def test_they_do_not_depend_on_where_in_memory_a_vector_lies():
    across, down = parts((144, 192))
    found, kept = set(), []
    for number in range(60):
        one, other = across.copy(), down.copy()
        lengths, angles = vectors.length(one, other), vectors.direction(one, other)
        found.add((lengths.tobytes(), angles.tobytes()))
        kept += [one, other, lengths, bytes(16 * number + 8), np.empty(1000 + 997 * number)]
    assert len(found) == 1
