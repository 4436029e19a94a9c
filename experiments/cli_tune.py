"""The command `rummy500 tune`."""

from __future__ import annotations

from collections.abc import Sequence

from experiments import show
from experiments.progress import Bar
from experiments.settings import agent_names, rules_from_words
from experiments.tune import tune

__all__ = ["run"]


def run(
    agent: str,
    opponents: Sequence[str],
    only: str | None,
    preset: str,
    changes: Sequence[str],
    num_players: int,
    generations: int,
    deals: int,
    population: int | None,
    renew: int,
    final_deals: int,
    seed: int,
    out: str | None,
) -> None:
    """Tune, and print what was found."""
    with Bar("generations") as bar:
        found = tune(
            agent,
            agent_names(opponents, "--opponents"),
            only=only.split(",") if only else (),
            rules=rules_from_words(preset, changes),
            num_players=num_players,
            generations=generations,
            deals=deals,
            population=population,
            renew=renew,
            final_deals=final_deals,
            seed=seed,
            out=out,
            progress=lambda line: bar(int(line["generation"]), generations),
        )
    difference = show.with_interval(found.gain - found.gain_before, found.half_width, sign=True)
    show.write(f"{found.gain:+.1f} points a round against the opponents, mean of them")
    show.write(f"{difference} more than it began with, over {final_deals:,} other deals")
    show.write(found.spec)
