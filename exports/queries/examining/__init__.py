"""Is everything stored as it should be? Of one project, or of all: reads all of it, changes nothing."""
