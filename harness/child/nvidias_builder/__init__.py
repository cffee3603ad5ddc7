"""Building a plugin's cases with a builder of NVIDIA's too, each module in a new interpreter of its own."""
