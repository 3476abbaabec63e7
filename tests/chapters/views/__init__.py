"""Doors of storey 3, one module for each."""
