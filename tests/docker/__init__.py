"""Tests with a docker daemon of their own; see conftest for what they need."""
