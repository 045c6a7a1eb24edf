"""What `python -m gen VERB ...` can do besides making runs: a module each, with `main(cfg)`."""
