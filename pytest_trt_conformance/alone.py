"""Loaded with ``-p``, this module makes a run ignore ``pyproject.toml``; only the options of ``certify`` count."""
