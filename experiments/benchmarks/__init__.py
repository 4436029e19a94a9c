"""The parts of the benchmark: what is measured, against what, how, and how it is told."""
