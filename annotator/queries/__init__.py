"""Reads that give something other than a QuerySet, by what they are about."""
