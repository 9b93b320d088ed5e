"""The child side: one small host per runtime. Nothing here imports the rest of the harness."""
