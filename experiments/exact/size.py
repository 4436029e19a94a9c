"""How large a tree is about, when it is too large to be enumerated."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from experiments.errors import RunError
from experiments.exact import grow
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.lazy import begin_lazy
from rummy500_env.engine.rules_record import rules_record
from rummy500_env.engine.state import STATE
from rummy500_env.engine.tables import new_table
from rummy500_env.rules import Rules

__all__ = ["estimate_size", "root_table", "too_large"]

PROBES: Final = 2000
STEPS: Final = 4000


def root_table(tables: Any, record: Any) -> None:
    """Make table 0 of zeroed ones the root of a round: nothing is dealt yet."""
    new_table(tables, 0, record, np.uint64(0), np.int64(1))
    begin_lazy(tables, record)


def estimate_size(
    rules: Rules, num_players: int = 2, probes: int = PROBES, seed: int = 0
) -> tuple[float, float]:
    """Return an estimate of the number of histories of one round, and its standard error.

    Knuth's random probes ("Estimating the efficiency of backtrack programs", 1975): unbiased, but
    most paths give too little and few far too much. Paths are cut off after 4,000 steps.
    """
    record = rules_record(rules, num_players)
    tables = allocate(2, STATE)
    root_table(tables, record)
    sizes = np.zeros(probes)
    room = (np.zeros(53, np.int64), np.zeros(53))
    grow.probe(tables, record, np.uint64(seed), np.int64(STEPS), *room, sizes)
    return float(sizes.mean()), float(sizes.std(ddof=1) / np.sqrt(probes))


def too_large(rules: Rules, num_players: int, limit: int) -> RunError:
    """Return the error for a game that cannot be enumerated."""
    size, _ = estimate_size(rules, num_players)
    cards = rules.num_ranks * rules.num_suits * rules.decks(num_players)
    cards += rules.jokers(num_players)
    return RunError(
        f"too large to enumerate: a round of {num_players} players with {cards} cards and hands "
        f"of {rules.hand(num_players)} has about {_rounded(size)} histories (estimated), and at "
        f"most {limit:,} are allowed. Fewer cards make it small enough: num_ranks, num_suits and "
        "hand_size come first, two players, then set_min_len and run_min_len of 2 and a "
        "max_turns; see the presets 'mini' and 'small'"
    )


def _rounded(size: float) -> str:
    """Return a number as one digit and a power of ten, or in full when it is small."""
    if size < 1e7:
        return f"{size:,.0f}"
    power = int(np.floor(np.log10(size)))
    return f"{size / 10**power:.0f}e{power}"
