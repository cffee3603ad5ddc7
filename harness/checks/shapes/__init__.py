"""Ask for output shapes at many dimensions, and compare them with the outputs of enqueue."""
