"""Games brought to each kind of moment that the rules know: every phase, and what may bind it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from rummy500_env import Game, PlayerView, Rules

__all__ = ["MOMENTS", "Moment", "at_moment"]


@dataclass(frozen=True)
class Moment:
    """A kind of moment: where it is met, and how it is told.

    Attributes:
        phase: The phase.
        flags: What binds the seat to move, beside the phase.
        begun: Whether it has begun an opening, which it must reach in this turn.
        floats: Whether it plays on without cards.
        num_players: Seats at the table.
        options: The rules.
    """

    phase: str
    options: Mapping[str, Any]
    num_players: int = 3
    flags: tuple[str, ...] = ()
    begun: bool = False
    floats: bool = False

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return Rules(**self.options)

    def is_now(self, game: Game, view: PlayerView) -> bool:
        """Whether a game is at such a moment."""
        if game.phase != self.phase or view.bound_by != list(self.flags):
            return False
        if (view.hand_sizes[game.current_seat] == 0) != self.floats:
            return False
        must_open = game.rules.first_meld_min and not view.opened[game.current_seat]
        return bool(must_open and view.opening_points) == self.begun


# Decks of few cards, hands that open easily: then such moments are not rare.
_TEAMS: Final = {"teams": "two_by_two", "hand_size": 7}
_SMALL: Final = {"num_suits": 3, "num_ranks": 8, "hand_size": 5}
_FLOATING: Final = {"must_discard_to_go_out": True, "floating": True, **_SMALL}
_BEGUN: Final = {"num_ranks": 8, "hand_size": 7, "first_meld_min": 25, "run_min_len": 2}
_CALL_CARD: Final = {"call_rum": "card_only", **_SMALL}
_CALL_PILE: Final = {"call_rum": "pile_and_turn", **_SMALL}
_FINAL: Final = {"final_layoff": "any_meld"}
_MICHIGAN: Final = {**_FINAL, "scoring_mode": "michigan", "michigan_no_winner": "deduct_own"}
_BOTH: Final = {"out_of_turn_play": "meld_and_layoff", "final_layoff": "any_meld"}
_GAMBIT: Final = {
    "num_jokers": 3,
    "joker_role": "nominated",
    "dealers_joker": True,
    "hand_size": 6,
    "num_ranks": 9,
    "direction": -1,
}
_WILD: Final = {**_GAMBIT, "dealers_joker_effects": ("wild",)}
_DOUBLE: Final = {**_GAMBIT, "dealers_joker_effects": ("double",)}

MOMENTS: Final[dict[str, Moment]] = {
    "draw": Moment("draw", {}),
    "draw, two decks": Moment("draw", {"num_decks": 2}, 5),
    "obliged": Moment("obliged", {}),
    "play": Moment("play", {}),
    "play, opening begun": Moment("play", _BEGUN, begun=True),
    "play, teams": Moment("play", _TEAMS, 4),
    "draw, floating": Moment("draw", {**_FLOATING, "hand_size": 3}, floats=True),
    "play, booting": Moment("play", {"skip_first_draw": True, **_SMALL}, flags=("booting",)),
    "draw, clocks and pots": Moment("draw", {"clock_budget": 500, "boodle_pots": True}),
    "opening": Moment("opening", {"start_discard": "player_choice", "dealer_rotation": "winner"}),
    "opening, then a turn": Moment(
        "opening", {"start_discard": "player_choice", "opening_discard_is_turn": False}
    ),
    "call, card": Moment("call", _CALL_CARD),
    "call, card, floating": Moment("call", {**_CALL_CARD, **_FLOATING}, floats=True),
    "claim, card": Moment("call", {**_CALL_CARD, "set_min_len": 2}, flags=("claim",)),
    "call, pile": Moment("call", _CALL_PILE, 4),
    "claim, pile": Moment("call", _CALL_PILE, flags=("claim",)),
    "obliged, called": Moment("obliged", _CALL_PILE, flags=("called",)),
    "window, layoffs": Moment("window", {"out_of_turn_play": "layoff", **_SMALL}, 4),
    "window, layoffs, opening": Moment(
        "window", {**_BEGUN, "out_of_turn_play": "layoff", "first_meld_min": 10}
    ),
    "window, melds": Moment("window", {"out_of_turn_play": "meld_and_layoff", **_SMALL}),
    "window, must discard": Moment(
        "window", {**_BOTH, "must_discard_to_go_out": True, "hand_size": 3}, 4
    ),
    "window, opening begun": Moment(
        "window", {**_BEGUN, "out_of_turn_play": "meld_and_layoff"}, begun=True
    ),
    "window, teams": Moment("window", {**_TEAMS, "out_of_turn_play": "meld_and_layoff"}, 4),
    "window, refills": Moment(
        "window", {**_SMALL, "out_of_turn_play": "layoff", "stock_exhausted": "reshuffle"}
    ),
    "window, dealer's joker": Moment("window", {**_WILD, "out_of_turn_play": "meld_and_layoff"}),
    "final layoff": Moment("final_layoff", _MICHIGAN),
    "final layoff, opening": Moment("final_layoff", {**_BEGUN, **_FINAL, "first_meld_min": 10}, 4),
    "final layoff, after a window": Moment("final_layoff", {**_BOTH, **_SMALL}, 4),
    "final layoff, teams": Moment("final_layoff", {**_TEAMS, **_FINAL}, 4),
    "final layoff, clocks": Moment("final_layoff", {**_FINAL, "clock_budget": 90}),
    "nominate": Moment("nominate", _GAMBIT),
    "nominate, teams": Moment("nominate", {**_GAMBIT, "teams": "two_by_two"}, 4),
    "play, wild": Moment("play", _WILD),
    "play, double": Moment("play", _DOUBLE, 4),
    "play, own said": Moment("play", _WILD, flags=("own",)),
    "play, double said": Moment("play", _DOUBLE, flags=("double",)),
    "play, both said": Moment("play", _DOUBLE, flags=("own", "double")),
    "obliged, own said": Moment("obliged", _WILD, flags=("own",)),
    "obliged, double said": Moment("obliged", _DOUBLE, flags=("double",)),
    "window, double": Moment("window", {**_DOUBLE, "out_of_turn_play": "meld_and_layoff"}),
    "play, double, opening begun": Moment(
        "play", {**_DOUBLE, "first_meld_min": 30, "hand_size": 9}, 2, begun=True
    ),
}
"""By name; the first word is the phase, but for ``claim``, which is phase ``call``."""


def at_moment(name: str, seed: int) -> Game:
    """Return a game at such a moment, one of those that random play leads to."""
    return _met(name, seed).clone()


@cache
def _met(name: str, seed: int) -> Game:
    moment = MOMENTS[name]
    chooser = random.Random(f"{name} {seed}")
    skip = chooser.randrange(4)
    for _ in range(3000):
        game = Game(moment.rules, moment.num_players, chooser.randrange(2**64))
        for _ in range(60 * moment.num_players):
            if game.phase == moment.phase and moment.is_now(game, game.view(game.current_seat)):
                if skip == 0:
                    return game
                skip -= 1
            game.play(chooser.choice(game.legal_moves()))
            if game.is_over:
                break
    raise AssertionError(f"no such moment was met: {name}")
