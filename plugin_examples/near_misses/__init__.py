"""Near misses: sound plugins, each of which looks like a fault and is legal. Each names the rule in LOOKS_LIKE.

They must get no FAIL and no WARN. Where one does, the rule is wrong.
"""
