"""Whole collections as one data set: parts that are ordinary runs, gathered under one roof."""
