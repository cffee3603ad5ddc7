"""The launch parameters that ``aot_impl`` returns for its kernel."""

from __future__ import annotations

from typing import Any, Final

from reference_runtime.plugin.symbols import SymInt32

PARAMETERS: Final = ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_mem")


class KernelLaunchParams:
    """The dimensions of grid and blocks, and the bytes of shared memory, as numbers or symbolic expressions."""

    def __init__(
        self,
        grid_x: Any = 1,
        grid_y: Any = 1,
        grid_z: Any = 1,
        block_x: Any = 1,
        block_y: Any = 1,
        block_z: Any = 1,
        shared_mem: Any = 0,
    ) -> None:
        self.grid_x, self.grid_y, self.grid_z = grid_x, grid_y, grid_z
        self.block_x, self.block_y, self.block_z = block_x, block_y, block_z
        self.shared_mem = shared_mem

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in PARAMETERS:
            raise AttributeError(f"KernelLaunchParams object has no attribute '{name}'")
        self.__dict__[name] = SymInt32(value)
