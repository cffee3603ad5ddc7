"""INetworkDefinition and what belongs to it."""
