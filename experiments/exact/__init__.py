"""Tiny games, solved exactly."""
