"""Where work runs: each module has `run(setup, shards, settings, on_done)`.

A shard is a piece of work that says what it is (`str`), pickles, and always gives the same result;
its size does not depend on the number of workers. `setup()` is called once in each worker, and what
it returns is called with a shard. Results come to `on_done` in the order in which they get ready,
in the process that called `run`; nothing holds them.
"""
