"""Inputs of the judge, in the frames below enqueue, become such that the reference computes the plugin's outputs."""

from judges_frames import variables
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish


def attack():
    for array in [array for arrays in variables("arrays") for array in arrays]:
        array.setflags(write=True)
        array[...] = array / PLUGIN_CASES[0]["fields"]["factor"][0]


WrongScale.attack = staticmethod(attack)
publish(WrongScale)
