"""In which state is a plugin, what does it do there, and do two plugins behave alike?"""
