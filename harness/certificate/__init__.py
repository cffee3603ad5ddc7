"""Issue and verify certificates: in-toto attestations of a run's results, bound to the judged files."""
