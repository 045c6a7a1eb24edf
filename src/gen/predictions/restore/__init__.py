"""Classical algorithms that mend degraded photos, over a range of settings."""
