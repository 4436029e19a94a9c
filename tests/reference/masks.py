"""Which plays are allowed: the obligation, the card to keep, bans, the opening, booting."""

from __future__ import annotations

from collections import Counter

from tests.reference.cards import JOKER, holds
from tests.reference.laying import Laying, Play, bridge_plays, layoff_plays, meld_plays


def cards_to_keep(laying: Laying) -> int:
    """How many cards a play must leave.

    Rules 2.3 `keep`: one if a discard is needed to go out and the seat may not float. Rules 9.4:
    in a window must-discard never lets the last card go.
    """
    options = laying.options
    if not options.must_discard_to_go_out:
        return 0
    return 1 if laying.where != "turn" or not options.floating else 0


def only_banned_left(hand: Counter[str], banned: Counter[str]) -> bool:
    """Whether a hand holds cards but none that may be discarded (rules 9.2, 9.12)."""
    return hand.total() > 0 and all(banned[face] >= count for face, count in hand.items())


def _shapes(laying: Laying) -> list[Play]:
    """Every play that this point of the turn offers, by shape."""
    if laying.must_use is not None:
        return _placing_plays(laying)
    plays = [] if laying.where == "final" else meld_plays(laying)
    if laying.where == "window" and laying.options.out_of_turn_play == "layoff":
        plays = []
    plays = plays + layoff_plays(laying)
    if laying.can_block and laying.hand[JOKER]:  # rules 5.1 line 5: in the PLAY phase
        plays.append(Play("block", Counter({JOKER: 1})))
    return plays


def _placing_plays(laying: Laying) -> list[Play]:
    """What places T, or bridges to it (rules 2.3 OBLIGED, edge 4).

    Rules 4 `dig_use` new_meld: only a meld places it (edge 6). A call is founded on layoffs too,
    whatever `dig_use` says (CHOICE).
    """
    options, face = laying.options, laying.must_use
    assert face is not None
    plays = [
        play
        for play in meld_plays(laying, face)
        if play.uses[face] and _supported(play, face, laying)
    ]
    if options.dig_use == "new_meld" and not laying.by_call:
        return plays
    plays += [play for play in layoff_plays(laying) if play.uses[face]]
    if options.dig_layoff_bridge:
        keep = cards_to_keep(laying)
        for play in bridge_plays(laying):
            left = laying.after(play)
            # The cards still to bridge, and T, go too: some way of it must leave enough.
            if left.hand.total() > keep and _placing_plays_allowed(left):
                plays.append(play)
    return plays


def _placing_plays_allowed(laying: Laying) -> bool:
    """Whether T can still be placed."""
    return any(_leaves_enough(play, laying) for play in _placing_plays(laying))


def _supported(play: Play, face: str, laying: Laying) -> bool:
    """Whether the other cards of a meld with T may go down with it (rules 4 `dig_support`)."""
    if laying.support is None:
        return True
    return holds(laying.support, play.uses - Counter({face: 1}))


def _leaves_enough(play: Play, laying: Laying) -> bool:
    """Whether the play leaves the card to keep, and not a hand of banned cards only.

    Edges 13, 14; rules 9.12: the bans do not mask in OBLIGED.
    """
    left = laying.hand - play.uses
    if left.total() < cards_to_keep(laying):
        return False
    if laying.must_use is not None:
        return True
    return not only_banned_left(left, laying.banned - play.uses)


def legal_plays(laying: Laying) -> list[Play]:
    """All plays that are allowed now."""
    plays = [play for play in _shapes(laying) if _leaves_enough(play, laying)]
    if laying.must_open:
        seen: dict[object, bool] = {}
        plays = [play for play in plays if _opening_goes_on(play, laying, seen)]
    if laying.booting:
        known: dict[object, bool] = {}
        plays = [play for play in plays if can_play_out(laying.after(play), known)]
    return plays


def _opening_goes_on(play: Play, laying: Laying, seen: dict[object, bool]) -> bool:
    """Whether a play agrees with an opening that must be reached in this turn (edges 50, 51).

    A block lays nothing: it is free before an opening has begun, after that it must leave a way
    to complete it.
    """
    if not play.lays and laying.points == 0:
        return True
    return _can_open(laying.after(play), seen)


def _can_open(laying: Laying, seen: dict[object, bool]) -> bool:
    """Whether the opening is reached, or some row of further melds reaches it (rules 9.11).

    Every order of laying is tried; `seen` only spares trying the same hand twice.
    """
    if not laying.must_open:
        return True
    key = (frozenset(laying.hand.items()), laying.points, laying.own_joker, laying.melds_laid)
    if key not in seen:
        seen[key] = any(
            _leaves_enough(play, laying) and _can_open(laying.after(play), seen)
            for play in meld_plays(laying)
        )
    return seen[key]


def can_play_out(laying: Laying, known: dict[object, bool]) -> bool:
    """Whether the hand splits into melds, layoffs and at most one discard (rules 9.18).

    Exactly one discard where one is needed to go out. `known` spares trying the same twice.
    """
    if laying.hand.total() <= 1:
        return laying.hand.total() == 1 or not laying.options.must_discard_to_go_out
    key = (
        frozenset(laying.hand.items()),
        tuple((meld.start, tuple(card.place for card in meld.laid)) for meld in laying.melds),
        laying.own_joker,
        laying.can_block,
    )
    if key not in known:
        known[key] = any(
            _leaves_enough(play, laying) and can_play_out(laying.after(play), known)
            for play in _shapes(laying)
        )
    return known[key]
