"""The database as Django knows it, with a health check that asks nothing of a quiet connection."""
