"""Build a plugin's cases with NVIDIA's builder too, each module in a separate new interpreter."""
