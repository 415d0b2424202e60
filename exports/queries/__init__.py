"""Reads of the exports app."""
