"""What stands between the command line and Hydra: where settings are, aliases, and error lines.

Nothing here imports Hydra, so that the plugin which Hydra scans at every start costs nothing.
"""
