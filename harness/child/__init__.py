"""Run in the plugin's process: import the user's module, serve requests, and judge."""
