"""Reads over several people's work, by noun."""
