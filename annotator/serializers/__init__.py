"""The shape of what the API takes and gives; nothing here saves."""
