"""What `make bench` runs: speed and memory, next to the usual ways of doing the same."""
