"""JSON doors to what leaves the house."""
