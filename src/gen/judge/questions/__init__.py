"""Question types: the order of the options, and the prompt."""
