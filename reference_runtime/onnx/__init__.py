"""OnnxParser and OnnxParserRefitter."""
