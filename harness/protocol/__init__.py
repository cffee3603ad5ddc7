"""What passes between pytest's process and the plugin's: messages and the records in them."""
