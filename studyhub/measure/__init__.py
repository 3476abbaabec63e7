"""The cellar's gauges: what counts of answers say, and how surely. Plain Python, no database."""
