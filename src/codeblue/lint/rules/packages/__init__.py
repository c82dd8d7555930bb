"""What requirements, environments and install commands get wrong."""
