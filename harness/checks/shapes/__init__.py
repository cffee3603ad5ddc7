"""Output shapes: asked at many extents, and compared with what enqueue writes."""
