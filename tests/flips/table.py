"""The flips: each option of the rules, what it is flipped to, and on which rules.

Most stand on the standard game between two players who move at random. Where an option has no
say there, or too seldom one, its flip stands on other rules, such as those with jokers or with a
tiny deck, or the players move in another manner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from rummy500_env import Rules
from tests.flips.manners import Manner

__all__ = ["FLIPS", "Flip", "Played"]

Played = Literal["round", "game", "table"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Flip:
    """An option flipped from what some rules have to another value.

    Attributes:
        option: Its name.
        to: The other value.
        on: What else those rules change in the standard game.
        along: Options flipped with it, because it is refused without them.
        num_players: Seats at the table.
        manner: How the players move.
        of: What is compared: rounds, whole games, or merely which tables may be played at.
    """

    option: str
    to: Any
    on: Mapping[str, Any]
    along: Mapping[str, Any]
    num_players: int
    manner: Manner
    of: Played

    @property
    def rules(self) -> Rules:
        """The rules before the flip."""
        return Rules(**self.on)

    @property
    def flipped(self) -> Rules:
        """The rules after it."""
        return self.rules.replace(**{self.option: self.to}, **self.along)

    def __str__(self) -> str:
        return f"{self.option}={self.to!r}"


_ALONE: Final[Mapping[str, Any]] = {}


def _flip(
    option: str,
    *values: Any,
    num_players: int = 2,
    manner: Manner = "random",
    of: Played = "round",
    along: Mapping[str, Any] = _ALONE,
    **on: Any,
) -> list[Flip]:
    """Flips of one option to each of some values; the other keywords are the rules below it."""
    return [
        Flip(
            option=option,
            to=value,
            on=on,
            along=along,
            num_players=num_players,
            manner=manner,
            of=of,
        )
        for value in values
    ]


_WILD: Final[dict[str, Any]] = {"num_jokers": 4, "joker_role": "wild"}
_GAMBIT: Final[dict[str, Any]] = {
    "num_jokers": 2,
    "joker_role": "nominated",
    "dealers_joker": True,
}
_FREE: Final[dict[str, Any]] = {"top_discard_free": True}
_TINY: Final[dict[str, Any]] = {"num_ranks": 4, "hand_size": 4}
_ONE_SUIT: Final[dict[str, Any]] = {
    "num_decks": 2,
    "num_ranks": 8,
    "num_suits": 1,
    "hand_size": 7,
}

FLIPS: Final[tuple[Flip, ...]] = (
    # --- setup ---------------------------------------------------------------------------------
    *_flip("players", (3, 5), (4, 4), of="table"),
    *_flip("num_decks", 2),
    *_flip("num_decks", 1, num_players=5),
    *_flip("num_jokers", 2, along={"joker_role": "wild"}),
    *_flip("num_jokers", 1, 4, num_jokers=2, joker_role="wild"),
    *_flip("hand_size", 7, 10),
    *_flip("dealer_rotation", "winner", "loser", num_players=3, of="game"),
    *_flip("direction", -1, num_players=3),
    *_flip("start_discard", "player_choice"),
    *_flip("opening_discard_is_turn", False, start_discard="player_choice"),
    *_flip("teams", "two_by_two", num_players=4),
    *_flip("num_ranks", 8),
    *_flip("num_suits", 3),
    # --- draw ----------------------------------------------------------------------------------
    *_flip("discard_take", "top_only"),
    *_flip("dig_use", "new_meld"),
    *_flip("top_discard_free", True),
    *_flip("dig_support", "hand_only"),
    *_flip("dig_layoff_bridge", False),
    *_flip("drawn_discard_ban", "none", "dug_all", "all_drawn", **_FREE),
    *_flip("drawn_discard_ban", "top_taken", drawn_discard_ban="none", **_FREE),
    *_flip("stock_draw_count", 2),
    *_flip("skip_first_draw", True, **_TINY),
    # --- melds and layoffs ---------------------------------------------------------------------
    *_flip("set_min_len", 2, 4),
    *_flip("set_max_size", 3),
    *_flip("set_max_size", 5, 8, num_decks=2),
    *_flip("set_distinct_suits", True, num_decks=2),
    *_flip("set_distinct_suits", True, **_WILD),
    *_flip("run_min_len", 2, 4),
    *_flip("ace_rank", "low", "high", "round_the_corner"),
    *_flip("first_meld_min", 30),
    *_flip("first_meld_min", 30, first_meld_scope="on_board"),
    *_flip("first_meld_scope", "game", "on_board", first_meld_min=30, of="game"),
    *_flip("layoff_scope", "own", "none"),
    *_flip("layoff_scope", "team", num_players=4, teams="two_by_two"),
    *_flip("out_of_turn_play", "layoff", "meld_and_layoff"),
    *_flip("call_rum", "card_only", "pile_and_turn"),
    *_flip("final_layoff", "any_meld"),
    # --- jokers --------------------------------------------------------------------------------
    *_flip("joker_role", "set_only", **_WILD),
    *_flip("joker_table_value", 0, 20, "represented", **_WILD),
    *_flip("joker_hand_value", 0, 20, manner="keeps", **_WILD),
    *_flip("joker_may_duplicate", False, **_WILD),
    *_flip("min_naturals", 0, num_ranks=5, hand_size=10, **_WILD),
    *_flip("min_naturals", 2, **_WILD),
    *_flip("joker_layoff", "natural_first", **_WILD),
    *_flip("dealers_joker", True, along={"joker_role": "nominated"}, **_WILD),
    *_flip("dealers_joker_effects", ("wild",), ("double",), **_GAMBIT),
    # --- ending --------------------------------------------------------------------------------
    *_flip("must_discard_to_go_out", True),
    *_flip("floating", True, must_discard_to_go_out=True),
    *_flip("stock_exhausted", "end_if_all_pass", "end_after_turn", "discard_only"),
    *_flip("stock_exhausted", "reshuffle", "turn_over"),
    *_flip("exhausted_hand_penalty", False),
    *_flip("max_reshuffles", 0, 2, None, stock_exhausted="reshuffle"),
    *_flip("no_progress_limit", 3, **_FREE),
    *_flip("no_progress_limit", None, no_progress_limit=3, max_turns=500, **_FREE),
    # --- scoring -------------------------------------------------------------------------------
    *_flip("card_values", "five_ten_fifteen"),
    *_flip("ace_low_value", 5, 15),
    *_flip("ace_high_value", 1, 25),
    *_flip("ace_set_value", 1, 5),
    *_flip("ace_hand_value", 1, 5),
    *_flip("four_aces_bonus", 40, manner="longest"),
    *_flip("scoring_mode", "michigan", "winner_takes_hands"),
    *_flip("michigan_no_winner", "deduct_own", "lowest_hand_collects", scoring_mode="michigan"),
    *_flip("go_out_bonus", 25),
    *_flip("boot_bonus", 25, skip_first_draw=True, **_TINY),
    *_flip("four_at_once_multiplier", 2, manner="longest"),
    *_flip("going_rummy_multiplier", 2, scoring_mode="winner_takes_hands", hand_size=3),
    *_flip("masters_hand_bonus", 500, manner="longest", **_ONE_SUIT),
    *_flip("boodle_pots", True),
    # --- game ----------------------------------------------------------------------------------
    *_flip("target_score", 100, of="game"),
    *_flip("target_score", None, target_score=100, max_deals=3, of="game"),
    *_flip("max_deals", 1, 3, of="game"),
    *_flip("tie_break", "went_out", target_score=50, of="game"),
    *_flip("game_bonus", 50, of="game"),
    *_flip("max_turns", 20),
    *_flip("max_turns", None, max_turns=20),
    *_flip("max_rounds", 3, of="game"),
    *_flip("max_rounds", None, max_rounds=3, of="game"),
    *_flip("clock_budget", 150, of="game"),
)
"""All flips, in the order in which the options are declared."""
