"""Linux processes: start, watch, capture, bound and end them; GPUs and what a process leaves behind."""
