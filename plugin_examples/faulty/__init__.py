"""Witnesses: each module holds one plugin with one defect, named after it.

``BREAKS`` is the rule that the defect breaks; ``ALSO`` maps each general rule that must by its definition see the
same defect to the reason. A few lines over the sound plugin of ``sound_scale``.
"""
