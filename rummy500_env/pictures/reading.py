"""What a picture shows, read from a view, or from a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rummy500_env.cards import text
from rummy500_env.engine.jit import allocate
from rummy500_env.engine.tables import view_table
from rummy500_env.events import Event
from rummy500_env.pictures.scene import Card, Meld, Scene, Seat
from rummy500_env.presets import name_of
from rummy500_env.rules import Rules
from rummy500_env.view import PlayerView
from rummy500_env.view_reading import MeldView, bits_of, faces_of, with_signs
from rummy500_env.view_record import VIEW

__all__ = ["table_scene", "view_scene"]

_TO_DO: Final = {
    "draw": "draw or dig",
    "play": "meld, lay off or discard",
    "nominate": "say what jokers do",
    "opening": "choose the first discard",
    "call": "call rum or pass",
    "window": "play out of turn or pass",
    "final_layoff": "lay off or pass",
}


def view_scene(
    view: PlayerView, names: Sequence[str] | None = None, last: Event | None = None
) -> Scene:
    """Return what one seat may know; it sits at the bottom.

    Args:
        view: The view.
        names: Who sits at each seat.
        last: The last move. Without it, what the view tells of it is said.

    Raises:
        ValueError: when there are not as many names as seats.
    """
    hands = [view.known(seat) for seat in range(view.num_players)]
    hands[view.seat] = view.hand
    return _scene(view, hands, view.drawn, names, last)


def table_scene(
    record: npt.NDArray[Any],
    rules: Rules,
    names: Sequence[str] | None = None,
    last: Event | None = None,
) -> Scene:
    """Return all of a table, hidden hands included; seat 0 sits at the bottom.

    Args:
        record: An array of tables; the first one is shown.
        rules: Its rules.
        names: As in :func:`view_scene`.
        last: As there.

    Raises:
        ValueError: when there are not as many names as seats.
    """
    views = allocate(1, VIEW)
    view_table(record, 0, 0, np.uint64(0), np.int64(0), views, 0)
    view = PlayerView(views, rules)
    hands = [
        [text(face) for face in faces_of(words)] for words in record["hands"][0, : view.num_players]
    ]
    drawn = [text(face) for face in faces_of(record["drawn"][0])]
    return _scene(view, hands, drawn, names, last)


def _scene(
    view: PlayerView,
    hands: list[list[str]],
    drawn: list[str],
    names: Sequence[str] | None,
    last: Event | None,
) -> Scene:
    """Return a scene of a view and the cards that are seen of each hand."""
    count, rules = view.num_players, view.rules
    called = [f"player_{seat}" for seat in range(count)] if names is None else list(names)
    if len(called) != count:
        raise ValueError(f"{len(called)} names for {count} seats: one for each is needed")
    order = [(view.seat + rules.direction * step) % count for step in range(count)]
    laid = _laid(view)
    to_mark = [drawn if seat == view.current_seat else [] for seat in range(count)]
    if view.must_use:
        to_mark[view.current_seat] = [view.must_use]
    seats = tuple(
        Seat(
            seat,
            called[seat],
            view.scores[seat],
            view.table_points[seat],
            _marked(hands[seat], to_mark[seat]),
            view.hand_sizes[seat] - len(hands[seat]),
            tuple(_meld(m, n, laid, rules) for n, m in enumerate(view.melds) if m.owner == seat),
            tuple(_notes(view, seat)),
            seat == view.current_seat,
        )
        for seat in order
    )
    pile = zip(view.discard_pile, view.discarded_by, strict=True)
    return Scene(
        _title(view),
        _status(view, called),
        _last(view, called, last),
        "   ".join(_table_notes(view, called)),
        seats,
        tuple(Card(face, thrower) for face, thrower in pile),
        view.stock_size,
        view.dealers_joker and f"{view.joker_effect or 'joker'}, {view.dealers_joker}",
    )


def _marked(cards: list[str], to_mark: list[str]) -> tuple[Card, ...]:
    """Return the cards of a hand, one copy of each of some faces marked."""
    left = list(to_mark)
    found = []
    for face in cards:
        is_marked = face in left
        if is_marked:
            left.remove(face)
        found.append(Card(face, None, is_marked))
    return tuple(found)


def _laid(view: PlayerView) -> set[tuple[int, int]]:
    """Return what was laid in this turn: numbers of melds, and of places in them.

    The record says which faces; of equal ones the later meld has the one that came later.
    """
    left = [text(face) for face in faces_of(view.record["laid"][0])]
    found = set()
    for number, meld in reversed(list(enumerate(view.melds))):
        for place, (face, seat) in enumerate(zip(meld.cards, meld.laid_by, strict=True)):
            plain = face.partition("=")[0]
            if seat == view.current_seat and plain in left:
                left.remove(plain)
                found.add((number, place))
    return found


def _meld(meld: MeldView, number: int, laid: set[tuple[int, int]], rules: Rules) -> Meld:
    cards = tuple(
        Card(face, None if seat == meld.owner else seat, (number, place) in laid)
        for place, (face, seat) in enumerate(zip(meld.cards, meld.laid_by, strict=True))
    )
    times = 2 if meld.doubled else 1
    if meld.at_once:
        times *= rules.four_at_once_multiplier
    return Meld(cards, f"x{times}" if times > 1 else "")


def _notes(view: PlayerView, seat: int) -> list[str]:
    """Return what is said of a seat."""
    rules, record = view.rules, view.record
    count = view.hand_sizes[seat]
    found = [f"{count} card{'s' * (count != 1)}"]
    if seat == view.dealer:
        found.append("dealer")
    if rules.teams != "none":
        found.append(f"side of {seat % 2} and {seat % 2 + 2}")
    if rules.first_meld_min:
        found.append("opened" if view.opened[seat] else "not opened")
    if rules.boodle_pots:
        found.append(f"chips {record['chips'][0, seat]}")
    if rules.clock_budget:
        found.append(f"clock {record['clocks'][0, seat]}")
    if view.phase == "over" and seat in _winners(view):
        found.append("winner")
    return found


def _title(view: PlayerView) -> str:
    rules = view.rules
    found = [name_of(rules) or "Rummy 500", f"round {view.round_number}"]
    if rules.target_score is not None and not view.record["single_round"][0]:
        found.append(f"to {rules.target_score}")
    return " · ".join(found)


def _status(view: PlayerView, called: list[str]) -> str:
    if view.phase == "over":
        winners = " and ".join(called[seat] for seat in _winners(view))
        return f"game over, won by {winners}" if winners else "game over, nobody has won"
    name = called[view.current_seat]
    if view.phase == "obliged":
        return f"{name} to move: use {with_signs(view.must_use or '')}"
    if view.phase == "call" and "claim" in view.bound_by:
        return f"{name} to move: place what was called"
    return f"{name} to move: {_TO_DO[view.phase]}"


def _last(view: PlayerView, called: list[str], last: Event | None) -> str:
    """Return the last move in words; what the view tells of it when it is not given."""
    if last is not None:
        drawn = f" ({' '.join(map(with_signs, last.drawn))})" if last.drawn else ""
        return f"{called[last.seat]}: {with_signs(last.move)}{drawn}"
    parts = []
    for field in ("dug", "laid"):
        cards = [with_signs(text(face)) for face in faces_of(view.record[field][0])]
        if cards and view.current_seat >= 0:
            parts.append(f"{field} {' '.join(cards)}")
    if parts:
        return f"{called[view.current_seat]} {' and '.join(parts)}"
    pile, thrower = view.discard_pile, view.discarded_by
    if pile and thrower[-1] is not None:
        return f"{called[thrower[-1]]} discarded {with_signs(pile[-1])}"
    return ""


def _table_notes(view: PlayerView, called: list[str]) -> list[str]:
    """Return what is said of the table, as far as the rules have it."""
    found = []
    if view.opening_points:
        found.append(f"opening {view.opening_points} of {view.rules.first_meld_min}")
    if view.bound_by:
        found.append(f"bound by {', '.join(view.bound_by)}")
    if view.window_opener is not None and view.waiting:
        found.append(f"then {', '.join(called[seat] for seat in view.waiting)}")
    if view.rules.boodle_pots:
        pots = zip(("Ah", "Kc", "Qd", "Js"), view.record["pots"][0].tolist(), strict=True)
        found.append("pots " + " ".join(f"{with_signs(face)} {chips}" for face, chips in pots))
    return found


def _winners(view: PlayerView) -> list[int]:
    return bits_of(view.record["winners"][0])
