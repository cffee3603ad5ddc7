"""Which functions are applications, and what is wrong with others."""

import functools
import types

import pytest

from harness.applications.discovering import NoApplicationError, described, discover


def module(**members):
    made = types.ModuleType("app")
    vars(made).update(members)
    return made


def main():
    """Do nothing."""


def serve(port, *hosts, timeout=3):
    """Need one argument."""


async def later():
    """Run only where somebody waits."""


def test_functions_are_named_or_listed():
    made = module(main=main, serve=serve, PLUGIN_APPS=[main])
    assert [found.key for found in discover(made, ())] == ["app:main"]
    assert [found.function for found in discover(made, ["main"])] == [main]
    assert discover(module(), ()) == []


def test_a_name_in_the_list_is_enough_and_arguments_may_have_defaults():
    quick = functools.wraps(serve)(lambda port=80: port)
    del quick.__wrapped__
    assert [found.key for found in discover(module(serve=quick, PLUGIN_APPS=("serve",)), ())] == ["app:serve"]


@pytest.mark.parametrize(
    ("wanted", "members", "words"),
    [
        (["mian"], {"main": main}, r"--plugin-app=app:mian: app has no function 'mian' \(did you mean 'main'\?\)"),
        (["zzz"], {"main": main}, "app has no function 'zzz'$"),
        (["serve"], {"serve": serve}, "--plugin-app=app:serve needs port: name a function that takes no arguments"),
        (["port"], {"port": 80}, "--plugin-app=app:port is a int"),
        (["Main"], {"Main": dict}, "Main is a type"),
        (["later"], {"later": later}, "does nothing when it is called"),
        ([], {"PLUGIN_APPS": "main"}, "app.PLUGIN_APPS is a str, not a list"),
        ([], {"PLUGIN_APPS": ["mian"], "main": main}, r"app.PLUGIN_APPS\[0\]: app has no function 'mian'"),
        ([], {"PLUGIN_APPS": [lambda: 0]}, r"app.PLUGIN_APPS\[0\] is a function"),
    ],
)
def test_what_is_no_application_is_one_clear_error(wanted, members, words):
    with pytest.raises(NoApplicationError, match=words):
        discover(module(**members), wanted)


def test_an_application_is_described_as_a_plugin_of_one_case():
    made = module(main=main)
    (found,) = discover(made, ["main"])
    told = described(found, "8.6")
    assert (told["key"], told["interface"], told["class"]) == ("app:main", "application", "main")
    assert (told["file"], told["line"]) == (__file__, main.__code__.co_firstlineno)
    assert [(case["name"], case["spec"]) for case in told["cases"]] == [("run", "8.6")]
