"""Rules over configuration files, and what people say about their findings."""
