"""Devices that the runtime can run on; each hides behind the protocols of ``base``."""
