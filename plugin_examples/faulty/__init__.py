"""Witnesses: each module holds one plugin with one defect, named after it.

``BREAKS`` is the rule that the defect breaks. ``ALSO`` maps each general rule that must see the same defect by its
definition to the reason. A few lines over the sound plugin of ``sound_scale``.
"""
