"""How long ``enqueue`` takes: quantities that stay apart, sampled in the child and told through pytest-benchmark."""
