"""Plans, observes, judges and runs the cases of a suite."""
