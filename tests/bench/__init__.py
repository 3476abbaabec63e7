"""How fast and how heavy StudyHub is, as ratios to a bare Django view: ``python -m tests.bench``."""
