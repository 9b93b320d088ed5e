"""What is released: its version, what the archives hold, and whether they work where nothing else is."""
