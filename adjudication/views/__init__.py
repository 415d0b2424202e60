"""Pages over several people's work, for leads and adjudicators."""
