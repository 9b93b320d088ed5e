"""Files on disk: cases, fixtures, arrays, snapshots, records."""
