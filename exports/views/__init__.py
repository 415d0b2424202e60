"""Pages of the exports app."""
