"""Every write of adjudication: merges and agreement reports."""
