"""Files that say what should be installed: requirements, projects, locks, conda environments, images."""
