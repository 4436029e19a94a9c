"""One game played by both engines at once, compared after every move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from rummy500_env import Game, Rules
from rummy500_env.cards import format_cards, parse_cards
from rummy500_env.engine.chance import chance_word, permute, refill_word
from tests.reference import Table

__all__ = [
    "DifferenceError",
    "compare",
    "compare_moves",
    "play_both",
    "play_on",
    "reference_options",
    "shuffles",
    "twin_of",
    "twin_tables",
]

COMPARED = (
    "num_players",
    "hands",
    "discard_pile",
    "discarded_by",
    "stock",
    "seat",
    "phase",
    "must_use",
    "scores",
    "dealer",
    "round_number",
    "known",
    "passed",
    "opened",
    "laid_before",
    "turns_taken",
    "counters",
)
"""Keys of a position that must be equal in both engines."""

WHERE_PLAYED = ("clocks", "chips", "pots", "dealers_joker")
"""The same, where the rules have them."""

AT_THE_END = ("hands", "discard_pile", "stock", "scores", "dealer", "round_number", "seat", "phase")
"""What of them is defined once a game is over."""


class DifferenceError(AssertionError):
    """The two engines differ."""


def shuffles(seed: int) -> Callable[[int, int, int], list[int]]:
    """The shuffles of the engine's game of a seed, as the reference asks for them."""

    def shuffle(round_index: int, refill: int, num_cards: int) -> list[int]:
        word = np.uint64(chance_word(np.uint64(seed), np.int64(round_index)))
        if refill >= 0:
            word = np.uint64(refill_word(word, np.int64(refill)))
        order = np.arange(num_cards, dtype=np.uint8)
        permute(word, order, np.int64(num_cards))
        return order.tolist()

    return shuffle


def reference_options(rules: Rules, num_players: int) -> dict[str, Any]:
    """Rules as the options of the reference."""
    options = {name: value for name, value in rules.to_dict().items() if value != "auto"}
    options["hand_size"] = rules.hand(num_players)
    options["num_jokers"] = rules.jokers(num_players)
    return options


def twin_tables(
    rules: Rules, num_players: int, seed: int, *, single_round: bool = False
) -> tuple[Game, Table]:
    """Return the same game on both engines, dealt alike."""
    game = Game(rules, num_players, seed, episode="round" if single_round else "game")
    options = reference_options(rules, num_players)
    table = Table(options, num_players, shuffles(seed), game.dealer, single_round=single_round)
    return game, table


def twin_of(game: Game) -> Table:
    """Return the position of a game on the reference."""
    position = game.position()
    turn = {
        "banned": position["turn"]["banned"],
        "support": _support(game, position),
        "by_call": "called" in position["turn"]["flags"],
        "free_take": position["turn"]["free_take"],
        "laid": bool(position["turn"]["laid"]),
        "points": position["turn"]["points"],
        "melds_laid": 0,
        "long_run": position["turn"]["long_run"],
        "booting": "booting" in position["turn"]["flags"],
        "prefix": [flag for flag in position["turn"]["flags"] if flag in ("own", "double")],
    }
    if "window" in position:
        position["window"].update(kind=position["phase"], stage=_stage(position))
    rules = reference_options(game.rules, game.num_players)
    if not game.rules.dealers_joker:  # to the reference it means a joker laid over the meld
        for meld in position["melds"]:
            meld.pop("doubled", None)
    return Table.from_position({**position, "rules": rules, "turn": turn}, shuffles(game.seed))


def _support(game: Game, position: dict[str, Any]) -> str | None:
    """Return the cards that may go down with a dug card that is still to be placed."""
    if position["phase"] != "obliged":
        return None
    if "called" in position["turn"]["flags"]:
        dug = Counter(position["drawn"]["dug"].split())
        dug.subtract([position["must_use"], *position["turn"]["laid"].split()])
        return " ".join(face for face in dug.elements() if face != "**")
    if game.rules.dig_support != "hand_only":
        return None
    hand = Counter(position["hands"][position["seat"]].split())
    return " ".join((hand - Counter(position["drawn"]["dug"].split())).elements())


def _stage(position: dict[str, Any]) -> str:
    return "claim" if "claim" in position["turn"]["flags"] else "ask"


def compare(game: Game, table: Table, views: bool = True) -> None:
    """Raise :class:`DifferenceError` unless both engines say the same."""
    here, there = game.position(), table.position()
    for key in AT_THE_END if table.is_over else COMPARED:
        _same(key, here[key], there[key])
    for key in WHERE_PLAYED:
        if key in there:
            _same(key, here[key], there[key])
    _same("melds", *(_melds(position) for position in (here, there)))
    for part in ("stock", "dug"):
        _same(part, *(sorted(position["drawn"][part].split()) for position in (here, there)))
    _same("discards", *(_distinct(position["discards"]) for position in (here, there)))
    if not table.is_over:
        _compare_turn(here, there)
        _same("table_points", here["table_points"], there["table_points"])
    _same("is_over", game.is_over, table.is_over)
    _same("winners", game.winners, list(table.winners))
    _same("truncated_by", game.truncated_by, table.truncated_by)
    _same("legal moves", [str(move) for move in game.legal_moves()], table.legal_moves())
    rounds = [(list(r.scores), r.went_out, r.how) for r in game.rounds]
    _same("rounds", rounds, [(r["scores"], r["went_out"], r["how"]) for r in table.rounds])
    if views and not table.is_over:
        for seat in range(game.num_players):
            _compare_view(game, table, seat)


