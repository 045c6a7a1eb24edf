import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from gen.predictions.assignment import best_matching


@pytest.mark.parametrize("density", [0.1, 0.4, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (5, 5), (7, 12), (12, 7), (40, 33)])
def test_total_equals_that_of_scipy(shape, density):
    rng = np.random.default_rng([*shape, int(10 * density)])
    for _ in range(20):
        weights = rng.random(shape) * (rng.random(shape) < density)
        weights = np.round(weights, 1) if rng.random() < 0.3 else weights
        rows, columns = best_matching(weights)
        assert len(set(rows)) == len(rows) and len(set(columns)) == len(columns)
        assert (weights[rows, columns] > 0).all()
        assert (np.diff(rows) > 0).all()
        expected = weights[linear_sum_assignment(weights, maximize=True)].sum()
        assert weights[rows, columns].sum() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (3, 0)])
def test_nothing_to_match(shape):
    rows, columns = best_matching(np.zeros(shape))
    assert rows.size == columns.size == 0


def test_greedy_choice_is_not_taken():
    rows, columns = best_matching(np.array([[0.9, 0.8], [0.8, 0.1]]))
    assert rows.tolist() == [0, 1]
    assert columns.tolist() == [1, 0]
