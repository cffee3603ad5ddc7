"""All that runs in the plugin's process."""
