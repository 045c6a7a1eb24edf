"""Scenes that are described in words, drawn, spoilt in stated ways, and read back."""
