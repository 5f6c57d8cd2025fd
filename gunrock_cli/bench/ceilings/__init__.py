"""What a device can do at most, measured once and kept."""
