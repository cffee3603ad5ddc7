"""A made-up answer before that of the rule, which then comes as a second one."""

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

WrongScale.attack = staticmethod(lambda: write_everywhere(REPLY))
publish(WrongScale)
