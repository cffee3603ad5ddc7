"""Modules that define creators, as text."""

REGISTER = "trt.get_plugin_registry().register_creator({0}(), {0}().plugin_namespace)\n"
CREATOR = """
class {0}(trt.IPluginCreator):
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "{0}", "1", ""

    def create_plugin(self, name, field_collection):
        return None
"""


def defined(*names):
    """Return a module that defines a creator of each name."""
    return "".join(CREATOR.format(name) for name in names)


def registered(*names):
    """Return a module that registers a creator of each name."""
    return defined(*names) + "".join(REGISTER.format(name) for name in names)
