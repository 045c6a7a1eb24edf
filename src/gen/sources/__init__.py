"""Where pixels and true labels come from."""
