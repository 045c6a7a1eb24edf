"""Judge questions: what is asked, of which predictions, and how these are shown."""
