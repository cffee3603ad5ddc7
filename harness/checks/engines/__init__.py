"""Build, load and execute engines with a plugin as an application does, and observe the calls that reach the plugin."""
