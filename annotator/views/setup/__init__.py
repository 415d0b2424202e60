"""The set-up of a project, step by step."""
