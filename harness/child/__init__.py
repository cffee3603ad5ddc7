"""Hold the code that runs in the plugin's process."""
