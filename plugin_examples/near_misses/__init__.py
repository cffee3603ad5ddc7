"""Near misses: sound plugins that look faulty and are legal. Each names in LOOKS_LIKE the rule that it resembles.

They must get no FAIL and no WARN. A rule that reports one is wrong.
"""
