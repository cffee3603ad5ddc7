"""List facts about ONNX's operators that ONNX does not provide; they hold for all versions of an operator."""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


DECIDING: Final = {
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "ConstantOfShape": (0,),
    "Expand": (1,),
    "OneHot": (1,),
    "Pad": (1, 3),
    "Range": (0, 1, 2),
    "Reshape": (1,),
    "Resize": (2, 3),
    "STFT": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "TopK": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
    **dict.fromkeys(["BlackmanWindow", "HammingWindow", "HannWindow"], (0,)),
    **dict.fromkeys(["ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean"], (1,)),
    **dict.fromkeys(["ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"], (1,)),
}
"""For each operator, the positions of the inputs whose values decide dimensions."""
SAME_RANK: Final = frozenset({"CenterCropPad", "Pad", "Split"})
"""Operators whose first output has the rank of the first input, even if values of other inputs are unknown."""
MOVING: Final = _names(
    """
    Expand Flatten Gather GatherElements GatherND Identity Reshape Slice Split Squeeze Tile Transpose Unsqueeze
    """
)
"""Operators whose outputs consist of elements of their first input."""
JOINING: Final = frozenset({"Concat"})
"""Operators whose outputs consist of elements of all their inputs."""
BY_ELEMENT: Final = _names(
    """
    Abs Add And Cast Ceil Div Equal Floor Greater GreaterOrEqual Less LessOrEqual Max Min Mod Mul Neg Not Or Pow Sub
    Sum Where
    """
)
"""Operators that compute each element from one element of each operand."""
NOT_HERE: Final = _names(
    """
    Bernoulli Compress If Loop Multinomial NonMaxSuppression NonZero RandomNormal RandomNormalLike RandomUniform
    RandomUniformLike Scan SequenceMap Unique
    """
)
"""Operators that no engine of this runtime runs. They have subgraphs or data-dependent sizes, or are random."""
