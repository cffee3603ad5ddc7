"""What does the plugin compute, with which buffers, tactics and streams, once or again?"""
