"""JSON doors to several people's work."""
