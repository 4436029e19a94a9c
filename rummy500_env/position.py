"""A position as plain text and numbers: everything on and around a table, hidden cards included.

The format is JSON-able: see :func:`write_position` for the keys. Everything but ``hands`` is
optional when a position is read, and any hand size is allowed. Without ``stock``, all cards named
nowhere are the stock, shuffled from ``seed``; with it, cards named nowhere are out of play for
the round, and everybody knows which.

A window is put to all seats that follow the one to move, up to the one that opened it, unless
``waiting`` names fewer; before the nomination the dealer moves. What the rules do not have, and
what a seat cannot have yet in its phase, is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy500_env.arguments import as_rules
from rummy500_env.cards import JOKER, format_cards, text
from rummy500_env.engine.chance import chance_word
from rummy500_env.errors import PositionError
from rummy500_env.position_reader import BOODLE, COUNTERS, MARKS, PositionReader
from rummy500_env.position_values import read_cards, read_list, read_whole
from rummy500_env.rules import Rules
from rummy500_env.view_reading import bits_of, faces_of, read_melds
from rummy500_env.view_record import EFFECTS, FLAGS, JOKER_STATES, PHASES

__all__ = ["read_position", "write_position"]

_KEYS = {
    "rules",
    "num_players",
    "hands",
    "discard_pile",
    "discarded_by",
    "stock",
    "melds",
    "seat",
    "phase",
    "must_use",
    "scores",
    "dealer",
    "round_number",
    "table_points",
    "drawn",
    "turn",
    "known",
    "discards",
    "passed",
    "turns_taken",
    "counters",
    "chips",
    "pots",
    "clocks",
    "window",
    "dealers_joker",
    "stock_open",
    "stock_known",
    "drawn_of_it",
    "seed",
    "chance",
    "single_round",
    *MARKS,
    "opened_game",
}


def write_position(record: npt.NDArray[Any], rules: Rules) -> dict[str, Any]:
    """Return the position in the first record of an array of tables.

    Keys: ``rules`` (options that differ from the standard game), ``num_players``, ``hands``,
    ``discard_pile`` and ``discarded_by`` (bottom to top), ``stock`` (its last card is drawn
    first), ``melds`` (oldest first), ``seat``, ``phase``, ``must_use``, ``scores``, ``dealer``,
    ``round_number``, ``table_points``, ``drawn`` and ``turn`` (of the turn in progress),
    ``known``, ``discards``, ``passed``, ``opened``, ``laid_before``, ``turns_taken``,
    ``counters``, ``seed``, ``single_round``; where the rules have them ``window``,
    ``dealers_joker``, ``chips``, ``pots``, ``clocks``, ``stock_open``, ``stock_known``,
    ``drawn_of_it``; in a possible world ``chance``, the word that this round's refills follow
    from, which elsewhere follows from the seed.
    """
    n = int(record["num_players"][0])
    must_use = int(record["must_use"][0])

    def cards(name: str, *index: int) -> str:
        return format_cards(faces_of(record[name][(0, *index)]))

    def row(name: str, size: int = n) -> list[int]:
        return record[name][0, :size].tolist()

    return {
        "rules": rules.to_dict(full=False),
        "num_players": n,
        "hands": [cards("hands", seat) for seat in range(n)],
        "discard_pile": format_cards(row("pile", int(record["pile_size"][0]))),
        "discarded_by": [s - 1 if s else None for s in row("pile_by", int(record["pile_size"][0]))],
        "stock": format_cards(row("stock", int(record["stock_size"][0]))),
        "melds": [
            {
                "cards": str(meld),
                "laid_by": list(meld.laid_by),
                "values": list(meld.values),
                "owner": meld.owner,
                "doubled": meld.doubled,
                "at_once": meld.at_once,
            }
            for meld in read_melds(record)
        ],
        "seat": int(record["seat"][0]),
        "phase": PHASES[int(record["phase"][0])],
        "must_use": text(must_use - 1) if must_use else None,
        "scores": row("scores"),
        "dealer": int(record["dealer"][0]),
        "round_number": int(record["round_index"][0]) + int(record["phase"][0] != 0),
        "table_points": row("table_points"),
        "drawn": {"stock": cards("drawn"), "dug": cards("dug")},
        "turn": {
            "banned": cards("banned"),
            "laid": cards("laid"),
            "free_take": bool(record["free_take"][0]),
            "top_taken": bool(record["top_taken"][0]),
            "long_run": bool(record["long_run"][0]),
            "points": int(record["opening_points"][0]),
            "flags": [FLAGS[bit] for bit in bits_of(record["turn_flags"][0])],
        },
        "known": [cards("known", seat) for seat in range(n)],
        "discards": [cards("discards", seat) for seat in range(n)],
        "passed": [
            format_cards(min(f, JOKER) for f in bits_of(record["passed"][0, seat]))
            for seat in range(n)
        ],
        **{name: [bool(mark) for mark in row(name)] for name in (*MARKS, "opened_game")},
        "turns_taken": row("turns_taken"),
        "counters": {key: int(record[field][0]) for key, field in COUNTERS.items()},
        **_purses(record, rules, row),
        **_refill(record, rules, cards, n),
        **_out_of_turn(record, rules),
        "seed": int(record["seed"][0]),
        **_chance(record),
        "single_round": bool(record["single_round"][0]),
    }


def read_position(position: Mapping[str, Any]) -> tuple[npt.NDArray[Any], Rules]:
    """Return a table in a position, as an array of one record, and its rules.

    Raises:
        PositionError: when the position cannot be, naming the fault.
        RulesError: when the rules are at fault.
    """
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a mapping, not {type(position).__name__}")
    unknown = sorted(set(map(str, position)) - _KEYS)
    if unknown:
        raise PositionError(
            f"unknown keys {', '.join(unknown)}; allowed: {', '.join(sorted(_KEYS))}"
        )
    rules = as_rules(position.get("rules", {}))
    if "hands" not in position:
        raise PositionError("a position needs 'hands', a list of texts such as ['7c 8c', '']")
    hands = [read_cards(hand, "hands") for hand in read_list(position["hands"], "hands", None)]
    n = read_whole(position.get("num_players", len(hands)), "num_players", 2, 8)
    if len(hands) != n:
        raise PositionError(f"{len(hands)} hands for {n} players")
    low, high = rules.players
    if not low <= n <= high:
        raise PositionError(f"{n} players, but the rules allow {low} to {high}")
    return PositionReader(position, rules, n, hands).record, rules


def _refill(record: npt.NDArray[Any], rules: Rules, cards: Any, n: int) -> dict[str, Any]:
    """Return what is known of a refilled stock, where the rules can refill it."""
    if rules.stock_exhausted not in ("reshuffle", "turn_over"):
        return {}
    return {
        "stock_open": bool(record["stock_open"][0]),
        "stock_known": cards("refilled"),
        "drawn_of_it": [cards("refilled_drawn", seat) for seat in range(n)],
    }


def _chance(record: npt.NDArray[Any]) -> dict[str, int]:
    """Return the word that the round's refills follow from, where it is not that of the seed."""
    word = int(record["chance"][0])
    own = chance_word(record["seed"][0], record["round_index"][0].astype(np.int64))
    return {} if word == int(own) else {"chance": word}


def _out_of_turn(record: npt.NDArray[Any], rules: Rules) -> dict[str, Any]:
    """Return a window that is open, and the dealer's joker."""
    parts: dict[str, Any] = {}
    opener = int(record["window_by"][0]) - 1
    if opener >= 0:
        n = int(record["num_players"][0])
        pending = bits_of(record["window_pending"][0])
        parts["window"] = {
            "opener": opener,
            "waiting": sorted(pending, key=lambda s: rules.direction * (s - opener) % n),
            "bonus": int(record["out_bonus"][0]),
        }
    if rules.dealers_joker:
        parts["dealers_joker"] = {
            "effect": EFFECTS[record["joker_effect"][0]],
            "state": JOKER_STATES[record["joker_state"][0]],
        }
    return parts


def _purses(record: npt.NDArray[Any], rules: Rules, row: Any) -> dict[str, Any]:
    """Return chips, pots and clocks, where the rules have them."""
    purses: dict[str, Any] = {}
    if rules.boodle_pots:
        purses = {"chips": row("chips"), "pots": dict(zip(BOODLE, row("pots", 4), strict=True))}
    if rules.clock_budget is not None:
        purses["clocks"] = row("clocks")
    return purses
