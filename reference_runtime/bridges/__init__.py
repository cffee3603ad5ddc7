"""Replace or adapt array libraries, so that a plugin's code for the device runs on the host device."""
