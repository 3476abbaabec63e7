"""Words that only the learner's own pages use."""
