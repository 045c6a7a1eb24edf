"""Outputs of real models in an index of samples, made into annotation files."""
