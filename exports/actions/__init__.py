"""Every write of the exports app."""
