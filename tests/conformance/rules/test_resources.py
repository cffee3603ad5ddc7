"""The rules about resources on sound plugins that look like faults, and on faults that no witness has."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001, ARG005

import dataclasses

import pytest

import reference_runtime as trt
from conformance.rules import cloning, resources, threads
from harness.checks.engines.resources import Register, standing_in, whole_life
from harness.contract.rule import Interface, Rule
from harness.contract.verdict import Kind

OWN = [each for each in vars(resources).values() if isinstance(each, Rule)]
ALL = [*OWN, cloning.each_context_has_its_own_plugin, threads.resources_may_be_cloned_by_several_threads]


@pytest.fixture
def subject(sound, subject_of):
    """Return ``subject(base, class body)``: a sound plugin with some methods replaced."""

    def make(base, **methods):
        plugin_class = type("Plugin", (base,), methods)
        made = subject_of(sound.scale_v3.ScaleCreator, plugin_class, *sound.scale_v3.SCALE_CASES)
        return dataclasses.replace(made, interface=Interface.V3)

    return make


@pytest.fixture
def answers(subject, judge):
    """Return ``answers(base, class body)``: the rules' answers by their ids, each with a registry that is empty."""

    def ask(base, **methods):
        found = {}
        for each in ALL:
            plugin = subject(base, **methods)
            with standing_in(plugin, Register()):
                found[each.id] = judge(each, plugin)
        return found

    return ask


def broken(answers):
    return {each for each, answer in answers.items() if answer.broken}


def kinds(answers, *ids):
    return {answers[each].kind for each in ids}


def test_a_plugin_that_shares_and_borrows_nothing_is_not_concerned(sound, answers):
    assert {answer.kind for answer in answers(sound.scale_v3.Scale).values()} == {Kind.NOT_APPLICABLE}


def test_every_object_may_acquire_as_long_as_every_object_releases(sound, answers):
    def construct(self, *parameters):
        sound.resource_v3.SharedScale.__init__(self, *parameters)
        self.acquire()

    found = answers(sound.resource_v3.SharedScale, __init__=construct, attach_to_context=lambda self, _: self.clone())
    assert not broken(found)
    assert kinds(found, "RES-004", "RES-007", "THR-008") == {Kind.JUDGED}


def test_a_resource_may_only_be_counted_and_never_read(sound, answers):
    def attach(self, context):
        attached = self.clone()
        attached.acquire()
        return attached

    found = answers(
        sound.resource_v3.SharedScale, attach_to_context=attach, compute=lambda self, x, y: y.__setitem__(..., x)
    )
    assert not broken(found) - {"RES-009"}


def test_memory_of_the_context_may_be_taken_for_one_enqueue(sound, answers):
    def attach(self, context):
        attached = self.clone()
        attached.context = context
        return attached

    def compute(self, x, y):
        allocator = self.context.gpu_allocator
        memory = allocator.allocate_async(4, 256, 0, 0) if allocator is not None else 0
        y[...] = x * self.factor
        if memory:
            allocator.deallocate_async(memory, 0)

    found = answers(sound.resource_v3.LentScale, attach_to_context=attach, compute=compute, destroy=lambda self: None)
    assert not broken(found)
    assert kinds(found, "RES-010", "RES-011", "RES-012", "CLN-015") == {Kind.JUDGED}


def test_a_clone_that_raises_is_reported_by_its_owner(sound, answers):
    def refuse(self):
        raise ValueError("no")

    factor = type("Factor", (sound.resource_v3.Factor,), {"clone": refuse})
    found = answers(sound.resource_v3.SharedScale, resource_class=factor)
    assert broken(found) == {"RES-001"}
    assert found["RES-004"].mishap.callback == "clone of a resource"


def test_a_release_that_frees_nothing_is_a_leak(sound, answers):
    factor = type("Factor", (sound.resource_v3.Factor,), {"release": lambda self: None})
    assert broken(answers(sound.resource_v3.SharedScale, resource_class=factor)) == {"RES-002"}


def test_a_copy_that_is_refused_must_not_be_released(sound, subject):
    register = Register(refuse=True)
    life = whole_life(subject(sound.resource_v3.SharedScale), register)
    assert life.fatal_failure is not None
    assert {claim.verb for claim in register.claims} == {"acquire"}


def test_classes_and_registry_are_as_they_were_afterwards(sound, subject):
    factor = sound.resource_v3.Factor
    before = dict(vars(factor))
    plugin = subject(sound.resource_v3.SharedScale)
    whole_life(plugin)
    assert dict(vars(factor)) == before
    with standing_in(plugin, Register()) as register:
        trt.get_plugin_registry().acquire_plugin_resource("key", factor(1.0))
    assert register.balance() == {"key": 1}
    assert trt.get_plugin_registry().release_plugin_resource("key") == 1
