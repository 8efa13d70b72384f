"""Settings: one documented dataclass tree, loaded from layers with known origins."""
