"""The folder of a run: named, locked, filled shard by shard, sealed, and found again."""
