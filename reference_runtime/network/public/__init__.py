"""INetworkDefinition with its methods, IOptimizationProfile, and classes of layers that have no objects here."""
