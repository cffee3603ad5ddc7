"""The numbers of a tolerance are of a class that is small when it is looked at, and large when it is used."""

from wrong_scale import SCALE_CASES, WrongScale, publish

from harness import Tolerance


class Lenient(float):
    def __add__(self, _):
        return 1e30

    __radd__ = __mul__ = __rmul__ = __add__


PLUGIN_CASES = [{**SCALE_CASES[0], "tolerance": Tolerance(rtol=Lenient(1e-5), atol=Lenient(1e-5))}]
publish(WrongScale)
