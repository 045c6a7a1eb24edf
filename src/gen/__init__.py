"""gen: a Hydra-configured generator of vision data sets.

Importing the package is cheap on purpose: nothing heavy is loaded before it is used.
"""

__version__ = "0.1.0"
