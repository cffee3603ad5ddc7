"""Looks for the newest existing version of a plugin, and copes with missing versions."""

import tensorrt as trt

LOOKS_LIKE = "REG-003"
PLUGIN_APPS = ["main"]


def main():
    found = [version for version in "4321" if trt.get_plugin_registry().get_creator("LeakyRelu", version, "")]
    print(found or "LeakyRelu is not installed")