def compare_moves(game: Game, table: Table) -> None:
    """Raise :class:`DifferenceError` unless both let the same seat make the same moves."""
    _same("seat", game.current_seat, table.current_seat)
    _same("phase", game.phase, table.phase)
    _same("scores", game.scores, table.scores)
    _same("legal moves", [str(move) for move in game.legal_moves()], table.legal_moves())


def _compare_turn(here: dict[str, Any], there: dict[str, Any]) -> None:
    """Compare what binds the seat to move, and the window it is asked in."""
    turn = there["turn"]
    flags = ["claim"] if there.get("window", {}).get("stage") == "claim" else []
    flags += ["called"] * turn["by_call"] + ["booting"] * turn["booting"]
    _same("flags", here["turn"]["flags"], flags + list(turn["prefix"]))
    _same("opening points", here["turn"]["points"], turn["points"])
    windows = [
        {key: position["window"][key] for key in ("opener", "waiting")}
        for position in (here, there)
        if "window" in position
    ]
    if windows:
        _same("window", windows[0], windows[-1])
        _same("windows", len(windows), 2)


def _compare_view(game: Game, table: Table, seat: int) -> None:
    here, there = game.view(seat), table.view(seat)
    _same(f"view {seat}: hand", " ".join(here.hand), there["hand"])
    _same(f"view {seat}: unseen", _unlocated(game, seat), there["unseen"].split())
    _same(f"view {seat}: hand sizes", here.hand_sizes, there["hand_sizes"])
    _same(f"view {seat}: stock size", here.stock_size, there["stock_size"])
    _same(f"view {seat}: drawn", sorted(here.drawn), sorted(there["drawn"]["stock"].split()))
    known = [" ".join(here.known(other)) for other in range(game.num_players)]
    _same(f"view {seat}: known", known, there["known"])


def play_both(
    rules: Rules,
    num_players: int,
    seed: int,
    *,
    rounds: int = 1,
    single_round: bool = False,
    max_moves: int = 5000,
    every_view: int = 7,
    every_position: int = 1,
) -> int:
    """Play random moves on both engines, comparing after each; return the number of moves.

    What is legal, who moves, the phase and the scores are compared after each move, everything
    else every so many and at the end of each round.
    """
    game, table = twin_tables(rules, num_players, seed, single_round=single_round)
    return play_on(
        game,
        table,
        seed,
        rounds=rounds,
        max_moves=max_moves,
        every_view=every_view,
        every_position=every_position,
    )


def play_on(
    game: Game,
    table: Table,
    seed: int,
    *,
    rounds: int = 1,
    max_moves: int = 5000,
    every_view: int = 7,
    every_position: int = 1,
) -> int:
    """Play twins on by random moves until the game or so many rounds are over."""
    chooser = random.Random(seed)
    moves: list[str] = []
    try:
        compare(game, table)
        while not game.is_over and len(game.rounds) < rounds and len(moves) < max_moves:
            move = chooser.choice(game.legal_moves())
            moves.append(str(move))
            finished = len(game.rounds)
            game.play(move)
            table.play(move)
            if len(moves) % every_position and len(game.rounds) == finished:
                compare_moves(game, table)
            else:
                compare(game, table, views=len(moves) % every_view == 0)
    except DifferenceError as difference:
        raise DifferenceError(
            f"{difference}\nrules {game.rules.to_dict(full=False)}, {game.num_players} players, "
            f"seed {game.seed}, chooser {seed}, after {len(moves)} moves, the last: {moves[-8:]}"
        ) from None
    return len(moves)


def _same(what: str, here: Any, there: Any) -> None:
    if here != there:
        raise DifferenceError(f"{what}: engine {here!r}, reference {there!r}")


def _melds(position: dict[str, Any]) -> list[list[tuple[str, int, int]]]:
    """Return cards with layer and value; the engine keeps sets in the order of faces."""
    melds = []
    for meld in position["melds"]:
        cards = meld["cards"].split()
        rows = list(zip(cards, meld["laid_by"], meld["values"], strict=True))
        shown = {card.removeprefix("**=")[0] for card in cards}
        melds.append(sorted(rows, key=_face_order) if len(shown) == 1 else rows)
    return melds


def _face_order(row: tuple[str, int, int]) -> tuple[int, int]:
    card = row[0].removeprefix("**=")
    return "cdhs*".index(card[1]), "A23456789TJQK*".index(card[0])


def _distinct(rows: list[str]) -> list[list[str]]:
    """Return faces thrown; how often a face was thrown again is not kept."""
    return [sorted(set(row.split())) for row in rows]


def _unlocated(game: Game, seat: int) -> list[str]:
    """Return the cards a seat does not see; the reference counts a stock of public order in."""
    position = game.position()
    stock = position["stock"].split() if position.get("stock_open") else []
    return format_cards(parse_cards(" ".join(game.view(seat).unseen + stock)), sort=True).split()
