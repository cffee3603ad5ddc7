"""Sound decorated plugins (tensorrt.plugin)."""
