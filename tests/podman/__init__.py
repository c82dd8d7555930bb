"""Tests with a real podman whose storage is their own; see conftest for what they need."""
