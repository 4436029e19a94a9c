"""Write the pinned texts: `python -m tests.golden.write`, or with names of presets only those."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rummy500_env import ActionSpace, Game, ObservationSpace, Rules
from rummy500_env.engine.chance import chance_word, permute, refill_word
from rummy500_env.presets import presets

__all__ = [
    "DEALS",
    "GAMES",
    "LAYOUTS",
    "deals_text",
    "game_text",
    "golden_players",
    "layouts_text",
]

FOLDER = Path(__file__).parent
DEALS = {players: FOLDER / f"deals_{players}_players.txt" for players in (2, 3, 5)}
GAMES = FOLDER / "games"
LAYOUTS = FOLDER / "layouts.txt"

SEEDS = (0, 1, 7, 20_240_501, 2**63, 2**64 - 1)
ROUNDS = 3
"""Rounds of each seed in the text of deals."""
GAME_ROUNDS = 2
"""Rounds of a game, at most; the standard one is played to its end."""


def deals_text(num_players: int) -> str:
    """Return the first deals of some seeds, and what refills of the stock follow from."""
    lines = [f"Deals of the standard game to {num_players} players. Stocks: drawn first, first."]
    for seed in SEEDS:
        game = Game(Rules(), num_players, seed)
        lines += ["", f"seed {seed}", f"first dealer {game.dealer}"]
        chooser = random.Random(seed)
        for round_index in range(ROUNDS):
            lines += _deal_lines(game.position(), round_index, seed)
            while game.round_number == round_index + 1:
                game.play(_choose(game, chooser))
                assert not game.is_over
    return "\n".join(lines) + "\n"


def _deal_lines(position: dict[str, Any], round_index: int, seed: int) -> Iterator[str]:
    yield f"deal {round_index}"
    for seat, hand in enumerate(position["hands"]):
        yield f"  hand {seat}  {hand}"
    yield f"  upcard  {position['discard_pile']}"
    yield f"  stock   {' '.join(reversed(position['stock'].split()))}"
    chance = np.uint64(chance_word(np.uint64(seed), np.int64(round_index)))
    yield f"  chance  {chance:016x}"
    for refill in range(3):
        word = np.uint64(refill_word(chance, np.int64(refill)))
        order = np.arange(12, dtype=np.uint8)
        permute(word, order, np.int64(len(order)))
        yield f"  refill {refill}  {word:016x}  {' '.join(map(str, order))}"


def golden_players(preset: str) -> int:
    """Return how many play the golden game of a preset: two the standard one, else it varies."""
    counts = Rules.preset(preset).player_counts()
    return counts[presets().index(preset) % len(counts)]


def game_text(preset: str) -> str:
    """Return a game of a preset: what was dealt, each move, each score.

    A line of a move: the seat, the phase, how many moves were legal, the move.
    """
    rules, num_players = Rules.preset(preset), golden_players(preset)
    game = Game(rules, num_players, 500)
    chooser = random.Random(preset)
    lines = [f"preset {preset}", f"digest {rules.digest}", f"players {num_players}"]
    lines += [f"seed {game.seed}", *_round_lines(game)]
    last = 1000 if preset == "rummy500" else GAME_ROUNDS
    while not game.is_over and len(game.rounds) < last:
        move = _choose(game, chooser)
        legal = len(game.legal_actions())
        lines.append(f"{game.current_seat} {game.phase:8} {legal:3}  {move}")
        finished = len(game.rounds)
        game.play(move)
        if len(game.rounds) > finished:
            scores, went_out, how = game.rounds[-1]
            lines.append(f"scores {_words(scores)}  totals {_words(game.scores)}")
            lines.append(f"ended {how}" if went_out is None else f"ended {how} by {went_out}")
            if not game.is_over and len(game.rounds) < last:
                lines += _round_lines(game)
    if game.is_over:
        lines.append(f"winners {_words(game.winners) or '-'}")
    return "\n".join(lines) + "\n"


def _round_lines(game: Game) -> Iterator[str]:
    position = game.position()
    yield ""
    yield f"round {game.round_number}  dealer {game.dealer}"
    for seat, hand in enumerate(position["hands"]):
        yield f"hand {seat}  {hand}"
    if position["discard_pile"]:  # else the first player chooses it
        yield f"upcard {position['discard_pile']}"


def _choose(game: Game, chooser: random.Random) -> str:
    """Choose a move at random, but mostly lay down what can be laid."""
    moves = [str(move) for move in game.legal_moves()]
    laying = [move for move in moves if move.startswith(("meld", "layoff", "dig"))]
    return chooser.choice(laying if laying and chooser.random() < 0.8 else moves)


def _words(numbers: Any) -> str:
    return " ".join(map(str, numbers))


def layouts_text() -> str:
    """Return sizes and ids of the actions and observations of every preset at every table."""
    lines = ["preset players actions id observation id"]
    for name in presets():
        rules = Rules.preset(name)
        for n in rules.player_counts():
            actions, observation = ActionSpace(rules, n), ObservationSpace(rules, n)
            sizes = f"{actions.n} {actions.id} {observation.size} {observation.id}"
            lines.append(f"{name} {n} {sizes}")
    return "\n".join(lines) + "\n"


def write(names: list[str]) -> None:
    """Write the texts of some presets, or everything."""
    GAMES.mkdir(exist_ok=True)
    for name in names or presets():
        (GAMES / f"{name}.txt").write_text(game_text(name))
    if not names:
        LAYOUTS.write_text(layouts_text())
        for num_players, path in DEALS.items():
            path.write_text(deals_text(num_players))


if __name__ == "__main__":
    write(sys.argv[1:])
