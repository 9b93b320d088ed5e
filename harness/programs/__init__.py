"""Two existing programs, side by side: record what they compute, match it, find where they part."""
