"""Documents of people: Markdown, reStructuredText, HTML. Each format becomes blocks, blocks become parts."""
