"""The engine: compiled kernels over one flat record per table."""
