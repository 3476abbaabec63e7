"""Words that only the pages of storey 3 use."""
