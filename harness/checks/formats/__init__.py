"""Which formats and types does the plugin accept, what does it answer out of turn, and which outputs alias inputs?"""
