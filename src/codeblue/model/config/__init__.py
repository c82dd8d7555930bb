"""Parts of configuration files, each with the place where it is written."""
