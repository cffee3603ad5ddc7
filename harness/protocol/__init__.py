"""Define the messages between pytest's process and the plugin's, and the records in them."""
