"""Loaded with ``-p`` where no ``pyproject.toml`` has a say: what is certified, and how, ``certify`` alone was told."""
