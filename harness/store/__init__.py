"""What lies on disk: cases, fixtures, arrays, records."""
