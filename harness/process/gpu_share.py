"""Which GPU the children of a worker of pytest-xdist use: workers take turns over those that the run may use.

Theory: ``CUDA_VISIBLE_DEVICES`` says which GPUs a process sees, and CUDA numbers those from 0. So a plugin that uses
device 0, as all do that know nothing of others, uses the GPU of its worker. It is set for children alone: what else a
worker runs sees what it saw before. No verdict depends on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The variable by which CUDA knows which GPUs a process may use: numbers or identifiers, separated by commas.
VARIABLE = "CUDA_VISIBLE_DEVICES"
_WORKER = re.compile(r"gw(\d+)")


def share_of(worker: str, environment: Mapping[str, str], count: Callable[[], int]) -> dict[str, str]:
    """Return what to add to the environment of the children of a worker; nothing where there is nothing to share.

    Args:
        worker: The worker as pytest-xdist names it (``gw0``, ``gw1``, ...); empty where there are no workers.
        environment: The environment of this process; GPUs that it names are shared, and no others.
        count: Tells how many GPUs there are, for an environment that names none.
    """
    number = _WORKER.fullmatch(worker)
    if number is None:
        return {}
    named = environment.get(VARIABLE)
    usable = [str(each) for each in range(count())] if named is None else _usable(named)
    return {VARIABLE: usable[int(number[1]) % len(usable)]} if usable else {}


def _usable(named: str) -> list[str]:
    """Return the GPUs of a list as CUDA reads it: up to the first that is none."""
    found: list[str] = []
    for word in map(str.strip, named.split(",")):
        if not word or word.startswith("-"):
            break
        found.append(word)
    return found
