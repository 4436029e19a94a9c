"""A laboratory of variants: what a rule does to length, luck, seats, spread and comebacks."""
