"""What the files of a host get wrong: engine, loader, kernel, services."""
