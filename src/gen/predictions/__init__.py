"""Predictions: records of them, where they come from, and how they are scored."""
