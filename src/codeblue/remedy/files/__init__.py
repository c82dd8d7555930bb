"""The one protocol by which files change, the edits that keep their format, and the judges of the result."""
