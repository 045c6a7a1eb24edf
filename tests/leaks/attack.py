"""A search for what gives the answers of pairs away: a learner that sees only side features."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDS = 5


class Verdict(NamedTuple):
    """The share of pairs answered rightly, and its 95 % interval, photos being the clusters."""

    accuracy: float
    low: float
    high: float
    pairs: int

    @property
    def within_chance(self) -> bool:
        """Whether guessing could have done as well."""
        return self.low <= 0.5


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
    """The mean of `right` and its interval: t, on the cluster-robust standard error of a mean."""
    from scipy.stats import t

    accuracy = float(right.mean())
    names, cluster = np.unique(np.asarray(photos), return_inverse=True)
    residuals = np.bincount(cluster, right - accuracy)
    count = len(names)
    error = np.sqrt((residuals**2).sum() * count / (count - 1)) / len(right)
    reach = float(t.ppf(0.975, count - 1) * error)
    return Verdict(accuracy, accuracy - reach, accuracy + reach, len(right))
