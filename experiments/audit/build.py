"""``python -m experiments.audit.build``: choose decisions of agents, and value their moves.

Every move of a decision is played in the same possible worlds of its view, with the same chance,
and a compiled agent plays the rounds to their end, all seats. Most moves are soon seen to be worse
than the best one: after each doubling of the worlds, those that are behind by more than `SURE`
standard errors of the difference are left there. Such a move is valued by that difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from agents.leads import leads
from experiments import show
from experiments.audit.states import SHIPPED, ValuedStates
from experiments.errors import RunError
from experiments.making import compiled_agent, ready_agent
from experiments.progress import Bar
from experiments.settings import agent_names
from rummy500_env import Game, __version__
from rummy500_env.arena import Arena
from rummy500_env.rules import Rules
from rummy500_env.search import Worlds
from rummy500_env.view_record import VIEW

__all__ = ["build", "sample_views", "value_moves"]

PLAYERS: Final = ("greedy", "advisor", "learned")
STATES: Final = 1000
WORLDS: Final = 256
"""What the file of the package is made with."""
SURE: Final = 3.0
"""Standard errors by which a move is behind that is not played in more worlds."""
FIRST_WORLDS: Final = 32
"""Worlds that all moves are played in."""
ROUNDS_A_STATE: Final = 5
"""Rounds that are played for each decision that is chosen: so two are seldom of one round."""


class Valued(NamedTuple):
    """What the ``k`` moves of a view lead to; see `ValuedStates`."""

    points: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]
    worlds: npt.NDArray[np.int64]


def sample_views(
    names: Sequence[str], rules: Rules, num_players: int, count: int, seed: int
) -> tuple[npt.NDArray[Any], list[list[int]]]:
    """Return views at decisions with a choice, and the legal actions of each.

    The decisions are drawn evenly from all of `ROUNDS_A_STATE` rounds for each, between agents
    that are drawn for each seat.

    Args:
        names: Agents that play the rounds.
        rules: The rules.
        num_players: Seats at the table.
        count: How many views.
        seed: Everything follows from it.
    """
    rng = np.random.default_rng([seed, 0])
    players = [ready_agent(name, rules, num_players, seed) for name in names]
    games = ROUNDS_A_STATE * count
    seeds = rng.integers(2**63, size=games, dtype=np.uint64)
    keys = rng.integers(2**63, size=(games, num_players), dtype=np.uint64)
    seating = rng.integers(len(players), size=(games, num_players))
    played = Arena(rules, num_players, players, keep_moves=True).play(seeds, seating, keys)
    ends = np.cumsum(played.round_decisions)
    views, legal = np.zeros(count, VIEW), []
    for at in rng.permutation(ends[-1]):
        game_number = int(np.searchsorted(ends, at, side="right"))
        first = int(ends[game_number] - played.round_decisions[game_number])
        game = Game(rules, num_players, int(seeds[game_number]), episode="round")
        for action in played.moves[first:at]:
            game.step(int(action))
        choice = game.legal_actions()
        if len(choice) < 2:
            continue
        views[len(legal)] = game.view_record(game.current_seat)[0]
        legal.append(choice)
        if len(legal) == count:
            views["random"] = rng.integers(2**64, size=count, dtype=np.uint64)
            views["table"] = np.arange(count)  # agents that remember take each for a new game
            return views, legal
    raise RunError(f"states={count} is not allowed: {games} rounds have {len(legal)} choices")


def value_moves(
    view: npt.NDArray[Any],
    legal: Sequence[int],
    rules: Rules,
    num_players: int,
    policy: Any,
    worlds: int,
    rng: np.random.Generator,
) -> Valued:
    """Play each move of a view in possible worlds, and the rounds to their end.

    Args:
        view: Array of one view.
        legal: The legal actions.
        rules: The rules.
        num_players: Seats at the table.
        policy: A compiled agent, which plays all seats.
        worlds: Most worlds that a move is played in.
        rng: Where worlds and chance come from.
    """
    seat = int(view["viewer"][0])
    found = np.full((len(legal), worlds), np.nan)
    counts = np.zeros(len(legal), np.int64)
    playing = np.arange(len(legal))
    done, best = 0, 0
    while done < worlds and len(playing) > 1:
        stop = min(worlds, max(FIRST_WORLDS, 2 * done))
        rows = np.zeros(stop - done, np.int64)
        sampled = Worlds.of_views(view, rows, rules, num_players, rng)
        word = int(rng.integers(2**63))
        ends = sampled.outcomes(np.asarray(legal)[playing], policy, word)
        found[playing, done:stop] = leads(ends, seat)
        counts[playing], done = stop, stop
        best = playing[found[playing, :done].mean(axis=1).argmax()]
        behind = found[best, :done] - found[playing, :done]
        error = behind.std(axis=1, ddof=1) / done**0.5
        playing = playing[behind.mean(axis=1) <= SURE * error]
    points, errors = np.empty((len(legal), 2)), np.empty(len(legal))
    for k, count in enumerate(counts):
        behind = found[best, :count] - found[k, :count]
        errors[k] = behind.std(ddof=1) / count**0.5
        for half in range(2):
            points[k, half] = found[best, half:done:2].mean() - behind[half::2].mean()
    return Valued(points, errors, counts)


def build(
    names: Sequence[str] = PLAYERS,
    rollout: str = "learned",
    rules: Rules | None = None,
    num_players: int = 2,
    states: int = STATES,
    worlds: int = WORLDS,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ValuedStates:
    """Choose decisions and value their moves; the result hangs on the seed, not on the workers.

    Args:
        names: Agents that play the rounds that the decisions are of.
        rollout: A compiled agent that plays on after each move.
        rules: The rules; None: ``rummy500``.
        num_players: Seats at the table.
        states: How many decisions.
        worlds: Most possible worlds for each move.
        seed: Everything follows from it.
        workers: Threads.
        progress: Called with the decisions that are valued and all of them.

    Raises:
        RunError: when a number is too small, or the agent is not compiled.
    """
    for name, value, least in (
        ("states", states, 1),
        ("worlds", worlds, 4),
        ("workers", workers, 1),
    ):
        if value < least:
            raise RunError(f"{name}={value} is not allowed: use {least} or more")
    rules = Rules.preset("rummy500") if rules is None else rules
    policy = compiled_agent(rollout, rules, num_players, seed)
    views, legal = sample_views(names, rules, num_players, states, seed)

    def valued(number: int) -> Valued:
        rng = np.random.default_rng([seed, 1, number])
        view = views[number : number + 1]
        return value_moves(view, legal[number], rules, num_players, policy, worlds, rng)

    found = []
    with ThreadPoolExecutor(workers) as pool:
        for one in pool.map(valued, range(states)):
            found.append(one)
            if progress is not None:
                progress(len(found), states)
    about = {"agents": list(names), "rollout": rollout, "most_worlds": worlds, "seed": seed}
    return ValuedStates(
        views,
        np.array([len(one) for one in legal]),
        np.concatenate([np.array(one) for one in legal]),
        *(np.concatenate(parts) for parts in zip(*found, strict=True)),
        rules=rules,
        num_players=num_players,
        about=about | {"package": __version__},
    )


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where they go.")] = SHIPPED,
    rollout: Annotated[
        str, typer.Option(help="A compiled agent that plays on after each move.")
    ] = "learned",
    agents: Annotated[str, typer.Option(help="Who plays the rounds.")] = ",".join(PLAYERS),
    rules: Annotated[str, typer.Option(help="Preset of the rules.")] = "rummy500",
    players: Annotated[int, typer.Option(help="Seats at the table.")] = 2,
    states: Annotated[int, typer.Option(help="How many decisions.")] = STATES,
    worlds: Annotated[int, typer.Option(help="Most possible worlds for a move.")] = WORLDS,
    seed: Annotated[int, typer.Option(help="Everything follows from it.")] = 0,
    workers: Annotated[int, typer.Option(help="Threads; results do not depend on it.")] = 1,
) -> None:
    """Choose decisions from games of agents, value their moves, and write them into a file."""
    variant, names = Rules.preset(rules), agent_names([agents], "--agents")
    with Bar("decisions") as bar:
        found = build(names, rollout, variant, players, states, worlds, seed, workers, bar)
    found.save(out)
    show.write(f"{len(found):,} decisions with {len(found.actions):,} moves are in {out}")


if __name__ == "__main__":
    typer.run(main)
