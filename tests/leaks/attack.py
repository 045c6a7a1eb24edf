"""A search for what gives the answers of pairs away: a learner that sees only side features."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDS = 5


class Verdict(NamedTuple):
    """The share of pairs answered rightly, and its error, photos being the clusters."""

    accuracy: float
    error: float
    clusters: int
    pairs: int
    level: float = 0.95

    @property
    def low(self) -> float:
        """The lower end of the two-sided interval of `level`."""
        return self.accuracy - self._reach

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.accuracy + self._reach

    @property
    def within_chance(self) -> bool:
        """Whether guessing could have done as well."""
        return self.low <= 0.5

    def at_level(self, level: float) -> "Verdict":
        """The same with an interval of another level."""
        return self._replace(level=level)

    @property
    def _reach(self) -> float:
        from scipy.stats import t

        return float(t.ppf((1 + self.level) / 2, self.clusters - 1) * self.error)


def attack(
    features: NDArray[np.float64], a_is_right: NDArray[np.bool_], photos: Sequence[str]
) -> Verdict:
    """How well gradient boosting answers pairs of photos that it has not seen.

    `features` is float64 (pairs, features). Cross-validation in `FOLDS` folds, no photo in two.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import GroupKFold

    right = np.zeros(len(a_is_right), np.bool_)
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=0).split(
        features, a_is_right, photos
    ):
        model = HistGradientBoostingClassifier(
            max_iter=150, learning_rate=0.05, max_leaf_nodes=15, min_samples_leaf=20, random_state=0
        )
        model.fit(features[train], a_is_right[train])
        right[test] = model.predict(features[test]) == a_is_right[test]
    return _verdict(right, photos)


def _verdict(right: NDArray[np.bool_], photos: Sequence[str]) -> Verdict:
    """The mean of `right` with its cluster-robust standard error."""
    accuracy = float(right.mean())
    names, cluster = np.unique(np.asarray(photos), return_inverse=True)
    residuals = np.bincount(cluster, right - accuracy)
    count = len(names)
    error = np.sqrt((residuals**2).sum() * count / (count - 1)) / len(right)
    return Verdict(accuracy, float(error), count, len(right))
