"""What is run, observed and judged."""
