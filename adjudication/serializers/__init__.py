"""Shapes of what goes in and out of the JSON doors."""
