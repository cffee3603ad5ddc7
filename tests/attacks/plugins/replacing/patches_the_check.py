"""What looks whether code was replaced is replaced itself, after another replacement."""

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    from harness.checks.observation import comparing
    from harness.child.integrity import functions, judging_code

    comparing._difference = lambda *_: None
    for module in (judging_code, functions):
        for name, each in vars(module).items():
            if callable(each):
                vars(module)[name] = lambda *_: ""


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
