"""Holes filled with copies of what else is in the picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

# The shorter side of the coarsest picture, and the longer side of the finest that is searched: in
# a larger one, patches are taken from where they were found in the smaller one.
_COARSEST, _FINEST = 20, 256
# How far a good patch is passed on in each step of a round, in pixels.
_JUMPS = (4, 1)
# A patch weighs exp(-d / 2 s): s is this quantile of all distances (Wexler, Shechtman and Irani).
_TYPICAL = 0.75
# What is so far inside the hole that it is one pixel farther from its rim is less sure by this.
_DOUBT = 1.3


def patch_filled(
    picture: Light, hole: Mask, size: int, rounds: int, rng: np.random.Generator
) -> Light:
    """`picture` (float32 (height, width, 3)) with `hole` filled by patches from outside of it.

    Coarse to fine, each patch of `size` x `size` pixels (odd) that touches the hole looks for the
    nearest one that lies wholly outside, by PatchMatch (Barnes et al., SIGGRAPH 2009); then each
    pixel becomes the mean of what the patches over it propose (Wexler, Shechtman and Irani,
    Space-time completion of video, PAMI 2007). `rounds` such steps, 1 or more, are made at each
    size.
    """
    pyramid = [(picture, hole)]
    while min(pyramid[-1][1].shape) >= 2 * _COARSEST:
        pyramid.append(_halved(*pyramid[-1]))
    filled: Light | None = None
    match: _Match | None = None
    for scaled, missing in reversed(pyramid):
        level = _Match.between(scaled, missing, size // 2)
        if not len(level.sources) or not len(level.targets):
            continue
        guess = _smooth(scaled, missing) if filled is None else _enlarged(filled, scaled, missing)
        level.start(guess, match, rng)
        for _ in range(rounds if max(missing.shape) <= _FINEST else 0):
            level.search(rng)
            guess = level.vote()
        filled, match = level.vote(), level
    return _smooth(picture, hole) if filled is None else filled


@dataclass(slots=True)
class _Match:
    """For each patch about a hole, the one outside that is most like it, in one picture.

    Places are indices into the flattened picture, padded by `half` a patch: `targets` are the
    middles of patches that touch the hole, `sources` those of patches that do not, `found` is the
    source of each target and `distance` how far its colours are from it, squared and summed.
    """

    half: int
    hole: Mask
    targets: Places
    sources: Places
    allowed: Mask
    number: Places
    around: Places
    nearest: Places
    trust: Light
    pixels: Light
    found: Places
    distance: Light

    @classmethod
    def between(cls, picture: Light, hole: Mask, half: int) -> "_Match":
        kernel = np.ones((2 * half + 1, 2 * half + 1), np.uint8)
        touching = cv2.dilate(hole.astype(np.uint8), kernel) > 0
        inner = np.zeros(hole.shape, np.bool_)
        inner[half:-half, half:-half] = True
        width = hole.shape[1] + 2 * half
        allowed = np.pad(~touching & inner, half).ravel()
        targets = np.flatnonzero(np.pad(touching, half))
        number = np.full(allowed.size, -1, np.intp)
        number[targets] = np.arange(len(targets))
        reach = np.arange(-half, half + 1)
        depth = cv2.distanceTransform(hole.astype(np.uint8), cv2.DIST_L2, 5)
        return cls(
            half=half,
            hole=hole,
            targets=targets,
            sources=np.flatnonzero(allowed),
            allowed=np.asarray(allowed),
            number=number,
            around=(reach[:, None] * width + reach).ravel(),
            nearest=_nearest(allowed.reshape(-1, width)).ravel()[targets],
            trust=np.float32(_DOUBT) ** -np.asarray(depth[touching], np.float32),
            pixels=_padded(picture, half),
            found=np.zeros(0, np.intp),
            distance=np.zeros(0, np.float32),
        )

    def start(self, guess: Light, coarser: "_Match | None", rng: np.random.Generator) -> None:
        """Fill in `guess`, and take over what was found at half the size, or anything."""
        self.pixels = _padded(guess, self.half)
        self.found = self.sources[rng.integers(len(self.sources), size=len(self.targets))]
        if coarser is not None:
            y, x = self._at(self.targets)
            rows, columns = coarser.hole.shape
            other = coarser._place(np.minimum(y // 2, rows - 1), np.minimum(x // 2, columns - 1))
            index = coarser.number[other]
            source_y, source_x = coarser._at(coarser.found[index])
            moved_y, moved_x = 2 * source_y + y % 2, 2 * source_x + x % 2
            moved = self._place(
                np.minimum(moved_y, self.hole.shape[0] - 1),
                np.minimum(moved_x, self.hole.shape[1] - 1),
            )
            self.found = np.where((index >= 0) & self.allowed[moved], moved, self.found)
        self.distance = self._distances(self.targets, self.found)

    def search(self, rng: np.random.Generator) -> None:
        """One round: neighbours' matches moved along with them, then random places nearby."""
        self.distance = self._distances(self.targets, self.found)
        width = self.hole.shape[1] + 2 * self.half
        for jump in _JUMPS:
            for step in (jump, -jump, jump * width, -jump * width):
                near = np.clip(self.targets - step, 0, self.allowed.size - 1)
                index = self.number[near]
                self._take(np.where(index >= 0, self.found[index] + step, self.found))
        self._take(self.nearest)
        self._take(self.sources[rng.integers(len(self.sources), size=len(self.targets))])
        reach = max(self.hole.shape) // 4
        while reach >= 1:
            y, x = self._at(self.found)
            away = rng.integers(-reach, reach + 1, size=(2, len(self.targets)))
            y = np.clip(y + away[0], 0, self.hole.shape[0] - 1)
            x = np.clip(x + away[1], 0, self.hole.shape[1] - 1)
            self._take(self._place(y, x))
            reach //= 4

    def vote(self) -> Light:
        """The picture with its hole filled: at each pixel the mean of the patches over it."""
        typical = max(float(np.quantile(self.distance, _TYPICAL)), 1e-3)
        weight = self.trust * np.exp(-self.distance / np.float32(2 * typical))
        size = len(self.pixels)
        places = (self.targets[:, None] + self.around).ravel()
        colors = self.pixels[self.found[:, None] + self.around].reshape(-1, 3)
        weights = np.repeat(weight, len(self.around))
        total = np.bincount(places, weights, size) + 1e-12
        mean = [np.bincount(places, weights * colors[:, k], size) / total for k in range(3)]
        missing = np.pad(self.hole, self.half).ravel()
        self.pixels[missing] = np.stack(mean, axis=1)[missing]
        rows, columns = self.hole.shape
        half = self.half
        whole = self.pixels.reshape(rows + 2 * half, columns + 2 * half, 3)
        picture = whole[half : half + rows, half : half + columns].copy()
        self.pixels = _padded(picture, half)
        return np.asarray(picture, np.float32)

    def _take(self, sources: Places) -> None:
        """Take those of `sources` that may be used and are nearer than what was found so far."""
        sources = np.clip(sources, 0, self.allowed.size - 1)
        new = np.flatnonzero(self.allowed[sources] & (sources != self.found))
        distance = self._distances(self.targets[new], sources[new])
        nearer = distance < self.distance[new]
        self.found[new[nearer]] = sources[new[nearer]]
        self.distance[new[nearer]] = distance[nearer]

    def _distances(self, targets: Places, sources: Places) -> Light:
        one = self.pixels[targets[:, None] + self.around].reshape(
            len(targets), 3 * len(self.around)
        )
        one -= self.pixels[sources[:, None] + self.around].reshape(
            len(targets), 3 * len(self.around)
        )
        return np.asarray(np.einsum("np,np->n", one, one), np.float32)

    def _place(self, y: Places, x: Places) -> Places:
        width = self.hole.shape[1] + 2 * self.half
        return np.asarray((y + self.half) * width + x + self.half, np.intp)

    def _at(self, places: Places) -> tuple[Places, Places]:
        width = self.hole.shape[1] + 2 * self.half
        return places // width - self.half, places % width - self.half


