"""What programs are given to describe their values: see `harness.adoption.facts`."""
