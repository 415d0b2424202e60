"""Shapes of what pages take, by what they are about; nothing here saves."""