def _nearest(allowed: Mask) -> Places:
    """For each place the nearest one that is allowed, as an index into the flattened picture."""
    from scipy.ndimage import distance_transform_edt

    if not allowed.any():
        return np.zeros(allowed.shape, np.intp)
    y, x = distance_transform_edt(~allowed, return_distances=False, return_indices=True)
    return np.asarray(y * allowed.shape[1] + x, np.intp)


def _padded(picture: Light, half: int) -> Light:
    whole = cv2.copyMakeBorder(picture, half, half, half, half, cv2.BORDER_REFLECT)
    return np.asarray(whole, np.float32).reshape(-1, 3)


def _halved(picture: Light, hole: Mask) -> tuple[Light, Mask]:
    """Half as many pixels a side, each the mean of what is known of it."""
    size = (hole.shape[1] + 1) // 2, (hole.shape[0] + 1) // 2
    known = (~hole).astype(np.float32)
    share = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_AREA), np.float32)
    total = cv2.resize(picture * known[..., None], size, interpolation=cv2.INTER_AREA)
    mean = total / np.maximum(share, np.float32(1e-6))[..., None]
    return np.asarray(mean, np.float32), np.asarray(share < 0.5)


def _enlarged(filled: Light, picture: Light, hole: Mask) -> Light:
    larger = cv2.resize(filled, hole.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.where(hole[..., None], larger, picture), np.float32)


def _smooth(picture: Light, hole: Mask) -> Light:
    bytes_ = np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)
    mended = cv2.inpaint(bytes_, hole.astype(np.uint8), 3, cv2.INPAINT_TELEA)
    return np.asarray(np.where(hole[..., None], mended.astype(np.float32), picture), np.float32)
