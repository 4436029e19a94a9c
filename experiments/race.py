"""``python -m experiments.race``: chances to win a game of two, from points that are still to go.

Rounds between equal agents say how often the seat that deals scores x and the other one y. With
them the chance ``W(a, b)`` of the next dealer to win, with ``a`` points to go against ``b``, is

    W(a, b) = sum over x, y of P(x, y) * (1 if it has won with a - x and b - y to go,
                                         0 if the other has, else 1 - W(b - y, a - x))

since the other one deals after that. It is worked out for every point, by repetition until nothing
changes. Rounds are taken to be alike whatever the score: agents that play for points are so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from scipy import signal

from agents.race import FOLDER, WinChances
from experiments import show
from experiments.errors import RunError
from experiments.making import ready_agent
from experiments.progress import Bar
from experiments.stats import ratio_estimate
from rummy500_env import Game
from rummy500_env.arena import Arena
from rummy500_env.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Games", "by_chance", "play_games", "round_scores", "win_chances"]

FURTHEST: Final = 801
"""Points to go up to which chances are worked out; who is further behind is taken to be there."""
STEP: Final = 5
"""Points between two rows of the table that is kept."""
CLOSE: Final = 1e-7
"""Change of a chance at which repetition ends."""
AT_ONCE: Final = 1000
BINS: Final = 10


def _dealers(rules: Rules, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return who deals the first round of games of two."""
    return np.array([Game(rules, 2, int(seed)).dealer for seed in seeds])


def round_scores(
    name: str, rules: Rules, rounds: int, seed: int, progress: Bar | None = None
) -> npt.NDArray[np.int64]:
    """Return what the dealer and the other one score in rounds of an agent with itself.

    Args:
        name: The agent.
        rules: The rules.
        rounds: How many.
        seed: Everything follows from it.
        progress: Called with the rounds that were played and all of them.

    Returns:
        ``int64 (rounds, 2)``.
    """
    if rounds < 1:
        raise RunError(f"rounds={rounds} is not allowed: use 1 or more")
    arena = Arena(rules, 2, [ready_agent(name, rules, 2, seed)])
    parts = []
    for first in range(0, rounds, AT_ONCE):
        count = min(AT_ONCE, rounds - first)
        rng = np.random.default_rng([seed, first])
        seeds = rng.integers(2**63, size=count, dtype=np.uint64)
        keys = rng.integers(2**63, size=(count, 2), dtype=np.uint64)
        scores = arena.play(seeds, np.zeros((count, 2), np.int64), keys).scores
        dealer, rows = _dealers(rules, seeds), np.arange(count)
        parts.append(np.stack([scores[rows, dealer], scores[rows, 1 - dealer]], axis=1))
        if progress is not None:
            progress(first + count, rounds)
    return np.concatenate(parts).astype(np.int64)


def win_chances(
    scores: npt.NDArray[np.integer],
    rules: Rules,
    furthest: int = FURTHEST,
    step: int = STEP,
) -> WinChances:
    """Work out who wins the race, from scores of the dealer and the other one, ``(rounds, 2)``.

    Args:
        scores: See `round_scores`.
        rules: The rules.
        furthest: Points to go up to which chances are worked out.
        step: Points between two rows of what is kept.

    Raises:
        RunError: when the game is no race that the module describes.
    """
    needed = {"max_deals": None, "tie_break": "highest", "dealer_rotation": "left"}
    needed |= {"teams": "none", "clock_budget": None}
    for option, value in needed.items():
        if getattr(rules, option) != value:
            raise RunError(f"{option}={getattr(rules, option)!r}: chances need {value!r}")
    low, high = scores.min(axis=0), scores.max(axis=0)
    shares = np.zeros(high - low + 1)
    np.add.at(shares, tuple((scores - low).T), 1.0 / len(scores))
    # Points to go after a round, of the dealer and of the other one: from the least to the most.
    left = [np.arange(1 - int(high[k]), furthest - int(low[k]) + 1) for k in range(2)]
    own, other = left[0][:, None], left[1][None, :]
    is_over = np.minimum(own, other) <= 0
    after = np.where(is_over, 0.5 + 0.5 * np.sign(other - own), 0.5)
    rows, columns = (np.clip(side, 1, furthest) - 1 for side in left)
    chances = np.full((furthest, furthest), 0.5)
    change = 1.0
    while change > CLOSE:
        # The other one deals: it has the column's points to go, and the dealer the row's.
        after[~is_over] = 1.0 - chances.T[np.ix_(rows, columns)][~is_over]
        # Sum over x and y of P(x, y) * after(a - x, b - y): a convolution.
        found = signal.fftconvolve(after, shares, mode="valid")
        change = float(np.abs(found - chances).max())
        chances = found
    kept = np.clip(chances[::step, ::step], 0.0, 1.0)
    return WinChances(kept, step, rules, {"rounds": len(scores), "furthest": furthest})


