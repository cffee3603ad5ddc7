import pytest

from tests.support.runtime.recording_v3 import RecorderV3, shop_v3


class NeedsAContext(RecorderV3):
    """Acquires in attach_to_context what its enqueue uses, as plugins with a shared resource do."""

    def enqueue(self, *arguments):
        assert self.resource_context is not None
        super().enqueue(*arguments)


@pytest.mark.parametrize("seed", range(12))
def test_no_schedule_runs_an_object_that_was_not_attached(seed):
    with shop_v3(seed, NeedsAContext) as made:
        made.profile()
        made.build(made.network())
