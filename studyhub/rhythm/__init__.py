"""The cellar's clockwork: arithmetic on days and moments, without database and without a clock of its own."""