class Games(NamedTuple):
    """Whole games of an agent with itself, round by round: ``R`` rounds in all.

    Attributes:
        game: ``int64 (R,)``: number of the game.
        left: ``int64 (R, 2)``: points to go before the round, of the dealer and of the other one.
        won: ``float64 (R,)``: 1 if the dealer of the round has won the game in the end, else 0.
    """

    game: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    won: npt.NDArray[np.float64]


def play_games(name: str, rules: Rules, games: int, seed: int) -> Games:
    """Play games of two seats to the target, both of them by one agent."""
    if rules.target_score is None:
        raise RunError("target_score=None: there is no race")
    arena = Arena(rules, 2, [ready_agent(name, rules, 2, seed)], episode="game")
    rng = np.random.default_rng([seed, 1])
    seeds = rng.integers(2**63, size=games, dtype=np.uint64)
    keys = rng.integers(2**63, size=(games, 2), dtype=np.uint64)
    played = arena.play(seeds, np.zeros((games, 2), np.int64), keys)
    game = played.round_game
    after = np.cumsum(played.round_scores.astype(np.int64), axis=0)
    first = np.searchsorted(game, np.arange(games))
    start = after[first] - played.round_scores[first]
    left = rules.target_score - (after - played.round_scores - start[game])
    dealer = (_dealers(rules, seeds)[game] + played.round_index) % 2
    rows = np.arange(len(game))
    left = np.stack([left[rows, dealer], left[rows, 1 - dealer]], axis=1)
    return Games(game, left, played.won[game, dealer].astype(np.float64))


def by_chance(chances: WinChances, games: Games, bins: int = BINS) -> pd.DataFrame:
    """Hold predicted chances against who won: a row for each of equally wide bins of chances.

    Columns: ``rounds``, before which the next dealer had such a chance; ``predicted``, their mean;
    ``won``, the share of them whose game the dealer won, with ``half_width``, half of a 95 %
    interval over games.
    """
    import pandas as pd  # noqa: PLC0415

    predicted = chances.of(games.left[:, 0], games.left[:, 1])
    which = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    shape = (int(games.game.max()) + 1, bins)
    totals, units, sums = np.zeros(shape), np.zeros(shape, np.int64), np.zeros(bins)
    np.add.at(totals, (games.game, which), games.won)
    np.add.at(units, (games.game, which), 1)
    np.add.at(sums, which, predicted)
    found, counts = ratio_estimate(totals, units), units.sum(axis=0)
    with np.errstate(invalid="ignore"):
        mean = sums / counts
    table = {"rounds": counts, "predicted": mean, "won": found.value}
    return pd.DataFrame(table | {"half_width": found.half_width})


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the table goes.")] = FOLDER
    / "rummy500-2.npz",
    agent: Annotated[str, typer.Option(help="Who plays the rounds, at both seats.")] = "learned",
    rules: Annotated[str, typer.Option(help="Preset of the rules.")] = "rummy500",
    rounds: Annotated[int, typer.Option(help="Rounds to play.")] = 20_000,
    games: Annotated[int, typer.Option(help="Games that the table is held against.")] = 2000,
    seed: Annotated[int, typer.Option(help="Everything follows from it.")] = 0,
) -> None:
    """Make a table of chances to win, write it, and hold it against games."""
    variant = Rules.preset(rules)
    with Bar("rounds") as bar:
        scores = round_scores(agent, variant, rounds, seed, bar)
    chances = win_chances(scores, variant)
    chances.about.update(agent=agent, seed=seed)
    chances.save(out)
    means, spread = scores.mean(axis=0), scores.std(axis=0, ddof=1) / len(scores) ** 0.5
    told = [show.with_interval(*pair) for pair in zip(means, 1.96 * spread, strict=True)]
    show.write(f"The dealer scores {told[0]} a round, the other one {told[1]}; table: {out}")
    if games:
        table = by_chance(chances, play_games(agent, variant, games, seed))
        show.write(table.round(3).to_string(index=False))


if __name__ == "__main__":
    typer.run(main)
