"""The vocabulary: frozen data without behaviour. Imports nothing of codeblue."""
