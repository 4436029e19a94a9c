"""Games brought to random points by random play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from rummy500_env import Game, Rules

__all__ = ["cards_of", "deck", "middle_game", "playing", "state_bytes"]

STANDARD = Rules()


def playing(game: Game, chooser: random.Random, limit: int = 10**9) -> Iterator[str]:
    """Play random moves until the game is over; yield each after it was played."""
    for _ in range(limit):
        if game.is_over:
            return
        move = chooser.choice(game.legal_moves())
        game.play(move)
        yield str(move)


def middle_game(
    num_players: int,
    seed: int,
    *,
    rules: Rules = STANDARD,
    phase: str | None = None,
    min_moves: int = 0,
) -> Game:
    """Return a game after a random number of random moves; it is not over, and in this phase.

    Where games under some rules are over before so many moves, it has made fewer.
    """
    chooser = random.Random(f"middle {num_players} {seed}")
    for attempt in range(1000):
        game = Game(rules, num_players, chooser.randrange(2**64))
        least = min_moves // (1 + attempt // 5)
        for _ in playing(game, chooser, least + chooser.randrange(60 * num_players)):
            pass
        for _ in playing(game, chooser, 200):
            if game.is_over or phase in (None, game.phase):
                break
        if not game.is_over and phase in (None, game.phase):
            return game
    raise AssertionError(f"no game in phase {phase} under {rules}")


def state_bytes(game: Game) -> bytes:
    """Return everything that the record of a game holds."""
    return game._record.tobytes()


def cards_of(game: Game) -> Counter[str]:
    """Return all cards of a game, wherever they are."""
    position = game.position()
    places = [*position["hands"], position["discard_pile"], position["stock"]]
    places += [meld["cards"] for meld in position["melds"]]
    cards = " ".join(places).split()
    found = Counter("**" if card.startswith("**") else card for card in cards)
    if game.rules.dealers_joker:  # beside the dealer, under one that blocks it, over doubled melds
        found["**"] += {"free": 1, "blocked": 2, "used": 0}[position["dealers_joker"]["state"]]
        found["**"] += sum(meld["doubled"] for meld in position["melds"])
    return found


def deck(game: Game) -> Counter[str]:
    """Return the cards that a game is played with."""
    rules, n = game.rules, game.num_players
    faces = [r + s for s in "cdhs"[: rules.num_suits] for r in "A23456789TJQK"[: rules.num_ranks]]
    cards = Counter(faces * rules.decks(n))
    cards["**"] = rules.jokers(n)
    return +cards
