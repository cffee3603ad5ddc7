"""Array libraries and the like on the host device, so that a plugin's own device code runs there."""
