"""Items on disk: one thin module a format."""
