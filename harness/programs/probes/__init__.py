"""Files that users copy beside their programs: they write values down, and depend on nothing."""
