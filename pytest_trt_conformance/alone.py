"""Loaded with ``-p`` where no ``pyproject.toml`` counts: only the options of ``certify`` do."""
