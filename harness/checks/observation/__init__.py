"""Looking at what a callback does besides its answer: costs, copies, exceptions, global state."""
