"""Clean photos made worse in the ways that restoration tasks are to mend."""
