"""Scores of predictions against the truth, one module a kind of prediction."""
