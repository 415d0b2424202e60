"""Shapes of what leaves the house as JSON."""
