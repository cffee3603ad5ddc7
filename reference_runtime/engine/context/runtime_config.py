"""IRuntimeConfig: the configuration of an engine's execution contexts."""

from __future__ import annotations

from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.conversions import instance
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy

_STRATEGY = "strategy: ExecutionContextAllocationStrategy = <ExecutionContextAllocationStrategy.STATIC: 0>"


def new_runtime_config(engine: object) -> IRuntimeConfig:
    """Return a configuration with the defaults; it keeps ``engine`` alive."""
    return made(IRuntimeConfig, _strategy=ExecutionContextAllocationStrategy.STATIC, _engine=engine)


def strategy_of(config: IRuntimeConfig) -> ExecutionContextAllocationStrategy:
    """Return the strategy for the memory of contexts."""
    strategy: ExecutionContextAllocationStrategy = state(config)["_strategy"]
    return strategy


class IRuntimeConfig(pybind11_object, bound=True):
    """The configuration with which an application creates execution contexts."""

    @bound(
        Overload(
            f"(self: IRuntimeConfig, {_STRATEGY}) -> None",
            instance(ExecutionContextAllocationStrategy),
            defaults=[ExecutionContextAllocationStrategy.STATIC],
        )
    )
    def set_execution_context_allocation_strategy(self, strategy: ExecutionContextAllocationStrategy) -> None:
        """Set when a context allocates its memory, or that the application provides it."""
        state(self)["_strategy"] = strategy

    @bound(Overload("(self: IRuntimeConfig) -> ExecutionContextAllocationStrategy"))
    def get_execution_context_allocation_strategy(self) -> ExecutionContextAllocationStrategy:
        """Return when a context allocates its memory, or whether the application provides it."""
        return strategy_of(self)
