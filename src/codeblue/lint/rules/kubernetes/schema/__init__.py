"""Manifests against the types of the API."""
