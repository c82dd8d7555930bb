"""Thin adapters to what a site already runs, one module an engine."""
