"""A package as people write them: which of its creators are judged, and which the user chooses."""

import textwrap

import pytest

pytest_plugins = ["pytester"]

FILES = {
    "__init__": """
        from acme._relu import ReluCreator
        from acme._factory import NamedCreator, made

        HalfCreator = made("Half")

        class Proxy:
            @property
            def __class__(self):
                raise RuntimeError("not bound yet")

        proxy = Proxy()
    """,
    "_base": """
        import abc
        from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator

        class BaseCreator(ScaleCreator):
            PLUGIN = None

            def __init__(self):
                super().__init__()
                self.name = self.PLUGIN.__name__

        class Unfinished(ScaleCreator):
            def __init__(self):
                raise OSError("no weights here")

        class Abstract(ScaleCreator):
            @abc.abstractmethod
            def create_plugin(self, name, field_collection):
                pass

        class Nameless(ScaleCreator):
            def __init__(self):
                super().__init__()
                self.name = ""
    """,
    "_relu": """
        from acme._base import Abstract, BaseCreator, Nameless, Scale, Unfinished

        class Relu(Scale):
            def __init__(self, *arguments):
                super().__init__(*arguments)
                self.plugin_type = "Relu"

        class ReluCreator(BaseCreator):
            PLUGIN = plugin_class = Relu
    """,
    "_factory": """
        from acme._base import Nameless, ScaleCreator

        def made(name):
            class Creator(ScaleCreator):
                def __init__(self):
                    super().__init__()
                    self.name = name

            return Creator

        class NamedCreator(Nameless):
            def __init__(self):
                super().__init__()
                self.name = "Named"
    """,
}


@pytest.fixture
def certify(certify_as_a_user, pytester):
    """Certify the package as a user would, by two rules."""
    folder = pytester.mkpydir("acme")
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    return lambda *options: certify_as_a_user("--plugin-module=acme", "--plugin-select=FMT-001,ID-001", *options)


def test_a_base_class_ends_no_run_and_what_cannot_be_made_is_reported(certify):
    result, report = certify()
    assert {plugin["key"] for plugin in report["plugins"]} == {"/Half/1", "/Named/1", "/Relu/1"}
    result.stdout.fnmatch_lines_random(
        [
            "left out: BaseCreator in acme/_base.py:5: it raises AttributeError: *",
            "left out: Unfinished in acme/_base.py:12: it raises OSError: no weights here",
            "left out: Abstract in acme/_base.py:16: create_plugin is abstract",
            "left out: Nameless in acme/_base.py:21: name is not set until a class derives from it, *",
        ]
    )


def test_a_plugin_is_left_out_by_name_and_the_replay_command_does_so_too(certify):
    result, report = certify("--plugin-exclude=Relu", "-v")
    assert {plugin["key"] for plugin in report["plugins"]} == {"/Half/1", "/Named/1"}
    result.stdout.fnmatch_lines(
        [
            "  replay *--plugin-exclude=Relu*",
            "left out: BaseCreator in acme/_base.py:*: it raises AttributeError: *",
            "left out by --plugin-include or --plugin-exclude: /Relu/1",
        ]
    )


def test_patterns_that_choose_nothing_are_usage_errors_that_list_the_plugins(certify):
    result, _ = certify("--plugin-include=Rel*,Gelu")
    assert result.ret == 4
    assert result.stderr.lines[0] == "ERROR: --plugin-include=Gelu fits no plugin; found: /Half/1, /Named/1, /Relu/1"
    result, _ = certify("--plugin-include=Rel*", "--plugin-exclude=Relu")
    assert result.ret == 4
    why = "--plugin-include=Rel* with --plugin-exclude=Relu leaves out every plugin; found: /Half/1, /Named/1, /Relu/1"
    assert result.stderr.lines[0] == f"ERROR: {why}"


REGISTERING = """
    import tensorrt as trt

    def register_plugins():
        from acme_later._relu import Creator

        trt.get_plugin_registry().register_creator(Creator(), "")
"""
LATER = """
    from plugin_examples.faulty.bases.sound_scale import ScaleCreator

    class Creator(ScaleCreator):
        pass
"""


def test_a_function_that_registers_is_called_where_the_user_names_it(certify_as_a_user, pytester):
    folder = pytester.mkpydir("acme_later")
    (folder / "__init__.py").write_text(textwrap.dedent(REGISTERING))
    (folder / "_relu.py").write_text(textwrap.dedent(LATER))
    options = ("--plugin-module=acme_later", "--plugin-select=ID-001")
    result, _ = certify_as_a_user(*options)
    assert result.ret == 4
    told = result.stderr.lines[0]
    assert told.startswith("ERROR: ")
    assert told.endswith(
        "or register yours in --plugin-setup=module:function; modules of it that were not imported: acme_later._relu"
    )
    result, report = certify_as_a_user(*options, "--plugin-setup=acme_later:register_plugins")
    assert result.ret == 0
    assert [plugin["key"] for plugin in report["plugins"]] == ["/Scale/1"]
