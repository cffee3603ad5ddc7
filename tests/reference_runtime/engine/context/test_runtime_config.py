import reference_runtime as trt
from reference_runtime.engine.context.runtime_config import new_runtime_config, strategy_of

STRATEGY = trt.ExecutionContextAllocationStrategy


def test_the_strategy_is_static_until_it_is_set():
    config = new_runtime_config(engine=None)
    assert config.get_execution_context_allocation_strategy() == STRATEGY.STATIC
    config.set_execution_context_allocation_strategy(STRATEGY.USER_MANAGED)
    assert config.get_execution_context_allocation_strategy() == STRATEGY.USER_MANAGED
    assert strategy_of(config) == STRATEGY.USER_MANAGED
    config.set_execution_context_allocation_strategy()
    assert strategy_of(config) == STRATEGY.STATIC
