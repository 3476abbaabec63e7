"""Course text to safe HTML: Markdown, maths, figures, and the press with its limits."""
