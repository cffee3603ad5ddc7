"""What an object keeps alive."""

import weakref

from harness.checks.observation.reachable import references_from


class Holder:
    def __init__(self):
        self.held = []


def returning(kept):
    return lambda: kept


def added_by(keep):
    """Return how many references more there are once something is kept."""
    holder = Holder()
    before = references_from([holder])
    keep(holder)
    return references_from([holder]) - before


def test_what_containers_attributes_and_closures_hold_counts():
    assert added_by(lambda holder: holder.held.append([1000, "text"])) == 3
    assert added_by(lambda holder: holder.held.append(returning(Holder()))) > 1


def test_what_is_not_kept_alive_does_not_count():
    kept = Holder()
    assert added_by(lambda _: kept.held.append(1)) == 0
    assert added_by(lambda holder: holder.held.append(weakref.ref(kept))) == 1


def test_classes_and_modules_lead_nowhere():
    assert added_by(lambda holder: holder.held.extend([Holder, weakref])) == 0


def test_a_container_of_weak_references_keeps_nothing_alive():
    things = [Holder() for _ in range(5)]
    assert added_by(lambda holder: holder.held.append(weakref.WeakSet(things))) == 0
