"""What trials measured, one module a trial."""
