"""A second engine, written from the rules alone, in plain Python: the judge of the fast one."""

from tests.reference.table import Table

__all__ = ["Table"]
