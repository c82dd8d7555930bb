"""Logs of any size and kind to sightings: found by a fast engine, confirmed by the signatures themselves."""
