"""The devices on which plugins run: the host device and CUDA devices, which implement the protocols of ``base``."""
